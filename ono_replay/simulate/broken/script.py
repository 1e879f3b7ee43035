"""Short games written by hand, and how one line of them is broken."""

from collections.abc import Sequence
from typing import Any, cast

import msgspec
from msgspec.structs import replace

from ono_replay.log.jsonl import canonical
from ono_replay.rules.events import (
    Deal,
    Draw,
    Eliminate,
    Event,
    GameStart,
    Play,
    Player,
    Position,
    RoundStart,
    View,
)

NAMES = ("Ann", "Bo", "Cy")
NO_ID_YET = "kitchen-7"
END_OF_OPENING = 4
"""Lines before the first card of a game that begins with `OPENING`."""


class Broken(msgspec.Struct, frozen=True, kw_only=True):
    """A log with exactly one fault."""

    code: str
    line: int | None
    """The line that the fault is found at; None where it is the whole stream's."""
    story: str
    """What happens, in a sentence for people."""
    content: bytes
    variant: str = ""
    """Tells apart several logs of one code."""
    suffix: str = ".ono.jsonl"
    is_warning: bool = False
    """It is no error here, though the code is one: let stand, or of a newer version."""


def start(
    *,
    seats: int = 2,
    edition: str = "2022",
    view: View = "full",
    version: str = "1.0",
    game_id: str = NO_ID_YET,
    **options: Any,
) -> GameStart:
    """Return the first event of a game of `NAMES`; the last seat deals, seat 0 starts.

    The id is put in with the log's file name, where the log is not compressed.
    """
    return GameStart(
        seq=0,
        format="ono-log",
        version=version,
        game_id=game_id,
        ruleset={"edition": edition, **options},
        players=tuple(Player(name) for name in NAMES[:seats]),
        dealer=seats - 1,
        view=view,
    )


def play(seat: int, card: str, total: int, **more: Any) -> Play:
    """Return a play, still without its number."""
    return Play(0, seat, cast(Any, card), total, **more)


def draw(seat: int, card: str, **more: Any) -> Draw:
    """Return a draw, still without its number."""
    return Draw(0, seat, cast(Any, card), **more)


def out(seat: int, *hand: str, **more: Any) -> Eliminate:
    """Return an elimination that lays a hand down, still without its number."""
    return Eliminate(0, seat, "no_legal_play", hand=cast(Any, hand), **more)


def position(
    total: int,
    *hands: Sequence[str],
    turn: int | None = 0,
    plays_due: Any = 1,
    gone: tuple[int, ...] = (),
    draw_pile: Any = 40,
    discard_pile: Any = 9,
    **more: Any,
) -> RoundStart:
    """Return a round that starts from a position; seat 0 is to play unless told otherwise."""
    return RoundStart(
        seq=0,
        round=1,
        dealer=len(hands) - 1,
        starter=0,
        position=Position(
            total=total,
            direction=1,
            turn=turn,
            plays_due=plays_due,
            second=False,
            hands=cast(Any, tuple(tuple(hand) for hand in hands)),
            out=gone,
            draw_pile=draw_pile,
            discard_pile=discard_pile,
            **more,
        ),
    )


OPENING: tuple[Event, ...] = (
    RoundStart(0, round=1, dealer=1, starter=0),
    Deal(0, 0, ("7", "ono_99", "reverse", "0")),
    Deal(0, 1, ("10", "-10", "play_2", "4")),
)
"""A round of two players is dealt."""


def numbered(events: Sequence[Event]) -> list[Event]:
    """Return events numbered from 0."""
    return [replace(event, seq=seq) for seq, event in enumerate(events)]


def encoded(*events: Event | bytes) -> bytes:
    """Return a log of events, numbered as they stand; bytes are lines as they are."""
    lines = [
        line if isinstance(line, bytes) else canonical(replace(line, seq=seq))
        for seq, line in enumerate(events)
    ]
    return b"".join(line + b"\n" for line in lines)
