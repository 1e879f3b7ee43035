"""The course of a game: a step for each event, and what a reader goes by: turns, pair chains, key events."""

from collections.abc import Iterable, Sequence

import msgspec

from ono_replay.rules.chains import chain_part
from ono_replay.rules.events import (
    DiscardFour,
    Eliminate,
    Event,
    GameEnd,
    GameStart,
    Play,
    RoundEnd,
    RoundStart,
)
from ono_replay.rules.state import State


class Step(msgspec.Struct, frozen=True):
    """One effective event with the states around it."""

    event: Event
    before: State
    after: State


class Turn(msgspec.Struct, frozen=True):
    """Events that belong together in a list: one seat's turn, or (seat None) what lies between the turns."""

    first: int
    """Index of its first step."""
    seat: int | None
    number: int | None
    """Counted from 1 in each round; None between turns."""


class Chain(msgspec.Struct, frozen=True):
    """Two cards owed, from the pair card that began it until someone plays them or falls."""

    first: int
    last: int
    started_by: int
    length: int
    """Cards that passed it on, the first one included."""
    hit: int | None
    """The seat that had to play two, or fell; None if the round ended."""


def steps_of(first: State, pairs: Iterable[tuple[Event, State]]) -> list[Step]:
    """Return the steps of a game from the state before it and each event with the state after it."""
    steps: list[Step] = []
    for event, after in pairs:
        steps.append(Step(event, steps[-1].after if steps else first, after))
    return steps


def turns_of(steps: Sequence[Step]) -> list[Turn]:
    """Group steps by turn; a forced pair is one turn, a remark belongs where it stands."""
    turns: list[Turn] = []
    number = 0
    goes_on = False  # whether the seat that acted last may act again in the same turn
    for index, step in enumerate(steps):
        event = step.event
        if isinstance(event, Play | DiscardFour | Eliminate):
            if not (goes_on and turns[-1].seat == event.seat):
                number += 1
                turns.append(Turn(index, event.seat, number))
            goes_on = step.after.turn == event.seat and (
                step.after.second
                or (isinstance(event, DiscardFour) and step.before.plays_due == step.after.plays_due)
            )
        elif isinstance(event, GameStart | RoundStart | RoundEnd | GameEnd) or not turns:
            number = 0 if isinstance(event, RoundStart) else number
            turns.append(Turn(index, None, None))
            goes_on = False
    return turns


def chains_of(steps: Sequence[Step]) -> list[Chain]:
    """Find the pair chains, in the order they began."""
    chains: list[Chain] = []
    first = length = started_by = -1
    for index, step in enumerate(steps):
        part, seat = chain_part(step.event, step.before, step.after)
        if part == "begins":
            first, length, started_by = index, 1, seat
        elif part == "passes on":
            length += 1
        elif first >= 0 and step.after.plays_due != 2:
            chains.append(Chain(first, index, started_by, length, seat if part == "hits" else None))
            first = -1
    if first >= 0:
        chains.append(Chain(first, len(steps) - 1, started_by, length, None))
    return chains
