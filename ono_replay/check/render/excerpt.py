"""The line of a fault, shortened to a width, with a mark under what is wrong."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ono_replay.check.printable import printable

_TOKEN = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[][{}:,]|[^\s"\][{}:,]+', re.DOTALL)
_STEP = re.compile(r"[^.\[\]]+")
_ELLIPSIS = "…"
_SEARCHED = 100_000
"""Characters of a line that are searched for a key."""


class Excerpt(NamedTuple):
    """A shortened line and the line of marks that goes under it, empty where nothing is marked."""

    text: str
    marks: str


def excerpt(line: bytes, width: int, *, keys: Sequence[str] = (), column: int | None = None) -> Excerpt:
    r"""Return a line cut to a width around its fault, safe to print.

    The fault is the value of the first of `keys` that the line has (with the way to it:
    `players[1].name`), or what stands at a byte `column`.

    >>> print(*excerpt(b'{"seq":4,"seat":7,"card":"9"}', 60, keys=["seat"]), sep="\n")
    {"seq":4,"seat":7,"card":"9"}
                    ^
    >>> excerpt(b'{"seq":4,"seat":7,"card":"9"}', 20, keys=["seat"]).text
    '…4,"seat":7,"card":…'
    """
    text, span = find_span(line, keys=keys, column=column)
    start, end = span or (0, 0)
    if end - start > width // 2:
        end = start + 1  # of a long value only the beginning is marked
    # No more than can be shown is made printable: a line may be a mebibyte long.
    head, fault, tail = (
        printable(part)
        for part in (
            text[max(0, start - width) : start],
            text[start : min(end, start + width)],
            text[end : end + width],
        )
    )
    return _fit(
        head,
        fault,
        tail,
        width,
        more_before=start > width,
        more_after=len(text) > end + width,
        marked=span is not None,
    )


def find_span(
    line: bytes, *, keys: Sequence[str] = (), column: int | None = None
) -> tuple[str, tuple[int, int] | None]:
    """Return a line as text, and where in it the fault begins and ends; see `excerpt`."""
    if column is not None:
        before, rest = line[:column].decode("utf-8", "backslashreplace"), line[column:]
        text = before + rest.decode("utf-8", "backslashreplace")
        return text, (len(before), min(len(before) + 1, len(text)))
    text = line.decode("utf-8", "backslashreplace")
    return text, next((found for key in keys if (found := find_value(text, key))), None)


def _fit(
    head: str, fault: str, tail: str, width: int, *, more_before: bool, more_after: bool, marked: bool
) -> Excerpt:
    if more_before or more_after or cell_width(head + fault + tail) > width:
        room = max(0, width - cell_width(fault))
        head = _last(head, room - min(room // 2, cell_width(tail)), more=more_before)
        tail = _first(tail, room - cell_width(head), more=more_after)
    marks = " " * cell_width(head) + "^" * max(1, cell_width(fault)) if marked else ""
    return Excerpt(head + fault + tail, marks)


def _first(text: str, width: int, *, more: bool) -> str:
    """Return the beginning of a text that has room; `more` tells that it goes on."""
    if not more and cell_width(text) <= width:
        return text
    return _take(text, width - 1) + _ELLIPSIS if width > 0 else ""


def _last(text: str, width: int, *, more: bool) -> str:
    """Return the end of a text that has room; `more` tells that something stands before it."""
    if not more and cell_width(text) <= width:
        return text
    return _ELLIPSIS + _take(text[::-1], width - 1)[::-1] if width > 0 else ""


def _take(text: str, width: int) -> str:
    used = 0
    for place, char in enumerate(text):
        used += _cells(char)
        if used > width:
            return text[:place]
    return text


def cell_width(text: str) -> int:
    """Return how many columns of a terminal a text takes.

    >>> cell_width("Ann"), cell_width("日本"), cell_width("e\u0301")
    (3, 4, 1)
    """
    return len(text) if text.isascii() else sum(map(_cells, text))


def _cells(char: str) -> int:
    if char.isascii():
        return 1
    if unicodedata.category(char) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def find_value(text: str, key: str) -> tuple[int, int] | None:
    """Return where in a line the value of a key stands, None where it does not; the text may be broken JSON.

    >>> line = '{"a":{"b":[1,22]},"b":3}'
    >>> [line[slice(*find_value(line, key))] for key in ("b", "a.b[1]", "a")]
    ['3', '22', '{"b":[1,22]}']
    >>> find_value(line, "c")
    """
    way = _STEP.findall(key)
    tokens = [(match[0], match.start(), match.end()) for match in _TOKEN.finditer(text, 0, _SEARCHED)]
    place: int | None = 0
    for step in way:
        if place is None or place >= len(tokens):
            return None
        place = next((at for name, at in _members(tokens, place) if name == step), None)
    if place is None or place >= len(tokens):
        return None
    return tokens[place][1], tokens[_end_of(tokens, place)][2]


_Token = tuple[str, int, int]


def _members(tokens: Sequence[_Token], place: int) -> Iterator[tuple[str, int]]:
    """Yield the members of the object or array that begins at a token: name or index, and the value's token."""
    opening = tokens[place][0]
    if opening not in ("{", "["):
        return
    at = place + 1
    index = 0
    while at < len(tokens) and tokens[at][0] not in ("}", "]"):
        if tokens[at][0] == ",":
            at += 1
            continue
        name = str(index)
        if opening == "{":
            name = tokens[at][0].strip('"')
            at += 2 if at + 1 < len(tokens) and tokens[at + 1][0] == ":" else 1
            if at >= len(tokens):
                return
        yield name, at
        at = _end_of(tokens, at) + 1
        index += 1


def _end_of(tokens: Sequence[_Token], place: int) -> int:
    """Return the last token of the value that begins at a token."""
    depth = 0
    for at in range(place, len(tokens)):
        depth += (tokens[at][0] in ("{", "[")) - (tokens[at][0] in ("}", "]"))
        if depth <= 0:
            return at
    return len(tokens) - 1
