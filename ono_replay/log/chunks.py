r"""A log in pieces of whole games, cut where a game surely begins.

>>> start = b'{"seq":0,"type":"game_start","format":"ono-log","version":"1.0","game_id":"%d",'
>>> start += b'"ruleset":{"edition":"2022"},"players":[],"dealer":null,"view":"full"}\n'
>>> [chunk.text for chunk in cut_games(iter([b"".join(start % n for n in range(3))]), 400)] == [
...     b"".join(start % n for n in range(2)), start % 2]
True
"""

from collections.abc import Iterator

from ono_replay.log.jsonl import parse_line
from ono_replay.log.lines import LONGEST
from ono_replay.rules.events import GameStart

PADDING = bytes(64)
"""Zeros behind the text of a chunk: who reads it a word at a time may read past its end."""
SHORT = 1 << 15
"""A block of fewer bytes may be all that there is for now: what is whole is not kept waiting for more."""
_START = b'\n{"seq":0,"type":"game_start","format":'


class Chunk:
    """Some whole games as bytes, `size` of them before `PADDING`."""

    __slots__ = ("data", "size")

    def __init__(self, text: bytes) -> None:
        self.size = len(text)
        self.data = text + PADDING

    @property
    def text(self) -> bytes:
        """The games, without the padding."""
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
        self._error: Exception | None = None

    def pieces(self) -> Iterator[Chunk | Stretch]:
        while (block := self._next()) is not None:
            self._keep(block)
            if self._length < self._size and len(block) >= SHORT:
                continue
            text = self._take()
            place = last_start(text)
            if place:
                yield Chunk(text[:place])
                self._keep(text[place:])
            elif len(text) < 2 * self._size:
                self._keep(text)
            else:
                yield Stretch(self._until_start(text))
        text = self._take()
        if self._error is None:
            if text:
                yield Chunk(text)
            return
        place = last_start(text)
        if place:
            yield Chunk(text[:place])
        yield Stretch(self._broken(text[place:]))

    def _next(self) -> bytes | None:
        try:
            return next(self._blocks, None)
        except Exception as error:  # noqa: BLE001 - raised again where the text before it is taken
            self._error = error
            return None

    def _keep(self, block: bytes) -> None:
        self._kept.append(block)
        self._length += len(block)

    def _take(self) -> bytes:
        text = b"".join(self._kept)
        self._kept, self._length = [], 0
        return text

    def _broken(self, text: bytes) -> Iterator[bytes]:
        yield text
        assert self._error is not None
        raise self._error

    def _until_start(self, text: bytes) -> Iterator[bytes]:
        """Yield blocks up to a line that surely begins a game; that line and what follows is kept."""
        while True:
            place = _first_start(text)
            if place is not None:
                yield text[:place]
                self._keep(text[place:])
                return
            # What may be the beginning of such a line stays until more is read.
            candidate = text.rfind(_START)
            whole = len(text) - len(_START) if candidate < 0 or len(text) - candidate > LONGEST else candidate
            if whole > 0:
                yield text[:whole]
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
    end = len(text)
    while True:
        place = text.rfind(_START, 0, end)
        if place < 0 or _starts_game(text, place + 1):
            return place + 1
        end = place + len(_START) - 1


def _first_start(text: bytes) -> int | None:
    place = text.find(_START)
    while place >= 0:
        if _starts_game(text, place + 1):
            return place + 1
        place = text.find(_START, place + 1)
    return None


def _starts_game(text: bytes, place: int) -> bool:
    end = text.find(b"\n", place)
    return 0 <= end <= place + LONGEST and isinstance(parse_line(text[place:end]), GameStart)
