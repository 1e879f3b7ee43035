"""Canonical log lines to columns, without a JSON parser: the first byte that is not canonical ends the game here.

What lies in the pool, by type (a list is its length, or `ABSENT`, and its entries):

* `round_start`: the dealer, the deck, the position (see `positions`);
* `deal`, `eliminate`, `reshuffle`: their cards, hand, deck;
* `round_end`: the loser, then chips, points, scores;
* `game_end`: the winners.
"""

import numpy as np

from ono_replay.bulk.jit import byte, entry, helper, inlined, load8
from ono_replay.bulk.layout import (
    ABSENT,
    COMMENT,
    DEAL,
    DISCARD_FOUR,
    DRAW,
    ELIMINATE,
    FORFEIT_DRAW,
    GAME_END,
    GAME_START,
    LEFT,
    MOST,
    NO_CARD,
    NO_LEGAL_PLAY,
    NO_TIME,
    NOBODY,
    OPEN,
    PLAY,
    RESHUFFLE,
    ROUND_END,
    ROUND_START,
    STRANGE,
    TIMEOUT,
    Columns,
)
from ono_replay.bulk.lists import cards, numbers, tail
from ono_replay.bulk.opening import opens, read_opening, seat_or_null
from ono_replay.bulk.positions import read_position
from ono_replay.bulk.text import FAIL, integer, literal, mask, match, number, number_here, string, token, word
from ono_replay.log.lines import LONGEST

_LONGEST = LONGEST + 1
_SEQ = word(b'{"seq":0')
_SEQ_7 = mask(7)
_TYPE = word(b',"type":')
_PLAY, _DRAW, _DEAL = word(b'play"'), word(b'draw"'), word(b'deal"')
_FIVE = mask(5)
_SEAT_KEY = word(b',"seat":')
_CARD_KEY = word(b',"card":')
_TOTAL_KEY = word(b',"total"')
_END, _TWO = word(b"}\n"), mask(2)
_QUOTE, _COLON, _MINUS = 0x22, 0x3A, 0x2D

_CARDS = literal(',"cards":[')
_FORFEIT = literal('forfeit_draw","seat":')
_DISCARD = literal('discard_four","seat":')
_RESHUFFLE = literal('reshuffle","count":')
_DECK = literal(',"deck":[')
_ELIMINATE = literal('eliminate","seat":')
_NO_LEGAL_PLAY = literal(',"reason":"no_legal_play"')
_LEFT = literal(',"reason":"left"')
_TIMEOUT = literal(',"reason":"timeout"')
_CARD = literal(',"card":"')
_HAND = literal(',"hand":[')
_ROUND_START = literal('round_start","round":')
_DEALER = literal(',"dealer":')
_STARTER = literal(',"starter":')
_SHUFFLE = literal(',"shuffle":{"algorithm":"')
_SEED = literal('","seed":"')
_COMMITMENT = literal('","commitment":"')
_END_SHUFFLE = literal('"}')
_ROUND_END = literal('round_end","round":')
_WINNER = literal(',"winner":')
_LOSER = literal(',"loser":')
_CHIPS = literal(',"chips":[')
_POINTS = literal(',"points":[')
_SCORES = literal(',"scores":[')
_ROUND_SEED = literal(',"seed":"')
_GAME_END = literal('game_end","winners":[')
_COMPLETED = literal(',"reason":"completed"')
_ABANDONED = literal(',"reason":"abandoned"')
_DIGEST = literal(',"digest":"')
_COMMENT = literal('comment","text":"')
_REF = literal('","ref":')
_ENDS_STRING = literal('"')


@entry
def scan(
    base: int, size: int, columns: Columns, games: np.ndarray, rulesets: np.ndarray, lines: np.ndarray
) -> tuple[int, int, int]:
    """Read the text at an address; return how many games, events and distinct rulesets there are.

    A game that is not canonical throughout becomes a `STRANGE` stretch of bytes, up to the next line that
    is surely a `game_start`.
    """
    at, stop = base, base + size
    count = event = pool = known = 0
    line, lists = lines[0], columns.pool
    while at < stop:
        after = FAIL
        if opens(at):
            after, known = read_opening(at, games[count], rulesets, known, line)
            if after - at > _LONGEST:
                after = FAIL
        if after >= 0 or count == 0:
            game = games[count]
            _begin(game, at, event, pool, OPEN if after >= 0 else STRANGE)
            count += 1
            line.kind, line.seat, line.card, line.number = GAME_START, NOBODY, NO_CARD, 0
            line.at_ms, line.odd = game.last_ms, 1
        else:
            game = games[count - 1]
            if game.found != STRANGE:
                line.more = pool
                after, pool = _read_line(at, lists, pool, game, line)
        if after - at > _LONGEST:
            after = FAIL
        if after >= 0:
            columns.kind[event] = line.kind
            columns.seat[event] = line.seat
            columns.card[event] = line.card
            columns.number[event] = line.number
            columns.more[event] = line.more
            columns.at_ms[event] = line.at_ms
            columns.line[event] = at - base
            columns.odd[event] = line.odd
            event += 1
            game.events += 1
            game.lists_end = pool
        else:
            game.found, game.events, event = STRANGE, 0, game.first
            after = _next_line(at, stop)
        game.lines += 1
        at = after
    _make_relative(games[:count], rulesets[:known], base, stop)
    return count, event, known


@helper
def _begin(game: np.record, at: int, event: int, pool: int, found: int) -> None:
    game.lists = game.lists_end = pool
    game.start, game.first, game.found = at, event, found
    if found == STRANGE:
        game.ruleset = 0  # what was read of its ruleset, if anything, is not among the known
    game.lines = game.events = game.digest = game.before_end = game.end_event = 0


@helper
def _make_relative(games: np.ndarray, rulesets: np.ndarray, base: int, stop: int) -> None:
    """Turn addresses into places of the text, and let each game end where the next one begins."""
    for place in range(len(games)):
        game = games[place]
        game.end = (games[place + 1].start if place + 1 < len(games) else stop) - base
        game.start -= base
        game.id_start -= base
        game.id_end -= base
        if game.digest:
            game.digest -= base
            game.before_end -= base
    for place in range(len(rulesets)):
        rulesets[place, 0] -= base


@helper
def _next_line(at: int, end: int) -> int:
    while at < end and byte(at) != 0x0A:
        at += 1
    return min(at + 1, end)


@helper
def _seat(at: int) -> tuple[int, int]:
    seat, at = number(at)
    return seat, at if seat < NOBODY else FAIL


@helper
def _small(at: int) -> tuple[int, int]:
    value, at = integer(at)
    return value, at if -MOST < value < MOST else FAIL


@inlined
def _read_line(at: int, lists: np.ndarray, pool: int, game: np.record, line: np.record) -> tuple[int, int]:
    """Read one line into the columns; return the place after its newline and the next free entry of the pool."""
    if (load8(at) ^ _SEQ) & _SEQ_7:
        return FAIL, pool
    seq, at = number_here(at + 7)
    if seq != game.events or at < 0 or load8(at) != _TYPE or byte(at + 8) != _QUOTE:
        return FAIL, pool
    at += 9
    line.odd = 0
    name = load8(at) & _FIVE
    if name in (_PLAY, _DRAW):
        return _read_card(at, game, line, PLAY if name == _PLAY else DRAW), pool
    if name == _DEAL:
        return _read_deal(at, lists, pool, game, line)
    return _read_rare(at, lists, pool, game, line)


@inlined
def _read_card(at: int, game: np.record, line: np.record, kind: int) -> int:
    """Read a `play` or a `draw` from its type on."""
    if load8(at + 5) != _SEAT_KEY:
        return FAIL
    seat, at = number_here(at + 13)
    if at < 0 or seat >= NOBODY or load8(at) != _CARD_KEY or byte(at + 8) != _QUOTE:
        return FAIL
    card, at = token(at + 9)
    total = 0
    if kind == PLAY:
        if at < 0 or load8(at) != _TOTAL_KEY or byte(at + 8) != _COLON:
            return FAIL
        at += 9
        below = 1 if byte(at) == _MINUS else 0
        total, at = number_here(at + below)
        if total >= MOST or (below and not total):
            return FAIL
        total = -total if below else total
    if at >= 0 and load8(at) & _TWO == _END:
        line.kind, line.seat, line.card, line.number, line.at_ms = kind, seat, card, total, NO_TIME
        return at + 2
    return _finish(at, game, line, kind, seat, card, total)


@helper
def _finish(
    at: int,
    game: np.record,
    line: np.record,
    kind: int,
    seat: int,
    card: int,
    value: int,
) -> int:
    """Read the end of a line and write down its event."""
    at, at_ms = tail(at, game.last_ms, line)
    if at_ms != NO_TIME:
        game.last_ms = at_ms
    line.kind, line.seat, line.card, line.number, line.at_ms = kind, seat, card, value, at_ms
    return at


@helper
def _read_deal(at: int, lists: np.ndarray, pool: int, game: np.record, line: np.record) -> tuple[int, int]:
    if load8(at + 5) != _SEAT_KEY:
        return FAIL, pool
    seat, at = _seat(at + 13)
    at, pool = cards(match(at, _CARDS), lists, pool)
    return _finish(at, game, line, DEAL, seat, NO_CARD, 0), pool


@inlined
def _read_rare(at: int, lists: np.ndarray, pool: int, game: np.record, line: np.record) -> tuple[int, int]:
    """Read all other types, told apart by their first letters."""
    first, second = byte(at), byte(at + 6)
    if first == 0x66:
        seat, at = _seat(match(at, _FORFEIT))
        return _finish(at, game, line, FORFEIT_DRAW, seat, NO_CARD, 0), pool
    if first == 0x64:
        seat, at = _seat(match(at, _DISCARD))
        return _finish(at, game, line, DISCARD_FOUR, seat, NO_CARD, 0), pool
    if first == 0x65:
        return _read_eliminate(at, lists, pool, game, line)
    if first == 0x67:
        return _read_game_end(at, lists, pool, game, line)
    if first == 0x63:
        return _read_comment(at, game, line), pool
    if first == 0x72 and second == 0x73:
        return _read_round_start(at, lists, pool, game, line)
    if first == 0x72 and second == 0x65:
        return _read_round_end(at, lists, pool, game, line)
    count, at = _small(match(at, _RESHUFFLE))
    at, pool = _cards_or_none(at, match(at, _DECK), lists, pool)
    return _finish(at, game, line, RESHUFFLE, NOBODY, NO_CARD, count), pool


@helper
def _cards_or_none(at: int, found: int, lists: np.ndarray, pool: int) -> tuple[int, int]:
    """Read the cards that begin at `found`, or note that there are none and stay."""
    if found >= 0:
        return cards(found, lists, pool)
    lists[pool] = ABSENT
    return at, pool + 1


@helper
def _numbers_or_none(at: int, found: int, lists: np.ndarray, pool: int) -> tuple[int, int]:
    if found >= 0:
        return numbers(found, lists, pool)
    lists[pool] = ABSENT
    return at, pool + 1


@helper
def _read_eliminate(
    at: int, lists: np.ndarray, pool: int, game: np.record, line: np.record
) -> tuple[int, int]:
    seat, at = _seat(match(at, _ELIMINATE))
    reason = NO_LEGAL_PLAY
    after = match(at, _NO_LEGAL_PLAY)
    if after < 0:
        reason, after = LEFT, match(at, _LEFT)
    if after < 0:
        reason, after = TIMEOUT, match(at, _TIMEOUT)
    card = NO_CARD
    shown = match(after, _CARD)
    if shown >= 0:
        card, after = token(shown)
    at, pool = _cards_or_none(after, match(after, _HAND), lists, pool)
    return _finish(at, game, line, ELIMINATE, seat, card, reason), pool


@helper
def _read_round_start(
    at: int, lists: np.ndarray, pool: int, game: np.record, line: np.record
) -> tuple[int, int]:
    round_number, at = _small(match(at, _ROUND_START))
    lists[pool], at = seat_or_null(match(at, _DEALER))
    starter, at = _seat(match(at, _STARTER))
    at, pool = _cards_or_none(at, match(at, _DECK), lists, pool + 1)
    shuffled = match(at, _SHUFFLE)
    if shuffled >= 0:
        line.odd = 1
        at = string(shuffled)
        seed = match(at, _SEED)
        at = string(seed) if seed >= 0 else at
        commitment = match(at, _COMMITMENT)
        at = string(commitment) if commitment >= 0 else at
        at = match(at, _END_SHUFFLE)
    at, pool = read_position(at, lists, pool)
    return _finish(at, game, line, ROUND_START, starter, NO_CARD, round_number), pool


@helper
def _read_round_end(
    at: int, lists: np.ndarray, pool: int, game: np.record, line: np.record
) -> tuple[int, int]:
    round_number, at = _small(match(at, _ROUND_END))
    winner, at = seat_or_null(match(at, _WINNER))
    lists[pool], at = seat_or_null(match(at, _LOSER))
    pool += 1
    at, pool = _numbers_or_none(at, match(at, _CHIPS), lists, pool)
    at, pool = _numbers_or_none(at, match(at, _POINTS), lists, pool)
    at, pool = _numbers_or_none(at, match(at, _SCORES), lists, pool)
    seed = match(at, _ROUND_SEED)
    if seed >= 0:
        line.odd = 1
        at = match(string(seed), _ENDS_STRING)
    return _finish(at, game, line, ROUND_END, winner, NO_CARD, round_number), pool


@helper
def _read_game_end(
    at: int, lists: np.ndarray, pool: int, game: np.record, line: np.record
) -> tuple[int, int]:
    start = at
    at, pool = numbers(match(at, _GAME_END), lists, pool)
    abandoned = match(at, _ABANDONED)
    at = abandoned if abandoned >= 0 else match(at, _COMPLETED)
    digest = match(at, _DIGEST)
    if digest >= 0:
        line.odd = 1
        at = match(string(digest), _ENDS_STRING)
        while byte(start - 1) != 0x0A:
            start -= 1
        game.digest, game.before_end, game.end_event = digest, start, game.events
    return _finish(at, game, line, GAME_END, NOBODY, NO_CARD, 1 if abandoned >= 0 else 0), pool


@helper
def _read_comment(at: int, game: np.record, line: np.record) -> int:
    line.odd = 1
    at = string(match(at, _COMMENT))
    ref = match(at, _REF)
    if ref >= 0:
        _, at = _small(ref)
    else:
        at = match(at, _ENDS_STRING)
    return _finish(at, game, line, COMMENT, NOBODY, NO_CARD, 0)
