"""One checked game as the library takes it in: its effective events with the states, and where it came from."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ono_replay.check.diagnostic import GameReport
from ono_replay.rules.events import Event, GameStart
from ono_replay.rules.state import State


class Origin(NamedTuple):
    """Where a game stood and when it was brought."""

    file: str
    line: int
    imported: int


class CheckedGame(NamedTuple):
    """A game that is let in: valid or unfinished.

    `events` are the effective ones, the `game_start` first, with the numbers of the file; `states` has the state
    after each by its number, from the first `round_start` on and without events of unknown types.
    """

    start: GameStart
    events: Sequence[Event]
    states: Mapping[int, State]
    first: State
    """Before the first round."""
    report: GameReport
    origin: Origin
    n_voided: int
    log_digest: str
    lines_digest: str | None
    raw_digest: str | None
