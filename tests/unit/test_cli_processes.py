"""Commands as a shell runs them: pipes, packed input, exit status."""

import gzip
import json
import os
import signal
import subprocess
import sys

import pytest

from tests.unit.test_cli_check import GOOD, WRONG

ONO = [sys.executable, "-m", "ono_replay"]


def ono(*arguments, data=b"", **environment):
    return subprocess.run([*ONO, *arguments], input=data, capture_output=True, env=os.environ | environment)


@pytest.mark.parametrize(("log", "status"), [(GOOD, 0), (WRONG, 1), ("", 0), ("[]\n", 1)])
def test_validate_from_standard_input(log, status):
    process = ono("validate", "-", "--format", "json", data=log.encode())
    assert process.returncode == status
    assert json.loads(process.stdout)["summary"]["files"] == 1
    assert process.stderr == b""


def test_packed_input_is_told_by_its_content():
    process = ono("validate", "-", data=gzip.compress(GOOD.encode()))
    assert process.returncode == 0
    assert b"unfinished, 5 events" in process.stdout


@pytest.mark.parametrize(
    "arguments", [["validate", "none"], ["states", "none"], ["explain", "none"], ["nonsense"]]
)
def test_what_can_not_be_run_is_2_and_one_message(arguments):
    process = ono(*arguments, ONO_REPLAY_DEBUG="")
    assert process.returncode == 2
    assert process.stdout == b""
    assert process.stderr
    assert b"Traceback" not in process.stderr


def test_commands_go_together_in_a_pipe(tmp_path):
    (tmp_path / "a.jsonl").write_text(GOOD)
    command = " ".join(ONO)
    line = f"{command} branch a.jsonl - --seq 3 | {command} states - | tail -n 1"
    process = subprocess.run(["bash", "-c", line], cwd=tmp_path, capture_output=True)
    state = json.loads(process.stdout)
    assert (state["game_id"], state["turn"], state["draw_pile"]) == ("good-branch-3", 0, 104)


def test_each_game_comes_as_it_is_done():
    with subprocess.Popen(
        [*ONO, "validate", "-", "--format", "jsonl"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write((GOOD + WRONG).encode())
        process.stdin.flush()
        # The first game is done when the second begins, while the input is still open.
        assert json.loads(process.stdout.readline())["game_id"] == "good"
        process.stdin.close()
        assert json.loads(process.stdout.readline())["game_id"] == "wrong"
    assert process.returncode == 1


def test_a_reader_that_goes_away_ends_it_quietly():
    games = "".join(GOOD.replace('"good"', f'"g{number}"') for number in range(3000))
    command = " ".join(ONO)
    line = f"{command} validate - --format jsonl | head -n 1 > /dev/null; echo ${{PIPESTATUS[0]}}"
    process = subprocess.run(["bash", "-c", line], input=games.encode(), capture_output=True)
    assert process.stdout == b"141\n"
    assert process.stderr == b""


def test_a_terminal_without_utf_8_gets_json_in_ascii():
    log = GOOD.replace('"Ann"', '"Zoë"').replace('"good"', '"gü"')
    process = ono("validate", "-", "-f", "json", data=log.encode(), PYTHONUTF8="0", PYTHONIOENCODING="ascii")
    assert process.stdout.isascii()
    assert json.loads(process.stdout)["games"][0]["game_id"] == "gü"


def test_an_interrupt_is_no_harm():
    with subprocess.Popen(
        [*ONO, "validate", "-", "--format", "jsonl"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write((GOOD + WRONG).encode())
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["game_id"] == "good"
        process.send_signal(signal.SIGINT)
        _, told = process.communicate()
    assert process.returncode == 130
    assert told == b"interrupted; so far: 1 game in 1 file: 1 unfinished. 5 events.\n"
