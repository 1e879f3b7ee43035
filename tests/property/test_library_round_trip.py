"""Logs into a library and out again: the same bytes, for simulated games of all kinds."""

import io
from typing import Any

import pytest
from msgspec.structs import replace

from ono_replay.library.exporting import export_log
from ono_replay.library.held_back import held_back
from ono_replay.library.importing import import_logs
from ono_replay.library.maintenance import check_library
from ono_replay.log.jsonl import encode_game
from ono_replay.log.reader import read_games
from ono_replay.log.redact import view_of
from ono_replay.simulate.game import Simulator
from ono_replay.simulate.plan import Plan

POINTS: dict[str, Any] = {"points_target": 150}
KINDS: list[tuple[str, int, Any, float, float, dict[str, Any]]] = [
    ("2022", 2, "single", 0.0, 0.0, {}),
    ("2022", 6, "single", 0.05, 0.0, {"decks": True}),
    ("2022", 3, "chips", 0.0, 0.0, {"rules": {"four_ono_99": "free_action"}}),
    ("2022", 4, "points_low_score", 0.02, 0.0, POINTS),
    ("1980", 8, "single", 0.0, 0.2, {}),
    ("1980", 3, "chips", 0.05, 0.05, {"decks": True}),
    ("1980", 4, "points_last_standing", 0.0, 0.1, POINTS),
    ("1980", 2, "single", 0.0, 0.0, {"rules": {"nobody_can_play": "last_to_play", "ono_99_on_zero": True}}),
]
PLANS = [
    Plan(
        edition=edition, players=players, seed=seed, match=match, mistakes=mistakes, forfeits=forfeits, **more
    )
    for seed, (edition, players, match, mistakes, forfeits, more) in enumerate(KINDS)
]


def logs(games):
    """Yield each game whole, and some as the public or a seat sees them, broken off, with times and remarks."""
    for plan in PLANS:
        simulator = Simulator(plan)
        for index in range(games):
            log = simulator.log(index)
            if index % 5 == 1:
                (game,) = read_games(io.BytesIO(log))
                log = encode_game(view_of(game.events, None if index % 2 else 1))
            elif index % 5 == 2:
                log = b"".join(log.splitlines(keepends=True)[: 3 + index % 90])
            elif index % 5 == 3:
                (game,) = read_games(io.BytesIO(log))
                events = [replace(event, at_ms=900 * event.seq) for event in game.events[:-1]]
                log = encode_game(events)
                log += b'{"seq":%d,"type":"comment","text":"\\"\xc3\xa9\\n","ref":0,"meta":{"x":1.50}}\n' % (
                    len(events)
                )
            yield log


def check_round_trip(tmp_path, games):
    expected = {}
    with (tmp_path / "in.ono.jsonl").open("wb") as file:
        for log in logs(games):
            file.write(log)
            (game,) = read_games(io.BytesIO(log))
            assert game.start is not None
            expected[game.start.game_id] = log
    summary = import_logs([str(tmp_path / "in.ono.jsonl")], tmp_path / "library", jobs=1)
    assert len(expected) == games * len(PLANS)
    assert list(summary.notes) == []
    assert summary.total("added") == len(expected)
    assert list(held_back(tmp_path / "library")) == []
    export_log(tmp_path / "library", tmp_path / "out.ono.jsonl")
    assert (tmp_path / "out.ono.jsonl").read_bytes() == b"".join(expected[key] for key in sorted(expected))
    assert list(check_library(tmp_path / "library", logs=True)) == []


def test_some_games(tmp_path):
    check_round_trip(tmp_path, 5)


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_ten_thousand_games(tmp_path):
    check_round_trip(tmp_path, 1250)
