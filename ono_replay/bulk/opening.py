"""The first line of a game, from its canonical bytes to a row of the games."""

import numpy as np

from ono_replay.bulk.jit import byte, helper
from ono_replay.bulk.layout import FULL, MOST_RULESETS, NOBODY, PUBLIC, SEAT, SEATS
from ono_replay.bulk.lists import tail
from ono_replay.bulk.text import FAIL, characters, hash_text, literal, match, number, same_text, string

START = literal('{"seq":0,"type":"game_start","format":')
_FORMAT = literal('"ono-log","version":"1.0","game_id":"')
_RULESET = literal('","ruleset":{')
_PLAYERS = literal(',"players":[{"name":"')
_NEXT_PLAYER = literal(',{"name":"')
_ID = literal('","id":"')
_BOT = literal('","bot":true}')
_NO_BOT = literal('"}')
_DEALER = literal('],"dealer":')
_NULL = literal("null")
_FULL = literal(',"view":"full"')
_PUBLIC = literal(',"view":"public"')
_SEAT = literal(',"view":"seat","viewer":')
_STARTED_AT = literal(',"started_at":"')
_SOURCE = literal(',"source":{"app":"')
_VERSION = literal('","version":"')
_END_SOURCE = literal('"}')
_LONGEST_ID = 128
_DAYS = np.array([31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31], np.int64)
_QUOTE, _OPEN, _CLOSE, _COMMA = 0x22, 0x7B, 0x7D, 0x2C


@helper
def opens(at: int) -> bool:
    """Whether a line begins like a canonical `game_start`."""
    return match(at, START) >= 0


@helper
def read_opening(
    at: int, game: np.record, rulesets: np.ndarray, known: int, line: np.record
) -> tuple[int, int]:
    """Read a `game_start` into its row; return the place after its newline and how many rulesets are known."""
    at = match(match(at, START), _FORMAT)
    game.id_start = at
    at = string(at)
    if at < 0:
        return FAIL, known
    game.id_end = at
    length = characters(game.id_start, at)
    if not 1 <= length <= _LONGEST_ID:
        return FAIL, known
    game.id_hash = hash_text(game.id_start, int(at - game.id_start))
    rules = match(at, _RULESET) - 1
    at = _end_of_object(rules)
    if at < 0:
        return FAIL, known
    game.ruleset = _place_of(rules, at, rulesets, known)
    if game.ruleset == MOST_RULESETS:
        return FAIL, known
    known = max(known, game.ruleset + 1)
    at = _read_players(at, game)
    at = match(at, _DEALER)
    game.dealer, at = seat_or_null(at)
    at = _read_view(at, game)
    at = _read_origin(at)
    at, game.last_ms = tail(at, 0, line)
    return at, known


@helper
def seat_or_null(at: int) -> tuple[int, int]:
    """Read a seat or null; return it and the place after it."""
    end = match(at, _NULL)
    if end >= 0:
        return NOBODY, end
    seat, end = number(at)
    return seat, end if seat < NOBODY else FAIL


@helper
def _end_of_object(at: int) -> int:
    """Return the place after an object of short values; whether it is canonical is for others to say."""
    depth = 0
    while at >= 0:
        found = byte(at)
        at += 1
        if found == _QUOTE:
            at = string(at) + 1
            if at == 0:
                return FAIL
        elif found == _OPEN:
            depth += 1
        elif found == _CLOSE:
            depth -= 1
            if depth == 0:
                return at
        elif found < 0x20 or found > 0x7E:
            return FAIL
    return FAIL


@helper
def _place_of(start: int, end: int, rulesets: np.ndarray, known: int) -> int:
    """Return the place of a ruleset among the known ones, as their next if it is new."""
    length = end - start
    for place in range(known):
        if rulesets[place, 1] == length and same_text(start, rulesets[place, 0], length):
            return place
    if known < MOST_RULESETS:
        rulesets[known, 0] = start
        rulesets[known, 1] = length
    return known


@helper
def _read_players(at: int, game: np.record) -> int:
    at = match(at, _PLAYERS)
    game.seats = 0
    while at >= 0:
        game.seats += 1
        at = string(at)
        identified = match(at, _ID)
        if identified >= 0:
            at = string(identified)
        bot = match(at, _BOT)
        at = bot if bot >= 0 else match(at, _NO_BOT)
        if at < 0 or byte(at) != _COMMA:
            break
        at = match(at, _NEXT_PLAYER)
    return at if game.seats <= SEATS else FAIL


@helper
def _read_view(at: int, game: np.record) -> int:
    full = match(at, _FULL)
    if full >= 0:
        game.shows = FULL
        return full
    public = match(at, _PUBLIC)
    if public >= 0:
        game.shows = PUBLIC
        return public
    game.shows = SEAT
    game.viewer, at = number(match(at, _SEAT))
    return at if game.viewer < game.seats else FAIL


@helper
def _read_origin(at: int) -> int:
    started = match(at, _STARTED_AT)
    if started >= 0:
        at = _date_time(started)
    source = match(at, _SOURCE)
    if source >= 0:
        at = string(source)
        at = string(match(at, _VERSION))
        at = match(at, _END_SOURCE)
    return at


@helper
def _two(at: int, lowest: int, highest: int) -> int:
    """Return a number of two digits, `FAIL` if it is none or out of range."""
    tens, ones = byte(at) - 0x30, byte(at + 1) - 0x30
    if not (0 <= tens <= 9 and 0 <= ones <= 9):
        return FAIL
    value = 10 * tens + ones
    return value if lowest <= value <= highest else FAIL


@helper
def _date_time(at: int) -> int:
    """Return the place after a time like `2026-01-31T20:15:00Z` and its quote; rarer forms are not taken."""
    century, year = _two(at, 0, 99), _two(at + 2, 0, 99)
    month, day = _two(at + 5, 1, 12), _two(at + 8, 1, 31)
    hour, minute, second = _two(at + 11, 0, 23), _two(at + 14, 0, 59), _two(at + 17, 0, 59)
    if min(century, year, month, day, hour, minute, second) < 0 or century + year == 0:
        return FAIL
    whole = 100 * century + year
    leap = month == 2 and whole % 4 == 0 and (whole % 100 != 0 or whole % 400 == 0)
    if day > _DAYS[month - 1] + leap:
        return FAIL
    marks = byte(at + 4) == 0x2D and byte(at + 7) == 0x2D and byte(at + 10) == 0x54
    if not (marks and byte(at + 13) == 0x3A and byte(at + 16) == 0x3A):
        return FAIL
    at += 19
    if byte(at) == 0x2E:
        at += 1
        first = at
        while 0x30 <= byte(at) <= 0x39:
            at += 1
        if at == first:
            return FAIL
    if byte(at) == 0x5A:
        at += 1
    elif byte(at) == 0x2B or byte(at) == 0x2D:
        if _two(at + 1, 0, 23) < 0 or _two(at + 4, 0, 59) < 0 or byte(at + 3) != 0x3A:
            return FAIL
        at += 6
    else:
        return FAIL
    return at + 1 if byte(at) == _QUOTE else FAIL
