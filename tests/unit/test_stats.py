"""The statistics against the same ones computed in plain Python from the logs of a thousand games."""

import io
import json
import math
from collections import defaultdict
from typing import Any

import pytest

from ono_replay.library import stats
from ono_replay.library.columns import VIEW
from ono_replay.library.importing import import_logs
from ono_replay.library.measures import STATISTIC, STATISTICS
from ono_replay.library.selection import LeftOut
from ono_replay.library.store import Library
from ono_replay.log.jsonl import encode_game
from ono_replay.log.reader import read_games
from ono_replay.log.redact import view_of
from ono_replay.simulate.game import Simulator
from ono_replay.simulate.plan import Plan
from tests.unit import statistics_by_hand
from tests.unit.counted_by_hand import Game

PLANS = [
    (220, Plan(edition="2022", players=2, seed=1, bots=("random", "saver"))),
    (200, Plan(edition="2022", players=3, seed=2, bots=("low", "random"))),
    (140, Plan(edition="2022", players=4, seed=3, bots=("saver", "low"))),
    (120, Plan(edition="2022", players=5, seed=4)),
    (100, Plan(edition="2022", players=6, seed=5, bots=("random", "low"))),
    (60, Plan(edition="2022", players=3, seed=6, mistakes=0.02)),
    (160, Plan(edition="1980", players=4, seed=7, match="single", forfeits=0.05)),
    (40, Plan(edition="1980", players=3, seed=8, match="points_low_score", points_target=90)),
    (60, Plan(edition="1980", players=2, seed=9, match="points_last_standing", points_target=60)),
    (12, Plan(edition="1980", players=3, seed=10, rules={"chips": 1})),
    (60, Plan(edition="2022", players=4, seed=11, bots=("low",), rules={"max_total": 99})),
]  # fmt: skip
NAMES = ["Ann", "Bo", "Cy", "Dee", "Eve", "Fay", "Gus"]
SLOW_BY_HAND = {"cards", "held", "totals"}
QUERIES = [statistic.name for statistic in STATISTICS if statistic.name != "ratings"]


def make_log(plan, index, place):
    """Return a simulated game as a table might have had it: names, times, some broken off, some seen from outside."""
    lines = [json.loads(line) for line in Simulator(plan).log(index).splitlines()]
    lines[-1].pop("digest")
    n = plan.players
    lines[0]["players"] = [{"name": NAMES[(place + seat) % (7 if place % 9 else 2)]} for seat in range(n)]
    if place % 3:
        lines[0] = _started(lines[0], place)
    if place % 2:
        lines = [
            _timed(line, place * 7 + step * (400 + place % 5 * 90) + step * step % 37)
            for step, line in enumerate(lines)
        ]
    if place % 17 == 0:
        lines = lines[: len(lines) * 2 // 3]
    elif place % 19 == 0:
        lines = lines[: len(lines) // 2]
        lines.append({"seq": len(lines), "type": "game_end", "winners": [], "reason": "abandoned"})
    log = "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines)
    return _seen(log) if place % 13 == 0 else log


def _started(start, place):
    when = f"20{20 + place % 4}-{1 + place % 12:02}-{1 + place % 28:02}T{place % 24:02}:{place % 60:02}:00+0{place % 3}:00"
    source = start.pop("source")
    return start | {"started_at": when, "source": source}


def _timed(line, at_ms):
    irregular = line.pop("irregular", None)
    line["at_ms"] = at_ms
    if irregular:
        line["irregular"] = True
    return line


def _seen(log):
    (game,) = read_games(io.BytesIO(log.encode()))
    return encode_game(view_of(game.events, None)).decode()


@pytest.fixture(scope="module")
def logs():
    places = iter(range(10_000))
    return [make_log(plan, index, next(places)) for games, plan in PLANS for index in range(games)]


@pytest.fixture(scope="module")
def games(logs):
    return [Game(log.splitlines(), place) for place, log in enumerate(logs)]


@pytest.fixture(scope="module")
def library(logs, tmp_path_factory):
    folder = tmp_path_factory.mktemp("stats")
    path = folder / "games.ono.jsonl"
    path.write_text("".join(logs), encoding="utf-8")
    summary = import_logs([str(path)], folder / "library", jobs=1)
    assert summary.total("added") == len(logs)
    with Library(folder / "library") as opened:
        yield opened


def chosen(games, *, unfinished=False, irregular=False):
    return [game for game in games if (unfinished or game.completed) and (irregular or not game.irregular)]


def all_seats(games):
    return [(game, range(game.n)) for game in games]


def keyed(answer, by=()):
    """Return rows by their keys: the values of `by`, then what says what a row is of."""
    statistic = STATISTIC[answer.name]
    measure = ["measure"] if statistic.measures else []
    names = [name for name, _ in statistic.keys if name != "last_choice"]
    order = names + measure if names == ["card"] else measure + names
    found = {tuple(row[name] for name in (*by, *order)): row for row in answer}
    assert len(found) == len(answer.rows)
    return found


def same(found, expected, where=""):
    assert found.keys() == expected.keys(), where
    for key, columns in expected.items():
        row = found[key]
        for name, value in columns.items():
            got = row[name]
            if isinstance(value, float) and got is not None:
                assert math.isclose(got, value, rel_tol=1e-7, abs_tol=1e-9), (where, key, name, got, value)
            else:
                assert got == value, (where, key, name)


def check(library, units, name, **options):
    same(keyed(stats.statistic(library, name, **options)), getattr(statistics_by_hand, name)(units), name)


@pytest.mark.parametrize("name", QUERIES)
def test_all_games(library, games, name):
    by = ["player"] if name == "tempo" else []
    answer = stats.statistic(library, name, by=by or ())
    expected = grouped(games, name, by) if by else getattr(statistics_by_hand, name)(all_seats(chosen(games)))
    assert expected
    same(keyed(answer, by), expected)
    assert answer.games == len(chosen(games)) >= 1000
    unfinished = sum(not game.completed for game in games)
    irregular = sum(game.completed and game.irregular for game in games)
    assert answer.left_out == LeftOut(unfinished, irregular)
    assert min(unfinished, irregular) > 20


def grouped(games, name, by, **options):
    """Return the rows of a statistic by hand, grouped."""
    of_players = {"player", "seat", "bot", "starter", "order"} & set(by)
    groups: Any = defaultdict(lambda: defaultdict(list))
    for game in chosen(games, **options):
        for seat in range(game.n):
            facts = game.facts | {
                "player": game.players[seat], "seat": seat, "bot": False, "starter": seat == game.starter,
                "order": game.order_of(seat), "imported": 1,
            }  # fmt: skip
            groups[tuple(facts[column] for column in by)][game].append(seat)
    more = {"of_players": bool(of_players)} if name == "pair_chains" else {}
    return {
        (*group, *key): row
        for group, units in groups.items()
        for key, row in getattr(statistics_by_hand, name)(list(units.items()), **more).items()
    }


@pytest.mark.parametrize("name", QUERIES)
def test_every_grouping(library, games, name):
    few = ("edition", "month", "player", "order")
    for by in few if name in SLOW_BY_HAND else STATISTIC[name].by:
        found = keyed(stats.statistic(library, name, by=[by]), [by])
        same(found, grouped(games, name, [by]), by)


@pytest.mark.parametrize("name", QUERIES)
def test_several_groupings_at_once(library, games, name):
    by = ["n_players", "player" if "player" in STATISTIC[name].by else "edition"]
    same(keyed(stats.statistic(library, name, by=by), by), grouped(games, name, by))


@pytest.mark.parametrize("name", QUERIES)
def test_a_condition(library, games, name):
    where = "n_players in (2, 3) and edition = '2022' and started is not null"
    kept = [game for game in games if game.n < 4 and game.rules["edition"] == "2022" and game.started]
    by = ["player"] if name == "tempo" else []
    answer = stats.statistic(library, name, where=where, by=by)
    expected = grouped(kept, name, by) if by else getattr(statistics_by_hand, name)(all_seats(chosen(kept)))
    same(keyed(answer, by), expected)
    assert answer.left_out.unfinished == sum(not game.completed for game in kept)


def test_cards_of_a_game_are_those_of_its_players(library):
    sums = ", ".join(f"sum({column})" for column in VIEW["card_totals"].names[2:])
    by_players = library.query(f"select game_id, card, {sums} from card_use group by all order by all")
    totals = library.query("select * from card_totals order by all")
    assert [tuple(row.values()) for row in totals.to_pylist()] == [
        tuple(row.values()) for row in by_players.to_pylist()
    ]


@pytest.mark.parametrize("options", [{"unfinished": True}, {"irregular": True}])
def test_only_some_of_what_is_left_out(library, games, options):
    answer = stats.eliminations(library, **options)
    kept = chosen(games, **options)
    same(keyed(answer), statistics_by_hand.eliminations(all_seats(kept)))
    assert answer.games == len(kept)
    assert answer.games + sum(answer.left_out) == len(games)


@pytest.mark.parametrize("name", QUERIES)
def test_unfinished_and_irregular_games_on_demand(library, games, name):
    options: Any = {"unfinished": True, "irregular": True}
    by = ["player"] if name == "tempo" else []
    answer = stats.statistic(library, name, by=by, **options)
    expected = (
        grouped(games, name, by, **options)
        if by
        else getattr(statistics_by_hand, name)(all_seats(chosen(games, **options)))
    )
    same(keyed(answer, by), expected)
    assert (answer.games, answer.left_out) == (len(games), LeftOut(0, 0))
