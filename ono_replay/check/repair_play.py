"""What would explain a play or a draw that breaks a rule: another card, another seat, a turn lost."""

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from ono_replay.check.lost import possible_events, possible_plays
from ono_replay.rules.cards import HIDDEN, ONE_COPY, add_card, count_copies, remove_card
from ono_replay.rules.events import Deal, DiscardFour, Draw, Eliminate, Event, ForfeitDraw, Play, Reshuffle
from ono_replay.rules.legality import cards_to_reshuffle, is_legal
from ono_replay.rules.state import State
from ono_replay.rules.transition import advance
from ono_replay.rules.violation import Violation

Retry = tuple[State, Event]
"""A state before the event and the event as it may have been, to be judged again."""
Repair = Iterator[State | Retry]
"""States after the event, and retries."""


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


# --- cards ------------------------------------------------------------------------------------------


def wrong_total(state: State, event: Play, violation: Violation) -> Repair:
    """ONO306: the total stands, or the right one does, or the card was another."""
    yield advance(state, event)
    yield advance(state, replace(event, total=violation.expected))
    for other in possible_plays(state):
        if other.total == event.total:
            yield advance(state, other)
    if HIDDEN in state.hands[event.seat]:
        yield from _misread(state, event)


def another_card(state: State, event: Any, violation: Violation) -> Repair:
    """The card stands, or another one was played."""
    if isinstance(event, Draw | Deal | Eliminate):
        yield from other_draw(state, event, violation)
        yield from _without_a_copy(state, event, violation)
        return
    if isinstance(event, DiscardFour):
        yield from four_not_held(state, event, violation)
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
    yield from _without_a_copy(state, event, violation)
    if HIDDEN in state.hands[event.seat] or violation.code != "ONO302":
        yield from _misread(state, event)


def _without_a_copy(state: State, event: Event, violation: Violation) -> Iterator[Retry]:
    """Yield the states if a copy that was in sight before was misread, where one too many is the fault."""
    card = violation.detail
    if violation.code != "ONO310":
        return
    fewer = state.in_sight - ONE_COPY[card]
    for seat, hand in enumerate(state.hands):
        if card in hand:
            hands = (*state.hands[:seat], add_card(remove_card(hand, card), HIDDEN), *state.hands[seat + 1 :])
            yield replace(state, hands=hands, in_sight=fewer), event
    if card in state.discards:
        place = state.discards.index(card)
        discards = (*state.discards[:place], HIDDEN, *state.discards[place + 1 :])
        yield replace(state, discards=discards, in_sight=fewer), event


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


def other_draw(state: State, event: Any, _violation: Violation) -> Repair:
    """Another card was drawn, dealt or laid down than the log says: the next of the deck, or any."""
    after = advance(state, event)
    yield after
    if isinstance(event, Draw):
        yield advance(state, replace(event, card=state.next_card or HIDDEN))
        yield advance(state, replace(event, card=HIDDEN))
    yield hide_hand(after, event.seat)


def four_not_held(state: State, event: Any, _violation: Violation) -> Repair:
    """ONO313: the four were there, or nothing happened, or a card was played."""
    seat = event.seat
    held = len(state.hands[seat])
    yield hide_hand(advance(state, event), seat, held - 4)
    yield state
    for other in possible_plays(state):
        yield advance(state, other)
    yield from _misread(state, Play(0, seat, "1", state.total))


# --- turns and draws --------------------------------------------------------------------------------


def another_seat(state: State, event: Any, violation: Violation) -> Repair:
    """ONO301, ONO307: it was this seat's turn after all, or another seat was meant, or nothing happened."""
    seat = event.seat
    if isinstance(event, Deal):
        yield from deal_to_another(state, event)
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
        if isinstance(event, Play):
            yield from _turn_of_another(state, event)
            yield from _after_lost_turn(state, event)
        for turn in turns[1:]:
            yield turn, event
        for turn in turns:
            yield hide_hands(turn), event
        return
    if state.turn is not None:
        yield state, replace(event, seat=state.turn)
    yield advance(state, event)
    yield state


def _turn_of_another(state: State, event: Play) -> Iterator[State]:
    """Yield the state if the seat to act played, and its draw will be written to the wrong seat, too."""
    played = replace(event, seat=state.turn)
    if not is_legal(state, played):
        return
    after = advance(state, played)
    if after.draws_due:
        hands = list(after.hands)
        hands[played.seat] = add_card(hands[played.seat], HIDDEN)
        after = replace(after, hands=tuple(hands), drawer=event.seat)
        yield hide_hand(after, event.seat, len(hands[event.seat]) - 1)


def _after_lost_turn(state: State, event: Event) -> Iterator[Retry]:
    """Yield the states after a turn that is missing, where the event fits."""
    for lost in possible_events(state):
        after = _after_lost_draws(advance(state, lost))
        if is_legal(after, event):
            yield after, event


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


def draw_missing(state: State, event: Event, _violation: Violation) -> Repair:
    """ONO308: what was due was drawn unseen, or forfeited, or not drawn."""
    yield _after_lost_draws(state), event
    forfeit = ForfeitDraw(0, state.drawer or 0)
    if is_legal(state, forfeit):
        yield advance(state, forfeit), event
    yield replace(state, draws_due=0), event
    if isinstance(event, Eliminate):
        yield advance(state, event)
        yield state


def draw_not_due(state: State, event: Any, _violation: Violation) -> Repair:
    """ONO309: another seat drew, or nobody did, or the play before it is missing."""
    if state.drawer is not None and state.draws_due:
        yield state, replace(event, seat=state.drawer)
    yield state
    if not state.draws_due:
        for lost in possible_events(state):
            after = advance(state, lost)
            if is_legal(after, event):
                yield after, event
    yield advance(replace(state, draws_due=0), event)


def forfeit_wrong(state: State, event: Any, _violation: Violation) -> Repair:
    """ONO312: the draw was forfeited all the same, or it was made."""
    yield advance(state, event)
    yield _after_lost_draws(replace(state, draws_due=min(1, state.draws_due)))
    yield state


def reshuffle_wrong(state: State, event: Any, violation: Violation) -> Repair:
    """ONO314: the pile is as the log says or as it should be, or there was no reshuffle."""
    if violation.detail in ("count", "cards"):
        yield advance(state, event)
        yield advance(state, replace(event, deck=None))
        yield advance(state, replace(event, count=cards_to_reshuffle(state), deck=None))
    yield state
    left = state.discard_pile - event.count
    if violation.detail == "nothing_due" and not state.draw_pile and left in (-1, 0):
        # It stands before the card that made it due: when that one is played the piles are right.
        fewer = state.in_sight - count_copies(state.discards)
        yield replace(
            state, draw_pile=event.count, discard_pile=left, discards=(), stack=event.deck, in_sight=fewer
        )
    yield advance(state, replace(event, deck=None))


def reshuffle_missing(state: State, event: Event, _violation: Violation) -> Repair:
    """ONO315: the reshuffle was made, or the pile had a card more."""
    count = cards_to_reshuffle(state)
    if count > 0:
        yield advance(state, Reshuffle(0, count)), event
    yield replace(state, draw_pile=1), event


def deal_to_another(state: State, event: Deal) -> Repair:
    """This deal was to another seat, or the one before that names this seat was."""
    yield state
    others = [seat for seat in state.match.seats_in() if seat not in state.dealt]
    for seat in others:
        yield state, replace(event, seat=seat)
    for seat in others if event.seat in state.dealt else ():
        hands = list(state.hands)
        hands[seat], hands[event.seat] = hands[event.seat], hands[seat]
        yield replace(state, hands=tuple(hands), dealt=state.dealt - {event.seat} | {seat}), event


def elimination(state: State, event: Any, violation: Violation) -> Repair:
    """ONO401, 402, 409: the seat is out, whatever it holds; or, where it could play, it left, or played."""
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
