"""The sound samples: made anew to the byte, without a fault, and between them everything there is."""

import io

import pytest

from ono_replay.bundle import bundle_path
from ono_replay.check.diagnostic import GameReport
from ono_replay.check.validator import validate
from ono_replay.cli.main import run
from ono_replay.rules.cards import TOKENS
from ono_replay.rules.events import EVENT_TYPES, Eliminate, GameStart, Play, RoundStart
from ono_replay.rules.ruleset import CHOICES, EDITIONS, make_ruleset
from ono_replay.simulate.samples import SAMPLES, made_files, manifest, sound_samples
from ono_replay.simulate.verify import verify_deals

FOLDER = bundle_path("sample_logs")
SOUND = sound_samples()
EVENTS = [event for sample in SAMPLES.values() for event in sample.events]
STARTS = [event for event in EVENTS if isinstance(event, GameStart)]


@pytest.mark.parametrize("path", SOUND)
def test_the_file_is_the_log(path, recorded):
    recorded(FOLDER / path, SOUND[path])


def test_the_list_is_up_to_date(recorded):
    recorded(FOLDER / "README.md", manifest().encode())


def test_no_file_is_left_over():
    there = {path.relative_to(FOLDER).as_posix() for path in FOLDER.rglob("*") if path.is_file()}
    assert {path for path in there if not path.startswith("outside/")} == set(made_files())


@pytest.mark.parametrize("path", SOUND)
def test_a_log_has_no_fault(path):
    (report,) = validate([io.BytesIO(SOUND[path])])
    assert isinstance(report, GameReport)
    assert report.verdict == ("valid" if path.startswith("ok/") else "unfinished")
    assert bool(report.warnings) == ("let-stand" in path)
    assert report.game_id == SAMPLES[path].name.partition("/")[2]
    assert not any(check.failed for check in verify_deals(io.BytesIO(SOUND[path])))


def test_all_kinds_of_things_are_there():
    rulesets = [make_ruleset(start.ruleset) for start in STARTS]
    assert {ruleset.edition for ruleset in rulesets} == set(EDITIONS)
    assert {ruleset.match for ruleset in rulesets} == set(CHOICES["match"])
    assert {start.view for start in STARTS} == {"full", "public", "seat"}
    assert {event.type for event in EVENTS} == set(EVENT_TYPES)
    assert {event.card for event in EVENTS if isinstance(event, Play)} == set(TOKENS)
    assert {event.reason for event in EVENTS if isinstance(event, Eliminate)} == {
        "no_legal_play",
        "left",
        "timeout",
    }
    assert any(event.card for event in EVENTS if isinstance(event, Eliminate))
    assert any(event.position for event in EVENTS if isinstance(event, RoundStart))
    assert any(event.irregular for event in EVENTS)
    assert any(event.at_ms for event in EVENTS)
    assert not all(player.name.isascii() for start in STARTS for player in start.players)


def test_they_are_made_by_a_command(tmp_path, capsys):
    assert run(["samples", "make", str(tmp_path / "new")]) == 0
    for path, content in made_files().items():
        assert (tmp_path / "new" / path).read_bytes() == content
    assert f"{len(made_files())} files made in" in capsys.readouterr().out
