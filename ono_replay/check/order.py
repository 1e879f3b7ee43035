"""The numbering of a game's lines: gaps, repeats, swaps and single odd numbers (ONO202)."""

from typing import Literal

Numbering = Literal["next", "filled", "typo", "gap", "odd", "repeated"]


class SeqOrder:
    """Follows the `seq` of a game's lines.

    `next` is the number that the next line should have, `unread` how many lines since the last numbered
    one could not be read: they leave no gap.

    >>> order = SeqOrder()
    >>> [order.take(seq) for seq in (0, 1, 3, 4)]
    ['next', 'next', 'gap', 'next']
    """

    __slots__ = ("_after_odd", "next", "plain", "unread")

    def __init__(self) -> None:
        """Begin before the first line."""
        self.next = 0
        self.unread = 0
        self._after_odd: int | None = None
        self.plain = 0
        """`next` where nothing unread or odd comes before it, else -1."""

    def lose_lines(self, events: int = 1) -> None:
        """Go on past a line that can't be read, with so many events on it."""
        self.unread += events
        self.plain = -1

    def may_be_swapped(self, seq: int) -> bool:
        """Whether a line may have changed places with the one after it."""
        return seq == self.next + 1 and not self.unread and seq != self._after_odd

    def took(self, seq: int) -> None:
        """Go on from a number."""
        self.next = self.plain = seq + 1
        self.unread = 0
        self._after_odd = None

    def take(self, seq: int, *, seen: bool = False) -> Numbering:
        """Go on past a line of the game and return what its number is.

        `seen` tells that an identical line came before. `typo` is the line after an odd number or a gap
        that goes on as if that number had been right.
        """
        expected, odd = self.next, self._after_odd
        if seq == expected:
            self.took(seq)
            return "next"
        if seq == odd:
            self.took(seq)
            return "typo"
        if seq < expected:
            if seen:
                return "repeated"
            self.took(expected)
            self._after_odd = seq + 1
            self.plain = -1
            return "odd"
        unread = self.unread
        self.took(seq)
        if seq - expected <= unread:
            return "filled"
        self._after_odd = expected + 1
        self.plain = -1
        return "gap"
