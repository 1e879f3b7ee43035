"""One chunk of a log through the validator: rows to be let in, or what goes into quarantine.

This is plain Python, a chunk at a time; it is the yardstick of whatever does the same faster.
"""

from collections.abc import Sequence
from typing import Any

import msgspec

from ono_replay.check.diagnostic import Diagnostic, GameReport
from ono_replay.check.game import GameCheck
from ono_replay.check.validator import check_lines
from ono_replay.library.chunks import Chunk, ChunkReader
from ono_replay.library.game import CheckedGame, Origin
from ono_replay.library.hashes import fingerprint
from ono_replay.log.jsonl import RawObject, canonical, parse_line
from ono_replay.log.lines import Line
from ono_replay.log.shape import check_shape
from ono_replay.log.undo import effective_events, renumbered, with_digest
from ono_replay.rules.events import Event

MOST_ID = 128
"""The most characters of a game's id."""


class Refused(msgspec.Struct, frozen=True):
    """What is not let in, and why."""

    why: str
    """`invalid`, `fork` or `stray`."""
    game_id: str | None
    """With the prefix of the import."""
    chunk: Chunk
    report: dict[str, Any]
    """As `validate --format json` shows a game."""
    errors: int
    codes: tuple[str, ...]

    @property
    def key(self) -> str:
        """What it is called in the quarantine: the same bytes under the same id have the same key."""
        named = self.game_id or ""
        return fingerprint([f"{self.why} {named} ".encode(), self.chunk.content])[:16]

    def row(self, imported: int) -> tuple[Any, ...]:
        """Return the row of the view `quarantine`, with the report and the bytes."""
        chunk = self.chunk
        report = msgspec.json.encode(self.report, enc_hook=str).decode()
        return (
            self.key, self.why, self.game_id, chunk.file, chunk.line, self.errors, self.codes, len(chunk.content),
            imported, report, chunk.content,
        )  # fmt: skip


class Taken(msgspec.Struct, frozen=True):
    """What came of a chunk: a game, something refused, and the findings that belong to no game."""

    game: CheckedGame | None
    refused: Refused | None
    strays: tuple[Diagnostic, ...] = ()


def take_chunk(chunk: Chunk, imported: int, prefix: str = "") -> Taken:
    """Check a chunk; `prefix` goes before the id of its game, `imported` is the number of the import.

    Raises `log.lines.Unreadable` for a game of too many events.
    """
    check: GameCheck | None = None
    strays: list[Diagnostic] = []
    for checked in check_lines(ChunkReader(chunk), keep_steps=True):
        if isinstance(checked, Diagnostic):
            strays.append(checked)
        else:
            check = checked
    if check is None:
        return Taken(None, _stray(chunk, strays), tuple(strays))
    report = check.report()
    game_id = prefix + (check.game_id or "") if check.game_id is not None else None
    refused = None
    if report.verdict == "invalid":
        refused = refuse("invalid", game_id, chunk, report)
    elif game_id is not None and len(game_id) > MOST_ID:
        refused = refuse("invalid", game_id, chunk, report, note="with its prefix the id is too long")
    if refused is not None:
        return Taken(None, refused, tuple(strays))
    origin = Origin(chunk.file, chunk.line, imported)
    return Taken(_checked(chunk, check, report, origin, prefix), None, tuple(strays))


def refuse(why: str, game_id: str | None, chunk: Chunk, report: GameReport, *, note: str = "") -> Refused:
    """Return what goes into quarantine for a game."""
    shown: dict[str, Any] = {
        name: getattr(report, name)
        for name in ("file", "game_id", "line", "events", "verdict", "errors", "warnings", "unverified")
    }
    shown["diagnostics"] = [msgspec.structs.asdict(found) for found in report.diagnostics]
    if note:
        shown["note"] = note
    return Refused(why, game_id, chunk, shown, report.errors, _codes(report.diagnostics))


def _codes(found: Sequence[Diagnostic]) -> tuple[str, ...]:
    return tuple(sorted({diagnostic.code for diagnostic in found if diagnostic.severity == "error"}))


def _stray(chunk: Chunk, strays: Sequence[Diagnostic]) -> Refused | None:
    """Lines that belong to no game are kept like a game that is refused."""
    if not strays or not chunk.content.strip():
        return None
    report = {
        "file": chunk.file,
        "line": chunk.line,
        "diagnostics": [msgspec.structs.asdict(found) for found in strays],
    }
    errors = sum(found.severity == "error" for found in strays)
    return Refused("stray", None, chunk, report, errors, _codes(strays))


def _checked(chunk: Chunk, check: GameCheck, report: GameReport, origin: Origin, prefix: str) -> CheckedGame:
    start, steps = check.start, check.steps
    assert start is not None
    assert check.first_state is not None
    lines_digest, raw_digest = check.lines_digest.removeprefix("sha256:")[:32], chunk.digest
    events = [event for event, _ in steps]
    # Canonical bytes are most often read; then what has no state are the lines before the first round.
    head = _read_head(chunk) if raw_digest == lines_digest else []
    if len(head) + len(events) == report.events:
        events = [*head, *events]
    else:
        events = effective_events(read_events(chunk))
    n_voided = report.events - len(events)
    log_digest = lines_digest
    if prefix or n_voided:
        start = msgspec.structs.replace(start, game_id=prefix + start.game_id)
        events[0] = start
        finished = with_digest(renumbered(events))
        log_digest = fingerprint(canonical(event) + b"\n" for event in finished)
    return CheckedGame(
        start=start,
        events=events,
        states={event.seq: state for event, state in steps},
        first=check.first_state,
        report=report,
        origin=origin,
        n_voided=n_voided,
        log_digest=log_digest,
        lines_digest=None if lines_digest == log_digest else lines_digest,
        raw_digest=None if raw_digest == lines_digest else raw_digest,
    )


def _read_head(chunk: Chunk) -> list[Event]:
    """Return the events before the first round of a game in canonical bytes."""
    events: list[Event] = []
    for line in ChunkReader(chunk):
        found = parse_line(line.raw) if isinstance(line, Line) else None
        if not isinstance(found, Event) or found.type == "round_start":
            break
        events.append(found)
    return events


def read_events(chunk: Chunk) -> list[Event]:
    """Return the events of a chunk that is a game without errors, undos and all."""
    events: list[Event] = []
    for line in ChunkReader(chunk):
        found = parse_line(line.raw) if isinstance(line, Line) else None
        if isinstance(found, RawObject):
            found = check_shape(found.keys, None).event
        if isinstance(found, Event):
            events.append(found)
    return events
