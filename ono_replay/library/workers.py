"""Processes that take chunks in, and end with the one that started them."""

import gc
import importlib.util
import mmap
import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import lru_cache
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any

import msgspec
import pyarrow as pa

from ono_replay.check.diagnostic import Diagnostic
from ono_replay.library.chunks import Chunk
from ono_replay.library.intake import Refused, take_chunk
from ono_replay.library.manifest import LibraryFault
from ono_replay.library.parts import PartWriter
from ono_replay.library.rows import rows_of
from ono_replay.log.lines import Unreadable

AHEAD = 1
"""Tasks that wait for a worker."""
WORTH_LOADING = 1 << 21
WORTH_COMPILING = 1 << 24
"""Bytes from which on the fast lane, which takes a second to load, or to compile half a minute, saves time."""


class Task(msgspec.Struct, array_like=True):
    """Chunks to be checked, and the draft that their games go to."""

    chunks: list[Chunk]
    draft: Path
    imported: int
    prefix: str
    fast: bool = False
    """Whether what the fast lane takes may go there."""


class Done(msgspec.Struct):
    """What came of a task."""

    draft: Path
    ids: list[str]
    """Of the games of the task, without prefix."""
    rows: dict[str, int]
    """Rows of the draft, by view."""
    added: dict[str, int]
    """Games taken in, by file."""
    refused: list[Refused]
    strays: list[Diagnostic]
    unreadable: list[str]


# Paths are the one thing in a task that the encoder does not know.
_encode_into = msgspec.msgpack.Encoder(enc_hook=str).encode_into
_decode = msgspec.msgpack.Decoder(Task, dec_hook=lambda kind, told: kind(told)).decode
_PACKED = "task"


def pack(task: Task, buffer: bytearray) -> Path:
    """Write a task to its draft, by way of a buffer, and return the path.

    What goes through the pipe of a pool is copied five times: more work than all that is done to find the games.
    """
    _encode_into(task, buffer)
    path = task.draft / _PACKED
    path.write_bytes(buffer)
    return path


def take_packed(path: Path) -> Done:
    """Take a task that `pack` has written, which is gone then."""
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
        task = _decode(content)
    path.unlink()
    return take_task(task)


def take_task(task: Task) -> Done:
    """Check the chunks of a task and write the games among them, in the order of their ids."""
    part = PartWriter(task.draft)
    ids = [chunk.game_id for chunk in task.chunks if chunk.game_id is not None]
    done = Done(task.draft, ids, {}, {}, [], [], [])
    chunks = sorted(task.chunks, key=lambda chunk: chunk.game_id or "")
    if task.fast:
        _take_fast(task, chunks, part, done)
    else:
        for chunk in chunks:
            _take_carefully(task, chunk, part, done)
    done.rows = part.close()
    return done


def _take_carefully(task: Task, chunk: Chunk, part: PartWriter, done: Done) -> None:
    try:
        taken = take_chunk(chunk, task.imported, task.prefix)
    except Unreadable as reason:
        done.unreadable.append(str(reason))
        return
    done.strays.extend(taken.strays)
    if taken.refused is not None:
        done.refused.append(taken.refused)
    if taken.game is not None:
        part.add(rows_of(taken.game))
        done.added[chunk.file] = done.added.get(chunk.file, 0) + 1


def _take_fast(task: Task, chunks: Sequence[Chunk], part: PartWriter, done: Done) -> None:
    """Take what the fast lane takes, the rest as ever, all of it in order."""
    for batch in _fast_lane().take(chunks, task.imported, task.prefix):
        before = games = 0
        for chunk, taken in zip(batch.chunks, batch.taken, strict=True):
            if taken:
                games += 1
                done.added[chunk.file] = done.added.get(chunk.file, 0) + 1
            else:
                _add_tables(batch, before, games, part)
                before = games
                _take_carefully(task, chunk, part, done)
        _add_tables(batch, before, games, part)


def _add_tables(batch: Any, first: int, end: int, part: PartWriter) -> None:
    """Add the rows of some of the games that the fast lane took."""
    for name, table in batch.tables.items():
        begun = int(batch.ends[name][first - 1]) if first else 0
        until = int(batch.ends[name][end - 1]) if end else 0
        if until > begun:
            part.add_table(name, table.slice(begun, until - begun))


@lru_cache(maxsize=1)
def _fast_lane() -> Any:
    from ono_replay.library.fast_lane import FastLane

    lane = FastLane()
    # The compiler is made of very many objects, none of which goes away: no need to look through them again and again.
    gc.freeze()
    return lane


def fast_lane_pays(read: int) -> bool:
    """Return whether, with so many bytes to take, the fast lane is there and worth loading, or compiling."""
    if importlib.util.find_spec("numba") is None:
        return False
    from ono_replay.bulk.kept_code import is_compiled

    return read >= (WORTH_LOADING if is_compiled("derive") else WORTH_COMPILING)


class Workers:
    """Runs tasks on several processes; a context manager. `done` gives what came of them, in order."""

    def __init__(self, jobs: int) -> None:
        """Begin with no process; with one job there is never any."""
        self._jobs = jobs
        self._pool: ProcessPoolExecutor | None = None
        self._waiting: deque[Future[Done]] = deque()
        self._here: deque[Done] = deque()
        self._buffer = bytearray()

    def __enter__(self) -> "Workers":
        """Return this."""
        return self

    def __exit__(self, *_: object) -> None:
        """End the processes, also those at work."""
        if self._pool is not None:
            self._tell.close()
            self._pool.shutdown(wait=True, cancel_futures=True)
            self._told.close()

    def start(self, task: Task, *, small: bool = False) -> None:
        """Take a task on; a `small` one is done here when no process is running yet."""
        if self._jobs == 1 or (small and self._pool is None):
            self._here.append(take_task(task))
            return
        if self._pool is None:
            # Afresh: a forked copy of a process with threads can stand still for ever.
            context = multiprocessing.get_context("spawn")
            self._told, self._tell = context.Pipe(duplex=False)
            self._pool = ProcessPoolExecutor(self._jobs, context, _begin, (self._told,))
        self._waiting.append(self._pool.submit(take_packed, pack(task, self._buffer)))

    def done(self, *, all_of_them: bool = False) -> Iterator[Done]:
        """Yield what is done; waits while too much is under way, or for everything."""
        while self._here:
            yield self._here.popleft()
        while self._waiting:
            full = len(self._waiting) >= self._jobs + AHEAD
            if not (all_of_them or full or self._waiting[0].done()):
                return
            try:
                result = self._waiting.popleft().result()
            except BrokenProcessPool:
                raise LibraryFault(
                    "a process that checked games was ended from outside, most likely for want of memory; "
                    "what is taken in so far stays: run the same again, perhaps with --jobs 1"
                ) from None
            yield result


def _begin(told_to_end: Connection) -> None:
    # ^C reaches the whole group of processes; the parent is the one that ends the work.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Memory that is given back and asked for again, table after table, is cleared by the system each time.
    pa.set_memory_pool(pa.system_memory_pool())
    threading.Thread(target=_end_when_told, args=(told_to_end,), daemon=True).start()


def _end_when_told(told_to_end: Connection) -> None:
    """End this process at once when the parent closes its side of the pipe or is gone."""
    wait([told_to_end])
    os._exit(1)
