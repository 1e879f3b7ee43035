"""How long a command takes from the shell and back."""

import resource
import statistics
import subprocess
import sys
import time
from pathlib import Path

import pytest

SAMPLE = Path(__file__).parents[1] / "data/conformance/logs/game-55-2022-points-last-standing-full.ono.jsonl"
RUNS = 20
BAR = 200
"""Milliseconds on an idle machine."""


@pytest.mark.parametrize(
    "arguments",
    [
        ["--help"],
        ["validate", str(SAMPLE)],
        ["validate", str(SAMPLE), "--format", "json"],
        ["states", str(SAMPLE)],
    ],
    ids=["help", "validate", "validate-json", "states"],
)
def test_a_small_command_answers_at_once(arguments):
    def run():
        before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        process = subprocess.run(
            [sys.executable, "-m", "ono_replay", *arguments], capture_output=True, text=True
        )
        took, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
        assert process.returncode == 0, process.stderr
        assert process.stdout
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, took

    run()  # the files are in memory, the bytecode is written
    cpu, took = (statistics.median(times) * 1000 for times in zip(*(run() for _ in range(RUNS)), strict=True))
    print(f"{arguments[0]}: median of {RUNS}: {took:.0f} ms, of the processor {cpu:.0f} ms")
    # On an idle machine they are the same; on a busy one only this is about the command.
    assert cpu < BAR
