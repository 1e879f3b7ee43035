"""Two faults that have nothing to do with each other are two errors, none of them a knock-on."""

from collections import Counter
from itertools import pairwise
from random import Random
from typing import NamedTuple

import pytest

from ono_replay.rules.events import Play, RoundStart
from tests.property.faults import FAULTS, Game, game_of, lines_of
from tests.property.test_faults import said_of

APART = 20
"""Events between two faults of one round: a misread card can show only when its hand is played."""
NOT_ALONE = {"ONO112", "ONO208", "ONO211", "ONO501"}
"""After these nothing is checked, or all that follows in the round may come from them; or they come from any."""


class Spot(NamedTuple):
    """A fault in one line, the others as they were."""

    place: int
    code: str
    line: bytes


def spots_of(game: Game, random: Random) -> list[Spot]:
    """One fault of each kind that changes one line only, where it was in the file."""
    lines = lines_of(game.events)
    spots = []
    for code, mutate in FAULTS.values():
        broken = None if code in NOT_ALONE else mutate(game, random)
        if (
            broken is None
            or broken.data is not None
            or broken.severity != "error"
            or len(broken.lines) != len(lines)
        ):
            continue
        changed = [place for place, line in enumerate(lines) if line != broken.lines[place]]
        if len(changed) == 1 and len(broken.lines[changed[0]]) < 10_000:
            spots.append(Spot(changed[0], code, broken.lines[changed[0]]))
    return spots


def both(game: Game, first: Spot, second: Spot) -> bool:
    """Whether both faults are told as errors of their own, and nothing else is."""
    lines = lines_of(game.events)
    lines[first.place], lines[second.place] = first.line, second.line
    said = said_of(b"".join(line + b"\n" for line in lines))
    own = [(found.code, found.line) for found in said if found.severity == "error" and not found.knock_on]
    return own == [(first.code, first.place + 1), (second.code, second.place + 1)]


def pairs_of(seeds: range) -> tuple[Counter[str], Counter[str]]:
    """How many pairs there are, and how many are told as two: in one round, and in two."""
    told: Counter[str] = Counter()
    tried: Counter[str] = Counter()
    for seed in seeds:
        game, random = game_of(seed), Random(f"pairs/{seed}")
        rounds = [
            sum(isinstance(event, RoundStart) for event in game.events[: at + 1])
            for at in range(len(game.events))
        ]
        spots = sorted(spots_of(game, random))
        for first in spots:
            later = [spot for spot in spots if spot.place >= first.place + APART]
            for second in random.sample(later, min(3, len(later))):
                where = "one round" if rounds[first.place] == rounds[second.place] else "two rounds"
                tried[where] += 1
                told[where] += both(game, first, second)
    return told, tried


def check_bars(seeds: range) -> None:
    told, tried = pairs_of(seeds)
    print(dict(told), "of", dict(tried))
    assert min(tried.values()) > len(seeds)
    assert told["two rounds"] >= 0.99 * tried["two rounds"]
    assert told["one round"] >= 0.94 * tried["one round"]


def test_pairs_of_faults():
    check_bars(range(25))


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_many_pairs_of_faults():
    check_bars(range(1000, 3000))


@pytest.mark.parametrize("seed", range(12))
def test_every_wrong_total_of_a_game_is_told(seed):
    game = game_of(seed)
    places = game.places(Play)[:: 3 * game.seats]
    lines = lines_of(game.events)
    for place in places:
        right = game.events[place].total
        lines[place] = lines[place].replace(b'"total":%d' % right, b'"total":%d' % (right + 1))
    said = [found for found in said_of(b"".join(line + b"\n" for line in lines)) if not found.knock_on]
    assert [(found.code, found.line) for found in said] == [("ONO306", place + 1) for place in places]


def test_a_fault_says_nothing_of_the_next_game():
    """Two games in one file, a fault in each: all kinds of faults after all others of the list, one by one."""
    faulty = []
    for name, (code, mutate) in FAULTS.items():
        broken = next(made for seed in range(99) if (made := mutate(game_of(seed), Random(f"{name}/{seed}"))))
        if broken.data is None and broken.severity == "error" and code != "ONO201":
            faulty.append(broken)
    assert len(faulty) > 60
    for first, second in pairwise(faulty):
        again = second.file.replace(b'"game_id":"walk', b'"game_id":"other')
        said = said_of(first.file + again)
        own = [(found.code, found.line) for found in said if found.severity == "error" and not found.knock_on]
        assert own == [(first.code, first.line), (second.code, (second.line or 0) + len(first.lines))]
