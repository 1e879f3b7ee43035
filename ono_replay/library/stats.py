"""Statistics of a library, one function each: `stats.wins_by_player(library, where="edition = '1980'").rows`.

Each takes, by keyword, `where` (a condition over `games` in SQL), `by` (columns to group by), `unfinished` and
`irregular` (count those games, too), and returns an `Answer`. A share has `k, n, p, low, high`, a mean `n, mean, low,
high`, both with a 95 % interval (`intervals`). What the columns mean stands in `measures`, the queries in `queries/`.

All raise `BadQuestion` for a grouping that there is not, `BadCondition` for a condition that is not let through.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path
from typing import Final, Unpack

import duckdb

from ono_replay.library.estimates import Answer, finish_rows
from ono_replay.library.measures import STATISTIC, STATISTICS
from ono_replay.library.ratings import rate
from ono_replay.library.selection import BadQuestion, Options, select_games
from ono_replay.library.store import Library, plain_faults


def query_text(name: str) -> str:
    """Return the SQL of a statistic.

    >>> query_text("tempo").splitlines()[0]
    '-- Milliseconds a choice. The unit is a choice with a time; those of a game are a cluster.'
    """
    return (files("ono_replay.library") / "queries" / f"{name}.sql").read_text(encoding="utf-8")


def ask(cursor: duckdb.DuckDBPyConnection, name: str, options: Options) -> Answer:
    """Ask a statistic of a connection that has the views of a library."""
    statistic = STATISTIC[name]
    if not options.get("by"):
        options = {**options, "by": statistic.by_default}
    selected = select_games(cursor, options, statistic.by, in_time=name == "streaks")
    found = cursor.execute(query_text(name))
    names = [column[0] for column in found.description or ()]
    rows = finish_rows(names, found.fetchall(), selected, statistic)
    return Answer(name, (*selected.by, *statistic.columns), rows, selected.games, selected.left_out)


def _ask(library: Library, name: str, options: Options) -> Answer:
    with plain_faults(library.path), library.cursor() as cursor:
        return ask(cursor, name, options)


def wins_by_player(library: Library, **options: Unpack[Options]) -> Answer:
    """Return how often each player wins the game; the unit is a seat in a game."""
    return _ask(library, "wins_by_player", options)


def wins_by_seat(library: Library, **options: Unpack[Options]) -> Answer:
    """Return how often each seat wins the game; the unit is a game.

    Tables differ in size: `above` compares with the share by chance, `by=["n_players"]` takes them apart.
    """
    return _ask(library, "wins_by_seat", options)


def wins_by_starter(library: Library, **options: Unpack[Options]) -> Answer:
    """Return how often the game is won by who starts round 1, and by each of the others.

    The unit is a seat in a game, the seats of a game are a cluster; `by=["order"]` tells the others apart.
    """
    return _ask(library, "wins_by_starter", options)


def length(library: Library, **options: Unpack[Options]) -> Answer:
    """Return how long games, and rounds, are, with the spread.

    The unit is a game; of measures that begin with `round_`, a round, clustered by game.
    """
    return _ask(library, "length", options)


def totals(library: Library, **options: Unpack[Options]) -> Answer:
    """Return how the total moves over the course of a round; the unit is a choice, clustered by game."""
    return _ask(library, "totals", options)


def cards(library: Library, **options: Unpack[Options]) -> Answer:
    """Return how often each card is played and what it does.

    The unit is a card played or held, clustered by game.
    """
    return _ask(library, "cards", options)


def eliminations(library: Library, **options: Unpack[Options]) -> Answer:
    """Return why players fall; the unit is an elimination, from a round or the game, clustered by game."""
    return _ask(library, "eliminations", options)


def set_by(library: Library, **options: Unpack[Options]) -> Answer:
    """Return who set the totals that players fell under.

    The unit is an elimination of one who could play nothing, in the games of the player, clustered by game.
    """
    return _ask(library, "set_by", options)


def pair_chains(library: Library, **options: Unpack[Options]) -> Answer:
    """Return what becomes of pair cards: how far they are passed on, who survives them.

    The unit is a chain, or a pair that came to a player, clustered by game.
    """
    return _ask(library, "pair_chains", options)


def held(library: Library, **options: Unpack[Options]) -> Answer:
    """Return what is held over the course of a round; the unit is a choice, clustered by game."""
    return _ask(library, "held", options)


def head_to_head(library: Library, **options: Unpack[Options]) -> Answer:
    """Return how often each player wins the games with each other player; the unit is a game."""
    return _ask(library, "head_to_head", options)


def streaks(library: Library, **options: Unpack[Options]) -> Answer:
    """Return games won and lost in a row; the unit of the share is a game after one that was won."""
    return _ask(library, "streaks", options)


def tempo(library: Library, **options: Unpack[Options]) -> Answer:
    """Return milliseconds a choice, by player if not said otherwise; the unit is a choice, clustered by game."""
    return _ask(library, "tempo", options)


def ratings(library: Library, **options: Unpack[Options]) -> Answer:
    """Return how strong each player is after the last game, or after the last of each year, month or day.

    The unit is a game, in the order of time. Without `where` or another grouping they are stored by `import`.
    """
    with plain_faults(library.path):
        return rate(library, options)


FUNCTIONS: Final[dict[str, Callable[..., Answer]]] = {
    function.__name__: function
    for function in (
        wins_by_player, wins_by_seat, wins_by_starter, length, totals, cards, eliminations, set_by, pair_chains, held,
        head_to_head, streaks, tempo, ratings,
    )
}  # fmt: skip
"""The statistics by name."""


def statistic(library: Library | str | Path, name: str, **options: Unpack[Options]) -> Answer:
    """Return a statistic of a library, or of the one in a folder, by its name.

    Raises `BadQuestion`, also where there is none of that name, `BadCondition` and `LibraryFault`.

    >>> import tempfile
    >>> from ono_replay.bundle import bundle_path
    >>> from ono_replay.library.importing import import_logs
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     _ = import_logs([bundle_path("sample_logs") / "ok" / "2022-online.ono.jsonl"], f"{folder}/games", jobs=1)
    ...     answer = statistic(f"{folder}/games", "wins_by_seat")
    >>> answer.games, [row["seat"] for row in answer if row["k"]]
    (1, [0])
    """
    if name not in FUNCTIONS:
        raise BadQuestion(f"there is no statistic {name!r}; there are {', '.join(FUNCTIONS)}")
    with _opened(library) as opened:
        return FUNCTIONS[name](opened, **options)


def overview(library: Library | str | Path, **options: Unpack[Options]) -> Answer:
    """Return the statistics that there are, a row each: `name`, `tells`, `unit`."""
    with _opened(library) as opened, plain_faults(opened.path), opened.cursor() as cursor:
        selected = select_games(cursor, options, ())
    columns = ("name", "tells", "unit")
    rows = tuple(
        dict(zip(columns, (found.name, found.line, found.unit), strict=True)) for found in STATISTICS
    )
    return Answer("overview", columns, rows, selected.games, selected.left_out)


@contextmanager
def _opened(library: Library | str | Path) -> Iterator[Library]:
    if isinstance(library, Library):
        yield library
    else:
        with Library(library) as opened:
            yield opened
