"""A game retold in a few words, as `library.hashes` has it: what the hashes of its play are over."""

from typing import Any

from ono_replay.bulk.facts import PLAYED, SEEN
from ono_replay.bulk.jit import helper, hot, load8, store8
from ono_replay.bulk.layout import (
    COMMENT,
    DEAL,
    DISCARD_FOUR,
    DRAW,
    ELIMINATE,
    FORFEIT_DRAW,
    GAME_START,
    PLAY,
    RESHUFFLE,
    ROUND_END,
    ROUND_START,
)
from ono_replay.bulk.wording import (
    say,
    say_card,
    say_number,
    say_numbers,
    say_reason,
    say_seat,
    say_sorted,
    wording,
)

_LINE, _SPACE, _NONE = wording("\n"), wording(" "), wording(" None")
_DEAL, _FORFEIT, _FOUR = wording("deal "), wording("forfeit "), wording("four ")
_RESHUFFLE, _OUT, _ROUND = wording("reshuffle "), wording("out "), wording("round ")
_END, _OVER = wording("end "), wording("over ")
_COMPLETED, _ABANDONED = wording(" completed"), wording(" abandoned")


@hot
def tell(
    walk: Any, board: Any, pool: Any, text: Any, kind: int, seat: int, card: int, number: int, more: int
) -> None:
    """Tell an event: all of it in `played`, what everyone sees of it in `seen`."""
    if kind == COMMENT:
        return
    begun = walk.count[PLAYED]
    at = say(text, begun, _LINE)
    if kind in (PLAY, DRAW):
        at = say_card(text, say(text, say_number(text, at, seat), _SPACE), card)
        if kind == PLAY:
            at = say_number(text, say(text, at, _SPACE), number)
    elif kind == DEAL:
        at = say_number(text, say(text, at, _DEAL), seat)
        at = say_sorted(text, say(text, at, _SPACE), pool, more)
    else:
        at = _tell_rare(text, at, board, pool, kind, seat, card, number, more)
    walk.count[PLAYED] = at
    if kind in (DEAL, DRAW):
        return
    into = walk.count[SEEN]
    for place in range(0, at - begun, 8):
        store8(text.ctypes.data + into + place, load8(text.ctypes.data + begun + place))
    walk.count[SEEN] = into + at - begun
    if kind == ROUND_START:
        walk.count[PLAYED] = say(text, at, _NONE)
    elif kind == ELIMINATE:
        walk.count[PLAYED] = say_sorted(text, say(text, at, _SPACE), pool, more)


@helper
def _tell_rare(
    text: Any, at: int, board: Any, pool: Any, kind: int, seat: int, card: int, number: int, more: int
) -> int:
    """Tell what is seen by everyone."""
    if kind == GAME_START:
        return say_seat(text, say(text, say_number(text, at, board.seats), _SPACE), more)
    if kind == ROUND_START:
        at = say_number(text, say(text, at, _ROUND), number)
        at = say_seat(text, say(text, at, _SPACE), pool[more])
        return say_number(text, say(text, at, _SPACE), seat)
    if kind == FORFEIT_DRAW:
        return say_number(text, say(text, at, _FORFEIT), seat)
    if kind == DISCARD_FOUR:
        return say_number(text, say(text, at, _FOUR), seat)
    if kind == RESHUFFLE:
        return say_number(text, say(text, at, _RESHUFFLE), number)
    if kind == ELIMINATE:
        at = say_number(text, say(text, at, _OUT), seat)
        at = say_reason(text, say(text, at, _SPACE), number)
        return say_card(text, say(text, at, _SPACE), card)
    if kind == ROUND_END:
        at = say_seat(text, say(text, at, _END), seat)
        at = say_seat(text, say(text, at, _SPACE), pool[more])
        return _tell_lists(text, at, pool, more + 1)
    at = say_numbers(text, say(text, at, _OVER), pool, more)
    return say(text, at, _ABANDONED if number else _COMPLETED)


@helper
def _tell_lists(text: Any, at: int, pool: Any, more: int) -> int:
    for _ in range(3):
        at = say_numbers(text, say(text, at, _SPACE), pool, more)
        more += 1 + max(0, pool[more])
    return at
