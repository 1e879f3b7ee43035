"""How games lie in memory as columns: a few small numbers for each event, a pool for the lists, a row a game.

`schemas/BULK.md` explains the layout. The columns of an event:

* `kind`: the place of its type in `KINDS`;
* `seat`: its seat; the starter of a `round_start`, the winner of a `round_end`; else, or for null, `NOBODY`;
* `card`: the place of its card in `cards.ORDER`; `NO_CARD` where it has none;
* `number`: total of a `play`, count of a `reshuffle`, round of `round_start` and `round_end`, reason of an
  `eliminate` (`REASONS`), and 1 for a `game_end` that is `abandoned`;
* `more`: where its lists begin in the pool, for those types that have any (see `scan`);
* `at_ms`: its time, `NO_TIME` where it has none;
* `line`: where its line begins in the text of the chunk; `odd`: 1 where the line says more than the columns do.
"""

from typing import NamedTuple

import numpy as np

from ono_replay.rules.cards import HIDDEN, ONO_99, ORDER
from ono_replay.rules.events import EVENT_TYPES

KINDS: tuple[str, ...] = tuple(EVENT_TYPES)
(
    GAME_START, ROUND_START, DEAL, PLAY, DRAW, FORFEIT_DRAW, DISCARD_FOUR, RESHUFFLE, ELIMINATE, ROUND_END,
    GAME_END, COMMENT, UNDO,
) = range(len(KINDS))  # fmt: skip
REASONS = ("no_legal_play", "left", "timeout")
NO_LEGAL_PLAY, LEFT, TIMEOUT = range(3)
FULL, PUBLIC, SEAT = range(3)
"""The views."""

CARDS = len(ORDER)
"""Kinds of cards, the unknown one among them."""
UNKNOWN = ORDER[HIDDEN]
FOUR = ORDER[ONO_99]
TEN_LESS = ORDER["-10"]
NO_CARD = 255
NOBODY = 255
"""No seat, null, in the columns; a seat that is too high is stored as it is."""
SEATS = 99
"""The most seats that a ruleset allows."""
ABSENT = -1
"""Stands in the pool for the length of a list that is not there."""
NULL = -(2**31)
"""Stands in the pool for a null among numbers."""
MOST = 2**30
"""Numbers of events are smaller than this, or left to the careful reader."""
NO_TIME = -1
NOT_TAKEN = -1
"""The code of an event that is left to the careful reader."""

SHORTEST_LINE = 30
SHORTEST_GAME = 60
"""Bytes, at least; what is strange begins no more often than games do."""
MOST_RULESETS = 256
"""Distinct rulesets in one chunk; the games of further ones are left to the careful reader."""

STRANGE, WHOLE, OPEN, FAULTY = range(4)
"""What a game was found to be: not for the fast lane; without fault and ended, or not ended; with a fault."""

GAME = np.dtype(
    [
        ("start", np.int64),  # in bytes of the chunk
        ("end", np.int64),
        ("lines", np.int64),  # all of them, where the game is strange
        ("first", np.int64),  # its first event in the columns
        ("events", np.int64),
        ("id_start", np.int64),
        ("id_end", np.int64),
        ("id_hash", np.int64),
        ("digest", np.int64),  # where the digest of its game_end is written, 0 for none
        ("before_end", np.int64),  # where the line of that game_end begins
        ("end_event", np.int64),  # which event it is, from 0 in the game
        ("last_ms", np.int64),
        ("lists", np.int64),  # where its lists begin in the pool, and where they end
        ("lists_end", np.int64),
        ("ruleset", np.int32),
        ("seats", np.int32),
        ("dealer", np.int32),
        ("shows", np.int32),  # FULL, PUBLIC or SEAT
        ("viewer", np.int32),
        ("found", np.int32),
        ("code", np.int32),  # of the first fault: 301 for ONO301
        ("fault", np.int32),  # its event, from 0 in the game
        ("unverified", np.int32),
    ],
    align=True,
)
"""A game, or a stretch of bytes that begins like one (`found` is `STRANGE` then)."""


LINE = np.dtype(
    [
        ("at_ms", np.int64),
        ("kind", np.int32),
        ("seat", np.int32),
        ("card", np.int32),
        ("number", np.int32),
        ("more", np.int32),
        ("odd", np.int32),
        ("scratch", np.int32, (512,)),
    ],
    align=True,
)
"""One line as it is read, and some room to work in."""


class Columns(NamedTuple):
    """The events of one chunk, and the pool of their lists."""

    kind: np.ndarray
    seat: np.ndarray
    card: np.ndarray
    number: np.ndarray
    more: np.ndarray
    at_ms: np.ndarray
    line: np.ndarray
    odd: np.ndarray
    pool: np.ndarray


def columns_for(events: int, pool: int) -> Columns:
    """Return columns with room for so many events and entries of the pool."""
    return Columns(
        np.empty(events, np.uint8),
        np.empty(events, np.uint8),
        np.empty(events, np.uint8),
        np.empty(events, np.int32),
        np.empty(events, np.int32),
        np.empty(events, np.int64),
        np.empty(events, np.int32),
        np.empty(events, np.uint8),
        np.empty(pool, np.int32),
    )


class Workspace:
    """The buffers of some games, used over and over: their columns, and what the passes work with."""

    def __init__(self, *, events: int = 0, pool: int = 0, games: int = 0) -> None:
        """Make room for so many of each."""
        self.columns = columns_for(events, pool)
        self.games = records(games, GAME)
        self.rulesets = np.zeros((MOST_RULESETS, 2), np.int64)
        self.lines = records(1, LINE)

    @classmethod
    def for_text(cls, size: int) -> "Workspace":
        """Return room for the games of so many bytes of text."""
        events, games = size // SHORTEST_LINE + 2, size // SHORTEST_GAME + 2
        return cls(events=events, pool=size // 2 + 64, games=games)


def records(count: int, kind: np.dtype) -> np.ndarray:
    """Return empty records whose fields are attributes, compiled or not."""
    return np.zeros(count, kind).view(np.recarray)
