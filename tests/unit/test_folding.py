"""Many findings for people: one fault is one error, what is alike is folded, an array is told once."""

import io
import json

import pytest

from ono_replay.check.diagnostic import GameReport, Summary
from ono_replay.check.render import TextRenderer
from ono_replay.check.render.folding import MOST_ALIKE
from ono_replay.check.render.style import Style
from ono_replay.check.validator import validate
from ono_replay.log.jsonl import canonical
from ono_replay.simulate.game import Simulator
from ono_replay.simulate.plan import Plan


def game(change=lambda event: event):
    events = [json.loads(canonical(event)) for event in Simulator(Plan(players=2, seed=7)).events(0)]
    del events[-1]["digest"]
    return [change(event) for event in events]


def log_of(events):
    return "".join(json.dumps(event) + "\n" for event in events).encode()


def shown(log, *, show_all=False):
    source, stream, summary = io.BytesIO(log), io.StringIO(), Summary()
    source.name = "a.ono.jsonl"
    renderer = TextRenderer(stream, style=Style(colour=False), width=100, show_all=show_all)
    reports = list(validate([source], summary=summary, keep_scenes=True))
    for one in reports:
        if isinstance(one, GameReport):
            renderer.game(one)
        else:
            renderer.stray(one)
    renderer.close(summary)
    return stream.getvalue(), reports, summary


def test_one_fault_is_one_error_and_what_follows_is_told_apart():
    log = log_of(event for event in game() if event["type"] != "draw" or event["seq"] > 30)
    text, reports, summary = shown(log)
    follow = summary.knock_ons
    assert follow == reports[0].knock_ons == sum(found.knock_on for found in reports[0].diagnostics) > 0
    assert summary.errors == reports[0].errors > follow
    own = "1 error" if summary.errors - follow == 1 else f"{summary.errors - follow} errors"
    told = f"{own} and {follow} that follow from {'it' if own == '1 error' else 'them'}"
    verdict, last = text.splitlines()[0], text.splitlines()[-1]
    assert f"invalid, {told}, " in verdict
    assert f"1 invalid. {told}" in last


def renamed(event):
    return {"stamp" if key == "at" else key: value for key, value in (event | {"at": event["seq"]}).items()}


def test_notes_are_counted_and_folded():
    events = game(renamed)
    text, _, summary = shown(log_of(events))
    assert summary.notes == len(events)
    assert text.count("note ONO108") == MOST_ALIKE
    assert f"… and {len(events) - MOST_ALIKE} more like it (--all shows them)" in text
    assert f"{len(events)} notes" in text.splitlines()[0]
    assert f"{len(events)} notes" in text.splitlines()[-1]
    assert shown(log_of(events), show_all=True)[0].count("note ONO108") == len(events)


def test_different_keys_are_not_alike():
    text, _, _ = shown(log_of(game(lambda event: event | {f"own_{event['seq'] % 4}": 1})))
    assert text.count("note ONO108") == 4 * MOST_ALIKE


def test_errors_alike_are_folded_whoever_and_whatever_is_played():
    def one_off(event):
        return event | {"total": event["total"] + 1.5} if event["type"] == "play" else event

    events = game(one_off)
    text, reports, _ = shown(log_of(events))
    wrong = sum(found.code == "ONO107" for found in reports[0].diagnostics)
    assert wrong > MOST_ALIKE
    assert text.count("ONO107 wrong-value") == MOST_ALIKE
    assert f"… and {wrong - MOST_ALIKE} more like it" in text


@pytest.mark.parametrize("indent", [None, 1, 4])
def test_an_array_is_told_once(indent):
    text, found, summary = shown(json.dumps(game(), indent=indent).encode())
    assert "This looks like a JSON array; a log has one object a line" in text.replace(
        "\n              ", " "
    )
    assert text.count("error ONO") == 1
    assert (f"{len(found) - 1} lines more of the array (--all shows them)" in text) == (indent is not None)
    assert len(text.splitlines()) < 10
    assert {one.code for one in found} <= {"ONO102", "ONO104", "ONO201"}
    assert summary.errors == len(found)


def test_strays_alike_are_folded_file_by_file():
    text, found, _ = shown(b"no json\n" * 10)
    assert len(found) == 10
    assert text.count("error ONO102") == MOST_ALIKE
    assert "… and 7 more of ONO102 not-json (--all shows them)" in text
