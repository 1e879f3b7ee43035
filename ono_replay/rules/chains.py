"""Pair chains: what an event is to the two cards that are owed."""

from typing import Literal

from ono_replay.rules.cards import EFFECTS
from ono_replay.rules.events import DiscardFour, Eliminate, Event, Play
from ono_replay.rules.state import State

ChainPart = Literal["begins", "passes on", "hits"]


def chain_part(event: Event, before: State, after: State) -> tuple[ChainPart | None, int]:
    """Return what an event is to a pair chain, and its seat: it hits whoever plays the two cards, or falls.

    None and -1 for every other event, also where two cards are owed no more because the round ended. `before` and
    `after` are the states around the event.

    >>> from msgspec.structs import replace
    >>> from ono_replay.rules.ruleset import EDITIONS
    >>> from ono_replay.rules.state import first_state
    >>> one = replace(first_state(EDITIONS["2022"], 3), plays_due=1)
    >>> two = replace(one, plays_due=2)
    >>> chain_part(Play(7, seat=0, card="play_2", total=9), one, two)
    ('begins', 0)
    >>> chain_part(Play(8, seat=1, card="9", total=18), two, one)
    ('hits', 1)
    """
    owed, owes = before.plays_due == 2, after.plays_due == 2
    if isinstance(event, Play) and owes and (owed or EFFECTS[event.card].pair):
        return "passes on" if owed else "begins", event.seat
    if owed and not owes:
        if isinstance(event, Play | DiscardFour):
            return "hits", event.seat
        if isinstance(event, Eliminate) and event.seat == before.turn:
            return "hits", event.seat
    return None, -1
