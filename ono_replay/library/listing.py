"""The games of a library for a list to choose from, and one of them as the log it was."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

import msgspec

from ono_replay.library.choice import condition_of, moment_of
from ono_replay.library.manifest import Snapshot
from ono_replay.library.store import Library
from ono_replay.library.stored import read_logs
from ono_replay.log.jsonl import encode_game

_LIST: Final = """
with first as (
  select game_id, edition, verdict, irregular, warnings, n_events, n_rounds, started, started_at
  from games {where} order by {order} limit $most
), chosen as (
  select game_id, edition, verdict, irregular, warnings, n_events as events, n_rounds as rounds, started_at,
         row_number() over (order by {order}) as place
  from first
)
select chosen.* exclude (place), moments.moment, coalesce(seats.players, []) as players, coalesce(seats.winners, []) as winners
from chosen left join (
  select game_id, list(name order by seat) as players, list(name order by seat) filter (where won) as winners
  from players where game_id in (select game_id from chosen) group by game_id
) as seats using (game_id) left join (
  select game_id, {moment} as moment from games where game_id in (select game_id from chosen)
) as moments using (game_id)
order by place
"""
ORDERS: Final = {
    "game": "game_id",
    "game_back": "game_id desc",
    "newest": "started desc nulls last, game_id",
    "longest": "n_events desc, game_id",
    "warnings": "warnings desc, game_id",
}
"""The orders of a list."""
_FACETS: Final = """
select edition, "match", n_players, count(*)::int as games from games group by all order by all
"""


class Facet(msgspec.Struct, frozen=True):
    """One kind of games in a library, and how many there are."""

    edition: str
    match: str
    n_players: int
    games: int


class Listed(msgspec.Struct, frozen=True):
    """A game of a library as a list shows it."""

    game_id: str
    edition: str
    verdict: str
    irregular: bool
    warnings: int
    events: int
    rounds: int
    started_at: str | None
    players: tuple[str, ...]
    """The names by seat."""
    winners: tuple[str, ...]
    """Their names."""
    moment: int | None = None
    """The number of the first event that the choice is about, where it is about events (`choice.moment_of`)."""


def list_games(
    library: Library, *, most: int, choice: Mapping[str, str] | None = None, order: str = "game"
) -> list[Listed]:
    """Return games, at most so many: those of a choice (`choice.condition_of`), in one of `ORDERS`."""
    statement = _LIST.format(order=ORDERS[order], where=_where(choice), moment=moment_of(choice or {}))
    with library.cursor() as cursor:
        rows = cursor.execute(statement, {"most": most}).fetchall()
        columns = [column[0] for column in cursor.description or ()]
    return [msgspec.convert(dict(zip(columns, row, strict=True)), Listed) for row in rows]


def count_games(library: Library, choice: Mapping[str, str] | None = None) -> int:
    """Return how many games there are, of a choice."""
    with library.cursor() as cursor:
        ((found,),) = cursor.execute(f"select count(*) from games {_where(choice)}").fetchall()
    return int(found)


def kinds_of_games(library: Library) -> list[Facet]:
    """Return the kinds of games that there are: edition, match, size of the table."""
    with library.cursor() as cursor:
        rows = cursor.execute(_FACETS).fetchall()
    return [Facet(*row) for row in rows]


def _where(choice: Mapping[str, str] | None) -> str:
    condition = condition_of(choice or {})
    return f"where {condition}" if condition else ""


def log_of(folder: Path, game_id: str) -> bytes:
    """Return the log of a game.

    Raises `LibraryFault` for a folder without a library and a damaged one, `KeyError` where the game is not in it.
    """
    snapshot = Snapshot(folder)
    try:
        for _, events in read_logs(snapshot, [game_id]):
            return encode_game(events)
    finally:
        snapshot.close()
    raise KeyError(game_id)
