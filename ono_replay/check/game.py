"""The check of one game, line by line: order and shape here, the rules in `course`."""

from collections.abc import Callable
from typing import Any

from ono_replay.check.course import Course, OnStep
from ono_replay.check.diagnostic import GameReport, Severity
from ono_replay.check.entry import LONG, Entry, can_follow, short_form
from ono_replay.check.judge import MOST_MISSED
from ono_replay.check.lost import kinds_of_line
from ono_replay.check.notes import Notes
from ono_replay.check.order import SeqOrder
from ono_replay.check.seating import seat_players
from ono_replay.check.timeline import BETWEEN_MOMENTS
from ono_replay.check.unverified import unverified
from ono_replay.log.jsonl import LineFault, RawObject
from ono_replay.log.lines import Line, LongLine
from ono_replay.log.shape import Context, check_shape, context_of, quick_ok
from ono_replay.log.values import as_json
from ono_replay.rules.events import (
    Comment,
    Deal,
    DiscardFour,
    Draw,
    Eliminate,
    Event,
    ForfeitDraw,
    GameEnd,
    GameStart,
    Play,
    Reshuffle,
    RoundEnd,
    RoundStart,
    Undo,
)
from ono_replay.rules.legality import why_illegal
from ono_replay.rules.state import State
from ono_replay.rules.transition import advance
from ono_replay.rules.violation import Violation

Found = Event | RawObject | LineFault
"""What a line was read as."""

PLAIN: frozenset[object] = frozenset(
    {RoundStart, Deal, Play, Draw, ForfeitDraw, DiscardFour, Reshuffle, Eliminate, RoundEnd, Comment}
)
"""The event types that `take_plain` takes: those that only shape and rules have a word on."""


class GameCheck:
    """Checks one game as its lines come; `report` ends it.

    With `keep_steps`, `steps` has the effective events with the state after each once the game has ended.
    With `keep_scenes`, the report has the line of each finding and the state before it. Raises
    `log.lines.Unreadable` for a game of more than `log.reader.MOST_EVENTS` events.
    """

    def __init__(
        self,
        file: str,
        line: int,
        found: Event | RawObject,
        is_again: Callable[[str], bool],
        *,
        text: bytes = b"",
        keep_steps: bool = False,
        on_step: OnStep | None = None,
        keep_scenes: bool = False,
    ) -> None:
        """Begin with the `game_start`."""
        entry = Entry(line, found, None, text)
        if entry.shape is None:
            entry.shape = check_shape(entry.keys, None)
            entry.event = entry.shape.event
        self.line = line
        self.context: Context = context_of(entry.keys)
        self.start = entry.event if isinstance(entry.event, GameStart) else None
        """The first line; None where it could not be read as an event."""
        self.first_state: State | None = None
        name = f"{file}: the game that begins in line {line}"
        self._course = Course(self.context, name, keep_steps=keep_steps, on_step=on_step)
        self._notes = Notes(file, keep_scenes=keep_scenes)
        self._order = SeqOrder()
        self._events = 0
        self._last_ms: int | None = None
        self._doubtful_rules = self._doubtful_seats = False
        self._unsupported = False
        self._saw_end = False
        self._held: Entry | None = None
        self._unread: list[str | None] = []
        """What types the last lines that could not be read seem to have."""
        self._begin(entry, entry.shape.partial, is_again)

    @property
    def game_id(self) -> str | None:
        """The id of the game, None where it has none."""
        return self._notes.game_id

    @property
    def names(self) -> tuple[str, ...]:
        """The players' names by seat."""
        return self._notes.names

    @property
    def ended(self) -> bool:
        """Whether a `game_end` stands."""
        return self._saw_end if self._course.judge is None else self._course.ended

    @property
    def steps(self) -> list[tuple[Event, State]]:
        """The effective events from the first `round_start` on, each with the state after it."""
        return self._course.steps

    def standing(self) -> bytearray | None:
        """Return for each place among its lines whether the event stands; None if nothing was ever taken back."""
        return self._course.timeline.standing()

    @property
    def lines_digest(self) -> str:
        """The digest of the canonical bytes of all its lines, as `game_end.digest` has that of those before it."""
        return self._course.timeline.digest()

    # --- the first line -----------------------------------------------------------------------------

    def _begin(self, entry: Entry, good: dict[str, Any], is_again: Callable[[str], bool]) -> None:
        """Check the first line; `good` is what is right of it."""
        self._notes.game_id = good.get("game_id")
        self._notes.names = tuple(player.name for player in good.get("players") or ())
        if entry.seq is None:
            self._order.took(0)
        else:
            self._check_seq(entry)
        self._keep(entry)
        self._last_ms = good.get("at_ms")
        self._note_shape(entry)
        fault = entry.shape.fault if entry.shape is not None else None
        if fault is not None and fault.code == "ONO112":
            self._unsupported = True
            return
        if self.game_id is not None and is_again(self.game_id):
            self._notes.say("ONO203", entry)
        if "players" in good and "ruleset" in good:
            self._seat_players(entry, good["ruleset"], len(good["players"]))

    def _seat_players(self, entry: Entry, options: dict[str, Any], seats: int) -> None:
        seating = seat_players(options, seats)
        self._doubtful_rules = seating.doubtful_rules
        self._doubtful_seats = seating.doubtful_seats
        wrong = seating.fault
        if wrong is not None and entry.sound:
            key = "players" if wrong.option is None else f"ruleset.{wrong.option}"
            self._notes.say(
                "ONO208", entry, str(wrong), expected=wrong.expected, actual=wrong.actual, key=key
            )
        self.first_state = seating.state
        if seating.state is not None:
            self._course.begin(seating.state)

    # --- the lines after it -------------------------------------------------------------------------

    def take(self, line: Line | LongLine, found: Found) -> None:
        """Check the next line of the game."""
        if self._unsupported:
            return
        text = line.raw if isinstance(line, Line) else b""
        if isinstance(found, LineFault):
            self.release()
            self._notes.unread(line.number, found, text, self._course.state)
            if found.code != "ONO103":
                kinds: list[str | None] = [*kinds_of_line(text)] or [None]
                self._order.lose_lines(len(kinds))
                self._unread = [*self._unread, *kinds][-MOST_MISSED:]
            return
        entry = Entry(line.number, found, self.context, text)
        if self._held is not None:
            held, self._held = self._held, None
            if entry.seq is not None and entry.seq == self._order.next:
                self._say_number(held, "swapped", self._order.next)
                self._take(entry)
                self._take(held)
                return
            self._take(held)
        if entry.seq is not None and self._order.may_be_swapped(entry.seq):
            self._held = entry
            return
        self._take(entry)

    def take_plain(self, raw: bytes, event: Any) -> bool:
        """Take an event of `PLAIN` by the short way if nothing is wrong or special about it.

        Where this returns False nothing has happened: `take` goes the long way and says what there is to say.
        """
        order, course = self._order, self._course
        judge = course.judge
        seq = event.seq
        if seq != order.plain or judge is None or judge.doubts.held or len(judge.beliefs) > 1 or self._held:
            return False
        state = judge.beliefs[0]
        if not quick_ok(event, self.context) or why_illegal(state, event) is not None:
            return False
        at_ms = event.at_ms
        if at_ms is not None:
            if self._last_ms is not None and at_ms < self._last_ms:
                return False
            self._last_ms = at_ms
        if course.hides:
            course.unverified += unverified(state, event)
        judge.beliefs[0] = advance(state, event)
        order.next = order.plain = seq + 1
        self._events += 1
        if len(raw) <= LONG:
            course.timeline.add_next(raw)
        else:
            course.timeline.add(raw, seq, short=short_form(event, raw))
        if course.on_step is not None:
            course.step(event)
        if not seq % BETWEEN_MOMENTS:
            course.pause()
        return True

    def release(self) -> None:
        """Go on past a line that was held back because it may have changed places with the next."""
        if self._held is not None:
            held, self._held = self._held, None
            self._take(held)

    def _take(self, entry: Entry) -> None:
        if entry.seq is None:
            self._take_unnumbered(entry)
            return
        if not self._check_seq(entry):
            return
        event, course = entry.event, self._course
        has_digest = isinstance(event, GameEnd) and event.digest is not None
        right = course.timeline.digest() if has_digest else None
        self._keep(entry)
        self._note_shape(entry)
        if event is None or not can_follow(entry, self.context):
            course.guess(entry)
        else:
            if event.at_ms is not None:
                self._check_time(entry, event.at_ms)
            self._follow(entry, event, right)
        course.pause()

    def _take_unnumbered(self, entry: Entry) -> None:
        """Go on past an event whose `seq` is missing or no integer: it stands where it is."""
        seq = self._order.next
        self._order.took(seq)
        shape = check_shape({**entry.keys, "seq": seq}, self.context)
        entry.event = shape.event if shape.fault is None else None
        self._keep(entry)
        self._note_shape(entry)
        if entry.event is not None:
            self._follow(entry, entry.event, None)
        else:
            self._course.guess(entry)
        self._course.pause()

    def _keep(self, entry: Entry) -> None:
        self._events += 1
        self._course.keep(entry, self._order.next - 1)

    def _check_seq(self, entry: Entry) -> bool:
        """Check the number of a line; return whether the line counts."""
        assert entry.seq is not None
        order, course = self._order, self._course
        expected = order.next
        seen = False
        if entry.seq < expected:
            raw = entry.raw
            seen = course.timeline.holds(short_form(entry.event, raw) or raw, entry.seq)
        kind = order.take(entry.seq, seen=seen)
        if kind in ("repeated", "gap", "odd"):
            self._say_number(entry, kind, expected)
        if kind == "repeated":
            return False
        if kind == "typo":
            course.timeline.renumber_last(entry.seq - 1)
            if course.judge is not None:
                course.judge.trust()
        if kind == "filled":
            course.fill(expected, entry.seq, self._unread)
        if kind == "gap":
            course.lose()
        return True

    def _say_number(self, entry: Entry, detail: str, expected: int) -> None:
        self._notes.say(
            "ONO202", entry, detail=detail, expected=expected, actual=entry.seq, state=self._course.state
        )

    def _check_time(self, entry: Entry, at_ms: int) -> None:
        if self._last_ms is not None and at_ms < self._last_ms:
            self._notes.say("ONO205", entry, expected=self._last_ms, actual=at_ms)
        self._last_ms = at_ms

    def _note_shape(self, entry: Entry) -> None:
        shape = entry.shape
        if shape is None:
            return
        for key, meant in shape.unknown_keys:
            hint = f"; did you mean {meant}?" if meant else ""
            message = f"there is no key {as_json(key)} here{hint}"
            self._notes.say("ONO108", entry, message, expected=meant, actual=key)
        fault = shape.fault
        if fault is not None:
            severity: Severity = "warning" if fault.code == "ONO105" and self.context.minor > 0 else "error"
            self._notes.say(
                fault.code,
                entry,
                fault.message,
                # Of an event that was taken back only the line itself is at fault, not what it says.
                place=None if fault.code.startswith("ONO1") else self._course.timeline.count - 1,
                severity=severity,
                expected=fault.expected,
                actual=fault.actual,
                # Without the right number of players, arrays by seat seem too long and seats too high.
                knock_on=self._doubtful_seats and fault.code in ("ONO107", "ONO206", "ONO211"),
                state=self._course.state,
                key=fault.key,
            )

    # --- the rules ----------------------------------------------------------------------------------

    def _follow(self, entry: Entry, event: Event, digest: str | None) -> None:
        """Go on past an event; `digest` is what that of a `game_end` should be."""
        course = self._course
        if isinstance(event, Undo):
            if not course.undo(event):
                self._notes.say("ONO209", entry, actual=event.to, state=course.state)
            return
        self._saw_end = self._saw_end or isinstance(event, GameEnd)
        if not entry.sound:
            course.guess(entry)
            return
        place = course.timeline.tip
        finding = course.apply(event)
        if finding is not None:
            self._notes.broken(
                entry,
                event,
                finding.violation,
                place,
                finding.state,
                severity=finding.severity,
                knock_on=finding.knock_on or self._doubtful_rules,
            )
        elif isinstance(event, GameEnd) and event.digest != digest and course.judge is not None:
            violation = Violation("ONO501", expected=digest, actual=event.digest)
            knock_on = self._notes.has_error(course.timeline.standing())
            self._notes.broken(entry, event, violation, place, None, knock_on=knock_on)

    def report(self) -> GameReport:
        """End the game and return its report."""
        self.release()
        course = self._course
        stands = course.timeline.standing()
        return self._notes.report(self.line, self._events, course.unverified, stands, ended=self.ended)
