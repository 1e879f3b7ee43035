"""How a game may have gone on after a fault: the states to believe in next, most likely first.

`continuations` takes the log at its word first (the seat did act, the card was played, the total stands)
and adds what else would explain the fault: a number misread, a line lost, a seat mistaken for another.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from msgspec.structs import replace

from ono_replay.rules.cards import HIDDEN, count_copies
from ono_replay.rules.ends import may_rest_on_last_to_play
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
from ono_replay.rules.legality import cards_to_reshuffle, why_illegal
from ono_replay.rules.scoring import chips_after, points_bounds
from ono_replay.rules.setup import HAND_SIZE
from ono_replay.rules.state import Phase, State
from ono_replay.rules.transition import advance, dealing_done
from ono_replay.rules.violation import Violation

MOST_BELIEFS = 24
MOST_REPAIRS_DEEP = 3

Retry = tuple[State, Event]
"""A state before the event and the event as it may have been, to be judged again."""
Repair = Iterator[State | Retry]
"""States after the event, and retries."""


def distinct(states: Iterable[State]) -> list[State]:
    """Return the states without repetitions, the first `MOST_BELIEFS` of them."""
    kept: list[State] = []
    for state in states:
        if state not in kept:
            kept.append(state)
            if len(kept) == MOST_BELIEFS:
                break
    return kept


def continuations(state: State, event: Event, deep: int = 0) -> list[State]:
    """Return the states that may hold after an event, most likely first.

    There is one after a legal event; after one that breaks a rule, all that would explain it.
    """
    violation = why_illegal(state, event)
    if violation is None:
        return [advance(state, event)]
    if deep >= MOST_REPAIRS_DEEP:
        return [advance(state, event)]
    found: list[State] = []
    for repair in _REPAIRS.get(violation.code, _take_it_or_leave_it)(state, event, violation):
        if isinstance(repair, State):
            found.append(repair)
        else:
            found.extend(continuations(*repair, deep + 1))
        if len(found) >= MOST_BELIEFS:
            break
    return distinct(found) or [state]


def hide_hand(state: State, seat: int, cards: int | None = None) -> State:
    """Return the state with the cards of a seat unknown."""
    hand = state.hands[seat]
    hidden = (HIDDEN,) * (len(hand) if cards is None else max(0, cards))
    hands = (*state.hands[:seat], hidden, *state.hands[seat + 1 :])
    return replace(state, hands=hands, in_sight=state.in_sight - count_copies(hand))


def hide_hands(state: State) -> State:
    """Return the state with all hands and the order of the draw pile unknown."""
    for seat in range(state.match.seats):
        if state.is_in(seat):
            state = hide_hand(state, seat)
    return replace(state, stack=None)


def _take_it_or_leave_it(state: State, event: Event, violation: Violation) -> Repair:
    yield advance(state, event)
    yield state


def _leave_it(state: State, event: Event, violation: Violation) -> Repair:
    yield state


def _right_number(state: State, event: Event, violation: Violation) -> Repair:
    """Either the number of the log or the right one: after a wrong total, count, round or chips."""
    yield advance(state, event)
    expected = violation.expected
    match event:
        case Play():
            yield advance(state, replace(event, total=expected))
            for card in _kinds(state, event.card)[1:]:
                yield hide_hand(advance(state, replace(event, card=card)), event.seat, len(state.hands[event.seat]) - 1)
        case RoundStart() if violation.detail == "deck":
            yield advance(state, replace(event, deck=None))
        case RoundStart() if violation.code == "ONO107":
            yield advance(state, replace(event, round=expected))
        case RoundStart() if violation.detail == "dealer":
            yield advance(state, replace(event, dealer=expected))
        case RoundStart():
            yield advance(state, replace(event, starter=expected))
        case RoundEnd():
            yield from _right_round_end(state, event)
        case _:
            pass


def _right_round_end(state: State, event: RoundEnd) -> Repair:
    for right in computed_round_ends(state):
        yield advance(state, right)
        for name in ("round", "winner", "loser", "chips", "points", "scores"):
            yield advance(state, replace(event, **{name: getattr(right, name)}))


def computed_round_ends(state: State) -> Iterator[RoundEnd]:
    """Yield the `round_end` that would be right, as far as hands are known."""
    before = state.match.scores
    bounds = points_bounds(state)
    points = None if before is None else tuple(None if bound is None else bound[0] for bound in bounds)
    scores = None
    if before is not None and points is not None:
        scores = tuple(
            None if point is None else (was or 0) + point for was, point in zip(before, points, strict=True)
        )
    yield RoundEnd(
        0,
        round=state.round,
        winner=state.last_to_play if may_rest_on_last_to_play(state) else state.winner,
        loser=state.out[0] if state.out else None,
        chips=None if state.match.chips is None else chips_after(state),
        points=points,
        scores=scores,
    )


def _out_of_place(state: State, event: Event, violation: Violation) -> Repair:
    """ONO204: a lost `round_end` or `round_start`, or an event that does not belong."""
    match event:
        case RoundStart() if state.phase is not Phase.ENDED:
            for end in computed_round_ends(state):
                over = advance(state, end)
                between = replace(over, phase=Phase.BEFORE_ROUND)
                yield between, event
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
        return
    if violation.detail == "count":
        padded = (*event.cards, *(HIDDEN,) * HAND_SIZE)[:HAND_SIZE]
        yield replace_hidden(state, event, padded)
        yield hide_hand(advance(state, event), event.seat, HAND_SIZE)
        return
    yield from _deal_to_another(state, event)


def _deal_to_another(state: State, event: Deal) -> Repair:
    yield state
    for seat in state.match.seats_in():
        if seat not in state.dealt:
            yield state, replace(event, seat=seat)


def replace_hidden(state: State, event: Deal, cards: tuple[Any, ...]) -> State:
    """Return the state after a deal of other cards."""
    return advance(state, replace(event, cards=cards))


def _other_seat(state: State, event: Any, violation: Violation) -> Repair:
    """ONO301, ONO307: it was this seat's turn after all, or another seat was meant, or nothing happened."""
    seat = event.seat
    if isinstance(event, Deal):
        yield from _deal_to_another(state, event)
        yield state_with(state, event.seat), event
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
        for turn in turns[:1]:
            yield turn, event
        if state.turn is not None:
            yield state, replace(event, seat=state.turn)
        for turn in turns[1:]:
            yield turn, event
        for turn in turns:
            yield hide_hands(turn), event
    else:
        if state.turn is not None:
            yield state, replace(event, seat=state.turn)
        yield advance(state, event)
    yield state


def state_with(state: State, seat: int) -> State:
    """Return the state with a seat in the match after all."""
    return replace(state, match=replace(state.match, gone=state.match.gone - {seat}))


def _after_lost_draws(state: State) -> State:
    """Return the state as if the draws that are due had been made unseen."""
    drawer = state.drawer
    while state.draws_due and drawer is not None:
        if not state.draw_pile:
            count = cards_to_reshuffle(state)
            if count <= 0:
                return replace(state, draws_due=0)
            state = advance(state, Reshuffle(0, count))
        state = advance(state, Draw(0, drawer, HIDDEN))
    return state


def _draw_missing(state: State, event: Event, violation: Violation) -> Repair:
    yield _after_lost_draws(state), event
    yield replace(state, draws_due=0), event
    if isinstance(event, Eliminate):
        yield advance(state, event)
        yield state


def _draw_not_due(state: State, event: Any, violation: Violation) -> Repair:
    if state.drawer is not None and state.draws_due:
        yield state, replace(event, seat=state.drawer)
    yield state
    yield advance(replace(state, draws_due=0), event)


def _as_another_card(state: State, event: Any, violation: Violation) -> Repair:
    """The card stands, or it was misread: then what it did, and what is left of the hand, is unknown."""
    if isinstance(event, Draw | Deal | Eliminate):
        yield from _other_draw(state, event, violation)
        return
    if isinstance(event, DiscardFour):
        yield from _four_not_held(state, event, violation)
        return
    seat = event.seat
    left = len(state.hands[seat]) - 1
    if violation.code != "ONO302":
        yield advance(state, event)
    for card in _kinds(state, event.card):
        after = advance(state, replace(event, card=card))
        yield hide_hand(after, seat, left)


def _kinds(state: State, card: str) -> list[str]:
    """Return one card of each kind of effect that the deck has, the given card first."""
    deck = state.match.ruleset.deck
    number = next((token for token in ("1", "2", "0", "-10") if token in deck), "1")
    others = [token for token in ("reverse", "play_2", "double_play", "hold") if token in deck]
    return list(dict.fromkeys([card, number, *others]))


def _other_draw(state: State, event: Any, violation: Violation) -> Repair:
    after = advance(state, event)
    yield after
    if isinstance(event, Draw):
        hidden = advance(state, replace(event, card=HIDDEN))
        yield hidden
        yield replace(hidden, stack=None)
    yield replace(hide_hand(after, event.seat), stack=None)
    yield hide_hand(after, event.seat)


def _forfeit(state: State, event: Any, violation: Violation) -> Repair:
    yield advance(state, event)
    yield _after_lost_draws(replace(state, draws_due=min(1, state.draws_due)))
    yield state


def _four_not_held(state: State, event: Any, violation: Violation) -> Repair:
    seat = event.seat
    held = len(state.hands[seat])
    after = advance(state, event)
    yield hide_hand(after, seat, held - 4)
    yield state
    for card in _kinds(state, "1"):
        played = advance(state, Play(0, seat, card, state.total))
        yield hide_hand(played, seat, held - 1)


def _reshuffle_wrong(state: State, event: Any, violation: Violation) -> Repair:
    if violation.detail in ("count", "cards"):
        yield advance(state, replace(event, deck=None))
        yield advance(state, replace(event, count=cards_to_reshuffle(state), deck=None))
    yield state
    yield advance(state, replace(event, deck=None))


def _reshuffle_missing(state: State, event: Event, violation: Violation) -> Repair:
    count = cards_to_reshuffle(state)
    if count > 0:
        yield advance(state, Reshuffle(0, count)), event
    yield replace(state, draw_pile=1), event


def _elimination(state: State, event: Any, violation: Violation) -> Repair:
    seat = event.seat
    yield advance(state, event)
    yield advance(hide_hand(state, seat), event)
    yield advance(state, replace(event, card=None))
    if violation.code == "ONO409" and violation.detail != "none_belongs":
        after = advance(state, replace(event, card=None))
        yield replace(after, draws_due=1, drawer=seat, bust_draw=True)
        yield replace(hide_hand(after, seat, len(after.hands[seat]) - 1), draws_due=1, drawer=seat, bust_draw=True)
    if violation.code == "ONO401":
        yield state
        yield advance(state, replace(event, reason="left"))
        for card in _kinds(state, "1"):
            played = _after_lost_draws(advance(state, Play(0, seat, card, state.total)))
            yield hide_hand(played, seat)


def _not_ended(state: State, event: Any, violation: Violation) -> Repair:
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


def _bad_position(state: State, event: Any, violation: Violation) -> Repair:
    """ONO211: the round goes on with nothing known but what the position says of the turn."""
    position = event.position
    seats = range(state.match.seats)
    out = tuple(seat for seat in dict.fromkeys(position.out) if seat in seats)
    turn = position.turn if position.turn in seats and position.turn not in out else event.starter
    begun = unknown_round(state, turn)
    if len(position.hands) == state.match.seats:
        begun = replace(begun, hands=tuple((HIDDEN,) * min(len(hand), HAND_SIZE) for hand in position.hands))
    yield replace(begun, round=event.round, total=position.total, direction=position.direction, out=out)


def unknown_round(state: State, turn: int) -> State:
    """Return a round of which nothing is known but whose turn it is."""
    match = state.match
    seats = range(match.seats)
    return State(
        match=match,
        phase=Phase.PLAYING,
        round=state.round + 1,
        turn=turn,
        plays_due=1,
        hands=tuple((HIDDEN,) * (0 if seat in match.gone else HAND_SIZE) for seat in seats),
        draw_pile=match.ruleset.deck_size,
        dealt=frozenset(seats),
        forfeits=(0,) * match.seats,
        opened=True,
    )


_REPAIRS: dict[str, Callable[[State, Any, Violation], Repair]] = {
    "ONO106": _right_number,
    "ONO107": _right_number,
    "ONO204": _out_of_place,
    "ONO207": _deal_wrong,
    "ONO211": _bad_position,
    "ONO301": _other_seat,
    "ONO302": _as_another_card,
    "ONO303": _as_another_card,
    "ONO304": _as_another_card,
    "ONO305": _as_another_card,
    "ONO306": _right_number,
    "ONO307": _other_seat,
    "ONO308": _draw_missing,
    "ONO309": _draw_not_due,
    "ONO310": _as_another_card,
    "ONO311": _as_another_card,
    "ONO312": _forfeit,
    "ONO313": _four_not_held,
    "ONO314": _reshuffle_wrong,
    "ONO315": _reshuffle_missing,
    "ONO316": _as_another_card,
    "ONO317": _as_another_card,
    "ONO318": _other_draw,
    "ONO319": _right_number,
    "ONO401": _elimination,
    "ONO402": _elimination,
    "ONO403": _right_number,
    "ONO404": _take_it_or_leave_it,
    "ONO405": _not_ended,
    "ONO406": _right_number,
    "ONO407": _right_number,
    "ONO408": _right_number,
    "ONO409": _elimination,
}
