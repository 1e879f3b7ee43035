"""Packed streams that break off, or unpack without end, at every entrance that takes logs."""

import gzip
import io
import json

import pytest
import zstandard
from streamlit.testing.v1 import AppTest

from dashboard import checks
from dashboard.sources import SOURCES
from ono_replay.cli.main import run
from ono_replay.log import streams
from ono_replay.simulate.game import Simulator
from ono_replay.simulate.plan import Plan

SIMULATOR = Simulator(Plan(edition="2022", players=3, seed=9))
TWO_GAMES = SIMULATOR.log(0) + SIMULATOR.log(1)
PACK = {"gzip": gzip.compress, "zstd": zstandard.ZstdCompressor(write_checksum=True).compress}
BOMB_BYTES = 1 << 20
"""What counts as far here, so that the bomb is made and set off in no time; the ratio is the real one."""

OF_ALL = (
    ("validate", "IN"), ("validate", "IN", "--engine", "fast"), ("import", "IN", "--library", "OUT", "--jobs", "1"), ("states", "IN"), ("verify-deal", "IN"), ("view", "IN", "OUT.ono.jsonl", "--public"),
    ("convert", "IN", "OUT.ono.jsonl"), ("convert", "IN", "OUT.parquet"), ("archive", "IN", "--to", "OUT.parquet"),
)  # fmt: skip
"""What reads all of a log."""
OF_ONE = (
    ("show", "IN"), ("export", "html", "IN", "OUT.html"), ("export", "text", "IN", "OUT.txt"), ("export", "svg", "IN", "OUT.svg"), ("diff", "IN", "IN"),
    ("branch", "IN", "OUT.ono.jsonl", "--seq", "5"), ("recover", "IN", "OUT.ono.jsonl"), ("amend", "IN", "OUT.ono.jsonl"),
)  # fmt: skip
"""What takes a game that is whole, whatever stands behind it."""


def enter(arguments, path, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"")))
    words = [str(path) if word == "IN" else word.replace("OUT", str(tmp_path / "out")) for word in arguments]
    status = run(words)
    output = capsys.readouterr()
    said = output.out + output.err
    assert "Traceback" not in said
    assert "fault of ono-replay itself" not in said
    return status, said


def bomb(pack):
    """A game, and blank lines behind it until it is far."""
    return pack(TWO_GAMES + (b" " * 999 + b"\n") * (8 * BOMB_BYTES // 1000))


@pytest.mark.parametrize("pack", PACK.values(), ids=PACK)
@pytest.mark.parametrize("arguments", OF_ALL + OF_ONE, ids=" ".join)
def test_a_bomb(arguments, pack, tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(streams, "BOMB_BYTES", BOMB_BYTES)
    path = tmp_path / "bomb.ono.jsonl"
    path.write_bytes(bomb(pack))
    status, said = enter(arguments, path, tmp_path, capsys, monkeypatch)
    assert status == 2
    assert "bomb" in said
    assert not list(tmp_path.glob("out.*"))


TOLD = ("ends early", "ONO113", "1 error in this log", "can not be read")


@pytest.mark.parametrize("pack", PACK.values(), ids=PACK)
@pytest.mark.parametrize("arguments", OF_ALL, ids=" ".join)
def test_a_stream_that_breaks_off(arguments, pack, tmp_path, capsys, monkeypatch):
    path = tmp_path / "cut.ono.jsonl"
    path.write_bytes(pack(TWO_GAMES)[:-9])
    status, said = enter(arguments, path, tmp_path, capsys, monkeypatch)
    assert status in (1, 2)
    assert any(words in said for words in TOLD)
    assert status == 1 or not list(tmp_path.glob("out.*"))


@pytest.mark.parametrize("arguments", OF_ONE, ids=" ".join)
def test_a_game_before_the_place_where_it_breaks_off(arguments, tmp_path, capsys, monkeypatch):
    """It is there, or it is said that there is none; what is written is whole."""
    path = tmp_path / "cut.ono.jsonl"
    for pack, found in ((PACK["gzip"], True), (PACK["zstd"], False)):
        path.write_bytes(pack(TWO_GAMES)[:-9])
        status, said = enter(arguments, path, tmp_path, capsys, monkeypatch)
        if not found and arguments[0] != "diff":
            # All of it is one block of zstd: nothing came before the place.
            assert status == 2
            assert "no game" in said or "ends early" in said or "no event" in said
        assert status == 0 or not list(tmp_path.glob("out.*"))
        for made in tmp_path.glob("out.*"):
            assert made.stat().st_size
            made.unlink()


@pytest.mark.parametrize("pack", PACK.values(), ids=PACK)
def test_in_the_dashboard(pack, tmp_path, monkeypatch):
    cut = checks.check_log(pack(TWO_GAMES)[:-9], "cut")
    assert "ONO113" in [found.code for found in cut.strays] or "ends early" in (cut.trouble or "")
    monkeypatch.setattr(streams, "BOMB_BYTES", BOMB_BYTES)
    assert "bomb" in (checks.check_log(bomb(pack), "bomb").trouble or "")
    (tmp_path / "bomb.ono.jsonl").write_bytes(bomb(pack))
    monkeypatch.setenv(SOURCES, json.dumps([str(tmp_path)]))
    app = AppTest.from_string("from dashboard.views.games import games_page\ngames_page()").run(timeout=60)
    assert not app.exception
    assert "bomb" in "\n".join(text.value for text in app.text)
