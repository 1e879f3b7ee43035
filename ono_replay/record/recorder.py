"""Records a game: each call is judged by the rules, written to the log, and only then part of the game.

>>> from ono_replay.record.sink import Memory
>>> log = Memory()
>>> game = Recorder.create(log, "2022", ["Ann", "Bo"], view="public", game_id="kitchen-7", clock=None)
>>> game.start_round(starter=0), game.deal(0), game.deal(1)
(None, None, None)
>>> game.play(0, "7"), game.draw(0)
(None, None)
>>> refused = game.play(0, "7")
>>> refused.code, refused.message
('ONO301', "Ann (seat 0) plays 7, but it is Bo's turn (seat 1)")
>>> print(log.data.decode().splitlines()[-1])
{"seq":5,"type":"draw","seat":0,"card":"?"}
"""

import threading
import uuid
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import msgspec
from msgspec import UNSET
from msgspec.structs import replace

from ono_replay.log.jsonl import canonical, encode_game, event_keys
from ono_replay.log.lines import LONGEST
from ono_replay.log.shape import context_of
from ono_replay.log.undo import renumbered, with_digest
from ono_replay.record import due
from ono_replay.record.calls import Calls
from ono_replay.record.clock import Clock, GameTime, SystemClock, rfc3339
from ono_replay.record.errors import Damaged, JournalError
from ono_replay.record.files import Files
from ono_replay.record.history import History
from ono_replay.record.journal import Journal, SyncMode
from ono_replay.record.names import check_apart
from ono_replay.record.reading import (
    FIRST_BYTES,
    Misread,
    OpenGame,
    fold,
    is_next_line,
    parse_event,
    read_open_game,
    rules_of,
)
from ono_replay.record.refusal import Refusal, refuse, refuse_line, refuse_plainly
from ono_replay.record.sink import Sink
from ono_replay.rules.events import Event, GameStart, Player, Source, Undo, View
from ono_replay.rules.legality import why_illegal
from ono_replay.rules.ruleset import Ruleset, differing_options, make_ruleset
from ono_replay.rules.state import Phase, State
from ono_replay.rules.transition import advance

SYSTEM_CLOCK = SystemClock()


class NoGame(JournalError):
    """The file holds no event yet."""


class IsFinished(JournalError):
    """The log is finished; a recorder does not go on with it."""


def new_game_id() -> str:
    """Return an id that no other game has."""
    return str(uuid.uuid4())


class Recorder(Calls):
    """An open log of one game; see `create` and `resume`.

    A call returns None when its event is in the log, or a `Refusal` when it breaks a rule: then nothing
    has changed. With `irregular=True` an event that breaks a rule of play is let stand. A call raises
    `JournalError` when the event could not be put on disk; then, too, nothing has changed, and it may be
    tried again.

    As a context manager it finishes the log if the game has ended, and leaves it open, to be resumed, if
    it has not, or on an exception. Calls may come from several threads.
    """

    def __init__(self, game: OpenGame, sink: Sink, time: GameTime | None) -> None:
        """Use `create` or `resume`."""
        self._game = game
        self._sink = sink
        self._time = time
        self._lock = threading.RLock()
        self._standing: list[Event] = game.history.standing()
        self._closed = False
        self.path = sink.path if isinstance(sink, Journal) else None
        """The log, where it is a file."""
        self.torn: Path | None = None
        """The file into which `resume` put a torn last line."""

    @classmethod
    def create(
        cls,
        path: str | Path | Sink,
        ruleset: Ruleset | Mapping[str, Any] | str,
        players: Sequence[str | Player],
        *,
        dealer: int | None = None,
        view: View = "full",
        viewer: int | None = None,
        game_id: str | None = None,
        source: Source | None = None,
        meta: Mapping[str, Any] | None = None,
        mode: SyncMode = "durable",
        clock: Clock | None = SYSTEM_CLOCK,
        new_id: Callable[[], str] = new_game_id,
        files: Files | None = None,
    ) -> Self:
        """Begin a log.

        `path` is a file that is not there yet, or a sink; `ruleset` an edition, its options
        (schemas/SPECIFICATION.md section 6), or a `Ruleset`. `view` is "full" where all cards are known, "public" where hands
        are not, "seat" for what the `viewer` sees. Without a clock no times are written.

        Raises `BadRuleset`, `ValueError` for values that no `game_start` may have and for two players of one name (a
        `Player` with an `id`, or a bot, may have that of another), `JournalError`.
        """
        if isinstance(players, str):
            raise ValueError(f"players is a list of names, not the one string {players[:60]!r}")
        if isinstance(ruleset, str):
            ruleset = {"edition": ruleset}
        if not isinstance(ruleset, Ruleset):
            ruleset = make_ruleset(ruleset)
        start = GameStart(
            0,
            format="ono-log",
            version="1.0",
            game_id=new_id() if game_id is None else game_id,
            ruleset=differing_options(ruleset),
            players=tuple(Player(player) if isinstance(player, str) else player for player in players),
            dealer=dealer,
            view=view,
            viewer=viewer,
            started_at=None if clock is None else rfc3339(clock.now()),
            source=source,
            meta=UNSET if meta is None else dict(meta),
        )
        rules_of(start)
        try:
            event = parse_event(canonical(start), None)
        except UnicodeEncodeError:
            raise ValueError("a name, or another text, holds half of a surrogate pair") from None
        if not isinstance(event, GameStart):
            assert not isinstance(event, Event)
            raise ValueError(event.message)
        check_apart(event.players)
        sink = Journal.create(Path(path), mode=mode, files=files) if isinstance(path, str | Path) else path
        history = History()
        history.add(event)
        game = OpenGame(event, ruleset, context_of(event_keys(event)), history, fold(event, ruleset, []))
        try:
            sink.append(encode_game([event]))
        except BaseException:
            sink.discard()
            raise
        return cls(game, sink, None if clock is None else GameTime(clock))

    @classmethod
    def resume(
        cls,
        path: str | Path,
        *,
        mode: SyncMode = "durable",
        clock: Clock | None = SYSTEM_CLOCK,
        files: Files | None = None,
    ) -> Self:
        """Go on with an open log, as it was left, also by a crash.

        A torn last line is put into a file beside the log (see `torn`). Raises `FileNotFoundError`,
        `LogHeld`, `Damaged`, `NoGame`, `IsFinished`, `JournalError`.
        """
        path = Path(path)
        journal = Journal.open(path, mode=mode, files=files)
        try:
            whole, tail = journal.read()
            try:
                game = read_open_game(whole)
            except Misread as error:
                raise Damaged(path, error.line, error.offset, error.what) from None
            if game is not None and game.is_finished:
                raise IsFinished(
                    f"{path}: the game has ended and its log is finished; `amend` mends it in a new file"
                )
            torn = None
            if tail and is_next_line(game, tail):
                journal.keep_tail()
                game = read_open_game(whole + tail + b"\n")
            elif tail:
                if game is None and not FIRST_BYTES.startswith(tail.rstrip(b"\0\n")[: len(FIRST_BYTES)]):
                    raise Damaged(path, 1, 0, "this is no log of a game")
                torn = journal.set_tail_aside(tail)
            if game is None:
                raise NoGame(f"{path}: no game was recorded here yet")
        except BaseException:
            journal.close()
            raise
        last = max((event.at_ms or 0 for event in game.history.events), default=0)
        time = None if clock is None else GameTime.resumed(clock, game.start.started_at, last)
        recorder = cls(game, journal, time)
        recorder.torn = torn
        return recorder

    @property
    def start(self) -> GameStart:
        """The first event."""
        return self._game.start

    @property
    def ruleset(self) -> Ruleset:
        """The rules of this game."""
        return self._game.ruleset

    @property
    def state(self) -> State:
        """The state after the last event that stands."""
        return self._game.state

    @property
    def events(self) -> tuple[Event, ...]:
        """The events that stand, `seq` as in the log."""
        return tuple(self._standing)

    @property
    def written(self) -> Sequence[Event]:
        """All events of the log, also those that were undone."""
        return self._game.history.events

    @property
    def next_seq(self) -> int:
        """The `seq` of the next event."""
        return len(self._game.history)

    @property
    def redo_to(self) -> int | None:
        """Where an undo must lead to that takes back the last undo; None if there is nothing to redo."""
        return self._game.history.redo_to

    @property
    def names(self) -> list[str]:
        """The players' names by seat."""
        return [player.name for player in self._game.start.players]

    @property
    def has_ended(self) -> bool:
        """Whether a `game_end` stands."""
        return self.state.phase is Phase.ENDED

    @property
    def is_closed(self) -> bool:
        """Whether no more events are taken."""
        return self._closed

    def write(self, *events: Event) -> Refusal | None:
        """Write events together: all of them, with one sync, or none.

        `seq` and `at_ms` are given here. An `Undo` leads to an event that is in the log already.
        """
        with self._lock:
            self._require_open()
            draft = self._draft(events)
            if isinstance(draft, Refusal):
                return draft
            self._sink.append(draft.lines)
            self._take(draft)
            return None

    def judge(self, *events: Event) -> Refusal | None:
        """Return why events would be refused, None if they would not; nothing is written."""
        with self._lock:
            draft = self._draft(events)
            return draft if isinstance(draft, Refusal) else None

    def undo(self, to: int | None = None) -> Refusal | None:
        """Take back the last event, or all after the event `to`."""
        with self._lock:
            if to is None:
                to = self._standing[-2].seq if len(self._standing) > 1 else -1
            return self.write(Undo(0, to))

    def redo(self) -> Refusal | None:
        """Take back the last undo."""
        with self._lock:
            to = self.redo_to
            if to is None:
                return refuse_plainly("ONO209", "There is nothing to redo")
            return self.write(Undo(0, to))

    def rewritten_at(self, events: Sequence[Event]) -> int | None:
        """Return the `seq` before the undo that made room for the first of events that has one right before it."""
        for event in events:
            if event.seq > 1 and isinstance(self._game.history.events[event.seq - 1], Undo):
                return event.seq - 2
        return None

    def state_at(self, seq: int) -> State:
        """Return the state as it was right after an event of the log."""
        return fold(self.start, self.ruleset, self._game.history.standing(seq))

    def finish(self) -> Refusal | None:
        """Put the finished log in the place of the open one: canonical, renumbered, with its digest.

        The file is whole at any moment, old or new. A match that is decided is ended first; a game that
        goes on is refused.
        """
        with self._lock:
            self._require_open()
            if not self.has_ended:
                refused = self.write(due.game_end(self.state))
                if refused is not None:
                    return refused
            events = with_digest(renumbered(self._standing), always=True)
            self._sink.replace(encode_game(events))
            self._closed = True
            return None

    def close(self) -> None:
        """Let go of the log and leave it open, to be resumed; closing again does nothing."""
        with self._lock:
            if not self._closed:
                self._closed = True
                self._sink.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is None and self.has_ended and not self._closed:
            try:
                self.finish()
            finally:
                self.close()
        else:
            self.close()

    def _require_open(self) -> None:
        if self._closed:
            raise JournalError("the log is closed")

    def _draft(self, events: Sequence[Event]) -> "_Draft | Refusal":
        state = self._game.state
        now = None if self._time is None else self._time.ms()
        lines: list[bytes] = []
        judged: list[Event] = []
        for event in events:
            numbered = replace(event, seq=self.next_seq + len(judged), at_ms=now)
            answer = self._judge(state, numbered)
            if isinstance(answer, Refusal):
                return answer
            judged.append(answer)
            lines.append(canonical(answer) + b"\n")
            state = self.state_at(answer.to) if isinstance(answer, Undo) else advance(state, answer)
        return _Draft(judged, b"".join(lines), state)

    def _judge(self, state: State, event: Event) -> Event | Refusal:
        """Return an event as it will stand, or why it is refused."""
        if isinstance(event, Undo) and not 0 <= event.to < self.next_seq:
            return refuse_plainly("ONO209", "There is nothing to go back to")
        try:
            line = canonical(event)
        except UnicodeEncodeError:
            return refuse_plainly("ONO102", "The event holds half of a surrogate pair")
        if len(line) > LONGEST:
            return refuse_plainly("ONO111", "The event is longer than a line may be (1 MiB)")
        read = parse_event(line, self._game.context)
        if not isinstance(read, Event):
            return refuse_line(read)
        violation = why_illegal(state, read)
        if violation is None:
            return replace(read, irregular=False) if read.irregular else read
        refused = refuse(violation, read, state, self.names)
        return read if read.irregular and refused.may_stand else refused

    def _take(self, draft: "_Draft") -> None:
        history = self._game.history
        for event in draft.events:
            history.add(event)
        if any(isinstance(event, Undo) for event in draft.events):
            self._standing = history.standing()
        else:
            self._standing += draft.events
        self._game.state = draft.state


class _Draft(msgspec.Struct, frozen=True):
    """Events that may be written, as lines, and the state after them."""

    events: list[Event]
    lines: bytes
    state: State
