"""What is counted of a game at import, so that statistics need not go through its events."""

from collections import Counter
from collections.abc import Iterable, Sequence
from operator import add
from typing import Any

import msgspec

from ono_replay.rules.cards import EFFECTS, HIDDEN, ONO_99, ORDER
from ono_replay.rules.state import State

PHASE = 10
"""Choices of a round that make one phase."""

_USE = (
    "dealt", "drawn", "plays", "plays_first", "plays_second", "passed_on", "deflected", "forced", "change",
    "fatal", "discarded", "bust", "kept",
)  # fmt: skip
_DEALT, _DRAWN, _PLAYS, _FIRST, _SECOND, _PASSED, _DEFLECTED, _FORCED, _CHANGE, _FATAL, _DISCARDED, _BUST, _KEPT = range(
    len(_USE)
)  # fmt: skip
_HELPERS = frozenset(card for card, effect in EFFECTS.items() if effect.never_over)


class CardUse:
    """Counts what became of the cards; `rows` gives those of the view `card_use`."""

    def __init__(self) -> None:
        """Begin with nothing counted."""
        self._counts: dict[tuple[int, str], list[int]] = {}

    def _of(self, seat: int, card: str) -> list[int]:
        counts = self._counts.get((seat, card))
        if counts is None:
            counts = self._counts[seat, card] = [0] * len(_USE)
        return counts

    def deal(self, seat: int, cards: Iterable[str]) -> None:
        """Count cards dealt."""
        for card in cards:
            self._of(seat, card)[_DEALT] += 1

    def draw(self, seat: int, card: str) -> None:
        """Count a card drawn."""
        self._of(seat, card)[_DRAWN] += 1

    def play(
        self, seat: int, card: str, before: State, after: State, *, deflects: bool, forced: bool | None
    ) -> None:
        """Count a card played; `deflects` where it passed a pair on."""
        counts = self._of(seat, card)
        counts[_PLAYS] += 1
        counts[_FIRST] += before.plays_due == 2
        counts[_SECOND] += before.second
        counts[_PASSED] += after.plays_due == 2
        counts[_DEFLECTED] += deflects
        counts[_FORCED] += forced is True
        counts[_CHANGE] += after.total - before.total

    def discard_four(self, seat: int) -> None:
        """Count a four-card discard."""
        self._of(seat, ONO_99)[_DISCARDED] += 4

    def bust(self, seat: int, card: str) -> None:
        """Count a bust card."""
        self._of(seat, card)[_BUST] += 1

    def fatal(self, seat: int, card: str) -> None:
        """Count the fall of a player under a total that `seat` had set with `card`."""
        self._of(seat, card)[_FATAL] += 1

    def keep(self, hands: Sequence[Iterable[str]]) -> None:
        """Count the cards in hand at the end of a round."""
        for seat, hand in enumerate(hands):
            for card in hand:
                self._of(seat, card)[_KEPT] += 1

    def rows(self, game_id: str) -> Iterable[tuple[Any, ...]]:
        """Yield the rows."""
        for seat, card in sorted(self._counts, key=lambda key: (key[0], ORDER[key[1]])):
            counts = self._counts[seat, card]
            yield (game_id, seat, card, *counts)

    def totals(self, game_id: str) -> Iterable[tuple[Any, ...]]:
        """Yield the rows of the view `card_totals`."""
        sums: dict[str, list[int]] = {}
        for (_, card), counts in self._counts.items():
            known = sums.get(card)
            sums[card] = counts if known is None else list(map(add, known, counts))
        for card in sorted(sums, key=ORDER.__getitem__):
            yield (game_id, card, *sums[card])


_N, _TOTAL, _NEAR, _KNOWN, _CARDS, _ONO_99S, _HELD, _PHASE_FORCED, _TIMED, _TIME = range(10)


class Phases:
    """Sums over ten choices each; `rows` gives those of the view `phases`."""

    def __init__(self, max_total: int) -> None:
        """Begin with nothing counted."""
        self._near = max_total - PHASE
        self._sums: dict[tuple[int, int], list[int]] = {}

    def choice(
        self,
        seat: int,
        play: int,
        total: int,
        hand: tuple[str, ...],
        *,
        forced: bool | None,
        think_ms: int | None,
    ) -> None:
        """Count the choice number `play` of a round, made at a total with a hand."""
        key = (seat, (play - 1) // PHASE)
        sums = self._sums.get(key)
        if sums is None:
            sums = self._sums[key] = [0] * 10
        sums[_N] += 1
        sums[_TOTAL] += total
        sums[_NEAR] += total > self._near
        if HIDDEN not in hand:
            sums[_KNOWN] += 1
            sums[_CARDS] += len(hand)
            sums[_ONO_99S] += hand.count(ONO_99)
            sums[_HELD] += sum([card in _HELPERS for card in hand])
            sums[_PHASE_FORCED] += forced is True
        if think_ms is not None:
            sums[_TIMED] += 1
            sums[_TIME] += think_ms

    def rows(self, game_id: str) -> Iterable[tuple[Any, ...]]:
        """Yield the rows."""
        for key in sorted(self._sums):
            yield (game_id, *key, *self._sums[key])


class SeatSums(msgspec.Struct):
    """Counts of one player over a game, for the view `players`, in the order of its columns."""

    n_rounds: int = 0
    rounds_won: int = 0
    n_plays: int = 0
    n_decisions: int = 0
    n_known: int = 0
    n_forced: int = 0
    n_legal: int = 0
    n_falls: int = 0
    n_set: int = 0
    n_set_own: int = 0
    pairs_started: int = 0
    pairs_passed: int = 0
    pairs_hit: int = 0
    pairs_survived: int = 0
    n_timed: int = 0
    time_ms: int = 0


def count_codes(codes: Iterable[tuple[str, str]]) -> list[tuple[str, str, int]]:
    """Return codes with their severity and how often each comes, in order.

    >>> count_codes([("ONO205", "warning"), ("ONO108", "note"), ("ONO205", "warning")])
    [('ONO108', 'note', 1), ('ONO205', 'warning', 2)]
    """
    return [(*code, n) for code, n in sorted(Counter(codes).items())]
