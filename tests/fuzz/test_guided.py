"""Coverage-guided fuzzing: for some seconds in the normal run, for an hour on demand (`-m slow`)."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.corpora.json_suite import FOLDER as SUITE

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
RUNS = {"lines": 100_000, "logs": 3_000, "scanner": 8_000}
"""About ten seconds each."""


def fuzz(target, tmp_path, limit):
    """Run a target from the kept corpus; return what it tells, and whether it came to its end."""
    corpus = [HERE / "corpus"] + ([SUITE] if target == "logs" else [])
    (tmp_path / "found").mkdir()
    command = [sys.executable, "-m", "tests.fuzz.guided", target, tmp_path / "found", *corpus]
    options = [f"-dict={HERE / 'tokens.dict'}", "-seed=7", "-timeout=60", "-rss_limit_mb=2048", limit]
    done = subprocess.run(
        [*command, *options],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        errors="replace",
    )
    found = [path for path in tmp_path.iterdir() if path.name.startswith(("crash-", "timeout-", "oom-"))]
    told = "\n".join(f"{path.name}: {path.read_bytes()[:2000]!r}" for path in found)
    return done, told


@pytest.mark.parametrize("target", RUNS)
def test_nothing_breaks(target, tmp_path):
    done, told = fuzz(target, tmp_path, f"-runs={RUNS[target]}")
    assert not told, done.stderr[-3000:] + told
    assert done.returncode == 0, done.stderr[-3000:]
    runs = re.search(r"Done (\d+) runs", done.stderr)
    assert runs
    assert int(runs[1]) >= RUNS[target]


def test_a_fault_would_be_found(tmp_path):
    """With the strict reader's look at lone surrogates taken out, a minute is not needed to notice."""
    program = (
        "import sys; sys.argv = ['x', 'lines', *sys.argv[1:]]\n"
        "from ono_replay.log import strict\nstrict._first_lone_surrogate = lambda text: None\n"
        "from tests.fuzz.guided import main\nmain()\n"
    )
    command = [sys.executable, "-c", program, str(HERE / "corpus"), f"-dict={HERE / 'tokens.dict'}", "-seed=7", "-runs=200000"]  # fmt: skip
    (tmp_path / "seed").write_bytes(b'{"seq":1,"type":"comment","text":"\\ud83d"}')
    command.insert(4, str(tmp_path))
    done = subprocess.run(
        command, cwd=tmp_path, env=os.environ | {"PYTHONPATH": str(ROOT)}, capture_output=True, text=True
    )
    assert done.returncode != 0
    assert list(tmp_path.glob("crash-*"))


@pytest.mark.slow
@pytest.mark.timeout(24 * 3600)
@pytest.mark.parametrize("target", RUNS)
def test_an_hour(target, tmp_path):
    done, told = fuzz(target, tmp_path, f"-max_total_time={os.environ.get('ONO_FUZZ_SECONDS', '3600')}")
    print(target, re.findall(r"Done .*", done.stderr))
    assert not told, told
    assert done.returncode == 0
