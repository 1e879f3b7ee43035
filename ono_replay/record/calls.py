"""One call for each event type that a game is recorded with."""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Any

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from ono_replay.log.lines import one_or_many
from ono_replay.record import due
from ono_replay.record.refusal import Refusal
from ono_replay.rules.cards import EFFECTS, HIDDEN
from ono_replay.rules.events import (
    Cards,
    Comment,
    Deal,
    DiscardFour,
    Draw,
    Eliminate,
    EliminationReason,
    Event,
    ForfeitDraw,
    GameEnd,
    GameStart,
    Play,
    Reshuffle,
    Shuffle,
)
from ono_replay.rules.legality import cards_to_reshuffle
from ono_replay.rules.playable import total_after
from ono_replay.rules.setup import HAND_SIZE
from ono_replay.rules.state import State

Meta = dict[str, Any] | None


class Calls(ABC):
    """The calls of a recorder, an event each.

    All return None, or the refusal of an event that breaks a rule. With `irregular=True` an event that
    breaks a rule of play is let stand; `meta` is kept with the event and means nothing to a reader.
    """

    @property
    @abstractmethod
    def state(self) -> State:
        """The state after the last event that stands."""

    @property
    @abstractmethod
    def start(self) -> GameStart:
        """The first event."""

    @abstractmethod
    def write(self, *events: Event) -> Refusal | None:
        """Write events."""

    def start_round(
        self,
        *,
        starter: int | None = None,
        dealer: int | None = None,
        deck: str | Iterable[str] | None = None,
        shuffle: Shuffle | None = None,
        meta: Meta = None,
    ) -> Refusal | None:
        """Begin the next round; what is not given of `starter` and `dealer` follows from the rules."""
        first = self.start.dealer if dealer is None else dealer
        start = due.round_start(self.state, dealer=first, starter=starter)
        return self.write(
            replace(
                start,
                starter=start.starter if starter is None else starter,
                dealer=start.dealer if dealer is None else dealer,
                deck=_cards(deck),
                shuffle=shuffle,
                meta=_meta(meta),
            )
        )

    def deal(
        self, seat: int, cards: str | Iterable[str] | None = None, *, meta: Meta = None
    ) -> Refusal | None:
        """Deal a seat its four cards; unknown ones where none are given."""
        hand = _cards(cards)
        return self.write(Deal(0, seat, (HIDDEN,) * HAND_SIZE if hand is None else hand, meta=_meta(meta)))

    def play(
        self, seat: int, card: str, total: int | None = None, *, irregular: bool = False, meta: Meta = None
    ) -> Refusal | None:
        """Play a card; `total` is what was announced, without it what is right."""
        if total is None:
            total = total_after(self.state.ruleset, self.state.total, card) if card in EFFECTS else 0
        return self.write(Play(0, seat, card, total, irregular=irregular, meta=_meta(meta)))

    def draw(
        self, seat: int, card: str = HIDDEN, *, irregular: bool = False, meta: Meta = None
    ) -> Refusal | None:
        """Draw a card, an unknown one where none is given."""
        return self.write(Draw(0, seat, card, irregular=irregular, meta=_meta(meta)))

    def forfeit_draw(self, seat: int, *, irregular: bool = False, meta: Meta = None) -> Refusal | None:
        """Lose the draw that is due."""
        return self.write(ForfeitDraw(0, seat, irregular=irregular, meta=_meta(meta)))

    def discard_four(self, seat: int, *, irregular: bool = False, meta: Meta = None) -> Refusal | None:
        """Discard four `ono_99`."""
        return self.write(DiscardFour(0, seat, irregular=irregular, meta=_meta(meta)))

    def reshuffle(
        self, deck: str | Iterable[str] | None = None, *, irregular: bool = False, meta: Meta = None
    ) -> Refusal | None:
        """Make the discard pile the draw pile, in the order `deck` where that is known."""
        count = cards_to_reshuffle(self.state)
        return self.write(Reshuffle(0, count, _cards(deck), irregular=irregular, meta=_meta(meta)))

    def eliminate(
        self,
        seat: int,
        reason: EliminationReason = "no_legal_play",
        *,
        card: str | None = None,
        hand: str | Iterable[str] | None = None,
        irregular: bool = False,
        meta: Meta = None,
    ) -> Refusal | None:
        """Put a seat out of the round, with its bust card (points matches) and the hand it lays down."""
        return self.write(
            Eliminate(0, seat, reason, card, _cards(hand), irregular=irregular, meta=_meta(meta))
        )

    def end_round(
        self, points: due.Points | None = None, *, seed: str | None = None, meta: Meta = None
    ) -> Refusal | None:
        """End the round that is over; winner, loser, chips and scores follow from the state.

        `points` of this round by seat need to be given where hands are unknown; without them unknown cards
        count nothing.
        """
        return self.write(replace(due.round_end(self.state, points, seed), meta=_meta(meta)))

    def end_game(self, *, meta: Meta = None) -> Refusal | None:
        """End the match that is decided."""
        return self.write(replace(due.game_end(self.state), meta=_meta(meta)))

    def abandon(self, *, meta: Meta = None) -> Refusal | None:
        """Break the game off."""
        return self.write(GameEnd(0, winners=(), reason="abandoned", meta=_meta(meta)))

    def comment(self, text: str, ref: int | None = None, *, meta: Meta = None) -> Refusal | None:
        """Add a remark, on the event `ref` if one is meant."""
        return self.write(Comment(0, text=text, ref=ref, meta=_meta(meta)))


def _cards(cards: str | Iterable[str] | None) -> Cards | None:
    # "10" is one card and not a 1 and a 0, which are cards, too.
    return None if cards is None else tuple(one_or_many(cards))


def _meta(meta: Meta) -> dict[str, Any] | UnsetType:
    return UNSET if meta is None else meta
