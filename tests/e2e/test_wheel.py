"""The wheel as a user gets it: built, installed alone in an empty environment, run."""

import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

from ono_replay import __version__
from ono_replay.bundle import BUNDLE_NAMES

ROOT = Path(__file__).resolve().parents[2]


def run(*command, cwd=None):
    process = subprocess.run([str(part) for part in command], cwd=cwd, capture_output=True, text=True)
    assert process.returncode == 0, process.stdout + process.stderr
    return process.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """Built as a release is: the source archive first, the wheel from that."""
    out = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "build", "--outdir", out, ROOT)
    (built,) = out.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory):
    """The Python of an environment that holds the wheel and its base requirements only."""
    home = tmp_path_factory.mktemp("installed")
    venv.create(home, with_pip=True)
    python = home / ("Scripts" if sys.platform == "win32" else "bin") / "python"
    run(python, "-m", "pip", "install", "--quiet", "-c", ROOT / "tests/constraints.txt", wheel)
    return python


def test_the_wheel_holds_the_package_and_the_bundle(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    assert {name.split("/")[0] for name in names} == {"ono_replay", f"ono_replay-{__version__}.dist-info"}
    assert "ono_replay/py.typed" in names
    assert f"ono_replay-{__version__}.dist-info/licenses/LICENSE" in names
    for folder in ("ono_replay", *BUNDLE_NAMES):
        place = folder if folder == "ono_replay" else f"ono_replay/_bundle/{folder}"
        wanted = {
            f"{place}/{path.relative_to(ROOT / folder).as_posix()}"
            for path in (ROOT / folder).rglob("*")
            if path.is_file() and "__pycache__" not in path.parts
        }
        assert wanted <= set(names), f"{folder}/ is not whole in the wheel"


def test_the_command_runs_alone(installed, tmp_path):
    assert run(installed.parent / "ono-replay", "--version", cwd=tmp_path) == f"ono-replay {__version__}\n"
    assert "Usage:" in run(installed.parent / "ono-replay", "--help", cwd=tmp_path)


def test_the_bundle_is_found(installed, tmp_path):
    there = [name for name in BUNDLE_NAMES if (ROOT / name).is_dir()]
    code = f"from ono_replay.bundle import bundle_path\nfor name in {there}: print(bundle_path(name))"
    for path in run(installed, "-c", code, cwd=tmp_path).splitlines():
        assert path.startswith(str(installed.parents[1]))
