"""Views: what one seat, or everyone, may know of a game. A hidden card is not there, in no form."""

from collections.abc import Iterable
from typing import TypeVar

import msgspec
from msgspec import UNSET

from ono_replay.log.undo import effective_events, renumbered
from ono_replay.rules.cards import HIDDEN
from ono_replay.rules.events import (
    Comment,
    Deal,
    Draw,
    Event,
    GameStart,
    Position,
    Reshuffle,
    RoundEnd,
    RoundStart,
    Shuffle,
    UnknownEvent,
)
from ono_replay.rules.ruleset import OPTIONS

_Record = TypeVar("_Record", bound=msgspec.Struct)


def view_of(
    events: Iterable[Event], seat: int | None, *, comments: bool = True, keep_commitment: bool = False
) -> list[Event]:
    """Return a game as a seat sees it, or, with None, as everyone does.

    Known stay: played and bust cards, laid-down hands, the discard pile of a position, and the viewer's own
    cards. Gone are other deals and draws, decks, draw piles (their size stays), shuffles and seeds, `meta`,
    unknown keys and types; undone events too. What is left is numbered anew. A digest is one of the view. A
    commitment stays only with `keep_commitment`: whoever can guess the seed can check the guess.

    Raises `ValueError` for events that begin with no `game_start`, for a seat that is not there, and for a
    seat's view of a log that is another seat's view.

    >>> start = GameStart(seq=0, format="ono-log", version="1.0", game_id="a", ruleset={"edition": "2022"},
    ...     players=(), dealer=None, view="full")
    >>> view_of([start, Draw(seq=1, seat=0, card="9")], None)[1].card
    '?'
    """
    standing = effective_events(events)
    start = standing[0] if standing else None
    if not isinstance(start, GameStart):
        raise ValueError("the game has no game_start")
    if seat is not None:
        _check_seat(start, seat)
    seen: list[Event] = []
    for event in standing:
        if isinstance(event, UnknownEvent) or (isinstance(event, Comment) and not comments):
            continue
        seen.append(_redacted(_bare(event), seat, keep_commitment=keep_commitment))
    return renumbered(seen)


def _check_seat(start: GameStart, seat: int) -> None:
    if not 0 <= seat < len(start.players):
        raise ValueError(f"there is no seat {seat}: the seats are 0 to {len(start.players) - 1}")
    if start.view == "seat" and start.viewer != seat:
        raise ValueError(
            f"this log is the view of seat {start.viewer}: it does not know what seat {seat} could see"
        )


def _bare(record: _Record) -> _Record:
    """Return an event, or an object inside one, without unknown keys and `meta`."""
    free = {name: UNSET for name in ("extra", "meta") if getattr(record, name, UNSET) is not UNSET}
    return msgspec.structs.replace(record, **free) if free else record


def _redacted(event: Event, seat: int | None, *, keep_commitment: bool) -> Event:
    replace = msgspec.structs.replace
    match event:
        case GameStart():
            return replace(
                event,
                ruleset={name: value for name, value in event.ruleset.items() if name in OPTIONS},
                players=tuple(map(_bare, event.players)),
                view="public" if seat is None else "seat",
                viewer=seat,
                source=event.source and _bare(event.source),
            )
        case RoundStart():
            return replace(
                event,
                deck=None,
                shuffle=_commitment(event.shuffle) if keep_commitment else None,
                position=event.position and _hide_position(event.position, seat),
            )
        case Deal() if event.seat != seat:
            return replace(event, cards=(HIDDEN,) * len(event.cards))
        case Draw() if event.seat != seat:
            return replace(event, card=HIDDEN)
        case Reshuffle():
            return replace(event, deck=None)
        case RoundEnd():
            return replace(event, seed=None)
        case _:
            return event


def _commitment(shuffle: Shuffle | None) -> Shuffle | None:
    if shuffle is None or shuffle.commitment is None:
        return None
    return Shuffle(algorithm=shuffle.algorithm, commitment=shuffle.commitment)


def _hide_position(position: Position, seat: int | None) -> Position:
    """Hide every hand but the viewer's, laid-down ones too: a position does not say which were laid down."""
    hands = tuple(
        hand if place == seat else (HIDDEN,) * len(hand) for place, hand in enumerate(position.hands)
    )
    pile = position.draw_pile
    return msgspec.structs.replace(
        _bare(position), hands=hands, draw_pile=pile if isinstance(pile, int) else len(pile)
    )
