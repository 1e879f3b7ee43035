"""The views as Arrow tables and Parquet files: types, encodings, rows to columns."""

import base64
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from ono_replay.library.columns import VIEWS, Column
from ono_replay.log.arrow import ParquetOutput
from ono_replay.rules.cards import DISCARD_FOUR, ORDER

_TYPES: dict[str, Any] = {
    "VARCHAR": pa.string(),
    "INTEGER": pa.int32(),
    "BIGINT": pa.int64(),
    "BOOLEAN": pa.bool_(),
    "TIMESTAMP": pa.timestamp("us"),
    "BLOB": pa.binary(),
}
LEVEL = 1
"""How hard files are compressed: more costs time and saves next to no room."""
PAGE_ROWS = 1 << 20
"""The most rows of a page, and those written at a time: fewer take more time, and more room."""
_SMALLEST, _LARGEST = -(2**63), 2**63 - 1

HIDDEN_COLUMNS: dict[str, tuple[Column, ...]] = {
    "quarantine": (
        Column("report", "VARCHAR", "JSON: the validator's report"),
        Column("content", "BLOB", "the bytes, as they stood in the file"),
    ),
}
"""Columns of the files that the views leave out."""


def arrow_type(name: str) -> Any:
    """Return the Arrow type of a DuckDB type.

    >>> str(arrow_type("VARCHAR[][]"))
    'list<item: list<item: string>>'
    """
    return pa.list_(arrow_type(name[:-2])) if name.endswith("[]") else _TYPES[name]


SCHEMAS: dict[str, Any] = {
    view.name: pa.schema(
        [
            (column.name, arrow_type(column.type))
            for column in (*view.columns, *HIDDEN_COLUMNS.get(view.name, ()))
        ]
    )
    for view in VIEWS
}
"""The Arrow schema of the files of each view."""

_PLAIN = frozenset(
    {
        "content",
        "report",
        "rest",
        "log_digest",
        "play_hash",
        "table_hash",
        "head_hash",
        "digest",
        "key",
    }
)
"""Columns that are smaller without a dictionary."""


_FILLED = 1 << 7
TOKENS = pa.array([*ORDER, DISCARD_FOUR, *(f"no card {place}" for place in range(_FILLED))])
"""Everything that columns of cards hold: the one dictionary of all of them.

What is no card fills it up until a place in it takes eight bits: whole bytes are compressed to less than half of
what is left of five bits each.
"""
_OF_TOKENS = frozenset({"card", "cards", "hand", "hands", "legal", "set_by_card"})


def _written_type(name: str, kind: Any) -> Any:
    """Return the type that a column has on its way to a file: words are places in a dictionary."""
    if pa.types.is_list(kind):
        return pa.list_(_written_type(name, kind.value_type))
    if not pa.types.is_string(kind) or name in _PLAIN or (name not in _OF_TOKENS and name == "codes"):
        return kind
    return pa.dictionary(pa.uint8() if name in _OF_TOKENS else pa.int32(), kind)


_WRITTEN: dict[str, Any] = {
    name: pa.schema([(field.name, _written_type(field.name, field.type)) for field in schema])
    for name, schema in SCHEMAS.items()
}


def tokens(places: Any) -> Any:
    """Return cards, each its place in `TOKENS`, as a column.

    >>> tokens(pa.array([0, None, 17], pa.uint8())).to_pylist()
    ['0', None, '?']
    """
    return pa.DictionaryArray.from_arrays(places, TOKENS)


def token_lists(offsets: Any, places: Any, mask: Any = None) -> Any:
    """Return lists of cards as a column; a list goes from one offset to the next, `mask` is true where it is null."""
    held = None if mask is None or not mask.any() else pa.array(mask)
    return pa.ListArray.from_arrays(pa.array(offsets), tokens(pa.array(places.astype("uint8"))), mask=held)


def as_written(name: str, table: Any) -> Any:
    """Return the rows of a view with the words of its columns as places in dictionaries."""
    wanted = _WRITTEN[name]
    columns = [
        column
        if column.type == field.type
        else pa.chunked_array([_encoded(chunk, field.type) for chunk in column.chunks], field.type)
        for column, field in zip(table.columns, wanted, strict=True)
    ]
    return pa.Table.from_arrays(columns, schema=wanted)


def _encoded(column: Any, kind: Any) -> Any:
    if column.type == kind:
        return column
    if pa.types.is_list(kind):
        # Without what a slice leaves out of sight.
        inner = _encoded(column.flatten(), kind.value_type)
        sizes = pc.fill_null(pc.list_value_length(column), 0)
        ends = pc.cumulative_sum(sizes)
        offsets = pa.concat_arrays([pa.array([0], pa.int32()), ends])
        return pa.ListArray.from_arrays(offsets, inner, mask=column.is_null() if column.null_count else None)
    if kind.index_type == pa.uint8():
        if pa.types.is_dictionary(column.type):
            column = column.dictionary_decode()
        places = pc.index_in(column, TOKENS)
        assert places.null_count == column.null_count, "a card that is none"
        return tokens(places.cast(pa.uint8()))
    return column.cast(kind) if pa.types.is_dictionary(column.type) else column.dictionary_encode()


def table_of(name: str, rows: Sequence[tuple[Any, ...]]) -> Any:
    """Return rows of a view as an Arrow table; a number past 64 bits becomes the largest there is.

    >>> table_of("findings", [("a", "ONO205", "warning", 2)]).num_rows
    1
    """
    schema = SCHEMAS[name]
    columns = zip(*rows, strict=True) if rows else [()] * len(schema)
    arrays = [_array(list(column), kind) for column, kind in zip(columns, schema.types, strict=True)]
    return pa.Table.from_arrays(arrays, schema=schema)


def _array(values: list[Any], kind: Any) -> Any:
    try:
        return pa.array(values, kind)
    except OverflowError:
        # Sums of the absurd numbers that an irregular game may hold.
        return pa.array([None if v is None else max(_SMALLEST, min(_LARGEST, v)) for v in values], kind)


def open_writer(path: Path, name: str) -> Any:
    """Open a Parquet file for the rows of a view, as `as_written` gives them; `close` it when they are written."""
    schema = SCHEMAS[name]
    writer = ParquetOutput(
        path,
        _WRITTEN[name],
        compression="zstd",
        compression_level=LEVEL,
        use_dictionary=[_leaf(field) for field in schema if field.name not in _PLAIN],
        # Every group of rows has all kinds of cards: the least and the greatest tell nothing, and are dear to find.
        write_statistics=[_leaf(field) for field in schema if field.name not in _OF_TOKENS],
        write_batch_size=PAGE_ROWS,
        max_rows_per_page=PAGE_ROWS,
        write_page_checksum=True,
        store_schema=False,
    )
    # Whoever reads it gets words, not places.
    told = base64.b64encode(schema.serialize().to_pybytes())
    writer.add_key_value_metadata({"ARROW:schema": told.decode()})
    return writer


def _leaf(field: Any) -> str:
    """Return the name of a column as Parquet has it."""
    name, kind = field.name, field.type
    while pa.types.is_list(kind):
        name, kind = f"{name}.list.element", kind.value_type
    return str(name)


def read_tables(paths: Iterable[Path], name: str, columns: Sequence[str] | None = None) -> Any:
    """Return the rows of files as one Arrow table; their checksums are verified."""
    tables = [pq.read_table(path, columns=columns, page_checksum_verification=True) for path in paths]
    if not tables:
        table = SCHEMAS[name].empty_table()
        return table if columns is None else table.select(columns)
    return pa.concat_tables(tables)
