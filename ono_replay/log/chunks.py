r"""A log in pieces of whole games, cut where a game surely begins.

>>> start = b'{"seq":0,"type":"game_start","format":"ono-log","version":"1.0","game_id":"%d",'
>>> start += b'"ruleset":{"edition":"2022"},"players":[],"dealer":null,"view":"full"}\n'
>>> [chunk.text for chunk in cut_games(iter([b"".join(start % n for n in range(3))]), 400)] == [
...     b"".join(start % n for n in range(2)), start % 2]
True
"""

from collections.abc import Iterator

from ono_replay.log.jsonl import RawObject, parse_line
from ono_replay.log.lines import LONGEST
from ono_replay.rules.events import GameStart

PADDING = bytes(64)
"""Zeros behind the text of a chunk: who reads it a word at a time may read past its end."""
SHORT = 1 << 15
"""A block of fewer bytes may be all that there is for now: what is whole is not kept waiting for more."""
_MARK = b'"game_start"'


class Chunk:
    """Some whole games: the first `size` bytes of `data`; `len(PADDING)` bytes or more stand behind them."""

    __slots__ = ("data", "size")

    def __init__(self, data: bytes, size: int) -> None:
        self.data = data
        self.size = size

    @classmethod
    def of(cls, text: bytes) -> "Chunk":
        """Return a text as a chunk."""
        return cls(text + PADDING, len(text))

    @property
    def text(self) -> bytes:
        """The games, without what stands behind them."""
        return self.data[: self.size]


class Stretch:
    """The end of a source, or a game too long for a chunk, as blocks that come one by one.

    The blocks must be taken before the next chunk is asked for; they end with the error of the source, if
    it had one.
    """

    def __init__(self, blocks: Iterator[bytes]) -> None:
        self.blocks = blocks


def cut_games(blocks: Iterator[bytes], size: int) -> Iterator[Chunk | Stretch]:
    """Yield a source in pieces that each begin where a game surely does, the first one where the source does.

    Pieces are of about `size` bytes. A game, or what may be one, of more than twice as much becomes a
    `Stretch`, as does what comes before an error of the source.
    """
    return _Cutter(blocks, size).pieces()


class _Cutter:
    def __init__(self, blocks: Iterator[bytes], size: int) -> None:
        self._blocks = blocks
        self._size = size
        self._kept: list[bytes] = []
        self._length = 0
        self._marked = False
        """Whether another game may have begun in what is kept."""
        self._error: Exception | None = None

    def pieces(self) -> Iterator[Chunk | Stretch]:
        while (block := self._next()) is not None:
            last = self._kept[-1][-len(_MARK) :] if self._kept else b""
            self._marked = self._marked or _MARK in block or _MARK in last + block[: len(_MARK)]
            self._keep(block)
            if self._length < self._size and (len(block) >= SHORT or not self._marked):
                continue
            data, size = self._take()
            place = last_start(data)
            if place:
                yield Chunk(data, place)
                self._keep(data[place:size])
                self._marked = False
            elif size < 2 * self._size:
                self._keep(data[:size])
            else:
                yield Stretch(self._until_start(data[:size]))
                self._marked = False
        data, size = self._take()
        if self._error is None:
            if size:
                yield Chunk(data, size)
            return
        place = last_start(data)
        if place:
            yield Chunk(data, place)
        yield Stretch(self._broken(data[place:size]))

    def _next(self) -> bytes | None:
        try:
            return next(self._blocks, None)
        except Exception as error:  # noqa: BLE001 - raised again where the text before it is taken
            self._error = error
            return None

    def _keep(self, block: bytes) -> None:
        self._kept.append(block)
        self._length += len(block)

    def _take(self) -> tuple[bytes, int]:
        """Take what is kept: padded, and its length."""
        data, size = b"".join([*self._kept, PADDING]), self._length
        self._kept, self._length = [], 0
        return data, size

    def _broken(self, text: bytes) -> Iterator[bytes]:
        yield text
        assert self._error is not None
        raise self._error

    def _until_start(self, text: bytes) -> Iterator[bytes]:
        """Yield blocks up to a line that surely begins a game; that line and what follows is kept."""
        begun = True
        while True:
            place = _first_start(text, 1 if begun else 0)
            if place is not None:
                yield text[:place]
                self._keep(text[place:])
                return
            # The last line may still become one, unless it is too long for that.
            whole = text.rfind(b"\n") + 1
            if len(text) - whole > LONGEST:
                whole = len(text)
            if whole:
                yield text[:whole]
                begun = text[whole - 1] != 0x0A
                text = text[whole:]
            block = self._next()
            if block is None:
                yield text
                if self._error is not None:
                    error, self._error = self._error, None
                    raise error
                return
            text += block


def last_start(text: bytes) -> int:
    """Return where the last line begins that is surely a `game_start`, 0 if none but the first may be one."""
    mark = text.rfind(_MARK)
    while mark >= 0:
        place = text.rfind(b"\n", 0, mark) + 1
        if place == 0 or _starts_game(text, place, mark):
            return place
        mark = text.rfind(_MARK, 0, place)
    return 0


def begins_a_game(text: bytes) -> bool:
    r"""Whether the first line that is not blank is a `game_start`.

    >>> begins_a_game(b'\n{"seq":0,"type":"comment","text":"hi"}\n')
    False
    """
    place = len(text) - len(text.lstrip(b" \t\r\n"))
    mark = text.find(_MARK, place, place + LONGEST)
    return mark >= 0 and b"\n" not in text[place:mark] and _starts_game(text + b"\n", place, mark)


def _first_start(text: bytes, least: int) -> int | None:
    """Return where the first line begins, from a place on, that is surely a `game_start`."""
    mark = text.find(_MARK)
    while mark >= 0:
        place = text.rfind(b"\n", 0, mark) + 1
        if place >= least and _starts_game(text, place, mark):
            return place
        end = text.find(b"\n", mark)
        mark = text.find(_MARK, end) if end >= 0 else -1
    return None


def _starts_game(text: bytes, place: int, mark: int) -> bool:
    end = text.find(b"\n", mark)
    if not 0 <= end <= place + LONGEST:
        return False
    found = parse_line(text[place:end].removesuffix(b"\r"))
    return isinstance(found, GameStart) or (
        isinstance(found, RawObject) and found.keys.get("type") == "game_start"
    )
