r"""A source cut into games without reading them: the bytes of each, as they stand, and where they stand.

>>> import io
>>> log = b'oops\n{"seq":0,"type":"game_start"}\n{"seq":1}\n{"type":"game_start"}\n'
>>> for chunk in read_chunks(io.BytesIO(log)):
...     print(chunk.line, chunk.begins_game, len(chunk.content))
1 False 5
2 True 40
4 True 22
"""

import hashlib
import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

import msgspec

from ono_replay.check.validator import begins_game
from ono_replay.library.hashes import fingerprint
from ono_replay.log.jsonl import LineFault, RawObject, parse_line
from ono_replay.log.lines import LONGEST, CutStream, Line, LineReader, LongLine
from ono_replay.log.parquet import is_parquet, read_parquet
from ono_replay.log.streams import PIECE, ByteSource, Cut, Unreadable, unpack
from ono_replay.rules.events import GameStart

LARGEST_GAME = 1 << 28
"""The most bytes of one game."""
_BOM = b"\xef\xbb\xbf"
_MARK = b"game_start"


class Chunk(msgspec.Struct, frozen=True, array_like=True):
    """The lines of one game, or those before the first one of a source."""

    file: str
    line: int
    """The number of its first line in the source, from 1."""
    content: bytes
    """As it stands in the unpacked source."""
    game_id: str | None = None
    """Of the `game_start`, where it has one."""
    begins_game: bool = False
    cut: str | None = None
    """What is wrong with the compressed stream, which breaks off after this."""

    @property
    def digest(self) -> str:
        """The fingerprint of the content."""
        return fingerprint([self.content])


class ChunkReader(LineReader):
    """The lines of a chunk, numbered as in its source."""

    def __init__(self, chunk: Chunk) -> None:
        """Begin at the first line."""
        super().__init__(io.BytesIO(chunk.content))
        self.name = chunk.file
        self._chunk = chunk

    def __iter__(self) -> Iterator[Line | LongLine | CutStream]:
        """Yield the lines."""
        before = self._chunk.line - 1
        for line in super().__iter__():
            if isinstance(line, CutStream):  # pragma: no cover - plain bytes are never cut
                continue
            if self._chunk.cut is not None and isinstance(line, Line) and line.torn and not is_whole(line):
                continue
            yield msgspec.structs.replace(line, number=line.number + before)
        if self._chunk.cut is not None:
            yield CutStream(self._chunk.cut)


def is_whole(line: Line) -> bool:
    """Whether the last line of a stream that breaks off is all there."""
    return not isinstance(parse_line(line.raw), LineFault)


class ChunkedSource:
    """A source cut into chunks; iterate it once. `digest` is that of its stored bytes, once it is read."""

    def __init__(self, source: str | Path | BinaryIO) -> None:
        """Open the source, which may be a log as Parquet; raises `log.lines.Unreadable`."""
        self._parquet = str(source) if isinstance(source, str | Path) and _is_parquet(source) else None
        self._source = _HashedSource(source)
        self.name = self._source.name.encode("utf-8", "backslashreplace").decode()

    @property
    def digest(self) -> str:
        """The lower-case hex SHA-256 of the bytes read so far."""
        return self._source.hashed.hexdigest()

    @property
    def bytes_read(self) -> int:
        """Bytes read so far, as they are stored."""
        return self._source.bytes_read

    def __iter__(self) -> Iterator[Chunk]:
        """Yield the chunks; raises `log.lines.Unreadable`."""
        try:
            yield from self._chunks()
        finally:
            self._source.close()

    def _chunks(self) -> Iterator[Chunk]:
        blocks = (
            unpack(self._source) if self._parquet is None else _parquet_lines(self._parquet, self._source)
        )
        waiting = bytearray()
        seen, line = 0, 1
        head: tuple[bool, str | None] = (False, None)
        cut: str | None = None
        while True:
            try:
                block = next(blocks, None)
            except Cut as reason:
                block, cut = None, str(reason)
            searched = len(waiting)
            if block is None:
                end = len(waiting)
            else:
                waiting += block
                end = max(seen, waiting.rfind(b"\n", searched) + 1)
            begun = 0
            for start, game_id in _game_starts(waiting, seen, end):
                if start > begun:
                    content = bytes(memoryview(waiting)[begun:start])
                    yield Chunk(self.name, line, content, head[1], head[0])
                    line += content.count(b"\n")
                begun, head = start, (True, game_id)
            if begun:
                del waiting[:begun]
            seen = max(0, end - begun)
            if block is None:
                break
            if len(waiting) > LARGEST_GAME:
                raise Unreadable(f"{self.name}: line {line}: a game of more than {LARGEST_GAME >> 20} MiB")
        if waiting or cut is not None:
            yield Chunk(self.name, line, bytes(waiting), head[1], head[0], cut)


class _HashedSource(ByteSource):
    def __init__(self, source: str | Path | BinaryIO) -> None:
        super().__init__(source)
        self.hashed = hashlib.sha256()

    def _more(self, size: int) -> bytes:
        block = super()._more(size)
        self.hashed.update(block)
        return block


def _is_parquet(path: str | Path) -> bool:
    return str(path) != "-" and is_parquet(path)


def _parquet_lines(path: str, source: ByteSource) -> Iterator[bytes]:
    """Yield the lines of a log as Parquet, read in a process of its own; the source is only hashed."""
    while source.block(PIECE):
        pass
    for line in read_parquet(path):
        yield line + b"\n"


def _game_starts(content: bytearray, start: int, end: int) -> Iterator[tuple[int, str | None]]:
    """Yield where the lines between two places stand that begin a game, and the game's id."""
    place = start
    while place < end:
        mark = _next_mark(content, place, end)
        if mark < 0:
            return
        first = content.rfind(b"\n", 0, mark) + 1
        last = content.find(b"\n", mark, end)
        last = end if last < 0 else last
        found = _begins(bytes(content[first:last])) if last - first <= LONGEST + 4 else None
        if found is not None:
            yield first, found[0]
        place = last + 1


def _next_mark(content: bytearray, start: int, end: int) -> int:
    """Return where something stands that the first line of a game surely has; -1 for nowhere."""
    plain = content.find(_MARK, start, end)
    # Whoever writes letters as \u0067 may write those of game_start so, too. One byte is found faster than two.
    until = end if plain < 0 else plain
    escaped = content.find(b"\\", start, until)
    if escaped >= 0:
        escaped = content.find(b"\\u", escaped, until)
    return plain if escaped < 0 else escaped


def _begins(line: bytes) -> tuple[str | None] | None:
    while line.startswith(_BOM):
        line = line[len(_BOM) :]
    found: Any = parse_line(line.removesuffix(b"\r"))
    if isinstance(found, LineFault) or not begins_game(found):
        return None
    if isinstance(found, GameStart):
        return (found.game_id,)
    game_id = found.keys.get("game_id") if isinstance(found, RawObject) else None
    return (game_id if isinstance(game_id, str) else None,)


def read_chunks(source: str | Path | BinaryIO) -> Iterator[Chunk]:
    """Yield the chunks of a source: a path (`-` is standard input) or a binary file.

    Raises `log.lines.Unreadable`.
    """
    return iter(ChunkedSource(source))
