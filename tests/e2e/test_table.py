"""The table of games and figures in a real browser, by itself."""

from dashboard.components.table import HERE

MOUNT = """
window.mountTable = (data) => component({
  parentElement: document.getElementById("host"), data, setTriggerValue: (name, value) => { window.asked = value; },
});
"""
DATA = {
    "caption": "Players",
    "columns": [{"title": "Player"}, {"title": "Change", "right": True}],
    "rows": [
        [{"t": "Ann", "to": ["games", {"player": "Ann"}]}, {"t": "−2.5", "v": -2.5}],
        ["Bo", {"t": "–", "v": ""}],
        ["<b>Cem</b>", {"t": "−10.0", "v": -10.0}],
        ["Dörte", {"t": "3.0", "v": 3.0}],
    ],
}


def mount(open_page, data):
    page = open_page()
    page.set_content("<div id='host'></div>")
    source = (HERE / "table.js").read_text(encoding="utf-8")
    module = source.replace("export default function (", "function component(")
    page.add_script_tag(type="module", content=module + MOUNT)
    page.wait_for_function("!!window.mountTable")
    page.evaluate("data => window.mountTable(data)", data)
    return page


def test_a_long_table_is_shown_bit_by_bit(open_page):
    page = mount(open_page, DATA | {"rows": [[f"P{number}", "1"] for number in range(270)]})
    rows = page.locator("tbody tr")
    assert rows.count() == 50
    page.get_by_role("button", name="Show 200 more of 220").click()
    assert rows.count() == 250
    page.get_by_role("button", name="Show 20 more of 20").click()
    assert rows.count() == 270
    assert page.get_by_role("button", name="more of").count() == 0


def test_a_head_sorts_both_ways_and_what_is_not_known_stands_last(open_page):
    page = mount(open_page, DATA)

    def names():
        return page.locator("tbody th").all_inner_texts()

    head = page.get_by_role("columnheader", name="Change")
    head.get_by_role("button").click()
    assert names() == ["Dörte", "Ann", "<b>Cem</b>", "Bo"]
    assert head.get_attribute("aria-sort") == "descending"
    head.get_by_role("button").click()
    assert names() == ["<b>Cem</b>", "Ann", "Dörte", "Bo"]
    assert head.get_attribute("aria-sort") == "ascending"
    page.get_by_role("link", name="Ann").click()
    assert page.evaluate("window.asked") == ["games", {"player": "Ann"}]
