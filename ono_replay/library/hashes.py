"""Fingerprints of games: of their bytes, and of what was played whatever the rest of the log says."""

import hashlib
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from ono_replay.log.jsonl import encode_value
from ono_replay.rules.cards import sort_cards
from ono_replay.rules.events import (
    Deal,
    DiscardFour,
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
from ono_replay.rules.ruleset import Ruleset, differing_options

HEAD_PLAYS = 10
"""Plays that `PlayHashes.head` looks at."""


def fingerprint(pieces: Iterable[bytes]) -> str:
    """Return the first half of the SHA-256 of bytes in pieces: 32 lower-case hex digits.

    >>> fingerprint([b"a", b"b"]) == fingerprint([b"ab"])
    True
    """
    hashed = hashlib.sha256()
    for piece in pieces:
        hashed.update(piece)
    return hashed.hexdigest()[:32]


class PlayHashes(NamedTuple):
    """What a game is by its play: 16 hex digits each."""

    play: str
    """Ruleset, deals, draws, plays, falls, results; no names, ids, comments, times, `meta` or unknown keys."""
    table: str
    """Only what everyone sees: a game and its redacted view have the same."""
    head: str | None
    """As `table`, up to the play number `HEAD_PLAYS`: a game and its beginning have the same. None for less."""


def play_hashes(ruleset: Ruleset, events: Sequence[Event]) -> PlayHashes:
    """Return the hashes of effective events.

    >>> from ono_replay.rules.events import Comment
    >>> from ono_replay.rules.ruleset import EDITIONS
    >>> game = [Play(4, 0, "7", 7)]
    >>> play_hashes(EDITIONS["2022"], game) == play_hashes(EDITIONS["2022"], [*game, Comment(5, "well!")])
    True
    """
    options = encode_value(differing_options(ruleset)).decode()
    played, seen = [options], [options]
    head: str | None = None
    plays = 0
    for event in events:
        kind = event.__class__
        describe = _PLAYED.get(kind)
        if describe is None:
            continue
        told = describe(event)
        played.append(told)
        if kind in _UNSEEN:
            continue
        shown = _SEEN.get(kind)
        seen.append(told if shown is None else shown(event))
        if kind is Play:
            plays += 1
            if plays == HEAD_PLAYS:
                head = _short(seen)
    return PlayHashes(_short(played), _short(seen), head)


def _short(pieces: Sequence[str]) -> str:
    return hashlib.blake2b("\n".join(pieces).encode(), digest_size=8).hexdigest()


def _start_of(event: RoundStart) -> str:
    position = event.position
    bare = position and [getattr(position, name) for name in position.__struct_fields__ if name != "extra"]
    return f"{_seen_start(event)} {bare}"


def _seen_start(event: RoundStart) -> str:
    return f"round {event.round} {event.dealer} {event.starter}"


def _fall_of(event: Eliminate) -> str:
    return f"{_seen_fall(event)} {event.hand and sort_cards(event.hand)}"


def _seen_fall(event: Eliminate) -> str:
    return f"out {event.seat} {event.reason} {event.card}"


_PLAYED: dict[type[Event], Callable[[Any], str]] = {
    GameStart: lambda event: f"{len(event.players)} {event.dealer}",
    RoundStart: _start_of,
    Deal: lambda event: f"deal {event.seat} {sort_cards(event.cards)}",
    Play: lambda event: f"{event.seat} {event.card} {event.total}",
    Draw: lambda event: f"{event.seat} {event.card}",
    ForfeitDraw: lambda event: f"forfeit {event.seat}",
    DiscardFour: lambda event: f"four {event.seat}",
    Reshuffle: lambda event: f"reshuffle {event.count}",
    Eliminate: _fall_of,
    RoundEnd: lambda event: f"end {event.winner} {event.loser} {event.chips} {event.points} {event.scores}",
    GameEnd: lambda event: f"over {event.winners} {event.reason}",
}
"""What is played, by type of event; other types count for nothing."""
_UNSEEN = frozenset({Deal, Draw})
_SEEN: dict[type[Event], Callable[[Any], str]] = {RoundStart: _seen_start, Eliminate: _seen_fall}
"""What everyone sees of it, where that is less."""
