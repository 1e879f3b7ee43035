"""What was found wrong with one game: all of it counted, kept as far as memory should go."""

import math
from array import array
from collections.abc import Mapping
from typing import Any, Literal

from ono_replay.check.diagnostic import MOST_DIAGNOSTICS, Diagnostic, GameReport, Severity
from ono_replay.check.entry import Entry
from ono_replay.check.finding import diagnostic
from ono_replay.check.messages import describe, key_at_fault
from ono_replay.check.scene import Scene
from ono_replay.check.shape_helps import help_for_shape
from ono_replay.log.jsonl import LineFault, NumberText
from ono_replay.rules.events import Event, UnknownEvent
from ono_replay.rules.state import State
from ono_replay.rules.violation import Violation

MOST_SCENE_BYTES = 1 << 23
"""Bytes of lines kept in scenes."""
MOST_VALUES = 120
"""Values of an array or object that a diagnostic shows."""
MOST_CHARACTERS = 400
"""Characters of a text that a diagnostic shows."""

_RANKS: tuple[Severity | Literal["knock-on"], ...] = ("error", "warning", "note", "knock-on")
"""What findings are counted by: their severity, errors that only follow from another apart."""


class Notes:
    """Makes the diagnostics of a game.

    Each belongs to the place of its event in the game's timeline, so that it goes when the event is taken
    back; or to no place, then it stays.
    """

    __slots__ = ("_kept", "_more", "_more_placed", "_room", "_scenes", "file", "game_id", "names")

    def __init__(self, file: str, *, keep_scenes: bool) -> None:
        """Begin with none."""
        self.file = file
        self.game_id: str | None = None
        self.names: tuple[str, ...] = ()
        """The players' names by seat."""
        self._kept: list[tuple[int | None, Diagnostic]] = []
        self._more = [0] * len(_RANKS)
        """What is counted only, by rank."""
        self._more_placed = array("q")
        """The same with a place: the place and the rank in one number."""
        self._scenes: dict[int, Scene] | None = {} if keep_scenes else None
        self._room = MOST_SCENE_BYTES

    def unread(self, line: int, fault: LineFault, text: bytes, state: State | None) -> None:
        """Note a line that is no object."""
        if self._is_full("error" if fault.code != "ONO103" else "warning", None):
            return
        found = diagnostic(fault.code, self.file, line, fault.message, game_id=self.game_id)
        self._kept.append((None, found))
        if text:
            self._show(line, text, state, column=fault.column)

    def broken(
        self,
        entry: Entry,
        event: Event,
        violation: Violation,
        place: int,
        state: State | None,
        *,
        severity: Severity = "error",
        knock_on: bool = False,
    ) -> None:
        """Note a rule that an event breaks; `state` is the one it met."""
        if self._is_full(severity, place, knock_on=knock_on):
            return
        message, advice = describe(violation, event, self.names)
        self.say(
            violation.code,
            entry,
            message,
            place=place,
            severity=severity,
            help_text=advice,
            expected=violation.expected,
            actual=violation.actual,
            legal=violation.legal,
            knock_on=knock_on,
            state=state,
            key=key_at_fault(violation),
        )

    def say(
        self,
        code: str,
        entry: Entry,
        message: str = "",
        *,
        place: int | None = None,
        detail: str = "",
        severity: Severity | None = None,
        state: State | None = None,
        key: str | None = None,
        expected: Any = None,
        actual: Any = None,
        help_text: str | None = None,
        **more: Any,
    ) -> None:
        """Note what is wrong with a line; without a message, the one of the catalogue for code and detail.

        `key` is the key at fault, `state` the table before the line.
        """
        if not message:
            violation = Violation(code, detail=detail, expected=expected, actual=actual)
            message, help_text = describe(violation, entry.event or UnknownEvent(0, "line"), self.names)
        if help_text is None and key is not None:
            help_text = help_for_shape(code, key, expected, actual, entry.keys.get("type"))
        found = diagnostic(
            code,
            self.file,
            entry.line,
            message,
            severity=severity,
            help_text=help_text,
            game_id=self.game_id,
            seq=entry.seq,
            seat=entry.seat,
            expected=presentable(expected),
            actual=presentable(actual),
            **more,
        )
        if not self._is_full(found.severity, place, knock_on=found.knock_on):
            self._kept.append((place, found))
            self._show(entry.line, entry.text, state, key=key)

    def _is_full(self, severity: Severity, place: int | None, *, knock_on: bool = False) -> bool:
        """Whether no more are kept; this one is counted then."""
        if len(self._kept) < MOST_DIAGNOSTICS:
            return False
        rank = _rank(severity, knock_on=knock_on)
        if place is None:
            self._more[rank] += 1
        else:
            self._more_placed.append(place * len(_RANKS) + rank)
        return True

    def _show(
        self,
        line: int,
        text: bytes,
        state: State | None,
        *,
        key: str | None = None,
        column: int | None = None,
    ) -> None:
        """Keep what stands around a finding, for those who want it."""
        scenes = self._scenes
        if scenes is None or len(text) > self._room:
            return
        before = scenes.get(line)
        if before is not None:
            key = key or before.key
        else:
            self._room -= len(text)
        scenes[line] = Scene(line=text, state=state, names=self.names, key=key, column=column)

    def has_error(self, stands: bytearray | None) -> bool:
        """Whether an error stands; `stands` tells which places do (`Timeline.standing`)."""
        counts = self._tally(stands)
        return counts[0] + counts[3] > 0

    def _tally(self, stands: bytearray | None) -> list[int]:
        """Return how many findings of each rank stand."""
        counts = list(self._more)
        for place, found in self._kept:
            if place is None or stands is None or stands[place]:
                counts[_rank(found.severity, knock_on=found.knock_on)] += 1
        for packed in self._more_placed:
            place, rank = divmod(packed, len(_RANKS))
            if stands is None or stands[place]:
                counts[rank] += 1
        return counts

    def report(
        self, line: int, events: int, unverified: int, stands: bytearray | None, *, ended: bool
    ) -> GameReport:
        """Return the report of the game, in the order of lines."""
        counts = self._tally(stands)
        errors = counts[0] + counts[3]
        kept = [found for place, found in self._kept if place is None or stands is None or stands[place]]
        kept.sort(key=lambda found: found.line or 0)
        return GameReport(
            file=self.file,
            game_id=self.game_id,
            line=line,
            events=events,
            verdict="invalid" if errors else "valid" if ended else "unfinished",
            errors=errors,
            knock_ons=counts[3],
            warnings=counts[1],
            notes=counts[2],
            unverified=unverified,
            diagnostics=kept,
            more=sum(counts) - len(kept),
            scenes=self._scenes or {},
        )


def _rank(severity: Severity, *, knock_on: bool) -> int:
    return _RANKS.index("knock-on" if knock_on and severity == "error" else severity)


def presentable(value: Any) -> Any:
    """Return a value as one that every JSON writer takes, and of a size to show.

    >>> presentable(("7", "?")), presentable(range(200))
    (['7', '?'], 'range(0, 200)')
    """
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, NumberText):
        return float(value) if math.isfinite(float(value)) else value.text
    if isinstance(value, Mapping):
        return {presentable(key): presentable(value[key]) for key in list(value)[:MOST_VALUES]}
    if isinstance(value, list | tuple | frozenset):
        shown = [presentable(each) for each in list(value)[:MOST_VALUES]]
        return shown if len(shown) == len(value) else [*shown, f"… and {len(value) - len(shown)} more"]
    text = str(value)
    return text if len(text) <= MOST_CHARACTERS else text[: MOST_CHARACTERS - 1] + "…"
