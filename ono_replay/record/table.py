"""Records a game at a real table, where nobody sees the hands: short entries in, events out.

What a table does not say is written by itself: unknown deals and draws, reshuffles, round ends, the next
round. A draw is written with the next entry, for it may yet be forfeited.

>>> from ono_replay.record.recorder import Recorder
>>> from ono_replay.record.sink import Memory
>>> log = Memory()
>>> table = Table(Recorder.create(log, "2022", ["Ann", "Bo"], view="public", game_id="kitchen-7", clock=None))
>>> for entry in ("7", "p", "10", "out"):
...     assert table.enter(entry) is None
>>> table.state.total, table.state.match.winners
(17, (1,))
>>> refused = table.enter("5")
>>> refused.message
'The match is over: end closes the log, undo takes the last entry back'
>>> table.finish()
"""

from collections.abc import Sequence
from typing import Any, Final, cast

from msgspec import UNSET
from msgspec.structs import replace

from ono_replay.check.phrases import count_of
from ono_replay.record import due
from ono_replay.record.entries import Entry, parse_entry
from ono_replay.record.groups import (
    begin_of_last_entry,
    begin_of_next_round,
    is_correction,
    is_drawn_by_itself,
    without_comments,
)
from ono_replay.record.recorder import Recorder
from ono_replay.record.refusal import Refusal, refuse_plainly
from ono_replay.replay import state_json
from ono_replay.rules.cards import EFFECTS, HIDDEN
from ono_replay.rules.ends import may_rest_on_last_to_play
from ono_replay.rules.events import (
    Comment,
    Deal,
    DiscardFour,
    Draw,
    Eliminate,
    Event,
    ForfeitDraw,
    GameEnd,
    Play,
    Reshuffle,
    RoundEnd,
    RoundStart,
    Undo,
)
from ono_replay.rules.legality import cards_to_reshuffle
from ono_replay.rules.playable import total_after
from ono_replay.rules.state import Phase, State
from ono_replay.rules.transition import advance

ENTRY_ID: Final = "entry"
"""The key in an event's `meta` for the id of the entry that it was made for."""


class Table:
    """A recorder for entries of the table.

    `enter` returns None when the entry is in the log, else why it is refused; then nothing has changed.
    Raises `JournalError` as the recorder does, and `ValueError` for a log whose view is full: there no
    card may be unknown.
    """

    def __init__(self, recorder: Recorder, *, starter: int | None = None) -> None:
        """Begin, or go on with, a game; `starter` begins the first round where that is free."""
        if recorder.start.view == "full":
            raise ValueError(
                "this log shows all cards (view full); the table recorder is for hands nobody sees: play on with "
                "the log that `ono-replay view LOG NEW --public` makes of it"
            )
        self.recorder = recorder
        self._go_on(starter)

    @property
    def state(self) -> State:
        """The state after the last event that stands."""
        return self.recorder.state

    @property
    def last_event(self) -> Event:
        """The last event that stands."""
        return self.recorder.events[-1]

    def state_json(self) -> dict[str, Any]:
        """Return the state as `ono-replay states` prints it (schemas/SPECIFICATION.md section 12)."""
        return state_json(self.recorder.start.game_id, self.last_event, self.state)

    def enter(self, text: str, *, entry_id: str | None = None) -> Refusal | None:
        """Take one entry.

        What was sent with an `entry_id` is taken once: with the same id again nothing is written. The id stands
        in the log, in the `meta` of the event that was entered, so that this holds after a crash, too.
        """
        if entry_id is not None and self.has_taken(entry_id):
            return None
        entry = parse_entry(text, self.recorder.names, self.recorder.ruleset)
        if isinstance(entry, Refusal):
            return entry
        events = self._events_of(entry)
        if isinstance(events, Refusal):
            return events
        return self._write(events if entry_id is None else _with_id(events, entry_id))

    def has_taken(self, entry_id: str) -> bool:
        """Whether an entry with this id is in the log, also when it was undone since."""
        metas = (event.meta for event in self.recorder.written)
        return any(meta is not UNSET and meta.get(ENTRY_ID) == entry_id for meta in metas)

    def judge(self, text: str) -> Refusal | None:
        """Return why an entry would be refused, None if it would not; nothing is written."""
        entry = parse_entry(text, self.recorder.names, self.recorder.ruleset)
        if isinstance(entry, Refusal):
            return entry
        events = self._events_of(entry)
        return events if isinstance(events, Refusal) else self.recorder.judge(*events)

    def asks_for_help(self, text: str) -> bool:
        """Whether an entry asks what can be entered."""
        entry = parse_entry(text, self.recorder.names, self.recorder.ruleset)
        return isinstance(entry, Entry) and entry.kind == "show"

    def right_total(self, text: str) -> int | None:
        """Return the total by the cards where an entry announces another one, else None."""
        entry = parse_entry(text, self.recorder.names, self.recorder.ruleset)
        if isinstance(entry, Refusal) or entry.number is None:
            return None
        events = self.recorder.events
        played = events[without_comments(events)]
        state, card = self.state, entry.card
        if entry.kind == "total" and isinstance(played, Play):
            state, card = self.recorder.state_at(events[without_comments(events) - 1].seq), played.card
        if card not in EFFECTS:
            return None
        right = total_after(state.ruleset, state.total, card)
        return None if right == entry.number else right

    @property
    def starter_is_free(self) -> bool:
        """Whether a round begins and the table may still tell who starts it."""
        events = self.recorder.events
        place = without_comments(events)
        while place > 0 and isinstance(events[place], Deal):
            place -= 1
        before = self.recorder.state_at(events[place - 1].seq) if place else self.state
        is_new = isinstance(events[place], RoundStart)
        return is_new and due.starter_is_free(before, self.recorder.start.dealer)

    @property
    def before_round_end(self) -> State | None:
        """The state before the end of the round that is just over; None where none is."""
        place = self._last_round_end
        return None if place is None else self.recorder.state_at(self.recorder.events[place - 1].seq)

    @property
    def _last_round_end(self) -> int | None:
        events = self.recorder.events
        place = without_comments(events)
        while place > 0 and isinstance(events[place], RoundStart | Deal):
            place -= 1
        return place if isinstance(events[place], RoundEnd) else None

    def finish(self) -> Refusal | None:
        """Finish the log of a game that has ended or is decided."""
        return self.recorder.finish()

    def close(self) -> None:
        """Let go of the log: finished if the game has ended or is decided, else open, to be resumed."""
        try:
            if not self.recorder.is_closed and self.state.phase in (Phase.MATCH_OVER, Phase.ENDED):
                self.finish()
        finally:
            self.recorder.close()

    def _write(self, events: Sequence[Event]) -> Refusal | None:
        return self.recorder.write(*events) if events else None

    def _go_on(self, starter: int | None = None) -> None:
        """Write what a new or a broken-off log lacks."""
        refused = self._write(self._by_itself(self.state, starter=starter))
        if refused is not None:
            raise ValueError(refused.message)

    def _by_itself(self, state: State, **given: Any) -> list[Event]:
        return due.by_itself(state, dealer=self.recorder.start.dealer, **given)

    def _events_of(self, entry: Entry) -> Sequence[Event] | Refusal:
        match entry.kind:
            case "show":
                return ()
            case "undo":
                return self._undo()
            case "redo":
                return self._redo()
            case "total":
                return self._correct_total(entry)
            case "points":
                return self._tell_points(entry)
            case "starter":
                return self._tell_starter(entry)
            case "forfeit" if not self.state.draws_due:
                return self._forfeit_after_all(entry)
        return self._do(entry)

    def _do(self, entry: Entry) -> Sequence[Event] | Refusal:
        """What somebody did: the draws that were due before it, the event, and what follows by itself."""
        state = self.state
        waits = entry.kind in ("forfeit", "reshuffle")
        before = [] if waits else due.draws(state)
        for event in before:
            state = advance(state, event)
        event = event_of(entry, state)
        refused = self.recorder.judge(*before, event)
        if refused is not None:
            refused = _told_how_many(refused, event, state)
            return _nobody_acts(refused, state) if entry.seat is None and state.turn is None else refused
        if entry.kind == "card" and entry.number is not None:
            announced = _announced(cast(Play, event), entry.number)
            comment = self._correction(announced, state, after=len(before))
            return [*before, announced, *comment, *self._by_itself(advance(state, announced))]
        if isinstance(event, Comment | GameEnd | ForfeitDraw | Reshuffle):
            return [*before, event]
        state = advance(state, event)
        after = self._by_itself(state)
        if isinstance(event, RoundEnd):
            for following in after:
                state = advance(state, following)
            if state.phase is Phase.MATCH_OVER:
                after.append(due.game_end(state))
        return [*before, event, *after]

    def _undo(self) -> Sequence[Event] | Refusal:
        events = self.recorder.events
        told = self.recorder.rewritten_at(begin_of_next_round(events))
        if told is not None:
            # Points or a starter were told: what stood before comes back.
            return [Undo(0, to=told)]
        place = begin_of_last_entry(events)
        if place is None:
            return refuse_plainly("ONO209", "There is nothing to undo")
        return [Undo(0, to=events[place - 1].seq)]

    def _redo(self) -> Sequence[Event] | Refusal:
        to = self.recorder.redo_to
        return refuse_plainly("ONO209", "There is nothing to redo") if to is None else [Undo(0, to)]

    def _instead(self, place: int, *events: Event) -> list[Event]:
        """Return what puts other events in the place of those that stand from a place on."""
        standing = self.recorder.events
        return [Undo(0, to=standing[place - 1].seq), *events]

    def _correct_total(self, entry: Entry) -> Sequence[Event] | Refusal:
        """The last card was announced with this total: right, or wrong and played on from."""
        events = self.recorder.events
        place = without_comments(events)
        played = events[place]
        if not isinstance(played, Play):
            message = "There is no card right before this whose total could be announced"
            return refuse_plainly("ONO204", message)
        if played.total == entry.number:
            return ()
        before = self.recorder.state_at(events[place - 1].seq)
        play = _announced(played, cast(int, entry.number))
        kept = [event for at, event in enumerate(events) if at > place and not is_correction(events, at)]
        return self._instead(place, play, *self._correction(play, before, after=1), *_comments(kept))

    def _correction(self, play: Play, before: State, *, after: int) -> list[Event]:
        """Return the comment on a play whose announced total is wrong; it stands `after` events from now."""
        if play.total == total_after(before.ruleset, before.total, play.card):
            return []
        return [Comment(0, text=f"= {play.total}", ref=self.recorder.next_seq + after)]

    def _tell_points(self, entry: Entry) -> Sequence[Event] | Refusal:
        """The points of the round that has ended, counted by the table."""
        place, before = self._last_round_end, self.before_round_end
        if place is None or before is None or not self.recorder.ruleset.scores_points:
            return refuse_plainly("ONO204", "There is no round of a points match that has just ended")
        told = iter(entry.points)
        gone, seats = before.match.gone, range(before.match.seats)
        points = tuple(None if seat in gone else next(told, None) for seat in seats)
        wanted = len(seats) - len(gone)
        if len(entry.points) != wanted:
            message = f"{wanted} players score in this round, not {len(entry.points)}"
            return refuse_plainly("ONO107", message, expected=wanted, actual=len(entry.points))
        kept = _comments(self.recorder.events[place:])
        return self._instead(place, *self._by_itself(before, points=points), *kept)

    def _tell_starter(self, entry: Entry) -> Sequence[Event] | Refusal:
        """Who starts the round that no card has been played in yet."""
        events = self.recorder.events
        place = without_comments(events)
        while place > 0 and isinstance(events[place], Deal):
            place -= 1
        if not isinstance(events[place], RoundStart):
            return refuse_plainly("ONO204", "Who starts is told before the first card of a round")
        before = self.recorder.state_at(events[place - 1].seq)
        start = due.round_start(before, dealer=self.recorder.start.dealer)
        start = replace(start, starter=cast(int, entry.seat), irregular=entry.let_stand)
        deals = due.deals(advance(before, start))
        return self._instead(place, start, *deals, *_comments(events[place:]))

    def _forfeit_after_all(self, entry: Entry) -> Sequence[Event] | Refusal:
        """The draw that was written before a comment did not happen."""
        events = self.recorder.events
        place = without_comments(events)
        if place == len(events) - 1 or not is_drawn_by_itself(events, place):
            return self._do(entry)
        seat = cast(Any, events[place]).seat
        forfeit = ForfeitDraw(0, seat, irregular=entry.let_stand)
        return self._instead(place, forfeit, *_comments(events[place + 1 :]))


def _with_id(events: Sequence[Event], entry_id: str) -> list[Event]:
    """Return the events of an entry with its id on the one that was entered, not on what it makes due.

    A line torn off behind that event is written by itself when the log is gone on with.
    """
    marked = list(events)
    entered = [place for place, event in enumerate(events) if not isinstance(event, Draw | Reshuffle | Undo)]
    if marked:
        place = entered[0] if entered else len(marked) - 1
        meta = marked[place].meta
        kept = {} if meta is UNSET else meta
        marked[place] = replace(marked[place], meta={**kept, ENTRY_ID: entry_id})
    return marked


def _comments(events: Sequence[Event]) -> list[Event]:
    return [event for event in events if isinstance(event, Comment)]


def _announced(play: Play, total: int) -> Play:
    """Return a play with the total that was announced for it, let stand if that is wrong."""
    return replace(play, total=total, irregular=True)


def _told_how_many(refused: Refusal, event: Event, state: State) -> Refusal:
    """Return a refusal that says first of all that too few or too many cards were laid down."""
    if not isinstance(event, Eliminate) or event.hand is None or refused.code not in ("ONO401", "ONO402"):
        return refused
    told, held = len(event.hand) + (event.card is not None), len(state.hands[event.seat])
    if told == held:
        return refused
    return replace(refused, message=f"{count_of(told, 'card')}; the hand has {held}")


def _nobody_acts(refused: Refusal, state: State) -> Refusal:
    over = "The match is over: end closes the log, undo takes the last entry back"
    message = over if state.phase is Phase.MATCH_OVER else "The game has ended; undo takes the end back"
    return replace(refused, event=None, message=message, legal=())


def event_of(entry: Entry, state: State) -> Event:
    """Return the event that an entry stands for at a state where no draw is due before it."""
    acting = state.turn if entry.seat is None else entry.seat
    seat = 0 if acting is None else acting
    hand = entry.cards
    stands = entry.let_stand
    match entry.kind:
        case "card":
            card = entry.card or HIDDEN
            total = total_after(state.ruleset, state.total, card) if card in EFFECTS else 0
            return Play(0, seat, card, total, irregular=stands)
        case "four":
            return DiscardFour(0, seat, irregular=stands)
        case "out":
            bust = entry.card
            return Eliminate(0, seat, "no_legal_play", bust, hand, irregular=stands)
        case "left" | "timeout":
            return Eliminate(0, seat, entry.kind, None, hand, irregular=stands)
        case "forfeit":
            return ForfeitDraw(0, seat if state.drawer is None else state.drawer, irregular=stands)
        case "reshuffle":
            return Reshuffle(0, cards_to_reshuffle(state), irregular=stands)
        case "comment":
            return Comment(0, text=entry.text)
        case "abandon":
            return GameEnd(0, winners=(), reason="abandoned")
        case "end" if may_rest_on_last_to_play(state):
            return due.round_end(state)
        case _:
            return due.game_end(state)
