"""One simulated game, from its `game_start` to its `game_end`, as canonical events.

All chance comes from texts made of the game's id, `sim-SEED-INDEX`: the seed of round R's deck is `ID/R` (see
`shuffle`), the bot on seat N draws from `Random("ID/seat/N")`, carelessness from `Random("ID/table")`; of a
`Random` only `random()` is used, whose numbers Python keeps from version to version. Game 0 is started by
seat 0, game 1 by seat 1 and so on. What comes out for a seed never changes while `SIMULATOR` stays as it is.
"""

import contextlib
import hashlib
import sys
import traceback
from pathlib import Path
from random import Random

from msgspec.structs import replace

from ono_replay.log.jsonl import canonical
from ono_replay.log.redact import view_of
from ono_replay.rules.events import (
    Deal,
    Draw,
    Eliminate,
    Event,
    ForfeitDraw,
    GameEnd,
    GameStart,
    Player,
    Reshuffle,
    RoundEnd,
    RoundStart,
    Shuffle,
    Source,
)
from ono_replay.rules.legality import cards_to_reshuffle
from ono_replay.rules.playable import legal_plays
from ono_replay.rules.ruleset import differing_options
from ono_replay.rules.scoring import chips_after, points_bounds
from ono_replay.rules.setup import HAND_SIZE
from ono_replay.rules.state import Match, Phase, State, first_state
from ono_replay.rules.transition import advance
from ono_replay.simulate.acts import elimination, mistake, play
from ono_replay.simulate.bots import seen_by
from ono_replay.simulate.plan import Plan
from ono_replay.simulate.shuffle import OWN_ALGORITHM, commitment_to, deck_from, reshuffled

SIMULATOR = Source(app="ono-replay simulate", version="1")
MOST_PLAYS = 10_000
"""A round of more plays than this ends the game `abandoned`."""
MOST_EVENTS = 900_000
"""A game of more events than this does so at the end of the round: readers may refuse a million."""


class BadBot(ValueError):
    """A bot that failed or chose what it may not; the message says which and how."""


class Simulator:
    """Makes the games of a plan, each by its index alone.

    Raises what `Plan.check` raises.

    >>> simulator = Simulator(Plan(players=2, seed=7))
    >>> [event.type for event in simulator.events(0)][:5]
    ['game_start', 'round_start', 'deal', 'deal', 'play']
    """

    def __init__(self, plan: Plan) -> None:
        """Check the plan and look up its bots."""
        plan.check()
        self.plan = plan
        self.ruleset = plan.ruleset()
        self.options = differing_options(self.ruleset)
        seats = list(plan.seats())
        self.players = tuple(Player(name=name, bot=True) for name, _ in seats)
        self.bots = tuple(bot for _, bot in seats)

    def events(self, index: int) -> list[Event]:
        """Return the events of a game; raises `BadBot`."""
        events = self._seen(index)
        return [*events[:-1], self._ended(events)[1]]

    def log(self, index: int) -> bytes:
        """Return a game as canonical lines; raises `BadBot`."""
        body, end = self._ended(self._seen(index))
        return body + canonical(end) + b"\n"

    def _seen(self, index: int) -> list[Event]:
        events = Table(self, index).play()
        return events if self.plan.view == "full" else view_of(events, self.plan.viewer)

    def _ended(self, events: list[Event]) -> tuple[bytes, Event]:
        """Return the lines of all events but the last, and the last with their digest."""
        lines = [canonical(event) for event in events[:-1]]
        body = b"\n".join([*lines, b""])
        return body, replace(events[-1], digest="sha256:" + hashlib.sha256(body).hexdigest())


class Table:
    """A game being played."""

    def __init__(self, simulator: Simulator, index: int) -> None:
        plan = self.plan = simulator.plan
        self.bots = simulator.bots
        self.names = tuple(player.name for player in simulator.players)
        self.ruleset = simulator.ruleset
        self.game_id = f"sim-{plan.seed}-{index}"
        self.first_dealer = (index - 1) % plan.players
        self.randoms = [Random(f"{self.game_id}/seat/{seat}") for seat in range(plan.players)]
        self.table = Random(f"{self.game_id}/table")
        self.state: State = first_state(simulator.ruleset, plan.players)
        self.pile: list[str] = []
        self.seed = ""
        self.reshuffles = self.plays = 0
        start = GameStart(
            seq=0,
            format="ono-log",
            version="1.0",
            game_id=self.game_id,
            ruleset=simulator.options,
            players=simulator.players,
            dealer=self.first_dealer,
            view="full",
            source=SIMULATOR,
        )
        self.events: list[Event] = [start]

    def add(self, event: Event) -> None:
        """Let an event happen."""
        self.events.append(event)
        self.state = advance(self.state, event)

    def play(self) -> list[Event]:
        """Play the match; the `game_end` has no digest yet."""
        while (winners := self.state.match.winners) is None and self.play_round():
            pass
        seq = len(self.events)
        end = (
            GameEnd(seq=seq, winners=(), reason="abandoned")
            if winners is None
            else GameEnd(seq=seq, winners=winners, reason="completed")
        )
        self.add(end)
        return self.events

    def play_round(self) -> bool:
        """Play one round; False where it, or the game, goes on for too long."""
        self.start_round()
        while self.state.phase is Phase.PLAYING:
            if self.plays >= MOST_PLAYS:
                return False
            self.take_turn()
        self.end_round()
        return len(self.events) <= MOST_EVENTS

    def start_round(self) -> None:
        """Shuffle and deal."""
        match = self.state.match
        number = self.state.round + 1
        dealer, starter = _dealer_and_starter(match, self.first_dealer)
        self.seed = f"{self.game_id}/{number}"
        self.reshuffles = self.plays = 0
        deck = deck_from(OWN_ALGORITHM, self.seed, self.ruleset)
        self.pile = list(reversed(deck))
        shuffle = Shuffle(algorithm=OWN_ALGORITHM, seed=self.seed, commitment=commitment_to(self.seed))
        self.add(
            RoundStart(
                seq=len(self.events),
                round=number,
                dealer=dealer,
                starter=starter,
                deck=deck if self.plan.decks else None,
                shuffle=shuffle,
            )
        )
        for seat in match.seats_in():
            cards = tuple(self.pile.pop() for _ in range(HAND_SIZE))
            self.add(Deal(len(self.events), seat, cards))

    def take_turn(self) -> None:
        """Let the seat to act play, or fall, and draw."""
        state = self.state
        seq, legal = len(self.events), legal_plays(state)
        event = None
        if self.happens(self.plan.mistakes):
            event = mistake(state, seq, legal, self.table)
        if event is None:
            event = play(state, seq, self.choose(legal)) if legal else elimination(state, seq)
        self.plays += not isinstance(event, Eliminate)
        self.add(event)
        self.draw()

    def choose(self, legal: tuple[str, ...]) -> str:
        """Ask the bot; a single card needs no asking."""
        if len(legal) == 1:
            return legal[0]
        seat = self.state.turn or 0
        try:
            # What a bot prints is not part of the log, which may go to standard output.
            with contextlib.redirect_stdout(sys.stderr):
                card = self.bots[seat](seen_by(self.state, seat), legal, self.randoms[seat])
        except Exception as error:
            told = f"{type(error).__name__}: {error}{_where(error)}"
            raise BadBot(f"the bot {self.names[seat]} failed: {told}") from error
        if card not in legal:
            raise BadBot(f"the bot {self.names[seat]} chose {card!r}, which is none of {', '.join(legal)}")
        return card

    def draw(self) -> None:
        """Draw all that is due, with the reshuffles it needs."""
        while (state := self.state).draws_due:
            seq, seat = len(self.events), state.drawer
            assert seat is not None
            if not state.bust_draw and self.happens(self.plan.forfeits):
                self.add(ForfeitDraw(seq, seat))
            elif state.draw_pile:
                self.add(Draw(seq, seat, self.pile.pop()))
            else:
                cards = state.discards[: cards_to_reshuffle(state)]
                deck = reshuffled(OWN_ALGORITHM, self.seed, cards, self.reshuffles)
                self.reshuffles += 1
                self.pile = list(reversed(deck))
                recorded = deck if self.plan.decks else None
                self.add(Reshuffle(seq, len(deck), recorded))

    def happens(self, share: float) -> bool:
        """Whether something happens that does so with this frequency."""
        return share > 0 and self.table.random() < share

    def end_round(self) -> None:
        """Declare the round over, with its chips or points."""
        state = self.state
        match = state.match
        points = scores = None
        if match.scores is not None:
            points = tuple(None if bound is None else bound[0] for bound in points_bounds(state))
            scores = tuple(
                None if had is None or got is None else had + got
                for had, got in zip(match.scores, points, strict=True)
            )
        self.add(
            RoundEnd(
                seq=len(self.events),
                round=state.round,
                winner=state.winner,
                loser=state.out[0] if state.out else None,
                chips=chips_after(state) if match.chips is not None else None,
                points=points,
                scores=scores,
            )
        )


def _where(error: BaseException) -> str:
    """Return where a bot failed, the innermost place that is not of this package, in words; empty if unknown."""
    package = str(Path(__file__).parents[1])
    frames = traceback.extract_tb(error.__traceback__)[1:]
    own = [frame for frame in frames if not frame.filename.startswith(package)] or frames
    return f" ({own[-1].filename}, line {own[-1].lineno})" if own else ""


def _dealer_and_starter(match: Match, first_dealer: int) -> tuple[int, int]:
    """Return who deals the next round and who starts it."""
    loser = match.next_starter if match.ruleset.next_starter == "round_loser" else None
    if loser is not None:
        return next(seat for seat in match.seats_in() if match.next_in(seat) == loser), loser
    dealer = first_dealer if match.dealer is None else match.next_in(match.dealer)
    return dealer, match.next_in(dealer)
