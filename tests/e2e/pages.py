"""Games to look at and their pages, made when a test asks for them."""

import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from ono_replay.export.html import page_of
from ono_replay.export.payload import Options, build_payload
from ono_replay.log.jsonl import encode_game
from ono_replay.replay import Replay, read_replay
from ono_replay.rules.events import Event, GameStart, Player
from ono_replay.simulate.game import Simulator
from ono_replay.simulate.plan import Plan

NAMES = ("Ann", "Bo", "Cem", "Dörte", "Eve", "Farid", "Gül", "Henrik")
"""Players around the table."""


def make_game(names: Sequence[str] = NAMES[:4], *, index: int = 0, **plan: Any) -> list[Event]:
    """Simulate a game of these players."""
    settings: dict[str, Any] = {"seed": 7, "bots": ("saver", "low")} | plan
    start, *rest = Simulator(Plan(players=len(names), **settings)).events(index)
    assert isinstance(start, GameStart)
    players = tuple(Player(name) for name in names)
    # The digest would be that of other names.
    end = msgspec.structs.replace(rest[-1], digest=None)
    return [msgspec.structs.replace(start, players=players), *rest[:-1], end]


def replay_of(events: Sequence[Event]) -> Replay:
    return read_replay(io.BytesIO(encode_game(events)))


def write_page(path: Path, events: Sequence[Event], options: Options | None = None) -> Path:
    path.write_text(page_of(build_payload(replay_of(events), options)), encoding="utf-8")
    return path
