"""The sound logs of `sample_logs/`: `ok/` and `open/`, the same bytes every time, and the list of all samples.

>>> list(sound_samples())[0]
'ok/1980-chips.ono.jsonl'
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Final

from ono_replay.log.output import check_free
from ono_replay.simulate.broken import BROKEN_LOGS, broken_samples
from ono_replay.simulate.samples import scripted, simulated
from ono_replay.simulate.samples.sample import Sample

__all__ = ["SAMPLES", "Sample", "made_files", "manifest", "sound_samples", "write_samples"]

_ALL = (*simulated.OK, *scripted.OK, *simulated.OPEN, *scripted.OPEN)
SAMPLES: Final[dict[str, Sample]] = {one.path: one for one in sorted(_ALL, key=lambda one: one.name)}
"""The sound samples by their path below `sample_logs/`."""


def sound_samples() -> dict[str, bytes]:
    """Return the content of each file of `sample_logs/ok/` and `open/`, by path."""
    return {path: one.content for path, one in SAMPLES.items()}


def made_files() -> dict[str, bytes]:
    """Return all that is made of `sample_logs/`, by path: the sound and the broken logs, and the list of them."""
    broken = {f"broken/{name}": content for name, content in broken_samples().items()}
    return {"README.md": manifest().encode()} | sound_samples() | broken


def write_samples(folder: str | Path, *, overwrite: bool = False) -> int:
    """Write `made_files` below a folder, which is made if it is not there, and return how many they are.

    Where a file of one of their names says something else nothing is written, unless `overwrite` is given. Raises
    `log.output.Unwritable`.
    """
    files = {Path(folder) / path: content for path, content in made_files().items()}
    for target, content in files.items():
        if not (target.is_file() and target.read_bytes() == content):
            check_free(target, overwrite=overwrite)
    for target, content in files.items():
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
    return len(files)


def manifest() -> str:
    """Return the README of `sample_logs/`: every sample with its story."""
    by_folder = {
        folder: [
            (path.partition("/")[2], one.story) for path, one in SAMPLES.items() if path.startswith(folder)
        ]
        for folder in ("ok", "open")
    }
    lines = [
        "# Sample logs",
        "",
        "Games to try things on. `ono-replay samples copy DIR` copies them, `ono-replay samples make DIR` makes these",
        "files anew, byte by byte. The format is described in [the specification](../schemas/SPECIFICATION.md).",
        "",
        *_table("ok: whole games without a fault", by_folder["ok"]),
        *_table("open: games that are not over", by_folder["open"]),
        "## outside: games of another engine",
        "",
        "Replays as that engine tells them, and the logs that `ono-replay convert` makes of them:",
        "[outside](outside/README.md).",
        "",
        *_table(
            "broken: exactly one fault each, named by its code",
            [(name, log.story) for name, log in BROKEN_LOGS.items()],
        ),
    ]
    return "\n".join(lines).rstrip() + "\n"


def _table(title: str, rows: Iterable[tuple[str, str]]) -> list[str]:
    return [
        f"## {title}",
        "",
        "| file | |",
        "| --- | --- |",
        *(f"| `{name}` | {story.replace('|', chr(92) + '|')} |" for name, story in rows),
        "",
    ]
