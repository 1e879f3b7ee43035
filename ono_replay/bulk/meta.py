"""Free values of a line: whether they are JSON in canonical bytes; what they say is nobody's business here."""

from typing import Any

from ono_replay.bulk.jit import byte, helper
from ono_replay.bulk.text import FAIL, literal, match, same_text, string

_DEEPEST = 16
"""Deeper ones are left to the careful reader."""
_TRUE, _FALSE, _NULL = literal("true"), literal("false"), literal("null")
_QUOTE, _COLON, _COMMA, _MINUS, _DOT, _ZERO = 0x22, 0x3A, 0x2C, 0x2D, 0x2E, 0x30
_OPENS_OBJECT, _CLOSES_OBJECT, _OPENS_ARRAY, _CLOSES_ARRAY = 0x7B, 0x7D, 0x5B, 0x5D
_MOST_DIGITS = 18
_KEY_OR_END, _KEY, _VALUE_OR_END, _VALUE, _AFTER_VALUE = range(5)


@helper
def skip_object(at: int, scratch: Any) -> int:
    """Return the place after an object whose opening brace stands at `at`, `FAIL` if it is not canonical.

    `scratch` holds a pair for each level that is open (whether it is an object, where its keys begin) and then
    a pair for each key of these (where it begins, from the object on, and its length).
    """
    if at < 0 or byte(at) != _OPENS_OBJECT:
        return FAIL
    begun = at
    keys = 2 * _DEEPEST
    depth = 0
    scratch[0], scratch[1] = 1, keys
    wanted = _KEY_OR_END
    at += 1
    while at >= 0:
        found = byte(at)
        frame = 2 * depth
        ends = wanted in (_KEY_OR_END, _VALUE_OR_END, _AFTER_VALUE)
        if ends and found == (_CLOSES_OBJECT if scratch[frame] else _CLOSES_ARRAY):
            keys = scratch[frame + 1]
            depth -= 1
            at += 1
            if depth < 0:
                return at
            wanted = _AFTER_VALUE
        elif wanted == _AFTER_VALUE:
            at = at + 1 if found == _COMMA else FAIL
            wanted = _KEY if scratch[frame] else _VALUE
        elif wanted in (_KEY, _KEY_OR_END):
            at = _read_key(at, begun, scratch, scratch[frame + 1], keys)
            keys += 2
            wanted = _VALUE
        elif found in (_OPENS_OBJECT, _OPENS_ARRAY):
            depth += 1
            if depth == _DEEPEST:
                return FAIL
            scratch[frame + 2], scratch[frame + 3] = (1 if found == _OPENS_OBJECT else 0), keys
            wanted = _KEY_OR_END if found == _OPENS_OBJECT else _VALUE_OR_END
            at += 1
        else:
            at = _skip_plain(at, found)
            wanted = _AFTER_VALUE
    return FAIL


@helper
def _read_key(at: int, begun: int, scratch: Any, first: int, free: int) -> int:
    """Read a key and its colon; the keys of its object stand in `scratch` from `first` to `free`."""
    if byte(at) != _QUOTE:
        return FAIL
    start = at + 1
    at = string(start)
    if at < 0 or byte(at + 1) != _COLON:
        return FAIL
    length = at - start
    if free + 2 > len(scratch):
        return FAIL
    for place in range(first, free, 2):
        if scratch[place + 1] == length and same_text(begun + scratch[place], start, length):
            return FAIL
    scratch[free], scratch[free + 1] = start - begun, length
    return at + 2


@helper
def _skip_plain(at: int, found: int) -> int:
    """Return the place after a string, a number, true, false or null."""
    if found == _QUOTE:
        at = string(at + 1)
        return at + 1 if at >= 0 else FAIL
    if found == 0x74:
        return match(at, _TRUE)
    if found == 0x66:
        return match(at, _FALSE)
    if found == 0x6E:
        return match(at, _NULL)
    return _skip_number(at)


@helper
def _skip_digits(at: int) -> int:
    while 0 <= byte(at) - _ZERO <= 9:
        at += 1
    return at


@helper
def _skip_number(at: int) -> int:
    if byte(at) == _MINUS:
        at += 1
    first = at
    at = _skip_digits(at)
    if at == first or at - first > _MOST_DIGITS or (byte(first) == _ZERO and at - first > 1):
        return FAIL
    if byte(at) == _DOT:
        first = at + 1
        at = _skip_digits(first)
        if at == first:
            return FAIL
    if byte(at) in (0x45, 0x65):
        at += 1
        if byte(at) in (0x2B, 0x2D):
            at += 1
        first = at
        at = _skip_digits(first)
        if at == first:
            return FAIL
    return at
