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
from ono_replay.rules.events import Event, GameStart

MOST_ID = 128
"""The most characters of a game's id."""


class Refused(msgspec.Struct, frozen=True):
    """What is not let in, and why."""

    why: str
    """`invalid`, `fork` or `stray`."""
    chunk: Chunk
    report: dict[str, Any]
    """As `validate --format json` shows a game."""
    errors: int
    codes: tuple[str, ...]

    def row(self, imported: int) -> tuple[Any, ...]:
        """Return the row of the view `quarantine`, with the report and the bytes."""
        chunk = self.chunk
        report = msgspec.json.encode(self.report, enc_hook=str).decode()
        key = fingerprint([self.why.encode(), (chunk.game_id or "").encode(), b"\0", chunk.content])[:16]
        return (
            key, self.why, chunk.game_id, chunk.file, chunk.line, self.errors, list(self.codes), len(chunk.content),
            imported, report, chunk.content,
        )  # fmt: skip


class Taken(msgspec.Struct, frozen=True):
    """What came of a chunk: a game, something refused, and the findings that belong to no game."""

    game: CheckedGame | None
    refused: Refused | None
    strays: tuple[Diagnostic, ...] = ()


def take_chunk(chunk: Chunk, origin: Origin, prefix: str = "") -> Taken:
    """Check a chunk; `prefix` goes before the id of its game."""
    reader = ChunkReader(chunk)
    check: GameCheck | None = None
    strays: list[Diagnostic] = []
    for checked in check_lines(reader, keep_steps=True):
        if isinstance(checked, Diagnostic):
            strays.append(checked)
        else:
            check = checked
    if check is None:
        return Taken(None, _stray(chunk, strays), tuple(strays))
    report = check.report()
    if report.verdict == "invalid":
        return Taken(None, refuse("invalid", chunk, report), tuple(strays))
    if len(prefix) + len(check.game_id or "") > MOST_ID:
        return Taken(
            None, refuse("invalid", chunk, report, note="the id with its prefix is too long"), tuple(strays)
        )
    return Taken(_checked(chunk, check, report, origin, prefix), None, tuple(strays))


def refuse(why: str, chunk: Chunk, report: GameReport, *, note: str = "") -> Refused:
    """Return what goes into quarantine for a game."""
    shown: dict[str, Any] = {
        name: getattr(report, name)
        for name in ("file", "game_id", "line", "events", "verdict", "errors", "warnings", "unverified")
    }
    shown["diagnostics"] = [msgspec.structs.asdict(found) for found in report.diagnostics]
    if note:
        shown["note"] = note
    return Refused(why, chunk, shown, report.errors, _codes(report.diagnostics))


def _codes(found: Sequence[Diagnostic]) -> tuple[str, ...]:
    return tuple(sorted({diagnostic.code for diagnostic in found if diagnostic.severity == "error"}))


def _stray(chunk: Chunk, strays: Sequence[Diagnostic]) -> Refused | None:
    """Lines that belong to no game are kept like a game that is refused."""
    if not chunk.content.strip():
        return None
    report = {
        "file": chunk.file,
        "line": chunk.line,
        "diagnostics": [msgspec.structs.asdict(found) for found in strays],
    }
    errors = sum(found.severity == "error" for found in strays)
    return Refused("stray", chunk, report, errors, _codes(strays))


def _checked(chunk: Chunk, check: GameCheck, report: GameReport, origin: Origin, prefix: str) -> CheckedGame:
    lines = read_events(chunk)
    events = effective_events(lines)
    start = events[0]
    assert isinstance(start, GameStart)
    assert check.first_state is not None
    canonical_lines = [canonical(event) + b"\n" for event in lines]
    lines_digest, raw_digest = fingerprint(canonical_lines), chunk.digest
    finished = events if len(events) == len(lines) else renumbered(events)
    if prefix:
        start = msgspec.structs.replace(start, game_id=prefix + start.game_id)
        events[0] = start
        finished = with_digest([start, *finished[1:]])
    log_digest = fingerprint(canonical(event) + b"\n" for event in finished)
    return CheckedGame(
        start=start,
        events=events,
        states={event.seq: state for event, state in check.steps},
        first=check.first_state,
        report=report,
        origin=origin,
        n_voided=len(lines) - len(events),
        log_digest=log_digest,
        lines_digest=None if lines_digest == log_digest else lines_digest,
        raw_digest=None if raw_digest == lines_digest else raw_digest,
    )


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
