"""The rows of one event on its way through `derive`: of itself, of a choice, of an elimination."""

from typing import Any

from ono_replay.bulk.board import FOUR_OFF, MOST_HELD, NUMBER_LANES, copies, hidden, lowest, without_all
from ono_replay.bulk.counting import (
    BUSTED,
    count_choice,
    count_fall,
    seat_or_nothing,
)
from ono_replay.bulk.facts import (
    AT_DECISION,
    AT_DETAIL,
    AT_EVENT,
    AT_FALL,
    BUST,
    DECISION,
    DETAIL,
    DETAIL_CARDS,
    DISCARDED_FOUR,
    EVENT,
    FALL,
    FALL_HAND,
    FIRST_CARD,
    HAND_CARDS,
    HANDS,
    HEAD_PLAYS,
    HELD,
    LEFT_TABLE,
    LEGAL,
    NEVER,
    NOTHING,
    ONLY_ONO_99,
    REST,
    SECOND_CARD,
    SEEN,
    TIMED_OUT,
)
from ono_replay.bulk.jit import helper, hot, store8
from ono_replay.bulk.layout import (
    ABSENT,
    DEAL,
    DISCARD_FOUR,
    DRAW,
    ELIMINATE,
    FORFEIT_DRAW,
    FOUR,
    LEFT,
    NO_CARD,
    NO_LEGAL_PLAY,
    PLAY,
    RESHUFFLE,
    ROUND_START,
    TIMEOUT,
)
from ono_replay.bulk.turns import playable_lanes
from ono_replay.bulk.wording import copy_rest

# --- rows of events ---------------------------------------------------------------------------------


@hot
def event_row(
    walk: Any,
    board: Any,
    numbers: Any,
    text: Any,
    kind: int,
    seat: int,
    card: int,
    seq: int,
    at_ms: int,
    had_state: int,
) -> None:
    """Write the row of an event."""
    row = walk.count[EVENT]
    walk.count[EVENT] += 1
    numbers[AT_EVENT + 0, row], numbers[AT_EVENT + 1, row], numbers[AT_EVENT + 3, row] = walk.game, seq, kind
    acts = kind in (DEAL, PLAY, DRAW, FORFEIT_DRAW, DISCARD_FOUR, ELIMINATE)
    numbers[AT_EVENT + 4, row] = seat if acts else NOTHING
    numbers[AT_EVENT + 5, row] = NOTHING if card == NO_CARD else card
    numbers[AT_EVENT + 15, row] = at_ms if at_ms >= 0 else NEVER
    if not walk.has_state:
        numbers[AT_EVENT + 2, row] = NOTHING
        for column in range(6, 14):
            numbers[AT_EVENT + column, row] = NOTHING
        numbers[AT_EVENT + 14, row] = walk.count[HANDS]
        return
    numbers[AT_EVENT + 2, row] = board.number
    numbers[AT_EVENT + 6, row], numbers[AT_EVENT + 7, row] = (
        board.total,
        (walk.total if had_state else NOTHING),
    )
    numbers[AT_EVENT + 8, row], numbers[AT_EVENT + 9, row] = board.direction, seat_or_nothing(board.turn)
    numbers[AT_EVENT + 10, row], numbers[AT_EVENT + 11, row] = board.plays_due, board.second
    numbers[AT_EVENT + 12, row], numbers[AT_EVENT + 13, row] = board.draw_pile, board.discard_pile
    place, begun = walk.count[HANDS], walk.count[HAND_CARDS]
    for holder in range(board.seats):
        end = _write_hand(walk, holder, board.hands[holder], text, begun)
        text[place] = end - begun
        begun = end
        place += 1
    walk.count[HANDS], walk.count[HAND_CARDS] = place, begun
    numbers[AT_EVENT + 14, row] = place


@hot
def _write_hand(walk: Any, seat: int, hand: int, text: Any, at: int) -> int:
    """Write the cards of a hand, which mostly is what it was before; return the place after them."""
    if walk.hands[seat] != hand:
        walk.hands[seat] = hand
        walk.laid_out[seat] = _lay_out(hand)
    cards = walk.laid_out[seat]
    store8(text.ctypes.data + at, cards)
    return at + (cards >> (8 * MOST_HELD))


@helper
def _lay_out(hand: int) -> int:
    """Return the cards of a hand, a byte each, and in the highest byte how many they are."""
    cards = size = 0
    while hand:
        card = lowest(hand)
        for _ in range(copies(hand, card)):
            cards |= card << (8 * size)
            size += 1
        hand = without_all(hand, card)
    return cards | size << (8 * MOST_HELD)


@helper
def detail_row(
    line: int, walk: Any, pool: Any, numbers: Any, text: Any, kind: int, more: int, seq: int, odd: int
) -> None:
    """Write what a line says more than the row of its event, if it does."""
    cards = ABSENT
    at = more + 1 if kind == ROUND_START else more
    if kind in (DEAL, RESHUFFLE, ELIMINATE, ROUND_START):
        cards = pool[at]
    rest = walk.count[REST]
    if odd or kind not in (DEAL, FORFEIT_DRAW, DISCARD_FOUR):
        rest = copy_rest(line, text, rest)
    if cards == ABSENT and rest == walk.count[REST]:
        return
    row = walk.count[DETAIL]
    walk.count[DETAIL] += 1
    end = walk.count[DETAIL_CARDS]
    for place in range(at + 1, at + 1 + cards):
        text[end] = pool[place]
        end += 1
    (
        numbers[AT_DETAIL + 0, row],
        numbers[AT_DETAIL + 1, row],
        numbers[AT_DETAIL + 2, row],
        numbers[AT_DETAIL + 3, row],
    ) = walk.game, seq, cards != ABSENT, end
    numbers[AT_DETAIL + 4, row], numbers[AT_DETAIL + 5, row] = rest != walk.count[REST], rest
    walk.count[DETAIL_CARDS], walk.count[REST] = end, rest


# --- choices ----------------------------------------------------------------------------------------


@hot
def note_choice(walk: Any, board: Any, rules: Any, text: Any, seat: int) -> None:
    """Write down the hand of a seat and what of it could be played."""
    hand = board.hands[seat]
    walk.hand = hand
    walk.count[HELD] = _write_hand(walk, seat, hand, text, walk.count[HELD])
    walk.n_legal = 0
    if hidden(hand):
        return
    lanes = hand & playable_lanes(rules, board.total, board.plays_due, board.ono_99_played)
    if rules.open_with_number and not board.opened and lanes & NUMBER_LANES:
        lanes &= NUMBER_LANES
    begun = end = walk.count[LEGAL]
    while lanes:
        text[end] = lowest(lanes)
        end += 1
        lanes = without_all(lanes, lowest(lanes))
    if rules.four != FOUR_OFF and copies(hand, FOUR) >= 4:
        text[end] = DISCARDED_FOUR
        end += 1
    walk.n_legal = end - begun
    walk.count[LEGAL] = end


@hot
def choose(
    walk: Any, board: Any, rules: Any, numbers: Any, kind: int, seat: int, card: int, seq: int, at_ms: int
) -> None:
    """Count a choice and write its row."""
    think_ms = NEVER
    if at_ms >= 0 and walk.before_ms != NEVER:
        think_ms = at_ms - walk.before_ms
    count_choice(walk, board, rules, numbers, kind, seat, card, think_ms)
    if walk.n_plays == HEAD_PLAYS and walk.head_end == NOTHING:
        walk.head_end = walk.count[SEEN]
    row = walk.count[DECISION]
    walk.count[DECISION] += 1
    (
        numbers[AT_DECISION + 0, row],
        numbers[AT_DECISION + 1, row],
        numbers[AT_DECISION + 2, row],
        numbers[AT_DECISION + 3, row],
    ) = walk.game, seq, board.number, seat
    numbers[AT_DECISION + 4, row], numbers[AT_DECISION + 5, row], numbers[AT_DECISION + 6, row] = (
        walk.total,
        walk.plays_due,
        walk.second,
    )
    numbers[AT_DECISION + 7, row], numbers[AT_DECISION + 8, row] = walk.count[HELD], walk.count[LEGAL]
    numbers[AT_DECISION + 9, row] = card if kind == PLAY else DISCARDED_FOUR
    numbers[AT_DECISION + 10, row] = NOTHING if hidden(walk.hand) else walk.n_legal == 1
    numbers[AT_DECISION + 11, row], numbers[AT_DECISION + 12, row] = board.total, walk.play
    numbers[AT_DECISION + 13, row] = kind == PLAY and board.plays_due == 2
    numbers[AT_DECISION + 14, row] = think_ms


@helper
def fall(walk: Any, board: Any, numbers: Any, text: Any, seat: int, card: int, reason: int, seq: int) -> None:
    """Count an elimination and write its row."""
    if card != NO_CARD:
        walk.uses[seat, card, BUSTED] += 1
    count_fall(walk, numbers, seat, reason == NO_LEGAL_PLAY)
    hand = board.hands[seat]
    row = walk.count[FALL]
    walk.count[FALL] += 1
    walk.count[FALL_HAND] = _write_hand(walk, seat, hand, text, walk.count[FALL_HAND])
    (
        numbers[AT_FALL + 0, row],
        numbers[AT_FALL + 1, row],
        numbers[AT_FALL + 2, row],
        numbers[AT_FALL + 3, row],
    ) = walk.game, seq, board.number, seat
    numbers[AT_FALL + 4, row], numbers[AT_FALL + 5, row] = reason, _cause(walk, reason, card, seat, hand)
    numbers[AT_FALL + 6, row], numbers[AT_FALL + 7, row] = board.total, walk.count[FALL_HAND]
    numbers[AT_FALL + 8, row], numbers[AT_FALL + 9, row] = walk.set_by, walk.set_by_card
    numbers[AT_FALL + 10, row], numbers[AT_FALL + 11, row] = board.standing, walk.play


@helper
def _cause(walk: Any, reason: int, card: int, seat: int, hand: int) -> int:
    if reason == LEFT:
        return LEFT_TABLE
    if reason == TIMEOUT:
        return TIMED_OUT
    if card != NO_CARD:
        return BUST
    if hand and not hand & ~(7 << (3 * FOUR)):
        return ONLY_ONO_99
    return SECOND_CARD if walk.second and walk.turn == seat else FIRST_CARD
