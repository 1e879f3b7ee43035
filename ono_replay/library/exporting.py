"""Out of a library: logs, byte for byte; one DuckDB file; tables for spreadsheets."""

import contextlib
import secrets
from collections.abc import Iterable, Iterator
from pathlib import Path

import duckdb

from ono_replay.library.answers import render
from ono_replay.library.columns import VIEWS
from ono_replay.library.manifest import LibraryFault, snapshot
from ono_replay.library.parts import sync_file
from ono_replay.library.selection import ids_of
from ono_replay.library.store import Library, plain_faults, quoted, text
from ono_replay.library.stored import read_logs
from ono_replay.log.jsonl import write_events
from ono_replay.log.output import Unwritable, log_writer, sync_folder


def ids_where(folder: str | Path, where: str) -> list[str]:
    """Return the ids of the games that an SQL condition over the columns of `games` holds for, in order.

    Raises `conditions.BadCondition`, `LibraryFault`.
    """
    with plain_faults(Path(folder)), Library(folder) as library, library.cursor() as cursor:
        return ids_of(cursor, where)


def export_log(folder: str | Path, out: str | Path, ids: Iterable[str] | None = None) -> int:
    """Write games as one log, as they are when finished, in the order of their ids; return how many.

    `out` is packed as its name says, `-` is standard output; `ids` are the games, None is all. Raises
    `Unwritable`, `LibraryFault`.
    """
    games = 0
    with snapshot(Path(folder)) as found, log_writer(out) as file:
        for _, events in read_logs(found, ids):
            write_events(events, file)
            games += 1
    return games


def export_duckdb(folder: str | Path, out: str | Path, *, replace: bool = False) -> None:
    """Write all views as tables of one DuckDB file, whole or not at all; `replace` one that is there.

    Raises `Unwritable`, `LibraryFault`.
    """
    target = Path(out)
    with plain_faults(Path(folder)), _draft_of(target, replace=replace) as draft, Library(folder) as library:
        connection = library.connect()
        connection.execute(f"attach {text(str(draft))} as exported")
        for view in VIEWS:
            order = ", ".join(quoted(name.strip()) for name in view.order.split(","))
            name = quoted(view.name)
            connection.execute(f"create table exported.{name} as select * from {name} order by {order}")
        connection.execute("detach exported")
        connection.close()


def export_csv(folder: str | Path, out: str | Path) -> None:
    """Write all views as CSV files into a new folder; no cell is a formula to a spreadsheet."""
    target = Path(out)
    try:
        target.mkdir(parents=True)
    except FileExistsError:
        raise Unwritable(f"{out}: is there already; name a new folder") from None
    with plain_faults(Path(folder)), Library(folder) as library:
        for view in VIEWS:
            answer = library.cursor().execute(f"from {quoted(view.name)} order by {view.order}")
            with log_writer(target / f"{view.name}.csv") as file:
                file.writelines(render(answer, "csv"))


@contextlib.contextmanager
def _draft_of(target: Path, *, replace: bool) -> Iterator[Path]:
    """A name beside a file, which takes its place when the block ends well."""
    if target.exists() and not (replace and target.is_file()):
        raise Unwritable(f"{target}: is there already; name a new file, or say --force")
    draft = target.with_name(f".{target.name[:100]}.{secrets.token_hex(6)}")
    try:
        yield draft
        sync_file(draft)
        draft.replace(target)
        sync_folder(target.parent)
    except duckdb.IOException as error:
        raise Unwritable(f"{target}: {str(error).splitlines()[0]}") from None
    except OSError as error:
        raise Unwritable(f"{target}: {error.strerror or error}") from None
    finally:
        for left in (draft, draft.with_name(draft.name + ".wal")):
            left.unlink(missing_ok=True)


def must_have(folder: str | Path, ids: Iterable[str]) -> list[str]:
    """Return ids, each once; raises `LibraryFault` for one that no game of a library has."""
    wanted = list(dict.fromkeys(ids))
    with Library(folder) as library:
        found = library.query(
            "select game_id from games where list_contains($ids, game_id)", {"ids": wanted}
        ).column(0)
    missing = [game_id for game_id in wanted if game_id not in set(found.to_pylist())]
    if missing:
        raise LibraryFault(f"no game has the id {missing[0]!r}")
    return wanted
