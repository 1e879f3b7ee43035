"""Reading canonical text from bytes, a word at a time: literals, numbers, strings, card tokens.

Every function takes the buffer and a place, and gives the place after what it read, or `FAIL`; a place that
is `FAIL` already stays so, which lets calls follow each other and be checked once. Zeros stand behind
the text (`log.chunks.PADDING`): what is read past its end ends everything.
"""

import numpy as np

from ono_replay.bulk.jit import byte, helper, hot, load8
from ono_replay.rules.cards import ORDER

FAIL = -1
_QUOTE, _BACKSLASH, _ZERO, _NINE, _MINUS = 0x22, 0x5C, 0x30, 0x39, 0x2D
_MOST_DIGITS = 18
"""Longer numbers may not fit in 64 bits: they are left to the careful reader."""


def word(text: bytes) -> int:
    """Return up to eight bytes as one integer, little end first.

    >>> hex(word(b"ab"))
    '0x6261'
    """
    return int.from_bytes(text, "little")


def mask(length: int) -> int:
    """Return the mask of the first bytes of a word, signed."""
    return (1 << (8 * length)) - 1 if length < 8 else -1


_TABLE = np.zeros(1024, np.int64)
_filled = 0


def literal(text: str) -> int:
    """Return a text as `match` takes it: where its length and its words, the last one at its end, are kept.

    >>> literal('"players":[') < literal("null")
    True
    """
    global _filled
    raw = text.encode()
    words = [word(raw[at : at + 8]) for at in range(0, len(raw) - 8, 8)] + [word(raw[-8:])]
    kept = _filled
    _filled += 1 + len(words)
    _TABLE[kept:_filled] = [len(raw), *words]
    return kept


@helper
def match(at: int, text: int) -> int:
    """Return the place after a literal."""
    if at < 0:
        return FAIL
    length = _TABLE[text]
    if length < 8:
        return at + length if load8(at) & ((1 << (8 * length)) - 1) == _TABLE[text + 1] else FAIL
    end = at + length
    while at < end - 8:
        text += 1
        if load8(at) != _TABLE[text]:
            return FAIL
        at += 8
    return end if load8(end - 8) == _TABLE[text + 1] else FAIL


def _number(at: int) -> tuple[int, int]:
    """Read an integer from 0 without needless zeros; return it and the place after it."""
    if at < 0:
        return 0, FAIL
    digit = byte(at) - _ZERO
    if digit < 0 or digit > 9:
        return 0, FAIL
    value = digit
    first = at
    at += 1
    digit = byte(at) - _ZERO
    while 0 <= digit <= 9:
        value = 10 * value + digit
        at += 1
        digit = byte(at) - _ZERO
        if at - first > _MOST_DIGITS:
            return 0, FAIL
    if byte(first) == _ZERO and at - first > 1:
        return 0, FAIL
    return value, at


number = helper(_number)
number_here = hot(_number)
"""The same, put where it is called."""


@helper
def integer(at: int) -> tuple[int, int]:
    """Read an integer with or without a sign; `-0` is none."""
    if at < 0:
        return 0, FAIL
    if byte(at) != _MINUS:
        return number(at)
    value, at = number(at + 1)
    return (-value, at) if value else (value, FAIL)


_HIGH = -0x7F7F7F7F7F7F7F80
"""0x80 in each byte of a signed word."""
_ONES = 0x0101010101010101


@helper
def is_plain(eight: int) -> bool:
    """Whether eight bytes are printable ASCII, none of them a quote or a backslash."""
    quotes = eight ^ (_ONES * _QUOTE)
    slashes = eight ^ (_ONES * _BACKSLASH)
    special = (eight - _ONES * 0x20) | (quotes - _ONES) | (slashes - _ONES) | eight
    return special & _HIGH == 0


@helper
def string(at: int) -> int:
    """Return the place of the quote that ends a string which begins at `at`, after its first quote.

    `FAIL` for control characters, for bytes that are no UTF-8, and for any escape.
    """
    if at < 0:
        return FAIL
    while True:
        while is_plain(load8(at)):
            at += 8
        found = byte(at)
        while 0x20 <= found < 0x80 and found != _QUOTE and found != _BACKSLASH:
            at += 1
            found = byte(at)
        if found == _QUOTE:
            return at
        if found < 0x80:
            return FAIL
        at = _character(at, found)
        if at < 0:
            return FAIL


@helper
def _character(at: int, first: int) -> int:
    """Return the place after one character of two to four bytes of UTF-8."""
    second = byte(at + 1)
    if 0xC2 <= first <= 0xDF:
        more = 1
        good = True
    elif 0xE0 <= first <= 0xEF:
        more = 2
        good = (first != 0xE0 or second >= 0xA0) and (first != 0xED or second < 0xA0)
    elif 0xF0 <= first <= 0xF4:
        more = 3
        good = (first != 0xF0 or second >= 0x90) and (first != 0xF4 or second < 0x90)
    else:
        return FAIL
    for place in range(at + 1, at + more + 1):
        good = good and (byte(place) & 0xC0) == 0x80
    return at + more + 1 if good else FAIL


@helper
def characters(start: int, end: int) -> int:
    """Count the characters of UTF-8 text."""
    count = 0
    for place in range(start, end):
        count += (byte(place) & 0xC0) != 0x80
    return count


def _token_tables() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return which card begins so, and each card's words and masks, its closing quote included.

    A card is told by its first byte and by whether the second one is the quote.
    """
    begins = np.full(512, len(ORDER), np.uint8)
    words = np.zeros((len(ORDER) + 1, 5), np.int64)
    words[len(ORDER)] = (0, 1, 0, 0, 0)
    for token, place in ORDER.items():
        raw = token.encode() + b'"'
        key = 2 * raw[0] + (raw[1] == _QUOTE)
        assert begins[key] == len(ORDER)
        begins[key] = place
        head, rest = raw[:8], raw[8:]
        words[place] = (mask(len(head)), word(head), mask(len(rest)), word(rest), len(raw))
    return begins, words[:, 4].copy(), words[:, :4].copy()


_BEGINS, _LENGTHS, _WORDS = _token_tables()


@hot
def token(at: int) -> tuple[int, int]:
    """Read a card token that begins at `at`, after its first quote; return it and the place after its last."""
    if at < 0:
        return 0, FAIL
    card = np.int64(_BEGINS[2 * byte(at) + (byte(at + 1) == _QUOTE)])
    good = load8(at) & _WORDS[card, 0] == _WORDS[card, 1]
    good = good and load8(at + 8) & _WORDS[card, 2] == _WORDS[card, 3]
    return card, at + _LENGTHS[card] if good else FAIL  # type: ignore[return-value]  # ints when compiled


@helper
def _word_at(at: int, left: int) -> int:
    """Return the next eight bytes of a text, or, as its end, the `left` ones that are still of it."""
    found = load8(at)
    return found & ((1 << (8 * left)) - 1) if left < 8 else found


@helper
def same_text(one: int, other: int, length: int) -> bool:
    """Whether two places hold the same bytes."""
    for place in range(0, length, 8):
        if _word_at(one + place, length - place) != _word_at(other + place, length - place):
            return False
    return True


@helper
def hash_text(start: int, length: int) -> int:
    """Return 63 bits that tell one text from others."""
    found = length
    for place in range(0, length, 8):
        piece = _word_at(start + place, length - place)
        found = ((found ^ piece) * 0x2127599BF4325C37) & 0x7FFFFFFFFFFFFFFF
        found ^= found >> 29
    found = (found * 0x5851F42D4C957F2D) & 0x7FFFFFFFFFFFFFFF
    return found ^ (found >> 32)
