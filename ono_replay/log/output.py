"""Writing logs: whole or not at all, packed as the name says."""

import contextlib
import gzip
import os
import secrets
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO, cast

import zstandard

from ono_replay.log.jsonl import write_events
from ono_replay.log.terminal import standard_output
from ono_replay.rules.events import Event

ZSTD_LEVEL = 10


class Unwritable(Exception):
    """A file that can not be written; its text is a message for people."""


class AlreadyThere(Unwritable):
    """A file that holds something and may not be written over."""

    def __init__(self, target: str | Path) -> None:
        """Name the file; how to write over it is told beside the message, as a command says it in another way."""
        super().__init__(f"{target}: exists already")
        self.add_note("overwrite=True writes over it")


def check_free(target: str | Path, *, overwrite: bool) -> None:
    """Raise `AlreadyThere` for a file that is there and holds something, unless it may be written over.

    Raises `Unwritable` for what can not be looked at, as a name that is too long.

    >>> check_free("-", overwrite=False)
    """
    path = Path(target)
    if str(target) == "-" or overwrite:
        return
    try:
        if path.exists() and (not path.is_file() or path.stat().st_size):
            raise AlreadyThere(target)
    except OSError as error:
        raise Unwritable(f"{target}: {error.strerror or error}") from error


def is_read(target: str | Path, sources: Iterable[str | Path]) -> bool:
    """Whether a target is one of the files that it is to be made of, by whatever name or link.

    >>> is_read("-", ["-"])
    False
    """
    if str(target) == "-" or not Path(target).exists():
        return False
    there = Path(target).stat()
    for source in sources:
        with contextlib.suppress(OSError):
            if str(source) != "-" and os.path.samestat(Path(source).stat(), there):
                return True
    return False


@contextlib.contextmanager
def log_writer(path: str | Path) -> Iterator[BinaryIO]:
    """Open a log for writing: gzip for `.gz`, zstd for `.zst`, else plain; `-` is standard output.

    The file appears under its name when the block ends without an exception, synced to the disk; until
    then an old file stays as it was. The same events give the same bytes. Raises `Unwritable`.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with log_writer(f"{folder}/game.ono.jsonl.gz") as file:
    ...         _ = file.write(b"{}")
    ...     Path(folder, "game.ono.jsonl.gz").read_bytes()[:2].hex()
    '1f8b'
    """
    if str(path) == "-":
        out = standard_output()
        yield out
        out.flush()
        return
    target = Path(path)
    try:
        if target.exists() and not target.is_file():
            raise Unwritable(f"{path}: exists and is no file")
        with _replacing(target) as file, _packing(file, target.suffix.lower()) as packed:
            yield packed
    except OSError as error:
        raise Unwritable(f"{path}: {error.strerror or error}") from error


@contextlib.contextmanager
def _replacing(target: Path) -> Iterator[BinaryIO]:
    target = target.resolve()
    draft = target.with_name(f".{target.name[:100]}.{secrets.token_hex(6)}")
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
    try:
        with os.fdopen(handle, "wb", buffering=1 << 18) as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        draft.replace(target)
    except BaseException:
        with contextlib.suppress(OSError):
            draft.unlink()
        raise
    sync_folder(target.parent)


def sync_folder(folder: Path) -> None:
    """Make a new name in a folder last; without it a rename may be lost with the power."""
    if os.name == "posix":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


@contextlib.contextmanager
def _packing(file: BinaryIO, suffix: str) -> Iterator[BinaryIO]:
    if suffix == ".gz":
        with gzip.GzipFile(filename="", fileobj=file, mode="wb", mtime=0) as packed:
            yield cast("BinaryIO", packed)
    elif suffix == ".zst":
        compressor = zstandard.ZstdCompressor(level=ZSTD_LEVEL, write_checksum=True)
        with compressor.stream_writer(file, closefd=False) as writer:
            yield cast("BinaryIO", writer)
    else:
        yield file


def write_log(path: str | Path, events: Iterable[Event], *, overwrite: bool = False) -> int:
    """Write a log and return how many events it has; see `log_writer`.

    A file that exists stays as it is unless it is empty or `overwrite` is given. Raises `Unwritable`.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_log(f"{folder}/empty.ono.jsonl", [])
    0
    """
    check_free(path, overwrite=overwrite)
    with log_writer(path) as file:
        return write_events(events, file)
