"""Calls of the operating system fail one after the other, from outside of the program (`failing_calls.c`).

Nothing acknowledged is lost, logs and libraries are in order, and it is told in words, with status 2.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def shim(tmp_path_factory):
    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None:
        pytest.fail("a C compiler is not installed: bash tests/run does that")
    made = tmp_path_factory.mktemp("shim") / "failing_calls.so"
    source = ROOT / "tests" / "fuzz" / "failing_calls.c"
    subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-Wall", "-o", made, source, "-ldl"], check=True)
    return made


def let_fail(shim, what, folder, stride):
    """Return how many calls failed, and how often that was told or came to its end all the same."""
    surroundings = os.environ | {"LD_PRELOAD": str(shim), "ONO_FAIL_UNDER": str(folder)}
    command = [sys.executable, "-m", "tests.fuzz.under_failing_calls", what, str(folder), str(stride)]
    done = subprocess.run(command, cwd=ROOT, env=surroundings, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    print(what, found)
    assert found["failed"] == found.get("told", 0) + found.get("done", 0)
    return found


@pytest.mark.parametrize(
    ("what", "stride", "least"),
    [("record", 1, 50), ("convert", 1, 8), ("import", 149, 10), ("compact", 149, 10)],
)
def test_calls_fail(shim, tmp_path, what, stride, least):
    found = let_fail(shim, what, tmp_path / "here", stride)
    assert found["failed"] >= least
    assert found["told"] >= found["failed"] // 2


@pytest.mark.slow
@pytest.mark.timeout(3 * 3600)
@pytest.mark.parametrize("what", ["record", "convert", "import", "compact"])
def test_every_call_fails(shim, tmp_path, what):
    let_fail(shim, what, tmp_path / "here", int(os.environ.get("ONO_CALL_STRIDE", "1")))
