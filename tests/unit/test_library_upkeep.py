"""Looking after a library: checks that find damage, changes that keep everything else, games out of it."""

import csv
import errno
import itertools
import json
import os
import re
import shutil
import threading
from pathlib import Path

import duckdb
import msgspec
import pyarrow.parquet as pq
import pytest

from ono_replay.check.validator import validate
from ono_replay.cli.main import run
from ono_replay.library import exporting, maintenance, rewriting
from ono_replay.library.anonymising import anonymise
from ono_replay.library.columns import VIEWS
from ono_replay.library.conditions import BadCondition
from ono_replay.library.exporting import (
    export_csv,
    export_duckdb,
    export_library,
    export_log,
    extract_games,
    ids_where,
)
from ono_replay.library.held_back import Retried, drop, held_back, retry
from ono_replay.library.importing import import_logs
from ono_replay.library.maintenance import (
    check_library,
    compact,
    library_info,
    remove_games,
    set_alias,
    upgrade,
)
from ono_replay.library.manifest import LibraryFault, Snapshot, Writing
from ono_replay.library.quality import find_duplicates, quality
from ono_replay.library.selection import BadQuestion
from ono_replay.library.store import Library
from ono_replay.library.stored import read_rows
from ono_replay.log.jsonl import encode_game
from ono_replay.log.output import Unwritable
from ono_replay.log.reader import read_games
from ono_replay.log.redact import view_of
from ono_replay.simulate.game import Simulator
from ono_replay.simulate.plan import Plan

SIMULATOR = Simulator(Plan(edition="1980", players=3, seed=21, match="single"))
LOGS = [SIMULATOR.log(index) for index in range(9)]

BARE = {
    "compression": "none",
    "use_dictionary": False,
    "write_statistics": False,
    "write_page_checksum": True,
}


def without_digest(log):
    return re.sub(rb',"digest":"[^"]*"', b"", log)


FORK = without_digest(LOGS[2]).replace(b'"name":"random-0"', b'"name":"Zoe"')
BROKEN = without_digest(LOGS[8]).replace(b'"total":', b'"total":9', 1)


def put(folder, name, content):
    folder.mkdir(exist_ok=True)
    (folder / name).write_bytes(content)
    return str(folder / name)


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Several parts: a game broken off, a fork and an invalid game in quarantine."""
    folder = tmp_path_factory.mktemp("made")
    unfinished = b"".join(LOGS[7].splitlines(keepends=True)[:30])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rewriting, "SMALL_LIBRARY", 0)
        patch.setattr(rewriting, "FULL_TIER", 99)
        for number, content in enumerate(
            [b"".join(LOGS[:4]), LOGS[4] + unfinished, LOGS[5] + LOGS[6], FORK + BROKEN]
        ):
            path = put(folder / "logs", f"{number}.ono.jsonl", content)
            import_logs([path], folder / "library", jobs=1)
    return folder


@pytest.fixture
def library(made, tmp_path):
    """A copy of it."""
    shutil.copytree(made / "library", tmp_path / "library")
    return tmp_path / "library"


def ask(folder, sql):
    with Library(folder) as opened:
        return opened.query(sql).to_pylist()


def everything(folder):
    return {
        view.name: ask(folder, f"from {view.name} order by all") for view in VIEWS if view.name != "sources"
    }


def test_info(library):
    info = library_info(library)
    assert (info.games, info.valid, info.unfinished, info.quarantined) == (8, 7, 1, 2)
    assert (info.imports, info.sources, info.parts, info.players) == (4, 4, 5, 3)
    assert info.events == ask(library, "select count(*) as n from events")[0]["n"]
    assert info.editions == {"1980": 8}


def test_compact_changes_no_row(library):
    before = everything(library)
    assert compact(library) == (5, 1)
    assert everything(library) == before
    assert list(check_library(library, logs=True)) == []
    ids = [row["game_id"] for row in ask(library, "select game_id from events")]
    assert ids == sorted(ids)


def test_a_large_library_has_several_parts_that_share_no_game(library, monkeypatch):
    before = everything(library)
    monkeypatch.setattr(rewriting, "PART_EVENTS", 150)
    assert compact(library)[1] > 2
    assert everything(library) == before
    bounds = []
    for path in Snapshot(library).paths("games"):
        ids = pq.read_table(path)["game_id"].to_pylist()
        bounds.append((ids[0], ids[-1]))
    assert all(one[1] < other[0] for one, other in itertools.pairwise(bounds))


def test_small_parts_are_merged_by_themselves(library):
    before = everything(library)
    with Writing(library) as writing:
        rewriting.compact_small(writing)
        assert len(writing.manifest.parts) == 1
    assert everything(library) == before


def test_what_is_not_needed_any_more_is_deleted_once_nobody_reads_it(library):
    reader = Library(library).connect()
    compact(library)
    assert len(list((library / "parts").iterdir())) == 6
    assert reader.sql("select count(*) from events").fetchall()
    reader.close()
    del reader
    Writing(library).__exit__()
    assert len(list((library / "parts").iterdir())) == 1
    assert list((library / "retired").iterdir()) == []


def test_an_open_library_sees_what_changes(library):
    with Library(library) as opened:
        assert opened.query("select count(*) as n from games").to_pylist() == [{"n": 8}]
        remove_games(library, ["sim-21-0"])
        assert opened.query("select count(*) as n from games").to_pylist() == [{"n": 7}]


def test_threads_share_a_library_while_it_changes(library):
    faults, answers = [], []

    def ask_again_and_again(opened, view):
        try:
            for _ in range(15):
                found = opened.query(f"select '{view}' as view, count(*) as n from {view}").to_pylist()
                answers.append((found[0]["view"] == view, found[0]["n"] > 0))
        except Exception as fault:  # noqa: BLE001 - no thread may meet any
            faults.append(fault)

    with Library(library) as opened:
        views = ("games", "events", "decisions", "players")
        threads = [threading.Thread(target=ask_again_and_again, args=(opened, view)) for view in views]
        for thread in threads:
            thread.start()
        compact(library)
        for number in range(3):
            remove_games(library, [f"sim-21-{number}"])
        for thread in threads:
            thread.join()
    assert faults == []
    assert set(answers) == {(True, True)}
    assert len(answers) == 60


def test_a_single_id_is_one_game_not_its_letters(library, tmp_path):
    out = tmp_path / "one.ono.jsonl"
    assert export_log(library, out, "sim-21-0") == 1
    assert b'"game_id":"sim-21-0"' in out.read_bytes()
    assert remove_games(library, "sim-21-0") == ["sim-21-0"]


def test_remove(library):
    assert remove_games(library, ["sim-21-0", "sim-21-5", "nobody"]) == ["sim-21-0", "sim-21-5"]
    for view in VIEWS:
        if view.names[0] == "game_id":
            left = {row["game_id"] for row in ask(library, f"select distinct game_id from {view.name}")}
            assert not left & {"sim-21-0", "sim-21-5"}
    assert list(check_library(library, logs=True)) == []
    assert b"sim-21-0" not in b"".join(path.read_bytes() for path in library.rglob("games.parquet"))


class TestDamage:
    @pytest.mark.parametrize("tenth", range(10))
    def test_a_flipped_bit(self, library, tenth):
        for view in ("events", "games"):
            (path, *_) = Snapshot(library).paths(view)
            content = path.read_bytes()
            place = len(content) * tenth // 10 + tenth
            path.write_bytes(content[:place] + bytes([content[place] ^ 4]) + content[place + 1 :])
            faults = list(check_library(library))
            assert faults
            assert str(path) in faults[0]
            path.write_bytes(content)
        assert list(check_library(library)) == []

    def test_a_missing_file(self, library):
        (path, *_) = Snapshot(library).paths("decisions")
        path.unlink()
        assert any("decisions.parquet" in fault for fault in check_library(library))
        assert run(["sql", "select count(*) from decisions", "--library", str(library)]) == 2

    def test_a_file_of_other_columns(self, library):
        (path, *_) = Snapshot(library).paths("rounds")
        pq.write_table(pq.read_table(path).drop_columns(["winner"]), path)
        assert any("other columns" in fault for fault in check_library(library))

    def test_a_file_of_other_columns_is_not_read(self, library):
        (path, *_) = Snapshot(library).paths("rounds")
        pq.write_table(pq.read_table(path).drop_columns(["winner"]), path)
        with pytest.raises(LibraryFault, match="the column winner is missing"):
            list(read_rows(path))

    def test_a_changed_byte_is_noticed_by_the_checksum_of_its_page(self, library):
        """Not compressed, so that nothing else would notice."""
        (path, *_) = Snapshot(library).paths("rounds")
        pq.write_table(pq.read_table(path), path, **BARE)
        game, *_ = read_rows(path)
        data = path.read_bytes()
        place = data.index(game.game_id.encode())
        path.write_bytes(data[:place] + b"~" + data[place + 1 :])
        with pytest.raises(LibraryFault, match="damaged"):
            list(read_rows(path))

    def test_a_log_that_is_another(self, library):
        (path, *_) = Snapshot(library).paths("events")
        table = pq.read_table(path)
        cards = ["2" if card == "3" else card for card in table["card"].to_pylist()]
        place = table.schema.get_field_index("card")
        pq.write_table(table.set_column(place, "card", [cards]), path)
        faults = list(check_library(library, logs=True))
        assert any("is not the one that was imported" in fault for fault in faults)

    @pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"version":1,"parts":3}', b'{"version":"1"}'])
    def test_a_broken_table_of_contents(self, library, content, capsys):
        (library / "library.json").write_bytes(content)
        assert run(["library", "info", "--library", str(library)]) == 2
        assert "Traceback" not in capsys.readouterr().err

    def test_rebuilt_from_the_logs_it_gives_the_same_answers(self, library, made, tmp_path):
        logs = sorted(map(str, (made / "logs").iterdir()))
        import_logs(logs, tmp_path / "again", jobs=1)
        kept = "* exclude (imported)"
        for view in ("games", "players", "events", "decisions", "quarantine"):
            columns = kept if view in ("games", "quarantine") else "*"
            sql = f"select {columns} from {view} order by all"
            assert ask(tmp_path / "again", sql) == ask(library, sql)


class TestVersions:
    def test_this_one(self, library):
        assert upgrade(library) == (1, 1)

    def test_an_older_one_is_brought_up(self, library, monkeypatch):
        path = library / "library.json"
        manifest = msgspec.json.decode(path.read_bytes())
        path.write_bytes(msgspec.json.encode(manifest | {"version": 0, "names": manifest.pop("aliases")}))
        with pytest.raises(LibraryFault, match="library upgrade"):
            Library(library)

        def step(_folder, old):
            return {key: value for key, value in old.items() if key != "names"} | {
                "version": 1,
                "aliases": old["names"],
            }

        monkeypatch.setitem(maintenance.UPGRADES, 0, step)
        assert upgrade(library) == (0, 1)
        assert library_info(library).games == 8

    def test_one_from_before_the_first(self, library):
        path = library / "library.json"
        path.write_bytes(msgspec.json.encode(msgspec.json.decode(path.read_bytes()) | {"version": 0}))
        with pytest.raises(LibraryFault, match="import the logs anew"):
            upgrade(library)

    def test_a_newer_one_is_left_alone(self, library):
        path = library / "library.json"
        content = msgspec.json.encode(msgspec.json.decode(path.read_bytes()) | {"version": 2})
        path.write_bytes(content)
        for attempt in (upgrade, Library, library_info, compact):
            with pytest.raises(LibraryFault, match="newer ono-replay"):
                attempt(library)
        assert path.read_bytes() == content


class TestAliases:
    def test_several_names_count_as_one(self, library):
        set_alias(library, "random-0", "Ann")
        set_alias(library, "random-1", "Ann")
        counts = ask(library, "select player, count(*) as n from players group by all order by all")
        assert counts == [{"player": "Ann", "n": 16}, {"player": "random-2", "n": 8}]
        assert {row["name"] for row in ask(library, "select name from players")} == {
            f"random-{n}" for n in range(3)
        }

    def test_an_alias_of_an_alias_is_followed(self, library):
        set_alias(library, "random-0", "Ann")
        set_alias(library, "Ann", "Zoe")
        assert maintenance.aliases(library) == {"random-0": "Zoe", "Ann": "Zoe"}

    def test_what_is_said_last_counts(self, library, capsys):
        set_alias(library, "random-0", "Zoe")
        set_alias(library, "Ann", "Zoe")
        assert run(["library", "alias", "Zoe", "random-0", "--library", str(library)]) == 0
        assert maintenance.aliases(library) == {"Zoe": "random-0", "Ann": "random-0"}
        captured = capsys.readouterr()
        assert captured.out == "Zoe = random-0\n"
        assert "no game has a player Zoe" in captured.err

    def test_what_changes_nothing_is_told(self, library, capsys):
        assert run(["library", "alias", "random-0", "--remove", "--library", str(library)]) == 2
        assert "stands for nobody else" in capsys.readouterr().err
        for told in ("random-0 = Ann\n", "random-0 = Ann, as before\n"):
            assert run(["library", "alias", "random-0", "Ann", "--library", str(library)]) == 0
            assert capsys.readouterr() == (told, "")

    def test_it_can_be_taken_back(self, library):
        set_alias(library, "random-0", "An'n\"; drop view games")
        assert ask(library, "select distinct player from players where seat = 0") == [
            {"player": "An'n\"; drop view games"}
        ]
        set_alias(library, "random-0", None)
        assert maintenance.aliases(library) == {}


class TestQuarantine:
    def test_list_and_bytes(self, library):
        fork, invalid = sorted(held_back(library), key=lambda found: found.why)
        assert (fork.why, fork.game_id, fork.content) == ("fork", "sim-21-2", FORK)
        assert (invalid.why, invalid.codes, invalid.content) == ("invalid", ["ONO306"], BROKEN)
        assert invalid.findings["diagnostics"][0]["code"] == "ONO306"

    def test_a_key_may_be_short_or_the_id(self, library):
        (found,) = held_back(library, ["sim-21-2"])
        assert [one.key for one in held_back(library, [found.key[:6]])] == [found.key]
        with pytest.raises(LibraryFault, match="nothing in quarantine"):
            list(held_back(library, ["nobody"]))

    def test_drop(self, library):
        before = ask(library, "from games order by all")
        assert drop(library, ["sim-21-2"]) == 1
        assert [found.why for found in held_back(library)] == ["invalid"]
        assert ask(library, "from games order by all") == before

    def test_no_key_is_nothing_and_none_is_all(self, library):
        """A selection that came out empty does not empty the quarantine."""
        assert drop(library, []) == 0
        assert retry(library, [], replace=True) == Retried()
        assert list(held_back(library, [])) == []
        assert len(list(held_back(library))) == len(list(held_back(library, None))) == 2
        assert drop(library, None) == 2
        assert list(held_back(library)) == []

    @pytest.mark.parametrize("unknown", ["nobody", "", "s"])
    def test_a_key_that_names_nothing_is_told_and_nothing_is_done(self, library, unknown):
        for keys in (unknown, ["sim-21-2", unknown]):
            for call in (drop, retry):
                with pytest.raises(LibraryFault, match=f"nothing in quarantine is called '{unknown}'"):
                    call(library, keys)
        assert run(["library", "quarantine", "drop", unknown, "--library", str(library)]) == 2
        assert len(list(held_back(library))) == 2

    def test_a_single_key_is_that_key(self, library):
        assert [found.game_id for found in held_back(library, "sim-21-2")] == ["sim-21-2"]
        assert retry(library, "sim-21-2").still_held == [
            found.key for found in held_back(library, "sim-21-2")
        ]
        assert drop(library, "sim-21-2") == 1

    def test_retry_keeps_what_is_still_wrong(self, library):
        done = retry(library)
        assert (len(done.let_in), len(done.still_held)) == (0, 2)
        assert len(list(held_back(library))) == 2

    def test_a_fork_may_take_the_place(self, library):
        done = retry(library, ["sim-21-2"], replace=True)
        assert len(done.let_in) == 1
        assert [found.why for found in held_back(library)] == ["invalid"]
        names = ask(library, "select name from players where game_id = 'sim-21-2' order by seat")
        assert names[0] == {"name": "Zoe"}
        assert list(check_library(library, logs=True)) == []

    def test_a_fork_is_let_in_when_the_other_is_gone(self, library):
        remove_games(library, ["sim-21-2"])
        assert len(retry(library, ["sim-21-2"]).let_in) == 1
        assert library_info(library).games == 8


class TestAnonymise:
    def test_no_name_is_left_anywhere(self, tmp_path):
        named = without_digest(LOGS[0]).replace(
            b'"name":"random-0"', '"name":"Zoë Quick","id":"zq-1"'.encode()
        )
        lines = named.splitlines()
        lines.append(
            b'{"seq":%d,"type":"comment","text":"Quick was quick, says Zo\xc3\xab Quick"}' % len(lines)
        )
        lines[5] = lines[5][:-1] + ',"meta":{"by":"Zoë Quick"}}'.encode()
        path = put(tmp_path / "Zoë Quick", "log.ono.jsonl", b"\n".join([*lines, *LOGS[1].splitlines(), b""]))
        folder = tmp_path / "library"
        import_logs([path], folder, jobs=1)
        set_alias(folder, "zq-1", "Zoë Quick")
        before = ask(folder, "select game_id, seq, type, seat, card, total, hands from events order by all")
        done = anonymise(folder, jobs=1)
        assert (done.games, done.players, done.suspects) == (2, 4, [])
        Writing(folder).__exit__()
        text = json.dumps(everything(folder), default=str, ensure_ascii=False)
        export_log(folder, tmp_path / "out.ono.jsonl")
        text += (tmp_path / "out.ono.jsonl").read_text(encoding="utf-8")
        text += (folder / "library.json").read_text(encoding="utf-8")
        assert not re.search("Quick|Zoë|zq-1|random-[012]", text)
        assert [getattr(report, "verdict", "") for report in validate([tmp_path / "out.ono.jsonl"])] == [
            "valid",
            "valid",
        ]
        assert (
            ask(folder, "select game_id, seq, type, seat, card, total, hands from events order by all")
            == before
        )

    def test_a_seed_that_names_somebody_is_told(self, tmp_path):
        log = without_digest(LOGS[0]).replace(b'"name":"random-0"', b'"name":"sim-21"')
        import_logs([put(tmp_path, "log.ono.jsonl", log)], tmp_path / "library", jobs=1)
        assert anonymise(tmp_path / "library", jobs=1).suspects == ["sim-21-0"]

    def test_not_while_something_is_in_quarantine(self, library):
        with pytest.raises(LibraryFault, match="quarantine"):
            anonymise(library, jobs=1)

    def test_not_without_being_sure(self, library, capsys):
        assert run(["library", "anonymise", "--library", str(library)]) == 2
        assert "--yes" in capsys.readouterr().err


class TestOut:
    def test_extract_where(self, library, tmp_path):
        ids = ids_where(
            library,
            "verdict = 'unfinished' or game_id in (select game_id from decisions where card = 'hold')",
        )
        assert ids == sorted(ids)
        assert export_log(library, tmp_path / "some.ono.jsonl.gz", ids) == len(ids) > 1
        games = list(read_games(tmp_path / "some.ono.jsonl.gz"))
        assert [game.start and game.start.game_id for game in games] == ids

    def test_a_log_of_all_is_byte_equal(self, library, tmp_path):
        export_log(library, tmp_path / "all.ono.jsonl")
        written = (tmp_path / "all.ono.jsonl").read_bytes()
        assert written.startswith(LOGS[0] + LOGS[1])
        assert b"".join(LOGS[:7]) in written

    def test_one_duckdb_file(self, library, tmp_path):
        export_duckdb(library, tmp_path / "it's.duckdb")
        with duckdb.connect(str(tmp_path / "it's.duckdb"), read_only=True) as connection:
            for view in VIEWS:
                count = connection.execute(f"select count(*) from {view.name}").fetchone()
                assert count == (ask(library, f"select count(*) as n from {view.name}")[0]["n"],)
        with pytest.raises(Unwritable):
            export_duckdb(library, tmp_path / "it's.duckdb")

    def test_csv(self, library, tmp_path):
        export_csv(library, tmp_path / "tables")
        with (tmp_path / "tables" / "players.csv").open(newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        assert len(rows) == 24
        assert rows[0]["bot"] == "true"
        assert {path.stem for path in (tmp_path / "tables").iterdir()} == {view.name for view in VIEWS}

    @pytest.mark.parametrize(
        ("name", "arguments"),
        [("all.jsonl.gz", []), ("all.duckdb", []), ("tables", ["--format", "csv"])],
    )
    def test_one_call_is_what_the_command_is(self, library, tmp_path, name, arguments):
        done = export_library(library, tmp_path / name, "csv" if arguments else None)
        assert (done.form, done.games) == (
            {"all.jsonl.gz": "jsonl", "all.duckdb": "duckdb"}.get(name, "csv"),
            8,
        )
        assert run(["library", "export", str(tmp_path / f"cli-{name}"), *arguments, "-l", str(library)]) == 0
        if name != "all.duckdb":  # the same rows have not the same bytes there
            ours, theirs = (
                {path.name: path.read_bytes() for path in (one.iterdir() if one.is_dir() else [one])}
                for one in (tmp_path / name, tmp_path / f"cli-{name}")
            )
            assert list(ours.values()) == [theirs[key if key in theirs else f"cli-{key}"] for key in ours]

    def test_games_are_chosen_by_a_condition_or_by_ids(self, library, tmp_path):
        out = tmp_path / "some.ono.jsonl"
        assert extract_games(library, out, where="verdict = 'unfinished'") == 1
        assert extract_games(library, out, games="sim-21-1", overwrite=True) == 1
        assert out.read_bytes() == LOGS[1]
        assert extract_games(library, out, games=["sim-21-1", "sim-21-0", "sim-21-1"], overwrite=True) == 2
        assert out.read_bytes() == LOGS[0] + LOGS[1]
        for where, games in ((None, None), ("true", ["sim-21-0"])):
            with pytest.raises(BadQuestion, match="say which games"):
                extract_games(library, tmp_path / "other", where=where, games=games)

    @pytest.mark.parametrize(
        ("name", "call"),
        [
            ("x.ono.jsonl", lambda library, out: export_library(library, out)),
            ("x.duckdb", lambda library, out: export_library(library, out)),
            ("x", lambda library, out: export_library(library, out, "csv", overwrite=True)),
            ("x", lambda library, out: export_library(library, out, overwrite=True)),
            ("x.duckdb", lambda _, out: export_library(out.parent / "no library", out, overwrite=True)),
            ("x.jsonl", lambda library, out: extract_games(library, out, where="true")),
            ("x.jsonl", lambda library, out: extract_games(library, out, where="nonsense(", overwrite=True)),
            ("x.jsonl", lambda library, out: extract_games(library, out, games=["sim-21-0", "nobody"], overwrite=True)),
        ],
    )  # fmt: skip
    def test_what_is_refused_leaves_the_file_that_is_there(self, library, tmp_path, name, call):
        folder = tmp_path / "out"
        path = Path(put(folder, name, b"mine"))
        with pytest.raises((Unwritable, LibraryFault, BadCondition)):
            call(library, path)
        assert [path.name for path in folder.iterdir()] == [name]
        assert path.read_bytes() == b"mine"

    @pytest.mark.parametrize("form", ["csv", "duckdb"])
    def test_what_fails_leaves_nothing(self, library, tmp_path, form, monkeypatch):
        with pytest.raises(Unwritable, match="standard output"):
            export_library(library, "-", form)
        out = tmp_path / "out" / "x"
        out.parent.mkdir()
        with pytest.raises(LibraryFault):
            export_library(tmp_path, out, form)
        monkeypatch.setattr(exporting, "sync_folder" if form == "csv" else "sync_file", full_disk)
        with pytest.raises(Unwritable, match=r"out/x: No space"):
            export_library(library, out, form)
        assert not list(out.parent.iterdir())


def full_disk(_path):
    raise OSError(errno.ENOSPC, "No space left on device")


class TestDuplicates:
    def test_each_kind(self, tmp_path):
        (game,) = read_games(Path(put(tmp_path, "one.ono.jsonl", LOGS[0])))
        shown = encode_game(view_of(game.events, None))
        other_names = re.sub(rb'"name":"random-(\d)"', rb'"name":"p\1"', LOGS[0])
        beginning = b"".join(LOGS[0].splitlines(keepends=True)[:40])
        logs = {"a": LOGS[0], "b": other_names, "c": shown, "d": beginning}
        content = b"".join(
            without_digest(log).replace(b"sim-21-0", name.encode(), 1) for name, log in logs.items()
        )
        import_logs([put(tmp_path, "all.ono.jsonl", content + LOGS[1])], tmp_path / "library", jobs=1)
        found = [tuple(likeness) for likeness in find_duplicates(tmp_path / "library")]
        assert found == [
            ("same", "a", "b"),
            ("shown", "a", "c"),
            ("beginning", "d", "a"),
            ("beginning", "d", "c"),
        ]


def test_quality(library):
    found = {Path(source.file).name: source for source in quality(library)}
    assert found["3.ono.jsonl"].invalid == 1
    assert found["3.ono.jsonl"].forks == 1
    assert found["3.ono.jsonl"].codes == {"ONO306": 1}
    assert (found["1.ono.jsonl"].valid, found["1.ono.jsonl"].unfinished) == (1, 1)
    assert found["0.ono.jsonl"].unverified_share == 0


class TestCommands:
    """Every verb of `library` runs, says what it did, and ends with the right status."""

    @pytest.mark.parametrize(
        ("arguments", "status", "says"),
        [
            (["info"], 0, "8: 7 whole, 1 unfinished"),
            (["info", "--format", "json"], 0, '"games"'),
            (["check"], 0, "whole"),
            (["check", "--logs"], 0, "whole"),
            (["compact"], 0, "5 parts before, 1 part now"),
            (["upgrade"], 0, "version 1 already"),
            (["alias", "random-0", "Ann"], 0, ""),
            (["alias"], 0, ""),
            (["alias", "random-0"], 2, ""),
            (["remove", "sim-21-0"], 0, "1 game removed"),
            (["remove", "nobody"], 2, ""),
            (["extract", "--game", "sim-21-0", "-o", "-"], 0, '{"seq":0,"type":"game_start"'),
            (["extract", "-o", "-"], 2, ""),
            (["extract", "--where", "true); drop view games; --", "-o", "-"], 2, ""),
            (["extract", "--game", "nobody", "-o", "-"], 2, ""),
            (["export", "-"], 0, '{"seq":0,"type":"game_start"'),
            (["export", "games.xyz"], 2, ""),
            (["duplicates"], 0, "0 pairs"),
            (["duplicates", "--format", "json"], 0, "[]"),
            (["quality"], 0, "ONO306 in 1"),
            (["quality", "--format", "json"], 0, '"codes"'),
            (["quarantine", "list"], 0, "2 entries in quarantine"),
            (["quarantine", "list", "--format", "json"], 0, '"key"'),
            (["quarantine", "show", "sim-21-8"], 0, "ONO306"),
            (["quarantine", "show", "sim-21-8", "--raw"], 0, '"game_start"'),
            (["quarantine", "show", "nobody"], 2, ""),
            (["quarantine", "retry", "--all"], 1, "0 let in, 2 still in quarantine"),
            (["quarantine", "retry"], 2, ""),
            (["quarantine", "drop", "sim-21-2"], 0, "1 entry dropped"),
        ],
        ids=lambda value: " ".join(value) if isinstance(value, list) else "",
    )
    def test_verb(self, library, capfdbinary, arguments, status, says):
        assert run(["library", *arguments, "--library", str(library)]) == status
        captured = capfdbinary.readouterr()
        assert says in captured.out.decode()
        assert b"Traceback" not in captured.err
        if status == 2:
            assert captured.err.startswith(b"ono-replay: ")

    def test_import(self, tmp_path, capsys):
        path = put(tmp_path, "log.ono.jsonl", LOGS[0] + BROKEN)
        assert run(["import", path, "--library", str(tmp_path / "new"), "--jobs", "1"]) == 1
        assert (
            "2 games in 1 file: 1 added, 0 replaced, 0 already there, 1 in quarantine"
            in capsys.readouterr().out
        )
        assert (
            run(["import", path, "--library", str(tmp_path / "new"), "--jobs", "1", "--format", "json"]) == 1
        )
        told = json.loads(capsys.readouterr().out)
        assert told["summary"] == {
            "files": 1, "games": 2, "added": 0, "replaced": 0, "known": 1, "quarantined": 1, "strays": 0,
        }  # fmt: skip
        assert run(["import", str(tmp_path / "none"), "--library", str(tmp_path / "new")]) == 2
        assert run(["library", "info", "--library", str(tmp_path / "no such")]) == 2


@pytest.mark.parametrize("call", ["fsync of the table", "link", "replace", "fsync of the folder"])
def test_a_table_of_contents_that_can_not_be_written_takes_no_part_with_it(call, library, monkeypatch):
    """The parts that the table on disk names stay, whichever of the two it is by then."""
    broken = OSError(5, "Input/output error")
    wanted = library / "library.json"
    before = everything(library)
    real_fsync, real_link, real_replace = os.fsync, os.link, Path.replace
    replaced: list[str] = []

    def fsync(handle):
        name = str(Path(f"/proc/self/fd/{handle}").readlink()) if call.startswith("fsync") else ""
        of_table = Path(name).name.startswith(".draft-") and Path(name).parent == library
        if call == "fsync of the table" and of_table:
            raise broken
        if call == "fsync of the folder" and len(replaced) == 1 and name == str(library):
            replaced.append("this once")
            raise broken
        real_fsync(handle)

    def link(source, target, **options):
        if call == "link":
            raise broken
        real_link(source, target, **options)

    def replace(source, target):
        if Path(target) == wanted:
            if call == "replace":
                raise broken
            replaced.append(str(target))
        return real_replace(source, target)

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", fsync)
        patch.setattr(os, "link", link)
        patch.setattr(Path, "replace", replace)
        with pytest.raises(OSError, match="Input/output"):
            compact(library)
    assert bool(replaced) == (call == "fsync of the folder")
    assert list(check_library(library, logs=True)) == []
    assert everything(library) == before
    compact(library)
    assert everything(library) == before
    assert not list((library / "parts").glob(".draft*"))
    assert len(list((library / "parts").iterdir())) == 1


def test_small_parts_are_merged_some_at_a_time(tmp_path, monkeypatch):
    """However many there are: a group of rows of each is in memory."""
    monkeypatch.setattr(rewriting, "SMALL_LIBRARY", 0)
    monkeypatch.setattr(rewriting, "FULL_TIER", 99)
    for number in range(7):
        import_logs(
            [put(tmp_path / "logs", f"{number}.ono.jsonl", LOGS[number])], tmp_path / "library", jobs=1
        )
    before = everything(tmp_path / "library")
    merged: list[int] = []
    merge = rewriting.merge_parts

    def noted(writing, parts):
        merged.append(len(parts))
        return merge(writing, parts)

    monkeypatch.setattr(rewriting, "merge_parts", noted)
    monkeypatch.setattr(rewriting, "FULL_TIER", 3)
    monkeypatch.setattr(rewriting, "GROUP_ROWS", 1)
    with Writing(tmp_path / "library") as writing:
        rewriting.compact_small(writing)
    assert merged
    assert set(merged) == {3}
    assert everything(tmp_path / "library") == before
