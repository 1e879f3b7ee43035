"""What is known of a game while its log is read.

As long as nothing is wrong a judge holds one state. After a fault it goes on from what the log says
happened, but cannot always tell what that was: it then holds several states (beliefs), and events that
fit one of them are right; states that an event does not fit are dropped. A fault that not all beliefs
agree on, or that relies on what is in doubt beyond them, can only be a consequence, a knock-on.
"""

from collections.abc import Callable, Sequence

import msgspec

from ono_replay.check import doubts
from ono_replay.check.beliefs import DEEPEST, MOST_BELIEFS, continuations, distinct
from ono_replay.check.diagnostic import Severity
from ono_replay.check.doubts import ALL_ASPECTS, LOST, Doubts
from ono_replay.check.lost import after_lost_line
from ono_replay.rules.events import Event, RoundStart
from ono_replay.rules.legality import why_illegal
from ono_replay.rules.state import Phase, State
from ono_replay.rules.transition import advance
from ono_replay.rules.violation import Violation

MOST_MISSED = 2
"""Lines lost together of which it is tried to tell what they were."""
PATIENCE: tuple[tuple[int, int, int], ...] = ((30, DEEPEST, MOST_BELIEFS), (1000, 1, 4))
"""How far reasons are looked for, which has a price: up to so many findings in a game, how many faults of an
event are thought of, and how many states are believed in. Past all of them the log is simply followed."""
Snapshot = tuple[tuple[State, ...], doubts.Snapshot, Severity, int]


class Finding(msgspec.Struct, frozen=True):
    """A violation as the judge weighs it."""

    violation: Violation
    severity: Severity
    knock_on: bool
    state: State
    """The state it was judged at."""


class Judge:
    """Follows a game event by event and weighs what breaks the rules."""

    __slots__ = ("_cause", "_findings", "beliefs", "doubts")

    def __init__(self, state: State) -> None:
        """Begin at a state that is certain."""
        self.beliefs: list[State] = [state]
        self.doubts = Doubts()
        self._cause: Severity = "error"
        """The severity of the last finding."""
        self._findings = 0

    @property
    def state(self) -> State:
        """The most likely state."""
        return self.beliefs[0]

    def snapshot(self) -> Snapshot:
        """Return what `restore` takes to come back to this moment."""
        return tuple(self.beliefs), self.doubts.snapshot(), self._cause, self._findings

    def restore(self, saved: Snapshot) -> None:
        """Come back to a moment saved by `snapshot`."""
        beliefs, doubts, self._cause, self._findings = saved
        self.beliefs = list(beliefs)
        self.doubts.restore(doubts)

    def take(self, event: Event) -> Finding | None:
        """Go on past an event; return what is wrong with it, or None."""
        violation = why_illegal(self.state, event)
        if violation is None or not _let_stand(event, violation):
            fitting = [state for state in self.beliefs if why_illegal(state, event) is None]
            if fitting:
                after = [advance(state, event) for state in fitting]
                self.beliefs = distinct(after) if len(after) > 1 else after
                if self.doubts.held:
                    self.doubts.settle(event, self.state.match.seats)
                return None
            assert violation is not None
        return self._weigh(event, violation)

    def lose(self, severity: Severity = "error") -> None:
        """Put everything of this round in doubt: lines are lost, or an undo can't be followed."""
        self.doubts.lose(severity)

    def begin_at(self, state: State) -> None:
        """Go on from a state of which little is known."""
        self.beliefs = [state]
        self.lose()

    def miss(self, lines: int = 1, kinds: Sequence[str | None] = (None,)) -> None:
        """Go on past lines that can't be read; `kinds` are the types that the last of them seem to have."""
        lost = kinds[-lines:]
        if lines > MOST_MISSED or "undo" in lost:
            self.lose()
            return
        between_rounds = self.state.phase is Phase.BEFORE_ROUND
        for kind in lost:
            self.beliefs = distinct(after for state in self.beliefs for after in after_lost_line(state, kind))
        # How a round began, its number too, is not known where it may have begun from a position.
        self.doubts.cast((*ALL_ASPECTS, LOST) if between_rounds else ALL_ASPECTS, "error")

    def guess(self, candidates: Callable[[State], list[Event]], aspects: tuple[str, ...]) -> None:
        """Go on past an event of which only part is known, saying nothing of it.

        `candidates` tells what it may have been at a state; what is not known puts aspects in doubt.
        """
        possible = [(state, event) for state in self.beliefs for event in candidates(state)]
        legal = [advance(state, event) for state, event in possible if why_illegal(state, event) is None]
        if possible:
            self.beliefs = distinct(
                legal or (after for state, event in possible for after in continuations(state, event))
            )
        self.doubts.cast(aspects if possible else ALL_ASPECTS, "error")

    def trust(self) -> None:
        """Let go of all doubts: nothing was lost after all."""
        if len(self.beliefs) == 1:
            self.doubts.clear()

    def _weigh(self, event: Event, violation: Violation) -> Finding:
        state = self.state
        relied = self.doubts.relied_on(violation.code, getattr(event, "seat", None))
        # That it was let stand speaks against the beliefs in which it breaks no rule.
        broken = (why_illegal(belief, event) for belief in self.beliefs)
        if len({_gist(one) for one in broken if one is not None}) > 1:
            relied.append(self._cause)
        knock_on = bool(relied)
        severity: Severity = "error"
        if _let_stand(event, violation) or (knock_on and "error" not in relied):
            severity = "warning"
        if isinstance(event, RoundStart):
            self.doubts.begin_round()
        self.doubts.cast_by(event, violation, state, severity)
        self._findings += 1
        patience = ((deep, most) for findings, deep, most in PATIENCE if self._findings <= findings)
        deepest, most = next(patience, (0, 1))
        states = [after for belief in self.beliefs for after in continuations(belief, event, deepest=deepest)]
        self.beliefs = distinct(states, most)
        self._cause = severity
        return Finding(violation, severity, knock_on, state)


def _let_stand(event: Event, violation: Violation) -> bool:
    """Whether the table let a breach of the rules stand: what the log says happened, did."""
    return event.irregular and violation.code[3] in "34"


def _gist(violation: Violation) -> tuple[str, str, str]:
    """Return what makes two beliefs agree on what is wrong."""
    return violation.code, violation.detail, repr(violation.expected)
