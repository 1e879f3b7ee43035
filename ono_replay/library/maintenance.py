"""Looking after a library: what is in it, whether it is whole, and changes to what it holds."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
import pyarrow.parquet as pq

from ono_replay.library.columns import VIEWS
from ono_replay.library.contest import find_stored
from ono_replay.library.hashes import fingerprint
from ono_replay.library.manifest import (
    LIBRARY_VERSION,
    NAME,
    LibraryFault,
    Manifest,
    Snapshot,
    Writing,
    digest_of_file,
    snapshot,
)
from ono_replay.library.rewriting import merge_into, without_games
from ono_replay.library.store import Library
from ono_replay.library.stored import FAULTS, read_groups, read_logs
from ono_replay.library.tables import SCHEMAS
from ono_replay.log.jsonl import canonical


class LibraryInfo(msgspec.Struct):
    """What is in a library."""

    path: str
    version: int
    games: int
    valid: int
    unfinished: int
    irregular: int
    quarantined: int
    events: int
    players: int
    first: str | None
    """The earliest start, as a time in UTC."""
    last: str | None
    editions: dict[str, int]
    sources: int
    imports: int
    parts: int
    size: int
    """Bytes on the disk."""
    aliases: int


_INFO = """
select count(*) as games, count(*) filter (verdict = 'valid') as valid,
       count(*) filter (verdict = 'unfinished') as unfinished, count(*) filter (irregular) as irregular,
       min(started)::varchar as first, max(started)::varchar as last,
       (select count(distinct player) from players) as players,
       (select count(distinct file) from sources) as sources,
       (select count(*) from quarantine) as quarantined
from games
"""


def library_info(folder: str | Path) -> LibraryInfo:
    """Return what is in a library; raises `LibraryFault`."""
    with Library(folder) as library:
        manifest = library.manifest
        (counts,) = library.query(_INFO).to_pylist()
        editions = library.query(
            "select edition, count(*) as n from games group by all order by all"
        ).to_pylist()
    return LibraryInfo(
        path=str(folder),
        version=manifest.version,
        events=manifest.count("events"),
        editions={row["edition"]: row["n"] for row in editions},
        imports=manifest.imports,
        parts=len(manifest.parts),
        size=sum(part.size for part in manifest.parts),
        aliases=len(manifest.aliases),
        **counts,
    )


def check_library(folder: str | Path, *, logs: bool = False) -> Iterator[str]:
    """Yield what is wrong with the files of a library, each as a message; with `logs`, make every log again.

    Raises `LibraryFault` where there is no library.
    """
    with snapshot(Path(folder)) as found:
        for part in found.manifest.parts:
            where = found.folder / "parts" / part.name
            for view in VIEWS:
                rows = part.rows.get(view.name, 0)
                path = where / f"{view.name}.parquet"
                faults = list(_check_file(path, view.name, rows))
                digest = part.digests.get(view.name)
                if rows and not faults and digest is not None and digest_of_file(path) != digest:
                    faults = [f"{path}: its bytes are not those that were written"]
                yield from faults
        try:
            yield from _check_ids(found)
            if logs:
                yield from _check_logs(found)
        except LibraryFault as fault:
            yield str(fault)


def _check_file(path: Path, view: str, rows: int) -> Iterator[str]:
    if not rows:
        return
    try:
        with pq.ParquetFile(path, page_checksum_verification=True) as file:
            if not file.schema_arrow.equals(SCHEMAS[view]):
                yield f"{path}: has other columns than the view {view}"
            if file.metadata.num_rows != rows:
                yield f"{path}: has {file.metadata.num_rows} rows, not {rows}"
    except FAULTS as error:
        words = str(error).strip().splitlines() or [type(error).__name__]
        yield f"{path}: damaged: {words[0][:200]}"
        return
    try:
        for _ in read_groups(path):
            pass
    except LibraryFault as fault:
        yield str(fault)


def _check_ids(found: Snapshot) -> Iterator[str]:
    games: set[str] = set()
    for path in found.paths("games"):
        for table in read_groups(path, columns=["game_id"]):
            for game_id in table.column("game_id").to_pylist():
                if game_id in games:
                    yield f"{path}: the game {game_id!r} is in the library twice"
                games.add(game_id)
    for view in VIEWS:
        if view.names[0] != "game_id" or view.name == "games":
            continue
        for path in found.paths(view.name):
            for table in read_groups(path, columns=["game_id"]):
                for game_id in table.column("game_id").unique().to_pylist():
                    if game_id not in games:
                        yield f"{path}: has rows of {game_id!r}, which is no game of the library"


def _check_logs(found: Snapshot) -> Iterator[str]:
    digests: dict[str, str] = {}
    for path in found.paths("games"):
        for table in read_groups(path, columns=["game_id", "log_digest"]):
            digests.update(
                zip(*(table.column(n).to_pylist() for n in ("game_id", "log_digest")), strict=True)
            )
    for game_id, events in read_logs(found):
        digest = fingerprint(canonical(event) + b"\n" for event in events)
        if digests.pop(game_id, None) != digest:
            yield f"the log of {game_id!r} is not the one that was imported"
    for game_id in digests:
        yield f"the game {game_id!r} has no events"


def compact(folder: str | Path) -> tuple[int, int]:
    """Put all games in order into as few parts as is good; return how many parts there were and are."""
    with Writing(Path(folder)) as writing:
        before = len(writing.manifest.parts)
        if before > 1:
            merge_into(writing, writing.manifest.parts)
        return before, len(writing.manifest.parts)


UPGRADES: dict[int, Callable[[Path, dict[str, Any]], dict[str, Any]]] = {}
"""For each older version what makes the next one of it: takes the folder and `library.json`, returns the new one."""


def upgrade(folder: str | Path) -> tuple[int, int]:
    """Bring a library up to the version that is read here; return the version before and after."""
    path = Path(folder) / NAME
    try:
        manifest: dict[str, Any] = msgspec.json.decode(path.read_bytes(), type=dict[str, Any])
        before = int(manifest["version"])
    except FileNotFoundError:
        raise LibraryFault(f"{folder}: there is no library here") from None
    except (OSError, msgspec.MsgspecError, KeyError, TypeError, ValueError) as error:
        raise LibraryFault(f"{path}: the library's table of contents is damaged: {error}") from None
    if before < LIBRARY_VERSION:
        with Writing(Path(folder), version=before) as writing:
            while manifest["version"] < LIBRARY_VERSION:
                step = UPGRADES.get(manifest["version"])
                if step is None:
                    raise LibraryFault(
                        f"{path}: version {manifest['version']} can not be upgraded; import the logs anew"
                    )
                manifest = step(Path(folder), manifest)
            writing.replace(msgspec.convert(manifest, Manifest))
    elif before > LIBRARY_VERSION:
        raise LibraryFault(f"{path}: a library of version {before}; a newer ono-replay reads it")
    return before, max(before, LIBRARY_VERSION)


def remove_games(folder: str | Path, ids: str | Iterable[str]) -> list[str]:
    """Take one or many games out of a library for good; return the ids that were there."""
    with Writing(Path(folder)) as writing:
        stored = find_stored(writing, ids)
        parts = {game.part.name: game.part for game in stored.values()}
        add: dict[Path, dict[str, int]] = {}
        for name, part in parts.items():
            gone = frozenset(game_id for game_id, game in stored.items() if game.part.name == name)
            add |= without_games(writing, part, gone)
        if parts:
            writing.commit(add=add, drop=set(parts))
        return sorted(stored)


def aliases(folder: str | Path) -> Mapping[str, str]:
    """Return who is meant by a player's id or name, where that was said."""
    with snapshot(Path(folder)) as found:
        return found.manifest.aliases


def set_alias(folder: str | Path, known: str, who: str | None) -> bool:
    """Let a player's id or name stand for somebody; with None, for itself again. Return whether that is new.

    An alias of an alias is followed: nobody is called by a name that stands for another. What is said last counts: if
    the one who is meant stood for the other, it is now the other way round.
    """
    with Writing(Path(folder)) as writing:
        changed = dict(writing.manifest.aliases)
        if who is None:
            changed.pop(known, None)
        else:
            if changed.get(who) == known:
                del changed[who]
            who = changed.get(who, who)
            changed = {name: who if meant == known else meant for name, meant in changed.items()}
            changed[known] = who
        changed = {name: meant for name, meant in changed.items() if name != meant}
        is_new = changed != writing.manifest.aliases
        if is_new:
            writing.commit(aliases=changed)
        return is_new


def is_player(folder: str | Path, name: str) -> bool:
    """Return whether somebody sits in a game of a library under an id or a name."""
    with Library(folder) as library:
        asked = "select 1 from players where $name in (player, id, name) limit 1"
        return bool(library.query(asked, {"name": name}).num_rows)
