"""`record`, `follow`, `recover`, `amend` without a terminal: entries in, JSON out, exit status."""

import io
import json
import os
import signal
import subprocess
import sys
import threading
import time

import pytest

from ono_replay.cli.main import run
from ono_replay.record import Recorder, Table
from ono_replay.record.journal import Journal


@pytest.fixture
def log(tmp_path):
    return tmp_path / "game.ono.jsonl"


@pytest.fixture
def enter(monkeypatch, capsys):
    """Run a command on entries; return its exit status, the objects it printed, and standard error."""

    def enter(command, *entries, text=None):
        typed = "".join(f"{entry}\n" for entry in entries) if text is None else text
        data = typed if isinstance(typed, bytes) else typed.encode()
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), encoding="utf-8"))
        status = run([str(word) for word in command])
        shown = capsys.readouterr()
        return status, [json.loads(line) for line in shown.out.splitlines()], shown.err

    return enter


@pytest.fixture
def record(enter, log):
    def record(*entries, options=("--edition", "2022", "--players", "Ann,Bo,Cy", "--dealer", "2"), text=None):
        return enter(["record", log, *options], *entries, text=text)

    return record


def verdict_of(log, capsys):
    run(["validate", str(log), "--format", "json"])
    (game,) = json.loads(capsys.readouterr().out)["games"]
    return game["verdict"], game["errors"]


class TestRecord:
    def test_a_state_for_each_entry(self, record, log, capsys):
        status, answers, errors = record(
            "7", "r", "-10", "undo", "out 10 9 8 7", "!out 10 9 8 7", "= 3", "c hi", ""
        )
        assert (status, errors) == (1, "")
        assert [answer.get("total", "refused") for answer in answers] == [
            7,
            7,
            0,
            7,
            "refused",
            7,
            "refused",
            7,
        ]
        assert answers[4]["refused"]["code"] == "ONO401"
        assert answers[4]["refused"]["seat"] == 0
        assert answers[4]["refused"]["legal"] == ["7", "8", "9", "10"]
        assert answers[4]["refused"]["file"] == str(log)
        assert answers[5]["out"] == [0]
        assert verdict_of(log, capsys) == ("unfinished", 0)

    @pytest.mark.parametrize("asked", ["?", "help", "h?"])
    def test_help_is_told_on_standard_error(self, record, asked):
        status, answers, errors = record("7", asked)
        assert status == 0
        assert answers[0] == answers[1]
        assert "o4                 four ONO 99 are discarded" in errors

    def test_nothing_refused_is_0(self, record):
        assert record("7", "r")[0] == 0

    def test_to_the_end(self, record, log, capsys):
        status, answers, _ = record("7", "out", "out", "end")
        assert status == 0
        assert [answer["type"] for answer in answers] == ["play", "eliminate", "round_end", "game_end"]
        assert verdict_of(log, capsys) == ("valid", 0)
        assert b'"digest"' in log.read_bytes()

    def test_the_end_of_the_entries_ends_a_match_that_is_decided(self, record, log, capsys):
        assert record("7", "out", "out")[0] == 0
        assert verdict_of(log, capsys) == ("valid", 0)

    @pytest.mark.parametrize(("dealer", "turn"), [("bo", 2), ("CY", 0), ("1", 2)])
    def test_the_dealer_is_a_seat_or_a_name(self, record, dealer, turn):
        options = ["-e", "2022", "-p", "Ann,Bo,Cy", "--dealer", dealer]
        assert record("?", options=options)[1][0]["turn"] == turn

    def test_a_dealer_that_does_not_play(self, record, log):
        status, _, errors = record("7", options=["-e", "2022", "-p", "Ann,Bo", "--dealer", "Boo"])
        assert status == 2
        assert "--dealer Boo: There is" not in errors
        assert "there is no player Boo; there are 0 Ann, 1 Bo" in errors
        assert not log.exists()

    def test_the_help_has_the_entries(self, capsys):
        assert run(["record", "--help"]) == 0
        shown = capsys.readouterr().out
        assert "Entries" in shown
        assert "out 10 9 8 7" in " ".join(shown.split())

    def test_resume(self, record, log):
        record("7")
        status, answers, _ = record("8", options=["--resume"])
        assert (status, answers[0]["total"]) == (0, 15)

    def test_resume_begins_where_nothing_is(self, record, log):
        options = ["--resume", "--edition", "1980", "--players", "Ann,Bo"]
        assert record("7", options=options)[1][0]["total"] == 7
        assert record("8", options=options)[1][0]["total"] == 15

    @pytest.mark.parametrize("torn", [b"", b'{"seq":0,"type":"game_st'])
    def test_resume_begins_where_nothing_was_acknowledged(self, record, log, torn):
        log.write_bytes(torn)
        options = ["--resume", "--edition", "1980", "--players", "Ann,Bo"]
        assert record("7", options=options)[1][0]["total"] == 7

    def test_a_torn_line_is_told(self, record, log):
        record("7")
        log.write_bytes(log.read_bytes() + b'{"seq":')
        status, _, errors = record("8", options=["--resume"])
        assert status == 0
        assert "a torn last line was put into" in errors

    def test_house_rules(self, record):
        rules = ["-e", "1980", "-p", "Ann,Bo", "--rule", "match=single", "--rule", "max_total=20"]
        _, answers, _ = record("10", "10", "1", options=[*rules, "--rule", 'deck={"10":20,"1":4}'])
        assert answers[1]["total"] == 20
        assert answers[1]["chips"] is None
        assert answers[2]["refused"]["code"] == "ONO303"

    @pytest.mark.parametrize(
        ("options", "told"),
        [
            ([], "needs --edition and --players"),
            (["--edition", "2022"], "needs --edition and --players"),
            (["--edition", "2022", "--players", "Ann"], "1 players can not play"),
            (["--edition", "2022", "--players", "Ann,,Bo"], "a name for each player"),
            (
                ["--edition", "2022", "--players", "Ann,Bo", "--dealer", "2"],
                "--dealer 2: there is no seat 2; there are 0 Ann, 1 Bo",
            ),
            (["--edition", "2022", "--players", "Ann,Bo", "--rule", "max=1"], 'no option "max"'),
            (["--edition", "2022", "--players", "Ann,Bo", "--rule", "chips"], "KEY=VALUE"),
            (
                ["--edition", "2022", "--players", "Ann,Bo", "--rule", "match=points_low_score"],
                "points_target",
            ),
            (["--edition", "2022", "--players", "Ann,Bo", "--game-id", "x" * 129], "game_id"),
            (["--resume"], "No such file"),
        ],
    )
    def test_what_can_not_begin_is_2_and_makes_no_file(self, record, log, options, told):
        status, answers, errors = record("7", options=options)
        assert (status, answers) == (2, [])
        assert told in errors
        assert not log.exists()

    def test_a_log_that_is_there(self, record, log):
        record("7")
        data = log.read_bytes()
        status, _, errors = record("8")
        assert status == 2
        assert "--resume" in errors
        assert log.read_bytes() == data

    @pytest.mark.parametrize(
        "options", [["-p", "Ann,Bo"], ["-e", "1980"], ["-e", "2022", "-r", "max_total=99"]]
    )
    def test_resume_of_another_game(self, record, options):
        record("7")
        status, _, errors = record("8", options=["--resume", *options])
        assert status == 2
        assert "this" in errors

    def test_a_finished_log(self, record):
        record("abandon")
        status, _, errors = record("7", options=["--resume"])
        assert status == 2
        assert "amend" in errors

    def test_a_log_of_a_program(self, record, log):
        Recorder.create(log, "2022", ["Ann", "Bo"]).close()
        status, _, errors = record("7", options=["--resume"])
        assert status == 2
        assert "view full" in errors

    def test_a_damaged_log(self, record, log):
        record("7", "8", "9")
        data = log.read_bytes().replace(b'"seq":6', b'"seq":66')
        log.write_bytes(data)
        status, _, errors = record("7", options=["--resume"])
        assert status == 2
        assert "line 7" in errors
        assert "recover" in errors
        assert log.read_bytes() == data

    def test_a_log_that_is_held(self, record, log):
        with Journal.create(log):
            status, _, errors = record("7", options=["--resume"])
        assert status == 2
        assert f"process {os.getpid()}" in errors

    def test_odd_input(self, record):
        text = b"7\r\n\n\xff\xfe\n" + b"c " + b"x" * (1 << 21) + b"\nc \xe2\x99\xa0\x1b[31m\n8"
        status, answers, _ = record(text=text)
        assert status == 1
        codes = [answer["refused"]["code"] if "refused" in answer else answer["type"] for answer in answers]
        assert codes == ["play", "ONO110", "ONO111", "comment", "play"]

    def test_a_full_disk_ends_it_with_a_valid_log(self, record, log, monkeypatch, capsys):
        record("7")

        def full(journal, lines):
            raise journal_error

        from ono_replay.record.errors import NotWritten

        journal_error = NotWritten(
            f"{log}: nothing could be written: the disk is full; make room and try again"
        )
        with monkeypatch.context() as patch:
            patch.setattr(Journal, "append", full)
            status, answers, errors = record("8", "9", options=["--resume"])
        assert (status, answers) == (2, [])
        assert "the disk is full" in errors
        assert verdict_of(log, capsys) == ("unfinished", 0)
        assert record("8", options=["--resume"])[1][0]["total"] == 15


def start(*words, **options):
    command = [sys.executable, "-m", "ono_replay", *map(str, words)]
    return subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options
    )


def test_each_answer_comes_before_the_next_entry(log):
    with start("record", log, "-e", "2022", "-p", "Ann,Bo") as process:
        for total, entry in ((7, b"7\n"), (15, b"8\n")):
            process.stdin.write(entry)
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["total"] == total
            assert f'"total":{total}'.encode() in log.read_bytes(), "it is on disk"
        process.send_signal(signal.SIGINT)
        assert process.wait() == 130
    assert Table(Recorder.resume(log)).state.total == 15


class TestFollow:
    def test_live(self, log):
        table = Table(Recorder.create(log, "2022", ["Ann", "Bo"], view="public"))
        with start("follow", log) as process:
            told = [json.loads(process.stdout.readline()) for _ in range(3)]
            assert [state["type"] for state in told] == ["round_start", "deal", "deal"]
            table.enter("7")
            assert json.loads(process.stdout.readline())["total"] == 7
            table.enter("undo")
            assert json.loads(process.stdout.readline())["total"] == 0
            table.enter("abandon")
            assert json.loads(process.stdout.readline())["type"] == "game_end"
            assert process.stdout.read() == b""
            assert process.wait() == 0
        table.close()

    @pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
    def test_it_ends_well_when_asked_to(self, log, number):
        table = Table(Recorder.create(log, "2022", ["Ann", "Bo"], view="public"))
        with start("follow", log) as process:
            process.stdout.readline()
            process.send_signal(number)
            assert process.wait() == 0
            assert process.stderr.read() == b""
        table.recorder.close()

    def test_no_log(self, log, capsys):
        assert run(["follow", str(log)]) == 2
        assert "No such file" in capsys.readouterr().err

    def test_a_damaged_log(self, log, capsys):
        log.write_bytes(b'{"seq":0\n')
        assert run(["follow", str(log)]) == 2
        assert "line 1 (byte 0): ONO102" in capsys.readouterr().err


class TestRecover:
    def test_a_damaged_log(self, record, log, tmp_path, capsys):
        record("7", "8", "9")
        data = log.read_bytes()
        damaged = data.replace(b'"seq":8', b'"seq":\0')
        log.write_bytes(damaged)
        out = tmp_path / "out.ono.jsonl"
        assert run(["recover", str(log), str(out)]) == 0
        told = capsys.readouterr().out
        assert "8 events of 1 game; 2 lines left out from line 9 on" in told
        assert log.read_bytes() == damaged
        assert out.read_bytes() == b"".join(data.splitlines(keepends=True)[:8])
        assert record("r", options=["--resume"])[0] == 2
        assert Table(Recorder.resume(out)).state.total == 15

    def test_nothing_is_overwritten(self, record, log, tmp_path, capsys):
        record("7")
        data = log.read_bytes()
        assert run(["recover", str(log), str(log)]) == 2
        assert log.read_bytes() == data
        assert "there is a log already" in capsys.readouterr().err

    @pytest.mark.parametrize(
        "number", [None, 1], ids=["no game", "a game_start of which nothing can be kept"]
    )
    def test_nothing_to_read(self, record, log, tmp_path, capsys, number):
        if number is None:
            log.write_bytes(b"\0" * 100)
        else:
            record("7")
            log.write_bytes(log.read_bytes().splitlines(keepends=True)[0].replace(b'"seq":0', b'"seq":1'))
        assert run(["recover", str(log), str(tmp_path / "out")]) == 2
        assert "no game can be read" in capsys.readouterr().err
        assert not (tmp_path / "out").exists()


class TestAmend:
    @pytest.fixture
    def finished(self, record, log):
        record("7", "8", "r", "5 = 33", "4", "out", "out", "end")
        return log

    @pytest.fixture
    def out(self, tmp_path):
        return tmp_path / "out.ono.jsonl"

    @pytest.fixture
    def amend(self, enter, finished, out):
        def amend(*options, entries=()):
            return enter(["amend", finished, out, *options], *entries)

        return amend

    def lines(self, log):
        return [json.loads(line) for line in log.read_bytes().splitlines()]

    def test_as_it_is(self, amend, finished, out, capsys):
        old = self.lines(finished)
        data = finished.read_bytes()
        assert amend()[0] == 0
        new = self.lines(out)
        assert new[0]["meta"] == {"amends": old[-1]["digest"]}
        assert new[1:-1] == old[1:-1]
        assert new[-1]["digest"] != old[-1]["digest"]
        assert verdict_of(out, capsys) == ("valid", 0)
        assert finished.read_bytes() == data

    def test_by_hand(self, amend, out, capsys):
        status, answers, _ = amend(entries=["undo", "undo", "10", "out", "end"])
        assert status == 0
        assert [answer["type"] for answer in answers] == [
            "round_end",
            "eliminate",
            "play",
            "round_end",
            "game_end",
        ]
        assert self.lines(out)[-1]["winners"] == [1]
        assert verdict_of(out, capsys) == ("valid", 0)

    def test_a_card(self, amend, out, capsys):
        assert amend("--replace", "5=9")[0] == 0
        totals = [line["total"] for line in self.lines(out) if line["type"] == "play"]
        assert totals == [9, 17, 17, 33, 37], "a total that was announced wrong stays"
        assert verdict_of(out, capsys) == ("valid", 0)

    def test_a_name(self, amend, finished, out, capsys):
        assert amend("--name", "0=Anna", "--name", "2=Cyd")[0] == 0
        assert [player["name"] for player in self.lines(out)[0]["players"]] == ["Anna", "Bo", "Cyd"]
        assert verdict_of(out, capsys) == ("valid", 0)

    def test_a_name_by_the_old_one(self, amend, out):
        assert amend("--name", "ANN=Anna=Lena")[0] == 0
        assert self.lines(out)[0]["players"][0]["name"] == "Anna=Lena"

    def test_out_is_there(self, amend, out):
        assert amend("--until", "7", entries=["c later"])[0] == 0
        data = out.read_bytes()
        status, _, errors = amend("--name", "0=Anna")
        assert status == 2
        assert f"`ono-replay record {out} --resume`" in errors
        assert out.read_bytes() == data

    def test_up_to_an_event(self, amend, out):
        status, answers, _ = amend("--until", "7", entries=["10"])
        assert (status, answers[0]["total"]) == (0, 25)
        assert Table(Recorder.resume(out)).state.total == 25

    @pytest.mark.parametrize(
        ("options", "told"),
        [
            (["--replace", "9=7"], "can not have followed"),
            (["--replace", "5=x"], "'x' is no entry"),
            (["--replace", "5=undo"], "can not stand"),
            (["--replace", "99=7"], "no event 99"),
            (["--replace", "five"], "--replace 17=8"),
            (["--name", "7=Zoe"], "no seat 7"),
            (["--name", "Zoe=Zoë"], "no player Zoe; there are 0 Ann, 1 Bo, 2 Cy"),
            (["--until", "99"], "no event 99"),
        ],
    )
    def test_what_can_not_be(self, amend, out, options, told):
        status, _, errors = amend(*options)
        assert status == 2
        assert told in errors
        assert not out.exists()

    def test_an_open_log(self, record, log, out, capsys):
        record("7")
        assert run(["amend", str(log), str(out)]) == 2
        assert "has not ended" in capsys.readouterr().err

    def test_a_faulty_log(self, finished, amend, out, capsys):
        data = finished.read_bytes().replace(b'"card":"8","total":15', b'"card":"8","total":16')
        finished.write_bytes(data)
        status, _, errors = amend()
        assert status == 2
        assert "event 7 (Bo (seat 1) plays 8): ONO306" in errors
        assert "--replace 7=ENTRY" in errors
        assert amend("--replace", "7=8")[0] == 0
        assert verdict_of(out, capsys) == ("valid", 0)

    def test_a_log_that_shows_all_cards(self, tmp_path, out, capsys):
        log = tmp_path / "full.ono.jsonl"
        with Recorder.create(log, "2022", ["Ann", "Bo"]) as game:
            game.abandon()
        assert run(["amend", str(log), str(out), "--name", "1=Bob"]) == 0
        assert run(["amend", str(log), str(tmp_path / "second"), "--until", "0"]) == 0
        assert "a program has to go on" in capsys.readouterr().err


def test_entries_from_many_writers_at_once_keep_their_order(log):
    """Whatever the speed of the writer, each entry is answered in turn."""
    with start("record", log, "-e", "2022", "-p", "Ann,Bo", "--mode", "none") as process:
        entries = b"".join(b"c %d\n" % number for number in range(500))

        def feed():
            for place in range(0, len(entries), 7):
                process.stdin.write(entries[place : place + 7])
                if place % 700 == 0:
                    process.stdin.flush()
                    time.sleep(0)
            process.stdin.close()

        threading.Thread(target=feed).start()
        answers = [json.loads(line) for line in process.stdout]
        assert process.wait() == 0
    assert [answer["seq"] for answer in answers] == [4 + number for number in range(500)]
