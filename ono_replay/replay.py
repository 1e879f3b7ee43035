r"""Every state of a game, seeking, and what a state looks like as JSON.

>>> import io
>>> log = io.BytesIO(
...     b'{"seq":0,"type":"game_start","format":"ono-log","version":"1.0","game_id":"k",'
...     b'"ruleset":{"edition":"2022"},"players":[{"name":"Ann"},{"name":"Bo"}],"dealer":1,"view":"public"}\n'
...     b'{"seq":1,"type":"round_start","round":1,"dealer":1,"starter":0}\n'
...     b'{"seq":2,"type":"deal","seat":0,"cards":["?","?","?","?"]}\n'
...     b'{"seq":3,"type":"deal","seat":1,"cards":["?","?","?","?"]}\n'
...     b'{"seq":4,"type":"play","seat":0,"card":"7","total":7}\n'
... )
>>> replay = read_replay(log)
>>> replay.seek(4).total
7
>>> replay.report.verdict
'unfinished'
"""

import difflib
from array import array
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, BinaryIO, Final

import msgspec
import zstandard

from ono_replay.check.diagnostic import Diagnostic, GameReport
from ono_replay.check.game import GameCheck
from ono_replay.check.validator import check_lines
from ono_replay.log.lines import LineReader
from ono_replay.rules.events import Event, GameStart, RoundStart
from ono_replay.rules.ruleset import Ruleset
from ono_replay.rules.state import State

_MOST_IDS: Final = 10_000
"""Ids that are looked through for one like another."""


class NoEvent(KeyError):
    """No event that stands has this number; the text, for people, names the nearest."""

    def __init__(self, seq: int, nearest: int) -> None:
        """Keep the number of the nearest event."""
        super().__init__(f"no event {seq} stands in this game; the nearest is {nearest}")
        self.nearest = nearest

    def __str__(self) -> str:
        return str(self.args[0])


class Replay:
    """A game with every state of it: made in one pass, then each seek is a look-up.

    `events` and `states` go together: the effective events from the first `round_start` on and the state
    after each. `index` is where the replay stands, -1 before the first of them.
    """

    def __init__(self, check: GameCheck) -> None:
        """Take the steps of a checked game."""
        self.report: GameReport = check.report()
        """The verdict and all findings."""
        self.start: GameStart | None = check.start
        """The `game_start`; None where it could not be read as one."""
        self.game_id = check.game_id
        self.names = check.names
        """The players' names by seat."""
        steps = check.steps
        self.events: tuple[Event, ...] = tuple(event for event, _ in steps)
        self.states: tuple[State, ...] = tuple(state for _, state in steps)
        self.first_state = check.first_state
        """The state before the first round; None where the rules could not be read."""
        self._place = {event.seq: place for place, event in enumerate(self.events)}
        self.index = -1

    def __len__(self) -> int:
        """The number of events."""
        return len(self.events)

    @property
    def ruleset(self) -> Ruleset | None:
        """The rules of the table; None where they could not be read."""
        return None if self.first_state is None else self.first_state.ruleset

    @property
    def event(self) -> Event | None:
        """The event that the replay stands after; None before the first."""
        return self.events[self.index] if self.index >= 0 else None

    @property
    def state(self) -> State | None:
        """The state that the replay stands at; None only where the rules could not be read."""
        return self.states[self.index] if self.index >= 0 else self.first_state

    def next(self) -> State | None:
        """Step past the next event and return the state after it, or None at the end."""
        if self.index + 1 >= len(self.events):
            return None
        self.index += 1
        return self.state

    def back(self) -> State | None:
        """Step back before the last event and return the state there, or None at the start."""
        if self.index < 0:
            return None
        self.index -= 1
        return self.state

    def seek(self, seq: int) -> State:
        """Go to right after the event with a number and return the state there.

        Raises `NoEvent`, a `KeyError`, where no effective event has it; 0 is the state before the first round.
        """
        if seq == 0 and self.first_state is not None:
            self.index = -1
            return self.first_state
        place = self.place_of(seq)
        if place < 0:
            raise self._no_event(seq)
        self.index = place
        return self.states[place]

    def place_of(self, seq: int) -> int:
        """Return where the event with a number stands in `events`, -1 for the `game_start`; raises `NoEvent`."""
        if seq == self._first:
            return -1
        place = self._place.get(seq)
        if place is None:
            raise self._no_event(seq)
        return place

    @property
    def _first(self) -> int:
        return self.start.seq if self.start else 0

    def _no_event(self, seq: int) -> NoEvent:
        return NoEvent(seq, min(self._place, key=lambda other: abs(other - seq), default=self._first))

    def states_json(self) -> Iterator[dict[str, Any]]:
        """Yield the states as `ono-replay states` prints them (schemas/SPECIFICATION.md section 12)."""
        for event, state in zip(self.events, self.states, strict=True):
            yield state_json(self.game_id, event, state)


def read_replays(
    source: str | Path | BinaryIO,
    *,
    on_stray: Callable[[Diagnostic], None] | None = None,
    max_bytes: int | None = None,
) -> Iterator[Replay]:
    """Yield a replay for each game of a log, also of one that breaks the rules.

    After an error the states follow what the log says happened. `on_stray` is told what is found outside of
    games. Raises `log.lines.Unreadable`.
    """
    for checked in check_lines(LineReader(source, max_bytes=max_bytes), keep_steps=True):
        if not isinstance(checked, Diagnostic):
            yield Replay(checked)
        elif on_stray is not None:
            on_stray(checked)


def read_replay(source: str | Path | BinaryIO, game_id: str | None = None) -> Replay:
    """Return the replay of the first game of a log, or of the one with an id.

    Raises `KeyError` where there is none; its text names the nearest ids.
    """
    others: list[str | None] = []
    for replay in read_replays(source):
        if game_id is None or replay.game_id == game_id:
            return replay
        others.append(replay.game_id)
    raise KeyError(no_game(game_id, others))


def no_game(wanted: str | None, others: Sequence[str | None]) -> str:
    """Return a text for people: that no game has an id, with those that are like it.

    >>> no_game("foo", ["food", "bar"]), no_game(None, [])
    ("no game has the id 'foo'; the nearest: 'food'", 'there is no game in it')
    """
    if wanted is None:
        return "there is no game in it"
    ids = [other for other in others[:_MOST_IDS] if other is not None]
    near = difflib.get_close_matches(wanted, ids, 3, 0.5)
    like = f"the nearest: {', '.join(map(_quoted, near))}" if near else ""
    if not near and ids:
        more = ", …" if len(ids) > 3 else ""
        like = f"there is {', '.join(map(_quoted, ids[:3]))}{more}"
    return f"no game has the id {_quoted(wanted)}" + (f"; {like}" if like else "")


def _quoted(game_id: str) -> str:
    return f"'{game_id}'"


class States:
    """The states of one game as lines of JSON, packed: a game of a million events fits into memory."""

    def __init__(self) -> None:
        """Begin with none."""
        self._places = array("q")
        self._rounds: set[int] = set()
        self._lines: list[bytes] = []
        self._packed: list[bytes] = []
        self._check: GameCheck | None = None

    @property
    def report(self) -> GameReport:
        """The verdict and all findings."""
        assert self._check is not None
        return self._check.report()

    def end(self, check: GameCheck) -> None:
        """End with the game; more steps may come from lines that it had held back."""
        check.release()
        self._check = check

    def add(self, place: int, event: Event, state: State) -> None:
        """Add the state after an event, which has a place among the lines of the game."""
        self._places.append(place)
        if isinstance(event, RoundStart):
            self._rounds.add(place)
        self._lines.append(_encode_state(state_json(None, event, state)))
        if len(self._lines) == _IN_A_PACK:
            self._packed.append(zstandard.compress(b"\n".join(self._lines), 1))
            self._lines = []

    def __iter__(self) -> Iterator[bytes]:
        """Yield the states after the events that stand, from the first `round_start` on."""
        assert self._check is not None
        stands = self._check.standing()
        game_id = b'{"game_id":' + _encode_state(self._check.game_id)
        begun = False
        for place, line in zip(self._places, self._all_lines(), strict=True):
            if stands is None or stands[place]:
                begun = begun or place in self._rounds
                if begun:
                    yield game_id + line[len(_NO_ID) :]

    def _all_lines(self) -> Iterator[bytes]:
        for packed in self._packed:
            yield from zstandard.decompress(packed).split(b"\n")
        yield from self._lines


_IN_A_PACK = 1024
_NO_ID = b'{"game_id":null'
_encode_state = msgspec.json.Encoder().encode


def stream_states(
    source: str | Path | BinaryIO,
    *,
    on_stray: Callable[[Diagnostic], None] | None = None,
    max_bytes: int | None = None,
) -> Iterator[States]:
    """Yield for each game of a log its states as lines of JSON, without keeping more of it than that.

    Otherwise as `read_replays`.
    """
    states = States()

    def add(place: int, event: Event, state: State) -> None:
        states.add(place, event, state)

    for checked in check_lines(LineReader(source, max_bytes=max_bytes), on_step=add):
        if not isinstance(checked, Diagnostic):
            states.end(checked)
            yield states
            states = States()
        elif on_stray is not None:
            on_stray(checked)


def state_json(game_id: str | None, event: Event, state: State) -> dict[str, Any]:
    """Return a state after an event as the object of schemas/SPECIFICATION.md section 12."""
    match = state.match
    return {
        "game_id": game_id,
        "seq": event.seq,
        "type": event.type,
        "round": state.round,
        "total": state.total,
        "direction": state.direction,
        "turn": state.turn,
        "plays_due": state.plays_due,
        "second": state.second,
        "draws_due": state.draws_due,
        "hands": [list(hand) for hand in state.hands],
        "out": list(state.out),
        "draw_pile": state.draw_pile,
        "discard_pile": state.discard_pile,
        "chips": None if match.chips is None else list(match.chips),
        "scores": None if match.scores is None else list(match.scores),
    }
