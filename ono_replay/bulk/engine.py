r"""From the bytes of logs to what was found of each game, on as many cores as there are.

>>> from ono_replay.log.chunks import Chunk
>>> game = b'{"seq":0,"type":"game_start","format":"ono-log","version":"1.0","game_id":"a",'
>>> game += b'"ruleset":{"edition":"2022"},"players":[{"name":"A"},{"name":"B"}],"dealer":null,"view":"full"}\n'
>>> judged = Judge().judge(Chunk.of(game + b'{"seq":1,"type":"deal","seat":0,"cards":[]}\n'))
>>> judged.games[["code", "fault"]].tolist()
[(204, 1)]
"""

import atexit
import contextlib
import ctypes
import itertools
import subprocess
import sys
import threading
from collections.abc import Iterable, Iterator
from queue import Empty, LifoQueue, SimpleQueue
from typing import NamedTuple

import numpy as np

from ono_replay.bulk import hashing
from ono_replay.bulk.board import BOARD, RULES
from ono_replay.bulk.jit import COMPILED
from ono_replay.bulk.kept_code import is_compiled
from ono_replay.bulk.kernel import judge
from ono_replay.bulk.layout import FAULTY, GAME, OPEN, STRANGE, WHOLE, Columns, Workspace, records
from ono_replay.bulk.rulebook import Rulebook
from ono_replay.bulk.scan import scan
from ono_replay.log.chunks import Chunk, Stretch

CHUNK = 1 << 21
"""Bytes of text that are read into columns at a time: large enough to be worth a thread, small enough for the caches."""
AHEAD = 1
"""Chunks that are read while all threads are at work."""
_ALLOCATION = ((-3, 1 << 25), (-1, 1 << 28))
"""Of glibc: what is mapped by itself, and what is given back."""
_PREFIX = b"sha256:"
_DIGEST = len(_PREFIX) + 64


class Judged(NamedTuple):
    """What was found of the games of one chunk; good until the next one is asked for."""

    chunk: Chunk
    games: np.ndarray
    """A `layout.GAME` record a game, or stretch of bytes that is left to the careful reader."""
    columns: Columns
    rulebook: np.ndarray
    """The rulesets that `games.ruleset` points at, as `board.RULES` records."""


class Judge:
    """Judges chunks, one at a time; its buffers are used over and over.

    With `digests`, the digest in a `game_end` is compared with that of the lines before it.
    """

    def __init__(self, *, digests: bool = True, rulebook: Rulebook | None = None) -> None:
        """Begin with small buffers."""
        self._digests = digests
        self._rulebook = rulebook or Rulebook()
        self._space, self._room = Workspace(), 0
        self._boards = records(1, BOARD)

    def judge(self, chunk: Chunk) -> Judged:
        """Scan and replay the games of a chunk."""
        if self._room < chunk.size:
            # Some more, for the next one may be a little larger: what is thrown away leaves holes in the memory.
            self._room = chunk.size + chunk.size // 8
            self._space = Workspace.for_text(self._room)
        space = self._space
        text = np.frombuffer(chunk.data, np.uint8)
        count, _, known = scan(
            text.ctypes.data, chunk.size, space.columns, space.games, space.rulesets, space.lines
        )
        spans = space.rulesets[:known].tolist()
        rulebook, places = self._rulebook.look_up([chunk.data[start : start + size] for start, size in spans])
        games = space.games[:count]
        games["ruleset"] = np.array(places or [0], np.int32)[games["ruleset"]]
        judge(space.columns, games, rulebook, self._boards)
        if self._digests:
            _check_digests(chunk.data, games)
        return Judged(chunk, games, space.columns, rulebook)


def _check_digests(text: bytes, games: np.ndarray) -> None:
    """Mark games whose `game_end` tells another digest than that of the lines before it."""
    told = np.flatnonzero((games["digest"] > 0) & ((games["found"] == WHOLE) | (games["found"] == OPEN)))
    found = hashing.hexdigests(text, games["start"][told], games["before_end"][told])
    for place, written, digest in zip(told.tolist(), games["digest"][told].tolist(), found, strict=True):
        if not tells_digest(text, written, digest):
            game = games[place]
            game.found, game.code, game.fault = FAULTY, 501, game.end_event


def tells_digest(text: bytes, place: int, digest: str) -> bool:
    """Whether the digest that a `game_end` tells at a place of a text is this one.

    >>> tells_digest(b'"sha256:' + b"0" * 64 + b'"', 1, "0" * 64)
    True
    """
    return text[place : place + _DIGEST + 1] == _PREFIX + digest.encode() + b'"'


def judge_all(
    pieces: Iterable[Chunk | Stretch], *, threads: int = 1, digests: bool = True
) -> Iterator[Judged | Stretch]:
    """Yield what was found of each piece of a source, in order, working on several at a time.

    A stretch is yielded as it came, once everything before it is done, and must be taken before going on.
    """
    warm_up()
    if threads == 1:
        alone = Judge(digests=digests)
        for piece in pieces:
            yield alone.judge(piece) if isinstance(piece, Chunk) else piece
        return
    yield from _Crew(pieces, threads, digests=digests).results()


class _Crew:
    """Threads that take pieces in turn and judge them; what they found comes in the order of the pieces."""

    def __init__(self, pieces: Iterable[Chunk | Stretch], threads: int, *, digests: bool) -> None:
        self._pieces = iter(pieces)
        self._turn = threading.Lock()
        """Whoever holds it takes the next piece."""
        self._numbers = itertools.count()
        self._done: SimpleQueue[_Task] = SimpleQueue()
        """What is done, in any order: who waits for a result is woken once for it."""
        self._early: dict[int, _Task] = {}
        """What was done before its turn, by number."""
        self._shown: _Task | None = None
        """Whose result is looked at now."""
        self._idle: LifoQueue[Judge | None] = LifoQueue()
        """What was used last is still in the caches of the processor."""
        self._closing = False
        book = Rulebook()
        for _ in range(threads + AHEAD):
            self._idle.put(Judge(digests=digests, rulebook=book))
        # A program may end with results left, which its end must not wait for: threads of its own are ended there.
        self._threads = [
            threading.Thread(target=self._work, name="ono-judge", daemon=True) for _ in range(threads)
        ]

    def results(self) -> Iterator[Judged | Stretch]:
        """Yield what is found; each result is good until the next one is asked for."""
        for thread in self._threads:
            thread.start()
        atexit.register(self._close)
        try:
            for number in itertools.count():
                self._shown = task = self._wait_for(number)
                if task.found is None:
                    return
                if isinstance(task.found, Exception):
                    raise task.found
                yield task.found
                self._free(task)
        finally:
            # Also where nobody wants the rest.
            self._close()
            atexit.unregister(self._close)

    def _close(self) -> None:
        """End the threads, whatever they are at."""
        self._closing = True
        for left in [self._shown, *self._early.values()]:
            self._free(left)
        for thread in self._threads:
            while thread.is_alive():
                with contextlib.suppress(Empty):
                    self._free(self._done.get_nowait())
                self._idle.put(None)
                thread.join(0.01)

    def _wait_for(self, number: int) -> "_Task":
        while number not in self._early:
            task = self._done.get()
            self._early[task.number] = task
        return self._early.pop(number)

    def _free(self, task: "_Task | None") -> None:
        if task is not None:
            task.taken.set()
            if task.judge is not None:
                self._idle.put(task.judge)

    def _work(self) -> None:
        while (judge := self._idle.get()) is not None:
            with self._turn:
                task, chunk = self._next_task()
            if chunk is not None:
                task.work(judge, chunk)
            self._done.put(task)
            if chunk is None:
                return

    def _next_task(self) -> "tuple[_Task, Chunk | None]":
        """Take the next chunk; none at the end, or where the source fails."""
        while not self._closing:
            try:
                piece = next(self._pieces, None)
            except Exception as error:  # noqa: BLE001 - raised again where the result is asked for
                return _Task(next(self._numbers), error), None
            if piece is None:
                break
            if isinstance(piece, Chunk):
                return _Task(next(self._numbers)), piece
            task = _Task(next(self._numbers), piece)
            self._done.put(task)
            # What follows can be read only when the stretch is taken.
            task.taken.wait()
        return _Task(next(self._numbers)), None


class _Task:
    """A piece on its way: who judges it, if anybody, and what was found; at the end of the source that is None."""

    def __init__(self, number: int, found: Stretch | Exception | None = None) -> None:
        self.number = number
        self.found: Judged | Stretch | Exception | None = found
        self.judge: Judge | None = None
        self.taken = threading.Event()

    def work(self, judge: Judge, chunk: Chunk) -> None:
        self.judge = judge
        try:
            self.found = judge.judge(chunk)
        except Exception as error:  # noqa: BLE001 - raised again where the result is asked for
            self.found = error


def warm_up() -> None:
    """Load the machine code, which takes some tenths of a second, or have it compiled first, which takes some seconds.

    Scanner and kernel are compiled by two other processes at once, for a compiler leaves much memory behind;
    where what they made can't be kept, that is done here.
    """
    with _WARMING:
        if not COMPILED or scan.signatures:  # type: ignore[attr-defined]  # a dispatcher when compiled
            return
        if not is_compiled():
            code = "from ono_replay.bulk import engine; engine.{}()"
            commands = [
                [sys.executable, "-P", "-c", code.format(name)] for name in ("load_scanner", "load_kernel")
            ]
            nothing = subprocess.DEVNULL
            helpers = [subprocess.Popen(command, stdout=nothing, stderr=nothing) for command in commands]
            try:
                for helper in helpers:
                    helper.wait()
            finally:
                # Who is interrupted leaves none behind.
                for helper in helpers:
                    helper.terminate()
        _keep_freed_memory()
        load_scanner()
        load_kernel()


def _keep_freed_memory() -> None:
    """Have glibc use the large blocks of a chunk again instead of giving them back and asking for new ones.

    Threads that change the memory of a process stop each other: two did only 1.3 times as much as one.
    """
    if sys.platform == "linux":
        with contextlib.suppress(AttributeError):
            for option, value in _ALLOCATION:
                ctypes.CDLL(None).mallopt(option, value)


def load_scanner() -> None:
    """Load the scanner and what compares digests, or compile them."""
    scan(0, 0, *_small_buffers())
    hashing.load()


def load_kernel() -> None:
    """Load the kernel, or compile it."""
    columns, games, _, _ = _small_buffers()
    judge(columns, games[:0], records(1, RULES), records(1, BOARD))


def _small_buffers() -> tuple[Columns, np.ndarray, np.ndarray, np.ndarray]:
    space = Workspace.for_text(1)
    return space.columns, space.games, space.rulesets, space.lines


_WARMING = threading.Lock()

__all__ = [
    "CHUNK",
    "FAULTY",
    "GAME",
    "OPEN",
    "STRANGE",
    "WHOLE",
    "Judge",
    "Judged",
    "judge_all",
    "tells_digest",
    "warm_up",
]
