"""The second statement of the rules says what the first says: the bulk kernel against the validator."""

import os
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings

from ono_replay.log.jsonl import encode_game
from ono_replay.log.redact import view_of
from ono_replay.simulate.game import Simulator
from tests.bulk_lanes import KERNEL_CODES, Lanes
from tests.property import faults_lines, faults_rules  # noqa: F401 - they register what they have
from tests.property.faults import FAULTS, game_of
from tests.property.plans import plans

ROOT = Path(__file__).parents[2]
CASES = sorted((ROOT / "tests/data/conformance/logs").glob("*.jsonl"))
SAMPLES = sorted((ROOT / "sample_logs").rglob("*.jsonl"))
_PACKED = (b"\x1f\x8b", b"\x28\xb5")


@pytest.mark.parametrize("path", [*CASES, *SAMPLES], ids=lambda path: path.name)
def test_every_case_and_sample(path):
    data = path.read_bytes()
    if not data.startswith(_PACKED):
        assert Lanes().difference(data) == ""


def compare_broken(seeds):
    lanes, sound = Lanes(), Lanes()
    for seed in seeds:
        game = game_of(seed)
        assert sound.difference(encode_game(game.events)) == "", seed
        for name, (_, mutate) in FAULTS.items():
            broken = mutate(game, Random(f"{name}/{seed}"))
            if broken is not None:
                assert lanes.difference(broken.file) == "", (name, seed)
    return lanes, sound


def test_one_fault_of_every_kind():
    lanes, _ = compare_broken(range(60))
    assert set(lanes.codes) >= KERNEL_CODES
    assert lanes.games > 3000


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(plans())
def test_simulated_games_take_the_fast_lane(plan):
    events = Simulator(plan).events(0)
    lanes = Lanes()
    for view in (events, view_of(events, None), view_of(events, plan.players - 1)):
        assert lanes.difference(encode_game(view)) == ""
    assert lanes.handed == 0


def test_the_kernel_runs_uncompiled():
    code = (
        "import sys\n"
        "from tests.property.test_bulk import CASES\n"
        "from tests.bulk_lanes import Lanes\n"
        "from ono_replay.bulk.jit import COMPILED\n"
        "lanes = Lanes()\n"
        "said = [lanes.difference(path.read_bytes()) for path in CASES]\n"
        "print(COMPILED, len(lanes.codes), [one for one in said if one])"
    )
    process = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    compiled, codes, different = process.stdout.split(maxsplit=2)
    assert (compiled, different.strip()) == ("False", "[]")
    assert int(codes) >= 25
