"""The one place that says what is wrong with an object as an event (schemas/SPECIFICATION.md section 13).

>>> context = Context(seats=2, view="full")
>>> check_shape({"seq": 4, "type": "play", "seat": 2, "card": "7", "total": 7}, context).fault.code
'ONO206'
"""

from collections.abc import Callable, Mapping
from typing import Any

import msgspec
from msgspec import UNSET

from ono_replay.log import values
from ono_replay.log.jsonl import event_keys
from ono_replay.log.keys import HEAD, KEYS, PART_KEYS, PARTS, TAIL, Key, parse_version
from ono_replay.log.strict import LARGEST
from ono_replay.log.upcast import MAJOR, is_readable, upcast
from ono_replay.log.values import Scope, ShapeFault
from ono_replay.rules.cards import HIDDEN
from ono_replay.rules.events import (
    EVENT_TYPES,
    Comment,
    Deal,
    DiscardFour,
    Draw,
    Eliminate,
    Event,
    ForfeitDraw,
    GameEnd,
    GameStart,
    Play,
    Player,
    Reshuffle,
    RoundEnd,
    RoundStart,
    Undo,
    UnknownEvent,
)

__all__ = [
    "Context",
    "Shape",
    "ShapeFault",
    "check_shape",
    "context_of",
    "event_keys",
    "parse_version",
    "quick_ok",
]


class Context(msgspec.Struct, frozen=True):
    """What the shape of a game's events depends on; all of it is known from its `game_start`."""

    seats: int
    view: str = "full"
    minor: int = 0
    """The minor version of the format that the log is written in."""
    major: int = MAJOR


class Shape(msgspec.Struct, frozen=True):
    """What an object is as an event."""

    event: Event | None
    """The event; None where a fault keeps it from being one. Kept with an ONO105 (as `UnknownEvent`), and
    with an ONO210 outside of a played card."""
    fault: ShapeFault | None
    """The first fault in the order of the format."""
    unknown_keys: list[tuple[str, str | None]]
    """Unknown keys (ONO108), with the key each may have meant; also of the objects inside an event."""
    partial: dict[str, Any]
    """The keys that are right, with the values the event would have."""


def context_of(start: Mapping[str, Any]) -> Context:
    """Return the context that the keys of a `game_start` make, as far as they are of use.

    Where the players are no array no seat is too high; where the view is not known cards may be hidden.

    >>> context_of({"version": "1.3", "players": [{"name": "Ann"}, {"name": "Bo"}], "view": "full"})
    Context(seats=2, view='full', minor=3, major=1)
    """
    players, view = start.get("players"), start.get("view")
    version = parse_version(start.get("version"))
    return Context(
        seats=len(players) if isinstance(players, (list, tuple)) else LARGEST,
        view=view if isinstance(view, str) else "public",
        minor=version[1] if version and version[0] == MAJOR else 0,
        major=version[0] if version and is_readable(version[0]) else MAJOR,
    )


def check_shape(keys: Mapping[str, Any], context: Context | None) -> Shape:
    """Return what an object is as an event: the event, or its first fault and the keys that are right.

    `context` is that of the game, None before its `game_start` and where there is none. The first fault is
    ONO105, then ONO112, then that of the first key in canonical order that has one of ONO106, 107, 110,
    206, 210 (and 211). For a log of a newer minor version the validator makes a warning of ONO105.

    >>> check_shape({"seq": 1, "type": "emote", "what": "wave"}, None).event
    UnknownEvent(seq=1, name='emote', at_ms=None, irregular=False, meta=UNSET, extra={'what': 'wave'})
    """
    if keys.get("type") == "game_start":
        context = context_of(keys)
    if context is not None and context.major != MAJOR:
        keys = upcast(keys, context.major)
    name = keys.get("type")
    if not isinstance(name, str):
        return _judge(keys, HEAD + TAIL, Scope(None, full=False), None)
    if name not in KEYS:
        return _unknown(keys, name)
    seats = None if context is None or context.seats == LARGEST else context.seats
    scope = Scope(seats, full=context is not None and context.view == "full")
    shape = _judge(keys, HEAD + KEYS[name] + TAIL, scope, EVENT_TYPES[name])
    if name == "game_start" and (unsupported := _unsupported(keys)):
        return Shape(None, unsupported, shape.unknown_keys, shape.partial)
    return shape


def _unsupported(keys: Mapping[str, Any]) -> ShapeFault | None:
    if "format" in keys and keys["format"] != "ono-log":
        fault = values.wrong("format", '"ono-log"', keys["format"])
        return msgspec.structs.replace(fault, code="ONO112")
    version = parse_version(keys.get("version"))
    if version and not is_readable(version[0]):
        message = f"version {keys['version']} of the format can not be read here, only {MAJOR}.0 and newer {MAJOR}.N"
        return ShapeFault("ONO112", "version", message, f"{MAJOR}.0", keys["version"])
    return None


def _unknown(keys: Mapping[str, Any], name: str) -> Shape:
    shape = _judge(keys, HEAD + TAIL, Scope(None, full=False), None)
    meant = values.guess(name, tuple(KEYS))
    hint = f"; did you mean {meant}?" if meant else ""
    fault = ShapeFault(
        "ONO105", "type", f"there is no event type {values.as_json(name)}{hint}", meant, name[:80]
    )
    event: Event | None = None
    if "seq" in shape.partial:
        common = {key.name: shape.partial[key.name] for key in TAIL if key.name in shape.partial}
        extra = {
            key: found for key, found in keys.items() if key not in ("seq", "type") and key not in common
        }
        event = UnknownEvent(seq=shape.partial["seq"], name=name, extra=extra or UNSET, **common)
    return Shape(event, fault, [], shape.partial)


def _judge(keys: Mapping[str, Any], known: tuple[Key, ...], scope: Scope, cls: type[Event] | None) -> Shape:
    first: ShapeFault | None = None
    whole = True
    made: dict[str, Any] = {}
    for key in known:
        name = key.name
        fault: ShapeFault | None = None
        if name in keys:
            value = keys[name]
            fault = key.check(value, name, scope)
            if name == "viewer" and fault is None and keys.get("view") in ("full", "public"):
                fault = values.wrong(name, 'left out: it belongs to the view "seat"', value)
            if fault is None or _only_hides(fault, key, value, scope):
                made[name] = key.make(value) if key.make else value
            else:
                whole = False
        elif key.required or (name == "viewer" and keys.get("view") == "seat"):
            fault = values.missing(name)
            whole = False
        first = first or fault
    unknown = _unknown_keys(keys, known) if cls else []
    event: Event | None = None
    if cls and whole:
        names = {key.name for key in known}
        extra = {name: value for name, value in keys.items() if name not in names}
        event = cls(**{name: value for name, value in made.items() if name != "type"}, extra=extra or UNSET)
    return Shape(event, first, unknown, made)


def _only_hides(fault: ShapeFault, key: Key, value: Any, scope: Scope) -> bool:
    """Whether nothing is wrong with a value but that it hides cards where none may be hidden."""
    if fault.code != "ONO210" or key.check is values.played_card:
        return False
    return key.check(value, key.name, Scope(scope.seats, full=False)) is None


_MOST_GUESSED = 10
"""Unknown keys of one object of which it is told what they may have meant: guessing takes time."""


def _unknown_keys(
    keys: Mapping[str, Any], known: tuple[Key, ...], way: str = ""
) -> list[tuple[str, str | None]]:
    names = tuple(key.name for key in known)
    found: list[tuple[str, str | None]] = []
    for name, value in keys.items():
        if name not in names:
            found.append((way + name, _meant(name, names, keys) if len(found) < _MOST_GUESSED else None))
        elif name in PART_KEYS and isinstance(value, dict) and not way:
            found += _unknown_keys(value, PARTS[PART_KEYS[name]], f"{name}.")
        elif name == "players" and isinstance(value, (list, tuple)):
            for place, player in enumerate(value):
                if isinstance(player, dict):
                    found += _unknown_keys(player, PARTS[Player], f"players[{place}].")
    return found


def _meant(name: str, names: tuple[str, ...], keys: Mapping[str, Any]) -> str | None:
    """Return the key that an unknown one may have meant, one that is not there if possible."""
    absent = tuple(other for other in names if other not in keys) or names
    return values.guess(name, absent) or values.guess(name, names)


def _quick_start(event: Any, context: Context) -> bool:
    shape = check_shape(event_keys(event), context)
    return shape.fault is None


def _quick_round_start(event: RoundStart, context: Context) -> bool:
    if event.position is not None or event.shuffle is not None:
        return _quick_start(event, context)
    return (
        0 <= event.starter < context.seats
        and (event.dealer is None or 0 <= event.dealer < context.seats)
        and _may_show(event.deck, context)
    )


def _may_show(cards: tuple[str, ...] | None, context: Context) -> bool:
    return cards is None or HIDDEN not in cards or context.view != "full"


def _quick_deal(event: Deal, context: Context) -> bool:
    return 0 <= event.seat < context.seats and (HIDDEN not in event.cards or context.view != "full")


def _quick_play(event: Play, context: Context) -> bool:
    return 0 <= event.seat < context.seats and event.card != HIDDEN


def _quick_draw(event: Draw, context: Context) -> bool:
    return 0 <= event.seat < context.seats and (event.card != HIDDEN or context.view != "full")


def _quick_seat(event: ForfeitDraw | DiscardFour, context: Context) -> bool:
    return 0 <= event.seat < context.seats


def _quick_eliminate(event: Eliminate, context: Context) -> bool:
    return 0 <= event.seat < context.seats and event.card != HIDDEN and _may_show(event.hand, context)


def _quick_round_end(event: RoundEnd, context: Context) -> bool:
    seats = context.seats
    return all(seat is None or 0 <= seat < seats for seat in (event.winner, event.loser)) and all(
        each is None or len(each) == seats for each in (event.chips, event.points, event.scores)
    )


def _quick_game_end(event: GameEnd, context: Context) -> bool:
    return values.ascending_seats(event.winners, "winners", Scope(context.seats, full=False)) is None


def _quick_any(_event: Event, _context: Context) -> bool:
    return True


_QUICK: dict[type[Event], Callable[[Any, Context], bool]] = {
    GameStart: _quick_start,
    RoundStart: _quick_round_start,
    Deal: _quick_deal,
    Play: _quick_play,
    Draw: _quick_draw,
    ForfeitDraw: _quick_seat,
    DiscardFour: _quick_seat,
    Reshuffle: lambda event, context: _may_show(event.deck, context),
    Eliminate: _quick_eliminate,
    RoundEnd: _quick_round_end,
    GameEnd: _quick_game_end,
    Comment: _quick_any,
    Undo: _quick_any,
    UnknownEvent: _quick_start,
}
_NO_CONTEXT = Context(seats=LARGEST, view="public")


def quick_ok(event: Event, context: Context | None) -> bool:
    """Whether an event of `parse_line` surely has the right shape; if not, `check_shape` says why.

    >>> quick_ok(Play(seq=4, seat=0, card="7", total=7), Context(seats=2))
    True
    >>> quick_ok(Draw(seq=5, seat=0, card="?"), Context(seats=2))
    False
    """
    at_ms = event.at_ms
    if at_ms is not None and at_ms < 0:
        return False
    if context is None:
        context = _NO_CONTEXT
    return context.major == MAJOR and _QUICK[event.__class__](event, context)
