"""Judging archives of strangers: a process of its own, with a limit on its memory, that tells what it found.

Run as a program it serves (`log.arrow.serve`): its messages are frames (see `frame`), or, with the word `TEXTS`, the
texts of the games that an archive was made of.
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

import msgspec
import numpy as np

from ono_replay.bulk.archive import SCHEMA, VERDICT_COLUMNS, ArchiveJudge, read_archive, read_texts, text_of
from ono_replay.bulk.frame import TEXTS, Frame
from ono_replay.bulk.layout import OPEN, WHOLE
from ono_replay.log.arrow import serve
from ono_replay.log.streams import Unreadable

VERDICTS: dict[int, str] = {WHOLE: "valid", OPEN: "unfinished"}
"""Of the games that the kernel takes and finds no fault in."""
MEMORY = 1 << 30
"""Bytes that the reading process may take for itself: a compiler is among what it loads."""


def frames(path: str | Path) -> Iterator[Frame]:
    """Yield what is found of the rows of an archive; raises `Unreadable`."""
    alone = ArchiveJudge()
    whole: Iterator[Any] | None = None
    skipped = 0
    for batch in read_archive(path, VERDICT_COLUMNS):
        try:
            rows = alone.judge(batch)
            found = rows.games["found"]
            careful = np.flatnonzero((found != WHOLE) & (found != OPEN)).tolist()
            texts = {row: batch.column("raw")[row].as_py() for row in careful}
            if any(text is None for text in texts.values()):
                # Not even what was a sound game when the archive was made is one: what do its lines say?
                whole = whole or read_archive(path, SCHEMA.names)
                for _ in range(skipped):
                    next(whole)
                full, skipped = next(whole), 0
                texts = {row: text_of(full, rows, row) for row in careful}
            else:
                skipped += 1
        except ValueError as reason:
            raise Unreadable(f"{path}: the archive is damaged: {reason}") from None
        yield Frame(
            [VERDICTS.get(one, "") for one in found.tolist()],
            batch.column("line").to_pylist(),
            batch.column("game_id").to_pylist(),
            rows.games["events"].tolist(),
            rows.games["unverified"].tolist(),
            texts,
        )


def packed_frames(path: str) -> Iterator[bytes]:
    """Yield the frames of an archive as they are sent; raises `Unreadable`."""
    return map(msgspec.msgpack.Encoder().encode, frames(path))


def main(*words: str) -> NoReturn:
    """Tell of the archives that are named or asked for (`log.arrow.serve`)."""
    read = read_texts if TEXTS in words[:1] else packed_frames
    serve(read, "an archive", MEMORY, words[TEXTS in words[:1] :])


if __name__ == "__main__":
    main(*sys.argv[1:])
