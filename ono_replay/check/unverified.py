"""How many checks an event would need that unknown cards keep from being made (schemas/SPECIFICATION.md section 13)."""

from collections.abc import Callable
from typing import Any

from ono_replay.rules.cards import EFFECTS, HIDDEN, ONO_99, remove_card
from ono_replay.rules.ends import may_rest_on_last_to_play
from ono_replay.rules.events import Deal, DiscardFour, Draw, Eliminate, Event, Play, RoundEnd
from ono_replay.rules.legality import told_hand
from ono_replay.rules.state import State


def unverified(state: State, event: Event) -> int:
    """Return how many checks of an event at a state could not be made.

    >>> from ono_replay.rules.ruleset import EDITIONS
    >>> from ono_replay.rules.state import first_state
    >>> table = first_state(EDITIONS["2022"], 2)
    >>> unverified(table, Deal(2, 0, ("?", "?", "?", "?")))
    0
    """
    count = _COUNTS.get(type(event))
    return count(state, event) if count is not None else 0


def _play(state: State, event: Play) -> int:
    hand = state.hands[event.seat]
    left = remove_card(hand, event.card)
    missing = int(event.card not in hand and HIDDEN in hand)
    opening = (
        state.ruleset.opening_card == "number"
        and not state.opened
        and not EFFECTS[event.card].number
        and HIDDEN in left
    )
    return missing + int(opening)


def _draw(state: State, event: Draw) -> int:
    return int(event.card == HIDDEN and state.next_card not in (None, HIDDEN))


def _deal(state: State, event: Deal) -> int:
    return int(HIDDEN in event.cards and state.stack is not None)


def _discard_four(state: State, event: DiscardFour) -> int:
    return int(state.hands[event.seat].count(ONO_99) < 4)


def _eliminate(state: State, event: Eliminate) -> int:
    hand = state.hands[event.seat]
    told = told_hand(hand, event)
    told = hand if told is None else told
    count = 0
    if event.reason == "no_legal_play":
        count += HIDDEN in (told if event.card is None else remove_card(told, event.card))
        count += event.card is not None and event.card not in hand
    if event.hand is not None:
        held = hand if event.card is None else remove_card(hand, event.card)
        count += HIDDEN in held or HIDDEN in event.hand
    return count


def _round_end(state: State, _event: RoundEnd) -> int:
    count = int(may_rest_on_last_to_play(state))
    if state.ruleset.scores_points:
        count += sum(HIDDEN in state.hands[seat] for seat in state.match.seats_in())
    return count


_COUNTS: dict[type[Event], Callable[[State, Any], int]] = {
    Deal: _deal,
    Play: _play,
    Draw: _draw,
    DiscardFour: _discard_four,
    Eliminate: _eliminate,
    RoundEnd: _round_end,
}
