"""Simulated games: the same bytes for ever, whole matches, and plain words for what can't be played."""

import hashlib
import io
import multiprocessing
import re
from collections import Counter

import pytest

from ono_replay.bundle import bundle_path
from ono_replay.log.jsonl import encode_game
from ono_replay.log.reader import read_games
from ono_replay.rules.events import (
    Eliminate,
    ForfeitDraw,
    GameEnd,
    GameStart,
    Play,
    Reshuffle,
    RoundEnd,
    RoundStart,
)
from ono_replay.rules.ruleset import BadRuleset
from ono_replay.simulate.batch import GAMES_A_TURN, WorkerLost, simulate_games
from ono_replay.simulate.bots import BOTS
from ono_replay.simulate.game import MOST_PLAYS, BadBot, Simulator
from ono_replay.simulate.plan import BadPlan, Plan
from ono_replay.simulate.shuffle import ALGORITHMS

# The first games of these, to the byte: they never change (see `game.SIMULATOR`).
PINNED = [
    (Plan(players=2, seed=7), "044393ce18cdd7fe"),
    (Plan(edition="1980", players=4, seed=1, bots=("saver", "oneply"), forfeits=0.1), "8b08d0ac4557c0b5"),
    (
        Plan(edition="1980", players=3, seed=2, match="points_last_standing", mistakes=0.02),
        "54bb3f3fec013e7b",
    ),
    (
        Plan(edition="2022", players=5, seed=3, bots=("low",), decks=True, rules={"max_total": 200}),
        "4026a3e7fcfa1864",
    ),
]


@pytest.mark.parametrize(("plan", "pinned"), PINNED)
def test_bytes_are_the_same_for_ever(plan, pinned):
    log = b"".join(simulate_games(plan, 3))
    assert hashlib.sha256(log).hexdigest()[:16] == pinned


def test_ids_seeds_and_who_starts():
    games = list(read_games(io.BytesIO(b"".join(simulate_games(Plan(players=3, seed=5), 4)))))
    starts = [game.start for game in games]
    assert [start and start.game_id for start in starts] == ["sim-5-0", "sim-5-1", "sim-5-2", "sim-5-3"]
    rounds = [game.events[1] for game in games]
    assert [one.starter for one in rounds if isinstance(one, RoundStart)] == [0, 1, 2, 0]
    assert [one.shuffle and one.shuffle.seed for one in rounds if isinstance(one, RoundStart)][
        1
    ] == "sim-5-1/1"


def test_a_game_does_not_depend_on_those_before_it():
    plan = Plan(players=2, seed=5)
    assert list(simulate_games(plan, 2, first=3)) == list(simulate_games(plan, 5))[3:]


def test_more_processes_make_the_same_bytes():
    plan = Plan(players=2, seed=5, bots=("oneply", "random"), mistakes=0.01)
    games = GAMES_A_TURN * 3 + 7
    assert list(simulate_games(plan, games, jobs=2)) == list(simulate_games(plan, games))
    assert not multiprocessing.active_children()


def test_no_more_processes_than_cores_that_may_be_used(monkeypatch):
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    monkeypatch.setattr("os.sched_getaffinity", lambda _process: {1}, raising=False)
    games = simulate_games(Plan(players=2, seed=5), GAMES_A_TURN * 2, jobs=0)
    next(games)
    assert not multiprocessing.active_children()


def test_games_that_nobody_takes_are_not_waited_for():
    games = simulate_games(Plan(players=2, seed=5), GAMES_A_TURN * 100, jobs=2)
    next(games)
    games.close()  # type: ignore[attr-defined]  # a generator where there are several jobs
    assert not multiprocessing.active_children()


def test_a_lost_process_is_told():
    games = simulate_games(Plan(players=2, seed=5), GAMES_A_TURN * 100, jobs=2)
    next(games)
    for child in multiprocessing.active_children():
        child.kill()
    with pytest.raises(WorkerLost, match="ended from outside"):
        list(games)


def test_a_bot_that_fails_in_another_process_is_told():
    plan = Plan(players=2, seed=5, bots=("tests.unit.test_simulate:broken_bot",))
    with pytest.raises(BadBot, match=r"the bot broken_bot-\d failed: ZeroDivisionError"):
        list(simulate_games(plan, GAMES_A_TURN * 2, jobs=2))


def broken_bot(view, legal, rng):
    return legal[1 // 0]


def stubborn_bot(view, legal, rng):
    return "11"


def chatty_bot(view, legal, rng):
    print("thinking about", view.total)
    return legal[0]


def test_what_a_bot_prints_is_no_part_of_the_log(capsys):
    Simulator(Plan(players=2, seed=1, bots=(chatty_bot,))).log(0)
    told = capsys.readouterr()
    assert told.out == ""
    assert "thinking about 0" in told.err


def test_a_bot_that_fails_is_told_with_its_place():
    with pytest.raises(BadBot) as caught:
        Simulator(Plan(players=2, seed=1, bots=(broken_bot,))).events(0)
    line = broken_bot.__code__.co_firstlineno + 1
    assert str(caught.value).endswith(f" ({__file__}, line {line})")


def test_the_fields_of_a_view_that_are_told_are_there():
    text = (bundle_path("schemas") / "SIMULATION.md").read_text(encoding="utf-8")
    told = re.findall(r"`view\.([\w.]+)", text)
    seen = []

    def curious(view, legal, rng):
        for way in told:
            value = view
            for field in way.split("."):
                value = getattr(value, field)
        seen.append((view.hands[view.turn], view.copies_in_sight("10"), view.next_seat(view.turn)))
        return legal[0]

    Simulator(Plan(players=3, seed=1, bots=(curious,))).events(0)
    assert len(set(told)) > 15
    assert seen


def test_a_bot_of_your_own():
    def highest(view, legal, rng):
        assert view.turn is not None
        assert set(legal) <= {*view.hands[view.turn], "discard_four"}
        return legal[-1]

    events = Simulator(Plan(players=2, seed=1, bots=(highest, "low"))).events(0)
    assert isinstance(events[0], GameStart)
    assert [player.name for player in events[0].players] == ["highest", "low"]


@pytest.mark.parametrize(
    ("bot", "words"),
    [(broken_bot, "failed: ZeroDivisionError"), (stubborn_bot, "chose '11', which is none of")],
)
def test_a_bad_bot_is_named(bot, words):
    with pytest.raises(BadBot, match=words):
        Simulator(Plan(players=2, seed=1, bots=(bot,))).events(0)


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"players": 7}, "7 players can not play"),
        ({"edition": "1999"}, 'edition can not be "1999"'),
        ({"rules": {"max_totl": 99}}, 'no option "max_totl"'),
        ({"rules": {"deck": {"7": 7}}}, "a deck of 7 cards is too small to deal 2 players four each"),
        ({"bots": ()}, "no bot is named"),
        ({"bots": ("low", "low", "low")}, "3 bots are named for 2 players"),
        ({"seed": -1}, "the seed can not be -1"),
        ({"forfeits": 0.5}, "missed_draw=forfeit"),
        ({"mistakes": 1.5}, "mistakes can not be 1.5"),
    ],
)
def test_what_can_not_be_played(more, words):
    with pytest.raises((BadPlan, BadRuleset), match=words):
        Simulator(Plan(**({"players": 2, "seed": 1} | more)))


def test_a_round_without_end_is_abandoned():
    log = Simulator(Plan(players=2, seed=1, rules={"deck": {"reverse": 9}})).log(0)
    (game,) = read_games(io.BytesIO(log))
    counted = Counter(type(event) for event in game.events)
    assert counted[Play] == MOST_PLAYS
    assert not counted[RoundEnd]
    end = game.events[-1]
    assert isinstance(end, GameEnd)
    assert (end.winners, end.reason) == ((), "abandoned")
    assert end.digest is not None


def test_a_match_without_end_is_abandoned(monkeypatch):
    # Whoever starts plays the only card that anybody can: no one is ever eliminated, no chip is paid.
    monkeypatch.setattr("ono_replay.simulate.game.MOST_EVENTS", 1000)
    rules = {"deck": {"5": 12}, "max_total": 5, "nobody_can_play": "last_to_play"}
    events = Simulator(Plan(edition="1980", players=2, seed=0, rules=rules)).events(0)
    end = events[-1]
    assert isinstance(end, GameEnd)
    assert (end.winners, end.reason) == ((), "abandoned")
    assert isinstance(events[-2], RoundEnd)
    assert 1000 < len(events) < 1010


def test_match_kinds_end():
    for match in ("single", "chips", "points_last_standing", "points_low_score"):
        events = Simulator(Plan(edition="1980", players=3, seed=4, match=match)).events(0)
        rounds = sum(isinstance(event, RoundEnd) for event in events)
        assert (rounds == 1) == (match == "single")
        end = events[-1]
        assert isinstance(end, GameEnd)
        assert end.reason == "completed"


def test_forfeits_and_mistakes_happen():
    plan = Plan(edition="1980", players=3, seed=4, forfeits=0.2, mistakes=0.1)
    events = Simulator(plan).events(0)
    draws = [event for event in events if event.type == "draw"]
    forfeits = [event for event in events if isinstance(event, ForfeitDraw)]
    assert 0.1 < len(forfeits) / (len(forfeits) + len(draws)) < 0.3
    odd = [event for event in events if event.irregular]
    assert {type(event) for event in odd} == {Play, Eliminate}


def test_decks_are_recorded_on_request():
    plan = Plan(edition="2022", players=2, seed=1, rules={"deck": {"1": 10, "reverse": 5}}, decks=True)
    events = Simulator(plan).events(0)
    decks = [event.deck for event in events if isinstance(event, RoundStart | Reshuffle)]
    assert len(decks) > 1
    assert all(decks)
    assert encode_game(events) == Simulator(plan).log(0)


def test_the_example_of_the_description_runs():
    text = (bundle_path("schemas") / "SIMULATION.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"```python\n(.*?)```", text, re.DOTALL)
    found: dict[str, list[bytes]] = {}
    exec(example, found)
    names = [read_start(log).players[0].name for log in found["games"]]
    assert names == ["careful"] * 20
    for algorithm in ALGORITHMS:
        assert f"`{algorithm}`" in text
    for bot in BOTS:
        assert f"| `{bot}` |" in text


def read_start(log):
    start = next(read_games(io.BytesIO(log))).start
    assert start is not None
    return start
