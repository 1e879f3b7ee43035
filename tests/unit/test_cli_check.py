"""`ono-replay validate`."""

import io
import json
import subprocess
import sys
from types import SimpleNamespace

import pytest

from ono_replay.cli.main import run
from ono_replay.cli.progress import Progress

START = (
    '{"seq":0,"type":"game_start","format":"ono-log","version":"1.0","game_id":"%s","ruleset":{"edition":"2022"},'
    '"players":[{"name":"Ann"},{"name":"Bo"}],"dealer":1,"view":"full"}\n'
)
ROUND = (
    '{"seq":1,"type":"round_start","round":1,"dealer":1,"starter":0}\n'
    '{"seq":2,"type":"deal","seat":0,"cards":["7","ono_99","reverse","0"]}\n'
    '{"seq":3,"type":"deal","seat":1,"cards":["10","-10","play_2","4"]}\n'
)
GOOD = START % "good" + ROUND + '{"seq":4,"type":"play","seat":0,"card":"7","total":7}\n'
WRONG = START % "wrong" + ROUND + '{"seq":4,"type":"play","seat":0,"card":"7","total":8}\n'


@pytest.fixture
def logs(tmp_path, monkeypatch):
    """A folder with a good and a wrong log, which is the current one."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "good.ono.jsonl").write_text(GOOD)
    (tmp_path / "wrong.ono.jsonl").write_text(WRONG)
    return tmp_path


def feed(monkeypatch, data):
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(data), isatty=lambda: False))


def test_a_good_log_is_0(logs, capsys):
    assert run(["validate", "good.ono.jsonl"]) == 0
    assert capsys.readouterr().out == (
        "good.ono.jsonl: game good: unfinished, 5 events\n1 game in 1 file: 1 unfinished. 5 events.\n"
    )


def test_an_error_is_1_and_shown_with_its_line(logs, capsys):
    assert run(["validate", "wrong.ono.jsonl"]) == 1
    shown = capsys.readouterr().out
    assert "wrong.ono.jsonl:5: error ONO306 wrong-total" in shown
    assert '"total":8}' in shown


def test_json_of_a_folder(logs, capsys):
    assert run(["validate", ".", "--format", "json"]) == 1
    answer = json.loads(capsys.readouterr().out)
    assert {game["game_id"]: game["verdict"] for game in answer["games"]} == {
        "good": "unfinished",
        "wrong": "invalid",
    }
    assert answer["summary"]["files"] == 2
    assert answer["diagnostics"] == []


def test_a_pattern_and_standard_input(logs, capsys, monkeypatch):
    feed(monkeypatch, WRONG.encode())
    assert run(["validate", "g*.jsonl", "-", "-f", "jsonl"]) == 1
    games = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(game["file"], game["game_id"]) for game in games] == [
        ("good.ono.jsonl", "good"),
        ("-", "wrong"),
    ]


def test_sarif_and_github(logs, capsys):
    assert run(["validate", "wrong.ono.jsonl", "-f", "sarif"]) == 1
    assert json.loads(capsys.readouterr().out)["runs"][0]["results"][0]["ruleId"] == "ONO306"
    assert run(["validate", "wrong.ono.jsonl", "-f", "github"]) == 1
    assert capsys.readouterr().out.startswith("::error file=wrong.ono.jsonl,line=5,")


def test_an_error_outside_a_game_is_1(logs, capsys, monkeypatch):
    feed(monkeypatch, b"[]\n")
    assert run(["validate", "-", "--format", "json"]) == 1
    answer = json.loads(capsys.readouterr().out)
    assert [found["code"] for found in answer["diagnostics"]] == ["ONO104"]


def test_nothing_is_0(logs, capsys, monkeypatch):
    feed(monkeypatch, b"")
    assert run(["validate", "-"]) == 0
    assert capsys.readouterr().out == "No games in 1 file.\n"


@pytest.mark.parametrize("path", ["none.jsonl", "none*", "empty"])
def test_what_is_not_there_is_2_before_anything_is_done(logs, capsys, path):
    (logs / "empty").mkdir()
    assert run(["validate", "good.ono.jsonl", path]) == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert output.err.startswith(f"ono-replay: {path}: ")


def test_what_cannot_be_read_is_2_and_the_others_are_checked(logs, capsys):
    (logs / "a.jsonl").write_bytes(b"PAR1....")
    assert run(["validate", ".", "--format", "json"]) == 2
    output = capsys.readouterr()
    assert "Parquet" in output.err
    assert len(json.loads(output.out)["games"]) == 2


def test_a_log_can_be_too_large(logs, capsys):
    assert run(["validate", "good.ono.jsonl", "--max-bytes", "100"]) == 2
    assert "more than the 100 bytes allowed" in capsys.readouterr().err


def test_knock_ons_are_folded(logs, capsys):
    later = (
        "".join(f'{{"seq":{4 + n},"type":"comment","text":"x","what":1}}\n' for n in range(2))
        + '{"type":"play"}\n{"seq":7,"type":"play","seat":1,"card":"4","total":4}\n'
    )
    (logs / "more.ono.jsonl").write_text(START % "m" + ROUND + later)
    run(["validate", "more.ono.jsonl", "--all"])
    everything = capsys.readouterr().out
    run(["validate", "more.ono.jsonl"])
    assert len(everything.splitlines()) >= len(capsys.readouterr().out.splitlines())


def test_a_game_twice_is_told_across_files(logs, capsys):
    (logs / "again.ono.jsonl").write_text(GOOD)
    assert run(["validate", "again.ono.jsonl", "good.ono.jsonl", "-f", "json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert [found["code"] for game in answer["games"] for found in game["diagnostics"]] == ["ONO203"]


def test_interrupted_it_says_how_far_it_came(logs, capsys, monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("ono_replay.verdicts.Verdicts.take", interrupted)
    assert run(["validate", "good.ono.jsonl"]) == 130
    assert capsys.readouterr().err == "interrupted; so far: No games in 0 files.\n"


class Terminal(io.StringIO):
    def isatty(self):
        return True


class TestProgress:
    def test_it_is_never_done_too_early(self, monkeypatch):
        clock = [0.0]
        monkeypatch.setattr("ono_replay.cli.progress.time.monotonic", lambda: clock[0])
        terminal = Terminal()
        progress = Progress(2000, stream=terminal)
        progress.show(100)
        assert terminal.getvalue() == ""
        clock[0] = 1.0
        progress.games = 1
        progress.show(1000)
        assert terminal.getvalue() == "\r 50 %, 1 game"
        progress.show(1000)
        clock[0] = 2.0
        progress.show(2000)
        assert terminal.getvalue().endswith("\r 99 %, 1 game")
        progress.clear()
        assert terminal.getvalue().endswith("\r" + " " * 13 + "\r")

    def test_it_says_how_many_logs_are_found(self, monkeypatch):
        clock = [0.0]
        monkeypatch.setattr("ono_replay.cli.progress.time.monotonic", lambda: clock[0])
        progress = Progress(None, stream=(terminal := Terminal()))
        passed = []
        for path in progress.found(f"{number}.jsonl" for number in range(3000)):
            clock[0] += 0.001
            passed.append(path)
        assert passed == [f"{number}.jsonl" for number in range(3000)]
        said = terminal.getvalue().split("\r")
        assert said[1].startswith("looking for logs: 50")
        assert said[2].startswith("looking for logs: 60")
        assert 20 < len(said) < 30
        assert said[-2:] == [" " * len("looking for logs: 2,901"), ""]  # it is gone when the work begins
        progress.total = 100
        assert progress.text(50, 0) == " 50 %, 0 games"

    def test_of_unknown_length_it_counts(self):
        assert Progress(None, stream=Terminal()).text(12_300_000, 4) == "12 MB, 4 games"

    def test_without_a_terminal_it_is_silent(self):
        progress = Progress(10, stream=(pipe := io.StringIO()))
        progress._due = 0
        progress.show(5)
        progress.clear()
        assert pipe.getvalue() == ""


@pytest.mark.parametrize("form", ["text", "json"])
def test_it_starts_without_heavy_libraries(logs, form):
    code = (
        "import sys; from ono_replay.cli.main import run\n"
        f"status = run(['validate', 'good.ono.jsonl', '--format', '{form}', '--max-bytes', '1000'])\n"
        "print(status, *sys.modules, file=sys.stderr)"
    )
    process = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    status, *loaded = process.stderr.split()
    assert status == "0"
    assert not {"pydantic", "rich", "markdown_it", "pygments", "asyncio", "duckdb", "pyarrow"} & set(loaded)
