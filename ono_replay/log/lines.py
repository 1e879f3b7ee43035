r"""The lines of a log, numbered, in bounded memory, whatever the bytes are.

>>> import io
>>> for line in read_lines(io.BytesIO(b'{"seq":0}\r\n\n{"se')):
...     print(line.number, line.raw, line.torn)
1 b'{"seq":0}' False
3 b'{"se' True
"""

import contextlib
import glob
import os
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO, cast, overload

import msgspec

from ono_replay.log.streams import BLOCK, ByteSource, Cut, Unreadable, kind_of, unpack

__all__ = [
    "LONGEST",
    "CutStream",
    "Line",
    "LineReader",
    "LongLine",
    "Names",
    "Unreadable",
    "find_logs",
    "one_or_many",
    "read_lines",
    "split_lines",
    "total_size",
]

LONGEST = 1 << 20
"""The longest line, in bytes, without its newline."""
SUFFIXES = (".jsonl", ".jsonl.gz", ".jsonl.zst")
"""What a folder's logs are called."""
MOST_TOLD = 20
"""How many links, pipes and devices of a folder are told of."""
_BOM = b"\xef\xbb\xbf"
_HEAD = 1000
"""Bytes of a line in which its type is looked for."""

Source = str | Path | BinaryIO
"""What a log is read from."""


class Line(msgspec.Struct, frozen=True):
    """One line that is not blank."""

    number: int
    """Counted from 1, blank lines included."""
    raw: bytes
    """Without newline and byte-order mark."""
    torn: bool = False
    """The last line, and it has no newline."""


class LongLine(msgspec.Struct, frozen=True):
    """A line of more than `LONGEST` bytes; what it says is skipped."""

    number: int


class CutStream(msgspec.Struct, frozen=True):
    """The compressed stream breaks off here or is damaged; nothing follows."""

    message: str


class Names(msgspec.Struct):
    """How many names in folders may be looked at; who only wants some logs need not wait for a million names."""

    left: int
    more: bool = False
    """Whether there were more, which were not looked at."""

    def take(self) -> bool:
        """Count one name; return whether it may be looked at."""
        self.more = not self.left
        self.left -= not self.more
        return not self.more


class LineReader:
    r"""The lines of one source, to be iterated once, with the progress beside.

    `source` is a path (`-` is standard input) or a binary file; plain, gzip or zstd. Raises `Unreadable`
    where the source can't be opened or read, is of a refused kind, unpacks like a bomb or to more than
    `max_bytes`.

    >>> import io
    >>> reader = LineReader(io.BytesIO(b"{}\n"))
    >>> list(reader), reader.bytes_read
    ([Line(number=1, raw=b'{}', torn=False)], 3)
    """

    def __init__(self, source: str | Path | BinaryIO, *, max_bytes: int | None = None) -> None:
        """Open the source."""
        self._source = ByteSource(source)
        self._max_bytes = max_bytes
        self.name = self._source.name
        self.size = self._source.size
        """The bytes of a regular file, else None."""

    @property
    def bytes_read(self) -> int:
        """Bytes read from the source so far, as they are stored."""
        return self._source.bytes_read

    def close(self) -> None:
        """Close the source, if it was opened here; the end of the iteration does it, too."""
        self._source.close()

    def __iter__(self) -> Iterator[Line | LongLine | CutStream]:
        """Yield the lines."""
        try:
            yield from split_lines(unpack(self._source, self._max_bytes))
        finally:
            self._source.close()

    def blocks(self, size: int = BLOCK) -> Iterator[bytes]:
        """Yield the plain bytes instead of the lines, of plain files so many at a time; raises `log.streams.Cut` as well."""
        try:
            yield from unpack(self._source, self._max_bytes, size)
        finally:
            self._source.close()


def read_lines(
    source: str | Path | BinaryIO, *, max_bytes: int | None = None
) -> Iterator[Line | LongLine | CutStream]:
    """Yield the lines of a source that are not blank, too long ones and a cut in their places.

    Takes and raises what `LineReader` does.
    """
    return iter(LineReader(source, max_bytes=max_bytes))


def split_lines(blocks: Iterator[bytes], *, before: int = 0) -> Iterator[Line | LongLine | CutStream]:
    """Yield the lines of plain bytes that come in blocks, `before` lines of the source gone before."""
    number = before
    begun: list[bytes] = []
    length = 0
    skipping = False
    cut: str | None = None
    while True:
        try:
            block = next(blocks, None)
        except Cut as error:
            cut = str(error)
            break
        if block is None:
            break
        pieces = block.split(b"\n")
        rest = pieces.pop()
        if pieces:
            if skipping:
                skipping = False
                del pieces[0]
            elif begun:
                begun.append(pieces[0])
                pieces[0] = b"".join(begun)
            begun, length = [], 0
            for piece in pieces:
                number += 1
                if len(piece) > LONGEST or piece[-1:] == b"\r" or piece[:1] == b"\xef":
                    piece = _trim(piece, number)
                    if len(piece) > LONGEST:
                        yield LongLine(number)
                        continue
                if piece and not piece.isspace():
                    yield Line(number, piece)
        if rest and not skipping:
            begun.append(rest)
            length += len(rest)
            if length > LONGEST + len(_BOM) + 1:
                number += 1
                yield LongLine(number)
                begun, length, skipping = [], 0, True
    yield from _end(number + 1, _trim(b"".join(begun), number + 1), cut)


def _trim(line: bytes, number: int) -> bytes:
    # Files glued together carry a mark before a later game, too; anywhere else it is no part of a log.
    while line.startswith(_BOM) and (number == 1 or b'"game_start"' in line[:_HEAD]):
        line = line[len(_BOM) :]
    return line[:-1] if line.endswith(b"\r") else line


def _end(number: int, rest: bytes, cut: str | None) -> Iterator[Line | LongLine | CutStream]:
    """Yield the last line if it has no newline; of a cut stream only if it is whole all the same."""
    if rest and not rest.isspace() and (cut is None or _is_whole(rest)):
        yield LongLine(number) if len(rest) > LONGEST else Line(number, rest, torn=True)
    if cut is not None:
        yield CutStream(cut)


def _is_whole(line: bytes) -> bool:
    try:
        msgspec.json.decode(line, type=dict[str, msgspec.Raw])
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return False
    return True


@overload
def one_or_many(given: str | Iterable[str]) -> Iterable[str]: ...
@overload
def one_or_many(given: str | Path | Iterable[str | Path]) -> Iterable[str | Path]: ...
@overload
def one_or_many(given: Source | Iterable[Source]) -> Iterable[Source]: ...
def one_or_many(given: Source | Iterable[Source]) -> Iterable[Source]:
    """Return what many stand for: a single text, path or file is that one, not its letters or lines.

    >>> list(one_or_many("a.ono.jsonl")), list(one_or_many(["a", "b"]))
    (['a.ono.jsonl'], ['a', 'b'])
    """
    if isinstance(given, str | Path) or hasattr(given, "read"):
        return (cast("Source", given),)
    return given


def find_logs(
    paths: str | Path | Iterable[str | Path],
    *,
    passed_by: list[str] | None = None,
    names: Names | None = None,
) -> Iterator[str]:
    """Yield the logs that one or many paths stand for: files, folders (all below, in name order), patterns, `-`.

    Links given by name are followed, those inside folders are not; `passed_by` gets messages on the first
    of them, and on what is called a log there and is no file. With `names` no more of them are looked at; then those
    of the last folder are some that the system gave, in name order. Raises `Unreadable` for a path that does not
    exist or can't be read, and for a folder without logs, as far as it was looked at whole.
    """
    for path in map(str, one_or_many(paths)):
        if path == "-" or not stat.S_ISDIR(_mode(path)):
            yield from _named(path, passed_by, names)
            continue
        told: list[str] = []
        empty = True
        for found in _walk(path, told, names):
            empty = False
            yield found
        if empty and not (names and names.more):
            reasons = "".join(f"; {reason}" for reason in told[:3])
            raise Unreadable(f"{path}: there are no logs in this folder (*{', *'.join(SUFFIXES)}){reasons}")
        if passed_by is not None:
            passed_by.extend(told)


def total_size(sources: Source | Iterable[Source]) -> int | None:
    """Return the bytes of one or many files, None where one is read as it comes; what can't be looked at counts 0."""
    total = 0
    for path in one_or_many(sources):
        if not isinstance(path, str | Path) or str(path) == "-":
            return None
        with contextlib.suppress(OSError, ValueError):
            total += Path(path).stat().st_size
    return total


def _mode(path: str) -> int:
    """Return what kind of thing a path is, links followed; 0 for nothing."""
    try:
        return Path(path).stat().st_mode
    except (OSError, ValueError):
        return 0


def _named(path: str, passed_by: list[str] | None, names: Names | None) -> Iterator[str]:
    if path == "-" or _mode(path):
        yield path
        return
    if os.path.lexists(path):
        raise Unreadable(f"{path}: the link leads nowhere, or its folder can't be read")
    pattern = path if glob.has_magic(path) else ""
    matches = sorted(glob.glob(pattern, recursive=True))  # noqa: PTH207 - Path.glob takes no absolute patterns
    if not matches:
        raise Unreadable(f"{path}: no such file or folder")
    yield from find_logs(matches, passed_by=passed_by, names=names)


def _walk(folder: str, told: list[str], names: Names | None) -> Iterator[str]:
    """Yield the logs below a folder, however deep it is: one list of names for each folder on the way."""
    waiting = [_look_into(folder, told, names)]
    while waiting:
        found = next(waiting[-1], None)
        if found is None:
            waiting.pop()
        elif not found.endswith(os.sep):
            yield found
        elif names is None or not names.more:
            waiting.append(_look_into(found[:-1], told, names))


def _look_into(folder: str, told: list[str], most: Names | None) -> Iterator[str]:
    """Yield the logs and, with a separator at the end, the folders in a folder."""
    # Of a million files the names alone are kept.
    names, folders = [], set()
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                if most is not None and not most.take():
                    break
                is_folder = entry.is_dir(follow_symlinks=False)
                if is_folder:
                    folders.add(entry.name)
                if is_folder or (entry.name.endswith(SUFFIXES) and entry.is_file(follow_symlinks=False)):
                    names.append(entry.name)
                elif len(told) < MOST_TOLD and (
                    entry.name.endswith(SUFFIXES) or (entry.is_symlink() and entry.is_dir())
                ):
                    kind = kind_of(entry.stat(follow_symlinks=False).st_mode)
                    told.append(f"{entry.path}: passed by, it is {kind}")
    except OSError as error:
        raise Unreadable(f"{folder}: {error.strerror or error}") from None
    names.sort()
    for name in names:
        yield os.path.join(folder, name, *([""] if name in folders else ()))  # noqa: PTH118 - text, a million times
