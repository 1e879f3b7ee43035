"""The lists of an event, from canonical text to the pool; and the end of every line."""

from typing import Any

import numpy as np

from ono_replay.bulk.jit import byte, helper
from ono_replay.bulk.layout import MOST, NO_TIME, NULL
from ono_replay.bulk.meta import skip_object
from ono_replay.bulk.text import FAIL, integer, literal, match, number, token

_END = literal("}\n")
_AT_MS = literal(',"at_ms":')
_META = literal(',"meta":')
_NULL = literal("null")
_BRACKET, _COMMA, _QUOTE = 0x5D, 0x2C, 0x22


@helper
def tail(at: int, last_ms: int, line: Any) -> tuple[int, int]:
    """Read what may stand at the end of a line; return the place after its newline and the time.

    A time before the last one is not taken, nor is what was let stand, nor an unknown key.
    """
    end = match(at, _END)
    return (end, NO_TIME) if end >= 0 else _long_tail(at, last_ms, line)


@helper
def _long_tail(at: int, last_ms: int, line: Any) -> tuple[int, int]:
    at_ms = NO_TIME
    timed = match(at, _AT_MS)
    if timed >= 0:
        at_ms, at = number(timed)
        if at_ms < last_ms:
            return FAIL, at_ms
    meta = match(at, _META)
    if meta >= 0:
        line.odd = 1
        at = skip_object(meta, line.scratch)
    return match(at, _END), at_ms


@helper
def cards(at: int, pool: np.ndarray, into: int) -> tuple[int, int]:
    """Read cards after their opening bracket: their number and they go into the pool.

    Return the place after the closing bracket and the next free entry of the pool.
    """
    count = into
    into += 1
    if at >= 0 and byte(at) == _BRACKET:
        pool[count] = 0
        return at + 1, into
    while at >= 0:
        if byte(at) != _QUOTE:
            return FAIL, into
        card, at = token(at + 1)
        pool[into] = card
        into += 1
        if at < 0 or byte(at) != _COMMA:
            break
        at += 1
    pool[count] = into - count - 1
    return (at + 1 if at >= 0 and byte(at) == _BRACKET else FAIL), into


@helper
def numbers(at: int, pool: np.ndarray, into: int) -> tuple[int, int]:
    """Read integers and nulls after their opening bracket; as `cards`."""
    count = into
    into += 1
    if at >= 0 and byte(at) == _BRACKET:
        pool[count] = 0
        return at + 1, into
    while at >= 0:
        value, end = integer(at)
        if end < 0:
            value, end = NULL, match(at, _NULL)
        elif not -MOST < value < MOST:
            end = FAIL
        at = end
        pool[into] = value
        into += 1
        if at < 0 or byte(at) != _COMMA:
            break
        at += 1
    pool[count] = into - count - 1
    return (at + 1 if at >= 0 and byte(at) == _BRACKET else FAIL), into
