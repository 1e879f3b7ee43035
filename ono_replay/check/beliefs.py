"""The states to believe in after an event that breaks a rule, most likely first."""

from collections.abc import Iterable

from ono_replay.check.repair import repairs
from ono_replay.rules.events import Event
from ono_replay.rules.legality import why_illegal
from ono_replay.rules.state import State
from ono_replay.rules.transition import advance

MOST_BELIEFS = 24
DEEPEST = 3
"""How many faults an event is taken to have at most."""


def distinct(states: Iterable[State], most: int = MOST_BELIEFS) -> list[State]:
    """Return the states without repetitions, the first `most` of them."""
    kept: list[State] = []
    for state in states:
        if state not in kept:
            kept.append(state)
            if len(kept) == most:
                break
    return kept


def continuations(state: State, event: Event, *, deepest: int = DEEPEST) -> list[State]:
    """Return the states that may hold after an event.

    There is one after a legal event; after one that breaks a rule, all that would explain it.
    """
    violation = why_illegal(state, event)
    if violation is None or deepest <= 0:
        return [advance(state, event)]
    found: list[State] = []
    for repair in repairs(state, event, violation):
        if isinstance(repair, State):
            found.append(repair)
        else:
            found.extend(continuations(*repair, deepest=deepest - 1))
        if len(found) >= MOST_BELIEFS:
            break
    # Or it does not belong here at all.
    return distinct([*found[: MOST_BELIEFS - 1], state]) if deepest == DEEPEST else distinct(found) or [state]
