"""What a validator says: diagnostics and the report of a game (schemas/SPECIFICATION.md section 13)."""

from typing import Any, Literal

import msgspec

from ono_replay.check.scene import Scene

Severity = Literal["error", "warning", "note"]
Verdict = Literal["valid", "unfinished", "invalid"]


class Diagnostic(msgspec.Struct, frozen=True, kw_only=True):
    """One finding; what does not apply is None, lists are empty. No renderer is known here."""

    code: str
    name: str
    severity: Severity
    file: str
    line: int | None = None
    """1-based; None for a whole file or stream."""
    game_id: str | None = None
    seq: int | None = None
    seat: int | None = None
    message: str = ""
    expected: Any = None
    actual: Any = None
    legal: tuple[str, ...] = ()
    """Tokens the seat could have played, where that helps."""
    help: str | None = None
    knock_on: bool = False
    """It can only be a consequence of an earlier fault."""


class GameReport(msgspec.Struct, kw_only=True):
    """The verdict on one game."""

    file: str
    game_id: str | None
    line: int
    """The line of its `game_start`."""
    events: int = 0
    verdict: Verdict = "unfinished"
    errors: int = 0
    """All of them, knock-ons included."""
    warnings: int = 0
    unverified: int = 0
    knock_ons: int = 0
    """Errors that only follow from another."""
    notes: int = 0
    diagnostics: list[Diagnostic] = []
    more: int = 0
    """Diagnostics counted but not kept, past `MOST_DIAGNOSTICS`."""
    scenes: dict[int, Scene] = {}
    """What stands around the faults, by line, where that was asked for."""


MOST_DIAGNOSTICS = 1000
"""Diagnostics kept of one game; all are counted."""


class Summary(msgspec.Struct, kw_only=True):
    """The count over all files of a run."""

    files: int = 0
    games: int = 0
    valid: int = 0
    unfinished: int = 0
    invalid: int = 0
    events: int = 0
    errors: int = 0
    warnings: int = 0
    unverified: int = 0
    knock_ons: int = 0
    """Errors that only follow from another; `errors` counts them, too."""
    notes: int = 0
