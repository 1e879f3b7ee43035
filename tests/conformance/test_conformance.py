"""The cases of tests/data/conformance: states, verdicts and first faults, worked out by others."""

import json
from pathlib import Path

import pytest

from ono_replay.cli.main import run

CASES = Path(__file__).parents[1] / "data" / "conformance"
EXPECTED = json.loads((CASES / "expected.json").read_text(encoding="utf-8"))


def lines_of(text):
    return [json.loads(line) for line in text.splitlines()]


def one_or_many(found, expected):
    """Of one game the value, of several a list, of none null."""
    if isinstance(expected, list):
        return found
    return found[0] if found else None


def test_every_log_has_an_answer():
    assert {path.name for path in (CASES / "logs").iterdir()} == set(EXPECTED)


@pytest.mark.parametrize("name", EXPECTED)
def test_verdict_and_first_fault(name, capsys):
    expected = EXPECTED[name]
    fault = expected.get("first_error")
    severity = fault.get("severity", "error") if fault else None

    status = run(["validate", "--format", "json", str(CASES / "logs" / name)])

    answer = json.loads(capsys.readouterr().out)
    games = answer["games"]
    assert one_or_many([game["verdict"] for game in games], expected["verdict"]) == expected["verdict"]
    if "unverified" in expected:
        found = [game["unverified"] for game in games]
        assert one_or_many(found, expected["unverified"]) == expected["unverified"]
    diagnostics = [one for game in games for one in game["diagnostics"]] + answer["diagnostics"]
    diagnostics.sort(key=lambda one: (one["line"] is None, one["line"]))
    leading = [one for one in diagnostics if not one["knock_on"]]
    errors = [one for one in leading if one["severity"] == "error"]
    assert len(errors) == (severity == "error"), errors
    assert status == (1 if severity == "error" else 0)
    if fault is None:
        assert diagnostics == []
    else:
        first = next(one for one in leading if one["severity"] == severity)
        keys = ("code", "seq") if fault["code"] == "ONO113" else ("code", "line", "seq")
        assert {key: first[key] for key in keys} == {key: fault[key] for key in keys}


@pytest.mark.parametrize("name", EXPECTED)
def test_states(name, capsys):
    expected = EXPECTED[name]
    run(["states", str(CASES / "logs" / name)])
    states = lines_of(capsys.readouterr().out)
    if "first_error" in expected:
        states = states[: len(expected["states"])]
    assert states == expected["states"]
