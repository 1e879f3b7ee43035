"""Laws of the rules, the replay and the validator, on random games of random rulesets."""

import functools
import io
from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from ono_replay.check.validator import validate
from ono_replay.log.jsonl import encode_game
from ono_replay.log.redact import view_of
from ono_replay.log.undo import effective_events
from ono_replay.replay import read_replay, state_json
from ono_replay.rules.cards import DISCARD_FOUR, HIDDEN, TOKENS, count_copies
from ono_replay.rules.events import (
    Comment,
    DiscardFour,
    Eliminate,
    Event,
    GameEnd,
    Play,
    Position,
    RoundStart,
    Undo,
)
from ono_replay.rules.legality import is_legal, why_illegal
from ono_replay.rules.playable import legal_plays, total_after
from ono_replay.rules.state import Phase
from ono_replay.rules.transition import advance, apply
from ono_replay.rules.violation import IllegalEvent
from tests.property.events import later_events
from tests.property.walk import Walk

law = settings(derandomize=True, deadline=None, max_examples=60)
seeds = st.integers(0, 10**6)
fold = functools.partial(functools.reduce, apply)


@functools.lru_cache(maxsize=64)
def walk(seed, decks=False):
    return Walk(seed, decks=decks)


def report_of(events):
    (report,) = validate([io.BytesIO(encode_game(events))])
    return report


@law
@given(seeds, st.booleans())
def test_whatever_is_played_by_the_rules_validates_clean(seed, decks):
    game = walk(seed, decks)
    report = report_of(game.events)
    assert (report.diagnostics, report.unverified, report.events) == ([], 0, len(game.events))
    assert report.verdict == ("valid" if game.state.phase is Phase.ENDED else "unfinished")


@law
@given(seeds, st.booleans(), st.none() | st.integers(0, 1))
def test_so_does_every_view_of_it(seed, decks, viewer):
    game = walk(seed, decks)
    report = report_of(view_of(game.events, viewer))
    assert report.diagnostics == []
    assert report.verdict == ("valid" if game.state.phase is Phase.ENDED else "unfinished")


@law
@given(seeds)
def test_a_view_shows_the_same_states_but_for_the_cards(seed):
    game = walk(seed)
    public = read_replay(io.BytesIO(encode_game(view_of(game.events, None))))
    seen = {event.seq: state for event, state in zip(public.events, public.states, strict=True)}
    for event, state in zip(game.events[1:], game.states, strict=True):
        other = seen[event.seq]
        assert [len(hand) for hand in other.hands] == [len(hand) for hand in state.hands]
        names = ["total", "direction", "draws_due", "out", "draw_pile", "discard_pile"]
        if not state.by_last_to_play:  # what others hold leaves open whether nobody can play
            names += ["phase", "turn", "plays_due", "second"]
        for name in names:
            assert getattr(other, name) == getattr(state, name), (event, name)


@law
@given(seeds)
def test_apply_never_changes_the_state_it_is_given(seed):
    game = walk(seed)
    before = [game.first, *game.states]
    shown = [repr(state) for state in before]
    for state, event in zip(before, game.events[1:], strict=False):
        apply(state, event)
        advance(state, replace(event, seq=0))
    assert [repr(state) for state in before] == shown


@law
@given(seeds, st.integers(0, 200))
def test_folding_splits_anywhere(seed, where):
    game = walk(seed)
    events = game.events[1:]
    where %= len(events) + 1
    assert fold(events[where:], fold(events[:where], game.first)) == fold(events, game.first) == game.state


def moments(game):
    return [game.first, *game.states]


@settings(law, max_examples=300)
@given(seeds, st.data())
def test_an_event_is_legal_if_and_only_if_apply_does_not_raise(seed, data):
    game = walk(seed)
    state = data.draw(st.sampled_from(moments(game)))
    event = fitting(data.draw(later_events(known_only=True)), game.seats, state)
    if is_legal(state, event):
        assert apply(state, event) == advance(state, event)
    else:
        with pytest.raises(IllegalEvent) as raised:
            apply(state, event)
        assert raised.value.violation == why_illegal(state, event)
        advance(state, event)  # what the log says happened can always be followed


def fitting(event, seats, state):
    """An event as the shape of this game has it: seats that exist, arrays of their length; often near the mark."""
    changes = {}
    for name in ("seat", "starter", "dealer", "winner", "loser"):
        if getattr(event, name, None) is not None:
            changes[name] = getattr(event, name) % seats
    for name in ("chips", "points", "scores"):
        if getattr(event, name, None) is not None:
            changes[name] = (getattr(event, name) * seats)[:seats]
    if isinstance(event, GameEnd):
        changes["winners"] = tuple(seat for seat in event.winners if seat < seats)
    if isinstance(event, RoundStart) and isinstance(event.position, Position):
        position = event.position
        turn = None if position.turn is None else position.turn % seats
        held = (position.hands * seats)[:seats]
        arrays = {name: (getattr(position, name) or (None,)) * seats for name in ("chips", "scores")}
        changes["position"] = replace(
            position, turn=turn, hands=held, out=tuple(seat % seats for seat in position.out),
            **{name: array[:seats] for name, array in arrays.items()},
        )  # fmt: skip
    if isinstance(event, Play) and event.total % 2:
        changes["total"] = total_after(state.ruleset, state.total, event.card)
    if getattr(event, "seat", None) is not None and event.seq % 3 and state.turn is not None:
        changes["seat"] = state.turn
    return replace(event, **changes)


@law
@given(seeds)
def test_the_legal_plays_are_the_plays_that_are_legal(seed):
    game = walk(seed)
    for state in game.states:
        if state.turn is None or state.draws_due:
            assert legal_plays(state) == ()
            continue
        plays = {
            card
            for card in TOKENS
            if is_legal(state, Play(0, state.turn, card, total_after(state.ruleset, state.total, card)))
        }
        if is_legal(state, DiscardFour(0, state.turn)):
            plays.add(DISCARD_FOUR)
        assert set(legal_plays(state)) == plays
        could_not = why_illegal(state, Eliminate(0, state.turn, "no_legal_play"))
        assert (could_not is not None and could_not.code == "ONO401") == bool(plays)


@law
@given(seeds, st.booleans())
def test_cards_are_conserved(seed, decks):
    game = walk(seed, decks)
    whole = Counter(game.ruleset.deck)
    for event, state in zip(game.events[1:], game.states, strict=True):
        if state.phase in (Phase.DEALING, Phase.BEFORE_ROUND, Phase.MATCH_OVER, Phase.ENDED):
            continue
        in_hands = Counter(card for hand in state.hands for card in hand)
        assert not in_hands - whole
        assert len(state.discards) == state.discard_pile
        assert in_hands.total() + state.draw_pile + state.discard_pile == game.ruleset.deck_size, event
        assert not in_hands + Counter(state.discards) - whole
        counted = count_copies([card for hand in state.hands for card in hand] + list(state.discards))
        assert state.in_sight == counted
        if state.stack is not None and state.draw_pile:
            pile = Counter(state.stack[-state.draw_pile :])
            assert in_hands + Counter(state.discards) + pile == whole


@law
@given(seeds)
def test_seek_is_the_fold_of_the_first_events(seed):
    game = walk(seed)
    replay = read_replay(io.BytesIO(encode_game(game.events)))
    order = list(range(1, len(game.events)))
    Random(seed).shuffle(order)
    for seq in order[:30]:
        assert replay.seek(seq) == fold(game.events[1 : seq + 1], game.first)
        assert replay.event == game.events[seq]
    assert replay.seek(0) == game.first
    assert [replay.next() for _ in game.states] == game.states
    assert replay.next() is None
    assert [replay.back() for _ in game.states] == [*game.states[-2::-1], game.first]
    assert replay.back() is None


@law
@given(seeds, seeds)
def test_undo_and_redo_lead_to_the_states_of_what_stands(seed, other):
    game, random = walk(seed), Random(other)
    events = [event for event in game.events if not isinstance(event, GameEnd)]
    log: list[Event] = []
    for event in events:
        log.append(replace(event, seq=len(log)))
        if random.random() < 0.2 and len(log) > 2:
            here = len(log) - 1
            log.append(Undo(len(log), random.randrange(len(log))))
            if random.random() < 0.3:
                log.append(Comment(len(log), "oh"))
            log.append(Undo(len(log), here))  # a redo
    standing = [event for event in effective_events(log) if not isinstance(event, Comment)]
    assert len(standing) == len([event for event in events if not isinstance(event, Comment)])
    replay = read_replay(io.BytesIO(encode_game(log)))
    assert replay.report.diagnostics == []
    assert replay.report.events == len(log)
    assert [event.seq for event in replay.events] == [event.seq for event in effective_events(log)[1:]]
    assert list(replay.states) == [
        state
        for event, state in zip(game.events[1:], game.states, strict=True)
        if not isinstance(event, GameEnd)
    ]


@law
@given(seeds)
def test_a_state_as_json_says_what_the_format_says(seed):
    game = walk(seed)
    for event, state in zip(game.events[1:], game.states, strict=True):
        shown = state_json("g", event, state)
        assert list(shown) == [
            "game_id", "seq", "type", "round", "total", "direction", "turn", "plays_due", "second", "draws_due",
            "hands", "out", "draw_pile", "discard_pile", "chips", "scores",
        ]  # fmt: skip
        assert (shown["turn"] is None) == (shown["plays_due"] == 0)
        assert shown["plays_due"] in (0, 1, 2)
        assert not shown["second"] or shown["plays_due"] == 1
        assert all(HIDDEN not in held for held in shown["hands"])
