"""Whether a round was dealt as its seed says: deck, deals, draws and reshuffles, compared card by card."""

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import BinaryIO, Literal

import msgspec
from msgspec.structs import replace

from ono_replay.check.diagnostic import Diagnostic
from ono_replay.replay import Replay, read_replays
from ono_replay.rules.cards import HIDDEN
from ono_replay.rules.events import Deal, Draw, Event, Reshuffle, RoundEnd, RoundStart
from ono_replay.rules.legality import cards_to_reshuffle
from ono_replay.rules.setup import HAND_SIZE
from ono_replay.rules.state import Phase, State
from ono_replay.simulate.shuffle import ALGORITHMS, commitment_to, deck_from, reshuffled

Outcome = Literal["verified", "no_seed", "nothing_to_compare", "differs", "unknown_algorithm", "unreadable"]
"""`no_seed` and `nothing_to_compare` (all cards hidden, or a round from a position) claim nothing and break nothing."""

FAILED: frozenset[Outcome] = frozenset({"differs", "unknown_algorithm", "unreadable"})
"""The outcomes of a deal that did not verify."""


Told = str | tuple[str, ...] | None
"""A card, cards, a number or a seed, as text."""


class DealCheck(msgspec.Struct, frozen=True, kw_only=True):
    """How a round, or a game that can't be read, compares with its seed."""

    game_id: str | None
    round: int | None
    """None where no round of the game could be read."""
    outcome: Outcome
    algorithm: str | None = None
    compared: int = 0
    """Known cards that were compared, up to the first that differs."""
    hidden: int = 0
    """Cards that the log hides."""
    seq: int | None = None
    """The event that differs."""
    what: str = ""
    """What differs: `commitment`, `seed`, `deck`, `deal`, `draw` or `reshuffle`."""
    expected: Told = None
    actual: Told = None

    @property
    def failed(self) -> bool:
        """Whether the deal did not verify."""
        return self.outcome in FAILED


class _Differs(Exception):
    def __init__(self, event: Event, what: str, expected: Told, actual: Told) -> None:
        super().__init__(what)
        self.seq, self.what, self.expected, self.actual = event.seq, what, expected, actual


Steps = Sequence[tuple[Event, State, State]]
"""Events of a round, each with the state before and the state after it."""


def verify_deals(source: str | Path | BinaryIO) -> Iterator[DealCheck]:
    """Yield a check for each round of a log, in order; undone events do not count.

    Raises `log.lines.Unreadable` where the source can't be read. Rules are not judged here.

    >>> import io
    >>> from ono_replay.simulate.batch import simulate_games
    >>> from ono_replay.simulate.plan import Plan
    >>> log = b"".join(simulate_games(Plan(players=2, seed=7), games=1))
    >>> [check.outcome for check in verify_deals(io.BytesIO(log))]
    ['verified']
    """
    strays: list[Diagnostic] = []
    for replay in read_replays(source, on_stray=strays.append):
        if replay.ruleset is None:
            yield DealCheck(game_id=replay.game_id, round=None, outcome="unreadable")
            continue
        for steps in _rounds(replay):
            yield _check_round(replay.game_id, steps)
    if any(stray.severity == "error" for stray in strays):
        yield DealCheck(game_id=None, round=None, outcome="unreadable")


def _rounds(replay: Replay) -> Iterator[Steps]:
    steps: list[tuple[Event, State, State]] = []
    before = replay.states[0] if replay.states else None
    for event, after in zip(replay.events, replay.states, strict=True):
        if isinstance(event, RoundStart) and steps:
            yield steps
            steps = []
        assert before is not None
        steps.append((event, before, after))
        before = after
    if steps:
        yield steps


def _check_round(game_id: str | None, steps: Steps) -> DealCheck:
    start, _, started = steps[0]
    check = DealCheck(game_id=game_id, round=started.round, outcome="unreadable")
    if not isinstance(start, RoundStart):
        return check
    check = replace(check, algorithm=start.shuffle.algorithm if start.shuffle is not None else None)
    comparison: _Comparison | None = None
    try:
        seed = _seed_told(start, steps)
        if seed is None:
            return replace(check, outcome="no_seed")
        if check.algorithm not in ALGORITHMS:
            return replace(check, outcome="unknown_algorithm")
        if start.position is not None:
            return replace(check, outcome="nothing_to_compare")
        comparison = _Comparison(check.algorithm, seed, started)
        comparison.go_through(start, steps)
        check = replace(check, outcome="verified" if comparison.compared else "nothing_to_compare")
    except _Differs as found:
        check = replace(
            check,
            outcome="differs",
            seq=found.seq,
            what=found.what,
            expected=found.expected,
            actual=found.actual,
        )
    if comparison is not None:
        check = replace(check, compared=comparison.compared, hidden=comparison.hidden)
    return check


def _seed_told(start: RoundStart, steps: Steps) -> str | None:
    """Return the seed that a round names before or after it is played, if it is at one with itself."""
    shuffle = start.shuffle
    told: list[tuple[Event, str]] = []
    if shuffle is not None and shuffle.seed is not None:
        told.append((start, shuffle.seed))
    for event, _, _ in steps:
        if isinstance(event, RoundEnd) and event.seed is not None:
            told.append((event, event.seed))
    for event, seed in told:
        if seed != told[0][1]:
            raise _Differs(event, "seed", told[0][1], seed)
        if shuffle is not None and shuffle.commitment not in (None, commitment_to(seed)):
            raise _Differs(event, "commitment", commitment_to(seed), shuffle.commitment)
    return told[0][1] if told else None


class _Comparison:
    """The cards as the seed has them, used up as the log deals and draws."""

    def __init__(self, algorithm: str, seed: str, started: State) -> None:
        self.algorithm, self.seed = algorithm, seed
        self.deck = deck_from(algorithm, seed, started.ruleset)
        self.hand_cards = HAND_SIZE * len(list(started.match.seats_in()))
        self.undealt = Counter(self.deck[: self.hand_cards])
        self.dealt = 0
        self.pile = list(reversed(self.deck[self.hand_cards :]))
        self.reshuffles = self.compared = self.hidden = 0

    def go_through(self, start: RoundStart, steps: Steps) -> None:
        if start.deck is not None:
            self.compare(start, "deck", self.deck, start.deck)
        for event, before, after in steps[1:]:
            if isinstance(event, Deal):
                self.deal(event)
            elif before.phase is Phase.PLAYING and self.dealt < self.hand_cards:
                raise _Differs(event, "deal", str(self.hand_cards), str(self.dealt))
            elif isinstance(event, Draw):
                self.compare(event, "draw", (self.pile.pop(),) if self.pile else (), (event.card,))
            elif isinstance(event, Reshuffle):
                self.reshuffle(event, before, after)

    def deal(self, event: Deal) -> None:
        known = Counter(card for card in event.cards if card != HIDDEN)
        self.dealt += len(event.cards)
        self.compared += known.total()
        self.hidden += len(event.cards) - known.total()
        if not known <= self.undealt:
            raise _Differs(event, "deal", tuple(self.undealt.elements()), event.cards)
        self.undealt -= known

    def reshuffle(self, event: Reshuffle, before: State, after: State) -> None:
        pile = before.discards[: cards_to_reshuffle(before)]
        deck = reshuffled(self.algorithm, self.seed, pile, self.reshuffles)
        self.reshuffles += 1
        self.pile = list(reversed(deck))
        if event.deck is not None:
            self.compare(event, "reshuffle", deck, event.deck)
        elif len(deck) != after.draw_pile:
            raise _Differs(event, "reshuffle", str(len(deck)), str(after.draw_pile))

    def compare(self, event: Event, what: str, expected: tuple[str, ...], actual: tuple[str, ...]) -> None:
        if len(expected) != len(actual):
            raise _Differs(event, what, expected, actual)
        for right, found in zip(expected, actual, strict=True):
            if found == HIDDEN:
                self.hidden += 1
                continue
            self.compared += 1
            if found != right:
                raise _Differs(event, what, right, found)
