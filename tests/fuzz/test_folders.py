"""Folders of strange things, very deep ones, and ones of a million files: nothing hangs, is followed, or fills the machine."""

import contextlib
import json
import os
import re
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from dashboard import data
from dashboard.sources import SOURCES
from ono_replay.cli.main import run
from ono_replay.log.lines import find_logs
from ono_replay.simulate.game import Simulator
from ono_replay.simulate.plan import Plan

ROOT = Path(__file__).resolve().parents[2]
GAME = Simulator(Plan(edition="2022", players=3, seed=9)).log(0)
GAMES_PAGE = "from dashboard.views.games import games_page\ngames_page()"


@pytest.fixture
def strange(tmp_path):
    """A folder with one log, and links, loops, a pipe, a socket, a device and a folder that are called logs."""
    folder = tmp_path / "folder"
    (folder / "deep" / "er").mkdir(parents=True)
    for path in (folder / "deep" / "er" / "game.ono.jsonl", tmp_path / "elsewhere.ono.jsonl"):
        path.write_bytes(GAME)
    (folder / "loop").symlink_to(folder)
    (folder / "deep" / "loop.jsonl").symlink_to(folder / "deep" / "loop.jsonl")
    (folder / "elsewhere.jsonl").symlink_to(tmp_path / "elsewhere.ono.jsonl")
    (folder / "zero.jsonl").symlink_to("/dev/zero")
    os.mkfifo(folder / "pipe.jsonl")
    (folder / "folder.jsonl").mkdir()
    with socket.socket(socket.AF_UNIX) as bound:
        here = os.open(folder, os.O_RDONLY)
        bound.bind(f"/proc/self/fd/{here}/socket.jsonl")  # the whole path may be too long for a socket
        os.close(here)
    with contextlib.suppress(PermissionError):
        os.mknod(folder / "device.jsonl", 0o666 | 0o020000, os.makedev(1, 5))
    return folder


PASSED_BY = {
    "loop": "a symbolic link",
    "deep/loop.jsonl": "a symbolic link",
    "elsewhere.jsonl": "a symbolic link",
    "zero.jsonl": "a symbolic link",
    "pipe.jsonl": "a named pipe",
    "socket.jsonl": "a socket",
}


def check_told(folder, said):
    for name, kind in PASSED_BY.items():
        assert f"{folder / name}: passed by, it is {kind}" in said, name
    assert "Traceback" not in said
    assert "fault of ono-replay itself" not in said


def test_strange_things_are_passed_by_and_told(strange, tmp_path, capsys):
    assert run(["validate", str(strange)]) == 0
    output = capsys.readouterr()
    assert "1 game in 1 file" in output.out
    check_told(strange, output.err)
    assert run(["import", str(strange), "--library", str(tmp_path / "library"), "--jobs", "1"]) == 0
    output = capsys.readouterr()
    assert "1 game in 1 file" in output.out
    check_told(strange, output.err)


def test_strange_things_by_name_are_refused(strange, capsys):
    for name in ("pipe.jsonl", "folder.jsonl", "zero.jsonl", "deep/loop.jsonl", "socket.jsonl"):
        for words in (["validate"], ["show"], ["import", "--library", str(strange / "library")]):
            assert run([*words, str(strange / name)]) == 2
            said = capsys.readouterr().err
            assert name in said
            assert "Traceback" not in said


def test_strange_things_in_the_dashboard(strange, monkeypatch):
    monkeypatch.setenv(SOURCES, json.dumps([str(strange)]))
    app = AppTest.from_string(GAMES_PAGE).run(timeout=60)
    assert not app.exception
    check_told(strange, "\n".join(text.value for text in app.text))
    assert "1 game" in app.caption[0].value


def test_a_folder_of_nothing_but_strange_things_says_so(tmp_path, capsys):
    (tmp_path / "games.jsonl").symlink_to("/dev/zero")
    assert run(["validate", str(tmp_path)]) == 2
    said = capsys.readouterr().err
    assert "there are no logs in this folder" in said
    assert "games.jsonl: passed by, it is a symbolic link" in said


def test_a_very_deep_folder(tmp_path):
    """Deeper than Python can recurse; the log at its bottom is found."""
    here = os.open(tmp_path, os.O_RDONLY)
    depth = (3900 - len(str(tmp_path))) // 2
    for _ in range(depth):
        os.mkdir("d", dir_fd=here)
        below = os.open("d", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    os.close(os.open("x.jsonl", os.O_CREAT | os.O_WRONLY, dir_fd=here))
    os.close(here)
    assert depth > sys.getrecursionlimit()
    try:
        assert list(find_logs([tmp_path])) == [f"{tmp_path}/{'d/' * depth}x.jsonl"]
    finally:
        # Too deep for Python, and so for pytest, to remove.
        subprocess.run(["rm", "-rf", str(tmp_path / "d")], check=True)


# --- very many --------------------------------------------------------------------------------------


def make_many(folder, count):
    """Fill a folder, one and flat, with empty logs; the last is a game."""
    folder.mkdir()
    here = os.open(folder, os.O_RDONLY)
    for number in range(count - 1):
        os.close(os.open(f"{number:07}.jsonl", os.O_CREAT | os.O_WRONLY, dir_fd=here))
    os.close(here)
    (folder / "game.ono.jsonl").write_bytes(GAME)


MEASURED = """
import subprocess, sys, time
from pathlib import Path
from ono_replay.cli.main import run
begun = time.monotonic()
status = run(sys.argv[1:])
sys.stdout.flush()
peak = Path("/proc/self/status").read_text().partition("VmHWM:")[2].split()[0]
print("peak", int(peak) // 1024, "MiB", round(time.monotonic() - begun), "s", file=sys.stderr)
raise SystemExit(status)
"""


def measured(*arguments):
    """Run a command; return what it printed, and the most MiB it took."""
    command = [sys.executable, "-c", MEASURED, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    print(arguments[0], done.stderr.strip())
    return done.stdout, int(re.findall(r"peak (\d+) MiB", done.stderr)[-1])


def check_many(folder, tmp_path, count, most):
    said, peak = measured("validate", folder)
    assert f"1 game in {count:,} files" in said
    assert peak < most
    said, peak = measured("import", folder, "--library", tmp_path / "library", "--jobs", "1")
    assert f"1 game in {count:,} files: 1 added" in said.replace(f"{count} files", f"{count:,} files")
    return peak


def check_page(folder, monkeypatch, timeout):
    monkeypatch.setenv(SOURCES, json.dumps([str(folder)]))
    app = AppTest.from_string(GAMES_PAGE).run(timeout=timeout)
    assert not app.exception
    assert f"only the first {data.MOST_LOGS:,} logs are shown" in "\n".join(text.value for text in app.text)


def test_eight_thousand_files(tmp_path, monkeypatch):
    make_many(tmp_path / "many", 8_000)
    assert check_many(tmp_path / "many", tmp_path, 8_000, 200) < 300
    check_page(tmp_path / "many", monkeypatch, 60)


def test_a_page_is_shown_before_all_names_are_read(tmp_path, monkeypatch):
    """Only so many names are looked at, and what is not known is not told."""
    make_many(tmp_path / "many", 300)
    monkeypatch.setattr(data, "MOST_NAMES", 100)
    monkeypatch.setattr(data, "MOST_LOGS", 60)
    monkeypatch.setenv(SOURCES, json.dumps([str(tmp_path / "many")]))
    shelf = data.shelf()
    assert len(shelf.logs) == 60
    assert list(shelf.logs) == sorted(shelf.logs)
    more, names = shelf.troubles
    assert more.startswith("there are more than 60 logs: only the first 60 logs are shown")
    assert names.startswith(f"{tmp_path / 'many'}: more than 100 names are in this folder")
    assert data.shelf() == shelf


@pytest.mark.slow
@pytest.mark.timeout(7200)
def test_a_million_files(tmp_path, monkeypatch):
    """Validation keeps within 256 MiB; an import, which notes each file in the library, within a GiB."""
    make_many(tmp_path / "many", 1_000_000)
    assert check_many(tmp_path / "many", tmp_path, 1_000_000, 256) < 1024
    check_page(tmp_path / "many", monkeypatch, 120)
