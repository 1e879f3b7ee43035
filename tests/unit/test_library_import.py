"""Import: what is let in comes out again byte for byte, what is not is kept, nothing is lost or twice."""

import errno
import gzip
import hashlib
import io
import os
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from ono_replay.check.diagnostic import GameReport
from ono_replay.check.validator import validate
from ono_replay.cli.main import run
from ono_replay.library.chunks import read_chunks
from ono_replay.library.importing import import_logs
from ono_replay.library.manifest import LibraryFault, Snapshot, Writing
from ono_replay.library.store import Library
from ono_replay.library.stored import read_logs, read_rows
from ono_replay.library.workers import Task, Workers
from ono_replay.log.arrow import write_parquet
from ono_replay.log.jsonl import canonical, encode_game
from ono_replay.log.lines import find_logs
from ono_replay.log.reader import read_games
from ono_replay.log.undo import finished
from ono_replay.record.amendment import amend
from ono_replay.rules.events import GameEnd
from ono_replay.simulate.game import Simulator
from ono_replay.simulate.plan import Plan

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = [
    path
    for path in find_logs([ROOT / "sample_logs", ROOT / "tests" / "data" / "conformance" / "logs"])
    if not path.startswith(str(ROOT / "sample_logs" / "outside"))
]
START = (
    '{"seq":0,"type":"game_start","format":"ono-log","version":"1.0","game_id":"kitchen","ruleset":{"edition":"2022"},'
    '"players":[{"name":"Ann"},{"name":"Bo"}],"dealer":1,"view":"%s"}\n'
    '{"seq":1,"type":"round_start","round":1,"dealer":1,"starter":0}\n'
)
FULL = START % "full" + (
    '{"seq":2,"type":"deal","seat":0,"cards":["7","ono_99","reverse","0"]}\n'
    '{"seq":3,"type":"deal","seat":1,"cards":["10","-10","play_2","4"]}\n'
    '{"seq":4,"type":"play","seat":0,"card":"7","total":7}\n'
    '{"seq":5,"type":"draw","seat":0,"card":"9"}\n'
)
PUBLIC = START % "public" + (
    '{"seq":2,"type":"deal","seat":0,"cards":["?","?","?","?"]}\n'
    '{"seq":3,"type":"deal","seat":1,"cards":["?","?","?","?"]}\n'
    '{"seq":4,"type":"play","seat":0,"card":"7","total":7}\n'
    '{"seq":5,"type":"draw","seat":0,"card":"?"}\n'
)
LONGER = FULL + '{"seq":6,"type":"play","seat":1,"card":"10","total":17}\n'
FORK = FULL.replace('"card":"9"', '"card":"8"')
UNDONE = LONGER + '{"seq":7,"type":"undo","to":5}\n{"seq":8,"type":"play","seat":1,"card":"4","total":11}\n'
UNDONE_FURTHER = UNDONE + '{"seq":9,"type":"undo","to":4}\n{"seq":10,"type":"draw","seat":0,"card":"2"}\n'


def put(folder, name, text):
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return str(path)


def logs_of(folder):
    snapshot = Snapshot(Path(folder))
    try:
        return {game_id: encode_game(events) for game_id, events in read_logs(snapshot)}
    finally:
        snapshot.close()


def ask(folder, sql):
    with Library(folder) as library:
        return library.query(sql).to_pylist()


def import_one(tmp_path, text, name="log.ono.jsonl", **options):
    return import_logs([put(tmp_path, name, text)], tmp_path / "library", jobs=1, **options)


def test_every_sample_comes_out_as_it_is_finished(tmp_path):
    import_logs(SAMPLES, tmp_path / "library", jobs=1)
    found = logs_of(tmp_path / "library")
    expected: dict[str, bytes] = {}
    refused = 0
    for path in SAMPLES:
        reports = [report for report in validate([path]) if isinstance(report, GameReport)]
        games = [game for game in read_games(path) if game.start or game.faults]
        for report in reports:
            if report.verdict == "invalid":
                refused += 1
                continue
            game = next(game for game in games if game.line == report.line)
            assert game.start is not None
            expected.setdefault(game.start.game_id, encode_game(finished(game.events)))
    assert len(expected) > 100
    assert found.keys() == expected.keys()
    assert [key for key in found if found[key] != expected[key]] == []
    assert ask(tmp_path / "library", "select count(*) as n from quarantine where why = 'invalid'") == [
        {"n": refused}
    ]


def test_quarantine_keeps_every_byte(tmp_path):
    broken = sorted((ROOT / "sample_logs" / "broken").glob("*.jsonl"))
    import_logs(map(str, broken), tmp_path / "library", jobs=1)
    kept: dict[str, list[Any]] = {}
    for path in Snapshot(tmp_path / "library").paths("quarantine"):
        for row in pq.read_table(path).to_pylist():
            kept.setdefault(row["file"], []).append((row["line"], row["content"]))
    for path in broken:
        if str(path) in kept:
            whole = path.read_bytes()
            assert all(content in whole for _, content in kept[str(path)]), path.name
    assert len(kept) > 50


def test_the_chunks_of_a_file_are_the_file(tmp_path):
    text = b"\xef\xbb\xbf" + FULL.encode().replace(b"\n", b"\r\n") + b"\n\n" + PUBLIC.encode() + b'{"seq":6'
    chunks = list(read_chunks(io.BytesIO(text)))
    assert b"".join(chunk.content for chunk in chunks) == text
    assert [chunk.line for chunk in chunks] == [1, 9]
    assert [chunk.game_id for chunk in chunks] == ["kitchen", "kitchen"]


def test_a_start_with_escaped_letters_begins_a_game():
    text = FULL + FULL.replace("game_start", "g\\u0061me_start")
    assert [chunk.begins_game for chunk in read_chunks(io.BytesIO(text.encode()))] == [True, True]


@pytest.mark.parametrize("cut", range(1, 60, 7))
def test_chunks_do_not_depend_on_how_the_bytes_come(cut, monkeypatch):
    text = (FULL + PUBLIC + "\n\n" + LONGER).encode()
    whole = list(read_chunks(io.BytesIO(text)))
    monkeypatch.setattr("ono_replay.log.streams.BLOCK", cut)
    assert list(read_chunks(io.BytesIO(text))) == whole


CASES = {
    "the same": (FULL, FULL, FULL, "known"),
    "the same with other spaces": (FULL, FULL.replace(",", ", "), FULL, "known"),
    "longer": (FULL, LONGER, LONGER, "replaced"),
    "shorter": (LONGER, FULL, LONGER, "known"),
    "more cards": (PUBLIC, FULL, FULL, "replaced"),
    "fewer cards": (FULL, PUBLIC, FULL, "known"),
    "longer with more cards": (PUBLIC, LONGER, LONGER, "replaced"),
    "a fork": (FULL, FORK, FULL, "quarantined"),
    "a fork in the names": (FULL, FULL.replace("Ann", "Zoe"), FULL, "quarantined"),
    "its lines go on and take back what stood": (UNDONE, UNDONE_FURTHER, None, "replaced"),
}


@pytest.mark.parametrize(("first", "second", "kept", "count"), CASES.values(), ids=CASES)
def test_the_same_id_again(tmp_path, first, second, kept, count):
    import_one(tmp_path, first, "first.ono.jsonl")
    summary = import_one(tmp_path, second, "second.ono.jsonl")
    assert summary.total(count) == 1
    assert summary.total("added") == 0
    if kept is not None:
        assert logs_of(tmp_path / "library") == {"kitchen": kept.encode()}
    assert ask(tmp_path / "library", "select count(*) as n from games") == [{"n": 1}]
    for view in ("events", "decisions", "players"):
        twice = f"select count(*) - count(distinct (game_id, {'seat' if view == 'players' else 'seq'})) as n from {view}"
        assert ask(tmp_path / "library", twice) == [{"n": 0}]


@pytest.mark.parametrize(("first", "second", "kept", "count"), CASES.values(), ids=CASES)
def test_the_same_id_again_in_one_import(tmp_path, first, second, kept, count):
    summary = import_one(tmp_path, first + second)
    assert summary.total(count) == 1
    assert summary.total("added") == 1
    if kept is not None:
        assert logs_of(tmp_path / "library") == {"kitchen": kept.encode()}


def test_a_fork_is_kept_and_only_once(tmp_path):
    for _ in range(2):
        import_one(tmp_path, FULL)
        summary = import_one(tmp_path, FORK, "fork.ono.jsonl")
        assert summary.found_errors
    rows = ask(tmp_path / "library", "select why, game_id, n_bytes from quarantine")
    assert rows == [{"why": "fork", "game_id": "kitchen", "n_bytes": len(FORK)}]


ENDED = LONGER + '{"seq":7,"type":"game_end","winners":[],"reason":"abandoned"}\n'


def amended(tmp_path, log, text="kitchen-mended.ono.jsonl", end=True, **changes):
    """Return a log that takes the place of another."""
    target = tmp_path / text
    with amend(put(tmp_path, "mistaken.ono.jsonl", log), target, **changes) as recorder:
        if end:
            assert recorder.write(GameEnd(recorder.next_seq, (), "abandoned")) is None
    return target.read_bytes()


@pytest.mark.parametrize("prefix", ["", "club/"])
def test_a_mended_log_takes_the_place_of_the_mistaken_one(tmp_path, prefix):
    mended = amended(tmp_path, ENDED, names={"Ann": "Zoe"}, until=6)
    import_one(tmp_path, ENDED, prefix=prefix)
    for log, count in ((mended, "replaced"), (ENDED, "known"), (mended, "known")):
        assert import_one(tmp_path, log, prefix=prefix).total(count) == 1
    told = mended.decode().replace("kitchen", prefix + "kitchen")
    found = logs_of(tmp_path / "library")[prefix + "kitchen"].decode()
    assert [line for line in found.splitlines() if "game_end" not in line] == [
        line for line in told.splitlines() if "game_end" not in line
    ]
    assert import_one(tmp_path, FORK, prefix=prefix).total("quarantined") == 1


def test_a_log_that_mends_another_or_has_no_end_is_a_fork(tmp_path):
    import_one(tmp_path, ENDED)
    open_still = amended(tmp_path, ENDED, names={"Ann": "Zoe"}, until=6, end=False)
    other = amended(tmp_path, ENDED.replace("Bo", "Cy"), "other.ono.jsonl", until=6)
    for log in (open_still, other):
        assert import_one(tmp_path, log).total("quarantined") == 1
    assert logs_of(tmp_path / "library") == {"kitchen": ENDED.encode()}


def test_a_prefix_keeps_sources_apart(tmp_path):
    import_one(tmp_path, FULL)
    import_one(tmp_path, FORK, "other.ono.jsonl", prefix="club/")
    assert logs_of(tmp_path / "library") == {
        "kitchen": FULL.encode(),
        "club/kitchen": FORK.replace("kitchen", "club/kitchen").encode(),
    }
    assert import_one(tmp_path, FORK, "other.ono.jsonl", prefix="club/").total("known") == 1


def test_a_prefix_gives_the_digest_anew(tmp_path):
    log = Simulator(Plan(players=2, seed=3)).log(0)
    import_one(tmp_path, log, prefix="a-")
    (found,) = logs_of(tmp_path / "library").values()
    assert b'"digest"' in found
    assert [getattr(report, "verdict", "") for report in validate([io.BytesIO(found)])] == ["valid"]


def test_an_id_that_is_too_long_with_its_prefix_is_refused(tmp_path):
    summary = import_one(tmp_path, FULL, prefix="x" * 128)
    assert summary.total("quarantined") == 1
    assert ask(tmp_path / "library", "select count(*) as n from games") == [{"n": 0}]


def test_a_torn_and_a_cut_log_are_kept_as_far_as_they_go(tmp_path):
    import_one(tmp_path, FULL + '{"seq":6,"ty', "torn.ono.jsonl")
    assert logs_of(tmp_path / "library") == {"kitchen": FULL.encode()}
    summary = import_one(tmp_path, gzip.compress(LONGER.encode())[:-9], "cut.ono.jsonl.gz")
    assert [found.code for found in summary.strays] == ["ONO113"]
    assert summary.found_errors


def test_a_source_is_recorded_with_its_digest(tmp_path):
    import_one(tmp_path, FULL)
    import_one(tmp_path, FULL)
    (row,) = ask(tmp_path / "library", "select * from sources")
    assert row["digest"] == hashlib.sha256(FULL.encode()).hexdigest()
    assert (row["games"], row["added"], row["n_bytes"]) == (1, 1, len(FULL))


def test_what_a_killed_import_brought_is_told_by_the_next(tmp_path, monkeypatch):
    import_one(tmp_path, FULL)
    monkeypatch.setattr("ono_replay.library.importing._Import._new_sources", lambda _self: 1 / 0)
    with pytest.raises(ZeroDivisionError):  # all is committed but the sources
        import_one(
            tmp_path, FULL.replace("kitchen", "one") + FORK + FULL.replace("kitchen", "one"), "cut.ono.jsonl"
        )
    monkeypatch.undo()
    import_one(tmp_path, FULL.replace("kitchen", "two"), "next.ono.jsonl")
    told = ask(
        tmp_path / "library",
        "select imported, split_part(file, '/', -1) as file, added from sources order by all",
    )
    assert told == [
        {"imported": 1, "file": "log.ono.jsonl", "added": 1},
        {"imported": 2, "file": "cut.ono.jsonl", "added": 1},
        {"imported": 3, "file": "next.ono.jsonl", "added": 1},
    ]  # fmt: skip


def test_what_can_not_be_read_stops_nothing(tmp_path):
    paths = [str(tmp_path / "nothing"), put(tmp_path, "a.ono.jsonl", FULL)]
    summary = import_logs(paths, tmp_path / "library", jobs=1)
    assert len(summary.unreadable) == 1
    assert summary.total("added") == 1


def test_a_single_path_is_that_log_not_its_letters(tmp_path, monkeypatch):
    """`.` is a letter of a path: the games of the folder one stands in went into the library."""
    path = put(tmp_path, "a.ono.jsonl", FULL)
    put(tmp_path, "b.ono.jsonl", FULL)
    monkeypatch.chdir(tmp_path)
    for number, one in enumerate((path, Path(path), "a.ono.jsonl")):
        summary = import_logs(one, tmp_path / f"library{number}", jobs=1)
        assert summary.unreadable == []
        assert [Path(source.file).name for source in summary.sources] == ["a.ono.jsonl"]


def test_a_folder_that_is_no_library_is_left_alone(tmp_path):
    put(tmp_path, "letter.txt", "Dear Ann")
    with pytest.raises(LibraryFault, match="not empty"):
        import_logs([], tmp_path, jobs=1)
    assert [path.name for path in tmp_path.iterdir()] == ["letter.txt"]


def test_a_second_writer_is_told(tmp_path):
    with Writing(tmp_path / "library", create=True), pytest.raises(LibraryFault, match="another process"):
        import_logs([], tmp_path / "library", jobs=1)


def test_workers_bring_the_same_as_one_process(tmp_path, monkeypatch):
    monkeypatch.setattr("ono_replay.library.importing.SMALL_TASK", 1 << 16)
    log = b"".join(Simulator(Plan(players=3, seed=5)).log(index) for index in range(60))
    path = put(tmp_path, "games.ono.jsonl", log)
    import_logs([path], tmp_path / "one", jobs=1)
    import_logs([path], tmp_path / "two", jobs=2)
    assert logs_of(tmp_path / "one") == logs_of(tmp_path / "two")
    for view in ("games", "players", "decisions", "card_use", "phases"):
        sql = f"from {view} order by all"
        assert ask(tmp_path / "one", sql) == ask(tmp_path / "two", sql)


def test_a_row_group_holds_whole_games_in_order(tmp_path, monkeypatch):
    monkeypatch.setattr("ono_replay.library.parts.GROUP_ROWS", 300)
    log = b"".join(Simulator(Plan(players=3, seed=5)).log(index) for index in range(25))
    import_one(tmp_path, log)
    for view in ("events", "decisions", "players"):
        for path in Snapshot(tmp_path / "library").paths(view):
            ids = [game.game_id for game in read_rows(path)]
            assert ids == sorted(set(ids))
    assert canonical(next(iter(read_games(io.BytesIO(log)))).events[0])


def test_a_log_as_parquet(tmp_path):
    log = Simulator(Plan(players=2, seed=3)).log(0)
    (game,) = read_games(io.BytesIO(log))
    with (tmp_path / "game.parquet").open("wb") as file:
        write_parquet(file, game.events)
    summary = import_logs([str(tmp_path / "game.parquet")], tmp_path / "library", jobs=1)
    assert summary.unreadable == []
    assert list(logs_of(tmp_path / "library").values()) == [log]
    digest = hashlib.sha256((tmp_path / "game.parquet").read_bytes()).hexdigest()
    assert ask(tmp_path / "library", "select digest from sources") == [{"digest": digest}]


@pytest.mark.parametrize(
    "content", [b"PAR1" + bytes(100) + b"PAR1", b"ARROW1\0\0", b"\x80\x04]", b"PK\x03\x04"]
)
def test_what_is_no_log_is_refused_by_its_first_bytes(tmp_path, content):
    summary = import_one(tmp_path, content)
    assert len(summary.unreadable) == 1
    assert summary.total("added") == 0


def test_a_pipe_and_a_device_are_refused(tmp_path):
    os.mkfifo(tmp_path / "pipe.ono.jsonl")
    summary = import_logs([str(tmp_path / "pipe.ono.jsonl"), "/dev/null"], tmp_path / "library", jobs=1)
    assert len(summary.unreadable) == 2


def test_a_full_disk_leaves_the_library_as_it_was(tmp_path, monkeypatch, capsys):
    import_one(tmp_path, FULL)
    path = put(tmp_path, "other.ono.jsonl", Simulator(Plan(players=2, seed=3)).log(0))
    with monkeypatch.context() as patch:
        full = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        patch.setattr(os, "fsync", lambda _: (_ for _ in ()).throw(full))
        assert run(["import", path, "--library", str(tmp_path / "library"), "--jobs", "1"]) == 2
    assert "no space left" in capsys.readouterr().err
    assert logs_of(tmp_path / "library") == {"kitchen": FULL.encode()}
    assert import_logs([path], tmp_path / "library", jobs=1).total("added") == 1
    assert not list((tmp_path / "library" / "parts").glob(".draft*"))


def test_a_worker_that_is_ended_from_outside_is_told(tmp_path, monkeypatch):
    with Workers(2) as workers:
        workers.start(Task([], tmp_path, 1, ""))
        monkeypatch.setattr(workers._waiting[0], "result", lambda: (_ for _ in ()).throw(BrokenProcessPool()))
        with pytest.raises(LibraryFault, match="for want of memory"):
            list(workers.done(all_of_them=True))


def test_without_a_folder_it_is_the_library_of_the_data_folder(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("ONO_REPLAY_HOME", str(tmp_path / "home"))
    assert run(["sql", "select 1"]) == 2
    assert str(tmp_path / "home" / "library") in capsys.readouterr().err
    assert run(["import", put(tmp_path, "log.ono.jsonl", FULL)]) == 0
    assert str(tmp_path / "home" / "library") in capsys.readouterr().out
    assert run(["library", "info"]) == 0
    opened: list[list[str]] = []
    monkeypatch.setattr(
        "ono_replay.cli.dashboard.run_dashboard", lambda paths, *_, **__: opened.append(paths)
    )
    assert run(["dashboard", "--no-browser"]) == 0
    assert opened == [[str(tmp_path / "home" / "library")]]
    assert ask(tmp_path / "home" / "library", "select game_id from games") == [{"game_id": "kitchen"}]


def test_folders_and_patterns_from_python(tmp_path):
    (tmp_path / "logs" / "deep").mkdir(parents=True)
    put(tmp_path / "logs" / "deep", "one.ono.jsonl", FULL)
    missing = str(tmp_path / "missing.ono.jsonl")
    summary = import_logs([missing, str(tmp_path / "logs")], tmp_path / "library", jobs=1)
    assert summary.total("added") == 1
    assert [missing in message for message in summary.unreadable] == [True]
