"""`ono-replay branch`, `diff`, `check-states`."""

import json

import pytest

from ono_replay.cli.main import run
from tests.unit.test_branch import ROUND, start
from tests.unit.test_cli_check import feed

LOG = start(edition='"2022"') + ROUND
OTHER = LOG.replace('"card":"7","total":7', '"card":"7","total":8')


@pytest.fixture
def logs(tmp_path, monkeypatch):
    """A folder with two logs that differ, which is the current one."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.ono.jsonl").write_text(LOG)
    (tmp_path / "b.ono.jsonl").write_text(OTHER)
    return tmp_path


class TestBranch:
    def test_it_writes_a_log_that_validates(self, logs, capsys):
        assert run(["branch", "a.ono.jsonl", "out.ono.jsonl", "--seq", "9"]) == 0
        assert capsys.readouterr() == ("", "")
        assert run(["validate", "out.ono.jsonl"]) == 0
        assert "game g-branch-9: unfinished, 3 events" in capsys.readouterr().out

    def test_standard_output_and_an_id(self, logs, capsysbinary):
        assert run(["branch", "a.ono.jsonl", "-", "--seq", "8", "--id", "mine"]) == 0
        first = capsysbinary.readouterr().out.splitlines()[0]
        assert json.loads(first)["game_id"] == "mine"

    def test_nothing_is_written_over_unless_asked(self, logs, capsys):
        (logs / "out.jsonl").write_text("precious")
        assert run(["branch", "a.ono.jsonl", "out.jsonl", "--seq", "8"]) == 2
        assert capsys.readouterr().err == "ono-replay: out.jsonl: exists already (--force writes over it)\n"
        assert (logs / "out.jsonl").read_text() == "precious"
        assert run(["branch", "a.ono.jsonl", "out.jsonl", "--seq", "8", "--force"]) == 0
        assert (logs / "out.jsonl").read_text().startswith('{"seq":0')

    def test_a_log_may_be_replaced_by_its_branch(self, logs):
        assert run(["branch", "a.ono.jsonl", "a.ono.jsonl", "--seq", "8", "--force"]) == 0
        assert (logs / "a.ono.jsonl").read_text().count("\n") == 2

    @pytest.mark.parametrize(
        ("arguments", "why"),
        [
            (["--seq", "10"], "no event 10 stands in this game; the nearest is 9"),
            (["--seq", "1", "--game", "x"], "no game has the id 'x'"),
            (["--seq", "1", "--id", ""], "an id has 1 to 128 characters"),
            ([], "Missing option '--seq'"),
        ],
    )
    def test_what_can_not_be_is_2_and_nothing_is_written(self, logs, capsys, arguments, why):
        assert run(["branch", "a.ono.jsonl", "out.jsonl", *arguments]) == 2
        assert why in capsys.readouterr().err
        assert not (logs / "out.jsonl").exists()

    def test_a_folder_that_is_not_there_is_2(self, logs, capsys):
        assert run(["branch", "a.ono.jsonl", "no/out.jsonl", "--seq", "8"]) == 2
        assert "no/out.jsonl" in capsys.readouterr().err

    def test_what_is_lost_is_told(self, logs, capsys):
        rules = {
            "edition": '"2022"',
            "match": '"points_low_score"',
            "points_target": 50,
            "missed_draw": '"forfeit"',
        }
        log = start(game_id="p\u202e", **rules) + ROUND.replace(
            '"draw","seat":0,"card":"9"}', '"forfeit_draw","seat":0}'
        )
        (logs / "p.ono.jsonl").write_text(log)
        assert run(["branch", "p.ono.jsonl", "out.jsonl", "--seq", "7"]) == 0
        assert capsys.readouterr().err == (
            "ono-replay: not carried over: the draws forfeited in this round: they will not cost points\n"
        )


class TestDiff:
    def test_alike(self, logs, capsys):
        assert run(["diff", "a.ono.jsonl", "a.ono.jsonl", "--exit-code"]) == 0
        assert capsys.readouterr().out == "no difference\n"

    def test_the_first_event_and_both_states(self, logs, capsys):
        assert run(["diff", "a.ono.jsonl", "b.ono.jsonl"]) == 0
        lines = capsys.readouterr().out.splitlines()
        assert lines[0] == "A: a.ono.jsonl, game 1 (g), event 4:"
        assert lines[1].strip() == '{"seq":4,"type":"play","seat":0,"card":"7","total":7}'
        assert lines[4] == "first difference: total is 7 in A, 8 in B"
        assert [line.split() for line in lines if line.startswith("!")] == [["!", "total", "7", "8"]]
        assert any(line.split() == ["hand", "0", '["0","4","10"]', '["0","4","10"]'] for line in lines)

    def test_a_difference_is_1_only_on_demand(self, logs):
        assert run(["diff", "a.ono.jsonl", "b.ono.jsonl", "--exit-code"]) == 1

    def test_json(self, logs, capsys):
        assert run(["diff", "a.ono.jsonl", "b.ono.jsonl", "-f", "json"]) == 0
        answer = json.loads(capsys.readouterr().out)
        assert (answer["same"], answer["key"], answer["a"]["value"], answer["b"]["value"]) == (
            False,
            "total",
            7,
            8,
        )
        assert answer["b"]["state"]["total"] == 8
        run(["diff", "a.ono.jsonl", "a.ono.jsonl", "-f", "json"])
        assert json.loads(capsys.readouterr().out) == {"same": True}

    def test_one_ends_first(self, logs, capsys):
        (logs / "short.jsonl").write_text("".join(LOG.splitlines(keepends=True)[:4]))
        run(["diff", "short.jsonl", "a.ono.jsonl"])
        output = capsys.readouterr().out
        assert output.startswith("A: short.jsonl, game 1: has ended\nB: a.ono.jsonl, game 1 (g), event 4:\n")
        run(["diff", "short.jsonl", "a.ono.jsonl", "-f", "json"])
        assert json.loads(capsys.readouterr().out)["a"] is None

    def test_one_game_of_many(self, logs, capsys):
        (logs / "two.jsonl").write_text(OTHER.replace('"g"', '"other"') + LOG)
        assert run(["diff", "two.jsonl", "a.ono.jsonl", "--game", "g"]) == 0
        assert capsys.readouterr().out == "no difference\n"

    def test_what_is_not_there_is_2(self, logs, capsys):
        assert run(["diff", "a.ono.jsonl", "b.ono.jsonl", "--game", "h"]) == 2
        assert capsys.readouterr().err == "ono-replay: a.ono.jsonl: no game has the id 'h'; there is 'g'\n"
        (logs / "letter.txt").write_text("Dear Ann")
        assert run(["diff", "letter.txt", "letter.txt"]) == 2
        assert capsys.readouterr() == ("", "ono-replay: there is no game in either log\n")

    def test_standard_input_is_one_of_them(self, logs, capsys, monkeypatch):
        feed(monkeypatch, LOG.encode())
        assert run(["diff", "-", "a.ono.jsonl"]) == 0
        assert run(["diff", "-", "-"]) == 2

    def test_hostile_names_are_escaped(self, logs, capsys):
        (logs / "evil.jsonl").write_text(LOG.replace('"P0"', '"\u202e\u009b"'))
        run(["diff", "evil.jsonl", "a.ono.jsonl"])
        assert r'players[0].name is "\u{202e}\u{9b}" in A' in capsys.readouterr().out


class TestCheckStates:
    @pytest.fixture
    def states(self, logs, capsys):
        run(["states", "a.ono.jsonl"])
        return capsys.readouterr().out

    def test_our_own(self, logs, states, capsys):
        (logs / "states.jsonl").write_text(states)
        assert run(["check-states", "a.ono.jsonl", "states.jsonl"]) == 0
        assert capsys.readouterr().out == "10 states compared: no difference\n"

    def test_a_difference_is_1_and_shown(self, logs, states, capsys):
        (logs / "states.jsonl").write_text(states.replace('"draw_pile":103', '"draw_pile":5,"mood":1', 1))
        assert run(["check-states", "a.ono.jsonl", "states.jsonl"]) == 1
        lines = capsys.readouterr().out.splitlines()
        assert lines[:4] == [
            "not compared, no state has them: mood",
            "4 states alike, then states.jsonl:5:",
            "game g, seq 5: draw_pile is 5, but should be 103",
            '   after {"seq":5,"type":"draw","seat":0,"card":"9"}',
        ]

    def test_nothing_compared_is_2(self, logs, capsys, monkeypatch):
        feed(monkeypatch, b'{"seq":4,"totl":7}\n')
        assert run(["check-states", "a.ono.jsonl", "-"]) == 2
        assert capsys.readouterr().err == (
            "ono-replay: -: nothing was compared; not compared, no state has them: totl (did you mean total?)\n"
        )
        feed(monkeypatch, b'{"seq":4,"game_id":"g"}\n')
        assert run(["check-states", "a.ono.jsonl", "-"]) == 2
        assert "only `seq` and `game_id`" in capsys.readouterr().err

    def test_a_number_is_shown_as_it_was_written(self, logs, capsys, monkeypatch):
        feed(monkeypatch, b'{"seq":4,"total":7.0}\n')
        assert run(["check-states", "a.ono.jsonl", "-"]) == 1
        assert "total is 7.0, but should be 7 (an integer is expected)\n" in capsys.readouterr().out

    def test_a_log_with_an_error_is_1(self, logs, states, capsys):
        (logs / "states.jsonl").write_text(states)
        assert run(["check-states", "b.ono.jsonl", "states.jsonl"]) == 1
        shown = capsys.readouterr().out
        assert "b.ono.jsonl:5: ONO306" in shown
        assert "7 states behind an error left out\n3 states compared: no difference\n" in shown

    @pytest.mark.parametrize("text", ["", "\n", "{}\n", "[1]\n"])
    def test_no_states_is_2(self, logs, capsys, text):
        (logs / "states.jsonl").write_text(text)
        assert run(["check-states", "a.ono.jsonl", "states.jsonl"]) == 2
        assert capsys.readouterr().err.startswith("ono-replay: states.jsonl: ")

    def test_a_state_that_is_not_there_is_1(self, logs, capsys, monkeypatch):
        feed(monkeypatch, b'{"seq":77}\n')
        assert run(["check-states", "a.ono.jsonl", "-"]) == 1
        assert "game g, seq 77: the log has no state there" in capsys.readouterr().out


def test_a_branch_is_played_on_at_a_table_as_its_public_view(logs, capsys, monkeypatch):
    assert run(["branch", "a.ono.jsonl", "what-if.ono.jsonl", "--seq", "6"]) == 0
    feed(monkeypatch, b"")
    assert run(["record", "what-if.ono.jsonl", "--resume"]) == 2
    assert "`ono-replay view LOG NEW --public`" in capsys.readouterr().err
    assert run(["view", "what-if.ono.jsonl", "table.ono.jsonl", "--public"]) == 0
    feed(monkeypatch, b"4\n")
    assert run(["record", "table.ono.jsonl", "--resume"]) == 0
    assert '"type":"play"' in capsys.readouterr().out
