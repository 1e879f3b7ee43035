"""The rows of many games at once, out of what the kernel has derived: the views as Arrow tables, a column at a time.

What stands here is what `rows` makes of one game in plain Python; a test compares the two cell by cell.
"""

import hashlib
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from ono_replay.bulk import facts as f
from ono_replay.bulk.layout import KINDS, REASONS
from ono_replay.library.chunks import Chunk
from ono_replay.library.rows import player_key, utc
from ono_replay.library.tables import SCHEMAS, token_lists, tokens
from ono_replay.log.jsonl import encode_value
from ono_replay.rules.events import GameStart
from ono_replay.rules.ruleset import Ruleset, differing_options, make_ruleset

Tables = dict[str, Any]
"""By view, an Arrow table; rows of games stand in the order of the games."""

_TEXT = pa.string()
_END_REASONS = ("completed", "abandoned")
_COUNTS = {
    "players": f.PLAYER, "rounds": f.ROUND, "events": f.EVENT, "details": f.DETAIL, "decisions": f.DECISION,
    "eliminations": f.FALL, "pair_chains": f.CHAIN, "card_use": f.USE, "card_totals": f.SUM, "phases": f.PHASES,
}  # fmt: skip


class Taken(NamedTuple):
    """A game that the kernel has taken, beside what stands in its facts."""

    chunk: Chunk
    start: GameStart
    valid: bool
    events: int
    unverified: int
    winners: list[int]
    """Empty where the game has not ended."""
    log_digest: str
    lines_digest: str


def tables_of(found: f.Facts, games: Sequence[Taken], imported: int) -> tuple[Tables, dict[str, np.ndarray]]:
    """Return the views of some games, and by view the number of rows up to the end of each game."""
    batch = _Batch(found, games, imported)
    tables = {name: make() for name, make in batch.views.items()}
    ends = {name: found.ends(which) for name, which in _COUNTS.items()}
    return tables, ends | {"games": np.arange(1, len(games) + 1)}


class _Batch:
    def __init__(self, found: f.Facts, games: Sequence[Taken], imported: int) -> None:
        self.found, self.games, self.imported = found, games, imported
        self.ids = pa.array([game.start.game_id for game in games], pa.string())
        self.starts = [game.start for game in games]
        self.rulesets: list[tuple[Ruleset, str, str]] = []
        """Each ruleset of these games, as it is written, and by its differences."""
        self._places: dict[bytes, int] = {}
        self.which = [self._place_of_ruleset(start) for start in self.starts]
        """By game, its place among `rulesets`."""
        self.editions = self._of_rules([ruleset.edition for ruleset, _, _ in self.rulesets])
        self.matches = self._of_rules([ruleset.match for ruleset, _, _ in self.rulesets])
        self.seats = np.array([len(start.players) for start in self.starts])
        self.counted = found.of_games()
        self.completed = self.counted["reason"] == 0
        self.started = pa.array([utc(start.started_at) for start in self.starts], pa.timestamp("us"))
        self.views: dict[str, Callable[[], Any]] = {
            "games": self.games_table, "players": self.players, "rounds": self.rounds, "events": self.events,
            "details": self.details, "decisions": self.decisions, "eliminations": self.eliminations,
            "pair_chains": self.pair_chains, "card_use": self.card_use, "card_totals": self.card_totals,
            "phases": self.phases,
        }  # fmt: skip

    def _place_of_ruleset(self, start: GameStart) -> int:
        written = encode_value(start.ruleset)
        place = self._places.get(written)
        if place is None:
            place = self._places[written] = len(self.rulesets)
            ruleset = make_ruleset(start.ruleset)
            options = encode_value(differing_options(ruleset)).decode()
            self.rulesets.append((ruleset, written.decode(), options))
        return place

    def _of_rules(self, values: Sequence[Any], kind: Any = _TEXT) -> Any:
        """Return a column of what rulesets say."""
        return pa.array(values, kind).take(pa.array(self.which))

    # --- columns ------------------------------------------------------------------------------------

    def _table(self, name: str, columns: dict[str, Any]) -> Any:
        schema = SCHEMAS[name]
        made = [
            column
            if isinstance(column := columns[field.name], pa.Array | pa.DictionaryArray)
            else _array(column, field.type)
            for field in schema
        ]
        return pa.Table.from_arrays(made, names=schema.names)

    def _ids(self, games: np.ndarray) -> Any:
        return pa.DictionaryArray.from_arrays(pa.array(games.astype(np.int32)), self.ids)

    def _numbers(self, which: int) -> dict[str, Any]:
        """Return the columns of a table that are numbers, which is all that is needed of some."""
        columns: dict[str, Any] = dict(self.found.table(which))
        columns["game_id"] = self._ids(columns.pop("game"))
        if "card" in columns:
            columns["card"] = tokens(_nullable(columns["card"]))
        return columns

    # --- views --------------------------------------------------------------------------------------

    def events(self) -> Any:
        """Return the view `events`."""
        columns = self._numbers(f.EVENT)
        columns["type"] = pa.DictionaryArray.from_arrays(
            pa.array(columns["type"].astype(np.int8)), pa.array(KINDS)
        )
        ends, sizes = columns.pop("hands_end"), self.found.entries(f.HANDS)
        inner = token_lists(_offsets(np.cumsum(sizes)), self.found.entries(f.HAND_CARDS))
        starts = _offsets(ends - self.found.starts[f.HANDS])
        columns["hands"] = pa.ListArray.from_arrays(
            pa.array(starts), inner, mask=pa.array(columns["total"] == f.NOTHING)
        )
        columns["irregular"] = np.zeros(len(ends), np.bool_)
        return self._table("events", columns)

    def details(self) -> Any:
        """Return the view `details`."""
        columns = self._numbers(f.DETAIL)
        cards = _offsets(columns["cards_end"] - self.found.starts[f.DETAIL_CARDS])
        columns["cards"] = token_lists(
            cards, self.found.entries(f.DETAIL_CARDS), mask=columns["has_cards"] == 0
        )
        rest = _offsets(columns["rest_end"] - self.found.starts[f.REST])
        columns["rest"] = pa.StringArray.from_buffers(
            len(rest) - 1,
            pa.py_buffer(rest),
            pa.py_buffer(self.found.entries(f.REST).copy()),
            pa.array(columns["has_rest"] != 0).buffers()[1],
        )
        return self._table("details", columns)

    def decisions(self) -> Any:
        """Return the view `decisions`."""
        columns = self._numbers(f.DECISION)
        hand = _offsets(columns["hand_end"] - self.found.starts[f.HELD])
        legal = _offsets(columns["legal_end"] - self.found.starts[f.LEGAL])
        columns["hand"] = token_lists(hand, self.found.entries(f.HELD))
        columns["legal"] = token_lists(
            legal, self.found.entries(f.LEGAL), mask=columns["forced"] == f.NOTHING
        )
        return self._table("decisions", columns)

    def eliminations(self) -> Any:
        """Return the view `eliminations`."""
        columns = self._numbers(f.FALL)
        columns["reason"] = pa.DictionaryArray.from_arrays(
            pa.array(columns["reason"].astype(np.int8)), pa.array(REASONS)
        )
        columns["cause"] = pa.DictionaryArray.from_arrays(
            pa.array(columns["cause"].astype(np.int8)), pa.array(f.CAUSES)
        )
        columns["set_by_card"] = tokens(_nullable(columns["set_by_card"]))
        hand = _offsets(columns["hand_end"] - self.found.starts[f.FALL_HAND])
        columns["hand"] = token_lists(hand, self.found.entries(f.FALL_HAND))
        return self._table("eliminations", columns)

    def pair_chains(self) -> Any:
        """Return the view `pair_chains`."""
        columns = self._numbers(f.CHAIN)
        ends = _offsets(columns["passed_end"] - self.found.starts[f.PASSED_BY])
        by, cards = self.found.entries(f.PASSED_BY), self.found.entries(f.PASSED_CARD)
        columns["cards"] = token_lists(ends, cards)
        others = np.ones(len(by), np.bool_)
        others[ends[:-1]] = False
        columns["deflected_by"] = pa.ListArray.from_arrays(
            pa.array(ends - np.arange(len(ends), dtype=np.int32)), pa.array(by[others].astype(np.int32))
        )
        return self._table("pair_chains", columns)

    def rounds(self) -> Any:
        """Return the view `rounds`."""
        columns = self._numbers(f.ROUND)
        columns["from_position"] = np.zeros(len(columns["round"]), np.bool_)
        return self._table("rounds", columns)

    def card_use(self) -> Any:
        """Return the view `card_use`."""
        return self._table("card_use", self._numbers(f.USE))

    def card_totals(self) -> Any:
        """Return the view `card_totals`."""
        return self._table("card_totals", self._numbers(f.SUM))

    def phases(self) -> Any:
        """Return the view `phases`."""
        return self._table("phases", self._numbers(f.PHASES))

    def players(self) -> Any:
        """Return the view `players`."""
        columns = self._numbers(f.PLAYER)
        players = [player for start in self.starts for player in start.players]
        game = np.repeat(np.arange(len(self.games)), self.seats)
        columns |= {
            "player": list(map(player_key, players)),
            "name": [player.name for player in players],
            "bot": [player.bot for player in players],
            "won": [
                seat in found.winners if completed else None
                for found, completed in zip(self.games, self.completed.tolist(), strict=True)
                for seat in range(len(found.start.players))
            ],
            "id": [player.id for player in players],
            "edition": self.editions.take(game),
            "match": self.matches.take(game),
            "n_players": self.seats[game],
            "completed": self.completed[game],
            "irregular": np.zeros(len(players), np.bool_),
            "started": self.started.take(game),
            "starter": columns["seat"] == self.counted["starter"][game],
        }
        return self._table("players", columns)

    def games_table(self) -> Any:
        """Return the view `games`."""
        games, starts, counted = self.games, self.starts, self.counted
        none = np.zeros(len(games), np.int64)
        ended = counted["reason"] != f.NOTHING
        no_times = counted["first_ms"] == f.NEVER
        columns = {
            "game_id": self.ids,
            "edition": self.editions,
            "match": self.matches,
            "n_players": self.seats,
            "view": [start.view for start in starts],
            "n_events": [game.events for game in games],
            "verdict": ["valid" if game.valid else "unfinished" for game in games],
            "winners": [
                game.winners if is_over else None for game, is_over in zip(games, ended, strict=True)
            ],
            "reason": _words(counted["reason"], _END_REASONS),
            "started_at": [start.started_at for start in starts],
            "file": [game.chunk.file for game in games],
            "completed": self.completed,
            "irregular": none,
            "started": self.started,
            "dealer": [start.dealer for start in starts],
            "starter": np.where(counted["n_rounds"] > 0, counted["starter"], f.NOTHING),
            "max_total": self._of_rules([ruleset.max_total for ruleset, _, _ in self.rulesets], pa.int32()),
            "ruleset": self._of_rules([written for _, written, _ in self.rulesets]),
            "version": [start.version for start in starts],
            "app": [None if start.source is None else start.source.app for start in starts],
            "n_irregular": none,
            "n_voided": none,
            "warnings": none,
            "unverified": [game.unverified for game in games],
            "duration_ms": np.where(no_times, f.NEVER, counted["last_ms"] - counted["first_ms"]),
            "line": [game.chunk.line for game in games],
            "log_digest": [game.log_digest for game in games],
            "lines_digest": [
                None if game.lines_digest == game.log_digest else game.lines_digest for game in games
            ],
            "raw_digest": [None] * len(games),
            "imported": np.full(len(games), self.imported),
        }
        return self._table("games", counted | columns | self._hashes())

    def _hashes(self) -> dict[str, list[str | None]]:
        """Return the columns that tell games apart by their play."""
        played, seen = (self.found.entries(which).data for which in (f.PLAYED, f.SEEN))
        until = [(self.found.ends(which) - self.found.starts[which]).tolist() for which in (f.PLAYED, f.SEEN)]
        heads = (self.counted["head_end"] - self.found.starts[f.SEEN]).tolist()
        has_head = (self.counted["head_end"] != f.NOTHING).tolist()
        options = [told.encode() for _, _, told in self.rulesets]
        hashes: list[tuple[str, str, str | None]] = []
        begun = seen_from = 0
        for which, end, seen_to, head, is_there in zip(self.which, *until, heads, has_head, strict=True):
            told = options[which]
            head_hash = _short(told, seen[seen_from:head]) if is_there else None
            hashes.append((_short(told, played[begun:end]), _short(told, seen[seen_from:seen_to]), head_hash))
            begun, seen_from = end, seen_to
        return dict(
            zip(("play_hash", "table_hash", "head_hash"), map(list, zip(*hashes, strict=True)), strict=True)
        )


def _short(options: bytes, told: memoryview) -> str:
    hashed = hashlib.blake2b(options, digest_size=8)
    hashed.update(told)
    return hashed.hexdigest()


def _words(places: np.ndarray, words: Sequence[str]) -> Any:
    """Return a column of words by their places; `NOTHING` is null."""
    return pa.array(words).take(pa.array(places, mask=places == f.NOTHING))


def _offsets(ends: np.ndarray) -> np.ndarray:
    """Return where each list begins and the last one ends."""
    offsets = np.zeros(len(ends) + 1, np.int32)
    offsets[1:] = ends
    return offsets


def _nullable(column: np.ndarray) -> Any:
    return pa.array(column.astype(np.uint8), mask=column == f.NOTHING)


def _array(column: Any, kind: Any) -> Any:
    if isinstance(column, np.ndarray):
        empty = column <= f.NOTHING if column.dtype == np.int64 else None
        if pa.types.is_boolean(kind):
            values = column.astype(np.bool_)
        else:
            values = column.astype(kind.to_pandas_dtype())
        return pa.array(values, kind, mask=empty if empty is not None and empty.any() else None)
    return pa.array(column, kind)
