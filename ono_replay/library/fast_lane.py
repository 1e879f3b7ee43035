"""Games in canonical bytes and without fault, many at a time: from their bytes to rows, on the extra `bulk`.

Whatever is not so is left to `intake`, a game at a time; the rows are the same either way.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import msgspec
import numpy as np

from ono_replay.bulk.board import BOARD
from ono_replay.bulk.derive import derive
from ono_replay.bulk.engine import OPEN, WHOLE, Judge, Judged, warm_up
from ono_replay.bulk.facts import Facts
from ono_replay.bulk.layout import SEATS, records
from ono_replay.library.chunks import Chunk
from ono_replay.library.fast_rows import Tables, Taken, tables_of
from ono_replay.log.chunks import Chunk as Text
from ono_replay.log.reader import MOST_EVENTS
from ono_replay.rules.events import GameStart

BATCH = 1 << 21
"""Bytes of text that are taken at a time."""
_read_start = msgspec.json.Decoder(GameStart).decode
_OPENS = b'{"seq":0,"type":"game_start",'


class Batch(NamedTuple):
    """Some chunks, in order, and what came of those that were taken."""

    chunks: Sequence[Chunk]
    taken: list[bool]
    tables: Tables
    ends: dict[str, np.ndarray]
    """By view: the number of rows up to the end of each game that was taken."""


class FastLane:
    """Takes chunks in; its buffers are used over and over."""

    def __init__(self) -> None:
        """Load the kernel, or compile it."""
        warm_up()
        self._judge = Judge()
        self._facts = Facts()
        self._boards = records(1, BOARD)

    def take(self, chunks: Sequence[Chunk], imported: int) -> Iterator[Batch]:
        """Yield what comes of chunks, some at a time."""
        waiting: list[Chunk] = []
        size = 0
        for chunk in chunks:
            if waiting and size + len(chunk.content) > BATCH:
                yield self._take(waiting, imported)
                waiting, size = [], 0
            waiting.append(chunk)
            size += len(chunk.content)
        if waiting:
            yield self._take(waiting, imported)

    def _take(self, chunks: list[Chunk], imported: int) -> Batch:
        able = [place for place, chunk in enumerate(chunks) if _may_be_taken(chunk)]
        text = Text.of(b"".join([chunks[place].content for place in able]))
        judged = self._judge.judge(text)
        begins = np.cumsum([0, *(len(chunks[place].content) for place in able)])
        wanted, owners = _whole_games(judged, begins)
        found = self._facts
        found.make_room(judged.games[wanted], text.size, int(judged.games["lists_end"].max(initial=0)))
        address = np.frombuffer(text.data, np.uint8).ctypes.data
        found.games = derive(
            address, judged.columns, judged.games, wanted, judged.rulebook, self._boards, found.walk,
            found.numbers, found.text,
        )  # fmt: skip
        owners = owners[wanted >= 0]
        games = _about(judged, wanted[wanted >= 0], [chunks[able[owner]] for owner in owners], found)
        tables, ends = tables_of(found, games, imported) if games else ({}, {})
        taken = [False] * len(chunks)
        for owner in owners:
            taken[able[owner]] = True
        return Batch(chunks, taken, tables, ends)


def _may_be_taken(chunk: Chunk) -> bool:
    content = chunk.content
    return chunk.cut is None and content.startswith(_OPENS) and content.endswith(b"\n")


def _whole_games(judged: Judged, begins: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the places of the games without fault that are whole chunks, and of those chunks."""
    games = judged.games
    good = (games["found"] == WHOLE) | (games["found"] == OPEN)
    good &= (games["events"] <= MOST_EVENTS) & (games["seats"] <= SEATS)
    places = np.searchsorted(begins, games["start"])
    places = np.minimum(places, len(begins) - 2)
    good &= (begins[places] == games["start"]) & (begins[places + 1] == games["end"])
    wanted = np.flatnonzero(good).astype(np.int64)
    return wanted, places[wanted]


def _about(judged: Judged, wanted: np.ndarray, chunks: list[Chunk], found: Facts) -> list[Taken]:
    games, pool = judged.games, judged.columns.pool
    numbers = [games[name][wanted].tolist() for name in ("found", "events", "unverified")]
    winners = found.of_games()["winners"].tolist()
    about = []
    for chunk, kind, events, unverified, place in zip(chunks, *numbers, winners, strict=True):
        start = _read_start(chunk.content[: chunk.content.index(b"\n")])
        won = pool[place + 1 : place + 1 + pool[place]].tolist() if place else []
        about.append(Taken(chunk, start, kind == WHOLE, events, unverified, won))
    return about
