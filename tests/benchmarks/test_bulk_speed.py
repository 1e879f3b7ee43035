"""The bars of the fast lane: each speed beside another of the same run, the result asserted before the time."""

import io
import os
import statistics
import subprocess
import sys
import time
from collections import deque
from pathlib import Path

import msgspec
import pytest

from ono_replay.bulk.archive import ArchiveJudge, read_archive, write_archive
from ono_replay.bulk.engine import CHUNK, WHOLE, Judge, Judged, judge_all, warm_up
from ono_replay.bulk.kernel import judge
from ono_replay.check.diagnostic import Summary
from ono_replay.log.chunks import Chunk, cut_games
from ono_replay.log.lines import LineReader
from ono_replay.rules.events import GameEvent
from ono_replay.validation import validate
from tests.benchmarks.bulk_mix import endless, mix
from tests.benchmarks.test_reference import random_pgn, read_moves

ROUNDS = 9
TIMES = 12
BAR_TWO_CORES = 1.7


@pytest.fixture(scope="module")
def logs():
    """About 20 MB of games."""
    return mix(40)


@pytest.fixture(scope="module")
def data(logs):
    warm_up()
    return b"".join(logs)


def blocks(data):
    file = io.BytesIO(data)
    return iter(lambda: file.read(1 << 18), b"")


def decode_all(lines):
    """Decode lines into the typed events, none of which is kept."""
    deque(map(msgspec.json.Decoder(GameEvent).decode, lines), maxlen=0)


def judge_text(data, *, threads=1, digests=True):
    """Return how many events are in the games of bytes or of a file, all of them sound."""
    events = 0
    texts = LineReader(data).blocks(CHUNK) if isinstance(data, Path) else blocks(data)
    for found in judge_all(cut_games(texts, CHUNK), threads=threads, digests=digests):
        assert isinstance(found, Judged)
        assert (found.games["found"] == WHOLE).all()
        events += int(found.games["events"].sum())
    return events


def judge_rows(path):
    alone, events = ArchiveJudge(), 0
    for batch in read_archive(path):
        games = alone.judge(batch).games
        assert (games["found"] == WHOLE).all()
        events += int(games["events"].sum())
    return events


def report_all(data):
    summary = Summary()
    for _ in validate(io.BytesIO(data), engine="fast", threads=1, summary=summary):
        pass
    return summary


def speeds(events, works, clock=time.process_time):
    """Millions of events a second of each work: the median of rounds in turns, so that all meet the same machine."""
    took: dict[str, list[float]] = {name: [] for name in works}
    for _ in range(ROUNDS):
        for name, work in works.items():
            began = clock()
            work()
            took[name].append((clock() - began) / 1e6)
    return {name: events / 1e12 / statistics.median(times) for name, times in took.items()}


def test_text_against_decoding_alone(data):
    lines = data.split(b"\n")[:-1]
    assert judge_text(data) == judge_text(data, digests=False) == len(lines)
    summary = report_all(data)
    assert (summary.games, summary.events, summary.errors) == (summary.valid, len(lines), 0)
    found = speeds(
        len(lines),
        {
            "decode": lambda: decode_all(lines),
            "kernel": lambda: judge_text(data, digests=False),
            "with digests": lambda: judge_text(data),
            "reports": lambda: report_all(data),
        },
    )
    print(
        "\nmillions of events a second, one core:", {name: round(speed, 1) for name, speed in found.items()}
    )
    times = {name: round(speed / found["decode"], 2) for name, speed in found.items()}
    print("times msgspec:", times)
    assert times["kernel"] >= 3
    assert times["with digests"] >= 1.5
    assert times["reports"] >= 1.5


def test_text_against_reading_chess(data):
    pgn = random_pgn(games=25, moves=80)
    events = data.count(b"\n")
    assert read_moves(pgn) == 25 * 80
    assert judge_text(data) == events
    chess = speeds(25 * 80, {"moves": lambda: read_moves(pgn)})["moves"]
    ours = speeds(events, {"events": lambda: judge_text(data)})["events"]
    print(
        f"\n{ours:.1f} million events a second, python-chess {chess * 1e6:,.0f} moves: {ours / chess:,.0f} times"
    )
    assert ours > 100 * chess


COUNT = "n = 0\nfor number in range(8_000_000): n += number"


def seconds(work):
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def count_in(processes):
    """Do what needs nothing but a core, so many times at once."""
    for one in [subprocess.Popen([sys.executable, "-c", COUNT]) for _ in range(processes)]:
        assert one.wait() == 0


@pytest.mark.parametrize("digests", [False, True])
def test_two_cores_against_one(data, digests, tmp_path):
    """The bar is for a machine that does nothing else: of a busy one as much is asked as two processes get there."""
    many = tmp_path / "many.ono.jsonl"
    with many.open("wb") as file:
        for _ in range(TIMES):
            file.write(data)  # the kernel does not look whether an id came before
    events = TIMES * data.count(b"\n")
    assert judge_text(many, threads=2, digests=digests) == judge_text(many, digests=digests) == events
    took: dict[int, list[float]] = {1: [], 2: []}
    counted: dict[int, list[float]] = {1: [], 2: []}
    for _ in range(ROUNDS):
        for cores in took:
            took[cores].append(seconds(lambda: judge_text(many, threads=cores, digests=digests)))  # noqa: B023 - called at once
            counted[cores].append(seconds(lambda: count_in(cores)))  # noqa: B023 - called at once
    # The best of each: whatever else the machine does only takes away.
    ratio = min(took[1]) / min(took[2])
    there = min(2.0, 2 * min(counted[1]) / min(counted[2]))
    print(
        f"\ndigests {digests}: two cores {ratio:.2f} times one, {events / min(took[2]) / 1e6:.1f} million events a second"
    )
    print(f"two processes that only count: {there:.2f} times one")
    assert ratio >= BAR_TWO_CORES * there / 2


def test_an_archive_against_text(data, tmp_path):
    path = tmp_path / "games.parquet"
    with path.open("wb") as file:
        write_archive(file, [blocks(data)])
    events = data.count(b"\n")
    assert judge_rows(path) == judge_text(data) == events
    found = speeds(
        events,
        {
            "archive": lambda: judge_rows(path),
            "text": lambda: judge_text(data, digests=False),
            "with digests": lambda: judge_text(data),
        },
    )
    print(
        f"\n{path.stat().st_size / events:.2f} bytes an event, text {len(data) / events:.1f}; millions a second:"
    )
    print({name: round(speed, 1) for name, speed in found.items()})
    assert found["archive"] >= 1.5 * found["text"]


def test_columns_in_memory(data):
    cut = data.rfind(b"\n", 0, data.rfind(b'"game_start"', 0, CHUNK)) + 1
    alone = Judge(digests=False)
    judged = alone.judge(Chunk.of(data[:cut]))
    games, turns = judged.games, 20
    events = int(games["events"].sum())

    def replay():
        for _ in range(turns):
            games["found"] = WHOLE
            judge(judged.columns, games, judged.rulebook, alone._boards)

    assert events == data[:cut].count(b"\n")
    speed = speeds(turns * events, {"kernel": replay})["kernel"]
    assert (games["found"] == WHOLE).all()
    print(f"\ncolumns in memory: {speed:.0f} million events a second")


START = """
import sys, time
began = time.perf_counter()
from ono_replay.cli.main import run
status = run(["validate", "--engine", "fast", sys.argv[1]])
print(status, time.perf_counter() - began)
"""


def test_cold_and_warm_start(logs, tmp_path):
    path = tmp_path / "few.ono.jsonl"
    path.write_bytes(b"".join(logs[:5]))
    surroundings = {**os.environ, "ONO_REPLAY_CACHE": str(tmp_path / "cache")}
    took = []
    for _ in range(6):
        process = subprocess.run(
            [sys.executable, "-c", START, str(path)],
            env=surroundings,
            capture_output=True,
            text=True,
            check=True,
        )
        assert "5 games in 1 file: 5 valid." in process.stdout
        status, seconds = process.stdout.split()[-2:]
        assert status == "0"
        took.append(float(seconds))
    cold, *warm = took
    print(f"\ncold start {cold:.1f} s, warm start {min(warm):.2f} s")
    assert cold < 15
    assert min(warm) < 1


PEAK = """
import sys
from pathlib import Path
from ono_replay.cli.main import run
status = run(["validate", "-"])
peak = Path("/proc/self/status").read_text().partition("VmHWM:")[2].split()[0]
print(status, int(peak) // 1024)
"""


def fed(pieces, size):
    """Validate so many bytes of games through a pipe; return what is said at the end, and the peak in MiB."""
    process = subprocess.Popen(
        [sys.executable, "-c", PEAK], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdin is not None
    written = games = 0
    for piece in pieces:
        process.stdin.write(piece)
        written += len(piece)
        games += 1
        if written >= size:
            break
    output, errors = process.communicate()
    *_, said, last = output.decode().splitlines()
    status, peak = map(int, last.split())
    return games, status, said, errors.decode(), peak


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_memory_does_not_grow_with_the_input(logs):
    games, status, said, _, peak = fed(endless(logs), 10**9)
    print(f"\n1 GB, {games:,} games: {peak} MiB")
    assert status == 0
    assert said.startswith(f"{games:,} games in 1 file: {games:,} valid.")
    assert peak < 300


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_nor_with_the_number_of_games(logs):
    start = min(logs, key=len).partition(b"\n")[0] + b"\n"
    games, status, said, errors, peak = fed(endless_starts(start), 3 * 10**9)
    print(f"\n{games:,} games: {peak} MiB")
    assert status == 0
    assert said.startswith(f"{games:,} games in 1 file: {games:,} unfinished.")
    assert "too many games" in errors
    assert peak < 300


def endless_starts(start):
    head, _, tail = start.partition(b'"game_id":"')
    number = 0
    while True:
        number += 1
        yield head + b'"game_id":"%d-' % number + tail
