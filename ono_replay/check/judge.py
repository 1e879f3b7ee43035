"""What is known of a game while its log is read, and what stops being known when the log is wrong.

As long as nothing is wrong a judge holds one state. After a fault it goes on from what the log says
happened, but cannot always tell what that was: it then holds several states (beliefs), and events that
fit one of them are right; states that an event does not fit are dropped. What a fault puts in doubt
beyond that is kept by aspect, until the round ends: a later fault that relies on a doubtful aspect can
only be a consequence, a knock-on.
"""

import msgspec

from ono_replay.check.diagnostic import Severity
from ono_replay.check.repair import continuations, distinct
from ono_replay.rules.events import Event, Play, RoundEnd, RoundStart
from ono_replay.rules.legality import why_illegal
from ono_replay.rules.state import Phase, State
from ono_replay.rules.transition import advance
from ono_replay.rules.violation import Violation

TURN, TOTAL, HANDS, PILE, DECK = "turn", "total", "hands", "pile", "deck"
SIGHT, DEALT, OUT, FLOW, MATCH = "sight", "dealt", "out", "flow", "match"
ROUND_ASPECTS = (TURN, TOTAL, HANDS, PILE, DECK, SIGHT, DEALT, OUT, FLOW)
ALL_ASPECTS = (*ROUND_ASPECTS, MATCH)

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


class Finding(msgspec.Struct, frozen=True):
    """A violation as the judge weighs it."""

    violation: Violation
    severity: Severity
    knock_on: bool
    state: State
    """The state it was judged at."""


class Judge:
    """Follows a game event by event and weighs what breaks the rules."""

    __slots__ = ("_calm", "_cause", "beliefs", "doubts")

    def __init__(self, state: State) -> None:
        """Begin at a state that is certain."""
        self.beliefs: list[State] = [state]
        self.doubts: dict[str, Severity] = {}
        self._cause: Severity = "error"
        self._calm = 0

    @property
    def state(self) -> State:
        """The most likely state."""
        return self.beliefs[0]

    @property
    def certain(self) -> bool:
        """Whether nothing is in doubt."""
        return not self.doubts and len(self.beliefs) == 1

    def snapshot(self) -> tuple[tuple[State, ...], tuple[tuple[str, Severity], ...], Severity, int]:
        """Return what `restore` takes to come back to this moment."""
        return tuple(self.beliefs), tuple(self.doubts.items()), self._cause, self._calm

    def restore(self, saved: tuple[tuple[State, ...], tuple[tuple[str, Severity], ...], Severity, int]) -> None:
        """Come back to a moment saved by `snapshot`."""
        beliefs, doubts, self._cause, self._calm = saved
        self.beliefs, self.doubts = list(beliefs), dict(doubts)

    def take(self, event: Event) -> Finding | None:
        """Go on past an event; return what is wrong with it, or None."""
        fitting = [state for state in self.beliefs if why_illegal(state, event) is None]
        if fitting:
            after = [advance(state, event) for state in fitting]
            self.beliefs = distinct(after) if len(after) > 1 else after
            if self.doubts:
                self._settle(event)
            return None
        violation = why_illegal(self.state, event)
        assert violation is not None
        return self._weigh(event, violation)

    def lose(self, aspects: tuple[str, ...] = ALL_ASPECTS, severity: Severity = "error") -> None:
        """Put aspects in doubt: an event was lost."""
        self._calm = 0
        for aspect in aspects:
            if self.doubts.get(aspect) != "error":
                self.doubts[aspect] = severity

    def trust(self) -> None:
        """Let go of all doubts: nothing was lost after all."""
        if len(self.beliefs) == 1:
            self.doubts.clear()

    def guess(self, event: Event) -> None:
        """Go on past an event that is only partly known, saying nothing of it."""
        states = [after for state in self.beliefs for after in continuations(state, event)]
        self.beliefs = distinct(states)

    def _settle(self, event: Event) -> None:
        """Let go of doubts that the log has answered."""
        if isinstance(event, RoundStart):
            for aspect in [name for name in self.doubts if name != MATCH]:
                del self.doubts[aspect]
        elif isinstance(event, RoundEnd):
            self.doubts.pop(MATCH, None)
        elif isinstance(event, Play):
            self.doubts.pop(TOTAL, None)
            self._calm += 1
            if self._calm > 2 * self.state.match.seats and len(self.beliefs) == 1:
                for aspect in (TURN, FLOW):
                    self.doubts.pop(aspect, None)

    def _weigh(self, event: Event, violation: Violation) -> Finding:
        state = self.state
        seat = getattr(event, "seat", None)
        relied = [
            self.doubts[aspect]
            for name in _RELIES.get(violation.code, ())
            for aspect in ((HANDS, f"{HANDS}:{seat}") if name == HANDS and seat is not None else (name,))
            if aspect in self.doubts
        ]
        if seat is None and HANDS in _RELIES.get(violation.code, ()):
            relied += [held for aspect, held in self.doubts.items() if aspect.startswith(HANDS)]
        if len({_gist(why_illegal(belief, event)) for belief in self.beliefs}) > 1:
            relied.append(self._cause)
        knock_on = bool(relied)
        severity: Severity = "error"
        if (event.irregular and violation.code[3] in "34") or (knock_on and "error" not in relied):
            severity = "warning"
        if isinstance(event, RoundStart):
            self._settle(event)
        self._cast(event, violation, severity)
        states = [after for belief in self.beliefs for after in continuations(belief, event)]
        self.beliefs = distinct(states)
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
        if code == "ONO211":
            aspects += ROUND_ASPECTS
        if code == "ONO204" and (
            self.state.phase in (Phase.BEFORE_ROUND, Phase.ENDED)
            or (isinstance(event, RoundStart) and self.state.phase is not Phase.ROUND_OVER)
        ):
            aspects += ALL_ASPECTS
        if code == "ONO204" and event.type in ("round_start", "game_end", "deal"):
            aspects += [MATCH, TURN]
        if code == "ONO204" and event.type == "eliminate":
            aspects += [OUT, TURN]
        if code == "ONO107" and violation.detail == "deck":
            aspects += [DECK, SIGHT]
        self.lose(tuple(aspects), severity)


def _gist(violation: Violation | None) -> tuple[str, str, str]:
    """Return what makes two beliefs agree on what is wrong."""
    assert violation is not None
    return violation.code, violation.detail, repr(violation.expected)
