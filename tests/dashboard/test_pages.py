"""The pages without a browser: what they say and offer, for logs of every kind."""

import io
import json

import msgspec
import pytest

from dashboard import checks, data, what_if
from dashboard.sources import SOURCES
from dashboard.views import validate
from dashboard.what_if import play_on
from ono_replay.bundle import bundle_path
from ono_replay.check.printable import printable
from ono_replay.log.jsonl import encode_game
from ono_replay.replay import read_replay
from ono_replay.rules.playable import legal_plays
from tests.dashboard.seen import mounted, run_page, table, tables
from tests.e2e.pages import make_game

SAMPLES = bundle_path("sample_logs")
HOSTILE = ["![](http://example.invalid/a.png)", "<img src=x onerror=alert(1)>", ":red[x] $x$", "\u202eevil"]


@pytest.fixture
def start(monkeypatch):
    """Run a page for some logs."""

    def run(page, *logs, **address):
        monkeypatch.setenv(SOURCES, json.dumps([str(log) for log in logs]))
        return run_page(page, **address)

    return run


def texts(app):
    return [text.value for text in app.text]


def viewer(app):
    """What the viewer was given."""
    (payload,) = (given["payload"] for given in mounted(app) if "payload" in given)
    return payload


def test_games_of_a_folder_are_listed(start):
    app = start("games", SAMPLES / "ok")
    games = table(app)
    assert len(games) == len(list((SAMPLES / "ok").rglob("*.jsonl*")))
    (row,) = (row for row in games if row["Game"] == "1980-points-last-standing")
    assert row["Players"] == "Zoë, Jürgen"
    assert row["Won by"] == "Zoë"
    assert row["Verdict"] == "valid"
    assert row["Log"] == "ok/1980-points-last-standing.ono.jsonl"


def test_a_recorded_game_is_called_by_its_day_and_players(start, tmp_path):
    begun, *rest = make_game(["Anna", "Ben"])
    game = msgspec.structs.replace(
        begun, game_id="2f1c6f0e-4b1d-4a53-9d9b-0d3c5a7e8f10", started_at="2026-11-30T19:04:11+01:00"
    )
    (tmp_path / "a.ono.jsonl").write_bytes(encode_game([game, *rest]))
    assert table(start("games", tmp_path))[0]["Game"] == "2026-11-30 19:04 · Anna, Ben"
    assert "2026-11-30 19:04 · Anna, Ben" in texts(start("live", tmp_path))
    app = start("replay", tmp_path)
    assert "2026-11-30 19:04 · Anna, Ben" in app.selectbox[0].placeholder
    assert viewer(app)["game"]["game_id"].startswith("2f1c6f0e")


def test_sound_games_come_first(start):
    verdicts = [row["Verdict"] for row in table(start("games", SAMPLES / "broken", SAMPLES / "ok"))]
    assert verdicts == sorted(verdicts, key=("valid", "unfinished", "invalid").index)
    assert viewer(start("replay", SAMPLES / "broken", SAMPLES / "ok"))["verdict"] != "invalid"


def test_the_newest_game_is_the_last_begun_wherever_that_was(start, tmp_path):
    start_line, *rest = make_game()
    times = {
        "noon": "2026-05-01T12:00:00Z",
        "later": "2026-05-01T09:00:00-07:00",
        "earlier": "2026-05-01T13:30:00+02:00",
    }
    for game_id, started_at in [*times.items(), ("no time", None)]:
        first = msgspec.structs.replace(start_line, game_id=game_id, started_at=started_at)
        (tmp_path / f"{game_id}.ono.jsonl").write_bytes(encode_game([first, *rest]))
    app = start("games", tmp_path, listed="newest first")
    assert [row["Game"] for row in table(app)] == ["later", "noon", "earlier", "no time"]
    assert start("replay", tmp_path).selectbox[0].placeholder == "The newest: later"


def test_games_are_searched_filtered_and_sorted(start):
    app = start("games", SAMPLES / "ok", SAMPLES / "open")
    app.text_input[0].set_value("zoë jür").run()
    assert all("Zoë" in row["Players"] and "Jürgen" in row["Players"] for row in table(app))
    app.selectbox(key="verdict").set_value("unfinished").run()
    assert {row["Verdict"] for row in table(app)} <= {"unfinished"} if tables(app) else app.info
    app.text_input[0].set_value("").run()
    assert {row["Verdict"] for row in table(app)} == {"unfinished"}
    app.selectbox(key="verdict").set_value("any").run()
    app.selectbox(key="listed").set_value("most events first").run()
    events = [int(row["Events"]) for row in table(app)]
    assert events == sorted(events, reverse=True)
    app.text_input[0].set_value("nobody is called so").run()
    assert not tables(app)
    assert "Take a word out" in app.info[0].value


def test_filters_come_from_the_address(start):
    app = start("games", SAMPLES / "ok", q="1980", verdict="valid")
    assert app.text_input[0].value == "1980"
    assert all("1980" in row["Log"] for row in table(app))


def test_what_the_address_asks_in_vain_is_told(start):
    app = start("games", SAMPLES / "ok", verdict="VALID", players="17", listed="newest first", order="oops")
    assert [box.value for box in app.selectbox] == ["valid", "any", "newest first"]
    assert any("Players “17”: there is any, 2, 3" in text for text in texts(app))
    app.selectbox(key="players").set_value("2").run()
    assert not any("“17”" in text for text in texts(app))
    assert app.query_params["players"] == "2"


def test_without_logs_the_next_step_is_told(start, tmp_path):
    assert "ono-replay dashboard my-logs/" in start("games").markdown[0].value
    assert "without logs" in start("games").info[0].value
    (tmp_path / "empty.jsonl").touch()
    assert "no game in these logs" in start("games", tmp_path).info[0].value


def test_what_can_not_be_read_is_told_beside_the_rest(start, tmp_path):
    app = start("games", SAMPLES / "ok", tmp_path / "gone.jsonl")
    assert any("gone.jsonl: no such file" in text for text in texts(app))
    assert len(table(app)) > 1


def test_of_many_logs_that_can_not_be_read_the_first_are_told(start, monkeypatch, tmp_path):
    monkeypatch.setattr(data, "MOST_TROUBLES", 2)
    for number in range(5):
        (tmp_path / f"{number}.ono.jsonl").write_bytes(b"nonsense\n")
    (told,) = (text for text in texts(start("games", tmp_path)) if "no game begins in it" in text)
    assert [line.partition(":")[0].rpartition("/")[2] for line in told.splitlines()] == [
        "0.ono.jsonl",
        "1.ono.jsonl",
        "… and 3 more",
    ]


def test_logs_of_one_name_are_told_apart(start, tmp_path):
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "x.ono.jsonl").write_bytes(encode_game(make_game(index=ord(folder))))
    logs = [tmp_path / "a/x.ono.jsonl", tmp_path / "b/x.ono.jsonl", tmp_path / "b"]
    assert [row["Log"] for row in table(start("games", *logs))] == ["x.ono.jsonl", "x.ono.jsonl (2)"]


def test_a_log_in_which_no_game_begins_is_named(start):
    app = start(
        "games", SAMPLES / "broken/ONO201-no-game-start.ono.jsonl", SAMPLES / "ok/2022-table.ono.jsonl"
    )
    assert len(table(app)) == 1
    assert any("no game begins in it" in text for text in texts(app))


def test_a_log_that_grows_is_read_anew(start, tmp_path):
    log = tmp_path / "a.ono.jsonl"
    events = make_game()
    log.write_bytes(encode_game(events[:20]))
    app = start("games", log)
    assert [int(row["Events"]) for row in table(app)] == [20]
    log.write_bytes(encode_game(events))
    app.run()
    assert [int(row["Events"]) for row in table(app)] == [len(events)]


@pytest.fixture
def hostile_log(tmp_path):
    log = tmp_path / "hostile.ono.jsonl"
    start, *rest = make_game(HOSTILE)
    log.write_bytes(encode_game([msgspec.structs.replace(start, game_id="**bold** [x](y)"), *rest]))
    return log


def test_names_are_cells_and_never_markdown(start, hostile_log):
    app = start("games", hostile_log)
    assert table(app)[0]["Players"] == ", ".join(printable(name) for name in HOSTILE)
    for page in (app, start("replay", hostile_log, log="hostile.ono.jsonl")):
        told = [*page.markdown, *page.caption, *page.title, *page.subheader, *page.info, *page.warning]
        assert not [one for one in told if "example.invalid" in one.value or "**bold**" in one.value]


def test_an_address_leads_to_a_moment(start):
    app = start("replay", SAMPLES / "ok", game="2022-table", event="12", seat="1")
    payload = viewer(app)
    assert payload["game"]["game_id"] == "2022-table"
    assert payload["options"] == {"event": 12, "log": "2022-table.ono.jsonl", "seat": 1}


@pytest.mark.parametrize("wrong", [{"event": "x", "seat": "99"}, {"event": "-1"}, {"event": "9" * 40}])
def test_what_is_wrong_in_an_address_is_left_out(start, wrong):
    payload = viewer(start("replay", SAMPLES / "ok", game="2022-table", **wrong))
    assert payload["options"] == {"log": "2022-table.ono.jsonl"}


def test_an_address_opens_no_other_file(start):
    app = start("replay", SAMPLES / "ok", log="../broken/ONO301-out-of-turn.ono.jsonl")
    assert "not in the logs of this dashboard" in app.warning[0].value
    assert not app.get("bidi_component")


def test_every_broken_sample_is_shown_or_told_why_not(start):
    games = table(start("games", SAMPLES / "broken"))
    assert len(games) > 50
    chosen = {row["Log"].partition("/")[2].partition("-")[0]: row["Log"] for row in games}
    for code in ("ONO112", "ONO208", "ONO301", "ONO306"):
        app = start("replay", SAMPLES / "broken", log=chosen[code])
        assert app.get("bidi_component") or any("can not be shown" in one.value for one in app.markdown)


def test_a_pasted_log_is_judged(start):
    app = start("validate")
    app.text_area[0].set_value((SAMPLES / "broken/ONO301-out-of-turn.ono.jsonl").read_text()).run()
    assert not app.exception
    assert "1 invalid" in app.subheader[0].value
    assert any("ONO301" in badge.value for badge in app.markdown)
    shown = viewer(app)
    assert shown["findings"][0]["code"] == "ONO301"
    assert shown["options"]["event"] == shown["findings"][0]["seq"]


def upload(app, name, content):
    app.file_uploader[0].set_value((name, content, "application/octet-stream")).run(timeout=60)
    assert not app.exception
    return [text.value for text in app.text]


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("a.ono.jsonl", b"", "a.ono.jsonl is empty: there is no game in it."),
        ("a.ono.jsonl", b"\n\n", "a.ono.jsonl is empty: there is no game in it."),
        ("cat.png", b"\x89PNG\r\n\x1a\n" + b"\n" * 300, "cat.png: this is a PNG picture, not a log."),
        (
            "a.parquet",
            b"PAR1" + bytes(99),
            "a.parquet: this is a Parquet file; “ono-replay convert” makes a log of it, of an archive “ono-replay archive”.",
        ),
        ("[x](y)`\u202e", b"%PDF-1", r"[x](y)`\u{202e}: this is a PDF document, not a log."),
    ],
)
def test_what_is_no_log_gets_one_sentence(start, name, content, told):
    assert upload(start("validate"), name, content) == [told]


def test_findings_have_no_marks_of_markdown(start):
    told = []
    for log in sorted((SAMPLES / "broken").glob("ONO20*.jsonl"))[:4]:
        told += upload(start("validate"), log.name, log.read_bytes())
    assert not [text for text in told if "`" in text]


def test_lines_are_checked_and_shown_at_the_table_with_buttons(start):
    app = start("validate")
    button = next(one for one in app.button if one.label == "Check")
    button.click().run()
    assert any("no lines yet" in text for text in texts(app))
    app.text_area[0].set_value((SAMPLES / "broken/ONO301-out-of-turn.ono.jsonl").read_text()).run()
    next(one for one in app.button if one.label == "Show at the table").click().run()
    assert not app.exception
    (asked,) = (given for given in mounted(app) if "time" in given)
    app.run()
    assert asked in mounted(app)
    # Of another log, even where it has the same fault in the same place, it is asked for anew.
    app.text_area[0].set_value((SAMPLES / "broken/ONO301-out-of-turn.ono.jsonl").read_text() + "\n").run()
    assert not any("time" in given for given in mounted(app))
    next(one for one in app.button if one.label == "Show at the table").click().run()
    (again,) = (given for given in mounted(app) if "time" in given)
    assert again != asked


def test_the_event_shown_of_one_game_is_not_that_of_another(start):
    games = [
        (SAMPLES / f"broken/{name}.ono.jsonl").read_bytes()
        for name in ("ONO301-out-of-turn", "ONO306-wrong-total")
    ]
    app = start("validate")
    upload(app, "a.ono.jsonl", b"".join(games))
    own = {}
    for place in (1, 0):
        app.selectbox[-1].select_index(place).run()
        own[place] = viewer(app)["options"]["event"]
    next(one for one in app.button if one.label == "Show at the table").click().run()
    assert any("time" in given for given in mounted(app))
    app.selectbox[-1].select_index(1).run()
    assert viewer(app)["options"]["event"] == own[1]
    assert not any("time" in given for given in mounted(app))
    assert own[0] != own[1]


def test_a_sound_log_is_called_valid(start):
    app = start("validate")
    app.text_area[0].set_value((SAMPLES / "ok/2022-table.ono.jsonl").read_text()).run()
    assert "1 valid" in app.subheader[0].value
    assert viewer(app)["verdict"] == "valid"


def test_what_is_not_shown_of_a_large_log_is_counted(start, monkeypatch):
    monkeypatch.setattr(checks, "MOST_GAMES", 2)
    game = (SAMPLES / "ok/2022-table.ono.jsonl").read_bytes()
    games = b"".join(game.replace(b'"game_id":"', b'"game_id":"%d-' % number) for number in range(5))
    app = start("validate")
    upload(app, "a.ono.jsonl", b"[]\n" * 60 + games)
    told = [one.value for one in app.caption]
    assert "… and 10 more findings that belong to no game." in told
    assert "The first 2 games can be chosen; “ono-replay validate” tells of all." in told
    assert len(app.selectbox[-1].options) == 2


def test_more_than_can_be_pasted_is_to_be_uploaded(start, monkeypatch):
    monkeypatch.setattr(validate, "MOST_PASTED", 10)
    app = start("validate")
    app.text_area[0].set_value("x" * 11).run()
    assert "More than 10 letters: upload the log as a file." in texts(app)
    assert not app.subheader
    app.text_area[0].set_value("x" * 10).run()
    assert app.subheader


@pytest.mark.parametrize("text", ["x", "{", "[]\n" * 300, '{"seq":0,"type":"game_start"}'])
def test_nonsense_is_judged_too(start, text):
    app = start("validate")
    app.text_area[0].set_value(text).run()
    assert not app.exception
    assert any("ONO" in one.value for one in app.markdown)


def test_a_log_is_followed_while_it_is_written(start, tmp_path):
    log = tmp_path / "a.ono.jsonl"
    events = make_game()
    log.write_bytes(encode_game(events[:20]) + b'{"seq":20,"ty')
    app = start("live", log)
    assert (viewer(app)["events"][-1]["seq"], viewer(app)["findings"]) == (19, [])
    log.write_bytes(encode_game(events))
    app.run()
    assert viewer(app)["events"][-1]["type"] == "game_end"
    log.unlink()
    app.run()
    assert not app.exception


def test_a_branch_is_played_on_apart_from_the_record(start, monkeypatch):
    app = start("replay", SAMPLES / "ok", **{"game": "2022-two-players", "if": "20,5"})
    told = texts(app)
    assert any("after event 20: 5." in text for text in told)
    payload = viewer(app)
    assert payload["game"]["game_id"] == "2022-two-players-branch-20"
    assert [event["card"] for event in payload["events"] if event["type"] == "play"][-1] == "5"
    assert payload["verdict"] == "unfinished"
    monkeypatch.setattr(what_if, "MOST_CARDS", 1)
    longer = viewer(start("replay", SAMPLES / "ok", **{"game": "2022-two-players", "if": "20,5,no-card"}))
    assert longer["events"] == payload["events"]
    assert (
        viewer(start("replay", SAMPLES / "ok", game="2022-two-players"))["game"]["game_id"]
        == "2022-two-players"
    )


@pytest.mark.parametrize(
    "asked", ["20,10", "20,reverse,reverse,no_card", "0", "99999", "20,<img>", "20" + ",play_2" * 40]
)
def test_a_branch_that_can_not_be_is_told(start, asked):
    app = start("replay", SAMPLES / "ok", **{"game": "2022-two-players", "if": asked})
    assert app.button[0].label == "Back to the record"


def test_a_branch_of_every_game_breaks_no_rule():
    """Wherever a branch goes on, what was made up on the way is legal."""
    for path in sorted((SAMPLES / "ok").glob("*.jsonl")):
        replay = read_replay(path)
        for event in replay.events[8::25]:
            cards: list[str] = []
            for _ in range(12):
                made = play_on(replay, event.seq, cards)
                if isinstance(made, str) or made.over:
                    break
                after = read_replay(io.BytesIO(made.log))
                assert after.report.verdict == "unfinished"
                legal = [card for card in legal_plays(after.states[-1]) if card != "?"]
                if not legal:
                    break
                cards.append(legal[len(cards) % len(legal)])
