"""Sound games with one fault put in, and what a validator must say of it.

A fault is a function that takes a sound `Game` and a source of chance and returns a `Broken` log, or None
where the game has no place for it. What must be said follows from what was changed, not from our validator.
"""

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import msgspec
from msgspec.structs import replace

from ono_replay.log.jsonl import canonical, event_keys
from ono_replay.log.redact import view_of
from ono_replay.rules.events import Comment, Event, GameStart
from ono_replay.rules.state import State, first_state
from ono_replay.rules.transition import advance
from tests.property.walk import Walk


class Game:
    """A sound game: its events, and for each but the first the state that it meets."""

    def __init__(self, events: list[Any], first: State) -> None:
        self.events = events
        self.ruleset = first.ruleset
        self.seats = first.match.seats
        self.before: list[State] = [first]
        for event in events[:-1]:
            self.before.append(advance(self.before[-1], event))

    @property
    def start(self) -> GameStart:
        start = self.events[0]
        assert isinstance(start, GameStart)
        return start

    @property
    def full(self) -> bool:
        return self.start.view == "full"

    def places(self, *kinds: type[Event]) -> list[int]:
        """The places of the events of some kinds."""
        return [place for place, event in enumerate(self.events) if isinstance(event, kinds)]


def game_of(seed: int) -> Game:
    """A random game; one of three is a view in which cards are hidden."""
    walk = Walk(seed, most=150, decks=seed % 4 == 0)
    events = view_of(walk.events, None if seed % 2 else 0) if seed % 3 == 0 else walk.events
    return Game(events, first_state(walk.ruleset, walk.seats))


class Broken(msgspec.Struct):
    """A log with one fault and what must be said of it first."""

    lines: list[bytes]
    line: int | None
    """1-based; None for what belongs to a stream."""
    seq: int | None
    code: str = ""
    severity: str = "error"
    data: bytes | None = None
    """The file where it is not just the lines."""

    @property
    def file(self) -> bytes:
        return b"".join(line + b"\n" for line in self.lines) if self.data is None else self.data


Mutation = Callable[[Game, Random], Broken | None]
FAULTS: dict[str, tuple[str, Mutation]] = {}
"""By name: the code and what puts the fault in."""


def fault(code: str, *, severity: str = "error") -> Callable[[Mutation], Mutation]:
    """Register a mutation; its name begins with what it is about."""

    def register(mutate: Mutation) -> Mutation:
        def broken(game: Game, random: Random) -> Broken | None:
            made = mutate(game, random)
            if made is not None:
                made.code, made.severity = code, severity
            return made

        name = f"{code}-{mutate.__name__.replace('_', '-')}"
        assert name not in FAULTS
        FAULTS[name] = code, broken
        return mutate

    return register


def lines_of(events: list[Event]) -> list[bytes]:
    return [canonical(event) for event in events]


def numbered(events: list[Event]) -> list[Event]:
    """The same events, numbered anew; a comment that names another goes without."""
    plain = [replace(event, ref=None) if isinstance(event, Comment) else event for event in events]
    return [replace(event, seq=seq) for seq, event in enumerate(plain)]


def changed(game: Game, place: int, **changes: Any) -> Broken:
    """The game with other values in one event, which is at fault."""
    events = list(game.events)
    events[place] = replace(events[place], **changes)
    return Broken(lines_of(events), place + 1, place)


def without(game: Game, place: int, *, fault_at: int | None = None) -> Broken | None:
    """The game without an event; the one after it is at fault."""
    events = numbered([*game.events[:place], *game.events[place + 1 :]])
    at = place if fault_at is None else fault_at
    return Broken(lines_of(events), at + 1, at) if at < len(events) else None


def with_event(game: Game, place: int, event: Event) -> Broken:
    """The game with one event more before a place, which is at fault."""
    events = numbered([*game.events[:place], event, *game.events[place:]])
    return Broken(lines_of(events), place + 1, place)


def instead(game: Game, place: int, event: Event) -> Broken:
    """The game with another event in a place, which is at fault."""
    events = numbered([*game.events[:place], event, *game.events[place + 1 :]])
    return Broken(lines_of(events), place + 1, place)


def with_line(game: Game, place: int, line: bytes, *, seq: int | None) -> Broken:
    """The game with another line in a place, which is at fault."""
    lines = lines_of(game.events)
    lines[place] = line
    return Broken(lines, place + 1, seq)


def keys_at(game: Game, place: int) -> dict[str, Any]:
    return dict(event_keys(game.events[place]))


def shuffled(random: Random, places: list[int]) -> Iterator[int]:
    """Places in any order: the first that will do is taken."""
    return iter(random.sample(places, k=len(places)))


def pick(random: Random, places: list[int]) -> int | None:
    return random.choice(places) if places else None
