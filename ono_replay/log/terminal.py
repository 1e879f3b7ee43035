"""Text and bytes that a terminal only shows: nothing that a log holds moves its cursor or reorders a line."""

import codecs
import re
import sys
from collections.abc import Iterable
from typing import BinaryIO, Final, cast

_ACTS: Final = re.compile(
    "["
    "\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f\\x7f-\\x9f"  # control characters
    "\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069"  # bidirectional ones, separators of lines
    "]"
    "|\r(?!\n)"
)


def escaped(text: str) -> str:
    r"""Return text with what a terminal would act on as `\u…`; JSON means the same after it.

    >>> print(escaped('{"name":"Ann\x9b31m\u202e"}'))
    {"name":"Ann\u009b31m\u202e"}
    """
    if text.isascii() and text.isprintable():
        return text
    return _ACTS.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def standard_output() -> BinaryIO:
    """Return standard output for bytes; what goes to a terminal is escaped on the way."""
    if sys.stdout.isatty():
        return cast("BinaryIO", _Terminal())
    sys.stdout.flush()
    return sys.stdout.buffer


class _Terminal:
    """What a command writes of files, of which there is no more than this."""

    def __init__(self) -> None:
        self._decode = codecs.getincrementaldecoder("utf-8")("backslashreplace").decode

    def write(self, data: bytes) -> int:
        sys.stdout.write(escaped(self._decode(data)))
        return len(data)

    def writelines(self, parts: Iterable[bytes]) -> None:
        for part in parts:
            self.write(part)

    def flush(self) -> None:
        sys.stdout.flush()
