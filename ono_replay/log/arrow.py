"""Logs as Parquet: a row for each line, a column for each key; what is read back is the same bytes.

The layout: `game_id` stands in every row of a game; every other column is a key of the format
(schemas/SPECIFICATION.md section 4) and is null where the event has no such key. Objects (`players`, `ruleset`, `shuffle`, `position`,
`source`, `meta`) are JSON text; `extra` holds the keys that the format does not know as one object. A line
that is no event at all stands as it was in `line`.

Reading trusts nothing: exact schema, page checksums, bounded batches. Strangers' files are read in a process
of their own (`log.parquet`); run as a program, this module is that process.
"""

import contextlib
import hashlib
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO, NoReturn

import pyarrow as pa
import pyarrow.parquet as pq

from ono_replay.log.jsonl import canonical, encode_value, event_keys
from ono_replay.log.keys import KEYS
from ono_replay.log.lines import LONGEST
from ono_replay.log.parquet import LENGTH, REFUSED
from ono_replay.log.streams import BOMB_BYTES, BOMB_RATIO, Unreadable, open_regular
from ono_replay.log.strict import LineFault, parse_strictly
from ono_replay.rules.events import Event, GameStart

LAYOUT = "1"
"""The version of the layout; a file of another is refused."""
_LAYOUT_KEY = b"ono-log-layout"
_DIGEST_KEY = b"ono-log-sha256"
"""The SHA-256 of all lines with their newlines: the page checksums leave some damage unseen."""
GROUP_ROWS = 1 << 14
"""Rows of a row group."""
GROUP_BYTES = 1 << 23
"""About the most bytes of a row group, unpacked."""
BATCH_ROWS = 1 << 12
MEMORY = 1 << 28
"""Bytes that the reading process may take for itself."""

_INTEGER, _TEXT, _TEXTS, _INTEGERS = pa.int64(), pa.string(), pa.list_(pa.string()), pa.list_(pa.int64())
_JSON = "json"
_COLUMNS: dict[str, Any] = {
    "game_id": _TEXT, "seq": _INTEGER, "type": _TEXT,
    "round": _INTEGER, "seat": _INTEGER, "card": _TEXT, "total": _INTEGER, "cards": _TEXTS,
    "format": _TEXT, "version": _TEXT, "ruleset": _JSON, "players": _JSON, "dealer": _INTEGER, "view": _TEXT,
    "viewer": _INTEGER, "started_at": _TEXT, "source": _JSON,
    "starter": _INTEGER, "deck": _TEXTS, "shuffle": _JSON, "position": _JSON,
    "count": _INTEGER, "reason": _TEXT, "hand": _TEXTS,
    "winner": _INTEGER, "loser": _INTEGER, "chips": _INTEGERS, "points": _INTEGERS, "scores": _INTEGERS,
    "seed": _TEXT, "winners": _INTEGERS, "digest": _TEXT, "text": _TEXT, "ref": _INTEGER, "to": _INTEGER,
    "at_ms": _INTEGER, "irregular": pa.bool_(), "meta": _JSON, "extra": _JSON, "line": pa.binary(),
}  # fmt: skip
_JSON_COLUMNS = frozenset(name for name, kind in _COLUMNS.items() if kind is _JSON)
SCHEMA = pa.schema(
    [(name, _TEXT if kind is _JSON else kind) for name, kind in _COLUMNS.items()],
    metadata={_LAYOUT_KEY: LAYOUT.encode()},
)
_TAIL = ("at_ms", "irregular", "meta")
_OWN = {name: tuple((key.name, key.required) for key in keys) for name, keys in KEYS.items()}
"""The keys of each type in canonical order, and whether each must be there."""
_KNOWN = {name: frozenset([*(key for key, _ in own), "seq", "type", *_TAIL]) for name, own in _OWN.items()}
_HEAD = frozenset(["seq", "type", *_TAIL])
_FAULTS = (OSError, pa.ArrowException, UnicodeDecodeError, OverflowError, ValueError)
"""What pyarrow raises for a damaged or hostile file."""


class ParquetOutput(pq.ParquetWriter):  # type: ignore[misc]  # pyarrow has no types
    """A Parquet file that is written; where that fails, it is told once, by the call that failed."""

    def close(self) -> None:
        """Write what is left; what can't be written isn't tried again."""
        try:
            super().close()
        finally:
            self.is_open = False

    def __del__(self) -> None:
        # The one of pyarrow closes, fails again, and Python prints that on standard error with a traceback.
        with contextlib.suppress(Exception):
            super().__del__()


def write_parquet(file: BinaryIO, lines: Iterable[Event | bytes]) -> int:
    """Write events, and lines that are none, to a Parquet file and return how many there were.

    >>> import io
    >>> from ono_replay.rules.events import Draw
    >>> write_parquet(io.BytesIO(), [Draw(seq=5, seat=0, card="9")])
    1
    """
    written = 0
    digest = hashlib.sha256()
    with ParquetOutput(
        file, SCHEMA, compression="zstd", compression_level=9, write_page_checksum=True
    ) as writer:
        for rows in _groups(lines, digest.update):
            columns = [[row.get(name) for row in rows] for name in _COLUMNS]
            table = pa.Table.from_arrays(
                [pa.array(column, kind) for column, kind in zip(columns, SCHEMA.types, strict=True)],
                schema=SCHEMA,
            )
            writer.write_table(table, row_group_size=GROUP_ROWS)
            written += len(rows)
        writer.add_key_value_metadata({_DIGEST_KEY.decode(): digest.hexdigest()})
    return written


def _groups(
    lines: Iterable[Event | bytes], tell: Callable[[bytes], object]
) -> Iterator[list[dict[str, Any]]]:
    """Yield rows in groups of bounded size, and tell the bytes of the lines on the way."""
    rows: list[dict[str, Any]] = []
    size = 0
    game_id: str | None = None
    for line in lines:
        if isinstance(line, GameStart):
            game_id = line.game_id
        row: dict[str, Any] = {"line": line} if isinstance(line, bytes) else _row_of(line)
        tell((line if isinstance(line, bytes) else canonical(line)) + b"\n")
        row["game_id"] = game_id
        rows.append(row)
        size += sum(len(value) for value in row.values() if isinstance(value, (str, bytes, tuple)))
        if len(rows) == GROUP_ROWS or size > GROUP_BYTES:
            yield rows
            rows, size = [], 0
    if rows:
        yield rows


def _row_of(event: Event) -> dict[str, Any]:
    keys = event_keys(event)
    known = _KNOWN.get(keys["type"], _HEAD)
    row: dict[str, Any] = {}
    extra: dict[str, Any] = {}
    for name, value in keys.items():
        if name not in known:
            extra[name] = value
        else:
            row[name] = encode_value(value).decode() if name in _JSON_COLUMNS else value
    if extra:
        row["extra"] = encode_value(extra).decode()
    return row


def read_parquet_here(path: str | Path) -> Iterator[bytes]:
    """Yield the lines of a Parquet file without newlines; for files of strangers see `log.parquet`.

    Raises `Unreadable` for what is no Parquet file of this layout, damaged, or unpacks suspiciously far.
    """
    with open_regular(str(path)) as file:
        size = os.fstat(file.fileno()).st_size
        parquet, expected = _open(file, path)
        digest = hashlib.sha256()
        yielded = 0
        for row in _read_rows(parquet, path):
            line = _line_of(row, path)
            digest.update(line + b"\n")
            yielded += len(line) + 1
            if yielded > BOMB_BYTES and yielded > BOMB_RATIO * size:
                raise Unreadable(f"{path}: unpacks more than {BOMB_RATIO}-fold; this looks like a bomb")
            yield line
        if digest.hexdigest().encode() != expected:
            raise Unreadable(
                f"{path}: the Parquet file is damaged: its lines are not those that were written"
            )


def _open(file: BinaryIO, path: str | Path) -> tuple[pq.ParquetFile, bytes | None]:
    """Return a Parquet file of the right layout and the digest that its lines must have."""
    with _plain_faults(path):
        parquet = pq.ParquetFile(file, pre_buffer=False, buffer_size=1 << 16, page_checksum_verification=True)
        schema, told = parquet.schema_arrow, parquet.metadata.metadata or {}
    if any(key.startswith(b"ono-archive") for key in (*told, *(schema.metadata or {}))):
        raise Unreadable(f"{path}: this is an archive; `ono-replay archive {path} --to LOG` writes its logs")
    if not schema.equals(SCHEMA):
        raise Unreadable(f"{path}: this Parquet file is no log: it has other columns than a log has")
    layout = told.get(_LAYOUT_KEY)
    if layout != LAYOUT.encode():
        raise Unreadable(f"{path}: this Parquet file has layout {layout!r}; layout {LAYOUT} is read here")
    return parquet, told.get(_DIGEST_KEY)


def _read_rows(parquet: pq.ParquetFile, path: str | Path) -> Iterator[dict[str, Any]]:
    for batch in _batches(parquet, path):
        columns = {
            name: column.to_pylist()
            for name, column in zip(batch.schema.names, batch.columns, strict=True)
            if column.null_count < len(column)
        }
        if not columns and len(batch):
            raise Unreadable(f"{path}: a row has no column")
        for values in zip(*columns.values(), strict=True):
            yield dict(zip(columns, values, strict=True))


def _batches(parquet: pq.ParquetFile, path: str | Path) -> Iterator[pa.RecordBatch]:
    # A batch may not span row groups: a group is as big as it may be.
    for group in range(parquet.num_row_groups):
        batches = parquet.iter_batches(batch_size=BATCH_ROWS, row_groups=[group], use_threads=False)
        while True:
            with _plain_faults(path):
                batch = next(batches, None)
                if batch is not None:
                    batch.validate(full=True)
            if batch is None:
                break
            yield batch


@contextlib.contextmanager
def _plain_faults(path: str | Path) -> Iterator[None]:
    try:
        yield
    except MemoryError:
        raise Unreadable(f"{path}: takes more memory than a log of this layout may; not read") from None
    except _FAULTS as error:
        words = str(error).strip().splitlines() or [type(error).__name__]
        raise Unreadable(f"{path}: the Parquet file is damaged: {words[0][:200]}") from None


def _line_of(row: Mapping[str, Any], path: str | Path) -> bytes:
    line = row.get("line")
    if line is not None:
        if b"\n" in line or len(line) > LONGEST:
            raise Unreadable(f"{path}: a row is no line")
        return bytes(line)
    name, seq = row.get("type"), row.get("seq")
    if name is None or seq is None:
        raise Unreadable(f"{path}: a row has no seq or no type")
    keys: dict[str, Any] = {"seq": seq, "type": name}
    for key, required in _OWN.get(name, ()):
        value = row.get(key)
        if value is not None:
            keys[key] = _json(value, path) if key in _JSON_COLUMNS else value
        elif required:
            keys[key] = None
    if row.get("extra") is not None:
        extra = _json(row["extra"], path)
        if not isinstance(extra, dict) or extra.keys() & keys.keys():
            raise Unreadable(f"{path}: the column extra of seq {seq} holds no further keys")
        keys.update(extra)
    for key in _TAIL:
        value = row.get(key)
        if value is not None:
            keys[key] = _json(value, path) if key in _JSON_COLUMNS else value
    return encode_value(keys)


def _json(text: str, path: str | Path) -> Any:
    """Return the value of a JSON text, as strictly read as a line."""
    found = parse_strictly(b'{"":' + text.encode() + b"}")
    if isinstance(found, LineFault) or len(found.keys) != 1:
        raise Unreadable(f"{path}: a column holds no JSON: {text[:40]!r}")
    return found.keys[""]


BLOCK = 1 << 16
"""About the bytes of a message of lines."""


def read_blocks(path: str) -> Iterator[bytes]:
    """Yield the lines of a Parquet file, some at a time, each with its newline; raises `Unreadable`."""
    lines: list[bytes] = []
    size = 0
    for line in read_parquet_here(path):
        lines += line, b"\n"
        size += len(line)
        if size > BLOCK:
            yield b"".join(lines)
            lines, size = [], 0
    yield b"".join(lines)


def serve(
    read: Callable[[str], Iterator[bytes]], what: str, most: int, paths: Iterable[str] = ()
) -> NoReturn:
    """Be the reading process: write what is read of one file after another, in so many bytes of memory, and leave.

    The files are `paths`, or those that standard input names. Messages and names have their length before them, and
    an empty message tells that a file is read to its end. It leaves with `REFUSED` and the reason on standard error
    at the first file that can't be read, or would take more, and without a word once it holds a good deal of
    memory; `what` tells what it reads.
    """
    limit_memory(most)
    out = sys.stdout.buffer
    most_held = held_memory() + most // 4
    for path in paths or asked_for(sys.stdin.buffer):
        try:
            for message in filter(None, read(path)):
                out.write(len(message).to_bytes(LENGTH, "little"))
                out.write(message)
            out.write(bytes(LENGTH))
            out.flush()
        except (Unreadable, MemoryError) as reason:
            sys.stderr.write(str(reason) or f"{path}: takes more memory than {what} may; not read")
            sys.stderr.flush()
            os._exit(REFUSED)
        except BrokenPipeError:
            os._exit(1)
        if held_memory() > most_held:
            break
    os._exit(0)


def asked_for(names: BinaryIO) -> Iterator[str]:
    """Yield the paths that are asked for, until nobody asks any more."""
    while head := names.read(LENGTH):
        yield os.fsdecode(names.read(int.from_bytes(head, "little")))


def held_memory() -> int:
    """Return the bytes that this process holds of what `limit_memory` limits; 0 where the system does not say."""
    try:
        return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[5]) * os.sysconf(
            "SC_PAGE_SIZE"
        )
    except (OSError, ValueError, IndexError):
        return 0


def limit_memory(most: int = MEMORY) -> None:
    """Keep this process from taking more than so many bytes, where the system can."""
    try:
        import resource
    except ImportError:  # Windows has none
        return
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_DATA, (most, most))


if __name__ == "__main__":
    serve(read_blocks, "a log", MEMORY, sys.argv[1:])
