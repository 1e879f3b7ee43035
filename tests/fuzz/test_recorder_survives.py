"""What a recorder must survive: kill -9, cuts at any byte, a full disk, failing calls, other recorders."""

import contextlib
import errno
import io
import json
import os
import resource
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from ono_replay.check.diagnostic import GameReport
from ono_replay.check.validator import validate
from ono_replay.log.jsonl import encode_game
from ono_replay.record import Damaged, IsFinished, JournalError, NoGame, NotWritten, Recorder, Table
from ono_replay.record.recovery import recover
from tests.faulty_files import FaultyFiles

ROOT = Path(__file__).resolve().parents[2]
ENTRIES = (
    "7", "f", "p", "r", "c Jürgen – 8 or 9?", "3", "= 33", "h", "undo", "-10", "left 2", "8", "out o o o o", "10",
    "p", "7", "out", "undo", "9", "out", "out", "end",
)  # fmt: skip


class NoSync(FaultyFiles):
    def sync_data(self, descriptor):
        self._count("sync_data")

    def sync(self, descriptor):
        self._count("sync")

    def sync_folder(self, folder):
        self._count("sync_folder")


def run_script(name, *arguments):
    command = [sys.executable, "-m", f"tests.fuzz.{name}", *map(str, arguments)]
    process = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert process.returncode == 0, process.stderr
    return json.loads(process.stdout)


def begin(path, **options):
    return Recorder.create(
        path,
        {"edition": "1980", "chips": 1},
        ["Ann", "Bo", "Cy"],
        view="public",
        game_id="g",
        clock=None,
        **options,
    )


def record_game(path):
    """Record a whole game; return it as it was while it was open."""
    table = Table(begin(path, mode="none"))
    for entry in ENTRIES:
        refused = table.enter(entry)
        assert refused is None, (entry, refused)
    data = path.read_bytes()
    table.close()
    return data


def put(path, data):
    """Write a file anew: cutting one that is there makes some file systems wait for the disk."""
    path.unlink(missing_ok=True)
    path.write_bytes(data)


def report_of(data):
    (report,) = validate([io.BytesIO(data)])
    assert isinstance(report, GameReport)
    return report


class TestKilled:
    def check(self, found, cycles):
        assert found["cycles"] == cycles
        assert found["lost"] == 0, "an acknowledged entry is gone"
        assert found["too_many"] == 0, "more than one entry that was not acknowledged"
        assert found["torn"] == found["kept"], "each torn line is kept beside"
        # The run is worth something only if it came to all of this:
        assert found["acknowledged"] > cycles
        assert min(found["torn"], found["finished"], found["unacknowledged"]) > 0

    def test_300_times(self, tmp_path):
        self.check(run_script("record_until_killed", tmp_path, 300, 1), 300)
        for report in validate([str(path) for path in tmp_path.glob("*.jsonl")]):
            assert isinstance(report, GameReport)
            assert report.errors == 0

    @pytest.mark.slow
    @pytest.mark.timeout(1800)
    def test_5000_times(self, tmp_path):
        self.check(run_script("record_until_killed", tmp_path, 5000, 2), 5000)


@pytest.mark.slow
@pytest.mark.timeout(1800)
class TestPowerCut:
    """On a disk of its own, which only root can make."""

    def test_100_times(self, tmp_path):
        found = run_script("record_until_power_cut", tmp_path, 100, 1, "durable")
        assert (found["cycles"], found["lost"]) == (100, 0)
        assert found["finished"] > 0

    def test_a_cut_is_one(self, tmp_path):
        """Without syncs acknowledged entries are lost: the test above sees what it should."""
        assert run_script("record_until_power_cut", tmp_path, 5, 1, "none")["lost"] > 0


class TestRaces:
    def check(self, rounds, processes):
        for told in rounds:
            assert len(told) == processes
            (winner,) = [pid for pid, refusal in told if not refusal]
            for _, refusal in told:
                assert not refusal or f"recorded by process {winner} (" in refusal

    def test_4_processes_50_times(self, tmp_path):
        self.check(run_script("race_for_a_log", tmp_path, 50, 4), 4)
        for path in tmp_path.iterdir():
            assert path.read_bytes().count(b"it was mine") == 2, "one in each round, none lost"


class TestCutAnywhere:
    """Every cut at every byte: the whole lines exactly, or a refusal."""

    @pytest.mark.parametrize("kind", ["open", "finished"])
    def test_at_every_byte(self, tmp_path, kind):
        path = tmp_path / "game.ono.jsonl"
        data = record_game(path)
        data = data if kind == "open" else path.read_bytes()
        files = NoSync()
        for cut in range(len(data) + 1):
            put(path, data[:cut])
            whole = data[: data.rfind(b"\n", 0, cut) + 1]
            if data[cut : cut + 1] == b"\n":
                whole = data[: cut + 1]  # only the newline is missing
            try:
                with Recorder.resume(path, clock=None, files=files, mode="none") as recorder:
                    assert recorder.start.game_id == "g"
                    assert encode_game(recorder._game.history.events) == whole
                    torn = recorder.torn
                    recorder.close()
                assert path.read_bytes() == whole
                rest = data[len(whole) : cut]
                assert (torn.read_bytes() if torn else b"") == rest
                if torn:
                    torn.unlink()
            except NoGame:
                assert whole == b""
                assert path.read_bytes() == b""
                for torn in tmp_path.glob("*.torn-*"):
                    torn.unlink()
            except IsFinished:
                assert kind == "finished"
                assert cut >= len(data) - 1
        assert cut == len(data)

    def test_every_line_with_a_tail_of_zeros(self, tmp_path):
        path = tmp_path / "game.ono.jsonl"
        data = record_game(path)
        files = NoSync()
        lines = data.splitlines(keepends=True)
        offset = 0
        for number, line in enumerate(lines, 1):
            for place in sorted({0, 1, len(line) // 2, len(line) - 2, len(line) - 1}):
                zeros = line[:place] + b"\0" * (len(line) - place)
                # In the middle: refused with its place, nothing changed.
                if number < len(lines):
                    damaged = data[:offset] + zeros + data[offset + len(line) :]
                    put(path, damaged)
                    with pytest.raises(Damaged) as caught:
                        Recorder.resume(path, files=files)
                    assert (caught.value.line, caught.value.offset) == (number, offset)
                    assert path.read_bytes() == damaged
                    assert [file.name for file in tmp_path.iterdir()] == [path.name]
                    self.recovered(path, data[:offset])
                # At the end, with or without the newline: what stands before it, exactly.
                for end in (zeros, zeros[:-1] + b"\n", zeros + b"\0" * 512):
                    put(path, data[:offset] + end)
                    try:
                        Recorder.resume(path, clock=None, files=files, mode="none").close()
                    except NoGame:
                        assert number == 1
                    whole = (
                        data[:offset] if end[place:].strip(b"\n") or not end[:place] else data[:offset] + line
                    )
                    assert path.read_bytes() == whole
                    for torn in tmp_path.glob("*.torn-*"):
                        torn.unlink()
            offset += len(line)

    def recovered(self, path, before):
        out = path.with_name("out")
        try:
            found = recover(path, out)
            assert out.read_bytes() == before
            assert found.lost
            out.unlink()
        except JournalError:
            assert before == b""


class Room:
    """A disk that can be full: a small tmpfs where that may be mounted, else a limit on the length of files."""

    def __init__(self, folder):
        self.folder = folder
        mount = ["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(folder)]
        self.mounted = os.geteuid() == 0 and subprocess.run(mount, capture_output=True).returncode == 0
        self.limits = resource.getrlimit(resource.RLIMIT_FSIZE)

    def leave(self, path, size):
        """Leave room for so many bytes more."""
        if not self.mounted:
            resource.setrlimit(resource.RLIMIT_FSIZE, (path.stat().st_size + size, self.limits[1]))
            return
        filler = self.folder / "filler"
        filler.write_bytes(b"")
        with filler.open("r+b", buffering=0) as file:
            for step in (4096, 1):
                with contextlib.suppress(OSError):
                    while file.write(b"x" * step):
                        pass

    def make(self):
        """Make room."""
        if self.mounted:
            (self.folder / "filler").unlink()
        else:
            resource.setrlimit(resource.RLIMIT_FSIZE, self.limits)

    def close(self):
        resource.setrlimit(resource.RLIMIT_FSIZE, self.limits)
        if self.mounted:
            subprocess.run(["umount", str(self.folder)], check=True)


@pytest.fixture(params=["mounted where it may be", "limit"])
def room(tmp_path, request, monkeypatch):
    if request.param == "limit":
        monkeypatch.setattr(os, "geteuid", lambda: 1)
    room = Room(tmp_path)
    yield room
    room.close()


def enter_until_it_fails(table, text):
    while table.enter(text) is None:
        pass


class TestFullDisk:
    def test_recording_goes_on_when_there_is_room(self, room):
        path = room.folder / "game.ono.jsonl"
        table = Table(begin(path))
        text = "c " + "x" * 100
        for _ in range(3):
            assert table.enter(text) is None
            room.leave(path, 1000)
            full = r"the disk is full; make room|may not grow any further"
            with pytest.raises(NotWritten, match=full):
                enter_until_it_fails(table, text)
            acknowledged = table.recorder.next_seq
            report = report_of(path.read_bytes())
            assert (report.verdict, report.errors, report.events) == ("unfinished", 0, acknowledged)
            for _ in range(3):
                with pytest.raises(NotWritten):
                    table.enter(text)
            assert report_of(path.read_bytes()).events == acknowledged
            room.make()
            assert table.enter(text) is None
            assert report_of(path.read_bytes()).events == acknowledged + 1
        table.close()

    def test_finishing_goes_on_when_there_is_room(self, room):
        path = room.folder / "game.ono.jsonl"
        table = Table(begin(path))
        for _ in range(60):
            table.enter("c " + "x" * 100)
        table.enter("abandon")
        data = path.read_bytes()
        room.leave(path, 0)
        if not room.mounted:
            # The finished log is no longer than the open one: the limit has to be below it.
            resource.setrlimit(resource.RLIMIT_FSIZE, (len(data) // 2, room.limits[1]))
        with pytest.raises(NotWritten, match="can not be finished"):
            table.finish()
        assert path.read_bytes() == data
        assert {file.name for file in room.folder.iterdir()} <= {path.name, "filler"}
        room.make()
        assert table.finish() is None
        report = report_of(path.read_bytes())
        assert (report.verdict, report.errors) == ("valid", 0)
        table.close()

    def test_no_game_begins_where_there_is_no_room(self, room):
        other = room.folder / "other"
        other.write_bytes(b"")
        room.leave(other, 0)
        with pytest.raises(NotWritten):
            begin(room.folder / "game.ono.jsonl")
        assert not (room.folder / "game.ono.jsonl").exists()
        room.make()
        begin(room.folder / "game.ono.jsonl").close()


class Nth(NoSync):
    """Fails its n-th call, whatever that is, once."""

    def __init__(self, n, fault):
        super().__init__()
        self.n, self.fault, self.made = n, fault, 0

    def _count(self, call):
        self.made += 1
        if self.made == self.n:
            raise OSError(self.fault, os.strerror(self.fault))
        return super()._count(call)


class NotConfirmed(Exception):
    """The log is finished and in its place; the disk did not say so."""


def record_stubbornly(path, files, mode):
    """Record a game, trying again what could not be written; return how often that was."""
    failures = 0

    def try_again(call):
        nonlocal failures
        for _ in range(3):
            try:
                return call()
            except JournalError as error:
                if "did not confirm" in str(error):
                    raise
                failures += 1
                if path.exists() and path.stat().st_size:
                    assert report_of(path.read_bytes()).errors == 0
        raise AssertionError("it failed three times")

    recorder = try_again(lambda: begin(path, files=files, mode=mode))
    table = try_again(lambda: Table(recorder))
    for place, entry in enumerate(ENTRIES):
        assert try_again(partial(table.enter, entry)) is None
        if place % 9 == 8:
            try_again(table.recorder._sink.sync)
            table.recorder.close()
            with path.open("ab") as file:
                file.write(b'{"torn')
            recorder = try_again(lambda: Recorder.resume(path, clock=None, files=files, mode=mode))
            table = Table(recorder)
    try:
        assert try_again(table.finish) is None
    except JournalError as error:
        raise NotConfirmed from error
    finally:
        table.recorder.close()
    return failures


@pytest.mark.parametrize("mode", ["durable", "batch"])
def test_every_call_may_fail_once(tmp_path, mode):
    path = tmp_path / "game.ono.jsonl"
    counting = Nth(0, errno.EIO)
    assert record_stubbornly(path, counting, mode) == 0
    right = path.read_bytes()
    assert report_of(right).verdict == "valid"
    path.unlink()
    failures = 0
    for fault in (errno.EIO, errno.ENOSPC, errno.EACCES, errno.EDQUOT):
        for n in range(1, counting.made + 1):
            try:
                failures += record_stubbornly(path, Nth(n, fault), mode)
            except NotConfirmed:
                failures += 1
            assert path.read_bytes() == right, f"call {n} failed with {errno.errorcode[fault]}"
            for file in tmp_path.iterdir():
                file.unlink()
    # What only a sync() failed is written again at once, and not told.
    assert failures >= 4 * (counting.made - 2)
