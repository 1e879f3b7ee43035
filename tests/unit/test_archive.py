"""Archives: the logs come out byte for byte, verdicts are the same, and nothing in the file is trusted."""

import gzip
import io
import subprocess
import sys
from pathlib import Path
from random import Random

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import ono_replay
from ono_replay.archives import archive_logs, restore_logs
from ono_replay.bulk.archive import GAMES_KEY, SCHEMA, ArchiveJudge, read_archive, read_texts, write_archive
from ono_replay.bulk.archive_reader import frames
from ono_replay.check.diagnostic import GameReport, Summary
from ono_replay.check.validator import validate
from ono_replay.cli.main import run
from ono_replay.log.jsonl import encode_game
from ono_replay.log.lines import LineReader, Unreadable
from ono_replay.verdicts import Lanes
from tests.property import faults_lines, faults_rules  # noqa: F401 - they register what they have
from tests.property.faults import FAULTS, game_of
from tests.unit.test_verdicts import MIXED

META = b'{"seq":%d,"type":"comment","text":"caf\xc3\xa9 \xe2\x99\xa0","ref":2,"at_ms":9,"meta":{"a":[1,{"b":-1.5e+3}]}}\n'

BARE = {
    "compression": "none",
    "use_dictionary": False,
    "write_statistics": False,
    "write_page_checksum": True,
}


def walks():
    """Games of every ruleset, some views, some from positions, some with times and comments, some broken."""
    for seed in range(40):
        game = game_of(seed)
        yield encode_game(game.events)
        name = sorted(FAULTS)[seed % len(FAULTS)]
        broken = FAULTS[name][1](game, Random(seed))
        if broken is not None and broken.data is None:
            yield b"".join(line + b"\n" for line in broken.lines)
    long = encode_game(game_of(3).events)
    yield long + META % (long.count(b"\n"))


LOG = b"".join([*walks(), MIXED])


def archive_of(*sources, path):
    with path.open("wb") as file:
        return write_archive(file, [LineReader(io.BytesIO(source)).blocks() for source in sources])


@pytest.fixture(scope="module")
def archive(tmp_path_factory):
    path = tmp_path_factory.mktemp("archive") / "games.parquet"
    done = archive_of(LOG, b"not a log", MIXED[:5000], b"", path=path)
    assert done.raw > 20
    assert done.games > 150
    return path


def test_the_bytes_come_out_again(archive):
    assert b"".join(read_texts(archive)) == LOG + b"not a log" + MIXED[:5000]


def test_verdicts_are_those_on_the_log(archive, tmp_path):
    path = tmp_path / "games.parquet"
    archive_of(LOG, path=path)
    log = tmp_path / "games.ono.jsonl"
    log.write_bytes(LOG)
    lanes = Lanes()
    found = list(ono_replay.validate(path, lanes=lanes))
    expected = list(validate([log]))
    for one in (*found, *expected):
        names = [one, *(one.diagnostics if isinstance(one, GameReport) else [])]
        assert {each.file for each in names} <= {str(path), str(log)}
    assert [strip(one) for one in found] == [strip(one) for one in expected]
    assert lanes.fast > 130


def strip(one):
    shown = {name: getattr(one, name) for name in one.__struct_fields__ if name not in ("file", "scenes")}
    if "diagnostics" in shown:
        shown["diagnostics"] = [strip(each) for each in shown["diagnostics"]]
    return shown


def test_the_command_reads_what_it_wrote(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.ono.jsonl").write_bytes(MIXED)
    assert run(["archive", "a.ono.jsonl", "--to", "a.parquet"]) == 0
    lines = MIXED.count(b"\n")
    assert capsys.readouterr().err == f"108 games (2 kept as written), {lines:,} lines: a.parquet\n"
    assert run(["validate", "a.parquet", "-f", "json"]) == 1
    told = capsys.readouterr().out
    assert run(["validate", "a.ono.jsonl", "-f", "json"]) == 1
    assert told.replace("a.parquet", "a.ono.jsonl") == capsys.readouterr().out
    assert run(["archive", "a.parquet", "--to", "b.ono.jsonl"]) == 0
    assert (tmp_path / "b.ono.jsonl").read_bytes() == MIXED
    assert run(["archive", "a.ono.jsonl", "--to", "a.parquet"]) == 2
    assert "--force" in capsys.readouterr().err
    assert run(["archive", "a.ono.jsonl", "--to", "a.zip"]) == 2
    assert run(["archive", "a.parquet", "--to", "b.ono.jsonl", "--force"]) == 0
    # What comes out of an archive is no archive, and never takes its place.
    Path("a.parquet").rename("a.ono.jsonl.kept")
    capsys.readouterr()
    for target, why in (("c.parquet", "are named .ono.jsonl"), ("a.ono.jsonl.kept", "is the archive itself")):
        assert run(["archive", "a.ono.jsonl.kept", "--to", target, "--force"]) == 2
        assert why in capsys.readouterr().err
    assert run(["validate", "a.ono.jsonl.kept"]) == 1


def test_logs_that_end_within_a_line_stay_apart(tmp_path):
    logs = {"a": MIXED[:5000], "b": MIXED[:90_000] + b"torn", "c": b"", "d": MIXED[:70_000]}
    (tmp_path / "logs").mkdir()
    for name, data in logs.items():
        (tmp_path / f"logs/{name}.ono.jsonl").write_bytes(data)
    told: list[int] = []
    archived = archive_logs(tmp_path / "logs", tmp_path / "all.parquet", on_progress=told.append)
    assert told == sorted(told)
    assert told[-1] == sum(map(len, logs.values()))
    restore_logs(tmp_path / "all.parquet", tmp_path / "all.out")
    back = (tmp_path / "all.out").read_bytes()
    assert back == b"".join(
        data if not data or data.endswith(b"\n") or name == "d" else data + b"\n"
        for name, data in logs.items()
    )
    assert archived.lines == len(back.splitlines())
    # What is said of each game is what is said of it in its own log: torn, not wrong.
    alone, together = (
        [
            (one.game_id, one.verdict, [each.code for each in one.diagnostics if each.code != "ONO203"])
            for one in ono_replay.validate(path)
            if isinstance(one, GameReport)
        ]
        for path in (tmp_path / "logs", tmp_path / "all.parquet")
    )
    assert alone == together
    assert any("ONO103" in codes for _, _, codes in alone)


def test_what_is_no_game_is_not_counted_as_one(tmp_path, capsys):
    texts = {
        "a": MIXED[:9000],
        "b": b"seq,type\n0,game_start\n",
        "c": b"",
        "d": b'{"seq":1,"type":"comment"}\n',
    }
    for name, data in texts.items():
        (tmp_path / f"{name}.ono.jsonl").write_bytes(data)
    assert run(["archive", str(tmp_path), "--to", str(tmp_path / "all.parquet")]) == 0
    summary = Summary()
    list(ono_replay.validate(tmp_path, summary=summary))
    lines = sum(len(data.splitlines()) for data in texts.values())
    assert (
        f"{summary.games} games (1 kept as written) and 2 pieces of text that is no game, {lines} lines: "
        in capsys.readouterr().err
    )


def test_an_archive_taken_for_a_log_is_told(tmp_path, capsys):
    archive_of(MIXED[:9000], path=tmp_path / "a.parquet")
    (tmp_path / "b.ono.jsonl").write_bytes(MIXED[:9000])
    for words in (["import", "a.parquet", "--library", "games"], ["convert", "a.parquet", "new.ono.jsonl"]):
        assert run([str(tmp_path / word) if "." in word or word == "games" else word for word in words]) == 2
        assert "this is an archive; `ono-replay archive" in capsys.readouterr().err
    assert (
        run(
            [
                "archive",
                str(tmp_path / "a.parquet"),
                str(tmp_path / "b.ono.jsonl"),
                "--to",
                str(tmp_path / "c.parquet"),
            ]
        )
        == 2
    )
    assert "of an archive `ono-replay archive`" in capsys.readouterr().err
    for call in (
        lambda: restore_logs(tmp_path / "none.parquet", tmp_path / "b.ono.jsonl", overwrite=True),
        lambda: restore_logs(tmp_path / "b.ono.jsonl", tmp_path / "new.ono.jsonl"),
    ):
        with pytest.raises(Unreadable):
            call()
    assert (tmp_path / "b.ono.jsonl").read_bytes() == MIXED[:9000]
    for threads in (
        lambda: list(ono_replay.validate(tmp_path, threads=-1)),
        lambda: archive_logs(tmp_path, tmp_path / "n.parquet", threads=-1),
    ):
        with pytest.raises(ValueError, match="no -1 threads"):
            threads()


def test_a_stream_that_breaks_off_is_not_archived(tmp_path, capsys):
    path = tmp_path / "a.ono.jsonl.gz"
    path.write_bytes(gzip.compress(MIXED)[:5000])
    assert run(["archive", str(path), "--to", str(tmp_path / "a.parquet")]) == 2
    assert "recover" in capsys.readouterr().err
    assert [found.name for found in tmp_path.iterdir()] == ["a.ono.jsonl.gz"]


def test_an_ordinary_parquet_file_is_refused(tmp_path, capsys):
    path = tmp_path / "a.parquet"
    pq.write_table(pa.table({"a": [1]}), path)
    assert run(["validate", str(path)]) == 2
    assert "no archive" in capsys.readouterr().err


def rewritten(archive, path, change):
    """Write an archive anew with its table changed, checksums and all right."""
    table = pq.read_table(archive).slice(0, 40)
    schema = SCHEMA.with_metadata({**SCHEMA.metadata, GAMES_KEY: str(table.num_rows)})
    pq.write_table(change(table).cast(schema), path, write_page_checksum=True)


def replaced(table, name, value):
    place = table.schema.get_field_index(name)
    values = table.column(name).to_pylist()
    values = [value(found) if found is not None else None for found in values]
    return table.set_column(place, SCHEMA.field(name), pa.array(values, SCHEMA.field(name).type))


def forge(found, kind, random):
    """Change the bytes of one cell in one of four ways."""
    if not found:
        return found
    at = random.randrange(len(found))
    more = bytes(random.randrange(256) for _ in range(random.choice((1, 4, 8, 400))))
    ways = (
        found[:at] + bytes([found[at] ^ random.randrange(1, 256)]) + found[at + 1 :],
        found[:at],
        found + more,
        bytes(random.randrange(256) for _ in found),
    )
    return ways[kind]


@pytest.mark.parametrize("name", ["kinds", "seats", "cards", "numbers", "lists", "opening"])
@pytest.mark.parametrize("kind", range(4))
def test_forged_columns_end_as_damaged_or_wrong_never_as_the_log(name, kind, archive, tmp_path):
    random = Random(f"{name}{kind}")
    path = tmp_path / "forged.parquet"
    for _ in range(15):
        rewritten(
            archive, path, lambda table: replaced(table, name, lambda found: forge(found, kind, random))
        )
        with pytest.raises(Unreadable, match="damaged"):
            list(read_texts(path))
        try:
            rows = sum(len(frame.verdicts) for frame in frames(path))
        except Unreadable:
            continue
        assert rows == 40


def test_every_flipped_byte_is_noticed_or_harmless(archive, tmp_path):
    data = archive.read_bytes()
    text = b"".join(read_texts(archive))
    path = tmp_path / "flipped.parquet"
    random = Random(1)
    for _ in range(300):
        at = random.randrange(len(data))
        path.write_bytes(data[:at] + bytes([data[at] ^ (1 << random.randrange(8))]) + data[at + 1 :])
        try:
            found = b"".join(read_texts(path))
        except Unreadable:
            continue
        assert found == text


def test_a_changed_byte_is_noticed_by_the_checksum_of_its_page(archive, tmp_path):
    """Not compressed, so that nothing else would notice."""
    path = tmp_path / "plain.parquet"
    table = pq.read_table(archive).slice(0, 40)
    schema = SCHEMA.with_metadata({**SCHEMA.metadata, GAMES_KEY: "40"})
    pq.write_table(table.cast(schema), path, **BARE)
    assert sum(map(len, read_archive(path, SCHEMA.names))) == 40
    data = path.read_bytes()
    place = data.index(b'"game_id":"') + len(b'"game_id":"')
    path.write_bytes(data[:place] + b"~" + data[place + 1 :])
    with pytest.raises(Unreadable, match="damaged"):
        list(read_archive(path, SCHEMA.names))


def test_other_columns_than_those_of_an_archive(archive, tmp_path):
    path = tmp_path / "more.parquet"
    table = pq.read_table(archive)
    more = table.append_column("more", pa.array([1] * len(table)))
    pq.write_table(more.replace_schema_metadata(table.schema.metadata), path, write_page_checksum=True)
    with pytest.raises(Unreadable, match="is no archive of layout"):
        list(read_archive(path))


def test_the_reading_process_says_what_is_wrong(tmp_path):
    path = tmp_path / "a.parquet"
    path.write_bytes(b"PAR1 and nothing more PAR1")
    process = subprocess.run(
        [sys.executable, "-m", "ono_replay.bulk.archive_reader", str(path)], capture_output=True, check=False
    )
    assert process.returncode == 3
    assert b"damaged" in process.stderr


def test_batches_are_judged_one_by_one(archive):
    alone = ArchiveJudge()
    games = sum(len(alone.judge(batch).games) for batch in read_archive(archive))
    assert games == pq.ParquetFile(archive).metadata.num_rows
