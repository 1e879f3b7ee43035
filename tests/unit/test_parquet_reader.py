"""The process that reads Parquet of strangers: one for many files, and what befalls it is told of one of them."""

import io
import os
import subprocess
from concurrent.futures import ThreadPoolExecutor

import pytest

from ono_replay.bulk.archive import write_archive
from ono_replay.check.diagnostic import Diagnostic, GameReport
from ono_replay.cli.main import run
from ono_replay.library.importing import import_logs
from ono_replay.log.arrow import write_parquet
from ono_replay.log.parquet import Reader, read_parquet
from ono_replay.log.reader import read_games
from ono_replay.log.streams import Unreadable
from ono_replay.simulate.game import Simulator
from ono_replay.simulate.plan import Plan
from ono_replay.verdicts import Verdicts

GAMES = [Simulator(Plan(edition="2022", players=3, seed=5)).log(index) for index in range(4)]

STRANGE = """
import os, sys
from pathlib import Path
from ono_replay.log.arrow import serve
from ono_replay.log.streams import Unreadable

read_before = held = 0

def read(path):
    global read_before, held
    first, read_before = not read_before, read_before + 1
    kind = Path(path).name.split(".")[0]
    yield b"%s %d" % (kind.encode(), os.getpid())
    if kind == "crash" or (kind == "crash_later" and not first):
        os.abort()
    if kind == "refused" or (kind == "refused_later" and not first):
        raise Unreadable(path + ": no good")
    if kind == "half":
        os.write(1, bytes([200, 0, 0, 0, 0, 0, 0, 0]) + b"x" * 100)
        os._exit(0)
    if kind == "large":
        raise MemoryError
    if kind == "loud":
        os.write(2, b"a word " * 50_000)
    if kind == "grows":
        held = b"x" * (100 << 20)
    yield b""
    yield b"the end"

serve(read, "a test", 1 << 28, sys.argv[1:])
"""


@pytest.fixture
def strange(tmp_path, monkeypatch):
    """Have that program among those that can be run."""
    (tmp_path / "strange_reader.py").write_text(STRANGE, encoding="utf-8")
    paths = [str(tmp_path), os.environ.get("PYTHONPATH", "")]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(filter(None, paths)))


@pytest.fixture
def reader(strange):
    with Reader("strange_reader") as reader:
        yield reader


@pytest.fixture
def read(reader, tmp_path):
    """Read a file of a name; return the process that it was read by, or why it was not."""

    def read_one(name):
        path = tmp_path / f"{name}.parquet"
        path.write_bytes(b"PAR1")
        try:
            told, *rest = reader.read(path)
        except Unreadable as reason:
            return str(reason)
        assert rest == [b"the end"]
        assert told.startswith(name.encode())
        return int(told.split()[-1])

    return read_one


@pytest.fixture
def started(monkeypatch):
    """The reading processes that are started; code may be compiled in others."""
    found = []
    popen = subprocess.Popen

    def start(command, *arguments, **options):
        process = popen(command, *arguments, **options)
        if any(word.endswith(("_reader", ".arrow")) for word in command):
            found.append(process)
        return process

    monkeypatch.setattr(subprocess, "Popen", start)
    return found


def test_one_process_reads_many_files(read, started):
    assert len({read(name) for name in ("a", "b", "c d", "é\n")}) == 1
    assert len(started) == 1


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("crash", "the reader broke down on it (status -6)"), ("refused", "refused.parquet: no good"),
        ("half", "the reader broke down on it (status 0)"), ("large", "large.parquet: takes more memory than a test may; not read"),
    ],
)  # fmt: skip
def test_what_breaks_down_is_told_of_its_file_only(read, started, name, words):
    before = read("a")
    assert read(name).endswith(words)
    after = read("b")
    assert isinstance(after, int)
    # Two processes for the one file: what one says that has read others is not believed.
    assert len(started) == 3
    assert after not in (before, started[1].pid)
    assert read("c") == after


@pytest.mark.parametrize("name", ["crash_later", "refused_later"])
def test_no_file_is_refused_for_what_was_read_before(read, started, name):
    before = read("a")
    # What the first one gave stays, the second one goes on behind it.
    assert read(name) == before
    assert read("b") == started[1].pid


def test_what_was_given_before_a_breakdown_is_given_once(reader, tmp_path):
    for name in ("a", "crash_later"):
        path = tmp_path / f"{name}.parquet"
        path.write_bytes(b"PAR1")
        told = list(reader.read(path))
        assert [len(told), told[-1]] == [2, b"the end"]


def test_a_process_that_holds_much_memory_makes_way(read, started):
    pids = [read(name) for name in ("a", "b", "grows", "c", "d")]
    assert pids[0] == pids[1] == pids[2] != pids[3] == pids[4]
    assert len(started) == 2


def test_what_is_said_on_the_way_fills_no_pipe(read):
    assert read("loud") == read("a") == read("loud")


def test_two_files_at_once(reader, tmp_path, started):
    for name in ("a", "b"):
        (tmp_path / f"{name}.parquet").write_bytes(b"PAR1")
    both = zip(reader.read(tmp_path / "a.parquet"), reader.read(tmp_path / "b.parquet"), strict=True)
    assert [(one.split()[0], two.split()[0]) for one, two in both] == [(b"a", b"b"), (b"the", b"the")]
    assert len(started) == 2
    reader.close()
    assert all(process.returncode is not None for process in started)


def test_the_process_ends_with_its_reader_and_with_the_iteration(strange, tmp_path, started):
    (tmp_path / "a.parquet").write_bytes(b"PAR1")
    reader = Reader("strange_reader")
    next(reader.read(tmp_path / "a.parquet"))
    assert started[0].returncode is not None
    assert len(list(reader.read(tmp_path / "a.parquet"))) == 2
    assert started[1].poll() is None
    del reader
    assert started[1].returncode is not None


# --- archives and logs ------------------------------------------------------------------------------


def archive(path, *games):
    with path.open("wb") as file:
        write_archive(file, [iter(games)])
    return path


def test_a_run_over_archives_with_damaged_ones_among_them(tmp_path, started):
    sound = [archive(tmp_path / f"{number}.parquet", log) for number, log in enumerate(GAMES)]
    damaged = archive(tmp_path / "damaged.parquet", *GAMES)
    damaged.write_bytes(damaged.read_bytes()[:-100])
    heard: list[int] = []
    verdicts = Verdicts(on_progress=lambda reader: heard.append(reader.bytes_read))
    reports: list[GameReport | Diagnostic] = []
    for path in sound[:2]:
        reports += verdicts.take(path)
    with pytest.raises(Unreadable) as refused:
        list(verdicts.take(damaged))
    assert str(refused.value).startswith(f"{damaged}: the archive is damaged")
    for path in (*sound[2:], sound[0]):
        reports += verdicts.take(path)
    told = [(one.file, one.verdict, one.warnings) for one in reports if isinstance(one, GameReport)]
    # The last id came before, in another process.
    assert told == [*((str(path), "valid", 0) for path in sound), (str(sound[0]), "valid", 1)]
    assert heard == [0] * 5  # a word for each game
    assert len(started) == 3


def parquet_log(path, log):
    with path.open("wb") as file:
        write_parquet(file, (event for game in read_games(io.BytesIO(log)) for event in game.events))
    return path


def test_an_import_reads_logs_as_parquet_by_one_process(tmp_path, started, capsys):
    paths = [parquet_log(tmp_path / f"{number}.parquet", log) for number, log in enumerate(GAMES)]
    assert run(["import", *map(str, paths), "--library", str(tmp_path / "library"), "--jobs", "1"]) == 0
    assert "4 games in 4 files: 4 added" in capsys.readouterr().out
    assert len(started) == 1
    assert started[0].returncode is not None
    assert b"".join(line + b"\n" for line in read_parquet(paths[0])) == GAMES[0]
    assert len(started) == 2
    assert started[1].returncode is not None


def test_the_same_in_one_call_of_python_and_in_threads_side_by_side(tmp_path, started):
    """Each import has a process of its own, which is gone when it ends."""
    paths = [parquet_log(tmp_path / f"{number}.parquet", log) for number, log in enumerate(GAMES)]

    def take(library):
        return import_logs(map(str, paths), tmp_path / library, jobs=1).total("added")

    with ThreadPoolExecutor(2) as threads:
        assert list(threads.map(take, ("one", "two"))) == [len(GAMES)] * 2
    assert len(started) == 2
    assert all(process.returncode is not None for process in started)
