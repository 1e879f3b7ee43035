"""`ono-replay convert` from the command line: what is said, where, and with which exit status."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from ono_replay.cli.main import run

PEERS = Path(__file__).parent.parent / "data/peers/transcendence-replays.json"


@pytest.fixture
def say(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)

    def call(*arguments):
        status = run([str(argument) for argument in arguments])
        printed = capsys.readouterr()
        assert "Traceback" not in printed.err
        return status, printed.out, printed.err

    return call


def verdicts(say, path):
    status, out, _ = say("validate", path, "--format", "json")
    found = json.loads(out)
    return status, found["summary"]


@pytest.mark.parametrize("mode", [(), ("--no-seed",)])
def test_all_outside_games_convert_and_validate(say, mode):
    assert say("convert", PEERS, "games.ono.jsonl", *mode)[0] == 0
    status, summary = verdicts(say, "games.ono.jsonl")
    assert (status, summary["games"], summary["valid"]) == (0, 20, 20)
    assert (summary["errors"], summary["warnings"]) == (0, 0)
    assert (summary["unverified"] > 0) is bool(mode)


def test_what_could_not_be_known_is_said(say):
    _, out, err = say("convert", PEERS, "games.ono.jsonl", "--no-seed")
    assert out == ""
    assert "not known in 20 of 20 games: the cards dealt and drawn" in err
    assert "games.ono.jsonl: 20 games, 2,250 events" in err


def test_there_and_back_over_parquet(say):
    for source, target in (
        (PEERS, "a.ono.jsonl.gz"),
        ("a.ono.jsonl.gz", "b.parquet"),
        ("b.parquet", "c.ono.jsonl"),
    ):
        assert say("convert", source, target)[0] == 0
    assert say("convert", PEERS, "d.ono.jsonl")[0] == 0
    assert Path("c.ono.jsonl").read_bytes() == Path("d.ono.jsonl").read_bytes()


def test_bad_games_are_named_and_the_rest_is_written(say):
    entries = json.loads(PEERS.read_bytes())[:3]
    entries[1]["replay"]["actions"][7]["actorUserId"] = "e\u202eve\x1b[31m"
    Path("in.json").write_text(json.dumps(entries), encoding="utf-8")
    status, _, err = say("convert", "in.json", "out.ono.jsonl")
    assert status == 1
    assert "entry 1 (r0002) is left out: action 7 (CARD_PLAYED): " in err
    assert "\x1b" not in err
    assert "\u202e" not in err
    assert verdicts(say, "out.ono.jsonl")[1]["valid"] == 2


def test_a_game_that_breaks_the_rules_is_written_and_told(say):
    (entry,) = json.loads(PEERS.read_bytes())[:1]
    entry["replay"]["actions"][7]["payload"]["totalAfter"] = 80
    Path("in.json").write_text(json.dumps(entry), encoding="utf-8")
    status, _, err = say("convert", "in.json", "out.ono.jsonl")
    assert status == 0
    assert "entry 0 (r0001): breaks the rules first at seq 16; `ono-replay validate` says how" in err
    _, out, _ = say("validate", "out.ono.jsonl", "--format", "json")
    (found, *_) = json.loads(out)["games"][0]["diagnostics"]
    assert (found["code"], found["seq"]) == ("ONO306", 16)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("{}", "is no log and nothing else that is read here"),
        ("[" * 5000, "is no log"),
        ('[{"replay":' * 5000, "nested more than 64 deep"),
        ('[{"replay": {"id": NaN}}]', "NaN is no number of JSON"),
        ('{"replay": {"id": "a", "id": "b"}}', 'the key "id" stands twice'),
        ('{"replay": 7}', "the entry: replay must be an object, not 7"),
        ('{"actions": []}', "the replay: players is missing"),
        ('{"seedPrivate": "x", "replay": {"id": "a", "actions": [], "players": []}}', "0 players"),
    ],
)
def test_bad_input_is_told_plainly_and_nothing_is_written(say, content, words):
    Path("in.json").write_text(content, encoding="utf-8")
    status, _, err = say("convert", "in.json", "out.ono.jsonl")
    assert status == 2
    assert words in err
    assert not Path("out.ono.jsonl").exists()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("nothing.json", "out.ono.jsonl"), "nothing.json: no such file or folder"),
        ((PEERS, "out.json"), "convert writes logs"),
        ((PEERS, "there.ono.jsonl"), "there.ono.jsonl: exists already (--force writes over it)"),
        (("there.ono.jsonl", "there.ono.jsonl", "--force"), "is what is to be converted"),
        ((PEERS, "no/folder/out.ono.jsonl"), "no/folder/out.ono.jsonl: No such file"),
    ],
)
def test_what_can_not_run(say, arguments, words):
    Path("there.ono.jsonl").write_text('{"seq":0,"type":"comment","text":"a"}\n', encoding="utf-8")
    status, _, err = say("convert", *arguments)
    assert status == 2
    assert words in err


def test_force_writes_over(say):
    Path("out.ono.jsonl").write_text("old", encoding="utf-8")
    assert say("convert", PEERS, "out.ono.jsonl", "--force")[0] == 0
    assert Path("out.ono.jsonl").read_bytes().startswith(b'{"seq":0,"type":"game_start"')


def test_kept_and_torn_lines_are_told(say):
    Path("in.ono.jsonl").write_text('{"seq":0,"type":"comment","text":"a"}\nno json\n{"se', encoding="utf-8")
    status, _, err = say("convert", "in.ono.jsonl", "out.ono.jsonl")
    assert status == 1
    assert "in.ono.jsonl: lines that are no events, kept as they stand: 1 (line 2)" in err
    assert "the last line breaks off (line 3) and is left out" in err


def test_a_pipe_of_commands(tmp_path):
    command = [sys.executable, "-m", "ono_replay"]
    converted = subprocess.run([*command, "convert", "-", "-"], input=PEERS.read_bytes(), capture_output=True)
    assert converted.returncode == 0
    assert b"standard output: 20 games, 2,250 events" in converted.stderr
    checked = subprocess.run(
        [*command, "validate", "-", "--format", "json"], input=converted.stdout, capture_output=True
    )
    assert json.loads(checked.stdout)["summary"]["valid"] == 20


def test_without_the_extra_it_says_what_to_install(say, monkeypatch):
    assert say("convert", PEERS, "a.ono.jsonl")[0] == 0
    assert say("convert", "a.ono.jsonl", "a.parquet")[0] == 0
    monkeypatch.setattr("importlib.util.find_spec", lambda _name: None)
    status, _, err = say("convert", "a.parquet", "b.ono.jsonl")
    assert status == 2
    assert "pip install 'ono-replay[library]'" in err
