"""The dashboard as a user has it: the command, its server, and a real browser."""

import contextlib
import http.client
import json
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import streamlit
from playwright.sync_api import expect

from dashboard.front import front_page
from ono_replay.bundle import bundle_path
from ono_replay.library.importing import import_logs
from ono_replay.log.jsonl import encode_game
from tests.e2e.pages import make_game

HOSTILE = [
    "![](http://example.invalid/a.png)",
    "<img src=x onerror=alert(1)>",
    "=cmd()",
    "www.example.invalid",
]


def start(*arguments):
    return subprocess.Popen(
        [
            sys.executable,
            "-m",
            "ono_replay",
            "dashboard",
            *map(str, arguments),
            "--port",
            "0",
            "--no-browser",
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def address_of(process):
    assert process.stdout is not None
    ready = re.fullmatch(r"Ready: (http://127\.0\.0\.1:\d+)\n", process.stdout.readline())
    assert ready
    return ready[1]


@pytest.fixture(scope="module")
def logs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("logs")
    (folder / "a.ono.jsonl").write_bytes(encode_game(make_game(seed=9)))
    (folder / "hostile.ono.jsonl").write_bytes(encode_game(make_game(HOSTILE, seed=3)))
    return folder


@pytest.fixture(scope="module")
def library(logs, tmp_path_factory):
    folder = tmp_path_factory.mktemp("library") / "winter"
    import_logs([str(path) for path in sorted(logs.glob("*.jsonl"))], folder, jobs=1)
    return folder


@pytest.fixture(scope="module")
def address(logs, library):
    with start(logs, bundle_path("sample_logs") / "ok", library) as process:
        yield address_of(process)
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 0


class Visit:
    """A page that notes requests to anyone else and messages in the console."""

    def __init__(self, browser, address, **context):
        self.context = browser.new_context(viewport={"width": 1280, "height": 800}, **context)
        self.page = self.context.new_page()
        self.page.set_default_timeout(30_000)
        self.address = address
        self.wrong: list[str] = []
        self.page.on("console", self.said)
        self.page.on("pageerror", lambda error: self.wrong.append(f"error: {error}"))
        self.page.on("dialog", self.asked_for)
        self.page.on("request", self.asked)

    def said(self, message):
        if message.type in ("error", "warning"):
            self.wrong.append(f"{message.type}: {message.text}")

    def asked_for(self, dialog):
        self.wrong.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def asked(self, request):
        if not request.url.startswith((self.address, "blob:", "data:")):
            self.wrong.append(f"request: {request.url[:200]}")


@pytest.fixture
def visit(browser, address):
    """Visit the dashboard; at the end nothing wrong may have been noted."""
    visits = []

    def go(path="", **context):
        visits.append(Visit(browser, address, **context))
        visits[-1].page.goto(address + path)
        return visits[-1].page

    yield go
    for one in visits:
        one.context.close()
    assert not [wrong for one in visits for wrong in one.wrong]


def index(page):
    return int(page.locator(".ono").get_attribute("data-index"))


def test_a_row_opens_its_replay_and_thirty_keys_are_thirty_steps(visit):
    page = visit()
    expect(page.get_by_text("Click one to replay it")).to_be_visible()
    page.get_by_role("table").get_by_role("link").first.click()
    viewer = page.locator(".ono")
    viewer.wait_for()
    expect(page).to_have_url(re.compile(r"/replay\?log=.*&game="))
    # Nothing was clicked: the keys that nothing else has the focus for are the viewer's, and Streamlit gets none.
    page.wait_for_function("document.activeElement === document.body")
    begun = index(page)
    for _ in range(30):
        page.keyboard.press("ArrowRight")
        page.wait_for_timeout(33)
    assert index(page) == begun + 30
    page.keyboard.press("?")
    expect(viewer.get_by_role("dialog", name="Keys and help")).to_be_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("d")
    expect(viewer).to_have_attribute("data-theme", "light")
    # Steps while the page still takes note of the one before do not lead back.
    for _ in range(4):
        page.keyboard.press("ArrowRight")
        page.wait_for_timeout(300)
    begun += 4
    # The moment is in the address, and the viewer has stayed where it was.
    seq = viewer.get_attribute("data-seq")
    expect(page).to_have_url(re.compile(rf"&event={seq}$"))
    page.wait_for_timeout(500)
    assert index(page) == begun + 30
    page.reload()
    expect(page.locator(".ono")).to_have_attribute("data-seq", str(seq))
    # On a phone there are rows of the list in sight, and a tab brings its panel up, and the table again.
    page.set_viewport_size({"width": 390, "height": 844})
    bar = page.locator(".ono-foot")
    row = page.locator(".ono-event.is-now")
    page.wait_for_function(
        "([row, bar]) => row.getBoundingClientRect().bottom <= bar.getBoundingClientRect().top",
        arg=[row.element_handle(), bar.element_handle()],
    )
    for name in ("About", "Events"):
        page.get_by_role("tab", name=name).click()
        panel = page.get_by_role("tabpanel", name=name)
        page.wait_for_function(
            """([panel, bar]) => {
              const box = panel.getBoundingClientRect();
              const foot = bar.getBoundingClientRect().top;
              return foot <= innerHeight && box.bottom <= foot && box.height > 300;
            }""",
            arg=[panel.element_handle(), bar.element_handle()],
        )
    page.get_by_role("tab", name="Events").click()
    page.wait_for_function("main => main.scrollTop === 0", arg=page.locator(".ono-main").element_handle())


def test_the_list_of_games_is_found_by_its_name_too(visit, address):
    page = visit("/games?q=unheard-of")
    expect(page.get_by_text("fits. Take a word out of the search")).to_be_visible()
    expect(page).to_have_url(f"{address}/?q=unheard-of")


def test_hostile_names_are_text(visit):
    page = visit("/?q=hostile")
    page.get_by_role("table").get_by_role("link").first.click()
    seats = page.locator(".ono-seat")
    expect(seats).to_have_count(len(HOSTILE))
    for seat, name in enumerate(HOSTILE):
        expect(seats.nth(seat)).to_contain_text(name[:25])
    assert page.locator(".ono img").count() == 0


def test_statistics_of_a_library_with_hostile_names(visit):
    page = visit("/players")
    chart = page.get_by_test_id("stPlotlyChart").first
    expect(chart.get_by_text("<img src=x onerror=al")).to_be_visible(timeout=30_000)
    assert chart.locator("a, img, svg a").count() == 0
    expect(page.get_by_text("2 games counted.")).to_be_visible()
    for name in HOSTILE:
        expect(
            page.get_by_role("table").first.get_by_role("rowheader", name=name, exact=True)
        ).to_be_visible()


def test_a_game_of_a_library_is_replayed(visit):
    page = visit("/replay?log=winter&event=20")
    expect(page.locator(".ono")).to_have_attribute("data-seq", "20")
    # What is saved opens where the reader is by then.
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    expect(page).to_have_url(re.compile("event=23"))
    # While the page is run anew its button is about to be replaced, and a press on it may go nowhere.
    expect(page.get_by_test_id("stApp")).to_have_attribute("data-test-script-state", "notRunning")
    with page.expect_download() as download:
        page.get_by_role("button", name="Save as a page").click()
    saved = re.search(r'id="payload">(.*?)</script>', download.value.path().read_text(encoding="utf-8"))
    assert saved
    assert json.loads(saved[1])["options"]["event"] == 23


def test_a_pasted_log_is_judged_and_shown(visit):
    page = visit("/validate")
    page.get_by_role("tab", name="Paste its lines").click()
    text = (bundle_path("sample_logs") / "broken/ONO301-out-of-turn.ono.jsonl").read_text(encoding="utf-8")
    page.get_by_label("The lines of a log").fill(" ")
    page.keyboard.press("Control+Enter")
    expect(page.get_by_text("There are no lines yet")).to_be_visible()
    page.get_by_label("The lines of a log").fill(text)
    page.keyboard.press("Control+Enter")
    expect(page.get_by_text("What breaks the rules goes into the library's quarantine")).to_be_visible()
    expect(page.get_by_text("error ONO301").first).to_be_visible()
    expect(page.locator(".ono")).to_be_visible()


def test_a_log_is_followed_in_the_browser(visit, logs):
    log = logs / "live.ono.jsonl"
    events = make_game(seed=11)

    def grow(count):
        """Append as a recorder does: a file that is written anew is empty for a moment."""
        with log.open("ab") as file:
            file.write(encode_game(events[:count])[file.tell() :])

    grow(20)
    page = visit("/live")
    page.get_by_role("combobox", name="Log").click()
    page.get_by_role("option", name=re.compile(r"live\.ono\.jsonl")).click()
    viewer = page.locator(".ono")
    expect(viewer).to_have_attribute("data-seq", "19")
    grow(30)
    expect(viewer).to_have_attribute("data-seq", "29")
    # The controls are in sight. Who has stepped back stays there, and is told what came since.
    bar = page.locator(".ono-controls").bounding_box()
    assert bar["y"] + bar["height"] <= 800
    news = page.locator(".ono-news")
    expect(news).to_be_hidden()
    page.get_by_role("button", name="Event back").click()
    grow(32)
    expect(news).to_have_text("2 newer events ⇥")
    grow(len(events))
    expect(news).to_have_text(f"{len(events) - 30} newer events ⇥")
    expect(viewer).to_have_attribute("data-seq", "28")
    news.click()
    expect(viewer).to_have_attribute("data-seq", str(events[-1].seq))
    expect(news).to_be_hidden()
    log.unlink()


def ask(address, host=None):
    """Return the status and headers of the answer, None where nobody answers."""
    with contextlib.closing(
        http.client.HTTPConnection(address.removeprefix("http://"), timeout=10)
    ) as server:
        try:
            server.request("GET", "/", headers={} if host is None else {"Host": host})
            answer = server.getresponse()
        except ConnectionError:
            return None
        return answer.status, dict(answer.getheaders())


def test_only_its_own_address_is_answered(address):
    port = address.rpartition(":")[2]
    status, headers = ask(address)
    assert status == 200
    assert "default-src 'self'" in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    for host in ("rebound.example.invalid", f"rebound.example.invalid:{port}", "127.0.0.1.example.invalid"):
        assert ask(address, host)[0] == 421


def test_small_answers_do_not_wait_for_a_packet(address):
    """Each took 40 ms while the kernel waited for more to send: a hundred of them make a page."""
    host, port = address.removeprefix("http://").split(":")
    times = []
    with contextlib.closing(http.client.HTTPConnection(host, int(port), timeout=20)) as server:
        for _ in range(30):
            begun = time.perf_counter()
            server.request("GET", "/_stcore/health")
            assert server.getresponse().read() == b"ok"
            times.append(time.perf_counter() - begun)
    assert sorted(times)[10] < 0.03


def test_parts_are_fetched_before_they_are_asked_for(address):
    page = front_page(charts=True)
    named = re.findall(r'<link rel="modulepreload"[^>]*href="\./(static/js/([^."]+)\.[^"]+)"', page)
    assert len(named) == len(set(named))
    assert {"PlotlyChart", "Selectbox", "BidiComponent", "useBasicWidgetState"} <= {part for _, part in named}
    host, port = address.removeprefix("http://").split(":")
    with contextlib.closing(http.client.HTTPConnection(host, int(port), timeout=20)) as server:
        for path, _ in named:
            server.request("GET", f"/{path}")
            answer = server.getresponse()
            assert answer.read() == Path(streamlit.__file__).with_name("static").joinpath(path).read_bytes()
            assert "javascript" in answer.getheader("content-type", ""), path
            assert answer.getheader("content-security-policy")
        for strange in (
            "/static/js/..%2f..%2findex.html",
            "/static/js/none.js",
            "/static/js/../../../streamlit.js",
        ):
            server.request("GET", strange)
            answer = server.getresponse()
            answer.read()
            assert "javascript" not in answer.getheader("content-type", "")
    assert " data-start " in page
    assert " data-start " not in front_page()
    assert front_page().count("<script>") == page.count("<script>")


def test_the_demo_ends_in_front_of_it(browser):
    command = [sys.executable, "-m", "ono_replay", "demo", "--no-browser"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        address = next(line for line in process.stdout if line.startswith("Ready: ")).split()[1]
        visit = Visit(browser, address)
        visit.page.goto(f"{address}/replay?game=sim-2022-3")
        expect(visit.page.locator(".ono")).to_be_visible(timeout=30_000)
        visit.context.close()
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 0
    assert not visit.wrong


def test_it_ends_with_0_when_asked_to(logs):
    with start(logs) as process:
        address_of(process)
        process.terminate()
        assert process.wait(20) == 0


def test_the_server_does_not_outlive_its_command(logs):
    with start(logs) as process:
        address = address_of(process)
        process.kill()
        process.wait(20)
    until = time.monotonic() + 20
    while ask(address) is not None:
        assert time.monotonic() < until
        time.sleep(0.1)


def test_what_is_not_there_is_told_at_once(tmp_path):
    with start(tmp_path / "none.jsonl") as process:
        said, wrong = process.communicate(timeout=30)
    assert (process.returncode, said) == (2, "")
    assert "no such file" in wrong
