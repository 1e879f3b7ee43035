"""What is known of a game while its log is read, and what stops being known when the log is wrong.

As long as nothing is wrong a judge holds one state. After a fault it goes on from what the log says
happened, but cannot always tell what that was: it then holds several states (beliefs), and events that
fit one of them are right; states that an event does not fit are dropped. What a fault puts in doubt
beyond that is kept by aspect, until the round ends: a later fault that relies on a doubtful aspect can
only be a consequence, a knock-on.
"""

from collections.abc import Callable, Iterable, Sequence

import msgspec

from ono_replay.check.beliefs import DEEPEST, MOST_BELIEFS, continuations, distinct
from ono_replay.check.diagnostic import Severity
from ono_replay.check.lost import after_lost_line
from ono_replay.rules.events import Deal, Eliminate, Event, GameEnd, Play, RoundEnd, RoundStart
from ono_replay.rules.legality import why_illegal
from ono_replay.rules.state import Phase, State
from ono_replay.rules.transition import advance
from ono_replay.rules.violation import Violation

TURN, TOTAL, HANDS, PILE, DECK = "turn", "total", "hands", "pile", "deck"
SIGHT, DEALT, OUT, FLOW, MATCH = "sight", "dealt", "out", "flow", "match"
LOST = "lost"
"""What a match was before lines were lost: in doubt until the next `round_end` that fits."""
ROUND_ASPECTS = (TURN, TOTAL, HANDS, PILE, DECK, SIGHT, DEALT, OUT, FLOW)
ALL_ASPECTS = (*ROUND_ASPECTS, MATCH)

CALM = 2
"""Times around the table that must be played without a finding before doubts are given up."""
MOST_MISSED = 2
"""Lines lost together of which it is tried to tell what they were."""
MOST_EXPLAINED = 30
"""Findings of a game that are looked into; past them it is only followed."""
Snapshot = tuple[tuple[State, ...], tuple[tuple[str, Severity], ...], Severity | None, Severity, int, int]
_CARD_RELIES = (HANDS, TOTAL, TURN)
_RELIES: dict[str, tuple[str, ...]] = {
    "ONO106": (MATCH,),
    "ONO107": (MATCH, FLOW),
    "ONO204": (FLOW,),
    "ONO207": (DEALT, MATCH),
    "ONO211": (MATCH,),
    "ONO301": (TURN, OUT),
    "ONO302": (HANDS,),
    "ONO303": (TOTAL,),
    "ONO304": (TOTAL, TURN),
    "ONO305": (TURN,),
    "ONO306": (TOTAL,),
    "ONO307": (OUT, MATCH),
    "ONO308": (TURN, PILE),
    "ONO309": (TURN, PILE),
    "ONO310": (SIGHT,),
    "ONO311": (SIGHT,),
    "ONO312": (TURN,),
    "ONO313": (HANDS,),
    "ONO314": (PILE, TURN),
    "ONO315": (PILE,),
    "ONO316": (HANDS, TOTAL, FLOW),
    "ONO317": (TOTAL,),
    "ONO318": (DECK,),
    "ONO319": (MATCH,),
    "ONO401": _CARD_RELIES,
    "ONO402": (HANDS,),
    "ONO403": (OUT, MATCH, FLOW),
    "ONO404": (FLOW, OUT, MATCH),
    "ONO405": (FLOW, OUT, MATCH),
    "ONO406": (OUT, MATCH),
    "ONO407": (HANDS, OUT, MATCH),
    "ONO408": (OUT, MATCH),
    "ONO409": _CARD_RELIES,
}
"""The aspects that a finding relies on; `hands` there is the hand of the seat that acts."""

_CARD_CASTS = (TURN, TOTAL, HANDS, SIGHT)
_CASTS: dict[str, tuple[str, ...]] = {
    "ONO204": (),
    "ONO207": (DEALT, DECK, HANDS),
    "ONO301": (TURN, HANDS, PILE, DECK, SIGHT),
    "ONO302": _CARD_CASTS,
    "ONO303": _CARD_CASTS,
    "ONO304": _CARD_CASTS,
    "ONO305": _CARD_CASTS,
    "ONO307": (TURN, HANDS, DEALT, OUT),
    "ONO308": (PILE, HANDS, DECK, SIGHT),
    "ONO309": (PILE, HANDS, DECK, SIGHT),
    "ONO310": _CARD_CASTS,
    "ONO311": (*_CARD_CASTS, DECK),
    "ONO312": (PILE, HANDS, DECK, SIGHT),
    "ONO313": (*_CARD_CASTS, PILE, DECK),
    "ONO314": (PILE, DECK, SIGHT),
    "ONO315": (PILE, DECK, SIGHT),
    "ONO316": _CARD_CASTS,
    "ONO317": _CARD_CASTS,
    "ONO318": (DECK, HANDS, SIGHT),
    "ONO401": (*_CARD_CASTS, OUT, FLOW, PILE, DECK, MATCH),
    "ONO402": (HANDS, SIGHT),
    "ONO404": (FLOW, OUT, MATCH),
    "ONO405": (FLOW, MATCH, TURN, HANDS, TOTAL),
    "ONO409": (PILE, HANDS, TURN, SIGHT, DECK),
}
"""The aspects that a finding puts in doubt; what is not here leaves at most two numbers to go on from."""


def doubtful_aspects(kind: str, missing: frozenset[str]) -> tuple[str, ...]:
    """Return what is in doubt after an event of a type of which some required keys are not known."""
    if not missing:
        return ()
    if kind == "play" and missing == {"total"}:
        return (TOTAL,)
    in_round = ("play", "draw", "deal", "forfeit_draw", "discard_four", "reshuffle")
    return ROUND_ASPECTS if kind in in_round else ALL_ASPECTS


class Finding(msgspec.Struct, frozen=True):
    """A violation as the judge weighs it."""

    violation: Violation
    severity: Severity
    knock_on: bool
    state: State
    """The state it was judged at."""


class Judge:
    """Follows a game event by event and weighs what breaks the rules."""

    __slots__ = ("_calm", "_cause", "_findings", "_gap", "beliefs", "doubts")

    def __init__(self, state: State) -> None:
        """Begin at a state that is certain."""
        self.beliefs: list[State] = [state]
        self.doubts: dict[str, Severity] = {}
        self._gap: Severity | None = None
        """Lines of this round are lost: whatever is wrong in it may come from that."""
        self._cause: Severity = "error"
        """The severity of the last finding."""
        self._calm = 0
        """Plays since the last finding."""
        self._findings = 0

    @property
    def state(self) -> State:
        """The most likely state."""
        return self.beliefs[0]

    @property
    def certain(self) -> bool:
        """Whether nothing is in doubt."""
        return not self.doubts and len(self.beliefs) == 1 and self._gap is None

    def snapshot(self) -> Snapshot:
        """Return what `restore` takes to come back to this moment."""
        return (
            tuple(self.beliefs),
            tuple(self.doubts.items()),
            self._gap,
            self._cause,
            self._calm,
            self._findings,
        )

    def restore(self, saved: Snapshot) -> None:
        """Come back to a moment saved by `snapshot`."""
        beliefs, doubts, self._gap, self._cause, self._calm, self._findings = saved
        self.beliefs, self.doubts = list(beliefs), dict(doubts)

    def take(self, event: Event) -> Finding | None:
        """Go on past an event; return what is wrong with it, or None."""
        fitting = [state for state in self.beliefs if why_illegal(state, event) is None]
        if fitting:
            after = [advance(state, event) for state in fitting]
            self.beliefs = distinct(after) if len(after) > 1 else after
            if self.doubts or self._gap:
                self._settle(event)
            return None
        violation = why_illegal(self.state, event)
        assert violation is not None
        return self._weigh(event, violation)

    def lose(self, severity: Severity = "error") -> None:
        """Put everything of this round in doubt: lines are lost, or an undo can't be followed."""
        self._doubt((*ALL_ASPECTS, LOST), severity)
        self._gap = severity

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
        for kind in lost:
            self.beliefs = distinct(after for state in self.beliefs for after in after_lost_line(state, kind))
        self._doubt(ALL_ASPECTS, "error")

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
        self._doubt(aspects if possible else ALL_ASPECTS, "error")

    def trust(self) -> None:
        """Let go of all doubts: nothing was lost after all."""
        if len(self.beliefs) == 1:
            self.doubts.clear()
            self._gap = None

    def _doubt(self, aspects: Iterable[str], severity: Severity) -> None:
        self._calm = 0
        for aspect in aspects:
            if self.doubts.get(aspect) != "error":
                self.doubts[aspect] = severity

    def _settle(self, event: Event) -> None:
        """Let go of doubts that the log has answered."""
        if isinstance(event, RoundStart):
            self._gap = None
            self._forget(but=(MATCH, LOST))
        elif isinstance(event, RoundEnd):
            for aspect in (MATCH, LOST):
                self.doubts.pop(aspect, None)
        elif isinstance(event, Play):
            self.doubts.pop(TOTAL, None)
            self._calm += 1
            if self._calm > CALM * self.state.match.seats and self._gap is None:
                self._forget(but=(LOST,))

    def _forget(self, *, but: tuple[str, ...]) -> None:
        self.doubts = {aspect: severity for aspect, severity in self.doubts.items() if aspect in but}

    def _weigh(self, event: Event, violation: Violation) -> Finding:
        state = self.state
        seat = getattr(event, "seat", None)
        relied = [
            self.doubts[aspect]
            for name in _RELIES.get(violation.code, ())
            for aspect in _parts(name, seat)
            if aspect in self.doubts
        ]
        if seat is None and HANDS in _RELIES.get(violation.code, ()):
            relied += [held for aspect, held in self.doubts.items() if aspect.startswith(HANDS)]
        if self._gap is not None:
            relied.append(self._gap)
        if len({_gist(why_illegal(belief, event)) for belief in self.beliefs}) > 1:
            relied.append(self._cause)
        knock_on = bool(relied)
        severity: Severity = "error"
        if (event.irregular and violation.code[3] in "34") or (knock_on and "error" not in relied):
            severity = "warning"
        if isinstance(event, RoundStart):
            self._settle(event)
        self._cast(event, violation, severity)
        self._findings += 1
        # Where nothing fits any more the log is simply followed: looking for reasons has a price.
        weary = self._findings > MOST_EXPLAINED
        deepest, most = (0, 1) if weary else (DEEPEST, MOST_BELIEFS)
        states = [after for belief in self.beliefs for after in continuations(belief, event, deepest=deepest)]
        self.beliefs = distinct(states, most)
        self._cause = severity
        return Finding(violation, severity, knock_on, state)

    def _cast(self, event: Event, violation: Violation, severity: Severity) -> None:
        code = violation.code
        aspects: list[str] = []
        seats = {getattr(event, "seat", None), self.state.turn, self.state.drawer} - {None}
        for aspect in _CASTS.get(code, ()):
            aspects.extend([f"{HANDS}:{seat}" for seat in seats] if aspect == HANDS else [aspect])
        if code == "ONO318":
            aspects.append(HANDS)
        if code == "ONO204":
            aspects += self._cast_by_place(event, severity)
        elif code == "ONO211":
            self.lose(severity)
        elif code == "ONO107" and violation.detail == "deck":
            aspects += [DECK, SIGHT]
        self._doubt(aspects, severity)

    def _cast_by_place(self, event: Event, severity: Severity) -> tuple[str, ...]:
        """Return what is in doubt after an event of a type that can not stand where it does."""
        phase = self.state.phase
        if phase is Phase.BEFORE_ROUND and not isinstance(event, RoundStart | RoundEnd | GameEnd):
            self.lose(severity)  # how the round began is not known
        if phase in (Phase.BEFORE_ROUND, Phase.ENDED):
            return (*ALL_ASPECTS, LOST)
        if isinstance(event, RoundStart) and phase is not Phase.ROUND_OVER:
            return (*ALL_ASPECTS, LOST)
        if isinstance(event, RoundStart | GameEnd | Deal):
            return (MATCH, TURN, LOST)
        return (OUT, TURN) if isinstance(event, Eliminate) else ()


def _parts(aspect: str, seat: int | None) -> tuple[str, ...]:
    """Return the doubts that an aspect may be kept as, for a finding about a seat."""
    if aspect == HANDS and seat is not None:
        return (HANDS, f"{HANDS}:{seat}")
    return (MATCH, LOST) if aspect == MATCH else (aspect,)


def _gist(violation: Violation | None) -> tuple[str, str, str]:
    """Return what makes two beliefs agree on what is wrong."""
    assert violation is not None
    return violation.code, violation.detail, repr(violation.expected)
