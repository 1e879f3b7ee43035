"""`ono-replay states`."""

import io
import json
import sys
from types import SimpleNamespace

import pytest

from ono_replay.cli.main import run
from ono_replay.replay import read_replay
from tests.unit.test_cli_check import GOOD, WRONG


@pytest.fixture
def logs(tmp_path, monkeypatch):
    """A folder with logs, which is the current one."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "good.ono.jsonl").write_text(GOOD)
    (tmp_path / "two.ono.jsonl").write_text(GOOD + WRONG)
    return tmp_path


def states(capsys):
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


class TestStates:
    def test_one_a_line_from_the_first_round_on(self, logs, capsys):
        assert run(["states", "good.ono.jsonl"]) == 0
        found = states(capsys)
        assert [state["seq"] for state in found] == [1, 2, 3, 4]
        keys = "game_id seq type round total direction turn plays_due second draws_due hands out draw_pile "
        assert " ".join(found[-1]) == keys + "discard_pile chips scores"
        assert found[-1]["total"] == 7

    def test_an_error_is_1_and_the_states_go_on(self, logs, capsys):
        assert run(["states", "two.ono.jsonl"]) == 1
        output = capsys.readouterr()
        assert [json.loads(line)["game_id"] for line in output.out.splitlines()] == ["good"] * 4 + [
            "wrong"
        ] * 4
        assert output.err == "ono-replay: 1 error in this log; `ono-replay validate` says where\n"

    def test_an_error_outside_of_games_is_1_too(self, capsys, monkeypatch):
        stdin = SimpleNamespace(buffer=io.BytesIO(b"[]\n" + GOOD.encode()), isatty=lambda: False)
        monkeypatch.setattr(sys, "stdin", stdin)
        assert run(["states", "-"]) == 1
        assert len(states(capsys)) == 4

    def test_one_game(self, logs, capsys):
        assert run(["states", "two.ono.jsonl", "--game", "good"]) == 0
        assert {state["game_id"] for state in states(capsys)} == {"good"}

    def test_no_such_game_is_2(self, logs, capsys):
        assert run(["states", "two.ono.jsonl", "--game", "x\x1b"]) == 2
        why = "no game has the id 'x\\u{1b}'; there is 'good', 'wrong'"
        assert capsys.readouterr().err == f"ono-replay: two.ono.jsonl: {why}\n"

    def test_no_such_file_is_2(self, capsys):
        assert run(["states", "none.jsonl"]) == 2


def test_a_game_or_an_event_that_is_not_there_is_told_in_words():
    with pytest.raises(KeyError, match="no game has the id 'gud'; the nearest: 'good'"):
        read_replay(io.BytesIO(GOOD.encode()), "gud")
    with pytest.raises(KeyError, match="there is no game in it"):
        read_replay(io.BytesIO(b""))
    replay = read_replay(io.BytesIO(GOOD.encode()))
    last = replay.events[-1].seq
    for look in (replay.seek, replay.place_of):
        with pytest.raises(KeyError) as reason:
            look(99)
        assert str(reason.value) == f"no event 99 stands in this game; the nearest is {last}"
    assert replay.place_of(0) == -1
    assert replay.place_of(last) == len(replay) - 1
