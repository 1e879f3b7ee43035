"""The state of a game: everything that the next event is judged by, immutable.

`State` is one round as it stands, `Match` what lasts from round to round. Both are frozen; the
transition makes new ones. `why_wrong_position` and `start_position` read a set-up.
"""

import enum
from collections.abc import Iterator

import msgspec

from ono_replay.rules.cards import Hand, copies_of
from ono_replay.rules.ruleset import Ruleset


class Phase(enum.Enum):
    """Where a game stands between its first and its last event."""

    BEFORE_ROUND = "before_round"
    """No round has begun yet, or a round has ended and the match goes on."""
    DEALING = "dealing"
    PLAYING = "playing"
    ROUND_OVER = "round_over"
    """The round is decided; only its `round_end` can follow (after a bust draw that is due)."""
    MATCH_OVER = "match_over"
    """The match is decided; only its `game_end` can follow."""
    ENDED = "ended"
    """`game_end` stands."""


class Match(msgspec.Struct, frozen=True):
    """What lasts from round to round.

    Arrays are by seat. `chips` and `scores` are those of the last `round_end` (at first the chips each,
    0 each, or the position's), null for a seat out of the match, and None where the match has none.
    """

    ruleset: Ruleset
    seats: int
    dealer: int | None = None
    """The dealer of the last round begun, if the log names one."""
    rounds: int = 0
    """Rounds ended."""
    chips: tuple[int | None, ...] | None = None
    scores: tuple[int | None, ...] | None = None
    gone: frozenset[int] = frozenset()
    """Seats out of the match."""
    next_starter: int | None = None
    """The round loser or who stands in for one; None where there is none."""
    starts_free: bool = False
    """The last round had no loser: who starts the next one is free."""
    winners: tuple[int, ...] | None = None
    """The winners of the match, once it is decided."""

    def seats_in(self) -> Iterator[int]:
        """Yield the seats still in the match, ascending."""
        return (seat for seat in range(self.seats) if seat not in self.gone)

    def next_in(self, seat: int) -> int:
        """Return the next seat clockwise that is still in the match."""
        for step in range(1, self.seats + 1):
            candidate = (seat + step) % self.seats
            if candidate not in self.gone:
                return candidate
        return seat


class State(msgspec.Struct, frozen=True):
    """A game after an event."""

    match: Match
    phase: Phase = Phase.BEFORE_ROUND
    round: int = 0
    starter: int | None = None
    total: int = 0
    direction: int = 1
    """1 clockwise, -1 counter-clockwise."""
    turn: int | None = None
    """The seat to act; None while cards are dealt and when no one is."""
    plays_due: int = 0
    """Cards the seat to act owes: 2 before the first of a forced pair, else 1; 0 when no one is to act."""
    second: bool = False
    """The second card of a forced pair is owed."""
    draws_due: int = 0
    """Cards that the seat that acted must still draw, as far as there are cards to draw."""
    drawer: int | None = None
    """The seat that must draw while `draws_due` is not 0."""
    bust_draw: bool = False
    """The draw that is due follows a bust card; it can not be forfeited."""
    hands: tuple[Hand, ...] = ()
    out: tuple[int, ...] = ()
    """Seats eliminated in this round, in the order they fell."""
    left: frozenset[int] = frozenset()
    """Seats that left in this round: out of the match when it ends."""
    draw_pile: int = 0
    discard_pile: int = 0
    stack: tuple[str, ...] | None = None
    """The order of the draw pile where it is recorded, top first; its last `draw_pile` cards are left."""
    discards: tuple[str, ...] = ()
    """The known cards of the discard pile, oldest first."""
    in_sight: int = 0
    """Known cards in hands, laid-down hands and the discard pile, as `cards.count_copies` counts them."""
    dealt: frozenset[int] = frozenset()
    forfeits: tuple[int, ...] = ()
    """Draws forfeited in this round, by seat."""
    ono_99_played: bool = False
    """An `ono_99` has been played this turn."""
    opened: bool = False
    """A card has been played in the round, or it began from a position."""
    last_to_play: int | None = None
    """The last seat to have played a card."""
    winner: int | None = None
    """The winner of the round that is over; None also where several are left."""
    by_last_to_play: bool = False
    """The round is over because nobody could play."""

    @property
    def ruleset(self) -> Ruleset:
        """The rules of this game."""
        return self.match.ruleset

    @property
    def seats_in(self) -> tuple[int, ...]:
        """Seats still in the round, ascending."""
        match, out = self.match, self.out
        gone = match.gone
        return tuple([seat for seat in range(match.seats) if seat not in out and seat not in gone])

    @property
    def next_card(self) -> str | None:
        """The top of the draw pile, where its order is recorded."""
        if self.stack is None or not 0 < self.draw_pile <= len(self.stack):
            return None
        return self.stack[-self.draw_pile]

    def is_in(self, seat: int) -> bool:
        """Whether a seat is still in the round."""
        return seat not in self.out and seat not in self.match.gone

    def next_seat(self, seat: int) -> int:
        """Return the next seat in the direction of play that is still in, `seat` itself if it is alone."""
        seats = self.match.seats
        step = self.direction
        candidate = (seat + step) % seats
        while candidate != seat and not self.is_in(candidate):
            candidate = (candidate + step) % seats
        return candidate

    def copies_in_sight(self, token: str) -> int:
        """Return how many copies of a card can be accounted for."""
        return copies_of(self.in_sight, token)


def first_state(ruleset: Ruleset, seats: int) -> State:
    """Return the state before the first round.

    >>> from ono_replay.rules.ruleset import EDITIONS
    >>> first_state(EDITIONS["1980"], 2).match.chips
    (3, 3)
    """
    match = Match(
        ruleset=ruleset,
        seats=seats,
        chips=(ruleset.chips,) * seats if ruleset.match == "chips" else None,
        scores=(0,) * seats if ruleset.scores_points else None,
    )
    return State(match=match, hands=((),) * seats, forfeits=(0,) * seats)
