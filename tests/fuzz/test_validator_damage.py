"""Logs damaged in every way: findings with a place, never an exception; the same from validator and replay."""

import functools
import io
import json
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from ono_replay.check.catalogue import CATALOGUE
from ono_replay.check.diagnostic import Diagnostic, GameReport, Summary
from ono_replay.check.render import FORMATS
from ono_replay.check.validator import validate
from ono_replay.log.jsonl import encode_game
from ono_replay.log.redact import view_of
from ono_replay.replay import read_replays
from tests.property.walk import Walk

VALUES: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 2, 98, 99, 2**31, 2**53 + 1, 2**63 - 1, -(2**63), 2**63, 1e3, 1.5, -0.0, "", "?", "7",
    "ono_99", "reverse", "double_play", "10", "full", "public", "left", "abandoned", "completed", "points_low_score",
    "last_to_play", [], {}, [None], [0, 1], ["7"], ["?"] * 4, ["7"] * 200, [[]] * 3, {"edition": "1980"}, {"7": 2**31},
    "x" * 5000, "\u202e", "\ud800", "\x00",
)  # fmt: skip
"""What a value becomes: wrong types, hidden and other cards, huge, negative, odd."""


@functools.lru_cache(maxsize=100)
def log(seed: int) -> bytes:
    """A random game, or two in one file."""
    game = Walk(seed, most=80, decks=seed % 3 == 0)
    events = game.events if seed % 4 else view_of(game.events, seed % 2 or None)
    return encode_game(events) + (log(seed + 1) if seed % 5 == 1 else b"")


def flip(lines: list[bytes], random: Random) -> None:
    line = bytearray(lines[place := random.randrange(len(lines))] or b" ")
    line[random.randrange(len(line))] = random.randrange(256)
    lines[place] = bytes(line)


def drop(lines: list[bytes], random: Random) -> None:
    place = random.randrange(len(lines))
    del lines[place : place + random.choice((1, 1, 2, 9))]


def double(lines: list[bytes], random: Random) -> None:
    lines.insert(random.randrange(len(lines) + 1), random.choice(lines))


def swap(lines: list[bytes], random: Random) -> None:
    one, other = random.randrange(len(lines)), random.randrange(len(lines))
    lines[one], lines[other] = lines[other], lines[one]


def graft(lines: list[bytes], random: Random) -> None:
    """A line of another game."""
    lines.insert(random.randrange(len(lines) + 1), random.choice(log(random.randrange(50)).splitlines()))


def tear(lines: list[bytes], random: Random) -> None:
    place = random.randrange(len(lines))
    lines[place] = lines[place][: random.randrange(len(lines[place]) + 1)]


def join(lines: list[bytes], random: Random) -> None:
    place = random.randrange(len(lines))
    lines[place : place + 2] = [b"".join(lines[place : place + 2])]


def undo(lines: list[bytes], random: Random) -> None:
    """An undo to anywhere; the lines after it are numbered anew."""
    place = random.randrange(1, len(lines) + 1)
    lines.insert(place, b'{"seq":0,"type":"undo","to":%d}' % random.randrange(-1, place + 2))
    for at in range(place, len(lines)):
        keys = read(lines[at])
        if keys is None or keys.get("type") == "game_start":
            break
        lines[at] = written(keys | {"seq": at})


def replace_value(lines: list[bytes], random: Random) -> None:
    def change(keys: dict[str, Any]) -> None:
        inside, key = random.choice(places_in(keys))
        value = inside[key]
        if type(value) is int and random.random() < 0.4:
            inside[key] = value + random.choice((-10, -1, 1, 2, 10))
        else:
            inside[key] = random.choice(VALUES)

    change_line(lines, random, change)


def replace_key(lines: list[bytes], random: Random) -> None:
    def change(keys: dict[str, Any]) -> None:
        other = read(random.choice(lines)) or {"x": 1}
        if keys and random.random() < 0.5:
            del keys[random.choice(list(keys))]
        elif other:
            key = random.choice(list(other))
            keys[key] = other[key]

    change_line(lines, random, change)


def change_line(lines: list[bytes], random: Random, change: Callable[[dict[str, Any]], None]) -> None:
    place = random.randrange(len(lines))
    keys = read(lines[place])
    if keys:
        change(keys)
        lines[place] = written(keys)


def read(line: bytes) -> dict[str, Any] | None:
    try:
        found = json.loads(line)
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


def written(keys: dict[str, Any]) -> bytes:
    return json.dumps(keys, separators=(",", ":")).encode()


def places_in(value: Any) -> list[tuple[Any, Any]]:
    """Every place inside an object or array that has a value."""
    keys = value.keys() if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    return [place for key in keys for place in [(value, key), *places_in(value[key])]]


DAMAGE = (
    flip,
    drop,
    double,
    swap,
    graft,
    tear,
    join,
    undo,
    replace_value,
    replace_value,
    replace_value,
    replace_key,
)


def damaged(data: bytes, random: Random) -> bytes:
    lines = data.split(b"\n")
    for _ in range(random.choice((1, 1, 1, 2, 4, 9))):
        random.choice(DAMAGE)(lines, random)
        lines = lines or [b""]
    return b"\n".join(lines)


def check(data: bytes, *, show: bool) -> None:
    """Validate and replay a log; everything found has its place."""
    summary = Summary()
    found = list(validate([io.BytesIO(data)], summary=summary, keep_scenes=show))
    reports = [one for one in found if isinstance(one, GameReport)]
    count = data.count(b"\n") + 1
    for one in found:
        for diagnostic in one.diagnostics if isinstance(one, GameReport) else [one]:
            assert diagnostic.code in CATALOGUE
            assert diagnostic.message
            assert diagnostic.line is None or 1 <= diagnostic.line <= count
    for report in reports:
        errors = [found for found in report.diagnostics if found.severity == "error"]
        assert len(errors) <= report.errors <= len(errors) + report.more
        assert (report.verdict == "invalid") == bool(errors)
        assert not errors or not all(found.knock_on for found in errors) or has_warning(report)
    assert summary.events == sum(report.events for report in reports)
    replays = list(read_replays(io.BytesIO(data)))
    assert [replay.report.verdict for replay in replays] == [report.verdict for report in reports]
    for replay in replays:
        json.dumps(list(replay.states_json()))
    if show:
        render(found, summary)


def has_warning(report: GameReport) -> bool:
    """Whether something was let stand, which knock-ons can come from."""
    return any(found.severity == "warning" for found in report.diagnostics)


def render(found: list[GameReport | Diagnostic], summary: Summary) -> None:
    for name, make in FORMATS.items():
        shown = io.StringIO()
        renderer = make(shown)
        for one in found:
            renderer.game(one) if isinstance(one, GameReport) else renderer.stray(one)
        renderer.close(summary)
        if name in ("json", "sarif"):
            json.loads(shown.getvalue())


def run(seeds: range) -> None:
    for seed in seeds:
        random = Random(f"damage/{seed}")
        data = damaged(log(random.randrange(60)), random)
        try:
            check(data, show=seed % 5 == 0)
        except BaseException as error:
            raise AssertionError(f"damage {seed}: {data!r}") from error


@pytest.mark.parametrize("first", range(0, 1200, 400))
def test_damaged_logs(first):
    run(range(first, first + 400))


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_many_damaged_logs():
    run(range(100_000, 160_000))


def test_every_line_dropped_doubled_or_swapped_with_the_next():
    for seed in (2, 3, 7):
        lines = log(seed).splitlines()
        for place in range(len(lines)):
            check(b"\n".join([*lines[:place], *lines[place + 1 :], b""]), show=False)
            check(b"\n".join([*lines[: place + 1], *lines[place:], b""]), show=False)
            swapped = [*lines[:place], *lines[place : place + 2][::-1], *lines[place + 2 :], b""]
            check(b"\n".join(swapped), show=False)
