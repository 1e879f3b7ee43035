"""What of an event the columns `cards` and `rest` of the view `details` hold, and the events made from them again.

Together with the columns of `events` they are the whole line of the log: `event_of` undoes `log_columns`.
"""

from collections.abc import Mapping
from typing import Any

from ono_replay.log.jsonl import LineFault, encode_value, event_keys
from ono_replay.log.shape import check_shape
from ono_replay.log.strict import parse_strictly
from ono_replay.rules.events import Deal, Draw, Event, Play, UnknownEvent
from ono_replay.rules.state import State

_CARDS_KEY = {"deal": "cards", "round_start": "deck", "reshuffle": "deck", "eliminate": "hand"}
"""The key of each type that the column `cards` holds."""
_ALWAYS = frozenset({"seq", "type", "at_ms", "irregular"})
_COLUMNS: dict[str, frozenset[str]] = {
    "game_start": _ALWAYS | {"game_id"},
    "round_start": _ALWAYS | {"deck", "round"},
    "deal": _ALWAYS | {"seat", "cards"},
    "play": _ALWAYS | {"seat", "card", "total"},
    "draw": _ALWAYS | {"seat", "card"},
    "forfeit_draw": _ALWAYS | {"seat"},
    "discard_four": _ALWAYS | {"seat"},
    "reshuffle": _ALWAYS | {"deck"},
    "eliminate": _ALWAYS | {"seat", "card", "hand"},
    "round_end": _ALWAYS | {"round"},
}
"""The keys of each type that columns hold."""


class NotAnEvent(ValueError):
    """Columns that make no event: the library is damaged."""


def log_columns(event: Event, state: State | None) -> tuple[tuple[str, ...] | None, str | None]:
    """Return the columns `cards` and `rest` of an event, `state` being the one after it.

    >>> log_columns(Deal(2, 0, ("7", "9", "0", "?")), None)
    (('7', '9', '0', '?'), None)
    """
    kind = event.__class__
    plain = event.meta.__class__ is not dict and event.extra.__class__ is not dict
    if plain:
        if kind is Draw:
            return None, None
        if kind is Play and state is not None and event.total == state.total:  # type: ignore[attr-defined]  # a Play
            return None, None
        if kind is Deal:
            return event.cards, None  # type: ignore[attr-defined]  # a Deal
    keys = event_keys(event)
    name = "" if kind is UnknownEvent else event.type
    held = _COLUMNS.get(name, _ALWAYS)
    cards = keys.get(_CARDS_KEY[name]) if name in _CARDS_KEY else None
    rest = {key: value for key, value in keys.items() if key not in held}
    if "total" in held and (state is None or keys["total"] != state.total):
        rest["total"] = keys["total"]
    if "round" in held and (state is None or keys["round"] != state.round):
        rest["round"] = keys["round"]
    return cards, encode_value(rest).decode() if rest else None


def event_of(row: Mapping[str, Any]) -> Event:
    """Return the event of a row of `events` joined with `details`.

    Of the columns `game_id, seq, type, seat, card, total, round, at_ms, irregular, cards, rest` are used. Raises `NotAnEvent`.
    """
    name, rest = row["type"], row["rest"]
    if rest is None and not row["irregular"]:
        if name == "draw":
            return Draw(row["seq"], row["seat"], row["card"], at_ms=row["at_ms"])
        if name == "play":
            return Play(row["seq"], row["seat"], row["card"], row["total"], at_ms=row["at_ms"])
    keys: dict[str, Any] = {"seq": row["seq"], "type": name}
    held = _COLUMNS.get(name, _ALWAYS)
    for key in ("game_id", "seat", "total", "round"):
        if key in held:
            keys[key] = row[key]
    if "card" in held and row["card"] is not None:
        keys["card"] = row["card"]
    if name in _CARDS_KEY and row["cards"] is not None:
        keys[_CARDS_KEY[name]] = row["cards"]
    if rest is not None:
        found = parse_strictly(rest.encode())
        if isinstance(found, LineFault):
            raise NotAnEvent(f"game {row['game_id']!r}, event {row['seq']}: the column rest holds no object")
        keys |= found.keys
    if row["at_ms"] is not None:
        keys["at_ms"] = row["at_ms"]
    if row["irregular"]:
        keys["irregular"] = True
    event = check_shape(keys, None).event
    if event is None:
        raise NotAnEvent(f"game {row['game_id']!r}, event {row['seq']}: the columns make no event")
    return event
