"""The help of a missing key or a wrong value fits the key and what is expected of it."""

import json
import re

import pytest

from ono_replay.check.catalogue import CATALOGUE
from ono_replay.check.shape_helps import help_for_shape
from ono_replay.log.keys import KEYS
from ono_replay.log.values import Scope
from tests.unit.test_folding import game, log_of, shown


def helps(change):
    """The help of the faults of shape in a game, each once."""
    _, reports, _ = shown(log_of(game(change)))
    return list(dict.fromkeys(f.help for f in reports[0].diagnostics if f.code in ("ONO106", "ONO107")))


def without(type_, key):
    return lambda event: {k: v for k, v in event.items() if event["type"] != type_ or k != key}


def having(type_, key, value):
    return lambda event: event | {key: value} if event["type"] == type_ else event


@pytest.mark.parametrize(
    ("change", "part"),
    [
        (without("draw", "seq"), "Number the events"),
        (without("play", "total"), "Add the total after this card"),
        (without("eliminate", "reason"), 'Say why: "no_legal_play", "left" or "timeout".'),
        (without("game_end", "reason"), 'Say why: "completed" or "abandoned".'),
        (having("eliminate", "reason", "no legal play"), '"no_legal_play" may be meant.'),
        (having("eliminate", "reason", "tired"), 'Write one of "no_legal_play", "left" and "timeout".'),
        (having("play", "total", "7"), "Write it in plain digits: no quotes"),
        (having("play", "card", 7), "Write the card as a text in quotes"),
        (having("deal", "cards", "7"), "Write the cards as texts in brackets"),
        (having("round_start", "dealer", "Ann"), "Write the number of the seat without quotes, or null."),
        (having("game_end", "winners", 0), "Write the numbers of the seats in brackets"),
        (having("game_end", "winners", [1, 0]), "Sort the seats"),
        (having("play", "irregular", False), "Write true without quotes, or leave the key out."),
        (having("game_start", "viewer", 0), "Leave the key out."),
        (having("game_start", "started_at", "yesterday"), "with a T between them and a zone"),
        (having("play", "meta", 5), "Write an object in braces"),
        (having("game_start", "game_id", ""), "neither empty nor longer"),
    ],
)
def test_it_fits(change, part):
    (advice,) = helps(change)
    assert part in advice


def test_every_required_key_has_advice_of_its_own():
    for name, keys in KEYS.items():
        for key in keys:
            if key.required:
                advice = help_for_shape("ONO106", key.name, key.name, None, name)
                assert advice, (name, key.name)
                assert not advice.startswith("Add the key") or key.name == "reason", (name, key.name)


@pytest.mark.parametrize("value", [None, True, 1.5, "x", [], {}, ["x"], {"x": 1}, [1]], ids=json.dumps)
def test_no_text_or_object_is_told_about_digits_and_no_number_about_quotes(value):
    for name, keys in KEYS.items():
        for key in keys:
            fault = key.check(value, key.name, Scope(2, full=True))
            if fault is None or fault.code != "ONO107":
                continue
            assert fault.expected is not None
            advice = help_for_shape("ONO107", fault.key, fault.expected, fault.actual, name)
            assert advice, (name, fault)
            wants_digits = "integer" in fault.expected or "seat" in fault.expected.split('"')[0]
            if not wants_digits:
                assert "digits" not in advice, (fault.expected, advice)


def test_chips_are_told_only_where_they_are_missing():
    assert "chips" in CATALOGUE["ONO106"].fix
    assert not any(re.search("chips", advice) for advice in helps(without("draw", "seq")))
