"""Turns in the kernel: cards played and drawn, draws forfeited, four discarded, piles reshuffled.

Every function judges one event and, if nothing is wrong with it, carries it out on the board. It returns 0,
or the number of the code of the first rule that the event breaks; the order of the checks is that of
`rules.legality`.
"""

from typing import Any

from ono_replay.bulk.board import (
    BARRED_FIRST,
    BARRED_LANES,
    BEFORE_ROUND,
    DEALING,
    DEFLECTS,
    ENDED,
    FITTING_LANES,
    FLOOR_CLAMP,
    FLOOR_ILLEGAL,
    FOUR_FREE,
    FOUR_LANES,
    FOUR_OFF,
    FREE_LANES,
    MATCH_OVER,
    MOST_VALUE,
    NEVER_OVER,
    NUMBER,
    NUMBER_LANES,
    PAIR,
    PLAYING,
    REVERSES,
    ROUND_OVER,
    TEN_LESS_LANES,
    VALUE,
    copies,
    hidden,
    is_in,
    next_card,
    next_seat,
    one,
    to_reshuffle,
    without,
)
from ono_replay.bulk.jit import helper, hot, inlined
from ono_replay.bulk.layout import ABSENT, CARDS, FOUR, NO_CARD, NOBODY, TEN_LESS, UNKNOWN


@helper
def why_no_draw_now(board: Any, early: int) -> int:
    """Return the code that keeps every seat from acting, 0 if none does; while cards are dealt it is `early`."""
    phase = board.phase
    if phase in (BEFORE_ROUND, ENDED):
        return 204
    if phase == DEALING:
        return early
    if (phase == ROUND_OVER and not board.draws_due) or phase == MATCH_OVER:
        return 405
    return 0


@helper
def why_not_now(board: Any, early: int) -> int:
    """Return the code that keeps every seat from acting now, draws that are due among the reasons."""
    code = why_no_draw_now(board, early)
    return 308 if not code and board.draws_due else code


@helper
def why_not_turn(board: Any, seat: int) -> int:
    """Return the code that keeps one seat from acting, 0 if none does."""
    if not is_in(board, seat):
        return 307
    return 0 if seat == board.turn else 301


@hot
def why_unplayable(rules: Any, total: int, card: int, plays_due: int, ono_99_played: int) -> int:
    """Return the code that keeps a known card from being played, 0 if none does."""
    if card == FOUR and (not rules.on_zero or total % 10 or ono_99_played):
        return 304
    if plays_due == 2 and BARRED_FIRST[card]:
        return 305
    if card == TEN_LESS and rules.floor == FLOOR_ILLEGAL and total < 10:
        return 317
    if not NEVER_OVER[card] and total + VALUE[card] > rules.max_total:
        return 303
    return 0


@helper
def playable_lanes(rules: Any, total: int, plays_due: int, ono_99_played: int) -> int:
    """Return the bits of a hand in which the cards are counted that can be played: see `why_unplayable`."""
    lanes = FREE_LANES
    room = rules.max_total - total
    if room > 0:
        lanes |= FITTING_LANES[min(room, MOST_VALUE)]
    if rules.on_zero and room >= 0 and not (total % 10 or ono_99_played):
        lanes |= FOUR_LANES
    if plays_due == 2:
        lanes &= ~BARRED_LANES
    if rules.floor == FLOOR_ILLEGAL and total < 10:
        lanes &= ~TEN_LESS_LANES
    return lanes


@helper
def can_play(board: Any, rules: Any, hand: int) -> bool:
    """Whether the seat to act, holding this hand, is known to be able to play."""
    lanes = playable_lanes(rules, board.total, board.plays_due, board.ono_99_played)
    return hand & lanes != 0 or (rules.four != FOUR_OFF and copies(hand, FOUR) >= 4)


@helper
def _must_open_with_number(board: Any, rules: Any, hand: int) -> bool:
    lanes = playable_lanes(rules, board.total, board.plays_due, board.ono_99_played)
    return hand & lanes & NUMBER_LANES != 0


@helper
def nobody_can_play(board: Any, rules: Any) -> tuple[bool, bool]:
    """Return whether no seat still in is known to be able to play, one card owed, and whether that is sure."""
    sure = True
    lanes = playable_lanes(rules, board.total, 1, 0)
    for seat in range(board.seats):
        if is_in(board, seat):
            hand = board.hands[seat]
            if hand & lanes or (rules.four != FOUR_OFF and copies(hand, FOUR) >= 4):
                return False, True
            sure = sure and not hidden(hand)
    return True, sure


@helper
def _may_end_unplayed(board: Any, rules: Any) -> bool:
    """Whether the round would be over if nobody could play."""
    return (
        rules.last_to_play
        and board.phase == PLAYING
        and board.last_to_play != NOBODY
        and is_in(board, board.last_to_play)
        and board.standing > 1
    )


@helper
def may_rest_on_last_to_play(board: Any, rules: Any) -> bool:
    """Whether only unknown cards keep the round from being over by `last_to_play`."""
    if board.draws_due or not _may_end_unplayed(board, rules):
        return False
    nobody, sure = nobody_can_play(board, rules)
    return nobody and not sure


@helper
def settle(board: Any, rules: Any) -> None:
    """End the round if no draw is due and it is known that nobody can play."""
    if board.draws_due == 0 and _may_end_unplayed(board, rules):
        nobody, sure = nobody_can_play(board, rules)
        if nobody and sure:
            end_play(board, board.last_to_play)


@helper
def end_play(board: Any, winner: int) -> None:
    """Let the round be over, all but its `round_end`."""
    board.phase = ROUND_OVER
    board.turn = NOBODY
    board.plays_due = board.second = board.ono_99_played = 0
    board.winner = winner


@helper
def drawable(board: Any, rules: Any) -> int:
    """Return how many cards can still be drawn, the discard pile reshuffled."""
    return board.draw_pile + to_reshuffle(board, rules)


@hot
def discard(board: Any, card: int, count: int) -> None:
    """Put copies of a card on the discard pile."""
    board.discard_pile += count
    board.piled += count
    board.discards[card] += count
    board.top = card


@inlined
def play(board: Any, rules: Any, seat: int, card: int, total: int) -> int:
    """Judge and carry out a `play`."""
    if board.phase != PLAYING or board.draws_due:
        return why_not_now(board, 207)
    if seat != board.turn:
        return why_not_turn(board, seat)
    if not rules.deck[card]:
        return 311
    hand = board.hands[seat]
    told = copies(hand, card) == 0
    if told:
        if not hidden(hand):
            return 302
        if board.sight[card] + 1 > rules.deck[card]:
            return 310
    code = why_unplayable(rules, board.total, card, board.plays_due, board.ono_99_played)
    if code:
        return code
    opening = rules.open_with_number and not board.opened and not NUMBER[card]
    if opening and _must_open_with_number(board, rules, hand):
        return 316
    after = board.total + VALUE[card]
    if after < 0 and card == TEN_LESS and rules.floor == FLOOR_CLAMP:
        after = 0
    if total != after:
        return 306
    hand = without(hand, card)
    if board.hides:
        board.unverified += told + (1 if opening and hidden(hand) else 0)
    board.hands[seat] = hand
    if told:
        board.sight[card] += 1
    board.total = total
    _pass_on(board, rules, seat, card)
    discard(board, card, 1)
    board.opened = 1
    board.last_to_play = board.drawer = seat
    board.bust_draw = 0
    board.draws_due = 1 if board.draw_pile != 0 or to_reshuffle(board, rules) > 0 else 0
    if not board.draws_due:
        settle(board, rules)
    return 0


@inlined
def _pass_on(board: Any, rules: Any, seat: int, card: int) -> None:
    """Say who is to act after a card, and what is owed."""
    two_left = REVERSES[card] and board.standing <= 2
    owed = board.plays_due == 2
    deflects = owed and DEFLECTS[card] and (not two_left or rules.reverse_deflects)
    if REVERSES[card] and not two_left:
        board.direction = -board.direction
    if owed and not deflects:
        board.plays_due, board.second = 1, 1
        if card == FOUR:
            board.ono_99_played = 1
    else:
        board.turn = next_seat(board, seat)
        board.plays_due = 2 if deflects or PAIR[card] else 1
        board.second = board.ono_99_played = 0


@helper
def _why_no_draw_due(board: Any, seat: int) -> int:
    if board.draws_due and seat == board.drawer:
        return 0
    code = why_no_draw_now(board, 207)
    if code:
        return code
    return 309 if is_in(board, seat) else 307


@inlined
def draw(board: Any, rules: Any, pool: Any, seat: int, card: int) -> int:
    """Judge and carry out a `draw`."""
    if not board.draws_due or seat != board.drawer:
        return _why_no_draw_due(board, seat)
    if not board.draw_pile:
        return 315
    following = next_card(board, pool)
    if card != UNKNOWN:
        if not rules.deck[card]:
            return 311
        if following != NO_CARD and following != card and following != UNKNOWN:
            return 318
        if board.sight[card] + 1 > rules.deck[card]:
            return 310
        board.sight[card] += 1
    elif board.hides and following != NO_CARD and following != UNKNOWN:
        board.unverified += 1
    board.draws_due -= 1
    board.draw_pile -= 1
    board.hands[seat] += one(card)
    settle(board, rules)
    return 0


@helper
def forfeit_draw(board: Any, rules: Any, seat: int) -> int:
    """Judge and carry out a `forfeit_draw`."""
    code = _why_no_draw_due(board, seat)
    if code:
        return code
    if not rules.may_forfeit or board.bust_draw:
        return 312
    board.draws_due = max(0, board.draws_due - 1)
    board.forfeits[seat] += 1
    settle(board, rules)
    return 0


@helper
def discard_four(board: Any, rules: Any, seat: int) -> int:
    """Judge and carry out a `discard_four`."""
    code = why_not_now(board, 207)
    if not code:
        code = why_not_turn(board, seat)
    if code:
        return code
    hand = board.hands[seat]
    known = min(4, copies(hand, FOUR))
    if rules.four == FOUR_OFF or known + hidden(hand) < 4:
        return 313
    if not rules.deck[FOUR]:
        return 311
    if known < 4 and board.sight[FOUR] + 4 - known > rules.deck[FOUR]:
        return 310
    if board.hides and known < 4:
        board.unverified += 1
    board.hands[seat] = hand - known * one(FOUR) - (4 - known) * one(UNKNOWN)
    board.sight[FOUR] += 4 - known
    if rules.four != FOUR_FREE:
        if board.plays_due == 2:
            board.plays_due, board.second = 1, 1
        else:
            board.turn = next_seat(board, seat)
            board.plays_due = 1
            board.second = board.ono_99_played = 0
        board.opened = 1
    else:
        board.turn = seat
    discard(board, FOUR, 4)
    board.draws_due = min(4, drawable(board, rules))
    board.drawer = seat
    board.bust_draw = 0
    settle(board, rules)
    return 0


@helper
def reshuffle(board: Any, rules: Any, pool: Any, count: int, more: int) -> int:
    """Judge and carry out a `reshuffle`."""
    code = why_no_draw_now(board, 207)
    if code:
        return code
    right = to_reshuffle(board, rules)
    if not board.draws_due or board.draw_pile or count != right:
        return 314
    told = pool[more]
    if told != ABSENT and (told != count or not _may_become(board, pool, more, right)):
        return 314
    kept = board.discard_pile - right
    stays = board.top if kept and board.piled else NO_CARD
    for card in range(UNKNOWN):
        board.sight[card] -= board.discards[card]
    for card in range(CARDS):
        board.discards[card] = 0
    board.piled = 0
    board.discard_pile = 0
    board.top = NO_CARD
    if stays != NO_CARD:
        discard(board, stays, 1)
        if stays != UNKNOWN:
            board.sight[stays] += 1
    board.discard_pile = kept
    board.draw_pile = count
    board.stack = more + 1
    board.stack_size = max(told, 0)
    return 0


@helper
def _may_become(board: Any, pool: Any, more: int, right: int) -> bool:
    """Whether the cards of a new draw pile can be those of the discard pile."""
    kept = board.discard_pile - right
    for card in range(CARDS):
        board.given[card] = board.discards[card]
    piled = board.piled
    if kept and piled:
        board.given[board.top] -= 1
        piled -= 1
    unseen = right - piled + board.given[UNKNOWN]
    for place in range(more + 1, more + 1 + pool[more]):
        card = pool[place]
        if card != UNKNOWN:
            board.given[card] -= 1
    surplus = 0
    for card in range(UNKNOWN):
        surplus += max(0, -board.given[card])
    return surplus <= unseen
