"""What is derived of games beside their verdicts, as the views of a library have it: where it is put.

`derive` fills two arrays. `numbers` has the columns of all tables, one after the other, each in one piece; a null is
`NOTHING`. `text` has the entries of lists, one list after the other; a column of the table says where each ends. How
many rows there are so far, and where the entries end, stands in `count`, by the names of `COUNTERS`.
"""

import itertools

import numpy as np

from ono_replay.bulk.board import MOST_HELD
from ono_replay.bulk.layout import CARDS, SEATS, records

NOTHING = -(2**31)
"""A null in a table."""
NEVER = -(2**62)
"""A null among times."""
DISCARDED_FOUR = CARDS
"""The four-card discard, among the cards."""
PHASE = 10
"""Choices of a round that make one phase."""
HEAD_PLAYS = 10
"""Plays that the beginning of a game has, for its hash."""

COUNTERS = (
    "event", "hands", "hand_cards", "detail", "detail_cards", "rest", "decision", "held", "legal", "fall",
    "fall_hand", "chain", "passed_by", "passed_card", "round", "player", "use", "sum", "phase", "played", "seen",
)  # fmt: skip
(
    EVENT, HANDS, HAND_CARDS, DETAIL, DETAIL_CARDS, REST, DECISION, HELD, LEGAL, FALL,
    FALL_HAND, CHAIN, PASSED_BY, PASSED_CARD, ROUND, PLAYER, USE, SUM, PHASES, PLAYED, SEEN,
) = range(len(COUNTERS))  # fmt: skip

EVENT_COLUMNS = (
    "game", "seq", "round", "type", "seat", "card", "total", "total_before", "direction", "turn", "plays_due",
    "second", "draw_pile", "discard_pile", "hands_end", "at_ms",
)  # fmt: skip
DETAIL_COLUMNS = ("game", "seq", "has_cards", "cards_end", "has_rest", "rest_end")
DECISION_COLUMNS = (
    "game", "seq", "round", "seat", "total_before", "plays_due", "second", "hand_end", "legal_end", "card",
    "forced", "total", "play", "passed_on", "think_ms",
)  # fmt: skip
FALL_COLUMNS = (
    "game", "seq", "round", "seat", "reason", "cause", "total", "hand_end", "set_by", "set_by_card", "n_left", "play",
)  # fmt: skip
CHAIN_COLUMNS = (
    "game",
    "round",
    "start_seq",
    "started_by",
    "length",
    "hit",
    "survived",
    "passed_end",
    "total",
)
ROUND_COLUMNS = (
    "game", "round", "start_seq", "end_seq", "dealer", "starter", "n_players", "winner", "loser", "n_plays",
    "n_eliminations", "n_reshuffles", "highest", "duration_ms",
)  # fmt: skip
SUMS = (
    "n_rounds", "rounds_won", "n_plays", "n_decisions", "n_known", "n_forced", "n_legal", "n_falls", "n_set",
    "n_set_own", "pairs_started", "pairs_passed", "pairs_hit", "pairs_survived", "n_timed", "time_ms",
)  # fmt: skip
PLAYER_COLUMNS = ("game", "seat", *SUMS, "chips", "score")
USES = (
    "dealt", "drawn", "plays", "plays_first", "plays_second", "passed_on", "deflected", "forced", "change",
    "fatal", "discarded", "bust", "kept",
)  # fmt: skip
USE_COLUMNS = ("game", "seat", "card", *USES)
SUM_COLUMNS = ("game", "card", *USES)
PHASE_SUMS = (
    "n", "total", "near", "n_known", "cards", "ono_99", "helpers", "n_forced", "n_timed", "time_ms",
)  # fmt: skip
PHASE_COLUMNS = ("game", "seat", "phase", *PHASE_SUMS)
GAME_COLUMNS = (
    "place", "n_rounds", "n_plays", "n_decisions", "n_eliminations", "n_unknown", "starter", "first_ms", "last_ms",
    "reason", "winners", "head_end",
)  # fmt: skip
"""Of a game: its place among those of the chunk; `winners` is where they begin in the pool; `reason` 1 for `abandoned`."""
CAUSES = ("first_card", "second_card", "only_ono_99", "bust", "left", "timeout")
FIRST_CARD, SECOND_CARD, ONLY_ONO_99, BUST, LEFT_TABLE, TIMED_OUT = range(len(CAUSES))

_I = np.int64
WALK = np.dtype(
    [
        # the game
        ("game", _I),
        ("has_state", _I),
        ("before_ms", _I),
        ("first_ms", _I),
        ("last_ms", _I),
        ("n_rounds", _I),
        ("n_plays", _I),
        ("n_decisions", _I),
        ("n_eliminations", _I),
        ("n_unknown", _I),
        ("starter", _I),
        ("reason", _I),
        ("winners", _I),
        ("head_end", _I),
        ("phases", _I),
        # the event under way: what was before it
        ("total", _I),
        ("plays_due", _I),
        ("second", _I),
        ("turn", _I),
        ("hand", _I),
        ("n_legal", _I),
        # the round under way: its row, and what is not in it
        ("row", _I),
        ("in_round", _I),
        ("play", _I),
        ("set_by", _I),
        ("set_by_card", _I),
        ("round_first_ms", _I),
        ("round_last_ms", _I),
        # the pair chain under way
        ("chained", _I),
        ("chain_round", _I),
        ("chain_seq", _I),
        ("chain_first", _I),
        ("chain_hit", _I),
        ("chain_met", _I),
        # rows and entries so far, and room to count in
        ("count", _I, (len(COUNTERS),)),
        ("uses", _I, (SEATS, CARDS, len(USES))),
        ("sums", _I, (SEATS, len(SUMS))),
        # hands, and their cards as they were last laid out
        ("hands", _I, (SEATS,)),
        ("laid_out", _I, (SEATS,)),
    ],
    align=True,
)
"""A game on its way through `derive`."""


_TABLES = {
    EVENT: EVENT_COLUMNS,
    DETAIL: DETAIL_COLUMNS,
    DECISION: DECISION_COLUMNS,
    FALL: FALL_COLUMNS,
    CHAIN: CHAIN_COLUMNS,
    ROUND: ROUND_COLUMNS,
    PLAYER: PLAYER_COLUMNS,
    USE: USE_COLUMNS,
    SUM: SUM_COLUMNS,
    PHASES: PHASE_COLUMNS,
}
(
    AT_EVENT, AT_DETAIL, AT_DECISION, AT_FALL, AT_CHAIN, AT_ROUND, AT_PLAYER, AT_USE, AT_SUM, AT_PHASE, AT_GAME,
    AT_ENDS, AT_WORK, _END,
) = itertools.accumulate(map(len, (*_TABLES.values(), GAME_COLUMNS, COUNTERS, PHASE_SUMS)), initial=0)  # fmt: skip
"""Where the columns of each table begin among all of them; the last ones are room to count phases in."""


class Facts:
    """The tables of the games of one chunk, and the entries of their lists; used over and over."""

    def __init__(self) -> None:
        """Begin with no room."""
        self.numbers = np.zeros((_END, 0), np.int64)
        self.text = np.empty(0, np.uint8)
        self.walk = records(1, WALK)
        self.starts = np.zeros(len(COUNTERS), np.int64)
        """Where the entries of each list, or text, begin in `text`; 0 for a table."""
        self.games = 0

    def make_room(self, games: np.ndarray, size: int, pool: int) -> None:
        """Make room for the games of a text of some size, whose lists have so many entries."""
        each, seats = games["events"], games["seats"].astype(np.int64)
        events, by_seat = int(each.sum()), int((each * seats).sum())
        rows = (
            events,
            int(seats.sum()),
            len(games),
            int(np.minimum(CARDS * seats, MOST_HELD * each).sum()),
            int(((each // PHASE + 2) * seats).max(initial=0)),
        )
        # What is written eight bytes at a time may reach past its end: the last hand by a byte, text never past
        # its room, which is that of whole lines.
        lists = {
            HANDS: by_seat,
            HAND_CARDS: MOST_HELD * by_seat + 1,
            DETAIL_CARDS: pool,
            REST: size + events,
            HELD: MOST_HELD * events + 1,
            LEGAL: (MOST_HELD + 1) * events,
            FALL_HAND: MOST_HELD * events + 1,
            PASSED_BY: events,
            PASSED_CARD: events,
            PLAYED: 2 * size,
            SEEN: 2 * size,
        }
        if max(rows) > self.numbers.shape[1]:
            self.numbers = np.zeros((_END, max(rows)), np.int64)
        self.starts[list(lists)] = [0, *itertools.accumulate(list(lists.values())[:-1])]
        if sum(lists.values()) > len(self.text):
            self.text = np.empty(sum(lists.values()), np.uint8)
        self.walk[0].count[:] = self.starts

    def table(self, which: int) -> dict[str, np.ndarray]:
        """Return the columns of a table, by name."""
        rows = int(self.walk[0].count[which])
        first = _FIRST[which]
        return {name: self.numbers[first + place, :rows] for place, name in enumerate(_TABLES[which])}

    def entries(self, which: int) -> np.ndarray:
        """Return the entries of a list, one after the other."""
        return self.text[int(self.starts[which]) : int(self.walk[0].count[which])]

    def of_games(self) -> dict[str, np.ndarray]:
        """Return what there is a row of for each game."""
        return {name: self.numbers[AT_GAME + place, : self.games] for place, name in enumerate(GAME_COLUMNS)}

    def ends(self, which: int) -> np.ndarray:
        """Return by game the number of rows, or the place of entries, that there were after it."""
        return self.numbers[AT_ENDS + which, : self.games]


_FIRST = dict(
    zip(
        _TABLES,
        (AT_EVENT, AT_DETAIL, AT_DECISION, AT_FALL, AT_CHAIN, AT_ROUND, AT_PLAYER, AT_USE, AT_SUM, AT_PHASE),
        strict=True,
    )
)
