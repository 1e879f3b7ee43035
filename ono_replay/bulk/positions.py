"""Rounds that start from a position: read into the pool, judged, set up on the board.

In the pool a position is 1, total, direction, turn, plays_due, second, the number of hands and each hand, the
seats that are out, draw pile and discard pile (their cards, or `ABSENT` and their number), chips and scores;
`ABSENT` alone where a `round_start` has none.
"""

from typing import Any

from ono_replay.bulk.board import (
    LAST_STANDING,
    MOST_HELD,
    NO_POINTS,
    PLAYING,
    clear_round,
    is_in,
    one,
    size,
    standing_seat,
)
from ono_replay.bulk.jit import byte, helper
from ono_replay.bulk.layout import ABSENT, CARDS, MOST, NOBODY, NULL, UNKNOWN
from ono_replay.bulk.lists import cards, numbers
from ono_replay.bulk.text import FAIL, integer, literal, match, number
from ono_replay.bulk.turns import end_play

_POSITION = literal(',"position":{"total":')
_DIRECTION = literal(',"direction":')
_TURN = literal(',"turn":')
_PLAYS_DUE = literal(',"plays_due":')
_SECOND = literal(',"second":')
_TRUE, _FALSE, _NULL = literal("true"), literal("false"), literal("null")
_HANDS = literal(',"hands":[')
_OUT = literal(',"out":[')
_DRAW_PILE = literal(',"draw_pile":')
_DISCARD_PILE = literal(',"discard_pile":')
_CHIPS = literal(',"chips":[')
_SCORES = literal(',"scores":[')
_END = literal("}")
_OPENS, _CLOSES, _COMMA = 0x5B, 0x5D, 0x2C
_AT_TOTAL, _AT_DIRECTION, _AT_TURN, _AT_PLAYS_DUE, _AT_SECOND, _AT_HANDS = range(1, 7)


# --- from text to the pool --------------------------------------------------------------------------


@helper
def read_position(at: int, pool: Any, into: int) -> tuple[int, int]:
    """Read a position where one stands; return the place after it and the next free entry of the pool."""
    begun = match(at, _POSITION)
    if begun < 0:
        pool[into] = ABSENT
        return at, into + 1
    at = begun
    pool[into] = 1
    pool[into + _AT_TOTAL], at = _between(at, -MOST, MOST)
    pool[into + _AT_DIRECTION], at = _between(match(at, _DIRECTION), -1, 1)
    if pool[into + _AT_DIRECTION] == 0:
        at = FAIL
    pool[into + _AT_TURN], at = _turn(match(at, _TURN))
    pool[into + _AT_PLAYS_DUE], at = _between(match(at, _PLAYS_DUE), 0, 2)
    at = match(at, _SECOND)
    true = match(at, _TRUE)
    pool[into + _AT_SECOND] = 1 if true >= 0 else 0
    at = true if true >= 0 else match(at, _FALSE)
    at, into = _read_hands(match(at, _HANDS), pool, into + _AT_HANDS)
    at, into = numbers(match(at, _OUT), pool, into)
    at, into = _read_pile(match(at, _DRAW_PILE), pool, into)
    at, into = _read_pile(match(at, _DISCARD_PILE), pool, into)
    at, into = _read_standing(at, match(at, _CHIPS), pool, into)
    at, into = _read_standing(at, match(at, _SCORES), pool, into)
    return match(at, _END), into


@helper
def _between(at: int, least: int, most: int) -> tuple[int, int]:
    value, at = integer(at)
    return value, at if least <= value <= most else FAIL


@helper
def _turn(at: int) -> tuple[int, int]:
    null = match(at, _NULL)
    if null >= 0:
        return NOBODY, null
    seat, at = number(at)
    return seat, at if seat < NOBODY else FAIL


@helper
def _read_hands(at: int, pool: Any, into: int) -> tuple[int, int]:
    count = into
    pool[count] = 0
    into += 1
    while at >= 0:
        if byte(at) != _OPENS:
            return FAIL, into
        at, into = cards(at + 1, pool, into)
        pool[count] += 1
        if at < 0 or byte(at) != _COMMA:
            break
        at += 1
    return (at + 1 if at >= 0 and byte(at) == _CLOSES else FAIL), into


@helper
def _read_pile(at: int, pool: Any, into: int) -> tuple[int, int]:
    if at >= 0 and byte(at) == _OPENS:
        return cards(at + 1, pool, into)
    count, at = number(at)
    pool[into], pool[into + 1] = ABSENT, count
    return at if count < MOST else FAIL, into + 2


@helper
def _read_standing(at: int, found: int, pool: Any, into: int) -> tuple[int, int]:
    if found >= 0:
        return numbers(found, pool, into)
    pool[into] = ABSENT
    return at, into + 1


# --- from the pool to the board ---------------------------------------------------------------------


@helper
def after_list(pool: Any, at: int) -> int:
    """Return the place after a list of the pool."""
    return at + 1 + max(0, pool[at])


@helper
def _after_pile(pool: Any, at: int) -> int:
    return at + 2 if pool[at] == ABSENT else after_list(pool, at)


@helper
def _out_of(pool: Any, position: int) -> int:
    """Return where the seats that are out stand."""
    at = position + _AT_HANDS + 1
    for _ in range(pool[position + _AT_HANDS]):
        at = after_list(pool, at)
    return at


@helper
def position_fits(board: Any, pool: Any, position: int) -> bool:
    """Whether the values of a position are such that the kernel can judge it."""
    turn = pool[position + _AT_TURN]
    if (turn >= board.seats and turn != NOBODY) or pool[position + _AT_HANDS] != board.seats:
        return False
    at = position + _AT_HANDS + 1
    for _ in range(board.seats):
        if pool[at] > MOST_HELD or not _shows(board, pool, at):
            return False
        at = after_list(pool, at)
    for place in range(at + 1, after_list(pool, at)):
        if not 0 <= pool[place] < board.seats:
            return False
    draw_pile = after_list(pool, at)
    discard_pile = _after_pile(pool, draw_pile)
    chips = _after_pile(pool, discard_pile)
    scores = after_list(pool, chips)
    for standing in (chips, scores):
        if pool[standing] != ABSENT and pool[standing] != board.seats:
            return False
    return _shows(board, pool, draw_pile) and _shows(board, pool, discard_pile)


@helper
def _shows(board: Any, pool: Any, at: int) -> bool:
    """Whether a list of cards hides none where none may be hidden."""
    if not board.hides:
        for place in range(at + 1, after_list(pool, at)):
            if pool[place] == UNKNOWN:
                return False
    return True


@helper
def set_position(board: Any, rules: Any, pool: Any, position: int) -> int:
    """Set a position up; 0, or 211 if it is impossible, and then the board is of no use any more.

    The number, starter and dealer of the round are left to the caller.
    """
    first_out = _out_of(pool, position)
    draw_pile = after_list(pool, first_out)
    discard_pile = _after_pile(pool, draw_pile)
    chips = _after_pile(pool, discard_pile)
    scores = after_list(pool, chips)
    _set_gone(board, rules, pool, position, first_out, chips, scores)
    clear_round(board)
    for place in range(first_out + 1, draw_pile):
        seat = pool[place]
        if board.out[seat]:
            return 211
        board.out[seat] = 1
        if board.first_out == NOBODY:
            board.first_out = seat
        board.standing -= 0 if board.gone[seat] else 1
    turn, plays_due = pool[position + _AT_TURN], pool[position + _AT_PLAYS_DUE]
    second = pool[position + _AT_SECOND]
    if turn == NOBODY:
        if plays_due or second or board.standing > 1:
            return 211
    elif not is_in(board, turn) or not plays_due:
        return 211
    if (second and plays_due != 1) or not _set_cards(board, rules, pool, position, draw_pile, discard_pile):
        return 211
    board.phase, board.opened = PLAYING, 1
    board.total, board.direction = pool[position + _AT_TOTAL], pool[position + _AT_DIRECTION]
    board.turn, board.plays_due, board.second = turn, plays_due, second
    if rules.chips_match and pool[chips] != ABSENT:
        for seat in range(board.seats):
            board.chips[seat] = pool[chips + 1 + seat]
    if rules.points_match != NO_POINTS and pool[scores] != ABSENT:
        for seat in range(board.seats):
            board.scores[seat] = pool[scores + 1 + seat]
    if turn == NOBODY or board.standing < 2:
        end_play(board, standing_seat(board))
    return 0


@helper
def _set_gone(
    board: Any, rules: Any, pool: Any, position: int, first_out: int, chips: int, scores: int
) -> None:
    """Note which seats are out of the match."""
    standing = ABSENT
    if rules.chips_match:
        standing = chips
    elif rules.points_match != NO_POINTS:
        standing = scores
    if standing != ABSENT and pool[standing] != ABSENT:
        for seat in range(board.seats):
            if pool[standing + 1 + seat] == NULL:
                board.gone[seat] = 1
    if rules.points_match != LAST_STANDING or pool[scores] == ABSENT:
        return
    hand = position + _AT_HANDS + 1
    for seat in range(board.seats):
        score = pool[scores + 1 + seat]
        fell = False
        for place in range(first_out + 1, after_list(pool, first_out)):
            fell = fell or pool[place] == seat
        if score != NULL and score >= rules.target and pool[hand] == 0 and not fell:
            board.gone[seat] = 1
        hand = after_list(pool, hand)


@helper
def _set_cards(board: Any, rules: Any, pool: Any, position: int, draw_pile: int, discard_pile: int) -> bool:
    """Put the cards of a position in their places; whether the deck has so many."""
    at = position + _AT_HANDS + 1
    for seat in range(board.seats):
        hand = 0
        for place in range(at + 1, after_list(pool, at)):
            hand += one(pool[place])
            board.sight[pool[place]] += 1
        board.hands[seat] = hand
        at = after_list(pool, at)
    board.draw_pile = pool[draw_pile + 1] if pool[draw_pile] == ABSENT else pool[draw_pile]
    board.discard_pile = pool[discard_pile + 1] if pool[discard_pile] == ABSENT else pool[discard_pile]
    board.stack, board.stack_size = draw_pile + 1, max(0, pool[draw_pile])
    for place in range(discard_pile + 1, after_list(pool, discard_pile)):
        card = pool[place]
        board.discards[card] += 1
        board.sight[card] += 1
        board.top = card
        board.piled += 1
    return _has_cards(board, rules, pool, draw_pile)


@helper
def _has_cards(board: Any, rules: Any, pool: Any, draw_pile: int) -> bool:
    """Whether all cards together may be of the ruleset's deck."""
    for card in range(CARDS):
        board.given[card] = board.sight[card]
    for place in range(draw_pile + 1, after_list(pool, draw_pile)):
        board.given[pool[place]] += 1
    for card in range(UNKNOWN):
        if board.given[card] > rules.deck[card]:
            return False
    board.sight[UNKNOWN] = 0
    count = board.draw_pile + board.discard_pile
    for seat in range(board.seats):
        count += size(board.hands[seat])
    return count <= rules.deck_size
