"""Fingerprints of games: of their bytes, and of what was played whatever the rest of the log says."""

import hashlib
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from ono_replay.log.jsonl import encode_value
from ono_replay.rules.cards import sort_cards
from ono_replay.rules.events import (
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
    Reshuffle,
    RoundEnd,
    RoundStart,
    UnknownEvent,
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

    >>> from ono_replay.rules.ruleset import EDITIONS
    >>> game = [Play(4, 0, "7", 7)]
    >>> play_hashes(EDITIONS["2022"], game) == play_hashes(EDITIONS["2022"], [*game, Comment(5, "well!")])
    True
    """
    options = encode_value(differing_options(ruleset))
    play, table = hashlib.blake2b(options, digest_size=8), hashlib.blake2b(options, digest_size=8)
    head: str | None = None
    plays = 0
    for event in events:
        all_of_it = _played(event)
        if all_of_it is None:
            continue
        play.update(repr(all_of_it).encode())
        seen = _seen(event)
        if seen is not None:
            table.update(repr(seen).encode())
        if isinstance(event, Play):
            plays += 1
            if plays == HEAD_PLAYS:
                head = table.hexdigest()
    return PlayHashes(play.hexdigest(), table.hexdigest(), head)


def _played(event: Event) -> tuple[Any, ...] | None:
    match event:
        case Play():
            return (event.seat, event.card, event.total)
        case Draw():
            return (event.seat, event.card)
        case Deal():
            return ("deal", event.seat, *sort_cards(event.cards))
        case GameStart():
            return (len(event.players), event.dealer)
        case RoundStart(position=position):
            set_up = None if position is None else repr(_plain(position))
            return ("round", event.round, event.dealer, event.starter, set_up)
        case Eliminate(hand=hand):
            return (
                "out",
                event.seat,
                event.reason,
                event.card,
                None if hand is None else sort_cards(hand),
            )
        case ForfeitDraw() | DiscardFour():
            return (event.type, event.seat)
        case Reshuffle():
            return ("reshuffle", event.count)
        case RoundEnd():
            return ("end", event.winner, event.loser, event.chips, event.points, event.scores)
        case GameEnd():
            return ("over", event.winners, event.reason)
        case Comment() | UnknownEvent():
            return None
    return None


def _plain(position: Any) -> tuple[Any, ...]:
    return tuple(getattr(position, name) for name in position.__struct_fields__ if name != "extra")


def _seen(event: Event) -> tuple[Any, ...] | None:
    match event:
        case Deal() | Draw():
            return None
        case Eliminate():
            return ("out", event.seat, event.reason, event.card)
        case RoundStart():
            return ("round", event.round, event.dealer, event.starter)
    return _played(event)
