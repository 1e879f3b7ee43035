"""Verdicts on large inputs: the fast lane for what is in order, the validator for whatever is not.

The answers are those of `check.validator.validate`, object by object. The fast lane (`bulk`) finds the games
that are canonical and without fault; of every other game it tells at most the first fault, so those go
through the validator, which has the whole report. It stands on the extra `bulk`; archives (`bulk.archive`) on
`library`, too.
"""

import importlib.util
import io
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Protocol

import msgspec

from ono_replay.check.diagnostic import Diagnostic, GameReport, Summary
from ono_replay.check.finding import diagnostic
from ono_replay.check.game import GameCheck
from ono_replay.check.messages import describe
from ono_replay.check.validator import SeenIds, Source, check_lines, count
from ono_replay.log.chunks import Chunk, Stretch, cut_games
from ono_replay.log.lines import CutStream, Line, LineReader, LongLine, split_lines
from ono_replay.log.parquet import Reader, is_parquet
from ono_replay.machine import cores as cores
from ono_replay.rules.events import UnknownEvent
from ono_replay.rules.violation import Violation

NEVER = sys.maxsize
MOST_FEW = 200_000
"""Ids that are remembered as they are; more of them as hashes."""
PIECE = 1 << 21
"""Bytes of text that are judged at a time."""


class HowFar(Protocol):
    """How far a source is read."""

    @property
    def bytes_read(self) -> int:
        """Bytes read so far; of an archive it is not known, and 0."""


class _Archive(msgspec.Struct, frozen=True):
    bytes_read: int = 0


_ARCHIVE = _Archive()


class Lanes(msgspec.Struct):
    """How many games went which way."""

    fast: int = 0
    careful: int = 0
    """Games and stretches of lines that the validator was asked about."""
    archives: list[str] = []
    """What was an archive: the digests were compared when it was made, not now."""


class RunIds(SeenIds):
    """The ids of the games of one run: few as they are, many as hashes."""

    def __init__(self) -> None:
        """Begin with none."""
        super().__init__()
        self._few: set[str] | None = set()
        self._many: Any = None

    @property
    def full(self) -> bool:
        """Whether the check for repeated ids has stopped."""
        return self._many is not None and bool(self._many.full)

    def again(self, game_id: str) -> bool:
        """Return whether this id was seen before, and remember it."""
        if self._few is None:
            return bool(self._many.again(self._hash(game_id)))
        if game_id in self._few:
            return True
        self._few.add(game_id)
        if len(self._few) > MOST_FEW and fast_lane_is_there():
            self.hashes()
        return False

    def hashes(self) -> Any:
        """Return the ids as `bulk.ids.SeenHashes`, which from now on holds them."""
        if self._few is not None:
            from ono_replay.bulk.ids import SeenHashes, hash_id

            self._many, self._hash = SeenHashes(), hash_id
            for game_id in self._few:
                self._many.again(hash_id(game_id))
            self._few = None
        return self._many


def fast_lane_is_there() -> bool:
    """Whether the extra `bulk` is installed."""
    return importlib.util.find_spec("numba") is not None


def reported_again(report: GameReport, ids: SeenIds) -> GameReport:
    """Return a report with the finding ONO203 if the id of its game came before; the id is remembered."""
    unsupported = any(found.code == "ONO112" for found in report.diagnostics)
    if report.game_id is None or unsupported or not ids.again(report.game_id):
        return report
    return _with_repeat(report)


def _with_repeat(report: GameReport) -> GameReport:
    """Return a report with the finding that the id of its game came before."""
    message, advice = describe(Violation("ONO203"), UnknownEvent(0, "line"), ())
    found = diagnostic(
        "ONO203", report.file, report.line, message, help_text=advice, game_id=report.game_id, seq=0
    )
    # Of the first line, what is wrong with its shape is told before.
    place = sum(
        one.line is not None and one.line <= report.line and one.code < "ONO2" for one in report.diagnostics
    )
    diagnostics = [*report.diagnostics[:place], found, *report.diagnostics[place:]]
    return msgspec.structs.replace(report, warnings=report.warnings + 1, diagnostics=diagnostics)


class Verdicts:
    """One run over some sources: `take` each.

    `summary` and `lanes` are counted up on the way. The fast lane is taken once `after` bytes of text have been
    read, on so many `threads` (0: one for each core); it stands on the extra `bulk`.
    """

    def __init__(
        self,
        *,
        ids: RunIds | None = None,
        summary: Summary | None = None,
        lanes: Lanes | None = None,
        on_progress: Callable[[HowFar], None] | None = None,
        max_bytes: int | None = None,
        keep_scenes: bool = False,
        threads: int = 1,
        after: int = 0,
        first_line: int = 1,
    ) -> None:
        """Begin with nothing read."""
        self.ids = RunIds() if ids is None else ids
        self.summary = Summary() if summary is None else summary
        self.lanes = Lanes() if lanes is None else lanes
        self._on_progress = on_progress
        self._max_bytes = max_bytes
        self._keep_scenes = keep_scenes
        self._threads = threads or cores()
        self._after = after
        self._reader: Reader | None = None
        self._read = 0
        self._file = ""
        self._line = self._first_line = first_line

    def take(self, source: Source) -> Iterator[GameReport | Diagnostic]:
        """Yield the reports and findings of one source; raises what `check.validator.validate` raises."""
        self.summary.files += 1
        if isinstance(source, str | Path) and str(source) != "-" and is_parquet(source):
            yield from self._take_archive(source)
            return
        reader = LineReader(source, max_bytes=self._max_bytes)
        self._file, self._line = reader.name, self._first_line
        for found in self._take_pieces(cut_games(reader.blocks(PIECE), PIECE)):
            count(self.summary, found)
            yield found
            if self._on_progress is not None:
                self._on_progress(reader)

    def _take_pieces(self, pieces: Iterator[Chunk | Stretch]) -> Iterator[GameReport | Diagnostic]:
        while self._read < self._after:
            piece = next(pieces, None)
            if piece is None:
                return
            yield from self._take_carefully(piece)
        from ono_replay.bulk.engine import judge_all

        for found in judge_all(pieces, threads=self._threads):
            if isinstance(found, Stretch):
                yield from self._take_carefully(found)
            else:
                yield from self._take_judged(found)

    def _take_archive(self, path: str | Path) -> Iterator[GameReport | Diagnostic]:
        """Judge an archive; a process of its own reads it, and the next ones."""
        from ono_replay.bulk.frame import READER, Frame

        self.lanes.archives.append(str(path))
        self._file = str(path)
        self._reader = self._reader or Reader(READER)
        decode = msgspec.msgpack.Decoder(Frame).decode
        for frame in map(decode, self._reader.read(path)):
            for found in self._take_frame(frame):
                count(self.summary, found)
                yield found
                if self._on_progress is not None:
                    self._on_progress(_ARCHIVE)

    def _take_frame(self, frame: Any) -> Iterator[GameReport | Diagnostic]:
        rows = zip(frame.verdicts, frame.lines, frame.ids, frame.events, frame.unverified, strict=True)
        for row, (verdict, line, game_id, events, unverified) in enumerate(rows):
            self._line = line
            text = frame.texts.get(row)
            if text is None:
                report = self._report(verdict, game_id, events, unverified)
                yield reported_again(report, self.ids)
            else:
                yield from self._check(iter([text]))

    def _report(self, verdict: Any, game_id: str, events: int, unverified: int) -> GameReport:
        self.lanes.fast += 1
        return GameReport(
            file=self._file,
            game_id=game_id,
            line=self._line,
            events=events,
            verdict=verdict,
            unverified=unverified,
        )

    def _take_carefully(self, piece: Chunk | Stretch) -> Iterator[GameReport | Diagnostic]:
        blocks = iter([piece.text]) if isinstance(piece, Chunk) else piece.blocks
        yield from self._check(self._counted(blocks))

    def _counted(self, blocks: Iterator[bytes]) -> Iterator[bytes]:
        """Pass blocks on; once they are taken, their lines and bytes are counted."""
        lines = 0
        for block in blocks:
            lines += block.count(b"\n")
            self._read += len(block)
            yield block
        self._line += lines

    def _check(self, blocks: Iterator[bytes]) -> Iterator[GameReport | Diagnostic]:
        section = _Section(self._file, self._line, blocks)
        for checked in check_lines(section, self.ids, keep_scenes=self._keep_scenes):
            self.lanes.careful += 1
            yield checked.report() if isinstance(checked, GameCheck) else checked

    def _take_judged(self, judged: Any) -> Iterator[GameReport | Diagnostic]:
        """Make the reports of the games of a chunk."""
        from ono_replay.bulk.engine import OPEN, WHOLE

        games, text = judged.games, judged.chunk.data
        self._read += judged.chunk.size
        seen = self.ids.hashes()
        names = ("found", "start", "end", "lines", "events", "id_start", "id_end", "id_hash", "unverified")
        columns = [games[name].tolist() for name in names]
        repeats = _repeats(seen, columns[0], columns[-2])
        for found, start, end, lines, events, id_start, id_end, hashed, unverified in zip(
            *columns, strict=True
        ):
            sound = found in (WHOLE, OPEN)
            repeated = sound and (seen.again(hashed) if repeats is None else next(repeats))
            if sound and not (repeated and self._keep_scenes):
                verdict = "valid" if found == WHOLE else "unfinished"
                report = self._report(verdict, text[id_start:id_end].decode(), events, unverified)
                yield _with_repeat(report) if repeated else report
            else:
                yield from self._check(iter([text[start:end]]))
            self._line += lines


def _repeats(seen: Any, found: list[int], hashes: list[int]) -> Iterator[bool] | None:
    """Say of each game whether its id came before, at once where none goes through the validator in between."""
    from ono_replay.bulk.engine import OPEN, WHOLE

    return iter(seen.repeats_in(hashes)) if {WHOLE, OPEN}.issuperset(found) else None


class _Section(LineReader):
    """Some lines of a source, numbered as they stand there."""

    def __init__(self, name: str, line: int, blocks: Iterator[bytes]) -> None:
        super().__init__(io.BytesIO())
        self.name = name
        self._before = line - 1
        self._blocks = blocks

    def __iter__(self) -> Iterator[Line | LongLine | CutStream]:
        return split_lines(self._blocks, before=self._before)
