"""What stops being known when a log is wrong, by aspect: later faults that rely on it may be consequences.

>>> doubts = Doubts()
>>> doubts.cast(("turn",), "error")
>>> doubts.relied_on("ONO301", 0), doubts.relied_on("ONO306", 0)
(['error'], [])
"""

from collections.abc import Iterable

from ono_replay.check.diagnostic import Severity
from ono_replay.rules.events import Deal, Eliminate, Event, GameEnd, Play, RoundEnd, RoundStart
from ono_replay.rules.state import Phase, State
from ono_replay.rules.violation import Violation

TURN, TOTAL, HANDS, PILE, DECK = "turn", "total", "hands", "pile", "deck"
SIGHT, DEALT, OUT, FLOW, MATCH = "sight", "dealt", "out", "flow", "match"
POINTS, ORDER = "points", "order"
"""What the seats score in this round, and whether its recorded deck is in the right order: once in doubt, both are
until the round ends."""
LOST = "lost"
"""What a match was before lines were lost: in doubt until the next `round_end` that fits."""
ROUND_ASPECTS: tuple[str, ...] = (TURN, TOTAL, HANDS, PILE, DECK, SIGHT, DEALT, OUT, FLOW)
ALL_ASPECTS: tuple[str, ...] = (*ROUND_ASPECTS, MATCH)

CALM = 2
"""Times around the table that must be played without a finding before doubts are given up."""

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
    "ONO318": (DECK, ORDER),
    "ONO319": (MATCH,),
    "ONO401": _CARD_RELIES,
    "ONO402": (HANDS,),
    "ONO403": (OUT, MATCH, FLOW),
    "ONO404": (FLOW, OUT, MATCH),
    "ONO405": (FLOW, OUT, MATCH),
    "ONO406": (OUT, MATCH),
    "ONO407": (HANDS, POINTS, OUT, MATCH),
    "ONO408": (OUT, MATCH),
    "ONO409": _CARD_RELIES,
}
"""The aspects that a finding relies on; `hands` there is the hand of the seat that acts."""

_CARD_CASTS = (TURN, TOTAL, HANDS, SIGHT)
_CASTS: dict[str, tuple[str, ...]] = {
    "ONO204": (),
    "ONO207": (DEALT, DECK, HANDS, FLOW, TURN, TOTAL),
    "ONO301": (TURN, HANDS, PILE, DECK, SIGHT, POINTS),
    "ONO302": _CARD_CASTS,
    "ONO303": _CARD_CASTS,
    "ONO304": _CARD_CASTS,
    "ONO305": _CARD_CASTS,
    "ONO307": (TURN, HANDS, DEALT, OUT),
    "ONO308": (PILE, HANDS, DECK, SIGHT, FLOW, POINTS),
    "ONO309": (PILE, HANDS, DECK, SIGHT, POINTS),
    "ONO310": _CARD_CASTS,
    "ONO311": (*_CARD_CASTS, DECK),
    "ONO312": (PILE, HANDS, DECK, SIGHT, POINTS),
    "ONO313": (*_CARD_CASTS, PILE, DECK),
    "ONO314": (PILE, DECK, SIGHT),
    "ONO315": (PILE, DECK, SIGHT),
    "ONO316": _CARD_CASTS,
    "ONO317": _CARD_CASTS,
    "ONO318": (DECK, ORDER, HANDS, SIGHT),
    "ONO401": (*_CARD_CASTS, POINTS, OUT, FLOW, PILE, DECK, MATCH),
    "ONO402": (HANDS, SIGHT),
    "ONO404": (FLOW, OUT, MATCH),
    "ONO405": (FLOW, MATCH, TURN, HANDS, TOTAL),
    "ONO409": (PILE, HANDS, TURN, SIGHT, DECK, POINTS),
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


Snapshot = tuple[tuple[tuple[str, Severity], ...], Severity | None, int]


class Doubts:
    """The doubts of one game, each with the severity of the finding that cast it."""

    __slots__ = ("_calm", "_gap", "held")

    def __init__(self) -> None:
        """Begin with none."""
        self.held: dict[str, Severity] = {}
        """The doubts by aspect; that about one seat's hand is `hands:SEAT`."""
        self._gap: Severity | None = None
        """Lines of this round are lost: whatever is wrong in it may come from that."""
        self._calm = 0
        """Plays since the last finding."""

    def snapshot(self) -> Snapshot:
        """Return what `restore` takes to come back to this moment."""
        return tuple(self.held.items()), self._gap, self._calm

    def restore(self, saved: Snapshot) -> None:
        """Come back to a moment saved by `snapshot`."""
        held, self._gap, self._calm = saved
        self.held = dict(held)

    def cast(self, aspects: Iterable[str], severity: Severity) -> None:
        """Put aspects in doubt."""
        self._calm = 0
        for aspect in aspects:
            if self.held.get(aspect) != "error":
                self.held[aspect] = severity

    def lose(self, severity: Severity) -> None:
        """Put everything in doubt: lines are lost, or an undo can't be followed."""
        self.cast((*ALL_ASPECTS, LOST), severity)
        self._gap = severity

    def clear(self) -> None:
        """Let go of all doubts."""
        self.held.clear()
        self._gap = None

    def relied_on(self, code: str, seat: int | None) -> list[Severity]:
        """Return the severities of the doubts that a finding about a seat relies on."""
        relied = [] if self._gap is None else [self._gap]
        for aspect in _RELIES.get(code, ()):
            if aspect == HANDS and seat is None:
                relied += [severity for held, severity in self.held.items() if held.startswith(HANDS)]
                continue
            other = LOST if aspect == MATCH else f"{HANDS}:{seat}" if aspect == HANDS else aspect
            relied += [self.held[held] for held in {aspect, other} if held in self.held]
        return relied

    def cast_by(self, event: Event, violation: Violation, state: State, severity: Severity) -> None:
        """Put in doubt what a finding on an event leaves open; `state` is the one it met."""
        code = violation.code
        aspects: list[str] = []
        seats = {getattr(event, "seat", None), state.turn, state.drawer} - {None}
        for aspect in _CASTS.get(code, ()):
            aspects.extend([f"{HANDS}:{seat}" for seat in seats] if aspect == HANDS else [aspect])
        if code == "ONO318":
            aspects.append(HANDS)
        elif code == "ONO107" and violation.detail == "deck":
            aspects += [DECK, SIGHT]
        elif code == "ONO204":
            aspects += _cast_by_place(event, state.phase)
        unknown = state.phase is Phase.BEFORE_ROUND and not isinstance(event, RoundStart | RoundEnd | GameEnd)
        if code == "ONO211" or (code == "ONO204" and unknown):
            self.lose(severity)  # how the round began is not known
        self.cast(aspects, severity)

    def settle(self, event: Event, seats: int) -> None:
        """Let go of doubts that a fitting event has answered, at a table of so many seats."""
        if isinstance(event, RoundStart):
            self.begin_round()
        elif isinstance(event, RoundEnd):
            for aspect in (MATCH, LOST):
                self.held.pop(aspect, None)
        elif isinstance(event, Play):
            self.held.pop(TOTAL, None)
            self._calm += 1
            if self._calm > CALM * seats and self._gap is None:
                self._forget(but=(POINTS, ORDER, LOST))

    def begin_round(self) -> None:
        """Let go of what was in doubt in the round before."""
        self._gap = None
        self._forget(but=(MATCH, LOST))

    def _forget(self, *, but: tuple[str, ...]) -> None:
        self.held = {aspect: severity for aspect, severity in self.held.items() if aspect in but}


def _cast_by_place(event: Event, phase: Phase) -> tuple[str, ...]:
    """Return what is in doubt after an event of a type that can not stand where it does."""
    if phase in (Phase.BEFORE_ROUND, Phase.ENDED):
        return (*ALL_ASPECTS, LOST)
    if isinstance(event, RoundStart) and phase is not Phase.ROUND_OVER:
        return (*ALL_ASPECTS, LOST)
    if isinstance(event, RoundStart | GameEnd | Deal):
        return (MATCH, TURN, LOST, FLOW)
    return (OUT, TURN) if isinstance(event, Eliminate) else ()
