"""Two logs under one id: is one the other, a later state of it, or the same with more cards shown?

>>> from ono_replay.rules.events import Draw
>>> relation([Draw(0, 1, "?")], [Draw(0, 1, "7"), Draw(1, 0, "9")])
'newer'
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any, Literal

import msgspec
from msgspec import UNSET

from ono_replay.log.jsonl import canonical, digest_of
from ono_replay.record.amendment import AMENDS
from ono_replay.rules.cards import HIDDEN
from ono_replay.rules.events import (
    Comment,
    Deal,
    Draw,
    Eliminate,
    Event,
    GameEnd,
    GameStart,
    Position,
    Reshuffle,
    RoundStart,
    UnknownEvent,
)

Relation = Literal["same", "newer", "older", "fork"]


def relation(stored: Sequence[Event], found: Sequence[Event]) -> Relation:
    """Return what a found game is to the stored one: both as `log.undo.finished` gives them.

    `newer`: it goes on where the stored one ends, or shows more cards, or both; `older` the other way round.
    """
    if list(stored) == list(found):
        return "same"
    if _grew(stored, found):
        return "newer"
    if _grew(found, stored):
        return "older"
    return "fork"


def amends(mended: Sequence[Event], mistaken: Sequence[Event], prefix: str = "") -> bool:
    """Return whether a finished log says of itself that it takes the place of another.

    Both are as `log.undo.finished` gives them, their ids beginning with `prefix`; `record.amendment` writes such logs.
    """
    start, was = mended[0], mistaken[0]
    assert isinstance(start, GameStart)
    assert isinstance(was, GameStart)
    if start.meta is UNSET or AMENDS not in start.meta or not _ended(mended):
        return False
    unprefixed = msgspec.structs.replace(was, game_id=was.game_id.removeprefix(prefix))
    return bool(start.meta[AMENDS] == digest_of(map(canonical, (unprefixed, *_ended(mistaken)[1:]))))


def _ended(events: Sequence[Event]) -> Sequence[Event]:
    """Return the events before the end of a game, none if it has not ended."""
    ends = (place for place, event in enumerate(events) if isinstance(event, GameEnd))
    return events[: next(ends, 0)]


def _grew(less: Sequence[Event], more: Sequence[Event]) -> bool:
    """Whether one log may have become the other."""
    if len(less) <= len(more) and all(map(_told, less, more)):
        return True
    # Remarks and what a newer format adds are left out of a redacted view, or may be.
    played_less, played_more = _played(less), _played(more)
    return (
        len(played_less) <= len(played_more)
        and all(map(_told, played_less, played_more))
        and not Counter(_remarks(less)) - Counter(_remarks(more))
    )


def _played(events: Sequence[Event]) -> list[Event]:
    return [event for event in events if not isinstance(event, Comment | UnknownEvent)]


def _remarks(events: Sequence[Event]) -> list[str]:
    return [
        event.text if isinstance(event, Comment) else repr(msgspec.structs.replace(event, seq=0))
        for event in events
        if isinstance(event, Comment | UnknownEvent)
    ]


_FREE = frozenset({"seq", "view", "viewer", "digest"})
"""Fields that a log with more cards may have otherwise."""
_ADDED = frozenset({"meta", "extra", "deck", "shuffle", "seed", "hand"})
"""Fields that it may have more."""


def _told(less: Any, more: Any) -> bool:
    """Whether an event is another with, at most, more of it known."""
    if less.__class__ is not more.__class__:
        return False
    if less == more:
        return True
    for name in less.__struct_fields__:
        old, new = getattr(less, name), getattr(more, name)
        if old == new or name in _FREE:
            continue
        if name in _ADDED and (old is None or old is UNSET):
            continue
        if name == "card" and old == HIDDEN and isinstance(less, Draw):
            continue
        if name in ("cards", "hand", "deck") and isinstance(less, Deal | Eliminate | RoundStart | Reshuffle):
            if _cards_told(old, new, ordered=name == "deck"):
                continue
        elif name == "shuffle" or (
            name == "position" and isinstance(old, Position) and _position_told(old, new)
        ):
            continue
        return False
    return True


def _cards_told(old: Any, new: Any, *, ordered: bool) -> bool:
    if new is None or len(old) != len(new):
        return False
    if ordered:
        return all(known in (HIDDEN, card) for known, card in zip(old, new, strict=True))
    known, told = (Counter(card for card in cards if card != HIDDEN) for cards in (old, new))
    return not known - told


def _position_told(old: Position, new: Position | None) -> bool:
    if new is None:
        return False
    hands = len(old.hands) == len(new.hands) and all(
        _cards_told(known, told, ordered=False) for known, told in zip(old.hands, new.hands, strict=True)
    )
    piles = all(_pile_told(getattr(old, name), getattr(new, name)) for name in ("draw_pile", "discard_pile"))
    rest = {"hands": (), "draw_pile": 0, "discard_pile": 0}
    return hands and piles and msgspec.structs.replace(old, **rest) == msgspec.structs.replace(new, **rest)


def _pile_told(old: Any, new: Any) -> bool:
    if isinstance(old, int):
        return bool(old == (new if isinstance(new, int) else len(new)))
    return not isinstance(new, int) and _cards_told(old, new, ordered=True)
