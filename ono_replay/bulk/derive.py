"""The kernel once more over games without fault: what the views of a library say of each event and each game.

The rules are those of `kernel.judge_event`; what stands on the board before and after an event is written down
here. `schemas/LIBRARY.md` says what each column means; `library.rows` is the same in plain Python, and what both
make of a game is compared column by column.
"""

from typing import Any

import numpy as np

from ono_replay.bulk.board import set_up
from ono_replay.bulk.counting import (
    DEALT,
    DRAWN,
    begin_round,
    chain_choice,
    chain_fall,
    close_round,
    count_in_round,
    count_reshuffle,
    end_chain,
    end_round,
    write_sums,
)
from ono_replay.bulk.event_rows import choose, detail_row, event_row, fall, note_choice
from ono_replay.bulk.facts import (
    AT_ENDS,
    AT_GAME,
    NEVER,
    NOTHING,
)
from ono_replay.bulk.jit import entry, helper, hot
from ono_replay.bulk.kernel import judge_event
from ono_replay.bulk.layout import (
    ABSENT,
    COMMENT,
    DEAL,
    DISCARD_FOUR,
    DRAW,
    ELIMINATE,
    FULL,
    GAME_END,
    GAME_START,
    PLAY,
    RESHUFFLE,
    ROUND_END,
    ROUND_START,
    Columns,
)
from ono_replay.bulk.positions import after_list
from ono_replay.bulk.retelling import tell


@entry
def derive(
    base: int, columns: Columns, games: np.ndarray, wanted: np.ndarray, rulebook: np.ndarray, boards: np.ndarray,
    walks: np.ndarray, numbers: np.ndarray, text: np.ndarray,
) -> int:  # fmt: skip
    """Write down the facts of wanted games, whose text stands at an address; return how many were taken.

    `wanted` are their places among the games of the chunk; what is not taken (a round from a position) becomes -1.
    """
    board, walk = boards[0], walks[0]
    kind, seat, card, number, more = columns.kind, columns.seat, columns.card, columns.number, columns.more
    pool, at_ms, line, odd = columns.pool, columns.at_ms, columns.line, columns.odd
    taken = 0
    for place in range(len(wanted)):
        game = games[wanted[place]]
        rules = rulebook[game.ruleset]
        if _has_position(kind, more, pool, game):
            wanted[place] = -1
            continue
        set_up(board, rules, game.seats, 0 if game.shows == FULL else 1)
        _set_out(walk, taken)
        for event in range(game.first, game.first + game.events):
            _take(
                base + int(line[event]), board, rules, pool, kind[event], seat[event], card[event], number[event],
                game.dealer if event == game.first else more[event], at_ms[event], odd[event], event - game.first,
                walk, numbers, text,
            )  # fmt: skip
        close_round(walk, board, numbers)
        end_chain(walk, numbers, text, NOTHING)
        write_sums(walk, board, rules, numbers)
        _finish(walk, numbers, wanted[place], taken)
        taken += 1
    return taken


@helper
def _has_position(kind: Any, more: Any, pool: Any, game: Any) -> bool:
    for event in range(game.first, game.first + game.events):
        if kind[event] == ROUND_START and pool[after_list(pool, more[event] + 1)] != ABSENT:
            return True
    return False


@helper
def _set_out(walk: Any, game: int) -> None:
    walk.game = game
    walk.has_state = walk.in_round = walk.chained = walk.row = walk.play = 0
    walk.n_rounds = walk.n_plays = walk.n_decisions = walk.n_eliminations = walk.n_unknown = walk.phases = 0
    walk.before_ms = walk.first_ms = walk.last_ms = NEVER
    walk.starter = walk.reason = walk.head_end = walk.set_by = walk.set_by_card = NOTHING
    walk.winners = 0


@helper
def _finish(walk: Any, numbers: Any, place: int, row: int) -> None:
    (
        numbers[AT_GAME + 0, row],
        numbers[AT_GAME + 1, row],
        numbers[AT_GAME + 2, row],
        numbers[AT_GAME + 3, row],
    ) = place, walk.n_rounds, walk.n_plays, walk.n_decisions
    numbers[AT_GAME + 4, row], numbers[AT_GAME + 5, row], numbers[AT_GAME + 6, row] = (
        walk.n_eliminations,
        walk.n_unknown,
        walk.starter,
    )
    numbers[AT_GAME + 7, row], numbers[AT_GAME + 8, row], numbers[AT_GAME + 9, row] = (
        walk.first_ms,
        walk.last_ms,
        walk.reason,
    )
    numbers[AT_GAME + 10, row], numbers[AT_GAME + 11, row] = walk.winners, walk.head_end
    for counter in range(len(walk.count)):
        numbers[AT_ENDS + counter, row] = walk.count[counter]


@hot
def _take(
    line: int,
    board: Any,
    rules: Any,
    pool: Any,
    kind: int,
    seat: int,
    card: int,
    number: int,
    more: int,
    at_ms: int,
    odd: int,
    seq: int,
    walk: Any,
    numbers: Any,
    text: Any,
) -> None:
    """Take one event, whose line stands at an address."""
    walk.total, walk.plays_due, walk.second, walk.turn = (
        board.total,
        board.plays_due,
        board.second,
        board.turn,
    )
    chooses = kind in (PLAY, DISCARD_FOUR)
    if chooses:
        note_choice(walk, board, rules, text, seat)
    if kind != GAME_START:
        judge_event(board, rules, pool, kind, seat, card, number, more)
    had_state = walk.has_state
    if kind == ROUND_START:
        walk.has_state = 1
    tell(walk, board, pool, text, kind, seat, card, number, more)
    event_row(walk, board, numbers, text, kind, seat, card, seq, at_ms, had_state)
    if kind > DRAW or kind < PLAY or odd:
        detail_row(line, walk, pool, numbers, text, kind, more, seq, odd)
    if at_ms >= 0:
        if walk.first_ms == NEVER:
            walk.first_ms = at_ms
        walk.last_ms = at_ms
    if not walk.has_state:
        return
    if chooses:
        choose(walk, board, rules, numbers, kind, seat, card, seq, at_ms)
        chain_choice(walk, board, numbers, text, kind, seq, seat, card)
    elif kind == DRAW:
        walk.uses[seat, card, DRAWN] += 1
    else:
        _take_rare(walk, board, pool, numbers, text, kind, seat, card, number, more, seq)
    if walk.in_round:
        count_in_round(walk, board, numbers, seq, at_ms)
    if kind != COMMENT:
        walk.before_ms = at_ms if at_ms >= 0 else NEVER


@helper
def _take_rare(
    walk: Any,
    board: Any,
    pool: Any,
    numbers: Any,
    text: Any,
    kind: int,
    seat: int,
    card: int,
    number: int,
    more: int,
    seq: int,
) -> None:
    if kind == DEAL:
        for place in range(more + 1, more + 1 + pool[more]):
            walk.uses[seat, pool[place], DEALT] += 1
    elif kind == RESHUFFLE:
        count_reshuffle(walk, numbers)
    elif kind == ELIMINATE:
        fall(walk, board, numbers, text, seat, card, number, seq)
        chain_fall(walk, numbers, text, seat)
    elif kind == ROUND_START:
        begin_round(walk, board, numbers, seq)
        end_chain(walk, numbers, text, NOTHING)
    elif kind == ROUND_END:
        end_round(walk, board, numbers, seq, seat, pool[more])
        end_chain(walk, numbers, text, 1)
    elif kind == GAME_END:
        walk.reason, walk.winners = number, more
