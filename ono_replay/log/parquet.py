"""Reading Parquet logs of strangers: in a process of its own, with a limit on its memory.

A hostile Parquet file can unpack without end, or kill the process that reads it; here that ends as an
`Unreadable` like every other file that can't be read. To start a process takes far longer than to read a small
file, so one reads many files, one after another, as long as nothing is wrong. The layout is that of `log.arrow`,
which needs the extra `library`; importing this module does not.
"""

import contextlib
import importlib.util
import itertools
import os
import subprocess
import sys
import threading
import weakref
from collections.abc import Iterator
from contextvars import ContextVar
from pathlib import Path
from types import TracebackType
from typing import IO, Self

from ono_replay.log.streams import Unreadable, open_regular

MAGIC = b"PAR1"
"""The first bytes of every Parquet file."""
LENGTH = 8
"""Bytes that tell, the lowest first, how long what comes after them is; 0 tells that a file is read to its end."""
REFUSED = 3
"""The status with which a process leaves that says what is wrong with a file."""
_MESSAGE = 4000


def is_parquet(path: str | Path) -> bool:
    """Whether a regular file begins like Parquet.

    Raises `Unreadable` for what can't be opened or is no regular file.
    """
    with open_regular(str(path)) as file:
        return file.read(len(MAGIC)) == MAGIC


class Reader:
    """Reads Parquet files of strangers in a process of its own, which is started when it is first needed.

    A file is only refused by a process that has read no other: what one that did gives no whole answer to, or
    breaks down on, a fresh one is asked about. So no file takes room from another, or has another refused. It may be
    used as a context manager; the process ends with it in any case.
    """

    def __init__(self, module: str, *wanted: str) -> None:
        """Begin with no process; `module` is run with the words of `wanted` behind it (`log.arrow.serve`)."""
        self._command = (module, *wanted)
        self._idle: _Process | None = None

    def __enter__(self) -> Self:
        """Return this."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End the process."""
        self.close()

    def close(self) -> None:
        """End the process, if there is one."""
        idle, self._idle = self._idle, None
        if idle is not None:
            idle.end()

    def read(self, path: str | Path) -> Iterator[bytes]:
        """Yield the messages on a file; the process is ended where the iteration is.

        Raises what `read_parquet` does.
        """
        open_regular(str(path)).close()
        if importlib.util.find_spec("pyarrow") is None:
            raise ModuleNotFoundError("No module named 'pyarrow'", name="pyarrow")
        given = 0
        while True:
            process, self._idle = self._idle, None
            used = process is not None
            process = process or _Process(*self._command)
            try:
                for message in itertools.islice(process.ask(path), given, None):
                    yield message
                    given += 1
            except EOFError:
                if not used:
                    raise Unreadable(process.reason(path)) from None
            else:
                self.close()  # where two files are read at once there are two
                self._idle = process
                return
            finally:
                if self._idle is not process:
                    process.end()


class _Process:
    """A running process that reads files."""

    def __init__(self, module: str, *wanted: str) -> None:
        # -P: nothing that lies in the folder we stand in is imported.
        command = [sys.executable, "-P", "-m", module, *wanted]
        # Arrow's own allocator takes a GiB of addresses at once, which a limit can not tell from use.
        surroundings = {**os.environ, "ARROW_DEFAULT_MEMORY_POOL": "system"}
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(command, env=surroundings, stdin=pipe, stdout=pipe, stderr=pipe)
        self._said = bytearray()
        self._listening = threading.Thread(
            target=_listen, args=(self._process.stderr, self._said), daemon=True
        )
        self._listening.start()
        self.end = weakref.finalize(self, _end, self._process, self._listening)

    def ask(self, path: str | Path) -> Iterator[bytes]:
        """Yield the messages on a file; raises `EOFError` where they do not come to their end."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        name = os.fsencode(Path(path).absolute())
        with contextlib.suppress(OSError):  # it has left already, and says why below
            self._process.stdin.write(len(name).to_bytes(LENGTH, "little") + name)
            self._process.stdin.flush()
        while True:
            head = self._process.stdout.read(LENGTH)
            length = int.from_bytes(head, "little")
            if len(head) == LENGTH and not length:
                return
            message = self._process.stdout.read(length)
            if not length or len(message) < length:
                raise EOFError
            yield message

    def reason(self, path: str | Path) -> str:
        """Wait until it has left and return why a file could not be read."""
        status = self._process.wait()
        self._listening.join()
        message = self._said.decode("utf-8", "replace").strip()
        if status == REFUSED and message:
            return message
        last = message.splitlines()[-1] if message else f"status {status}"
        return f"{path}: the Parquet file could not be read: the reader broke down on it ({last[:200]})"


def _listen(stream: IO[bytes], said: bytearray) -> None:
    """Keep the end of what is said, and never let the one who says it wait."""
    with contextlib.suppress(OSError, ValueError):
        while block := os.read(stream.fileno(), _MESSAGE):
            said += block
            del said[:-_MESSAGE]


def _end(process: subprocess.Popen[bytes], listening: threading.Thread) -> None:
    with contextlib.suppress(OSError):
        process.kill()
    process.wait()
    listening.join()
    for pipe in (process.stdin, process.stdout, process.stderr):
        if pipe is not None:
            with contextlib.suppress(OSError):
                pipe.close()


_LOGS = "ono_replay.log.arrow"
_kept: ContextVar[Reader | None] = ContextVar("_kept", default=None)
"""What `read_parquet` reads with, where many files are read in a row."""


@contextlib.contextmanager
def one_reader() -> Iterator[None]:
    """Have all files that `read_parquet` reads within the block, or the function, read by one process."""
    with Reader(_LOGS) as reader:
        before = _kept.set(reader)
        try:
            yield
        finally:
            _kept.reset(before)


def read_parquet(path: str | Path) -> Iterator[bytes]:
    """Yield the lines of a Parquet log, without newlines.

    Raises `Unreadable` for what is no Parquet log, is damaged, or takes more memory or room than a log may;
    and `ModuleNotFoundError` without the extra `library`.
    """
    kept = _kept.get()
    with contextlib.nullcontext(kept) if kept else Reader(_LOGS) as reader:
        for lines in reader.read(path):
            yield from lines[:-1].split(b"\n")
