"""Faults of lines, streams, numbers and keys: codes ONO1xx, 20x and 501."""

import gzip
import json
from random import Random
from typing import Any

import zstandard
from msgspec.structs import replace

from ono_replay.log.jsonl import digest_of
from ono_replay.log.keys import KEYS
from ono_replay.rules.events import (
    Comment,
    Deal,
    Draw,
    GameEnd,
    Play,
    RoundEnd,
    RoundStart,
    Undo,
)
from tests.property.faults import (
    Broken,
    Game,
    changed,
    fault,
    keys_at,
    lines_of,
    pick,
    with_event,
    with_line,
)


def written(keys: dict[str, Any]) -> bytes:
    return json.dumps(keys, separators=(",", ":"), ensure_ascii=False).encode()


def any_place(game: Game, random: Random) -> int:
    """Any line but the first, without which there is no game."""
    return random.randrange(1, len(game.events))


# --- lines ------------------------------------------------------------------------------------------


@fault("ONO101")
def byte_that_is_not_utf8(game: Game, random: Random) -> Broken:
    place = any_place(game, random)
    line = written(keys_at(game, place))
    cut = random.randrange(len(line))
    return with_line(
        game, place, line[:cut] + random.choice((b"\xff", b"\xc3", b"\x80")) + line[cut:], seq=None
    )


@fault("ONO102")
def text_that_is_not_json(game: Game, random: Random) -> Broken:
    place = any_place(game, random)
    line = written(keys_at(game, place))
    meta = random.choice(
        (
            b"NaN",
            b"-Infinity",
            b"18446744073709551616",
            b'"\\ud800"',
            b"[" * 65 + b"]" * 65,
            b"'x'",
            b"01",
            b"{]",
            b"",
        )
    )
    odd = random.choice(
        (line[: -1 - random.randrange(5)], b"\x00" * 40, line[:-1] + b',"meta":{"x":' + meta + b"}}")
    )
    return with_line(game, place, odd, seq=None)


@fault("ONO103", severity="warning")
def torn_last_line(game: Game, random: Random) -> Broken | None:
    if isinstance(game.events[-1], GameEnd):
        return None
    lines = lines_of(game.events)
    cut = random.randrange(1, len(lines[-1]))
    whole = b"".join(line + b"\n" for line in lines[:-1])
    return Broken(lines, len(lines), None, data=whole + lines[-1][:cut])


@fault("ONO103", severity="warning")
def torn_line_after_the_end(game: Game, random: Random) -> Broken | None:
    if not isinstance(game.events[-1], GameEnd):
        return None
    lines = lines_of(game.events)
    whole = b"".join(line + b"\n" for line in lines)
    return Broken(lines, len(lines) + 1, None, data=whole + lines[0][: random.randrange(1, 20)])


@fault("ONO104")
def line_that_is_no_object(game: Game, random: Random) -> Broken:
    return with_line(
        game, any_place(game, random), random.choice((b"[1,2]", b"7", b'"play"', b"null", b"[]")), seq=None
    )


@fault("ONO105")
def unknown_type(game: Game, random: Random) -> Broken:
    place = any_place(game, random)
    name = random.choice(("plya", "wave", "Play", "", "draws"))
    return with_line(game, place, written(keys_at(game, place) | {"type": name}), seq=place)


@fault("ONO105", severity="warning")
def unknown_type_of_a_newer_version(game: Game, random: Random) -> Broken:
    place = any_place(game, random)
    newer = Game([replace(game.start, version="1.7"), *game.events[1:]], game.before[0])
    broken = with_event(newer, place, Comment(0, "hi"))
    broken.lines[place] = broken.lines[place].replace(b'"comment"', b'"wave"')
    return broken


@fault("ONO106")
def missing_key(game: Game, random: Random) -> Broken:
    place = any_place(game, random)
    keys = keys_at(game, place)
    required = [key.name for key in KEYS[keys["type"]] if key.required]
    if isinstance(game.events[place], RoundEnd):
        required += [name for name in ("chips", "points", "scores") if name in keys]
    key = random.choice([*required, "type"])
    del keys[key]
    return with_line(game, place, written(keys), seq=place)


@fault("ONO106")
def missing_number(game: Game, random: Random) -> Broken:
    place = any_place(game, random)
    keys = keys_at(game, place)
    del keys["seq"]
    return with_line(game, place, written(keys), seq=None)


@fault("ONO107")
def value_of_a_wrong_type(game: Game, random: Random) -> Broken:
    place = any_place(game, random)
    keys = keys_at(game, place)
    nullable = ("dealer", "winner", "loser")
    key = random.choice(
        [key.name for key in KEYS[keys["type"]] if key.name in keys and key.name != "position"] or ["type"]
    )
    wrong: list[Any] = [True, 1.0, {}] + ([] if key in nullable else [None])
    keys[key] = random.choice([*wrong, "1"] if isinstance(keys[key], int) else wrong)
    return with_line(game, place, written(keys), seq=place)


@fault("ONO107")
def common_key_of_a_wrong_type(game: Game, random: Random) -> Broken:
    place = any_place(game, random)
    wrong: dict[str, Any] = random.choice(
        ({"at_ms": -1}, {"at_ms": "1"}, {"irregular": False}, {"irregular": 1}, {"meta": []})
    )
    return with_line(game, place, written(keys_at(game, place) | wrong), seq=place)


@fault("ONO107")
def wrong_round_number(game: Game, random: Random) -> Broken | None:
    events = game.events
    place = pick(random, [
        at for at in game.places(RoundStart, RoundEnd)
        if not (isinstance(event := events[at], RoundStart) and event.position is not None)
    ])  # fmt: skip
    event = events[place or 0]
    if place is None or not isinstance(event, RoundStart | RoundEnd):
        return None
    return changed(game, place, round=event.round + random.choice((-1, 1, 7)))


@fault("ONO108", severity="note")
def unknown_key(game: Game, random: Random) -> Broken:
    place = random.randrange(len(game.events))
    key = random.choice(("colour", "at_sm", "Seat", "x"))
    return with_line(game, place, written(keys_at(game, place) | {key: 1}), seq=place)


@fault("ONO109")
def key_that_stands_twice(game: Game, random: Random) -> Broken:
    place = any_place(game, random)
    keys = keys_at(game, place)
    key = random.choice(list(keys))
    line = written(keys)[:-1] + f',"{key}":'.encode() + written(keys[key]) + b"}"
    return with_line(game, place, line, seq=None)


@fault("ONO110")
def card_that_does_not_exist(game: Game, random: Random) -> Broken | None:
    place = pick(random, game.places(Play, Draw, Deal))
    if place is None:
        return None
    odd = random.choice(("11", "Reverse", "ono-99", "", "+2", "00"))
    event = game.events[place]
    cards = {"cards": (odd, *event.cards[1:])} if isinstance(event, Deal) else {"card": odd}
    return with_line(game, place, written(keys_at(game, place) | cards), seq=place)


@fault("ONO111")
def line_that_is_too_long(game: Game, random: Random) -> Broken:
    place = any_place(game, random)
    line = written(keys_at(game, place) | {"meta": {"x": "x" * (1 << 20)}})
    return with_line(game, place, line, seq=None)


@fault("ONO112")
def unsupported_version(game: Game, random: Random) -> Broken:
    wrong = random.choice(
        ({"version": "2.0"}, {"version": "0.9"}, {"format": "chess"}, {"format": "ONO-LOG"})
    )
    return with_line(game, 0, written(keys_at(game, 0) | wrong), seq=0)


@fault("ONO113")
def cut_stream(game: Game, random: Random) -> Broken:
    lines = lines_of(game.events)
    plain = b"".join(line + b"\n" for line in lines)
    packed = random.choice((gzip.compress(plain, mtime=0), zstandard.ZstdCompressor().compress(plain)))
    data = random.choice((packed[: random.randrange(20, len(packed))], packed + b"more"))
    return Broken(lines, None, None, data=data)


# --- order ------------------------------------------------------------------------------------------


@fault("ONO201")
def event_before_the_first_game(game: Game, random: Random) -> Broken:
    place = any_place(game, random)
    lines = lines_of(game.events)
    return Broken([lines[place], *lines], 1, place)


@fault("ONO202")
def number_that_is_wrong(game: Game, random: Random) -> Broken | None:
    place = random.randrange(1, len(game.events) - 1) if len(game.events) > 2 else None
    if place is None:
        return None
    seq = place + random.choice((2, 5, 90, 1000) if isinstance(game.events[place], Comment) else (2, 90, -1))
    keys = keys_at(game, place) | {"seq": seq}
    return with_line(game, place, written(keys), seq=seq)


@fault("ONO202")
def line_that_is_lost(game: Game, random: Random) -> Broken | None:
    if len(game.events) < 4:
        return None
    place = random.randrange(1, len(game.events) - 1)
    lines = lines_of(game.events)
    del lines[place : place + random.choice((1, 1, 2, 5))]
    lost = len(game.events) - len(lines)
    return Broken(lines, place + 1, place + lost) if place < len(lines) else None


@fault("ONO202")
def line_that_stands_twice(game: Game, random: Random) -> Broken:
    place = any_place(game, random)
    lines = lines_of(game.events)
    again = random.choice([place + 1, random.randint(place + 1, len(lines))])
    lines.insert(again, lines[place])
    return Broken(lines, again + 1, place)


@fault("ONO202")
def lines_that_are_swapped(game: Game, random: Random) -> Broken | None:
    if len(game.events) < 4:
        return None
    place = random.randrange(1, len(game.events) - 1)
    lines = lines_of(game.events)
    lines[place], lines[place + 1] = lines[place + 1], lines[place]
    return Broken(lines, place + 1, place + 1)


@fault("ONO203", severity="warning")
def game_that_stands_twice(game: Game, random: Random) -> Broken:
    lines = lines_of(game.events)
    return Broken(lines * 2, len(lines) + 1, 0)


@fault("ONO205", severity="warning")
def time_that_goes_back(game: Game, random: Random) -> Broken | None:
    if len(game.events) < 3:
        return None
    place = random.randrange(2, len(game.events))
    timed = Game([replace(event, at_ms=100 * at) for at, event in enumerate(game.events)], game.before[0])
    return changed(timed, place, at_ms=100 * (place - 1) - random.choice((1, 50, 99)))


@fault("ONO209")
def undo_to_nowhere(game: Game, random: Random) -> Broken:
    place = any_place(game, random)
    to = random.choice((place, place + 1, -1, 5000))
    return with_event(game, place, Undo(place, to))


@fault("ONO501")
def digest_of_another_game(game: Game, random: Random) -> Broken | None:
    end = game.events[-1]
    if not isinstance(end, GameEnd):
        return None
    lines = lines_of(game.events)[:-1]
    digest = random.choice((digest_of(lines[:-1]), digest_of(lines).upper(), "sha256:", digest_of(lines)[7:]))
    return changed(game, len(game.events) - 1, digest=digest)
