"""The pages over a library: its games, their replays, every statistic."""

import io
import json

import pytest
from streamlit.testing.v1 import AppTest

from dashboard import libraries
from dashboard.sources import SOURCES
from ono_replay.check.printable import printable
from ono_replay.library.importing import import_logs
from ono_replay.library.listing import list_games, log_of
from ono_replay.library.measures import STATISTICS
from ono_replay.library.stats import statistic
from ono_replay.library.store import Library
from ono_replay.log.jsonl import encode_game
from ono_replay.replay import read_replay
from tests.e2e.pages import make_game, replay_of

HOSTILE = ["![](http://example.invalid/a.png)", "<img src=x onerror=alert(1)>", ":red[x] $x$", "\u202eevil"]


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
    def run(page, **address):
        monkeypatch.setenv(SOURCES, json.dumps([str(library)]))
        app = AppTest.from_string(f"from dashboard.views.{page} import {page}_page\n{page}_page()")
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


def test_games_of_a_library_are_listed_and_replayed(start):
    games = start("games").dataframe[0].value
    assert sorted(games["Verdict"].unique()) == ["unfinished", "valid"]
    app = start("replay", log="games", game=games["Game"][0], event="9")
    (element,) = app.get("bidi_component")
    payload = json.loads(element.proto.mixed.json or element.proto.json)["payload"]
    assert payload["game"]["game_id"] == games["Game"][0]
    assert payload["options"] == {"event": 9}


@pytest.mark.parametrize("name", [found.name for found in STATISTICS])
def test_every_statistic_has_a_page(start, name):
    title = libraries.PLAIN[name]
    app = start("statistics", what=title)
    assert app.selectbox(key="what").value == title
    if name == "tempo":  # these games have no times
        assert "No game of this library" in app.info[0].value
        return
    assert len(app.dataframe[0].value)
    assert "n" in app.dataframe[0].value.columns
    for way in app.selectbox(key=f"by-{name}").options[:3]:
        app.selectbox(key=f"by-{name}").set_value(way).run()
        assert not app.exception


def test_figures_are_those_of_the_library(start, library):
    shown = start("statistics").dataframe[0].value
    with Library(library) as opened:
        told = statistic(opened, "wins_by_player")
    for row, wanted in zip(shown.to_dict("records"), told.rows, strict=True):
        assert (row["player"], row["k"], row["n"]) == (printable(wanted["player"]), wanted["k"], wanted["n"])


def test_names_in_a_chart_have_no_tags(start):
    app = start("statistics")
    (chart,) = app.get("plotly_chart")
    labels = json.loads(chart.proto.spec)["data"][0]["y"]
    assert any("&lt;img" in label for label in labels)
    assert not any("<" in label for label in labels)


def test_without_the_library_it_is_said(start, library):
    (library / "library.json").rename(library / "gone")
    try:
        app = start("games")
        assert not app.dataframe
    finally:
        (library / "gone").rename(library / "library.json")
