"""What every converter of an outside format is and gives."""

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple, Protocol

import msgspec

from ono_replay.rules.events import Event


class Converted(msgspec.Struct, frozen=True):
    """One outside game as a log."""

    name: str
    """What messages call it: the entry and the game's id."""
    events: tuple[Event, ...]
    unknown: tuple[str, ...] = ()
    """What the outside game did not tell; the same words for the same lack."""
    notes: tuple[str, ...] = ()
    """Where the outside game contradicts itself, or the rules in what the log has no place for."""
    first_illegal: int | None = None
    """The `seq` of the first event that breaks a rule; what it is, the validator says."""


class NotConverted(msgspec.Struct, frozen=True):
    """One outside game that no log could be made of."""

    name: str
    reason: str


class Convert(Protocol):
    """Reads a file of one outside format."""

    def __call__(self, blocks: Iterable[bytes], *, use_seed: bool) -> Iterator[Converted | NotConverted]:
        """Yield each game as it is read; never raise on what the file says.

        `blocks` are all bytes of the file, unpacked; without `use_seed` seeds that stand in it are passed over.
        """


class Converter(NamedTuple):
    """One outside format: how to know it, and how to read it."""

    name: str
    title: str
    """What people call it, for messages and lists."""
    sniff: Callable[[bytes], bool]
    """Takes the first bytes of a file, unpacked, and says whether the format is its own."""
    convert: Convert
