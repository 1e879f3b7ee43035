"""Which of the events that stand were written for one entry of the table: what one `undo` takes back."""

from collections.abc import Sequence

from ono_replay.rules.events import (
    Comment,
    Deal,
    Draw,
    Eliminate,
    Event,
    ForfeitDraw,
    GameEnd,
    GameStart,
    Play,
    Reshuffle,
    RoundEnd,
    RoundStart,
)


def begin_of_last_entry(events: Sequence[Event]) -> int | None:
    """Return the place of the first event of the last entry, None where nothing was entered.

    An entry is what somebody did, with the unknown draws before it that were still due, and with what
    followed by itself: a bust card's draw, the end of the round, the next round and its deals.

    >>> begin_of_last_entry([Play(4, 0, "7", 7), Draw(5, 0, "?"), Play(6, 1, "2", 9)])
    1
    """
    place = len(events) - 1
    while place > 0 and _follows_by_itself(events, place):
        place -= 1
    if place < 0 or isinstance(events[place], GameStart | RoundStart | Deal):
        return None
    if not isinstance(events[place], ForfeitDraw):
        while place > 0 and _is_draw(events[place - 1]) and not _is_bust_draw(events, place - 1):
            place -= 1
    return place


def begin_of_next_round(events: Sequence[Event]) -> list[Event]:
    """Return the start of a round in which nothing has happened, and the end of the round before, newest first."""
    found: list[Event] = []
    place = len(events) - 1
    while place > 0 and isinstance(events[place], Deal):
        place -= 1
    for kind in (RoundStart, RoundEnd):
        if isinstance(events[place], kind):
            found.append(events[place])
            place -= 1
    return found


def is_correction(events: Sequence[Event], place: int) -> bool:
    """Whether an event is the comment that names the play before it, whose total was announced wrong."""
    event, before = events[place], events[place - 1]
    return (
        isinstance(event, Comment)
        and isinstance(before, Play)
        and before.irregular
        and event.ref == before.seq
        and event.text.startswith("= ")
    )


def without_comments(events: Sequence[Event]) -> int:
    """Return the place of the last event that is no comment."""
    place = len(events) - 1
    while place > 0 and isinstance(events[place], Comment):
        place -= 1
    return place


def is_drawn_by_itself(events: Sequence[Event], place: int) -> bool:
    """Whether an event is a draw that might have been forfeited instead."""
    return isinstance(events[place], Draw) and not _is_bust_draw(events, place)


def _is_draw(event: Event) -> bool:
    return isinstance(event, Draw) or (isinstance(event, Reshuffle) and not event.irregular)


def _is_bust_draw(events: Sequence[Event], place: int) -> bool:
    """Whether a draw, or a reshuffle for it, follows a bust card."""
    while place > 0 and _is_draw(events[place]):
        place -= 1
    before = events[place]
    return isinstance(before, Eliminate) and before.card is not None


def _follows_by_itself(events: Sequence[Event], place: int) -> bool:
    match events[place]:
        case Deal() | RoundStart():
            return True
        case RoundEnd():
            return _ends_by_itself(events, place)
        case Draw() | Reshuffle(irregular=False):
            return _is_bust_draw(events, place)
        case GameEnd(reason="completed"):
            # `end` may have ended the round and, with it, the game.
            before = events[place - 1]
            return isinstance(before, RoundEnd) and not _ends_by_itself(events, place - 1)
        case Comment():
            return is_correction(events, place)
    return False


def _ends_by_itself(events: Sequence[Event], place: int) -> bool:
    """Whether a round ended because of the elimination before, not because the table said so."""
    place -= 1
    while place > 0 and _is_draw(events[place]):
        place -= 1
    return isinstance(events[place], Eliminate)
