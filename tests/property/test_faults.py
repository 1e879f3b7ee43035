"""One fault in a sound game: the right code at the right line, and one error that is not a knock-on."""

import io
from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from ono_replay.check.catalogue import CATALOGUE
from ono_replay.check.diagnostic import Diagnostic, GameReport
from ono_replay.check.validator import validate
from tests.property import faults_lines, faults_rules  # noqa: F401 - they register what they have
from tests.property.faults import FAULTS, Broken, Game, game_of, lines_of, numbered


def broken_logs(name: str, seeds: range, most: int) -> Iterator[tuple[int, Broken]]:
    """Up to so many logs with one kind of fault, from games that have a place for it."""
    _, mutate = FAULTS[name]
    found = 0
    for seed in seeds:
        broken = mutate(game_of(seed), Random(f"{name}/{seed}"))
        if broken is not None:
            yield seed, broken
            found += 1
            if found == most:
                return


def said_of(data: bytes) -> list[Diagnostic]:
    """All findings, in the order of lines."""
    found: list[Diagnostic] = []
    for one in validate([io.BytesIO(data)]):
        found += one.diagnostics if isinstance(one, GameReport) else [one]
    return sorted(found, key=lambda diagnostic: diagnostic.line or 10**9)


def what_is_wrong(broken: Broken) -> str:
    """What our validator says otherwise than it must, in short; empty where it is right."""
    said = said_of(broken.file)
    own = [found for found in said if not found.knock_on]
    first = next((found for found in own if found.severity == broken.severity), None)
    if first is None or (first.code, first.line, first.seq) != (broken.code, broken.line, broken.seq):
        return f"not at its place: {first and (first.code, first.line, first.seq)}"
    errors = [(found.code, found.line) for found in own if found.severity == "error"]
    return "" if len(errors) == (broken.severity == "error") else f"errors: {errors[:4]}"


@pytest.mark.parametrize("name", FAULTS)
def test_one_fault_is_one_error_at_its_place(name):
    logs = list(broken_logs(name, range(300), 6))
    assert len(logs) == 6
    wrong = {seed: said for seed, broken in logs if (said := what_is_wrong(broken))}
    assert not wrong


def test_every_code_has_its_faults():
    assert {code for code, _ in FAULTS.values()} == set(CATALOGUE)


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_tens_of_thousands_of_faults():
    """The bar: 99 % in all and 95 % of each code at their place, 95 % with exactly one error of their own."""
    logs: Counter[str] = Counter()
    misplaced: Counter[str] = Counter()
    too_many: Counter[str] = Counter()
    for name, (code, _) in FAULTS.items():
        for _, broken in broken_logs(name, range(1000, 6000), 400):
            logs[code] += 1
            said = what_is_wrong(broken)
            misplaced[code] += said.startswith("not at")
            too_many[code] += said.startswith("errors")
    print(
        logs.total(), "logs;", misplaced.total(), "not at their place;", too_many.total(), "with other errors"
    )
    assert misplaced.total() <= 0.01 * logs.total()
    assert too_many.total() <= 0.05 * logs.total()
    for code, number in logs.items():
        assert misplaced[code] + too_many[code] <= 0.05 * number, code


# --- any event lost, doubled or swapped, the others numbered anew -------------------------------------


def edited(game: Game, random: Random) -> dict[str, list[Any]]:
    """The game with one event missing, one twice, two neighbours swapped."""
    place = random.randrange(1, len(game.events) - 1)
    before, event, after = game.events[:place], game.events[place], game.events[place + 1 :]
    elsewhere = random.randrange(1, len(game.events))
    return {
        "missing": before + after,
        "twice": [*before, event, event, *after],
        "twice, far apart": [*game.events[:elsewhere], event, *game.events[elsewhere:]],
        "swapped": [*before, after[0], event, *after[1:]],
    }


def count_edits(seeds: range) -> None:
    """At least 95 of 100 are told as one error of their own, or none where it makes no difference."""
    logs: Counter[str] = Counter()
    too_many: Counter[str] = Counter()
    for seed in seeds:
        game, random = game_of(seed), Random(f"edits/{seed}")
        for name, events in edited(game, random).items():
            said = said_of(b"".join(line + b"\n" for line in lines_of(numbered(events))))
            own = [found for found in said if found.severity == "error" and not found.knock_on]
            logs[name] += 1
            too_many[name] += len(own) > 1
    print(dict(too_many), "of", dict(logs))
    assert all(too_many[name] <= 0.05 * number for name, number in logs.items())


def test_an_event_lost_doubled_or_swapped_is_one_error():
    count_edits(range(60))


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_thousands_of_events_lost_doubled_or_swapped():
    count_edits(range(1000, 6000))
