"""Rounds in the kernel: how they begin, are dealt and end, and how a match ends; see `turns`."""

from typing import Any

from ono_replay.bulk.board import (
    ANY_STARTER,
    BEFORE_ROUND,
    DEALING,
    ENDED,
    LAST_STANDING,
    LEFT_OF_DEALER,
    MATCH_OVER,
    MOST_POINTS,
    NO_POINTS,
    PLAYING,
    POINTS,
    ROUND_LOSER,
    ROUND_OVER,
    UNKNOWN_LANES,
    clear_round,
    copies,
    hidden,
    in_match,
    next_in,
    one,
)
from ono_replay.bulk.jit import helper
from ono_replay.bulk.layout import ABSENT, CARDS, NOBODY, NOT_TAKEN, NULL, UNKNOWN
from ono_replay.bulk.positions import after_list, set_position
from ono_replay.bulk.turns import end_play, may_rest_on_last_to_play

HAND_SIZE = 4
_ELIMINATION_POINTS, _FORFEIT_POINTS = 25, 15


@helper
def round_start(board: Any, rules: Any, pool: Any, number: int, starter: int, more: int) -> int:
    """Judge and carry out a `round_start`."""
    if board.phase != BEFORE_ROUND:
        return 405 if board.phase == MATCH_OVER else 204
    dealer, deck = pool[more], more + 1
    position = after_list(pool, deck)
    placed = pool[position] != ABSENT
    if number != board.number + 1 and (board.rounds or not placed):
        return 107
    if pool[deck] != ABSENT and not _is_deck(board, rules, pool, deck):
        return 107
    if placed:
        return _start_from(board, rules, pool, number, starter, dealer, position)
    follows = rules.starter == LEFT_OF_DEALER and board.rounds and board.dealer != NOBODY
    if follows and not board.starts_free and dealer != NOBODY and dealer != next_in(board, board.dealer):
        return 319
    expected = NOBODY
    if rules.starter != ANY_STARTER and not board.starts_free:
        if board.rounds and rules.starter == ROUND_LOSER:
            expected = board.next_starter
        elif dealer != NOBODY:
            expected = next_in(board, dealer)
    if (expected != NOBODY and starter != expected) or board.gone[starter]:
        return 319
    if rules.deck_size < HAND_SIZE * in_match(board):
        return NOT_TAKEN
    clear_round(board)
    board.phase = DEALING
    board.number, board.starter, board.dealer = number, starter, dealer
    board.draw_pile = rules.deck_size
    board.stack, board.stack_size = deck + 1, max(pool[deck], 0)
    if board.stack_size:
        for card in range(CARDS):
            board.front[card] = board.given[card] = 0
        for place in range(min(board.stack_size, HAND_SIZE * in_match(board))):
            board.front[pool[board.stack + place]] += 1
    return 0


@helper
def _start_from(
    board: Any, rules: Any, pool: Any, number: int, starter: int, dealer: int, position: int
) -> int:
    if board.gone[starter]:
        return NOT_TAKEN
    code = set_position(board, rules, pool, position)
    board.number, board.starter, board.dealer = number, starter, dealer
    return code


@helper
def _is_deck(board: Any, rules: Any, pool: Any, deck: int) -> bool:
    """Whether a recorded deck is one of the ruleset, as far as it is told."""
    if pool[deck] != rules.deck_size:
        return False
    for card in range(CARDS):
        board.given[card] = 0
    for place in range(deck + 1, deck + 1 + pool[deck]):
        board.given[pool[place]] += 1
    for card in range(UNKNOWN):
        if board.given[card] > rules.deck[card]:
            return False
    return True


@helper
def deal(board: Any, rules: Any, pool: Any, seat: int, more: int) -> int:
    """Judge and carry out a `deal`."""
    if board.phase != DEALING:
        return 204
    if board.dealt[seat] or pool[more] != HAND_SIZE:
        return 207
    if board.gone[seat]:
        return 307
    hand = 0
    for place in range(more + 1, more + 1 + HAND_SIZE):
        hand += one(pool[place])
    if hand & ~(rules.deck_lanes | UNKNOWN_LANES):
        return 311
    if board.stack_size:
        if not _may_be_dealt(board, hand):
            return 318
        board.unverified += 1 if board.hides and hidden(hand) else 0
    for place in range(more + 1, more + 1 + HAND_SIZE):
        card = pool[place]
        if card != UNKNOWN:
            board.sight[card] += 1
            if board.sight[card] > rules.deck[card]:
                return 310
    board.hands[seat] = hand
    board.dealt[seat] = 1
    board.draw_pile -= HAND_SIZE
    waiting = 0
    for other in range(board.seats):
        waiting += not (board.dealt[other] or board.gone[other])
    if not waiting:
        board.phase, board.turn, board.plays_due = PLAYING, board.starter, 1
    return 0


@helper
def _may_be_dealt(board: Any, hand: int) -> bool:
    """Whether a hand can be from the front of the recorded deck, whose cards it takes if so."""
    surplus = 0
    for card in range(UNKNOWN):
        left = max(0, board.front[card] - board.given[card])
        surplus += max(0, copies(hand, card) - left)
    if surplus > max(0, board.front[UNKNOWN] - board.given[UNKNOWN]):
        return False
    for card in range(CARDS):
        board.given[card] += copies(hand, card)
    return True


@helper
def round_end(board: Any, rules: Any, pool: Any, number: int, winner: int, more: int) -> int:
    """Judge and carry out a `round_end`."""
    chips = more + 1
    points = chips + 1 + max(0, pool[chips])
    scores = points + 1 + max(0, pool[points])
    scoring = rules.points_match != NO_POINTS
    if rules.chips_match and pool[chips] == ABSENT:
        return 106
    if scoring and (pool[points] == ABSENT or pool[scores] == ABSENT):
        return 106
    resting = 1 if may_rest_on_last_to_play(board, rules) else 0
    code = _why_round_not_over(board, resting)
    if code:
        return code
    if number != board.number:
        return 107
    if winner != (board.last_to_play if board.phase == PLAYING else board.winner):
        return 403
    if pool[more] != board.first_out:
        return 408
    if pool[chips] != ABSENT and not (rules.chips_match and _right_chips(board, pool, chips + 1)):
        return 406
    if scoring:
        if not _right_points(board, pool, points + 1, scores + 1):
            return 407
    elif pool[points] != ABSENT or pool[scores] != ABSENT:
        return 407
    if board.hides:
        board.unverified += resting + (_hands_unknown(board) if scoring else 0)
    if resting:
        end_play(board, board.last_to_play)
    _end_round(board, rules, pool, number, winner, chips + 1, scores + 1)
    return 0


@helper
def _why_round_not_over(board: Any, resting: int) -> int:
    phase = board.phase
    if phase in (BEFORE_ROUND, MATCH_OVER, ENDED):
        return 204
    if phase == DEALING:
        return 404
    if board.draws_due:
        return 308
    return 404 if phase == PLAYING and not resting else 0


@helper
def _chips_after(board: Any, seat: int) -> int:
    held = board.chips[seat]
    if board.left[seat]:
        return NULL
    if seat == board.first_out:
        return NULL if held == 0 or held == NULL else held - 1
    return held


@helper
def _right_chips(board: Any, pool: Any, chips: int) -> bool:
    for seat in range(board.seats):
        if pool[chips + seat] != _chips_after(board, seat):
            return False
    return True


@helper
def _points_of(board: Any, seat: int) -> int:
    """Return the points that a seat has scored at least in the round."""
    hand = board.hands[seat]
    points = _FORFEIT_POINTS * board.forfeits[seat]
    if board.out[seat]:
        points += _ELIMINATION_POINTS
    card = 0
    while hand:
        points += POINTS[card] * copies(hand, 0)
        hand >>= 3
        card += 1
    return points


@helper
def _right_points(board: Any, pool: Any, points: int, scores: int) -> bool:
    for seat in range(board.seats):
        scored, score = pool[points + seat], pool[scores + seat]
        if board.gone[seat]:
            if scored != NULL or score != NULL:
                return False
            continue
        least = _points_of(board, seat)
        if scored == NULL or not least <= scored <= least + MOST_POINTS * hidden(board.hands[seat]):
            return False
        if score != (NULL if board.scores[seat] == NULL else board.scores[seat] + scored):
            return False
    return True


@helper
def _hands_unknown(board: Any) -> int:
    count = 0
    for seat in range(board.seats):
        count += not board.gone[seat] and hidden(board.hands[seat]) > 0
    return count


@helper
def _end_round(board: Any, rules: Any, pool: Any, number: int, winner: int, chips: int, scores: int) -> None:
    """Go on to what comes after a round: the next one, or the end of the match."""
    over = False
    if rules.points_match != NO_POINTS:
        for seat in range(board.seats):
            board.scores[seat] = pool[scores + seat]
        over = _end_points_round(board, rules)
    for seat in range(board.seats):
        if rules.chips_match:
            board.chips[seat] = pool[chips + seat]
        if board.left[seat] or (rules.chips_match and board.chips[seat] == NULL):
            board.gone[seat] = 1
    if rules.single:
        over = True
        if winner != NOBODY:
            board.won[winner] = 1
    elif rules.chips_match and in_match(board) <= 1:
        over = True
        for seat in range(board.seats):
            board.won[seat] = not board.gone[seat]
    board.rounds += 1
    board.starts_free = board.first_out == NOBODY
    board.next_starter = NOBODY
    if rules.starter == ROUND_LOSER and board.first_out != NOBODY:
        loser = board.first_out
        board.next_starter = next_in(board, loser) if board.gone[loser] else loser
    board.phase = MATCH_OVER if over else BEFORE_ROUND
    board.number = number
    board.turn = NOBODY
    board.plays_due = board.second = board.draws_due = 0


@helper
def _score(board: Any, seat: int) -> int:
    return 0 if board.scores[seat] == NULL else board.scores[seat]


@helper
def _end_points_round(board: Any, rules: Any) -> bool:
    """Note who has reached the target; return whether the match is over, and say who has won it."""
    stayers = below = reached = 0
    for seat in range(board.seats):
        if not board.gone[seat]:
            there = _score(board, seat) >= rules.target
            reached += there
            stayers += not board.left[seat]
            below += not (board.left[seat] or there)
    going_on = below > 1 if rules.points_match == LAST_STANDING else reached == 0
    over = not (stayers > 1 and going_on)
    if over:
        lowest = 2**62
        for seat in range(board.seats):
            if _may_win(board, rules, seat, stayers, below):
                lowest = min(lowest, _score(board, seat))
        for seat in range(board.seats):
            board.won[seat] = _may_win(board, rules, seat, stayers, below) and _score(board, seat) == lowest
    if rules.points_match == LAST_STANDING:
        for seat in range(board.seats):
            if not board.gone[seat] and _score(board, seat) >= rules.target:
                board.gone[seat] = 1
    return over


@helper
def _may_win(board: Any, rules: Any, seat: int, stayers: int, below: int) -> bool:
    if board.gone[seat] or board.left[seat]:
        return False
    return stayers <= 1 or below == 0 or _score(board, seat) < rules.target


@helper
def game_end(board: Any, pool: Any, abandoned: int, more: int) -> int:
    """Judge and carry out a `game_end`."""
    phase, count = board.phase, pool[more]
    if phase == ENDED:
        return 204
    if abandoned:
        if count:
            return 403
    else:
        if phase == ROUND_OVER:
            return 204
        if phase == DEALING:
            return 404
        if board.draws_due:
            return 308
        if phase != MATCH_OVER:
            return 404
        winners = 0
        for seat in range(board.seats):
            winners += board.won[seat]
        if winners != count:
            return 403
        for place in range(more + 1, more + 1 + count):
            if not board.won[pool[place]]:
                return 403
    board.phase = ENDED
    board.turn = NOBODY
    board.plays_due = board.second = board.draws_due = 0
    return 0
