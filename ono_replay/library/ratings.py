"""How strong players are, game after game: the model of Weng & Lin for rankings, as the library openskill has it.

An import stores the ratings of all games that were played to their end and are regular, as `ratings.parquet` in the
library's folder: by game and seat, so that no name is in it. From the 512th game of a player on it keeps every second,
fourth … game, and always the last one, also of each month. It is used while it is of exactly the games that are there.
"""

import contextlib
import itertools
import os
import secrets
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import duckdb
import msgspec
import pyarrow as pa
import pyarrow.parquet as pq

from ono_replay.library.estimates import Answer, Row
from ono_replay.library.intervals import Z
from ono_replay.library.manifest import sync_folder
from ono_replay.library.measures import STATISTIC
from ono_replay.library.selection import BadQuestion, Options, Selected, select_games
from ono_replay.library.store import Library, text

FILE: Final = "ratings.parquet"
_TIMES: Final = ("year", "month")
_DENSE: Final = 9
"""All of a player's first 2 to the power of this games are kept, then ever fewer."""
_BLOCK: Final = 1 << 16
_SCHEMA: Final = pa.schema(
    [
        ("game_id", pa.string()),
        ("seat", pa.int32()),
        ("n", pa.int32()),
        ("mu", pa.float64()),
        ("sigma", pa.float64()),
    ]
)
_ORDER: Final = "coalesce(started, timestamp '9999-12-31'), imported, file, line, game_id"
_GAMES: Final = "(select * from games where completed and not irregular)"


class _Rated(msgspec.Struct):
    """A player on the way through the games."""

    rating: Any
    n: int = 0
    month: Any = None
    waiting: tuple[Any, ...] | None = None
    """The newest row, not yet given out."""


class _Seat(NamedTuple):
    game_id: str
    month: Any
    seat: int
    player: str
    won: bool


class Ladder:
    """Rates players game after game.

    >>> ladder = Ladder()
    >>> rows = ladder.play([_Seat("a", None, 0, "Ann", True), _Seat("a", None, 1, "Bo", False)])
    >>> [(row[1], row[2], round(row[3], 2)) for row in ladder.close()]
    [(0, 1, 27.64), (1, 1, 22.36)]
    """

    def __init__(self, players: Iterable[tuple[str, int, float, float]] = ()) -> None:
        """Begin with no one, or with players as they were: name, games, mu and sigma."""
        from openskill.models import PlackettLuce

        self._model = PlackettLuce()
        self._players = {
            name: _Rated(self._model.rating(mu=mu, sigma=sigma), n) for name, n, mu, sigma in players
        }

    def play(self, seats: Sequence[_Seat]) -> list[tuple[Any, ...]]:
        """Rate a game; return the rows that are to be kept by now: game_id, seat, n, mu, sigma."""
        if len({seat.player for seat in seats}) < max(2, len(seats)):
            return []
        players = []
        for seat in seats:
            player = self._players.get(seat.player)
            if player is None:
                player = self._players[seat.player] = _Rated(self._model.rating())
            players.append(player)
        after = self._model.rate(
            [[player.rating] for player in players], ranks=[0 if seat.won else 1 for seat in seats]
        )
        kept = []
        for seat, player, (rating,) in zip(seats, players, after, strict=True):
            if player.waiting is not None and (player.month != seat.month or _is_kept(player.n)):
                kept.append(player.waiting)
            player.rating, player.month = rating, seat.month
            player.n += 1
            player.waiting = (seat.game_id, seat.seat, player.n, rating.mu, rating.sigma)
        return kept

    def last_rows(self) -> list[tuple[Any, ...]]:
        """Return the newest row of each who played."""
        return [player.waiting for player in self._players.values() if player.waiting is not None]


def _is_kept(n: int) -> bool:
    """Return whether the n-th game of a player is kept for good.

    >>> [n for n in range(1, 1100) if not _is_kept(n)][:4], _is_kept(1024), _is_kept(1026)
    ([513, 515, 517, 519], True, False)
    """
    return n % (1 << max(0, n.bit_length() - _DENSE)) == 0


def _games(found: duckdb.DuckDBPyConnection) -> Iterator[list[_Seat]]:
    def rows() -> Iterator[_Seat]:
        while block := found.fetchmany(_BLOCK):
            yield from itertools.starmap(_Seat, block)

    for _, seats in itertools.groupby(rows(), key=lambda seat: seat.game_id):
        yield list(seats)


def _rate(
    cursor: duckdb.DuckDBPyConnection, source: str, ladder: Ladder, order: str
) -> list[tuple[Any, ...]]:
    """Rate the games of a source (SQL: `game_id` and `started`) in an order; return the rows that are kept."""
    found = cursor.execute(
        f"select game_id, date_trunc('month', started), seat, player, won from {source} as rated "
        f"join (select game_id, seat, player, won from players) as players using (game_id) order by {order}, seat"
    )
    rows: list[tuple[Any, ...]] = []

    def seats() -> Iterator[_Seat]:
        while block := found.fetchmany(_BLOCK):
            yield from itertools.starmap(_Seat, block)

    for _, game in itertools.groupby(seats(), key=lambda seat: seat.game_id):
        rows.extend(ladder.play(list(game)))
    return rows + ladder.last_rows()


# --- what is stored ---------------------------------------------------------------------------------------


class _Extent(msgspec.Struct, frozen=True):
    """Which games ratings are of."""

    model: str
    games: int
    digest: str
    """Over the games; it tells also where a log was replaced by a longer one."""
    aliases: dict[str, str]
    last: list[Any]
    """The place in time of the last game."""


def refresh_ratings(folder: str | Path) -> bool:
    """Bring the stored ratings of a library up to date; return whether there was anything to do.

    Games that come after all others are added to what is there, else all are rated anew. A folder that can't be
    written to stays as it is. Raises `LibraryFault`.
    """
    with Library(folder) as library, library.cursor() as cursor:
        stored, now = _stored_extent(library.path), _extent(library, cursor)
        if stored != now:
            _load(library, cursor)
        return stored != now


def _load(library: Library, cursor: duckdb.DuckDBPyConnection) -> None:
    """Make the table `rated` on a cursor, of what is stored where that is of today's games."""
    stored, now = _stored_extent(library.path), _extent(library, cursor)
    if stored is not None and _take_stored(library, cursor, stored):
        if stored == now:
            return
        place = "(" + ", ".join(map(_literal, stored.last)) + ")"
        source = f"(select * from {_GAMES} as games where ({_ORDER}) > {place})"
        ladder = Ladder(cursor.execute(f"select player, n, mu, sigma from ({_NEWEST})").fetchall())
    else:
        source, ladder = _GAMES, Ladder()
        cursor.register("rated_rows", _SCHEMA.empty_table())
        cursor.execute("create or replace temp table rated as select * from rated_rows")
    rows = _rate(cursor, source, ladder, _ORDER)
    cursor.register("rated_rows", _table(rows))
    cursor.execute("insert into rated select * from rated_rows")
    _write(library.path, now, cursor.sql("select * from rated").to_arrow_table())


def _take_stored(library: Library, cursor: duckdb.DuckDBPyConnection, stored: _Extent) -> bool:
    """Make `rated` of the stored rows if they are of today's first games."""
    if stored.model != _model() or stored.aliases != library.manifest.aliases or not stored.last:
        return False
    place = "(" + ", ".join(map(_literal, stored.last)) + ")"
    if _extent(library, cursor, f"({_ORDER}) <= {place}") != stored:
        return False
    try:
        table = pq.read_table(library.path / FILE, page_checksum_verification=True)
    except (OSError, pa.ArrowException):
        return False
    cursor.register("rated_rows", table.select(_SCHEMA.names))
    cursor.execute("create or replace temp table rated as select * from rated_rows")
    return True
