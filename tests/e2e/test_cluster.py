"""The extra `cluster` in an environment of its own, for it wants an older pyarrow than the other extras take."""

import os
import subprocess
import sys
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
NEEDS = ("hypothesis", "pytest", "pytest-timeout")


def constraints():
    """The versions of all tests, but for what the cluster has of its own."""
    own = (ROOT / "tests/constraints-cluster.txt").read_text(encoding="utf-8").splitlines()
    names = {line.partition("==")[0] for line in own}
    common = (ROOT / "tests/constraints.txt").read_text(encoding="utf-8").splitlines()
    return "\n".join([*own, *(line for line in common if line.partition("==")[0] not in names)]) + "\n"


@pytest.mark.timeout(900)
def test_the_tests_of_the_cluster(tmp_path):
    versions = tmp_path / "constraints.txt"
    versions.write_text(constraints(), encoding="utf-8")
    venv.create(tmp_path / "venv", with_pip=True)
    python = tmp_path / "venv" / ("Scripts" if sys.platform == "win32" else "bin") / "python"
    install = [
        str(python),
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
        "-c",
        str(versions),
    ]
    for command, surroundings in (
        ([*install, f"{ROOT}[cluster]", *NEEDS], {}),
        (
            [str(python), "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests/cluster"],
            {"ONO_CLUSTER_TESTS": "1"},
        ),
    ):
        process = subprocess.run(
            command, env={**os.environ, **surroundings}, cwd=ROOT, capture_output=True, text=True, check=False
        )
        assert process.returncode == 0, process.stdout[-5000:] + process.stderr[-2000:]
