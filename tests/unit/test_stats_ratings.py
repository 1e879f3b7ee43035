"""Ratings: the model, what is stored of it and when that is used, and ratings of a part of the games."""

import gzip
import math
import shutil
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from openskill.models import PlackettLuce

from ono_replay.library import importing, ratings, stats
from ono_replay.library.importing import import_logs
from ono_replay.library.maintenance import compact, remove_games, set_alias
from ono_replay.library.ratings import FILE, Ladder, Seat, is_kept, refresh_ratings
from ono_replay.library.store import Library
from tests.unit.counted_by_hand import Game
from tests.unit.statistics_by_hand import in_time
from tests.unit.test_stats_answers import LOGS, open_library

GAMES = [Game(log, place) for place, log in enumerate(LOGS)]


def by_hand(games):
    """Return the rating of each player after some games, with openskill itself."""
    model = PlackettLuce()
    found: dict[str, Any] = {}
    rated: dict[str, int] = {}
    for game in in_time([game for game in games if game.completed and not game.irregular]):
        if len(set(game.players)) == game.n:
            before = [[found.get(player) or model.rating()] for player in game.players]
            ranks = [0.0 if seat in game.winners else 1.0 for seat in range(game.n)]
            for player, (after,) in zip(game.players, model.rate(before, ranks=ranks), strict=True):
                found[player] = after
                rated[player] = rated.get(player, 0) + 1
    return {player: (rated[player], rating.mu, rating.sigma) for player, rating in found.items()}


def numbers(answer):
    return {row["player"]: (row["n"], row["mean"], row["sigma"]) for row in answer}


def check(answer, expected):
    found = numbers(answer)
    assert found.keys() == expected.keys()
    for player, columns in expected.items():
        assert found[player] == pytest.approx(columns), player


@pytest.fixture(scope="module")
def imported(tmp_path_factory):
    folder = tmp_path_factory.mktemp("ratings")
    open_library(folder, LOGS).close()
    return folder / "library"


@pytest.fixture
def library(imported, tmp_path):
    shutil.copytree(imported, tmp_path / "library")
    with Library(tmp_path / "library") as opened:
        yield opened


def test_all_games(library):
    answer = stats.ratings(library)
    check(answer, by_hand(GAMES))
    assert [row["rating"] for row in answer] == sorted((row["rating"] for row in answer), reverse=True)
    for row in answer:
        assert row["rating"] == pytest.approx(row["mean"] - 3 * row["sigma"])
        assert row["high"] - row["low"] == pytest.approx(2 * 1.959964 * row["sigma"])


def test_a_part_of_the_games(library):
    check(
        stats.ratings(library, where="edition = '1980'"),
        by_hand(g for g in GAMES if g.rules["edition"] == "1980"),
    )
    answer = stats.ratings(library, by=["edition"])
    for edition in ("1980", "2022"):
        rows = [row for row in answer if row["edition"] == edition]
        check(rows, by_hand(game for game in GAMES if game.rules["edition"] == edition))
    check(stats.ratings(library, irregular=True, unfinished=True), _with_irregular())


def _with_irregular():
    irregular = [game.irregular for game in GAMES]
    for game in GAMES:
        game.irregular = False
    try:
        return by_hand(GAMES)
    finally:
        for game, was in zip(GAMES, irregular, strict=True):
            game.irregular = was


@pytest.mark.parametrize("period", ["year", "month", "day"])
def test_over_time(library, period):
    times = sorted({game.facts[period] for game in GAMES if game.facts[period] and game.completed})
    answer = stats.ratings(library, by=[period])
    for time in times:
        until = [game for game in GAMES if game.facts[period] and game.facts[period] <= time]
        expected = by_hand(until)
        rows = [row for row in answer if row[period] == time]
        played = {
            player
            for game in until
            if game.facts[period] == time and game.completed and not game.irregular
            if len(set(game.players)) == game.n
            for player in game.players
        }
        check(rows, {player: expected[player] for player in played})
    assert stats.ratings(library, by=["year", "edition"]).columns[:2] == ("edition", "year")


def test_who_sits_twice_or_alone_is_not_rated():
    ladder = Ladder()
    assert ladder.play([Seat("a", None, 0, "Ann", True), Seat("a", None, 1, "Ann", False)]) == []
    assert ladder.play([Seat("b", None, 0, "Ann", True)]) == []
    assert ladder.newest() == []


def test_import_stores_them_and_stored_ones_are_used(library, monkeypatch):
    assert (library.path / FILE).is_file()
    assert not refresh_ratings(library.path)
    monkeypatch.setattr(ratings, "Ladder", None)  # nothing is rated anew
    check(stats.ratings(library), by_hand(GAMES))
    assert len(stats.ratings(library, by=["month"]).rows) > 20


def test_no_name_is_in_what_is_stored(library):
    set_alias(library.path, "Bo", "Beatrix Potter")
    stats.ratings(library)
    content = (library.path / FILE).read_bytes()
    table = pq.read_table(library.path / FILE)
    assert table.column_names == ["game_id", "seat", "n", "mu", "sigma"]
    assert b"Beatrix" not in content
    assert b'"Ann"' not in content


def test_later_games_are_added(tmp_path, monkeypatch):
    games = in_time(GAMES)
    early, late = games[:12], games[12:]
    with open_library(tmp_path, [LOGS[game.place] for game in early]) as library:
        check(stats.ratings(library), by_hand(early))
        played: list[str] = []
        monkeypatch.setattr(Ladder, "play", _counting(Ladder.play, played))
        path = tmp_path / "late.ono.jsonl"
        path.write_text("".join(line for game in late for line in LOGS[game.place]), encoding="utf-8")
        import_logs([str(path)], tmp_path / "library", jobs=1)
        expected = sum(game.completed and not game.irregular for game in late)
        assert len(played) == expected
        found = numbers(stats.ratings(library))
        assert len(played) == expected
        # The place of games without a time is that of their file and line.
        assert {player: row[0] for player, row in found.items()} == {
            player: row[0] for player, row in by_hand(games).items()
        }


def _counting(play, played):
    def counted(self, seats):
        played.append(seats[0].game_id)
        return play(self, seats)

    return counted


@pytest.mark.parametrize("in_order", [True, False])
def test_an_import_rates_on_its_way(in_order, tmp_path, monkeypatch):
    """Commit after commit: each game once where they come in the order of time, and always as if all at once."""
    monkeypatch.setattr(importing, "SMALL_TASK", 1)
    monkeypatch.setattr(importing, "LARGE_TASK", 1)
    rated: list[str] = []
    monkeypatch.setattr(Ladder, "play", _counting(Ladder.play, rated))
    games = in_time([game for game in GAMES if game.started])
    if not in_order:
        games = games[5:] + games[:5]
    path = tmp_path / "games.ono.jsonl"
    path.write_text("".join(line for game in games for line in LOGS[game.place]), encoding="utf-8")
    import_logs([str(path)], tmp_path / "library", jobs=1)
    completed = sum(game.completed and not game.irregular for game in games)
    assert (len(rated) == completed) is in_order
    assert len(set(rated)) == completed
    on_the_way = pq.read_table(tmp_path / "library" / FILE)
    (tmp_path / "library" / FILE).unlink()
    assert refresh_ratings(tmp_path / "library")
    anew = pq.read_table(tmp_path / "library" / FILE)
    assert sorted(on_the_way.to_pylist(), key=str) == sorted(anew.to_pylist(), key=str)
    assert on_the_way.schema.metadata == anew.schema.metadata


def test_a_game_that_is_replaced_on_the_way_is_rated_anew(tmp_path, monkeypatch):
    monkeypatch.setattr(importing, "SMALL_TASK", 1)
    whole = next(game for game in GAMES if game.completed and not game.irregular)
    others = [game for game in in_time(GAMES) if game is not whole][:6]
    lines = LOGS[whole.place]
    path = tmp_path / "games.ono.jsonl"
    logs = [lines[:-1], *(LOGS[game.place] for game in others), lines]
    path.write_text("".join(line for log in logs for line in log), encoding="utf-8")
    summary = import_logs([str(path)], tmp_path / "library", jobs=1)
    assert summary.total("replaced") == 1
    assert not refresh_ratings(tmp_path / "library")
    with Library(tmp_path / "library") as library:
        assert numbers(stats.ratings(library)).keys() == by_hand([whole, *others]).keys()
        assert {name: n for name, (n, _, _) in numbers(stats.ratings(library)).items()} == {
            name: n for name, (n, _, _) in by_hand([whole, *others]).items()
        }


def test_earlier_games_and_removed_ones_rate_all_anew(tmp_path):
    games = in_time(GAMES)
    with open_library(tmp_path, [LOGS[game.place] for game in games[5:]]) as library:
        path = tmp_path / "early.ono.jsonl"
        path.write_text("".join(line for game in games[:5] for line in LOGS[game.place]), encoding="utf-8")
        import_logs([str(path)], tmp_path / "library", jobs=1)
        timed = [game for game in GAMES if game.started]
        check(stats.ratings(library, where="started is not null"), by_hand(timed))
        assert {row["player"]: row["n"] for row in stats.ratings(library)} == {
            player: row[0] for player, row in by_hand(GAMES).items()
        }
        gone = games[2]
        remove_games(tmp_path / "library", [gone.events[0]["game_id"]])
        left = [game for game in GAMES if game is not gone]
        assert {row["player"]: row["n"] for row in stats.ratings(library)} == {
            player: row[0] for player, row in by_hand(left).items()
        }


def test_aliases_rate_all_anew(library):
    set_alias(library.path, "Bo", "Ann")
    assert refresh_ratings(library.path)
    assert "Bo" not in numbers(stats.ratings(library))


def test_merging_parts_leaves_them_as_they_are(library):
    compact(library.path)
    assert not refresh_ratings(library.path)


@pytest.mark.parametrize("content", [b"", b"PAR1 no more", gzip.compress(b"x")])
def test_a_damaged_file_is_made_again(library, content):
    (library.path / FILE).write_bytes(content)
    check(stats.ratings(library), by_hand(GAMES))
    assert not refresh_ratings(library.path)


def test_without_the_right_to_write_they_are_computed(library, monkeypatch):
    (library.path / FILE).unlink()

    def refused(*args, **kwargs):
        raise PermissionError(13, "no")

    monkeypatch.setattr(pq, "write_table", refused)
    check(stats.ratings(library), by_hand(GAMES))
    assert not (library.path / FILE).exists()
    assert not [path for path in library.path.iterdir() if path.name.startswith(".draft")]


def test_a_long_course_is_kept_ever_more_thinly():
    ladder = Ladder()
    rows = []
    for game in range(5000):
        day = game // 900
        rows += ladder.play(
            [Seat(f"g{game}", day, 0, "Ann", game % 3 > 0), Seat(f"g{game}", day, 1, "Bo", game % 3 == 0)]
        )
    rows += ladder.newest()
    ann = [n for _, seat, n, _, _ in rows if seat == 0]
    assert ann == sorted(set(ann))
    assert set(range(1, 513)) <= set(ann)
    assert {900, 1800, 2700, 3600, 4500, 5000} <= set(ann)
    assert len(ann) < 512 + 256 * 4
    assert [n for n in ann if n > 4096][:3] == [4112, 4128, 4144]
    assert is_kept(4112)
    assert all(math.isfinite(mu) for *_, mu, _ in rows)


def test_the_library_folder_holds_nothing_but_what_belongs_there(library):
    names = {path.name for path in Path(library.path).iterdir()}
    assert names <= {"library.json", "parts", "retired", "lock", FILE}


def test_an_empty_library(tmp_path):
    with open_library(tmp_path, []) as library:
        assert isinstance(library, Library)
        assert stats.ratings(library).rows == ()
        assert not refresh_ratings(library.path)
