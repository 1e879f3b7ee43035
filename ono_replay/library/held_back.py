"""The quarantine: what was not let in, to be looked at, tried again or dropped."""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pyarrow as pa
import pyarrow.compute as pc

from ono_replay.library.chunks import Chunk
from ono_replay.library.contest import Contest, find_stored
from ono_replay.library.intake import take_chunk
from ono_replay.library.manifest import LibraryFault, Part, Writing, snapshot
from ono_replay.library.parts import PartWriter
from ono_replay.library.rewriting import without_games
from ono_replay.library.rows import rows_of
from ono_replay.library.stored import read_groups
from ono_replay.log.lines import one_or_many


class HeldBack(msgspec.Struct):
    """One thing in quarantine."""

    key: str
    why: str
    """`invalid`, `fork` or `stray`."""
    game_id: str | None
    file: str
    line: int
    errors: int
    codes: list[str]
    n_bytes: int
    imported: int
    report: str
    """JSON."""
    content: bytes
    """As it stood in the file."""

    @property
    def findings(self) -> dict[str, Any]:
        """The validator's report."""
        found: dict[str, Any] = json.loads(self.report)
        return found


def held_back(folder: str | Path, keys: str | Iterable[str] | None = None) -> Iterator[HeldBack]:
    """Yield what is in quarantine: all for None, else what one or many keys name; no key names nothing.

    A key may be its beginning, or the id of a game. Raises `LibraryFault` for one that names nothing.
    """
    wanted = set() if keys is None else set(one_or_many(keys))
    named: set[str] = set()
    with snapshot(Path(folder)) as found:
        for path in found.paths("quarantine"):
            for table in read_groups(path):
                for row in table.to_pylist():
                    names = {key for key in wanted if _names(key, row)}
                    if names or keys is None:
                        named |= names
                        yield HeldBack(**row)
    missing = sorted(wanted - named)
    if missing:
        raise LibraryFault(f"nothing in quarantine is called {missing[0]!r}")


def _names(key: str, row: dict[str, Any]) -> bool:
    """Whether a key names what a row holds; an empty text, which begins every key, does not."""
    found, game_id = row["key"], row["game_id"]
    return bool(key) and (found.startswith(key) or game_id == key)


def drop(folder: str | Path, keys: str | Iterable[str] | None) -> int:
    """Take things out of quarantine for good, those of one or many keys, or all for None; return how many.

    Keys are those of `held_back`; raises `LibraryFault` for one that names nothing, and nothing is dropped then.
    """
    gone = {found.key for found in held_back(folder, keys)}
    with Writing(Path(folder)) as writing:
        add, names = _without(writing, gone)
        writing.commit(add=add, drop=names)
    return len(gone)


def _without(writing: Writing, keys: set[str]) -> tuple[dict[Path, dict[str, int]], set[str]]:
    """Write the parts that hold some keys without them."""
    add: dict[Path, dict[str, int]] = {}
    names: set[str] = set()
    for part in writing.manifest.parts:
        if part.rows.get("quarantine") and _holds(writing, part, keys):
            names.add(part.name)
            add |= _copy_without(writing, part, keys)
    return add, names


def _holds(writing: Writing, part: Part, keys: set[str]) -> bool:
    path = writing.folder / "parts" / part.name / "quarantine.parquet"
    return any(keys & set(table.column("key").to_pylist()) for table in read_groups(path, columns=["key"]))


def _copy_without(writing: Writing, part: Part, keys: set[str]) -> dict[Path, dict[str, int]]:
    draft = writing.new_draft()
    writer = PartWriter(draft)
    for name in part.rows:
        for table in read_groups(writing.folder / "parts" / part.name / f"{name}.parquet"):
            if name == "quarantine":
                table = table.filter(pc.invert(pc.is_in(table.column("key"), pa.array(keys, pa.string()))))
            writer.add_table(name, table)
    return {draft: writer.close()}


class Retried(msgspec.Struct):
    """What came of trying again: keys."""

    let_in: list[str] = []
    still_held: list[str] = []


def retry(folder: str | Path, keys: str | Iterable[str] | None = None, *, replace: bool = False) -> Retried:
    """Check again what is in quarantine and let in what may be; with `replace`, a fork in the stored game's place.

    Keys are those of `held_back`: all for None. Raises `LibraryFault` for one that names nothing; nothing is let in then.
    """
    result = Retried()
    waiting = list(held_back(folder, keys))
    for found in waiting:
        with Writing(Path(folder)) as writing:
            let_in = _let_in(writing, found, replace=replace)
        (result.let_in if let_in else result.still_held).append(found.key)
    return result


def _let_in(writing: Writing, found: HeldBack, *, replace: bool) -> bool:
    own_id = found.findings.get("game_id")
    prefix = ""
    if found.game_id is not None and isinstance(own_id, str):
        prefix = found.game_id.removesuffix(own_id)
    chunk = Chunk(found.file, found.line, found.content, own_id, begins_game=found.why != "stray")
    taken = take_chunk(chunk, found.imported, prefix)
    if taken.game is None or found.game_id is None:
        return False
    stored = find_stored(writing, [found.game_id]).get(found.game_id)
    add: dict[Path, dict[str, int]] = {}
    drop: set[str] = set()
    if stored is not None and not replace:
        contest = Contest(writing, found.imported, prefix)
        contest.add(chunk, stored)
        if contest.refused:
            return False
        add, drop = contest.drafts()
        writing.commit(add=add, drop=drop)
    else:
        draft = writing.new_draft()
        writer = PartWriter(draft)
        writer.add(rows_of(taken.game))
        add[draft] = writer.close()
        if stored is not None:
            add |= without_games(writing, stored.part, frozenset([found.game_id]))
            drop.add(stored.part.name)
        writing.commit(add=add, drop=drop)
    # Should this be cut off here, the game is in and in quarantine: trying again finds it known.
    more, names = _without(writing, {found.key})
    writing.commit(add=more, drop=names)
    return True
