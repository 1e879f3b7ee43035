"""Where the bytes of a log come from: files, standard input, gzip and zstd, told apart by content.

`ByteSource` opens and counts, `unpack` yields the plain bytes. A compressed stream that breaks off or is
damaged yields every byte that a byte-wise decompressor would, then raises `Cut`.
"""

import contextlib
import os
import re
import stat
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import zstandard

BLOCK = 1 << 18
"""Bytes read from a plain file at a time."""
PACKED_BLOCK = 1 << 16
PIECE = 1 << 20
"""The most that gzip unpacks at a time."""
WINDOW = 1 << 27
"""The largest window a zstd frame may ask for, in bytes of memory."""
BOMB_BYTES = 1 << 32
BOMB_RATIO = 200
"""A stream that unpacks more than `BOMB_RATIO`-fold past `BOMB_BYTES` is refused."""

_GZIP = b"\x1f\x8b"
_ZSTD = b"\x28\xb5\x2f\xfd"
_SKIPPABLE = re.compile(rb"[\x50-\x5f]\x2a\x4d\x18")
_NO_LOG = {
    rb"\x89PNG\r\n\x1a\n": "a PNG picture", rb"\xff\xd8\xff": "a JPEG picture", rb"GIF8[79]a": "a GIF picture",
    rb"RIFF.{4}WEBP": "a WebP picture", rb"II\*\0|MM\0\*": "a TIFF picture", rb"BM.{4}\0{4}": "a BMP picture",
    rb"\0\0\0.ftyp(?:hei|mif|avif)": "a HEIC or AVIF picture",
    rb"\0\0\0.ftyp|\x1aE\xdf\xa3|RIFF.{4}AVI ": "a film", rb"ID3|OggS|fLaC|RIFF.{4}WAVE": "a sound",
    rb"%PDF-": "a PDF document", rb"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1": "an Office document",
    rb"SQLite format 3\0": "an SQLite database", rb"\x7fELF|MZ.{6}\0": "a program",
}  # fmt: skip
"""How files begin that somebody takes for a log by mistake: one sentence instead of a fault for each line.

What is text is read, and judged line by line, whatever it says.
"""
_REFUSED: tuple[tuple[re.Pattern[bytes], str], ...] = tuple(
    (re.compile(pattern, re.DOTALL), advice)
    for pattern, advice in (
        (
            rb"PAR1",
            "this is a Parquet file; `ono-replay convert` makes a log of it, of an archive `ono-replay archive`",
        ),
        (rb"ARROW1|FEA1|\xff\xff\xff\xff..\x00\x00", "Arrow IPC and Feather files are not accepted"),
        (rb"\x80[\x02-\x05]", "pickles are not accepted: they can run programs"),
        (rb".{8}DUCK..\0{6}", "DuckDB files are not accepted"),
        (rb"\x93NUMPY", "NumPy files are not accepted"),
        (rb"PK(?:\x03\x04|\x05\x06)", "this is a zip archive; unpack it first"),
        (rb"\xfd7zXZ\x00", "this is an xz file; unpack it first"),
        (rb"BZh[1-9]1AY&SY", "this is a bzip2 file; unpack it first"),
        (rb"7z\xbc\xaf\x27\x1c", "this is a 7-Zip archive; unpack it first"),
        (rb"Rar!\x1a\x07", "this is a RAR archive; unpack it first"),
        (rb".{257}ustar", "this is a tar archive; unpack it first"),
        *((pattern, f"this is {what}, not a log") for pattern, what in _NO_LOG.items()),
    )
)
_HEAD = 32
"""Bytes that tell what a log is; of what does not begin as one, `_LONG_HEAD` are looked at."""
_LONG_HEAD = 512


class Unreadable(Exception):
    """A source that can not be read at all; its text is a message for people."""


class Cut(Exception):
    """A compressed stream broke off or is damaged; raised after all that it yielded."""


def kind_of(mode: int) -> str:
    """Return in words what a path is that is no regular file.

    >>> kind_of(stat.S_IFIFO), kind_of(stat.S_IFCHR)
    ('a named pipe (read it as standard input: `-`)', 'a device')
    """
    kinds = (
        (stat.S_ISDIR, "a folder"),
        (stat.S_ISFIFO, "a named pipe (read it as standard input: `-`)"),
        (stat.S_ISSOCK, "a socket"),
        (stat.S_ISLNK, "a symbolic link"),
    )
    return next((name for test, name in kinds if test(mode)), "a device")


def open_regular(path: str) -> BinaryIO:
    """Open a regular file for reading, never waiting for a pipe and never touching a device.

    Raises `Unreadable`, which names what the path is instead.
    """
    try:
        found = Path(path).stat()
        if not stat.S_ISREG(found.st_mode):
            raise Unreadable(f"{path}: not a file but {kind_of(found.st_mode)}")
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    except (OSError, ValueError) as error:
        raise Unreadable(f"{path}: {getattr(error, 'strerror', None) or error}") from None
    opened = os.fstat(handle)
    if not stat.S_ISREG(opened.st_mode):
        os.close(handle)
        raise Unreadable(f"{path}: not a file but {kind_of(opened.st_mode)}")
    return os.fdopen(handle, "rb", buffering=0)


class ByteSource:
    """Bytes of one source with a look ahead; counts what was read.

    `-` stands for standard input. Raises `Unreadable` where the source can't be opened or read.
    """

    def __init__(self, source: str | Path | BinaryIO) -> None:
        """Open the source."""
        self.bytes_read = 0
        self.size: int | None = None
        self._ahead = b""
        self._own = False
        if isinstance(source, (str, Path)):
            self.name = str(source)
            if self.name == "-":
                self._file: BinaryIO = sys.stdin.buffer
            else:
                self._file = open_regular(self.name)
                self.size = os.fstat(self._file.fileno()).st_size
                self._own = True
        else:
            self._file = source
            self.name = str(getattr(source, "name", "-"))
        self._read = getattr(self._file, "read1", self._file.read)

    def close(self) -> None:
        """Close what was opened here; a file object that was handed in stays open."""
        if self._own:
            with contextlib.suppress(OSError):
                self._file.close()

    def _more(self, size: int) -> bytes:
        try:
            block: bytes = self._read(size) or b""
        except (OSError, ValueError) as error:
            raise Unreadable(f"{self.name}: {getattr(error, 'strerror', None) or error}") from None
        self.bytes_read += len(block)
        return block

    def peek(self, size: int) -> bytes:
        """Return the next bytes without taking them; fewer only at the end."""
        while len(self._ahead) < size:
            block = self._more(size - len(self._ahead))
            if not block:
                break
            self._ahead += block
        return self._ahead[:size]

    def block(self, size: int) -> bytes:
        """Take some bytes, at most `size`; none only at the end."""
        if self._ahead:
            block, self._ahead = self._ahead[:size], self._ahead[size:]
            return block
        return self._more(size)

    def take(self, size: int) -> bytes:
        """Take the next `size` bytes; fewer only at the end."""
        taken = self.block(size)
        if len(taken) < size:
            parts = [taken]
            missing = size - len(taken)
            while missing and (more := self.block(missing)):
                parts.append(more)
                missing -= len(more)
            taken = b"".join(parts)
        return taken


def unpack(source: ByteSource, max_bytes: int | None = None, size: int = BLOCK) -> Iterator[bytes]:
    """Yield the plain bytes of a source in blocks of bounded size, of what is plain already at most `size`.

    Raises `Unreadable` for a refused kind of file, a failing read, a stream that unpacks suspiciously far
    or past `max_bytes`; and `Cut`, last, for a compressed stream that breaks off or is damaged.
    """
    head = source.peek(_HEAD)
    if not head.startswith(b'{"'):
        _refuse(source, head if len(head) < _HEAD else source.peek(_LONG_HEAD))
    packed = True
    if head.startswith(_GZIP) or head == _GZIP[:1]:
        blocks = _gunzip(source)
    elif head.startswith(_ZSTD) or _SKIPPABLE.match(head) or head in (_ZSTD[:2], _ZSTD[:3]):
        blocks = _unzstd(source)
    else:
        packed = False
        blocks = iter(lambda: source.block(size), b"")
    yielded = 0
    for block in blocks:
        if packed and not yielded:
            _refuse(source, block[:_LONG_HEAD])
        yielded += len(block)
        if max_bytes is not None and yielded > max_bytes:
            # However large the blocks are, what is allowed is read.
            yield block[: len(block) - (yielded - max_bytes)]
            raise Unreadable(f"{source.name}: holds more than the {max_bytes} bytes allowed")
        if packed and yielded > BOMB_BYTES and yielded > BOMB_RATIO * source.bytes_read:
            raise Unreadable(f"{source.name}: unpacks more than {BOMB_RATIO}-fold; this looks like a bomb")
        yield block


def _refuse(source: ByteSource, head: bytes) -> None:
    """Raise `Unreadable` for what begins as something that is no log."""
    for pattern, advice in _REFUSED:
        if pattern.match(head):
            raise Unreadable(f"{source.name}: {advice}")


def _gunzip(source: ByteSource) -> Iterator[bytes]:
    inflater = zlib.decompressobj(31)
    while block := source.block(PACKED_BLOCK):
        while block:
            if inflater.eof:
                inflater = zlib.decompressobj(31)
            before = inflater.copy()
            try:
                plain = inflater.decompress(block, PIECE)
            except zlib.error as error:
                yield from _inflate_bytewise(before, block)
                raise Cut(_gzip_message(str(error))) from None
            if plain:
                yield plain
            block = inflater.unused_data if inflater.eof else inflater.unconsumed_tail
    while not inflater.eof and (plain := inflater.decompress(b"", PIECE)):
        yield plain
    if not inflater.eof:
        raise Cut("the gzip stream ends early")


def _inflate_bytewise(inflater: "zlib._Decompress", block: bytes) -> Iterator[bytes]:
    """Yield what a block gives before it fails, byte by byte."""
    for place in range(len(block)):
        try:
            plain = inflater.decompress(block[place : place + 1])
        except zlib.error:
            return
        if plain:
            yield plain


def _gzip_message(error: str) -> str:
    if "header check" in error or "unknown compression" in error:
        return "something that is no gzip stream follows the gzip stream"
    if "data check" in error or "length check" in error:
        return "the checksum of the gzip stream is wrong"
    return "the gzip stream is damaged"


def _unzstd(source: ByteSource) -> Iterator[bytes]:
    decompressor = zstandard.ZstdDecompressor(max_window_size=WINDOW)
    while magic := source.take(4):
        if magic == _ZSTD:
            yield from _zstd_frame(source, decompressor)
        elif _SKIPPABLE.fullmatch(magic):
            length = source.take(4)
            left = int.from_bytes(length, "little")
            while left and (block := source.block(min(left, PACKED_BLOCK))):
                left -= len(block)
            if left or len(length) < 4:
                raise Cut("the zstd stream ends early")
        elif _ZSTD.startswith(magic):
            raise Cut("the zstd stream ends early")
        else:
            raise Cut("something that is no zstd frame follows the zstd frame")


def _zstd_frame(source: ByteSource, decompressor: zstandard.ZstdDecompressor) -> Iterator[bytes]:
    """Feed one frame piece by piece: a call that fails loses nothing that came before it.

    A block of zstd gives its bytes when it is whole, a raw block at once; so the pieces are the header,
    each block's header and content, and, of a raw block, its last byte.
    """
    frame = decompressor.decompressobj()

    def feed(size: int, piece: bytes = b"") -> Iterator[bytes]:
        taken = source.take(size)
        try:
            plain = frame.decompress(piece + taken)
        except zstandard.ZstdError as error:
            raise Cut(_zstd_message(str(error))) from None
        if plain:
            yield plain
        if len(taken) < size:
            raise Cut("the zstd stream ends early")

    first = source.peek(1)
    if not first:
        raise Cut("the zstd stream ends early")
    descriptor = first[0]
    single = descriptor >> 5 & 1
    header_size = 2 - single + (0, 1, 2, 4)[descriptor & 3] + (single, 2, 4, 8)[descriptor >> 6]
    yield from feed(header_size, _ZSTD)
    last = 0
    while not last:
        block = int.from_bytes(source.peek(3).ljust(3, b"\0"), "little")
        yield from feed(3)
        last, kind, size = block & 1, block >> 1 & 3, block >> 3
        if kind == 1:
            yield from feed(1)
        elif kind == 0 and size > 1:
            yield from feed(size - 1)
            yield from feed(1)
        elif size:
            yield from feed(size)
    if descriptor & 4:
        yield from feed(4)
    if not frame.eof:
        raise Cut("the zstd frame is damaged")


def _zstd_message(error: str) -> str:
    if "checksum" in error:
        return "the checksum of the zstd frame is wrong"
    if "too much memory" in error:
        return f"the zstd frame asks for a window of more than {WINDOW >> 20} MiB"
    return "the zstd frame is damaged"
