"""Games whose ids the library has already: the same, a later state, mended, more cards shown, or a fork."""

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import msgspec

from ono_replay.check.diagnostic import Diagnostic
from ono_replay.library.chunks import Chunk
from ono_replay.library.game import CheckedGame
from ono_replay.library.hashes import fingerprint
from ono_replay.library.intake import Refused, read_events, refuse, take_chunk
from ono_replay.library.manifest import Part, Writing
from ono_replay.library.parts import PartWriter
from ono_replay.library.rewriting import without_games
from ono_replay.library.rows import rows_of
from ono_replay.library.stored import Ids, read_groups, read_log
from ono_replay.library.versions import Relation, amends, relation
from ono_replay.log.jsonl import canonical
from ono_replay.log.lines import Unreadable
from ono_replay.log.undo import renumbered, with_digest

_COLUMNS = ("game_id", "n_events", "n_voided", "log_digest", "lines_digest", "raw_digest")


class StoredGame(msgspec.Struct, frozen=True):
    """What there is to know of a game in the library before it is read."""

    part: Part
    game_id: str
    n_lines: int
    log_digest: str
    lines_digest: str
    raw_digest: str

    def is_same(self, chunk: Chunk) -> bool:
        """Whether a chunk is, byte for byte, the game that is stored."""
        return chunk.cut is None and chunk.digest == self.raw_digest


def find_stored(writing: Writing, ids: str | Iterable[str]) -> dict[str, StoredGame]:
    """Return the games of some ids that the library has."""
    wanted = Ids(ids)
    found: dict[str, StoredGame] = {}
    if not wanted:
        return found
    for part in writing.manifest.parts:
        if not part.rows.get("games"):
            continue
        path = writing.folder / "parts" / part.name / "games.parquet"
        for table in read_groups(path, columns=_COLUMNS, ids=wanted):
            columns = (table.column(name).to_pylist() for name in _COLUMNS)
            for game_id, n_events, n_voided, log, lines, raw in zip(*columns, strict=True):
                lines = lines or log
                found[game_id] = StoredGame(part, game_id, n_events + n_voided, log, lines, raw or lines)
    return found


class Contest:
    """Decides about games one by one; what came of it is in its fields, `drafts` writes it."""

    def __init__(self, writing: Writing, imported: int, prefix: str) -> None:
        """Begin with nothing decided."""
        self.known: Counter[str] = Counter()
        """Games that are there already, by file."""
        self.replaced: list[Chunk] = []
        self.refused: list[Refused] = []
        self.strays: list[Diagnostic] = []
        self.unreadable: list[str] = []
        self._writing = writing
        self._imported = imported
        self._prefix = prefix
        self._newer: list[tuple[CheckedGame, Part]] = []

    def add(self, chunk: Chunk, stored: StoredGame) -> None:
        """Decide about one game."""
        try:
            taken = take_chunk(chunk, self._imported, self._prefix)
        except Unreadable as reason:
            self.unreadable.append(str(reason))
            return
        self.strays.extend(taken.strays)
        if taken.refused is not None:
            self.refused.append(taken.refused)
        if taken.game is None:
            return
        found = self._relation(taken.game, chunk, stored)
        if found in ("same", "older"):
            self.known[chunk.file] += 1
        elif found == "newer":
            self._newer.append((taken.game, stored.part))
            self.replaced.append(chunk)
        else:
            note = "another game is in the library under this id"
            self.refused.append(refuse("fork", stored.game_id, chunk, taken.game.report, note=note))

    def _relation(self, game: CheckedGame, chunk: Chunk, stored: StoredGame) -> Relation:
        if game.log_digest == stored.log_digest:
            return "same"
        lines = [canonical(event) + b"\n" for event in read_events(chunk)]
        if len(lines) > stored.n_lines and fingerprint(lines[: stored.n_lines]) == stored.lines_digest:
            return "newer"
        before = read_log(self._writing.folder, stored.part, stored.game_id)
        after = with_digest(renumbered(game.events))
        found = relation(before, after)
        if found == "fork" and amends(after, before, self._prefix):
            return "newer"
        if found == "fork" and amends(before, after, self._prefix):
            return "older"
        return found

    def drafts(self) -> tuple[dict[Path, dict[str, int]], set[str]]:
        """Write the newer games, and the parts that had the older ones without them; return what to commit."""
        if not self._newer:
            return {}, set()
        draft = self._writing.new_draft()
        writer = PartWriter(draft)
        gone: dict[str, set[str]] = {}
        parts: dict[str, Part] = {}
        for game, part in sorted(self._newer, key=lambda pair: pair[0].start.game_id):
            writer.add(rows_of(game))
            parts[part.name] = part
            gone.setdefault(part.name, set()).add(game.start.game_id)
        add = {draft: writer.close()}
        for name, ids in gone.items():
            add |= without_games(self._writing, parts[name], frozenset(ids))
        return add, set(gone)
