"""The kernel: one pass over columns that replays whole games and judges every event by the rules.

For each game it finds the verdict, how many checks unknown cards kept from being made, and the first fault:
which event, and its code. It goes no further than that fault; what else there is to say of a faulty game,
the validator says.
"""

from typing import Any

import numpy as np

from ono_replay.bulk.board import ENDED, set_up
from ono_replay.bulk.jit import entry, helper, inlined
from ono_replay.bulk.layout import (
    ABSENT,
    COMMENT,
    DEAL,
    DISCARD_FOUR,
    DRAW,
    ELIMINATE,
    FAULTY,
    FORFEIT_DRAW,
    FULL,
    GAME_END,
    NOBODY,
    NOT_TAKEN,
    OPEN,
    PLAY,
    RESHUFFLE,
    ROUND_END,
    ROUND_START,
    STRANGE,
    UNKNOWN,
    WHOLE,
    Columns,
)
from ono_replay.bulk.outs import eliminate
from ono_replay.bulk.positions import after_list, position_fits
from ono_replay.bulk.rounds import deal, game_end, round_end, round_start
from ono_replay.bulk.turns import discard_four, draw, forfeit_draw, play, reshuffle


@entry
def judge(columns: Columns, games: np.ndarray, rulebook: np.ndarray, boards: np.ndarray) -> None:
    """Replay games that were scanned and write down what was found of each."""
    board = boards[0]
    kind, seat, card, number, more = columns.kind, columns.seat, columns.card, columns.number, columns.more
    pool = columns.pool
    for place in range(len(games)):
        game = games[place]
        if game.found == STRANGE:
            continue
        rules = rulebook[game.ruleset]
        if not _seats_fit(game, rules):
            game.found = STRANGE
            continue
        set_up(board, rules, game.seats, 0 if game.shows == FULL else 1)
        code = 0
        event = game.first
        for event in range(game.first + 1, game.first + game.events):
            code = judge_event(
                board, rules, pool, kind[event], seat[event], card[event], number[event], more[event]
            )
            if code:
                break
        _write_down(game, board, code, event)


@helper
def _seats_fit(game: Any, rules: Any) -> bool:
    """Whether so many players can sit at the table, the dealer one of them."""
    return rules.players_min <= game.seats <= rules.players_max and (
        game.dealer < game.seats or game.dealer == NOBODY
    )


@helper
def _write_down(game: Any, board: Any, code: int, event: int) -> None:
    game.unverified = board.unverified
    if code == NOT_TAKEN:
        game.found = STRANGE
    elif code:
        game.found, game.code, game.fault = FAULTY, code, event - game.first
    else:
        game.found = WHOLE if board.phase == ENDED else OPEN


@inlined
def judge_event(
    board: Any, rules: Any, pool: Any, kind: int, seat: int, card: int, number: int, more: int
) -> int:
    """Judge and carry out one event: 0, or the code of its fault, or `NOT_TAKEN` for a fault of its shape."""
    if kind == PLAY:
        return play(board, rules, seat, card, number) if seat < board.seats and card != UNKNOWN else NOT_TAKEN
    if kind == DRAW:
        if seat >= board.seats or (card == UNKNOWN and not board.hides):
            return NOT_TAKEN
        return draw(board, rules, pool, seat, card)
    if kind == DEAL:
        if seat >= board.seats or not _may_show(board, pool, more):
            return NOT_TAKEN
        return deal(board, rules, pool, seat, more)
    return _judge_rare(board, rules, pool, kind, seat, card, number, more)


@inlined
def _judge_rare(
    board: Any, rules: Any, pool: Any, kind: int, seat: int, card: int, number: int, more: int
) -> int:
    if kind == COMMENT:
        return 0
    if kind == RESHUFFLE:
        return reshuffle(board, rules, pool, number, more) if _may_show(board, pool, more) else NOT_TAKEN
    if kind == ROUND_END:
        fits = _ends_fit(board, pool, seat, more)
        return round_end(board, rules, pool, number, seat, more) if fits else NOT_TAKEN
    if kind == GAME_END:
        return game_end(board, pool, number, more) if _are_winners(board, pool, more) else NOT_TAKEN
    if seat >= board.seats:
        return NOT_TAKEN
    if kind == FORFEIT_DRAW:
        return forfeit_draw(board, rules, seat)
    if kind == DISCARD_FOUR:
        return discard_four(board, rules, seat)
    if kind == ELIMINATE:
        if card == UNKNOWN or not _may_show(board, pool, more):
            return NOT_TAKEN
        return eliminate(board, rules, pool, seat, number, card, more)
    dealer = pool[more]
    if kind != ROUND_START or (dealer >= board.seats and dealer != NOBODY):
        return NOT_TAKEN
    position = after_list(pool, more + 1)
    if not _may_show(board, pool, more + 1):
        return NOT_TAKEN
    if pool[position] != ABSENT and not position_fits(board, pool, position):
        return NOT_TAKEN
    return round_start(board, rules, pool, number, seat, more)


@helper
def _may_show(board: Any, pool: Any, more: int) -> bool:
    """Whether a list of cards hides none where none may be hidden."""
    if not board.hides:
        for place in range(more + 1, more + 1 + pool[more]):
            if pool[place] == UNKNOWN:
                return False
    return True


@helper
def _ends_fit(board: Any, pool: Any, winner: int, more: int) -> bool:
    """Whether seats and arrays of a `round_end` are those of the table."""
    seats = board.seats
    if (winner >= seats and winner != NOBODY) or (pool[more] >= seats and pool[more] != NOBODY):
        return False
    at = more + 1
    for _ in range(3):
        if pool[at] != ABSENT and pool[at] != seats:
            return False
        at += 1 + max(0, pool[at])
    return True


@helper
def _are_winners(board: Any, pool: Any, more: int) -> bool:
    """Whether a list is of seats, ascending, none twice."""
    before = -1
    for place in range(more + 1, more + 1 + pool[more]):
        if not before < pool[place] < board.seats:
            return False
        before = pool[place]
    return True
