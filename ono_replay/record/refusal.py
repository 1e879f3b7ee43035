"""What a recorder answers instead of writing an event."""

from collections.abc import Sequence

from msgspec.structs import replace

from ono_replay.check.catalogue import CATALOGUE
from ono_replay.check.diagnostic import Diagnostic
from ono_replay.check.finding import diagnostic
from ono_replay.check.messages import describe
from ono_replay.log.shape import ShapeFault
from ono_replay.log.strict import LineFault
from ono_replay.rules.events import DiscardFour, Eliminate, Event, Play
from ono_replay.rules.playable import legal_plays
from ono_replay.rules.state import State
from ono_replay.rules.violation import Violation


class Refusal(Violation, frozen=True):
    """The rule that a refused event breaks: a `Violation`, with the event and plain words.

    `legal` are the tokens that the seat to act could have played, as far as its hand is known.
    """

    event: Event | None = None
    message: str = ""
    help: str | None = None

    @property
    def may_stand(self) -> bool:
        """Whether the event may be let stand all the same (`irregular`).

        Faults of play may, but not that a round or match is over, or is not: nothing could follow.
        """
        return self.code[3] in "34" and self.code not in ("ONO404", "ONO405")

    def diagnostic(self, file: str, game_id: str) -> Diagnostic:
        """Return the refusal as the diagnostic that a log with the event would get."""
        return diagnostic(
            self.code,
            file,
            None,
            self.message,
            help_text=self.help,
            game_id=game_id,
            seat=getattr(self.event, "seat", None),
            expected=self.expected,
            actual=self.actual,
            legal=self.legal,
        )


def refuse(violation: Violation, event: Event, state: State, names: Sequence[str]) -> Refusal:
    """Return the refusal of an event for a violation at a state."""
    message, help_text = describe(violation, event, names)
    legal = violation.legal
    acts = isinstance(event, Play | DiscardFour) or (
        isinstance(event, Eliminate) and event.reason == "no_legal_play"
    )
    if not legal and acts and getattr(event, "seat", None) == state.turn:
        legal = legal_plays(state)
    return Refusal(
        violation.code,
        violation.detail,
        violation.expected,
        violation.actual,
        legal,
        event=event,
        message=message,
        help=help_text,
    )


def refuse_line(fault: ShapeFault | LineFault) -> Refusal:
    """Return the refusal of an event that can not be a line of this log."""
    if isinstance(fault, LineFault):
        return refuse_plainly(fault.code, fault.message)
    refused = refuse_plainly(fault.code, fault.message, expected=fault.expected, actual=fault.actual)
    return replace(refused, detail=fault.key)


def refuse_plainly(
    code: str, message: str, *, expected: object = None, actual: object = None, help_text: str | None = None
) -> Refusal:
    """Return a refusal that no event was made for.

    >>> refuse_plainly("ONO209", "there is nothing to undo").may_stand
    False
    """
    return Refusal(code, "", expected, actual, message=message, help=help_text or CATALOGUE[code].fix)
