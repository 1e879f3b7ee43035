"""The check of one game, line by line: order, shape and rules, and what an undo takes back."""

import math
from collections.abc import Callable, Mapping
from typing import Any

from ono_replay.check.diagnostic import MOST_DIAGNOSTICS, Diagnostic, GameReport, Severity
from ono_replay.check.finding import diagnostic
from ono_replay.check.judge import Finding, Judge
from ono_replay.check.messages import describe, key_at_fault
from ono_replay.check.order import SeqOrder
from ono_replay.check.scene import Scene
from ono_replay.check.timeline import BETWEEN_MOMENTS, Timeline
from ono_replay.check.unverified import unverified
from ono_replay.log.jsonl import LineFault, NumberText, RawObject, canonical, digest_of, parse_line
from ono_replay.log.lines import Line, LongLine
from ono_replay.log.shape import Context, Shape, check_shape, context_of, event_keys, quick_ok
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
    UnknownEvent,
)
from ono_replay.rules.legality import why_illegal
from ono_replay.rules.ruleset import BadRuleset, Ruleset, check_player_count, make_ruleset
from ono_replay.rules.state import Phase, State, first_state
from ono_replay.rules.transition import advance
from ono_replay.rules.violation import Violation

Found = Event | RawObject | LineFault
"""What a line was read as."""


PLAIN: frozenset[object] = frozenset(
    {RoundStart, Deal, Play, Draw, ForfeitDraw, DiscardFour, Reshuffle, Eliminate, RoundEnd, Comment}
)
"""The event types that `take_plain` takes: those that only shape and rules have a word on."""


class _Item:
    """One line of the game that holds an object, on its way through the checks."""

    __slots__ = ("event", "found", "line", "seq", "shape", "text")

    def __init__(
        self, line: int, found: Event | RawObject, context: Context | None, text: bytes = b""
    ) -> None:
        self.line = line
        self.found = found
        self.text = text
        self.shape: Shape | None = None
        self.event: Event | None = None
        if isinstance(found, Event) and (context is None or quick_ok(found, context)):
            self.event = found
            self.seq: int | None = found.seq
            return
        keys = found.keys if isinstance(found, RawObject) else event_keys(found)
        self.shape = check_shape(keys, context)
        self.event = self.shape.event
        seq = keys.get("seq")
        self.seq = seq if type(seq) is int else None

    @property
    def seat(self) -> int | None:
        seat = getattr(self.event, "seat", None) if self.event else self.keys.get("seat")
        return seat if type(seat) is int else None

    @property
    def keys(self) -> dict[str, Any]:
        return self.found.keys if isinstance(self.found, RawObject) else event_keys(self.found)

    @property
    def raw(self) -> bytes:
        """The canonical bytes, empty for what is no event."""
        if isinstance(self.found, Event):
            return self.text or canonical(self.found)
        return canonical(self.event) if self.event is not None else b""


class GameCheck:
    """Checks one game as its lines come; `report` ends it.

    With `keep_steps`, `steps` has the effective events with the state after each once the game has ended.
    With `keep_scenes`, the report has the line of each finding and the state before it.
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
        keep_scenes: bool = False,
    ) -> None:
        """Begin with the `game_start`."""
        self.file = file
        self.line = line
        self.game_id: str | None = None
        self.context: Context | None = None
        self.names: tuple[str, ...] = ()
        self.judge: Judge | None = None
        self.start: GameStart | None = None
        self.first_state: State | None = None
        self._order = SeqOrder()
        self._timeline: Timeline[tuple[Any, int]] = Timeline()
        self._found: list[tuple[int | None, Diagnostic]] = []
        self._errors = self._warnings = 0
        self._more = 0
        self._events = 0
        self._last_ms: int | None = None
        self._unverified = 0
        self._hides = True
        self._doubtful_rules = False
        self._unsupported = False
        self._saw_end = False
        self._held: _Item | None = None
        self._steps: list[tuple[int, Event, State]] | None = [] if keep_steps else None
        self._scenes: dict[int, Scene] | None = {} if keep_scenes else None
        self._begin(_Item(line, found, None, text), is_again)

    @property
    def ended(self) -> bool:
        """Whether a `game_end` stands."""
        if self.judge is None:
            return self._saw_end
        return self.judge.state.phase is Phase.ENDED

    # --- the first line -----------------------------------------------------------------------------

    def _begin(self, item: _Item, is_again: Callable[[str], bool]) -> None:
        keys = item.keys
        if item.shape is None:
            item.shape = check_shape(keys, None)
            item.event = item.shape.event
        good = item.shape.partial
        self.game_id = good.get("game_id")
        self.start = item.event if isinstance(item.event, GameStart) else None
        self.context = context_of(keys)
        self._hides = self.context.view != "full"
        self._keep(item)
        if item.seq is None:
            self._order.took(0)
        else:
            self._check_seq(item)
        self._last_ms = good.get("at_ms")
        self._report_shape(item)
        players = good.get("players")
        self.names = tuple(player.name for player in players or ())
        if item.shape.fault is not None and item.shape.fault.code == "ONO112":
            self._unsupported = True
            return
        if self.game_id is not None and is_again(self.game_id):
            self._say("ONO203", item, "", node=None)
        if players is not None and "ruleset" in good:
            self._seat_players(item, good["ruleset"], len(players))
        self._save()

    def _seat_players(self, item: _Item, options: dict[str, Any], seats: int) -> None:
        faulty = item.shape is not None and item.shape.fault is not None
        try:
            ruleset: Ruleset | None = make_ruleset(options)
        except BadRuleset as wrong:
            ruleset = _without_bad_options(options)
            self._doubtful_rules = True
            if not faulty:
                self._say_ruleset(item, wrong)
                faulty = True
        if ruleset is None:
            return
        try:
            check_player_count(ruleset, seats)
        except BadRuleset as wrong:
            self._doubtful_rules = True
            if not faulty:
                self._say_ruleset(item, wrong)
        if seats:
            self.first_state = first_state(ruleset, seats)
            self.judge = Judge(self.first_state)

    def _say_ruleset(self, item: _Item, wrong: BadRuleset) -> None:
        key = "players" if wrong.option is None else f"ruleset.{wrong.option}"
        self._say("ONO208", item, str(wrong), expected=wrong.expected, actual=_plain(wrong.actual), key=key)

    # --- the lines after it -------------------------------------------------------------------------

    def take(self, line: Line | LongLine, found: Found) -> None:
        """Check the next line of the game."""
        if self._unsupported:
            return
        if isinstance(found, LineFault):
            self._release()
            self._add(None, diagnostic(found.code, self.file, line.number, found.message, game_id=self.game_id))
            if isinstance(line, Line):
                self._show(line.number, line.raw, column=found.column)
            if found.code != "ONO103":
                self._order.lose_line()
            return
        item = _Item(line.number, found, self.context, line.raw if isinstance(line, Line) else b"")
        if self._held is not None:
            held, self._held = self._held, None
            if item.seq is not None and item.seq == self._order.next:
                self._say("ONO202", held, "", detail="swapped", expected=self._order.next, actual=held.seq)
                self._take(item)
                self._take(held)
                return
            self._take(held)
        if item.seq is not None and self._order.may_be_swapped(item.seq):
            self._held = item
            return
        self._take(item)

    def take_plain(self, raw: bytes, event: Any) -> bool:
        """Take an event of `PLAIN` by the short way if nothing is wrong or special about it.

        Where this returns False nothing has happened: `take` goes the long way and says what there is to say.
        """
        judge, order = self.judge, self._order
        seq = event.seq
        if seq != order.plain or judge is None or judge.doubts or len(judge.beliefs) > 1 or self._held:
            return False
        state = judge.beliefs[0]
        if not quick_ok(event, self.context) or why_illegal(state, event) is not None:
            return False
        at_ms = event.at_ms
        if at_ms is not None:
            if self._last_ms is not None and at_ms < self._last_ms:
                return False
            self._last_ms = at_ms
        if self._hides:
            self._unverified += unverified(state, event)
        judge.beliefs[0] = after = advance(state, event)
        order.next = order.plain = seq + 1
        self._events += 1
        timeline = self._timeline
        timeline.add_next(raw)
        if self._steps is not None:
            self._steps.append((timeline.tip, event, after))
        if not seq % BETWEEN_MOMENTS:
            self._save()
        return True

    def _release(self) -> None:
        if self._held is not None:
            held, self._held = self._held, None
            self._take(held)

    def _take(self, item: _Item) -> None:
        if item.seq is None:
            self._take_unnumbered(item)
            return
        if not self._check_seq(item):
            return
        if item.shape is not None:
            self._report_shape(item)
            if item.event is None or (item.shape.fault is not None and not self._stands_all_the_same(item)):
                self._keep(item)
                self._lose(item)
                return
        self._keep(item)
        event = item.event
        assert event is not None
        if event.at_ms is not None:
            self._check_time(item, event.at_ms)
        if item.shape is None or item.shape.fault is None:
            self._apply(item, event, silent=False)
        else:
            self._apply(item, event, silent=True)
        if self._timeline.wants_moment:
            self._save()

    def _stands_all_the_same(self, item: _Item) -> bool:
        """Whether an event with a fault of shape can still be followed."""
        return not isinstance(item.event, UnknownEvent) or self._newer

    @property
    def _newer(self) -> bool:
        return self.context is not None and self.context.minor > 0

    def _take_unnumbered(self, item: _Item) -> None:
        """An event whose `seq` is missing or no integer: it stands where it is."""
        self._report_shape(item)
        seq = self._order.next
        self._order.took(seq)
        keys = {**item.keys, "seq": seq}
        shape = check_shape(keys, self.context)
        item.event = shape.event if shape.fault is None else None
        self._keep(item)
        if item.event is not None:
            self._apply(item, item.event, silent=True)
        else:
            self._lose(item)

    def _check_seq(self, item: _Item) -> bool:
        """Check the number of a line; return whether the line counts."""
        assert item.seq is not None
        order = self._order
        expected = order.next
        lost = order.unread
        kind = order.take(item.seq, self._timeline.holds(item.raw) if item.seq < expected else False)
        if kind == "repeated":
            self._say("ONO202", item, "", detail="repeated", expected=expected, actual=item.seq)
            return False
        if kind == "typo" and self.judge is not None and not self._doubtful_rules:
            self.judge.trust()
        if kind in ("gap", "odd"):
            self._say("ONO202", item, "", detail=kind, expected=expected, actual=item.seq)
        if kind == "filled":
            for missing in range(expected, item.seq):
                self._timeline.add(b"", missing)
        if self.judge is not None and (kind == "gap" or (kind == "filled" and lost)):
            self.judge.lose()
        return True

    def _check_time(self, item: _Item, at_ms: int) -> None:
        if self._last_ms is not None and at_ms < self._last_ms:
            self._say("ONO205", item, "", expected=self._last_ms, actual=at_ms)
        self._last_ms = at_ms

    # --- rules --------------------------------------------------------------------------------------

    def _apply(self, item: _Item, event: Event, *, silent: bool) -> None:
        if isinstance(event, Undo):
            self._undo(item, event)
            return
        if isinstance(event, GameEnd):
            self._saw_end = True
        judge = self.judge
        if judge is None:
            return
        self._judge(item, event, judge, silent=silent)
        if self._steps is not None and not isinstance(event, UnknownEvent):
            self._steps.append((self._timeline.tip, event, judge.state))

    def _judge(self, item: _Item, event: Event, judge: Judge, *, silent: bool) -> None:
        if isinstance(event, Comment | UnknownEvent):
            return
        state = judge.state
        if silent:
            judge.guess(event)
            return
        finding = judge.take(event)
        if self._hides:
            self._unverified += unverified(state, event)
        if finding is not None:
            self._report_finding(item, event, finding)
        elif isinstance(event, GameEnd):
            self._check_digest(item, event)

    def _report_finding(self, item: _Item, event: Event, finding: Finding) -> None:
        violation = finding.violation
        knock_on = finding.knock_on or self._doubtful_rules
        severity: Severity = finding.severity
        message, advice = describe(violation, event, self.names)
        self._say(
            violation.code,
            item,
            message,
            severity=severity,
            help_text=advice,
            expected=_plain(violation.expected),
            actual=_plain(violation.actual),
            legal=violation.legal,
            knock_on=knock_on,
            node=self._timeline.tip,
            state=finding.state,
            key=key_at_fault(violation),
        )

    def _check_digest(self, item: _Item, event: GameEnd) -> None:
        if event.digest is None:
            return
        right = digest_of(self._timeline.lines[:-1])
        if event.digest != right:
            knock_on = any(found.severity == "error" for found in self._standing())
            violation = Violation("ONO501", expected=right, actual=event.digest)
            message, advice = describe(violation, event, self.names)
            self._say(
                "ONO501",
                item,
                message,
                help_text=advice,
                expected=right,
                actual=event.digest,
                knock_on=knock_on,
                node=self._timeline.tip,
            )

    def _undo(self, item: _Item, event: Undo) -> None:
        moment = self._timeline.undo(event.to, event.seq)
        if moment is None:
            self._say("ONO209", item, "", expected=None, actual=event.to)
            return
        saved, missed = moment
        if self.judge is not None and saved is not None:
            state, self._unverified = saved
            self.judge.restore(state)
            for line in missed:
                self._redo(self.judge, line)

    def _redo(self, judge: Judge, line: bytes) -> None:
        """Go once more through an event that was checked when it first came."""
        found = parse_line(line)
        if isinstance(found, LineFault):
            judge.lose()
            return
        item = _Item(0, found, self.context)
        event = item.event
        if event is None or (item.shape is not None and item.shape.fault is not None):
            judge.lose()
            return
        if self._hides:
            self._unverified += unverified(judge.state, event)
        judge.take(event)

    def _lose(self, item: _Item) -> None:
        """Go on past an event that can't be read as one."""
        if self.judge is None:
            return
        self.judge.lose()
        patched = _patched(item, self.judge.state)
        if patched is not None:
            self.judge.guess(patched)

    # --- keeping ------------------------------------------------------------------------------------

    def _keep(self, item: _Item) -> None:
        self._events += 1
        self._timeline.add(item.raw, item.seq)

    def _save(self) -> None:
        if self.judge is not None:
            self._timeline.save((self.judge.snapshot(), self._unverified))

    def _report_shape(self, item: _Item) -> None:
        shape = item.shape
        if shape is None:
            return
        for key, meant in shape.unknown_keys:
            hint = f"; did you mean {meant}?" if meant else ""
            self._say("ONO108", item, f"there is no key {as_json(key)} here{hint}", expected=meant, actual=key)
        fault = shape.fault
        if fault is not None:
            severity: Severity = "warning" if fault.code == "ONO105" and self._newer else "error"
            self._say(
                fault.code,
                item,
                fault.message,
                severity=severity,
                expected=fault.expected,
                actual=_plain(fault.actual),
                knock_on=self._doubtful_rules,
                key=fault.key,
            )

    def _say(
        self,
        code: str,
        item: _Item,
        message: str,
        *,
        node: int | None = None,
        detail: str = "",
        state: State | None = None,
        key: str | None = None,
        **more: Any,
    ) -> None:
        if not message:
            message, more["help_text"] = describe(
                Violation(code, detail=detail, expected=more.get("expected"), actual=more.get("actual")),
                item.event or UnknownEvent(0, "line"),
                self.names,
            )
        self._show(item.line, item.text, state=state, key=key)
        self._add(
            node,
            diagnostic(
                code, self.file, item.line, message, game_id=self.game_id, seq=item.seq, seat=item.seat, **more
            ),
        )

    def _add(self, node: int | None, found: Diagnostic) -> None:
        self._found.append((node, found))

    def _show(
        self,
        line: int,
        text: bytes,
        *,
        state: State | None = None,
        key: str | None = None,
        column: int | None = None,
    ) -> None:
        """Keep what stands around a finding, for those who want it."""
        scenes = self._scenes
        if scenes is None or (len(scenes) >= MOST_DIAGNOSTICS and line not in scenes):
            return
        if state is None and self.judge is not None:
            state = self.judge.state
        before = scenes.get(line)
        if before is not None:
            key = key or before.key
        scenes[line] = Scene(line=text, state=state, names=self.names, key=key, column=column)

    def _standing(self) -> list[Diagnostic]:
        """Return the findings on events that have not been taken back."""
        places = self._timeline.standing()
        return [found for place, found in self._found if place is None or places is None or place in places]

    @property
    def steps(self) -> list[tuple[Event, State]]:
        """The effective events from the first `round_start` on, each with the state after it."""
        places = self._timeline.standing()
        steps = [
            (event, state) for place, event, state in self._steps or () if places is None or place in places
        ]
        first = next((n for n, (event, _) in enumerate(steps) if isinstance(event, RoundStart)), len(steps))
        return steps[first:]

    def report(self) -> GameReport:
        """End the game and return its report."""
        self._release()
        kept = self._standing()
        errors = sum(found.severity == "error" for found in kept)
        verdict = "invalid" if errors else "valid" if self.ended else "unfinished"
        kept.sort(key=lambda found: found.line or 0)
        return GameReport(
            file=self.file,
            game_id=self.game_id,
            line=self.line,
            events=self._events,
            verdict=verdict,  # type: ignore[arg-type]
            errors=errors,
            warnings=sum(found.severity == "warning" for found in kept),
            unverified=self._unverified,
            diagnostics=kept[:MOST_DIAGNOSTICS],
            more=max(0, len(kept) - MOST_DIAGNOSTICS),
            scenes=self._scenes or {},
        )


def _without_bad_options(options: dict[str, Any]) -> Ruleset | None:
    """Return the ruleset of the options that are right, None if even the edition is not."""
    edition = options.get("edition")
    try:
        ruleset = make_ruleset({"edition": edition})
    except BadRuleset:
        return None
    good: dict[str, Any] = {"edition": edition}
    for name, value in options.items():
        try:
            ruleset = make_ruleset({**good, name: value})
        except BadRuleset:
            continue
        good[name] = value
    return ruleset


def _patched(item: _Item, state: State) -> Event | None:
    """Return what an event with a fault of shape most likely was, None where that can't be told."""
    keys = dict(item.keys)
    kind = keys.get("type")
    if kind == "draw":
        keys["card"] = "?"
        if state.drawer is not None:
            keys["seat"] = state.drawer
    elif kind in ("play", "discard_four", "eliminate") and state.turn is not None:
        keys["seat"] = state.turn
        if kind == "eliminate":
            keys["reason"] = keys.get("reason", "no_legal_play")
            keys.pop("hand", None)
            keys.pop("card", None)
    else:
        return None
    context = Context(seats=state.match.seats, view="public")
    return check_shape(keys, context).event if "seq" in keys else None


def _plain(value: Any) -> Any:
    """Return a value as one that every JSON writer takes."""
    if isinstance(value, NumberText):
        return float(value) if math.isfinite(float(value)) else value.text
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, list | tuple | frozenset) else value
