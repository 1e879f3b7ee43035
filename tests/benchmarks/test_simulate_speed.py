"""How many events a second one process writes, bot by bot."""

import time

import pytest

from ono_replay.log.output import log_writer
from ono_replay.simulate.batch import simulate_games
from ono_replay.simulate.bots import BOTS
from ono_replay.simulate.plan import Plan

AT_LEAST = {"random": 100_000, "low": 100_000, "saver": 100_000, "oneply": 60_000}
"""Events a second; `oneply` plays every card in its head before it chooses."""
EVENTS = 400_000


@pytest.mark.parametrize("edition", ["2022", "1980"])
@pytest.mark.parametrize("bot", BOTS)
def test_one_process_writes_fast_enough(tmp_path, bot, edition):
    games = simulate_games(Plan(edition=edition, players=4, seed=1, bots=(bot,)), 10**6)
    next(games)
    written = 0
    # Time of this process alone: a machine that is busy with other things says nothing of it.
    began = time.process_time()
    with log_writer(tmp_path / "games.ono.jsonl") as file:
        for game in games:
            file.write(game)
            written += game.count(b"\n")
            if written > EVENTS:
                break
    speed = written / (time.process_time() - began)
    print(f"\n{bot}, {edition}: {speed:,.0f} events a second")
    assert (tmp_path / "games.ono.jsonl").read_bytes().count(b"\n") == written
    assert speed >= AT_LEAST[bot]
