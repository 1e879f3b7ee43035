"""The promises of the README: those that no other test shows as a whole, and that each names tests that are there."""

import io
import re
import shutil
from pathlib import Path

from ono_replay.check.diagnostic import GameReport
from ono_replay.check.validator import validate
from ono_replay.cli.main import run
from ono_replay.library.importing import import_logs
from ono_replay.log.jsonl import encode_game
from ono_replay.log.reader import read_games
from ono_replay.log.undo import finished
from ono_replay.simulate.game import Simulator
from ono_replay.simulate.plan import Plan
from tests.fuzz.test_library_survives import rows_of, write_logs

ROOT = Path(__file__).resolve().parents[2]


def digested(edition):
    """A finished game with free values, names and a comment in it, and a digest."""
    (game,) = read_games(
        io.BytesIO(Simulator(Plan(edition=edition, players=2, seed=3, match="single")).log(0))
    )
    return encode_game(finished(game.events))


def events_of(data):
    return [encode_game([event]) for game in read_games(io.BytesIO(data)) for event in game.events]


def is_reported(data):
    found = list(validate([io.BytesIO(data)]))
    return not all(
        isinstance(one, GameReport) and one.verdict == "valid" and not one.warnings for one in found
    )


def test_a_digest_sees_every_change():
    """One bit of every byte, each in turn, or the byte left out; in `game_end` what can be derived."""
    data = digested("2022")
    sound = events_of(data)
    assert not is_reported(data)
    assert b'"digest"' in data
    last = data.rindex(b"\n", 0, len(data) - 1)
    changes = same = 0
    for place in range(len(data) - 1):
        flipped = bytes([data[place] ^ 1 << place % 8])
        changed = data[:place] + (b"" if place % 4 == 0 else flipped) + data[place + 1 :]
        if is_reported(changed):
            changes += 1
            continue
        # Another spelling of the same events, or something in `game_end` that nothing else tells.
        same += 1
        assert events_of(changed)[:-1] == sound[:-1], place
        assert events_of(changed) == sound or place > last, place
    assert changes > len(data) - 150
    assert same < 150


def test_no_command_alters_a_log(tmp_path, capsys, monkeypatch):
    """What reads logs leaves them, to the byte and to the time they were written; repairs are new files."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"")))
    shutil.copytree(ROOT / "sample_logs", tmp_path / "logs")
    before = {
        path: (path.read_bytes(), path.stat().st_mtime_ns)
        for path in (tmp_path / "logs").rglob("*")
        if path.is_file()
    }
    logs = (
        sorted((tmp_path / "logs" / "broken").iterdir())[::6]
        + sorted((tmp_path / "logs" / "ok").iterdir())[::4]
    )
    for number, log in enumerate(logs):
        for words in (
            ["validate", log], ["states", log], ["show", log], ["convert", log, f"{number}.ono.jsonl"], ["view", log, f"{number}v.ono.jsonl", "--public"], ["recover", log, f"{number}r.ono.jsonl"],
            ["amend", log, f"{number}a.ono.jsonl"], ["export", "text", log, f"{number}.txt"], ["branch", log, f"{number}b.ono.jsonl", "--seq", "4"], ["verify-deal", log], ["diff", log, log],
        ):  # fmt: skip
            assert run(list(map(str, words))) in (0, 1, 2)
    run(["import", "logs", "--library", "library", "--jobs", "1"])
    run(["library", "anonymise", "--yes", "--library", "library"])
    run(["validate", "logs"])
    capsys.readouterr()
    after = {
        path: (path.read_bytes(), path.stat().st_mtime_ns)
        for path in (tmp_path / "logs").rglob("*")
        if path.is_file()
    }
    assert after == before


def test_a_library_that_is_deleted_is_made_again(tmp_path):
    write_logs(tmp_path / "logs")
    paths = sorted(map(str, (tmp_path / "logs").iterdir()))
    import_logs(paths, tmp_path / "library", jobs=1)
    answers = rows_of(tmp_path / "library")
    shutil.rmtree(tmp_path / "library")
    import_logs(paths, tmp_path / "library", jobs=1)
    assert rows_of(tmp_path / "library") == answers


def test_each_promise_names_tests_that_are_there():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    table = text.partition("## What is promised")[2].partition("\n## ")[0]
    rows = [
        line
        for line in table.splitlines()
        if line.startswith("| ") and not line.startswith(("| promise", "| ---"))
    ]
    assert len(rows) >= 9
    for row in rows:
        named = re.findall(r"`(tests/[\w/.]+)`", row)
        assert named, row
        for name in named:
            assert (ROOT / name).is_file(), name
