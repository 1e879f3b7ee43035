"""The events of a game as an undo sees them: what stands, what was taken back, and moments to return to."""

import hashlib
from array import array
from bisect import bisect_right
from typing import Generic, TypeVar

from ono_replay.log.strict import LARGEST

Moment = TypeVar("Moment")

BETWEEN_MOMENTS = 64
"""A moment is kept every so many events: what an undo may have to go through again."""


class Timeline(Generic[Moment]):
    """All events of a game in their order, each knowing the one it followed.

    Places count the game's events from 0. Until the first undo each event follows the one before it, and
    nothing but the lines is kept, packed together: many small pieces would take much more memory.
    """

    __slots__ = (
        "_blocks",
        "_digest",
        "_digested",
        "_moment_at",
        "_moments",
        "_open",
        "_packed",
        "_place_of",
        "_plain",
        "_previous",
        "_seqs",
        "_starts",
        "_tip",
        "_tips",
        "size",
    )

    def __init__(self) -> None:
        """Begin with no events."""
        self.size = 0
        """The bytes of the packed lines."""
        self._open: list[bytes] = []
        """The lines after those in `_blocks`."""
        self._blocks: list[bytes] = []
        self._starts: list[int] = []
        """The place of the first line of each block."""
        self._packed = 0
        self._plain = True
        """Whether every number is the place of its line and nothing was taken back."""
        self._seqs: array[int] | None = None
        """The number of each event; None while it is its place."""
        self._place_of: dict[int, int] | None = None
        self._previous: array[int] | None = None
        """The place of the event that each one follows; None until the first undo."""
        self._tips: array[int] = array("q")
        """The last event that stands after each one, undos included, once there was an undo."""
        self._tip = -1
        self._moments: dict[int, Moment] = {}
        self._moment_at = 0
        self._digest = hashlib.sha256()
        self._digested = 0
        """How many blocks are in the digest; those that come after are whole lines."""

    @property
    def count(self) -> int:
        """How many events there are."""
        return self._packed + len(self._open)

    @property
    def tip(self) -> int:
        """The place of the last event that stands."""
        return self.count - 1 if self._previous is None else self._tip

    def add_next(self, line: bytes) -> None:
        """Add an event by its line, which has its place as number."""
        if self._plain:
            self._open.append(line)
        else:
            self.add(line, self.count)

    def add(self, line: bytes, seq: int, *, short: bytes | None = None) -> None:
        """Add an event after the last one that stands.

        `line` is its canonical bytes, empty for what could not be read as one; `short` is kept in its stead.
        """
        place = self.count
        if self._seqs is not None or seq != place:
            self._number(place, seq)
        if self._previous is not None:
            self._previous.append(self._tip)
            self._tips.append(place)
            self._tip = place
        if short is None:
            self._open.append(line)
        else:
            self.pack()
            self._catch_up()
            self._digest.update(line + b"\n")
            self._open.append(short)
            self.pack()
            self._digested += 1
        if len(self._open) >= BETWEEN_MOMENTS:
            self.pack()

    def pack(self) -> None:
        """Put the last lines together."""
        if self._open:
            block = b"\n".join(self._open)
            self._blocks.append(block)
            self._starts.append(self._packed)
            self._packed += len(self._open)
            self.size += len(block)
            self._open = []

    def _line(self, place: int) -> bytes:
        if place >= self._packed:
            return self._open[place - self._packed]
        block = bisect_right(self._starts, place) - 1
        return self._blocks[block].split(b"\n")[place - self._starts[block]]

    def _number(self, place: int, seq: int) -> None:
        if self._seqs is None:
            self._seqs = array("q", range(self.count))
            self._plain = False
        self._seqs[place:] = array("q", [min(seq, LARGEST)])  # one past it, where a line has no number
        if self._place_of is not None:
            self._place_of[seq] = place

    def renumber_last(self, seq: int) -> None:
        """Give the last event another number: the one on its line is wrong."""
        self._number(self.count - 1, seq)

    def _find(self, seq: int) -> int | None:
        """Return the place of the last event with a number."""
        if self._seqs is None:
            return seq if 0 <= seq < self.count else None
        if self._place_of is None:
            self._place_of = {number: place for place, number in enumerate(self._seqs)}
        return self._place_of.get(seq)

    def holds(self, line: bytes, seq: int) -> bool:
        """Whether the event with a number has this very line (or `short` form of it)."""
        place = self._find(seq)
        return bool(line) and place is not None and self._line(place) == line

    def digest(self) -> str:
        """Return the digest of all lines, as `game_end.digest` has it.

        >>> Timeline().digest()
        'sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
        """
        self.pack()
        self._catch_up()
        return "sha256:" + self._digest.hexdigest()

    def _catch_up(self) -> None:
        for block in self._blocks[self._digested :]:
            self._digest.update(block + b"\n")
        self._digested = len(self._blocks)

    def wants_moment(self, apart: int = BETWEEN_MOMENTS) -> bool:
        """Whether it is time to `save` one, `apart` events after the last."""
        return self.count - self._moment_at >= apart

    def save(self, moment: Moment) -> None:
        """Keep a moment: what there is to know after the last event that stands."""
        self._moments[self.tip] = moment
        self._moment_at = self.count

    def standing(self) -> bytearray | None:
        """Return for each place whether its event stands; None if nothing was ever taken back."""
        if self._previous is None:
            return None
        stands = bytearray(self.count)
        tip = self._tip
        while tip >= 0:
            stands[tip] = 1
            tip = self._previous[tip]
        return stands

    def undo(self, to: int, seq: int) -> tuple[Moment | None, list[bytes]] | None:
        """Go back to right after the event numbered `to`; the undo itself is the last event added.

        Return a moment and the lines to go through from there, None if there is no such event.
        """
        here = self.count - 1
        if self._previous is None:
            self._plain = False
            self._previous = array("q", range(-1, here))
            self._tips = array("q", range(here + 1))
            self._tip = here
        place = self._find(to)
        if place is None or place >= here or to >= seq:
            return None
        tip = self._tips[place]
        self._tips[here] = self._tip = tip
        missed: list[bytes] = []
        while tip not in self._moments and tip >= 0:
            missed.append(self._line(tip))
            tip = self._previous[tip]
        missed.reverse()
        self._moment_at = self.count - len(missed)
        return self._moments.get(tip), missed
