"""The wheel as a user gets it: built, installed alone in an empty environment, run."""

import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest
from playwright.sync_api import expect

from ono_replay import __version__
from ono_replay.bundle import BUNDLE_NAMES
from tests.e2e.served import Served, Visit

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


def install(home, what):
    """Install into an empty environment and return its Python."""
    venv.create(home, with_pip=True)
    python = home / ("Scripts" if sys.platform == "win32" else "bin") / "python"
    run(python, "-m", "pip", "install", "--quiet", "-c", ROOT / "tests/constraints.txt", what)
    return python


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory):
    """The Python of an environment that holds the wheel and its base requirements only."""
    return install(tmp_path_factory.mktemp("installed"), wheel)


@pytest.fixture(scope="module", params=["borrowed", pytest.param("fresh", marks=pytest.mark.slow)])
def with_dashboard(request, wheel, installed, tmp_path_factory):
    """The Python of an environment with what the extra `dashboard` brings as well.

    That is hundreds of megabytes: they are borrowed from the environment of the tests, and installed where there
    is time. A line in a .pth file adds a folder, not what is installed there by further lines: no checkout.
    """
    if request.param == "fresh":
        return install(tmp_path_factory.mktemp("fresh"), f"{wheel}[dashboard]")
    (packages,) = installed.parents[1].rglob("site-packages")
    (packages / "borrowed.pth").write_text(sysconfig.get_paths()["purelib"] + "\n", encoding="utf-8")
    return installed


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


def test_the_dashboard_is_all_there(with_dashboard, browser, tmp_path):
    """Last, for it adds to the environment: viewer, pages, samples and schemas come out of the wheel."""
    where = (
        "import ono_replay, ono_replay.bundle as b; print(ono_replay.__file__, b.bundle_path('dashboard'))"
    )
    for path in run(with_dashboard, "-c", where, cwd=tmp_path).split():
        assert path.startswith(str(with_dashboard.parents[1]))
    run(with_dashboard.parent / "ono-replay", "samples", "copy", tmp_path / "mine", cwd=tmp_path)
    schema = run(with_dashboard.parent / "ono-replay", "schema", "event", cwd=tmp_path)
    assert '"$schema"' in schema
    with Served(tmp_path, tmp_path / "mine/ok", python=with_dashboard) as served:
        visit = Visit(browser, served)
        page = visit.open("/replay?game=2022-table&event=20")
        expect(page.locator(".ono")).to_have_attribute("data-seq", "20")
        page.goto(served.address + "/record")
        expect(page.get_by_role("button", name="Begin")).to_be_visible()
        page.goto(served.address + "/validate")
        expect(page.get_by_role("heading", name="Validate")).to_be_visible()
        page.goto(served.address + "/")
        expect(page.get_by_role("heading", name="Games")).to_be_visible()
        visit.context.close()
        assert not visit.wrong
