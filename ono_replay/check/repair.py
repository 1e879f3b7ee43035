"""What would explain an event that breaks a rule: how the game may have gone on.

`repairs` takes the log at its word first (the seat did act, the card was played, the total stands) and
adds what else would explain the fault: a number misread, a card or a seat mistaken for another, a line
lost.
"""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from ono_replay.check.lost import right_round_end, unknown_round
from ono_replay.check.repair_play import (
    Repair,
    another_card,
    another_seat,
    deal_to_another,
    draw_missing,
    draw_not_due,
    elimination,
    forfeit_wrong,
    four_not_held,
    hide_hand,
    other_draw,
    reshuffle_missing,
    reshuffle_wrong,
    wrong_total,
)
from ono_replay.rules.cards import HIDDEN
from ono_replay.rules.events import Deal, Draw, Eliminate, Event, GameEnd, RoundEnd, RoundStart
from ono_replay.rules.setup import HAND_SIZE
from ono_replay.rules.state import Phase, State
from ono_replay.rules.transition import advance, dealing_done, match_at
from ono_replay.rules.violation import Violation


def repairs(state: State, event: Event, violation: Violation) -> Repair:
    """Yield what would explain a violation, most likely first."""
    return _REPAIRS.get(violation.code, _take_it_or_leave_it)(state, event, violation)


def _take_it_or_leave_it(state: State, event: Event, _violation: Violation) -> Repair:
    yield advance(state, event)
    yield state


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
        yield from deal_to_another(state, event)


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
    "ONO301": another_seat,
    "ONO302": another_card,
    "ONO303": another_card,
    "ONO304": another_card,
    "ONO305": another_card,
    "ONO306": wrong_total,
    "ONO307": another_seat,
    "ONO308": draw_missing,
    "ONO309": draw_not_due,
    "ONO310": another_card,
    "ONO311": another_card,
    "ONO312": forfeit_wrong,
    "ONO313": four_not_held,
    "ONO314": reshuffle_wrong,
    "ONO315": reshuffle_missing,
    "ONO316": another_card,
    "ONO317": another_card,
    "ONO318": other_draw,
    "ONO319": _wrong_number,
    "ONO401": elimination,
    "ONO402": elimination,
    "ONO403": _wrong_number,
    "ONO404": _take_it_or_leave_it,
    "ONO405": _not_ended,
    "ONO406": _wrong_number,
    "ONO407": _wrong_number,
    "ONO408": _wrong_number,
    "ONO409": elimination,
}
