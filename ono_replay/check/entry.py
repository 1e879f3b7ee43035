"""One line of a game that holds an object, on its way through the checks."""

import hashlib
from typing import Any

from msgspec import UNSET
from msgspec.structs import replace

from ono_replay.log.jsonl import RawObject, canonical
from ono_replay.log.shape import Context, Shape, check_shape, event_keys, quick_ok
from ono_replay.rules.events import Comment, Event, GameEnd, GameStart, RoundEnd, RoundStart, UnknownEvent

LONG = 120
"""Bytes of a line past which only what an undo needs is kept of it."""
LEAST_SAVED = 40
"""Bytes of a line that are worth leaving out."""


class Entry:
    """A line with what it was read as.

    `event` is None for what is no event, `shape` None where nothing about it can be wrong. `seq` is the
    number on the line, None where there is none.
    """

    __slots__ = ("event", "found", "line", "seq", "shape", "text")

    def __init__(
        self, line: int, found: Event | RawObject, context: Context | None, text: bytes = b""
    ) -> None:
        """Check the shape of what a line holds; `text` is the line as it was read."""
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
    def sound(self) -> bool:
        """Whether nothing is wrong with the shape."""
        return self.shape is None or self.shape.fault is None

    @property
    def seat(self) -> int | None:
        """The seat that the line names."""
        seat = getattr(self.event, "seat", None) if self.event else self.keys.get("seat")
        return seat if type(seat) is int else None

    @property
    def keys(self) -> dict[str, Any]:
        """The object of the line."""
        return self.found.keys if isinstance(self.found, RawObject) else event_keys(self.found)

    @property
    def raw(self) -> bytes:
        """The canonical bytes, empty for what is no event."""
        if isinstance(self.found, Event):
            return self.text or canonical(self.found)
        return canonical(self.event) if self.event is not None else b""


def can_follow(entry: Entry, context: Context) -> bool:
    """Whether an entry that has an event can be followed though its shape may have a fault.

    An unknown type says nothing, and is no fault in a newer minor version.
    """
    return entry.sound or not isinstance(entry.event, UnknownEvent) or context.minor > 0


def short_form(event: Event | None, line: bytes) -> bytes | None:
    """Return a line that means the same to the rules as a long one, and differs where that differs.

    None where the line is short, or there is nothing in it to leave out.
    """
    if len(line) <= LONG or event is None or isinstance(event, GameStart):
        return None
    mark = hashlib.blake2b(line, digest_size=16).hexdigest()
    bare: Event = replace(event, meta={"": mark}, extra=UNSET)
    match bare:
        case Comment():
            bare = replace(bare, text="")
        case RoundStart():
            bare = replace(bare, shuffle=None)
        case RoundEnd():
            bare = replace(bare, seed=None)
        case GameEnd():
            bare = replace(bare, digest=None)
        case _:
            pass
    short = canonical(bare)
    return short if len(short) + LEAST_SAVED < len(line) else None
