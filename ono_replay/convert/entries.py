r"""The entries of a big JSON file, one at a time: an array's elements, or values one after the other.

>>> for entry in split_entries([b'[{"id": 1}, {"id"', b': 2}]']):
...     print(entry.number, entry.raw)
0 b'{"id": 1}'
1 b'{"id": 2}'
"""

import re
from collections.abc import Iterable, Iterator

import msgspec

from ono_replay.log.strict import DEEPEST, LineFault, parse_strictly

LONGEST_ENTRY = 8 << 20
"""The longest entry, in bytes; a game of ten thousand plays takes about half of it."""

_BOM = b"\xef\xbb\xbf"
_TOKEN = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+("|\\?\Z)|[][{}]', re.DOTALL)
_STRING_REST = re.compile(rb'[^"\\]*+(?:\\.[^"\\]*+)*+', re.DOTALL)


class Entry(msgspec.Struct, frozen=True):
    """One entry, or what is wrong in its place."""

    number: int
    """Counted from 0."""
    raw: bytes = b""
    fault: str | None = None
    """A message for people; the raw bytes are none then."""


class BadEntry(ValueError):
    """An entry that is not what it should be; its text is a message for people."""


def parse_entry(raw: bytes) -> dict[str, object]:
    """Return the object that an entry holds, every number that is no plain integer as a `NumberText`.

    Raises `BadEntry` for what is no JSON, no object, nested too deep or has a key twice.
    """
    found = parse_strictly(raw)
    if isinstance(found, LineFault):
        raise BadEntry(found.message.replace("the line", "it", 1))
    return found.keys


def split_entries(blocks: Iterable[bytes]) -> Iterator[Entry]:
    """Yield the entries of a JSON text in bounded memory; never raise on what it says.

    Only the brackets around the entries are read here; an entry may be no JSON. After a fault that leaves
    no way to tell where the next entry begins, that fault is the last that is yielded.
    """
    splitter = _Splitter()
    for block in blocks:
        yield from splitter.feed(block)
        if splitter.lost:
            return
    yield from splitter.end()


def first_keys(head: bytes) -> list[str]:
    """Return the keys of the first object of a JSON text, as far as a first part of the text shows them.

    >>> first_keys(b'[{"id": "r1", "replay": {"actions": [1]}, "fin')
    ['id', 'replay']
    """
    keys: list[str] = []
    depth = 0
    ground = 2 if head.removeprefix(_BOM).lstrip()[:1] == b"[" else 1
    for token in _TOKEN.finditer(head):
        mark = token[0]
        if mark in (b"{", b"["):
            depth += 1
        elif mark in (b"}", b"]"):
            depth -= 1
            if depth < ground:
                break
        elif depth == ground and head[token.end() : token.end() + 20].lstrip()[:1] == b":":
            keys.append(mark[1:-1].decode("utf-8", "replace"))
    return keys


class _Splitter:
    """Follows strings and brackets from block to block."""

    def __init__(self) -> None:
        self.lost = False
        self._number = 0
        self._depth = 0
        self._in_string = False
        self._in_array: bool | None = None
        """None until the first bracket tells."""
        self._closed = False
        self._parts: list[bytes] = []
        """What of the present entry, or of the gap before it, has been read."""
        self._length = 0
        self._carry = b""

    @property
    def _ground(self) -> int:
        """The depth between entries."""
        return 1 if self._in_array else 0

    def feed(self, block: bytes) -> Iterator[Entry]:
        block = self._carry + block
        self._carry = b""
        start = place = 0
        while place < len(block) and not self.lost:
            if self._in_string:
                place = self._leave_string(block, place)
                continue
            token = _TOKEN.search(block, place)
            if token is None:
                break
            place = token.end()
            mark = token[0]
            if mark[:1] == b'"':
                self._in_string = token[1] != b'"'
                if token[1] == b"\\":
                    self._carry = b"\\"
            elif mark in (b"[", b"{"):
                if self._in_array is None:
                    self._in_array = mark == b"["
                    if self._in_array:
                        yield from self._check_gap(block[start : token.start()], opening=True)
                        self._depth, start = 1, place
                        continue
                if self._depth == self._ground:
                    yield from self._check_gap(block[start : token.start()])
                    start = token.start()
                self._depth += 1
                if self._depth > self._ground + DEEPEST:
                    yield self._lose(f"it is nested more than {DEEPEST} deep")
            else:
                self._depth -= 1
                if self._depth == self._ground:
                    yield Entry(self._number, self._take(block[start:place]))
                    self._number += 1
                    start = place
                elif self._depth < self._ground:
                    yield from self._close(block[start : token.start()])
                    start = place
        if not self.lost:
            rest = block[start : len(block) - len(self._carry)]
            self._parts.append(rest)
            self._length += len(rest)
            if self._length > LONGEST_ENTRY:
                yield self._lose(f"it is longer than {LONGEST_ENTRY >> 20} MiB")

    def _leave_string(self, block: bytes, place: int) -> int:
        rest = _STRING_REST.match(block, place)
        end = rest.end() if rest else place
        if block[end : end + 1] == b'"':
            self._in_string = False
            return end + 1
        self._carry = block[end:]
        return len(block)

    def _take(self, piece: bytes = b"") -> bytes:
        taken = b"".join([*self._parts, piece])
        self._parts.clear()
        self._length = 0
        return taken

    def _lose(self, why: str) -> Entry:
        self.lost = True
        return Entry(self._number, fault=why)

    def _check_gap(self, gap: bytes, *, opening: bool = False) -> Iterator[Entry]:
        """Check what stands before an entry."""
        found = self._take(gap).strip()
        if opening or not self._number:
            found = found.removeprefix(_BOM).strip()
        wanted = b"," if self._in_array and self._number and not opening else b""
        if self._closed or found != wanted:
            yield self._lose(f"{_shown(found)} stands before it" if found else "no comma stands before it")

    def _close(self, gap: bytes) -> Iterator[Entry]:
        """Check what stands before the bracket that closes the array, or one that closes nothing."""
        found = self._take(gap).strip()
        if not self._in_array or self._closed:
            yield self._lose("a bracket closes what was never opened")
        elif found:
            yield self._lose(f"{_shown(found)} is no object")
        self._closed = True

    def end(self) -> Iterator[Entry]:
        if self._depth > self._ground or self._in_string:
            yield self._lose("the file breaks off in it")
            return
        found = self._take(self._carry).removeprefix(_BOM).strip()
        if found:
            yield self._lose(f"{_shown(found)} is no object")
        elif self._in_array and not self._closed:
            yield self._lose("the file breaks off before it")


def _shown(found: bytes) -> str:
    text = found[:40].decode("utf-8", "replace")
    return f"{text!r}" + ("…" if len(found) > 40 else "")
