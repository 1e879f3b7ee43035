"""The machine fails: processes are killed, disks fill, calls fail, many read and record at once."""

import contextlib
import errno
import os
import resource
import shutil
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from ono_replay.export.html import page_of
from ono_replay.export.payload import build_payload
from ono_replay.library import rewriting
from ono_replay.library.exporting import export_csv, export_duckdb
from ono_replay.library.importing import import_logs
from ono_replay.library.maintenance import check_library, compact
from ono_replay.log.jsonl import encode_game
from ono_replay.log.output import Unwritable, log_writer
from ono_replay.log.reader import read_games
from ono_replay.record import NotWritten, Recorder, Table
from ono_replay.replay import read_replay
from ono_replay.simulate.game import Simulator
from ono_replay.simulate.plan import Plan
from tests.fuzz.import_until_killed import STEPS, Countdown
from tests.fuzz.test_library_survives import Readers, rows_of, write_logs

ROOT = Path(__file__).resolve().parents[2]
GAME = Simulator(Plan(edition="2022", players=3, seed=9)).log(0)
OLD = b"what was there before\n"


def killed_at(step, steps, *, after, does):
    """Do something in a process that is killed at one of the calls that change the disk; return whether it was."""
    child = os.fork()
    if child:
        return os.waitpid(child, 0)[1] == signal.SIGKILL
    try:
        countdown = Countdown(step, after=after)
        for owner, name in steps:
            setattr(owner, name, countdown.wrap(getattr(owner, name)))
        does()
    finally:
        os._exit(0)


@pytest.fixture(scope="module")
def several(tmp_path_factory):
    """A library of several parts, and what is in it."""
    folder = tmp_path_factory.mktemp("several")
    write_logs(folder / "logs")
    with pytest.MonkeyPatch.context() as patch:
        # Small parts stay as they are.
        patch.setattr(rewriting, "SMALL_LIBRARY", 0)
        patch.setattr(rewriting, "FULL_TIER", 1000)
        for path in sorted((folder / "logs").iterdir())[:5]:
            import_logs([str(path)], folder / "library", jobs=1)
    assert len(list((folder / "library" / "parts").iterdir())) > 2
    return folder / "library", rows_of(folder / "library")


# --- kill -9 ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("after", [False, True])
def test_compacting_is_killed_at_every_step(several, tmp_path, after):
    library, expected = several
    step = 0
    while True:
        copy = tmp_path / f"{step}"
        shutil.copytree(library, copy)
        was_killed = killed_at(step, STEPS, after=after, does=partial(compact, copy))
        if step % 3 == 0 or not was_killed:
            assert not list(check_library(copy, logs=True)), step
            assert rows_of(copy) == expected, step
        else:
            assert not list(check_library(copy)), step
        if not was_killed:
            break
        # The next one clears up and comes to the end.
        if step % 5 == 0:
            compact(copy)
            assert rows_of(copy) == expected
            assert not [path for path in copy.rglob("*") if ".draft" in path.name]
        shutil.rmtree(copy)
        step += 1
    assert step > 10


WRITES = [(os, "open"), (os, "fsync"), (Path, "replace"), (os, "fdopen")]


@pytest.mark.parametrize("name", ["x.ono.jsonl", "x.ono.jsonl.gz", "x.ono.jsonl.zst", "x.html"])
@pytest.mark.parametrize("after", [False, True])
def test_an_export_that_is_killed_leaves_the_old_file_or_the_new(tmp_path, name, after):
    content = page_of(build_payload(read_replay(new_log(tmp_path)))).encode() if name == "x.html" else GAME
    with log_writer(tmp_path / f"whole{name[1:]}") as file:
        file.write(content)
    whole = (tmp_path / f"whole{name[1:]}").read_bytes()
    target = tmp_path / name

    def export():
        with log_writer(target) as file:
            for at in range(0, len(content), 999):
                file.write(content[at : at + 999])

    seen = set()
    for step in range(12):
        target.write_bytes(OLD)
        was_killed = killed_at(step, WRITES, after=after, does=export)
        found = target.read_bytes()
        assert found in (OLD, whole), step
        seen.add(found)
        if not was_killed:
            break
    assert seen == {OLD, whole}


def new_log(tmp_path):
    path = tmp_path / "game.ono.jsonl"
    path.write_bytes(GAME)
    return path


def test_what_gets_a_name_is_on_disk(tmp_path, monkeypatch):
    """A rename alone is not lasting: what is renamed was synced before, its folder is synced after."""
    done: list[Any] = []

    def same(path):
        return path.stat().st_dev, path.stat().st_ino

    def watched_sync(handle):
        status = os.fstat(handle)
        done.append(("synced", {(status.st_dev, status.st_ino)}))

    def watch(name):
        original = getattr(Path, name)

        def renames(source, target):
            files = source.iterdir() if source.is_dir() else [source]
            done.append(("renamed", {same(path) for path in files}, same(Path(target).parent), str(target)))
            return original(source, target)

        monkeypatch.setattr(Path, name, renames)

    monkeypatch.setattr(os, "fsync", watched_sync)
    watch("rename")
    watch("replace")
    with log_writer(tmp_path / "x.ono.jsonl.gz") as file:
        file.write(GAME)
    import_logs([str(new_log(tmp_path))], tmp_path / "library", jobs=1)
    compact(tmp_path / "library")
    export_duckdb(tmp_path / "library", tmp_path / "x.duckdb")
    export_csv(tmp_path / "library", tmp_path / "tables")
    # Ratings are no more than a sum that is made anew where it can't be read.
    renamed = [(at, one) for at, one in enumerate(done) if one[0] == "renamed" and "ratings" not in one[3]]
    assert len(renamed) >= 5
    for at, (_, files, folder, name) in renamed:
        before = set().union(*(found for what, found, *_ in done[:at] if what == "synced"))
        after: set[Any] = set()
        for what, found, *more in done[at + 1 :]:
            if what == "renamed" and more[0] != folder:
                break  # that late it is of no use
            after |= found
        assert files <= before, f"{name} was not synced before"
        assert folder in after, f"the folder of {name} was not synced"


# --- a disk that is full, calls that fail -----------------------------------------------------------


@pytest.mark.parametrize("name", ["x.ono.jsonl", "x.ono.jsonl.zst"])
@pytest.mark.parametrize("call", ["fsync", "open", "replace"])
@pytest.mark.parametrize("fault", [errno.ENOSPC, errno.EIO, errno.EDQUOT, errno.EROFS])
def test_a_failing_call_leaves_what_was_there(tmp_path, monkeypatch, name, call, fault):
    target = tmp_path / name
    target.write_bytes(OLD)

    def fail(*_, **__):
        raise OSError(fault, os.strerror(fault))

    monkeypatch.setattr(Path if call == "replace" else os, call, fail)
    with pytest.raises(Unwritable, match=os.strerror(fault)), log_writer(target) as file:
        file.write(GAME)
    monkeypatch.undo()
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert target.read_bytes() == OLD


LIMITED = """
import resource, signal, sys
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
from ono_replay.cli.main import run
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]), int(sys.argv[1])))
raise SystemExit(run(sys.argv[2:]))
"""
"""No file may grow past a size, which to a program is what a full disk is."""


@pytest.mark.parametrize("size", [0, 3000])
def test_no_room(several, tmp_path, size):
    """Every writing command says so, ends with 2, and leaves library and files as they were."""
    library, expected = several
    copy = tmp_path / "library"
    shutil.copytree(library, copy)
    log = tmp_path / "game.ono.jsonl"
    log.write_bytes(b"".join(Simulator(Plan(players=4, seed=77)).log(index) for index in range(20)))
    (tmp_path / "out").mkdir()
    for number, words in enumerate(
        [
            ["import", log, "--library", copy, "--jobs", "1"],
            ["library", "compact", "--library", copy],
            ["convert", log, tmp_path / "out" / "x.ono.jsonl"],
            ["convert", log, tmp_path / "out" / "x.parquet"],
            ["export", "html", log, tmp_path / "out" / "x.html"],
            ["library", "export", tmp_path / "out" / "all.ono.jsonl", "--library", copy],
        ]
    ):
        done = subprocess.run(
            [sys.executable, "-c", LIMITED, str(size), *map(str, words)],
            capture_output=True,
            text=True,
            cwd=ROOT,
        )
        # A library that is one part already has nothing to be put in order.
        assert done.returncode == 2 or words[1] == "compact", (words, done.stderr)
        assert "Traceback" not in done.stderr
        assert "fault of ono-replay itself" not in done.stderr, (number, done.stderr)
        assert not list((tmp_path / "out").iterdir())
    assert not list(check_library(copy, logs=True))
    assert rows_of(copy) == expected


def as_nobody(does):
    """Do something as a user who may write nowhere; return what it told."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        with contextlib.suppress(OSError):
            os.setgid(65534)
            os.setuid(65534)
        try:
            does()
            told = "done"
        except Exception as fault:  # noqa: BLE001 - told to the parent
            told = f"{type(fault).__name__}: {fault}"
        os.write(writing, told.encode()[:4000])
        os._exit(0)
    os.close(writing)
    told = os.read(reading, 4000).decode()
    os.close(reading)
    os.waitpid(child, 0)
    return told


def test_a_folder_that_can_not_be_written(several, tmp_path):
    library, expected = several
    folder = tmp_path / "closed"
    folder.mkdir()
    shutil.copytree(library, folder / "library")
    new_log(folder)
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o555 if path.is_dir() else 0o444)
    for above in (tmp_path, *list(tmp_path.parents)[:3]):
        above.chmod(above.stat().st_mode | 0o055)
    try:
        assert as_nobody(
            lambda: import_logs([str(folder / "game.ono.jsonl")], folder / "library", jobs=1)
        ).startswith("LibraryFault")
        assert as_nobody(lambda: compact(folder / "library")).startswith("LibraryFault")
        assert as_nobody(lambda: log_writer(folder / "x").__enter__()).startswith("Unwritable")
        made = as_nobody(lambda: Recorder.create(folder / "new.ono.jsonl", "2022", ["A", "B"]))
        assert made.startswith("NotWritten")
        # Reading needs no more than reading.
        assert as_nobody(lambda: rows_of(folder / "library")) == "done"
        assert rows_of(folder / "library") == expected
    finally:
        for path in (folder, *folder.rglob("*")):
            path.chmod(0o755)


def open_files():
    return sum(1 for _ in Path("/proc/self/fd").iterdir())


# --- many at once -----------------------------------------------------------------------------------


def test_eight_readers_beside_an_import_and_a_compaction(tmp_path):
    write_logs(tmp_path / "logs")
    library = tmp_path / "library"
    paths = sorted(map(str, (tmp_path / "logs").iterdir()))
    import_logs(paths[:1], library, jobs=1)
    script = (
        "import sys\nfrom ono_replay.library.importing import import_logs\nfrom ono_replay.library.maintenance import compact\n"
        "for path in sys.argv[2:]:\n    import_logs([path], sys.argv[1], jobs=1)\n    compact(sys.argv[1])\n"
    )
    with Readers(library, count=8) as readers:
        done = subprocess.run(
            [sys.executable, "-c", script, library, *paths[1:]], capture_output=True, text=True, cwd=ROOT
        )
    assert done.returncode == 0, done.stderr
    assert readers.faults == []
    assert readers.answers > 30
    assert not list(check_library(library, logs=True))


def test_a_thousand_open_recorders(tmp_path):
    """Each holds one file; all are good when they are closed, and what each acknowledged is in its own log."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 4096), hard))
    try:
        before = open_files()
        with contextlib.ExitStack() as stack:
            tables = []
            for number in range(1000):
                recorder = stack.enter_context(
                    Recorder.create(
                        tmp_path / f"{number}.ono.jsonl", "2022", ["Ann", "Bo"], view="public", mode="none"
                    )
                )
                tables.append(Table(recorder))
            assert open_files() - before <= 1000
            for entry in ("7", "9", "r"):
                for table in tables:
                    assert table.enter(entry) is None
            events = [table.recorder.next_seq for table in tables]
        assert open_files() == before
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    for number in range(0, 1000, 37):
        (game,) = read_games(tmp_path / f"{number}.ono.jsonl")
        assert not game.faults
        assert len(encode_game(game.events).splitlines()) >= events[number]


def test_a_recorder_too_many_is_told(tmp_path):
    """When there are no more handles, the next recording is refused in words and those that are open go on."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    used = open_files()
    with contextlib.ExitStack() as stack:
        resource.setrlimit(resource.RLIMIT_NOFILE, (used + 12, hard))
        try:
            tables = []

            def record_on():
                for number in range(50):
                    path = tmp_path / f"{number}.ono.jsonl"
                    recorder = Recorder.create(path, "2022", ["Ann", "Bo"], view="public")
                    tables.append(Table(stack.enter_context(recorder)))

            with pytest.raises(NotWritten, match="too many files are open"):
                record_on()
            assert tables
            assert all(table.enter("7") is None for table in tables)
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    for number in range(len(tables)):
        (game,) = read_games(tmp_path / f"{number}.ono.jsonl")
        assert not game.faults
