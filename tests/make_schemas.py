"""Writes the JSON Schemas into schemas/: `python -m tests.make_schemas`."""

from ono_replay.bundle import bundle_path
from ono_replay.log.schema import write_schemas

if __name__ == "__main__":
    for path in write_schemas(bundle_path("schemas"), overwrite=True):
        print(path)
