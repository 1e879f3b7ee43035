"""Conditions over games: what is let through, what is not, and that nothing else can be done by one."""

import pytest

from ono_replay.library import selection, stats
from ono_replay.library.conditions import BadCondition, chosen_by
from ono_replay.library.exporting import ids_where
from ono_replay.library.importing import import_logs
from ono_replay.library.store import Library
from ono_replay.simulate.game import Simulator
from ono_replay.simulate.plan import Plan


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    folder = tmp_path_factory.mktemp("conditions")
    log = b"".join(
        Simulator(plan).log(index)
        for plan in (Plan(players=2, seed=1), Plan(edition="1980", match="single", players=3, seed=2))
        for index in range(6)
    )
    (folder / "games.ono.jsonl").write_bytes(log)
    import_logs([str(folder / "games.ono.jsonl")], folder / "library", jobs=1)
    with Library(folder / "library") as opened:
        yield opened


def games(library, where):
    return stats.length(library, where=where).games


@pytest.mark.parametrize(
    ("where", "n"),
    [
        ("edition = '1980'", 6),
        ("n_players between 2 and 2 -- or what else", 6),
        ("edition = '1980' or edition = '2022'", 12),
        ("not completed", 0),
        ("winners[1] is not null and len(winners) = 1 and list_contains(winners, winners[1])", 12),
        ("ruleset->>'edition' = '2022'", 6),
        ("game_id like 'sim-2-%' and game_id not ilike '%-0'", 5),
        ("case when n_players = 3 then true else false end", 6),
        ("game_id in (select game_id from players where player = 'random-2')", 6),
        (
            "exists (select 1 from eliminations e where e.game_id = games.game_id and cause = 'first_card')",
            12,
        ),
        ("n_plays >= (select min(n_plays) from games)", 12),
        ("started is null or year(started) = 2020 or started > now() - interval 3 days", 12),
        ("lower(file) similar to '.*games.*'", 12),
        ("(game_id, 0) in (select game_id, seat from players)", 12),
        ("", 12),
        (None, 12),
    ],
)
def test_let_through(library, where, n):
    assert games(library, where) == n


@pytest.mark.parametrize(
    ("where", "why"),
    [
        ("exists (from read_csv('secrets.csv'))", "no table function"),
        ("exists (from read_text('/etc/passwd'))", "no table function"),
        ("exists (from 'games.csv')", "table games.csv can not be used"),
        ('exists (from "../x.parquet")', "can not be used"),
        ("exists (from quarantine)", "table quarantine can not be used"),
        ("exists (from main.players)", "can not be used"),
        ("exists (from information_schema.tables)", "can not be used"),
        ("exists (from duckdb_settings())", "no table function"),
        ("getenv('HOME') = 'x'", "function getenv can not be used"),
        ("current_setting('memory_limit') = 'x'", "function current_setting can not be used"),
        ("getvariable('x') = 1", "can not be used"),
        ("rpad('x', 100000000, 'y') = game_id", "function rpad can not be used"),
        ("repeat('x', 1000000000) = 'x'", "function repeat can not be used"),
        ("list_transform(winners, lambda x: x) = [1]", "can not be used"),
        ("sleep_ms(100000) is null", "function sleep_ms can not be used"),
        ("exists (from players, players)", "no join"),
        ("exists (with recursive x as (select 1) from x)", "can be used"),
        ("exists (select 1 from players union all select 2 from players)", "no set operation"),
        ("exists (from range(1000000000))", "no table function"),
        ("exists (from (values (1)))", "can be used"),
        ("exists (select row_number() over () from players)", "no window"),
        ("n_players = ?", "no parameter"),
        ("n_players = $n", "no parameter"),
        ("true; drop table games", "not understood"),
        ("true) union select game_id from games where (true", "more than a condition"),
        ("true) limit 3 --", "not understood"),
        ("true) order by (1", "something follows"),
        ("true) group by (1", "something follows"),
        ("true /*", "not understood"),
        ("'", "not understood"),
        ("\0", "NUL"),
        ("x" * 10_001, "10,000 are the most"),
        ("(" * 5_000, "more than 500 brackets"),
        ("not " * 2_400 + "true", "not understood"),
        ("no_such_column = 1", "not understood: .*no_such_column"),
        ("edition", "not understood"),
        ("edition::integer = 'x'", "not understood"),
    ],
)
def test_not_let_through(library, where, why):
    with pytest.raises(BadCondition, match=why):
        games(library, where)
    assert games(library, None) == 12


@pytest.mark.parametrize("name", list(stats.FUNCTIONS))
def test_every_statistic_checks_its_condition(library, name):
    with pytest.raises(BadCondition, match="no table function"):
        stats.statistic(library, name, where="exists (from read_csv('secrets.csv'))")


def test_an_empty_condition_is_none():
    with pytest.raises(BadCondition, match="is empty"):
        chosen_by("  ")


def test_a_condition_that_takes_too_long_is_stopped(library, monkeypatch):
    monkeypatch.setattr(selection, "PATIENCE", 0.05)
    slow = "n_plays > (select count(*) from events e where e.total + games.n_plays > 2 and e.total * games.n_events < 3)"
    slow += " or exists (select 1 from events e where " + " or ".join(
        f"regexp_matches(e.game_id || e.seq, '(a|b|[0-9]{{{1 + n % 7}}})+{n}' || games.n_plays)" for n in range(60)
    ) + ")"  # fmt: skip
    with pytest.raises(BadCondition, match="took more than 0 seconds"):
        games(library, slow)
    monkeypatch.undo()
    assert games(library, None) == 12


@pytest.mark.parametrize("where", ["1=1) or (1=1", "true) --", "(true"])
def test_brackets_that_do_not_match(where):
    with pytest.raises(BadCondition, match="not understood"):
        chosen_by(where)


@pytest.mark.parametrize(
    ("where", "advice"),
    [
        ('edition = "2022"', "a text stands in single quotes: '2022'"),
        (
            "player = 'Ann'",
            r"player is a column of players: game_id in \(select game_id from players where player",
        ),
    ],
)
def test_a_wrong_column_is_told_with_advice(library, where, advice):
    with pytest.raises(BadCondition, match=advice):
        games(library, where)


def test_a_single_grouping_may_stand_for_itself(library):
    for name in stats.FUNCTIONS:
        assert stats.statistic(library, name, by="edition") == stats.statistic(library, name, by=["edition"])


def test_extract_takes_the_same_conditions(library):
    assert ids_where(library.path, "n_players = 2") == [f"sim-1-{n}" for n in range(6)]
    with pytest.raises(BadCondition, match="single quotes"):
        ids_where(library.path, 'edition = "2022"')
