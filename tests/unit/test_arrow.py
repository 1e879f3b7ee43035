"""Logs as Parquet: the same bytes back, and nothing worse than a plain reason for damaged or hostile files."""

import importlib.util
import io
import os
import re
import subprocess
import sys
from collections.abc import Generator

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ono_replay.bundle import bundle_path
from ono_replay.convert.logs import LogNotes, finished_lines
from ono_replay.log.arrow import SCHEMA, read_parquet_here, write_parquet
from ono_replay.log.jsonl import encode_game
from ono_replay.log.keys import KEYS
from ono_replay.log.lines import read_lines
from ono_replay.log.parquet import is_parquet, read_parquet
from ono_replay.log.streams import Unreadable
from ono_replay.rules.events import Comment

EVERYTHING = r"""
{"seq":0,"type":"game_start","format":"ono-log","version":"1.0","game_id":"k\u0001Ω","ruleset":{"edition":"1980","match":"points_low_score","points_target":100,"deck":{"7":99}},"players":[{"name":"Ann","id":"a","bot":true},{"name":"","shoe":[1.50,{"x":null}]}],"dealer":null,"view":"seat","viewer":1,"started_at":"2026-01-31T20:15:00Z","source":{"app":"x","version":"2","build":7},"meta":{"n":-0,"e":1e3,"deep":[[{}]]}}
{"seq":1,"type":"round_start","round":1,"dealer":1,"starter":0,"deck":["7","?"],"shuffle":{"algorithm":"a","seed":"s","commitment":"c","more":true},"at_ms":0}
{"seq":2,"type":"round_start","round":9223372036854775807,"dealer":null,"starter":0,"position":{"total":-3,"direction":-1,"turn":null,"plays_due":0,"second":false,"hands":[["7"],[]],"out":[0],"draw_pile":5,"discard_pile":["9"],"chips":[null,2]}}
{"seq":3,"type":"deal","seat":0,"cards":[]}
{"seq":4,"type":"deal","seat":1,"cards":["7","?","ono_99","-10"]}
{"seq":5,"type":"play","seat":0,"card":"7","total":-9223372036854775808,"colour":"red","at_ms":12,"irregular":true,"meta":{}}
{"seq":6,"type":"draw","seat":0,"card":"?"}
{"seq":7,"type":"forfeit_draw","seat":1}
{"seq":8,"type":"discard_four","seat":1}
{"seq":9,"type":"reshuffle","count":3}
{"seq":10,"type":"reshuffle","count":3,"deck":["7","8","9"]}
{"seq":11,"type":"eliminate","seat":0,"reason":"no_legal_play","card":"10","hand":[]}
{"seq":12,"type":"round_end","round":1,"winner":null,"loser":null,"chips":[2,null],"points":[null,null],"scores":[0,1],"seed":"s"}
{"seq":13,"type":"emote","what":{"type":"wave"},"seat":"me","at_ms":20,"meta":{"a":1}}
{"seq":14,"type":"comment","text":"<b>\u007f\\\"\n é e\u0301 😀","ref":3}
{"seq":15,"type":"game_end","winners":[],"reason":"abandoned","digest":"sha256:0"}
{"seq":16,"type":"game_end","winners":[0,1],"reason":"completed"}
{"type":"play","seq":"no event"}
not even JSON
""".lstrip().encode().replace(b"\\u007f", b"\x7f").replace(b"e\\u0301", "e\u0301".encode())  # fmt: skip


def lines_of(data):
    return list(finished_lines("a", read_lines(io.BytesIO(data)), LogNotes()))


def parquet_of(data):
    file = io.BytesIO()
    write_parquet(file, lines_of(data))
    return file.getvalue()


def read_back(path):
    return b"".join(line + b"\n" for line in read_parquet(path))


def read_here(path):
    return b"".join(line + b"\n" for line in read_parquet_here(path))


@pytest.fixture
def whole(tmp_path):
    path = tmp_path / "a.parquet"
    path.write_bytes(parquet_of(EVERYTHING))
    return path


def test_every_kind_of_line_comes_back_as_it_was(whole):
    assert read_back(whole) == EVERYTHING
    assert is_parquet(whole)


def test_every_key_of_the_format_has_a_column():
    keys = {key.name for own in KEYS.values() for key in own}
    assert keys <= set(SCHEMA.names)


def test_columns_can_be_asked(whole):
    table = pq.read_table(whole)
    assert set(table["game_id"].to_pylist()) == {"k\x01Ω"}
    plays = [row for row in table.to_pylist() if row["type"] == "play"]
    assert [(row["seat"], row["card"], row["extra"]) for row in plays] == [(0, "7", '{"colour":"red"}')]
    assert table["cards"].to_pylist()[4] == ["7", "?", "ono_99", "-10"]


def test_no_line_at_all(tmp_path):
    path = tmp_path / "a.parquet"
    path.write_bytes(parquet_of(b""))
    assert read_back(path) == b""


def test_the_same_events_give_the_same_bytes():
    assert parquet_of(EVERYTHING) == parquet_of(EVERYTHING)


def test_big_lines_make_small_row_groups(tmp_path):
    path = tmp_path / "a.parquet"
    with path.open("wb") as file:
        write_parquet(file, [Comment(seq=n, text=f"{n}" + "x" * (1 << 20)) for n in range(40)])
    assert pq.ParquetFile(path).num_row_groups > 1
    assert sum(1 for _ in read_parquet(path)) == 40


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63), 2**63 - 1) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.dictionaries(st.sampled_from(["seat", "hand", "x", "", "line", "extra"]), JSON), max_size=5)
)
def test_objects_of_any_kind_come_back(tmp_path_factory, objects):
    path = tmp_path_factory.mktemp("parquet") / "a.parquet"
    events = [Comment(seq=n, text="t", extra=one or {"y": 1}, meta=one) for n, one in enumerate(objects)]
    with path.open("wb") as file:
        write_parquet(file, events)
    assert read_here(path) == encode_game(events)


class TestDamage:
    def test_no_flipped_bit_is_read_as_another_log(self, whole, tmp_path):
        data = whole.read_bytes()
        path = tmp_path / "b.parquet"
        refused = 0
        for place in range(0, 8 * len(data), 8 * len(data) // 600 + 1):
            flipped = bytearray(data)
            flipped[place // 8] ^= 1 << place % 8
            path.write_bytes(flipped)
            try:
                assert read_here(path) == EVERYTHING
            except Unreadable:
                refused += 1
        assert refused > 200

    def test_every_truncation_is_refused(self, whole, tmp_path):
        data = whole.read_bytes()
        path = tmp_path / "b.parquet"
        for length in range(0, len(data), len(data) // 200 + 1):
            path.write_bytes(data[:length])
            with pytest.raises(Unreadable, match="damaged"):
                read_here(path)

    def test_in_a_process_of_its_own_the_reason_is_the_same(self, whole, tmp_path):
        path = tmp_path / "b.parquet"
        path.write_bytes(whole.read_bytes()[:-100])
        with pytest.raises(Unreadable, match=r"b\.parquet: the Parquet file is damaged"):
            read_back(path)

    def test_a_reader_that_breaks_down_is_a_plain_reason(self, whole, monkeypatch):
        monkeypatch.setattr(sys, "executable", "/bin/false")
        with pytest.raises(Unreadable, match=r"the reader broke down on it \(status 1\)"):
            read_back(whole)

    def test_the_process_ends_when_nobody_reads_on(self, whole, monkeypatch):
        started = []
        popen = subprocess.Popen

        def start(*arguments, **options):
            started.append(popen(*arguments, **options))
            return started[-1]

        monkeypatch.setattr(subprocess, "Popen", start)
        lines = read_parquet(whole)
        next(lines)
        assert isinstance(lines, Generator)
        lines.close()
        assert started[0].returncode is not None


def table_of(rows, **columns):
    return pa.Table.from_arrays(
        [columns[field.name] if field.name in columns else pa.nulls(rows, field.type) for field in SCHEMA],
        schema=SCHEMA,
    )


def many(value, times):
    return pa.DictionaryArray.from_arrays(pa.array([0] * times, pa.int32()), pa.array([value])).cast(
        pa.string()
    )


class TestHostile:
    def refused(self, tmp_path, table, words, **options):
        path = tmp_path / "a.parquet"
        pq.write_table(table, path, compression="zstd", write_page_checksum=True, **options)
        with pytest.raises(Unreadable, match=words):
            read_back(path)

    def test_other_columns(self, tmp_path):
        self.refused(tmp_path, pa.table({"a": [1]}), "other columns than a log has")

    def test_another_layout(self, tmp_path):
        table = table_of(0).replace_schema_metadata({"ono-log-layout": "2"})
        self.refused(tmp_path, table, "has layout b'2'; layout 1 is read here")

    def test_a_digest_that_is_missing(self, tmp_path):
        one = {"seq": pa.array([1]), "type": pa.array(["draw"])}
        self.refused(tmp_path, table_of(1, **one), "not those that were written")

    @pytest.mark.parametrize(
        ("columns", "words"),
        [
            ({"seq": pa.array([1])}, "no seq or no type"),
            ({"type": pa.array(["play"])}, "no seq or no type"),
            ({}, "no column"),
            ({"line": pa.array([b"a\nb"])}, "a row is no line"),
            ({"line": pa.array([b"x" * (1 << 21)])}, "a row is no line"),
        ],
    )
    def test_a_row_that_is_none(self, tmp_path, columns, words):
        self.refused(tmp_path, table_of(1, **columns), words)

    @pytest.mark.parametrize(
        ("name", "text", "words"),
        [
            ("meta", "{", "holds no JSON"),
            ("meta", '1}\n{"a":1', "holds no JSON"),
            ("meta", '1,"b":2', "holds no JSON"),
            ("meta", "[" * 1000, "holds no JSON"),
            ("meta", "NaN", "holds no JSON"),
            ("extra", "[1]", "no further keys"),
            ("extra", '{"seq":7}', "no further keys"),
        ],
    )
    def test_json_that_is_none(self, tmp_path, name, text, words):
        row = {"seq": pa.array([1]), "type": pa.array(["discard_four"]), name: pa.array([text])}
        self.refused(tmp_path, table_of(1, **row), words)

    def test_a_text_that_unpacks_far(self, tmp_path):
        row = {"seq": pa.array([1] * 20), "type": many("comment", 20), "text": many("x" * (20 << 20), 20)}
        self.refused(tmp_path, table_of(20, **row), "more memory than a log of this layout may")

    def test_a_list_that_unpacks_far(self, tmp_path):
        cards = pa.ListArray.from_arrays(pa.array([0, 30_000_000], pa.int32()), many("7", 30_000_000))
        row = {"seq": pa.array([1]), "type": pa.array(["deal"]), "cards": cards}
        self.refused(tmp_path, table_of(1, **row), "more memory than a log of this layout may")

    def test_rows_without_end(self, tmp_path):
        self.refused(tmp_path, table_of(3_000_000), "no column")

    @pytest.mark.parametrize(
        "content", [b"", b"PAR1", b"PAR1" * 10, b"ARROW1\0\0" * 10, b"PAR1" + b"\xff" * 500 + b"PAR1"]
    )
    def test_no_parquet_at_all(self, tmp_path, content):
        path = tmp_path / "a.parquet"
        path.write_bytes(content)
        with pytest.raises(Unreadable, match="damaged"):
            read_back(path)

    def test_a_folder_and_a_pipe(self, tmp_path):
        os.mkfifo(tmp_path / "pipe")
        for name, words in (("pipe", "named pipe"), (".", "a folder"), ("nothing", "No such file")):
            with pytest.raises(Unreadable, match=words):
                read_back(tmp_path / name)

    def test_what_lies_in_the_folder_is_not_imported(self, whole, tmp_path, monkeypatch):
        (tmp_path / "pyarrow.py").write_text("raise SystemExit('imported')", encoding="utf-8")
        monkeypatch.chdir(tmp_path)
        assert read_back(whole.name) == EVERYTHING


def test_without_pyarrow_it_says_what_is_missing(whole, monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda _name: None)
    with pytest.raises(ModuleNotFoundError) as missing:
        read_back(whole)
    assert missing.value.name == "pyarrow"


def test_the_columns_stand_in_the_specification():
    page = (bundle_path("schemas") / "CONVERSION.md").read_text(encoding="utf-8")
    table = page.partition("| columns | type |")[2].partition("\n\n")[0]
    kinds = {"string": pa.string(), "int64": pa.int64(), "bool": pa.bool_(), "binary": pa.binary()}
    kinds |= {"list of string": pa.list_(pa.string()), "list of int64": pa.list_(pa.int64())}
    told: dict[str, pa.DataType] = {}
    for row in table.splitlines()[2:]:
        names, kind = row.strip("| ").split(" | ")
        told |= dict.fromkeys(re.findall(r"`(\w+)`", names), kinds[kind.partition(":")[0]])
    assert told == dict(zip(SCHEMA.names, SCHEMA.types, strict=True))


def test_a_bomb_of_rows_is_refused(tmp_path, monkeypatch):
    """Rows that are all alike and fit into memory one by one; what counts as far is less here."""
    path = tmp_path / "bomb.parquet"
    line = b'{"seq":1,"type":"comment","text":"' + b"x" * 1000 + b'"'
    with path.open("wb") as file:
        write_parquet(file, (line for _ in range(8000)))
    monkeypatch.setattr("ono_replay.log.arrow.BOMB_BYTES", 1 << 20)
    with pytest.raises(Unreadable, match="bomb"):
        list(read_parquet_here(path))
