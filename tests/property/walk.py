"""Random games by the rules alone: any ruleset, any legal event at each state, and the cards behind them.

Unlike the simulator's bots these players leave, time out, forfeit draws and start from positions.
"""

from random import Random
from typing import Any

from msgspec.structs import replace

from ono_replay.rules.cards import DISCARD_FOUR, HIDDEN, TOKENS
from ono_replay.rules.events import (
    Comment,
    Deal,
    DiscardFour,
    Draw,
    Eliminate,
    Event,
    ForfeitDraw,
    GameEnd,
    GameStart,
    Play,
    Player,
    Position,
    Reshuffle,
    RoundEnd,
    RoundStart,
)
from ono_replay.rules.legality import cards_to_reshuffle
from ono_replay.rules.playable import is_bust_card, legal_plays, total_after
from ono_replay.rules.ruleset import CHOICES, Ruleset, differing_options, make_ruleset
from ono_replay.rules.scoring import chips_after, points_bounds
from ono_replay.rules.setup import expected_dealer, expected_starter
from ono_replay.rules.state import Phase, State, first_state
from ono_replay.rules.transition import apply


def random_ruleset(random: Random) -> Ruleset:
    """Any ruleset: each option is its default or, as often, something else."""
    edition = random.choice(("1980", "2022"))
    options: dict[str, Any] = {
        "edition": edition,
        "players_max": 8,
        "points_target": random.choice((5, 60, 120)),
    }
    for name in ("minus_ten_floor", "reverse_deflects_two_players", "four_ono_99", "ono_99_on_zero", "nobody_can_play",
                 "missed_draw", "opening_card", "reshuffle_keep_top", "match", "next_starter"):  # fmt: skip
        if random.random() < 0.5:
            options[name] = random.choice(CHOICES[name])
    if random.random() < 0.4:
        options["max_total"] = random.choice((5, 20, 50, 99, 200))
    if random.random() < 0.4:
        options["chips"] = random.choice((1, 2))
    if random.random() < 0.5:
        options["deck"] = {token: random.choice((0, 1, 2, 3)) for token in TOKENS} | {
            random.choice(TOKENS): 5 + random.randrange(20),
            random.choice(("0", "3", "reverse")): 5,
        }
    return make_ruleset(options)


class Walk:
    """One game: `events` as a log has them, `states` after each from the first round on."""

    def __init__(self, seed: int | str, *, most: int = 120, decks: bool = False) -> None:
        self.random = random = Random(f"walk/{seed}")
        self.ruleset = random_ruleset(random)
        most_seats = min(self.ruleset.players_max, self.ruleset.deck_size // 4)
        self.seats = random.randint(2, min(6, most_seats)) if most_seats > 1 else 2
        self.decks = decks
        self.pile: list[str] = []
        """The draw pile, top last."""
        self.front: list[str] = []
        """What is to be dealt."""
        self.state: State = first_state(self.ruleset, self.seats)
        dealer = random.choice((None, *range(self.seats)))
        players = tuple(Player(name=f"p{seat}") for seat in range(self.seats))
        options = differing_options(self.ruleset)
        self.events: list[Event] = [
            GameStart(0, "ono-log", "1.0", f"walk-{seed}", options, players, dealer, "full")
        ]
        self.states: list[State] = []
        self.dealer = dealer
        while self.state.phase is not Phase.ENDED and len(self.events) < most:
            self.step()

    @property
    def first(self) -> State:
        return first_state(self.ruleset, self.seats)

    def add(self, event: Event) -> None:
        event = replace(event, seq=len(self.events))
        self.state = apply(self.state, event)
        self.events.append(event)
        self.states.append(self.state)

    def step(self) -> None:
        """Let something legal happen."""
        state, random = self.state, self.random
        if state.phase is Phase.BEFORE_ROUND:
            self.start_round()
        elif state.phase is Phase.DEALING:
            seat = random.choice([seat for seat in state.match.seats_in() if seat not in state.dealt])
            self.add(Deal(0, seat, tuple(self.front.pop() for _ in range(4))))
        elif state.draws_due:
            self.draw()
        elif state.phase is Phase.ROUND_OVER:
            self.add(round_end(state))
        elif state.phase is Phase.MATCH_OVER:
            self.add(GameEnd(0, state.match.winners or (), "completed"))
        else:
            self.act()
        if random.random() < 0.02 and self.state.phase is not Phase.ENDED:
            self.add(Comment(0, "hm"))

    def start_round(self) -> None:
        state, random = self.state, self.random
        match = state.match
        if not match.rounds and random.random() < 0.2:
            self.start_from_position()
            return
        dealer = self.dealer if not match.rounds else expected_dealer(match)
        self.pile = random.sample([t for t, copies in self.ruleset.deck.items() for _ in range(copies)],
                                  k=self.ruleset.deck_size)  # fmt: skip
        start = RoundStart(0, state.round + 1, dealer, 0, deck=tuple(self.pile) if self.decks else None)
        self.pile.reverse()
        starter = expected_starter(match, start)
        free = random.choice(list(match.seats_in()))
        self.add(replace(start, starter=free if starter is None else starter))
        self.front = self.pile[-4 * len(list(match.seats_in())) :]
        random.shuffle(self.front)
        del self.pile[-len(self.front) :]

    def start_from_position(self) -> None:
        """Start from the middle of a round like this one."""
        random = self.random
        cards = random.sample([t for t, copies in self.ruleset.deck.items() for _ in range(copies)],
                              k=self.ruleset.deck_size)  # fmt: skip
        hands = tuple(
            tuple(cards.pop() for _ in range(random.randint(1, 4)) if cards) for _ in range(self.seats)
        )
        discards = tuple(cards.pop() for _ in range(random.randrange(4)) if cards)
        plays_due: Any = random.choice((1, 1, 2))
        position = Position(
            total=random.randint(0, self.ruleset.max_total),
            direction=random.choice((1, -1)),
            turn=random.randrange(self.seats),
            plays_due=plays_due,
            second=plays_due == 1 and random.random() < 0.2,
            hands=hands,
            out=(),
            draw_pile=tuple(reversed(cards)) if self.decks else len(cards),
            discard_pile=discards,
        )
        self.pile = cards
        self.add(RoundStart(0, random.randint(1, 5), None, random.randrange(self.seats), position=position))

    def draw(self) -> None:
        state, random = self.state, self.random
        assert state.drawer is not None
        if self.ruleset.missed_draw == "forfeit" and not state.bust_draw and random.random() < 0.1:
            self.add(ForfeitDraw(0, state.drawer))
        elif state.draw_pile:
            self.add(Draw(0, state.drawer, self.pile.pop()))
        else:
            cards = list(state.discards[: cards_to_reshuffle(state)])
            random.shuffle(cards)
            self.pile = cards[::-1]
            self.add(Reshuffle(0, len(cards), tuple(cards) if self.decks or random.random() < 0.3 else None))

    def act(self) -> None:
        state, random = self.state, self.random
        if random.random() < 0.02:
            seat = random.choice(state.seats_in)
            shown = state.hands[seat] if random.random() < 0.5 else None
            self.add(Eliminate(0, seat, random.choice(("left", "timeout")), hand=shown))
            return
        assert state.turn is not None
        plays = legal_plays(state)
        if not plays:
            self.add(elimination(state, random))
            return
        card = random.choice(plays)
        if card == DISCARD_FOUR:
            self.add(DiscardFour(0, state.turn))
        else:
            self.add(Play(0, state.turn, card, total_after(self.ruleset, state.total, card)))


def elimination(state: State, random: Random) -> Eliminate:
    """The seat to act can play nothing."""
    assert state.turn is not None
    hand = list(state.hands[state.turn])
    bust = [card for card in hand if card != HIDDEN and is_bust_card(state, card)]
    card = random.choice(bust) if bust and state.ruleset.scores_points else None
    if card is not None:
        hand.remove(card)
    random.shuffle(hand)
    return Eliminate(0, state.turn, "no_legal_play", card, tuple(hand) if random.random() < 0.7 else None)


def round_end(state: State) -> RoundEnd:
    """The end of a round of which everything is known."""
    points = scores = None
    before = state.match.scores
    if before is not None:
        points = tuple(bound and bound[0] for bound in points_bounds(state))
        scores = tuple(
            None if was is None or got is None else was + got for was, got in zip(before, points, strict=True)
        )
    chips = None if state.match.chips is None else chips_after(state)
    loser = state.out[0] if state.out else None
    return RoundEnd(0, state.round, state.winner, loser, chips, points, scores)
