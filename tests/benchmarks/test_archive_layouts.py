"""Layouts of an archive beside each other: bytes an event, and how fast what a verdict needs is read back."""

import statistics
import time

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from ono_replay.bulk.archive import LEVEL, VERDICT_COLUMNS, read_archive, write_archive
from ono_replay.bulk.engine import CHUNK, Judged, judge_all
from ono_replay.log.chunks import cut_games
from tests.benchmarks.bulk_mix import mix
from tests.benchmarks.test_bulk_speed import blocks

ROUNDS = 5
OPTIONS = {"compression": "zstd", "compression_level": LEVEL, "write_page_checksum": True}


def a_row_an_event(data, file):
    """Typed columns with a row for each event, its lists as a list; whole games in a row group."""
    writer = None
    events = 0
    for found in judge_all(cut_games(blocks(data), CHUNK)):
        assert isinstance(found, Judged)
        columns, games = found.columns, found.games
        count = int(games["events"].sum())
        events += count
        # The lists of an event reach to those of the next one that has any.
        more = columns.more[:count].astype(np.int64)
        has = np.isin(columns.kind[:count], [1, 2, 7, 8, 9, 10])
        ends = np.full(count + 1, int(games["lists_end"][-1]), np.int64)
        for place in range(count - 1, -1, -1):
            ends[place] = more[place] if has[place] else ends[place + 1]
        ids = [
            found.chunk.data[start:end].decode()
            for start, end in zip(games["id_start"], games["id_end"], strict=True)
        ]
        table = pa.table(
            {
                "game_id": pa.DictionaryArray.from_arrays(
                    np.repeat(np.arange(len(games)), games["events"]), ids
                ),
                "kind": columns.kind[:count],
                "seat": columns.seat[:count],
                "card": columns.card[:count],
                "number": columns.number[:count],
                "lists": pa.ListArray.from_arrays(
                    pa.array(ends, pa.int32()), pa.array(columns.pool[: ends[-1]])
                ),
                "at_ms": columns.at_ms[:count],
            }
        )
        writer = writer or pq.ParquetWriter(file, table.schema, **OPTIONS)
        writer.write_table(table, row_group_size=count)
    assert writer is not None
    writer.close()
    return events


def rows_of(path, columns):
    return sum(
        len(batch)
        for batch in pq.ParquetFile(path, page_checksum_verification=True).iter_batches(
            1 << 17, columns=columns, use_threads=False
        )
    )


def test_a_row_a_game_against_a_row_an_event(tmp_path):
    data = b"".join(mix(40))
    events = data.count(b"\n")
    games, single = tmp_path / "games.parquet", tmp_path / "events.parquet"
    with games.open("wb") as file:
        assert write_archive(file, [blocks(data)]).events == events
    assert a_row_an_event(data, single) == events
    wanted = ["game_id", "kind", "seat", "card", "number", "lists"]
    works = {
        "a row a game": (
            games,
            lambda: sum(
                batch.column("events").sum().as_py() for batch in read_archive(games, VERDICT_COLUMNS)
            ),
        ),
        "a row an event": (single, lambda: rows_of(single, wanted)),
    }
    speeds = {}
    for name, (path, work) in works.items():
        took = []
        assert work() == events
        for _ in range(ROUNDS):
            began = time.process_time()
            work()
            took.append(time.process_time() - began)
        speeds[name] = events / statistics.median(took)
        print(
            f"\n{name}: {path.stat().st_size / events:.2f} bytes an event, read at {speeds[name] / 1e6:.0f} million events a second"
        )
    assert speeds["a row a game"] > speeds["a row an event"]
