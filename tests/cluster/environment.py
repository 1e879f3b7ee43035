"""The extra `cluster` in an environment of its own, for it wants an older pyarrow than the other extras take."""

import os
import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
NEEDS = ("hypothesis", "pytest", "pytest-timeout")


def constraints():
    """The versions of all tests, but for what the cluster has of its own."""
    own = (ROOT / "tests/constraints-cluster.txt").read_text(encoding="utf-8").splitlines()
    names = {line.partition("==")[0] for line in own}
    common = (ROOT / "tests/constraints.txt").read_text(encoding="utf-8").splitlines()
    return "\n".join([*own, *(line for line in common if line.partition("==")[0] not in names)]) + "\n"


def install(folder):
    """Make the environment; return its Python."""
    versions = folder / "constraints.txt"
    versions.write_text(constraints(), encoding="utf-8")
    venv.create(folder / "venv", with_pip=True)
    python = folder / "venv" / ("Scripts" if sys.platform == "win32" else "bin") / "python"
    run(
        python,
        "-m",
        "pip",
        "install",
        "-q",
        "--disable-pip-version-check",
        "-c",
        versions,
        f"{ROOT}[cluster]",
        *NEEDS,
    )
    return python


def run(*command):
    """Run a command of the environment; return what it prints."""
    process = subprocess.run(
        list(map(str, command)),
        env={**os.environ, "ONO_CLUSTER_TESTS": "1"},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert process.returncode == 0, process.stdout[-5000:] + process.stderr[-2000:]
    return process.stdout
