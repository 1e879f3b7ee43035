"""Eliminations in the kernel: hands laid down, bust cards, seats that leave; see `turns`."""

from typing import Any

from ono_replay.bulk.board import (
    MOST_HELD,
    NO_POINTS,
    UNKNOWN_LANES,
    copies,
    hidden,
    is_in,
    next_seat,
    one,
    size,
    standing_seat,
    without,
)
from ono_replay.bulk.jit import helper
from ono_replay.bulk.layout import ABSENT, FOUR, LEFT, NO_CARD, NO_LEGAL_PLAY, NOBODY, NOT_TAKEN, UNKNOWN
from ono_replay.bulk.turns import (
    can_play,
    discard,
    drawable,
    end_play,
    settle,
    why_not_now,
    why_not_turn,
    why_unplayable,
)

_CONTRADICTS = -1
_SHOWS_NONE = -2


@helper
def eliminate(board: Any, rules: Any, pool: Any, seat: int, reason: int, card: int, more: int) -> int:
    """Judge and carry out an `eliminate`."""
    if pool[more] + (card != NO_CARD) > MOST_HELD:
        return NOT_TAKEN
    hand = board.hands[seat]
    shown = _laid_down(pool, card, more)
    told = _told_hand(hand, shown, card)
    if reason == NO_LEGAL_PLAY:
        code = why_not_now(board, 207)
        if not code:
            code = why_not_turn(board, seat)
        if not code:
            code = _why_could_play(board, rules, hand, shown, told)
        if not code:
            code = _why_not_bust(board, rules, hand, told, card)
    else:
        code = why_not_now(board, 204)
        if not code and not is_in(board, seat):
            code = 307
        if not code and card != NO_CARD:
            code = 409
    if not code:
        code = _why_not_laid_down(board, rules, hand, shown, told, card)
    if code:
        return code
    if board.hides:
        board.unverified += _unverified(pool, hand, told, reason, card, more)
    _carry_out(board, rules, seat, reason, card, hand, told)
    return 0


@helper
def _laid_down(pool: Any, card: int, more: int) -> int:
    """Return the hand that an elimination lays down, bust card included."""
    if pool[more] == ABSENT:
        return _SHOWS_NONE
    shown = one(card) if card != NO_CARD else 0
    for place in range(more + 1, more + 1 + pool[more]):
        shown += one(pool[place])
    return shown


@helper
def _told_hand(hand: int, shown: int, card: int) -> int:
    """Return the hand before a bust card as an elimination tells it."""
    if shown != _SHOWS_NONE:
        return _merged(hand, shown)
    if card == NO_CARD or copies(hand, card):
        return hand
    return hand - one(UNKNOWN) + one(card) if hidden(hand) else _CONTRADICTS


@helper
def _merged(hand: int, shown: int) -> int:
    """Return a hand with its unknown cards told by a shown one."""
    if hand == shown:
        return hand
    held = size(hand)
    if held != size(shown):
        return _CONTRADICTS
    merged = told = untold = 0
    for card in range(UNKNOWN):
        mine, theirs = copies(hand, card), copies(shown, card)
        untold += max(0, mine - theirs)
        told += max(0, theirs - mine)
        merged += max(mine, theirs) * one(card)
    if untold > hidden(shown) or told > hidden(hand):
        return _CONTRADICTS
    return merged + (held - size(merged)) * one(UNKNOWN)


@helper
def _why_could_play(board: Any, rules: Any, hand: int, shown: int, told: int) -> int:
    if not hidden(hand):
        return 401 if can_play(board, rules, hand) else 0
    if told != _CONTRADICTS:
        return 401 if can_play(board, rules, told) else 0
    if can_play(board, rules, hand) or (shown != _SHOWS_NONE and can_play(board, rules, shown)):
        return 401
    return 0


@helper
def _is_bust_card(board: Any, rules: Any, card: int) -> bool:
    return card != FOUR and why_unplayable(rules, board.total, card, board.plays_due, 0) == 303


@helper
def _why_not_bust(board: Any, rules: Any, hand: int, told: int, card: int) -> int:
    if rules.points_match == NO_POINTS:
        return 409 if card != NO_CARD else 0
    if card == NO_CARD:
        held = hand if told == _CONTRADICTS else told
        for other in range(UNKNOWN):
            if copies(held, other) and _is_bust_card(board, rules, other):
                return 409
        return 0
    if not _is_bust_card(board, rules, card):
        return 409
    return 0 if copies(hand, card) or hidden(hand) else 409


@helper
def _why_not_laid_down(board: Any, rules: Any, hand: int, shown: int, told: int, card: int) -> int:
    if card != NO_CARD and not rules.deck[card]:
        return 311
    if shown != _SHOWS_NONE and shown & ~(rules.deck_lanes | UNKNOWN_LANES):
        return 311
    if told == _CONTRADICTS:
        return 402
    if told == hand:
        return 0
    for other in range(UNKNOWN):
        more_seen = copies(told, other) - copies(hand, other)
        if more_seen > 0 and board.sight[other] + more_seen > rules.deck[other]:
            return 310
    return 0


@helper
def _unverified(pool: Any, hand: int, told: int, reason: int, card: int, more: int) -> int:
    """Count the checks that unknown cards have kept from being made."""
    count = 0
    left = told if card == NO_CARD else without(told, card)
    if reason == NO_LEGAL_PLAY:
        count += hidden(left) > 0
        count += card != NO_CARD and copies(hand, card) == 0
    if pool[more] != ABSENT:
        unknown = hidden(hand if card == NO_CARD else without(hand, card)) > 0
        for place in range(more + 1, more + 1 + pool[more]):
            unknown = unknown or pool[place] == UNKNOWN
        count += unknown
    return count


@helper
def _carry_out(board: Any, rules: Any, seat: int, reason: int, card: int, hand: int, told: int) -> None:
    if told != hand:
        for other in range(UNKNOWN):
            board.sight[other] += copies(told, other) - copies(hand, other)
    board.hands[seat] = told
    if board.first_out == NOBODY:
        board.first_out = seat
    board.out[seat] = 1
    board.standing -= 1
    if reason == LEFT:
        board.left[seat] = 1
    if seat == board.turn:
        board.turn = next_seat(board, seat)
        board.plays_due = 1
        board.second = board.ono_99_played = 0
    if card != NO_CARD:
        board.hands[seat] = without(told, card)
        discard(board, card, 1)
        board.draws_due = 1 if drawable(board, rules) > 0 else 0
        board.drawer = seat
        board.bust_draw = 1
    if board.standing <= 1 or rules.chips_match:
        end_play(board, standing_seat(board))
    settle(board, rules)
