"""A log that was checked goes into a library, from the page Validate."""

import json

import pytest
from streamlit.testing.v1 import AppTest

from dashboard import sources
from dashboard.sources import SOURCES
from ono_replay.bundle import bundle_path
from ono_replay.library.importing import import_logs
from ono_replay.library.listing import list_games
from ono_replay.library.store import Library

SAMPLES = bundle_path("sample_logs")
PAGE = "from dashboard.views.validate import validate_page\nvalidate_page()"


@pytest.fixture
def start(monkeypatch, tmp_path):
    """Run the page beside an empty library of one's own, and libraries that are opened."""
    monkeypatch.setenv("ONO_REPLAY_HOME", str(tmp_path / "home"))
    monkeypatch.setattr(sources, "_recorded", [])

    def run(log, *opened):
        monkeypatch.setenv(SOURCES, json.dumps([str(library) for library in opened]))
        app = AppTest.from_string(PAGE).run(timeout=60)
        app.text_area[0].set_value(log.read_text(encoding="utf-8")).run()
        assert not app.exception
        return app

    return run


def button(app, label):
    return next(one for one in app.button if one.label == label)


def texts(app):
    return [text.value for text in app.text]


def test_a_valid_log_is_taken_into_ones_own_library(start, tmp_path):
    app = start(SAMPLES / "ok/2022-table.ono.jsonl")
    button(app, "Put into your library").click().run(timeout=60)
    assert not app.exception
    assert "1 game added." in texts(app)
    with Library(tmp_path / "home/library") as library:
        assert [row.game_id for row in list_games(library, most=9)] == ["2022-table"]
    # From now on it is among what the dashboard shows, and the same log once more changes nothing.
    assert sources.sources() == [str(tmp_path / "home/library")]
    button(app, "Put into your library").click().run(timeout=60)
    assert "1 game there already." in texts(app)


def test_an_invalid_log_goes_into_quarantine_and_is_said_so(start):
    app = start(SAMPLES / "broken/ONO301-out-of-turn.ono.jsonl")
    button(app, "Put into your library").click().run(timeout=60)
    assert "1 game put into quarantine." in texts(app)
    assert not any(one.label == "All games" for one in app.button)
    assert any("ono-replay library quarantine list" in one.value for one in app.markdown)


def test_an_opened_library_comes_before_ones_own(start, tmp_path):
    import_logs([str(SAMPLES / "ok/2022-online.ono.jsonl")], tmp_path / "winter", jobs=1)
    app = start(SAMPLES / "ok/2022-table.ono.jsonl", tmp_path / "winter")
    button(app, "Put into winter").click().run(timeout=60)
    assert "1 game added." in texts(app)
    assert not (tmp_path / "home").exists()


def test_what_is_no_log_is_not_offered(start, tmp_path):
    log = tmp_path / "nonsense"
    log.write_text("nonsense", encoding="utf-8")
    app = start(log)
    assert not any(one.label.startswith("Put into") for one in app.button)
