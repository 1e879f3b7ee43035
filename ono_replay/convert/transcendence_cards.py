"""The cards of the engine `0yech/transcendence`: how it names them, and what a seed makes of them.

>>> token_of("MINUS_TEN_-10_7")
'-10'
"""

import re
from collections import deque
from collections.abc import Iterable, Mapping
from typing import Any

from ono_replay.rules.cards import HIDDEN, ONO_99
from ono_replay.rules.ruleset import EDITIONS
from ono_replay.rules.setup import HAND_SIZE
from ono_replay.simulate.shuffle import TRANSCENDENCE, algorithm_named, reshuffled

KINDS: dict[str, tuple[str, str]] = {
    **{str(face): ("NUMBER", str(face)) for face in range(11)},
    "-10": ("MINUS_TEN", "-10"),
    "reverse": ("REVERSE", "Reverse"),
    "play_2": ("PLAY_TWO", "Play2"),
    ONO_99: ("ONO99", "ONO99"),
}
"""The type and the label of each token."""
_TOKENS = {kind: token for token, kind in KINDS.items()}
_OF_LABEL = {label: token for token, (_, label) in KINDS.items()}
_OF_TYPE = {kind: token for token, (kind, _) in KINDS.items() if kind != "NUMBER"}
_CARD_ID = re.compile(r"(NUMBER|MINUS_TEN|REVERSE|PLAY_TWO|ONO99)_([^_]+)_[0-9]{1,3}")
_DECK = EDITIONS["2022"].deck


def token_of(card_id: object) -> str | None:
    """Return the token of a card's id, None for what is no id of a card."""
    match = _CARD_ID.fullmatch(card_id) if isinstance(card_id, str) else None
    return _TOKENS.get((match[1], match[2])) if match else None


def card_ids(token: str) -> list[str]:
    """Return the ids of all copies of a card.

    >>> card_ids("play_2")[-1]
    'PLAY_TWO_Play2_9'
    """
    kind, label = KINDS[token]
    return [f"{kind}_{label}_{copy}" for copy in range(_DECK[token])]


def told_tokens(payload: Mapping[str, Any]) -> list[str]:
    """Return the tokens that the payload of a play names: one, if it is at one with itself.

    >>> told_tokens({"cardId": "NUMBER_7_2", "card": {"type": "NUMBER", "value": 9, "label": "9"}})
    ['7', '9']
    """
    card = payload.get("card")
    told = [token_of(payload.get("cardId"))]
    if isinstance(card, dict):
        kind, value, label = card.get("type"), card.get("value"), card.get("label")
        if kind == "NUMBER":
            told.append(str(value) if type(value) is int and 0 <= value <= 10 else None)
        elif isinstance(kind, str):
            told.append(_OF_TYPE.get(kind))
        if isinstance(label, str):
            told.append(_OF_LABEL.get(label))
    return list(dict.fromkeys(token for token in told if token is not None))


class SeededCards:
    """All cards of a game, derived from its seed: dealt, drawn and reshuffled as the engine does it.

    >>> cards = SeededCards("kitchen", seats=2)
    >>> len(cards.deck), cards.deal(1) == cards.deck[1:8:2]
    (112, True)
    """

    def __init__(self, seed: str, *, seats: int) -> None:
        """Shuffle and deal."""
        algorithm = algorithm_named(TRANSCENDENCE)
        ids = algorithm(seed, [one for token in algorithm.order if token in KINDS for one in card_ids(token)])
        dealt = HAND_SIZE * seats
        self.deck: tuple[str, ...] | None = _tokens(ids)
        self.hands: list[list[str]] = [list(ids[seat:dealt:seats]) for seat in range(seats)]
        """The ids of the cards held, by seat, as they lie in the hand."""
        self._seed = seed
        self._pile = deque(ids[dealt:])
        self._discards: list[str] = []
        self._reshuffles = 0

    def deal(self, seat: int) -> tuple[str, ...]:
        """Return the four cards that a seat is dealt."""
        return _tokens(self.hands[seat])

    def play(self, seat: int, token: str, card_id: object = None) -> int | None:
        """Take a card out of a hand to the discard pile.

        Returns its slot, from 1, if the hand holds the very card; else a card of the same token is taken,
        if there is one.
        """
        hand = self.hands[seat]
        held = card_id if card_id in hand else None
        taken = held or next((one for one in hand if token_of(one) == token), None)
        slot = hand.index(taken) + 1 if taken is not None else None
        if taken is not None:
            hand.remove(taken)
        self._discards.append(taken or card_ids(token)[0])
        return slot if held is not None else None

    def discard_four(self, seat: int) -> None:
        """Take four `ono_99` out of a hand to the discard pile, as they lie in the hand."""
        hand = self.hands[seat]
        taken = [one for one in hand if token_of(one) == ONO_99][:4]
        self.hands[seat] = [one for one in hand if one not in taken]
        self._discards += [*taken, *card_ids(ONO_99)[: 4 - len(taken)]]

    def draw(self, seat: int) -> str:
        """Return the card that a seat draws; it is put at the end of the hand."""
        drawn = self._pile.popleft()
        self.hands[seat].append(drawn)
        return token_of(drawn) or HIDDEN

    def reshuffle(self) -> tuple[str, ...]:
        """Make the discard pile the new draw pile and return it, top first."""
        ids = reshuffled(TRANSCENDENCE, self._seed, self._discards, self._reshuffles)
        self._reshuffles += 1
        self._pile = deque(ids)
        self._discards = []
        return _tokens(ids)

    def labels(self, seat: int) -> list[str]:
        """Return what the engine prints on the cards of a hand."""
        return [KINDS[token][1] for token in _tokens(self.hands[seat])]


def _tokens(ids: Iterable[str]) -> tuple[str, ...]:
    return tuple(token_of(one) or HIDDEN for one in ids)
