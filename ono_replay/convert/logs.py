"""Logs into logs: every game finished and in canonical bytes, with nothing lost on the way.

A finished game has neither undos nor what they voided, and is numbered anew; a game without undos stays as
it is, faults and all. A line that is no event is kept as it stands.
"""

from collections.abc import Iterable, Iterator

import msgspec

from ono_replay.log.jsonl import LineFault, RawObject, parse_line
from ono_replay.log.lines import CutStream, Line, LongLine, Unreadable
from ono_replay.log.reader import MOST_EVENTS
from ono_replay.log.shape import Context, check_shape, context_of, event_keys
from ono_replay.log.undo import finished
from ono_replay.rules.events import Event, GameStart, Undo


class LogNotes(msgspec.Struct):
    """What there was to say of a log on the way."""

    games: int = 0
    kept: list[int] = []
    """Lines that are no events, kept as they stand; the first hundred."""
    kept_in_all: int = 0
    torn: int | None = None
    """The last line, if it breaks off: it is left out."""


MOST_KEPT = 100


def finished_lines(
    name: str, lines: Iterable[Line | LongLine | CutStream], notes: LogNotes
) -> Iterator[Event | bytes]:
    """Yield the events of finished games, and the bytes of lines that are no events, in file order.

    `name` is what messages call the log; `notes` is filled on the way. Raises `Unreadable` for a stream that
    breaks off, a line past the limit, a game of more than `MOST_EVENTS` events, and undos that can't be
    carried out because the game is damaged.
    """
    game: list[Event | bytes] = []
    context: Context | None = None
    for line in lines:
        if isinstance(line, CutStream):
            raise Unreadable(f"{name}: {line.message}; `ono-replay recover` saves what there is")
        if isinstance(line, LongLine):
            raise Unreadable(
                f"{name}: line {line.number} is longer than 1 MiB; `ono-replay recover` leaves it out"
            )
        found, begins, context = _read(line, context)
        if begins:
            yield from _finish(name, game)
            game = []
            notes.games += 1
        if found is None:
            notes.torn = line.number
            continue
        if isinstance(found, bytes):
            notes.kept_in_all += 1
            if len(notes.kept) < MOST_KEPT:
                notes.kept.append(line.number)
        game.append(found)
        if len(game) > MOST_EVENTS:
            raise Unreadable(f"{name}: line {line.number}: a game of more than {MOST_EVENTS} events")
    yield from _finish(name, game)


def _read(line: Line, context: Context | None) -> tuple[Event | bytes | None, bool, Context | None]:
    """Return the event of a line or its bytes, whether a game begins, and what later events depend on."""
    parsed = parse_line(line.raw)
    if isinstance(parsed, LineFault):
        return (None if line.torn else line.raw), False, context
    if isinstance(parsed, GameStart):
        return parsed, True, context_of(event_keys(parsed))
    if not isinstance(parsed, RawObject):
        return parsed, False, context
    begins = parsed.keys.get("type") == "game_start"
    if begins:
        context = context_of(parsed.keys)
    event = check_shape(parsed.keys, context).event
    return (line.raw if event is None else event), begins, context


def _finish(name: str, game: list[Event | bytes]) -> Iterator[Event | bytes]:
    if not any(isinstance(event, Undo) for event in game):
        yield from game
        return
    events = [event for event in game if not isinstance(event, bytes)]
    whole = len(events) == len(game) and isinstance(events[0], GameStart)
    if not whole or any(
        event.seq != place or (isinstance(event, Undo) and not 0 <= event.to < place)
        for place, event in enumerate(events)
    ):
        start = next((event for event in events if isinstance(event, GameStart)), None)
        told = f"the game {start.game_id!r}" if start else "a game"
        raise Unreadable(
            f"{name}: {told} has undos that can not be carried out: its lines or numbers are damaged; "
            "`ono-replay validate` says where"
        )
    yield from finished(events)
