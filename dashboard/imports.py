"""The part of the door through which logs go into a library."""

import tempfile
from pathlib import Path
from typing import Final

import msgspec

from dashboard.libraries import libraries
from dashboard.sources import add_source
from ono_replay.check.phrases import count_of, join_words
from ono_replay.check.printable import printable
from ono_replay.cli.importing import own_library
from ono_replay.library.importing import ImportSummary, import_logs
from ono_replay.library.manifest import LibraryFault

_COUNTS: Final = (
    ("added", "added"),
    ("replaced", "in the place of a shorter version"),
    ("known", "there already"),
    ("quarantined", "put into quarantine"),
)


class Taken(msgspec.Struct, frozen=True):
    """What became of an import, in words."""

    words: str
    done: bool
    """Whether the games are in the library now, those among them that were there before too."""
    refused: bool = False
    """Whether some are in quarantine."""


def libraries_to_take() -> dict[str, str]:
    """Return the libraries that logs can be put into, path to name: those opened here, else one's own."""
    own = own_library()
    found = libraries() or [str(own)]
    return {path: "your library" if Path(path) == own else printable(Path(path).name) for path in found}


def take_in_bytes(content: bytes, library: str) -> Taken:
    """Put the games of an uploaded log into a library."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "upload.ono.jsonl")
        path.write_bytes(content)
        return take_in(path, library)


def take_in(path: Path, library: str) -> Taken:
    """Put the games of a log into a library, which is made if it is not there; the log stays as it is."""
    try:
        summary = import_logs([str(path)], library, jobs=1)
    except (LibraryFault, OSError) as reason:
        return Taken(f"Not taken in: {printable(str(reason))}", done=False)
    add_source(library)
    refused = bool(summary.total("quarantined"))
    return Taken(_told(summary), done=not summary.unreadable and not refused, refused=refused)


def _told(summary: ImportSummary) -> str:
    if summary.unreadable:
        return f"Not taken in: {printable(summary.unreadable[0])}"
    told = [
        f"{count_of(number, 'game')} {what}" for count, what in _COUNTS if (number := summary.total(count))
    ]
    return f"{join_words(told)}." if told else "There was no game in it."
