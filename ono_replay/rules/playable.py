"""Which cards can be played: the limit, the barred first card, the ONO 99, the opening card, the four.

Everything here is about one hand at one state; whose turn it is belongs to `legality`.
"""

from ono_replay.rules.cards import DISCARD_FOUR, EFFECTS, HIDDEN, ONO_99, Hand
from ono_replay.rules.ruleset import Ruleset
from ono_replay.rules.state import State
from ono_replay.rules.violation import Violation


def total_after(ruleset: Ruleset, total: int, card: str) -> int:
    """Return the total after a card (schemas/RULES.md section 2 and the options of the ruleset).

    >>> from ono_replay.rules.ruleset import EDITIONS
    >>> total_after(EDITIONS["1980"], 4, "-10"), total_after(EDITIONS["2022"], 4, "-10")
    (-6, 0)
    """
    after = total + EFFECTS[card].value
    if after < 0 and card == "-10" and ruleset.minus_ten_floor == "clamp":
        return 0
    return after


def why_unplayable(
    ruleset: Ruleset, total: int, card: str, *, plays_due: int = 1, ono_99_played: bool = False
) -> str | None:
    """Return the code of the rule that keeps a known card from being played, or None.

    `plays_due` is 2 for the first card of a forced pair; `ono_99_played` tells that this turn has seen
    an `ono_99` (schemas/RULES.md sections 4, 5 and 6).

    >>> from ono_replay.rules.ruleset import EDITIONS
    >>> why_unplayable(EDITIONS["2022"], 95, "4")
    'ONO303'
    """
    effect = EFFECTS[card]
    if card == ONO_99 and (not ruleset.ono_99_on_zero or total % 10 or ono_99_played):
        return "ONO304"
    if plays_due == 2 and effect.barred_first:
        return "ONO305"
    if card == "-10" and ruleset.minus_ten_floor == "illegal" and total < 10:
        return "ONO317"
    if not effect.never_over and total + effect.value > ruleset.max_total:
        return "ONO303"
    return None


def playable_now(state: State, card: str) -> bool:
    """Whether a known card could be played by the seat to act, hands and the opening card aside."""
    return (
        why_unplayable(
            state.match.ruleset,
            state.total,
            card,
            plays_due=state.plays_due,
            ono_99_played=state.ono_99_played,
        )
        is None
    )


def can_discard_four(ruleset: Ruleset, hand: Hand) -> bool:
    """Whether the four-card discard is offered and four `ono_99` are known to be held."""
    return ruleset.four_ono_99 != "off" and hand.count(ONO_99) >= 4


def has_legal_play(state: State, hand: Hand) -> bool:
    """Whether the seat to act, holding `hand`, is known to be able to play."""
    return any(card != HIDDEN and playable_now(state, card) for card in hand) or can_discard_four(
        state.match.ruleset, hand
    )


def must_open_with_number(state: State, hand: Hand) -> bool:
    """Whether a held number card must open the round (`opening_card`, schemas/SPECIFICATION.md section 6)."""
    return (
        state.match.ruleset.opening_card == "number"
        and not state.opened
        and any(card != HIDDEN and EFFECTS[card].number and playable_now(state, card) for card in hand)
    )


def legal_plays(state: State, hand: Hand | None = None) -> tuple[str, ...]:
    """Return the distinct known tokens that the seat to act could play, in hand order.

    `discard_four` stands last where the four-card discard is offered. `hand` stands in for the hand of
    the seat to act. Empty where nobody is to act.
    """
    if state.turn is None or state.draws_due:
        return ()
    held = state.hands[state.turn] if hand is None else hand
    plays = tuple(card for card in dict.fromkeys(held) if card != HIDDEN and playable_now(state, card))
    if must_open_with_number(state, held):
        plays = tuple(card for card in plays if EFFECTS[card].number)
    return (*plays, DISCARD_FOUR) if can_discard_four(state.match.ruleset, held) else plays


def is_bust_card(state: State, card: str) -> bool:
    """Whether a known card is one that takes the total over the limit (schemas/RULES.md section 8)."""
    return (
        why_unplayable(state.match.ruleset, state.total, card, plays_due=state.plays_due) == "ONO303"
        and card != ONO_99
    )


def nobody_can_play(state: State) -> bool | None:
    """Whether no seat still in could play, with one play owed; None where unknown cards leave that open.

    This is the condition of `last_to_play` (schemas/SPECIFICATION.md section 6).
    """
    ruleset, total = state.match.ruleset, state.total
    unknown = False
    for seat in state.seats_in:
        hand = state.hands[seat]
        if can_discard_four(ruleset, hand):
            return False
        for card in hand:
            if card == HIDDEN:
                unknown = True
            elif why_unplayable(ruleset, total, card) is None:
                return False
    return None if unknown else True


def hand_violation(code: str, state: State, actual: object = None, expected: object = None) -> Violation:
    """Return a violation that names what the seat to act could have played."""
    return Violation(code, expected=expected, actual=actual, legal=legal_plays(state))
