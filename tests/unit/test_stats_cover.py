"""Do the 95 % intervals hold the truth in 95 of 100 cases? 5,000 libraries of known chances, asked by the queries.

Each is a group of one large made-up library; `pytest -m slow tests/unit/test_stats_cover.py -s` prints the figures.
"""

from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from ono_replay.library import selection
from ono_replay.library.columns import VIEWS
from ono_replay.library.stats import ask
from ono_replay.library.store import plain_connection, quoted

REPETITIONS = 5000
GAMES = 200
LOW, HIGH = 0.935, 0.965

pytestmark = pytest.mark.slow


def made_up(**views):
    """Return a connection whose views hold these columns; the others are null."""
    connection = plain_connection()
    connection.execute("set memory_limit = '1GB'")
    for view in VIEWS:
        columns = views.get(view.name, {})
        if columns:
            connection.register(f"made_{view.name}", pa.table(columns))
        told = ", ".join(
            f"{quoted(column.name) if column.name in columns else 'null'}::{column.type} as {quoted(column.name)}"
            for column in view.columns
        )
        source = f"from made_{view.name}" if columns else "where false"
        connection.execute(f"create view {view.name} as select {told} {source}")
    return connection


def games(n_players=2):
    """Return the views of `REPETITIONS` libraries of `GAMES` games; each library is an `app`."""
    ids = np.arange(REPETITIONS * GAMES)
    return {
        "game_id": ids.astype(str),
        "app": (ids // GAMES).astype(str),
        "completed": np.ones(ids.size, bool),
        "irregular": np.zeros(ids.size, bool),
        "imported": np.ones(ids.size, np.int32),
        "file": np.full(ids.size, "made up"),
        "line": ids,
        "n_unknown": np.zeros(ids.size, np.int32),
        "n_players": np.full(ids.size, n_players, np.int32),
        "starter": np.zeros(ids.size, np.int32),
    }


def coverage(connection, name, truth, **of):
    """Return the part of the libraries whose interval holds the truth."""
    answer = ask(connection, name, {"by": ["app"]})
    rows = [row for row in answer if all(row[column] == value for column, value in of.items())]
    assert len(rows) == REPETITIONS
    held = sum(row["low"] <= truth <= row["high"] for row in rows) / REPETITIONS
    print(f"{name} {of or ''} truth {truth:.4g}: {100 * held:.1f} %")
    return held


@pytest.fixture(params=["each game", "random groups"])
def clusters(request, monkeypatch):
    """A library of 200 games has each as a cluster; with random groups it is as in one of a million."""
    if request.param == "each game":
        monkeypatch.setattr(selection, "EXACT_GAMES", REPETITIONS * GAMES)
    return request.param


CHANCES = [0.1, 0.25, 0.5, 0.75, 0.9]


@pytest.mark.parametrize("p", CHANCES)
def test_wins_by_seat(p):
    found, chance = games(), np.random.default_rng([1, int(100 * p)])
    won = chance.random(found["line"].size) < p
    players = {
        "game_id": np.repeat(found["game_id"], 2),
        "seat": np.tile([0, 1], won.size).astype(np.int32),
        "won": np.stack([won, ~won], axis=1).ravel(),
        "n_players": np.full(2 * won.size, 2, np.int32),
        "starter": np.tile([True, False], won.size),
    }
    connection = made_up(games=found, players=players)
    assert LOW <= coverage(connection, "wins_by_seat", p, seat=0) <= HIGH
    assert LOW <= coverage(connection, "wins_by_seat", 1 - p, seat=1) <= HIGH


@pytest.mark.parametrize("p", [0.1, 0.25, 0.6])
def test_wins_by_starter(p, clusters):
    """Of four seats one wins: those who do not start are anything but independent."""
    found, chance = games(4), np.random.default_rng([2, int(100 * p)])
    size = found["line"].size
    winner = np.where(chance.random(size) < p, 0, chance.integers(1, 4, size))
    players = {
        "game_id": np.repeat(found["game_id"], 4),
        "seat": np.tile(np.arange(4), size).astype(np.int32),
        "won": (winner[:, None] == np.arange(4)).ravel(),
        "n_players": np.full(4 * size, 4, np.int32),
        "starter": np.tile([True, False, False, False], size),
    }
    connection = made_up(games=found, players=players)
    assert LOW <= coverage(connection, "wins_by_starter", p, starter=True) <= HIGH
    assert LOW <= coverage(connection, "wins_by_starter", (1 - p) / 3, starter=False) <= HIGH


@pytest.mark.parametrize("p", CHANCES)
@pytest.mark.parametrize("alike", [0.02, 0.3])
def test_eliminations(p, alike, clusters):
    """One to five falls a game, of a cause that is more likely in some games than in others."""
    found, chance = games(), np.random.default_rng([3, int(100 * p), int(100 * alike)])
    size = found["line"].size
    falls = chance.integers(1, 6, size)
    weight = (1 - alike) / alike
    game = np.repeat(np.arange(size), falls)
    likely = chance.beta(p * weight, (1 - p) * weight, size)
    caused = chance.random(game.size) < likely[game]
    eliminations = {
        "game_id": pa.array(found["game_id"]).take(pa.array(game)),
        "cause": pa.array(["second_card", "first_card"]).take(pa.array(caused.astype(np.int8))),
    }
    assert (
        LOW
        <= coverage(made_up(games=found, eliminations=eliminations), "eliminations", p, cause="first_card")
        <= HIGH
    )


@pytest.mark.parametrize("p", [0.1, 0.5, 0.9])
def test_cards(p, clusters):
    """Copies of a card held and used, games of different length and kind; and its share of all cards played."""
    found, chance = games(), np.random.default_rng([4, int(100 * p)])
    size = found["line"].size
    held = chance.poisson(4, size) + 1
    plays = chance.binomial(held, chance.beta(8 * p, 8 * (1 - p), size))
    others = plays + chance.poisson(20, size)
    nothing = np.zeros(2 * size, np.int32)
    unused = ("discarded", "bust", "fatal", "forced", "deflected", "plays_first", "change", "dealt")
    card_totals: dict[str, Any] = dict.fromkeys(unused, nothing)
    card_totals |= {
        "game_id": np.tile(found["game_id"], 2),
        "card": np.repeat(["7", "9"], size),
        "plays": np.concatenate([plays, others]),
        "kept": np.concatenate([held - plays, np.zeros(size, int)]),
    }
    connection = made_up(games=found, card_totals=card_totals)
    assert LOW <= coverage(connection, "cards", p, card="7", measure="used") <= HIGH
    share = 5 * p / (10 * p + 20)
    assert LOW <= coverage(connection, "cards", share, card="7", measure="played") <= HIGH


@pytest.mark.parametrize("spread", [0.2, 0.6])
def test_length(spread, clusters):
    """Games whose length is skewed, as lengths are."""
    found, chance = games(), np.random.default_rng([5, int(100 * spread)])
    found["n_plays"] = np.rint(chance.lognormal(np.log(45), spread, found["line"].size)).astype(np.int32)
    truth = float(chance.lognormal(np.log(45), spread, 20_000_000).mean())
    assert LOW <= coverage(made_up(games=found), "length", truth, measure="plays") <= HIGH


def test_tempo_and_held(clusters):
    """Times that are skewed within a game and differ from game to game; hands that grow worse together."""
    found, chance = games(), np.random.default_rng(6)
    size = found["line"].size
    n = chance.integers(5, 40, size)
    pace = chance.lognormal(0, 0.4, size)
    time_ms = np.rint(3000 * pace * chance.gamma(n * 1.5, 1 / 1.5)).astype(np.int64)
    players = {
        "game_id": found["game_id"], "seat": np.zeros(size, np.int32), "n_timed": n.astype(np.int32), "time_ms": time_ms,
    }  # fmt: skip
    share = chance.beta(2, 6, size)
    phases = {
        "game_id": found["game_id"], "seat": np.zeros(size, np.int32), "phase": np.zeros(size, np.int32),
        "n_known": n.astype(np.int32), "ono_99": chance.binomial(4 * n, share).astype(np.int32),
        "cards": (4 * n).astype(np.int32), "helpers": np.zeros(size, np.int32),
    }  # fmt: skip
    connection = made_up(games=found, players=players, phases=phases)
    assert LOW <= coverage(connection, "tempo", 3000 * np.exp(0.4**2 / 2)) <= HIGH
    assert LOW <= coverage(connection, "held", 1.0, measure="ono_99") <= HIGH
