"""Logs with a card, a draw or a discard that the rules do not allow (ONO3xx)."""

from typing import Any

from ono_replay.rules.events import Deal, DiscardFour, Event, ForfeitDraw, Reshuffle, RoundStart
from ono_replay.simulate.broken.script import (
    END_OF_OPENING,
    OPENING,
    Broken,
    draw,
    encoded,
    play,
    position,
    start,
)

_FIRST = END_OF_OPENING + 1
_OPENED: tuple[Event, ...] = (start(), *OPENING)
_TURN: tuple[Event, ...] = (*_OPENED, play(0, "7", 7), draw(0, "9"))
_BO = ("0", "1", "2", "3")
_OLD: dict[str, Any] = {"edition": "1980", "match": "single"}
_SMALL = {"7": 5, "9": 4, "10": 3}
_RECORDED: Any = ("7", "7", "9", "10", "9", "9", "10", "7", "7", "9", "10", "7")


def _log(
    code: str, line: int, story: str, *events: Event, variant: str = "", is_warning: bool = False
) -> Broken:
    return Broken(
        code=code, line=line, story=story, variant=variant, is_warning=is_warning, content=encoded(*events)
    )


def _old_position(
    total: int, *hands: tuple[str, ...], plays_due: int = 1, discard_pile: Any = 5
) -> RoundStart:
    """Return a position of the smaller deck of 1980."""
    return position(total, *hands, plays_due=plays_due, draw_pile=30, discard_pile=discard_pile)


LOGS = (
    _log("ONO301", _FIRST + 2, "Ann plays twice in a row.", *_TURN, play(0, "9", 16), draw(0, "2")),
    _log(
        "ONO302", _FIRST, "Ann plays a card that she was not dealt.", *_OPENED, play(0, "9", 9), draw(0, "2")
    ),
    _log(
        "ONO303",
        3,
        "Ann goes over the limit of 98 though she could play a 0.",
        start(),
        position(95, ("0", "7", "9", "10"), _BO),
        play(0, "7", 102),
        draw(0, "2"),
    ),
    _log(
        "ONO303",
        3,
        "The table let it stand.",
        start(),
        position(95, ("0", "7", "9", "10"), _BO),
        play(0, "7", 102, irregular=True),
        draw(0, "2"),
        variant="let-stand",
        is_warning=True,
    ),
    _log("ONO304", _FIRST, "Ann plays an ONO 99.", *_OPENED, play(0, "ono_99", 0), draw(0, "2")),
    _log(
        "ONO305",
        3,
        "Ann, who must play two, begins with a Double Play.",
        start(**_OLD),
        _old_position(40, ("double_play", "7", "9", "hold"), ("2", "3", "4", "5"), plays_due=2),
        play(0, "double_play", 40),
        draw(0, "6"),
    ),
    _log(
        "ONO306",
        _FIRST,
        "Ann announces 8 for a 7.",
        *_OPENED,
        play(0, "7", 8),
        draw(0, "9"),
        play(1, "4", 12),
    ),
    _log(
        "ONO307",
        3,
        "Bo, who is out, plays.",
        start(seats=3),
        position(40, ("7", "8"), ("4", "9"), ("0", "1"), turn=2, gone=(1,)),
        play(1, "4", 44),
    ),
    _log(
        "ONO308", _FIRST + 1, "Ann does not draw.", *_OPENED, play(0, "7", 7), play(1, "4", 11), draw(1, "2")
    ),
    _log("ONO309", _FIRST + 2, "Ann draws a second card.", *_TURN, draw(0, "2")),
    _log("ONO309", _FIRST + 1, "Bo draws Ann's card.", *_TURN[:-1], draw(1, "2"), variant="other-seat"),
    _log(
        "ONO310",
        3,
        "A third Double Play, though the deck has two.",
        start(view="public", **_OLD),
        _old_position(40, ("?",) * 4, ("?",) * 4, discard_pile=("double_play", "7", "double_play")),
        play(0, "double_play", 40),
        draw(0, "?"),
    ),
    _log("ONO311", _FIRST, "A Hold in a game of 2022.", *_OPENED, play(0, "hold", 0), draw(0, "2")),
    _log("ONO312", _FIRST + 1, "A draw is lost in a game of 2022.", *_TURN[:-1], ForfeitDraw(0, 0)),
    _log(
        "ONO313",
        3,
        "Ann discards four ONO 99s and holds three.",
        start(),
        position(40, ("ono_99", "ono_99", "ono_99", "0"), _BO),
        DiscardFour(0, 0),
    ),
    _log(
        "ONO313",
        3,
        "A table of 1980 offers no four-card discard.",
        start(**_OLD),
        _old_position(40, ("ono_99",) * 4, ("2", "3", "4", "5")),
        DiscardFour(0, 0),
        variant="not-offered",
    ),
    _log(
        "ONO314",
        4,
        "The card just played is not counted.",
        start(),
        position(40, ("7", "8", "9", "10"), _BO, draw_pile=0),
        play(0, "7", 47),
        Reshuffle(0, 9),
        draw(0, "2"),
    ),
    _log(
        "ONO314",
        4,
        "The draw pile is not empty yet.",
        start(),
        position(40, ("7", "8", "9", "10"), _BO, draw_pile=1),
        play(0, "7", 47),
        Reshuffle(0, 10),
        draw(0, "2"),
        variant="not-empty",
    ),
    _log(
        "ONO315",
        4,
        "The draw pile is empty and is not made new.",
        start(),
        position(40, ("7", "8", "9", "10"), _BO, draw_pile=0),
        play(0, "7", 47),
        draw(0, "2"),
    ),
    _log(
        "ONO316",
        _FIRST,
        "Ann opens with a Reverse though she holds a 7.",
        start(opening_card="number"),
        *OPENING,
        play(0, "reverse", 0),
        draw(0, "9"),
    ),
    _log(
        "ONO317",
        3,
        "At this table a −10 can not be played below 10.",
        start(minus_ten_floor="illegal"),
        position(4, ("-10", "7", "8", "9"), _BO),
        play(0, "-10", -6),
        draw(0, "2"),
    ),
    _log(
        "ONO318",
        _FIRST + 1,
        "The next card of the deck is a 7.",
        start(deck=_SMALL),
        RoundStart(0, round=1, dealer=1, starter=0, deck=_RECORDED),
        Deal(0, 0, ("7", "7", "9", "10")),
        Deal(0, 1, ("9", "9", "10", "7")),
        play(0, "7", 7),
        draw(0, "9"),
    ),
    _log(
        "ONO319",
        2,
        "Bo starts, though he dealt himself.",
        start(),
        RoundStart(0, round=1, dealer=1, starter=1),
        *OPENING[1:],
        play(1, "10", 10),
        draw(1, "2"),
    ),
)
"""In the order of the codes."""
