"""Daft on one machine beside two plain threads, in the environment of the cluster tests."""

import json

import pytest

from ono_replay.bulk.archive import write_archive
from tests.benchmarks.bulk_mix import endless, mix
from tests.cluster.environment import install, run

FILES = 8
BAR = 0.8


@pytest.mark.timeout(1800)
def test_daft_against_threads(tmp_path):
    games = mix(60)
    turns, events = endless(games), 0
    for number in range(FILES):
        with (tmp_path / f"{number}.parquet").open("wb") as file:
            events += write_archive(file, [(next(turns) for _ in games)]).events
    told = json.loads(run(install(tmp_path), "-m", "tests.cluster.speed", tmp_path).splitlines()[-1])
    assert set(told["events"].values()) == {events}
    speeds = {name: events / seconds for name, seconds in told["seconds"].items()}
    print(
        f"\n{events:,} events; millions a second:",
        {name: round(speed / 1e6, 1) for name, speed in speeds.items()},
    )
    assert speeds["daft"] >= BAR * speeds["threads"]
