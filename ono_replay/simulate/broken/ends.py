"""Logs with a fall, an end or a digest that is not right (ONO4xx, ONO5xx)."""

from typing import Any

from ono_replay.rules.events import Event, GameEnd, RoundEnd
from ono_replay.simulate.broken.script import OPENING, Broken, draw, encoded, out, play, position, start

_DEAD = ("4", "9", "10", "ono_99")
"""A hand that can not be played at 98."""
_LIVE = ("0", "1", "2", "3")
_WON = GameEnd(0, (0,), "completed")
_POINTS: dict[str, Any] = {"edition": "1980", "match": "points_low_score", "points_target": 100}


def _log(code: str, line: int, story: str, *events: Event, variant: str = "") -> Broken:
    return Broken(code=code, line=line, story=story, variant=variant, content=encoded(*events))


def _round(*, seats: int = 2, total: int = 98, **options: Any) -> tuple[Event, ...]:
    """Return a game where Bo is to play and can not."""
    hands = (_LIVE, _DEAD, ("5", "6", "7", "8"))[:seats]
    return start(seats=seats, **options), position(total, *hands, turn=1)


def _old(hand: tuple[str, ...], *, total: int = 98, **options: Any) -> tuple[Event, ...]:
    """Return a game of 1980 where Bo is to play."""
    piles: dict[str, Any] = {"draw_pile": 30, "discard_pile": 5}
    return start(**options), position(total, ("2", "3", "4", "5"), hand, turn=1, **piles)


LOGS = (
    _log(
        "ONO401",
        3,
        "Bo goes out with a Reverse in hand.",
        start(),
        position(98, _LIVE, ("4", "9", "ono_99", "reverse"), turn=1),
        out(1, "4", "9", "ono_99", "reverse"),
        RoundEnd(0, 1, 0, 1),
        _WON,
    ),
    _log(
        "ONO402",
        3,
        "Bo lays down an 8 that he does not hold.",
        *_round(),
        out(1, "4", "8", "10", "ono_99"),
        RoundEnd(0, 1, 0, 1),
        _WON,
    ),
    _log("ONO403", 4, "Bo is out and yet wins the round.", *_round(), out(1, *_DEAD), RoundEnd(0, 1, 1, 1)),
    _log(
        "ONO403",
        3,
        "An abandoned game has a winner.",
        *_round(),
        GameEnd(0, (0,), "abandoned"),
        variant="abandoned",
    ),
    _log(
        "ONO404", 3, "The round ends with three players still in.", *_round(seats=3), RoundEnd(0, 1, 0, None)
    ),
    _log(
        "ONO404",
        5,
        "The game ends in the middle of a round.",
        start(),
        *OPENING,
        _WON,
        variant="game",
    ),
    _log("ONO405", 4, "Ann plays on though she has won.", *_round(), out(1, *_DEAD), play(0, "0", 98)),
    _log(
        "ONO406",
        4,
        "Bo has lost the round and keeps all chips.",
        *_old(("6", "9", "10", "ono_99"), edition="1980"),
        out(1, "6", "9", "10", "ono_99"),
        RoundEnd(0, 1, 0, 1, chips=(3, 3)),
    ),
    _log(
        "ONO407",
        5,
        "Ann's cards make 14 points, not 24.",
        *_old(("6", "9", "10", "ono_99"), **_POINTS),
        out(1, "6", "9", "ono_99", card="10"),
        draw(1, "7"),
        RoundEnd(0, 1, 0, 1, points=(24, 67), scores=(24, 67)),
    ),
    _log(
        "ONO408",
        5,
        "Cy fell first, Ann is named.",
        start(seats=3),
        position(98, _DEAD, _LIVE, ("4", "8", "10", "ono_99"), turn=2),
        out(2, "4", "8", "10", "ono_99"),
        out(0, *_DEAD),
        RoundEnd(0, 1, 1, 0),
    ),
    _log(
        "ONO409",
        3,
        "Bo holds cards over the limit and goes out without one.",
        *_old(("6", "9", "10", "ono_99"), **_POINTS),
        out(1, "6", "9", "10", "ono_99"),
        variant="missing",
    ),
    _log(
        "ONO409",
        3,
        "A bust card in a match without points.",
        *_round(),
        out(1, "4", "9", "ono_99", card="10"),
        variant="none-belongs",
    ),
    _log(
        "ONO501",
        3,
        "The digest is that of other bytes.",
        *_round(),
        GameEnd(0, (), "abandoned", digest="sha256:" + 64 * "0"),
    ),
)
"""In the order of the codes."""
