"""The bulk kernel against the validator, at length: run with `-m slow -s`; takes most of an hour on one core."""

import os
from collections import Counter
from random import Random

import pytest

from ono_replay.bulk.layout import STRANGE
from ono_replay.log.jsonl import encode_game
from ono_replay.log.redact import view_of
from ono_replay.rules.ruleset import CHOICES
from ono_replay.simulate.game import Simulator
from tests.bulk_lanes import KERNEL_CODES, Lanes
from tests.property.plans import random_plan
from tests.property.test_bulk import compare_broken

pytestmark = [pytest.mark.slow, pytest.mark.timeout(24 * 3600)]

MUTATIONS = 1_000_000
GAMES = int(os.environ.get("ONO_BULK_GAMES", "100000"))
SEEDS = int(os.environ.get("ONO_BULK_SEEDS", "16500"))
"""Games that every fault is put into: together more than a million."""
MOST_HANDED = 0.01
"""The largest share of simulated canonical games that may go to the validator, of any kind and view."""


def test_a_million_faults():
    lanes, sound = compare_broken(range(10_000, 10_000 + SEEDS))
    print(
        f"\n{sound.games:,} sound games, {lanes.games:,} with one fault, {lanes.events:,} events, no difference;"
    )
    print(f"handed over: {sound.handed:,} and {lanes.handed:,}; codes: {sorted(lanes.codes.items())}")
    assert set(lanes.codes) >= KERNEL_CODES
    assert lanes.games >= MUTATIONS or "ONO_BULK_SEEDS" in os.environ


def test_a_hundred_thousand_simulated_games():
    lanes = Lanes()
    games: Counter[tuple[str, object]] = Counter()
    handed: Counter[tuple[str, object]] = Counter()
    for number in range(GAMES):
        plan = random_plan(Random(number))
        events = Simulator(plan).events(0)
        shown = ("full", "public", "seat")[number % 3]
        if shown != "full":
            events = view_of(events, None if shown == "public" else number % plan.players)
        assert lanes.difference(encode_game(events)) == "", plan
        ruleset = plan.ruleset()
        kinds: list[tuple[str, object]] = [
            ("view", shown),
            *((name, getattr(ruleset, name)) for name in CHOICES),
        ]
        games.update(kinds)
        if lanes.last == STRANGE:
            handed.update(kinds)
    print(
        f"\n{lanes.games:,} simulated games, {lanes.events:,} events, no difference; handed over: {lanes.handed:,}"
    )
    print(
        "by kind:",
        sorted((f"{name}={value}", count, handed[name, value]) for (name, value), count in games.items()),
    )
    assert lanes.games == GAMES
    assert all(handed[kind] <= MOST_HANDED * count for kind, count in games.items())
    assert {name for name, _ in games} == {"view", *CHOICES}
    assert all(("view", shown) in games for shown in ("full", "public", "seat"))
    assert all((name, value) in games for name, values in CHOICES.items() for value in values)
