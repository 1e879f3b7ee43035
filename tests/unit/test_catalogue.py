"""The catalogue: every code of the format with its page."""

import ast
import re
from pathlib import Path

import pytest

import ono_replay
from ono_replay.check.catalogue import CATALOGUE, code_named
from ono_replay.log.jsonl import LineFault, RawObject, canonical, parse_line
from ono_replay.log.shape import Context, check_shape, event_keys

PACKAGE = Path(ono_replay.__file__).parent

# A released code never changes: new ones are added here, none is taken out or renamed.
RELEASED = """
ONO101 not-utf8 error
ONO102 not-json error
ONO103 torn-last-line warning
ONO104 not-an-object error
ONO105 unknown-event-type error
ONO106 missing-key error
ONO107 wrong-value error
ONO108 unknown-key note
ONO109 duplicate-key error
ONO110 no-such-card error
ONO111 line-too-long error
ONO112 unsupported-version error
ONO113 cut-stream error
ONO201 no-game-start error
ONO202 seq-broken error
ONO203 duplicate-game-id warning
ONO204 unexpected-event error
ONO205 time-backwards warning
ONO206 no-such-seat error
ONO207 deal-wrong error
ONO208 bad-ruleset error
ONO209 undo-to-nowhere error
ONO210 hidden-card-in-full-view error
ONO211 bad-position error
ONO301 out-of-turn error
ONO302 card-not-in-hand error
ONO303 over-the-limit error
ONO304 card-not-playable error
ONO305 barred-first-card error
ONO306 wrong-total error
ONO307 player-is-out error
ONO308 draw-missing error
ONO309 draw-not-due error
ONO310 too-many-copies error
ONO311 card-not-in-deck error
ONO312 forfeit-not-allowed error
ONO313 four-not-held error
ONO314 reshuffle-wrong error
ONO315 empty-draw-pile error
ONO316 opening-card error
ONO317 below-zero error
ONO318 not-the-next-card error
ONO319 wrong-starter error
ONO401 had-a-legal-play error
ONO402 hand-mismatch error
ONO403 wrong-winner error
ONO404 ended-too-early error
ONO405 not-ended error
ONO406 wrong-chips error
ONO407 wrong-points error
ONO408 wrong-loser error
ONO409 wrong-bust-card error
ONO501 digest-mismatch error
"""


def test_the_codes():
    assert [f"{c.code} {c.name} {c.severity}" for c in CATALOGUE.values()] == RELEASED.split("\n")[1:-1]
    assert list(CATALOGUE) == sorted(CATALOGUE)
    assert all(key == code.code for key, code in CATALOGUE.items())


@pytest.mark.parametrize("code", list(CATALOGUE.values()), ids=lambda code: code.code)
def test_a_page(code):
    for text in (code.what, code.why, code.fix):
        assert 15 < len(text) < 330
        assert text.endswith((".", "]"))
        assert text == text.strip()
        assert "  " not in text
        assert "\n" not in text
    assert 1 <= len(code.example.splitlines()) <= 4


def example_lines():
    for code in CATALOGUE.values():
        for line in code.example.splitlines():
            if line.startswith("{") and "…" not in line and code.code not in ("ONO101", "ONO102", "ONO103"):
                yield pytest.param(code.code, line, id=f"{code.code} {line[:30]}")


@pytest.mark.parametrize(("code", "line"), list(example_lines()))
def test_the_lines_of_an_example_are_what_a_log_holds(code, line):
    found = parse_line(line.encode())
    if code == "ONO109":
        assert isinstance(found, LineFault)
        assert found.code == code
        return
    assert not isinstance(found, LineFault)
    keys = found.keys if isinstance(found, RawObject) else event_keys(found)
    shape = check_shape(keys, Context(seats=2 if code in ("ONO206", "ONO407") else 3, view="full"))
    faults = [code] if shape.fault is None else [shape.fault.code]
    assert faults == [code]
    if shape.event is not None and not shape.unknown_keys:
        assert canonical(shape.event) == line.encode()


@pytest.mark.parametrize(
    "text", ["ONO301", "ono301", "301", " 301 ", "out-of-turn", "Out of turn", "OUT_OF_TURN", "ono-301"]
)
def test_a_code_is_found_by_whatever_names_it(text):
    assert code_named(text).code == "ONO301"


@pytest.mark.parametrize("text", ["", "ONO999", "30", "3010", "turn", "ONO", "ONOONO301", "٣٠١"])
def test_no_such_code(text):
    with pytest.raises(KeyError):
        code_named(text)


def test_every_code_in_the_source_is_in_the_catalogue():
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if (
                isinstance(node, ast.Constant)
                and isinstance(node.value, str)
                and re.fullmatch(r"ONO\d{3}", node.value)
            ):
                assert node.value in CATALOGUE, f"{path.name}:{node.lineno}"
