"""The public specification: its examples are what it says they are, and it leaves nothing out."""

import hashlib
import io
import json
import re

import pytest

from ono_replay.bundle import bundle_path
from ono_replay.check.catalogue import CATALOGUE
from ono_replay.check.diagnostic import GameReport
from ono_replay.check.validator import validate
from ono_replay.log.jsonl import LineFault, RawObject, canonical, event_keys, parse_line
from ono_replay.log.keys import HEAD, KEYS, PARTS, TAIL
from ono_replay.log.shape import Context, ShapeFault, check_shape, quick_ok
from ono_replay.log.undo import effective_events
from ono_replay.replay import read_replay, state_json
from ono_replay.rules.cards import EFFECTS, TOKENS
from ono_replay.rules.events import Comment, Event, Undo
from ono_replay.rules.ruleset import EDITIONS, OPTIONS
from ono_replay.simulate.shuffle import OWN_ALGORITHM

TEXT = (bundle_path("schemas") / "SPECIFICATION.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\S+) (\S+)\n(.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
TABLE = Context(seats=2, view="public")


def blocks(*kinds):
    return [(info, body) for _, info, body in BLOCKS if info.split("=")[0] in kinds]


def test_every_block_says_what_it_is():
    assert len(BLOCKS) == TEXT.count("```") // 2
    assert {info.split("=")[0] for _, info, _ in BLOCKS} == {"valid", "unfinished", "lines", "code", "state"}


@pytest.mark.parametrize(("verdict", "log"), blocks("valid", "unfinished"))
def test_games_have_the_verdict_that_is_told(verdict, log):
    [report] = validate([io.BytesIO(log.encode())])
    assert isinstance(report, GameReport)
    assert (report.verdict, report.diagnostics) == (verdict, [])


@pytest.mark.parametrize(
    "line", [line for _, log in blocks("valid", "unfinished", "lines") for line in log.splitlines()]
)
def test_lines_are_canonical(line):
    event = parse_line(line.encode())
    assert isinstance(event, Event)
    assert canonical(event).decode() == line


@pytest.mark.parametrize("line", [line for _, log in blocks("lines") for line in log.splitlines()])
def test_lines_have_the_right_shape(line):
    event = parse_line(line.encode())
    assert isinstance(event, Event)
    assert quick_ok(event, TABLE)


@pytest.mark.parametrize(("info", "line"), blocks("code"))
def test_faults_have_the_code_that_is_told(info, line):
    parsed = parse_line(line.strip().encode())
    if isinstance(parsed, LineFault):
        fault: LineFault | ShapeFault | None = parsed
    else:
        keys = parsed.keys if isinstance(parsed, RawObject) else event_keys(parsed)
        fault = check_shape(keys, TABLE).fault
    assert fault is not None
    assert fault.code == info.removeprefix("code=")


@pytest.mark.parametrize(("info", "state"), blocks("state"))
def test_states_are_those_of_the_game(info, state):
    replay = read_replay(io.BytesIO(blocks("valid")[0][1].encode()))
    replay.seek(int(info.removeprefix("state=")))
    assert replay.event is not None
    assert replay.state is not None
    assert state_json(replay.game_id, replay.event, replay.state) == json.loads(state)


def table_rows(pattern):
    return re.findall(pattern, TEXT, re.MULTILINE)


@pytest.mark.parametrize(("log", "standing"), table_rows(r"^\| `([^`]*undo[^`]*)` \| `([^`]*)` \|$"))
def test_the_table_of_undos(log, standing):
    events: list[Event] = []
    for word in log.split():
        seq, _, to = word.partition(":undo→")
        events.append(Undo(seq=int(seq), to=int(to)) if to else Comment(seq=int(seq), text=""))
    assert " ".join(str(event.seq) for event in effective_events(events)) == standing


def test_the_table_of_codes():
    assert table_rows(r"^\| (ONO\d+) \| (\S+) \| (\w+) \|$") == [
        (code.code, code.name, code.severity) for code in CATALOGUE.values()
    ]


def test_every_key_and_type_is_told():
    keys = {key.name for table in (*KEYS.values(), *PARTS.values(), HEAD, TAIL) for key in table}
    told = set(re.findall(r"`\"?(\w+)\"?`|\"(\w+)\"†?:", TEXT))
    words = {word for pair in told for word in pair if word}
    assert keys | set(KEYS) <= words


def test_options_and_their_defaults_are_told():
    defaults = dict(re.findall(r"^\| `(\w+)` \|[^|\n]*\| (.*) \|$", TEXT, re.MULTILINE))
    assert set(OPTIONS) - {"players_min", "players_max"} <= set(defaults)
    for option in OPTIONS[1:-2]:
        if option not in ("points_target", "deck"):
            told = [cell.strip(" `") for cell in defaults[option].split("|")]
            assert told == [json.dumps(getattr(EDITIONS[edition], option)) for edition in ("1980", "2022")], (
                option
            )
    for edition, cell in (("1980", "2, 8"), ("2022", "2, 6")):
        assert cell == f"{EDITIONS[edition].players_min}, {EDITIONS[edition].players_max}"
        assert cell in TEXT


def test_the_cards_are_told_in_their_order():
    rows = table_rows(r"^\| `\"(\S+)\"`(?: … `\"(\S+)\"`)? \| (\S+)[^|]* \| (\S+)[^|]* \|")
    found: dict[str, tuple[str, str]] = {}
    for first, last, old, new in rows:
        for token in TOKENS[TOKENS.index(first) : TOKENS.index(last or first) + 1]:
            found[token] = (old, new)
    assert list(found) == list(EFFECTS)
    for token, counts in found.items():
        for edition, told in zip(("1980", "2022"), counts, strict=True):
            assert EDITIONS[edition].deck.get(token, "–") == (told if told == "–" else int(told))


def test_the_commitment_of_the_example_is_one():
    commitment = re.findall(r'"commitment":"(\w+)"', TEXT)
    assert commitment == [hashlib.sha256(b"kitchen").hexdigest()]


def test_the_named_shuffle_is_there():
    assert f'"{OWN_ALGORITHM}"' in TEXT
