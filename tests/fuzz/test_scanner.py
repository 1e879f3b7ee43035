"""The scanner against the JSON decoder: whatever bytes it takes mean the same events; what is plain, it takes."""

import os
import re
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings

from ono_replay.bulk.layout import (
    COMMENT,
    GAME_START,
    STRANGE,
    Workspace,
)
from ono_replay.bulk.lines_of import event_at
from ono_replay.bulk.rulebook import Rulebook
from ono_replay.bulk.scan import scan
from ono_replay.log.chunks import Chunk
from ono_replay.log.jsonl import LineFault, RawObject, canonical, encode_value, event_keys, parse_line
from ono_replay.log.shape import check_shape
from ono_replay.rules.cards import ORDER
from ono_replay.rules.events import Event, GameStart
from tests.property import faults_lines, faults_rules  # noqa: F401 - they register what they have
from tests.property.events import later_events, numbered, starts
from tests.property.faults import game_of

CARDS = tuple(ORDER)
START = (
    b'{"seq":0,"type":"game_start","format":"ono-log","version":"1.0","game_id":"g","ruleset":{"edition":"2022"},'
    b'"players":[{"name":"A"},{"name":"B"},{"name":"C"}],"dealer":null,"view":"public"}'
)
SPACE = Workspace.for_text(1 << 20)
RULEBOOK = Rulebook()


def scanned(text):
    chunk = Chunk.of(text)
    address = np.frombuffer(chunk.data, np.uint8).ctypes.data
    count, _, known = scan(address, chunk.size, SPACE.columns, SPACE.games, SPACE.rulesets, SPACE.lines)
    spans = SPACE.rulesets[:known].tolist()
    rules, places = RULEBOOK.look_up([text[start : start + size] for start, size in spans])
    games = SPACE.games[:count]
    # Whether a ruleset is canonical, and one, the rulebook says.
    bad = [row.found != STRANGE and rules[places[row.ruleset]].players_max == 0 for row in games]
    games["found"][bad] = STRANGE
    return games


FIELDS = {
    "play": ("seat", "card", "total"),
    "draw": ("seat", "card"),
    "deal": ("seat", "cards"),
    "forfeit_draw": ("seat",),
    "discard_four": ("seat",),
    "reshuffle": ("count", "deck"),
    "eliminate": ("seat", "reason", "card", "hand"),
    "round_start": ("round", "dealer", "starter", "deck", "position"),
    "round_end": ("round", "winner", "loser", "chips", "points", "scores"),
    "game_end": ("winners", "reason"),
}


def said(event):
    """What the columns hold of an event."""
    return (event.type, event.at_ms, *(getattr(event, name) for name in FIELDS[event.type]))


def check_taken(lines, first):
    """Assert that the lines of a game that was taken are the events in the columns from `first` on."""
    for place, line in enumerate(lines):
        found = parse_line(line)
        assert not isinstance(found, LineFault), line
        if isinstance(found, RawObject):
            # Free values that are not for the short way: without them the line is a plain one.
            assert encode_value(found.keys) == line
            found = parse_line(encode_value({key: found.keys[key] for key in found.keys if key != "meta"}))
        if isinstance(found, RawObject):
            # A text with a long number in it goes the careful way, too.
            shape = check_shape(found.keys, None)
            if place == 0 and shape.fault is not None and shape.fault.code == "ONO206":
                # Whether the dealer sits at the table, the kernel looks.
                shape = check_shape(found.keys | {"dealer": None}, None)
            assert shape.event is not None, line
            assert (shape.fault, shape.unknown_keys) == (None, []), line
            found = shape.event
        assert isinstance(found, Event), line
        assert found.seq == place, line
        assert not found.irregular, line
        if isinstance(found, GameStart):
            assert SPACE.columns.kind[first] == GAME_START, line
            continue
        columns = SPACE.columns
        if found.type == "comment":
            assert columns.kind[first + place] == COMMENT, line
            continue
        seen = event_at(columns, first + place, place)
        assert said(seen) == said(found), line
        if not columns.odd[first + place]:
            assert canonical(seen) == line


def take(games):
    """Scan games, each a list of lines, and check those that are taken; return how many they are."""
    text = b"".join(line + b"\n" for lines in games for line in lines)
    taken = 0
    for row in scanned(text):
        if row.found != STRANGE:
            check_taken(text[row.start : row.end].split(b"\n")[:-1], int(row.first))
            taken += 1
    return taken


BITS = [
    b'"', b"\\", b",", b"}", b"{", b"[", b"]", b":", b"0", b"1", b"-", b" ", b"\0", b"\n", b"\r", b"\t", b"?", b".",
    b"e5", b"null", b"true", b"\xc3\xa9", b"\xff", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xc0\xaf", b"99999999999",
    b"999999999999999999999", b'"?"', b'"10"', b'"irregular":true', b'"at_ms":5', b'"meta":{"a":1,"a":2}', b"\x7f",
    b"\xe2\x82\xac", b'"\\u00e9"', b'\\"', b"1.50", b"-0", b"01", b"ono_99", b"double_play", b'"draw"', b"\xef\xbb\xbf",
]  # fmt: skip


def damaged(line, random):
    at = random.randrange(len(line) + 1)
    kind = random.randrange(7)
    if kind == 0:
        return line[:at] + random.choice(BITS) + line[at:]
    if kind == 1:
        return line[:at] + random.choice(BITS) + line[at + random.randrange(1, 4) :]
    if kind == 2:
        return line[:at] + line[at + random.randrange(1, 6) :]
    if kind == 3 and line:
        at = min(at, len(line) - 1)
        return line[:at] + bytes([line[at] ^ (1 << random.randrange(8))]) + line[at + 1 :]
    if kind == 4:
        other = random.randrange(len(line) + 1)
        return line[:at] + line[min(at, other) : max(at, other)] + line[at:]
    numbers = list(re.finditer(rb"-?\d+", line))
    found = random.choice(numbers)
    value = int(found[0]) + random.choice((-1, 1, 10, 256, 1 << 30, -(1 << 33)))
    if kind == 5:
        value = random.choice((0, -1, 254, 255, 256, 2**31, 2**63, -(2**63)))
    return line[: found.start()] + b"%d" % value + line[found.end() :]


def corpus():
    """Lines of every type, with `seq` 1."""
    found: set[bytes] = set()
    for seed in range(40):
        found.update(canonical(event) for event in game_of(seed).events[1:])
    plain = re.compile(rb'^\{"seq":\d+,')
    lines = sorted({plain.sub(b'{"seq":1,', line) for line in found})
    tails = [b"", b',"at_ms":7', b',"meta":{"a":[1,{"b":-1.5e+3}],"c":"d\xc3\xa9"}', b',"at_ms":0,"meta":{}']
    return [line[:-1] + tails[place % 4] + b"}" for place, line in enumerate(lines)]


LINES = corpus()
STARTS = [
    START,
    START.replace(b'"view":"public"', b'"view":"full","started_at":"2026-02-28T23:59:59.5+01:00"'),
    START.replace(
        b'"view":"public"', b'"view":"seat","viewer":2,"source":{"app":"a","version":"1"},"at_ms":5'
    ),
    START.replace(b'{"name":"B"}', b'{"name":"\xe2\x82\xac","id":"b","bot":true}').replace(b"null", b"1"),
]


def fuzz(seed, rounds):
    random = Random(seed)
    taken = 0
    for _ in range(rounds):
        games = []
        for _ in range(200):
            if random.random() < 0.2:
                games.append([damaged(random.choice(STARTS), random)])
            else:
                games.append([START, damaged(random.choice(LINES), random)])
        taken += take(games)
    return taken


def test_damaged_lines():
    taken = fuzz(1, 150)
    assert 1500 < taken < 15000


@pytest.mark.slow
@pytest.mark.timeout(24 * 3600)
def test_millions_of_damaged_lines():
    rounds = int(os.environ.get("ONO_FUZZ_ROUNDS", "25000"))
    print(200 * rounds, "damaged lines,", fuzz(2, rounds), "taken")


def test_sound_lines_are_taken():
    short = [line for line in LINES if not re.search(rb"\d{10}", line)]
    games = [[START, line] for line in short] + [[line] for line in STARTS]
    assert take(games) == len(games) > 500


@settings(max_examples=300, deadline=None)
@given(starts(), later_events(known_only=True))
def test_any_event(start, event):
    take([[canonical(one) for one in numbered([start, event])]])
    take([[START, canonical(numbered([start, event])[1])]])


@pytest.mark.parametrize(
    "time",
    [
        "2026-01-31T20:15:00Z", "2024-02-29T00:00:00-12:59", "2023-02-29T00:00:00Z", "1900-02-29T00:00:00Z",
        "2000-02-29T23:59:60Z", "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z", "2026-04-31T00:00:00Z",
        "0000-01-01T00:00:00Z", "2026-01-31T24:00:00Z", "2026-01-31T20:60:00Z", "2026-01-31t20:15:00z",
        "2026-01-31T20:15:00.123456789+23:59", "2026-01-31T20:15:00.Z", "2026-01-31T20:15:00+24:00", "2026-01-31",
        "2026-01-31 20:15:00Z", "2026/01/31T20:15:00Z", "2026-01-31T20.15.00Z", "", "2026-01-31T20:15:00",
    ],
)  # fmt: skip
def test_times(time):
    line = START.replace(b'"public"', b'"public","started_at":"' + time.encode() + b'"')
    found = parse_line(line)
    assert isinstance(found, Event)
    sound = check_shape(event_keys(found), None).fault is None
    taken = take([[line]])
    assert sound or not taken
    if re.fullmatch(r"2026-01-31T20:15:00(\.\d+)?(Z|[+]23:59)", time):
        assert taken


def test_a_long_number_in_a_name():
    """Such a line goes the careful way where its ruleset is more than words and small numbers."""
    for ruleset in (b'{"edition":"2022"}', b'{"edition":"2022","deck":{"0":4,"7":104}}'):
        line = START.replace(b'"A"', b'"%020d"' % 7).replace(b'{"edition":"2022"}', ruleset)
        assert take([[line]]) == 1
        assert take([[line.replace(b'"dealer":null', b'"dealer":9')]]) == 1
