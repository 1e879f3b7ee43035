"""Keys from a plain terminal, one at a time, and a screen that is drawn over and over; no curses."""

import contextlib
import os
import select
import signal
import sys
from collections.abc import Iterable, Iterator
from typing import Any, Final, TextIO

from ono_replay.cli.guard import CannotRun

ESCAPE: Final = "\x1b"
_SEQUENCES: Final = {
    "[A": "up", "[B": "down", "[C": "right", "[D": "left",
    "OA": "up", "OB": "down", "OC": "right", "OD": "left",
    "[H": "home", "[F": "end", "OH": "home", "OF": "end", "[1~": "home", "[4~": "end", "[7~": "home", "[8~": "end",
    "[5~": "pgup", "[6~": "pgdn",
}  # fmt: skip
_NAMED: Final = {
    "\r": "enter",
    "\n": "enter",
    "\x7f": "backspace",
    "\b": "backspace",
    ESCAPE: "escape",
    "\x04": "eof",
}
_AFTER_ESCAPE: Final = 0.05
"""Seconds in which the rest of a key's sequence follows its escape character."""


def keys_in(typed: str) -> Iterator[str]:
    r"""Yield the keys in what a terminal sent: names of special ones, else the character.

    >>> list(keys_in("n\x1b[C\x1b[5~4\r\x1b"))
    ['n', 'right', 'pgup', '4', 'enter', 'escape']
    """
    place = 0
    while place < len(typed):
        char = typed[place]
        place += 1
        if char == ESCAPE and typed[place : place + 1] in ("[", "O"):
            end = place + 1
            while end < len(typed) and not "@" <= typed[end] <= "~":
                end += 1
            name = _SEQUENCES.get(typed[place : end + 1])
            place = end + 1
            if name is not None:
                yield name
            continue
        yield _NAMED.get(char, char)


class Terminal:
    """A terminal that gives keys as they are pressed; use it in a `with`, which puts everything back.

    Keys come from standard input, or, where a log comes from there, from the terminal itself.
    """

    def __init__(self, screen: TextIO) -> None:
        """Take the terminal; raises `CannotRun` where there is none."""
        self._screen = screen
        self._before: list[Any] | None = None
        self._own: int | None = None
        self._signals: dict[int, Any] = {}
        self._waits = False
        self._plain = os.environ.get("TERM", "dumb") in ("dumb", "")
        if not screen.isatty():
            raise CannotRun("this needs a terminal; `ono-replay show` prints one moment of a game")
        if sys.stdin.isatty():
            self._keys = sys.stdin.fileno()
        else:
            try:
                self._keys = self._own = os.open("/dev/tty", os.O_RDWR)
            except OSError:
                raise CannotRun("there is no terminal to read keys from") from None

    def __enter__(self) -> "Terminal":
        """Take the screen and the keys."""
        self._enter()
        for name in ("SIGTSTP", "SIGCONT", "SIGWINCH"):
            number = getattr(signal, name, None)
            if number is not None:
                self._signals[number] = signal.signal(number, self._on_signal)
        return self

    def __exit__(self, *_: object) -> None:
        """Put the terminal back as it was."""
        for number, handler in self._signals.items():
            signal.signal(number, handler)
        self._leave()
        if self._own is not None:
            os.close(self._own)

    def draw(self, lines: Iterable[str]) -> None:
        """Show these lines and nothing else."""
        if self._plain:
            text = "".join(f"{line}\n" for line in lines)
        else:
            # Line by line over the old picture: clearing it first would flicker. No newline at the end: it scrolls.
            text = "\x1b[H" + "\n".join(f"{line}\x1b[K" for line in lines) + "\x1b[J"
        self._screen.write(text)
        self._screen.flush()

    def read(self) -> list[str]:
        """Wait for keys; none when only the picture must be drawn anew."""
        try:
            self._waits = True
            typed = os.read(self._keys, 1024)
        except InterruptedError:
            return []
        finally:
            self._waits = False
        if not typed:
            return ["eof"]
        # An escape character at the end is the escape key, or the rest of a sequence is on its way.
        while typed.endswith((b"\x1b", b"\x1b[", b"\x1bO")) and self._more():
            typed += os.read(self._keys, 1024)
        return list(keys_in(typed.decode("utf-8", "replace")))

    def _more(self) -> bool:
        return bool(select.select([self._keys], [], [], _AFTER_ESCAPE)[0])

    def _enter(self) -> None:
        try:
            import termios
            import tty
        except ImportError:
            raise CannotRun("this needs a POSIX terminal; `ono-replay show` works everywhere") from None
        self._before = self._before or termios.tcgetattr(self._keys)
        # ^C and ^Z stay signals.
        tty.setcbreak(self._keys)
        if not self._plain:
            self._screen.write("\x1b[?1049h\x1b[?25l\x1b[H\x1b[2J")
            self._screen.flush()

    def _leave(self) -> None:
        import termios

        if not self._plain:
            with contextlib.suppress(OSError, ValueError):
                self._screen.write("\x1b[?25h\x1b[?1049l")
                self._screen.flush()
        if self._before is not None:
            with contextlib.suppress(termios.error):
                termios.tcsetattr(self._keys, termios.TCSADRAIN, self._before)

    def _on_signal(self, number: int, _frame: object) -> None:
        if number == getattr(signal, "SIGTSTP", None):
            self._leave()
            signal.signal(number, signal.SIG_DFL)
            os.kill(os.getpid(), number)
        elif number == getattr(signal, "SIGCONT", None):
            signal.signal(signal.SIGTSTP, self._on_signal)
            self._enter()
        if self._waits:
            # Ends the waiting: the picture is drawn anew.
            raise InterruptedError
