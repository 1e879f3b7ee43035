"""Text from a log made safe to show: nothing in a name can move the cursor, colour or reorder a line."""

import re
from typing import TextIO

_UNSAFE = re.compile(
    "["
    "\\x00-\\x1f\\x7f-\\x9f"  # control characters
    "\\u00ad\\u061c\\u180e\\u200b\\u200e\\u200f\\u2060-\\u206f\\ufeff\\ufff9-\\ufffb\\ufffe\\uffff"  # invisible, bidirectional, none
    "\\u2028-\\u202e"  # line and paragraph separators, bidirectional embeddings
    "\\ud800-\\udfff"  # lone surrogates
    "]"
    r"|\\(?=u\{)"  # what only looks like an escape
)


def printable(text: str) -> str:
    r"""Return a text with control, bidirectional and invisible characters shown as `\u{…}`.

    Line and paragraph separators and lone surrogates are shown so, too; whatever else a name may hold
    (emoji, combining characters) stays.

    >>> print(printable("Ann\x1b[31m\u202e"))
    Ann\u{1b}[31m\u{202e}
    """
    if text.isascii() and text.isprintable() and "\\u{" not in text:
        return text
    return _UNSAFE.sub(lambda match: f"\\u{{{ord(match[0]):x}}}", text)


def write_text(stream: TextIO, text: str) -> None:
    r"""Write a text to a stream; what its encoding lacks is written as an escape, never an error.

    >>> import io
    >>> stream = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    >>> write_text(stream, "Jürgen")
    >>> stream.flush(), stream.buffer.getvalue()
    (None, b'J\\xfcrgen')
    """
    try:
        stream.write(text)
    except UnicodeEncodeError:
        encoding = stream.encoding or "utf-8"
        stream.write(text.encode(encoding, "backslashreplace").decode(encoding))


def can_show(text: str, encoding: str | None) -> bool:
    """Whether an encoding, that of a stream or a console, has these characters.

    >>> can_show("▶", "utf-8"), can_show("▶", "latin-1"), can_show("a", None)
    (True, False, True)
    """
    try:
        text.encode(encoding or "ascii")
    except (UnicodeError, LookupError):
        return False
    return True
