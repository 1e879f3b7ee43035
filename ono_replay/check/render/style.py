"""Colour on a terminal, and nothing where there is none."""

import os
from collections.abc import Mapping
from typing import Final, TextIO

import msgspec

_CODES: Final = {
    "bold": "1",
    "dim": "2",
    "red": "31",
    "green": "32",
    "yellow": "33",
    "blue": "34",
    "cyan": "36",
}


class Style(msgspec.Struct, frozen=True):
    r"""Paints words, or leaves them as they are.

    >>> Style(colour=True).paint("error", "bold red")
    '\x1b[1;31merror\x1b[0m'
    >>> Style(colour=False).paint("error", "bold red")
    'error'
    """

    colour: bool = False

    def paint(self, text: str, how: str) -> str:
        """Return a text in a colour; `how` is words like `bold red`."""
        if not self.colour or not text:
            return text
        return f"\x1b[{';'.join(_CODES[word] for word in how.split())}m{text}\x1b[0m"


def style_for(stream: TextIO, environment: Mapping[str, str] | None = None) -> Style:
    """Return the style for a stream: colour on a terminal, unless `NO_COLOR` is set or it is a dumb one.

    `FORCE_COLOR` asks for colour anywhere; `NO_COLOR` is the stronger of the two.

    >>> import io
    >>> style_for(io.StringIO()).colour
    False
    """
    environment = os.environ if environment is None else environment
    if environment.get("NO_COLOR"):
        return Style(colour=False)
    if environment.get("FORCE_COLOR"):
        return Style(colour=True)
    return Style(colour=stream.isatty() and environment.get("TERM") != "dumb")
