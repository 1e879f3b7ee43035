"""The tolerant reader for everyone: records and games, each fault with its line, nothing thrown away."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

import msgspec

from ono_replay.log.jsonl import LineFault, RawObject, event_keys, parse_line
from ono_replay.log.lines import CutStream, Line, LongLine, Unreadable, read_lines
from ono_replay.log.shape import Context, Shape, ShapeFault, check_shape, context_of, quick_ok
from ono_replay.log.strict import breaks_off
from ono_replay.log.undo import effective_events, finished
from ono_replay.rules.events import Event, GameStart

__all__ = ["Game", "Record", "effective_events", "finished", "read_games", "read_log"]

MOST_EVENTS = 1_000_000
"""The most events of a game that are held in memory."""


class Record(msgspec.Struct, frozen=True):
    """One line of a log: an event, or what is wrong, or both (an unknown type, a card that hides)."""

    line: int | None
    """1-based; None for a stream that is cut."""
    event: Event | None = None
    fault: LineFault | ShapeFault | None = None
    unknown_keys: tuple[tuple[str, str | None], ...] = ()
    """Keys that were kept but mean nothing, with the key each may have meant."""
    partial: dict[str, Any] = {}
    """Of an object that is no event: the keys that are right."""

    @property
    def begins_game(self) -> bool:
        """Whether the line is a `game_start`, right or wrong."""
        return isinstance(self.event, GameStart) or self.partial.get("type") == "game_start"


class Game(msgspec.Struct):
    """The lines of one game, as they stand in the file: undos and voided events included."""

    line: int
    """The line of its first event."""
    events: list[Event]
    faults: list[Record]
    """The records that have a fault."""

    @property
    def start(self) -> GameStart | None:
        """The `game_start`; None where it is missing or no event."""
        first = self.events[0] if self.events else None
        return first if isinstance(first, GameStart) else None


def read_log(source: str | Path | BinaryIO, *, max_bytes: int | None = None) -> Iterator[Record]:
    r"""Yield a record for each line that is not blank; faults of shape only, no rule is checked.

    Reads plain, gzip and zstd, `-` is standard input. Never raises on content; raises `Unreadable` for a
    source that can't be read.

    >>> import io
    >>> for record in read_log(io.BytesIO(b'{"seq":1,"type":"comment","text":"hi"}\n{"seq":2\n')):
    ...     print(record.line, record.event and record.event.type, record.fault and record.fault.code)
    1 comment None
    2 None ONO102
    """
    context: Context | None = None
    for item in read_lines(source, max_bytes=max_bytes):
        match item:
            case CutStream(message=message):
                yield Record(None, fault=LineFault("ONO113", message))
            case LongLine(number=number):
                yield Record(number, fault=LineFault("ONO111", "the line is longer than 1 MiB"))
            case Line():
                record, context = _record_of(item, context)
                yield record


def _record_of(line: Line, context: Context | None) -> tuple[Record, Context | None]:
    parsed = parse_line(line.raw)
    if isinstance(parsed, LineFault):
        if line.torn and breaks_off(line.raw):
            parsed = LineFault("ONO103", "the last line breaks off", parsed.column)
        return Record(line.number, fault=parsed), context
    if isinstance(parsed, RawObject):
        if parsed.keys.get("type") == "game_start":
            context = context_of(parsed.keys)
        return _record_of_shape(line.number, check_shape(parsed.keys, context)), context
    if isinstance(parsed, GameStart):
        context = context_of(event_keys(parsed))
    if quick_ok(parsed, context):
        return Record(line.number, parsed), context
    return _record_of_shape(line.number, check_shape(event_keys(parsed), context)), context


def _record_of_shape(line: int, shape: Shape) -> Record:
    partial = {} if shape.event is not None else shape.partial
    return Record(line, shape.event, shape.fault, tuple(shape.unknown_keys), partial)


def read_games(source: str | Path | BinaryIO, *, max_bytes: int | None = None) -> Iterator[Game]:
    r"""Yield the games of a source one after the other, each with the faults of its lines.

    Events before the first `game_start` make a game without `start`. Raises `Unreadable` for a source that
    can't be read and for a game of more than `MOST_EVENTS` events.

    >>> import io
    >>> log = b'{"seq":0,"type":"game_start","format":"ono-log","version":"1.0","game_id":"a",' \
    ...       b'"ruleset":{"edition":"2022"},"players":[{"name":"Ann"},{"name":"Bo"}],"dealer":0,"view":"full"}\n'
    >>> [game.start.game_id for game in read_games(io.BytesIO(log))]
    ['a']
    """
    game: Game | None = None
    for record in read_log(source, max_bytes=max_bytes):
        if game is None or record.begins_game:
            if game is not None:
                yield game
            game = Game(record.line or 0, [], [])
        if record.fault is not None:
            game.faults.append(record)
        if record.event is not None:
            game.events.append(record.event)
            if len(game.events) > MOST_EVENTS:
                raise Unreadable(f"line {record.line}: a game of more than {MOST_EVENTS} events")
    if game is not None:
        yield game
