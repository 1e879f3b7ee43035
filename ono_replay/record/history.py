"""All events of an open log, and which of them stand after undo and redo (schemas/SPECIFICATION.md section 8)."""

from ono_replay.rules.events import Event, Undo


class History:
    """The events of one game in the order written, undos and what they voided included.

    >>> from ono_replay.rules.events import Comment
    >>> history = History()
    >>> for event in (Comment(0, text="a"), Comment(1, text="b"), Undo(2, to=0)):
    ...     history.add(event)
    >>> [event.text for event in history.standing()], history.redo_to
    (['a'], 1)
    """

    def __init__(self) -> None:
        """Begin with no event."""
        self.events: list[Event] = []
        self._before: list[int] = []
        """For each event the last one that stood before it; for an undo, that it came from."""
        self._tips: list[int] = []
        """For each event the last one that stands right after it."""
        self._redo: list[int] = []

    def __len__(self) -> int:
        return len(self.events)

    @property
    def tip(self) -> int:
        """The `seq` of the last event that stands, -1 before the first."""
        return self._tips[-1] if self._tips else -1

    @property
    def redo_to(self) -> int | None:
        """Where an undo must lead to that takes back the last undo; None if there is nothing to redo."""
        return self._redo[-1] if self._redo else None

    def add(self, event: Event) -> None:
        """Add the next event; its `seq` is the number of events before it, an undo leads to one of them."""
        tip = self.tip
        if isinstance(event, Undo):
            target = self._tips[event.to]
            if self._redo and target == self._redo[-1]:
                self._redo.pop()
            elif target != tip:
                self._redo.append(tip)
        else:
            self._redo.clear()
            target = len(self.events)
        self.events.append(event)
        self._before.append(tip)
        self._tips.append(target)

    def standing(self, seq: int | None = None) -> list[Event]:
        """Return the events that stand, or that stood right after an event."""
        place = self.tip if seq is None else self._tips[seq]
        found = []
        while place >= 0:
            found.append(self.events[place])
            place = self._before[place]
        found.reverse()
        return found
