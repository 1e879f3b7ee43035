"""Each query against its answers in a file, which were counted in plain Python; and libraries at the edge."""

import csv
import gzip
import io
import math
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from ono_replay.library import selection, stats
from ono_replay.library.columns import VIEWS
from ono_replay.library.importing import import_logs
from ono_replay.library.measures import STATISTIC, STATISTICS
from ono_replay.library.selection import BadQuestion, LeftOut
from ono_replay.library.store import Library
from tests.unit import statistics_by_hand
from tests.unit.counted_by_hand import Game

DATA = Path(__file__).parents[1] / "data" / "statistics"
LOG = gzip.decompress((DATA / "games.ono.jsonl.gz").read_bytes()).decode().splitlines(keepends=True)
QUERIES = [statistic.name for statistic in STATISTICS if statistic.name != "ratings"]


def logs_of(lines):
    logs: list[list[str]] = []
    for line in lines:
        if '"type":"game_start"' in line:
            logs.append([])
        logs[-1].append(line)
    return logs


LOGS = logs_of(LOG)


def open_library(folder, logs):
    path = folder / "games.ono.jsonl"
    path.write_text("".join(line for log in logs for line in log), encoding="utf-8")
    summary = import_logs([str(path)], folder / "library", jobs=1)
    assert summary.total("quarantined") == 0
    return Library(folder / "library")


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    with open_library(tmp_path_factory.mktemp("answers"), LOGS) as opened:
        yield opened


def keys_of(statistic):
    names = [name for name, _ in statistic.keys if name != "last_choice"]
    return [*names, *(["measure"] if statistic.measures else [])]


def answer_by_hand(name):
    """Return the answer of a statistic as CSV, counted by hand."""
    statistic = STATISTIC[name]
    games = [
        game for place, log in enumerate(LOGS) if not (game := Game(log, place)).irregular and game.completed
    ]
    units = [(game, range(game.n)) for game in games]
    found = getattr(statistics_by_hand, name)(units)
    names = keys_of(statistic)
    if statistic.measures and names[0] != "card":
        names = ["measure", *names[:-1]]
    rows = [dict(zip(names, key, strict=True)) | columns for key, columns in found.items()]
    rows.sort(key=lambda row: [(len(str(row[column])), str(row[column])) for column in names])
    text = io.StringIO()
    columns = [column for column in statistic.columns if column != "last_choice"]
    writer = csv.DictWriter(text, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows({column: _shown(value) for column, value in row.items()} for row in rows)
    return text.getvalue()


def _shown(value):
    return f"{value:.9g}" if isinstance(value, float) else "" if value is None else str(value)


@pytest.mark.parametrize("name", QUERIES)
def test_answers(library, recorded, name):
    recorded(DATA / f"{name}.csv", answer_by_hand(name).encode())
    expected = list(csv.DictReader((DATA / f"{name}.csv").read_text(encoding="utf-8").splitlines()))
    names = keys_of(STATISTIC[name])
    # The file has the tempo of all players together; there was one import.
    rows = stats.statistic(library, name, by=["imported"] if name == "tempo" else ()).rows
    found = {tuple(_shown(row[key]) for key in names): row for row in rows}
    assert len(found) == len(rows) == len(expected) > 0
    for line in expected:
        row = found[tuple(line[key] for key in names)]
        for column, text in line.items():
            value = row.get(column)
            if isinstance(value, float):
                assert math.isclose(value, float(text), rel_tol=1e-7, abs_tol=1e-9), (column, line)
            else:
                assert _shown(value) == text, (column, line)


def test_the_games_of_the_answers_are_of_all_kinds():
    games = [Game(log) for log in LOGS]
    causes = {fall["cause"] for game in games for fall in game.falls}
    assert causes == {"first_card", "second_card", "only_ono_99", "bust", "left", "timeout"}
    assert any(len(game.winners) > 1 for game in games)
    assert any(len(set(game.players)) < game.n for game in games)
    assert {game.rules["edition"] for game in games} == {"1980", "2022"}


def test_no_games(tmp_path):
    with open_library(tmp_path, []) as library:
        for name in stats.FUNCTIONS:
            answer = stats.statistic(library, name)
            assert (answer.rows, answer.games, answer.left_out) == ((), 0, LeftOut(0, 0))
            assert answer.to_json() == b'[{"left_out_unfinished":0,"left_out_irregular":0}]'
            assert answer.to_arrow().column_names == list(answer.columns)


def test_only_games_that_are_left_out(tmp_path):
    with open_library(tmp_path, [LOGS[0][:40], LOGS[2][:2]]) as library:
        for name in stats.FUNCTIONS:
            answer = stats.statistic(library, name)
            assert (answer.rows, answer.left_out) == ((), LeftOut(2, 0))
            assert stats.statistic(library, name, unfinished=True).games == 2


def test_one_game(tmp_path):
    with open_library(tmp_path, [LOGS[0]]) as library:
        game = Game(LOGS[0])
        winner, loser = (1, 0) if game.winners == [1] else (0, 1)
        (won,) = [row for row in stats.wins_by_seat(library) if row["seat"] == winner]
        assert (won["k"], won["n"], won["p"], won["high"]) == (1, 1, 1.0, 1.0)
        assert won["low"] == pytest.approx(0.20654, abs=1e-5)
        assert (won["expected"], won["above"], won["above_high"]) == (0.5, 0.5, 0.5)
        (lost,) = [row for row in stats.wins_by_seat(library) if row["seat"] == loser]
        assert (lost["k"], lost["low"]) == (0, 0.0)
        length = {row["measure"]: row for row in stats.length(library)}
        plays = sum(now["plays"] for now in game.rounds)
        assert length["plays"] == {
            "measure": "plays", "n": 1, "mean": plays, "low": None, "high": None, "least": plays, "low_tenth": plays,
            "middle": plays, "high_tenth": plays, "most": plays,
        }  # fmt: skip
        for name in QUERIES:
            assert stats.statistic(library, name).games == 1


def test_a_shared_win_is_a_win_for_each(library):
    (log,) = [log for log in LOGS if len(Game(log).winners) > 1]
    game = Game(log)
    game_id = game.events[0]["game_id"]
    rows = {row["seat"]: row["k"] for row in stats.wins_by_seat(library, where=f"game_id = '{game_id}'")}
    assert rows == {seat: int(seat in game.winners) for seat in range(game.n)}


def test_random_groups_of_games_say_nearly_the_same(library, monkeypatch):
    exact = {row["measure"]: row for row in stats.length(library)}
    monkeypatch.setattr(selection, "EXACT_GAMES", 3)
    monkeypatch.setattr(selection, "RANDOM_GROUPS", 12)
    for row in stats.length(library):
        before = exact[row["measure"]]
        assert {name: row[name] for name in ("n", "mean", "middle")} == pytest.approx(
            {name: before[name] for name in ("n", "mean", "middle")}
        )
        if before["high"] > before["low"]:
            assert 0.3 < (row["high"] - row["low"]) / (before["high"] - before["low"]) < 3
    assert [row["k"] for row in stats.streaks(library)]


def test_every_estimate_has_its_number_and_its_interval(library):
    for name in stats.FUNCTIONS:
        for row in stats.statistic(library, name):
            assert set(row) <= {*STATISTIC[name].by_default, *STATISTIC[name].columns}
            if "p" in row:
                assert row["n"] == 0 or row["low"] <= row["p"] == row["k"] / row["n"] <= row["high"]
            else:
                assert row["n"] > 0
                assert (row["low"] is None) == (row["high"] is None)
                assert row["low"] is None or row["low"] <= row["mean"] <= row["high"]


def test_columns_are_documented_and_those_of_the_rows(library):
    for statistic in STATISTICS:
        rows = stats.statistic(library, statistic.name, by=statistic.by[:1]).rows
        seen = {name for row in rows for name in row}
        assert seen == {statistic.by[0], *statistic.columns}
        measures = {measure.name for measure in statistic.measures}
        assert {row["measure"] for row in rows if "measure" in row} == measures
        assert statistic.line.endswith(".")
        assert statistic.unit.endswith(".")
    assert list(stats.FUNCTIONS) == [statistic.name for statistic in STATISTICS]
    assert all(function.__doc__ for function in stats.FUNCTIONS.values())


def test_every_query_has_a_statistic():
    folder = Path(stats.__file__).parent / "queries"
    assert {path.stem for path in folder.iterdir()} == set(QUERIES)
    views = {view.name for view in VIEWS}
    for name in QUERIES:
        text = stats.query_text(name)
        assert text.startswith("-- ")
        # Summaries by game are read, never the events.
        assert (
            not {"events", "details", "decisions"} & set(text.replace("(", " ").split()) & views
            or name == "length"
        )


def test_what_can_not_be_asked(library):
    with pytest.raises(BadQuestion, match="there is no statistic 'lengths'"):
        stats.statistic(library, "lengths")
    with pytest.raises(BadQuestion, match="can not be grouped by 'seat'; it takes edition, match"):
        stats.length(library, by=["seat"])
    with pytest.raises(BadQuestion, match="no way to group by 'name; drop'"):
        stats.length(library, by=["name; drop"])
    with pytest.raises(BadQuestion, match="named twice"):
        stats.length(library, by=["edition", "edition"])


def test_arrow_and_pandas(library):
    answer = stats.wins_by_seat(library)
    table = answer.to_arrow()
    assert table.column_names == list(answer.columns)
    assert table.column("k").to_pylist() == [row["k"] for row in answer]
    told = {key.decode(): value.decode() for key, value in table.schema.metadata.items()}
    assert told["left_out_unfinished"] == str(answer.left_out.unfinished)
    assert list(answer.to_pandas()["p"]) == [row["p"] for row in answer]


def test_threads_may_ask_at_once(library):
    expected = {name: stats.statistic(library, name).rows for name in QUERIES}

    def ask(name):
        return stats.statistic(library, name).rows

    with ThreadPoolExecutor(4) as pool:
        for name, rows in zip(QUERIES * 3, pool.map(ask, QUERIES * 3), strict=True):
            assert rows == expected[name]


def test_aliases_join_names(tmp_path):
    from ono_replay.library.maintenance import set_alias

    with open_library(tmp_path, LOGS) as library:
        before = {row["player"]: row["n"] for row in stats.wins_by_player(library)}
        set_alias(tmp_path / "library", "Bo", "Ann")
        after = {row["player"]: row["n"] for row in stats.wins_by_player(library)}
        assert after["Ann"] == before["Ann"] + before["Bo"]
        assert "Bo" not in after
