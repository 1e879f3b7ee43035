"""What the seat to act does, as an event: by the rules, or one of the mistakes that happen at a table."""

from random import Random

from ono_replay.rules.cards import DISCARD_FOUR, EFFECTS, remove_card
from ono_replay.rules.events import DiscardFour, Eliminate, Event, Play
from ono_replay.rules.playable import is_bust_card, total_after
from ono_replay.rules.state import State

SLIPS = (-10, -1, 1, 10)
"""How far off a wrong total is."""


def play(state: State, seq: int, card: str) -> Event:
    """Return the play of a card, or the four-card discard, by the seat to act."""
    seat = state.turn or 0
    if card == DISCARD_FOUR:
        return DiscardFour(seq, seat)
    return Play(seq, seat, card, total_after(state.match.ruleset, state.total, card))


def elimination(state: State, seq: int, *, irregular: bool = False) -> Event:
    """Return the elimination of the seat to act, its hand laid down.

    In a points match it plays the highest bust card that it holds.
    """
    seat = state.turn or 0
    hand = state.hands[seat]
    bust = [card for card in hand if is_bust_card(state, card)] if state.match.ruleset.scores_points else []
    card = max(bust, key=lambda held: EFFECTS[held].value) if bust else None
    if card is not None:
        hand = remove_card(hand, card)
    return Eliminate(seq, seat, "no_legal_play", card, hand, irregular=irregular)


def mistake(state: State, seq: int, legal: tuple[str, ...], random: Random) -> Event | None:
    """Return something irregular for the seat to act: a wrong total, a card that may not be played, or giving up.

    None where the hand allows none of what `random` picks.
    """
    ruleset, kind = state.match.ruleset, random.random()
    held = dict.fromkeys(state.hands[state.turn or 0])
    if kind < 0.6:
        card = _any([card for card in held if card in legal], random)
        slip = SLIPS[int(random.random() * len(SLIPS))]
    elif kind < 0.9:
        card, slip = _any([card for card in held if card not in legal], random), 0
    else:
        return elimination(state, seq, irregular=True) if legal else None
    if card is None:
        return None
    total = total_after(ruleset, state.total, card) + slip
    if slip and not 0 <= total <= ruleset.max_total:
        return None
    return Play(seq, state.turn or 0, card, total, irregular=True)


def _any(cards: list[str], random: Random) -> str | None:
    return cards[int(random.random() * len(cards))] if cards else None
