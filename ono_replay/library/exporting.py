"""Out of a library: logs, byte for byte; one DuckDB file; tables for spreadsheets."""

import contextlib
import secrets
import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, Literal, get_args

import duckdb
import msgspec

from ono_replay.library.answers import render
from ono_replay.library.columns import VIEWS
from ono_replay.library.manifest import LibraryFault, snapshot
from ono_replay.library.parts import sync_file
from ono_replay.library.selection import BadQuestion, ids_of
from ono_replay.library.store import Library, plain_faults, quoted, text
from ono_replay.library.stored import read_logs
from ono_replay.log.jsonl import write_events
from ono_replay.log.lines import one_or_many
from ono_replay.log.output import Unwritable, check_free, log_writer, sync_folder

Form = Literal["jsonl", "duckdb", "csv"]
FORMS: Final[tuple[Form, ...]] = get_args(Form)


class LibraryExport(msgspec.Struct, frozen=True):
    """What a library was written as."""

    form: Form
    games: int


def export_library(
    folder: str | Path, out: str | Path, form: Form | None = None, *, overwrite: bool = False
) -> LibraryExport:
    """Write a whole library as a log, one DuckDB file or CSV files, and return what was written.

    Without `form` the name of `out` tells it: `.jsonl`, also packed, and `-`, standard output, are a log, `.duckdb` a
    DuckDB file. CSV files go into a new folder, a file a view. All of it appears whole or not at all, and a file that
    exists stays unless `overwrite` is given; a folder always does. Raises `Unwritable`, `LibraryFault`.

    >>> import tempfile
    >>> from ono_replay.bundle import bundle_path
    >>> from ono_replay.library.importing import import_logs
    >>> with tempfile.TemporaryDirectory() as at:
    ...     _ = import_logs([bundle_path("sample_logs") / "ok" / "2022-online.ono.jsonl"], f"{at}/games", jobs=1)
    ...     export_library(f"{at}/games", f"{at}/all.ono.jsonl.gz")
    LibraryExport(form='jsonl', games=1)
    """
    chosen = form or _form_of(out)
    if chosen not in FORMS:
        raise Unwritable(f"there is no form {chosen!r}: {', '.join(FORMS)}")
    if chosen == "jsonl":
        check_free(out, overwrite=overwrite)
        return LibraryExport(chosen, export_log(folder, out))
    if str(out) == "-":
        raise Unwritable("-: only a log can go to standard output; name a file, or for CSV a new folder")
    if chosen == "duckdb":
        return LibraryExport(chosen, export_duckdb(folder, out, overwrite=overwrite))
    return LibraryExport(chosen, export_csv(folder, out))


def _form_of(out: str | Path) -> Form:
    name = Path(out).name
    if name.endswith(".duckdb"):
        return "duckdb"
    if ".jsonl" in name or str(out) == "-":
        return "jsonl"
    raise Unwritable(f"{out}: say --format jsonl, duckdb or csv")


def extract_games(
    folder: str | Path,
    out: str | Path,
    *,
    where: str | None = None,
    games: str | Iterable[str] | None = None,
    overwrite: bool = False,
) -> int:
    """Write some games of a library as a log, in the order of their ids, and return how many.

    They are chosen by a condition over the columns of `games` in SQL, or by one or many ids. The log is packed as its
    name says, `-` is standard output; it appears whole or not at all, and one that exists stays unless `overwrite`
    is given. Raises `BadQuestion` for no choice or two, `BadCondition`, `Unwritable`, and `LibraryFault`, also for an
    id that no game has.

    >>> import tempfile
    >>> from ono_replay.bundle import bundle_path
    >>> from ono_replay.library.importing import import_logs
    >>> with tempfile.TemporaryDirectory() as at:
    ...     _ = import_logs(bundle_path("sample_logs") / "ok" / "2022-online.ono.jsonl", f"{at}/games", jobs=1)
    ...     extract_games(f"{at}/games", f"{at}/some.ono.jsonl", where="edition = '2022' and n_players < 9")
    1
    """
    if (where is None) == (games is None):
        raise BadQuestion("say which games: --where, or --game once or more")
    check_free(out, overwrite=overwrite)
    ids = must_have(folder, games or ()) if where is None else ids_where(folder, where)
    return export_log(folder, out, ids)


def ids_where(folder: str | Path, where: str) -> list[str]:
    """Return the ids of the games that an SQL condition over the columns of `games` holds for, in order.

    Raises `conditions.BadCondition`, `LibraryFault`.
    """
    with plain_faults(Path(folder)), Library(folder) as library, library.cursor() as cursor:
        return ids_of(cursor, where)


def export_log(folder: str | Path, out: str | Path, ids: str | Iterable[str] | None = None) -> int:
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


def export_duckdb(folder: str | Path, out: str | Path, *, overwrite: bool = False) -> int:
    """Write all views as tables of one DuckDB file, whole or not at all; return how many games are in it.

    Raises `Unwritable`, also for a file that exists unless `overwrite` is given, and `LibraryFault`.
    """
    target = Path(out)
    check_free(target, overwrite=overwrite)
    with plain_faults(Path(folder)), Library(folder) as library, _draft_of(target) as draft:
        connection = library.connect()
        connection.execute(f"attach {text(str(draft))} as exported")
        for view in VIEWS:
            order = ", ".join(quoted(name.strip()) for name in view.order.split(","))
            name = quoted(view.name)
            connection.execute(f"create table exported.{name} as select * from {name} order by {order}")
        games = connection.execute("select count(*) from exported.games").fetchall()
        connection.execute("detach exported")
        connection.close()
    return int(games[0][0])


def export_csv(folder: str | Path, out: str | Path) -> int:
    """Write all views as CSV files into a new folder, whole or not at all; return how many games are in them.

    No cell is a formula to a spreadsheet. Raises `Unwritable`, also for a folder that exists, and `LibraryFault`.
    """
    with plain_faults(Path(folder)), Library(folder) as library, _draft_folder_of(Path(out)) as draft:
        connection = library.connect()
        for view in VIEWS:
            answer = connection.execute(f"from {quoted(view.name)} order by {view.order}")
            with log_writer(draft / f"{view.name}.csv") as file:
                file.writelines(render(answer, "csv"))
        games = connection.execute("select count(*) from games").fetchall()
        connection.close()
    return int(games[0][0])


@contextlib.contextmanager
def _draft_folder_of(target: Path) -> Iterator[Path]:
    """A new folder beside another name, which it takes when the block ends well."""
    if target.exists():
        raise Unwritable(f"{target}: is there already; name a new folder")
    draft = _draft_name(target)
    try:
        draft.mkdir(parents=True)
        yield draft
        sync_folder(draft)
        draft.rename(target)
        sync_folder(target.parent)
    except Unwritable as error:
        raise Unwritable(str(error).replace(str(draft), str(target))) from None
    except OSError as error:
        raise Unwritable(f"{target}: {error.strerror or error}") from None
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def _draft_name(target: Path) -> Path:
    return target.with_name(f".{target.name[:100]}.{secrets.token_hex(6)}")


@contextlib.contextmanager
def _draft_of(target: Path) -> Iterator[Path]:
    """A name beside a file, which takes its place when the block ends well."""
    draft = _draft_name(target)
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


def must_have(folder: str | Path, ids: str | Iterable[str]) -> list[str]:
    """Return one or many ids, each once; raises `LibraryFault` for one that no game of a library has."""
    wanted = list(dict.fromkeys(one_or_many(ids)))
    with Library(folder) as library:
        found = library.query(
            "select game_id from games where list_contains($ids, game_id)", {"ids": wanted}
        ).column(0)
    missing = [game_id for game_id in wanted if game_id not in set(found.to_pylist())]
    if missing:
        raise LibraryFault(f"no game has the id {missing[0]!r}")
    return wanted
