"""Games packed for the archive and unpacked again: nothing that is unpacked is trusted.

A packed game is its first line, and its columns as bytes: kinds, seats, cards, one each an event; numbers, two
an event, that of a `play` as the change since the `play` before; lists, four an entry of the pool.
"""

from typing import Any

import numpy as np

from ono_replay.bulk.jit import entry, helper
from ono_replay.bulk.layout import (
    ABSENT,
    CARDS,
    COMMENT,
    DEAL,
    DRAW,
    ELIMINATE,
    GAME_END,
    GAME_START,
    MOST,
    NO_CARD,
    NOBODY,
    NULL,
    OPEN,
    PLAY,
    RESHUFFLE,
    ROUND_END,
    ROUND_START,
    STRANGE,
    WHOLE,
    Columns,
)
from ono_replay.bulk.opening import read_opening

_SMALLEST, _LARGEST = -(2**15), 2**15 - 1
_REASONS = 3


@entry
def pack_numbers(columns: Columns, games: np.ndarray, packed: np.ndarray) -> None:
    """Write down the numbers of all events in two bytes each; a game with larger ones becomes `STRANGE`."""
    for place in range(len(games)):
        game = games[place]
        if game.found not in (WHOLE, OPEN):
            continue
        before = 0
        for event in range(game.first, game.first + game.events):
            number = value = int(columns.number[event])
            if columns.kind[event] == PLAY:
                value = number - before
                before = number
            if not _SMALLEST <= value <= _LARGEST:
                game.found = STRANGE
                break
            packed[event] = value


@entry
def unpack(
    openings: int,
    opening_ends: np.ndarray,
    numbers: np.ndarray,
    columns: Columns,
    games: np.ndarray,
    rulesets: np.ndarray,
    lines: np.ndarray,
) -> int:
    """Make games of what was packed; return how many rulesets there are, -1 if something is not as it must be.

    `openings` is the address of the first lines, which end at `opening_ends`; `columns` hold kinds, seats,
    cards and the pool already, `games` where each begins in them and how many events it has (0: none).
    """
    known = 0
    for place in range(len(games)):
        game = games[place]
        if not game.events:
            continue
        start = openings + (opening_ends[place - 1] if place else 0)
        after, known = read_opening(start, game, rulesets, known, lines[0])
        if after != openings + opening_ends[place] or columns.kind[game.first] != GAME_START:
            return -1
        game.start = game.end = game.digest = 0
        game.id_start -= openings
        game.id_end -= openings
        if not _unpack_events(numbers, columns, game):
            return -1
        game.found = OPEN
    for place in range(known):
        rulesets[place, 0] -= openings
    return known


@helper
def _unpack_events(numbers: np.ndarray, columns: Columns, game: Any) -> bool:
    """Fill in numbers and places of lists, and check that every value is one that a scanner writes."""
    pool, at, end = columns.pool, game.lists, game.lists_end
    kinds, cards, unpacked, more = columns.kind, columns.card, columns.number, columns.more
    total = 0
    for event in range(game.first + 1, game.first + game.events):
        kind, card, number = kinds[event], cards[event], numbers[event]
        more[event] = at
        if kind == PLAY:
            total += number
            unpacked[event] = total
            if card >= CARDS or not -MOST < total < MOST:
                return False
            continue
        unpacked[event] = number
        if kind == DRAW:
            if card >= CARDS:
                return False
            continue
        if (card >= CARDS and card != NO_CARD) or kind > COMMENT or kind == GAME_START:
            return False
        if kind == ELIMINATE and not 0 <= number < _REASONS:
            return False
        at = _after_lists(pool, at, end, kind)
        if at < 0:
            return False
    return at == end


@helper
def _after_lists(pool: np.ndarray, at: int, end: int, kind: int) -> int:
    """Return the place after the lists of an event, -1 if they are not such as they must be."""
    if kind == DEAL:
        return _after_cards(pool, at, end, 0)
    if kind in (RESHUFFLE, ELIMINATE):
        return _after_cards(pool, at, end, ABSENT)
    if kind == ROUND_START:
        at = _after_cards(pool, _after_seat(pool, at, end), end, ABSENT)
        return _after_position(pool, at, end)
    if kind == ROUND_END:
        at = _after_seat(pool, at, end)
        for _ in range(3):
            at = _after_numbers(pool, at, end, ABSENT)
        return at
    if kind == GAME_END:
        return _after_numbers(pool, at, end, 0)
    return at


@helper
def _length(pool: np.ndarray, at: int, end: int, least: int) -> int:
    """Return the entries of a list with its length, 0 if it does not fit."""
    if at < 0 or at >= end or pool[at] < least or at + 1 + pool[at] > end:
        return 0
    return 1 + max(0, pool[at])


@helper
def _after_cards(pool: np.ndarray, at: int, end: int, least: int) -> int:
    length = _length(pool, at, end, least)
    for place in range(at + 1, at + length):
        if not 0 <= pool[place] < CARDS:
            return -1
    return at + length if length else -1


@helper
def _after_numbers(pool: np.ndarray, at: int, end: int, least: int) -> int:
    length = _length(pool, at, end, least)
    for place in range(at + 1, at + length):
        if not -MOST < pool[place] < MOST and pool[place] != NULL:
            return -1
    return at + length if length else -1


@helper
def _after_seat(pool: np.ndarray, at: int, end: int) -> int:
    return at + 1 if 0 <= at < end and 0 <= pool[at] <= NOBODY else -1


@helper
def _after_position(pool: np.ndarray, at: int, end: int) -> int:
    if at < 0 or at >= end:
        return -1
    if pool[at] == ABSENT:
        return at + 1
    if at + 7 > end or pool[at] != 1 or not -MOST < pool[at + 1] < MOST or abs(pool[at + 2]) != 1:
        return -1
    if not (0 <= pool[at + 3] <= NOBODY and 0 <= pool[at + 4] <= 2 and 0 <= pool[at + 5] <= 1):
        return -1
    hands = pool[at + 6]
    if not 0 <= hands <= end - at:
        return -1
    at += 7
    for _ in range(hands):
        at = _after_cards(pool, at, end, 0)
    at = _after_numbers(pool, at, end, 0)
    for _ in range(2):
        at = _after_pile(pool, at, end)
    for _ in range(2):
        at = _after_numbers(pool, at, end, ABSENT)
    return at


@helper
def _after_pile(pool: np.ndarray, at: int, end: int) -> int:
    if at < 0 or at + 2 > end or pool[at] != ABSENT:
        return _after_cards(pool, at, end, 0)
    return at + 2 if 0 <= pool[at + 1] < MOST else -1
