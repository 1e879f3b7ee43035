"""The keys of each event type and of the objects inside events, in canonical order, with their checks."""

import re
from collections.abc import Callable
from typing import Any

import msgspec
from msgspec import UNSET

from ono_replay.log import values
from ono_replay.log.values import Check, Scope, ShapeFault
from ono_replay.rules.events import Player, Position, Shuffle, Source

_VERSION = re.compile(r"(0|[1-9]\d*)\.(0|[1-9]\d*)", re.ASCII)


def parse_version(version: Any) -> tuple[int, int] | None:
    """Return major and minor of a version of the format, None for what is no version.

    >>> parse_version("1.10"), parse_version("1"), parse_version("01.0")
    ((1, 10), None, None)
    """
    match = _VERSION.fullmatch(version) if isinstance(version, str) and len(version) < 40 else None
    return (int(match[1]), int(match[2])) if match else None


class Key(msgspec.Struct, frozen=True):
    """A key of an event: what its value must be and how it becomes a field."""

    name: str
    check: Check
    required: bool = True
    make: Callable[[Any], Any] | None = None


def _optional(name: str, check: Check, make: Callable[[Any], Any] | None = None) -> Key:
    return Key(name, check, required=False, make=make)


_SEAT = Key("seat", values.seat)
HEAD = (Key("seq", values.integer), Key("type", values.text))
TAIL = (
    _optional("at_ms", values.count),
    _optional("irregular", values.true),
    _optional("meta", values.an_object),
)
PARTS: dict[type[msgspec.Struct], tuple[Key, ...]] = {
    Player: (Key("name", values.text), _optional("id", values.text), _optional("bot", values.true)),
    Source: (Key("app", values.text), Key("version", values.text)),
    Shuffle: (
        Key("algorithm", values.text),
        _optional("seed", values.text),
        _optional("commitment", values.text),
    ),
    Position: (
        Key("total", values.integer),
        Key("direction", values.one_of(1, -1)),
        Key("turn", values.seat_or_null),
        Key("plays_due", values.one_of(0, 1, 2)),
        Key("second", values.boolean),
        Key("hands", values.hands, make=lambda found: tuple(map(tuple, found))),
        Key("out", values.seats, make=tuple),
        Key("draw_pile", values.pile, make=lambda found: found if isinstance(found, int) else tuple(found)),
        Key(
            "discard_pile", values.pile, make=lambda found: found if isinstance(found, int) else tuple(found)
        ),
        _optional("chips", values.by_seat, tuple),
        _optional("scores", values.by_seat, tuple),
    ),
}


def _check_part(found: Any, key: str, scope: Scope, cls: type[msgspec.Struct]) -> ShapeFault | None:
    """Check an object inside an event; everything in a position but cards is ONO211."""
    if not isinstance(found, dict):
        return values.wrong(key, "an object", found)
    for part in PARTS[cls]:
        name = f"{key}.{part.name}"
        fault: ShapeFault | None = None
        if part.name in found:
            fault = part.check(found[part.name], name, scope)
        elif part.required:
            fault = values.missing(name)
        if fault and cls is Position and fault.code not in ("ONO110", "ONO210"):
            return msgspec.structs.replace(fault, code="ONO211")
        if fault:
            return fault
    return None


def _part(cls: type[msgspec.Struct], name: str) -> Key:
    def check(found: Any, key: str, scope: Scope) -> ShapeFault | None:
        return _check_part(found, key, scope, cls)

    return _optional(name, check, lambda found: _make_part(cls, found))


def _make_part(cls: type[msgspec.Struct], found: dict[str, Any]) -> msgspec.Struct:
    made = {
        part.name: part.make(found[part.name]) if part.make else found[part.name]
        for part in PARTS[cls]
        if part.name in found
    }
    extra = {name: value for name, value in found.items() if name not in made}
    return cls(**made, extra=extra or UNSET)


def _players(found: Any, key: str, scope: Scope) -> ShapeFault | None:
    if not isinstance(found, (list, tuple)):
        return values.wrong(key, "an array of players", found)
    checked = (_check_part(player, f"{key}[{place}]", scope, Player) for place, player in enumerate(found))
    return next(filter(None, checked), None)


_DECK = _optional("deck", values.cards, tuple)
KEYS: dict[str, tuple[Key, ...]] = {
    "game_start": (
        Key("format", values.text),
        Key("version", values.want('a version like "1.0"', lambda found: parse_version(found) is not None)),
        Key("game_id", values.game_id),
        Key("ruleset", values.an_object),
        Key("players", _players, make=lambda found: tuple(_make_part(Player, player) for player in found)),
        Key("dealer", values.seat_or_null),
        Key("view", values.one_of("full", "public", "seat")),
        _optional("viewer", values.seat),
        _optional("started_at", values.date_time),
        _part(Source, "source"),
    ),
    "round_start": (
        Key("round", values.integer),
        Key("dealer", values.seat_or_null),
        Key("starter", values.seat),
        _DECK,
        _part(Shuffle, "shuffle"),
        _part(Position, "position"),
    ),
    "deal": (_SEAT, Key("cards", values.cards, make=tuple)),
    "play": (_SEAT, Key("card", values.played_card), Key("total", values.integer)),
    "draw": (_SEAT, Key("card", values.card)),
    "forfeit_draw": (_SEAT,),
    "discard_four": (_SEAT,),
    "reshuffle": (Key("count", values.integer), _DECK),
    "eliminate": (
        _SEAT,
        Key("reason", values.one_of("no_legal_play", "left", "timeout")),
        _optional("card", values.played_card),
        _optional("hand", values.cards, tuple),
    ),
    "round_end": (
        Key("round", values.integer),
        Key("winner", values.seat_or_null),
        Key("loser", values.seat_or_null),
        _optional("chips", values.by_seat, tuple),
        _optional("points", values.by_seat, tuple),
        _optional("scores", values.by_seat, tuple),
        _optional("seed", values.text),
    ),
    "game_end": (
        Key("winners", values.ascending_seats, make=tuple),
        Key("reason", values.one_of("completed", "abandoned")),
        _optional("digest", values.text),
    ),
    "comment": (Key("text", values.text), _optional("ref", values.integer)),
    "undo": (Key("to", values.integer),),
}
PART_KEYS: dict[str, type[msgspec.Struct]] = {"source": Source, "shuffle": Shuffle, "position": Position}
