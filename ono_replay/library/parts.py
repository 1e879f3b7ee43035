"""Writing a part: rows of whole games in, Parquet files out, synced to the disk."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from ono_replay.library.columns import VIEWS
from ono_replay.library.tables import as_written, open_writer, table_of

GROUP_ROWS = 1 << 17
"""About the rows of a row group; it holds whole games."""
_BATCH = 1 << 14
_PIECES = 16
"""So many are written as they are: to make them one takes longer."""


class PartWriter:
    """Writes the rows of games to a draft folder, in the order they come; `close` returns how many there were."""

    def __init__(self, draft: Path) -> None:
        """Begin with no file; a view gets one with its first row."""
        self._draft = draft
        self._writers: dict[str, Any] = {}
        self._rows: dict[str, list[tuple[Any, ...]]] = {view.name: [] for view in VIEWS}
        self._tables: dict[str, list[Any]] = {view.name: [] for view in VIEWS}
        self._waiting = dict.fromkeys(self._rows, 0)
        self.counts = dict.fromkeys(self._rows, 0)

    def add(self, rows: Mapping[str, Sequence[tuple[Any, ...]]]) -> None:
        """Add the rows of one game."""
        for name, found in rows.items():
            waiting = self._rows[name]
            waiting.extend(found)
            self._count(name, len(found))
            if len(waiting) >= _BATCH:
                self._pack(name)
            self._flush_full(name)

    def add_table(self, name: str, table: Any) -> None:
        """Add rows of whole games as an Arrow table."""
        self._pack(name)
        self._tables[name].append(table)
        self._count(name, table.num_rows)
        self._flush_full(name)

    def _count(self, name: str, rows: int) -> None:
        self._waiting[name] += rows
        self.counts[name] += rows

    def _pack(self, name: str) -> None:
        if self._rows[name]:
            self._tables[name].append(table_of(name, self._rows[name]))
            self._rows[name] = []

    def _flush_full(self, name: str) -> None:
        if self._waiting[name] >= GROUP_ROWS:
            self._flush(name)

    def _flush(self, name: str) -> None:
        self._pack(name)
        table = _as_one(pa.concat_tables([as_written(name, table) for table in self._tables[name]]))
        writer = self._writers.get(name)
        if writer is None:
            writer = self._writers[name] = open_writer(self._draft / f"{name}.parquet", name)
        writer.write_table(table, row_group_size=max(1, table.num_rows))
        self._tables[name], self._waiting[name] = [], 0

    def close(self) -> dict[str, int]:
        """Write what is left, sync the files and return the rows by view."""
        for name in self._rows:
            if self._waiting[name]:
                self._flush(name)
        for name, writer in self._writers.items():
            writer.close()
            sync_file(self._draft / f"{name}.parquet")
        return self.counts


def _as_one(table: Any) -> Any:
    """Return a table whose columns have one dictionary each, and few pieces."""
    columns = [
        column.unify_dictionaries() if pa.types.is_dictionary(column.type) else column
        for column in table.columns
    ]
    unified = pa.Table.from_arrays(columns, schema=table.schema)
    return unified if unified.column(0).num_chunks <= _PIECES else unified.combine_chunks()


def sync_file(path: Path) -> None:
    """Return when a file is on disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
