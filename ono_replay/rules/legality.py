"""What may happen next: `why_illegal` names the first rule that an event breaks at a state, or None.

It is the primitive: `is_legal`, what the recorder refuses and what the validator reports derive from it.
The order of the checks is that of schemas/SPECIFICATION.md section 13, "One fault an event".
"""

from collections import Counter
from collections.abc import Callable
from typing import Any

from ono_replay.rules.cards import EFFECTS, HIDDEN, ONO_99, Hand, merge_hand, remove_card, sort_cards
from ono_replay.rules.ends import why_not_game_end, why_not_round_end
from ono_replay.rules.events import (
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
)
from ono_replay.rules.playable import (
    has_legal_play,
    is_bust_card,
    legal_plays,
    must_open_with_number,
    total_after,
    why_unplayable,
)
from ono_replay.rules.setup import why_not_deal, why_not_round_start
from ono_replay.rules.state import Phase, State
from ono_replay.rules.violation import Violation


def why_illegal(state: State, event: Event) -> Violation | None:
    """Return the first rule that an event breaks at a state, or None if it may stand.

    The event's shape must be right (`log.shape`): seats exist, tokens are cards. Comments, undos and
    unknown events are always legal here.

    >>> from ono_replay.rules.ruleset import EDITIONS
    >>> from ono_replay.rules.state import first_state
    >>> why_illegal(first_state(EDITIONS["2022"], 2), Play(1, 0, "7", 7)).code
    'ONO204'
    """
    judge = _JUDGES.get(type(event))
    return judge(state, event) if judge is not None else None


def is_legal(state: State, event: Event) -> bool:
    """Whether an event may stand at a state."""
    return why_illegal(state, event) is None


def _why_not_now(
    state: State, *, early_code: str = "ONO207", waits_for_draw: bool = True
) -> Violation | None:
    """Return why no seat can act at this moment, whoever it is."""
    phase = state.phase
    if phase is Phase.BEFORE_ROUND or phase is Phase.ENDED:
        return Violation("ONO204", detail=phase.value)
    if phase is Phase.DEALING:
        missing = tuple(seat for seat in state.match.seats_in() if seat not in state.dealt)
        return Violation(early_code, detail="dealing", expected=missing)
    if state.draws_due and waits_for_draw:
        return Violation("ONO308", expected=state.drawer, actual=state.draws_due)
    if phase is Phase.ROUND_OVER and not state.draws_due:
        return Violation("ONO405", detail="round_over")
    if phase is Phase.MATCH_OVER:
        return Violation("ONO405", detail="match_over")
    return None


def _why_not_turn(state: State, seat: int) -> Violation | None:
    if not state.is_in(seat):
        return Violation("ONO307", expected=state.turn, actual=seat)
    if seat != state.turn:
        return Violation("ONO301", expected=state.turn, actual=seat)
    return None


def _too_many(state: State, card: str, more: int = 1) -> Violation | None:
    """Return ONO310 if `more` copies of a card coming into sight are more than the deck has."""
    copies = state.match.ruleset.deck.get(card, 0)
    seen = state.copies_in_sight(card) + more
    return Violation("ONO310", detail=card, expected=copies, actual=seen) if seen > copies else None


def _why_not_play(state: State, event: Play) -> Violation | None:
    if state.phase is not Phase.PLAYING or state.draws_due:
        blocked = _why_not_now(state)
        if blocked is not None:
            return blocked
    if event.seat != state.turn:
        return _why_not_turn(state, event.seat)
    ruleset = state.match.ruleset
    card, hand = event.card, state.hands[event.seat]
    if card not in ruleset.deck:
        return Violation("ONO311", actual=card)
    if card not in hand:
        if HIDDEN not in hand:
            return Violation("ONO302", expected=hand, actual=card, legal=legal_plays(state))
        many = _too_many(state, card)
        if many is not None:
            return many
    code = why_unplayable(
        ruleset, state.total, card, plays_due=state.plays_due, ono_99_played=state.ono_99_played
    )
    after = total_after(ruleset, state.total, card)
    if code is not None:
        return Violation(code, expected=ruleset.max_total, actual=after, legal=legal_plays(state))
    if not state.opened and not EFFECTS[card].number and must_open_with_number(state, hand):
        return Violation("ONO316", actual=card, legal=legal_plays(state))
    if event.total != after:
        return Violation("ONO306", expected=after, actual=event.total)
    return None


def _why_not_discard_four(state: State, event: DiscardFour) -> Violation | None:
    blocked = _why_not_now(state) or _why_not_turn(state, event.seat)
    if blocked is not None:
        return blocked
    ruleset, hand = state.match.ruleset, state.hands[event.seat]
    if ruleset.four_ono_99 == "off":
        return Violation("ONO313", detail="not_offered", legal=legal_plays(state))
    known = hand.count(ONO_99)
    if known + hand.count(HIDDEN) < 4:
        return Violation("ONO313", detail="not_held", expected=4, actual=known, legal=legal_plays(state))
    if ONO_99 not in ruleset.deck:
        return Violation("ONO311", actual=ONO_99)
    return _too_many(state, ONO_99, 4 - known) if known < 4 else None


def _why_no_draw_due(state: State, seat: int) -> Violation | None:
    if state.draws_due and seat == state.drawer:
        return None
    blocked = _why_not_now(state, waits_for_draw=False)
    if blocked is not None:
        return blocked
    if not state.is_in(seat):
        return Violation("ONO307", expected=state.drawer, actual=seat)
    return Violation(
        "ONO309", detail="other_seat" if state.draws_due else "", expected=state.drawer, actual=seat
    )


def _why_not_draw(state: State, event: Draw) -> Violation | None:
    if not state.draws_due or event.seat != state.drawer:
        return _why_no_draw_due(state, event.seat)
    if not state.draw_pile:
        return Violation("ONO315", expected=cards_to_reshuffle(state))
    card = event.card
    if card == HIDDEN:
        return None
    if card not in state.match.ruleset.deck:
        return Violation("ONO311", actual=card)
    following = state.next_card
    if following is not None and following not in (card, HIDDEN):
        return Violation("ONO318", expected=following, actual=card)
    return _too_many(state, card)


def _why_not_forfeit(state: State, event: ForfeitDraw) -> Violation | None:
    blocked = _why_no_draw_due(state, event.seat)
    if blocked is not None:
        return blocked
    if state.match.ruleset.missed_draw != "forfeit":
        return Violation("ONO312", detail="ruleset")
    return Violation("ONO312", detail="bust_draw") if state.bust_draw else None


def cards_to_reshuffle(state: State) -> int:
    """Return how many cards a reshuffle makes into a new draw pile."""
    kept = 1 if state.match.ruleset.reshuffle_keep_top and state.discard_pile else 0
    return state.discard_pile - kept


def _why_not_reshuffle(state: State, event: Reshuffle) -> Violation | None:
    blocked = _why_not_now(state, waits_for_draw=False)
    if blocked is not None:
        return blocked
    if not state.draws_due:
        return Violation("ONO314", detail="nothing_due")
    if state.draw_pile:
        return Violation("ONO314", detail="not_empty", expected=0, actual=state.draw_pile)
    count = cards_to_reshuffle(state)
    if event.count != count:
        return Violation("ONO314", detail="count", expected=count, actual=event.count)
    if event.deck is not None:
        return _why_not_reshuffled_deck(state, event.deck, count)
    return None


def _why_not_reshuffled_deck(state: State, deck: Hand, count: int) -> Violation | None:
    if len(deck) != count:
        return Violation("ONO314", detail="count", expected=count, actual=len(deck))
    pile = state.discards[: len(state.discards) - (state.discard_pile - count)]
    unseen = count - len(pile) + pile.count(HIDDEN)
    surplus = Counter(card for card in deck if card != HIDDEN) - Counter(pile)
    if surplus.total() > unseen:
        return Violation("ONO314", detail="cards", expected=pile, actual=deck)
    return None


def laid_down(event: Eliminate) -> Hand | None:
    """Return the hand that an elimination lays down, bust card included, or None if it shows none."""
    if event.hand is None:
        return None
    return sort_cards(event.hand if event.card is None else (*event.hand, event.card))


def told_hand(hand: Hand, event: Eliminate) -> Hand | None:
    """Return the hand before a bust card as an elimination tells it, or None if the two contradict.

    Without a laid-down hand, the bust card alone may tell one of the unknown cards.
    """
    shown = laid_down(event)
    if shown is not None:
        return merge_hand(hand, shown)
    if event.card is None or event.card in hand:
        return hand
    return sort_cards((*remove_card(hand, event.card), event.card)) if HIDDEN in hand else None


def _why_not_eliminate(state: State, event: Eliminate) -> Violation | None:
    if event.reason == "no_legal_play":
        blocked = _why_not_now(state) or _why_not_turn(state, event.seat)
        blocked = blocked or _why_could_play(state, event) or _why_not_bust(state, event)
    else:
        blocked = _why_not_now(state, early_code="ONO204")
        if blocked is None and not state.is_in(event.seat):
            blocked = Violation("ONO307", expected=state.turn, actual=event.seat)
        if blocked is None and event.card is not None:
            blocked = Violation("ONO409", detail="none_belongs", actual=event.card)
    return blocked or _why_not_laid_down(state, event)


def _why_could_play(state: State, event: Eliminate) -> Violation | None:
    """Return ONO401 if the hand, or where it is unknown the laid-down one, held a card to play."""
    hand = state.hands[event.seat]
    told = hand if HIDDEN not in hand else told_hand(hand, event)
    for held in (hand, laid_down(event) or ()) if told is None else (told,):
        if has_legal_play(state, held):
            return Violation("ONO401", actual=held, legal=legal_plays(state, held))
    return None


def _why_not_bust(state: State, event: Eliminate) -> Violation | None:
    card, hand = event.card, state.hands[event.seat]
    if not state.match.ruleset.scores_points:
        return Violation("ONO409", detail="none_belongs", actual=card) if card is not None else None
    if card is None:
        held = told_hand(hand, event) or hand
        could = tuple(c for c in dict.fromkeys(held) if c != HIDDEN and is_bust_card(state, c))
        return Violation("ONO409", detail="missing", expected=could) if could else None
    if card == HIDDEN or not is_bust_card(state, card):
        return Violation("ONO409", detail="not_over", expected=state.match.ruleset.max_total, actual=card)
    if card not in hand and HIDDEN not in hand:
        return Violation("ONO409", detail="not_held", expected=hand, actual=card)
    return None


def _why_not_laid_down(state: State, event: Eliminate) -> Violation | None:
    hand = state.hands[event.seat]
    deck = state.match.ruleset.deck
    for card in (*(event.hand or ()), *(() if event.card is None else (event.card,))):
        if card != HIDDEN and card not in deck:
            return Violation("ONO311", actual=card)
    told = told_hand(hand, event)
    if told is None:
        return Violation("ONO402", expected=hand, actual=laid_down(event))
    if told == hand:
        return None
    for card, copies in (Counter(told) - Counter(hand)).items():
        many = _too_many(state, card, copies) if card != HIDDEN else None
        if many is not None:
            return many
    return None


_JUDGES: dict[type[Event], Callable[[State, Any], Violation | None]] = {
    RoundStart: why_not_round_start,
    Deal: why_not_deal,
    Play: _why_not_play,
    Draw: _why_not_draw,
    ForfeitDraw: _why_not_forfeit,
    DiscardFour: _why_not_discard_four,
    Reshuffle: _why_not_reshuffle,
    Eliminate: _why_not_eliminate,
    RoundEnd: why_not_round_end,
    GameEnd: why_not_game_end,
}
