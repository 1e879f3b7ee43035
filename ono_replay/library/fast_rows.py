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
        self.rulesets = {}  # type: dict[bytes, tuple[Ruleset, str, str]]
        self.about = [self._about(game.start) for game in games]
        self.by_game = {name: column.tolist() for name, column in found.of_games().items()}
        self.completed = [reason == 0 for reason in self.by_game["reason"]]
        self.started = [utc(game.start.started_at) for game in games]
        self.views: dict[str, Callable[[], Any]] = {
            "games": self.games_table, "players": self.players, "rounds": self.rounds, "events": self.events,
            "details": self.details, "decisions": self.decisions, "eliminations": self.eliminations,
            "pair_chains": self.pair_chains, "card_use": self.card_use, "card_totals": self.card_totals,
            "phases": self.phases,
        }  # fmt: skip

    def _about(self, start: GameStart) -> tuple[Ruleset, str, str]:
        """Return the ruleset of a game, as it is written, and by its differences."""
        written = encode_value(start.ruleset)
        known = self.rulesets.get(written)
        if known is None:
            ruleset = make_ruleset(start.ruleset)
            options = encode_value(differing_options(ruleset)).decode()
            known = self.rulesets[written] = (ruleset, written.decode(), options)
        return known

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
        rows = [
            (
                player_key(player), player.name, player.bot, seat in game.winners if completed else None, player.id,
                ruleset.edition, ruleset.match, len(game.start.players), completed, False, started, starter == seat,
            )
            for game, (ruleset, _, _), completed, started, starter in zip(
                self.games, self.about, self.completed, self.started, self.by_game["starter"], strict=True
            )
            for seat, player in enumerate(game.start.players)
        ]  # fmt: skip
        names = (
            "player", "name", "bot", "won", "id", "edition", "match", "n_players", "completed", "irregular", "started",
            "starter",
        )  # fmt: skip
        return self._table(
            "players", columns | dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))
        )

    def games_table(self) -> Any:
        """Return the view `games`."""
        played, seen = (self.found.entries(which).data for which in (f.PLAYED, f.SEEN))
        ends = {
            which: (self.found.ends(which) - self.found.starts[which]).tolist()
            for which in (f.PLAYED, f.SEEN)
        }
        rows: list[tuple[Any, ...]] = []
        begun = (0, 0)
        keys = (
            "n_rounds",
            "n_plays",
            "n_decisions",
            "n_eliminations",
            "n_unknown",
            "starter",
            "first_ms",
            "last_ms",
            "reason",
            "head_end",
        )
        numbers = zip(*(self.by_game[key] for key in keys), strict=True)
        for place, (game, (ruleset, written, options), counted) in enumerate(
            zip(self.games, self.about, numbers, strict=True)
        ):
            n_rounds, n_plays, n_decisions, n_eliminations, n_unknown, starter, first, last, reason, head = (
                counted
            )
            start, chunk = game.start, game.chunk
            ended = reason != f.NOTHING
            until = ends[f.PLAYED][place], ends[f.SEEN][place]
            told = options.encode()
            head_end = head - int(self.found.starts[f.SEEN])
            rows.append((
                start.game_id, ruleset.edition, ruleset.match, len(start.players), start.view, n_rounds, game.events,
                n_plays, "valid" if game.valid else "unfinished", game.winners if ended else None,
                ("abandoned" if reason else "completed") if ended else None, start.started_at, chunk.file,
                self.completed[place], False, self.started[place], start.dealer, starter if n_rounds else None,
                ruleset.max_total, written, start.version, None if start.source is None else start.source.app,
                n_decisions, n_eliminations, 0, 0, n_unknown, 0, game.unverified,
                None if first == f.NEVER else last - first, chunk.line, game.log_digest,
                None if game.lines_digest == game.log_digest else game.lines_digest, None,
                _short(told, played[begun[0] : until[0]]), _short(told, seen[begun[1] : until[1]]),
                None if head == f.NOTHING else _short(told, seen[begun[1] : head_end]), self.imported,
            ))  # fmt: skip
            begun = until
        schema = SCHEMAS["games"]
        return self._table("games", dict(zip(schema.names, map(list, zip(*rows, strict=True)), strict=True)))


def _short(options: bytes, told: memoryview) -> str:
    hashed = hashlib.blake2b(options, digest_size=8)
    hashed.update(told)
    return hashed.hexdigest()


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
