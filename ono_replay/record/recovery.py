"""What can be read of a damaged log, written into a new one; the damaged log stays as it is."""

from pathlib import Path
from typing import BinaryIO

import msgspec

from ono_replay.log.jsonl import encode_game
from ono_replay.log.reader import Record, read_log
from ono_replay.record.errors import JournalError
from ono_replay.record.journal import Journal
from ono_replay.rules.events import Event, Undo


class Recovery(msgspec.Struct):
    """What was recovered."""

    games: int = 0
    events: int = 0
    lost: int = 0
    """Lines that were left out."""
    first_line: int | None = None
    """The first of them, where a line is to blame; None for a stream that breaks off."""
    reason: str = ""
    """What is wrong there; empty where nothing was lost."""


def recover(source: str | Path | BinaryIO, target: str | Path) -> Recovery:
    """Write of each game the events before the first damage into a new file, and return what that gave.

    Damage is a line that is no event, or one that a line before it is missing for. Rules are not judged.

    Raises `LogExists`, `JournalError` if no game can be read, `log.lines.Unreadable`.
    """
    found = Recovery()
    kept: list[Event] = []
    next_seq: int | None = None
    for record in read_log(source):
        if record.begins_game:
            next_seq = 0 if record.event is not None else None
        reason = _why_not(record, next_seq)
        if reason is None and record.event is not None and next_seq is not None:
            found.games += next_seq == 0
            kept.append(record.event)
            next_seq += 1
            continue
        next_seq = None
        found.lost += 1
        if not found.reason:
            found.first_line, found.reason = record.line, reason or "it follows the damage"
    if not found.games:
        raise JournalError(
            f"{source}: no game can be read here" + (f": {found.reason}" if found.reason else "")
        )
    found.events = len(kept)
    with Journal.create(Path(target), mode="none") as journal:
        journal.replace(encode_game(kept))
    return found


def _why_not(record: Record, next_seq: int | None) -> str | None:
    """Return why a line can not be kept, None if it can."""
    event = record.event
    if event is None:
        return record.fault.message if record.fault is not None else "it is no event"
    if next_seq is None:
        return "it follows the damage, or belongs to no game"
    if event.seq != next_seq:
        return f"seq is {event.seq}, not {next_seq}: lines are missing or in disorder"
    if isinstance(event, Undo) and not 0 <= event.to < event.seq:
        return f"there is no event {event.to} to go back to"
    return None
