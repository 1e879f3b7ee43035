"""SHA-256 of many stretches of a text at once, without Python's lock in between.

`hashlib` lets other threads run during each call and must wait to come back: for texts as short as a game, two threads
that hash one after the other stop each other. OpenSSL's own function, which is behind `hashlib` nearly everywhere, is
called by compiled code for all games of a chunk; where it can't be found `hashlib` does the work.
"""

import ctypes
import hashlib

import numpy as np

from ono_replay.bulk.jit import call, entry

_SIZE = 32


def hexdigests(text: bytes, starts: np.ndarray, ends: np.ndarray) -> list[str]:
    """Return the SHA-256 of each stretch of a text, in hexadecimal.

    >>> hexdigests(b"abc", np.array([0, 3]), np.array([3, 3]))[0][:16]
    'ba7816bf8f01cfea'
    """
    if not _FUNCTION:
        view = memoryview(text)
        spans = zip(starts.tolist(), ends.tolist(), strict=True)
        return [hashlib.sha256(view[start:end]).hexdigest() for start, end in spans]
    found = np.empty((len(starts), _SIZE), np.uint8)
    _hash(_FUNCTION, np.frombuffer(text, np.uint8).ctypes.data, starts, ends, found.ctypes.data)
    digits = found.tobytes().hex()
    return [digits[place : place + 2 * _SIZE] for place in range(0, len(digits), 2 * _SIZE)]


def load() -> None:
    """Load the machine code, or compile it."""
    nothing = np.zeros(0, np.int64)
    hexdigests(b"", nothing, nothing)


@entry
def _hash(function: int, text: int, starts: np.ndarray, ends: np.ndarray, found: int) -> None:
    for number in range(len(starts)):
        start = starts[number]
        call(function, text + start, ends[number] - start, found + _SIZE * number)


def _find_function() -> int:
    """Return the address of `SHA256(text, size, found)` in the library that `hashlib` uses; 0 where it isn't there."""
    try:
        import _hashlib

        function = ctypes.CDLL(_hashlib.__file__).SHA256
    except (ImportError, AttributeError, OSError):
        return 0
    found = ctypes.create_string_buffer(_SIZE)
    function(b"abc", ctypes.c_size_t(3), found)
    if found.raw != hashlib.sha256(b"abc").digest():
        return 0
    return ctypes.cast(function, ctypes.c_void_p).value or 0


_FUNCTION = _find_function()
