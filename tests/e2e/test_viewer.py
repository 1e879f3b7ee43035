"""The replay viewer in a real browser, as the page of `export html`."""

import io
import json
import re

import msgspec
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from ono_replay.bundle import bundle_path
from ono_replay.check.printable import printable
from ono_replay.export.html import page_of, viewer_source
from ono_replay.export.payload import NotShowable, Options, build_payload
from ono_replay.export.wording import say_verdict
from ono_replay.log.jsonl import canonical
from ono_replay.log.redact import view_of
from ono_replay.replay import read_replay, read_replays
from ono_replay.rules.events import Deal, Eliminate, GameEnd, Play
from tests.e2e.pages import NAMES, make_game, replay_of, write_page

PHONE = {
    "viewport": {"width": 390, "height": 844},
    "has_touch": True,
    "is_mobile": True,
    "device_scale_factor": 2,
}
EVIL = [
    '"', "{}", "$", "<b>x</b>", "&amp;", "a\nb", "a\tb", "\u202eevil", "👩‍👩‍👧 family", "Zoe\u0301", "Zo\u00e9", "",
    "   ", "N" * 10_000, "None", "null", "__proto__", "=cmd()", "../../x", "play",
    "<img src=x onerror=alert(1)>", "![](http://example.invalid/a.png)", "</script><script>alert(2)</script>",
    "{0}", "\\u{202e}", "\u200bhidden", "]]>",
]  # fmt: skip


@pytest.fixture(scope="module")
def events():
    return make_game(seed=9)


@pytest.fixture(scope="module")
def game_page(tmp_path_factory, events):
    return write_page(tmp_path_factory.mktemp("viewer") / "game.html", events, Options(log="game.ono.jsonl"))


def viewer(page: Page):
    return page.locator(".ono")


def index(page: Page) -> int:
    return int(viewer(page).get_attribute("data-index") or -1)


def seq(page: Page) -> int:
    return int(viewer(page).get_attribute("data-seq") or -1)


def total(page: Page) -> int:
    return int(page.locator(".ono-figure").inner_text().replace("−", "-"))


def first(events, kind, after=0):
    return next(place for place, event in enumerate(events) if place > after and isinstance(event, kind))


def test_it_opens_where_the_cards_are_dealt(open_page, game_page, events):
    page = open_page(game_page)
    assert index(page) == max(place for place, event in enumerate(events[:10]) if isinstance(event, Deal))
    expect(page.locator(".ono-seat")).to_have_count(4)
    expect(page.locator(".ono-seat .ono-card")).to_have_count(16)
    assert page.title() == f"{events[0].game_id} – ONO 99 replay"


def test_thirty_presses_at_thirty_hertz_are_thirty_steps(open_page, game_page):
    page = open_page(game_page)
    begun = index(page)
    for _ in range(30):
        page.keyboard.press("ArrowRight")
        page.wait_for_timeout(33)
    assert index(page) == begun + 30
    for _ in range(30):
        page.keyboard.press("ArrowLeft")
        page.wait_for_timeout(33)
    assert index(page) == begun


def test_every_step_shows_the_state_of_the_replay(open_page, game_page, events):
    page = open_page(game_page)
    page.keyboard.press("Home")
    replay = replay_of(events)
    seen = page.evaluate(
        """() => {
          const seen = [];
          for (let step = 0; step < 60; step++) {
            document.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight" }));
            const text = (css) => document.querySelector(css).textContent;
            seen.push({
              total: text(".ono-figure").replace("−", "-"),
              draw: text(".is-draw .ono-count"),
              discard: text(".is-discard .ono-count"),
              hands: [...document.querySelectorAll(".ono-seat")].map((seat) =>
                [...seat.querySelectorAll(".ono-hand .ono-card")].map((card) => card.dataset.token)),
              acting: [...document.querySelectorAll(".ono-seat.is-acting")].map((seat) => Number(seat.dataset.seat)),
            });
          }
          return seen;
        }"""
    )
    for told, state in zip(seen, replay.states, strict=False):
        assert told["total"] == str(state.total)
        assert (told["draw"], told["discard"]) == (str(state.draw_pile), str(state.discard_pile))
        assert [tuple(hand) for hand in told["hands"]] == list(state.hands)
        assert told["acting"] == ([] if state.turn is None or state.draws_due else [state.turn])


def test_keys_by_turn_round_and_meaning(open_page, game_page, events):
    page = open_page(game_page)
    page.keyboard.press("ArrowDown")
    play = first(events, Play)
    assert index(page) == play
    page.keyboard.press("ArrowDown")
    assert index(page) == first(events, Play, play)
    page.keyboard.press("ArrowUp")
    assert index(page) == play
    page.keyboard.press("e")
    assert index(page) == first(events, Eliminate)
    page.keyboard.press("b")
    assert index(page) == play
    page.keyboard.press("p")
    assert events[index(page)].card == "play_2"
    page.keyboard.press("Shift+K")
    page.keyboard.press("End")
    assert index(page) == len(events) - 1
    page.keyboard.press("Home")
    assert index(page) == 0


def test_rounds_of_a_match(open_page, tmp_path):
    events = make_game(edition="1980", match="points_low_score", points_target=150)
    page = open_page(write_page(tmp_path / "match.html", events))
    starts = [place for place, event in enumerate(events) if event.type == "round_start"]
    assert len(starts) > 1
    page.keyboard.press("PageDown")
    assert starts[1] < index(page) <= starts[1] + 4
    expect(page.locator(".ono-round")).to_have_text(f"Round 2 of {len(starts)}")
    page.get_by_role("tab", name="Match").click()
    expect(page.locator(".ono-scores tbody tr")).to_have_count(4)
    page.keyboard.press("End")
    last = events[-1]
    assert isinstance(last, GameEnd)
    winner = NAMES[last.winners[0]]
    expect(page.locator(".ono-final")).to_contain_text(winner)
    expect(page.locator(".ono-seat.is-winner .ono-name").first).to_have_text(winner)


def test_the_list_and_the_curve_are_in_step(open_page, game_page):
    page = open_page(game_page)
    page.locator(".ono-event").nth(30).click()
    assert index(page) == 30
    now = page.locator(".ono-event.is-now")
    expect(now).to_have_count(1)
    expect(now).to_have_attribute("aria-current", "step")
    box = page.locator(".ono-course").bounding_box()
    page.mouse.move(box["x"] + box["width"] * 0.5, box["y"] + 40)
    page.mouse.down()
    middle = index(page)
    page.mouse.move(box["x"] + box["width"] * 0.75, box["y"] + 40)
    page.mouse.up()
    assert 30 < middle < index(page)
    expect(page.locator(".ono-course")).to_have_attribute("aria-valuenow", str(index(page)))
    page.keyboard.press("b")
    assert index(page) == 30


def test_one_seat_sees_its_own_hand_only(open_page, game_page):
    page = open_page(game_page)
    page.keyboard.press("2")
    expect(page.locator('[data-seat="2"] .ono-hand [data-token]')).to_have_count(4)
    expect(page.locator(".ono-hand .is-down")).to_have_count(12)
    page.keyboard.press("h")
    expect(page.locator(".ono-hand .is-down")).to_have_count(16)
    page.keyboard.press("a")
    expect(page.locator(".ono-hand .is-down")).to_have_count(0)
    page.keyboard.press("1")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    labels = page.locator(".ono-event.is-draw").evaluate_all("rows => rows.map(row => row.ariaLabel)")
    assert {label.partition(" draws ")[2] for label in labels if not label.startswith("Bo ")} == {"a card"}
    assert any(label.startswith("Bo draws ") and "a card" not in label for label in labels)


def test_the_future_can_be_hidden(open_page, game_page, events):
    page = open_page(game_page)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("u")
    now = index(page)
    visible = page.locator(".ono-event").evaluate_all(
        "rows => rows.filter(row => row.checkVisibility({visibilityProperty: true})).length"
    )
    assert visible == now + 1
    expect(page.locator(".ono-ahead")).to_be_hidden()
    assert str(len(events) - 1) not in page.locator(".ono-place").inner_text()
    page.get_by_role("tab", name="Match").click()
    expect(page.locator(".ono-panel:visible")).to_have_text("No round is over yet.")


def test_playing_by_itself_pauses_at_an_elimination(open_page, game_page, events):
    page = open_page(game_page)
    out = first(events, Eliminate)
    page.evaluate(f"location.hash = '#event={out - 3}'")
    expect(viewer(page)).to_have_attribute("data-index", str(out - 3))
    for _ in range(3):
        page.keyboard.press("+")
    page.keyboard.press(" ")
    expect(page.get_by_role("button", name="Pause", exact=True)).to_be_visible()
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    assert index(page) == out


def test_a_card_tells_when_it_came_and_when_it_went(open_page, game_page, events):
    page = open_page(game_page)
    play = events[first(events, Play)]
    page.locator(f'[data-seat="{play.seat}"] .ono-hand [data-token="{play.card}"]').first.click()
    sheet = page.locator(".ono-sheet")
    expect(sheet).to_contain_text("Dealt at event")
    expect(sheet).to_contain_text("Can be played now")
    sheet.get_by_role("button", name=re.compile(rf"event {play.seq} ")).click()
    assert seq(page) == play.seq
    expect(sheet).to_be_hidden()


def test_what_could_have_been_played_leads_to_a_branch(open_page, game_page, events):
    page = open_page(game_page)
    page.keyboard.press("ArrowRight")
    page.locator(".ono-choice").first.click()
    before = events[index(page) - 1].seq
    expect(page.locator(".ono-sheet code")).to_have_text(
        f"ono-replay branch game.ono.jsonl what-if.ono.jsonl --seq {before}"
    )
    page.keyboard.press("Escape")
    expect(page.locator(".ono-sheet")).to_be_hidden()


def test_a_finding_stands_at_its_event(open_page, tmp_path, events):
    place = first(events, Play, 20)
    wrong = msgspec.structs.replace(events[place], total=events[place].total + 3)
    page = open_page(write_page(tmp_path / "wrong.html", [*events[:place], wrong, *events[place + 1 :]]))
    page.keyboard.press("x")
    assert index(page) == place
    expect(page.locator(".ono-faults")).to_contain_text("ONO306")
    expect(page.locator(f'[data-seat="{wrong.seat}"]')).to_have_class(re.compile("is-fault"))
    page.get_by_role("tab", name="Findings").click()
    expect(page.locator(".ono-found")).to_contain_text("ONO306")
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".ono-faults > *")).to_have_count(0)


def test_more_findings_than_there_is_room_for_are_scrolled_by_the_keyboard(open_page, tmp_path, events):
    play = first(events, Play)
    lines = [canonical(event) for event in events]
    lines[play] = lines[play].removesuffix(b"}") + b"".join(b',"key%d":1' % key for key in range(20)) + b"}"
    replay = read_replay(io.BytesIO(b"\n".join(lines) + b"\n"))
    path = tmp_path / "notes.html"
    path.write_text(page_of(build_payload(replay, Options(event=events[play].seq))), encoding="utf-8")
    page = open_page(path)
    expect(page.locator(".ono-faults .ono-finding")).to_have_count(20)
    expect(page.get_by_role("group", name="Findings at this event")).to_have_attribute("tabindex", "0")
    look_over(page)
    page.keyboard.press("ArrowRight")
    expect(page.locator(".ono-faults")).to_be_hidden()


def test_an_irregular_play_is_shown_as_let_stand(open_page, tmp_path, events):
    place = first(events, Play, 20)
    stood = msgspec.structs.replace(events[place], total=events[place].total + 3, irregular=True)
    page = open_page(write_page(tmp_path / "stood.html", [*events[:place], stood]))
    page.keyboard.press("x")
    expect(page.locator(".ono-stood")).to_have_text("let stand at the table")


def test_the_address_is_a_link_to_the_moment(open_page, game_page, events):
    page = open_page(game_page, f"#game={events[0].game_id}&event=25&seat=1")
    assert seq(page) == 25
    expect(page.locator(".ono-eyes select")).to_have_value("1")
    page.keyboard.press("ArrowRight")
    expect(page).to_have_url(re.compile("event=26&seat=1"))
    page.reload()
    assert seq(page) == 26
    expect(page.locator(".ono-eyes select")).to_have_value("1")
    page.goto("about:blank")
    page.go_back()
    assert seq(page) == 26
    page.goto(game_page.as_uri() + "#game=another&event=30")
    page.reload()
    assert seq(page) != 30


def test_a_link_is_copied(open_page, game_page):
    page = open_page(game_page, permissions=["clipboard-read", "clipboard-write"])
    page.keyboard.press("c")
    expect(page.locator(".ono-toast")).to_contain_text("copied")
    assert page.evaluate("navigator.clipboard.readText()").endswith(f"&event={seq(page)}")


@pytest.mark.parametrize("size", ["wide", "phone"])
def test_names_are_shown_exactly_and_do_nothing(open_page, tmp_path, size):
    for part in range(0, len(EVIL), 6):
        names = [*EVIL[part : part + 6], "Ann"][:6]
        page = open_page(
            write_page(tmp_path / f"{part}.html", make_game(names)), **(PHONE if size == "phone" else {})
        )
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowRight")
        page.get_by_role("tab", name="About").click()
        told = page.locator(".ono-people bdi:first-child").evaluate_all(
            "all => all.map(one => one.textContent)"
        )
        assert told == [printable(name) or "(no name)" for name in names]
        assert viewer(page).evaluate("root => root.scrollWidth <= root.clientWidth")
        expect(page.locator(".ono img, .ono script, .ono b:has-text('x')")).to_have_count(0)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("size", ["wide", "phone"])
def test_accessibility(open_page, game_page, theme, size):
    page = open_page(game_page, color_scheme=theme, **(PHONE if size == "phone" else {}))
    expect(viewer(page)).to_have_attribute("data-theme", theme)
    look_over(page)
    for key in ("e", "End", "?"):
        page.keyboard.press(key)
        look_over(page)
    page.keyboard.press("Escape")
    for name in ("Match", "Cards", "About") if size == "wide" else ():
        page.get_by_role("tab", name=name).click()
        look_over(page)


def look_over(page: Page) -> None:
    found = Axe().run(page).response["violations"]
    grave = [
        f"{rule['id']}: {rule['nodes'][0]['html'][:200]} {rule['nodes'][0]['failureSummary'][:300]}"
        for rule in found
        if rule["impact"] in ("serious", "critical")
    ]
    assert not grave


def test_the_theme_can_be_turned(open_page, game_page):
    page = open_page(game_page, color_scheme="dark")
    ground = viewer(page).evaluate("root => getComputedStyle(root).backgroundColor")
    page.keyboard.press("d")
    expect(viewer(page)).to_have_attribute("data-theme", "light")
    assert viewer(page).evaluate("root => getComputedStyle(root).backgroundColor") != ground


def test_a_screen_reader_is_told(open_page, game_page, events):
    page = open_page(game_page)
    page.keyboard.press("ArrowRight")
    play = events[index(page)]
    live = page.locator(".ono-live")
    expect(live).to_contain_text(f"{NAMES[play.seat]} plays")
    expect(live).to_contain_text(f"Total {play.total}")


def test_with_the_keyboard_alone(open_page, game_page):
    page = open_page(game_page)
    outline = "root => getComputedStyle(root).outlineStyle"
    page.keyboard.press("Tab")
    expect(viewer(page)).to_be_focused()
    assert viewer(page).evaluate(outline) == "solid"
    viewer(page).evaluate("root => root.blur()")
    page.locator(".ono-caption").click()
    page.keyboard.press("ArrowRight")
    expect(viewer(page)).to_be_focused()
    assert viewer(page).evaluate(outline) == "none"
    reached = set()
    for _ in range(80):
        page.keyboard.press("Tab")
        reached.add(
            page.evaluate(
                "document.activeElement.getAttribute('aria-label') || document.activeElement.title || document.activeElement.textContent"
            )
        )
    assert {
        "Play",
        "Next event",
        "Course of the total",
        "Keys and help",
        "Speed",
        "Whose cards are seen",
    } <= reached
    page.get_by_role("button", name="Next event").focus()
    begun = index(page)
    page.keyboard.press("Enter")
    assert index(page) == begun + 1
    page.keyboard.press("?")
    expect(page.locator(".ono-help")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(".ono-help")).to_be_hidden()
    page.keyboard.press("ArrowRight")
    assert index(page) == begun + 2


@pytest.mark.parametrize("players", [2, 3, 5, 8])
def test_a_phone(open_page, tmp_path, players):
    events = make_game(NAMES[:players], edition="1980", match="single")
    page = open_page(write_page(tmp_path / "phone.html", events), **PHONE)
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    for button in page.locator(".ono-buttons button:visible").all():
        box = button.bounding_box()
        assert box["width"] >= 40
        assert box["height"] >= 40
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 390
    cards = [card.bounding_box() for card in page.locator(".ono-seat .ono-card").all()]
    assert all(card["x"] >= 0 and card["x"] + card["width"] <= 390 for card in cards)
    begun = index(page)
    page.get_by_role("button", name="Next event").tap()
    assert index(page) == begun + 1
    swipe(page, -80)
    swipe(page, -80)
    assert index(page) == begun + 3
    swipe(page, 80)
    assert index(page) == begun + 2


@pytest.mark.parametrize("players", [2, 4, 8])
def test_a_phone_held_sideways(open_page, tmp_path, players):
    events = make_game(NAMES[:players], edition="1980", match="single")
    page = open_page(
        write_page(tmp_path / "phone.html", events), **PHONE | {"viewport": {"width": 844, "height": 390}}
    )
    page.keyboard.press("End")
    expect(page.locator(".ono-course")).to_be_hidden()
    assert page.locator(".ono-sum").inner_text() == f"Total {page.locator('.ono-figure').inner_text()}"
    expect(page.locator(".ono-id")).to_have_text(replay_of(events).game_id)
    bar = page.locator(".ono-foot").bounding_box()
    assert bar["height"] <= 60
    shown = page.locator(".ono-figure, .ono-seat .ono-card, .ono-caption").all()
    for box in (one.bounding_box() for one in shown):
        assert box["y"] >= 0
        assert box["y"] + box["height"] <= bar["y"]
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 844


def test_on_a_phone_the_list_follows_above_the_bar(open_page, tmp_path):
    events = make_game(NAMES[:4], edition="1980", match="single")
    page = open_page(write_page(tmp_path / "phone.html", events), **PHONE)
    expect(page.locator(".ono-id")).to_be_visible()
    expect(page.locator(".ono-id")).to_have_text(replay_of(events).game_id)
    bar = page.locator(".ono-foot").bounding_box()
    for _ in range(30):
        page.keyboard.press("ArrowRight")
        row = page.locator(".ono-event.is-now").bounding_box()
        assert row["y"] + row["height"] <= bar["y"]


def test_what_is_said_of_a_game_that_was_not_wholly_true_to_the_rules(open_page, tmp_path, events):
    changed = list(events)
    place = first(events, Play)
    changed[place] = msgspec.structs.replace(events[place], irregular=True, total=events[place].total + 1)
    replay = replay_of(changed)
    page = open_page(write_page(tmp_path / "stood.html", changed))
    for tab in ("Findings", "About"):
        page.get_by_role("tab", name=tab).click()
        panel = page.locator(".ono-panel:visible")
        expect(panel).to_contain_text(say_verdict(replay.report, replay.events))
        expect(panel).not_to_contain_text("true to the rules")


def test_the_rules_that_matter_are_told_in_words(open_page, game_page):
    page = open_page(game_page)
    page.get_by_role("tab", name="About").click()
    panel = page.locator(".ono-panel:visible")
    expect(panel).to_contain_text("Highest total")
    for name in ("points target", "chips", "_"):
        expect(panel).not_to_contain_text(name)


def test_who_left_is_named_so_on_the_plate(open_page, tmp_path):
    whole = make_game(NAMES[:3], edition="1980", match="chips")
    place = first(whole, Play)
    leaves = Eliminate(whole[place].seq, 1, "left", None)
    page = open_page(write_page(tmp_path / "left.html", [*whole[:place], leaves]))
    page.keyboard.press("End")
    expect(page.locator('[data-seat="1"] .ono-state')).to_have_text("left")


def swipe(page: Page, by: int) -> None:
    """Draw a finger across the table, as the browser would see it."""
    touch = page.context.new_cdp_session(page)
    for kind, points in (
        ("touchStart", [{"x": 200, "y": 300}]),
        ("touchMove", [{"x": 200 + by // 2, "y": 302}]),
        ("touchMove", [{"x": 200 + by, "y": 303}]),
        ("touchEnd", []),
    ):
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    page.wait_for_timeout(30)


BOXES = """() => [...document.querySelectorAll(".ono-hand, .ono-plate, .ono-stack, .ono-readout")]
  .map((element) => element.getBoundingClientRect().toJSON())"""


@pytest.mark.parametrize("players", [*range(2, 10), 14])
def test_no_hand_lies_over_another(open_page, tmp_path, players):
    names = [*NAMES, *(f"Player {seat}" for seat in range(len(NAMES), players))][:players]
    rules = {"match": "single", "players_max": 99, "deck": {"5": 90, "10": 30}}
    page = open_page(write_page(tmp_path / "table.html", make_game(names, edition="1980", rules=rules)))
    for width, height in (
        (1920, 1080),
        (1440, 900),
        (1280, 720),
        (1280, 520),
        (1024, 700),
        (768, 1024),
        (390, 844),
        (320, 640),
        (844, 390),
        (667, 375),
    ):
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_timeout(100)
        boxes = page.evaluate(BOXES)
        assert len(boxes) == 2 * players + 3
        if players > 8:  # in rows, which scroll under the middle
            boxes = boxes[3:]
        for place, one in enumerate(boxes):
            for other in boxes[place + 1 :]:
                apart = (
                    one["right"] <= other["left"] + 1
                    or other["right"] <= one["left"] + 1
                    or one["bottom"] <= other["top"] + 1
                    or other["bottom"] <= one["top"] + 1
                )
                assert apart, (width, height, one, other)


def test_a_shared_view_has_no_hidden_card(open_page, tmp_path, events):
    seen = view_of(events, 1)
    path = write_page(tmp_path / "seat.html", seen, Options(seat=1))
    data = json.loads(
        path.read_text(encoding="utf-8").partition('id="payload">')[2].partition("</script>")[0]
    )
    for event in data["events"]:
        if event["type"] == "draw" and event["seat"] != 1:
            assert event["card"] == "?"
        if event["type"] == "deal" and event["seat"] != 1:
            assert event["cards"] == ["?"] * 4
    assert not any(state.get("legal") for state in data["states"][:6] if state.get("turn") != 1)
    page = open_page(path)
    expect(page.locator(".ono-eyes select")).to_have_value("1")
    page.keyboard.press("a")
    expect(page.locator('.ono-hand [data-token="?"]')).to_have_count(12)


def test_a_page_of_150_events_is_small(tmp_path):
    events = make_game(NAMES[:6], edition="1980", match="points_low_score", seed=3)[:150]
    assert len(events) == 150
    assert write_page(tmp_path / "small.html", events).stat().st_size <= 200_000


MOUNT = """
window.moments = [];
window.escaped = 0;
document.addEventListener("keydown", () => window.escaped++);
window.mountAgain = (payload) => {
  const host = document.getElementById("host");
  const shadow = host.shadowRoot || host.attachShadow({ mode: "open" });
  if (!shadow.querySelector("style")) {
    const style = document.createElement("style");
    style.textContent = window.css;
    shadow.append(style);
  }
  return component({
    parentElement: shadow,
    data: { payload },
    setStateValue: (name, value) => window.moments.push(value),
    setTriggerValue: () => {},
  });
};
"""


def test_mounted_as_a_component_it_may_run_again_at_any_time(open_page, events):
    page = open_page()
    page.set_content("<div id='host'></div>")
    page.evaluate("css => { window.css = css; }", viewer_source("palette.css") + viewer_source("viewer.css"))
    module = viewer_source("viewer.js").replace(
        "export default function (", "export default function component("
    )
    page.add_script_tag(type="module", content=module + MOUNT)
    payload = msgspec.to_builtins(build_payload(replay_of(events)))
    page.wait_for_function("!!window.mountAgain")
    page.evaluate("payload => { window.mountAgain(payload); }", payload)
    root = page.locator("#host .ono")
    # Nothing has the focus: the keys are the viewer's at once, once each, and go no further.
    opened = index(page)
    for _ in range(5):
        page.keyboard.press("ArrowRight")
    page.keyboard.press("c")
    assert page.evaluate("window.escaped") == 0
    begun = index(page)
    assert begun == opened + 5
    # Where something else has it, or the viewer is out of sight, they are not.
    page.evaluate("document.body.prepend(document.createElement('input'))")
    page.locator("input").first.focus()
    page.keyboard.press("ArrowRight")
    page.locator("input").first.evaluate("input => input.remove()")
    page.locator("#host").evaluate("host => { host.style.marginTop = '3000px'; }")
    page.keyboard.press("ArrowRight")
    page.locator("#host").evaluate("host => { host.style.marginTop = ''; }")
    assert (index(page), page.evaluate("window.escaped")) == (begun, 2)
    root.focus()
    page.wait_for_function("window.moments.length > 0")
    assert page.evaluate("window.moments.at(-1)")["event"] == events[begun].seq
    cleanup = page.evaluate("payload => { const clean = window.mountAgain(payload); clean(); }", payload)
    assert cleanup is None
    page.wait_for_timeout(50)
    expect(root).to_have_count(1)
    assert index(page) == begun
    page.keyboard.press("Escape")  # the address could not be copied here and is shown
    page.keyboard.press("2")
    longer = msgspec.to_builtins(build_payload(replay_of(events[: len(events) - 9])))
    # The same game, another state of its log.
    page.evaluate("payload => { window.mountAgain(payload); }", longer)
    expect(root).to_have_count(1)
    assert index(page) == begun
    expect(root.locator(".ono-eyes select")).to_have_value("2")
    page.keyboard.press("ArrowLeft")
    assert index(page) == begun - 1
    other = msgspec.to_builtins(build_payload(replay_of(make_game(seed=11))))
    page.evaluate("payload => { window.mountAgain(payload); }", other)
    expect(root).to_have_count(1)
    expect(root.locator(".ono-id")).to_have_text(other["game"]["game_id"])
    # Once it has been taken from the page, it takes no key any more.
    page.evaluate("document.getElementById('host').remove()")
    escaped = page.evaluate("window.escaped")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("window.escaped") == escaped + 1


def bare_page(open_page):
    """A page with nothing but the viewer's code, and how to mount it."""
    page = open_page()
    page.set_content("<div id='host'></div>")
    page.evaluate("css => { window.css = css; }", viewer_source("palette.css") + viewer_source("viewer.css"))
    page.add_script_tag(
        type="module",
        content=viewer_source("viewer.js")
        + """
        window.mount = (payload) => mountViewer(document.getElementById("host"), payload);
        const style = document.createElement("style");
        style.textContent = window.css;
        document.head.append(style);""",
    )
    page.wait_for_function("!!window.mount")
    return page


def test_while_a_game_is_recorded_the_reader_keeps_what_was_opened(open_page, events):
    page = bare_page(open_page)

    def grow(until):
        payload = msgspec.to_builtins(build_payload(replay_of(events[:until])))
        page.evaluate("payload => { window.mount(payload); }", payload)

    grow(30)
    page.locator(".ono").focus()
    for key in ("ArrowRight", "Home", "ArrowRight"):
        page.keyboard.press(key)
    page.get_by_role("tab", name="About").click()
    panel = page.get_by_role("tabpanel", name="About")
    panel.evaluate("panel => { panel.scrollTop = 60; }")
    page.get_by_role("button", name="Event back").focus()
    grow(31)
    expect(page.get_by_role("tab", name="About")).to_have_attribute("aria-selected", "true")
    expect(panel).to_be_visible()
    assert panel.evaluate("panel => panel.scrollTop") == 60
    expect(page.get_by_role("button", name="Event back")).to_be_focused()
    page.keyboard.press("b")  # the jump to the start is taken back
    jumped = index(page)
    assert jumped > 1
    page.keyboard.press("?")
    page.wait_for_timeout(50)
    grow(32)
    expect(page.locator(".ono-help")).to_be_visible()
    page.keyboard.press("Escape")
    page.locator(".ono").focus()
    page.keyboard.press(" ")
    expect(page.get_by_role("button", name="Pause", exact=True)).to_be_visible()
    grow(33)
    expect(page.get_by_role("button", name="Pause", exact=True)).to_be_visible()
    page.keyboard.press(" ")
    # A button that is held down is let go when it is gone.
    page.evaluate(
        """() => {
          window.again = 0;
          const wait = window.setTimeout;
          window.setTimeout = (act, time) => { window.again += time === 90; return wait(act, time); };
        }"""
    )
    page.get_by_role("button", name="Event back").hover()
    page.mouse.down()
    page.wait_for_function("window.again > 0")
    grow(34)
    page.wait_for_timeout(120)
    again = page.evaluate("window.again")
    page.wait_for_timeout(300)
    assert page.evaluate("window.again") == again
    page.mouse.up()


def test_after_a_wrong_hand_the_pile_tells_of_its_own_card(open_page, events):
    page = bare_page(open_page)
    fall = first(events, Eliminate)
    left = events[fall]
    assert left.hand is not None
    # Another hand was laid down than was held; and an event is missing before, so that its number is not its place.
    hand = ("ono_99", *left.hand[1:]) if left.hand[0] != "ono_99" else ("reverse", *left.hand[1:])
    told = [*events[:fall], msgspec.structs.replace(left, hand=hand)]
    told[1:] = [msgspec.structs.replace(event, seq=event.seq + 1) for event in told[1:]]
    payload = msgspec.to_builtins(build_payload(replay_of(told)))
    page.evaluate("payload => { window.mount(payload).go(payload.events.length - 1); }", payload)
    top = page.locator(".is-discard .ono-card").last
    token = next(event.card for event in reversed(told) if isinstance(event, Play))
    expect(top).to_have_attribute("data-token", token)
    top.click()
    expect(page.locator(".ono-sheet")).to_contain_text("Played at")
    expect(page.locator(".ono-course")).to_have_attribute(
        "aria-valuetext", re.compile(rf"Event {seq(page)} of {told[-1].seq}:")
    )


def test_a_table_of_many_is_scrolled_by_the_keyboard_also_without_hands(open_page):
    page = bare_page(open_page)
    people = [{"name": f"P{seat}"} for seat in range(30)]
    lines = [
        {"type": "game_start", "format": "ono-log", "version": "1.0", "game_id": "many", "players": people,
         "ruleset": {"edition": "2022", "players_max": 30, "deck": {"1": 200}}, "dealer": 0, "view": "public"},
        {"type": "round_start", "round": 1, "dealer": 0, "starter": 1},
        *({"type": "deal", "seat": seat, "cards": ["?"] * 4} for seat in range(30)),
    ]  # fmt: skip
    log = b"".join(json.dumps({"seq": seq} | line).encode() + b"\n" for seq, line in enumerate(lines))
    payload = msgspec.to_builtins(build_payload(read_replay(io.BytesIO(log))))
    page.evaluate("payload => { window.mount(payload); }", payload)
    page.locator(".ono").focus()
    page.keyboard.press("h")
    table = page.get_by_role("region", name="The table")
    assert table.evaluate("table => table.scrollHeight > table.clientHeight")
    expect(table).to_have_attribute("tabindex", "0")
    found = Axe().run(page).response["violations"]
    assert "scrollable-region-focusable" not in [rule["id"] for rule in found]


def test_a_log_that_is_called_like_an_option_is_a_file_in_the_command(open_page, events):
    page = bare_page(open_page)
    options = Options(log="-a b.ono.jsonl", event=events[first(events, Play)].seq)
    payload = msgspec.to_builtins(build_payload(replay_of(events), options))
    page.evaluate("payload => { window.mount(payload); }", payload)
    page.locator(".ono-choice").first.click()
    expect(page.locator(".ono-sheet code")).to_contain_text("ono-replay branch './-a b.ono.jsonl' what-if")


def test_every_sample_can_be_stepped_through(open_page):
    page = bare_page(open_page)
    shown = 0
    for path in sorted(bundle_path("sample_logs").rglob("*.jsonl*")):
        for replay in read_replays(path):
            try:
                payload = build_payload(replay)
            except NotShowable:
                continue
            shown += 1
            page.evaluate(
                """payload => {
                  const viewer = window.mount(payload);
                  for (let index = 0; index < payload.events.length; index++) viewer.go(index);
                  viewer.go(0);
                }""",
                msgspec.to_builtins(payload),
            )
    assert shown > 50
