"""A library opened for reading: SQL views in an in-memory DuckDB, of the library as it stands."""

import contextlib
import re
import threading
import weakref
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import duckdb

from ono_replay.library.columns import VIEWS, View
from ono_replay.library.manifest import LibraryFault, Manifest, Snapshot

Params = Sequence[Any] | Mapping[str, Any] | None


class Library:
    """A folder of recorded games, to be asked in SQL; any number of them, also while an import runs.

    Raises `LibraryFault` where there is no library. Threads may share one.

    >>> import tempfile
    >>> from ono_replay.library.manifest import Writing
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     Writing(Path(folder), create=True).__exit__()
    ...     with Library(folder) as library:
    ...         library.query("select count(*) as games from games").to_pylist()
    [{'games': 0}]
    """

    def __init__(self, path: str | Path) -> None:
        """Open the library."""
        self.path = Path(path)
        self._guard = threading.Lock()
        self._snapshot = Snapshot(self.path)
        self._connection: duckdb.DuckDBPyConnection | None = None

    @property
    def manifest(self) -> Manifest:
        """The contents as of the last `refresh`."""
        return self._snapshot.manifest

    def connect(self) -> duckdb.DuckDBPyConnection:
        """Return a connection of its own with the views of the newest state; its files stay while it lives.

        One connection is for one thread; `cursor()` of it for each of several.
        """
        snapshot = Snapshot(self.path)
        connection = connect_to(snapshot)
        # The parts may be cleared away once nobody holds this snapshot.
        weakref.finalize(connection, snapshot.close)
        return connection

    def query(self, sql: str, parameters: Params = None) -> Any:
        """Return the answer to a query as an Arrow table, from the newest state of the library.

        Raises `duckdb.Error` for a query that is wrong, `LibraryFault` for files that can't be read.
        """
        with plain_faults(self.path):
            return self.cursor().sql(sql, params=parameters).to_arrow_table()

    def cursor(self) -> duckdb.DuckDBPyConnection:
        """Return a cursor on the newest state of the library."""
        with self._guard:
            if self._connection is None or not self._snapshot.is_newest:
                if not self._snapshot.is_newest:
                    self._snapshot = Snapshot(self.path)
                snapshot = self._snapshot
                self._connection = connect_to(snapshot)
                weakref.finalize(self._connection, snapshot.close)
            cursor = self._connection.cursor()
            # A cursor at work keeps the files of its connection, also when a newer one has taken its place.
            weakref.finalize(cursor, _let_go, self._connection)
            return cursor

    def close(self) -> None:
        """Close the connection behind `query`; those of `connect` stay open."""
        with self._guard:
            if self._connection is not None:
                self._connection.close()
                self._connection = None
            self._snapshot.close()

    def __enter__(self) -> "Library":
        """Return this."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close."""
        self.close()


def _let_go(_connection: duckdb.DuckDBPyConnection) -> None:
    """Be the last to know a connection."""


@contextlib.contextmanager
def plain_faults(folder: Path) -> Iterator[None]:
    """Raise what DuckDB says of the files of a library as a `LibraryFault`; other errors of DuckDB as they are.

    >>> with plain_faults(Path("games")):
    ...     raise duckdb.IOException("No magic bytes found")
    Traceback (most recent call last):
    ono_replay.library.manifest.LibraryFault: games: No magic bytes found; `ono-replay library check` tells more
    """
    try:
        yield
    except duckdb.Error as error:
        # What its Parquet reader stumbles over has no class of its own.
        of_files = (duckdb.IOException, duckdb.InternalException, duckdb.SerializationException)
        if not (isinstance(error, of_files) or type(error) is duckdb.Error or ".parquet" in str(error)):
            raise
        raise _fault(folder, error) from None


def _fault(folder: Path, error: duckdb.Error) -> LibraryFault:
    words = str(error).strip().splitlines() or [type(error).__name__]
    return LibraryFault(f"{folder}: {words[0]}; `ono-replay library check` tells more")


def connect_to(snapshot: Snapshot) -> duckdb.DuckDBPyConnection:
    """Return an in-memory DuckDB with the views of a snapshot."""
    connection = plain_connection()
    create_views(connection, snapshot)
    return connection


def plain_connection() -> duckdb.DuckDBPyConnection:
    """Return an in-memory DuckDB that loads no extension and sees no variable of Python."""
    settings: dict[str, str | bool | int | float | list[str]] = {
        "autoinstall_known_extensions": "false",
        "autoload_known_extensions": "false",
        "python_enable_replacements": "false",
    }
    connection = duckdb.connect(":memory:", config=settings)
    connection.execute("set parquet_metadata_cache = true")
    return connection


def create_views(connection: duckdb.DuckDBPyConnection, snapshot: Snapshot) -> None:
    """Make the views of a snapshot in a connection."""
    for view in VIEWS:
        try:
            connection.execute(view_sql(view, snapshot.paths(view.name), snapshot.manifest.aliases))
        except duckdb.OutOfMemoryException:
            raise
        except duckdb.Error as error:
            raise _fault(snapshot.folder, error) from None


def view_sql(view: View, paths: Sequence[Path], aliases: Mapping[str, str]) -> str:
    """Return the statement that makes a view over its files.

    >>> from ono_replay.library.columns import VIEW
    >>> view_sql(VIEW["findings"], [], {})[:56]
    'create view "findings" as select null::VARCHAR as "game_'
    """
    name = quoted(view.name)
    if not paths:
        nothing = ", ".join(f"null::{column.type} as {quoted(column.name)}" for column in view.columns)
        return f"create view {name} as select {nothing} where false"
    columns = [quoted(column.name) for column in view.columns]
    if view.name == "players" and aliases:
        columns[view.names.index("player")] = "coalesce(alias.who, player) as player"
    files = ", ".join(text(pattern(str(path))) for path in paths)
    source = f"read_parquet([{files}], hive_partitioning = false)"
    if view.name == "players" and aliases:
        pairs = ", ".join(f"({text(known)}, {text(who)})" for known, who in aliases.items())
        source += f" left join (values {pairs}) as alias (known, who) on alias.known = player"
    return f"create view {name} as select {', '.join(columns)} from {source}"


def quoted(name: str) -> str:
    """Return a name as SQL takes it.

    >>> quoted("match")
    '"match"'
    """
    return '"' + name.replace('"', '""') + '"'


def text(value: str) -> str:
    """Return a string as an SQL literal.

    >>> text("Ann's")
    "'Ann''s'"
    """
    return "'" + value.replace("'", "''") + "'"


def pattern(path: str) -> str:
    """Return a path as DuckDB's patterns have it, so that it means this file and no other.

    >>> pattern("games [1]/a.parquet")
    'games [[]1]/a.parquet'
    """
    return re.sub(r"[*?[]", lambda found: f"[{found[0]}]", path)
