"""The games of a library for a list to choose from, and one of them as the log it was."""

from pathlib import Path
from typing import Final

import msgspec

from ono_replay.library.manifest import Snapshot
from ono_replay.library.store import Library
from ono_replay.library.stored import read_logs
from ono_replay.log.jsonl import encode_game

_LIST: Final = """
with chosen as (
  select game_id, edition, verdict, warnings, n_events as events, n_rounds as rounds, started_at from games order by game_id limit $most
)
select chosen.*, coalesce(seats.players, []) as players, coalesce(seats.winners, []) as winners
from chosen left join (
  select game_id, list(name order by seat) as players, list(name order by seat) filter (where won) as winners
  from players where game_id in (select game_id from chosen) group by game_id
) as seats using (game_id)
order by game_id
"""


class Listed(msgspec.Struct, frozen=True):
    """A game of a library as a list shows it."""

    game_id: str
    edition: str
    verdict: str
    warnings: int
    events: int
    rounds: int
    started_at: str | None
    players: tuple[str, ...]
    """The names by seat."""
    winners: tuple[str, ...]
    """Their names."""


def list_games(library: Library, *, most: int) -> list[Listed]:
    """Return the first games by `game_id`, at most so many."""
    with library.cursor() as cursor:
        rows = cursor.execute(_LIST, {"most": most}).fetchall()
        columns = [column[0] for column in cursor.description or ()]
    return [msgspec.convert(dict(zip(columns, row, strict=True)), Listed) for row in rows]


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
