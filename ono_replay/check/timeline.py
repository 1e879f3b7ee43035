"""The events of a game as an undo sees them: what stands, what was taken back, and moments to return to."""

from typing import Generic, TypeVar

Moment = TypeVar("Moment")

BETWEEN_MOMENTS = 64
"""A moment is kept every so many events: what an undo may have to go through again."""


class Timeline(Generic[Moment]):
    """All events of a game in their order, each knowing the one it followed.

    Places count the game's events from 0. Until the first undo each event follows the one before it, and
    nothing but the lines is kept.
    """

    __slots__ = ("_moments", "_place_of", "_previous", "_seen", "_seqs", "_since", "_tips", "lines", "tip")

    def __init__(self) -> None:
        """Begin with no events."""
        self.lines: list[bytes] = []
        """Canonical bytes of each event, empty for what could not be read as one."""
        self.tip = -1
        """The place of the last event that stands."""
        self._seqs: dict[int, int | None] = {}
        self._previous: list[int] | None = None
        self._tips: list[int] = []
        self._moments: dict[int, Moment] = {}
        self._since = 0
        self._seen: set[bytes] | None = None
        self._place_of: dict[int, int] | None = None

    def add(self, line: bytes, seq: int | None) -> None:
        """Add an event after the last one that stands."""
        place = len(self.lines)
        self.lines.append(line)
        if seq != place:
            self._seqs[place] = seq
        if self._seen is not None:
            self._seen.add(line)
        if self._previous is not None:
            self._previous.append(self.tip)
            self._tips.append(place)
            assert self._place_of is not None
            if seq is not None:
                self._place_of[seq] = place
        self.tip = place
        self._since += 1

    def add_next(self, line: bytes) -> None:
        """Add an event whose number is its place."""
        if self._previous is not None or self._seen is not None or len(self.lines) != self.tip + 1:
            self.add(line, len(self.lines))
            return
        self.lines.append(line)
        self.tip += 1
        self._since += 1

    def holds(self, line: bytes) -> bool:
        """Whether the game has this very line already."""
        if self._seen is None:
            self._seen = set(self.lines)
        return bool(line) and line in self._seen

    @property
    def wants_moment(self) -> bool:
        """Whether it is time to `save` one."""
        return self._since >= BETWEEN_MOMENTS

    def save(self, moment: Moment) -> None:
        """Keep a moment: what there is to know after the last event that stands."""
        self._moments[self.tip] = moment
        self._since = 0

    def standing(self) -> set[int] | None:
        """Return the places of the events that stand; None if nothing was ever taken back."""
        if self._previous is None:
            return None
        places: set[int] = set()
        tip = self.tip
        while tip >= 0:
            places.add(tip)
            tip = self._previous[tip]
        return places

    def undo(self, to: int, seq: int) -> tuple[Moment | None, list[bytes]] | None:
        """Go back to right after the event numbered `to`; the undo itself is the last event added.

        Return a moment and the lines to go through from there, None if there is no such event.
        """
        if self._previous is None:
            self._branch_out()
        assert self._previous is not None and self._place_of is not None
        here = len(self.lines) - 1
        place = self._place_of.get(to)
        if place is None or place >= here or to >= seq:
            return None
        tip = self._tips[place]
        self._tips[here] = tip
        self.tip = tip
        missed: list[bytes] = []
        while tip not in self._moments and tip >= 0:
            missed.append(self.lines[tip])
            tip = self._previous[tip]
        missed.reverse()
        self._since = len(missed)
        return self._moments.get(tip), missed

    def _branch_out(self) -> None:
        """Write down what is plain until the first undo: each event follows the one before it."""
        count = len(self.lines)
        self._previous = list(range(-1, count - 1))
        self._tips = list(range(count))
        self._place_of = {}
        for place in range(count):
            seq = self._seqs.get(place, place)
            if seq is not None:
                self._place_of[seq] = place
