"""Many logs: a page shows what is read already and reads on; in the end it is all there."""

import itertools
import json
import os
import re

import pytest

from dashboard import data
from dashboard.sources import SOURCES
from ono_replay.library.importing import import_logs
from ono_replay.simulate.game import Simulator
from ono_replay.simulate.plan import Plan
from tests.dashboard.seen import mounted, run_page, table

LOGS = [Simulator(Plan(edition="2022", players=2, seed=3)).log(number) for number in range(12)]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    for number, log in enumerate(LOGS):
        (tmp_path / f"{number:02}.ono.jsonl").write_bytes(log)
    monkeypatch.setenv(SOURCES, json.dumps([str(tmp_path)]))
    return tmp_path


def test_who_asks_again_gets_more(folder):
    shelves = [data.shelf(2 * data.A_FILE)]
    while shelves[-1].unread:
        shelves.append(data.shelf(2 * data.A_FILE))
    assert len(shelves) > 2
    for before, after in itertools.pairwise(shelves):
        assert len(before.games) < len(after.games)
        assert before.games == after.games[: len(before.games)]
    assert all(len(one.games) + one.unread == len(one.logs) == len(LOGS) for one in shelves)
    assert shelves[-1] == data.shelf()


def test_a_log_that_changes_all_the_time_keeps_nothing_up(folder):
    """It is read anew each time, but the others come nearer to the end all the same."""
    changing = folder / "00.ono.jsonl"
    for asked in range(len(LOGS)):
        shelf = data.shelf(1)
        if not shelf.unread:
            break
        changing.write_bytes(LOGS[0][: -100 - asked])
    assert not data.shelf(1).unread
    assert len(data.shelf(1).games) == len(LOGS)


@pytest.mark.parametrize("unread", [0, 5])
def test_the_page_reads_on_until_all_is_there(folder, monkeypatch, unread):
    monkeypatch.setattr(data, "STEP", 1)
    asked = []
    read = data.shelf

    def shelf(step):
        asked.append(read(step))
        return asked[-1]

    monkeypatch.setattr(data, "shelf", shelf)
    for number in range(unread):
        (folder / f"0{number}.ono.jsonl").write_bytes(
            b"no log\n"
        )  # nothing to show at first, and no word of that
    app = run_page("games")
    assert len(asked) > 2
    assert asked[0].unread
    assert len(table(app)) == len(LOGS) - unread
    assert not app.info
    assert app.caption[0].value.startswith(f"{len(LOGS) - unread} games. Click one")


@pytest.mark.parametrize(
    ("unread", "address", "told"),
    [
        (0, {}, r"(\d+) games? so far, and (\d+) more logs to read\. Click one to replay it\."),
        (0, {"q": "nobody"}, r"None of (\d+) games? so far, and (\d+) more logs to read, fits\."),
        (3, {}, r"No game so far, and ()(\d+) more logs to read\."),
    ],
)
def test_a_page_under_way_says_so(folder, monkeypatch, unread, address, told):
    monkeypatch.setattr(data, "STEP", 1)
    monkeypatch.setattr("dashboard.views.games.st.rerun", lambda: None)
    for number in range(unread):
        (folder / f"0{number}.ono.jsonl").write_bytes(b"no log\n")
    app = run_page("games", **address)
    found = re.fullmatch(told, app.caption[0].value)
    assert found
    read = int(found[1]) if found[1] else len(data.shelf(0).logs) - int(found[2])
    assert 0 < read < len(LOGS)
    assert int(found[2]) == len(LOGS) - read
    assert not app.info


def test_an_address_leads_to_its_own_log_however_few_are_read(folder, monkeypatch):
    """A game of the same id in a log that is read already is not taken for it."""
    monkeypatch.setattr(data, "STEP", 1)
    (folder / "11.ono.jsonl").write_bytes(LOGS[0])
    app = run_page("replay", log=f"{folder.name}/11.ono.jsonl", line="1", game="sim-3-0")
    (payload,) = (given["payload"] for given in mounted(app) if "payload" in given)
    assert payload["options"] == {"log": "11.ono.jsonl"}


def test_the_logs_to_follow_are_found_without_reading_them(folder, monkeypatch):
    os.utime(folder / "07.ono.jsonl", ns=(2**61, 2**61))
    monkeypatch.setattr(data, "read_replays", None)
    followed = data.logs_by_change()
    assert followed[0] == (f"{folder.name}/07.ono.jsonl", str(folder / "07.ono.jsonl"))
    assert len(followed) == len(LOGS)


def test_a_log_that_is_gone_between_two_looks_is_none_to_follow(folder, monkeypatch):
    gone = folder / "07.ono.jsonl"
    real = data.stamp_of

    def goes(path):
        if path == str(gone):
            gone.unlink()
        return real(path)

    monkeypatch.setattr(data, "stamp_of", goes)
    followed = [path for _, path in data.logs_by_change()]
    assert len(followed) == len(LOGS) - 1
    assert str(gone) not in followed


def test_more_games_than_are_listed_are_found_in_a_library(folder, monkeypatch):
    monkeypatch.setattr(data, "MOST_GAMES", 3)
    where = "Others are found in a library: ono-replay import takes all."
    assert run_page("games").caption[0].value == f"The first 3 games. Click one to replay it. {where}"
    (told,) = run_page("games", q="nobody").info
    assert told.value.endswith(where)


def test_the_events_of_a_library_and_of_logs_are_counted_together(folder, tmp_path_factory, monkeypatch):
    library = tmp_path_factory.mktemp("both") / "library"
    import_logs([str(folder / "00.ono.jsonl"), str(folder / "01.ono.jsonl")], library, jobs=1)
    monkeypatch.setenv(SOURCES, json.dumps([str(folder), str(library)]))
    events = sum(log.count(b"\n") for log in (*LOGS, *LOGS[:2]))
    told = run_page("games").caption[0].value
    assert told == f"{len(LOGS) + 2} games with {events:,} events. Click one to replay it."
