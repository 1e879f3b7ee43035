"""Every page of the dashboard in a real browser: what it must not do, whoever plays, in both themes."""

import json
import re
import subprocess
import sys
import time
import unicodedata

import msgspec
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from ono_replay.check.printable import printable
from ono_replay.library.importing import import_logs
from ono_replay.log.jsonl import encode_game
from tests.e2e.pages import make_game
from tests.e2e.served import Served
from tests.e2e.test_dashboard import Visit

NAMES = [
    ["None", "null", "__proto__", "=cmd()", "../../x", "constructor", "$x^2$", "{name}"],
    ["![](http://example.invalid/a.png)", "<img src=x onerror=alert(1)>", "</script><script>alert(1)</script>",
     "[x](javascript:alert(1))", "www.example.invalid", ":material/home:", ":red[Ann]", "<b>&amp;</b>"],
    ["\u202eevil", "e\u0301", "\u00e9ve", "\U0001f469\u200d\U0001f469\u200d\U0001f467", "A\nB\tC", "   ", "\u05d0\u05e0\u05d0", "Ann" * 40],
    ['"Ann"', "'Ann'", "`Ann`", "%s%n", "#{7*7}", "a,b;c", "\\", "game_start"],
]  # fmt: skip
"""Names that have broken other tools, eight at a table."""
EVERYONE = [name for table in NAMES for name in table]
PAGES = {
    "": "Games",
    "replay": "Replay",
    "live": "Live",
    "record": None,
    "validate": "Validate",
    "players": "Players",
    "head-to-head": "Head-to-head",
    "seats": "Seats and starters",
    "cards": "Cards",
    "totals": "Totals",
    "eliminations": "Eliminations",
    "pair-chains": "Pair chains",
    "length": "Length and tempo",
    "quality": "Quality",
}


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    folder = tmp_path_factory.mktemp("naughty")
    logs = folder / "logs"
    logs.mkdir()
    for place, names in enumerate(NAMES):
        for index in range(2):
            start, *rest = make_game(names, edition="1980", seed=place, index=index)
            start = msgspec.structs.replace(start, game_id=f"{names[0]} {place} {index}")
            (logs / f"{place}-{index}.ono.jsonl").write_bytes(encode_game([start, *rest]))
    (logs / "broken-off.ono.jsonl").write_bytes(encode_game(make_game(seed=40)[:60]))
    import_logs([str(path) for path in sorted(logs.glob("*.jsonl"))], folder / "winter", jobs=1)
    (folder / "home").mkdir()
    with Served(folder / "home", folder / "winter", logs) as served:
        yield served


@pytest.fixture(scope="module")
def shared(browser, served):
    """One browser for all pages: what is noted belongs to the page that was last visited."""
    visit = Visit(browser, served.address, color_scheme="light", reduced_motion="reduce")
    yield visit
    visit.context.close()


def go(visit, path):
    visit.wrong.clear()
    visit.page.goto(f"{visit.address}/{path}")
    settle(visit.page)
    return visit.page


def settle(page):
    """Wait until the page has said all that it has to say."""
    page.get_by_test_id("stApp").wait_for()
    expect(page.locator("[data-test-script-state=notRunning]")).to_be_attached(timeout=30_000)
    if page.get_by_test_id("stPlotlyChart").count():
        page.locator(".stPlotlyChart .main-svg").first.wait_for()


def findings(page):
    """Return the serious findings of axe, those in Streamlit's and plotly's own elements among them: there are none."""
    return [
        f"{found['id']}: {json.dumps(node['target'])} {node['html'][:200]}"
        for found in Axe().run(page).response["violations"]
        for node in found["nodes"]
        if found["impact"] in ("serious", "critical")
    ]


@pytest.mark.parametrize("path", PAGES)
def test_a_page_is_quiet_and_open_to_all_in_both_themes(shared, path):
    page = go(shared, path)
    title = PAGES[path]
    if title:
        expect(page.get_by_role("heading", level=1)).to_have_text(title)
    light = page.evaluate("getComputedStyle(document.querySelector('[data-testid=stApp]')).backgroundColor")
    told = findings(page)
    page.emulate_media(color_scheme="dark")
    try:
        ground = re.compile(r"^(?!" + re.escape(light) + ")")
        expect(page.get_by_test_id("stApp")).to_have_css("background-color", ground)
        settle(page)
        told += [f"dark: {one}" for one in findings(page)]
    finally:
        page.emulate_media(color_scheme="light")
    assert not told
    assert not shared.wrong


def test_names_are_shown_exactly_and_do_nothing(shared):
    page = go(shared, "players")
    heads = page.get_by_role("table").get_by_role("rowheader")
    expect(heads).to_have_count(len({unicodedata.normalize("NFC", name) for name in EVERYONE}))
    shown = {text.removesuffix("\n") for text in heads.all_text_contents()}
    for name in EVERYONE:
        assert printable(unicodedata.normalize("NFC", name)) in shown
    for path in ("head-to-head", "eliminations?what=Who+set+the+total", "length?what=Tempo", "?q=proto"):
        page = go(shared, path)
        for element in ("img[src*=x]", "a[href*='//']", "script:not([src])", "b"):
            inside = page.locator(f"[data-testid=stMain] {element}")
            assert inside.count() == 0
        assert not shared.wrong


def test_a_figure_leads_to_its_games_and_back_leads_to_the_figure(shared):
    page = go(shared, "players")
    row = page.get_by_role("row").filter(has=page.get_by_role("rowheader", name="=cmd()", exact=True))
    games = int(row.get_by_role("cell").nth(3).inner_text())
    row.get_by_role("cell").nth(3).get_by_role("link").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Games")
    expect(page.get_by_text("Games in which: played to the end, by the rules; =cmd() played")).to_be_visible()
    expect(page).to_have_url(re.compile(r"player=%3Dcmd"))
    expect(page.get_by_role("rowheader")).to_have_count(games)
    page.get_by_role("rowheader").first.get_by_role("link").click()
    page.locator(".ono").wait_for()
    page.go_back()
    expect(page.get_by_text("; =cmd() played")).to_be_visible()
    expect(page.get_by_role("rowheader")).to_have_count(games)
    page.go_back()
    expect(page).to_have_url(re.compile(r"/players$"))
    expect(page.get_by_role("heading", level=1)).to_have_text("Players")
    expect(page.get_by_role("table").get_by_role("rowheader").first).to_be_visible()
    page.reload()
    expect(page.get_by_role("table").get_by_role("rowheader").first).to_be_visible()
    assert not shared.wrong


def test_filters_stand_in_the_address_and_survive_a_reload(shared):
    page = go(shared, "pair-chains")
    page.get_by_role("radio", name="Survived").or_(page.get_by_role("button", name="Survived")).first.click()
    expect(page).to_have_url(re.compile(r"what=Survived"))
    page.reload()
    settle(page)
    expect(page.get_by_role("heading", name="Survived")).to_be_visible()
    link = page.get_by_role("link", name="1 unfinished")
    expect(link).to_be_visible()
    link.click()
    expect(page.get_by_text("Games in which: not played to the end")).to_be_visible()
    expect(page.get_by_role("rowheader")).to_have_count(1)


def test_filters_go_along_by_the_menu_and_come_back_by_back(browser, served):
    """However quick somebody is: each page and each filter is one entry of the history."""
    # In a browser of its own: a history has fifty entries at most.
    visit = Visit(browser, served.address, color_scheme="light", reduced_motion="reduce")
    page = go(visit, "players")
    entries = page.evaluate("history.length")
    tables = page.get_by_label("Compare by")
    for pause in (2, 0, 0.3, 1):
        tables.click()
        page.get_by_role("option", name="players at the table", exact=True).click()
        time.sleep(pause)
        page.get_by_test_id("stTopNavSection").filter(has_text="Players").click()
        page.get_by_test_id("stTopNavDropdownLink").filter(has_text="Seats and starters").click()
        expect(page).to_have_url(re.compile(r"/seats\?by=n_players$"))
        time.sleep(pause / 4)
        expect(page.get_by_role("heading", level=1)).to_have_text("Seats and starters")
        assert page.evaluate("history.length") == entries + 2
        page.evaluate("history.back()")
        expect(page).to_have_url(re.compile(r"/players\?by=n_players$"))
        expect(page.get_by_role("heading", level=1)).to_have_text("Players")
        expect(tables).to_have_value("players at the table")
        page.evaluate("history.forward()")
        expect(page).to_have_url(re.compile(r"/seats\?by=n_players$"))
        expect(page.get_by_role("table").get_by_text("8 players").first).to_be_visible()
        page.evaluate("history.go(-2)")
        expect(page).to_have_url(re.compile(r"/players$"))
        expect(page.get_by_role("heading", level=1)).to_have_text("Players")
        expect(tables).to_have_value("nothing")
    visit.context.close()
    assert not visit.wrong


def test_who_goes_back_before_an_answer_comes_is_where_he_went(browser, served):
    visit = Visit(browser, served.address, color_scheme="light", reduced_motion="reduce")
    visit.page.add_init_script(_SLOW)
    page = go(visit, "totals")
    entries = page.evaluate("history.length")
    page.get_by_test_id("stTopNavSection").filter(has_text="Players").click()
    page.get_by_test_id("stTopNavDropdownLink").filter(has_text="Seats and starters").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Seats and starters")
    settle(page)
    page.evaluate("window.slow = 500")
    page.get_by_label("Compare by").click()
    page.get_by_role("option").nth(1).click()
    page.evaluate("history.back()")
    expect(page.get_by_role("heading", level=1)).to_have_text("Totals")
    page.wait_for_timeout(1500)
    assert page.evaluate("[location.pathname, location.search, history.length]") == [
        "/totals", "", entries + 1,
    ]  # fmt: skip
    expect(page.get_by_label("Compare by")).to_have_value("nothing")
    visit.context.close()
    assert not visit.wrong


_SLOW = """(() => {
  const listen = WebSocket.prototype.addEventListener;
  WebSocket.prototype.addEventListener = function (type, heard, ...how) {
    const late = (event) => (window.slow ? setTimeout(() => heard(event), window.slow) : heard(event));
    return listen.call(this, type, type === "message" ? late : heard, ...how);
  };
})()"""
"""Has all that the server says come late."""


def test_a_chart_is_downloaded_as_data_that_is_safe_to_open(shared):
    page = go(shared, "players")
    with page.expect_download() as download:
        page.get_by_role("button", name="Download as data").click()
    lines = download.value.path().read_text(encoding="utf-8").splitlines()
    assert lines[0].startswith("player,k,n,p,low,high")
    assert not [line for line in lines if line.startswith(("=", "+", "-", "@"))]


def test_a_branch_is_played_on_from_a_moment(shared):
    page = go(shared, "replay?log=winter&event=20")
    page.locator(".ono-choice").first.click()
    page.get_by_role("button", name="Play on from here").click()
    expect(page.get_by_text("The record stays as it is")).to_be_visible()
    expect(page).to_have_url(re.compile(r"[?&]if=\d+%2C"))
    page.reload()
    page.locator(".ono").wait_for()
    page.get_by_role("button", name="Back to the record").click()
    expect(page).to_have_url(re.compile(r"event=\d+"))
    page.locator(".ono").wait_for()
    assert not shared.wrong


def test_with_the_keyboard_alone(shared):
    page = go(shared, "")
    page.get_by_role("table").get_by_role("link").first.wait_for()
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate(_FOCUSED) == "A":
            break
    page.keyboard.press("Enter")
    page.locator(".ono").wait_for()
    expect(page).to_have_url(re.compile(r"/replay\?"))


_FOCUSED = """() => {
  let at = document.activeElement;
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  return at.closest("table") ? at.tagName : "";
}"""


@pytest.mark.parametrize("path", ["", "players", "head-to-head", "cards", "quality", "replay?log=winter"])
def test_a_phone_has_room_for_it(shared, path):
    shared.page.set_viewport_size({"width": 390, "height": 844})
    try:
        page = go(shared, path)
        wide = page.evaluate(
            "(() => { const main = document.querySelector('[data-testid=stMain]');"
            " return [main.scrollWidth, main.clientWidth]; })()"
        )
        assert wide[0] <= wide[1]
    finally:
        shared.page.set_viewport_size({"width": 1280, "height": 800})
    assert not shared.wrong


def test_on_a_phone_the_menu_closes_once_a_page_is_chosen(browser, served):
    visit = Visit(browser, served.address)
    visit.page.set_viewport_size({"width": 390, "height": 844})
    page = go(visit, "validate")
    drawer = page.get_by_test_id("stSidebar")
    expect(drawer).to_have_attribute("data-collapsed", "true")
    page.get_by_test_id("stExpandSidebarButton").click()
    expect(drawer).to_have_attribute("data-collapsed", "false")
    page.get_by_test_id("stSidebarNavLink").filter(has_text="Record").click()
    page.get_by_label("Another player").wait_for()
    expect(drawer).to_have_attribute("data-collapsed", "true")
    page.get_by_test_id("stExpandSidebarButton").click()
    expect(drawer).to_have_attribute("data-collapsed", "false")
    page.reload()
    page.get_by_label("Another player").wait_for()
    expect(drawer).to_have_attribute("data-collapsed", "true")
    visit.context.close()
    assert not visit.wrong


def test_two_browsers_read_while_an_import_runs(browser, served, tmp_path):
    """Each sees a whole library, before or after; nobody sees a part of an import."""
    library = served.home.parent / "winter"
    for index in range(20):
        (tmp_path / f"{index}.ono.jsonl").write_bytes(encode_game(make_game(seed=77, index=index)))
    visits = [Visit(browser, served.address) for _ in range(2)]
    command = [sys.executable, "-m", "ono_replay", "import", str(tmp_path), "--library", str(library)]
    with subprocess.Popen([*command, "--jobs", "1"], stdout=subprocess.DEVNULL) as importing:
        for visit, path in zip(visits, ("players", "seats"), strict=True):
            page = go(visit, path)
            expect(page.get_by_text(re.compile(r"^(8|28) games counted\.$"))).to_be_visible()
        assert importing.wait(60) == 0
    for visit, path in zip(visits, ("seats", "players"), strict=True):
        expect(go(visit, path).get_by_text("28 games counted.")).to_be_visible()
        visit.context.close()
        assert not visit.wrong
