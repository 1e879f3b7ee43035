"""SQL of anybody: questions are answered, everything else is refused, and no query takes more than it is given."""

import json
import subprocess
import sys
import time
from pathlib import Path

import duckdb
import pyarrow as pa
import pytest

from ono_replay.cli.main import run
from ono_replay.library.answers import FORMS, safe_cell
from ono_replay.library.importing import import_logs
from ono_replay.library.manifest import Snapshot
from ono_replay.library.question import QueryRefused, check_question
from ono_replay.library.sandbox import ask, ask_table, locked_connection
from ono_replay.library.store import Library
from ono_replay.simulate.game import Simulator
from ono_replay.simulate.plan import Plan

NAMES = ("=cmd()", "a\x1b[31mb\u202ec", "<b>&\"'", "", "Zoe\u0308")


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    """A library in a folder whose name is a pattern and holds quotes."""
    folder = tmp_path_factory.mktemp("sql")
    log = b"".join(Simulator(Plan(players=5, seed=4)).log(index) for index in range(8))
    for seat, name in enumerate(NAMES):
        log = log.replace(f'"random-{seat}"'.encode(), json.dumps(name, ensure_ascii=False).encode())
    log = b"".join(line + b"\n" for line in log.splitlines() if b'"game_end"' not in line)
    (folder / "log.ono.jsonl").write_bytes(log)
    import_logs([str(folder / "log.ono.jsonl")], folder / "it's [a] *", jobs=1)
    return folder / "it's [a] *"


@pytest.fixture(scope="module")
def locked(library):
    snapshot = Snapshot(library)
    yield locked_connection(snapshot, 1 << 30)
    snapshot.close()


def test_questions_are_answered(library):
    (row,) = json.loads(b"".join(ask(library, "select count(*) as n, min(seq) as first from events")))
    assert row["n"] > 300
    assert row["first"] == 0


GOOD = [
    "select * from games",
    "from games select game_id",
    "with reversed as (from decisions where card = 'reverse') select count(*) from reversed",
    "with recursive n as (select 1 as i union all select i + 1 from n where i < 3) from n",
    "select card, count(*) from (select unnest(hand) as card from decisions) group by all",
    "select * from main.games, memory.main.players, range(3)",
    "select (select max(total) from events) as most",
    "describe games",
    "summarize select n_plays from games",
    "show tables",
    "select game_id, seq, sum(total) over (partition by game_id order by seq) from events",
    "values (1), (2)",
    "select list_transform([1, 2], lambda x: x + 1)",
]
REFUSED = {
    "a file by name": "select * from 'log.ono.jsonl'",
    "a file by path": "from '/etc/passwd'",
    "csv": "select * from read_csv('/etc/passwd')",
    "text": "select * from read_text('/etc/passwd')",
    "blob": "select * from read_blob('*')",
    "json": "select * from read_json('x.json')",
    "parquet": "select * from read_parquet('parts/*/*.parquet')",
    "glob": "select * from glob('*')",
    "inside": "select * from games where game_id in (select content from read_text('x'))",
    "in a cte": "with a as (from read_csv('x')) from a",
    "in a union": "select 1 union all select 2 from read_csv('x')",
    "a query in a query": "from query('select 1')",
    "a table by name": "from query_table('games')",
    "python": "from some_variable",
    "attach": "attach 'x.duckdb'",
    "copy": "copy games to 'x.csv'",
    "copy from": "copy games from 'x.csv'",
    "export": "export database 'x'",
    "install": "install httpfs",
    "load": "load httpfs",
    "set": "set memory_limit = '10GB'",
    "set inside": "set variable x = 1",
    "reset": "reset memory_limit",
    "pragma": "pragma database_list",
    "call": "call pragma_version()",
    "create": "create table t as select 1",
    "view": "create or replace view games as select 1",
    "macro": "create macro m() as 1",
    "insert": "insert into games values (1)",
    "drop": "drop view games",
    "two": "select 1; select 2",
    "second": "select 1; copy games to 'x'",
    "nothing": "",
    "remark": "-- hello",
    "explain": "explain analyze select 1",
    "prepare": "prepare p as select 1",
    "settings": "from duckdb_settings()",
    "views": "select sql from duckdb_views()",
    "schema": "from information_schema.tables",
    "secrets": "from duckdb_secrets()",
    "transaction": "begin",
    "checkpoint": "checkpoint",
    "use": "use memory",
    "syntax": "selec * from games",
    "show settings": "show settings",
    "describe a file": "describe 'log.ono.jsonl'",
}


@pytest.mark.parametrize("sql", GOOD)
def test_a_question(locked, sql):
    check_question(locked, sql)
    locked.execute(sql).fetchall()


@pytest.mark.parametrize("sql", REFUSED.values(), ids=REFUSED)
def test_refused(locked, sql):
    with pytest.raises(QueryRefused) as refused:
        check_question(locked, sql)
    assert str(refused.value).strip()


# What the engine itself does not do, should the first gate ever let it through.
LOCKED = {
    name: sql
    for name, sql in REFUSED.items()
    if name not in {"two", "nothing", "remark", "explain", "prepare", "settings", "views", "schema", "secrets"}
    and name not in {"transaction", "checkpoint", "use", "call", "create", "view", "macro", "drop", "a table by name"}
    and name not in {"pragma", "show settings", "a query in a query", "set inside", "reset"}
}  # fmt: skip


@pytest.mark.parametrize("sql", LOCKED.values(), ids=LOCKED)
def test_the_engine_is_locked_as_well(locked, sql):
    with pytest.raises(duckdb.Error):
        locked.cursor().execute(sql).fetchall()


def test_the_lock_holds_for_the_settings_that_matter(locked):
    for setting in ("enable_external_access = true", "allowed_paths = ['/']", "lock_configuration = false",
                    "threads = 64", "temp_directory = '/tmp'", "allowed_directories = ['/']"):  # fmt: skip
        with pytest.raises(duckdb.Error):
            locked.execute(f"set {setting}")


def test_a_file_of_the_library_that_is_no_view_can_not_be_read(library, locked):
    with pytest.raises(duckdb.Error):
        locked.execute(
            f"select * from read_text('{str(library / 'library.json').replace(chr(39), chr(39) * 2)}')"
        )


HEAVY = {
    "memory": "select len(list(range)) from range(2000000000)",
    "a long text": "select length(rpad('x', 2000000000, 'y'))",
    "a join": "select count(distinct a.seq * b.seq * c.seq) from events a, events b, events c",
    "for ever": "with recursive n as (select 1 as i union all select i + 1 from n) select count(*) from n",
    "asleep": "select sleep_ms(60000)",
}


@pytest.mark.parametrize("sql", HEAVY.values(), ids=HEAVY)
def test_a_heavy_query_ends_with_a_clear_message(library, sql):
    begun = time.monotonic()
    with pytest.raises(QueryRefused, match=r"the query was stopped: it (took longer than|needs more than)"):
        b"".join(ask(library, sql, seconds=2, memory=1 << 28))
    assert time.monotonic() - begun < 30
    with Library(library) as opened:
        assert opened.query("select count(*) as n from games").to_pylist() == [{"n": 8}]


def test_the_process_has_its_limits():
    """Of the system, whatever DuckDB does: its memory, its time, no file written, no core left."""
    script = (
        "import resource as r; from ono_replay.library.sandbox import limit; limit(1 << 28, 2.0);"
        "print(*[r.getrlimit(k)[1] for k in (r.RLIMIT_DATA, r.RLIMIT_FSIZE, r.RLIMIT_CORE, r.RLIMIT_CPU)])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    memory, size, core, seconds = map(int, done.stdout.split())
    assert (memory, size, core) == (1 << 28, 0, 0)
    assert 2 < seconds < 1000


def test_the_process_leaves_when_its_time_is_up(library):
    """By itself: nobody kills it here."""
    request = {
        "folder": str(library),
        "sql": HEAVY["asleep"],
        "form": "json",
        "seconds": 0.5,
        "memory": 1 << 30,
    }
    command = [sys.executable, "-P", "-m", "ono_replay.library.sandbox"]
    done = subprocess.run(command, input=json.dumps(request).encode(), capture_output=True, timeout=50)
    assert done.returncode == 5
    assert done.stdout == b""


def test_a_process_that_does_not_leave_is_killed(library, tmp_path, monkeypatch):
    stubborn = tmp_path / "stubborn"
    stubborn.write_text("#!/bin/sh\nexec sleep 20\n")
    stubborn.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(stubborn))
    begun = time.monotonic()
    with pytest.raises(QueryRefused, match="took longer than"):
        b"".join(ask(library, "select 1", seconds=0.1))
    assert time.monotonic() - begun < 15


def test_the_process_asks_the_gate_first(library):
    """The engine would answer these; the gate does not."""
    for sql in ("from duckdb_settings()", "explain analyze select 1", "select 1; select 2"):
        with pytest.raises(QueryRefused, match=r"only questions|there is no|statements|function"):
            b"".join(ask(library, sql))


def test_the_settings_of_the_lock(locked):
    off = (
        "enable_external_access", "allow_community_extensions", "allow_unsigned_extensions", "allow_persistent_secrets",
        "autoinstall_known_extensions", "autoload_known_extensions", "python_enable_replacements",
    )  # fmt: skip
    for setting in off:
        assert locked.execute(f"select current_setting('{setting}')").fetchone() == (False,), setting
    assert locked.execute("select current_setting('lock_configuration')").fetchone() == (True,)


def test_every_form(library):
    sql = "select name, seat, won, [name] as names, 1.5 as x from players where seat < 2 order by game_id, seat limit 2"
    answers = {form: b"".join(ask(library, sql, form=form)) for form in FORMS}
    assert json.loads(answers["json"]) == [
        {"name": name, "seat": seat, "won": None, "names": [name], "x": 1.5}
        for seat, name in enumerate(NAMES[:2])
    ]
    assert [json.loads(line) for line in answers["jsonl"].splitlines()] == json.loads(answers["json"])
    assert answers["csv"].decode().splitlines()[1].startswith("'=cmd(),0,")
    assert b"\x1b" not in answers["table"]
    assert "\\u{202e}" in answers["table"].decode()
    assert pa.ipc.open_stream(answers["arrow"]).read_all().to_pylist()[0]["name"] == "=cmd()"
    assert ask_table(library, sql).num_rows == 2


def test_nothing_found_is_an_empty_answer(library):
    sql = "select game_id from games where game_id = 'nobody'"
    assert json.loads(b"".join(ask(library, sql))) == []
    assert ask_table(library, sql).num_rows == 0


@pytest.mark.parametrize("card", ["-10", "10", "?"])
def test_card_tokens_stay_as_they_are_in_csv(card):
    assert safe_cell(card) == card


@pytest.mark.parametrize("name", ["=1", "+1", "-1", "@x", " =1", "\t=1", "\r=1", "-10 "])
def test_what_a_spreadsheet_would_run_is_quoted(name):
    assert safe_cell(name) == "'" + name


def test_names_come_out_of_the_views_as_they_are(library):
    with Library(library) as opened:
        found = opened.query("select name, player from players order by game_id, seat limit 5").to_pylist()
    assert [row["name"] for row in found] == list(NAMES)
    assert found[4]["player"] == "Zo\u00eb"


class TestCommand:
    def test_json(self, library, capsysbinary):
        assert run(["sql", "select 1 as a", "--library", str(library), "--format", "json"]) == 0
        assert json.loads(capsysbinary.readouterr().out) == [{"a": 1}]

    @pytest.mark.parametrize("sql", ["copy games to 'x'", "select nothing from games", "select 1/0::int[]"])
    def test_a_refused_query_is_2(self, library, sql, capsysbinary):
        assert run(["sql", sql, "--library", str(library)]) == 2
        message = capsysbinary.readouterr().err.decode()
        assert message.startswith("ono-replay: ")
        assert "Traceback" not in message

    def test_no_library_is_2(self, tmp_path, capsys):
        assert run(["sql", "select 1", "--library", str(tmp_path)]) == 2
        assert "there is no library here" in capsys.readouterr().err
        assert list(Path(tmp_path).iterdir()) == []
