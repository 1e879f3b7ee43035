"""The archive: canonical games as Parquet, a row a game, from which a verdict is faster still than from text.

The columns of a game are kept as bytes (see `packing`), so a row group always holds whole games. What the
columns do not say stands beside them as the lines it was in; a game that is not canonical, or has a fault,
is kept as it was. The bytes of the logs come out again as they were put in.

An archive tells which version of its layout it has; the digest in each `game_end` was compared when the
archive was made, and page checksums guard it since.
"""

import contextlib
import hashlib
import itertools
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from ono_replay.bulk.board import BOARD
from ono_replay.bulk.engine import CHUNK, Judged, judge_all
from ono_replay.bulk.kernel import judge
from ono_replay.bulk.layout import NO_TIME, OPEN, STRANGE, WHOLE, Columns, Workspace, records
from ono_replay.bulk.lines_of import lines_of
from ono_replay.bulk.packing import pack_numbers, unpack
from ono_replay.bulk.rulebook import Rulebook
from ono_replay.log.arrow import ParquetOutput
from ono_replay.log.chunks import PADDING, begins_a_game, cut_games
from ono_replay.log.streams import Unreadable, open_regular

LAYOUT = "1"
_LAYOUT_KEY = b"ono-archive-layout"
_BYTES = pa.binary()
SCHEMA = pa.schema(
    [
        ("line", pa.int64()),  # of its first line, from 1, were the archive one log
        ("game_id", pa.string()),
        ("events", pa.int32()),
        ("opening", _BYTES),
        ("kinds", _BYTES),
        ("seats", _BYTES),
        ("cards", _BYTES),
        ("numbers", _BYTES),
        ("lists", _BYTES),
        ("times", _BYTES),  # eight bytes an event, null where the game has none
        ("odd", _BYTES),  # four bytes each: the numbers of the events whose lines say more than the columns
        ("lines", _BYTES),  # and these lines, newlines and all
        ("raw", _BYTES),  # of what is no canonical game without fault: its text; else null
        ("digest", _BYTES),  # the SHA-256 of its text
    ],
    metadata={_LAYOUT_KEY: LAYOUT.encode()},
)
VERDICT_COLUMNS = (
    "line",
    "game_id",
    "events",
    "opening",
    "kinds",
    "seats",
    "cards",
    "numbers",
    "lists",
    "raw",
)
"""What a verdict is made from."""
GAMES_KEY = b"ono-archive-games"
"""The number of rows stands once more: no checksum covers the table of contents of a Parquet file."""
LEVEL = 7
"""Of zstd: an archive is a tenth smaller and read a fifth faster than at the usual 3; writing it takes half as long again."""
GROUP_BYTES = 1 << 25
"""About the text of a row group."""
BATCH_GAMES = 1 << 11


class Archived(NamedTuple):
    """What an archive was made of."""

    games: int
    events: int
    """Of the games that lie in columns."""
    raw: int
    """Those among the games that are kept as they were."""
    strays: int
    """Stretches of lines that belong to no game, kept as they were, too."""
    lines: int
    """Of all that was kept."""


def write_archive(file: BinaryIO, blocks: Iterable[Iterator[bytes]], *, threads: int = 1) -> Archived:
    """Write logs, each as blocks of plain bytes, to an archive.

    Raises what the blocks raise; then what was written is no archive.
    """
    rows = events = raw = strays = lines = 0
    with ParquetOutput(
        file,
        SCHEMA,
        compression="zstd",
        compression_level=LEVEL,
        use_dictionary=False,
        write_page_checksum=True,
    ) as writer:
        for tables, lines in _groups(blocks, threads):  # noqa: B007 - the last is the number of all
            table = pa.concat_tables(tables)
            writer.write_table(table, row_group_size=max(1, table.num_rows))
            rows += table.num_rows
            texts = table.column("raw").drop_null()
            raw += len(texts)
            strays += sum(not begins_a_game(text.as_py()) for text in texts)
            events += pc.sum(table.column("events")).as_py() or 0
        writer.add_key_value_metadata({GAMES_KEY.decode(): str(rows)})
    return Archived(rows - strays, events, raw - strays, strays, lines)


def _groups(sources: Iterable[Iterator[bytes]], threads: int) -> Iterator[tuple[list[Any], int]]:
    """Yield the tables of each row group, and how many lines there were so far."""
    tables: list[Any] = []
    size = 0
    line = 1
    for blocks in sources:
        for found in judge_all(cut_games(blocks, CHUNK), threads=threads):
            if isinstance(found, Judged):
                tables.append(_table_of(found, line))
                size += found.chunk.size
                line += int(found.games["lines"].sum())
            else:
                text = b"".join(found.blocks)
                tables.append(_raw_table(text, line))
                size += len(text)
                line += text.count(b"\n") + (text[-1:] not in (b"", b"\n"))
            if size >= GROUP_BYTES:
                yield tables, line - 1
                tables, size = [], 0
    if tables:
        yield tables, line - 1


def _raw_table(text: bytes, line: int) -> Any:
    row = dict.fromkeys(SCHEMA.names)
    row |= {"line": line, "events": 0, "raw": text, "digest": hashlib.sha256(text).digest()}
    return pa.Table.from_pylist([row], schema=SCHEMA)


def _table_of(judged: Judged, line: int) -> Any:
    """Return the rows of a chunk that begins at a line."""
    games, columns, text = judged.games, judged.columns, judged.chunk.data
    last = games[-1]
    ends = np.append(games["first"], last.first + last.events)
    count = int(ends[-1])
    numbers = np.zeros(count, np.int16)
    pack_numbers(columns, games, numbers)
    clean = (games["found"] == WHOLE) | (games["found"] == OPEN)
    list_ends = np.append(games["lists"], last.lists_end)
    timed = np.append(0, np.cumsum(columns.at_ms[:count] != NO_TIME))
    spans = list(zip(games["start"].tolist(), games["end"].tolist(), strict=True))
    second = np.append(columns.line[:count], 0)[np.minimum(ends[:-1] + 1, count)]
    openings = np.where(games["events"] > 1, second, games["end"]).tolist()
    ids = zip(games["id_start"].tolist(), games["id_end"].tolist(), strict=True)
    odd, lines = _odd_lines(judged, ends)
    kept = clean.tolist()
    arrays = [
        pa.array(line + np.append(0, np.cumsum(games["lines"])[:-1])),
        pa.array(
            [text[start:end].decode() if good else None for good, (start, end) in zip(kept, ids, strict=True)]
        ),
        pa.array(np.where(clean, games["events"], 0), pa.int32()),
        pa.array(
            [
                text[start:end] if good else None
                for good, (start, _), end in zip(kept, spans, openings, strict=True)
            ],
            _BYTES,
        ),
        _bytes_of(columns.kind[:count], ends, clean),
        _bytes_of(columns.seat[:count], ends, clean),
        _bytes_of(columns.card[:count], ends, clean),
        _bytes_of(numbers, ends, clean),
        _bytes_of(columns.pool[: int(list_ends[-1])], list_ends, clean),
        _bytes_of(columns.at_ms[:count], ends, clean & (timed[ends[1:]] > timed[ends[:-1]])),
        pa.array([found if good else None for good, found in zip(kept, odd, strict=True)], _BYTES),
        pa.array([found if good else None for good, found in zip(kept, lines, strict=True)], _BYTES),
        pa.array(
            [None if good else text[start:end] for good, (start, end) in zip(kept, spans, strict=True)],
            _BYTES,
        ),
        pa.array([hashlib.sha256(memoryview(text)[start:end]).digest() for start, end in spans], _BYTES),
    ]
    return pa.Table.from_arrays(arrays, schema=SCHEMA)


def _bytes_of(values: np.ndarray, ends: np.ndarray, valid: np.ndarray) -> Any:
    """Return values as one run of bytes a game, null where it is not valid."""
    offsets = (ends * values.itemsize).astype(np.int32)
    mask = np.packbits(valid, bitorder="little")
    buffers = [pa.py_buffer(mask), pa.py_buffer(offsets), pa.py_buffer(values.copy())]
    return pa.Array.from_buffers(_BYTES, len(valid), buffers)


def _odd_lines(judged: Judged, ends: np.ndarray) -> tuple[list[bytes], list[bytes]]:
    """Return, by game, the numbers of events whose lines say more than the columns, and these lines."""
    columns, text, games = judged.columns, judged.chunk.data, judged.games
    count = int(ends[-1])
    places = np.flatnonzero(columns.odd[:count])
    game_of = np.searchsorted(ends, places, side="right") - 1
    numbers = places - ends[game_of]
    later = numbers > 0  # the first line has a column of its own
    places, game_of, numbers = places[later], game_of[later], numbers[later]
    is_last = places + 1 == ends[game_of + 1]
    starts = columns.line[places].tolist()
    stops = np.where(is_last, games["end"][game_of], np.append(columns.line[:count], 0)[places + 1]).tolist()
    cuts = np.searchsorted(game_of, np.arange(len(games) + 1)).tolist()
    pieces = [text[start:stop] for start, stop in zip(starts, stops, strict=True)]
    packed = numbers.astype(np.int32)
    odd = [packed[start:stop].tobytes() for start, stop in itertools.pairwise(cuts)]
    return odd, [b"".join(pieces[start:stop]) for start, stop in itertools.pairwise(cuts)]


# --- reading ----------------------------------------------------------------------------------------


class ArchiveRows(NamedTuple):
    """Some rows of an archive, judged; good until the next ones are asked for."""

    batch: Any
    """The rows as an Arrow record batch."""
    games: np.ndarray
    """A `layout.GAME` record a row; `STRANGE` where only its text is there."""
    columns: Columns


def read_archive(path: str | Path, columns: Iterable[str] = VERDICT_COLUMNS) -> Iterator[Any]:
    """Yield the rows of an archive as Arrow record batches; checksums are verified.

    Raises `Unreadable` for what is no archive of this layout, or damaged.
    """
    with open_regular(str(path)) as file, _plain_faults(path):
        parquet = pq.ParquetFile(file, page_checksum_verification=True, pre_buffer=False)
        layout = (parquet.schema_arrow.metadata or {}).get(_LAYOUT_KEY)
        if not parquet.schema_arrow.equals(SCHEMA) or layout != LAYOUT.encode():
            raise Unreadable(f"{path}: this Parquet file is no archive of layout {LAYOUT}")
        told, found = (parquet.metadata.metadata or {}).get(GAMES_KEY), 0
        for batch in parquet.iter_batches(BATCH_GAMES, columns=list(columns), use_threads=False):
            batch.validate(full=True)
            found += len(batch)
            yield batch
        if told != str(found).encode():
            raise Unreadable(
                f"{path}: the archive is damaged: it has {found:,} rows, and not as many as were put in"
            )


@contextlib.contextmanager
def _plain_faults(path: str | Path) -> Iterator[None]:
    try:
        yield
    except (OSError, pa.ArrowException, UnicodeDecodeError, OverflowError, MemoryError) as error:
        words = str(error).strip().splitlines() or [type(error).__name__]
        raise Unreadable(f"{path}: the archive is damaged: {words[0][:200]}") from None


class ArchiveJudge:
    """Judges rows of archives; its buffers are used over and over."""

    def __init__(self) -> None:
        """Begin with small buffers."""
        self._space = Workspace()
        self._rulebook = Rulebook()
        self._boards = records(1, BOARD)

    def judge(self, batch: Any) -> ArchiveRows:
        """Replay the games of a record batch with `VERDICT_COLUMNS`.

        Raises `ValueError` for columns that no archive has.
        """
        games, columns, openings, known = self._unpack(batch)
        spans = self._space.rulesets[:known].tolist()
        rulebook, places = self._rulebook.look_up([openings[start : start + size] for start, size in spans])
        games["ruleset"] = np.array(places or [0], np.int32)[games["ruleset"]]
        judge(columns, games, rulebook, self._boards)
        return ArchiveRows(batch, games, columns)

    def _unpack(self, batch: Any) -> tuple[np.ndarray, Columns, bytes, int]:
        openings, opening_ends = _blob(batch, "opening", np.uint8)
        parts = [_blob(batch, name, kind) for name, kind in _PARTS]
        ends = parts[0][1]
        if any(not np.array_equal(ends, other) for _, other in parts[1:4]):
            raise ValueError("columns of one game have different lengths")
        pool, list_ends = parts[4]
        self._make_room(int(ends[-1]), len(pool), len(batch))
        space, count = self._space, int(ends[-1])
        columns = space.columns
        for column, (values, _) in zip((columns.kind, columns.seat, columns.card), parts, strict=False):
            column[:count] = values
        columns.pool[: len(pool)] = pool
        games = space.games[: len(batch)]
        games[:] = 0
        games["found"] = STRANGE
        games["first"], games["events"] = ends[:-1], np.diff(ends)
        games["lists"], games["lists_end"] = list_ends[:-1], list_ends[1:]
        text = openings.tobytes() + PADDING
        address = np.frombuffer(text, np.uint8).ctypes.data
        numbers = np.append(parts[3][0], np.int16(0))
        known = unpack(address, opening_ends[1:], numbers, columns, games, space.rulesets, space.lines)
        if known < 0:
            raise ValueError("a game is none")
        return games, columns, text, known

    def _make_room(self, events: int, pool: int, games: int) -> None:
        space = self._space
        if len(space.columns.kind) < events or len(space.columns.pool) < pool or len(space.games) < games:
            # Some more, as for text.
            self._space = Workspace(events=events * 9 // 8 + 2, pool=pool * 9 // 8 + 64, games=games)


_PARTS = (
    ("kinds", np.uint8),
    ("seats", np.uint8),
    ("cards", np.uint8),
    ("numbers", np.int16),
    ("lists", np.int32),
)


def _blob(batch: Any, name: str, kind: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return all values of a column of bytes, and where those of each row begin and end among them."""
    array = batch.column(name)
    _, offsets, data = array.buffers()
    size = np.dtype(kind).itemsize
    ends = np.frombuffer(offsets, np.int32)[array.offset : array.offset + len(array) + 1].astype(np.int64)
    start, stop = int(ends[0]), int(ends[-1])
    ends -= start
    if np.any(ends % size):
        raise ValueError(f"the column {name} has half a value")
    return np.frombuffer(data or b"", np.uint8)[start:stop].view(kind), ends // size


def text_of(batch: Any, rows: ArchiveRows, row: int) -> bytes:
    """Return the text of a row of a record batch with all columns.

    Raises `ValueError` where it is not what was put in.
    """
    raw = batch.column("raw")[row].as_py()
    if raw is None:
        game = rows.games[row]
        numbers = np.frombuffer(batch.column("odd")[row].as_py() or b"", np.int32).tolist()
        lines = (batch.column("lines")[row].as_py() or b"").splitlines()
        odd = dict(zip(numbers, lines, strict=True)) | {0: batch.column("opening")[row].as_py().rstrip(b"\n")}
        times = batch.column("times")[row].as_py()
        at_ms = np.full(game.events, NO_TIME) if times is None else np.frombuffer(times, np.int64)
        rows.columns.at_ms[game.first : game.first + game.events] = at_ms
        raw = b"".join(
            line + b"\n" for line in lines_of(rows.columns, int(game.first), int(game.events), odd)
        )
    if hashlib.sha256(raw).digest() != batch.column("digest")[row].as_py():
        raise ValueError("a game is not what was put in")
    return bytes(raw)


def read_texts(path: str | Path) -> Iterator[bytes]:
    """Yield the text of each row of an archive: together they are the logs that it was made of.

    Raises `Unreadable`.
    """
    alone = ArchiveJudge()
    for batch in read_archive(path, SCHEMA.names):
        try:
            rows = alone.judge(batch)
            yield from (text_of(batch, rows, row) for row in range(len(batch)))
        except ValueError as reason:
            raise Unreadable(f"{path}: the archive is damaged: {reason}") from None
