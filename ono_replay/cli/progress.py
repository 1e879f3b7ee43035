"""How far a long command has come, on standard error, where that is a terminal."""

import sys
import time
from collections.abc import Iterable, Iterator
from typing import Final, TextIO

_FIRST_AFTER: Final = 0.5
_EVERY: Final = 0.1


class Progress:
    """One line that is written over and over, and gone when the work is done.

    It shows bytes read of all bytes there are, and 100 % never: what is read is not yet checked.

    >>> import io
    >>> Progress(1000, stream=io.StringIO()).text(250, 3)
    ' 25 %, 3 games'
    >>> Progress(1000, stream=io.StringIO()).text(1000, 3)
    ' 99 %, 3 games'
    """

    def __init__(self, total: int | None, *, stream: TextIO | None = None) -> None:
        """Begin; `total` is in bytes, None where it is not known, or not yet."""
        self._stream = stream or sys.stderr
        self._shown = self._stream.isatty()
        self.total = total
        self._due = time.monotonic() + _FIRST_AFTER
        self._written = 0
        self.games = 0

    def text(self, read: int, games: int) -> str:
        """Return the line for so many bytes read and games done."""
        if self.total:
            done = f"{min(99, 100 * read // self.total):3} %"
        else:
            done = f"{read / 1e6:,.0f} MB"
        return f"{done}, {games:,} game{'' if games == 1 else 's'}"

    def show(self, read: int) -> None:
        """Show that so many bytes are read, not more than ten times a second."""
        if self._is_due():
            self._write(self.text(read, self.games))

    def found(self, paths: Iterable[str]) -> Iterator[str]:
        """Pass logs on that are looked for, and show how many there were so far."""
        for number, path in enumerate(paths, 1):
            if self._is_due():
                self._write(f"looking for logs: {number:,}")
            yield path
        self.clear()

    def _is_due(self) -> bool:
        if not self._shown or time.monotonic() < self._due:
            return False
        self._due = time.monotonic() + _EVERY
        return True

    def _write(self, line: str) -> None:
        self._stream.write("\r" + line.ljust(self._written))
        self._stream.flush()
        self._written = len(line)

    def clear(self) -> None:
        """Take the line away, before anything else is written to the terminal and at the end."""
        if self._written:
            self._stream.write("\r" + " " * self._written + "\r")
            self._stream.flush()
            self._written = 0
