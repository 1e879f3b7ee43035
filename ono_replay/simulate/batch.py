"""Many simulated games, on one core or on all, in order and with the same bytes."""

import contextlib
import itertools
import multiprocessing
import signal
import threading
from collections.abc import Callable, Iterator
from multiprocessing.connection import Connection
from pathlib import Path

from ono_replay.log.output import check_free, log_writer
from ono_replay.log.reader import read_log
from ono_replay.log.streams import Unreadable
from ono_replay.machine import cores
from ono_replay.rules.events import GameStart
from ono_replay.simulate.game import SIMULATOR, Simulator
from ono_replay.simulate.plan import BadPlan, Plan

GAMES_A_TURN = 50
"""Games that a process makes before it hands them over; what is handed over is all that memory holds."""


class WorkerLost(RuntimeError):
    """A process of the simulation ended before its work was done."""


def simulate_games(plan: Plan, games: int, *, jobs: int = 1, first: int = 0) -> Iterator[bytes]:
    """Yield games as canonical lines, the digest in each `game_end`, from index `first` on.

    `jobs` is the number of processes, 0 one for each core; it changes nothing about the bytes. More than one
    start by importing the main module, which a script guards by `if __name__ == "__main__":`; bots given as
    functions must be importable. Raises what `Plan.check` raises, `BadBot`, and `WorkerLost`.

    >>> for game in simulate_games(Plan(players=2, seed=7), games=2):
    ...     print(game[:60].decode())
    {"seq":0,"type":"game_start","format":"ono-log","version":"1
    {"seq":0,"type":"game_start","format":"ono-log","version":"1
    """
    if games < 0 or jobs < 0:
        raise BadPlan("the number of games and of jobs can not be negative")
    simulator = Simulator(plan)
    indexes = range(first, first + games)
    jobs = min(jobs or cores(), -(-games // GAMES_A_TURN))
    return _in_parallel(plan, indexes, jobs) if jobs > 1 else map(simulator.log, indexes)


def write_games(
    plan: Plan,
    games: int,
    path: str | Path,
    *,
    jobs: int = 1,
    overwrite: bool = False,
    on_progress: Callable[[int], None] | None = None,
) -> int:
    """Write simulated games as a log, see `simulate_games`, and return how many events it has.

    The log is packed as its name says, `-` is standard output, and appears whole or not at all. One that exists stays
    unless `overwrite` is given, or it begins with a simulated game, which can be made again. `on_progress` is told how
    many games are made. Raises what `simulate_games` raises, and `Unwritable`.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_games(Plan(players=2, seed=7), 2, f"{folder}/games.ono.jsonl.gz") > 20
    True
    """
    if not overwrite and not _can_be_made_again(path):
        check_free(path, overwrite=False)
    made, events = simulate_games(plan, games, jobs=jobs), 0
    with log_writer(path) as file:
        for number, game in enumerate(made, 1):
            file.write(game)
            events += game.count(b"\n")
            if on_progress is not None:
                on_progress(number)
    return events


def _can_be_made_again(path: str | Path) -> bool:
    """Whether a file begins with a simulated game."""
    if str(path) == "-" or not Path(path).is_file():
        return False
    try:
        start = next((record.event for record in itertools.islice(read_log(path), 1)), None)
    except Unreadable:
        return False
    return isinstance(start, GameStart) and start.source is not None and start.source.app == SIMULATOR.app


def _in_parallel(plan: Plan, indexes: range, jobs: int) -> Iterator[bytes]:
    # Workers are started afresh: a forked copy of a process with threads can stand still for ever.
    context = multiprocessing.get_context("spawn")
    ends: list[Connection] = []
    workers = []
    try:
        for place in range(jobs):
            here, there = context.Pipe(duplex=False)
            ends.append(here)
            worker = context.Process(target=_work, args=(plan, indexes, place, jobs, there), daemon=True)
            workers.append(worker)
            with _interrupts_ignored():
                worker.start()
            there.close()
        for turn in range(-(-len(indexes) // GAMES_A_TURN)):
            yield from _take(ends[turn % jobs])
    finally:
        for end in ends:
            end.close()
        for worker in workers:
            # Where something went wrong nobody waits for games that are under way: they may be long.
            worker.terminate()
            worker.join()


@contextlib.contextmanager
def _interrupts_ignored() -> Iterator[None]:
    """Let a process that is started here know nothing of ^C from its first moment on.

    ^C reaches the whole group of processes; the parent is the one that ends the work.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.SIG_DFL if before is None else before)


def _take(end: Connection) -> list[bytes]:
    try:
        made: list[bytes] | Exception = end.recv()
    except (EOFError, OSError):
        raise WorkerLost("a process of the simulation was ended from outside") from None
    if isinstance(made, Exception):
        raise made
    return made


def _work(plan: Plan, indexes: range, place: int, jobs: int, end: Connection) -> None:
    """Make every `jobs`-th turn of the games; the pipe holds the worker back until they are taken."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        simulator = Simulator(plan)
        for first in range(place * GAMES_A_TURN, len(indexes), jobs * GAMES_A_TURN):
            end.send([simulator.log(index) for index in indexes[first : first + GAMES_A_TURN]])
    except BrokenPipeError:
        pass  # the parent is gone
    except Exception as error:  # noqa: BLE001 - it is raised again where the games are taken
        end.send(error)
