"""What an event does to a state: `apply` for legal events, `advance` for whatever the log says happened."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from ono_replay.rules.cards import (
    EFFECTS,
    HIDDEN,
    ONE_COPY,
    ONO_99,
    Hand,
    add_card,
    count_copies,
    remove_card,
    sort_cards,
)
from ono_replay.rules.ends import may_rest_on_last_to_play
from ono_replay.rules.events import (
    Deal,
    DiscardFour,
    Draw,
    Eliminate,
    Event,
    ForfeitDraw,
    GameEnd,
    Play,
    Position,
    Reshuffle,
    RoundEnd,
    RoundStart,
)
from ono_replay.rules.legality import cards_to_reshuffle, told_hand, why_illegal
from ono_replay.rules.playable import nobody_can_play
from ono_replay.rules.scoring import match_after
from ono_replay.rules.setup import HAND_SIZE, gone_at
from ono_replay.rules.state import Match, Phase, State
from ono_replay.rules.violation import IllegalEvent

_EMPTY: tuple[str, ...] = ()


def apply(state: State, event: Event) -> State:
    """Return the state after a legal event; the given state stays as it is.

    Raises `IllegalEvent` for one that breaks a rule.

    >>> from ono_replay.rules.ruleset import EDITIONS
    >>> from ono_replay.rules.state import first_state
    >>> apply(first_state(EDITIONS["2022"], 2), RoundStart(1, 1, None, 0)).draw_pile
    112
    """
    violation = why_illegal(state, event)
    if violation is not None:
        raise IllegalEvent(violation)
    return advance(state, event)


def advance(state: State, event: Event) -> State:
    """Return the state after what the log says happened, legal or not.

    An illegal event is taken at its word as far as that goes: its seat acts, its card is played, its
    total stands. Comments and unknown events change nothing.
    """
    change = _CHANGES.get(type(event))
    return change(state, event) if change is not None else state


def _start_round(state: State, event: RoundStart) -> State:
    match = state.match
    position = event.position
    match = replace(match, dealer=event.dealer)
    if position is not None:
        return _start_from(match_at(match, position), event, position)
    return State(
        match=match,
        phase=Phase.DEALING,
        round=event.round,
        starter=event.starter,
        hands=(_EMPTY,) * match.seats,
        forfeits=(0,) * match.seats,
        draw_pile=match.ruleset.deck_size,
        stack=event.deck,
    )


def match_at(match: Match, position: Position) -> Match:
    """Return the match with the chips and scores of a position."""
    chips = position.chips if match.chips is not None and position.chips is not None else match.chips
    scores = position.scores if match.scores is not None and position.scores is not None else match.scores
    return replace(match, chips=chips, scores=scores, gone=gone_at(match, position))


def _start_from(match: Match, event: RoundStart, position: Position) -> State:
    hands = tuple(sort_cards(hand) for hand in position.hands)
    draw, discard = position.draw_pile, position.discard_pile
    discards = _EMPTY if isinstance(discard, int) else discard
    started = State(
        match=match,
        phase=Phase.PLAYING,
        round=event.round,
        starter=event.starter,
        total=position.total,
        direction=position.direction,
        turn=position.turn,
        plays_due=position.plays_due,
        second=position.second,
        hands=hands,
        out=position.out,
        draw_pile=draw if isinstance(draw, int) else len(draw),
        discard_pile=discard if isinstance(discard, int) else len(discards),
        stack=None if isinstance(draw, int) else draw,
        discards=discards,
        in_sight=count_copies(discards) + sum(map(count_copies, hands)),
        dealt=frozenset(range(match.seats)) - match.gone,
        forfeits=(0,) * match.seats,
        opened=True,
    )
    seats_in = started.seats_in
    if position.turn is None or len(seats_in) < 2:
        return _round_over(started, seats_in[0] if len(seats_in) == 1 else None)
    return started


def _deal(state: State, event: Deal) -> State:
    hand = sort_cards(event.cards)
    hands = _with_hand(state, event.seat, hand)
    dealt = state.dealt | {event.seat}
    after = replace(
        state,
        hands=hands,
        dealt=dealt,
        draw_pile=state.draw_pile - HAND_SIZE,
        in_sight=state.in_sight + count_copies(hand),
    )
    return dealing_done(after) if dealt.issuperset(state.match.seats_in()) else after


def dealing_done(state: State) -> State:
    """Return the state with all cards dealt: the starter is to act."""
    return replace(state, phase=Phase.PLAYING, turn=state.starter, plays_due=1)


def _with_hand(state: State, seat: int, hand: Hand) -> tuple[Hand, ...]:
    hands = list(state.hands)
    hands[seat] = hand
    return tuple(hands)


def drawable(state: State, draw_pile: int, discard_pile: int) -> int:
    """Return how many cards can still be drawn, the discard pile reshuffled."""
    kept = 1 if state.match.ruleset.reshuffle_keep_top and discard_pile else 0
    return draw_pile + discard_pile - kept


def _play(state: State, event: Play) -> State:
    seat, card = event.seat, event.card
    effect = EFFECTS[card]
    hand = state.hands[seat]
    two_left = effect.reverses and len(state.seats_in) <= 2
    deflects = (
        state.plays_due == 2
        and effect.deflects
        and (not two_left or state.match.ruleset.reverse_deflects_two_players)
    )
    direction = -state.direction if effect.reverses and not two_left else state.direction
    if state.plays_due == 2 and not deflects:
        turn, plays_due, second = seat, 1, True
        ono_99_played = state.ono_99_played or card == ONO_99
    else:
        turn = _next_seat(state, seat, direction)
        plays_due = 2 if deflects or effect.pair else 1
        second = ono_99_played = False
    discard_pile = state.discard_pile + 1
    after = replace(
        state,
        total=event.total,
        direction=direction,
        turn=turn,
        plays_due=plays_due,
        second=second,
        draws_due=1 if state.draw_pile or drawable(state, 0, discard_pile) > 0 else 0,
        drawer=seat,
        bust_draw=False,
        hands=_with_hand(state, seat, remove_card(hand, card)),
        discard_pile=discard_pile,
        discards=(*state.discards, card),
        in_sight=state.in_sight if card in hand else state.in_sight + ONE_COPY[card],
        ono_99_played=ono_99_played,
        opened=True,
        last_to_play=seat,
    )
    return after if after.draws_due else settled(after)


def _next_seat(state: State, seat: int, direction: int) -> int:
    match, out = state.match, state.out
    seats, gone = match.seats, match.gone
    candidate = (seat + direction) % seats
    while candidate != seat and (candidate in out or candidate in gone):
        candidate = (candidate + direction) % seats
    return candidate


def _draw(state: State, event: Draw) -> State:
    seat, card = event.seat, event.card
    after = replace(
        state,
        draws_due=state.draws_due - 1 if state.draws_due else 0,
        hands=_with_hand(state, seat, add_card(state.hands[seat], card)),
        draw_pile=state.draw_pile - 1 if state.draw_pile else 0,
        in_sight=state.in_sight + ONE_COPY[card],
    )
    return after if after.draws_due else settled(after)


def _forfeit(state: State, event: ForfeitDraw) -> State:
    forfeits = list(state.forfeits)
    forfeits[event.seat] += 1
    after = replace(state, draws_due=max(0, state.draws_due - 1), forfeits=tuple(forfeits))
    return after if after.draws_due else settled(after)


def _discard_four(state: State, event: DiscardFour) -> State:
    seat = event.seat
    hand = state.hands[seat]
    known = min(4, hand.count(ONO_99))
    for _ in range(4):
        hand = remove_card(hand, ONO_99)
    free = state.match.ruleset.four_ono_99 == "free_action"
    turn, plays_due, second, ono_99_played = seat, state.plays_due, state.second, state.ono_99_played
    if not free and plays_due == 2:
        plays_due, second = 1, True
    elif not free:
        turn, plays_due, second = _next_seat(state, seat, state.direction), 1, False
        ono_99_played = False
    discard_pile = state.discard_pile + 4
    after = replace(
        state,
        turn=turn,
        plays_due=plays_due,
        second=second,
        ono_99_played=ono_99_played,
        draws_due=min(4, drawable(state, state.draw_pile, discard_pile)),
        drawer=seat,
        bust_draw=False,
        hands=_with_hand(state, seat, hand),
        discard_pile=discard_pile,
        discards=(*state.discards, ONO_99, ONO_99, ONO_99, ONO_99),
        in_sight=state.in_sight + (4 - known) * ONE_COPY[ONO_99],
        opened=state.opened or not free,
    )
    return after if after.draws_due else settled(after)


def _reshuffle(state: State, event: Reshuffle) -> State:
    kept = state.discard_pile - cards_to_reshuffle(state)
    place = len(state.discards) - kept if kept else len(state.discards)
    away, stay = state.discards[: max(0, place)], state.discards[max(0, place) :]
    return replace(
        state,
        draw_pile=event.count,
        discard_pile=kept,
        discards=stay,
        stack=event.deck,
        in_sight=state.in_sight - count_copies(away),
    )


def _eliminate(state: State, event: Eliminate) -> State:
    seat = event.seat
    match = state.match
    before = state.hands[seat]
    told = told_hand(before, event)
    hand = before if told is None else told
    in_sight = state.in_sight + count_copies(hand) - count_copies(before)
    out = state.out if seat in state.out else (*state.out, seat)
    after = replace(
        state,
        hands=_with_hand(state, seat, hand),
        out=out,
        left=state.left | {seat} if event.reason == "left" else state.left,
        in_sight=in_sight,
    )
    if seat == state.turn:
        turn = _next_seat(after, seat, state.direction)
        after = replace(after, turn=turn, plays_due=1, second=False, ono_99_played=False)
    if event.card is not None and event.card != HIDDEN:
        after = _lay_bust_card(after, seat, event.card)
    seats_in = after.seats_in
    if len(seats_in) <= 1 or match.ruleset.match == "chips":
        after = _round_over(after, seats_in[0] if len(seats_in) == 1 else None)
    return after if after.draws_due else settled(after)


def _lay_bust_card(state: State, seat: int, card: str) -> State:
    """Put the bust card on the discard pile; the total stays."""
    hand = state.hands[seat]
    discard_pile = state.discard_pile + 1
    return replace(
        state,
        hands=_with_hand(state, seat, remove_card(hand, card)),
        discard_pile=discard_pile,
        discards=(*state.discards, card),
        in_sight=state.in_sight if card in hand else state.in_sight + ONE_COPY[card],
        draws_due=1 if drawable(state, state.draw_pile, discard_pile) > 0 else 0,
        drawer=seat,
        bust_draw=True,
    )


def settled(state: State) -> State:
    """Return the state once no draw is due: deals done, or the round over because nobody can play."""
    if (
        state.match.ruleset.nobody_can_play != "sequential"
        and state.phase is Phase.PLAYING
        and state.last_to_play is not None
        and state.is_in(state.last_to_play)
        and len(state.seats_in) > 1
        and nobody_can_play(state)
    ):
        over = _round_over(state, state.last_to_play)
        return replace(over, by_last_to_play=True)
    return state


def _round_over(state: State, winner: int | None) -> State:
    return replace(
        state,
        phase=Phase.ROUND_OVER,
        turn=None,
        plays_due=0,
        second=False,
        ono_99_played=False,
        winner=winner,
    )


def _end_round(state: State, event: RoundEnd) -> State:
    if may_rest_on_last_to_play(state):
        state = _round_over(state, state.last_to_play)
    match = match_after(state, event)
    return replace(
        state,
        match=match,
        phase=Phase.BEFORE_ROUND if match.winners is None else Phase.MATCH_OVER,
        round=event.round,
        turn=None,
        plays_due=0,
        second=False,
        draws_due=0,
    )


def _end_game(state: State, _event: GameEnd) -> State:
    return replace(state, phase=Phase.ENDED, turn=None, plays_due=0, second=False, draws_due=0)


_CHANGES: dict[type[Event], Callable[[State, Any], State]] = {
    RoundStart: _start_round,
    Deal: _deal,
    Play: _play,
    Draw: _draw,
    ForfeitDraw: _forfeit,
    DiscardFour: _discard_four,
    Reshuffle: _reshuffle,
    Eliminate: _eliminate,
    RoundEnd: _end_round,
    GameEnd: _end_game,
}
