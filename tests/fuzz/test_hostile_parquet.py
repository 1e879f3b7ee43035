"""Hostile Parquet at every entrance: refused with a reason or read as what was written, and never much memory."""

import io
import os
import pickle
import struct
import subprocess
import sys
from pathlib import Path
from random import Random

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.feather as feather
import pyarrow.parquet as pq
import pytest

from ono_replay.bulk import archive
from ono_replay.bulk.archive_reader import frames
from ono_replay.cli.main import run
from ono_replay.library.importing import import_logs
from ono_replay.library.maintenance import check_library
from ono_replay.library.manifest import LibraryFault
from ono_replay.library.stats import wins_by_player
from ono_replay.library.store import Library
from ono_replay.log import arrow
from ono_replay.log.reader import read_games
from ono_replay.log.streams import Unreadable
from ono_replay.simulate.game import Simulator
from ono_replay.simulate.plan import Plan

LOG = b"".join(Simulator(Plan(edition="2022", players=3, seed=5)).log(index) for index in range(3))
MOST_MIB = 1100
"""What the child that reads Parquet may take; the commands themselves take far less."""


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    """The same games as a Parquet log, an archive and a library."""
    folder = tmp_path_factory.mktemp("sound")
    with (folder / "log.parquet").open("wb") as file:
        arrow.write_parquet(file, (event for game in read_games(io.BytesIO(LOG)) for event in game.events))
    with (folder / "archive.parquet").open("wb") as file:
        archive.write_archive(file, [iter([LOG])], threads=1)
    (folder / "log.ono.jsonl").write_bytes(LOG)
    import_logs([str(folder / "log.ono.jsonl")], folder / "library", jobs=1)
    return folder


# --- bytes changed in any way -----------------------------------------------------------------------


def mutated(data, random):
    """A file with a bit flipped, a piece gone, zeroed, doubled or from elsewhere, its end or its footer changed."""
    at = random.randrange(len(data))
    size = random.choice((1, 4, 16, 300))
    footer = int.from_bytes(data[-8:-4], "little")
    match random.randrange(9):
        case 0 | 1:
            return data[:at] + bytes([data[at] ^ 1 << random.randrange(8)]) + data[at + 1 :]
        case 2:
            return data[:at]
        case 3:
            return data[:at] + data[at + size :]
        case 4:
            return data[:at] + bytes(min(size, len(data) - at)) + data[at + size :]
        case 5:
            return data[:at] + data[at : at + size] + data[at:]
        case 6:
            other = random.randrange(len(data))
            return data[:at] + data[other : other + size] + data[at + size :]
        case 7:
            # Only what the footer says: counts, sizes, offsets, types.
            at = len(data) - 8 - random.randrange(1, footer)
            return data[:at] + bytes([random.randrange(256)]) + data[at + 1 :]
    told = random.choice((0, 1, footer - 1, footer + 1, 2 * footer, len(data), 2**31 - 1, 2**32 - 1))
    return data[:-8] + struct.pack("<I", told) + data[-4:]


def text_of(path):
    return b"".join(line + b"\n" for line in arrow.read_parquet_here(path))


def verdicts_of(path):
    return [verdict for frame in frames(path) for verdict in frame.verdicts]


READERS = {
    "log": (text_of, lambda text: text == LOG),
    "archive": (lambda path: b"".join(archive.read_texts(path)), lambda text: text == LOG),
    "verdicts": (verdicts_of, lambda found: found == ["valid"] * 3),
}


def mutate_many(sound, tmp_path, name, seeds):
    read, is_same = READERS[name]
    data = (sound / ("log.parquet" if name == "log" else "archive.parquet")).read_bytes()
    path = tmp_path / "mutated.parquet"
    refused = 0
    told = {True}
    for seed in seeds:
        changed = mutated(data, Random(seed))
        path.write_bytes(changed)
        try:
            found = read(path)
        except Unreadable as reason:
            refused += 1
            told.add(str(path) in str(reason))
            continue
        # The key-value metadata and what no reader looks at are not covered by checksums; the content is.
        assert is_same(found), seed
    assert told == {True}
    return refused


@pytest.mark.parametrize("name", READERS)
def test_a_mutated_file_is_refused_or_reads_as_it_was(sound, tmp_path, name):
    assert mutate_many(sound, tmp_path, name, range(1500)) > 900


def test_page_checksums_stop_before_a_damaged_line(sound, tmp_path):
    """The digest of all lines comes at the end; until then, too, no line is given that was not written."""
    data = (sound / "log.parquet").read_bytes()
    pages = len(data) - 8 - int.from_bytes(data[-8:-4], "little")
    path = tmp_path / "flipped.parquet"
    lines = LOG.splitlines()
    refused = 0
    for seed in range(250):
        random = Random(seed)
        at = random.randrange(pages)
        path.write_bytes(data[:at] + bytes([data[at] ^ 1 << random.randrange(8)]) + data[at + 1 :])
        given = []
        try:
            for line in arrow.read_parquet_here(path):
                given.append(line)  # noqa: PERF402 - what came before the refusal counts
        except Unreadable:
            refused += 1
        assert given == lines[: len(given)], seed
    assert refused > 150


@pytest.mark.slow
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("name", READERS)
def test_twenty_thousand_mutated_files(sound, tmp_path, name):
    count = int(os.environ.get("ONO_MUTATIONS", "20000"))
    refused = mutate_many(sound, tmp_path, name, range(10_000, 10_000 + count))
    print(f"{count} mutated files ({name}): {refused} refused, the others read as they were")


# --- a library with strange files in it -------------------------------------------------------------


def answers(library):
    with Library(library) as opened:
        rows = opened.query("select game_id, total from events order by all").to_pylist()
        return rows, wins_by_player(opened).rows


def test_a_mutated_library_is_a_plain_fault(sound, tmp_path):
    """Whatever is done to a file of a library: the same answers, or a message; `check` finds what matters."""
    library = tmp_path / "library"
    subprocess.run(["cp", "-r", sound / "library", library], check=True)
    files = sorted(library.glob("parts/*/*.parquet"))
    expected = answers(library)
    told = 0
    for seed in range(120):
        random = Random(seed)
        path = files[seed % len(files)]
        data = path.read_bytes()
        path.write_bytes(mutated(data, random))
        try:
            found = answers(library)
        except LibraryFault as fault:
            told += str(library) in str(fault)
        else:
            assert found == expected or list(check_library(library)), seed
        path.write_bytes(data)
    assert told > 30
    assert answers(library) == expected


@pytest.mark.parametrize(
    "arguments",
    [
        ("sql", "select count(*) from events"), ("stats", "wins_by_player"), ("library", "info"), ("library", "check"), ("library", "check", "--logs"),
        ("library", "export", "OUT.ono.jsonl"), ("library", "export", "OUT", "--format", "csv"), ("library", "export", "OUT.duckdb"), ("library", "compact"),
        ("library", "duplicates"), ("library", "quality"), ("library", "anonymise", "--yes"), ("library", "extract", "--where", "true", "-o", "OUT2.ono.jsonl"),
        ("library", "remove", "sim-5-0"), ("import", "LOG"), ("library", "quarantine", "list"), ("stats", "ratings"),
    ],
    ids=lambda arguments: " ".join(arguments[:2]),
)  # fmt: skip
def test_every_command_on_a_library_with_strange_parts(sound, tmp_path, arguments, capsys):
    strange = {
        "nothing": b"", "no Parquet": b"PAR1" * 20, "cut": None, "other columns": in_bytes(pa.table({"a": [1]})), "Arrow": arrow_file(), "DuckDB": b"\0" * 8 + b"DUCK" + b"\0" * 200,
    }  # fmt: skip
    for name, content in strange.items():
        library = tmp_path / name
        subprocess.run(["cp", "-r", sound / "library", library], check=True)
        for path in library.glob("parts/*/*.parquet"):
            path.write_bytes(path.read_bytes()[:-50] if content is None else content)
        words = [str(tmp_path / f"{name}{word}") if word.startswith("OUT") else word for word in arguments]
        words = [str(sound / "log.ono.jsonl") if word == "LOG" else word for word in words]
        status = run([*words, "--library", str(library)])
        output = capsys.readouterr()
        assert status in (0, 1, 2)
        assert "fault of ono-replay itself" not in output.err
        assert status == 2 or arguments[:2] in {
            ("library", "info"),
            ("library", "quarantine"),
            ("library", "compact"),
            ("import", "LOG"),
        }, (name, output)


# --- every entrance, every kind ---------------------------------------------------------------------


def in_bytes(table, **options):
    sink = io.BytesIO()
    pq.write_table(table, sink, **options)
    return sink.getvalue()


def arrow_file():
    sink = io.BytesIO()
    with pa.ipc.new_file(sink, pa.schema([("a", pa.int64())])) as writer:
        writer.write_table(pa.table({"a": [1]}))
    return sink.getvalue()


def arrow_stream():
    sink = io.BytesIO()
    with pa.ipc.new_stream(sink, pa.schema([("a", pa.int64())])) as writer:
        writer.write_table(pa.table({"a": [1]}))
    return sink.getvalue()


def feather_file(tmp_path):
    feather.write_feather(pa.table({"a": [1]}), str(tmp_path / "f"), version=2)
    return (tmp_path / "f").read_bytes()


def numpy_file():
    sink = io.BytesIO()
    np.save(sink, np.arange(3))
    return sink.getvalue()


def duckdb_file(tmp_path):
    with duckdb.connect(str(tmp_path / "d.duckdb")) as connection:
        connection.execute("create table t as select 1")
    return (tmp_path / "d.duckdb").read_bytes()


class Evil:
    def __reduce__(self):
        return Path.touch, (Path("it-ran"),)


def many(value, times, kind):
    return pa.DictionaryArray.from_arrays(pa.array([0] * times, pa.int32()), pa.array([value])).cast(kind)


def bomb(schema, rows, value):
    """A small file of a right layout whose cells are large: 4 KB that stand for a gibibyte."""
    columns = []
    for field in schema:
        if field.name in ("text", "raw", "lines"):
            columns.append(many(value if field.type == pa.binary() else value.decode(), rows, field.type))
        else:
            columns.append(pa.nulls(rows, field.type))
    table = pa.Table.from_arrays(columns, schema=schema)
    return in_bytes(table, compression="zstd", write_page_checksum=True)


def nested():
    deep = pa.array([1])
    for _ in range(60):
        deep = pa.array([deep.to_pylist()])
    return pa.table({"a": deep})


def half(path):
    data = path.read_bytes()
    return data[: len(data) // 2] + b"PAR1"


def unchecked(path):
    return in_bytes(pq.read_table(path).slice(0, 1).replace_schema_metadata({}))


def endless():
    return pa.Table.from_arrays(
        [pa.nulls(3_000_000, field.type) for field in arrow.SCHEMA], schema=arrow.SCHEMA
    )


KINDS = {
    "half a log": lambda sound, _: half(sound / "log.parquet"), "half an archive": lambda sound, _: half(sound / "archive.parquet"), "only magic": lambda *_: b"PAR1PAR1",
    "a footer past the start": lambda *_: b"PAR1" + b"\xff" * 4 + b"PAR1", "other columns": lambda *_: in_bytes(pa.table({"a": [1]})), "nested deep": lambda *_: in_bytes(nested()),
    "a log without rows": lambda *_: in_bytes(pa.Table.from_pylist([], schema=arrow.SCHEMA)), "an archive without checksums": lambda sound, _: unchecked(sound / "archive.parquet"),
    "a bomb of a log": lambda *_: bomb(arrow.SCHEMA, 20, b"x" * (20 << 20)), "a bomb of an archive": lambda *_: bomb(archive.SCHEMA, 20, b"x" * (20 << 20)), "rows without end": lambda *_: in_bytes(endless()),
    "encrypted": lambda *_: b"PARE" + b"\0" * 100 + b"PARE", "an Arrow file": lambda *_: arrow_file(), "an Arrow stream": lambda *_: arrow_stream(), "Feather": lambda _, here: feather_file(here),
    "Feather 1": lambda *_: b"FEA1" + b"\0" * 60, "a pickle": lambda *_: pickle.dumps(Evil()), "a pickle of protocol 0": lambda *_: pickle.dumps(Evil(), protocol=0),
    "a pickle of protocol 2": lambda *_: pickle.dumps(Evil(), protocol=2), "NumPy": lambda *_: numpy_file(), "DuckDB": lambda _, here: duckdb_file(here), "SQLite": lambda *_: b"SQLite format 3\0" + b"\0" * 100,
    "a zip": lambda *_: b"PK\x03\x04" + b"\0" * 50, "ORC": lambda *_: b"ORC" + b"\0" * 50, "Avro": lambda *_: b"Obj\x01" + b"\0" * 50,
}  # fmt: skip
"""Files that are not what they seem."""


ENTRANCES = (
    ("validate", "IN"), ("validate", "IN", "--engine", "fast"), ("states", "IN"), ("show", "IN"), ("view", "IN", "OUT", "--public"), ("convert", "IN", "OUT"), ("convert", "IN", "OUT.parquet"),
    ("archive", "IN", "--to", "OUT"), ("archive", "IN", "--to", "OUT.parquet"), ("import", "IN", "--library", "LIBRARY"), ("export", "text", "IN", "OUT"), ("export", "html", "IN", "OUT"), ("diff", "IN", "IN"),
    ("check-states", "IN", "IN"), ("verify-deal", "IN"), ("branch", "IN", "OUT", "--seq", "3"), ("recover", "IN", "OUT"), ("amend", "IN", "OUT"), ("record", "IN", "--resume"), ("sql", "select 1", "--library", "IN"),
)  # fmt: skip


@pytest.mark.parametrize("name", KINDS)
def test_every_entrance(sound, tmp_path, name, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"")))
    content = KINDS[name](sound, tmp_path)
    for number, arguments in enumerate(ENTRANCES):
        # Each of the two kinds of Parquet has its own reader, in a process of its own, and all its doors lead there.
        doors = ("validate", "archive") if "archive" in name or "nested" in name else ("convert", "import")
        if content.startswith(b"PAR1") and (
            arguments[0] not in (*doors, "states", "sql") or "--engine" in arguments
        ):
            continue
        path = tmp_path / f"in{number}.parquet"
        path.write_bytes(content)
        places = {"IN": path, "OUT": tmp_path / f"out{number}.ono.jsonl", "OUT.parquet": tmp_path / f"out{number}.parquet", "LIBRARY": tmp_path / f"library{number}"}  # fmt: skip
        status = run([str(places.get(word, word)) for word in arguments])
        output = capsys.readouterr()
        said = output.out + output.err
        assert status in (0, 1, 2), arguments
        assert "Traceback" not in said
        assert "fault of ono-replay itself" not in said, (arguments, said)
        if arguments[0] not in ("recover", "amend", "record"):
            assert path.read_bytes() == content
    assert not Path("it-ran").exists()


MEASURED = """
import resource, subprocess, sys
status = subprocess.run([sys.executable, "-m", "ono_replay", *sys.argv[1:]]).returncode
print("peak", resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024, file=sys.stderr)
raise SystemExit(status)
"""


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("a bomb of a log", ("convert", "IN", "OUT.ono.jsonl")), ("a bomb of a log", ("import", "IN", "--library", "OUT")), ("rows without end", ("convert", "IN", "OUT.ono.jsonl")),
        ("a bomb of an archive", ("validate", "IN")), ("a bomb of an archive", ("archive", "IN", "--to", "OUT.ono.jsonl")),
    ],
    ids=lambda value: value if isinstance(value, str) else value[0],
)  # fmt: skip
def test_a_bomb_fills_nothing(tmp_path, name, arguments):
    """Neither the command nor the process that reads for it takes more than the limit, and nothing is left."""
    path = tmp_path / "bomb.parquet"
    path.write_bytes(KINDS[name](None, tmp_path))
    assert path.stat().st_size < 1 << 20
    words = [{"IN": str(path)}.get(word, word) for word in arguments]
    done = subprocess.run(
        [sys.executable, "-c", MEASURED, *words], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 2
    assert int(done.stderr.rsplit("peak", 1)[1]) < MOST_MIB
    assert not list(tmp_path.glob("OUT.*"))


REFUSED = {
    "an Arrow file": "Arrow", "an Arrow stream": "Arrow", "Feather": "Arrow", "Feather 1": "Feather", "a pickle": "pickle", "a pickle of protocol 2": "pickle", "NumPy": "NumPy", "DuckDB": "DuckDB", "a zip": "zip",
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
@pytest.mark.parametrize("entrance", ["file", "standard input", "convert"])
def test_refused_by_their_first_bytes(tmp_path, name, entrance):
    """Whatever the file is called, and wherever it comes from; nothing in it runs."""
    (tmp_path / "x.ono.jsonl").write_bytes(KINDS[name](None, tmp_path))
    words = {
        "file": "validate x.ono.jsonl",
        "standard input": "validate - < x.ono.jsonl",
        "convert": "convert x.ono.jsonl y.ono.jsonl",
    }
    command = f"{sys.executable} -m ono_replay {words[entrance]}"
    done = subprocess.run(["bash", "-c", command], cwd=tmp_path, capture_output=True, text=True, timeout=100)
    assert not (tmp_path / "it-ran").exists()
    assert done.returncode == 2
    assert REFUSED[name] in done.stderr
