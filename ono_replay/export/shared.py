"""What is handed on: a game of a log, whole or as one seat or everyone could see it."""

import io
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Literal

from ono_replay.export.payload import NotShowable
from ono_replay.log.jsonl import encode_game
from ono_replay.log.reader import Game, read_games
from ono_replay.log.redact import view_of
from ono_replay.log.seat_names import find_seat
from ono_replay.replay import Replay, no_game, read_replay

View = Literal["public"] | int
"""What everyone could see, or a seat."""


def read_view(
    source: str | Path | BinaryIO,
    game_id: str | None = None,
    view: View = "public",
    *,
    player: str | None = None,
) -> Replay:
    """Return the replay of a game of a log, the first or the one with an id, with nothing in it but a view.

    The log is redacted first (`log.redact.view_of`) and replayed from what is left: a hidden card is in no
    state, finding or event of it. `player` is a seat as people say it (`log.seat_names.find_seat`), in the place
    of `view`. Raises `KeyError` where there is no such game, `NotShowable` for a view that
    the log does not have, `log.lines.Unreadable` for a source that can't be read.
    """
    wanted = player if player is not None else None if view == "public" else view
    return find_view(source, game_id, wanted)[0]


def find_view(
    source: str | Path | BinaryIO, game_id: str | None, seat: int | str | None
) -> tuple[Replay, Iterator[Game]]:
    """Return what `read_view` does, and the games after it; `seat` None is what everyone could see."""
    others: list[str | None] = []
    games = read_games(source)
    for game in games:
        start = game.start
        if game_id is not None and (start is None or start.game_id != game_id):
            others.append(None if start is None else start.game_id)
            continue
        try:
            if isinstance(seat, str):
                seat = find_seat([] if start is None else [one.name for one in start.players], seat)
            seen = view_of(game.events, seat)
        except ValueError as reason:
            raise NotShowable(str(reason)) from None
        return read_replay(io.BytesIO(encode_game(seen))), games
    raise KeyError(no_game(game_id, others))
