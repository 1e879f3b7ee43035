"""The cards of both editions: their tokens, what each does, and hands as sorted tuples of tokens.

A card is its token of schemas/RULES.md section 2, a plain string; an unknown card is `HIDDEN`. The one table of
what cards do is `EFFECTS`.
"""

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

import msgspec

if TYPE_CHECKING:
    CardOrHidden = str
else:
    # The decoder of lines turns away what is no card; everywhere else a card is any string.
    CardOrHidden = Literal[
        "0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10",
        "-10", "reverse", "hold", "double_play", "play_2", "ono_99", "?",
    ]  # fmt: skip
    """A card, or `"?"` for one that the log does not know."""

HIDDEN = "?"
ONO_99 = "ono_99"
DISCARD_FOUR = "discard_four"
"""How the four-card discard is written among the legal plays."""

Hand = tuple[str, ...]
"""Cards held, in the order of schemas/RULES.md section 2, unknown ones last."""


class Effect(msgspec.Struct, frozen=True):
    """What one kind of card does when it is played (schemas/RULES.md sections 2, 5, 6 and 8)."""

    value: int = 0
    """Added to the total; before `minus_ten_floor`."""
    number: bool = False
    """A number card, `0` to `10`."""
    reverses: bool = False
    pair: bool = False
    """A pair card: the next player owes two."""
    deflects: bool = False
    """As first card of a forced pair it passes the two on."""
    barred_first: bool = False
    """It may not be the first card of a forced pair."""
    never_over: bool = False
    """It can always be played as far as the limit is concerned."""
    points: int = 15
    """Scored when left in hand in a points match."""


EFFECTS: dict[str, Effect] = {
    "0": Effect(number=True, never_over=True, points=0),
    **{str(face): Effect(value=face, number=True, points=face) for face in range(1, 11)},
    "-10": Effect(value=-10, never_over=True),
    "reverse": Effect(reverses=True, deflects=True, never_over=True),
    "hold": Effect(deflects=True, never_over=True),
    "double_play": Effect(pair=True, barred_first=True, never_over=True),
    "play_2": Effect(pair=True, deflects=True, never_over=True),
    "ono_99": Effect(points=20),
}
"""What each card does, by token, in the order of schemas/RULES.md section 2."""

TOKENS: tuple[str, ...] = tuple(EFFECTS)
ORDER: dict[str, int] = {token: place for place, token in enumerate((*TOKENS, HIDDEN))}
"""Place of each token in a sorted hand; `HIDDEN` is last."""

LANE_BITS = 32
"""Copies of a token are counted in lanes of one integer, this many bits for each token."""
LANE_MASK = (1 << LANE_BITS) - 1
ONE_COPY: dict[str, int] = {token: 1 << (LANE_BITS * ORDER[token]) for token in TOKENS} | {HIDDEN: 0}
"""The integer that counts one copy of a token; an unknown card counts nothing."""


def sort_cards(cards: Iterable[str]) -> Hand:
    """Return the cards as a hand.

    >>> sort_cards(["?", "-10", "10", "0"])
    ('0', '10', '-10', '?')
    """
    return tuple(sorted(cards, key=ORDER.__getitem__))


@lru_cache(maxsize=1 << 16)
def add_card(hand: Hand, card: str) -> Hand:
    """Return the hand with one card more.

    >>> add_card(("2", "9"), "7")
    ('2', '7', '9')
    """
    return sort_cards((*hand, card))


@lru_cache(maxsize=1 << 16)
def remove_card(hand: Hand, card: str) -> Hand:
    """Return the hand without one copy of the card, or, where it is not there, without one unknown card.

    A hand that holds neither comes back as it is.

    >>> remove_card(("2", "9", "?"), "7")
    ('2', '9')
    """
    gone = card if card in hand else HIDDEN
    if gone not in hand:
        return hand
    place = hand.index(gone)
    return hand[:place] + hand[place + 1 :]


@lru_cache(maxsize=1 << 14)
def merge_hand(hand: Hand, shown: Hand) -> Hand | None:
    """Return a hand with its unknown cards told by a shown one, or None if the two contradict.

    Either may hold unknown cards; what both leave unknown stays so.

    >>> merge_hand(("7", "?"), ("7", "9"))
    ('7', '9')
    """
    if hand == shown:
        return hand
    if len(hand) != len(shown):
        return None
    known = Counter(card for card in hand if card != HIDDEN)
    told = Counter(card for card in shown if card != HIDDEN)
    if (known - told).total() > shown.count(HIDDEN) or (told - known).total() > hand.count(HIDDEN):
        return None
    merged = list((known | told).elements())
    return sort_cards([*merged, *[HIDDEN] * (len(hand) - len(merged))])


def count_copies(cards: Iterable[str]) -> int:
    """Count known cards into one integer with a lane for each token (see `copies_of`)."""
    return sum([ONE_COPY[card] for card in cards])


def copies_of(counted: int, token: str) -> int:
    """Return how many copies of a token a `count_copies` integer holds.

    >>> copies_of(count_copies(["7", "7", "?"]), "7")
    2
    """
    return (counted >> (LANE_BITS * ORDER[token])) & LANE_MASK
