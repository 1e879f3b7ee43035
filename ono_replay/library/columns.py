"""The views of a library and their columns: what each is, in one table that everything else is tested against.

The names and the meaning of a released column never change; new ones may be added. `schemas/LIBRARY.md` is
written from here.

>>> [view.name for view in VIEWS][:3]
['games', 'players', 'rounds']
>>> VIEW["eliminations"].names[:3]
('game_id', 'seq', 'round')
"""

from typing import NamedTuple


class Column(NamedTuple):
    """One column of a view."""

    name: str
    type: str
    """As DuckDB names it."""
    meaning: str


class View(NamedTuple):
    """One view: what a row is, its order and its columns."""

    name: str
    row: str
    order: str
    columns: tuple[Column, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the columns, in order."""
        return tuple(column.name for column in self.columns)


_GAME_ID = Column("game_id", "VARCHAR", "the game (`game_start.game_id`, with the prefix of its import)")
_SEQ = Column("seq", "BIGINT", "the event's number in the file it came from")
_ROUND = Column("round", "BIGINT", "the round, from 1")
_SEAT = Column("seat", "INTEGER", "from 0, clockwise")
_TABLE = (
    Column("edition", "VARCHAR", "`1980` or `2022`"),
    Column("match", "VARCHAR", "`single`, `chips`, `points_last_standing` or `points_low_score`"),
    Column("n_players", "INTEGER", "seats at the table"),
)
_LEFT_OUT = (
    Column("completed", "BOOLEAN", "the game was played to its end: `reason` is `completed`"),
    Column("irregular", "BOOLEAN", "an event broke the rules and was let stand"),
    Column("started", "TIMESTAMP", "`started_at` in UTC; null where the log has none"),
)

GAMES = View(
    "games",
    "a game",
    "game_id",
    (
        _GAME_ID,
        *_TABLE,
        Column("view", "VARCHAR", "`full`, `public` or `seat`: what the log promises to show"),
        Column("n_rounds", "INTEGER", "rounds begun"),
        Column("n_events", "INTEGER", "effective events: rows of `events`"),
        Column("n_plays", "INTEGER", "cards played: events of type `play`"),
        Column("verdict", "VARCHAR", "`valid` or `unfinished`; invalid games are in quarantine"),
        Column("winners", "INTEGER[]", "seats, ascending; empty for an abandoned game, null for an unfinished one"),
        Column("reason", "VARCHAR", "`completed` or `abandoned`; null for an unfinished game"),
        Column("started_at", "VARCHAR", "when it began, as the log has it (RFC 3339)"),
        Column("file", "VARCHAR", "where it was imported from"),
        *_LEFT_OUT,
        Column("dealer", "INTEGER", "the seat that dealt first, if the log says so"),
        Column("starter", "INTEGER", "the seat that started round 1, null if no round was begun"),
        Column("max_total", "INTEGER", "the highest legal total"),
        Column("ruleset", "VARCHAR", "JSON: the edition and the options that differ from it"),
        Column("version", "VARCHAR", "of the log's format"),
        Column("app", "VARCHAR", "`source.app`: the program that wrote the log"),
        Column("n_decisions", "INTEGER", "plays and four-card discards: rows of `decisions`"),
        Column("n_eliminations", "INTEGER", "rows of `eliminations`"),
        Column("n_irregular", "INTEGER", "events that were let stand"),
        Column("n_voided", "INTEGER", "events of the file that are kept nowhere: undone ones and the undos"),
        Column("n_unknown", "INTEGER", "decisions with an unknown card in hand"),
        Column("warnings", "INTEGER", "warnings of the validator"),
        Column("unverified", "INTEGER", "checks that unknown cards kept from being made"),
        Column("duration_ms", "BIGINT", "from the first to the last event with a time; null without times"),
        Column("line", "BIGINT", "of the game's first event in its file, from 1"),
        Column("log_digest", "VARCHAR", "of the game's finished canonical bytes: the first 32 hex digits of their SHA-256"),
        Column("lines_digest", "VARCHAR", "of its canonical lines, undos and all; null where it is `log_digest`"),
        Column("raw_digest", "VARCHAR", "of its bytes as they stood in the file; null where it is the one before"),
        Column("play_hash", "VARCHAR", "equal where the same was played: without names, ids, comments, times, order of keys"),
        Column("table_hash", "VARCHAR", "equal where the same was seen: plays, totals, falls; hands may be shown or not"),
        Column("head_hash", "VARCHAR", "equal where the first ten plays are the same to see; null with fewer"),
        Column("imported", "INTEGER", "the number of the import that brought it, from 1"),
    ),
)  # fmt: skip
PLAYERS = View(
    "players",
    "a player in a game",
    "game_id, seat",
    (
        _GAME_ID,
        _SEAT,
        Column("player", "VARCHAR", "who: the alias, else `players[].id`, else the name in NFC"),
        Column("name", "VARCHAR", "as the log has it"),
        Column("bot", "BOOLEAN", "a program"),
        Column("won", "BOOLEAN", "among the winners of the game; null unless completed"),
        Column("id", "VARCHAR", "`players[].id`, if there is one"),
        *_TABLE,
        *_LEFT_OUT,
        Column("starter", "BOOLEAN", "started round 1"),
        Column("n_rounds", "INTEGER", "rounds taken part in"),
        Column("rounds_won", "INTEGER", "rounds ended as their winner"),
        Column("n_plays", "INTEGER", "cards played"),
        Column("n_decisions", "INTEGER", "plays and four-card discards"),
        Column("n_known", "INTEGER", "decisions with no unknown card in hand"),
        Column("n_forced", "INTEGER", "of those, with exactly one legal token"),
        Column("n_legal", "INTEGER", "legal tokens at those decisions, summed"),
        Column("n_falls", "INTEGER", "eliminations suffered"),
        Column("n_set", "INTEGER", "eliminations of others under a total set by this player"),
        Column("n_set_own", "INTEGER", "eliminations under a total of the player's own"),
        Column("pairs_started", "INTEGER", "pair chains started"),
        Column("pairs_passed", "INTEGER", "pair cards passed on by a deflector"),
        Column("pairs_hit", "INTEGER", "pair chains that ended at this player"),
        Column("pairs_survived", "INTEGER", "of those, survived"),
        Column("n_timed", "INTEGER", "decisions with a time"),
        Column("time_ms", "BIGINT", "of those, the time since the event before, summed"),
        Column("chips", "INTEGER", "left after the last round; null without chips or out of the match"),
        Column("score", "BIGINT", "after the last round; null without points"),
    ),
)  # fmt: skip
ROUNDS = View(
    "rounds",
    "a round begun",
    "game_id, round, start_seq",
    (
        _GAME_ID,
        _ROUND,
        Column("start_seq", "BIGINT", "seq of its `round_start`"),
        Column("end_seq", "BIGINT", "seq of its `round_end`; null if it has none"),
        Column("dealer", "INTEGER", "if the log says so"),
        Column("starter", "INTEGER", "the seat that starts"),
        Column("n_players", "INTEGER", "seats in the match"),
        Column("from_position", "BOOLEAN", "set up, not dealt"),
        Column("winner", "INTEGER", "null without one"),
        Column("loser", "INTEGER", "the first eliminated; null if none"),
        Column("n_plays", "INTEGER", "cards played"),
        Column("n_eliminations", "INTEGER", "seats that fell"),
        Column("n_reshuffles", "INTEGER", "times the discard pile became the draw pile"),
        Column("highest", "BIGINT", "the highest total"),
        Column("duration_ms", "BIGINT", "from its first to its last event with a time"),
    ),
)
EVENTS = View(
    "events",
    "an effective event: no undo, nothing that an undo took back",
    "game_id, seq",
    (
        _GAME_ID,
        _SEQ,
        Column("round", "BIGINT", "the round; null before the first"),
        Column("type", "VARCHAR", "as in the log"),
        Column("seat", "INTEGER", "who acted; null where no one does"),
        Column("card", "VARCHAR", "played, drawn or bust; `?` if unknown; null for a deal"),
        Column("total", "BIGINT", "after the event; this and the state below: null before the first round"),
        Column("total_before", "BIGINT", "before the event"),
        Column("direction", "INTEGER", "after the event: 1 clockwise, -1 counter-clockwise"),
        Column("turn", "INTEGER", "after the event: the seat to act; null when no one is"),
        Column("plays_due", "INTEGER", "after the event: cards the seat to act owes, 0, 1 or 2"),
        Column("second", "BOOLEAN", "after the event: the second card of a pair is owed"),
        Column("hands", "VARCHAR[][]", "after the event: by seat, each in the order of the rules, `?` last"),
        Column("draw_pile", "BIGINT", "after the event: cards in it"),
        Column("discard_pile", "BIGINT", "after the event: cards in it"),
        Column("at_ms", "BIGINT", "milliseconds since the game began, if the log says so"),
        Column("irregular", "BOOLEAN", "broke the rules and was let stand"),
    ),
)  # fmt: skip
DETAILS = View(
    "details",
    "an event of which the log says more than `events` does",
    "game_id, seq",
    (
        _GAME_ID,
        _SEQ,
        Column("cards", "VARCHAR[]", "as the log has them: dealt, laid down, or a recorded deck"),
        Column("rest", "VARCHAR", "JSON: the keys of the line that no other column holds; null if none"),
    ),
)
DECISIONS = View(
    "decisions",
    "a choice: a play or a four-card discard",
    "game_id, seq",
    (
        _GAME_ID,
        _SEQ,
        _ROUND,
        _SEAT,
        Column("total_before", "BIGINT", "the total that was met"),
        Column("plays_due", "INTEGER", "cards owed: 2 for the first of a forced pair"),
        Column("second", "BOOLEAN", "the second card of a pair was owed"),
        Column("hand", "VARCHAR[]", "held, in the order of the rules, `?` last"),
        Column("legal", "VARCHAR[]", "distinct tokens that could be played, `discard_four` last; null with a `?` in hand"),
        Column("card", "VARCHAR", "what was chosen; `discard_four` for the four-card discard"),
        Column("forced", "BOOLEAN", "exactly one token was legal; null with a `?` in hand"),
        Column("total", "BIGINT", "after the card"),
        Column("play", "INTEGER", "the number of the choice in its round, from 1"),
        Column("passed_on", "BOOLEAN", "the next player owes two: a pair card, or a deflector under a pair"),
        Column("think_ms", "BIGINT", "since the event before; null where either has no time"),
    ),
)  # fmt: skip
ELIMINATIONS = View(
    "eliminations",
    "an elimination",
    "game_id, seq",
    (
        _GAME_ID,
        _SEQ,
        _ROUND,
        _SEAT,
        Column("reason", "VARCHAR", "as in the log: `no_legal_play`, `left` or `timeout`"),
        Column("cause", "VARCHAR", "`first_card`, `second_card`, `only_ono_99`, `bust`, `left` or `timeout`"),
        Column("total", "BIGINT", "the total that was met"),
        Column("hand", "VARCHAR[]", "held when the seat fell, after a bust card and before its draw"),
        Column("set_by", "INTEGER", "seat of the round's last play that changed the total; null if none did"),
        Column("set_by_card", "VARCHAR", "the card of that play"),
        Column("n_left", "INTEGER", "seats still in the round after it"),
        Column("play", "INTEGER", "choices made in the round before it"),
    ),
)
PAIR_CHAINS = View(
    "pair_chains",
    "a pair card and the deflectors that passed it on",
    "game_id, start_seq",
    (
        _GAME_ID,
        _ROUND,
        Column("start_seq", "BIGINT", "seq of the play that started it"),
        Column("started_by", "INTEGER", "the seat that played it"),
        Column("length", "INTEGER", "cards that passed it on, the starting one included"),
        Column("hit", "INTEGER", "the seat that had to play two or fell; null if the round ended before"),
        Column(
            "survived",
            "BOOLEAN",
            "that seat did not fall over it; null without one, and where the log ends between the two cards",
        ),
        Column("deflected_by", "INTEGER[]", "the seats that passed it on after the first, in order"),
        Column("cards", "VARCHAR[]", "the cards that passed it on, in order"),
        Column("total", "BIGINT", "the total that the hit seat met; null without one"),
    ),
)
CARD_USE = View(
    "card_use",
    "a card in the hands of a player in a game, as far as it is known",
    "game_id, seat, card",
    (
        _GAME_ID,
        _SEAT,
        Column("card", "VARCHAR", "the token; `?` for unknown ones"),
        Column("dealt", "INTEGER", "copies dealt"),
        Column("drawn", "INTEGER", "copies drawn"),
        Column("plays", "INTEGER", "times played"),
        Column("plays_first", "INTEGER", "of those, as first card of a forced pair"),
        Column("plays_second", "INTEGER", "of those, as second card of a forced pair"),
        Column("passed_on", "INTEGER", "of those, after which the next player owed two"),
        Column("deflected", "INTEGER", "of those, under a pair"),
        Column("forced", "INTEGER", "of those, the only legal token"),
        Column("change", "BIGINT", "how much the total changed by them, summed"),
        Column("fatal", "INTEGER", "eliminations under a total that this card of this player had set"),
        Column("discarded", "INTEGER", "copies put away by four-card discards"),
        Column("bust", "INTEGER", "times laid as bust card"),
        Column("kept", "INTEGER", "copies left in hand, also of who fell, when a round or the log ended"),
    ),
)
CARD_TOTALS = View(
    "card_totals",
    "a card in a game, in the hands of all its players together",
    "game_id, card",
    (_GAME_ID, *CARD_USE.columns[2:]),
)
PHASES = View(
    "phases",
    "ten choices of a round (all rounds of a game together), by player",
    "game_id, seat, phase",
    (
        _GAME_ID,
        _SEAT,
        Column("phase", "INTEGER", "0 for the round's choices 1 to 10, 1 for 11 to 20 …"),
        Column("n", "INTEGER", "choices of this player among them"),
        Column("total", "BIGINT", "the totals met, summed"),
        Column("near", "INTEGER", "choices at a total less than ten below the limit"),
        Column("n_known", "INTEGER", "choices with no unknown card in hand; what follows is of those"),
        Column("cards", "INTEGER", "cards in hand, summed"),
        Column("ono_99", "INTEGER", "`ono_99` in hand, summed"),
        Column("helpers", "INTEGER", "cards in hand that never take the total over the limit, summed"),
        Column("n_forced", "INTEGER", "choices with exactly one legal token"),
        Column("n_timed", "INTEGER", "choices with a time (of all)"),
        Column("time_ms", "BIGINT", "of those, the time since the event before, summed"),
    ),
)
FINDINGS = View(
    "findings",
    "a code that the validator gave to a game, warnings and notes",
    "game_id, code",
    (
        _GAME_ID,
        Column("code", "VARCHAR", "`ono-replay explain CODE` tells more"),
        Column("severity", "VARCHAR", "`warning` or `note`"),
        Column("n", "INTEGER", "how often"),
    ),
)
SOURCES = View(
    "sources",
    "a file that brought something new, once for each such import",
    "imported, file",
    (
        Column("imported", "INTEGER", "the number of the import, from 1"),
        Column("file", "VARCHAR", "where it was"),
        Column(
            "digest",
            "VARCHAR",
            "lower-case hex SHA-256 of its bytes, as they are stored; null where the import was killed, as is what was not counted then",
        ),
        Column("n_bytes", "BIGINT", "of them"),
        Column("games", "INTEGER", "games in it"),
        Column("added", "INTEGER", "of those, new to the library"),
        Column("replaced", "INTEGER", "of those, put in the place of an earlier version"),
        Column("known", "INTEGER", "of those, there already, as they are or in a later version"),
        Column("quarantined", "INTEGER", "of those, invalid or forks"),
        Column("strays", "INTEGER", "errors that belong to no game"),
    ),
)
QUARANTINE = View(
    "quarantine",
    "something that was not let in",
    "key",
    (
        Column("key", "VARCHAR", "what `library quarantine show` takes"),
        Column("why", "VARCHAR", "`invalid`, `fork` or `stray` (lines that belong to no game)"),
        Column("game_id", "VARCHAR", "null where there is none"),
        Column("file", "VARCHAR", "where it came from"),
        Column("line", "BIGINT", "of its first line in the file"),
        Column("errors", "INTEGER", "of the validator"),
        Column("codes", "VARCHAR[]", "the codes of the errors, each once, in order"),
        Column("n_bytes", "BIGINT", "size of what is kept, byte for byte"),
        Column("imported", "INTEGER", "the number of the import that brought it"),
    ),
)

VIEWS: tuple[View, ...] = (
    GAMES,
    PLAYERS,
    ROUNDS,
    EVENTS,
    DETAILS,
    DECISIONS,
    ELIMINATIONS,
    PAIR_CHAINS,
    CARD_USE,
    CARD_TOTALS,
    PHASES,
    FINDINGS,
    SOURCES,
    QUARANTINE,
)
VIEW: dict[str, View] = {view.name: view for view in VIEWS}
