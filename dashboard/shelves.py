"""The games of libraries as rows of a list, and one of them with its neighbours."""

from collections.abc import Mapping
from typing import Final

import msgspec

from dashboard import libraries
from dashboard.data import IN_LIBRARY, GameRow
from ono_replay.check.printable import printable
from ono_replay.library.listing import Listed
from ono_replay.library.manifest import LibraryFault

MOST_SHOWN: Final = 300
"""Games of a library that are listed at a time."""


class Found(msgspec.Struct, frozen=True):
    """Games of libraries."""

    rows: tuple[GameRow, ...] = ()
    games: int = 0
    """How many fit."""
    events: int = 0
    """Events of all games of the libraries, whether they fit or not."""
    all_games: int = 0
    troubles: tuple[str, ...] = ()


def find_in_libraries(choice: Mapping[str, str], order: str, only: str | None) -> Found:
    """Return the games of a choice in all libraries, or in the one that is named, the first ones of each."""
    said = tuple(sorted(choice.items()))
    rows: list[GameRow] = []
    games = events = all_games = 0
    troubles: list[str] = []
    for name, path in libraries.named_libraries().items():
        if only not in (None, name):
            continue
        try:
            stamp = libraries.stamp_of_library(path)
            there = libraries.contents(path)
            games += libraries.count_of_games(path, stamp, said) if said else there["games"]
            found = libraries.list_of(path, stamp, MOST_SHOWN, said, order)
        except (OSError, LibraryFault) as fault:
            troubles.append(printable(f"{name}: {fault}"))
            continue
        events += there["events"]
        all_games += there["games"]
        rows += [_row(name, path, one) for one in found]
    return Found(tuple(rows), games, events, all_games, tuple(troubles))


def game_in_library(log: str | None, game: str | None) -> GameRow | None:
    """Return the game that an address means: of the library that it names, or of any; without an id its first game."""
    for name, path in libraries.named_libraries().items():
        if log == name or (log is None and game is not None):
            row = _one(name, path, {} if game is None else {"game": game})
            if row is not None:
                return row
    return None


def neighbours(row: GameRow) -> tuple[GameRow | None, GameRow | None]:
    """Return the games of a library before and after a game, by their ids."""
    game = row.game_id or ""
    before = _one(row.log, row.path, {"before": game}, "game_back")
    return before, _one(row.log, row.path, {"after": game})


def _one(name: str, path: str, choice: dict[str, str], order: str = "game") -> GameRow | None:
    try:
        found = libraries.list_of(path, libraries.stamp_of_library(path), 1, tuple(choice.items()), order)
    except (OSError, LibraryFault):
        return None
    return _row(name, path, found[0]) if found else None


def _row(log: str, path: str, row: Listed) -> GameRow:
    return GameRow(
        path=path,
        log=log,
        line=IN_LIBRARY,
        game_id=row.game_id,
        players=tuple(printable(name) for name in row.players),
        winners=tuple(printable(name) for name in row.winners),
        edition=row.edition,
        verdict="valid" if row.verdict == "valid" else "unfinished",
        errors=0,
        warnings=row.warnings,
        events=row.events,
        rounds=row.rounds,
        started_at=printable(row.started_at or ""),
        irregular=row.irregular,
        moment=row.moment,
    )
