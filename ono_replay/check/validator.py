"""The validator: lines of logs in, a verdict and findings for each game out, in one pass.

>>> from ono_replay.check.validator import validate
>>> import io
>>> log = io.BytesIO(b'{"seq":1,"type":"play","seat":0,"card":"7","total":7}')
>>> [finding.code for finding in validate([log])]
['ONO201']
"""

import hashlib
from array import array
from collections.abc import Callable, Iterable, Iterator

from ono_replay.check.course import OnStep
from ono_replay.check.diagnostic import Diagnostic, GameReport, Summary
from ono_replay.check.finding import diagnostic
from ono_replay.check.game import PLAIN, GameCheck
from ono_replay.check.helps import LOOKS_LIKE_ARRAY
from ono_replay.check.lost import kinds_of_line
from ono_replay.log.jsonl import LineFault, RawObject, parse_line
from ono_replay.log.lines import CutStream, Line, LineReader, LongLine, one_or_many
from ono_replay.log.lines import Source as Source
from ono_replay.log.strict import breaks_off
from ono_replay.rules.events import Event, GameStart

MOST_IDS = 10_000_000
"""Games whose ids are remembered for ONO203."""


class SeenIds:
    """The ids of the games of one run, as 64-bit hashes; past `MOST_IDS` no more are remembered.

    >>> seen = SeenIds()
    >>> seen.again("kitchen-7"), seen.again("kitchen-7")
    (False, True)
    """

    def __init__(self) -> None:
        """Begin with none."""
        # Open addressing in one flat array: a set of Python takes ten times as much for each.
        self._table = array("Q", bytes(8 * 1024))
        self._count = 0

    @property
    def full(self) -> bool:
        """Whether the check for repeated ids has stopped."""
        return self._count >= MOST_IDS

    def again(self, game_id: str) -> bool:
        """Return whether this id was seen before, and remember it."""
        digest = hashlib.blake2b(game_id.encode("utf-8", "surrogatepass"), digest_size=8).digest()
        hashed = int.from_bytes(digest, "little") or 1
        place = self._place_of(hashed)
        if self._table[place]:
            return True
        if not self.full:
            self._table[place] = hashed
            self._count += 1
            if 3 * self._count > 2 * len(self._table):
                self._grow()
        return False

    def _place_of(self, hashed: int) -> int:
        """Return where a hash is in the table, or is to be put."""
        table, mask = self._table, len(self._table) - 1
        place = hashed & mask
        while table[place] not in (0, hashed):
            place = (place + 1) & mask
        return place

    def _grow(self) -> None:
        before = self._table
        self._table = array("Q", bytes(16 * len(before)))
        for hashed in before:
            if hashed:
                self._table[self._place_of(hashed)] = hashed


def validate(
    sources: Source | Iterable[Source],
    *,
    seen: SeenIds | None = None,
    summary: Summary | None = None,
    on_progress: Callable[[LineReader], None] | None = None,
    max_bytes: int | None = None,
    keep_scenes: bool = False,
) -> Iterator[GameReport | Diagnostic]:
    """Yield a report for each game and a diagnostic for each finding that belongs to none, as they are done.

    Sources are one or many paths (`-` is standard input) or binary files. `summary` is counted up on the way; with
    `keep_scenes` a report has the lines of its findings and the states they met. Raises
    `log.lines.Unreadable` where a source can't be read; nothing in a log raises, but for a game of more than
    `log.reader.MOST_EVENTS` events.
    """
    seen = SeenIds() if seen is None else seen
    summary = Summary() if summary is None else summary
    for source in one_or_many(sources):
        reader = LineReader(source, max_bytes=max_bytes)
        summary.files += 1
        for checked in check_lines(reader, seen, on_progress=on_progress, keep_scenes=keep_scenes):
            found = checked.report() if isinstance(checked, GameCheck) else checked
            count(summary, found)
            yield found


def count(summary: Summary, found: GameReport | Diagnostic) -> None:
    """Count a report or a stray diagnostic into a summary."""
    if isinstance(found, Diagnostic):
        summary.errors += found.severity == "error"
        summary.knock_ons += found.severity == "error" and found.knock_on
        summary.warnings += found.severity == "warning"
        summary.notes += found.severity == "note"
        return
    summary.games += 1
    summary.events += found.events
    summary.errors += found.errors
    summary.knock_ons += found.knock_ons
    summary.warnings += found.warnings
    summary.notes += found.notes
    summary.unverified += found.unverified
    if found.verdict == "valid":
        summary.valid += 1
    elif found.verdict == "unfinished":
        summary.unfinished += 1
    else:
        summary.invalid += 1


def check_lines(
    reader: LineReader,
    seen: SeenIds | None = None,
    *,
    keep_steps: bool = False,
    on_step: OnStep | None = None,
    keep_scenes: bool = False,
    on_progress: Callable[[LineReader], None] | None = None,
) -> Iterator[GameCheck | Diagnostic]:
    """Yield the check of each game of a source once it is whole, and what belongs to no game.

    `on_step` is told of the events of a game, with the states after them, before the game is yielded.
    """
    file = reader.name
    is_again = (seen or SeenIds()).again
    game: GameCheck | None = None
    headless = False
    for line in reader:
        if line.__class__ is Line and not line.torn:
            found = parse_line(line.raw)
            if game is not None and found.__class__ in PLAIN and game.take_plain(line.raw, found):
                continue
        elif isinstance(line, CutStream):
            if game is not None:
                yield game
                game = None
            yield diagnostic("ONO113", file, None, line.message)
            break
        else:
            found = _read(line)
        if begins_game(found):
            if game is not None:
                yield game
                if on_progress is not None:
                    on_progress(reader)
            assert not isinstance(found, LineFault)
            text = line.raw if isinstance(line, Line) else b""
            game = GameCheck(
                file,
                line.number,
                found,
                is_again,
                text=text,
                keep_steps=keep_steps,
                on_step=on_step,
                keep_scenes=keep_scenes,
            )
        elif game is not None and _belongs_to(game, line, found):
            game.take(line, found)
        else:
            if game is not None:
                yield game
                game = None
            yield _stray_line(found, file, line, knock_on=headless)
            headless = True
    if game is not None:
        yield game
    if on_progress is not None:
        on_progress(reader)


def _read(line: Line | LongLine) -> Event | RawObject | LineFault:
    if isinstance(line, LongLine):
        return LineFault("ONO111", "", None)
    found = parse_line(line.raw)
    if line.torn and isinstance(found, LineFault) and breaks_off(line.raw):
        return LineFault("ONO103", "the last line breaks off", found.column)
    return found


def _belongs_to(game: GameCheck, line: Line | LongLine, found: Event | RawObject | LineFault) -> bool:
    """Whether a line that begins no game belongs to the one before it.

    A torn last line after a `game_end` does not, and a line that can't be read but seems to begin a game.
    """
    if not isinstance(found, LineFault):
        return True
    game.release()
    if found.code == "ONO103":
        return not game.ended
    return not (isinstance(line, Line) and "game_start" in kinds_of_line(line.raw))


def begins_game(found: Event | RawObject | LineFault) -> bool:
    """Whether a line is a `game_start`."""
    if isinstance(found, RawObject):
        return found.keys.get("type") == "game_start"
    return isinstance(found, GameStart)


def _stray_line(
    found: Event | RawObject | LineFault, file: str, line: Line | LongLine, *, knock_on: bool
) -> Diagnostic:
    """Return the finding on a line that belongs to no game; an event is a knock-on where such a line came before."""
    if isinstance(found, LineFault):
        return diagnostic(
            found.code, file, line.number, found.message, help_text=_help_with(line, first=not knock_on)
        )
    if isinstance(found, RawObject):
        seq, seat = found.keys.get("seq"), found.keys.get("seat")
    else:
        seq, seat = found.seq, getattr(found, "seat", None)
    seq = seq if type(seq) is int else None
    seat = seat if type(seat) is int else None
    return diagnostic("ONO201", file, line.number, "", seq=seq, seat=seat, knock_on=knock_on)


def _help_with(line: Line | LongLine, *, first: bool) -> str | None:
    """Return what helps with the first line of a file where it begins a JSON array, as other programs write them."""
    begins_array = first and isinstance(line, Line) and line.raw.lstrip()[:1] == b"["
    return LOOKS_LIKE_ARRAY if begins_array else None
