"""The fast lane of the import: the same library as the plain way makes, cell by cell, whatever is brought."""

from pathlib import Path

import pyarrow.parquet as pq
import pytest

from ono_replay.library import importing
from ono_replay.library.exporting import export_log
from ono_replay.library.fast_lane import FastLane
from ono_replay.library.importing import import_logs
from ono_replay.library.maintenance import check_library
from ono_replay.library.manifest import Snapshot
from ono_replay.library.tables import SCHEMAS, TOKENS, read_tables
from ono_replay.library.workers import WORTH_COMPILING, fast_lane_pays
from ono_replay.log.lines import find_logs
from ono_replay.simulate.game import Simulator
from ono_replay.simulate.plan import Plan
from tests.property.test_library_round_trip import logs

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = [
    path
    for path in find_logs([ROOT / "sample_logs", ROOT / "tests" / "data" / "conformance" / "logs"])
    if not path.startswith(str(ROOT / "sample_logs" / "outside"))
]


@pytest.fixture
def both(tmp_path, monkeypatch):
    """Import sources by each of the two ways; return the folders and how many chunks the fast lane took and left."""
    taken = []
    take = FastLane.take

    def noting(lane, chunks, imported, prefix):
        for batch in take(lane, chunks, imported, prefix):
            taken.extend(batch.taken)
            yield batch

    monkeypatch.setattr(FastLane, "take", noting)

    def run(sources, prefix=""):
        folders = []
        for fast in (False, True):
            monkeypatch.setattr(importing, "fast_lane_pays", lambda _read, fast=fast: fast)
            folders.append(tmp_path / f"fast {fast}")
            import_logs(sources, folders[-1], jobs=1, prefix=prefix)
        return (*folders, taken.count(True), taken.count(False))

    return run


def tables(folder):
    snapshot = Snapshot(folder)
    try:
        return {name: read_tables(snapshot.paths(name), name) for name in SCHEMAS}
    finally:
        snapshot.close()


def difference(plain, fast):
    """Say where two libraries differ, or nothing."""
    there = tables(fast)
    for name, expected in tables(plain).items():
        for column in expected.column_names:
            if not expected[column].equals(there[name][column]):
                pairs = zip(expected[column].to_pylist(), there[name][column].to_pylist(), strict=True)
                row, pair = next((row, pair) for row, pair in enumerate(pairs) if pair[0] != pair[1])
                return f"{name}.{column}, {expected.slice(row, 1).to_pylist()[0]}: {pair[0]!r} is not {pair[1]!r}"
    return ""


def test_simulated_games_of_all_kinds(tmp_path, both):
    log = tmp_path / "games.ono.jsonl"
    log.write_bytes(b"".join(logs(10)))
    plain, fast, taken, left = both([str(log)])
    assert difference(plain, fast) == ""
    assert taken > 40
    assert left > 0
    for folder in (plain, fast):
        export_log(folder, tmp_path / f"{folder.name}.ono.jsonl")
    assert (tmp_path / f"{plain.name}.ono.jsonl").read_bytes() == (
        tmp_path / f"{fast.name}.ono.jsonl"
    ).read_bytes()


def test_a_prefix(tmp_path, both):
    log = tmp_path / "games.ono.jsonl"
    log.write_bytes(b"".join(logs(4)))
    plain, fast, taken, _ = both([str(log)], "long \N{SNOWMAN}" * 12)
    assert difference(plain, fast) == ""
    assert taken > 10
    assert not any(check_library(fast, logs=True))


def test_cards_take_whole_bytes_in_files(tmp_path, both):
    log = tmp_path / "games.ono.jsonl"
    log.write_bytes(b"".join(logs(2)))
    for folder in both([str(log)])[:2]:
        snapshot = Snapshot(folder)
        (path,) = snapshot.paths("events")
        with pq.ParquetFile(path) as file:
            assert file.schema_arrow.equals(SCHEMAS["events"])
            cards = file.metadata.row_group(0).column(file.schema_arrow.names.index("hands"))
        assert cards.path_in_schema.startswith("hands.")
        assert cards.total_compressed_size < 6 * file.metadata.num_rows
        snapshot.close()
    assert 1 << 7 < len(TOKENS) <= 1 << 8


def test_samples_and_broken_logs(both):
    plain, fast, taken, left = both(SAMPLES)
    assert difference(plain, fast) == ""
    assert taken > 50
    assert left > 50


def test_every_single_line_lost(tmp_path, both):
    game = Simulator(Plan(edition="1980", players=3, seed=3, match="single")).log(0).splitlines(keepends=True)
    log = tmp_path / "games.ono.jsonl"
    with log.open("wb") as file:
        for place in range(len(game)):
            lines = [line for number, line in enumerate(game) if number != place]
            lines[0] = lines[0].replace(b'"game_id":"', b'"game_id":"%d ' % place)
            file.writelines(lines)
    plain, fast, _, left = both([str(log)])
    assert difference(plain, fast) == ""
    assert left > 50


def test_a_small_import_never_loads_it():
    assert not fast_lane_pays(0)
    assert fast_lane_pays(WORTH_COMPILING)
