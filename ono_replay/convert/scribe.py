"""Writing down one game of an outside engine: numbers, times, and what follows of itself.

A converter tells a `Scribe` what the outside format tells; draws, reshuffles and the loser of the round,
which many formats leave out, the scribe adds as the rules have them. It judges nothing and repairs nothing:
what the outside game did wrong stands in the log as it was done.
"""

from collections.abc import Mapping
from typing import Any, Protocol, cast

from msgspec import UNSET
from msgspec.structs import replace

from ono_replay.rules.cards import HIDDEN
from ono_replay.rules.events import (
    Deal,
    DiscardFour,
    Draw,
    Eliminate,
    EliminationReason,
    Event,
    GameEnd,
    GameStart,
    Play,
    Reshuffle,
    RoundEnd,
    RoundStart,
    Shuffle,
)
from ono_replay.rules.legality import cards_to_reshuffle, why_illegal
from ono_replay.rules.ruleset import make_ruleset
from ono_replay.rules.setup import HAND_SIZE
from ono_replay.rules.state import Phase, State, first_state
from ono_replay.rules.transition import advance


class Cards(Protocol):
    """The cards of a round, as far as a converter knows them; `HIDDEN` stands for what it does not."""

    @property
    def deck(self) -> tuple[str, ...] | None:
        """The whole shuffled deck, top first; None where it is not known."""

    def deal(self, seat: int) -> tuple[str, ...]:
        """Return the four cards that a seat is dealt."""

    def draw(self, seat: int) -> str:
        """Return the card that a seat draws."""

    def reshuffle(self) -> tuple[str, ...] | None:
        """Return the new draw pile, top first; None where its order is not known."""


class UnknownCards:
    """Cards that nobody told.

    >>> UnknownCards().deal(0)
    ('?', '?', '?', '?')
    """

    deck = None

    def deal(self, seat: int) -> tuple[str, ...]:  # noqa: ARG002 - see Cards
        """Return four unknown cards."""
        return (HIDDEN,) * HAND_SIZE

    def draw(self, seat: int) -> str:  # noqa: ARG002 - see Cards
        """Return an unknown card."""
        return HIDDEN

    def reshuffle(self) -> None:
        """Return no order."""


class Scribe:
    """The log of one game with one round, as it is written down.

    >>> from ono_replay.rules.events import Player
    >>> scribe = Scribe("g1", {"edition": "2022"}, (Player("Ann"), Player("Bo")), view="public")
    >>> scribe.start_round(starter=0)
    >>> scribe.play(0, "7", 7)
    >>> [event.type for event in scribe.events()]
    ['game_start', 'round_start', 'deal', 'deal', 'play', 'draw']
    """

    def __init__(
        self,
        game_id: str,
        ruleset: Mapping[str, Any],
        players: tuple[Any, ...],
        *,
        view: str,
        dealer: int | None = None,
        started_at: str | None = None,
        cards: Cards | None = None,
    ) -> None:
        """Begin a game; without `cards` none are known.

        Raises `BadRuleset` for a ruleset that no table can play by.
        """
        start = GameStart(
            seq=0,
            format="ono-log",
            version="1.0",
            game_id=game_id,
            ruleset=dict(ruleset),
            players=players,
            dealer=dealer,
            view=cast("Any", view),
            started_at=started_at,
        )
        self.at_ms: int | None = None
        """The time of what is written next, in milliseconds since the game began."""
        self.first_illegal: int | None = None
        """The `seq` of the first event that breaks a rule."""
        self._dealer = dealer
        self.cards: Cards = cards or UnknownCards()
        self.state: State = first_state(make_ruleset(ruleset), len(players))
        self._events: list[Event] = [start]

    def events(self, meta: Mapping[str, Any] | None = None) -> tuple[Event, ...]:
        """Return the events so far; `meta` becomes the one of `game_start`."""
        start, *rest = self._events
        return (replace(start, meta=dict(meta)) if meta else start, *rest)

    def would_be_illegal(self, event: Event) -> bool:
        """Whether an event, its `seq` aside, would break a rule here."""
        return why_illegal(self.state, event) is not None

    def write(self, event: Event, meta: Mapping[str, Any] | None = None) -> None:
        """Write an event down as it is, but for `seq`, `at_ms` and `meta`."""
        seq = len(self._events)
        event = replace(event, seq=seq, at_ms=self.at_ms, meta=UNSET if meta is None else dict(meta))
        if self.first_illegal is None and why_illegal(self.state, event) is not None:
            self.first_illegal = seq
        self._events.append(event)
        self.state = advance(self.state, event)

    def start_round(self, *, starter: int, shuffle: Shuffle | None = None) -> None:
        """Write the start of the round and the deals."""
        deck = self.cards.deck
        self.write(RoundStart(0, 1, self._dealer, starter, deck=deck, shuffle=shuffle))
        for seat in range(self.state.match.seats):
            self.write(Deal(0, seat, self.cards.deal(seat)))

    def play(self, seat: int, card: str, total: int, meta: Mapping[str, Any] | None = None) -> None:
        """Write a play and the draw after it."""
        self.write(Play(0, seat, card, total), meta)
        self.draw_up()

    def discard_four(self, seat: int, meta: Mapping[str, Any] | None = None) -> None:
        """Write a four-card discard and the draws after it."""
        self.write(DiscardFour(0, seat), meta)
        self.draw_up()

    def eliminate(self, seat: int, reason: EliminationReason, meta: Mapping[str, Any] | None = None) -> None:
        """Write an elimination."""
        self.write(Eliminate(0, seat, reason), meta)

    def draw_up(self) -> None:
        """Write the draws that are due, each with the reshuffle that it needs."""
        while self.state.draws_due and self.state.phase is not Phase.ENDED:
            if not self.state.draw_pile:
                count = cards_to_reshuffle(self.state)
                deck = self.cards.reshuffle()
                self.write(Reshuffle(0, count, deck=deck))
            seat = self.state.drawer
            assert seat is not None
            self.write(Draw(0, seat, self.cards.draw(seat)))

    def finish(self, winner: int | None, meta: Mapping[str, Any] | None = None) -> None:
        """Write the end of the round and of the game; the loser is who fell first."""
        loser = self.state.out[0] if self.state.out else None
        self.write(RoundEnd(0, 1, winner, loser), meta)
        self.write(GameEnd(0, () if winner is None else (winner,), "completed"))

    def abandon(self) -> None:
        """Write that the game was given up."""
        self.write(GameEnd(0, (), "abandoned"))
