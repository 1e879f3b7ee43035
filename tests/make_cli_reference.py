"""Writes the reference of the command line into schemas/: `python -m tests.make_cli_reference`."""

from ono_replay.bundle import bundle_path
from ono_replay.cli.main import VERBS
from ono_replay.cli.reference import reference

if __name__ == "__main__":
    path = bundle_path("schemas") / "CLI.md"
    path.write_text(reference(VERBS), encoding="utf-8", newline="\n")
    print(path)
