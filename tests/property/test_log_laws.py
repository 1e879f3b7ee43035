"""Laws of the log floor: round trips, no exception on any bytes, undo, views."""

import gzip
import io
import json
import random
from typing import Any

import msgspec
import zstandard
from hypothesis import example, given, settings
from hypothesis import strategies as st
from msgspec import UNSET

from ono_replay.log.jsonl import (
    LineFault,
    NumberText,
    RawObject,
    canonical,
    digest_of,
    encode_game,
    event_keys,
    parse_line,
)
from ono_replay.log.lines import CutStream, Line, read_lines
from ono_replay.log.reader import read_games, read_log
from ono_replay.log.redact import view_of
from ono_replay.log.shape import Context, check_shape, quick_ok
from ono_replay.log.undo import effective_events, finished
from ono_replay.rules.cards import TOKENS
from ono_replay.rules.events import (
    Comment,
    Deal,
    Draw,
    Event,
    GameEnd,
    GameStart,
    Reshuffle,
    RoundEnd,
    RoundStart,
    Shuffle,
    Undo,
)
from tests.property.events import SEATS, events, games, seats, values

law = settings(derandomize=True, deadline=None, max_examples=100)
CONTEXT = Context(seats=SEATS, view="public")


def read_back(line):
    """The event of a line, however odd its bytes."""
    parsed = parse_line(line)
    assert not isinstance(parsed, LineFault), parsed
    return check_shape(parsed.keys, CONTEXT).event if isinstance(parsed, RawObject) else parsed


def spaced(value):
    """A value as another writer might write it: spaces, escapes, its keys in another order."""
    if isinstance(value, NumberText):
        return value.text
    if isinstance(value, dict):
        pairs = [f"{json.dumps(key)} : {spaced(inner)}" for key, inner in reversed(value.items())]
        return "{ " + " ,\t".join(pairs) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + " , ".join(map(spaced, value)) + " ]"
    return json.dumps(value)


@law
@given(events)
def test_what_is_written_reads_back_the_same(event):
    line = canonical(event)
    assert read_back(line) == event
    assert canonical(read_back(line)) == line


@law
@given(events)
def test_however_it_is_written_it_is_the_same_event(event):
    again = read_back(spaced(event_keys(event)).encode())
    assert msgspec.structs.replace(again, extra=UNSET) == msgspec.structs.replace(event, extra=UNSET) or (
        "x-" in repr(event_keys(event))  # unknown keys come back in the order of that writer
    )
    assert event_keys(again) == event_keys(event)


@law
@given(events)
def test_the_quick_answer_is_the_thorough_one(event):
    for context in (CONTEXT, Context(seats=SEATS), Context(seats=1, view="seat")):
        assert quick_ok(event, context) == (check_shape(event_keys(event), context).fault is None)


@law
@given(st.dictionaries(st.sampled_from(("seq", "type", "seat", "card", "total", "cards", "players", "position", "x")), values),
       st.sampled_from(("play", "deal", "game_start", "round_start", "game_end", "emote")))  # fmt: skip
def test_an_object_has_an_event_or_a_fault(keys, name):
    for given_keys in (keys, keys | {"type": name}):
        shape = check_shape(given_keys, CONTEXT)
        assert (shape.event is not None) or (shape.fault is not None)
        assert shape.partial.items() <= given_keys.items() or shape.fault is None or shape.partial


@law
@given(st.binary(max_size=60))
def test_any_bytes_are_read_without_an_exception(data):
    # A blank line first: a file of another kind, told by its first bytes, is refused as a whole.
    for record in read_log(io.BytesIO(b"\n" + data + b"\n")):
        assert record.event is not None or record.fault is not None


@settings(law, max_examples=400)
@given(events, st.data())
def test_a_mutated_line_is_read_without_an_exception(event, data):
    line = bytearray(canonical(event))
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(0, len(line) - 1))
        change = data.draw(st.sampled_from(("flip", "cut", "double", "put")))
        if change == "flip":
            line[place] ^= 1 << data.draw(st.integers(0, 7))
        elif change == "cut":
            del line[place : place + data.draw(st.integers(1, 9))]
            line = line or bytearray(b" ")
        elif change == "double":
            line[place:place] = line[place : place + data.draw(st.integers(1, 30))]
        else:
            line[place:place] = data.draw(
                st.sampled_from((b'"', b"[", b"{", b"\\u", b"9" * 20, b"-", b"null", b","))
            )
    for record in read_log(io.BytesIO(bytes(line))):
        assert record.event is not None or record.fault is not None


@law
@given(games(), st.integers(1, 400), st.booleans())
def test_how_the_bytes_arrive_makes_no_difference(game, step, blank):
    data = encode_game(game).replace(b"\n", b"\r\n\n" if blank else b"\n")

    class Slow(io.BytesIO):
        def read1(self, size=-1):
            return self.read(min(step, size))

    assert list(read_lines(Slow(data))) == list(read_lines(io.BytesIO(data)))


@settings(law, max_examples=12)
@given(games(most=4), st.sampled_from((bytes, gzip.compress, zstandard.ZstdCompressor().compress)))
def test_a_log_cut_anywhere_gives_the_events_before_the_cut(game, pack):
    data = encode_game(game)
    lines = data.splitlines()
    packed = pack(data)
    for size in range(len(packed)):
        items = list(read_lines(io.BytesIO(packed[:size])))
        whole = [item.raw for item in items if isinstance(item, Line) and not item.torn]
        assert whole == lines[: len(whole)]
        if pack is not bytes and size > 1:  # the first byte of zstd alone is a bracket
            assert isinstance(items[-1], CutStream)


@settings(law, max_examples=50)
@given(st.lists(games(most=5), max_size=4))
def test_games_one_after_the_other(many):
    data = b"".join(map(encode_game, many))
    read = list(read_games(io.BytesIO(data)))
    # Byte for byte: a number in `meta` may come back as a float or as its text, but is written the same.
    assert [encode_game(game.events) for game in read] == [encode_game(game) for game in many]
    starts = [start for start, line in enumerate(data.split(b"\n"), 1) if b'"type":"game_start"' in line[:40]]
    assert [game.line for game in read] == starts


def naive_undo(game):
    """The words of the format, one for one: copies of the list after each event."""
    current: list[Event] = []
    after: dict[int, list[Event]] = {}
    for event in game:
        current = list(after.get(event.to, current)) if isinstance(event, Undo) else [*current, event]
        after[event.seq] = current
    return current


@law
@given(games(most=20))
def test_undo_restores_the_list_of_events_as_it_was(game):
    assert effective_events(game) == naive_undo(game)


@law
@given(games())
def test_a_finished_game_has_no_gap_and_its_own_digest(game):
    done = finished(game)
    assert [event.seq for event in done] == list(range(len(done)))
    assert not any(isinstance(event, Undo) for event in done)
    assert finished(done) == done
    for place, event in enumerate(done):
        if isinstance(event, GameEnd) and event.digest is not None:
            assert event.digest == digest_of(map(canonical, done[:place]))
        if isinstance(event, Comment) and event.ref is not None:
            assert event.ref < len(done)


class Scrambler:
    """Changes all that a viewer can not know, and nothing else; says itself what that is."""

    def __init__(self, viewer, seed):
        self.viewer = viewer
        self.random = random.Random(seed)

    def cards(self, count):
        return tuple(self.random.choices(TOKENS, k=count))

    def maybe(self, value):
        return value if self.random.random() < 0.5 else None

    def scramble(self, event):
        change: dict[str, Any] = {"meta": {"secret": self.cards(1)}, "extra": {"secret": self.cards(1)}}
        if isinstance(event, Deal) and event.seat != self.viewer:
            change["cards"] = self.cards(len(event.cards))
        if isinstance(event, Draw) and event.seat != self.viewer:
            change["card"] = self.cards(1)[0]
        if isinstance(event, (RoundStart, Reshuffle)):
            change["deck"] = self.maybe(self.cards(9))
        if isinstance(event, RoundStart):
            change["shuffle"] = self.random.choice(
                (None, Shuffle("x", seed=self.cards(1)[0], commitment="y"))
            )
        if isinstance(event, RoundStart) and event.position:
            position = event.position
            pile = position.draw_pile
            change["position"] = msgspec.structs.replace(
                position,
                hands=tuple(
                    hand if seat == self.viewer else self.cards(len(hand))
                    for seat, hand in enumerate(position.hands)
                ),
                draw_pile=self.cards(len(pile) if isinstance(pile, tuple) else pile),
                extra={"secret": self.cards(1)},
            )
        if isinstance(event, RoundEnd):
            change["seed"] = self.maybe("secret")
        if isinstance(event, GameEnd) and event.digest is not None:
            change["digest"] = digest_of([self.cards(1)[0].encode()])
        return msgspec.structs.replace(event, **change)


@law
@given(games(views=("full", "public")), st.none() | seats, st.integers(0, 99), st.booleans())
def test_a_view_never_leaks_what_its_viewer_can_not_know(game, viewer, seed, comments):
    scrambler = Scrambler(viewer, seed)
    other = [scrambler.scramble(event) for event in game]
    seen = view_of(game, viewer, comments=comments)
    assert encode_game(seen) == encode_game(view_of(other, viewer, comments=comments))


@law
@given(games(views=("full", "public")), seats)
@example(
    [
        GameStart(
            seq=0,
            format="ono-log",
            version="1.0",
            game_id="a",
            ruleset={},
            players=(),
            dealer=None,
            view="full",
        )
    ],
    0,
)
def test_a_view_of_a_view(game, viewer):
    if not isinstance(game[0], GameStart) or not game[0].players:
        return
    seen = view_of(game, viewer)
    assert view_of(seen, viewer) == seen
    assert view_of(seen, None) == view_of(game, None)
    assert all(quick_ok(event, CONTEXT) for event in seen)
