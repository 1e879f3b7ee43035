"""Games read out of a library's files: rows by game, and the logs they came from."""

import heapq
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from ono_replay.library.lines import NotAnEvent, event_of
from ono_replay.library.manifest import LibraryFault, Part, Snapshot
from ono_replay.library.tables import SCHEMAS
from ono_replay.log.lines import one_or_many
from ono_replay.log.undo import renumbered, with_digest
from ono_replay.rules.events import Event

FAULTS = (OSError, pa.ArrowException, UnicodeDecodeError, OverflowError, MemoryError)
"""What pyarrow raises for a damaged file."""
_COLUMNS = ("game_id", "seq", "round", "type", "seat", "card", "total", "at_ms", "irregular")


class GameRows(NamedTuple):
    """The rows of one game in one file, as an Arrow table."""

    game_id: str
    rows: Any


class Ids:
    """Ids of games that are looked for, in order."""

    def __init__(self, ids: str | Iterable[str]) -> None:
        """Take one or many ids, each once."""
        self._ids = sorted(set(one_or_many(ids)))
        self._array = pa.array(self._ids, pa.string())

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self._ids)

    def any_between(self, least: str, most: str) -> bool:
        """Whether there is one from `least` to `most`.

        >>> Ids(["b", "d"]).any_between("c", "d"), Ids(["b", "d"]).any_between("c", "cc")
        (True, False)
        """
        place = bisect_left(self._ids, least)
        return place < len(self._ids) and self._ids[place] <= most

    def are_in(self, column: Any) -> Any:
        """Return for each entry of a column whether it is one of them."""
        return pc.is_in(column, self._array)


def read_groups(path: Path, *, columns: Sequence[str] | None = None, ids: Ids | None = None) -> Iterator[Any]:
    """Yield the row groups of a file as Arrow tables, or only the rows of some games.

    Raises `LibraryFault` for a file that is missing or damaged.
    """
    try:
        with pq.ParquetFile(path, page_checksum_verification=True, pre_buffer=False) as file:
            _check_columns(file.schema_arrow, path.stem, columns)
            for number in range(file.metadata.num_row_groups):
                if ids is not None and not _holds(file, number, ids):
                    continue
                table = file.read_row_group(number, columns=columns)
                if ids is not None:
                    table = table.filter(ids.are_in(table.column("game_id")))
                if table.num_rows:
                    yield table
    except FAULTS as error:
        words = str(error).strip().splitlines() or [type(error).__name__]
        raise LibraryFault(
            f"{path}: damaged: {words[0][:200]}; `ono-replay library check` tells more"
        ) from None


def _check_columns(found: Any, view: str, columns: Sequence[str] | None) -> None:
    """Raise `ArrowInvalid` for a file whose columns are not those of its view, as far as they are wanted."""
    if view not in SCHEMAS:
        return
    expected = SCHEMAS[view]
    for name in expected.names if columns is None else columns:
        if found.get_field_index(name) < 0 or found.field(name).type != expected.field(name).type:
            raise pa.ArrowInvalid(f"the column {name} is missing, or of another type")


def _holds(file: Any, group: int, ids: Ids) -> bool:
    """Whether a row group has rows of some games; most often the least and the greatest id, or the ids, tell."""
    statistics = file.metadata.row_group(group).column(0).statistics
    if statistics is not None and statistics.has_min_max:
        least, most = statistics.min, statistics.max
        if not ids.any_between(least, most):
            return False
    return bool(pc.any(ids.are_in(file.read_row_group(group, columns=["game_id"]).column(0))).as_py())


def games_in(table: Any) -> Iterator[GameRows]:
    """Yield the rows of each game of a table in which they stand together."""
    runs = pc.run_end_encode(table.column("game_id").combine_chunks())
    start = 0
    for game_id, end in zip(runs.values.to_pylist(), runs.run_ends.to_pylist(), strict=True):
        yield GameRows(game_id, table.slice(start, end - start))
        start = end


def read_rows(path: Path, **limits: Any) -> Iterator[GameRows]:
    """Yield the rows of each game of a file, in its order; takes what `read_groups` does."""
    for table in read_groups(path, **limits):
        yield from games_in(table)


def merged(files: Iterable[Iterator[GameRows]]) -> Iterator[GameRows]:
    """Yield the rows of games from several files in the order of `game_id`."""
    return heapq.merge(*files, key=lambda found: found.game_id)


def read_logs(
    snapshot: Snapshot, ids: str | Iterable[str] | None = None
) -> Iterator[tuple[str, list[Event]]]:
    """Yield games with their events as `log.undo.finished` gives them, in the order of `game_id`.

    `ids` are those wanted, all where it is None. Raises `LibraryFault` for a damaged library.
    """
    wanted = None if ids is None else Ids(ids)
    parts = [
        _logs_of(snapshot.folder / "parts" / part.name, wanted)
        for part in snapshot.manifest.parts
        if part.rows.get("events")
    ]
    for game_id, rows in heapq.merge(*parts, key=lambda found: found[0]):
        yield game_id, with_digest(renumbered(rows))


def read_log(folder: Path, part: Part, game_id: str) -> list[Event]:
    """Return the events of one game of a part as `log.undo.finished` gives them.

    Raises `LibraryFault` where it is not there, or the part is damaged.
    """
    for _, events in _logs_of(folder / "parts" / part.name, Ids([game_id])):
        return with_digest(renumbered(events))
    raise LibraryFault(f"{folder}: damaged: part {part.name} is without the game {game_id!r}")


def _logs_of(folder: Path, ids: Ids | None) -> Iterator[tuple[str, list[Event]]]:
    details = read_rows(folder / "details.parquet", ids=ids)
    detail = next(details, None)
    for game in read_rows(folder / "events.parquet", columns=_COLUMNS, ids=ids):
        more: dict[int, tuple[Any, Any]] = {}
        if detail is not None and detail.game_id == game.game_id:
            columns = (detail.rows.column(name).to_pylist() for name in ("seq", "cards", "rest"))
            more = {seq: (cards, rest) for seq, cards, rest in zip(*columns, strict=True)}
            detail = next(details, None)
        yield game.game_id, _events_of(game, more, folder)


def _events_of(game: GameRows, more: dict[int, tuple[Any, Any]], folder: Path) -> list[Event]:
    columns = [game.rows.column(name).to_pylist() for name in _COLUMNS]
    nothing = (None, None)
    events = []
    try:
        for values in zip(*columns, strict=True):
            row = dict(zip(_COLUMNS, values, strict=True))
            row["cards"], row["rest"] = more.get(row["seq"], nothing)
            events.append(event_of(row))
    except NotAnEvent as fault:
        raise LibraryFault(f"{folder}: damaged: {fault}") from None
    return events
