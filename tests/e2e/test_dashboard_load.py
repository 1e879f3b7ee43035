"""Twenty browsers at one dashboard: each is answered, sees its own only, and the server stays as large as it was."""

import json
import os
import re
import time
from pathlib import Path

import pytest
from playwright.sync_api import expect

from dashboard.guard import KEPT_MIB
from ono_replay.log.jsonl import encode_game
from tests.e2e.pages import make_game
from tests.e2e.served import Served, Visit

SESSIONS = int(os.environ.get("ONO_SESSIONS", "20"))
ROUNDS = 3
MOST_MIB = 1024
"""What the server may take while twenty browsers are open."""
MOST_GROWTH_MIB = 40
"""By how much the last round may leave the server larger than the first two did."""

pytestmark = [pytest.mark.slow, pytest.mark.timeout(3600)]


def server_mib(served):
    """Return the MiB that the process behind the command has now."""
    pid = served.process.pid
    (server,) = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return int(re.findall(r"VmRSS:\s+(\d+)", Path(f"/proc/{server}/status").read_text())[0]) // 1024


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    folder = tmp_path_factory.mktemp("many") / "logs"
    folder.mkdir()
    for index in range(20):
        path = folder / f"game-{index:02}.ono.jsonl"
        path.write_bytes(encode_game(make_game((f"Shown{index:02}", "Bo", "Cem"), seed=index)))
    with Served(tmp_path_factory.mktemp("home"), folder) as running:
        yield running


@pytest.fixture
def visits(browser, served):
    opened = [Visit(browser, served, viewport={"width": 800, "height": 800}) for _ in range(SESSIONS)]
    for visit in opened:
        visit.context.set_default_timeout(120_000)
    yield opened
    for visit in opened:
        visit.context.close()


def name_of(turn, number):
    return f"Turn{turn}Mark{number:02}Player"


def wrong_log(name):
    """A log of a player of that name, with a wrong total in it."""
    data = encode_game(make_game((name, "Bo"), seed=4, match="single")[:40]).decode()
    return re.sub(r'"total":(\d+)', '"total":98', data, count=1)


def visible(page, text):
    expect(page.get_by_text(text).first).to_be_visible(timeout=120_000)


def one_round(visits, turn):
    """Each checks a log of its own and opens a game; all are open at the same time."""
    names = [name_of(turn, number) for number in range(SESSIONS)]
    pages = [visit.open("/validate") for visit in visits]
    for page, name in zip(pages, names, strict=True):
        page.get_by_role("tab", name="Paste its lines").click()
        page.get_by_label("The lines of a log").fill(wrong_log(name))
        page.keyboard.press("Control+Enter")
    for page, own in zip(pages, names, strict=True):
        visible(page, "error ONO306")
        shown = page.locator("body").aria_snapshot()
        assert own in shown + page.content()
        assert not [name for name in names if name != own and name in shown]
    others = [
        visit.open(f"/replay?log=logs/game-{number:02}.ono.jsonl&line=1")
        for number, visit in enumerate(visits)
    ]
    for number, page in enumerate(others):
        expect(page.get_by_role("group", name=f"Seat 0: Shown{number:02}")).to_be_visible(timeout=120_000)
        shown = page.locator("body").aria_snapshot()
        assert not re.search(r"Turn\dMark", shown)
        assert set(re.findall(r"Shown\d\d", shown)) == {f"Shown{number:02}"}
    return pages + others


def test_twenty_browsers(browser, served):
    sizes = [server_mib(served)]
    times = []
    for turn in range(ROUNDS):
        visits = [Visit(browser, served, viewport={"width": 800, "height": 800}) for _ in range(SESSIONS)]
        begun = time.monotonic()
        for visit in visits:
            visit.context.set_default_timeout(120_000)
        one_round(visits, turn)
        times.append(round(time.monotonic() - begun))
        sizes.append(server_mib(served))
        for visit in visits:
            visit.context.close()
            assert not visit.wrong
        # Who stands at the table goes on meanwhile.
        assert served.ask("GET", "/_stcore/health")[0] == 200
    print(f"server: {sizes[0]} MiB before, after each round of {SESSIONS} browsers {sizes[1:]}; {times} s")
    assert max(sizes) < MOST_MIB
    assert sizes[-1] - max(sizes[1:-1]) < MOST_GROWTH_MIB


def test_a_flood_of_uploads(served, visits, tmp_path):
    """Twenty browsers send 30 MiB each: what is kept has its limit, who comes too late is told, the server answers."""
    large = tmp_path / "large.ono.jsonl"
    with large.open("wb") as file:
        file.truncate(30 << 20)
    statuses = []
    pages = []
    for visit in visits:
        visit.link_is_down = True  # a refused upload is an error in the console
        page = visit.open("/validate")
        page.on(
            "response",
            lambda answer: statuses.append(answer.status) if "upload_file" in answer.url else None,
        )
        pages.append(page)
    for page in pages:
        page.locator('input[type="file"]').set_input_files(large)
    for _ in range(600):
        if len(statuses) >= SESSIONS:
            break
        pages[0].wait_for_timeout(200)
    size = server_mib(served)
    print(f"server: {size} MiB; answers: { {status: statuses.count(status) for status in set(statuses)} }")
    assert set(statuses) == {204, 413}
    assert statuses.count(204) * 30 <= KEPT_MIB
    assert size < MOST_MIB
    assert served.ask("GET", "/table/listing")[0] == 200
    body = json.dumps({"writer": "writer-1", "players": ["Ann", "Bo"]}).encode()
    assert served.ask("POST", "/table/begin", body, Content_Type="application/json")[0] == 200
