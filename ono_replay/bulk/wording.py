"""Text that is made of events: what the hashes of a game are over, and the keys that no column of a library holds."""

import numpy as np

from ono_replay.bulk.jit import byte, helper, load8, store8
from ono_replay.bulk.layout import ABSENT, NO_CARD, NOBODY, NULL, REASONS, UNKNOWN
from ono_replay.bulk.text import is_plain, mask, word
from ono_replay.rules.cards import ORDER

_QUOTE, _BACKSLASH, _COMMA, _COLON, _SPACE, _MINUS, _ZERO = 0x22, 0x5C, 0x2C, 0x3A, 0x20, 0x2D, 0x30
_OPENS, _CLOSES, _OPENS_ARRAY, _CLOSES_ARRAY = 0x7B, 0x7D, 0x5B, 0x5D

_WORDS = np.zeros(128, np.int64)
"""All texts, each in whole words of eight bytes."""
_PLACES = np.zeros((64, 2), np.int64)
"""Of each text its first word and its bytes."""
_told = 0


def wording(text: str) -> int:
    """Return a text as `say` takes it.

    >>> wording("deal ") < wording("None")
    True
    """
    global _told
    raw = text.encode()
    begun, size = _PLACES[_told - 1] if _told else (0, 0)
    start = begun + -(-size // 8)
    words = np.frombuffer(raw.ljust(-(-len(raw) // 8) * 8), "<i8")
    _WORDS[start : start + len(words)] = words
    _PLACES[_told] = (start, len(raw))
    _told += 1
    return _told - 1


_CARDS = wording(next(iter(ORDER)))
for _token in list(ORDER)[1:]:
    wording(_token)
_REASONS = wording(REASONS[0])
for _reason in REASONS[1:]:
    wording(_reason)
_NONE = wording("None")
_BETWEEN = wording(", ")
_FIRST_QUOTED, _NEXT_QUOTED, _LAST_QUOTED = wording("('"), wording("', '"), wording("')")
_LAST_ALONE = wording("',)")
_OPEN, _CLOSE, _CLOSE_ALONE = wording("("), wording(")"), wording(",)")


@helper
def say(text: np.ndarray, at: int, what: int) -> int:
    """Write a text, in whole words; return the place after it."""
    start, size = _PLACES[what, 0], _PLACES[what, 1]
    for place in range((size + 7) // 8):
        store8(text.ctypes.data + at + 8 * place, _WORDS[start + place])
    return at + size


@helper
def say_number(text: np.ndarray, at: int, value: int) -> int:
    """Write an integer."""
    if value < 0:
        text[at] = _MINUS
        at += 1
        value = -value
    digits = 1
    above = 10
    while value >= above:
        digits += 1
        above *= 10
    for place in range(at + digits - 1, at - 1, -1):
        text[place] = _ZERO + value % 10
        value //= 10
    return at + digits


@helper
def say_card(text: np.ndarray, at: int, card: int) -> int:
    """Write a card, None for none."""
    return say(text, at, _NONE if card == NO_CARD else _CARDS + card)


@helper
def say_reason(text: np.ndarray, at: int, reason: int) -> int:
    """Write why a seat was eliminated."""
    return say(text, at, _REASONS + reason)


@helper
def say_seat(text: np.ndarray, at: int, seat: int) -> int:
    """Write a seat, None for none."""
    return say(text, at, _NONE) if seat == NOBODY else say_number(text, at, seat)


@helper
def say_sorted(text: np.ndarray, at: int, pool: np.ndarray, more: int) -> int:
    """Write a list of cards as a sorted tuple, None for none."""
    count = pool[more]
    if count == ABSENT:
        return say(text, at, _NONE)
    if count == 0:
        return say(text, say(text, at, _OPEN), _CLOSE)
    begun = False
    for card in range(UNKNOWN + 1):
        for place in range(more + 1, more + 1 + count):
            if pool[place] == card:
                at = say(text, at, _NEXT_QUOTED if begun else _FIRST_QUOTED)
                at = say(text, at, _CARDS + card)
                begun = True
    return say(text, at, _LAST_ALONE if count == 1 else _LAST_QUOTED)


@helper
def say_numbers(text: np.ndarray, at: int, pool: np.ndarray, more: int) -> int:
    """Write a list of numbers and nulls as a tuple, None for none."""
    count = pool[more]
    if count == ABSENT:
        return say(text, at, _NONE)
    at = say(text, at, _OPEN)
    for place in range(more + 1, more + 1 + count):
        if place > more + 1:
            at = say(text, at, _BETWEEN)
        at = say(text, at, _NONE) if pool[place] == NULL else say_number(text, at, pool[place])
    return say(text, at, _CLOSE_ALONE if count == 1 else _CLOSE)


# --- the rest of a line -----------------------------------------------------------------------------

_HELD_KEYS = ("seq", "type", "at_ms", "game_id", "seat", "total", "round", "card", "cards", "deck", "hand")
"""The keys of a line that columns hold, whatever its type."""
_HELD = np.array([(mask(len(key) + 1), word(f'{key}"'.encode())) for key in _HELD_KEYS], np.int64)


@helper
def _is_held(key: int) -> bool:
    found = load8(key)
    for place in range(len(_HELD)):
        if found & _HELD[place, 0] == _HELD[place, 1]:
            return True
    return False


@helper
def _after_string(at: int) -> int:
    """Return the place after a string whose first quote stands at `at`."""
    at += 1
    while byte(at) != _QUOTE:
        if is_plain(load8(at)):
            at += 8
        else:
            at += 2 if byte(at) == _BACKSLASH else 1
    return at + 1


@helper
def _after_value(at: int) -> int:
    depth = 0
    while True:
        found = byte(at)
        if found == _QUOTE:
            at = _after_string(at)
            if depth == 0:
                return at
            continue
        if found in (_OPENS, _OPENS_ARRAY):
            depth += 1
        elif depth and found in (_CLOSES, _CLOSES_ARRAY):
            depth -= 1
            if depth == 0:
                return at + 1
        elif depth == 0 and found in (_COMMA, _CLOSES):
            return at
        at += 1


@helper
def copy_rest(at: int, text: np.ndarray, into: int) -> int:
    """Write the object of a canonical line without the keys that columns hold; return the place after it.

    Where nothing is left nothing is written.
    """
    begun = into
    text[into] = _OPENS
    into += 1
    while byte(at) != _CLOSES:
        at += 1
        after = _after_value(_after_string(at) + 1)
        if not _is_held(at + 1):
            if into > begun + 1:
                text[into] = _COMMA
                into += 1
            for place in range(0, after - at, 8):
                store8(text.ctypes.data + into + place, load8(at + place))
            into += after - at
        at = after
    if into == begun + 1:
        return begun
    text[into] = _CLOSES
    return into + 1
