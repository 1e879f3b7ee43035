r"""Follows a log while it is written: every event once it is whole, never half of one.

>>> import tempfile
>>> with tempfile.TemporaryDirectory() as folder:
...     path = Path(folder, "game.ono.jsonl")
...     _ = path.write_bytes(b'{"seq":0,"type":"game_start","format":"ono-log","version":"1.0","game_id":"a",'
...         b'"ruleset":{"edition":"2022"},"players":[{"name":"Ann"},{"name":"Bo"}],"dealer":0,"view":"public"}'
...         b'\n{"seq":1,"type":"round_start","round":1,"dealer":0,"starter":1}\n{"seq":2,"type":"de')
...     follower = Follower(path)
...     [moment.event.type for moment in follower.poll()], follower.has_ended
(['round_start'], False)
"""

import os
from pathlib import Path

import msgspec

from ono_replay.log.jsonl import event_keys
from ono_replay.log.shape import Context, context_of
from ono_replay.record.history import History
from ono_replay.record.reading import Misread, fold, parse_event, rules_of
from ono_replay.rules.events import Comment, Event, GameEnd, GameStart, Undo, UnknownEvent
from ono_replay.rules.ruleset import BadRuleset, Ruleset
from ono_replay.rules.state import State
from ono_replay.rules.transition import advance


class Moment(msgspec.Struct, frozen=True):
    """A game right after an event."""

    start: GameStart
    event: Event
    """The last event that stands."""
    state: State


class Follower:
    """The games of a log as they grow; `poll` again and again.

    Nothing is judged: what the log says happened is shown. A log that is replaced (as finishing does) is
    read anew.
    """

    def __init__(self, path: str | Path) -> None:
        """Begin at the start of a log."""
        self.path = Path(path)
        self._identity: tuple[int, int] | None = None
        self._offset = 0
        self._line = 0
        self._game: _Game | None = None
        self._told = 0
        """How many events of this game have been told."""
        self._told_id: str | None = None

    @property
    def has_ended(self) -> bool:
        """Whether the last game that was read has ended."""
        for event in reversed(self.standing):
            if not isinstance(event, Comment | UnknownEvent):
                return isinstance(event, GameEnd)
        return False

    @property
    def standing(self) -> tuple[Event, ...]:
        """The events of the last game that stand."""
        return tuple(self._game.standing) if self._game is not None else ()

    def poll(self) -> list[Moment]:
        """Return what has happened since the last call; after an undo, the moment it leads back to.

        Raises `OSError` where the log can't be read, `Misread` for a line that is no event, once what stands
        before it has been returned.
        """
        data = self._read()
        moments: list[Moment] = []
        for raw in data.split(b"\n")[:-1]:
            line = raw.removeprefix(b"\xef\xbb\xbf").removesuffix(b"\r")
            if line and not line.isspace():
                try:
                    moment = self._take(line)
                except (ValueError, BadRuleset) as error:
                    if moments:
                        return moments
                    raise Misread(self._line + 1, self._offset, str(error)) from None
                if moment is not None:
                    moments.append(moment)
            self._line += 1
            self._offset += len(raw) + 1
        return moments

    def _read(self) -> bytes:
        """Return the whole lines that are new."""
        with self.path.open("rb") as file:
            status = os.fstat(file.fileno())
            identity = (status.st_dev, status.st_ino)
            if identity != self._identity or status.st_size < self._offset:
                self._identity, self._offset, self._line, self._game = identity, 0, 0, None
            if status.st_size == self._offset:
                return b""
            file.seek(self._offset)
            data = file.read()
        return data[: data.rfind(b"\n") + 1]

    def _take(self, line: bytes) -> Moment | None:
        event = parse_event(line, self._game.context if self._game is not None else None)
        if not isinstance(event, Event):
            raise ValueError(f"{event.code}: {event.message}")
        if isinstance(event, GameStart):
            self._game = _Game(event)
            if event.game_id != self._told_id:
                self._told, self._told_id = 0, event.game_id
        if self._game is None:
            raise ValueError("a log begins with its game_start")
        self._game.take(event)
        standing = self._game.standing
        is_new = len(standing) > self._told or isinstance(event, Undo)
        if is_new:
            self._told = len(standing)
        if not is_new or isinstance(event, GameStart | UnknownEvent):
            return None
        return Moment(self._game.start, standing[-1], self._game.state)


class _Game:
    """One game as far as it has been read."""

    def __init__(self, start: GameStart) -> None:
        self.start = start
        self.context: Context = context_of(event_keys(start))
        self.ruleset: Ruleset = rules_of(start)
        self.history = History()
        self.standing: list[Event] = []
        self.state: State = fold(start, self.ruleset, [])

    def take(self, event: Event) -> None:
        """Go on past an event."""
        if event.seq != len(self.history):
            raise ValueError(f"ONO202: seq is {event.seq}, not {len(self.history)}")
        if isinstance(event, Undo) and not 0 <= event.to < event.seq:
            raise ValueError(f"ONO209: there is no event {event.to} to go back to")
        self.history.add(event)
        if isinstance(event, Undo):
            self.standing = self.history.standing()
            self.state = fold(self.start, self.ruleset, self.standing)
        else:
            self.standing.append(event)
            self.state = advance(self.state, event)
