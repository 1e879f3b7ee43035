"""Games of the outside engine, played anew: each is a log without a fault, with the engine's own hands."""

import io
import json
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ono_replay.check.diagnostic import GameReport
from ono_replay.check.validator import validate
from ono_replay.convert.outside import Converted, NotConverted
from ono_replay.convert.transcendence import convert
from ono_replay.convert.transcendence_cards import SeededCards, card_ids, token_of
from ono_replay.log.jsonl import encode_game
from ono_replay.rules.legality import why_illegal
from ono_replay.rules.ruleset import make_ruleset
from ono_replay.rules.state import first_state
from ono_replay.rules.transition import apply
from tests.outside_engine import Engine, ordered_deck, shuffled

LABELS = {"reverse": "Reverse", "play_2": "Play2", "ono_99": "ONO99"}


def converted(entry, *, use_seed):
    (game,) = convert([json.dumps(entry).encode()], use_seed=use_seed)
    assert isinstance(game, Converted), game
    return game


def report_on(game):
    (report,) = validate([io.BytesIO(encode_game(game.events))])
    assert isinstance(report, GameReport)
    return report


def replayed(events):
    """The state at the end, every event being legal."""
    state = first_state(make_ruleset(events[0].ruleset), len(events[0].players))
    for event in events[1:]:
        assert why_illegal(state, event) is None, event
        state = apply(state, event)
    return state


def check_game(engine, entry):
    for use_seed in (True, False):
        game = converted(entry, use_seed=use_seed)
        state = replayed(game.events)
        report = report_on(game)
        assert report.verdict == ("valid" if entry["replay"]["status"] == "FINISHED" else "unfinished")
        assert (report.errors, report.warnings, game.notes) == (0, 0, ())
        assert state.total == engine.total
        assert state.draw_pile == len(engine.deck)
        assert state.discard_pile == len(engine.discards)
        hands = [sorted(LABELS.get(card, card) for card in hand) for hand in state.hands]
        if use_seed:
            assert report.unverified == 0
            assert hands == [sorted(card[2] for card in hand) for hand in engine.hands]
        else:
            assert [len(hand) for hand in hands] == [len(hand) for hand in engine.hands]


@pytest.mark.parametrize("players", range(2, 7))
@pytest.mark.parametrize("policy", ["random", "low"])
def test_games_to_their_end(players, policy):
    for number in range(25):
        engine = Engine(f"{policy}-{players}-{number}", players, policy=policy)
        check_game(engine, engine.play())


@pytest.mark.parametrize("players", range(2, 7))
def test_games_broken_off_anywhere(players):
    engine = Engine(f"cut-{players}", players)
    while engine.winner is None:
        check_game(engine, json.loads(json.dumps(engine.entry())))
        engine.step()


@settings(max_examples=60, deadline=None)
@given(st.integers(2, 6), st.integers(0, 2**32), st.integers(0, 600))
def test_the_cards_of_a_seed_are_those_of_the_engine_through_many_reshuffles(players, number, plays):
    seed = f"seed-{number}"
    engine, cards = Engine("x", players, seed=seed), SeededCards(seed, seats=players)
    assert cards.deck == tuple(token_of(card[3]) for card in shuffled(ordered_deck(), seed))
    chance = random.Random(number)
    for _ in range(plays):
        seat = chance.randrange(players)
        card = engine.hands[seat].pop(chance.randrange(4))
        engine.discards.append(card)
        empty = not engine.deck
        engine.draw(seat)
        assert cards.play(seat, str(token_of(card[3])), card[3]) is not None
        if empty:
            cards.reshuffle()
        cards.draw(seat)
    assert cards.hands == [[card[3] for card in hand] for hand in engine.hands]


def test_there_are_as_many_cards_as_in_the_box():
    ids = [card[3] for card in ordered_deck()]
    assert [one for token in ["0", "10", "ono_99", "play_2"] for one in card_ids(token)] == [
        one for one in ids if token_of(one) in ("0", "10", "ono_99", "play_2")
    ]
    assert len(set(ids)) == 112


FILE = json.dumps([Engine("m1", 2).play(), Engine("m2", 3).play()]).encode()


@settings(max_examples=300, deadline=None)
@given(st.lists(st.tuples(st.integers(0, len(FILE) - 1), st.integers(0, 255)), min_size=1, max_size=4))
def test_any_bytes_of_a_file_changed_give_a_log_or_a_plain_reason(changes):
    data = bytearray(FILE)
    for place, value in changes:
        data[place] = value
    for use_seed in (True, False):
        for game in convert([bytes(data)], use_seed=use_seed):
            if isinstance(game, NotConverted):
                assert game.reason
            else:
                report = report_on(game)
                assert report.events == len(game.events)
                errors = [found.seq for found in report.diagnostics if found.severity == "error"]
                assert (errors[0] if errors else None) == game.first_illegal


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=200) | st.text(alphabet='[]{}",:\\ a1', max_size=60).map(str.encode))
def test_any_bytes_at_all(data):
    for game in convert([data[:20], data[20:]]):
        assert isinstance(game, NotConverted)
