"""Chips, points and who wins a match (schemas/RULES.md section 8)."""

import msgspec

from ono_replay.rules.cards import EFFECTS, HIDDEN, Hand
from ono_replay.rules.events import RoundEnd
from ono_replay.rules.state import Match, State

ELIMINATION_POINTS = 25
FORFEIT_POINTS = 15
MOST_CARD_POINTS = max(effect.points for effect in EFFECTS.values())


def hand_points(hand: Hand) -> int:
    """Return the points of the known cards left in a hand.

    >>> hand_points(("4", "5", "double_play", "ono_99"))
    44
    """
    return sum(EFFECTS[card].points for card in hand if card != HIDDEN)


def points_bounds(state: State) -> tuple[tuple[int, int] | None, ...]:
    """Return the least and the most points each seat can have scored in this round.

    The two differ only where the hand holds unknown cards; None stands for a seat out of the match.
    """
    bounds: list[tuple[int, int] | None] = []
    for seat, hand in enumerate(state.hands):
        if seat in state.match.gone:
            bounds.append(None)
            continue
        least = hand_points(hand) + FORFEIT_POINTS * state.forfeits[seat]
        least += ELIMINATION_POINTS if seat in state.out else 0
        bounds.append((least, least + MOST_CARD_POINTS * hand.count(HIDDEN)))
    return tuple(bounds)


def chips_after(state: State) -> tuple[int | None, ...]:
    """Return the chips after the round that is over: the loser pays one, a leaver loses all."""
    chips = list(state.match.chips or ())
    loser = state.out[0] if state.out else None
    if loser is not None:
        held = chips[loser]
        chips[loser] = None if not held else held - 1
    for seat in state.left:
        chips[seat] = None
    return tuple(chips)


def match_after(state: State, event: RoundEnd) -> Match:
    """Return the match after a `round_end`, taking its loser, chips and scores as they stand there."""
    match = state.match
    ruleset = match.ruleset
    chips, scores = match.chips, match.scores
    gone = set(match.gone) | state.left
    if chips is not None:
        chips = event.chips if event.chips is not None else chips_after(state)
        gone |= {seat for seat, held in enumerate(chips) if held is None}
    winners: tuple[int, ...] | None = None
    if scores is not None:
        scores = event.scores if event.scores is not None else scores
        winners, reached = _points_winners(state, scores)
        if ruleset.match == "points_last_standing":
            gone |= reached
    elif ruleset.match == "single":
        winners = () if event.winner is None else (event.winner,)
    else:
        left = tuple(seat for seat in range(match.seats) if seat not in gone)
        winners = left if len(left) <= 1 else None
    ended = msgspec.structs.replace(
        match,
        chips=chips,
        scores=scores,
        gone=frozenset(gone),
        rounds=match.rounds + 1,
        winners=winners,
    )
    loser = event.loser
    return msgspec.structs.replace(ended, next_starter=_next_starter(ended, loser), starts_free=loser is None)


def _points_winners(
    state: State, scores: tuple[int | None, ...]
) -> tuple[tuple[int, ...] | None, frozenset[int]]:
    """Return the winners of a points match, None while it goes on, and the seats that reached the target."""
    match = state.match
    target = match.ruleset.points_target or 0
    seats = tuple(match.seats_in())
    score = {seat: scores[seat] or 0 for seat in seats}
    reached = frozenset(seat for seat in seats if score[seat] >= target)
    stayers = [seat for seat in seats if seat not in state.left]
    below = [seat for seat in stayers if seat not in reached]
    last_standing = match.ruleset.match == "points_last_standing"
    if len(stayers) > 1 and (len(below) > 1 if last_standing else not reached):
        return None, reached
    candidates = stayers if len(stayers) <= 1 else below or stayers
    lowest = min((score[seat] for seat in candidates), default=0)
    return tuple(seat for seat in candidates if score[seat] == lowest), reached


def _next_starter(match: Match, loser: int | None) -> int | None:
    """Return who must start the next round; None where that is free."""
    if match.ruleset.next_starter != "round_loser" or loser is None:
        return None
    return match.next_in(loser) if loser in match.gone else loser
