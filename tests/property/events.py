"""Strategies for events, lines and games of any shape; they need not follow the rules."""

import msgspec
from hypothesis import strategies as st
from msgspec import UNSET

from ono_replay.log.jsonl import NumberText
from ono_replay.rules.cards import HIDDEN, TOKENS
from ono_replay.rules.events import (
    Comment,
    Deal,
    DiscardFour,
    Draw,
    Eliminate,
    ForfeitDraw,
    GameEnd,
    GameStart,
    Play,
    Player,
    Position,
    Reshuffle,
    RoundEnd,
    RoundStart,
    Shuffle,
    Source,
    Undo,
    UnknownEvent,
)

SEATS = 3

integers = st.integers(-(2**63), 2**63 - 1)
tokens = st.sampled_from(TOKENS)
cards = st.sampled_from((*TOKENS, HIDDEN))
hands = st.lists(cards, max_size=5).map(tuple)
seats = st.integers(0, SEATS - 1)
seat_or_none = st.none() | seats
times = st.none() | st.integers(0, 2**40)
numbers = st.from_regex(r"\A-?(0|[1-9][0-9]{0,5})(\.[0-9]{1,4}([eE][+-]?[0-9]{1,3})?|[eE][0-9]{1,2})\Z").map(
    NumberText
)
values = st.recursive(
    st.none() | st.booleans() | integers | st.text(max_size=5) | numbers,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
metas = st.just(UNSET) | st.dictionaries(st.text(max_size=5), values, max_size=3)
unknown_names = st.text(max_size=6).map("x-".__add__)
extras = st.just(UNSET) | st.dictionaries(unknown_names, values, min_size=1, max_size=3)
by_seat = st.none() | st.lists(st.none() | integers, min_size=SEATS, max_size=SEATS).map(tuple)
piles = st.integers(0, 200) | hands
common = {"at_ms": times, "irregular": st.booleans(), "meta": metas, "extra": extras}

players = st.builds(
    Player, name=st.text(max_size=8), id=st.none() | st.text(max_size=4), bot=st.booleans(), extra=extras
)
positions = st.builds(
    Position, total=integers, direction=st.sampled_from((1, -1)), turn=seat_or_none, plays_due=st.integers(0, 2),
    second=st.booleans(), hands=st.lists(hands, min_size=SEATS, max_size=SEATS).map(tuple),
    out=st.lists(seats, max_size=2).map(tuple), draw_pile=piles, discard_pile=piles, chips=by_seat, scores=by_seat,
    extra=extras,
)  # fmt: skip
shuffles = st.builds(
    Shuffle, algorithm=st.text(max_size=4), seed=st.none() | st.text(max_size=4),
    commitment=st.none() | st.text(max_size=4), extra=extras,
)  # fmt: skip
rulesets = st.fixed_dictionaries(
    {"edition": st.sampled_from(("1980", "2022"))},
    optional={
        "max_total": st.integers(1, 999),
        "deck": st.dictionaries(tokens, st.integers(0, 9)),
        "zz": values,
    },
)


def starts(*, views=("public",)):
    return st.builds(
        _start, game_id=st.text(min_size=1, max_size=8), ruleset=rulesets,
        players=st.lists(players, min_size=SEATS, max_size=SEATS).map(tuple), dealer=seat_or_none,
        view=st.sampled_from(views), viewer=seats, started_at=st.none() | st.just("2026-01-31T20:15:00Z"),
        source=st.none() | st.builds(Source, app=st.text(max_size=4), version=st.text(max_size=4), extra=extras),
        **common,
    )  # fmt: skip


def _start(*, view, viewer, **fields):
    return GameStart(
        seq=0, format="ono-log", version="1.0", view=view, viewer=viewer if view == "seat" else None, **fields
    )


def later_events(*, known_only=False):
    """Any event but a `game_start`; `seq` is to be set."""
    decks = st.none() | hands
    kinds = [
        st.builds(RoundStart, seq=integers, round=integers, dealer=seat_or_none, starter=seats, deck=decks,
                  shuffle=st.none() | shuffles, position=st.none() | positions, **common),
        st.builds(Deal, seq=integers, seat=seats, cards=hands, **common),
        st.builds(Play, seq=integers, seat=seats, card=tokens, total=integers, **common),
        st.builds(Draw, seq=integers, seat=seats, card=cards, **common),
        st.builds(ForfeitDraw, seq=integers, seat=seats, **common),
        st.builds(DiscardFour, seq=integers, seat=seats, **common),
        st.builds(Reshuffle, seq=integers, count=integers, deck=decks, **common),
        st.builds(Eliminate, seq=integers, seat=seats, reason=st.sampled_from(("no_legal_play", "left", "timeout")),
                  card=st.none() | tokens, hand=decks, **common),
        st.builds(RoundEnd, seq=integers, round=integers, winner=seat_or_none, loser=seat_or_none, chips=by_seat,
                  points=by_seat, scores=by_seat, seed=st.none() | st.text(max_size=3), **common),
        st.builds(GameEnd, seq=integers, winners=st.sets(seats).map(sorted).map(tuple),
                  reason=st.sampled_from(("completed", "abandoned")), digest=st.none() | st.text(max_size=3), **common),
        st.builds(Comment, seq=integers, text=st.text(max_size=9), ref=st.none() | st.integers(0, 12), **common),
    ]  # fmt: skip
    if not known_only:
        kinds.append(st.builds(UnknownEvent, seq=integers, name=st.just("emote"), **common))
    return st.one_of(kinds)


undos = st.builds(Undo, seq=integers, to=st.integers(0, 12), **common)
events = starts() | later_events() | undos


def numbered(found):
    return [msgspec.structs.replace(event, seq=seq) for seq, event in enumerate(found)]


def games(*, views=("full", "public", "seat"), most=12):
    """A `game_start` and what follows, undos among it, `seq` from 0."""
    return st.builds(
        lambda start, rest: numbered([start, *rest]),
        starts(views=views),
        st.lists(later_events() | undos, max_size=most),
    )
