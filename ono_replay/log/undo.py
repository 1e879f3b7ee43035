"""Undo: which events of a game stand, and the game without the rest (schemas/SPECIFICATION.md section 8)."""

from collections.abc import Iterable, Mapping

import msgspec

from ono_replay.log.jsonl import canonical, digest_of
from ono_replay.rules.events import Comment, Event, GameEnd, Undo


def effective_events(events: Iterable[Event]) -> list[Event]:
    """Return the events of a game that stand, without the undos and what they voided; `seq` as it was.

    An undo restores the list as it was right after the event `to`, whatever that is: an event, a comment,
    an undo, or an event that an earlier undo voided. An undo to an event that is not there changes nothing.

    >>> game = [Comment(seq=0, text="a"), Comment(seq=1, text="b"), Undo(seq=2, to=0), Undo(seq=3, to=1)]
    >>> [event.text for event in effective_events(game[:3])], [event.text for event in effective_events(game)]
    (['a'], ['a', 'b'])
    """
    kept: list[Event] = []
    before: list[int] = []
    last = -1
    after: dict[int, int] = {}
    for event in events:
        if isinstance(event, Undo):
            last = after.get(event.to, last)
        else:
            kept.append(event)
            before.append(last)
            last = len(kept) - 1
        after[event.seq] = last
    standing: list[Event] = []
    while last >= 0:
        standing.append(kept[last])
        last = before[last]
    standing.reverse()
    return standing


def finished(events: Iterable[Event]) -> list[Event]:
    """Return a game with its undos carried out: neither they nor what they voided, renumbered.

    The `ref` of a comment follows its event and goes with it; a digest is computed anew.

    >>> game = [Comment(seq=0, text="a"), Undo(seq=1, to=0), Comment(seq=2, text="b", ref=0)]
    >>> [(event.seq, event.text) for event in finished(game)]
    [(0, 'a'), (1, 'b')]
    """
    return renumbered(effective_events(events))


def renumbered(events: Iterable[Event]) -> list[Event]:
    """Return events with `seq` from 0, comments and digest following.

    >>> renumbered([Comment(seq=7, text="a"), Comment(seq=9, text="b", ref=7)])[1].ref
    0
    """
    numbered = list(events)
    places = {event.seq: place for place, event in enumerate(numbered)}
    moved = [_moved(event, place, places) for place, event in enumerate(numbered)]
    return with_digest(moved)


def _moved(event: Event, seq: int, places: Mapping[int, int]) -> Event:
    if isinstance(event, Comment) and event.ref is not None:
        return msgspec.structs.replace(event, seq=seq, ref=places.get(event.ref))
    return event if event.seq == seq else msgspec.structs.replace(event, seq=seq)


def with_digest(events: Iterable[Event], *, always: bool = False) -> list[Event]:
    """Return events with the digest of a `game_end` computed anew where it has one, or `always`.

    >>> game = [Comment(seq=0, text="a"), GameEnd(seq=1, winners=(), reason="abandoned")]
    >>> with_digest(game)[1].digest, with_digest(game, always=True)[1].digest[:15]
    (None, 'sha256:ed6a9243')
    """
    numbered = list(events)
    for place, event in enumerate(numbered):
        if isinstance(event, GameEnd) and (always or event.digest is not None):
            digest = digest_of(map(canonical, numbered[:place]))
            numbered[place] = msgspec.structs.replace(event, digest=digest)
    return numbered
