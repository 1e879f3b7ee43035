"""Parts made from parts: without some games, or several as one. Rows are copied, never made anew."""

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from ono_replay.library.columns import VIEWS
from ono_replay.library.manifest import Part, Writing
from ono_replay.library.parts import GROUP_ROWS, PartWriter
from ono_replay.library.stored import GameRows, merged, read_groups, read_rows

PART_EVENTS = 4_000_000
"""About the most events of a part."""
LARGE_PART = 500_000
"""Events of a part that is not merged with others by itself."""
SMALL_LIBRARY = 100_000
"""Events of a library that is kept in one part."""
FULL_TIER = 8
"""Parts of about one size that are merged."""
_OF_GAMES = tuple(view.name for view in VIEWS if view.names[0] == "game_id")
_LOOSE = tuple(view.name for view in VIEWS if view.names[0] != "game_id")
_SLICES = 4096


def _file(writing: Writing, part: Part, view: str) -> Path:
    return writing.folder / "parts" / part.name / f"{view}.parquet"


def without_games(writing: Writing, part: Part, ids: frozenset[str]) -> dict[Path, dict[str, int]]:
    """Write a draft with all of a part but some games; return it as `Writing.commit` adds it."""
    draft = writing.new_draft()
    writer = PartWriter(draft)
    gone = pa.array(ids, pa.string())
    for view in VIEWS:
        if part.rows.get(view.name):
            for table in read_groups(_file(writing, part, view.name)):
                if view.name in _OF_GAMES:
                    table = table.filter(pc.invert(pc.is_in(table.column("game_id"), gone)))
                writer.add_table(view.name, table)
    return {draft: writer.close()}


def merge_parts(writing: Writing, parts: Iterable[Part]) -> dict[Path, dict[str, int]]:
    """Write the rows of some parts to new ones, games in order, each of about `PART_EVENTS`."""
    parts = tuple(parts)
    bounds = list(_bounds(writing, parts))
    added: dict[Path, dict[str, int]] = {}
    drafts = [(writing.new_draft(), low) for low in bounds or [""]]
    writers = [PartWriter(draft) for draft, _ in drafts]
    for name in _OF_GAMES:
        files = [read_rows(_file(writing, part, name)) for part in parts if part.rows.get(name)]
        number = 0
        for table, first in _tables(merged(files), [low for _, low in drafts]):
            while number + 1 < len(drafts) and first >= drafts[number + 1][1]:
                number += 1
            writers[number].add_table(name, table)
    for name in _LOOSE:
        for part in parts:
            if part.rows.get(name):
                for table in read_groups(_file(writing, part, name)):
                    writers[0].add_table(name, table)
    for (draft, _), writer in zip(drafts, writers, strict=True):
        added[draft] = writer.close()
    return added


def compact_small(writing: Writing) -> None:
    """Merge small parts where there are many, and all of a small library.

    A part is merged with others of about its size, so that each row is copied a few times at most.
    """
    parts = writing.manifest.parts
    if len(parts) > 1 and writing.manifest.count("events") <= SMALL_LIBRARY:
        merge_into(writing, parts)
        return
    while True:
        tiers: dict[int, list[Part]] = {}
        for part in writing.manifest.parts:
            if part.rows.get("events", 0) < LARGE_PART:
                tiers.setdefault((part.rows.get("events", 0) // 1000).bit_length() // 3, []).append(part)
        full = [found for _, found in sorted(tiers.items()) if len(found) >= FULL_TIER]
        if not full:
            return
        merge_into(writing, full[0][: at_once(full[0])])


def at_once(parts: Sequence[Part]) -> int:
    """Return how many parts of about one size are merged at a time: of each a group of rows is in memory.

    >>> [at_once([Part("", {"events": size}, 0)]) for size in (100, 300_000)]
    [10485, 8]
    """
    largest = max(part.rows.get("events", 0) for part in parts)
    return FULL_TIER * GROUP_ROWS // min(max(largest, 1), GROUP_ROWS)


def merge_into(writing: Writing, parts: Iterable[Part]) -> None:
    """Put merged parts in the place of some."""
    parts = tuple(parts)
    writing.commit(add=merge_parts(writing, parts), drop={part.name for part in parts})


def _bounds(writing: Writing, parts: tuple[Part, ...]) -> Iterator[str]:
    """Yield the first `game_id` of each new part."""
    files = [
        read_rows(_file(writing, part, "games"), columns=["game_id", "n_events"])
        for part in parts
        if part.rows.get("games")
    ]
    events = PART_EVENTS
    for game in merged(files):
        if events >= PART_EVENTS:
            yield game.game_id
            events = 0
        events += game.rows.column("n_events")[0].as_py()


def _tables(games: Iterator[GameRows], bounds: list[str]) -> Iterator[tuple[Any, str]]:
    """Yield the rows of games put together again, none across a bound, with the first `game_id` of each."""
    waiting: list[Any] = []
    first = ""
    at = iter(bounds[1:])
    bound = next(at, None)
    for game in games:
        beyond = bound is not None and game.game_id >= bound
        if waiting and (beyond or len(waiting) >= _SLICES):
            yield pa.concat_tables(waiting).combine_chunks(), first
            waiting = []
        while bound is not None and game.game_id >= bound:
            bound = next(at, None)
        if not waiting:
            first = game.game_id
        waiting.append(game.rows)
    if waiting:
        yield pa.concat_tables(waiting).combine_chunks(), first
