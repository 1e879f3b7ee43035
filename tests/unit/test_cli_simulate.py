"""simulate and verify-deal from the command line."""

import gzip
import io
import json
import os
import signal
import subprocess
import sys
import time

import pytest
import zstandard

from ono_replay.cli.main import run
from ono_replay.log.output import Unwritable
from ono_replay.log.reader import read_games
from ono_replay.rules.events import GameStart
from ono_replay.simulate.batch import simulate_games, write_games
from ono_replay.simulate.plan import BadPlan, Plan

SMALL = ["simulate", "--edition", "2022", "--players", "2", "--games", "3", "--seed", "7"]


def simulated(*more, capfdbinary):
    """What goes to standard output."""
    assert run([*SMALL, *more]) == 0
    return capfdbinary.readouterr().out


def start_of(log):
    start = next(read_games(io.BytesIO(log))).start
    assert isinstance(start, GameStart)
    return start


def test_standard_output(capfdbinary):
    expected = b"".join(simulate_games(Plan(players=2, seed=7), 3))
    assert simulated(capfdbinary=capfdbinary) == expected


def test_a_file_is_packed_as_its_name_says(tmp_path, capsys):
    expected = b"".join(simulate_games(Plan(players=2, seed=7), 3))
    for name in ("plain.ono.jsonl", "games.ono.jsonl.gz", "games.ono.jsonl.zst"):
        assert run([*SMALL, "-o", str(tmp_path / name)]) == 0
    assert (tmp_path / "plain.ono.jsonl").read_bytes() == expected
    assert gzip.decompress((tmp_path / "games.ono.jsonl.gz").read_bytes()) == expected
    unpacked = (
        zstandard.ZstdDecompressor()
        .decompressobj()
        .decompress((tmp_path / "games.ono.jsonl.zst").read_bytes())
    )
    assert unpacked == expected
    assert "plain.ono.jsonl: 3 games," in capsys.readouterr().err
    assert len(list(tmp_path.iterdir())) == 3


@pytest.mark.parametrize(
    ("more", "options"),
    [
        (["--rule", "max_total=99"], {"max_total": 99}),
        (
            ["--rule", "ono_99_on_zero=true", "--rule", "match=chips"],
            {"ono_99_on_zero": True, "match": "chips"},
        ),
        (["--match", "points_low_score"], {"match": "points_low_score", "points_target": 100}),
        (
            ["--match", "points_low_score", "--points-target", "7"],
            {"match": "points_low_score", "points_target": 7},
        ),
        (["--points-target", "7"], {}),
        (["--rule", 'deck={"7":9,"reverse":3}', "--decks"], {"deck": {"7": 9, "reverse": 3}}),
    ],
)
def test_options_of_the_ruleset(more, options, capfdbinary):
    start = start_of(simulated(*more, capfdbinary=capfdbinary))
    assert start.ruleset == {"edition": "2022"} | options


def test_bots_go_around_the_table(capfdbinary):
    start = start_of(simulated("--players", "4", "--bots", "low, saver,oneply", capfdbinary=capfdbinary))
    assert [player.name for player in start.players] == ["low-0", "saver", "oneply", "low-3"]


def test_views(capfdbinary):
    public = simulated("--public", capfdbinary=capfdbinary)
    assert start_of(public).view == "public"
    assert b'"seed"' not in public
    seat = simulated("--seat", "1", capfdbinary=capfdbinary)
    assert (start_of(seat).view, start_of(seat).viewer) == ("seat", 1)


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (["--edition", "1999"], 'edition can not be "1999"'),
        (["--players", "9"], "9 players can not play"),
        (["--bots", "grandmaster"], "no bot is called 'grandmaster'"),
        (["--bots", "no_such_module_here:bot"], "No module named"),
        (["--rule", "max_total"], "KEY=VALUE"),
        (["--rule", "max_total=0"], "max_total can not be 0"),
        (["--forfeits", "0.1"], "missed_draw=forfeit"),
        (["--mistakes", "2"], "--mistakes"),
        (["--seed", "-1"], "--seed"),
        (["--seed", str(2**63)], "--seed"),
        (["--seat", "2"], "there is no seat 2"),
        (["--public", "--seat", "1"], "choose one"),
        (["-o", "no/such/folder/x.jsonl"], "no/such/folder/x.jsonl"),
    ],
)
def test_what_it_can_not_do_is_told(more, words, capsys):
    assert run([*SMALL, *more]) == 2
    captured = capsys.readouterr()
    assert words in captured.err.replace("│", "").replace("\n", " ")
    assert not captured.out


def test_a_bot_of_the_user_lies_where_the_command_is_run(tmp_path, monkeypatch, capfdbinary):
    (tmp_path / "their_bots.py").write_text(
        "def last(view, legal, rng):\n    return legal[-1]\n", encoding="utf-8"
    )
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    log = simulated("--bots", "their_bots:last,low", capfdbinary=capfdbinary)
    assert [player.name for player in start_of(log).players] == ["last", "low"]


def test_only_what_can_be_made_again_is_written_over(tmp_path, capsys):
    mine, made = tmp_path / "mine.ono.jsonl", tmp_path / "made.ono.jsonl"
    mine.write_text('{"my":"game"}\n', encoding="utf-8")
    assert run([*SMALL, "-o", str(mine)]) == 2
    assert "--force" in capsys.readouterr().err
    assert mine.read_text(encoding="utf-8") == '{"my":"game"}\n'
    assert run([*SMALL, "-o", str(mine), "--force"]) == 0
    assert run([*SMALL, "-o", str(made)]) == 0
    assert run([*SMALL, "-o", str(made), "--public"]) == 0
    assert start_of(made.read_bytes()).view == "public"


def test_from_python_it_is_one_call_with_the_same_bytes(tmp_path):
    plan, told = Plan(players=2, seed=7), list[int]()
    events = write_games(plan, 3, tmp_path / "a.ono.jsonl.gz", on_progress=told.append)
    assert run([*SMALL, "-o", str(tmp_path / "b.ono.jsonl.gz")]) == 0
    written = (tmp_path / "a.ono.jsonl.gz").read_bytes()
    assert written == (tmp_path / "b.ono.jsonl.gz").read_bytes()
    assert (gzip.decompress(written).count(b"\n"), told) == (events, [1, 2, 3])


@pytest.mark.parametrize("content", [b'{"my":"game"}\n', b"\x1f\x8b no gzip"])
def test_what_is_no_simulated_game_is_written_over_on_demand_only(tmp_path, content):
    path = tmp_path / "mine.ono.jsonl.gz"
    path.write_bytes(content)
    with pytest.raises(Unwritable, match="exists already"):
        write_games(Plan(players=2, seed=7), 1, path)
    with pytest.raises(BadPlan):
        write_games(Plan(players=2, seed=-1), 1, path, overwrite=True)
    assert path.read_bytes() == content
    assert write_games(Plan(players=2, seed=7), 1, path, overwrite=True) > 0


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_an_interrupt_leaves_what_was_there(tmp_path, jobs):
    out = tmp_path / "games.ono.jsonl"
    assert run([*SMALL, "-o", str(out)]) == 0
    before = out.read_bytes()
    command = [
        sys.executable,
        "-m",
        "ono_replay",
        *SMALL,
        "--games",
        "100000000",
        "--jobs",
        jobs,
        "-o",
        str(out),
    ]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True)
    deadline = time.monotonic() + 60
    while not any(path.stat().st_size for path in tmp_path.iterdir() if path != out):
        assert time.monotonic() < deadline
        time.sleep(0.01)
    os.killpg(process.pid, signal.SIGINT)  # as ^C on a terminal reaches every process of the group
    errors = process.communicate(timeout=60)[1]
    assert (process.returncode, errors) == (130, "")
    assert out.read_bytes() == before
    assert list(tmp_path.iterdir()) == [out]


def test_verify_deal(tmp_path, capsys):
    log = tmp_path / "games.ono.jsonl"
    assert run([*SMALL, "-o", str(log)]) == 0
    assert run(["verify-deal", str(log)]) == 0
    told = capsys.readouterr().out.splitlines()
    assert told[0].startswith("sim-7-0, round 1: verified: ")
    assert told[-1] == "3 rounds: 3 verified"
    text = log.read_text(encoding="utf-8")
    log.write_text(text.replace('"seed":"sim-7-1/1"', '"seed":"sim-7-1/2"'), encoding="utf-8")
    assert run(["verify-deal", "-q", str(log)]) == 1
    told = capsys.readouterr().out.splitlines()
    assert len(told) == 2
    assert told[0].startswith("sim-7-1, round 1: differs: the commitment at seq 1; expected ")
    assert told[1] == "3 rounds: 2 verified, 1 differs"


def test_verify_deal_as_json(tmp_path, capsys):
    log = tmp_path / "games.ono.jsonl"
    assert run([*SMALL, "-o", str(log)]) == 0
    assert run(["verify-deal", str(log), "--format", "json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [(one["game_id"], one["round"], one["outcome"]) for one in found] == [
        (f"sim-7-{number}", 1, "verified") for number in range(3)
    ]
    assert run(["verify-deal", str(log), "--format", "xml"]) == 2


def test_verify_deal_without_anything_to_verify(tmp_path, capsys):
    log = tmp_path / "public.ono.jsonl"
    assert run([*SMALL, "--public", "-o", str(log)]) == 0
    assert run(["verify-deal", str(log)]) == 0
    assert "no seed is told" in capsys.readouterr().out
    log.write_bytes(b"")
    assert run(["verify-deal", str(log)]) == 0
    assert capsys.readouterr().out == "0 rounds\n"
    log.write_bytes(b"nonsense\n")
    assert run(["verify-deal", str(log)]) == 1
    assert "can not be read" in capsys.readouterr().out
    assert run(["verify-deal", str(tmp_path / "none")]) == 2
