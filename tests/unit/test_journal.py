"""The crash-safe file: acknowledged is on disk, an error leaves the log as it was, one writer."""

import errno
import os
import resource
import stat
import subprocess
import sys

import pytest

from ono_replay.record import journal as journal_module
from ono_replay.record.errors import JournalError, LogExists, LogGone, LogHeld, NotWritten
from ono_replay.record.files import Files
from ono_replay.record.journal import BATCH_LINES, Journal
from tests.faulty_files import FaultyFiles

LINE = b'{"seq":0,"type":"comment","text":"a line"}\n'
MORE = b'{"seq":1,"type":"comment","text":"another"}\n'


@pytest.fixture
def path(tmp_path):
    return tmp_path / "game.ono.jsonl"


@pytest.fixture
def files():
    return FaultyFiles()


@pytest.fixture
def journal(path, files):
    with Journal.create(path, files=files) as journal:
        yield journal


class TestAppend:
    def test_lines_are_in_the_file_when_it_returns(self, journal, path):
        journal.append(LINE)
        assert path.read_bytes() == LINE
        journal.append(MORE)
        assert path.read_bytes() == LINE + MORE

    def test_it_costs_one_write_and_one_sync(self, journal, files):
        files.calls.clear()
        journal.append(LINE)
        assert files.calls == {"write": 1, "sync_data": 1}

    def test_a_short_write_goes_on(self, journal, path, files, monkeypatch):
        monkeypatch.setattr(files, "write", lambda descriptor, data: os.write(descriptor, data[:7]))
        journal.append(LINE)
        assert path.read_bytes() == LINE

    @pytest.mark.parametrize("part", [0, 1, 20, len(LINE) - 1])
    def test_a_full_disk_leaves_the_log_as_it_was(self, journal, path, files, part):
        journal.append(LINE)
        files.fail("write", -part if part else errno.ENOSPC)
        with pytest.raises(NotWritten, match=r"game\.ono\.jsonl: .*the disk is full; make room"):
            journal.append(MORE)
        assert path.read_bytes() == LINE
        journal.append(MORE)
        assert path.read_bytes() == LINE + MORE

    def test_what_could_not_be_cut_off_is_cut_off_before_the_next_line(self, journal, path, files):
        journal.append(LINE)
        files.fail("write", -9)
        files.fail("truncate", errno.EIO, errno.EIO)
        with pytest.raises(NotWritten):
            journal.append(MORE)
        with pytest.raises(NotWritten, match="can not be gone on with yet"):
            journal.append(MORE)
        journal.append(MORE)
        assert path.read_bytes() == LINE + MORE

    def test_after_a_sync_error_the_file_is_opened_anew(self, journal, path, files):
        journal.append(LINE)
        files.calls.clear()
        files.fail("sync_data", errno.EIO)
        with pytest.raises(NotWritten, match="the disk did not take what was written"):
            journal.append(MORE)
        assert path.read_bytes() == LINE
        assert files.calls["open"] == 1
        journal.append(MORE)
        assert path.read_bytes() == LINE + MORE

    def test_a_handle_that_can_not_be_opened_anew_is_tried_again(self, journal, path, files):
        journal.append(LINE)
        files.fail("sync_data", errno.EIO)
        files.fail("open", errno.EIO, errno.EIO)
        for _ in range(2):
            with pytest.raises(JournalError):
                journal.append(MORE)
        journal.append(MORE)
        assert path.read_bytes() == LINE + MORE

    def test_a_file_too_large_for_one_game_is_not_opened(self, path, monkeypatch):
        path.write_bytes(LINE)
        monkeypatch.setattr(journal_module, "MOST_BYTES", len(LINE) - 1)
        with pytest.raises(JournalError, match=f"{len(LINE)} bytes can not be the open log of one game"):
            Journal.open(path)
        monkeypatch.setattr(journal_module, "MOST_BYTES", len(LINE))
        Journal.open(path).close()

    def test_a_deleted_log_takes_no_more_lines(self, journal, path):
        journal.append(LINE)
        path.unlink()
        with pytest.raises(LogGone, match="deleted or replaced"):
            journal.append(MORE)

    def test_a_log_that_another_program_changes_takes_no_more_lines(self, journal, path):
        journal.append(LINE)
        with path.open("ab") as file:
            file.write(b"scribble")
        with pytest.raises(
            LogGone, match=r"another program has changed[^.]*\n  Nothing more is written.*--resume"
        ):
            journal.append(MORE)
        assert path.read_bytes() == LINE + b"scribble"

    def test_a_closed_log_takes_no_more_lines(self, journal):
        journal.close()
        with pytest.raises(JournalError, match="closed"):
            journal.append(LINE)

    def test_a_forked_child_may_not_write(self, journal, path):
        journal.append(LINE)
        journal._owner -= 1
        with pytest.raises(JournalError, match="another process"):
            journal.append(MORE)
        journal._owner += 1
        assert path.read_bytes() == LINE


class TestModes:
    def test_batch_syncs_many_lines_together(self, path, files):
        with Journal.create(path, mode="batch", files=files) as journal:
            files.calls.clear()
            for _ in range(3 * BATCH_LINES):
                journal.append(LINE)
            assert files.calls["sync_data"] == 3
            journal.append(LINE)
        assert files.calls["sync_data"] == 4, "and the rest when it is closed"

    def test_batch_writes_again_what_a_failed_sync_covered(self, path, files):
        with Journal.create(path, mode="batch", files=files) as journal:
            for _ in range(BATCH_LINES - 1):
                journal.append(LINE)
            files.fail("sync_data", errno.EIO)
            before = files.calls["write"]
            with pytest.raises(NotWritten):
                journal.append(MORE)
            assert files.calls["write"] == before + 2, "the line, then all before it once more"
            assert path.read_bytes() == LINE * (BATCH_LINES - 1)
            journal.append(MORE)
        assert path.read_bytes() == LINE * (BATCH_LINES - 1) + MORE

    def test_none_syncs_at_the_end(self, path, files):
        with Journal.create(path, mode="none", files=files) as journal:
            for _ in range(100):
                journal.append(LINE)
            assert not files.calls["sync_data"]
        assert files.calls["sync_data"] == 1

    def test_there_are_no_other_modes(self, path):
        with pytest.raises(ValueError, match="durable, batch, none"):
            Journal.create(path, mode="fast")  # type: ignore[arg-type]  # what a user may type
        assert not path.exists()


class TestCreate:
    def test_the_name_is_put_on_disk(self, path, files):
        Journal.create(path, files=files).close()
        assert files.calls["sync_folder"] == 1

    def test_a_log_that_is_there_stays(self, path):
        path.write_bytes(LINE)
        with pytest.raises(LogExists, match=r"Recorder\.resume"):
            Journal.create(path)
        assert path.read_bytes() == LINE

    def test_an_empty_file_may_be_taken(self, path):
        path.touch()
        with Journal.create(path) as journal:
            journal.append(LINE)
        assert path.read_bytes() == LINE

    def test_no_such_folder(self, tmp_path):
        with pytest.raises(NotWritten, match="there is no such folder"):
            Journal.create(tmp_path / "none" / "game.ono.jsonl")

    def test_a_folder_that_can_not_be_synced_gets_no_file(self, path, files):
        files.fail("sync_folder", errno.EIO)
        with pytest.raises(NotWritten):
            Journal.create(path, files=files)
        assert not path.exists()

    @pytest.mark.parametrize("kind", ["link", "fifo", "folder", "dangling"])
    def test_only_regular_files(self, tmp_path, path, kind):
        if kind == "link":
            (tmp_path / "other").write_bytes(b"")
            path.symlink_to(tmp_path / "other")
        elif kind == "dangling":
            path.symlink_to(tmp_path / "none")
        elif kind == "fifo":
            os.mkfifo(path)
        else:
            path.mkdir()
        with pytest.raises(JournalError, match=r"game\.ono\.jsonl"):
            Journal.create(path)
        assert not (tmp_path / "none").exists()


class TestOneWriter:
    def test_the_second_is_told_who_has_it(self, journal, path):
        for attempt in (Journal.open, Journal.create):
            with pytest.raises(LogHeld, match=rf"being recorded by process {os.getpid()} \(.+\)"):
                attempt(path)

    def test_the_lock_goes_with_the_writer(self, path):
        journal = Journal.create(path)
        journal.append(LINE)
        journal.close()
        journal.close()
        Journal.open(path).close()

    def test_a_program_that_is_started_does_not_keep_it(self, path):
        journal = Journal.create(path)
        command = [sys.executable, "-c", "print('here', flush=True); input()"]
        with subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, close_fds=False
        ) as child:
            assert child.stdout is not None
            child.stdout.readline()
            journal.close()
            Journal.open(path).close()
            child.communicate(b"\n")

    def test_what_is_locked_is_what_has_the_name(self, path, tmp_path):
        # A second writer opens the log, the first finishes it, the second gets the lock of the old file.
        first = Journal.create(path)
        first.append(LINE)

        class Slow(FaultyFiles):
            def lock(self, descriptor):
                if self.calls["lock"] == 0:
                    first.replace(MORE)
                super().lock(descriptor)

        slow = Slow()
        with Journal.open(path, files=slow) as second:
            assert second.read() == (MORE, b"")
        assert slow.calls["lock"] == 2

    def test_many_at_once(self, tmp_path):
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(1200, hard), hard))
        try:
            journals = [Journal.create(tmp_path / f"{number}.jsonl", mode="none") for number in range(1000)]
            for journal in journals:
                journal.append(LINE)
            for journal in journals:
                journal.close()
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


class TestTail:
    @pytest.mark.parametrize(
        ("data", "whole"),
        [
            (b"", b""),
            (LINE, LINE),
            (LINE + MORE[:9], LINE),
            (MORE[:9], b""),
            (LINE + MORE[:9] + b"\0" * 50, LINE),
            (LINE + MORE[:9] + b"\0" * 50 + b"\n", LINE),
            (LINE + b"\0" * 4096, LINE),
            (LINE + b"\0\0\n\0\0\n", LINE),
            (MORE[:9] + b"\0\0\n", b""),
            (b"a\0\n" + LINE, b"a\0\n" + LINE),
        ],
    )
    def test_what_is_whole(self, path, data, whole):
        path.write_bytes(data)
        with Journal.open(path) as journal:
            assert journal.read() == (whole, data[len(whole) :])
        assert path.read_bytes() == data

    def test_it_is_set_aside(self, path, files):
        path.write_bytes(LINE + MORE[:9])
        with Journal.open(path, files=files) as journal:
            tail = journal.read()[1]
            beside = journal.set_tail_aside(tail)
            assert files.calls["sync"] == 2, "first the tail beside, then the log without it"
            journal.append(MORE)
        assert beside.name == f"game.ono.jsonl.torn-{len(LINE)}"
        assert beside.read_bytes() == MORE[:9]
        assert path.read_bytes() == LINE + MORE

    def test_one_set_aside_before_stays(self, path):
        for tail, name in ((b"one", f"torn-{len(LINE)}"), (b"two", f"torn-{len(LINE)}-2")):
            path.write_bytes(LINE + tail)
            with Journal.open(path) as journal:
                assert journal.set_tail_aside(tail).name.endswith(name)
        assert (path.parent / f"{path.name}.torn-{len(LINE)}").read_bytes() == b"one"

    def test_without_room_nothing_changes(self, path, files):
        path.write_bytes(LINE + b"torn")
        files.fail("write", errno.ENOSPC)
        with Journal.open(path, files=files) as journal, pytest.raises(NotWritten, match="the disk is full"):
            journal.set_tail_aside(b"torn")
        assert path.read_bytes() == LINE + b"torn"
        assert [file.name for file in path.parent.iterdir()] == [path.name]

    def test_it_can_be_kept(self, path):
        path.write_bytes(LINE + MORE[:-1])
        with Journal.open(path) as journal:
            journal.keep_tail()
            journal.append(LINE)
        assert path.read_bytes() == LINE + MORE + LINE


class TestReplace:
    def test_the_file_is_old_or_new(self, journal, path, files):
        journal.append(LINE)
        path.chmod(0o640)
        files.calls.clear()
        journal.replace(MORE)
        assert path.read_bytes() == MORE
        assert stat.S_IMODE(path.stat().st_mode) == 0o640
        assert [call for call in files.calls if call.startswith(("sync", "replace"))] == [
            "sync",
            "replace",
            "sync_folder",
        ]
        with pytest.raises(JournalError, match="closed"):
            journal.append(LINE)

    @pytest.mark.parametrize("call", ["open", "write", "sync", "replace"])
    def test_an_error_leaves_the_open_log(self, journal, path, files, call):
        journal.append(LINE)
        files.fail(call, errno.ENOSPC)
        with pytest.raises(NotWritten, match="can not be finished: the disk is full"):
            journal.replace(MORE)
        assert path.read_bytes() == LINE
        assert [file.name for file in path.parent.iterdir()] == [path.name]
        journal.append(MORE)
        journal.replace(MORE)
        assert path.read_bytes() == MORE

    def test_what_a_crash_left_of_an_earlier_try_goes(self, journal, path):
        journal.append(LINE)
        (path.parent / f".{path.name}.finishing").write_bytes(b"half")
        journal.replace(MORE)
        assert [file.name for file in path.parent.iterdir()] == [path.name]

    def test_a_disk_that_does_not_confirm_is_told(self, journal, path, files):
        journal.append(LINE)
        files.fail("sync_folder", errno.EIO)
        with pytest.raises(NotWritten, match="finished, but the disk did not confirm"):
            journal.replace(MORE)
        assert path.read_bytes() == MORE
        Journal.open(path).close()

    def test_another_file_in_its_place_stays(self, journal, path, tmp_path):
        journal.append(LINE)
        path.rename(tmp_path / "moved")
        path.write_bytes(b"other")
        with pytest.raises(LogGone, match="another file"):
            journal.replace(MORE)
        assert path.read_bytes() == b"other"


def test_a_sync_is_one_of_the_system(tmp_path, monkeypatch):
    """What the file layer calls a sync is one, of this file or this folder."""
    made = []
    for name in ("fsync", "fdatasync"):
        monkeypatch.setattr(os, name, lambda handle, name=name: made.append((name, os.fstat(handle).st_ino)))
    files = Files()
    handle = files.open(tmp_path / "x", os.O_RDWR | os.O_CREAT)
    files.sync_data(handle)
    files.sync(handle)
    files.sync_folder(tmp_path)
    files.close(handle)
    here, above = (tmp_path / "x").stat().st_ino, tmp_path.stat().st_ino
    assert made == [("fdatasync", here), ("fsync", here), ("fsync", above)]


def test_discard_takes_away_only_an_empty_log(path):
    Journal.create(path).discard()
    assert not path.exists()
    journal = Journal.create(path)
    journal.append(LINE)
    journal.discard()
    assert path.read_bytes() == LINE
