"""What stands around a fault: the line itself and the table before it, for those who show it to people."""

import msgspec

from ono_replay.rules.state import State


class Scene(msgspec.Struct, frozen=True, kw_only=True):
    """A line with a fault, as it was read, and the state that it met."""

    line: bytes
    """The line without its newline."""
    state: State | None = None
    """The state before the event; None where there is none, or none that is sure."""
    names: tuple[str, ...] = ()
    """The players' names by seat."""
    key: str | None = None
    """The key whose value is at fault, with the way to it (`players[1].name`), where that is known."""
    column: int | None = None
    """Where in the line the fault is, in bytes from 0, where that is known."""
