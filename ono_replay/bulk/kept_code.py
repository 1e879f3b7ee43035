"""Where compiled code is kept, told without loading a compiler."""

import hashlib
import os
import shutil
import sys
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path

_KEPT = 3
"""Versions whose code is kept beside the present one."""


@lru_cache(maxsize=1)
def folder_of_code() -> Path:
    """Return where the machine code of this very source is kept.

    It lies in `ONO_REPLAY_CACHE`, or in the platform's cache folder. The compiler alone would not see that a
    function in another file has changed: a digest of all sources as they lie there, and of what compiles them, is in
    the name.
    """
    home = os.environ.get("ONO_REPLAY_CACHE")
    if home is None:
        if sys.platform == "win32":
            base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
        elif sys.platform == "darwin":
            base = Path.home() / "Library" / "Caches"
        else:
            base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
        home = str(base / "ono-replay")
    return Path(home) / f"compiled-{_digest()}"


def make_folder() -> Path | None:
    """Return the folder, which is made if it is not there; None where that can't be done.

    The code of older versions goes, all but a few.
    """
    folder = folder_of_code()
    if folder.is_dir():
        return folder if os.access(folder, os.W_OK) else None
    try:
        folder.mkdir(parents=True)
        others = [found for found in folder.parent.glob("compiled-*") if found != folder]
        for old in sorted(others, key=lambda found: found.stat().st_mtime)[:-_KEPT]:
            shutil.rmtree(old, ignore_errors=True)
    except OSError:
        return folder if folder.is_dir() else None
    return folder


def _digest() -> str:
    digest = hashlib.sha256(f"{version('numba')} {version('numpy')} {sys.version}".encode())
    here = Path(__file__).parent
    for path in sorted([*here.glob("*.py"), *here.parent.joinpath("rules").glob("*.py")]):
        # The compiler takes code only for the very files that it was made of: their places and times count, too.
        digest.update(f"{path} {path.stat().st_mtime_ns} ".encode() + path.read_bytes())
    return digest.hexdigest()[:16]


def is_compiled(entry: str = "judge") -> bool:
    """Whether there is machine code of this source already: the first run that needs it takes longer."""
    return any(folder_of_code().rglob(f"*.{entry}-*.nbc"))
