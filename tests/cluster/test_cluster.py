"""Verdicts on Daft: what the validator says, here, on two workers of Ray, and from an object store."""

import json
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest

from ono_replay.bulk.archive import write_archive
from ono_replay.check.diagnostic import Diagnostic, GameReport, Summary
from ono_replay.check.validator import validate
from ono_replay.cli.main import run
from ono_replay.cluster import validate_on_daft
from ono_replay.library.importing import import_logs
from ono_replay.log.lines import LineReader, Unreadable
from ono_replay.simulate.batch import simulate_games
from ono_replay.simulate.plan import Plan
from ono_replay.validation import validate as validate_here
from tests.cluster.object_store import object_store

ROOT = Path(__file__).resolve().parents[2]
BROKEN = sorted((ROOT / "sample_logs/broken").glob("*.jsonl"))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Archives and logs: sound games of every match kind, broken samples, an id that stands twice."""
    folder = tmp_path_factory.mktemp("games")
    for number, match in enumerate(("single", "chips", "points_last_standing", "points_low_score")):
        plan = Plan(edition="1980", players=3 + number, match=match, seed=number)
        text = b"".join(simulate_games(plan, 30))
        log = folder / f"{number}.ono.jsonl"
        log.write_bytes(text + b"".join(path.read_bytes() for path in BROKEN[number::4]) + text[:30_000])
        if number < 3:
            with (folder / f"{number}.parquet").open("wb") as file:
                write_archive(file, [LineReader(log).blocks()])
    return folder


def plain(paths):
    """What the lanes of one machine say."""
    summary = Summary()
    return list(validate_here(paths, engine="fast", summary=summary)), summary


def named(found, prefix):
    """Findings with the names of files cut short."""
    text = json.dumps([_shown(one) for one in found], default=str)
    return text.replace(prefix, "")


def _shown(one):
    shown = {name: getattr(one, name) for name in one.__struct_fields__}
    if isinstance(one, GameReport):
        shown["diagnostics"] = [_shown(each) for each in one.diagnostics]
    return shown


def test_archives_and_logs(folder):
    paths = [
        str(folder / name) for name in ("2.parquet", "0.parquet", "3.ono.jsonl", "1.parquet", "1.ono.jsonl")
    ]
    summary = Summary()
    found = list(validate_on_daft(paths, summary=summary))
    expected, counted = plain(paths)
    assert found == expected
    assert summary == counted
    assert summary.invalid > 50
    assert (
        sum(
            one.code == "ONO203" for game in found if isinstance(game, GameReport) for one in game.diagnostics
        )
        > 60
    )
    assert any(isinstance(one, Diagnostic) for one in found)


def test_a_log_alone_is_what_the_validator_says(folder):
    paths = [str(folder / "3.ono.jsonl")]
    assert list(validate_on_daft(paths)) == list(validate(paths))


def test_two_workers_of_ray(folder):
    import ray
    from ray.cluster_utils import Cluster

    code = (
        "import sys\n"
        "from ono_replay.cluster import validate_on_daft\n"
        "from tests.cluster.test_cluster import plain\n"
        "address, *paths = sys.argv[1:]\n"
        "found = list(validate_on_daft(paths, ray_address=address))\n"
        "import ray\n"
        "alive = [node for node in ray.nodes() if node['Alive'] and node['Resources'].get('CPU')]\n"
        "print(found == plain(paths)[0], len(found), len(alive))\n"
    )
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    try:
        cluster.add_node(num_cpus=1)
        paths = [str(folder / f"{number}.parquet") for number in (1, 0, 2)]
        process = subprocess.run(
            [sys.executable, "-c", code, cluster.address, *paths],
            capture_output=True,
            text=True,
            check=False,
            cwd=ROOT,
        )
    finally:
        cluster.shutdown()
        ray.shutdown()
    assert process.returncode == 0, process.stderr
    same, found, nodes = process.stdout.split()[-3:]
    assert (same, nodes) == ("True", "2")
    assert int(found) > 150


def test_an_object_store(folder, monkeypatch, capsys):
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.delenv(name, raising=False)
    with object_store(folder) as endpoint:
        monkeypatch.setenv("AWS_ENDPOINT_URL", endpoint)
        found = list(validate_on_daft(["s3://games/*.parquet", "s3://games/3.ono.jsonl"]))
        paths = [str(folder / name) for name in ("0.parquet", "1.parquet", "2.parquet", "3.ono.jsonl")]
        assert named(found, "s3://games/") == named(plain(paths)[0], f"{folder}/")
        assert list(validate_on_daft(["s3://games"])) != []
        with pytest.raises(Unreadable):
            list(validate_on_daft(["s3://games/nothing/*"]))
        assert run(["validate", "--engine", "daft", "s3://games/0.parquet", "-f", "json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert told["summary"]["games"] == len(told["games"]) > 40


def test_the_command(folder, capsys):
    path = str(folder / "3.ono.jsonl")
    answers = []
    for engine in ("careful", "daft"):
        assert run(["validate", "--engine", engine, path, "-f", "json"]) == 1
        answers.append(json.loads(capsys.readouterr().out))
    assert answers[0] == answers[1]
    assert run(["validate", "--engine", "daft", str(folder / "none.parquet")]) == 2
    assert run(["validate", "--ray", "local", path]) == 2


def test_statistics_are_the_same_sql_over_the_same_files(folder, tmp_path):
    import daft

    import_logs([str(folder / "0.ono.jsonl"), str(folder / "3.ono.jsonl")], tmp_path / "library", jobs=1)
    files = f"{tmp_path}/library/parts/*/card_use.parquet"
    query = "select card, sum(plays) as plays, sum(change) as change from {} group by card order by card"
    card_use = daft.read_parquet(files)
    here = duckdb.connect().execute(query.format(f"read_parquet('{files}')")).fetchall()
    there = daft.sql(query.format("card_use"), card_use=card_use).to_pydict()
    assert list(zip(*there.values(), strict=True)) == here
    assert len(here) > 10
