"""Verdicts on large inputs: object by object what the validator says, whatever the lanes and the pieces."""

import gzip
import io
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import ono_replay
from ono_replay import validation, verdicts
from ono_replay.check.diagnostic import GameReport, Summary
from ono_replay.check.validator import validate
from ono_replay.cli.main import run
from ono_replay.log.streams import Unreadable
from ono_replay.simulate.batch import simulate_games
from ono_replay.simulate.plan import Plan
from ono_replay.verdicts import Lanes, RunIds, Verdicts

DATA = Path(__file__).parents[1] / "data" / "conformance" / "logs"


def games(seed, number, **plan):
    return list(simulate_games(Plan(seed=seed, **plan), number))


MIXED = b"".join(
    [
        *games(1, 20),
        *games(2, 5, edition="1980", players=4, match="points_low_score"),
        games(3, 1)[0].replace(b'"total":', b'"total": ', 1),
        games(4, 1)[0].replace(b'"type":"play"', b'"type":"draw"', 3),
        *games(5, 80, players=4),
        games(1, 1)[0],
    ]
)


def validate_large(sources, **options):
    """What the lanes say, the fast one after so many bytes."""
    run = Verdicts(**options)
    for source in sources:
        yield from run.take(source)


def both(data, **more):
    """What the validator and the lanes say of bytes, and how many games went which way."""
    lanes, summaries = Lanes(), (Summary(), Summary())
    slow = list(
        validate([io.BytesIO(data)], summary=summaries[0], keep_scenes=more.get("keep_scenes", False))
    )
    fast = list(validate_large([io.BytesIO(data)], summary=summaries[1], lanes=lanes, **{"after": 0, **more}))
    assert fast == slow
    assert summaries[0] == summaries[1]
    return lanes


@pytest.mark.parametrize("threads", [1, 2])
def test_the_same_reports_in_the_same_order(threads, monkeypatch):
    monkeypatch.setattr(verdicts, "PIECE", 40_000)
    lanes = both(MIXED, threads=threads)
    # One has a space, one is wrong.
    assert (lanes.fast, lanes.careful) == (106, 2)


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("piece", [1, 999, 5_000, 1 << 20])
def test_pieces_of_any_size(piece, threads, monkeypatch):
    monkeypatch.setattr(verdicts, "PIECE", piece)
    both(MIXED[:150_000], threads=threads)


def test_the_fast_lane_takes_over_only_after_enough_text(monkeypatch):
    monkeypatch.setattr(verdicts, "PIECE", 40_000)
    assert both(MIXED, after=1 << 30).fast == 0
    lanes = both(MIXED, after=300_000)
    assert lanes.fast > 5
    assert lanes.careful > 5


def test_scenes_are_kept_of_what_is_wrong():
    both(MIXED, keep_scenes=True)


@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize(
    "damage",
    [
        lambda data: data[:-1],
        lambda data: data[:-30],
        lambda data: b"oops\n" + data,
        lambda data: b"\xef\xbb\xbf" + data,
        lambda data: data.replace(b"\n", b"\r\n"),
        lambda data: data.replace(b"\n", b"\n\n"),
        lambda data: data[200:],
        lambda data: data + b'{"seq":1}\n',
        lambda data: data.replace(b'"type":"game_start"', b'"type":"game_start" ', 4),
        lambda data: data.replace(b'{"seq":0,', b'{"seq":0', 9),
        lambda data: b"x" * 3_000_000 + b"\n" + data,
        lambda data: data[:5000] + b"\0" * 10 + data[5000:],
        lambda data: data + re.sub(rb'"text":""', b"", data[:3000]),
        lambda _data: b"",
        lambda _data: b"\n",
    ],
)
def test_damage(damage, threads, monkeypatch):
    monkeypatch.setattr(verdicts, "PIECE", 30_000)
    both(damage(MIXED[:200_000]), threads=threads)


def test_a_line_of_more_than_a_mebibyte_is_too_long():
    game = games(6, 1)[0]
    lines = game.splitlines(keepends=True)
    text = b"x" * (1 << 20)
    number = b"%d" % len(lines)
    both(game + b'{"seq":' + number + b',"type":"comment","text":"' + text + b'"}\n')
    both(game + lines[0].replace(b'"name":"', b'"name":"' + text, 1) + b"".join(lines[1:]))


@pytest.mark.parametrize("threads", [1, 3])
def test_a_compressed_stream_that_breaks_off(threads):
    packed = gzip.compress(MIXED)
    for size in (len(packed) - 4, len(packed) // 2, 100):
        both(packed[:size], threads=threads)


def test_every_case_of_the_conformance_suite():
    paths = sorted(DATA.iterdir())
    assert list(validate_large(paths, after=0)) == list(validate(paths))


@pytest.mark.parametrize("threads", [1, 3])
def test_what_can_not_be_read_is_raised_after_the_games_before_it(threads):
    def taken(reports):
        found = []
        with pytest.raises(Unreadable, match="more than"):
            found.extend(reports)
        return found

    most = 600_000
    fast = taken(validate_large([io.BytesIO(MIXED)], max_bytes=most, after=0, threads=threads))
    assert fast == taken(validate([io.BytesIO(MIXED)], max_bytes=most))
    assert fast


def test_ids_are_remembered_across_files_and_lanes():
    game = games(7, 1)[0]
    ids = RunIds()
    found = [one for data in (game, game) for one in validate_large([io.BytesIO(data)], ids=ids, after=1)]
    assert [len(report.diagnostics) for report in found if isinstance(report, GameReport)] == [0, 1]
    assert ids.again("sim-7-0")
    assert not ids.again("sim-7-1")
    assert not ids.full


@pytest.mark.parametrize("form", ["text", "json", "jsonl", "sarif", "github"])
def test_the_command_says_the_same_by_either_engine(form, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("a.ono.jsonl").write_bytes(MIXED)
    Path("b.ono.jsonl.gz").write_bytes(gzip.compress(MIXED[:90_000]))
    said = []
    for engine in ("careful", "fast", "auto"):
        status = run(["validate", "--engine", engine, "-f", form, "a.ono.jsonl", "b.ono.jsonl.gz"])
        said.append((status, *capsys.readouterr()))
    assert said[0] == said[1] == said[2]
    assert said[0][0] == 1


def test_small_inputs_load_no_compiler(tmp_path):
    path = tmp_path / "small.ono.jsonl"
    path.write_bytes(MIXED)
    code = f"import sys; from ono_replay.cli.main import run; run(['validate', {str(path)!r}]); print(*sys.modules)"
    process = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {"numba", "numpy", "llvmlite"} & set(process.stdout.split())


def test_large_inputs_take_the_fast_lane(tmp_path, capsys, monkeypatch):
    path = tmp_path / "large.ono.jsonl"
    path.write_bytes(MIXED)
    seen = []
    monkeypatch.setattr(validation, "LARGE", 1)
    monkeypatch.setattr(validation, "VERY_LARGE", 1)
    taken = Verdicts._take_judged

    def watched(run, judged):
        seen.append(judged)
        return taken(run, judged)

    monkeypatch.setattr(Verdicts, "_take_judged", watched)
    assert run(["validate", str(path)]) == 1
    assert seen
    told = list(validate([path]))
    for source in (path, tmp_path):
        seen.clear()
        assert list(ono_replay.validate([source])) == told
        assert seen
    with path.open("rb") as file:
        assert list(ono_replay.validate([file])) == told
    seen.clear()
    assert list(ono_replay.validate([path], engine="careful")) == told
    monkeypatch.setattr(validation, "fast_lane_is_there", lambda: False)
    assert list(ono_replay.validate([path])) == told
    assert run(["validate", str(path)]) == 1
    assert not seen


def test_one_call_from_python_says_what_the_command_says(tmp_path, monkeypatch, capsys):
    """Logs, folders, patterns and archives, as `ono_replay.validate`."""
    monkeypatch.chdir(tmp_path)
    Path("logs").mkdir()
    Path("logs/a.ono.jsonl").write_bytes(MIXED[:90_000])
    Path("logs/b.ono.jsonl.gz").write_bytes(gzip.compress(MIXED))
    assert run(["archive", "logs", "--to", "games.parquet"]) == 0
    for paths in (["logs"], ["logs/*.gz", "games.parquet"], [Path("logs/a.ono.jsonl")]):
        capsys.readouterr()
        run(["validate", *map(str, paths), "--format", "json"])
        told = json.loads(capsys.readouterr().out)
        summary = Summary()
        reports = [one for one in ono_replay.validate(paths, summary=summary) if isinstance(one, GameReport)]
        assert [(one.file, one.line, one.verdict, one.errors) for one in reports] == [
            (one["file"], one["line"], one["verdict"], one["errors"]) for one in told["games"]
        ]
        assert summary.events == told["summary"]["events"]


def test_what_can_not_be_read_is_told_and_the_rest_is_checked(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    small, sizes = games(8, 1)[0], []
    for name, data in (("a", small), ("b", MIXED), ("c", small)):
        Path(f"{name}.ono.jsonl").write_bytes(data)
        sizes.append(len(data))
    Path("d.ono.jsonl").symlink_to("a.ono.jsonl")
    untold: list[Unreadable] = []
    passed_by: list[str] = []
    read: list[int] = []
    found = list(
        ono_replay.validate(
            ".",
            max_bytes=len(small),
            on_unreadable=untold.append,
            passed_by=passed_by,
            on_progress=read.append,
        )
    )
    reports = {Path(one.file).name: one.verdict for one in found if isinstance(one, GameReport)}
    assert (reports["a.ono.jsonl"], reports["c.ono.jsonl"]) == ("valid", "valid")
    assert [str(reason).partition(":")[0] for reason in untold] == ["./b.ono.jsonl"]
    assert read == sorted(read)
    assert read[-1] == sum(sizes)
    assert run(["validate", ".", "--max-bytes", str(len(small))]) == 2
    told = capsys.readouterr().err
    assert str(untold[0]) in told
    assert passed_by[0] in told
    with pytest.raises(Unreadable, match="holds more than"):
        list(ono_replay.validate(Path("b.ono.jsonl"), max_bytes=len(small)))


@pytest.mark.parametrize("engine", ["auto", "careful", "fast"])
def test_a_path_that_is_not_there_is_told_before_anything_is_checked(engine, tmp_path):
    path = tmp_path / "a.ono.jsonl"
    path.write_bytes(games(8, 1)[0])
    with pytest.raises(Unreadable, match="no such file"):
        next(ono_replay.validate([path, str(tmp_path / "nowhere.ono.jsonl")], engine=engine))
    # A single path is that one, not its letters.
    (report,) = ono_replay.validate(str(path), engine=engine)
    assert isinstance(report, GameReport)
    assert report.verdict == "valid"


def test_another_engine_is_refused():
    with pytest.raises(ValueError, match="no engine 'fats'; there are auto, careful, fast"):
        next(ono_replay.validate("-", engine="fats"))  # type: ignore[arg-type]  # as somebody might type it
