"""The views as Arrow tables and Parquet files: types, encodings, rows to columns."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from ono_replay.library.columns import VIEWS, Column

_TYPES: dict[str, Any] = {
    "VARCHAR": pa.string(),
    "INTEGER": pa.int32(),
    "BIGINT": pa.int64(),
    "BOOLEAN": pa.bool_(),
    "TIMESTAMP": pa.timestamp("us"),
    "BLOB": pa.binary(),
}
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
        "total",
        "total_before",
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
    """Open a Parquet file for the rows of a view; `close` it when they are written."""
    schema = SCHEMAS[name]
    return pq.ParquetWriter(
        path,
        schema,
        compression="zstd",
        compression_level=9,
        use_dictionary=[_leaf(field) for field in schema if field.name not in _PLAIN],
        write_page_checksum=True,
    )


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
