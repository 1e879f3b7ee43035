"""A sample log, and how a simulated game is dressed as one that people played."""

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from ono_replay.log.jsonl import encode_game
from ono_replay.log.undo import renumbered, with_digest
from ono_replay.rules.events import Comment, Event, GameStart, Play, Player, Source
from ono_replay.simulate.game import Simulator
from ono_replay.simulate.plan import Plan

SUFFIX = ".ono.jsonl"
APP = Source(app="table app", version="3.2")
THINKING_MS = 2_000
DRAWING_MS = 900


class Sample(msgspec.Struct, frozen=True):
    """A log to try things on."""

    name: str
    """Folder and file, without the suffix; the id of its game is the name of the file."""
    story: str
    """What is in it, in a sentence for people."""
    events: tuple[Event, ...]

    @property
    def path(self) -> str:
        """Where it lies below `sample_logs/`."""
        return self.name + SUFFIX

    @property
    def content(self) -> bytes:
        """Its bytes; a `game_end` has its digest."""
        return encode_game(with_digest(self.events, always=True))


def game(plan: Plan, index: int = 0) -> list[Event]:
    """Return a simulated game."""
    return Simulator(plan).events(index)


def sample(name: str, story: str, events: Iterable[Event]) -> Sample:
    """Return a sample, its game named after its file."""
    first, *rest = events
    start = replace(first, game_id=name.rpartition("/")[2]) if isinstance(first, GameStart) else first
    return Sample(name, story, (start, *rest))


def played_by(events: Sequence[Event], *names: str, **more: Any) -> list[Event]:
    """Return a game with people at the table instead of bots; `more` changes the `game_start` further."""
    start, *rest = events
    assert isinstance(start, GameStart)
    players = tuple(map(Player, names))
    return [replace(start, **({"players": players, "source": None} | more)), *rest]


def timed(events: Iterable[Event], *, since: str) -> list[Event]:
    """Return a game that says when things happened: some seconds a card, from a made-up clock."""
    clock = 0
    told: list[Event] = []
    for event in events:
        if isinstance(event, GameStart):
            event = replace(event, started_at=since)
        elif isinstance(event, Play):
            # Any unequal steps will do; these are the same every time.
            clock += THINKING_MS + event.seq * 7919 % 9000
        else:
            clock += DRAWING_MS
        told.append(replace(event, at_ms=clock) if clock else event)
    return told


def with_comment(events: Sequence[Event], after: int, text: str, ref: int | None = None) -> list[Event]:
    """Return a game with a comment after the event with a number; everything behind it moves on by one."""
    place = next(place for place, event in enumerate(events) if event.seq == after) + 1
    told = Comment(seq=max(event.seq for event in events) + 1, text=text, ref=ref)
    return renumbered([*events[:place], told, *events[place:]])
