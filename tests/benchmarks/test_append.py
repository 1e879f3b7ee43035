"""What an acknowledged event costs, beside the bare sync that it cannot do without."""

import os
import statistics
import time
from collections.abc import Callable
from functools import partial

import pytest

from ono_replay.record import Recorder, Table
from ono_replay.record.journal import Journal

APPENDS = 2000
LINE = b'{"seq":123,"type":"play","seat":2,"card":"reverse","total":87,"at_ms":1234567}\n'


def timed(call):
    began = time.perf_counter_ns()
    call()
    return (time.perf_counter_ns() - began) / 1e6


def percentiles(times):
    hundredths = statistics.quantiles(times, n=100)
    return hundredths[49], hundredths[98]


@pytest.mark.parametrize("kind", ["journal", "recorder"])
def test_a_durable_append_costs_one_sync(tmp_path, kind):
    bare = os.open(tmp_path / "bare", os.O_WRONLY | os.O_CREAT | os.O_APPEND)

    def bare_append():
        os.write(bare, LINE)
        os.fdatasync(bare)

    append: Callable[[], object]
    if kind == "journal":
        journal = Journal.create(tmp_path / "game.ono.jsonl")
        append, close = partial(journal.append, LINE), journal.close
    else:
        recorder = Recorder.create(tmp_path / "game.ono.jsonl", "2022", ["Ann", "Bo"])
        append, close = partial(recorder.comment, "x" * 40), recorder.close
    ours, theirs = [], []
    # Taken in turns, so that both meet the same disk.
    for _ in range(APPENDS):
        theirs.append(timed(bare_append))
        ours.append(timed(append))
    close()
    os.close(bare)
    assert (tmp_path / "game.ono.jsonl").read_bytes().count(b"\n") >= APPENDS
    (p50, p99), (bare_p50, bare_p99) = percentiles(ours), percentiles(theirs)
    print(
        f"\n{kind}: append p50 {p50:.3f} ms, p99 {p99:.3f} ms; bare write and fdatasync p50 {bare_p50:.3f} ms, "
        f"p99 {bare_p99:.3f} ms; {p50 / bare_p50:.2f} times, {p99 / bare_p99:.2f} times"
    )
    assert p50 <= 1.5 * bare_p50


def test_a_thousand_open_games(tmp_path):
    tables = [
        Table(
            Recorder.create(
                tmp_path / f"{number}.ono.jsonl", "2022", ["Ann", "Bo"], view="public", mode="batch"
            )
        )
        for number in range(1000)
    ]
    began = time.perf_counter()
    entries = ("7", "r", "-10", "3", "p", "8", "9")
    for entry in entries:
        for table in tables:
            assert table.enter(entry) is None
    took = time.perf_counter() - began
    for table in tables:
        table.close()
    print(f"\n1,000 open games: {1000 * len(entries) / took:,.0f} entries a second, one thread, batch")
    assert 1000 * len(entries) / took > 1000
