"""The only door to ono_replay: which logs there are, their games, what the viewer gets.

Everything that comes from a log is plain values here; text meant for people is made printable, and the pages show it
by `st.text`, `st.code` and in cells, never as Markdown or HTML.
"""

import contextlib
import io
import math
from datetime import UTC
from pathlib import Path
from typing import Any, Final

import msgspec
import streamlit as st

from dashboard import libraries
from dashboard.sentences import without_ticks
from dashboard.sources import sources, told_apart
from ono_replay.check.diagnostic import Verdict
from ono_replay.check.printable import printable
from ono_replay.export.html import page_of, viewer_source
from ono_replay.export.payload import NotShowable, Options, build_payload
from ono_replay.library.listing import log_of
from ono_replay.library.manifest import LibraryFault
from ono_replay.library.rows import utc
from ono_replay.log.lines import Names, Unreadable, find_logs
from ono_replay.replay import Replay, read_replays
from ono_replay.rules.events import GameEnd, RoundStart

MOST_GAMES: Final = 2000
"""Games that are listed."""
MOST_LOGS: Final = 5000
"""Logs that are looked at."""
MOST_NAMES: Final = 100_000
"""Names in a folder, and below it, among which logs are looked for: each page does it anew."""
STEP: Final = 4 << 20
"""Bytes of logs that are read before a page that need not have them all shows what there is."""
A_FILE: Final = 1 << 10
"""What a log counts beside its bytes: to open one takes time, too."""
MOST_TROUBLES: Final = 50
IN_LIBRARY: Final = 0
"""The line of a game that stands in a library, which has no lines."""
MOST_BYTES: Final = 256 << 20
"""What a log may unpack to."""
Stamp = tuple[int, int, int]
"""Which state of a file: inode, size, time of change."""


class GameRow(msgspec.Struct, frozen=True):
    """A game in the list."""

    path: str
    log: str
    """What the log is called here, and in addresses."""
    line: int
    game_id: str | None
    players: tuple[str, ...]
    winners: tuple[str, ...]
    edition: str
    verdict: Verdict
    errors: int
    warnings: int
    events: int
    rounds: int
    started_at: str
    irregular: bool = False
    """Whether a fault was let stand."""
    moment: int | None = None
    """The event that the list is about, where it is about events."""

    @property
    def address(self) -> dict[str, str]:
        """The parameters of an address that lead to the game."""
        line = {} if self.line == IN_LIBRARY else {"line": str(self.line)}
        return {"log": self.log, **line, **({} if self.game_id is None else {"game": self.game_id})}

    @property
    def place(self) -> str:
        """Where the game stands, for people."""
        return f"library {self.log}" if self.line == IN_LIBRARY else f"{self.log}, line {self.line}"

    @property
    def began(self) -> float:
        """When it began, in seconds of UTC; before all others where the log does not tell."""
        moment = utc(self.started_at)
        return -math.inf if moment is None else moment.replace(tzinfo=UTC).timestamp()

    @property
    def title(self) -> str:
        """The game's id, safe to show."""
        return "without an id" if self.game_id is None else printable(self.game_id)


class Shelf(msgspec.Struct, frozen=True):
    """All games of the logs that the dashboard was started with; those of libraries are asked for (`shelves`)."""

    games: tuple[GameRow, ...] = ()
    logs: tuple[tuple[str, str], ...] = ()
    """Each log's name here and its path."""
    troubles: tuple[str, ...] = ()
    """What could not be read, and why."""
    cut: bool = False
    """Whether there are more games than are listed."""
    unread: int = 0
    """Logs that are to be read yet."""


def shelf(step: int | None = None) -> Shelf:
    """Return the games of all logs as they are now.

    With `step` only about so many bytes of logs are read that were not read before, or as many as were; who asks
    again gets more.
    """
    games: list[GameRow] = []
    names, troubles = _logs()
    unread = 0
    at_first, known = _read.size, 0  # of what was not read before, and of what was
    for place, (path, log) in enumerate(names.items()):
        if len(games) > MOST_GAMES:
            break
        if step is not None and _read.size - at_first > max(step, known):
            unread = len(names) - place
            break
        try:
            stamp, before = stamp_of(path), _read.size
            found = _games_of(path, log, stamp)
            known += 0 if _read.size > before else stamp[1] + A_FILE
            games += found
            if not found and stamp[1]:
                troubles.append(f"{log}: no game begins in it; the page Validate tells what is wrong")
        except Unreadable as reason:
            troubles.append(without_ticks(printable(str(reason))))
        except OSError as reason:
            troubles.append(f"{log}: {reason.strerror or reason}")
    if len(troubles) > MOST_TROUBLES:
        troubles[MOST_TROUBLES:] = [f"… and {len(troubles) - MOST_TROUBLES:,} more"]
    logs = tuple((log, path) for path, log in names.items())
    return Shelf(tuple(games[:MOST_GAMES]), logs, tuple(troubles), len(games) > MOST_GAMES, unread)


def _logs() -> tuple[dict[str, str], list[str]]:
    """Return what each log is called, by its path, and what is to be told of the search for them."""
    names: dict[str, str] = {}
    troubles: list[str] = []
    taken: set[str] = set()
    passed_by: list[str] = []
    for source in sources():
        within = Names(MOST_NAMES)
        try:
            if libraries.is_library(source):
                continue
            for path in find_logs([source], passed_by=passed_by, names=within):
                if len(names) == MOST_LOGS:
                    troubles.append(
                        f"there are more than {MOST_LOGS:,} logs: only the first {MOST_LOGS:,} logs are shown; "
                        "“ono-replay import” takes all"
                    )
                    break
                if path not in names:
                    names[path] = _name_of(path, source, taken)
                    taken.add(names[path])
        except Unreadable as reason:
            troubles.append(without_ticks(printable(str(reason))))
        if within.more:
            troubles.append(
                f"{printable(source)}: more than {MOST_NAMES:,} names are in this folder; logs were looked for among "
                "as many of them, as the system gives them"
            )
    troubles.extend(map(printable, passed_by))
    return names, troubles


def logs_by_change() -> list[tuple[str, str]]:
    """Return the logs that may be followed, name and path, the one that was written to last first."""
    found = []
    for path, log in _logs()[0].items():
        if path.endswith(".jsonl") and Path(path).is_file():
            # One that was there a moment ago may be gone.
            with contextlib.suppress(OSError):
                found.append((-stamp_of(path)[2], log, path))
    return [(log, path) for _, log, path in sorted(found)]


def _name_of(path: str, source: str, taken: set[str]) -> str:
    """Return what a log is called: its name, with the way to it from the folder that was given."""
    folder = Path(source)
    inside = Path(path).is_relative_to(folder) and path != source
    name = printable(Path(path).relative_to(folder.parent).as_posix() if inside else Path(path).name)
    return told_apart(name, taken)


def stamp_of(path: str) -> Stamp:
    """Return which state of a file is on the disk now; raises `OSError`."""
    status = Path(path).stat()
    return status.st_ino, status.st_size, status.st_mtime_ns


class _Read(msgspec.Struct):
    """What was read since the server was started, by whichever session; what changes is counted once."""

    size: int = 0
    paths: set[str] = set()


_read = _Read()


@st.cache_resource(max_entries=MOST_LOGS, show_spinner="Reading games …")
def _games_of(path: str, log: str, stamp: Stamp) -> tuple[GameRow, ...]:
    # The stamp is a key: another state of the file is read anew.
    _read.size += 0 if path in _read.paths else stamp[1] + A_FILE
    _read.paths.add(path)
    rows = []
    for replay in read_replays(path, max_bytes=MOST_BYTES):
        rows.append(_row_of(path, log, replay))
        if len(rows) > MOST_GAMES:
            break
    return tuple(rows)


def _row_of(path: str, log: str, replay: Replay) -> GameRow:
    start, rules, report = replay.start, replay.ruleset, replay.report
    names = [printable(name) for name in replay.names]
    end = next((event for event in reversed(replay.events) if isinstance(event, GameEnd)), None)
    winners = () if end is None else end.winners
    return GameRow(
        path=path,
        log=log,
        line=report.line,
        game_id=replay.game_id,
        players=tuple(names),
        winners=tuple(names[seat] for seat in winners if 0 <= seat < len(names)),
        edition="" if rules is None else rules.edition,
        verdict=report.verdict,
        errors=report.errors,
        warnings=report.warnings,
        events=report.events,
        rounds=sum(isinstance(event, RoundStart) for event in replay.events),
        started_at=printable((start and start.started_at) or ""),
    )


def find_game(
    games: tuple[GameRow, ...], log: str | None, line: str | None, game: str | None
) -> GameRow | None:
    """Return the game that an address means; what is missing in the address fits everything."""
    fitting = [
        row
        for row in games
        if log in (None, row.log) and game in (None, row.game_id) and line in (None, str(row.line))
    ]
    if not fitting and game is not None:
        # The log was moved, or has grown since the link was made: the id is enough.
        fitting = [row for row in games if row.game_id == game]
    return fitting[0] if fitting and (log or game) else None


def payload_of(row: GameRow, event: int | None, seat: int | None) -> dict[str, Any] | str:
    """Return what the viewer gets for a game, or why it can not be shown."""
    try:
        if row.line == IN_LIBRARY:
            stamp = libraries.stamp_of_library(row.path)
            return _payload_in_library(row.path, stamp, row.game_id or "", event, seat)
        return _payload_in_log(row.path, stamp_of(row.path), row.line, event, seat)
    except OSError as reason:
        return reason.strerror or str(reason)


@st.cache_resource(max_entries=32, show_spinner="Replaying the game …")
def _payload_in_log(
    path: str, stamp: Stamp, line: int, event: int | None, seat: int | None
) -> dict[str, Any] | str:
    del stamp
    return _payload(path, line, Options(event=event, seat=seat, log=printable(Path(path).name)))


@st.cache_resource(max_entries=32, show_spinner="Replaying the game …")
def _payload_in_library(
    path: str, stamp: Stamp, game_id: str, event: int | None, seat: int | None
) -> dict[str, Any] | str:
    del stamp
    try:
        return _payload(io.BytesIO(log_of(Path(path), game_id)), 1, Options(event=event, seat=seat))
    except KeyError:
        return "the game is no longer in the library"
    except LibraryFault as fault:
        return printable(str(fault))


def replay_of(row: GameRow) -> Replay | str:
    """Return a game with all its states, or why it can not be read."""
    try:
        if row.line == IN_LIBRARY:
            return next(read_replays(io.BytesIO(log_of(Path(row.path), row.game_id or ""))))
        for replay in read_replays(row.path, max_bytes=MOST_BYTES):
            if replay.report.line == row.line:
                return replay
    except KeyError:
        return "the game is no longer in the library"
    except (OSError, Unreadable, LibraryFault) as reason:
        return printable(str(reason))
    return "the game is no longer in the log"


def payload_of_bytes(content: bytes, line: int, event: int | None) -> dict[str, Any] | str:
    """Return what the viewer gets for a game of an uploaded log, or why it can not be shown."""
    return _payload(io.BytesIO(content), line, Options(event=event))


def _payload(source: str | io.BytesIO, line: int, options: Options) -> dict[str, Any] | str:
    try:
        for replay in read_replays(source, max_bytes=MOST_BYTES):
            if replay.report.line == line:
                return build_payload(replay, options)
    except (Unreadable, NotShowable) as reason:
        return printable(str(reason))
    return "the game is no longer in the log"


def page_for_sharing(payload: dict[str, Any]) -> bytes:
    """Return a game as one HTML file that opens from disk."""
    return page_of(payload).encode()


def viewer_file(name: str) -> str:
    """Return `viewer.js`, `viewer.css` or `palette.css`."""
    return viewer_source(name)


def live_payload(path: str) -> tuple[dict[str, Any] | str, str]:
    """Return what the viewer gets for the last game of a log being written, and how that game stands.

    Only whole lines are read, so a line half written is no fault; the writer is not disturbed.
    """
    try:
        with Path(path).open("rb") as file:
            content = file.read(MOST_BYTES)
        last = None
        for replay in read_replays(io.BytesIO(content[: content.rfind(b"\n") + 1]), max_bytes=MOST_BYTES):
            last = replay
        if last is None:
            return "no game has begun in it yet", "waiting"
        ended = any(isinstance(event, GameEnd) for event in last.events)
        at = last.events[-1].seq if last.events else None
        payload = build_payload(last, Options(event=at, log=printable(Path(path).name)))
    except (Unreadable, NotShowable) as reason:
        return printable(str(reason)), "waiting"
    except OSError as reason:
        return reason.strerror or str(reason), "waiting"
    return payload, "ended" if ended else "running"
