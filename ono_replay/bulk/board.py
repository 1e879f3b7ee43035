"""A game as it stands, in a few integers: the record that the kernel reads and writes, and hands in one word.

A hand is one integer: three bits for each kind of card count its copies, unknown cards among them. Seven
cards are the most that are held here; games with larger hands are left to the careful reader.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from ono_replay.bulk.jit import helper, hot, trailing_zeros
from ono_replay.bulk.layout import CARDS, NO_CARD, NOBODY, SEATS, UNKNOWN
from ono_replay.rules.cards import EFFECTS, ONO_99, ORDER, Effect

BEFORE_ROUND, DEALING, PLAYING, ROUND_OVER, MATCH_OVER, ENDED = range(6)
"""The phases of `rules.state`."""
FLOOR_NONE, FLOOR_CLAMP, FLOOR_ILLEGAL = range(3)
FOUR_OFF, FOUR_AS_PLAY, FOUR_FREE = range(3)
NO_POINTS, LAST_STANDING, LOW_SCORE = range(3)
ROUND_LOSER, LEFT_OF_DEALER, ANY_STARTER = range(3)

_I, _FLAG = np.int64, np.uint8
_BY_CARD = (np.int64, (CARDS,))

RULES = np.dtype(
    [
        ("max_total", _I),
        ("floor", _I),
        ("reverse_deflects", _I),
        ("four", _I),
        ("on_zero", _I),
        ("last_to_play", _I),
        ("may_forfeit", _I),
        ("open_with_number", _I),
        ("keep_top", _I),
        ("single", _I),
        ("chips_match", _I),
        ("points_match", _I),
        ("chips", _I),
        ("target", _I),
        ("starter", _I),
        ("players_min", _I),
        ("players_max", _I),
        ("deck_size", _I),
        ("deck", *_BY_CARD),
        ("deck_lanes", _I),  # of the cards that the deck has
    ],
    align=True,
)
"""A ruleset; `rulebook` makes these."""

BOARD = np.dtype(
    [
        # the round
        ("phase", _I),
        ("total", _I),
        ("direction", _I),
        ("turn", _I),
        ("plays_due", _I),
        ("second", _I),
        ("draws_due", _I),
        ("drawer", _I),
        ("bust_draw", _I),
        ("ono_99_played", _I),
        ("opened", _I),
        ("last_to_play", _I),
        ("winner", _I),
        ("number", _I),  # of the round
        ("starter", _I),
        ("standing", _I),  # seats still in the round
        ("first_out", _I),
        # the piles
        ("draw_pile", _I),
        ("discard_pile", _I),
        ("piled", _I),  # cards of the discard pile that are told one by one
        ("top", _I),  # the last of them
        ("stack", _I),  # where in the pool the order of the draw pile is recorded
        ("stack_size", _I),  # its length, 0 where it is not
        # the match
        ("seats", _I),
        ("dealer", _I),
        ("rounds", _I),
        ("next_starter", _I),
        ("starts_free", _I),  # the last round had no loser
        ("hides", _I),
        ("unverified", _I),
        # by seat
        ("hands", np.int64, (SEATS,)),
        ("forfeits", np.int64, (SEATS,)),
        ("chips", np.int64, (SEATS,)),
        ("scores", np.int64, (SEATS,)),
        ("out", _FLAG, (SEATS,)),
        ("gone", _FLAG, (SEATS,)),
        ("left", _FLAG, (SEATS,)),
        ("dealt", _FLAG, (SEATS,)),
        ("won", _FLAG, (SEATS,)),
        # by card
        ("sight", *_BY_CARD),
        ("discards", *_BY_CARD),
        ("front", *_BY_CARD),  # of a recorded deck: the cards that are to be dealt
        ("given", *_BY_CARD),  # and those that have been
    ],
    align=True,
)
"""The state of `rules.state`, and of its match, in integers; no seat is `NOBODY`."""


def _by_card(name: str) -> np.ndarray:
    """Return one column of the one table of what cards do."""
    told = [int(getattr(effect, name)) for effect in EFFECTS.values()]
    return np.array([*told, *[0] * (CARDS - len(told))], np.int64)


VALUE, NUMBER, REVERSES, PAIR, DEFLECTS, BARRED_FIRST, NEVER_OVER, POINTS = map(
    _by_card,
    ("value", "number", "reverses", "pair", "deflects", "barred_first", "never_over", "points"),
)
MOST_POINTS = int(POINTS.max())
MOST_HELD = 7
_LANE = 7


def lanes(which: Callable[[str, Effect], bool]) -> int:
    """Return the bits of a hand in which the copies of some cards are counted."""
    return sum(_LANE << (3 * ORDER[token]) for token, effect in EFFECTS.items() if which(token, effect))


NUMBER_LANES = lanes(lambda _, effect: effect.number)
BARRED_LANES = lanes(lambda _, effect: effect.barred_first)
FREE_LANES = lanes(lambda token, effect: effect.never_over and token != ONO_99)
"""The cards that can always be played as far as the limit is concerned."""
TEN_LESS_LANES = lanes(lambda token, _: token == "-10")
FOUR_LANES = lanes(lambda token, _: token == ONO_99)
MOST_VALUE = int(VALUE.max())
FITTING_LANES = np.array(
    [
        sum(_LANE << (3 * ORDER[token]) for token, effect in EFFECTS.items() if 0 < effect.value <= room)
        for room in range(MOST_VALUE + 1)
    ],
    np.int64,
)
"""The cards that may be played with so much room below the limit."""
NEVER_OVER_LANES = lanes(lambda _, effect: effect.never_over)
UNKNOWN_LANES = _LANE << (3 * UNKNOWN)
_EVERY_OTHER = sum(_LANE << (6 * pair) for pair in range((CARDS + 1) // 2))


@hot
def one(card: int) -> int:
    """Return the hand of one card."""
    return np.int64(1) << np.int64(3 * card)  # type: ignore[return-value]  # an int when compiled


@hot
def copies(hand: int, card: int) -> int:
    """Return how many copies of a card a hand holds."""
    return (hand >> (3 * card)) & _LANE


@hot
def hidden(hand: int) -> int:
    """Return how many cards of a hand are unknown."""
    return hand >> (3 * UNKNOWN)


@hot
def lowest(hand: int) -> int:
    """Return the first card, in the order of the rules, that a hand holds which is not empty."""
    return trailing_zeros(hand) // 3


@hot
def without_all(hand: int, card: int) -> int:
    """Return a hand without any copies of a card."""
    return hand - copies(hand, card) * one(card)


@hot
def size(hand: int) -> int:
    """Return how many cards a hand holds."""
    # Two kinds of cards in six bits each: their sum is what is left of a division by 2 to the 6, less 1.
    return ((hand & _EVERY_OTHER) + ((hand >> 3) & _EVERY_OTHER)) % 63


@hot
def without(hand: int, card: int) -> int:
    """Return a hand without a card, or, where it is not there, without an unknown one."""
    if copies(hand, card):
        return hand - one(card)
    return hand - one(UNKNOWN) if hidden(hand) else hand


@hot
def is_in(board: Any, seat: int) -> bool:
    """Whether a seat is still in the round."""
    return not (board.out[seat] or board.gone[seat])


@hot
def next_seat(board: Any, seat: int) -> int:
    """Return the next seat in the direction of play that is still in, `seat` itself if it is alone."""
    seats, step = board.seats, board.direction
    candidate = seat
    for _ in range(seats):
        candidate += step
        if candidate < 0:
            candidate = seats - 1
        elif candidate >= seats:
            candidate = 0
        if candidate == seat or is_in(board, candidate):
            break
    return candidate


@helper
def standing_seat(board: Any) -> int:
    """Return the only seat still in the round, `NOBODY` where there are several or none."""
    if board.standing == 1:
        for seat in range(board.seats):
            if is_in(board, seat):
                return seat
    return NOBODY


@helper
def next_in(board: Any, seat: int) -> int:
    """Return the next seat clockwise that is still in the match."""
    for step in range(1, board.seats + 1):
        candidate = (seat + step) % board.seats
        if not board.gone[candidate]:
            return candidate
    return seat


@helper
def in_match(board: Any) -> int:
    """Count the seats still in the match."""
    count = 0
    for seat in range(board.seats):
        count += not board.gone[seat]
    return count


@hot
def next_card(board: Any, pool: Any) -> int:
    """Return the top of the draw pile where its order is recorded, else `NO_CARD`."""
    if 0 < board.draw_pile <= board.stack_size:
        return pool[board.stack + board.stack_size - board.draw_pile]
    return NO_CARD


@hot
def to_reshuffle(board: Any, rules: Any) -> int:
    """Return how many cards a reshuffle makes into a new draw pile."""
    return board.discard_pile - (1 if rules.keep_top and board.discard_pile else 0)


@helper
def set_up(board: Any, rules: Any, seats: int, hides: int) -> None:
    """Make the board that of a game before its first round."""
    board.phase = BEFORE_ROUND
    board.number = board.rounds = board.starts_free = board.draws_due = board.unverified = 0
    board.seats, board.hides = seats, hides
    board.dealer = board.next_starter = board.turn = NOBODY
    for seat in range(seats):
        board.gone[seat] = board.won[seat] = 0
        board.chips[seat] = rules.chips
        board.scores[seat] = 0
    clear_round(board)


@helper
def clear_round(board: Any) -> None:
    """Take everything of the last round off the board."""
    board.total = board.plays_due = board.second = board.draws_due = board.bust_draw = 0
    board.ono_99_played = board.opened = board.discard_pile = board.piled = board.stack_size = 0
    board.direction = 1
    board.turn = board.drawer = board.last_to_play = board.winner = board.first_out = NOBODY
    board.top = NO_CARD
    board.standing = in_match(board)
    for seat in range(board.seats):
        board.hands[seat] = board.forfeits[seat] = 0
        board.out[seat] = board.left[seat] = board.dealt[seat] = 0
    for card in range(CARDS):
        board.sight[card] = board.discards[card] = 0
