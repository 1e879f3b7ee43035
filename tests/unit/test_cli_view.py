"""`ono-replay view`, `schema`."""

import json
from pathlib import Path

import pytest

from ono_replay.cli.main import run
from tests.unit.test_branch import ROUND, start

CASES = Path(__file__).parents[1] / "data" / "conformance"
EXPECTED = json.loads((CASES / "expected.json").read_text(encoding="utf-8"))
SOUND = [name for name, case in EXPECTED.items() if "-full." in name and "first_error" not in case]
LOG = start(edition='"2022"') + ROUND


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.jsonl").write_text(LOG)
    return tmp_path


def events(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


class TestView:
    def test_for_everyone(self, folder, capsys):
        assert run(["view", "a.jsonl", "b.jsonl", "--public"]) == 0
        assert capsys.readouterr() == (
            "",
            "ono-replay: 1 comment kept (--no-comments leaves them out)\n",
        )
        found = events(folder / "b.jsonl")
        assert found[0]["view"] == "public"
        assert {card for event in found if event["type"] == "deal" for card in event["cards"]} == {"?"}
        assert run(["validate", "b.jsonl"]) == 0

    def test_for_a_player_by_name(self, folder, capsys):
        assert run(["view", "a.jsonl", "b.jsonl", "--seat", "p1", "--no-comments"]) == 0
        assert capsys.readouterr() == ("", "")
        assert events(folder / "b.jsonl")[0]["viewer"] == 1

    def test_for_a_seat_without_comments(self, folder):
        assert run(["view", "a.jsonl", "b.jsonl", "--seat", "1", "--no-comments"]) == 0
        found = events(folder / "b.jsonl")
        assert (found[0]["view"], found[0]["viewer"]) == ("seat", 1)
        assert found[3]["cards"] == ["10", "-10", "play_2", "4"]
        assert "comment" not in {event["type"] for event in found}

    @pytest.mark.parametrize("arguments", [[], ["--public", "--seat", "0"]])
    def test_one_of_the_two(self, folder, capsys, arguments):
        assert run(["view", "a.jsonl", "b.jsonl", *arguments]) == 2
        assert "choose one of them" in capsys.readouterr().err

    def test_nothing_is_written_over(self, folder, capsys):
        assert run(["view", "a.jsonl", "a.jsonl", "--public"]) == 2
        assert (folder / "a.jsonl").read_text() == LOG
        assert run(["view", "a.jsonl", "a.jsonl", "--public", "--force"]) == 0
        assert events(folder / "a.jsonl")[0]["view"] == "public"

    def test_a_seat_that_is_not_there_is_2_and_leaves_nothing(self, folder, capsys):
        assert run(["view", "a.jsonl", "b.jsonl", "--seat", "2"]) == 2
        assert capsys.readouterr().err == "ono-replay: the game 'g': there is no seat 2; a seat: 0 P0, 1 P1\n"
        assert [path.name for path in folder.iterdir()] == ["a.jsonl"]

    def test_what_can_not_be_read_is_left_out_and_told(self, folder, capsys):
        secret = '{"seq":12,"type":"draw","seat":0,"card":"SECRET"'
        (folder / "a.jsonl").write_text('{"seq":4,"type":"draw","seat":0,"card":"9"}\n' + LOG + secret + "\n")
        assert run(["view", "a.jsonl", "b.jsonl", "--public"]) == 1
        assert capsys.readouterr().err == (
            "ono-replay: a.jsonl: ONO201: no event of a game, left out\n"
            "ono-replay: a.jsonl:14: ONO102: no event of a game, left out\n"
            "ono-replay: 1 comment kept (--no-comments leaves them out)\n"
        )
        assert "SECRET" not in (folder / "b.jsonl").read_text()

    def test_a_torn_last_line_is_no_error(self, folder, capsys):
        (folder / "a.jsonl").write_text(LOG + '{"seq":12,"ty')
        assert run(["view", "a.jsonl", "b.jsonl", "--public"]) == 0
        assert "ONO103" in capsys.readouterr().err

    @pytest.mark.parametrize("name", SOUND)
    @pytest.mark.parametrize("view", [["--public"], ["--seat", "1"]], ids=["public", "seat"])
    def test_views_keep_the_rules_and_are_like_the_log(self, folder, name, view, capsys):
        path = CASES / "logs" / name
        assert run(["view", str(path), "b.jsonl", *view]) == 0
        assert run(["validate", "b.jsonl", "-f", "json"]) == 0
        answer = json.loads(capsys.readouterr().out)
        assert [game["diagnostics"] for game in answer["games"]] == [[]]
        assert run(["diff", str(path), "b.jsonl", "--unknown-fits", "--exit-code"]) == 0


class TestSchema:
    def test_a_list(self, capsys):
        assert run(["schema"]) == 0
        assert capsys.readouterr().out == "event\nruleset\n"

    @pytest.mark.parametrize("name", ["event", "event.schema.json"])
    def test_one(self, capsys, name):
        assert run(["schema", name]) == 0
        assert "$defs" in json.loads(capsys.readouterr().out)

    def test_an_unknown_one_is_2(self, capsys):
        assert run(["schema", "x"]) == 2
        assert capsys.readouterr().err == "ono-replay: there is no schema 'x'; choose from event, ruleset\n"

    def test_all_into_a_folder(self, folder, capsys):
        assert run(["schema", "--write", "."]) == 0
        assert run(["schema", "--write", "."]) == 2
        assert run(["schema", "--write", ".", "--force"]) == 0
        assert run(["schema", "--write", "none"]) == 2
        assert json.loads((folder / "ruleset.schema.json").read_text())["required"] == ["edition"]
