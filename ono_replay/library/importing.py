"""Import: logs in, a larger library out; nothing lost, nothing twice, whenever it is stopped.

Each step ends with one rename: until then the library is what it was. What is begun again finds the games that
are already there and goes on after them.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from ono_replay.check.diagnostic import Diagnostic
from ono_replay.library.chunks import Chunk, ChunkedSource
from ono_replay.library.contest import Contest, StoredGame, find_stored
from ono_replay.library.intake import Refused
from ono_replay.library.manifest import Writing
from ono_replay.library.parts import PartWriter
from ono_replay.library.ratings import RatingsOnTheWay
from ono_replay.library.rewriting import compact_small
from ono_replay.library.stored import read_groups
from ono_replay.library.workers import Done, Task, Workers, fast_lane_pays
from ono_replay.log.lines import Unreadable, find_logs, one_or_many
from ono_replay.log.parquet import one_reader
from ono_replay.machine import cores

SMALL_TASK = 1 << 21
LARGE_TASK = 1 << 25
"""Bytes of a task, at least and at most."""
FAST_TASK = 1 << 26
"""At most for the fast lane: what comes of it is large enough to stay as it is."""

Progress = Callable[[int, int], None]
"""Is told the bytes read and the games found so far."""


class Source(msgspec.Struct):
    """What a file brought."""

    file: str
    digest: str = ""
    n_bytes: int = 0
    games: int = 0
    added: int = 0
    replaced: int = 0
    known: int = 0
    quarantined: int = 0
    strays: int = 0


class Note(msgspec.Struct, frozen=True):
    """Something about a game or some lines that whoever imports wants to be told."""

    what: str
    """`invalid`, `fork`, `stray` or `replaced`."""
    file: str
    line: int
    game_id: str | None
    codes: tuple[str, ...] = ()
    key: str | None = None
    """In the quarantine."""


class ImportSummary(msgspec.Struct):
    """What an import did."""

    sources: list[Source] = []
    notes: list[Note] = []
    strays: list[Diagnostic] = []
    """Findings that belong to no game."""
    unreadable: list[str] = []
    """Messages on sources, or games, that could not be read."""

    def total(self, count: str) -> int:
        """Return the sum of one count over the sources."""
        return sum(getattr(source, count) for source in self.sources)

    @property
    def found_errors(self) -> bool:
        """Whether something went into quarantine, or an error belongs to no game."""
        strays = any(found.severity == "error" for found in self.strays)
        return strays or self.total("quarantined") > 0


@one_reader()
def import_logs(
    paths: str | Path | Iterable[str | Path],
    folder: str | Path,
    *,
    prefix: str = "",
    jobs: int = 0,
    on_progress: Progress | None = None,
) -> ImportSummary:
    """Import one or many logs, folders of logs and patterns (`-` is standard input) into a library, made if it is not there.

    `prefix` goes before the id of each game; `jobs` is the number of processes, 0 one for each core; more than one
    start by importing the main module, which a script guards by `if __name__ == "__main__":`. Raises
    `LibraryFault` where the library can't be written; a log that can't be read is in the summary.
    """
    with Writing(Path(folder), create=True) as writing, Workers(jobs or cores()) as workers:
        running = _Import(writing, workers, prefix, on_progress)
        for path in one_or_many(paths):
            running.take_sources(str(path))
        running.finish()
    if running.summary.total("added") or running.summary.total("replaced"):
        running.ratings.finish()
    return running.summary


class _Import:
    """One import under way."""

    def __init__(self, writing: Writing, workers: Workers, prefix: str, on_progress: Progress | None) -> None:
        self.summary = ImportSummary()
        self.ratings = RatingsOnTheWay(writing.folder)
        self._writing = writing
        self._workers = workers
        self._prefix = prefix
        self._on_progress = on_progress or (lambda _read, _games: None)
        self._number = writing.manifest.imports + 1
        self._by_file: dict[str, Source] = {}
        self._batch: list[Chunk] = []
        self._batch_bytes = 0
        self._task_bytes = SMALL_TASK
        self._begun: set[str] = set()
        """Ids of games that are being taken in and not in the library yet."""
        self._ready: Done | None = None
        """What is written and becomes part of the library with the next commit."""
        self._read = self._games = self._taken = 0
        self._quarantined: set[str] | None = None
        self._refused: list[Refused] = []

    # --- reading ------------------------------------------------------------------------------------

    def take_sources(self, path: str) -> None:
        """Read what a path or a pattern stands for."""
        try:
            for file in find_logs([path]):
                self._take_source(file)
        except Unreadable as reason:
            self.summary.unreadable.append(str(reason))

    def _take_source(self, path: str) -> None:
        """Read a source to its end."""
        try:
            source = ChunkedSource(path)
        except Unreadable as reason:
            self.summary.unreadable.append(str(reason))
            return
        counts = self._by_file.get(source.name)
        if counts is None:
            counts = self._by_file[source.name] = Source(source.name)
            self.summary.sources.append(counts)
        try:
            for chunk in source:
                counts.games += chunk.begins_game
                self._games += chunk.begins_game
                self._add(chunk)
                self._on_progress(self._read + source.bytes_read, self._games)
        except Unreadable as reason:
            self.summary.unreadable.append(str(reason))
        counts.digest, counts.n_bytes = source.digest, source.bytes_read
        self._read += source.bytes_read

    def _add(self, chunk: Chunk) -> None:
        self._batch.append(chunk)
        self._batch_bytes += len(chunk.content)
        self._taken += len(chunk.content)
        if self._batch_bytes >= self._task_bytes:
            self._flush(small=False)
            # The first results come soon, the many later ones are large enough to be few.
            most = FAST_TASK if fast_lane_pays(self._taken) else LARGE_TASK
            self._task_bytes = min(most, self._task_bytes * 2)

    def finish(self) -> None:
        """Take in what is left and write what came of it all."""
        self._flush(small=True)
        for done in self._workers.done(all_of_them=True):
            self._take_done(done)
        self._commit(last=True)
        compact_small(self._writing)

    # --- taking in ----------------------------------------------------------------------------------

    def _id(self, chunk: Chunk) -> str | None:
        return None if chunk.game_id is None else self._prefix + chunk.game_id

    def _flush(self, *, small: bool) -> None:
        """Sort out the chunks read so far: new games to the workers, known ids to the contest."""
        while self._batch:
            batch, self._batch, self._batch_bytes = self._batch, [], 0
            known = find_stored(self._writing, [found for chunk in batch if (found := self._id(chunk))])
            fresh: list[Chunk] = []
            contested: list[tuple[Chunk, StoredGame]] = []
            again: set[str] = set()
            for chunk in batch:
                game_id = self._id(chunk)
                if game_id is None:
                    fresh.append(chunk)
                elif game_id in self._begun or game_id in again:
                    self._batch.append(chunk)
                elif game_id not in known:
                    self._begun.add(game_id)
                    fresh.append(chunk)
                elif known[game_id].is_same(chunk):
                    self._by_file[chunk.file].known += 1
                else:
                    again.add(game_id)
                    contested.append((chunk, known[game_id]))
            if fresh:
                draft = self._writing.new_draft()
                fast = fast_lane_pays(self._taken)
                self._workers.start(Task(fresh, draft, self._number, self._prefix, fast), small=small)
            self._settle(contested)
            for done in self._workers.done():
                self._take_done(done)
            if self._batch:
                # The same id again: what came first has to be in the library before.
                self._drain()

    def _drain(self) -> None:
        for done in self._workers.done(all_of_them=True):
            self._take_done(done)
        self._commit()

    def _take_done(self, done: Done) -> None:
        if self._ready is not None:
            self._commit()
        for file, games in done.added.items():
            self._by_file[file].added += games
        for refused in done.refused:
            self._refuse(refused)
        self._note_strays(done.strays)
        self.summary.unreadable.extend(done.unreadable)
        self._ready = done

    def _note_strays(self, strays: Iterable[Diagnostic]) -> None:
        for found in strays:
            self.summary.strays.append(found)
            self._by_file[found.file].strays += found.severity == "error"

    def _settle(self, contested: list[tuple[Chunk, StoredGame]]) -> None:
        """Decide about games whose ids the library has."""
        if not contested:
            return
        contest = Contest(self._writing, self._number, self._prefix)
        for chunk, stored in contested:
            contest.add(chunk, stored)
        for file, known in contest.known.items():
            self._by_file[file].known += known
        for chunk in contest.replaced:
            self._by_file[chunk.file].replaced += 1
            self.summary.notes.append(Note("replaced", chunk.file, chunk.line, self._id(chunk)))
        for refused in contest.refused:
            self._refuse(refused)
        self._note_strays(contest.strays)
        self.summary.unreadable.extend(contest.unreadable)
        add, drop = contest.drafts()
        self._commit(add=add, drop=drop)

    def _refuse(self, refused: Refused) -> None:
        chunk = refused.chunk
        note = Note(refused.why, chunk.file, chunk.line, refused.game_id, refused.codes, refused.key)
        self.summary.notes.append(note)
        if refused.why != "stray":
            self._by_file[chunk.file].quarantined += 1
        if refused.key not in self._in_quarantine:
            self._in_quarantine.add(refused.key)
            self._refused.append(refused)

    @property
    def _in_quarantine(self) -> set[str]:
        """The keys of what is in quarantine."""
        if self._quarantined is None:
            paths = self._writing.manifest.paths(self._writing.folder, "quarantine")
            self._quarantined = {
                key
                for path in paths
                for table in read_groups(path, columns=["key"])
                for key in table.column("key").to_pylist()
            }
        return self._quarantined

    # --- writing ------------------------------------------------------------------------------------

    def _commit(
        self,
        *,
        add: dict[Path, dict[str, int]] | None = None,
        drop: set[str] | None = None,
        last: bool = False,
    ) -> None:
        add = dict(add or {})
        done, self._ready = self._ready, None
        if done is not None:
            add[done.draft] = done.rows
        quarantine = [refused.row(self._number) for refused in self._refused]
        told = self._cut_short() if last else []
        sources = self._new_sources() if last else []
        if quarantine or told or sources:
            # Beside the games of the same commit: these views have files of their own.
            own = ("quarantine", "sources")
            free = (draft for draft, counts in add.items() if not any(counts.get(name) for name in own))
            draft = next(free, None) or self._writing.new_draft()
            part = PartWriter(draft)
            part.add({"quarantine": quarantine, "sources": told})
            for source in sources:
                # One by one: there may be a million, and rows take more room than what they are made of.
                part.add({"sources": [(self._number, *msgspec.structs.astuple(source))]})
            add[draft] = add.get(draft, {}) | {name: n for name, n in part.close().items() if n}
        self._refused = []
        if drop or any(any(counts.values()) for counts in add.values()):
            before = self._writing.manifest
            self._writing.commit(add=add, drop=drop, imports=self._number)
            self.ratings.look(before, self._writing.manifest)
        if done is not None:
            self._begun.difference_update(self._prefix + game_id for game_id in done.ids)

    def _new_sources(self) -> list[Source]:
        """Return the sources that brought something, or were never read to their end before."""
        recorded = set(self._rows("sources", "file", "digest"))
        return [
            source
            for source in self.summary.sources
            if source.added or source.replaced or (source.file, source.digest) not in recorded
        ]

    def _cut_short(self) -> list[tuple[Any, ...]]:
        """Return the rows of the sources of imports that were killed before they wrote them: what stayed of each."""
        told = {number for (number,) in self._rows("sources", "imported")}
        untold = set(range(1, self._number)) - told
        if not untold:
            return []
        stayed = {
            view: Counter(pair for pair in self._rows(view, "imported", "file") if pair[0] in untold)
            for view in ("games", "quarantine")
        }
        return [
            (number, file, None, None, None, stayed["games"][number, file], None, None, stayed["quarantine"][number, file], None)
            for number, file in sorted({*stayed["games"], *stayed["quarantine"]})
        ]  # fmt: skip

    def _rows(self, view: str, *columns: str) -> Iterator[tuple[Any, ...]]:
        for path in self._writing.manifest.paths(self._writing.folder, view):
            for table in read_groups(path, columns=columns):
                yield from zip(*(table.column(name).to_pylist() for name in columns), strict=True)
