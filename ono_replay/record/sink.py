"""Where the lines of a recorder go: a `journal.Journal` on disk, or `Memory`."""

from typing import Protocol


class Sink(Protocol):
    """Takes the lines of one log; a call that returns has taken them."""

    def append(self, lines: bytes) -> None:
        """Take whole lines, each with its newline."""

    def replace(self, data: bytes) -> None:
        """Put the finished log in the place of all lines, and close."""

    def discard(self) -> None:
        """Let go of a log to which nothing was written."""

    def close(self) -> None:
        """Take no more lines."""


class Memory:
    r"""A sink that keeps a log in memory.

    >>> memory = Memory()
    >>> memory.append(b'{"seq":0}\n')
    >>> memory.data
    b'{"seq":0}\n'
    """

    def __init__(self) -> None:
        """Begin with no line."""
        self._parts: list[bytes] = []

    @property
    def data(self) -> bytes:
        """The log as it stands."""
        return b"".join(self._parts)

    def append(self, lines: bytes) -> None:
        """Take whole lines."""
        self._parts.append(lines)

    def replace(self, data: bytes) -> None:
        """Put the finished log in the place of all lines."""
        self._parts = [data]

    def discard(self) -> None:
        """Nothing was taken, nothing is to be done."""

    def close(self) -> None:
        """There is nothing to close."""
