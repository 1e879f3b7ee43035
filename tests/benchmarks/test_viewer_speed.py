"""How long a key press takes until the step is painted, in a real browser."""

import statistics

import pytest

from tests.e2e.conftest import browser, open_page  # noqa: F401 - fixtures
from tests.e2e.pages import NAMES, make_game, write_page

RUNS = 5
PRESS = """async (presses) => {
  const painted = () => new Promise((resolve) => requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => resolve(performance.now());
    port2.postMessage(0);
  }));
  const times = [];
  const root = document.querySelector(".ono");
  for (let press = 0; press < presses; press++) {
    await new Promise((resolve) => setTimeout(resolve, 33));
    const before = Number(root.dataset.index);
    const begun = performance.now();
    document.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
    if (Number(root.dataset.index) !== before + 1) throw new Error("a press was lost");
    times.push((await painted()) - begun);
  }
  return times;
}"""

GAMES = {
    "150 events": (make_game(NAMES[:5], edition="1980", match="points_low_score", seed=3)[:150], 20.0),
    "400 events, 8 seats": (make_game(NAMES, edition="1980", seed=3)[:400], 30.0),
}


@pytest.mark.parametrize("name", GAMES)
def test_from_key_to_paint(open_page, tmp_path, name):  # noqa: F811 - a fixture
    events, most = GAMES[name]
    assert len(events) == int(name.split()[0])
    page = open_page(
        write_page(tmp_path / "game.html", events),
        reduced_motion="no-preference",
        viewport={"width": 1440, "height": 900},
    )
    page.evaluate(PRESS, 20)  # to warm up
    tails = []
    for _ in range(RUNS):
        page.keyboard.press("Home")
        page.wait_for_timeout(200)
        times = sorted(page.evaluate(PRESS, 120))
        tails.append(times[int(len(times) * 0.95)])
        print(f"{name}: p50 {statistics.median(times):.1f} ms, p95 {tails[-1]:.1f} ms")
    assert statistics.median(tails) < most
