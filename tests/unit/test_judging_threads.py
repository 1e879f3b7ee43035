"""Threads that judge a source: in order, each error once and in its place, and none left behind."""

import subprocess
import sys
import threading

import numpy as np
import pytest

from ono_replay.bulk import engine
from ono_replay.bulk.engine import Judge, Judged, judge_all
from ono_replay.log.chunks import Chunk, Stretch
from ono_replay.simulate.batch import simulate_games
from ono_replay.simulate.plan import Plan

GAMES = list(simulate_games(Plan(seed=8), 40))


def chunks():
    return map(Chunk.of, GAMES)


@pytest.fixture(autouse=True)
def _no_thread_is_left():
    yield
    assert not [thread for thread in threading.enumerate() if thread.name == "ono-judge"]


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_results_come_in_order(threads):
    sizes = []
    for judged in judge_all(chunks(), threads=threads):
        assert isinstance(judged, Judged)
        assert judged.games["found"].tolist() == [engine.WHOLE]
        sizes.append(judged.chunk.size)
    assert sizes == list(map(len, GAMES))


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_what_follows_a_stretch_is_read_when_the_stretch_was_taken(threads):
    taken: list[object] = []

    def source():
        for number, chunk in enumerate(chunks()):
            yield chunk
            if number % 7 == 0:
                yield Stretch(iter([b"a", b"b"]))
                taken.append("asked")

    for found in judge_all(source(), threads=threads):
        if isinstance(found, Stretch):
            taken.append(b"".join(found.blocks))
    assert taken == [b"ab", "asked"] * 6


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_an_error_of_the_source_comes_after_what_was_before_it(threads):
    def source():
        yield from chunks()
        raise OSError("the disk is gone")

    results = judge_all(source(), threads=threads)
    seen = [next(results) for _ in GAMES]
    assert len(seen) == len(GAMES)
    with pytest.raises(OSError, match="the disk is gone"):
        next(results)


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_an_error_of_a_judge_comes_in_its_place(threads, monkeypatch):
    judge = Judge.judge

    def fails(self, chunk):
        if chunk.text == GAMES[20]:
            raise MemoryError("no room")
        return judge(self, chunk)

    monkeypatch.setattr(Judge, "judge", fails)
    results = judge_all(chunks(), threads=threads)
    for _ in range(20):
        next(results)
    with pytest.raises(MemoryError, match="no room"):
        next(results)


@pytest.mark.parametrize("threads", [1, 2, 5])
@pytest.mark.parametrize("wanted", [1, 17])
def test_who_wants_no_more_leaves_no_thread(threads, wanted):
    results = judge_all(chunks(), threads=threads)
    for _ in range(wanted):
        next(results)
    del results


HELD = """
from ono_replay.bulk.engine import judge_all
from ono_replay.log.chunks import Chunk
from ono_replay.simulate.batch import simulate_games
from ono_replay.simulate.plan import Plan
results = judge_all(map(Chunk.of, list(simulate_games(Plan(seed=8), 40))), threads={threads})
next(results)
print("done", flush=True)
{last}
"""


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize(("last", "status"), [("", 0), ("raise SystemExit(3)", 3)])
def test_a_program_ends_with_results_left(threads, last, status):
    """Threads were waited for that waited for somebody to want more."""
    code = HELD.format(threads=threads, last=last)
    ended = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (status, "done\n", "")


def test_buffers_are_kept_for_chunks_that_are_a_little_larger():
    judge = Judge()
    room = [
        judge.judge(Chunk.of(b"".join(GAMES[:20]) + extra)).columns.kind.ctypes.data
        for extra in (b"", GAMES[0][:300], b"\n" * 500)
    ]
    assert len(set(room)) == 1
    grown = judge.judge(Chunk.of(b"".join(GAMES)))
    assert (grown.games["found"] == engine.WHOLE).all()
    assert np.sum(grown.games["events"]) == sum(game.count(b"\n") for game in GAMES)
