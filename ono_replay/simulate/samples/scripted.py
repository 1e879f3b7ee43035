"""Samples that are written by hand: games that start from a position."""

from ono_replay.rules.events import Comment, Event, GameEnd, RoundEnd
from ono_replay.simulate.broken.script import draw, numbered, out, play, position, start
from ono_replay.simulate.samples.sample import sample

_PUZZLE = (
    start(seats=3),
    position(
        96,
        ("2", "9", "reverse", "ono_99"),
        ("0", "10", "10", "ono_99"),
        ("-10", "8", "ono_99", "ono_99"),
        plays_due=2,
        draw_pile=60,
        discard_pile=40,
    ),
    Comment(0, "Ann owes two cards. Only one play lets her off; who owes two then?"),
)

_SOLVED: tuple[Event, ...] = (
    start(),
    position(
        97,
        ("1", "play_2", "10", "ono_99"),
        ("0", "9", "9", "ono_99"),
        draw_pile=("5", "7", "8", "-10", "3"),
        discard_pile=30,
    ),
    play(0, "play_2", 97),
    draw(0, "5"),
    play(1, "0", 97),
    draw(1, "7"),
    out(1, "7", "9", "9", "ono_99"),
    RoundEnd(0, round=1, winner=0, loser=1),
    GameEnd(0, (0,), "completed"),
)

OK = (
    sample(
        "ok/2022-from-a-position",
        "An endgame from a set-up: a play_2 that can not be answered twice.",
        numbered(_SOLVED),
    ),
)
OPEN = (sample("open/2022-puzzle", "A position and a question: what lets Ann off?", numbered(_PUZZLE)),)
