"""Logs are written whole or not at all, packed as their name says."""

import io
import sys

import pytest

from ono_replay.bundle import bundle_path
from ono_replay.log.output import Unwritable, write_log
from ono_replay.log.reader import read_games
from ono_replay.log.schema import write_schemas
from ono_replay.log.views import write_view
from ono_replay.rules.events import Comment
from ono_replay.simulate.samples import write_samples

EVENTS = [Comment(seq=seq, text="grüße" * seq) for seq in range(9)]
MAGIC = {"": b"{", ".gz": b"\x1f\x8b", ".zst": b"\x28\xb5\x2f\xfd"}


def everything(folder):
    """What each file below a folder holds."""
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


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
    write_log(path, EVENTS, overwrite=True)
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
        write_log(path, events(), overwrite=True)
    assert path.read_bytes() == b"old"
    assert names(tmp_path) == [path.name]


def writers(folder):
    """Each function that writes a file named by the caller, with the name."""
    log = bundle_path("sample_logs") / "ok" / "2022-table.ono.jsonl"
    yield "log", lambda **how: write_log(folder / "log", EVENTS, **how)
    yield "view", lambda **how: write_view(log, folder / "view", None, **how)
    for name in ("event.schema.json", "ruleset.schema.json"):
        yield name, lambda **how: write_schemas(str(folder), **how)
    for name in ("README.md", "open/2022-just-dealt.ono.jsonl"):
        yield name, lambda **how: write_samples(str(folder), **how)


def test_nothing_is_written_over_unless_asked(tmp_path):
    for number, name in enumerate(dict(writers(tmp_path))):
        folder = tmp_path / str(number)
        taken = folder / name
        taken.parent.mkdir(parents=True)
        taken.write_bytes(b"precious")
        write = dict(writers(folder))[name]
        before = everything(folder)
        with pytest.raises(Unwritable) as refused:
            write()
        assert str(refused.value) == f"{taken}: exists already"
        assert refused.value.__notes__ == ["overwrite=True writes over it"]
        assert everything(folder) == before
        write(overwrite=True)
        assert taken.read_bytes() not in (b"precious", b"")
        taken.write_bytes(b"")
        if len(everything(folder)) == 1:
            write()
            assert taken.stat().st_size


def test_what_is_a_folder_is_refused_whatever_is_asked(tmp_path):
    (tmp_path / "log").mkdir()
    for overwrite in (False, True):
        with pytest.raises(Unwritable, match="exists"):
            write_log(tmp_path / "log", EVENTS, overwrite=overwrite)


def test_samples_that_are_there_already_are_no_matter(tmp_path):
    assert write_samples(tmp_path) == write_samples(tmp_path) == len(everything(tmp_path))


def test_the_target_of_a_link_is_written(tmp_path):
    (tmp_path / "target").write_bytes(b"old")
    (tmp_path / "link").symlink_to(tmp_path / "target")
    write_log(tmp_path / "link", EVENTS, overwrite=True)
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
