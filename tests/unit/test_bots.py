"""Bots: what they see, what they choose, and that each is stronger than the one before."""

from random import Random

import pytest
from msgspec.structs import replace

from ono_replay.rules.cards import count_copies, sort_cards
from ono_replay.rules.events import GameEnd
from ono_replay.rules.ruleset import EDITIONS
from ono_replay.rules.state import Phase, first_state
from ono_replay.simulate.bots import BOTS, SURE, NoSuchBot, bot_named, chance_to_fall, seen_by
from ono_replay.simulate.game import Simulator
from ono_replay.simulate.plan import Plan

PAIRS = list(zip(list(BOTS)[1:], BOTS, strict=False))


def table(*hands, total=0, edition="2022", **more):
    hands = tuple(map(sort_cards, hands))
    state = first_state(EDITIONS[edition], len(hands))
    started = replace(
        state,
        phase=Phase.PLAYING,
        turn=0,
        plays_due=1,
        hands=hands,
        total=total,
        draw_pile=112 - sum(map(len, hands)),
        in_sight=sum(map(count_copies, hands)),
        stack=("7", "8"),
        opened=True,
    )
    return replace(started, **more)


def chosen(bot, legal, state, seed=1):
    return BOTS[bot](seen_by(state, 0), legal, Random(seed))


def test_the_view_of_a_seat_shows_no_card_of_another():
    one = seen_by(table(["7", "9"], ["2", "3"], ["10", "0"], out=(2,)), 0)
    other = seen_by(table(["7", "9"], ["5", "ono_99"], ["10", "0"], out=(2,), stack=None), 0)
    assert one == other
    assert one.hands == (("7", "9"), ("?", "?"), ("0", "10"))
    assert one.in_sight == count_copies(["7", "9", "0", "10"])


def test_random_plays_anything():
    legal = ("1", "9", "reverse")
    assert {chosen("random", legal, table(legal, ["2"]), seed) for seed in range(40)} == set(legal)


@pytest.mark.parametrize(
    ("bot", "legal", "card"),
    [
        ("low", ("2", "9", "-10", "reverse"), "2"),
        ("low", ("0", "9", "play_2"), "0"),
        ("saver", ("2", "10", "-10", "reverse"), "10"),
        ("saver", ("0", "3", "-10", "play_2"), "3"),
        ("saver", ("0", "-10", "play_2"), "play_2"),
        ("saver", ("0", "-10"), "0"),
        ("oneply", ("10", "0"), "10"),
    ],
)
def test_a_choice(bot, legal, card):
    assert chosen(bot, legal, table(legal, ["2", "3", "4", "5"])) == card


def test_oneply_attacks_where_it_can_win():
    hands = (["play_2", "reverse", "0", "ono_99"], ["10", "10", "9", "9"])
    assert chosen("oneply", ("0", "reverse", "play_2"), table(*hands, total=98)) == "play_2"


def test_the_chance_to_fall_grows_with_the_total_and_what_is_owed():
    state = seen_by(table(["7"], ["2", "3", "4", "5"]), 0)
    chances = [
        chance_to_fall(replace(state, turn=1, total=total, plays_due=due))
        for total, due in ((50, 1), (98, 1), (98, 2))
    ]
    assert 0 <= chances[0] < chances[1] < chances[2] < SURE


def test_a_bot_by_name():
    assert bot_named("saver") is BOTS["saver"]
    assert bot_named("ono_replay.simulate.bots:low") is BOTS["low"]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("grandmaster", "no bot is called 'grandmaster'; there are random, low, saver, oneply"),
        ("no_such_module:bot", "No module named 'no_such_module'"),
        ("ono_replay.simulate.bots:high", "has no bot 'high'"),
        ("ono_replay.simulate.bots:SURE", "can not be called"),
    ],
)
def test_no_such_bot(name, words):
    with pytest.raises(NoSuchBot, match=words):
        bot_named(name)


def share_won(stronger, weaker, games, **more):
    """How much the first wins of games that both start equally often."""
    simulator = Simulator(Plan(players=2, seed=99, bots=(stronger, weaker), **more))
    ends = [simulator.events(index)[-1] for index in range(games)]
    return sum(isinstance(end, GameEnd) and end.winners == (0,) for end in ends) / games


@pytest.mark.parametrize(("stronger", "weaker"), PAIRS)
def test_each_bot_beats_the_one_before(stronger, weaker):
    assert share_won(stronger, weaker, 800) >= 0.52


@pytest.mark.slow
@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(("stronger", "weaker"), PAIRS)
def test_each_bot_beats_the_one_before_in_10000_games(stronger, weaker, edition):
    share = share_won(stronger, weaker, 10_000, edition=edition)
    print(f"\n{edition}: {stronger} wins {share:.1%} of 10,000 games against {weaker}")
    assert share >= 0.52
