"""How a round may begin: who starts it, its deck, its deals, or a position to start from."""

from collections import Counter

from ono_replay.rules.cards import HIDDEN, copies_of, count_copies
from ono_replay.rules.events import Deal, Position, RoundStart
from ono_replay.rules.state import Match, Phase, State
from ono_replay.rules.violation import Violation

HAND_SIZE = 4


def gone_at(match: Match, position: Position) -> frozenset[int]:
    """Return the seats that a position has out of the match.

    Those are the ones without chips or a score. Where a score that reaches the target puts a player out, a
    seat without cards that has it and did not fall in this round is out, too.
    """
    standing = position.chips if match.chips is not None else position.scores if match.scores else None
    gone = match.gone.union(seat for seat, held in enumerate(standing or ()) if held is None)
    target = match.ruleset.points_target
    if match.ruleset.match != "points_last_standing" or target is None or position.scores is None:
        return gone
    played_out = (
        seat
        for seat, (score, hand) in enumerate(zip(position.scores, position.hands, strict=False))
        if score is not None and score >= target and not hand and seat not in position.out
    )
    return gone.union(played_out)


def expected_starter(match: Match, event: RoundStart) -> int | None:
    """Return the seat that must start a round (schemas/RULES.md section 8), None where that is free."""
    if event.position is not None or match.ruleset.next_starter == "any" or match.starts_free:
        return None
    if match.rounds and match.ruleset.next_starter == "round_loser":
        return match.next_starter
    return None if event.dealer is None else match.next_in(event.dealer)


def expected_dealer(match: Match) -> int | None:
    """Return the seat that deals the next round where dealers take turns, None where they do not."""
    if match.ruleset.next_starter != "left_of_dealer" or not match.rounds or match.dealer is None:
        return None
    return match.next_in(match.dealer)


def why_not_round_start(state: State, event: RoundStart) -> Violation | None:
    """Return the first rule that a `round_start` breaks, or None."""
    match = state.match
    if state.phase is Phase.MATCH_OVER:
        return Violation("ONO405", detail="match_over")
    if state.phase is not Phase.BEFORE_ROUND:
        return Violation("ONO204", detail=state.phase.value)
    free = not match.rounds and event.position is not None
    if event.round != state.round + 1 and not free:
        return Violation("ONO107", detail="round", expected=state.round + 1, actual=event.round)
    if event.deck is not None:
        known = Counter(card for card in event.deck if card != HIDDEN)
        if len(event.deck) != match.ruleset.deck_size or known - Counter(match.ruleset.deck):
            return Violation(
                "ONO107", detail="deck", expected=match.ruleset.deck_size, actual=len(event.deck)
            )
    if event.position is not None:
        wrong = why_not_position(match, event.position)
        if wrong is not None:
            return Violation("ONO211", detail=wrong)
    dealer = None if match.starts_free else expected_dealer(match)
    if dealer is not None and event.dealer not in (dealer, None) and event.position is None:
        return Violation("ONO319", detail="dealer", expected=dealer, actual=event.dealer)
    starter = expected_starter(match, event)
    if starter is not None and event.starter != starter:
        return Violation("ONO319", expected=starter, actual=event.starter)
    if event.starter in match.gone:
        return Violation("ONO319", detail="gone", expected=match.next_in(event.starter), actual=event.starter)
    return None


def why_not_position(match: Match, position: Position) -> str | None:
    """Return a word for what makes a position impossible, or None."""
    seats = match.seats
    if len(position.hands) != seats:
        return "hands"
    if len(set(position.out)) != len(position.out) or not all(0 <= seat < seats for seat in position.out):
        return "out"
    for standing, has in ((position.chips, match.chips), (position.scores, match.scores)):
        if standing is not None and has is not None and len(standing) != seats:
            return "standing"
    gone = gone_at(match, position)
    seats_in = [seat for seat in range(seats) if seat not in gone and seat not in position.out]
    if position.turn is None:
        if position.plays_due or position.second or len(seats_in) > 1:
            return "turn"
    elif position.turn not in seats_in or not position.plays_due:
        return "turn"
    if position.second and position.plays_due != 1:
        return "second"
    return _why_not_cards(match, position)


def _why_not_cards(match: Match, position: Position) -> str | None:
    cards: list[str] = [card for hand in position.hands for card in hand]
    counted = 0
    for pile in (position.draw_pile, position.discard_pile):
        if isinstance(pile, int):
            if pile < 0:
                return "pile"
            counted += pile
        else:
            cards.extend(pile)
    if Counter(card for card in cards if card != HIDDEN) - Counter(match.ruleset.deck):
        return "copies"
    return "size" if len(cards) + counted > match.ruleset.deck_size else None


def why_not_deal(state: State, event: Deal) -> Violation | None:
    """Return the first rule that a `deal` breaks, or None."""
    if state.phase is not Phase.DEALING:
        return Violation("ONO204", detail=state.phase.value)
    if event.seat in state.dealt:
        return Violation("ONO207", detail="twice", actual=event.seat)
    if len(event.cards) != HAND_SIZE:
        return Violation("ONO207", detail="count", expected=HAND_SIZE, actual=len(event.cards))
    if event.seat in state.match.gone:
        return Violation("ONO307", detail="gone", actual=event.seat)
    deck = state.match.ruleset.deck
    for card in event.cards:
        if card not in deck and card != HIDDEN:
            return Violation("ONO311", actual=card)
    if state.stack is not None:
        known = Counter(card for card in event.cards if card != HIDDEN)
        foremost = foremost_cards(state)
        if (known - foremost).total() > foremost[HIDDEN]:
            return Violation("ONO318", detail="deal", actual=event.cards)
    in_sight = state.in_sight + count_copies(event.cards)
    for card in event.cards:
        if card != HIDDEN and (seen := copies_of(in_sight, card)) > deck[card]:
            return Violation("ONO310", detail=card, expected=deck[card], actual=seen)
    return None


def foremost_cards(state: State) -> Counter[str]:
    """Return the cards at the front of the recorded deck that are still to be dealt."""
    if state.stack is None:
        return Counter()
    dealt = Counter(card for seat in state.dealt for card in state.hands[seat])
    front = Counter(state.stack[: HAND_SIZE * len(tuple(state.match.seats_in()))])
    return front - dealt
