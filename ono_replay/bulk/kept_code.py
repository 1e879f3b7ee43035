"""Where compiled code is kept, told without loading a compiler."""

import hashlib
import os
import sys
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path


@lru_cache(maxsize=1)
def folder_of_code() -> Path:
    """Return where the machine code of this very source is kept.

    It lies in `ONO_REPLAY_CACHE`, or in the platform's cache folder. The compiler alone would not see that a
    function in another file has changed: a digest of all sources, and of what compiles them, is in the name.
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


def _digest() -> str:
    digest = hashlib.sha256(f"{version('numba')} {version('numpy')} {sys.version}".encode())
    here = Path(__file__).parent
    for path in sorted([*here.glob("*.py"), *here.parent.joinpath("rules").glob("*.py")]):
        digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()[:16]


def is_compiled() -> bool:
    """Whether there is machine code of this source already: the first run that needs it takes longer."""
    return any(folder_of_code().rglob("*.judge-*.nbc"))
