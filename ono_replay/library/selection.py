"""Which games a statistic is made of, how they are told apart, and what counts as one of them.

`select_games` leaves, on a cursor, what every query of `queries/` stands on:

* the table `chosen`: `game_id, grp, cluster, known, nr`, and `seat` where the groups are of players. `grp` numbers the
  groups that were asked for; `cluster` is the game (of a large selection: one of `RANDOM_GROUPS` random groups of
  games, Wolter 2007, Introduction to Variance Estimation, ch. 2); `known` is true where no card was unknown at any
  choice; `nr` is the place of the game in time, where that is asked for.
* the view `card_sums`: `card_use` where the groups are of players, else `card_totals`.
* the macro `moments(y, x)`: the sums of `intervals.Moments`; `shares(y, x, whole)` the same for parts of a whole, which
  may be absent from a cluster.
"""

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, Final, Literal, NamedTuple, TypedDict

import duckdb

from ono_replay.library.conditions import BadCondition, chosen_by, misread

EXACT_GAMES: Final = 20_000
"""Up to so many games each is a cluster of its own."""
RANDOM_GROUPS: Final = 1_000
"""Clusters of a larger selection."""
PATIENCE: Final = 30.0
"""Seconds that a condition may take."""


class By(NamedTuple):
    """A way to tell games, or the players in them, apart."""

    name: str
    sql: str
    of: Literal["games", "players"]
    meaning: str


BY: Final[dict[str, By]] = {
    by.name: by
    for by in (
        By("edition", "edition", "games", "the edition of the rules"),
        By("match", '"match"', "games", "the kind of match"),
        By("n_players", "n_players", "games", "how many sat at the table"),
        By("max_total", "max_total", "games", "the highest legal total"),
        By("view", '"view"', "games", "what the log shows: `full`, `public`, `seat`"),
        By("app", "app", "games", "the program that wrote the log; null if it does not say"),
        By("year", "year(started)", "games", "the year, UTC; null without a time"),
        By("month", "strftime(started, '%Y-%m')", "games", "the month, UTC, as `2026-01`; null without a time"),
        By("day", "strftime(started, '%Y-%m-%d')", "games", "the day, UTC, as `2026-01-31`; null without a time"),
        By("imported", "imported", "games", "the number of the import"),
        By("player", "player", "players", "the player: alias, id or name"),
        By("seat", "seat", "players", "the seat, from 0"),
        By("bot", "bot", "players", "whether the player is a program"),
        By("starter", "starter", "players", "whether the player started round 1"),
        By("order", "(seat - first_seat + n_players) % n_players", "players", "the place in the order of play of round 1, clockwise, 0 starts"),
    )
}  # fmt: skip
OF_GAMES: Final = tuple(by.name for by in BY.values() if by.of == "games")
OF_PLAYERS: Final = tuple(by.name for by in BY.values() if by.of == "players")


class BadQuestion(ValueError):
    """A statistic, a way of grouping or a choice of games that there is not; the text is a message for people."""


class Options(TypedDict, total=False):
    """What may be said of the games of a statistic."""

    where: str | None
    """A condition over `games` in SQL, as `conditions` lets through."""
    by: Sequence[str]
    """Columns that tell games or players apart (`BY`); a single one may stand for itself."""
    unfinished: bool
    """Count games that were not played to their end, too."""
    irregular: bool
    """Count games in which a fault was let stand, too."""


class LeftOut(NamedTuple):
    """Games that a statistic was not made of."""

    unfinished: int
    """Broken off or abandoned."""
    irregular: int
    """Played to their end, but something against the rules was let stand."""


class Selected(NamedTuple):
    """What `select_games` found."""

    games: int
    left_out: LeftOut
    by: tuple[str, ...]
    groups: dict[int, tuple[Any, ...]]
    """The values of `by` for each `grp`."""


def select_games(
    cursor: duckdb.DuckDBPyConnection, options: Options, allowed: Sequence[str], *, in_time: bool = False
) -> Selected:
    """Prepare a cursor for a query; `allowed` are the names of `BY` that it takes.

    With `in_time`, `chosen` has the place of each game.

    Raises `BadQuestion` and `BadCondition`.
    """
    by = check_by(groupings(options), allowed)
    with suppress(duckdb.Error):  # another DuckDB may be without it
        cursor.execute(f"set disabled_optimizers = '{_SLOWING}'")
    _pick(cursor, options.get("where"), by, in_time=in_time)
    whole = "true" if options.get("unfinished") else "completed"
    regular = "true" if options.get("irregular") else "not irregular"
    games, *left_out = _one(
        cursor,
        f"select count(*) filter ({whole} and {regular}), count(*) filter (not {whole}), "
        f"count(*) filter ({whole} and not ({regular})) from picked",
    )
    groups = _choose(cursor, by, f"{whole} and {regular}", games, in_time=in_time)
    for macro in _MACROS:
        cursor.execute(macro)
    return Selected(games, LeftOut(*left_out), tuple(found.name for found in by), groups)


def groupings(options: Options) -> tuple[str, ...]:
    """Return the names of the columns to group by.

    >>> groupings({"by": "seat"}), groupings({"by": ["seat", "edition"]}), groupings({})
    (('seat',), ('seat', 'edition'), ())
    """
    by = options.get("by") or ()
    return (by,) if isinstance(by, str) else tuple(by)


def check_by(names: Sequence[str], allowed: Sequence[str]) -> list[By]:
    """Return the ways of grouping that are named; raises `BadQuestion` for one that is not allowed."""
    for name in names:
        if name not in allowed:
            reason = "that is no way to group" if name not in BY else "this statistic can not be grouped"
            raise BadQuestion(f"{reason} by {name!r}; it takes {', '.join(allowed) or 'no grouping'}")
    if len(set(names)) < len(names):
        raise BadQuestion("a column to group by is named twice")
    return [BY[name] for name in names]


def ids_of(cursor: duckdb.DuckDBPyConnection, where: str) -> list[str]:
    """Return the ids of the games that a condition holds for, in order; raises `BadCondition`."""
    _pick(cursor, where, [], in_time=False)
    return [game_id for (game_id,) in cursor.execute("select game_id from picked order by all").fetchall()]


def _pick(cursor: duckdb.DuckDBPyConnection, where: str | None, by: list[By], *, in_time: bool) -> None:
    """Make `picked`, the games that the condition holds for, with no more columns than are needed."""
    columns = ["game_id", "completed", "irregular", "n_unknown = 0 as known"]
    columns += [f"{found.sql} as by_{found.name}" for found in by if found.of == "games"]
    if any(found.name == "order" for found in by):
        columns += ["starter as first_seat", "n_players"]
    if in_time:
        columns += ["started", "imported", "file", "line"]
    told = ", ".join(columns)
    statement = f"select {told} from games" if where is None or not where.strip() else chosen_by(where, told)
    with _patience(cursor):
        try:
            cursor.execute(f"create or replace temp table picked as {statement}")
        except duckdb.InterruptException:
            raise BadCondition(f"the condition took more than {PATIENCE:.0f} seconds") from None
        except duckdb.Error as error:
            if where is None:
                raise
            raise misread(where, error) from None


@contextmanager
def _patience(cursor: duckdb.DuckDBPyConnection) -> Iterator[None]:
    timer = threading.Timer(PATIENCE, cursor.interrupt)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def _choose(
    cursor: duckdb.DuckDBPyConnection, by: list[By], kept: str, games: int, *, in_time: bool
) -> dict[int, tuple[Any, ...]]:
    """Make `chosen` and `card_sums`; return the groups."""
    cluster = "row_number() over ()" if games <= EXACT_GAMES else f"(hash(game_id) % {RANDOM_GROUPS})::bigint"
    nr = f"row_number() over (order by {_IN_TIME})" if in_time else "null"
    base = f"(select *, {cluster} as cluster, {nr} as nr from picked where {kept})"
    keys = "game_id, cluster, known, nr"
    of_players = any(found.of == "players" for found in by)
    cards = "card_use" if of_players else "card_totals"
    cursor.execute(f"create or replace temp view card_sums as from {cards}")
    if not by:
        cursor.execute(f"create or replace temp table chosen as select 0 as grp, {keys} from {base}")
        return {0: ()}
    if of_players:
        base = f"({base} join (select game_id, seat, player, bot, starter from players) using (game_id))"
        keys = f"seat, {keys}"
    names = ", ".join(f"by_{found.name}" for found in by)
    columns = ", ".join(
        f"by_{found.name}" if found.of == "games" else f"{found.sql} as by_{found.name}" for found in by
    )
    cursor.execute(f"create or replace temp table told as select {keys}, {columns} from {base}")
    cursor.execute(
        f"create or replace temp table groups as select (row_number() over ())::integer as grp, * from "
        f"(select distinct {names} from told order by all)"
    )
    alike = " and ".join(f"told.by_{found.name} is not distinct from groups.by_{found.name}" for found in by)
    cursor.execute(
        f"create or replace temp table chosen as select grp, {keys} from told join groups on {alike}"
    )
    rows = cursor.execute(f"select grp, {names} from groups order by grp").fetchall()
    return {grp: tuple(values) for grp, *values in rows}


def _one(cursor: duckdb.DuckDBPyConnection, sql: str) -> tuple[Any, ...]:
    # All of it: a connection with an answer that has not been fetched to its end takes no further query.
    (found,) = cursor.execute(sql).fetchall()
    return tuple(found)


_IN_TIME: Final = "started nulls last, imported, file, line, game_id"
_SLOWING: Final = "partial_aggregate_pushdown"
"""DuckDB 2 adds up by game before it joins: as many sums as games, where as many as clusters are asked for."""

_MACROS: Final = (
    """create or replace temp macro moments(y, x) as struct_pack(
        y := sum(y::double), x := sum(x::double), m := count(*),
        yy := sum(y::double * y), xy := sum(x::double * y), xx := sum(x::double * x))""",
    """create or replace temp macro shares(y, x, whole) as struct_pack(
        y := sum(y::double), x := any_value(whole.x), m := any_value(whole.m),
        yy := sum(y::double * y), xy := sum(x::double * y), xx := any_value(whole.xx))""",
)
