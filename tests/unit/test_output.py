"""Logs are written whole or not at all, packed as their name says."""

import io
import sys

import pytest

from ono_replay.log.output import Unwritable, write_log
from ono_replay.log.reader import read_games
from ono_replay.rules.events import Comment

EVENTS = [Comment(seq=seq, text="grüße" * seq) for seq in range(9)]
MAGIC = {"": b"{", ".gz": b"\x1f\x8b", ".zst": b"\x28\xb5\x2f\xfd"}


def names(folder):
    return [path.name for path in folder.iterdir()]


@pytest.mark.parametrize("suffix", MAGIC)
def test_a_log_is_packed_as_its_name_says_and_always_alike(suffix, tmp_path):
    path = tmp_path / f"a.ono.jsonl{suffix}"
    assert write_log(path, EVENTS) == 9
    first = path.read_bytes()
    assert first.startswith(MAGIC[suffix])
    [game] = read_games(path)
    assert game.events == EVENTS
    write_log(path, EVENTS)
    assert path.read_bytes() == first
    assert names(tmp_path) == [path.name]


@pytest.mark.parametrize("suffix", MAGIC)
def test_a_fault_while_writing_leaves_the_old_file(suffix, tmp_path):
    path = tmp_path / f"a.ono.jsonl{suffix}"
    path.write_bytes(b"old")

    def events():
        yield from EVENTS
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        write_log(path, events())
    assert path.read_bytes() == b"old"
    assert names(tmp_path) == [path.name]


def test_the_target_of_a_link_is_written(tmp_path):
    (tmp_path / "target").write_bytes(b"old")
    (tmp_path / "link").symlink_to(tmp_path / "target")
    write_log(tmp_path / "link", EVENTS)
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "target").read_bytes() != b"old"


def test_standard_output(monkeypatch):
    stream = io.TextIOWrapper(io.BytesIO())
    monkeypatch.setattr(sys, "stdout", stream)
    write_log("-", EVENTS[:1])
    assert stream.buffer.getvalue() == b'{"seq":0,"type":"comment","text":""}\n'


@pytest.mark.parametrize("where", ["missing/a.jsonl", "", "x" * 300])
def test_what_can_not_be_written_is_told(where, tmp_path):
    with pytest.raises(Unwritable):
        write_log(tmp_path / where, EVENTS)
    assert names(tmp_path) == []
