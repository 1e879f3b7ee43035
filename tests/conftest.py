"""What holds for all tests: markers by folder, and no skipping where everything must run."""

import os
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
MARKER_OF_FOLDER = {"benchmarks": "benchmark", "e2e": "e2e"}


def everything_must_run() -> bool:
    return os.environ.get("CI") == "true" or os.environ.get("ONO_REQUIRE_ALL") == "1"


def pytest_addoption(parser):
    parser.addoption(
        "--update-snapshots", action="store_true", help="write recorded answers anew, to be read in the diff"
    )


@pytest.fixture
def recorded(request):
    """Compare bytes with a file of recorded ones; with --update-snapshots the file is written instead."""

    def compare(path: Path, content: bytes) -> None:
        if request.config.getoption("--update-snapshots"):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        assert path.is_file(), f"{path.name} is missing: run with --update-snapshots and read the diff"
        assert path.read_bytes() == content, (
            f"{path.name} differs: run with --update-snapshots and read the diff"
        )

    return compare


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    for item in items:
        if item.path.is_relative_to(TESTS):
            marker = MARKER_OF_FOLDER.get(item.path.relative_to(TESTS).parts[0])
            if marker:
                item.add_marker(marker)


def _fail_if_skipped(report):
    if report.skipped and not hasattr(report, "wasxfail") and everything_must_run():
        reason = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
        report.outcome = "failed"
        report.longrepr = f"{reason}\nA skipped test is a failure here: install what it needs."
    return report


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_makereport():
    return _fail_if_skipped((yield))


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_make_collect_report():
    return _fail_if_skipped((yield))


@pytest.fixture(autouse=True)
def _same_surroundings(monkeypatch):
    """Tests see the same terminal everywhere, and a fault of the program as a traceback."""
    for name in ("FORCE_COLOR", "GITHUB_ACTIONS", "PY_COLORS", "ONO_REPLAY_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("ONO_REPLAY_DEBUG", "1")
