"""Logs whose events do not make up a game (ONO2xx)."""

from ono_replay.log.jsonl import encode_game
from ono_replay.rules.events import Deal, Draw, Event, GameEnd, Play, RoundStart, Undo
from ono_replay.simulate.broken.script import (
    END_OF_OPENING,
    OPENING,
    Broken,
    draw,
    encoded,
    numbered,
    play,
    position,
    start,
)

_FIRST = END_OF_OPENING + 1
_TURN: tuple[Event, ...] = (start(), *OPENING, play(0, "7", 7), draw(0, "9"))
_BEFORE = numbered(_TURN[:-2])
_ABANDONED = GameEnd(0, (), "abandoned")
_NEXT = (Play(6, 1, "4", 11), Draw(7, 1, "2"))


def _log(code: str, line: int, story: str, *events: Event, variant: str = "") -> Broken:
    return Broken(code=code, line=line, story=story, variant=variant, content=encoded(*events))


def _seq(variant: str, line: int, story: str, *events: Event) -> Broken:
    """Return a log whose events keep the numbers they have."""
    return Broken(code="ONO202", line=line, story=story, variant=variant, content=encode_game(events))


LOGS = (
    Broken(
        code="ONO201",
        line=1,
        story="The file begins in the middle of a game.",
        content=encode_game([RoundStart(1, round=1, dealer=1, starter=0)]),
    ),
    _seq(
        "gap",
        _FIRST + 3,
        "The draw with the number 7 is lost.",
        *numbered(_TURN),
        Play(6, 1, "4", 11),
        Play(8, 0, "0", 11),
        Draw(9, 0, "3"),
    ),
    _seq("repeat", _FIRST + 2, "A line stands there twice.", *numbered(_TURN), Draw(5, 0, "9"), *_NEXT),
    _seq("swap", _FIRST, "Two lines are swapped.", *_BEFORE, Draw(5, 0, "9"), Play(4, 0, "7", 7), *_NEXT),
    _seq(
        "odd",
        _FIRST + 1,
        "One number is wrong, the next are right again.",
        *_BEFORE,
        Play(4, 0, "7", 7),
        Draw(50, 0, "9"),
        *_NEXT,
    ),
    Broken(
        code="ONO203",
        line=3,
        story="Two games of one file have the same id.",
        content=2 * encoded(start(), _ABANDONED),
    ),
    _log(
        "ONO204",
        _FIRST + 3,
        "Play goes on after the game was abandoned.",
        *_TURN,
        _ABANDONED,
        play(1, "4", 11),
    ),
    _log(
        "ONO204",
        2,
        "The round is never started.",
        start(),
        play(0, "7", 7),
        variant="no-round",
    ),
    _log(
        "ONO205",
        _FIRST + 1,
        "The clock was set back.",
        *_TURN[:-2],
        play(0, "7", 7, at_ms=61_000),
        draw(0, "9", at_ms=1_200),
    ),
    _log("ONO206", _FIRST, "Seats are counted from 1.", start(), *OPENING, play(2, "7", 7)),
    _log("ONO207", 4, "Bo's cards are not dealt.", start(), *OPENING[:2], play(0, "7", 7), draw(0, "9")),
    _log("ONO207", 4, "Ann's cards are dealt twice.", start(), *OPENING[:2], *OPENING[1:], variant="twice"),
    _log(
        "ONO207",
        4,
        "Bo is dealt three cards.",
        start(),
        *OPENING[:2],
        Deal(0, 1, ("10", "-10", "play_2")),
        variant="short",
    ),
    _log("ONO208", 1, "There is no edition of 2023.", start(edition="2023")),
    _log("ONO208", 1, "An option that does not exist.", start(max_totl=99), variant="no-such-option"),
    _log(
        "ONO208", 1, "Three players where two are the most.", start(seats=3, players_max=2), variant="players"
    ),
    _log("ONO209", _FIRST + 2, "An undo goes back to itself.", *_TURN, Undo(0, to=6)),
    _log("ONO210", _FIRST + 1, "A card is hidden in a full log.", *_TURN[:-1], draw(0, "?")),
    _log(
        "ONO211",
        2,
        "It is the turn of a player who is out.",
        start(seats=3),
        position(50, ("7", "8"), ("9", "10"), ("0", "1"), turn=1, gone=(1,)),
    ),
    _log(
        "ONO211",
        2,
        "Eleven ONO 99s where the deck has ten.",
        start(seats=3),
        position(50, ("ono_99",) * 4, ("ono_99",) * 4, ("ono_99",) * 3),
        variant="copies",
    ),
)
"""In the order of the codes."""
