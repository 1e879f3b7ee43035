"""What is counted of a game on its way through `derive`: rounds, pair chains, cards, phases, players."""

from typing import Any

from ono_replay.bulk.board import (
    NEVER_OVER_LANES,
    NO_POINTS,
    copies,
    hidden,
    in_match,
    lowest,
    size,
    without_all,
)
from ono_replay.bulk.facts import (
    AT_CHAIN,
    AT_PHASE,
    AT_PLAYER,
    AT_ROUND,
    AT_SUM,
    AT_USE,
    AT_WORK,
    CHAIN,
    NEVER,
    NOTHING,
    PASSED_BY,
    PASSED_CARD,
    PHASE,
    PHASES,
    PLAYER,
    ROUND,
    SUM,
    SUMS,
    USE,
    USES,
)
from ono_replay.bulk.jit import helper, hot
from ono_replay.bulk.layout import CARDS, FOUR, NOBODY, NULL, PLAY

(
    N_ROUNDS, ROUNDS_WON, N_PLAYS, N_DECISIONS, N_KNOWN, N_FORCED, N_LEGAL, N_FALLS, N_SET,
    N_SET_OWN, PAIRS_STARTED, PAIRS_PASSED, PAIRS_HIT, PAIRS_SURVIVED, N_TIMED, TIME_MS,
) = range(len(SUMS))  # fmt: skip
(
    DEALT, DRAWN, PLAYS, PLAYS_FIRST, PLAYS_SECOND, PASSED_ON, DEFLECTED, FORCED, CHANGE,
    FATAL, DISCARDED, BUSTED, KEPT,
) = range(len(USES))  # fmt: skip
_N, _TOTAL, _NEAR, _KNOWN, _CARDS, _ONO_99, _HELPERS, _PHASE_FORCED, _TIMED, _TIME = range(10)
_END_SEQ, _PLAYS, _FALLS, _RESHUFFLES, _HIGHEST, _DURATION = 3, 9, 10, 11, 12, 13
_WINNER, _LOSER = 7, 8
_TOUCHES = (DEALT, DRAWN, PLAYS, FATAL, DISCARDED, BUSTED, KEPT)


@helper
def seat_or_nothing(seat: int) -> int:
    """Return a seat as tables have it."""
    return NOTHING if seat == NOBODY else seat


# --- rounds -----------------------------------------------------------------------------------------


@helper
def begin_round(walk: Any, board: Any, numbers: Any, seq: int) -> None:
    """Begin the row of a round."""
    close_round(walk, board, numbers)
    row = walk.count[ROUND]
    walk.count[ROUND] += 1
    (
        numbers[AT_ROUND + 0, row],
        numbers[AT_ROUND + 1, row],
        numbers[AT_ROUND + 2, row],
        numbers[AT_ROUND + _END_SEQ, row],
    ) = walk.game, board.number, seq, NOTHING
    numbers[AT_ROUND + 4, row], numbers[AT_ROUND + 5, row] = seat_or_nothing(board.dealer), board.starter
    numbers[AT_ROUND + 6, row] = in_match(board)
    numbers[AT_ROUND + _WINNER, row] = numbers[AT_ROUND + _LOSER, row] = NOTHING
    numbers[AT_ROUND + _PLAYS, row] = numbers[AT_ROUND + _FALLS, row] = numbers[
        AT_ROUND + _RESHUFFLES, row
    ] = 0
    numbers[AT_ROUND + _HIGHEST, row] = board.total
    numbers[AT_ROUND + _DURATION, row] = NOTHING
    walk.row, walk.in_round = row, 1
    walk.play = 0
    walk.set_by = walk.set_by_card = NOTHING
    walk.round_first_ms = walk.round_last_ms = NEVER
    if walk.n_rounds == 0:
        walk.starter = board.starter
    walk.n_rounds += 1
    for seat in range(board.seats):
        if not board.gone[seat]:
            walk.sums[seat, N_ROUNDS] += 1


@helper
def close_round(walk: Any, board: Any, numbers: Any) -> None:
    """Count the hands of a round that the log breaks off in."""
    if walk.in_round and numbers[AT_ROUND + _END_SEQ, walk.row] == NOTHING:
        keep(walk, board)


@helper
def keep(walk: Any, board: Any) -> None:
    """Count the cards in hand at the end of a round."""
    for seat in range(board.seats):
        hand = board.hands[seat]
        while hand:
            card = lowest(hand)
            walk.uses[seat, card, KEPT] += copies(hand, card)
            hand = without_all(hand, card)


@helper
def end_round(walk: Any, board: Any, numbers: Any, seq: int, winner: int, loser: int) -> None:
    """Complete the row of a round."""
    if walk.in_round:
        numbers[AT_ROUND + _END_SEQ, walk.row] = seq
        numbers[AT_ROUND + _WINNER, walk.row] = seat_or_nothing(winner)
        numbers[AT_ROUND + _LOSER, walk.row] = seat_or_nothing(loser)
    if winner != NOBODY:
        walk.sums[winner, ROUNDS_WON] += 1
    keep(walk, board)


@hot
def count_in_round(walk: Any, board: Any, numbers: Any, seq: int, at_ms: int) -> None:
    """Note the highest total and the times of a round, after each of its events."""
    end = numbers[AT_ROUND + _END_SEQ, walk.row]
    if end not in (NOTHING, seq):
        return
    numbers[AT_ROUND + _HIGHEST, walk.row] = max(numbers[AT_ROUND + _HIGHEST, walk.row], board.total)
    if at_ms >= 0:
        if walk.round_first_ms == NEVER:
            walk.round_first_ms = at_ms
        numbers[AT_ROUND + _DURATION, walk.row] = at_ms - walk.round_first_ms


@helper
def count_reshuffle(walk: Any, numbers: Any) -> None:
    """Count a reshuffle."""
    numbers[AT_ROUND + _RESHUFFLES, walk.row] += 1


# --- choices ----------------------------------------------------------------------------------------


@hot
def count_choice(
    walk: Any, board: Any, rules: Any, numbers: Any, kind: int, seat: int, card: int, think_ms: int
) -> None:
    """Count a play or a four-card discard; what was before it stands in `walk`."""
    played = kind == PLAY
    passed_on = played and board.plays_due == 2
    deflects = passed_on and walk.plays_due == 2
    known = hidden(walk.hand) == 0
    forced = known and walk.n_legal == 1
    sums = walk.sums
    if think_ms != NEVER:
        sums[seat, N_TIMED] += 1
        sums[seat, TIME_MS] += think_ms
    sums[seat, N_DECISIONS] += 1
    walk.n_decisions += 1
    if known:
        sums[seat, N_KNOWN] += 1
        sums[seat, N_FORCED] += forced
        sums[seat, N_LEGAL] += walk.n_legal
    else:
        walk.n_unknown += 1
    uses = walk.uses
    if played:
        walk.n_plays += 1
        sums[seat, N_PLAYS] += 1
        sums[seat, PAIRS_PASSED] += deflects
        uses[seat, card, PLAYS] += 1
        uses[seat, card, PLAYS_FIRST] += walk.plays_due == 2
        uses[seat, card, PLAYS_SECOND] += walk.second
        uses[seat, card, PASSED_ON] += passed_on
        uses[seat, card, DEFLECTED] += deflects
        uses[seat, card, FORCED] += forced
        uses[seat, card, CHANGE] += board.total - walk.total
        numbers[AT_ROUND + _PLAYS, walk.row] += 1
        if board.total != walk.total:
            walk.set_by, walk.set_by_card = seat, card
    else:
        uses[seat, FOUR, DISCARDED] += 4
    walk.play += 1
    _count_phase(walk, board, rules, numbers, seat, forced, think_ms)


@hot
def _count_phase(
    walk: Any, board: Any, rules: Any, numbers: Any, seat: int, forced: int, think_ms: int
) -> None:
    phase = (walk.play - 1) // PHASE
    walk.phases = max(walk.phases, phase + 1)
    row = phase * board.seats + seat
    numbers[AT_WORK + _N, row] += 1
    numbers[AT_WORK + _TOTAL, row] += walk.total
    numbers[AT_WORK + _NEAR, row] += walk.total > rules.max_total - PHASE
    hand = walk.hand
    if hidden(hand) == 0:
        numbers[AT_WORK + _KNOWN, row] += 1
        numbers[AT_WORK + _CARDS, row] += size(hand)
        numbers[AT_WORK + _ONO_99, row] += copies(hand, FOUR)
        numbers[AT_WORK + _HELPERS, row] += size(hand & NEVER_OVER_LANES)
        numbers[AT_WORK + _PHASE_FORCED, row] += forced
    if think_ms != NEVER:
        numbers[AT_WORK + _TIMED, row] += 1
        numbers[AT_WORK + _TIME, row] += think_ms


@helper
def count_fall(walk: Any, numbers: Any, seat: int, by_total: int) -> None:
    """Count an elimination; `by_total` where the seat could play nothing."""
    walk.sums[seat, N_FALLS] += 1
    walk.n_eliminations += 1
    if walk.set_by != NOTHING and by_total:
        walk.uses[walk.set_by, walk.set_by_card, FATAL] += 1
        if walk.set_by == seat:
            walk.sums[seat, N_SET_OWN] += 1
        else:
            walk.sums[walk.set_by, N_SET] += 1
    numbers[AT_ROUND + _FALLS, walk.row] += 1


# --- pair chains ------------------------------------------------------------------------------------


@hot
def chain_choice(
    walk: Any, board: Any, numbers: Any, text: Any, kind: int, seq: int, seat: int, card: int
) -> None:
    """Follow a pair chain past a play or a four-card discard."""
    passed_on = kind == PLAY and board.plays_due == 2
    if walk.chained and walk.chain_hit == NOTHING and walk.plays_due == 2:
        if passed_on:
            _pass_on(walk, text, seat, card)
        elif board.plays_due != 2:
            walk.chain_hit, walk.chain_met = seat, walk.total
        return
    if walk.chained and not board.second:
        end_chain(walk, numbers, text, 1)
    if passed_on and walk.plays_due != 2:
        walk.chained = 1
        walk.chain_round, walk.chain_seq, walk.chain_first = board.number, seq, walk.count[PASSED_BY]
        walk.chain_hit = walk.chain_met = NOTHING
        _pass_on(walk, text, seat, card)


@helper
def _pass_on(walk: Any, text: Any, seat: int, card: int) -> None:
    text[walk.count[PASSED_BY]], text[walk.count[PASSED_CARD]] = seat, card
    walk.count[PASSED_BY] += 1
    walk.count[PASSED_CARD] += 1


@helper
def chain_fall(walk: Any, numbers: Any, text: Any, seat: int) -> None:
    """Follow a pair chain past an elimination."""
    if walk.chained and seat == walk.turn:
        if walk.chain_hit == NOTHING:
            walk.chain_hit, walk.chain_met = seat, walk.total
        end_chain(walk, numbers, text, 0)


@helper
def end_chain(walk: Any, numbers: Any, text: Any, survived: int) -> None:
    """Write the row of a pair chain, if one is under way; `survived` may be `NOTHING`."""
    if not walk.chained:
        return
    walk.chained = 0
    row = walk.count[CHAIN]
    walk.count[CHAIN] += 1
    hit = walk.chain_hit
    first = text[walk.chain_first]
    outcome = NOTHING if hit == NOTHING else survived
    (
        numbers[AT_CHAIN + 0, row],
        numbers[AT_CHAIN + 1, row],
        numbers[AT_CHAIN + 2, row],
        numbers[AT_CHAIN + 3, row],
    ) = walk.game, walk.chain_round, walk.chain_seq, first
    numbers[AT_CHAIN + 4, row], numbers[AT_CHAIN + 5, row], numbers[AT_CHAIN + 6, row] = (
        walk.count[PASSED_BY] - walk.chain_first,
        hit,
        outcome,
    )
    numbers[AT_CHAIN + 7, row], numbers[AT_CHAIN + 8, row] = walk.count[PASSED_BY], walk.chain_met
    walk.sums[first, PAIRS_STARTED] += 1
    if hit != NOTHING:
        walk.sums[hit, PAIRS_HIT] += 1
        walk.sums[hit, PAIRS_SURVIVED] += outcome == 1


# --- the end of a game ------------------------------------------------------------------------------


@helper
def write_sums(walk: Any, board: Any, rules: Any, numbers: Any) -> None:
    """Write the rows of players, cards and phases, and leave the room to count in empty."""
    for seat in range(board.seats):
        row = walk.count[PLAYER]
        walk.count[PLAYER] += 1
        numbers[AT_PLAYER + 0, row], numbers[AT_PLAYER + 1, row] = walk.game, seat
        for column in range(len(SUMS)):
            numbers[AT_PLAYER + 2 + column, row] = walk.sums[seat, column]
            walk.sums[seat, column] = 0
        chips = board.chips[seat] if rules.chips_match else NULL
        score = board.scores[seat] if rules.points_match != NO_POINTS else NULL
        numbers[AT_PLAYER + 2 + len(SUMS), row] = NOTHING if chips == NULL else chips
        numbers[AT_PLAYER + 3 + len(SUMS), row] = NOTHING if score == NULL else score
    _write_uses(walk, board, numbers)
    _write_phases(walk, board, numbers)


@helper
def _is_touched(uses: Any, seat: int, card: int) -> bool:
    for column in _TOUCHES:
        if uses[seat, card, column]:
            return True
    return False


@helper
def _write_uses(walk: Any, board: Any, numbers: Any) -> None:
    uses = walk.uses
    for seat in range(board.seats):
        for card in range(CARDS):
            if _is_touched(uses, seat, card):
                row = walk.count[USE]
                walk.count[USE] += 1
                numbers[AT_USE + 0, row], numbers[AT_USE + 1, row], numbers[AT_USE + 2, row] = (
                    walk.game,
                    seat,
                    card,
                )
                for column in range(len(USES)):
                    numbers[AT_USE + 3 + column, row] = uses[seat, card, column]
    for card in range(CARDS):
        row = walk.count[SUM]
        found = False
        numbers[AT_SUM + 0, row], numbers[AT_SUM + 1, row] = walk.game, card
        for column in range(len(USES)):
            numbers[AT_SUM + 2 + column, row] = 0
        for seat in range(board.seats):
            found = found or _is_touched(uses, seat, card)
            for column in range(len(USES)):
                numbers[AT_SUM + 2 + column, row] += uses[seat, card, column]
        if found:
            walk.count[SUM] += 1
    for seat in range(board.seats):
        for card in range(CARDS):
            for column in range(len(USES)):
                uses[seat, card, column] = 0


@helper
def _write_phases(walk: Any, board: Any, numbers: Any) -> None:
    for seat in range(board.seats):
        for phase in range(walk.phases):
            place = phase * board.seats + seat
            if numbers[AT_WORK + _N, place]:
                row = walk.count[PHASES]
                walk.count[PHASES] += 1
                numbers[AT_PHASE + 0, row], numbers[AT_PHASE + 1, row], numbers[AT_PHASE + 2, row] = (
                    walk.game,
                    seat,
                    phase,
                )
                for column in range(10):
                    numbers[AT_PHASE + 3 + column, row] = numbers[AT_WORK + column, place]
                    numbers[AT_WORK + column, place] = 0
