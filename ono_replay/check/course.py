"""The course of a game: the states its events make, what an undo takes back, what can't be verified."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ono_replay.check.doubts import doubtful_aspects
from ono_replay.check.entry import Entry, can_follow, short_form
from ono_replay.check.judge import Finding, Judge
from ono_replay.check.lost import likely_events, missing_keys, unknown_position
from ono_replay.check.timeline import Timeline
from ono_replay.check.unverified import unverified
from ono_replay.log.jsonl import LineFault, parse_line
from ono_replay.log.lines import Unreadable
from ono_replay.log.reader import MOST_EVENTS
from ono_replay.log.shape import Context
from ono_replay.rules.events import Comment, Event, RoundStart, Undo, UnknownEvent
from ono_replay.rules.state import Phase, State

MOST_BYTES = 160 << 20
"""The most that is kept of a game's lines."""
MOST_MARKS = 200
"""Moments kept of a game after faulty lines."""
FEW = 16
"""Events that are gone through again more cheaply than a moment is kept."""


OnStep = Callable[[int, Event, State], object]
"""Is told of each event that is followed: its place among the game's lines, and the state after it."""


class Course:
    """Follows the events of one game.

    Without a first state nothing is judged. With `keep_steps`, `steps` has the effective events with the state
    after each once the game has ended; `on_step` is told of each as it comes. Raises `log.lines.Unreadable` for
    a game of more than `log.reader.MOST_EVENTS` events; `name` is what it is called there.
    """

    __slots__ = (
        "_context",
        "_marks",
        "_name",
        "_shaken",
        "_steps",
        "hides",
        "judge",
        "on_step",
        "timeline",
        "unverified",
    )

    def __init__(
        self, context: Context, name: str, *, keep_steps: bool, on_step: OnStep | None = None
    ) -> None:
        """Begin before the first event."""
        self.judge: Judge | None = None
        self._marks = 0
        self._shaken = False
        """The last line can't be gone through again: what was made of it would be lost."""
        self.timeline: Timeline[tuple[Any, int]] = Timeline()
        self.unverified = 0
        self._context = context
        self._name = name
        self.hides = context.view != "full"
        """Whether cards may be unknown."""
        self._steps: list[tuple[int, Event, State]] = []
        self.on_step = self._keep_step if keep_steps else on_step
        """Who is told of each step, if anybody."""

    @property
    def state(self) -> State | None:
        """The most likely state."""
        return None if self.judge is None else self.judge.state

    @property
    def ended(self) -> bool:
        """Whether a `game_end` stands."""
        return self.judge is not None and self.judge.state.phase is Phase.ENDED

    def begin(self, state: State) -> None:
        """Begin to judge at a state."""
        self.judge = Judge(state)
        self.save()

    def keep(self, entry: Entry, seq: int) -> None:
        """Add a line as the event with a number; it may have another number on it, or be no event."""
        raw = entry.raw
        self.timeline.add(raw, seq, short=short_form(entry.event, raw))

    def fill(self, first: int, end: int, kinds: Sequence[str | None]) -> None:
        """Go on past events that could not be read, by their numbers; `kinds` are the types the last seem to have."""
        self._check_size(end - first)
        for seq in range(first, end):
            self.timeline.add(b"", seq)
        if self.judge is not None:
            self.judge.miss(end - first, kinds)
            self._shaken = True

    def lose(self) -> None:
        """Go on past lines that are not there."""
        if self.judge is not None:
            self.judge.lose()
            self._shaken = True

    def apply(self, event: Event) -> Finding | None:
        """Go on past an event; return what is wrong with it."""
        judge = self.judge
        if judge is None or isinstance(event, UnknownEvent):
            return None
        finding = None
        if not isinstance(event, Comment):
            if self.hides:
                self.unverified += unverified(judge.state, event)
            finding = judge.take(event)
        self.step(event)
        return finding

    def guess(self, entry: Entry) -> None:
        """Go on past an entry whose shape has a fault: what is right of it may tell what it was."""
        judge, event, keys = self.judge, entry.event, entry.keys
        says_nothing = isinstance(event, UnknownEvent) and can_follow(entry, self._context)
        if judge is None or says_nothing or isinstance(event, Comment):
            return
        self._shaken = True
        if isinstance(event, UnknownEvent) or "type" not in keys:
            judge.miss(1)
        elif event is not None:
            judge.guess(lambda _state: [event], ())
            self.step(event)
        else:
            self._guess_from(keys, entry.shape.partial if entry.shape is not None else {}, judge)

    def _guess_from(self, keys: Mapping[str, Any], good: Mapping[str, Any], judge: Judge) -> None:
        """Go on past what is no event; `good` are the keys that are right."""
        if keys["type"] == "round_start" and "position" in keys and "position" not in good:
            judge.begin_at(unknown_position(keys, good, judge.state))
        elif keys["type"] == "undo":
            judge.lose()
        elif keys["type"] != "comment":
            aspects = doubtful_aspects(str(keys["type"]), missing_keys(keys, good))
            judge.guess(lambda state: likely_events(keys, good, state), aspects)

    def step(self, event: Event) -> None:
        """Tell of an event and the state after it, where that is asked for."""
        if self.on_step is not None and self.judge is not None:
            self.on_step(self.timeline.tip, event, self.judge.state)

    def _keep_step(self, place: int, event: Event, state: State) -> None:
        self._steps.append((place, event, state))

    def undo(self, event: Undo) -> bool:
        """Go back to where an undo leads, if there is such an event."""
        found = self.timeline.undo(event.to, event.seq)
        if found is None:
            return False
        moment, missed = found
        if self.judge is not None and moment is not None:
            saved, self.unverified = moment
            self.judge.restore(saved)
            for line in missed:
                self._redo(self.judge, line)
            if len(missed) > FEW:
                self.save()
        return True

    def _redo(self, judge: Judge, line: bytes) -> None:
        """Go once more through an event that was checked when it first came."""
        found = parse_line(line)
        entry = None if isinstance(found, LineFault) else Entry(0, found, self._context)
        if entry is None or entry.event is None or not can_follow(entry, self._context):
            judge.miss(1)
        elif not isinstance(entry.event, UnknownEvent):
            if self.hides:
                self.unverified += unverified(judge.state, entry.event)
            judge.take(entry.event)

    def pause(self) -> None:
        """Keep a moment to come back to, if it is time for one."""
        timeline = self.timeline
        if self._shaken and self._marks < MOST_MARKS:
            self._marks += 1
            self.save()
        self._shaken = False
        if timeline.wants_moment():
            timeline.pack()
            self._check_size()
            # A long discard pile makes a moment large.
            state = self.state
            if state is not None and timeline.wants_moment(len(state.discards) // 8):
                self.save()

    def save(self) -> None:
        """Keep a moment to come back to."""
        if self.judge is not None:
            self.timeline.save((self.judge.snapshot(), self.unverified))

    def _check_size(self, more: int = 0) -> None:
        if self.timeline.count + more > MOST_EVENTS:
            raise Unreadable(f"{self._name} has more than {MOST_EVENTS:,} events")
        if self.timeline.size > MOST_BYTES:
            raise Unreadable(f"{self._name} has more than {MOST_BYTES >> 20} MiB")

    @property
    def steps(self) -> list[tuple[Event, State]]:
        """The effective events from the first `round_start` on, each with the state after it."""
        stands = self.timeline.standing()
        steps = [(event, state) for place, event, state in self._steps if stands is None or stands[place]]
        first = next((n for n, (event, _) in enumerate(steps) if isinstance(event, RoundStart)), len(steps))
        return steps[first:]
