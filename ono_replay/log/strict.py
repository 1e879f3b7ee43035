"""The strict reading of one line: what it says, every number with its text, or what is wrong with it."""

import json
import re
from collections.abc import Callable
from typing import Any

import msgspec

DEEPEST = 64
"""How deep a line may be nested, counting the outermost object."""
SMALLEST, LARGEST = -(2**63), 2**63 - 1
"""The integers of the format."""

_STRING_OR_BRACKET = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[][{}]', re.DOTALL)
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|.)", re.DOTALL)


class NumberText:
    """A number that is no plain integer (it has `.`, `e` or is `-0`), as the text that was read.

    >>> NumberText("1.50")
    1.50
    >>> float(NumberText("1.50"))
    1.5
    """

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text

    def __float__(self) -> float:
        return float(self.text)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, NumberText) and self.text == other.text

    def __hash__(self) -> int:
        return hash(self.text)


class LineFault(msgspec.Struct, frozen=True):
    """A line that is no record: not UTF-8, not JSON, no object, or with a key twice."""

    code: str
    """`ONO101`, `ONO102`, `ONO104` or `ONO109`."""
    message: str
    column: int | None = None
    """Where in the line, in bytes from 0, where that is known."""


class RawObject(msgspec.Struct, frozen=True):
    """An object that is not (or not in canonical bytes) an event; keys in the order read.

    Values are what JSON has; a number that is no plain integer is a `NumberText`.
    """

    keys: dict[str, Any]


class _NotJson(Exception):
    pass


class _KeyTwice(Exception):
    pass


def _integer(text: str) -> int | NumberText:
    if text == "-0":
        return NumberText(text)
    if len(text) < 19:
        return int(text)
    # Longer than any integer of the format: Python itself refuses to read thousands of digits.
    value = int(text) if len(text) <= 20 else LARGEST + 1
    if not SMALLEST <= value <= LARGEST:
        shown = text if len(text) < 40 else f"{text[:20]}… ({len(text)} characters)"
        raise _NotJson(f"the integer {shown} does not fit in 64 bits")
    return value


def _constant(text: str) -> float:
    raise _NotJson(f"{text} is no number of JSON")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise _KeyTwice(key)
            seen.add(key)
    return made


def _decoder(make_object: Callable[[list[tuple[str, Any]]], dict[str, Any]]) -> json.JSONDecoder:
    return json.JSONDecoder(
        object_pairs_hook=make_object, parse_float=NumberText, parse_int=_integer, parse_constant=_constant
    )


_STRICT = _decoder(_object)
_LOOSE = _decoder(dict)


def parse_strictly(raw: bytes) -> RawObject | LineFault:
    """Return the object that a line holds, or its first fault in the order of codes; never raise.

    >>> parse_strictly(b'{"seq":1.0,"x":[]}')
    RawObject(keys={'seq': 1.0, 'x': []})
    >>> parse_strictly(b'{"seq":1,"seq":1}').code
    'ONO109'
    """
    try:
        text = raw.decode()
    except UnicodeDecodeError as error:
        utf16 = raw.startswith((b"\xff\xfe", b"\xfe\xff"))
        hint = " (it looks like UTF-16)" if utf16 else ""
        return LineFault("ONO101", f"the line is not UTF-8: {error.reason}{hint}", error.start)
    try:
        return _parse(text)
    except RecursionError:
        return LineFault("ONO102", "the line is nested too deep")


def _parse(text: str) -> RawObject | LineFault:
    deep = _first_too_deep(text)
    if deep is not None:
        message = f"the line is nested more than {DEEPEST} deep"
        return LineFault("ONO102", message, _byte_column(text, deep))
    twice: str | None = None
    try:
        try:
            value = _STRICT.decode(text)
        except _KeyTwice as error:
            twice = str(error)
            value = _LOOSE.decode(text)
    except json.JSONDecodeError as error:
        return LineFault("ONO102", _syntax_message(text, error), _byte_column(text, error.pos))
    except _NotJson as error:
        return LineFault("ONO102", f"the line is not JSON: {error}")
    lone = _first_lone_surrogate(text)
    if lone is not None:
        message = "the line is not JSON: an escape is half of a surrogate pair"
        return LineFault("ONO102", message, _byte_column(text, lone))
    if not isinstance(value, dict):
        return LineFault("ONO104", "the line holds no object but " + _kind_of(value))
    if twice is not None:
        return LineFault("ONO109", f"the key {json.dumps(twice, ensure_ascii=False)} stands twice")
    return RawObject(value)


def breaks_off(raw: bytes) -> bool:
    """Whether bytes are the beginning of an object, cut before its end, as a crash leaves a last line.

    >>> breaks_off(b'{"seq":4,"type":"pl'), breaks_off(b'{"seq":NaN}'), breaks_off(b"[]")
    (True, False, False)
    """
    text = raw.decode("utf-8", "replace")
    if not text.lstrip(" \t").startswith("{"):
        return False
    try:
        # Whatever else is wrong with it (a NaN, a key twice, half a surrogate), it is whole.
        json.loads(text, strict=False)
    except json.JSONDecodeError:
        return True
    except (RecursionError, ValueError):
        return False
    return False


def _kind_of(value: object) -> str:
    if isinstance(value, list):
        return "an array"
    if isinstance(value, str):
        return "a string"
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    return "a number"


def _byte_column(text: str, place: int) -> int:
    return len(text[:place].encode())


def _syntax_message(text: str, error: json.JSONDecodeError) -> str:
    if "\0" in text:
        return "the line holds NUL characters, as a crash of the writer leaves them"
    if error.msg == "Extra data":
        if "\r" in text[: error.pos]:
            return "two values on one line, with a carriage return alone between them: lines end with \\n"
        if not text.lstrip(" \t").startswith("{"):
            return "the line is no JSON object: something follows its first value"
        return "something follows the object on the same line"
    if error.msg.startswith("Unterminated string"):
        return f"the line is not JSON: the string that begins at column {error.pos + 1} has no end"
    if error.pos >= len(text):
        return "the line is not JSON: it breaks off"
    return f"the line is not JSON: {error.msg[:1].lower()}{error.msg[1:]} at column {error.pos + 1}"


def _first_too_deep(text: str) -> int | None:
    if text.count("[") + text.count("{") <= DEEPEST:
        return None
    depth = 0
    for match in _STRING_OR_BRACKET.finditer(text):
        mark = match[0]
        if mark in "[{":
            depth += 1
            if depth > DEEPEST:
                return match.start()
        elif mark in "]}":
            depth -= 1
    return None


def _first_lone_surrogate(text: str) -> int | None:
    """Find an escape that is half of a pair; in valid JSON a backslash stands only inside a string."""
    if "\\u" not in text:
        return None
    high: tuple[int, int] | None = None
    for match in _ESCAPE.finditer(text):
        unit = int(match[1], 16) if match[1] else 0
        if high is not None and not (0xDC00 <= unit <= 0xDFFF and match.start() == high[1]):
            return high[0]
        if high is None and 0xDC00 <= unit <= 0xDFFF:
            return match.start()
        high = match.span() if 0xD800 <= unit <= 0xDBFF else None
    return high[0] if high else None
