"""What would explain an event that breaks a rule: how the game may have gone on.

`repairs` takes the log at its word first (the seat did act, the card was played, the total stands) and
adds what else would explain the fault: a number misread, a card or a seat mistaken for another, a line
lost.
"""

from collections.abc import Callable, Iterator
from typing import Any

from msgspec.structs import replace

from ono_replay.check.lost import possible_plays, right_round_end, unknown_round
from ono_replay.rules.cards import HIDDEN, ONE_COPY, count_copies
from ono_replay.rules.events import (
    Deal,
    DiscardFour,
    Draw,
    Eliminate,
    Event,
    GameEnd,
    Play,
    Reshuffle,
    RoundEnd,
    RoundStart,
)
from ono_replay.rules.legality import cards_to_reshuffle, is_legal
from ono_replay.rules.setup import HAND_SIZE
from ono_replay.rules.state import Phase, State
from ono_replay.rules.transition import advance, dealing_done, match_at
from ono_replay.rules.violation import Violation

Retry = tuple[State, Event]
"""A state before the event and the event as it may have been, to be judged again."""
Repair = Iterator[State | Retry]
"""States after the event, and retries."""


def repairs(state: State, event: Event, violation: Violation) -> Repair:
    """Yield what would explain a violation, most likely first."""
    return _REPAIRS.get(violation.code, _take_it_or_leave_it)(state, event, violation)


def hide_hand(state: State, seat: int, cards: int | None = None) -> State:
    """Return the state with the cards of a seat unknown."""
    hand = state.hands[seat]
    hidden = (HIDDEN,) * (len(hand) if cards is None else max(0, cards))
    hands = (*state.hands[:seat], hidden, *state.hands[seat + 1 :])
    return replace(state, hands=hands, in_sight=state.in_sight - count_copies(hand))


def hide_hands(state: State) -> State:
    """Return the state with all hands and the order of the draw pile unknown."""
    for seat in state.seats_in:
        state = hide_hand(state, seat)
    return replace(state, stack=None)


def _take_it_or_leave_it(state: State, event: Event, _violation: Violation) -> Repair:
    yield advance(state, event)
    yield state


# --- numbers ----------------------------------------------------------------------------------------


def _wrong_total(state: State, event: Play, violation: Violation) -> Repair:
    yield advance(state, event)
    yield advance(state, replace(event, total=violation.expected))
    for other in possible_plays(state):
        if other.total == event.total:
            yield advance(state, other)
    if HIDDEN in state.hands[event.seat]:
        yield from _misread(state, event)


def _wrong_number(state: State, event: Event, violation: Violation) -> Repair:
    """Either the number of the log or the right one."""
    yield advance(state, event)
    match event:
        case RoundStart() if violation.detail == "deck":
            yield advance(state, replace(event, deck=None))
        case RoundStart() if violation.code == "ONO107":
            yield advance(state, replace(event, round=violation.expected))
        case RoundStart() if violation.detail == "dealer":
            yield advance(state, replace(event, dealer=violation.expected))
        case RoundStart():
            yield advance(state, replace(event, starter=violation.expected))
        case RoundEnd():
            right = right_round_end(state, event)
            yield advance(state, right)
            for name in ("round", "winner", "loser", "chips", "points", "scores"):
                yield advance(state, replace(event, **{name: getattr(right, name)}))
        case _:
            pass


# --- cards ------------------------------------------------------------------------------------------


def _another_card(state: State, event: Any, violation: Violation) -> Repair:
    """The card stands, or another one was played."""
    if isinstance(event, Draw | Deal | Eliminate):
        yield from _other_draw(state, event, violation)
        return
    if isinstance(event, DiscardFour):
        yield from _four_not_held(state, event, violation)
        return
    if violation.code == "ONO302":
        yield hide_hand(advance(state, event), event.seat, len(state.hands[event.seat]) - 1)
    else:
        yield advance(state, event)
    others = [other for other in possible_plays(state) if other.card != event.card]
    for other in others:
        yield advance(state, other)
    for other in others:
        if other.card in state.hands[event.seat]:
            yield advance(state, replace(other, total=event.total))
    if HIDDEN in state.hands[event.seat] or violation.code != "ONO302":
        yield from _misread(state, event)


def _misread(state: State, event: Play) -> Iterator[State]:
    """Yield the states if another card of each kind was played; which, and what is left in the hand, is unknown."""
    left = len(state.hands[event.seat]) - 1
    for card in _kinds(state):
        after = hide_hand(advance(state, replace(event, card=card)), event.seat, left)
        discards = (*after.discards[:-1], HIDDEN)
        yield replace(after, discards=discards, in_sight=after.in_sight - ONE_COPY[card])


def _kinds(state: State) -> list[str]:
    """Return one card of each kind of effect that the deck has."""
    deck = state.match.ruleset.deck
    number = next((token for token in ("1", "2", "0", "-10") if token in deck), "1")
    return [number, *(token for token in ("reverse", "play_2", "double_play", "hold") if token in deck)]


def _other_draw(state: State, event: Any, _violation: Violation) -> Repair:
    after = advance(state, event)
    yield after
    if isinstance(event, Draw):
        yield advance(state, replace(event, card=state.next_card or HIDDEN))
        hidden = advance(state, replace(event, card=HIDDEN))
        yield hidden
        yield replace(hidden, stack=None)
    yield replace(hide_hand(after, event.seat), stack=None)
    yield hide_hand(after, event.seat)


def _four_not_held(state: State, event: Any, _violation: Violation) -> Repair:
    seat = event.seat
    held = len(state.hands[seat])
    yield hide_hand(advance(state, event), seat, held - 4)
    yield state
    for other in possible_plays(state):
        yield advance(state, other)
    yield from _misread(state, Play(0, seat, "1", state.total))


# --- turns and draws --------------------------------------------------------------------------------


def _another_seat(state: State, event: Any, violation: Violation) -> Repair:
    """ONO301, ONO307: it was this seat's turn after all, or another seat was meant, or nothing happened."""
    seat = event.seat
    if isinstance(event, Deal):
        yield from _deal_to_another(state, event)
        yield replace(state, match=replace(state.match, gone=state.match.gone - {seat})), event
        return
    base = replace(state, turn=seat, plays_due=1, second=False, ono_99_played=False)
    turns = [
        base,
        replace(base, plays_due=2),
        replace(base, second=True),
        replace(base, direction=-state.direction),
        replace(base, direction=-state.direction, plays_due=2),
    ]
    if violation.code == "ONO301":
        yield turns[0], event
        yield state, replace(event, seat=state.turn)
        yield state
        for lost in possible_plays(state) if isinstance(event, Play) else ():
            after = _after_lost_draws(advance(state, lost))
            if is_legal(after, event):
                yield after, event
        for turn in turns[1:]:
            yield turn, event
        for turn in turns:
            yield hide_hands(turn), event
        return
    if state.turn is not None:
        yield state, replace(event, seat=state.turn)
    yield advance(state, event)
    yield state


def _after_lost_draws(state: State) -> State:
    """Return the state as if the draws that are due had been made unseen."""
    while state.draws_due:
        if not state.draw_pile:
            count = cards_to_reshuffle(state)
            if count <= 0:
                return replace(state, draws_due=0)
            state = advance(state, Reshuffle(0, count))
        state = advance(state, Draw(0, state.drawer or 0, HIDDEN))
    return state


def _draw_missing(state: State, event: Event, _violation: Violation) -> Repair:
    yield _after_lost_draws(state), event
    yield replace(state, draws_due=0), event
    if isinstance(event, Eliminate):
        yield advance(state, event)
        yield state


def _draw_not_due(state: State, event: Any, _violation: Violation) -> Repair:
    if state.drawer is not None and state.draws_due:
        yield state, replace(event, seat=state.drawer)
    yield state
    yield advance(replace(state, draws_due=0), event)


def _forfeit(state: State, event: Any, _violation: Violation) -> Repair:
    yield advance(state, event)
    yield _after_lost_draws(replace(state, draws_due=min(1, state.draws_due)))
    yield state


def _reshuffle_wrong(state: State, event: Any, violation: Violation) -> Repair:
    if violation.detail in ("count", "cards"):
        yield advance(state, event)
        yield advance(state, replace(event, deck=None))
        yield advance(state, replace(event, count=cards_to_reshuffle(state), deck=None))
    yield state
    yield advance(state, replace(event, deck=None))


def _reshuffle_missing(state: State, event: Event, _violation: Violation) -> Repair:
    count = cards_to_reshuffle(state)
    if count > 0:
        yield advance(state, Reshuffle(0, count)), event
    yield replace(state, draw_pile=1), event


# --- setup and ends ---------------------------------------------------------------------------------


def _out_of_place(state: State, event: Event, _violation: Violation) -> Repair:
    """ONO204: a lost `round_end` or `round_start`, or an event that does not belong."""
    match event:
        case RoundStart() if state.phase is not Phase.ENDED:
            over = advance(state, right_round_end(state))
            yield replace(over, phase=Phase.BEFORE_ROUND), event
            yield state
        case GameEnd() if state.phase is not Phase.ENDED:
            yield advance(state, event)
        case Deal() if state.phase is Phase.BEFORE_ROUND:
            starter = state.match.next_starter
            start = RoundStart(0, state.round + 1, None, event.seat if starter is None else starter)
            yield advance(state, start), event
        case Eliminate() if state.phase is Phase.DEALING:
            yield state
            yield advance(state, event)
        case _ if state.phase is Phase.BEFORE_ROUND and not isinstance(event, RoundStart | GameEnd):
            yield unknown_round(state, getattr(event, "seat", 0))
        case _:
            yield state


def _deal_wrong(state: State, event: Event, violation: Violation) -> Repair:
    if not isinstance(event, Deal):
        dealt = state
        for seat in state.match.seats_in():
            if seat not in state.dealt:
                dealt = advance(dealt, Deal(0, seat, (HIDDEN,) * HAND_SIZE))
        if dealt.phase is Phase.DEALING:
            dealt = dealing_done(dealt)
        yield dealt, event
        if len(state.dealt) > 1:
            gone = frozenset(range(state.match.seats)) - state.dealt
            fewer = replace(state, match=replace(state.match, gone=gone))
            yield dealing_done(fewer), event
    elif violation.detail == "count":
        padded = (*event.cards, *(HIDDEN,) * HAND_SIZE)[:HAND_SIZE]
        yield advance(state, replace(event, cards=padded))
        yield hide_hand(advance(state, event), event.seat, HAND_SIZE)
    else:
        yield from _deal_to_another(state, event)


def _deal_to_another(state: State, event: Deal) -> Repair:
    yield state
    for seat in state.match.seats_in():
        if seat not in state.dealt:
            yield state, replace(event, seat=seat)


def _bad_position(state: State, event: Any, violation: Violation) -> Repair:
    """ONO211: the round goes on with nothing known but what the position says of the turn."""
    position = event.position
    seats = range(state.match.seats)
    out = tuple(seat for seat in dict.fromkeys(position.out) if seat in seats)
    turn = position.turn if position.turn in seats and position.turn not in out else event.starter
    begun = unknown_round(state, turn)
    if violation.detail != "standing":
        begun = replace(begun, match=match_at(state.match, position))
    if len(position.hands) == state.match.seats:
        begun = replace(begun, hands=tuple((HIDDEN,) * min(len(hand), HAND_SIZE) for hand in position.hands))
    yield replace(begun, round=event.round, total=position.total, direction=position.direction, out=out)


def _elimination(state: State, event: Any, violation: Violation) -> Repair:
    seat = event.seat
    yield advance(state, event)
    yield advance(hide_hand(state, seat), event)
    yield advance(state, replace(event, card=None))
    if violation.code == "ONO409" and violation.detail != "none_belongs":
        after = advance(state, replace(event, card=None))
        owed = replace(after, draws_due=1, drawer=seat, bust_draw=True)
        yield owed
        yield hide_hand(owed, seat, len(after.hands[seat]) - 1)
    if violation.code == "ONO401":
        yield state
        yield advance(state, replace(event, reason="left"))
        for other in possible_plays(state):
            yield _after_lost_draws(advance(state, other))
        if HIDDEN in state.hands[seat]:
            yield from map(_after_lost_draws, _misread(state, Play(0, seat, "1", state.total)))


def _not_ended(state: State, event: Any, _violation: Violation) -> Repair:
    """ONO405: the event does not count, or the round or match was not over after all."""
    yield state
    if isinstance(event, RoundStart):
        match = replace(state.match, winners=None)
        yield replace(state, phase=Phase.BEFORE_ROUND, match=match), event
        return
    seat = getattr(event, "seat", None)
    if seat is not None and not isinstance(event, Draw | Deal):
        out = tuple(other for other in state.out if other != seat)
        yield replace(state, phase=Phase.PLAYING, turn=seat, plays_due=1, out=out), event


_REPAIRS: dict[str, Callable[[State, Any, Violation], Repair]] = {
    "ONO106": _wrong_number,
    "ONO107": _wrong_number,
    "ONO204": _out_of_place,
    "ONO207": _deal_wrong,
    "ONO211": _bad_position,
    "ONO301": _another_seat,
    "ONO302": _another_card,
    "ONO303": _another_card,
    "ONO304": _another_card,
    "ONO305": _another_card,
    "ONO306": _wrong_total,
    "ONO307": _another_seat,
    "ONO308": _draw_missing,
    "ONO309": _draw_not_due,
    "ONO310": _another_card,
    "ONO311": _another_card,
    "ONO312": _forfeit,
    "ONO313": _four_not_held,
    "ONO314": _reshuffle_wrong,
    "ONO315": _reshuffle_missing,
    "ONO316": _another_card,
    "ONO317": _another_card,
    "ONO318": _other_draw,
    "ONO319": _wrong_number,
    "ONO401": _elimination,
    "ONO402": _elimination,
    "ONO403": _wrong_number,
    "ONO404": _take_it_or_leave_it,
    "ONO405": _not_ended,
    "ONO406": _wrong_number,
    "ONO407": _wrong_number,
    "ONO408": _wrong_number,
    "ONO409": _elimination,
}
