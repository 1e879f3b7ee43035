"""The pages over a library: its games, their replays, every statistic."""

import io
import json
import shutil

import pytest
from streamlit.testing.v1 import AppTest

from dashboard import shelves
from dashboard.charts import LONGEST
from dashboard.sources import SOURCES
from dashboard.words import CAUSES, choice_words
from ono_replay.check.printable import printable
from ono_replay.library.importing import import_logs
from ono_replay.library.listing import count_games, list_games, log_of
from ono_replay.library.stats import statistic
from ono_replay.library.store import Library
from ono_replay.log.jsonl import encode_game
from ono_replay.replay import read_replay
from tests.dashboard.seen import links, mounted, table, tables
from tests.e2e.pages import make_game, replay_of

HOSTILE = ["![](http://example.invalid/a.png)", "<img src=x onerror=alert(1)>", ":red[x] $x$", "\u202eevil"]


SCRIPT = """
import streamlit as st
from dashboard.views.{page} import {page}_page
from dashboard.views.games import games_page
page = st.Page({page}_page, title="here", url_path="here", default=True)
st.session_state["pages"] = {{"games": page}}
st.navigation([page]).run()
"""
"""A router of one page, so that there is something to link to."""


@pytest.fixture(scope="module")
def library(tmp_path_factory):
    folder = tmp_path_factory.mktemp("library")
    logs = [make_game(index=index) for index in range(8)]
    logs += [make_game(HOSTILE, seed=3), make_game(seed=4)[:30]]
    for place, events in enumerate(logs):
        (folder / f"{place}.ono.jsonl").write_bytes(encode_game(events))
    import_logs([str(path) for path in sorted(folder.glob("*.jsonl"))], folder / "games", jobs=1)
    return folder / "games"


@pytest.fixture
def start(monkeypatch, library):
    return pages_over(monkeypatch, library)


def pages_over(monkeypatch, library):
    def run(page, **address):
        monkeypatch.setenv(SOURCES, json.dumps([str(library)]))
        app = AppTest.from_string(SCRIPT.format(page=page))
        for name, value in address.items():
            app.query_params[name] = value
        app.run(timeout=60)
        assert not app.exception
        return app

    return run


def test_a_library_lists_its_games_with_their_players_and_winners(library):
    with Library(library) as opened:
        games = list_games(opened, most=100)
        assert [game.game_id for game in list_games(opened, most=3)] == [game.game_id for game in games[:3]]
    assert len(games) == 10
    for game in games:
        replay = read_replay_of(library, game.game_id)
        assert game.players == tuple(replay.names)
        assert game.verdict == replay.report.verdict
        end = replay.events[-1]
        winners = end.winners if end.type == "game_end" else ()
        assert game.winners == tuple(replay.names[seat] for seat in winners)


def read_replay_of(library, game_id):
    return read_replay(io.BytesIO(log_of(library, game_id)))


def test_the_log_of_a_game_is_what_was_imported(library):
    told = replay_of(make_game(index=2))
    assert read_replay_of(library, told.game_id).states == told.states
    with pytest.raises(KeyError):
        log_of(library, "no such game")


def test_of_a_large_library_the_first_games_are_listed(start, monkeypatch):
    monkeypatch.setattr(shelves, "MOST_SHOWN", 2)
    app = start("games")
    assert len(table(app)) == 2
    assert " The first 2 are listed; search for others." in app.caption[0].value


def test_games_of_a_library_are_listed_and_replayed(start):
    games = table(start("games"))
    assert {row["Verdict"] for row in games} == {"unfinished", "valid"}
    app = start("replay", log="games", game=games[0]["Game"], event="9")
    (given,) = mounted(app)
    assert given["payload"]["game"]["game_id"] == games[0]["Game"]
    assert given["payload"]["options"] == {"event": 9}


@pytest.mark.parametrize(
    ("page", "part", "kind"), [("eliminations", "cause", "eliminate"), ("chains", "chain", "play")]
)
def test_a_figure_about_events_leads_to_one(start, library, page, part, kind):
    (_, address), *_ = [way for way in links(start(page)) if part in way[1]]
    games = links(start("games", **address))
    assert games
    for where, way in games:
        assert where == "replay"
        replay = read_replay_of(library, way["game"])
        assert {event.seq: event.type for event in replay.events}[int(way["event"])] == kind


def test_a_finding_leads_to_the_event_it_belongs_to(monkeypatch, tmp_path):
    for seed in range(4):
        (tmp_path / f"{seed}.ono.jsonl").write_bytes(encode_game(make_game(seed=seed, mistakes=0.1)))
    import_logs([str(path) for path in sorted(tmp_path.glob("*.jsonl"))], tmp_path / "games", jobs=1)
    start = pages_over(monkeypatch, tmp_path / "games")
    codes = [way[1] for way in links(start("quality")) if "code" in way[1]]
    assert codes
    for address in codes:
        games = links(start("games", **address))
        assert games
        for page, way in games:
            assert (page, way["finding"]) == ("replay", address["code"])
            (given,) = mounted(start("replay", **way))
            found = [one["seq"] for one in given["payload"]["findings"] if one["code"] == address["code"]]
            assert given["payload"]["options"]["event"] == found[0]
            (given,) = mounted(start("replay", **way, event="3"))
            assert given["payload"]["options"]["event"] == 3


PAGES = {
    "players": "Games won",
    "head_to_head": "All pairs",
    "seats": "Seats",
    "cards": "How often played",
    "totals": "The total",
    "eliminations": "Causes",
    "chains": "Length",
    "length": "Cards",
    "quality": "Files",
}


@pytest.mark.parametrize("page", PAGES)
def test_every_page_has_figures_with_n_an_interval_and_games(start, page):
    app = start(page)
    assert PAGES[page] in [one.value for one in app.subheader]
    assert tables(app)
    for caption, rows in tables(app):
        if caption.endswith("the figures"):
            assert rows
            for row in rows:
                assert any(title.endswith("(n)") for title in row)
                assert row["95 % interval"]
    for where, address in links(app):
        assert where == "games"
        assert address["log"] == "games"
    assert links(app)


@pytest.mark.parametrize("page", PAGES)
def test_what_is_left_out_is_counted_and_leads_to_its_games(start, page):
    app = start(page)
    if page == "quality":
        assert any("1 unfinished" in text.value for text in app.text)
        return
    assert any(text.value == "9 games counted." for text in app.text)
    (link,) = app.get("page_link")
    assert link.proto.label == "1 unfinished"
    assert table(start("games", sort="unfinished", log="games"))[0]["Verdict"] == "unfinished"
    app.toggle(key="unfinished").set_value(True).run()
    assert any(text.value == "10 games counted." for text in app.text)


def test_figures_are_those_of_the_library(start, library):
    app = start("players")
    shown = dict(tables(app))["Games won: the figures"]
    with Library(library) as opened:
        told = statistic(opened, "wins_by_player")
    for row, wanted in zip(shown, told.rows, strict=True):
        assert row["Player"] == printable(wanted["player"])
        assert (int(row["Won"]), int(row["Games (n)"])) == (wanted["k"], wanted["n"])


@pytest.mark.parametrize("page", ["players", "seats", "cards", "eliminations", "chains"])
def test_a_number_leads_to_as_many_games(start, library, page):
    """The games of a figure are those that it was made of."""
    app = start(page)
    (given, *_) = (given for given in mounted(app) if "caption" in given)
    titles = [column["title"] for column in given["columns"]]
    with Library(library) as opened:
        for row in given["rows"]:
            for title, cell in zip(titles, row, strict=True):
                if isinstance(cell, dict) and "to" in cell:
                    games = count_games(opened, cell["to"][1])
                    number = int(cell["t"].replace(",", ""))
                    if title in ("Won", "Games (n)"):
                        assert games == number
                    else:  # several in a game
                        assert 0 < games <= number


def test_figures_are_compared_and_filtered_by_the_address(start):
    app = start("seats", by="players at the table")
    assert app.selectbox(key="by").value == "players at the table"
    assert "Table" in tables(app)[0][1][0]


def test_an_address_may_be_written_by_hand(start):
    app = start("seats", by="n_players", n_players="4", edition="1981", unfinished="true", colour="red")
    assert app.selectbox(key="by").value == "players at the table"
    assert app.toggle(key="unfinished").value
    assert any("Edition “1981”: there is 2022" in one.value for one in app.text)
    assert not any("Table “" in one.value for one in app.text)
    assert any("“colour” means nothing" in one.value for one in app.text)
    app.selectbox(key="by").set_value("kind of match").run()
    assert (app.query_params["by"], app.query_params["unfinished"]) == ("match", "true")


def test_how_lengths_differ_stands_in_the_table_as_the_text_says(start):
    app = start("length")
    (given,) = (given for given in mounted(app) if "caption" in given)
    always = [column["title"] for column in given["columns"] if not column.get("hide")]
    assert {"Low tenth", "Middle", "High tenth"} <= set(always)
    assert any("low tenth, half no more than the middle" in one.value for one in app.text)


def test_causes_are_whole_sentences_and_short_names():
    assert choice_words({"cause": "second_card"}) == ["someone fell because no second card fitted"]
    assert all(len(name) <= LONGEST for name in CAUSES.values())


def test_quality_explains_its_numbers_and_gives_one_game_no_interval(start):
    app = start("quality")
    assert any("leave out 1 game as unfinished, these, and of the others 0" in one.value for one in app.text)
    files = dict(tables(app))["Files of the library"]
    assert {(row["Games (n)"], row["95 % interval"]) for row in files} == {("1", "–")}
    assert not app.get("plotly_chart")
    assert not app.toggle
    assert not any("`" in one.value for one in app.text)


def test_few_games_together_are_blank_and_it_is_said(start):
    app = start("head_to_head")
    (text,) = (one.value for one in app.text if "fewer than 5 games together are blank" in one.value)
    assert "Shown: 4 of 8 players" in text
    spec = json.loads(app.get("plotly_chart")[0].proto.spec)
    assert len(spec["data"][0]["y"]) == 4


def test_names_in_a_chart_have_no_tags(start):
    app = start("players")
    for chart in app.get("plotly_chart"):
        labels = json.dumps(json.loads(chart.proto.spec)["data"])
        assert "<img" not in labels
        assert "example.invalid" not in labels or "](http" in labels  # as text, and cut


def test_names_are_never_markdown(start):
    for page in PAGES:
        app = start(page)
        told = [*app.markdown, *app.caption, *app.title, *app.subheader, *app.info, *app.warning]
        assert not [one.value for one in told if "example.invalid" in one.value or ":red[x]" in one.value]


@pytest.mark.parametrize("page", PAGES)
def test_without_a_library_the_next_step_is_told(monkeypatch, page):
    monkeypatch.setenv(SOURCES, "[]")
    app = AppTest.from_string(f"from dashboard.views.{page} import {page}_page\n{page}_page()").run(
        timeout=60
    )
    assert not app.exception
    assert "ono-replay import" in app.markdown[0].value


def test_data_of_a_chart_is_safe_for_a_spreadsheet(start):
    app = start("players")
    assert len(app.get("download_button")) == len(app.get("plotly_chart"))


def test_without_the_library_it_is_said(start, library):
    (library / "library.json").rename(library / "gone")
    try:
        assert not tables(start("games"))
    finally:
        (library / "gone").rename(library / "library.json")


def test_a_damaged_library_is_told_on_every_page(monkeypatch, library, tmp_path):
    damaged = tmp_path / "damaged"
    shutil.copytree(library, damaged)
    for file in damaged.rglob("*.parquet"):
        file.write_bytes(b"PAR1" + bytes(500) + b"PAR1")
    start = pages_over(monkeypatch, damaged)
    for page in PAGES:
        assert any("games.parquet" in one.value for one in start(page).text), page
