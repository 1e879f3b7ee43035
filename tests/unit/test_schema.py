"""The JSON Schemas: as checked in, and of one mind with the shape of events."""

import json
from typing import Any

import jsonschema  # type: ignore[import-untyped]  # it ships no types
import pytest

from ono_replay.bundle import bundle_path
from ono_replay.log.jsonl import NumberText
from ono_replay.log.schema import event_schema, ruleset_schema, schemas
from ono_replay.rules.ruleset import BadRuleset, make_ruleset
from tests.unit.test_shape import GOOD, WRONG, line

EVENT = jsonschema.Draft202012Validator(event_schema())
RULESET = jsonschema.Draft202012Validator(ruleset_schema())

# What JSON Schema, or the schema of one line by itself, can not say.
BEYOND = {"started_at", "winners", "points", "chips", "scores"}


@pytest.mark.parametrize("name", schemas())
def test_the_schemas_checked_in_are_those_of_the_code(name):
    checked_in = (bundle_path("schemas") / name).read_text(encoding="utf-8")
    assert checked_in == schemas()[name], "run `python -m tests.make_schemas` and commit what it writes"


def test_the_schemas_are_schemas():
    for text in schemas().values():
        jsonschema.Draft202012Validator.check_schema(json.loads(text))


@pytest.mark.parametrize("name", GOOD)
def test_right_events_pass(name):
    EVENT.validate(line(name))


@pytest.mark.parametrize(
    ("name", "key", "value"),
    [
        (name, key, value)
        for (name, key), values in WRONG.items()
        for value, code in values
        if code != "ONO210" and key not in BEYOND and not isinstance(value, NumberText)
        if not (code == "ONO206" and isinstance(value, int) and 0 <= value <= 98)
    ],
)
def test_wrong_events_do_not_pass(name, key, value):
    with pytest.raises(jsonschema.ValidationError):
        EVENT.validate(line(name, **{key: value}))


@pytest.mark.parametrize("view", ["full", "public", "seat"])
def test_a_viewer_goes_with_the_view_of_a_seat(view):
    keys = line("game_start", view=view)
    assert EVENT.is_valid(keys) == (view == "seat")
    del keys["viewer"]
    assert EVENT.is_valid(keys) == (view != "seat")


RULESETS: list[Any] = [
    {"edition": "2022"}, {"edition": "1980", "chips": 99, "deck": {"7": 1}}, {"edition": "1999"}, {}, {"edition": "1980", "chips": 0},
    {"edition": "1980", "max_total": 1000}, {"edition": "1980", "four_ono_99": True}, {"edition": "1980", "ono_99_on_zero": 1},
    {"edition": "1980", "deck": {}}, {"edition": "1980", "deck": {"x": 1}}, {"edition": "1980", "deck": {"7": -1}},
    {"edition": "1980", "colour": "red"}, {"edition": "1980", "points_target": None},
]  # fmt: skip


@pytest.mark.parametrize("options", RULESETS)
def test_a_ruleset_passes_if_a_table_can_play_by_it(options):
    try:
        make_ruleset(options)
        good = True
    except BadRuleset:
        good = False
    assert RULESET.is_valid(options) == good
