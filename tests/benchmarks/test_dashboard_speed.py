"""How long a page takes: a fresh server and a fresh browser, and from page to page, with a library of 10,000 games.

The large one has 10 million events, or is the one that ONO_BENCHMARK_LIBRARY names (`big_library` makes such).
"""

import os
import statistics
import time

import pytest

from ono_replay.library.listing import count_games, kinds_of_games, list_games
from ono_replay.library.store import Library
from tests.benchmarks.big_library import make_big_library
from tests.e2e.conftest import browser  # noqa: F401 - a fixture
from tests.e2e.served import Served

RUNS = 5
GAMES = 10_000
LARGE = 10_000_000
COLD, WARM, FIRST = 3.0, 0.5, 0.1
"""Seconds: a page on a fresh server; from page to page; what the first page asks of the library."""
READY = {
    "": ("Games", "table tbody tr"),
    "players": ("Players", ".stPlotlyChart .main-svg"),
    "cards": ("Cards", ".stPlotlyChart .main-svg"),
    "totals": ("Totals", ".stPlotlyChart .main-svg"),
}


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    folder = tmp_path_factory.mktemp("library") / "games"
    make_big_library(folder, 1_950_000)
    return folder


def opened_after(browser, address, path, ready):  # noqa: F811 - a fixture
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    try:
        page = context.new_page()
        begun = time.perf_counter()
        page.goto(f"{address}/{path}")
        page.locator(ready).first.wait_for(timeout=60_000)
        return time.perf_counter() - begun
    finally:
        context.close()


@pytest.mark.parametrize("path", ["", "players"])
def test_a_page_of_a_fresh_server(browser, library, tmp_path, path):  # noqa: F811 - a fixture
    times = []
    for _ in range(RUNS):
        with Served(tmp_path, library) as served:
            times.append(opened_after(browser, served.address, path, READY[path][1]))
    print(f"cold /{path}: {statistics.median(times):.2f} s of {[round(one, 2) for one in times]}")
    assert statistics.median(times) < COLD


def test_from_page_to_page(browser, library, tmp_path):  # noqa: F811 - a fixture
    """By the menu, in a browser that has seen a chart before: the library is asked anew where it was not yet."""
    times: dict[str, list[float]] = {path: [] for path in READY}
    with Served(tmp_path, library) as served:
        context = browser.new_context(viewport={"width": 1440, "height": 900})
        page = context.new_page()
        page.goto(f"{served.address}/seats")
        page.locator(".stPlotlyChart .main-svg").first.wait_for(timeout=60_000)
        for _ in range(RUNS + 1):
            for path, (title, ready) in READY.items():
                menu = {"": "Games", "players": "Players"}.get(path, "How it is played")
                page.get_by_test_id("stTopNav").get_by_role("button", name=menu, exact=True).click()
                link = page.get_by_test_id("stTopNavDropdownLink").get_by_text(title, exact=True)
                link.wait_for()
                begun = time.perf_counter()
                link.click()
                page.get_by_role("heading", name=title, level=1).wait_for()
                page.locator(ready).first.wait_for(timeout=60_000)
                times[path].append(time.perf_counter() - begun)
                page.wait_for_timeout(300)
        context.close()
    for path, told in times.items():
        print(f"warm /{path}: {statistics.median(told[1:]):.3f} s, the first time {told[0]:.3f} s")
    assert all(statistics.median(told[1:]) < WARM for told in times.values())


def test_what_the_first_page_asks(library):
    with Library(library) as asked:
        times = []
        for _ in range(RUNS):
            begun = time.perf_counter()
            assert asked.manifest.count("games") == GAMES
            assert len(list_games(asked, most=300)) == 300
            kinds_of_games(asked)
            times.append(time.perf_counter() - begun)
        begun = time.perf_counter()
        count_games(asked, {"player": "low", "won": "yes"})
        print(
            f"first page: {statistics.median(times) * 1000:.0f} ms; a choice {(time.perf_counter() - begun) * 1000:.0f} ms"
        )
    assert statistics.median(times) < FIRST


def test_the_first_page_of_a_large_library(browser, tmp_path):  # noqa: F811 - a fixture
    folder = os.environ.get("ONO_BENCHMARK_LIBRARY")
    if folder is None:
        folder = str(tmp_path / "large")
        make_big_library(tmp_path / "large", LARGE)
    times = []
    for _ in range(RUNS):
        with Served(tmp_path, folder) as served:
            times.append(opened_after(browser, served.address, "", READY[""][1]))
    print(f"large library, cold: {statistics.median(times):.2f} s of {[round(one, 2) for one in times]}")
    assert statistics.median(times) < COLD
