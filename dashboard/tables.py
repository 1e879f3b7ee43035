"""The door to the recorder: recordings that are open here, each written by one page at a time.

Each call gives plain values for a page, or raises `Trouble`. Recordings lie where `ono-replay record` puts them.
"""

import contextlib
import re
import threading
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from dashboard.imports import libraries_to_take, take_in
from dashboard.lately import remember
from dashboard.sources import add_source
from dashboard.table_view import faces_of, newest_line, outcome, question_of, refusal_of, shown_names, view_of
from dashboard.wishes import Begin, NotYours, Trouble, Unfit, Wish, planned, why_not_together
from ono_replay.check.printable import printable
from ono_replay.cli.guard import CannotRun
from ono_replay.cli.recordings import new_recording, open_recordings, recordings_folder
from ono_replay.cli.wish import SOURCE
from ono_replay.log.lines import Unreadable
from ono_replay.record.errors import JournalError, LogHeld, NotWritten
from ono_replay.record.profiles import data_folder, load_profiles, save_profiles
from ono_replay.record.recorder import IsFinished, Recorder
from ono_replay.record.refusal import Refusal
from ono_replay.record.table import Table
from ono_replay.replay import Replay, read_replay
from ono_replay.rules.events import Event, GameEnd, Player
from ono_replay.rules.ruleset import EDITIONS, differing_options

_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,99}\.ono\.jsonl", re.ASCII)
_LONGEST_ENTRY: Final = 4000
_KNOWN_PLAYERS: Final = 24
_SILENT: Final = 30.0
"""Seconds without a word after which the page that writes a recording is taken to be gone."""
_GRACE: Final = 4.0
"""Seconds in which a page that said that it goes may come back, as it does when it is loaded anew."""
_ASLEEP: Final = 600.0
"""Seconds without a word after which a recording is let go of, so that another program may go on with it."""

_CLOSED: Final = 410

Answer = dict[str, Any]


class _Slot:
    """A recording that is open here."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.writer: str | None = None
        self.heard = 0.0
        """When the writer was last heard."""
        self.gone = False
        """Whether it has said since that it goes."""
        torn = table.recorder.torn
        self.torn = "" if torn is None else torn.name
        """The file into which a torn last line was put, until a page has been told."""

    def hear(self, now: float) -> None:
        """Take note that the writer is there."""
        self.heard, self.gone = now, False


class Tables:
    """The recordings that are open in this process. Calls may come from several threads."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """Begin with none; the clock tells how long a page is silent."""
        self._clock = clock
        self._slots: dict[str, _Slot] = {}
        self._left: dict[str, str | None] = {}
        """Recordings that were let go of here and not taken up since: by somebody, else by which silent page."""
        self._orders: dict[str, int] = {}
        """The number of the last that each page asked."""
        self._begun: dict[str, str] = {}
        """Recordings by what the page called the game that it asked for."""
        self._lock = threading.RLock()

    def in_order(self, writer: str, order: int, do: Callable[[], Answer]) -> Answer:
        """Do what a page asks, unless it asked something after it that came before: then it has given this up."""
        with self._lock:
            if 0 < order <= self._orders.get(writer, 0):
                raise Trouble(425, "This comes too late.")
            remember(self._orders, writer, max(order, self._orders.get(writer, 0)))
            return do()

    def listing(self) -> Answer:
        """Return what a page needs before a game: recordings left open, players and house rules remembered."""
        profiles = load_profiles(data_folder())
        house = [rules for rules in profiles.rules if rules.name not in EDITIONS]
        with self._lock:
            return {
                "open": [
                    {"recording": found.path.name, "told": printable(found.told)}
                    for found in open_recordings()
                    if _NAME.fullmatch(found.path.name)
                ],
                "players": [player.name for player in profiles.players[:_KNOWN_PLAYERS]],
                "last": profiles.last_players,
                "edition": str(profiles.rules[0].options.get("edition", "2022"))
                if profiles.rules
                else "2022",
                "house": [rules.name for rules in house],
            }

    def fit(self, wish: Wish) -> Answer:
        """Tell why no game can begin so, and why the name that is being typed can not be added; None where they can."""
        told: Answer = {"why": None, "typed": None}
        try:
            planned(wish)
        except Unfit as why:
            told["why"] = str(why)
        if wish.typed.strip():
            told["typed"] = why_not_together([*wish.players, wish.typed])
        return told

    def begin(self, wish: Begin) -> Answer:
        """Begin a game in a new recording, once however often it is asked for; the page that asks writes it."""
        with self._lock:
            recording = self._begun.get(wish.id) or self._begin(wish)
            if wish.id:
                remember(self._begun, wish.id, recording)
            return self.open(recording, wish.writer)

    def _begin(self, wish: Begin) -> str:
        names, ruleset, known = planned(wish)
        profiles = load_profiles(data_folder())
        try:
            path = new_recording(datetime.now(UTC).astimezone())
            recorder = Recorder.create(path, ruleset, names, dealer=wish.dealer, view="public", source=SOURCE)
            try:
                self._keep(path.name, Table(recorder)).writer = wish.writer
            except BaseException:
                # Nothing has been told as begun: no half of it may lie there, locked by this process.
                recorder.close()
                path.unlink(missing_ok=True)
                raise
        except (CannotRun, ValueError, JournalError, OSError) as reason:
            raise Trouble(400, _words(reason, recordings_folder() / "the recording")) from None
        label = ruleset.edition if known is None else known
        kept = {"edition": ruleset.edition} if label in EDITIONS else differing_options(ruleset)
        profiles.remember(
            [next((one for one in profiles.players if one.name == name), Player(name)) for name in names],
            kept,
            label,
        )
        with contextlib.suppress(OSError):
            # The game is begun either way; at worst its players are typed once more next time.
            save_profiles(data_folder(), profiles)
        return path.name

    def open(self, recording: str, writer: str, *, take: bool = False) -> Answer:
        """Go on with a recording, or tell how it ended; with `take` also where another page writes it.

        A page that has not been heard for a while, as when its browser was closed, does not stand in the way. What
        it still sends is refused.
        """
        with self._lock:
            try:
                slot = self._slot(recording)
            except Trouble as trouble:
                if trouble.status != _CLOSED:
                    raise
                return self._closed(recording)
            if slot.writer is None or take or self._is_silent(slot):
                slot.writer = writer
            torn, slot.torn = slot.torn, ""
            return self._told(recording, slot, writer) | {
                "faces": faces_of(slot.table.state.ruleset),
                "torn": printable(torn),
            }

    def look(self, recording: str, writer: str) -> Answer:
        """Return a recording as it is; one that is not open here stays so.

        Then `left` tells that somebody has let go of it, else it may be gone on with: the server was started anew.
        """
        with self._lock:
            slot = self._slots.get(_checked(recording))
            if slot is not None:
                return self._told(recording, slot, writer)
            path = self.path_of(recording)
            if path.is_symlink() or not path.is_file():
                raise Trouble(404, "There is no such recording.")
            kin = _are_kin(self._left.get(recording), writer)
            return {"closed": True, "left": recording in self._left, "kin": kin}

    def away(self, recording: str, writer: str) -> Answer:
        """Take note that a page goes away; if it does not come back at once, another may write."""
        with self._lock:
            slot = self._slots.get(_checked(recording))
            if slot is not None and slot.writer == writer:
                slot.heard = min(slot.heard, self._clock() - _SILENT + _GRACE)
                slot.gone = True
            return {"away": True}

    def let_go(self) -> None:
        """Let go of what was left to itself, so that another program may go on with it.

        That is a recording whose page has gone, and one whose page has not been heard for long: when it wakes it goes
        on as after a restart.
        """
        with self._lock:
            for recording, slot in list(self._slots.items()):
                silent = self._clock() - slot.heard
                if silent >= (_SILENT if slot.gone else _ASLEEP):
                    self._close(recording, by=slot.writer)

    def enter(
        self,
        recording: str,
        writer: str,
        entry_id: str,
        text: str,
        *,
        sure: bool = False,
        after: int | None = None,
    ) -> Answer:
        """Take an entry: what is answered with `view` is on disk.

        `after` is the `seq` of the view that it was entered in: where somebody else has written since, it is asked about.
        """
        if len(text) > _LONGEST_ENTRY:
            raise Trouble(400, f"An entry has at most {_LONGEST_ENTRY} letters.")
        with self._lock:
            slot = self._written_by(recording, writer)
            table = slot.table
            if not table.has_taken(entry_id):
                now = table.recorder.next_seq
                if after is not None and after != now:
                    told = f"Somebody else has written since, the newest: {newest_line(table)}. Enter this after it?"
                    return {"ask": told, "since": now}
                question = None if sure else question_of(table, text)
                if question is not None:
                    return {"ask": question}
                refused = self._write(recording, lambda: table.enter(text, entry_id=entry_id))
                if refused is not None:
                    return {"refused": refusal_of(refused, table.recorder.names)}
            return self._told(recording, slot, writer)

    def finish(self, recording: str, writer: str) -> Answer:
        """Close the log of a game that has ended."""
        with self._lock:
            slot = self._written_by(recording, writer)
            refused = self._write(recording, slot.table.finish)
            if refused is not None:
                return {"refused": refusal_of(refused, slot.table.recorder.names)}
            recorder = slot.table.recorder
            recorder.close()
            del self._slots[recording]
            return _end_of(recorder.start.game_id, recorder.events, recorder.names)

    def keep(self, recording: str) -> Answer:
        """Put a recording that is finished into the library."""
        path = self.path_of(recording)
        lies_there = recording not in self._slots and not path.is_symlink() and path.is_file()
        replay = self._replay(recording) if lies_there else None
        if replay is None or not any(isinstance(event, GameEnd) for event in replay.events):
            raise Trouble(404, "There is no such finished recording.")
        library, name = next(iter(libraries_to_take().items()))
        taken = take_in(path, library)
        if not taken.done:
            raise Trouble(409, taken.words)
        return {"kept": f"In {name}: {taken.words}"}

    def leave(self, recording: str, writer: str) -> Answer:
        """Let go of a recording, so that another program may go on with it."""
        with self._lock:
            self._written_by(recording, writer)
            self._close(recording, by=None)
            return {"left": True}

    def close(self) -> None:
        """Let go of all."""
        with self._lock:
            for recording in list(self._slots):
                self._close(recording, by=None)

    def path_of(self, recording: str) -> Path:
        """Return where a recording lies."""
        return recordings_folder() / _checked(recording)

    def _close(self, recording: str, *, by: str | None) -> None:
        self._slots.pop(recording).table.recorder.close()
        self._left[recording] = by

    def _slot(self, recording: str) -> _Slot:
        kept = self._slots.get(_checked(recording))
        if kept is not None:
            return kept
        path = self.path_of(recording)
        try:
            recorder = Recorder.resume(path)
        except FileNotFoundError:
            raise Trouble(404, "There is no such recording.") from None
        except LogHeld:
            raise Trouble(423, "Another program records this game at the moment.") from None
        except IsFinished:
            raise Trouble(_CLOSED, "The game has ended, and its log is closed.") from None
        except JournalError as reason:
            raise Trouble(409, _words(reason, path)) from None
        try:
            return self._keep(recording, Table(recorder))
        except (ValueError, JournalError) as reason:
            recorder.close()
            raise Trouble(409, _words(reason, path)) from None

    def _keep(self, recording: str, table: Table) -> _Slot:
        self._slots[recording] = slot = _Slot(table)
        self._left.pop(recording, None)
        add_source(str(self.path_of(recording)))
        return slot

    def _written_by(self, recording: str, writer: str) -> _Slot:
        if self._left.get(_checked(recording), writer) != writer:
            # What comes late does not take up what somebody has let go of.
            raise NotYours("Nobody records this game at the moment.")
        slot = self._slot(recording)
        if slot.writer is None:
            slot.writer = writer
        if slot.writer != writer:
            raise NotYours("Another page records this game.")
        slot.hear(self._clock())
        return slot

    def _is_silent(self, slot: _Slot) -> bool:
        return self._clock() - slot.heard >= _SILENT

    def _closed(self, recording: str) -> Answer:
        """Return how a recording that is finished ended."""
        replay = self._replay(recording)
        if replay is None:
            raise Trouble(_CLOSED, "The game has ended, and its log is closed.")
        return _end_of(replay.game_id, replay.events, replay.names)

    def _replay(self, recording: str) -> Replay | None:
        try:
            return read_replay(self.path_of(recording))
        except (KeyError, Unreadable, OSError):
            return None

    def _write(self, recording: str, write: Callable[[], Refusal | None]) -> Refusal | None:
        try:
            return write()
        except NotWritten as error:
            raise Trouble(507, _words(error, self.path_of(recording))) from None
        except JournalError as error:
            # The file is not what it was: it is looked at anew when somebody goes on with it.
            self._slots.pop(recording).table.recorder.close()
            raise Trouble(409, _words(error, self.path_of(recording))) from None

    def _told(self, recording: str, slot: _Slot, writer: str) -> Answer:
        mine = slot.writer == writer
        if mine:
            slot.hear(self._clock())
        silent = not mine and self._is_silent(slot)
        # A page of the same browser goes on by itself; a phone that only sleeps loses nothing to another one.
        kin = silent and _are_kin(slot.writer, writer)
        return {
            "recording": recording,
            "mine": mine,
            "silent": silent,
            "kin": kin,
            "view": view_of(slot.table),
        }


def _checked(recording: str) -> str:
    """Return the name of a recording, which is that of a file in the folder of recordings and no way out of it."""
    if not _NAME.fullmatch(recording):
        raise Trouble(404, "There is no such recording.")
    return recording


def _are_kin(one: str | None, other: str) -> bool:
    """Whether two pages are of one browser: it stands before the dash in their names, where there is one."""
    browser, dash, _ = other.partition("-")
    return bool(dash) and one is not None and one.startswith(browser + dash)


def _end_of(game: str | None, events: Sequence[Event], names: Sequence[str]) -> Answer:
    return {"finished": True, "game": game, "headline": outcome(events, shown_names(names))}


def _words(error: Exception, path: Path) -> str:
    """Return what went wrong; where the recordings lie is nothing for a page."""
    return printable(str(error).replace(str(path), path.name).replace(str(path.parent), "the recordings"))
