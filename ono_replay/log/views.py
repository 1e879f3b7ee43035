r"""A log as a seat, or everyone, may see it: one file into another.

>>> import tempfile
>>> start = b'{"seq":0,"type":"game_start","format":"ono-log","version":"1.0","game_id":"a","ruleset":' \
...     b'{"edition":"2022"},"players":[{"name":"Ann"},{"name":"Bo"}],"dealer":0,"view":"full"}\n'
>>> with tempfile.TemporaryDirectory() as folder:
...     source, target = Path(folder, "a.ono.jsonl"), Path(folder, "b.ono.jsonl")
...     _ = source.write_bytes(start + b'{"seq":1,"type":"draw","seat":0,"card":"9"}\n')
...     made = write_view(source, target, None)
...     target.read_text().splitlines()[1], made.games
('{"seq":1,"type":"draw","seat":0,"card":"?"}', 1)
"""

from pathlib import Path
from typing import BinaryIO

import msgspec

from ono_replay.log.jsonl import write_events
from ono_replay.log.output import check_free, log_writer
from ono_replay.log.reader import Game, read_games
from ono_replay.log.redact import view_of
from ono_replay.log.seat_names import find_seat
from ono_replay.log.streams import Unreadable
from ono_replay.rules.events import Comment

MOST_KEPT = 100


class ViewMade(msgspec.Struct):
    """What came of writing a view."""

    games: int = 0
    events: int = 0
    comments: int = 0
    """Comments that are in the view."""
    left_out: list[tuple[int | None, str]] = []
    """Lines that are no events of a game and are not in the view, with their codes; the first hundred."""
    left_out_in_all: int = 0


def write_view(
    source: str | Path | BinaryIO,
    target: str | Path,
    seat: int | str | None,
    *,
    comments: bool = True,
    keep_commitment: bool = False,
    max_bytes: int | None = None,
    overwrite: bool = False,
) -> ViewMade:
    """Write the view of a seat, or with None of everyone, of all games of a log; see `redact.view_of`.

    A text is a seat as people say it, in each game anew: `seat_names.find_seat`.

    Lines that can not be read as events are left out, as they could say anything. The target appears whole or not
    at all and is packed as its name says; one that exists stays as it is unless it is empty or `overwrite` is given.
    Raises `Unreadable`, also for a game that has no such seat, and `log.output.Unwritable`.
    """
    check_free(target, overwrite=overwrite)
    made = ViewMade()
    with log_writer(target) as file:
        for game in read_games(source, max_bytes=max_bytes):
            for line, code in _not_events(game):
                made.left_out_in_all += 1
                if len(made.left_out) < MOST_KEPT:
                    made.left_out.append((line, code))
            if game.start is None:
                continue
            try:
                names = [player.name for player in game.start.players]
                sees = find_seat(names, seat) if isinstance(seat, str) else seat
                events = view_of(game.events, sees, comments=comments, keep_commitment=keep_commitment)
            except ValueError as wrong:
                raise Unreadable(f"the game {game.start.game_id!r}: {wrong}") from None
            made.games += 1
            made.comments += sum(isinstance(event, Comment) for event in events)
            made.events += write_events(events, file)
    return made


def _not_events(game: Game) -> list[tuple[int | None, str]]:
    """Return the lines of a game that are left out, with what is wrong with them."""
    lines = [
        (record.line, record.fault.code)
        for record in game.faults
        if record.event is None and record.fault is not None
    ]
    if game.start is None:
        lines += [(None, "ONO201") for _ in game.events]
    return lines
