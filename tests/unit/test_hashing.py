"""Digests of many stretches at once are those of `hashlib`, whichever way they are made."""

import ctypes
import hashlib
import random
import sys
from types import SimpleNamespace

import numpy as np
import pytest

from ono_replay.bulk import hashing

SIZES = [0, 1, 55, 56, 63, 64, 65, 119, 120, 2047, 2048, 100_000]


@pytest.mark.parametrize("openssl", [True, False])
def test_both_ways_give_the_digests_of_hashlib(openssl, monkeypatch):
    if not openssl:
        monkeypatch.setattr(hashing, "_FUNCTION", 0)
    elif not hashing._FUNCTION:
        # A Python with OpenSSL inside it does not show its functions.
        import _hashlib

        assert sys.platform != "linux" or not hasattr(_hashlib, "__file__")
        return
    text = random.Random(1).randbytes(sum(SIZES))
    ends = np.cumsum(SIZES)
    starts = ends - SIZES
    found = hashing.hexdigests(text, starts, ends)
    assert found == [
        hashlib.sha256(text[start:end]).hexdigest() for start, end in zip(starts, ends, strict=True)
    ]
    assert hashing.hexdigests(b"", starts[:0], ends[:0]) == []


def test_without_the_function_hashlib_does_the_work(monkeypatch):
    import _hashlib

    monkeypatch.setattr(_hashlib, "__file__", "/nowhere/_hashlib.so", raising=False)
    assert hashing._find_function() == 0
    monkeypatch.delattr(_hashlib, "__file__")
    assert hashing._find_function() == 0


def test_a_function_that_gives_something_else_is_not_taken(monkeypatch):
    if not hashing._FUNCTION:
        pytest.xfail("a Python with OpenSSL inside it does not show its functions")
    import _hashlib

    other = ctypes.CDLL(_hashlib.__file__).SHA224
    monkeypatch.setattr(ctypes, "CDLL", lambda _name: SimpleNamespace(SHA256=other))
    assert hashing._find_function() == 0
