"""How strong players are, game after game: the model of Weng & Lin for rankings, as the library openskill has it.

An import stores the ratings of all games that were played to their end and are regular, as `ratings.parquet` in the
library's folder: by game and seat, so that no name is in it. From the 512th game of a player on it keeps every second,
fourth … game, and always the newest, also of each day. It is used while it is of exactly the games that are there.
"""

import contextlib
import itertools
import secrets
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import duckdb
import msgspec
import pyarrow as pa
import pyarrow.parquet as pq

from ono_replay.library.columns import VIEW
from ono_replay.library.estimates import Answer, Row
from ono_replay.library.hashes import fingerprint
from ono_replay.library.intervals import Z
from ono_replay.library.manifest import Manifest
from ono_replay.library.measures import STATISTIC
from ono_replay.library.selection import BY, Options, check_by, groupings, select_games
from ono_replay.library.store import Library, plain_connection, plain_faults, view_sql
from ono_replay.log.output import sync_folder

FILE: Final = "ratings.parquet"
TIMES: Final = ("year", "month", "day")
"""Groupings that do not rate anew: they are moments of one course."""
_DENSE: Final = 9
_ALL: Final = 1 << _DENSE
"""So many first games of a player are all kept, then ever fewer."""
_BLOCK: Final = 1 << 16
_SCHEMA: Final = pa.schema(
    [("game_id", pa.string()), ("seat", pa.int32()), ("n", pa.int32()), ("mu", pa.float64()), ("sigma", pa.float64())]
)  # fmt: skip
_EXTENT: Final = b"ono_replay.extent"
_GAMES: Final = "(select * from games where completed and not irregular)"
_PLACE: Final = "coalesce(started, timestamp '9999-12-31'), imported, file, line, game_id"
_UP_TO: Final = f"row({_PLACE}) <= row(?::timestamp, ?::integer, ?::varchar, ?::bigint, ?::varchar)"

Rated = tuple[str, int, int, float, float]
"""After a game: its id, the seat, the games of the player so far, mu and sigma."""


class Seat(NamedTuple):
    """Who sat where in a game, and the day it was on (anything that tells days apart)."""

    game_id: str
    day: Any
    seat: int
    player: str
    won: bool


class _Standing(msgspec.Struct):
    rating: Any
    n: int = 0
    day: Any = None
    newest: Rated | None = None
    """Not yet given out."""


class _Uncopied(list[Any]):
    """The ratings before a game, which nobody needs after it: openskill would spend most of its time on a copy."""

    def __deepcopy__(self, _memo: object) -> "_Uncopied":
        return self


class Ladder:
    """Rates players game after game.

    >>> ladder = Ladder()
    >>> ladder.play([Seat("a", None, 0, "Ann", True), Seat("a", None, 1, "Bo", False)])
    []
    >>> [(seat, n, round(mu, 2)) for _, seat, n, mu, _ in ladder.newest()]
    [(0, 1, 27.64), (1, 1, 22.36)]
    """

    def __init__(self, players: Iterable[tuple[str, int, float, float]] = ()) -> None:
        """Begin with no one, or with players as they stand: name, games, mu and sigma."""
        from openskill.models import PlackettLuce

        self._model = PlackettLuce()
        self._players = {
            name: _Standing(self._model.rating(mu=mu, sigma=sigma), n) for name, n, mu, sigma in players
        }

    def play(self, seats: Sequence[Seat]) -> list[Rated]:
        """Rate a game; return rows of earlier games that are to be kept. Who sits alone or twice is not rated."""
        if len(seats) < 2 or len({seat.player for seat in seats}) < len(seats):
            return []
        players = [self._players.get(seat.player) or self._welcome(seat.player) for seat in seats]
        before = _Uncopied([player.rating] for player in players)
        after = self._model.rate(before, ranks=[0 if seat.won else 1 for seat in seats])
        kept = []
        for seat, player, (rating,) in zip(seats, players, after, strict=True):
            if player.newest is not None and (player.day != seat.day or is_kept(player.n)):
                kept.append(player.newest)
            player.rating, player.day = rating, seat.day
            player.n += 1
            player.newest = (seat.game_id, seat.seat, player.n, rating.mu, rating.sigma)
        return kept

    def _welcome(self, player: str) -> _Standing:
        standing = self._players[player] = _Standing(self._model.rating())
        return standing

    def newest(self) -> list[Rated]:
        """Return the newest row of each who played."""
        return [player.newest for player in self._players.values() if player.newest is not None]


def is_kept(n: int) -> bool:
    """Return whether the n-th game of a player is kept for good.

    >>> [n for n in range(1, 1100) if not is_kept(n)][:4], is_kept(1024), is_kept(1026)
    ([513, 515, 517, 519], True, False)
    """
    return n < _ALL or not n & ((1 << (n.bit_length() - _DENSE)) - 1)


def _rate(ladder: Ladder, found: duckdb.DuckDBPyConnection) -> list[Rated]:
    """Rate the games of a query that has been executed, whose rows are those of `Seat` in the order of time.

    Returns the rows that are kept for good.
    """

    def seats() -> Iterator[Seat]:
        while block := found.fetchmany(_BLOCK):
            yield from itertools.starmap(Seat, block)

    rows: list[Rated] = []
    for _, game in itertools.groupby(seats(), key=lambda seat: seat.game_id):
        rows.extend(ladder.play(list(game)))
    return rows


def _table(rows: Sequence[Rated]) -> Any:
    columns = zip(*rows, strict=True) if rows else [()] * len(_SCHEMA)
    arrays = [pa.array(column, kind) for column, kind in zip(columns, _SCHEMA.types, strict=True)]
    return pa.Table.from_arrays(arrays, schema=_SCHEMA)


# --- what is stored ---------------------------------------------------------------------------------------


class _Extent(msgspec.Struct, frozen=True):
    """Which games ratings are of."""

    model: str
    games: int
    digest: str
    """Over the games, their logs and who is meant by a name."""
    place: list[Any]
    """The place in time of the last game; empty without games."""


def refresh_ratings(folder: str | Path) -> bool:
    """Bring the stored ratings of a library up to date; return whether there was anything to do.

    Games that come after all others are added to what is there, else all are rated anew. A folder that can't be
    written to stays as it is. Raises `LibraryFault`.
    """
    with Library(folder) as library, library.cursor() as cursor:
        return _rated(library, cursor)[1]


class _Course:
    """All games of a library in the order of time, rated; what comes after them can be added."""

    def __init__(
        self, library: Library, cursor: duckdb.DuckDBPyConnection, stored: _Extent | None, table: Any
    ) -> None:
        """Rate the games that are not in a table of stored ratings; all, unless it is of the first of them."""
        place = [] if stored is None else stored.place
        if place and stored == _extent(cursor, library.manifest, place):
            cursor.register("rated", table)
            found = cursor.execute(
                "select player, max(n), arg_max(mu, n), arg_max(sigma, n) from rated "
                "join (select game_id, seat, player from players) using (game_id, seat) group by all"
            )
            self._stored, self._ladder = table, Ladder(found.fetchall())
        else:
            self._stored, self._ladder, place = _SCHEMA.empty_table(), Ladder(), []
        self._kept: list[Rated] = []
        self.add(cursor, after=place)

    def add(self, cursor: duckdb.DuckDBPyConnection, *, after: Sequence[Any] = ()) -> None:
        """Rate the games of a connection, or those of them after a place."""
        source = f"(select * from {_GAMES} where not {_UP_TO})" if after else _GAMES
        found = cursor.execute(
            f"select game_id, date_trunc('day', started), seat, player, won from {source} "
            f"join (select game_id, seat, player, won from players) using (game_id) order by {_PLACE}, seat",
            after,
        )
        self._kept += _rate(self._ladder, found)

    def table(self) -> Any:
        """Return the ratings."""
        return pa.concat_tables([self._stored, _table(self._kept + self._ladder.newest())])


def _rated(library: Library, cursor: duckdb.DuckDBPyConnection) -> tuple[Any, bool]:
    """Return the ratings of all games as a table, and whether that was not stored before."""
    stored, table = _read(library.path)
    now = _extent(cursor, library.manifest)
    if stored == now:
        return table, False
    table = _Course(library, cursor, stored, table).table()
    _write(library.path, now, table)
    return table, True


class RatingsOnTheWay:
    """Rates the games that an import adds while it runs, as long as they come in the order of time.

    `look` after each change, `finish` at the end, where all are rated anew if some did not come in order.
    """

    def __init__(self, folder: Path) -> None:
        """Begin before the first change."""
        self._folder = folder
        self._course: _Course | None = None
        self._games = 0
        self._place: list[Any] = []
        """Of the last game that is rated."""
        self._in_order = True

    def look(self, before: Manifest, now: Manifest) -> None:
        """Rate the games of the parts that a change has added."""
        known = {part.name for part in before.parts}
        added = tuple(part for part in now.parts if part.name not in known)
        # Where parts are gone, games may be.
        self._in_order &= len(known) + len(added) == len(now.parts)
        if not self._in_order:
            return
        new = msgspec.structs.replace(now, parts=added)
        with plain_faults(self._folder), plain_connection() as connection:
            for name in ("games", "players"):
                connection.execute(view_sql(VIEW[name], new.paths(self._folder, name), new.aliases))
            extent = _extent(connection, new)
            if not extent.games:
                return
            if self._course is None:
                with Library(self._folder) as library, library.cursor() as cursor:
                    self._course = _Course(library, cursor, *_read(self._folder))
                    extent = _extent(cursor, library.manifest)
            elif _extent(connection, new, self._place).games:
                self._in_order = False
                return
            else:
                self._course.add(connection)
        self._games += extent.games
        self._place = extent.place

    def finish(self) -> None:
        """Store the ratings."""
        if self._course is not None and self._in_order:
            with Library(self._folder) as library, library.cursor() as cursor:
                now = _extent(cursor, library.manifest)
            if (now.games, now.place) == (self._games, self._place):
                _write(self._folder, now, self._course.table())
                return
        refresh_ratings(self._folder)


def _extent(cursor: duckdb.DuckDBPyConnection, manifest: Manifest, up_to: Sequence[Any] = ()) -> _Extent:
    from openskill import __version__

    last = f"max(row({_PLACE}))"
    found = cursor.execute(
        f"select count(*), coalesce(sum(hash(game_id, log_digest)), 0)::varchar, {last} from {_GAMES}"
        + (f" where {_UP_TO}" if up_to else ""),
        up_to,
    ).fetchall()
    games, digest, place = found[0]
    values = [] if place is None else list(place.values() if isinstance(place, dict) else place)
    if values:
        values[0] = values[0].isoformat(sep=" ")
    aliases = msgspec.json.encode(sorted(manifest.aliases.items()))
    return _Extent(f"openskill {__version__}", games, fingerprint([aliases, digest.encode()]), values)


def _read(folder: Path) -> tuple[_Extent | None, Any]:
    """Return what is stored, and of which games; nothing where it is missing or damaged."""
    try:
        table = pq.read_table(folder / FILE, page_checksum_verification=True)
        extent = msgspec.json.decode((table.schema.metadata or {})[_EXTENT], type=_Extent)
        return extent, table.cast(_SCHEMA)
    except (OSError, pa.ArrowException, ValueError, KeyError, MemoryError):
        return None, None


def _write(folder: Path, extent: _Extent, table: Any) -> None:
    told = table.replace_schema_metadata({_EXTENT: msgspec.json.encode(extent)})
    draft = folder / f".draft-{secrets.token_hex(8)}"
    # It can be made again at any time: who may only read the library goes without.
    with contextlib.suppress(OSError):
        pq.write_table(told, draft, compression="zstd", write_page_checksum=True)
        draft.replace(folder / FILE)
        sync_folder(folder)


# --- the statistic ----------------------------------------------------------------------------------------


def rate(library: Library, options: Options) -> Answer:
    """Return how strong each player is after the last game, or after the last of each year, month or day."""
    statistic = STATISTIC["ratings"]
    asked = groupings(options)
    times = [name for name in asked if name in TIMES]
    others: Options = {**options, "by": [name for name in asked if name not in TIMES]}
    as_stored = not (
        others["by"] or options.get("where") or options.get("unfinished") or options.get("irregular")
    )
    with library.cursor() as cursor:
        check_by(asked, statistic.by)
        selected = select_games(cursor, others, statistic.by, in_time=not as_stored)
        rows: list[Row] = []
        for grp, values in selected.groups.items():
            table = _rated(library, cursor)[0] if as_stored else _anew(cursor, grp)
            group = dict(zip(selected.by, values, strict=True))
            rows.extend({**group, **row} for row in _standings(cursor, table, times))
    columns = (*selected.by, *times, *statistic.columns)
    return Answer(
        "ratings",
        columns,
        tuple({name: row[name] for name in columns} for row in rows),
        selected.games,
        selected.left_out,
    )


def _anew(cursor: duckdb.DuckDBPyConnection, grp: int) -> Any:
    """Rate the games of a group that was selected."""
    found = cursor.execute(
        "select game_id, date_trunc('day', started), seat, player, won from chosen "
        "join (select game_id, started from picked) using (game_id) "
        "join (select game_id, seat, player, won from players where won is not null) using (game_id) "
        "where grp = ? order by nr, seat",
        [grp],
    )
    ladder = Ladder()
    kept = _rate(ladder, found)
    return _table(kept + ladder.newest())


def _standings(cursor: duckdb.DuckDBPyConnection, table: Any, times: Sequence[str]) -> list[Row]:
    """Return the newest ratings, of each period if there are any, the strongest first."""
    cursor.register("rated", table)
    moments = "".join(f"{BY[name].sql} as {name}, " for name in times)
    found = cursor.execute(
        f"select {moments}player, max(n)::integer as n, arg_max(mu, n) as mean, arg_max(sigma, n) as sigma from rated "
        "join (select game_id, seat, player, started from players) using (game_id, seat) group by all"
    )
    names = [column[0] for column in found.description or ()]
    rows = [dict(zip(names, values, strict=True)) for values in found.fetchall()]
    for row in rows:
        mean, sigma = row["mean"], row["sigma"]
        row |= {"low": mean - Z * sigma, "high": mean + Z * sigma, "rating": mean - 3 * sigma}
    return sorted(rows, key=lambda row: (*map(repr, map(row.get, times)), -row["rating"], row["player"]))
