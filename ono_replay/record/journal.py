r"""The file of a log while it is recorded: lines are appended, and what was acknowledged is on disk.

One journal is one open log. `append` returns only when its lines are on disk (`durable`); whatever goes
wrong before that leaves the file as it was. `replace` puts the finished log in its place at one stroke.

| mode | `append` returns when | a killed program loses | a power cut may lose |
|---|---|---|---|
| `durable` | the lines are on disk | nothing acknowledged | nothing acknowledged |
| `batch` | the lines are written; synced every 32 lines | nothing acknowledged | the last 31 lines |
| `none` | the lines are written; never synced before the end | nothing acknowledged | about the last minute |

>>> import tempfile
>>> with tempfile.TemporaryDirectory() as folder:
...     with Journal.create(Path(folder, "game.ono.jsonl")) as journal:
...         journal.append(b'{"seq":0}' + NEWLINE)
...     Path(folder, "game.ono.jsonl").read_bytes()
b'{"seq":0}\n'
"""

import contextlib
import os
from pathlib import Path
from types import TracebackType
from typing import Literal, NoReturn, Self, get_args

from ono_replay.record.errors import JournalError, LogExists, LogGone, LogHeld, NotWritten, tell_why
from ono_replay.record.files import OPEN_FLAGS, Files, name_holder

SyncMode = Literal["durable", "batch", "none"]

NEWLINE = b"\n"
BATCH_LINES = 32
"""In the mode `batch`, how many lines are synced together."""
MOST_BYTES = 1 << 30
"""The largest file that can be the open log of a game."""


class Journal:
    """An open log on disk, locked for this writer; a sink of a `Recorder`."""

    def __init__(self, path: Path, descriptor: int, mode: SyncMode, files: Files) -> None:
        """Use `create` or `open`."""
        self.path = path
        self.mode: SyncMode = mode
        self._files = files
        self._descriptor: int | None = descriptor
        self._owner = os.getpid()
        status = os.fstat(descriptor)
        self._identity = (status.st_dev, status.st_ino)
        self._size = status.st_size
        """The bytes that are acknowledged."""
        self._unsynced = b""
        """Those of them that no sync has covered."""
        self._unsynced_lines = 0
        self._spoiled: Literal["", "tail", "handle"] = ""
        """What an error has left to be mended before the next line: bytes past the end, or the handle."""
        self._closed = False

    @classmethod
    def create(cls, path: Path, *, mode: SyncMode = "durable", files: Files | None = None) -> Self:
        """Begin a log where there is none; a file that is there must be empty.

        Raises `LogExists`, `LogHeld`, `NotWritten`.
        """
        _check_mode(mode)
        files = files or Files()
        path = Path(path)
        try:
            descriptor = files.open(path, OPEN_FLAGS | os.O_CREAT | os.O_EXCL)
            new = True
        except FileExistsError:
            descriptor, new = _open(path, files), False
        except OSError as error:
            raise NotWritten(tell_why(path, "the log can not be begun", error)) from error
        try:
            if new:
                _lock(path, descriptor, files)
            if os.fstat(descriptor).st_size:
                raise LogExists(
                    f"{path}: there is a log already; choose another name, or go on with it (Recorder.resume)"
                )
            journal = cls(path, descriptor, mode, files)
        except BaseException:
            files.close(descriptor)
            raise
        try:
            files.sync_folder(path.parent)
        except OSError as error:
            journal.discard()
            raise NotWritten(tell_why(path, "the log can not be begun", error)) from error
        return journal

    @classmethod
    def open(cls, path: Path, *, mode: SyncMode = "durable", files: Files | None = None) -> Self:
        """Open a log to go on with it; `read` it next.

        Raises `FileNotFoundError`, `LogHeld`, `JournalError`.
        """
        _check_mode(mode)
        files = files or Files()
        path = Path(path)
        descriptor = _open(path, files)
        try:
            size = os.fstat(descriptor).st_size
            if size > MOST_BYTES:
                raise JournalError(f"{path}: {size:,} bytes can not be the open log of one game")
            return cls(path, descriptor, mode, files)
        except BaseException:
            files.close(descriptor)
            raise

    def read(self) -> tuple[bytes, bytes]:
        """Return the whole lines and what stands after them, torn by a crash.

        A last line that ends in NUL bytes was never wholly written and counts as torn. Nothing is changed:
        see `set_tail_aside` and `keep_tail`.
        """
        with open(self._handle(), "rb", closefd=False) as file:
            file.seek(0)
            data = file.read()
        end = data.rfind(NEWLINE) + 1
        while end:
            start = data.rfind(NEWLINE, 0, end - 1) + 1
            line = data[start : end - 1]
            if not line.endswith(b"\0") or b"\0" in line.rstrip(b"\0"):
                break
            end = start
        return data[:end], data[end:]

    def set_tail_aside(self, tail: bytes) -> Path:
        """Move a torn tail from the end of the log into a file beside it, and return that file."""
        end = self._size - len(tail)
        beside = _free_name(self.path, f".torn-{end}")
        try:
            self._write_beside(beside, tail)
            self._files.truncate(self._handle(), end)
            self._files.sync(self._handle())
        except OSError as error:
            raise NotWritten(tell_why(self.path, "the torn last line can not be put aside", error)) from error
        self._size = end
        return beside

    def keep_tail(self) -> None:
        """Give a last line that is whole the newline it lacks."""
        self.append(NEWLINE)

    def append(self, lines: bytes) -> None:
        """Put lines at the end of the log; return when they are as safe as the mode promises.

        Raises `NotWritten`, with the log as it was, and `LogGone`.
        """
        descriptor = self._ready()
        try:
            _write_all(self._files, descriptor, lines)
        except OSError as error:
            self._spoiled = "tail"
            self._fail("nothing could be written", error)
        count = self._unsynced_lines + lines.count(NEWLINE)
        synced = self.mode == "durable" or (self.mode == "batch" and count >= BATCH_LINES)
        if synced:
            try:
                self._files.sync_data(descriptor)
            except OSError as error:
                self._spoiled = "handle"
                self._fail("the disk did not take what was written", error)
        self._size += len(lines)
        self._unsynced = b"" if synced or self.mode == "none" else self._unsynced + lines
        self._unsynced_lines = 0 if synced else count

    def sync(self) -> None:
        """Put everything that is acknowledged on disk, whatever the mode."""
        descriptor = self._ready()
        try:
            self._files.sync_data(descriptor)
        except OSError as error:
            self._spoiled = "handle"
            try:
                self._mend()
            except OSError:
                told = tell_why(self.path, "the disk did not take what was written", error)
                raise NotWritten(told) from error
        self._unsynced, self._unsynced_lines = b"", 0

    def replace(self, data: bytes) -> None:
        """Put a finished log in the place of this one, whole or not at all, and close.

        Raises `NotWritten`, with the open log as it was and still open, and `LogGone`.
        """
        descriptor = self._ready()
        if not _is_at(descriptor, self.path):
            raise LogGone(self.path, "another file has taken the place of the log; nothing was replaced")
        fresh = self.path.with_name(f".{self.path.name}.finishing")
        try:
            fresh.unlink(missing_ok=True)
            self._write_beside(fresh, data, like=descriptor)
            try:
                self._files.replace(fresh, self.path)
            except OSError:
                fresh.unlink()
                raise
        except OSError as error:
            raise NotWritten(tell_why(self.path, "the log can not be finished", error)) from error
        self._closed = True
        try:
            self._files.sync_folder(self.path.parent)
        except OSError as error:
            told = tell_why(self.path, "the log is finished, but the disk did not confirm it", error)
            raise NotWritten(told) from error
        finally:
            self._let_go()

    def discard(self) -> None:
        """Let go of a log to which nothing was written, and take it away."""
        with contextlib.suppress(OSError):
            if not self._closed and not self._size and _is_at(self._handle(), self.path):
                self.path.unlink()
        self._closed = True
        self._let_go()

    def close(self) -> None:
        """Sync what is not yet synced and let go of the log; closing again does nothing."""
        if self._closed:
            return
        try:
            if os.getpid() == self._owner and (self._unsynced_lines or self._spoiled):
                self.sync()
        finally:
            self._closed = True
            self._let_go()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _let_go(self) -> None:
        descriptor, self._descriptor = self._descriptor, None
        if descriptor is not None:
            with contextlib.suppress(OSError):
                self._files.close(descriptor)

    def _handle(self) -> int:
        if self._closed:
            raise JournalError(f"{self.path}: the log is closed")
        if os.getpid() != self._owner:
            raise JournalError(f"{self.path}: the log was opened by another process (before a fork)")
        if self._descriptor is None:
            raise NotWritten(f"{self.path}: the log could not be opened again")
        return self._descriptor

    def _ready(self) -> int:
        """Return the handle of a log that ends where it should, mending what an error has left."""
        if self._spoiled and not self._closed:
            try:
                self._mend()
            except OSError as error:
                raise NotWritten(tell_why(self.path, "the log can not be gone on with yet", error)) from error
        descriptor = self._handle()
        status = os.fstat(descriptor)
        if not status.st_nlink:
            raise LogGone(self.path, "the log was deleted or replaced while it was recorded")
        if status.st_size != self._size:
            raise LogGone(self.path, "another program has changed the log while it was recorded")
        return descriptor

    def _fail(self, what: str, error: OSError) -> NoReturn:
        with contextlib.suppress(OSError, JournalError):
            self._mend()
        raise NotWritten(tell_why(self.path, what, error)) from error

    def _mend(self) -> None:
        """Cut the log back to what is acknowledged; after a sync error by a new handle."""
        if self._spoiled == "handle":
            # What a failed sync covered may be marked clean and never reach the disk: it is written again.
            self._let_go()
            self._descriptor = self._reopen()
            synced = self._size - len(self._unsynced)
            self._files.truncate(self._descriptor, synced)
            if self._unsynced:
                _write_all(self._files, self._descriptor, self._unsynced)
            self._files.sync_data(self._descriptor)
        else:
            self._files.truncate(self._handle(), self._size)
        self._spoiled = ""

    def _reopen(self) -> int:
        descriptor = _open(self.path, self._files)
        status = os.fstat(descriptor)
        if (status.st_dev, status.st_ino) != self._identity:
            self._files.close(descriptor)
            raise LogGone(self.path, "another file has taken the place of the log")
        return descriptor

    def _write_beside(self, path: Path, data: bytes, *, like: int | None = None) -> None:
        descriptor = self._files.open(path, OPEN_FLAGS | os.O_CREAT | os.O_EXCL)
        try:
            if like is not None:
                os.fchmod(descriptor, os.fstat(like).st_mode & 0o7777)
            _write_all(self._files, descriptor, data)
            self._files.sync(descriptor)
        except BaseException:
            with contextlib.suppress(OSError):
                path.unlink()
            raise
        finally:
            self._files.close(descriptor)
        if like is None:
            self._files.sync_folder(path.parent)


def _open(path: Path, files: Files) -> int:
    """Open a log that is there and lock it; the file that is locked is the one that has the name."""
    for _ in range(10):
        try:
            descriptor = files.open(path, OPEN_FLAGS)
        except FileNotFoundError:
            raise
        except OSError as error:
            raise JournalError(tell_why(path, "the log can not be opened", error)) from error
        try:
            _lock(path, descriptor, files)
            if _is_at(descriptor, path):
                return descriptor
        except BaseException:
            files.close(descriptor)
            raise
        files.close(descriptor)
    raise LogHeld(f"{path}: the log is replaced again and again by another program")


def _lock(path: Path, descriptor: int, files: Files) -> None:
    try:
        files.lock(descriptor)
    except BlockingIOError:
        holder = name_holder(descriptor)
        raise LogHeld(f"{path}: this log is being recorded by {holder}; end that first") from None
    except OSError as error:
        raise JournalError(tell_why(path, "the log can not be locked", error)) from error


def _is_at(descriptor: int, path: Path) -> bool:
    try:
        there = path.lstat()
    except FileNotFoundError:
        return False
    here = os.fstat(descriptor)
    return (here.st_dev, here.st_ino) == (there.st_dev, there.st_ino)


def _check_mode(mode: SyncMode) -> None:
    if mode not in get_args(SyncMode):
        raise ValueError(f"{mode!r} is no mode of a journal; choose from {', '.join(get_args(SyncMode))}")


def _write_all(files: Files, descriptor: int, data: bytes) -> None:
    written = files.write(descriptor, data)
    while written < len(data):
        written += files.write(descriptor, data[written:])


def _free_name(path: Path, ending: str) -> Path:
    for number in range(1, 1000):
        name = path.with_name(path.name + ending + (f"-{number}" if number > 1 else ""))
        if not os.path.lexists(name):
            return name
    raise NotWritten(f"{path}: there are a thousand torn tails beside it; put them away")
