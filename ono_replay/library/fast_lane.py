"""Games in canonical bytes and without fault, many at a time: from their bytes to rows, on the extra `bulk`.

Whatever is not so is left to `intake`, a game at a time; the rows are the same either way.
"""

import hashlib
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import msgspec
import numpy as np

from ono_replay.bulk.board import BOARD
from ono_replay.bulk.derive import derive
from ono_replay.bulk.engine import OPEN, WHOLE, Judge, Judged, tells_digest, warm_up
from ono_replay.bulk.facts import Facts
from ono_replay.bulk.layout import SEATS, records
from ono_replay.library.chunks import Chunk
from ono_replay.library.fast_rows import Tables, Taken, tables_of
from ono_replay.library.hashes import fingerprint
from ono_replay.library.intake import MOST_ID
from ono_replay.log.chunks import Chunk as Text
from ono_replay.log.jsonl import canonical
from ono_replay.log.reader import MOST_EVENTS
from ono_replay.rules.events import GameStart

BATCH = 1 << 22
"""Bytes of text that are taken at a time."""
_read_start = msgspec.json.Decoder(GameStart).decode
_WRONG = ""
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
        self._judge = Judge(digests=False)
        self._facts = Facts()
        self._boards = records(1, BOARD)

    def take(self, chunks: Sequence[Chunk], imported: int, prefix: str = "") -> Iterator[Batch]:
        """Yield what comes of chunks, some at a time; arguments as for `intake.take_chunk`."""
        waiting: list[Chunk] = []
        size = 0
        for chunk in chunks:
            if waiting and size + len(chunk.content) > BATCH:
                yield self._take(waiting, imported, prefix)
                waiting, size = [], 0
            waiting.append(chunk)
            size += len(chunk.content)
        if waiting:
            yield self._take(waiting, imported, prefix)

    def _take(self, chunks: list[Chunk], imported: int, prefix: str) -> Batch:
        able = [place for place, chunk in enumerate(chunks) if _may_be_taken(chunk, prefix)]
        text = Text.of(b"".join([chunks[place].content for place in able]))
        judged = self._judge.judge(text)
        begins = np.cumsum([0, *(len(chunks[place].content) for place in able)])
        wanted, owners = _whole_games(judged, begins)
        digests = _digests(judged, wanted)
        right = digests != _WRONG
        wanted, owners, digests = wanted[right], owners[right], digests[right]
        found = self._facts
        found.make_room(judged.games[wanted], text.size, int(judged.games["lists_end"].max(initial=0)))
        address = np.frombuffer(text.data, np.uint8).ctypes.data
        found.games = derive(
            address, judged.columns, judged.games, wanted, judged.rulebook, self._boards, found.walk,
            found.numbers, found.text,
        )  # fmt: skip
        owners, digests = owners[wanted >= 0], digests[wanted >= 0]
        about = [chunks[able[owner]] for owner in owners]
        games = _about(judged, wanted[wanted >= 0], about, digests.tolist(), found, prefix)
        tables, ends = tables_of(found, games, imported) if games else ({}, {})
        taken = [False] * len(chunks)
        for owner in owners:
            taken[able[owner]] = True
        return Batch(chunks, taken, tables, ends)


def _may_be_taken(chunk: Chunk, prefix: str) -> bool:
    content = chunk.content
    if chunk.game_id is None or len(prefix + chunk.game_id) > MOST_ID:
        return False
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


def _digests(judged: Judged, wanted: np.ndarray) -> np.ndarray:
    """Return the digests of the bytes of games, as `hashes.fingerprint` has them; `_WRONG` where a game tells another.

    Each byte is hashed once: what a `game_end` tells is the digest of what stands before it.
    """
    text = judged.chunk.data
    view = memoryview(text)
    fields = (judged.games[name][wanted].tolist() for name in ("start", "end", "digest", "before_end"))
    found = np.empty(len(wanted), object)
    for place, (start, end, told, before_end) in enumerate(zip(*fields, strict=True)):
        hashed = hashlib.sha256(view[start : before_end if told else end])
        if told and not tells_digest(text, told, hashed.hexdigest()):
            found[place] = _WRONG
            continue
        if told:
            hashed.update(view[before_end:end])
        found[place] = hashed.hexdigest()[:32]
    return found


def _about(
    judged: Judged, wanted: np.ndarray, chunks: list[Chunk], digests: list[str], found: Facts, prefix: str
) -> list[Taken]:
    games, pool = judged.games, judged.columns.pool
    names = ("found", "events", "unverified", "start", "digest", "before_end")
    numbers = [games[name][wanted].tolist() for name in names]
    winners = found.of_games()["winners"].tolist()
    about = []
    for chunk, lines, kind, events, unverified, begun, digest, before_end, place in zip(
        chunks, digests, *numbers, winners, strict=True
    ):
        start = _read_start(chunk.content[: chunk.content.index(b"\n")])
        won = pool[place + 1 : place + 1 + pool[place]].tolist() if place else []
        log = lines
        if prefix:
            start = msgspec.structs.replace(start, game_id=prefix + start.game_id)
            log = _digest_anew(chunk.content, start, digest and digest - begun, before_end - begun)
        about.append(Taken(chunk, start, kind == WHOLE, events, unverified, won, log, lines))
    return about


def _digest_anew(content: bytes, start: GameStart, digest: int, before_end: int) -> str:
    """Return the digest of a game under another id; that in its `game_end`, which stands at a place, is made anew."""
    first = canonical(start) + b"\n"
    rest = content.index(b"\n") + 1
    if not digest:
        return fingerprint([first, content[rest:]])
    hashed = hashlib.sha256(first)
    hashed.update(memoryview(content)[rest:before_end])
    new = digest + len(b"sha256:")
    told = hashed.hexdigest().encode()
    hashed.update(content[before_end:new] + told + content[new + len(told) :])
    return hashed.hexdigest()[:32]
