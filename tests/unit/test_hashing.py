"""Digests of many stretches at once are those of `hashlib`, whichever way they are made."""

import _hashlib
import ctypes
import hashlib
import random
from types import SimpleNamespace

import numpy as np
import pytest

from ono_replay.bulk import hashing

SIZES = [0, 1, 55, 56, 63, 64, 65, 119, 120, 2047, 2048, 100_000]


def test_the_function_is_found_where_openssl_is_a_library():
    assert bool(hashing._FUNCTION) == hasattr(_hashlib, "__file__")


@pytest.mark.parametrize("function", [hashing._FUNCTION, 0])
def test_both_ways_give_the_digests_of_hashlib(function, monkeypatch):
    monkeypatch.setattr(hashing, "_FUNCTION", function)
    text = random.Random(1).randbytes(sum(SIZES))
    ends = np.cumsum(SIZES)
    starts = ends - SIZES
    found = hashing.hexdigests(text, starts, ends)
    assert found == [
        hashlib.sha256(text[start:end]).hexdigest() for start, end in zip(starts, ends, strict=True)
    ]
    assert hashing.hexdigests(b"", starts[:0], ends[:0]) == []


def test_without_the_function_hashlib_does_the_work(monkeypatch):
    monkeypatch.setattr(_hashlib, "__file__", "/nowhere/_hashlib.so", raising=False)
    assert hashing._find_function() == 0
    monkeypatch.delattr(_hashlib, "__file__")
    assert hashing._find_function() == 0


def test_a_function_that_gives_something_else_is_not_taken(monkeypatch):
    @ctypes.CFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p)
    def other(_text, _size, found):
        ctypes.memmove(found, hashlib.sha3_256(b"abc").digest(), 32)
        return found

    monkeypatch.setattr(_hashlib, "__file__", "any", raising=False)
    monkeypatch.setattr(ctypes, "CDLL", lambda _name: SimpleNamespace(SHA256=other))
    assert hashing._find_function() == 0
