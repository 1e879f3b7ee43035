"""The page Record in a real browser: what it tells as saved is on disk, once, whatever happens to page and server."""

import json
import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from ono_replay.check.diagnostic import GameReport
from ono_replay.check.validator import validate
from ono_replay.record import Recorder
from ono_replay.record.errors import LogHeld
from ono_replay.record.table import Table
from tests.e2e.served import Served, Visit, wait_for

HOSTILE = ["![](http://example.invalid/a.png)", "<img src=x onerror=alert(1)>", "\u202eevil", "=cmd()"]


SEE_MESSAGES = """() => {
  window.messages = 0;
  new MutationObserver(() => {
    window.messages += document.querySelectorAll('[data-testid="stDialog"]').length;
  }).observe(document.body, { childList: true });
}"""


# Half a second passes before what is asked gets to the server, or before its answer gets to the page.
COME_LATE = """late => {
  const [what, when] = late.split(" is ");
  const ask = window.fetch;
  const wait = (now) => new Promise((done) => setTimeout(done, now === when ? 500 : 0));
  window.underWay = 0;
  window.fetch = async (...asked) => {
    window.underWay += 1;
    try {
      const isLate = String(asked[0]).endsWith(`/${what}`);
      if (isLate) await wait("asked");
      const answer = await ask(...asked);
      if (isLate) await wait("answered");
      return answer;
    } finally {
      // What follows from an answer is asked at once.
      setTimeout(() => (window.underWay -= 1), 50);
    }
  };
}"""


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    with Served(tmp_path_factory.mktemp("home")) as running:
        yield running


@pytest.fixture
def visit(browser, served):
    """A new browser; at the end nothing wrong may have been noted."""
    visits = []

    def go(**settings):
        visits.append(Visit(browser, settings.pop("served", served), **settings))
        return visits[-1]

    yield go
    for one in visits:
        one.context.close()
    assert not [wrong for one in visits for wrong in one.wrong]


def seat(page, players):
    """Have these players at the table, and no others."""
    page.get_by_label("Another player").wait_for()
    while page.get_by_role("button", name="does not play").count():
        page.get_by_role("button", name="does not play").first.click()
    for name in players:
        page.get_by_label("Another player").fill(name)
        page.get_by_role("button", name="Add", exact=True).click()


def begin(page, players=("Ann", "Bo"), edition="2022", rules=None):
    """Begin a game and return the name of its recording."""
    seat(page, players)
    page.get_by_label(edition).check()
    if rules is not None:
        page.get_by_text("House rules").click()
        # What is opened comes into sight, also above the button that stays at the foot.
        page.wait_for_function(
            "([field, button]) => field.getBoundingClientRect().bottom < button.getBoundingClientRect().top",
            arg=[
                page.get_by_label("Rules, or").element_handle(),
                page.get_by_role("button", name="Begin").element_handle(),
            ],
        )
        page.get_by_label("Rules, or").fill(rules)
    page.get_by_role("button", name="Begin").click()
    page.get_by_role("button", name="Undo").wait_for()
    return page.evaluate("localStorage.getItem('ono-pad-recording')")


def press(page, *tokens):
    for token in tokens:
        page.locator(f'.pad-keys .pad-card[data-token="{token}"]').click()


def leave(page):
    page.get_by_role("button", name="More").click()
    page.get_by_role("button", name="Leave it open").click()
    page.get_by_role("button", name="Stop here").click()
    page.get_by_role("heading", name="New game").wait_for()


def saved(page):
    expect(page.locator(".pad-saved")).to_have_text("Saved")


def total(page, number):
    expect(page.locator(".pad-figure")).to_have_text(str(number))


def events(served, recording):
    lines = (served.recordings / recording).read_bytes().splitlines()
    return [json.loads(line) for line in lines]


def played(served, recording):
    """The cards in the log, as they were entered, undone ones too."""
    return [event["card"] for event in events(served, recording) if event["type"] == "play"]


def verdict(served, recording):
    (report,) = (
        found for found in validate([str(served.recordings / recording)]) if isinstance(found, GameReport)
    )
    return report.verdict, report.errors


def test_a_game_from_its_first_card_to_the_replay(served, visit):
    page = visit().open()
    recording = begin(page, ["Ann", "Bo", "Jürgen"])
    press(page, "7", "10", "play_2")
    saved(page)
    total(page, 17)
    expect(page.locator(".pad-who")).to_have_text("Ann")
    expect(page.locator(".pad-owes")).to_have_text("owes the first of two cards")
    assert played(served, recording) == ["7", "10", "play_2"]
    page.get_by_role("button", name="Undo").click()
    expect(page.locator(".pad-owes")).to_have_count(0)
    assert events(served, recording)[-1]["type"] == "undo"
    # The ONO 99 can not be played; it is taken out again. Then one is let stand.
    press(page, "ono_99")
    page.get_by_role("button", name="Take it out").click()
    saved(page)
    assert played(served, recording) == ["7", "10", "play_2"]
    press(page, "ono_99")
    page.get_by_role("button", name="It happened").click()
    expect(page.locator(".pad-last")).to_contain_text("(let stand)")
    # A total that was said wrong is asked about.
    page.get_by_role("button", name="More").click()
    page.get_by_role("button", name="Another total was announced").click()
    page.get_by_label("The total that was said").fill("95")
    page.get_by_role("button", name="Enter").click()
    expect(page.locator("dialog")).to_contain_text("By the cards the total is 17")
    page.get_by_role("button", name="Yes").click()
    total(page, 95)
    # Two of three fall, one lays down a hand of which two cards were seen.
    page.get_by_role("button", name="Can’t play").click()
    for token in ("10", "9"):
        page.locator(f'dialog .pad-card[data-token="{token}"]').click()
    page.get_by_role("button", name="Ann is out").click()
    expect(page.locator(".pad-seat.is-out")).to_have_count(1)
    page.get_by_role("button", name="Can’t play").click()
    page.get_by_role("button", name="Bo is out, hand not shown").click()
    expect(page.locator(".pad-who")).to_have_text("Jürgen wins")
    page.get_by_role("button", name="Finish, and close the log").click()
    expect(page.get_by_text("Everything is on disk, and the log is closed.")).to_be_visible()
    assert verdict(served, recording) == ("valid", 0)
    ended = events(served, recording)[-1]
    assert (ended["type"], ended["winners"]) == ("game_end", [2])
    assert ended["digest"].startswith("sha256:")
    assert [
        event["hand"]
        for event in events(served, recording)
        if event["type"] == "eliminate" and "hand" in event
    ] == [["10", "9", "?", "?"]]
    # Who comes back to the page finds the same, calmly.
    page.reload()
    expect(page.get_by_role("heading", name="Jürgen wins")).to_be_visible()
    expect(page.get_by_role("button", name="New game")).to_be_visible()
    expect(page.locator(".pad-note")).to_have_count(0)
    page.get_by_role("button", name="Put it into the library").click()
    expect(page.get_by_text("In your library: 1 game")).to_be_visible()
    page.get_by_role("link", name="Replay it").click()
    expect(page.locator(".ono")).to_be_visible()


def test_points_are_asked_for_at_the_end_of_a_round(served, visit):
    page = visit().open()
    recording = begin(page, ["Ann", "Bo"], "1980", "match=points_last_standing points_target=200")
    press(page, *["10"] * 9, "7")
    saved(page)
    page.get_by_role("button", name="Can’t play").click()
    page.get_by_role("button", name="The next card is a bust card").click()
    for token in ("9", "9", "8"):
        page.locator(f'dialog .pad-card[data-token="{token}"]').click()
    page.get_by_role("button", name="Ann is out").click()
    expect(page.locator("dialog")).to_contain_text("The round is over")
    page.get_by_label("Ann").fill("60")
    page.get_by_label("Bo").fill("22")
    page.get_by_role("button", name="Write the points down").click()
    expect(page.locator(".pad-seats")).to_contain_text("22 pts")
    ends = [event for event in events(served, recording) if event["type"] == "round_end"]
    assert ends[-1]["points"] == [60, 22]


def test_a_reload_goes_on_and_a_second_tab_is_told(served, visit):
    visitor = visit()
    page = visitor.open()
    recording = begin(page)
    press(page, "7")
    saved(page)
    page.reload()
    total(page, 7)
    press(page, "3")
    total(page, 10)
    other = visitor.open()
    expect(other.get_by_text("Another page records this game.")).to_be_visible()
    assert other.locator(".pad-keys .pad-card").first.is_disabled()
    press(page, "5")
    total(other, 15)
    other.get_by_role("button", name="Record here").click()
    press(other, "6")
    total(other, 21)
    expect(page.get_by_text("Another page records this game.")).to_be_visible()
    assert page.locator(".pad-keys .pad-card").first.is_disabled()
    total(page, 21)
    # A tab that was duplicated has the storage of the first, and is another all the same.
    with visitor.context.expect_page() as opened:
        other.evaluate("window.open('/record')")
    expect(opened.value.get_by_text("Another page records this game.")).to_be_visible()
    press(other, "1")
    total(opened.value, 22)
    # Pages that go leave the game to one of the same browser, and only to that.
    stranger = visit().open()
    stranger.get_by_role("button", name="Ann, Bo; round 1, total 22").click()
    expect(stranger.get_by_text("Another page records this game.")).to_be_visible()
    page.close()
    other.close()
    saved(opened.value)
    press(opened.value, "2")
    total(opened.value, 24)
    total(stranger, 24)
    expect(stranger.get_by_text("Another page records this game.")).to_be_visible()
    assert played(served, recording) == ["7", "3", "5", "6", "1", "2"]


def test_without_a_link_entries_wait_and_are_sent_once(served, visit):
    visitor = visit()
    page = visitor.open()
    recording = begin(page)
    press(page, "7")
    saved(page)
    visitor.link_is_down = True
    visitor.context.set_offline(True)
    press(page, "10", "9", "8")
    # The last one was never sent: undo takes it out of the page.
    page.get_by_role("button", name="Undo").click()
    press(page, "6")
    expect(page.locator(".pad-saved")).to_have_text("3 unsaved")
    expect(page.get_by_text("No link to the computer.")).to_be_visible()
    total(page, 32)
    assert played(served, recording) == ["7"]
    visitor.context.set_offline(False)
    saved(page)
    total(page, 32)
    assert played(served, recording) == ["7", "10", "9", "6"]
    # A page that only watches is told nothing but that the link is down, and has who is to play in sight.
    watcher = visitor.open()
    expect(watcher.locator(".pad-note")).to_contain_text("Another page records this game.")
    expect(watcher.locator(".pad-seat[aria-current]")).to_be_in_viewport(ratio=1)
    visitor.context.set_offline(True)
    told = "No link to the computer. Nothing new is seen until it is back."
    expect(watcher.locator(".pad-note")).to_have_text(told)
    expect(watcher.locator(".pad-seat[aria-current]")).to_be_in_viewport(ratio=1)


def test_an_entry_whose_answer_is_lost_is_taken_once(served, visit):
    visitor = visit()
    page = visitor.open()
    recording = begin(page)
    lost = []
    links = ["down"]

    def lose(route):
        if "up" in links:
            route.continue_()
            return
        route.fetch()
        lost.append(route.request.post_data_json["id"])
        route.abort()

    visitor.link_is_down = True
    page.route("**/table/enter", lose)
    press(page, "7")
    # From the very first moment nothing is called saved that is not.
    assert page.locator(".pad-saved").inner_text() != "Saved"
    wait_for(lambda: len(lost) > 1 or page.wait_for_timeout(50), "sending again")
    assert len(set(lost)) == 1
    expect(page.locator(".pad-saved")).to_have_text("1 unsaved")
    # Also across a reload: what is unsaved lies in the browser.
    links.append("up")
    page.reload()
    total(page, 7)
    saved(page)
    assert played(served, recording) == ["7"]


def test_a_storage_that_takes_nothing_more_loses_no_entry(served, visit):
    page = visit().open()
    recording = begin(page)
    page.evaluate("() => { Storage.prototype.setItem = () => { throw new Error('full'); }; }")
    press(page, "7", "8")
    total(page, 15)
    saved(page)
    assert played(served, recording) == ["7", "8"]


def test_a_second_press_begins_no_second_game_and_what_is_shown_stays(served, visit):
    page = visit().open()
    before = set(served.recordings.glob("*"))

    def answer_late(route):
        page.wait_for_timeout(200)
        route.continue_()

    page.route("**/table/begin", answer_late)
    seat(page, ["Ann", "Bo"])
    page.get_by_role("button", name="Begin").dblclick()
    page.get_by_role("button", name="Can’t play").click()
    page.get_by_role("button", name="is out, hand not shown").click()
    page.get_by_role("button", name="Finish, and close").click()
    again = page.get_by_role("button", name="New game")
    again.wait_for()
    assert len(set(served.recordings.glob("*")) - before) == 1
    # The page looks again and again; what is about to be pressed is not taken from under the finger.
    again.focus()
    page.locator(".pad").evaluate("root => root.pad.look()")
    page.locator(".pad").evaluate("root => root.pad.look()")
    expect(again).to_be_focused()


def test_a_torn_last_line_is_told_once(served, visit):
    page = visit().open()
    recording = begin(page)
    press(page, "7")
    saved(page)
    leave(page)
    with (served.recordings / recording).open("ab") as log:
        log.write(b'{"seq":7,"type":"pl')
    page.get_by_role("button", name=recording.removesuffix(".ono.jsonl")).click()
    note = page.locator(".pad-note")
    expect(note).to_contain_text(f"was torn and was put into {recording}.torn-")
    note.get_by_role("button", name="Close").click()
    expect(note).to_have_count(0)
    page.reload()
    total(page, 7)
    expect(note).to_have_count(0)


@pytest.mark.parametrize("late", ["look is asked", "leave is answered", "enter is asked"])
def test_what_is_left_is_not_taken_up_again_by_what_is_under_way(served, visit, late):
    """Whatever comes late, the log is free for another program, no entry is lost, and no request is refused."""
    page = visit().open()
    recording = begin(page)
    page.evaluate(COME_LATE, late)
    if late == "enter is asked":
        press(page, "7")
    page.get_by_role("button", name="More").click()
    page.get_by_role("button", name="Leave it open").click()
    page.locator(".pad").evaluate("root => void root.pad.look()")
    page.get_by_role("button", name="Stop here").click()
    page.locator(".pad").evaluate("root => void root.pad.look()")
    page.get_by_role("heading", name="New game").wait_for()
    wait_for(lambda: page.evaluate("window.underWay === 0"), "the last answer")
    with Recorder.resume(served.recordings / recording) as recorder:
        assert recorder.state.total == (7 if late == "enter is asked" else 0)


def test_who_looks_elsewhere_holds_nothing_that_comes_free_meanwhile(served, visit):
    visitor = visit()
    page = visitor.open()
    recording = begin(page)
    leave(page)
    with Recorder.resume(served.recordings / recording):
        page.get_by_role("button", name=recording.removesuffix(".ono.jsonl")).click()
        elsewhere = page.get_by_role("button", name="Other games")
        elsewhere.wait_for()
        page.evaluate(COME_LATE, "open is answered")
    page.locator(".pad").evaluate("root => void root.pad.look()")
    elsewhere.click()
    page.get_by_role("heading", name="New game").wait_for()
    wait_for(lambda: page.evaluate("window.underWay === 0"), "the last answer")
    expect(page.get_by_role("heading", name="New game")).to_be_visible()
    with Recorder.resume(served.recordings / recording) as recorder:
        assert recorder.state.total == 0
    # That another program holds it was answered as such, each time.
    assert visitor.wrong
    assert all("423 (Locked)" in wrong for wrong in visitor.wrong)
    visitor.wrong.clear()


def test_what_was_not_saved_is_not_put_behind_what_somebody_else_wrote(served, visit):
    visitor = visit()
    page = visitor.open()
    recording = begin(page)
    press(page, "7")
    saved(page)
    visitor.link_is_down = True
    cut = {"enter", "leave", "look"}
    page.route(
        "**/table/*",
        lambda route: route.abort() if route.request.url.split("/")[-1] in cut else route.continue_(),
    )
    press(page, "1", "2")
    expect(page.locator(".pad-saved")).to_have_text("2 unsaved")
    page.get_by_role("button", name="More").click()
    page.get_by_role("button", name="Leave it open").click()
    expect(page.get_by_text("2 entries are not saved yet")).to_be_visible()
    page.get_by_role("button", name="Stop here").click()
    expect(page.get_by_text("there the game is still held")).to_be_visible()
    # Only letting go gets through.
    cut.remove("leave")
    page.get_by_role("button", name="Try again").click()
    page.get_by_role("heading", name="New game").wait_for()
    expect(page.get_by_role("button", name=recording.removesuffix(".ono.jsonl"))).to_contain_text(
        "2 entries unsaved"
    )
    with Recorder.resume(served.recordings / recording) as recorder:
        Table(recorder).enter("10")
    cut.clear()
    visitor.link_is_down = False
    page.get_by_role("button", name=recording.removesuffix(".ono.jsonl")).click()
    expect(page.get_by_text("Somebody else has written since, the newest: Bo plays 10")).to_be_visible()
    assert played(served, recording) == ["7", "10"]
    page.get_by_role("button", name="Yes").click()
    total(page, 20)
    saved(page)
    assert played(served, recording) == ["7", "10", "1", "2"]


def test_a_question_stays_until_it_is_answered_and_is_about_one_entry(served, visit):
    visitor = visit()
    page = visitor.open()
    recording = begin(page)
    press(page, "7")
    saved(page)
    press(page, "ono_99")
    question = page.get_by_role("heading", name="Not entered: ONO 99")
    for _ in range(4):
        question.wait_for()
        page.keyboard.press("Escape")
    expect(question).to_be_visible()
    # In another tab of the same browser, where the same entry waits, it is taken out.
    page.evaluate("""() => {
      const [name] = Object.keys(localStorage).filter((one) => one.startsWith("ono-pad-queue:"));
      const { entries } = JSON.parse(localStorage[name]);
      localStorage[name] = JSON.stringify({ entries: [{ ...entries[0], id: "a-newer-one", text: "8", say: "8" }] });
    }""")
    page.get_by_role("button", name="Take it out").click()
    total(page, 15)
    assert played(served, recording) == ["7", "8"]


def test_a_tab_does_not_take_up_what_another_has_left_and_a_closed_one_holds_nothing(served, visit):
    visitor = visit()
    first = visitor.open()
    recording = begin(first)
    second = visitor.open()
    second.get_by_role("button", name="Record here").click()
    press(second, "7")
    saved(second)
    leave(second)
    first.locator(".pad").evaluate("root => root.pad.look()")
    expect(first.get_by_text("Nobody records this game here at the moment")).to_be_visible()
    with Recorder.resume(served.recordings / recording):
        pass
    first.get_by_role("button", name="Record here").click()
    press(first, "8")
    saved(first)
    first.close(run_before_unload=False)
    second.close(run_before_unload=False)

    def is_free():
        try:
            with Recorder.resume(served.recordings / recording) as recorder:
                return recorder.state.total == 15
        except LogHeld:
            return False

    wait_for(is_free, "letting go")


def test_a_killed_server_loses_nothing_and_takes_nothing_twice(browser, visit, tmp_path):
    with Served(tmp_path) as first:
        visitor = visit(served=first)
        page = visitor.open()
        recording = begin(page)
        press(page, "7", "1")
        saved(page)
        visitor.link_is_down = True
        # In the middle of a quick run of entries.
        keys = ["2", "3", "4", "5", "6", "8", "9"]
        page.evaluate(SEE_MESSAGES)
        press(page, *keys[:3])
        first.kill()
        press(page, *keys[3:5])
        # Streamlit's own message would stand in the way; it goes by itself.
        wait_for(lambda: page.evaluate("window.messages > 0"), "the message")
        press(page, *keys[5:])
    expect(page.locator(".pad-saved")).to_have_text(re.compile(r"\d unsaved"))
    told = played(first, recording)
    assert told == ["7", "1", *keys][: len(told)]
    with Served(tmp_path, port=first.port) as second:
        saved(page)
        total(page, 45)
        assert played(second, recording) == ["7", "1", *keys]
        ids = [event["meta"]["entry"] for event in events(second, recording) if "meta" in event]
        assert len(ids) == len(set(ids)) == 9
        press(page, "10")
        total(page, 55)
        # A terminal is told who has the log, and so is the page where a terminal has it.
        page.get_by_role("button", name="More").click()
        page.get_by_role("button", name="Leave it open").click()
        page.get_by_role("button", name="Stop here").click()
        entry = page.get_by_role("button", name="Ann, Bo; round 1, total 55")
        entry.wait_for()
        with Recorder.resume(second.recordings / recording):
            entry.click()
            expect(page.get_by_text("Another program records this game at the moment.")).to_be_visible()
        total(page, 55)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_names_are_text_and_everybody_can_use_it(visit, scheme):
    page = visit(color_scheme=scheme).open()
    begin(page, HOSTILE, rules="")
    shown = page.locator(".pad-seat b").all_inner_texts()
    assert shown == [HOSTILE[0], HOSTILE[1], r"\u{202e}evil", HOSTILE[3]]
    assert page.locator(".pad img, .pad a").count() == 0
    assert not serious(page)
    # On a small screen what stands above the cards is scrolled, by the keyboard too.
    page.set_viewport_size({"width": 360, "height": 520})
    page.locator(".pad").evaluate("root => root.pad.look()")
    expect(page.get_by_role("group", name="The table")).to_have_attribute("tabindex", "0")
    assert not serious(page)
    page.set_viewport_size({"width": 390, "height": 844})
    page.get_by_role("button", name="Can’t play").click()
    assert not serious(page)
    page.get_by_role("button", name="Back", exact=True).click()
    page.get_by_role("button", name="More").click()
    page.get_by_role("button", name="Leave it open").click()
    page.get_by_role("button", name="Stop here").click()
    page.get_by_role("button", name="Begin").wait_for()
    assert not serious(page)
    page.locator(".pad").evaluate("pad => pad.append(document.createElement('img'))")
    assert [rule for rule, _ in serious(page)] == ["image-alt"]


def serious(page):
    """What a checker finds in the pad: it lies in a shadow tree, so its elements are named by two steps."""
    found = Axe().run(page).response["violations"]
    return [
        (one["id"], node["html"])
        for one in found
        for node in one["nodes"]
        if one["impact"] in ("serious", "critical") and any(isinstance(step, list) for step in node["target"])
    ]


def test_everything_goes_by_keyboard(served, visit):
    page = visit(viewport={"width": 1280, "height": 800}).open()
    recording = begin(page)
    page.locator('.pad-keys .pad-card[data-token="7"]').focus()
    page.keyboard.press("Enter")
    total(page, 7)
    page.keyboard.press("Tab")
    page.keyboard.press("Space")
    total(page, 15)
    page.get_by_role("button", name="More").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="More")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="More")).to_be_focused()
    assert played(served, recording) == ["7", "8"]


def test_what_can_not_begin_is_told_while_it_is_put_together(served, visit):
    """Nothing of it is an error in the console: `visit` looks at that."""
    page = visit().open()
    field, add = page.get_by_label("Another player"), page.get_by_role("button", name="Add", exact=True)
    begins, why = page.get_by_role("button", name="Begin"), page.locator("#pad-why")
    field.wait_for()
    if page.get_by_role("button", name="Remove all").count():
        expect(page.get_by_text("The players of the last game are filled in.")).to_be_visible()
        page.get_by_role("button", name="Remove all").click()
        expect(page.get_by_role("button", name="The players of the last game")).to_be_visible()
    expect(page.get_by_text("Nobody yet")).to_be_visible()
    expect(begins).to_be_disabled()
    for name in ("Anna", "Straße"):
        field.fill(name)
        add.click()
    expect(begins).to_be_enabled()
    field.fill("Cy")
    expect(why).to_have_text("Cy is not at the table yet: add the name, or clear the field.")
    expect(begins).to_be_disabled()
    field.fill("")
    expect(begins).to_be_enabled()
    for name in (" anna", "STRASSE"):
        field.fill(name)
        expect(page.locator("#pad-alike")).to_contain_text("Two players are called")
        expect(add).to_be_disabled()
        field.press("Enter")
        expect(field).to_have_value(name)
    # Quicker than the answer, it is told above the button.
    field.evaluate("field => { field.value = 'ANNA'; }")
    add.evaluate("button => { button.disabled = false; button.click(); }")
    expect(why).to_contain_text("Two players are called Anna and ANNA")
    expect(begins).to_be_disabled()
    page.locator(".pad-players li").last.get_by_role("button", name="does not play").click()
    expect(why).to_be_empty()
    expect(begins).to_be_enabled()
    page.get_by_text("House rules").click()
    page.get_by_label("Rules, or").fill("max_total=x")
    expect(why).to_contain_text("max_total")
    expect(begins).to_be_disabled()
    # The server refuses all the same, in words.
    begins.evaluate("button => { button.disabled = false; button.click(); }")
    expect(why).to_contain_text("max_total")
    page.get_by_label("Rules, or").fill("")
    expect(why).to_be_empty()
    begins.click()
    page.get_by_role("button", name="Undo").wait_for()
