"""`ono-replay stats` on the command line: formats, what was left out said aloud, refusals in plain words."""

import csv
import gzip
import io
import json

import pyarrow.parquet as pq
import pytest
import zstandard

from ono_replay.bundle import bundle_path
from ono_replay.cli.main import run
from ono_replay.library import stats
from ono_replay.library.answer_table import MOST_ROWS, table_text
from ono_replay.library.estimates import Answer
from ono_replay.library.measures import STATISTICS
from ono_replay.library.selection import BY, LeftOut
from ono_replay.library.statistics_page import statistics_page
from ono_replay.library.store import Library
from ono_replay.log.output import Unwritable
from tests.unit.test_stats_answers import LOGS, open_library

STRANGE = "=cmd()\x1b[31m\u202e"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("cli")
    named = [[line.replace('"Dee"', json.dumps(STRANGE)) for line in log] for log in LOGS]
    with open_library(folder, named):
        return str(folder / "library")


def ask(capsys, *arguments):
    status = run(["stats", *arguments])
    captured = capsys.readouterr()
    return status, captured.out, captured.err


def test_json(folder, capsys):
    status, out, err = ask(capsys, "wins_by_seat", "--library", folder, "--format", "json")
    assert (status, err) == (0, "")
    *rows, last = json.loads(out)
    with Library(folder) as library:
        answer = stats.wins_by_seat(library)
    assert rows == list(answer.rows)
    assert last == {
        "left_out_unfinished": answer.left_out.unfinished,
        "left_out_irregular": answer.left_out.irregular,
    }
    assert last["left_out_unfinished"] > 0
    assert last["left_out_irregular"] > 0


@pytest.mark.parametrize("name", list(stats.FUNCTIONS))
def test_every_statistic_in_every_format(folder, capsys, tmp_path, name):
    with Library(folder) as library:
        answer = stats.statistic(library, name)
    status, out, _ = ask(capsys, name, "-l", folder, "-f", "json")
    assert status == 0
    assert len(json.loads(out)) == len(answer.rows) + 1
    status, out, err = ask(capsys, name, "-l", folder, "-f", "csv")
    assert status == 0
    assert err == f"ono-replay: {answer.summary()}\n"
    rows = list(csv.reader(io.StringIO(out)))
    assert rows[0] == list(answer.columns)
    assert len(rows) == len(answer.rows) + 1
    file = tmp_path / "answer.parquet"
    assert ask(capsys, name, "-l", folder, "-f", "parquet", "-o", str(file))[0] == 0
    assert pq.read_table(file).num_rows == len(answer.rows)
    status, out, _ = ask(capsys, name, "-l", folder)
    assert status == 0
    assert out.endswith(f"\n\n{answer.summary()}\n")
    assert "left out: 2 not played to the end and 1 irregular" in out


def test_table(folder, capsys):
    _, out, _ = ask(capsys, "eliminations", "--library", folder)
    assert out.startswith("Why players fall.\nAn elimination, from a round or the game;")
    heads, first = out.splitlines()[3:5]
    assert heads.split() == ["cause", "k", "n", "share", "95", "%"]
    assert first.split()[0] == "first_card"
    assert "%" in first


def test_table_of_a_terminal():
    row = {
        "seat": 0,
        "k": 5,
        "n": 20,
        "p": 0.25,
        "low": 0.112,
        "high": 0.469,
        "above": -0.25,
        "above_low": None,
    }
    answer = Answer("wins_by_seat", tuple(row), (row,), 20, LeftOut(0, 0))
    text = table_text(answer, styled=True)
    assert "\x1b[" in text
    assert "25.0 %" in text
    assert "11.2 – 46.9 %" in text
    assert "-25.0 %" in text
    assert "left out: none" in text


def test_a_long_table_says_what_it_leaves_out():
    rows = tuple(
        {"player": f"p{n}", "k": 1, "n": 2, "p": 0.5, "low": 0.1, "high": 0.9} for n in range(MOST_ROWS + 7)
    )
    text = table_text(Answer("wins_by_player", tuple(rows[0]), rows, 9, LeftOut(0, 0)), styled=False)
    assert "… 7 more rows" in text
    assert f"p{MOST_ROWS - 1}" in text
    assert f"p{MOST_ROWS} " not in text


def test_nothing_to_count(folder, capsys):
    status, out, _ = ask(capsys, "length", "-l", folder, "--where", "n_players = 99")
    assert status == 0
    assert "nothing to count" in out
    assert "of 0 games" in out


def test_names_are_shown_and_do_nothing(folder, capsys):
    _, out, _ = ask(capsys, "wins_by_player", "-l", folder)
    assert "=cmd()\\u{1b}[31m\\u{202e}" in out
    assert "\x1b" not in out
    _, out, _ = ask(capsys, "wins_by_player", "-l", folder, "-f", "csv")
    assert "'=cmd()" in out
    _, out, _ = ask(capsys, "wins_by_player", "-l", folder, "-f", "json")
    assert STRANGE in {row.get("player") for row in json.loads(out)}
    _, out, _ = ask(capsys, "cards", "-l", folder, "-f", "csv")
    assert "\r\n-10," in out


def test_without_a_name_all_are_listed(folder, capsys):
    status, out, _ = ask(capsys, "-l", folder)
    assert status == 0
    assert all(f"{statistic.name} " in out and statistic.line in out for statistic in STATISTICS)
    status, out, _ = ask(capsys, "-l", folder, "-f", "json")
    *rows, last = json.loads(out)
    assert [row["name"] for row in rows] == list(stats.FUNCTIONS)
    assert set(last) == {"left_out_unfinished", "left_out_irregular"}


def test_groups_and_condition(folder, capsys):
    _, out, _ = ask(
        capsys, "length", "-l", folder, "--by", "edition, n_players", "--by", "match", "-f", "json",
        "--where", "n_players > 2", "--unfinished", "--irregular",
    )  # fmt: skip
    *rows, last = json.loads(out)
    assert list(rows[0])[:3] == ["edition", "n_players", "match"]
    assert {row["edition"] for row in rows} == {"1980", "2022"}
    assert all(row["n_players"] > 2 for row in rows)
    assert last == {"left_out_unfinished": 0, "left_out_irregular": 0}


def test_a_file_is_not_written_over(folder, capsys, tmp_path):
    file = tmp_path / "answer.json"
    assert ask(capsys, "length", "-l", folder, "-f", "json", "-o", str(file))[0] == 0
    content = file.read_text(encoding="utf-8")
    status, _, err = ask(capsys, "length", "-l", folder, "-o", str(file))
    assert status == 2
    assert "exists already" in err
    assert file.read_text(encoding="utf-8") == content
    assert ask(capsys, "length", "-l", folder, "-o", str(file), "--force")[0] == 0
    assert file.read_text(encoding="utf-8").startswith("How long games")


@pytest.mark.parametrize("name", ["s.txt", "s.json", "s.csv", "s.parquet", "s.csv.gz", "s.json.zst"])
def test_one_call_writes_what_the_command_writes_packed_as_the_name_says(folder, capsys, tmp_path, name):
    form = {"txt": "table"}.get(name.split(".")[1], name.split(".")[1])
    assert ask(capsys, "length", "-l", folder, "-f", form, "-o", str(tmp_path / f"cli-{name}"))[0] == 0
    answer = stats.statistic(folder, "length")
    answer.write(tmp_path / name)
    written = (tmp_path / name).read_bytes()
    assert written == (tmp_path / f"cli-{name}").read_bytes()
    unpack = {"gz": gzip.decompress, "zst": zstandard.ZstdDecompressor().decompressobj().decompress}
    text = unpack.get(name.rpartition(".")[2], bytes)(written)
    made = {
        "table": answer.to_text().encode(),
        "json": answer.to_json() + b"\n",
        "csv": answer.to_csv(),
        "parquet": answer.to_parquet(),
    }
    assert text == made[form]


def test_an_answer_is_written_over_nothing_and_to_a_name_that_tells_what(tmp_path):
    answer = Answer("length", (), (), 5, LeftOut(2, 0))
    (tmp_path / "s.csv").write_text("mine", encoding="utf-8")
    for path, form, told in (
        ("s.csv", None, "s.csv: exists already"),
        ("s.xlsx", None, "s.xlsx: the name does not tell what to write: table, json, csv, parquet"),
        ("s", "xml", "there is no form 'xml'"),
    ):
        with pytest.raises(Unwritable, match=told):
            answer.write(tmp_path / path, form)  # type: ignore[arg-type]  # also one that there is not
    assert [path.read_text(encoding="utf-8") for path in tmp_path.iterdir()] == ["mine"]
    answer.write(tmp_path / "s.csv", overwrite=True)
    assert (tmp_path / "s.csv").read_bytes() == b"\r\n"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["lengths"], "there is no statistic 'lengths'; there are wins_by_player"),
        (["length", "--by", "seat"], "this statistic can not be grouped by 'seat'"),
        (["--by", "seat"], "name the statistic"),
        (["length", "--where", "exists (from read_csv('x'))"], "no table function can be used"),
        (["length", "--where", "colour = 'red'"], "the condition is not understood"),
        (["length", "--library", "no-such-library"], "there is no library here"),
    ],
)
def test_refusals(folder, capsys, arguments, words):
    library = [] if "--library" in arguments else ["--library", folder]
    status, out, err = ask(capsys, *arguments, *library)
    assert (status, out) == (2, "")
    assert words in err
    assert "Traceback" not in err


def test_the_reference_is_of_these_statistics(recorded):
    page = statistics_page()
    recorded(bundle_path("schemas") / "STATISTICS.md", page.encode())
    for statistic in STATISTICS:
        section = page.partition(f"\n## `{statistic.name}`\n")[2].partition("\n## ")[0]
        for name in (*statistic.columns, *statistic.by, *(measure.name for measure in statistic.measures)):
            assert f"`{name}`" in section, (statistic.name, name)
    assert all(f"| `{name}` |" in page for name in BY)
