"""`ono-replay step` in a real pseudo-terminal."""

import os
import re
import signal
import sys
from pathlib import Path

import pexpect
import pytest

LOG = Path(__file__).parents[1] / "data/conformance/logs/game-26-1980-points-low-score-seat.ono.jsonl"


def spawn(*arguments, **environment):
    settings = {"TERM": "xterm", "PYTHONUTF8": "1", "LINES": "", "COLUMNS": ""}
    kept = {key: value for key, value in (os.environ | settings | environment).items() if value}
    child = pexpect.spawn(
        sys.executable,
        ["-m", "ono_replay", *arguments],
        env=kept,
        encoding="utf-8",
        timeout=20,
        dimensions=(24, 90),
    )
    child.delaybeforesend = None
    return child


@pytest.fixture
def stepping():
    """Started at the beginning of a match of three rounds."""
    child = spawn("step", str(LOG))
    child.expect("before the first round")
    child.expect("q quit")
    yield child
    child.close(force=True)


def found(child, pattern):
    """What the first group of a pattern found."""
    child.expect(pattern)
    return child.match.group(1)


def event(child, number):
    child.expect(rf"event {number} \(")


def ended(child):
    child.expect(pexpect.EOF)
    child.close()
    return child.exitstatus


def test_a_walk_through_a_game(stepping):
    stepping.send("\x1b[C")
    event(stepping, 1)
    stepping.send("\x1b[B\x1b[B")
    event(stepping, 8)
    stepping.send("r")
    event(stepping, 30)
    stepping.send("21\r")
    event(stepping, 21)
    stepping.expect("Eva to play, who owes two cards")
    stepping.send("e")
    event(stepping, 28)
    stepping.send("E")
    event(stepping, 15)
    stepping.send("p")
    event(stepping, 18)
    stepping.send("v")
    stepping.expect("from seat 0")
    stepping.send("h")
    stepping.expect("hands are hidden")
    stepping.send("?")
    stepping.expect("jump to the event with seq 12")
    stepping.send("\x1b")
    event(stepping, 18)
    stepping.send("q")
    assert ended(stepping) == 0


def test_quick_keys_are_not_lost(stepping):
    stepping.send("n" * 30)
    event(stepping, 30)
    stepping.send("q")
    assert ended(stepping) == 0


def test_the_terminal_is_put_back():
    child = pexpect.spawn("bash", ["--norc"], encoding="utf-8", timeout=20, dimensions=(24, 90))
    child.sendline("PS1='done> '; export TERM=xterm PYTHONUTF8=1; stty -a | md5sum")
    before = found(child, r"([0-9a-f]{32})")
    child.sendline(f"{sys.executable} -m ono_replay step {LOG}")
    child.expect_exact("\x1b[?1049h")
    child.expect("q quit")
    child.send("\x03")
    child.expect_exact("\x1b[?25h\x1b[?1049l")
    child.sendline("echo status $?; stty -a | md5sum")
    assert found(child, r"status (\d+)") == "0"
    assert found(child, r"([0-9a-f]{32})") == before
    child.close(force=True)


def test_stopped_and_gone_on_with():
    child = pexpect.spawn("bash", ["--norc"], encoding="utf-8", timeout=20, dimensions=(24, 90))
    child.sendline("PS1='done> '; export TERM=xterm PYTHONUTF8=1")
    child.sendline(f"{sys.executable} -m ono_replay step {LOG}")
    child.expect("q quit")
    child.send("nn")
    event(child, 2)
    child.send("\x1a")
    child.expect_exact("\x1b[?1049l")
    child.expect("Stopped")
    child.sendline("fg")
    child.expect_exact("\x1b[?1049h")
    event(child, 2)
    child.send("n")
    event(child, 3)
    child.send("q")
    child.expect_exact("\x1b[?1049l")
    child.close(force=True)


def test_a_new_size_is_drawn_at_once(stepping):
    stepping.setwinsize(40, 120)
    stepping.kill(signal.SIGWINCH)
    stepping.expect(re.compile("before the first round"))
    stepping.send("q")
    assert ended(stepping) == 0


def test_a_log_from_standard_input_leaves_the_keys_to_the_terminal():
    child = pexpect.spawn(
        "bash",
        ["-c", f"cat {LOG} | {sys.executable} -m ono_replay step - --seq 21"],
        env=os.environ | {"TERM": "xterm", "PYTHONUTF8": "1"},
        encoding="utf-8",
        timeout=20,
        dimensions=(24, 90),
    )
    event(child, 21)
    child.send("n")
    event(child, 22)
    child.send("q")
    assert ended(child) == 0


def test_a_terminal_that_can_do_nothing():
    child = spawn("step", str(LOG), "--seq", "21", TERM="dumb", PYTHONUTF8="0", PYTHONIOENCODING="ascii")
    event(child, 21)
    child.expect("> 0 Eva owes 2")
    child.send("n")
    event(child, 22)
    child.send("q")
    child.expect(pexpect.EOF)
    assert "\x1b" not in child.before
