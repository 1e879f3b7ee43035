"""The suite of odd logs: each is read as its name says, and every finding is pinned."""

import functools
import io
import json
from collections import Counter

import pytest

from ono_replay.check.catalogue import CATALOGUE
from ono_replay.check.diagnostic import GameReport
from ono_replay.check.validator import validate
from ono_replay.replay import read_replays
from ono_replay.validation import validate as validate_by_lanes
from tests.corpora.json_suite import FOLDER, INDEX, suite

SUITE = suite()


def found_in(data, lane=validate):
    """The verdicts, and each finding as its code, its line and its severity."""
    verdicts, findings = [], []
    for one in lane([io.BytesIO(data)]):
        if isinstance(one, GameReport):
            verdicts.append(one.verdict)
        for finding in one.diagnostics if isinstance(one, GameReport) else [one]:
            findings.append(
                [finding.code, finding.line, "knock-on" if finding.knock_on else finding.severity]
            )
    return {"verdicts": verdicts, "findings": sorted(findings, key=lambda one: (one[1] or 0, one[0]))}


@functools.cache
def found(name):
    return found_in(SUITE[name])


def test_it_is_large_and_has_every_code():
    kinds = Counter(name[0] for name in SUITE)
    assert kinds["y"] >= 80
    assert kinds["n"] >= 250
    assert kinds["i"] >= 20
    codes = Counter(name[2:8] for name in SUITE if name.startswith("n_"))
    assert set(codes) == set(CATALOGUE)


def test_the_files_are_those_of_the_command():
    """`python -m tests.corpora.json_suite` writes them anew."""
    there = {path.name: path.read_bytes() for path in FOLDER.iterdir() if path != INDEX}
    assert sorted(there) == sorted(SUITE)
    assert there == SUITE


@pytest.mark.parametrize("name", SUITE)
def test_it_is_read_as_its_name_says(name):
    findings = found(name)["findings"]
    if name.startswith("y_"):
        assert not [one for one in findings if one[2] == "error"]
    if name.startswith("n_"):
        assert findings[0][0] == name[2:8]


def test_every_finding_is_pinned(recorded):
    lines = [f'"{name}": {json.dumps(found(name))}' for name in sorted(SUITE)]
    recorded(INDEX, ("{\n" + ",\n".join(lines) + "\n}\n").encode())


@pytest.mark.parametrize("kind", ["y_", "n_", "i_"])
def test_the_fast_lane_and_the_replayer_say_the_same(kind):
    for name, data in SUITE.items():
        if name.startswith(kind):
            assert found_in(data, functools.partial(validate_by_lanes, engine="fast")) == found(name), name
            assert [one.report.verdict for one in read_replays(io.BytesIO(data))] == found(name)[
                "verdicts"
            ], name
