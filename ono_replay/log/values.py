"""What a value of each key must be: one check for each kind of value, explaining what is wrong.

A check takes the value, the key's name and the scope (seats, full view), and returns a `ShapeFault` or
None.
"""

import datetime
import difflib
import itertools
import json
import math
import re
from collections.abc import Callable
from typing import Any

import msgspec

from ono_replay.log.strict import LARGEST, SMALLEST, NumberText
from ono_replay.rules.cards import HIDDEN, ORDER, TOKENS


class ShapeFault(msgspec.Struct, frozen=True):
    """The first thing that keeps an object from being an event."""

    code: str
    key: str
    """The key, with the way to it: `players[1].name`."""
    message: str
    expected: str | None = None
    actual: Any = None


class Scope(msgspec.Struct, frozen=True):
    """What the values of an event depend on."""

    seats: int | None
    """None where the number of seats is not known: no seat is too high then."""
    full: bool
    """In a full view no card is hidden."""


Check = Callable[[Any, str, Scope], ShapeFault | None]

_MOST_SHOWN = 80
_DATE_TIME = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)[Tt]([01]\d|2[0-3]):[0-5]\d:(?:[0-5]\d|60)(?:\.\d+)?"
    r"(?:[Zz]|[+-](?:[01]\d|2[0-3]):[0-5]\d)",
    re.ASCII,
)


def as_json(value: Any) -> str:
    """Return a value as short JSON for a message.

    >>> as_json(["7", None])
    '["7", null]'
    """
    text = json.dumps(value, ensure_ascii=False, default=_plain)
    return text if len(text) <= _MOST_SHOWN else text[: _MOST_SHOWN - 1] + "…"


def _plain(value: Any) -> Any:
    return float(value) if isinstance(value, NumberText) else str(value)


def _actual(value: Any) -> Any:
    """Keep small values as they are; a big or nested one as short text."""
    if value is None or isinstance(value, (bool, int)):
        return value
    if isinstance(value, str):
        return value if len(value) <= _MOST_SHOWN else value[: _MOST_SHOWN - 1] + "…"
    if isinstance(value, NumberText) and math.isfinite(float(value)):
        return float(value)
    return as_json(value)


def wrong(key: str, expected: str, value: Any) -> ShapeFault:
    """Return the ONO107 of a value that is not what its key needs."""
    shown = value.text if isinstance(value, NumberText) else as_json(value)
    return ShapeFault("ONO107", key, f"{key} must be {expected}, not {shown}", expected, _actual(value))


def missing(key: str) -> ShapeFault:
    """Return the ONO106 of a key that is not there."""
    return ShapeFault("ONO106", key, f"the key {key} is missing", key)


def guess(word: str, known: tuple[str, ...]) -> str | None:
    """Return the known word that a word may have meant.

    >>> guess("tipe", ("type", "seq")), guess("Play 2", TOKENS)
    ('type', 'play_2')
    """
    plain = re.sub(r"[\s-]+", "_", word[:40].strip().lower())
    found = difflib.get_close_matches(plain, known, 1, 0.7)
    return found[0] if found else None


def is_integer(value: Any) -> bool:
    """Whether a value is an integer of the format: no boolean, nothing written as `1.0` or `1e3`."""
    return type(value) is int and SMALLEST <= value <= LARGEST


def want(expected: str, good: Callable[[Any], bool]) -> Check:
    """Return the check that a value passes one test; `expected` says it in words."""

    def check(value: Any, key: str, _scope: Scope) -> ShapeFault | None:
        return None if good(value) else wrong(key, expected, value)

    return check


def _is_date_time(value: Any) -> bool:
    match = _DATE_TIME.fullmatch(value) if isinstance(value, str) else None
    try:
        return match is not None and bool(datetime.date(int(match[1]), int(match[2]), int(match[3])))
    except ValueError:
        return False


integer = want("an integer", is_integer)
count = want("an integer from 0", lambda value: is_integer(value) and value >= 0)
text = want("a string", lambda value: isinstance(value, str))
game_id = want(
    "a string of 1 to 128 characters", lambda value: isinstance(value, str) and 1 <= len(value) <= 128
)
true = want("true, or be left out", lambda value: value is True)
boolean = want("true or false", lambda value: isinstance(value, bool))
an_object = want("an object", lambda value: isinstance(value, dict))
date_time = want('a time of RFC 3339, like "2026-01-31T20:15:00Z"', _is_date_time)


def one_of(*choices: str | int) -> Check:
    """Return the check that a value is one of a few."""
    return want(
        " or ".join(map(json.dumps, choices)), lambda value: type(value) in (str, int) and value in choices
    )


def seat(value: Any, key: str, scope: Scope) -> ShapeFault | None:
    """Want the number of a seat of this game."""
    if not is_integer(value):
        return wrong(key, "a seat", value)
    if value >= 0 and (scope.seats is None or value < scope.seats):
        return None
    expected = "a seat" if scope.seats is None else f"a seat from 0 to {scope.seats - 1}"
    return ShapeFault("ONO206", key, f"{key}: there is no seat {value}", expected, value)


def seat_or_null(value: Any, key: str, scope: Scope) -> ShapeFault | None:
    """Want a seat, or null."""
    if value is None:
        return None
    if not is_integer(value):
        return wrong(key, "a seat or null", value)
    return seat(value, key, scope)


def seats(value: Any, key: str, scope: Scope) -> ShapeFault | None:
    """Want an array of seats."""
    if not isinstance(value, (list, tuple)) or not all(map(is_integer, value)):
        return wrong(key, "an array of seats", value)
    return next(filter(None, (seat(each, key, scope) for each in value)), None)


def ascending_seats(value: Any, key: str, scope: Scope) -> ShapeFault | None:
    """Want an array of seats, ascending, none twice."""
    if not isinstance(value, (list, tuple)) or not all(map(is_integer, value)):
        return wrong(key, "an array of seats", value)
    if any(first >= second for first, second in itertools.pairwise(value)):
        return wrong(key, "seats in ascending order, none twice", value)
    return seats(value, key, scope)


def by_seat(value: Any, key: str, scope: Scope) -> ShapeFault | None:
    """Want an array with an integer or null for each seat."""
    if not isinstance(value, (list, tuple)) or not all(each is None or is_integer(each) for each in value):
        return wrong(key, "an array of integers or null, by seat", value)
    if scope.seats is not None and len(value) != scope.seats:
        return wrong(key, f"an array of {scope.seats}, one for each seat", value)
    return None


def _no_such_card(value: str, key: str) -> ShapeFault:
    meant = guess(value, TOKENS)
    hint = f"; did you mean {as_json(meant)}?" if meant else ""
    shown = _actual(value)
    return ShapeFault("ONO110", key, f"{key}: there is no card {as_json(shown)}{hint}", meant, shown)


def hidden(key: str) -> ShapeFault:
    """Return the ONO210 of a card that is hidden where none may be."""
    return ShapeFault("ONO210", key, f"{key} hides a card, but the view is full", "a known card", HIDDEN)


def card(value: Any, key: str, scope: Scope) -> ShapeFault | None:
    """Want a card, `"?"` where the view hides some."""
    if not isinstance(value, str):
        return wrong(key, "a card token", value)
    if value not in ORDER:
        return _no_such_card(value, key)
    return hidden(key) if scope.full and value == HIDDEN else None


def played_card(value: Any, key: str, scope: Scope) -> ShapeFault | None:
    """Want a card that everyone saw."""
    if value == HIDDEN and not scope.full:
        return wrong(key, "a known card: a played card is seen by all", value)
    return card(value, key, scope)


def cards(value: Any, key: str, scope: Scope) -> ShapeFault | None:
    """Want an array of cards."""
    if not isinstance(value, (list, tuple)) or not all(isinstance(each, str) for each in value):
        return wrong(key, "an array of card tokens", value)
    for each in value:
        if each not in ORDER:
            return _no_such_card(each, key)
    return hidden(key) if scope.full and HIDDEN in value else None


def hands(value: Any, key: str, scope: Scope) -> ShapeFault | None:
    """Want an array with an array of cards for each seat."""
    if not isinstance(value, (list, tuple)):
        return wrong(key, "an array of hands, by seat", value)
    if scope.seats is not None and len(value) != scope.seats:
        return wrong(key, f"an array of {scope.seats} hands, one for each seat", value)
    faults = [fault for place, hand in enumerate(value) if (fault := cards(hand, f"{key}[{place}]", scope))]
    return min(faults, key=lambda fault: fault.code) if faults else None


def pile(value: Any, key: str, scope: Scope) -> ShapeFault | None:
    """Want a pile: its cards or their number."""
    if isinstance(value, (list, tuple)):
        return cards(value, key, scope)
    if is_integer(value) and value >= 0:
        return None
    return wrong(key, "an array of card tokens or their number", value)
