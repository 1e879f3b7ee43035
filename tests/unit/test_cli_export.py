"""`ono-replay export`: what it writes, what it leaves out, what it refuses."""

import json
import re
from pathlib import Path

import pytest

from ono_replay.cli.main import run
from ono_replay.export import pictures
from ono_replay.export.files import CannotExport, export_game
from ono_replay.log.jsonl import canonical
from ono_replay.replay import read_replay
from ono_replay.rules.events import Draw
from ono_replay.simulate.game import Simulator
from ono_replay.simulate.plan import Plan

GAMES = {"a": Simulator(Plan(players=3, seed=5)).events(0), "b": Simulator(Plan(players=2, seed=6)).events(0)}

IDS = {"a": "sim-5-0", "b": "sim-6-0"}


@pytest.fixture(scope="module")
def log(tmp_path_factory):
    path = tmp_path_factory.mktemp("logs") / "two games.ono.jsonl"
    path.write_bytes(b"".join(canonical(event) + b"\n" for game in GAMES.values() for event in game))
    return str(path)


@pytest.fixture
def refused(monkeypatch, capsys):
    monkeypatch.delenv("ONO_REPLAY_DEBUG")

    def run_refused(*arguments):
        assert run(["export", *arguments]) == 2
        return capsys.readouterr().err

    return run_refused


def payload_in(path):
    page = path.read_text(encoding="utf-8")
    return json.loads(page.partition('id="payload">')[2].partition("</script>")[0])


def test_a_page_of_the_first_game_and_of_another(log, tmp_path):
    assert run(["export", "html", log, str(tmp_path / "a.html")]) == 0
    payload = payload_in(tmp_path / "a.html")
    assert payload["game"]["game_id"] == IDS["a"]
    assert payload["options"] == {"log": "two games.ono.jsonl"}
    assert [event["seq"] for event in payload["events"]] == [event.seq for event in GAMES["a"]]
    other = IDS["b"]
    assert run(["export", "html", log, str(tmp_path / "b.html"), "--game", other, "--seq", "9"]) == 0
    payload = payload_in(tmp_path / "b.html")
    assert payload["game"]["game_id"] == other
    assert payload["options"]["event"] == 9


@pytest.mark.parametrize("view", [["--seat", "1"], ["--public"]])
@pytest.mark.parametrize("kind", ["html", "text", "svg"])
def test_a_view_has_no_hidden_card(log, tmp_path, capsys, view, kind):
    out = tmp_path / "out"
    early = ["--seq", "6"] if kind == "svg" else []  # nobody has laid a hand down
    assert run(["export", kind, log, str(out), *view, *early]) == 0
    text = out.read_text(encoding="utf-8")
    if kind == "html":
        payload = payload_in(out)
        assert payload["game"]["view"] == ("seat" if view[0] == "--seat" else "public")
        assert "log" not in payload["options"]
        drawn = {
            event["card"] for event in payload["events"] if event["type"] == "draw" and event["seat"] != 1
        }
        assert drawn == {"?"}
    elif kind == "text":
        others = [line for line in text.splitlines() if re.match(r"Turn \d+\. \[\d+\] random-[02]", line)]
        assert others
        assert all("Draws a card." in line for line in others if "Draws" in line)
    else:
        backs, unknown = text.count(">99</text>"), text.count(">?</text>")
        assert unknown == 12 if view == ["--public"] else backs >= 9  # the draw pile is one of them


def test_a_transcript_tells_every_turn(log, capsys):
    assert run(["export", "text", log, "-"]) == 0
    told = capsys.readouterr().out.splitlines()
    assert told[0] == "ONO 99, edition 2022: 3 players, a single round."
    turns = [line for line in told if line.startswith("Turn ")]
    draws = sum(line.count("Draws ") for line in turns)
    assert draws == sum(isinstance(event, Draw) for event in GAMES["a"])
    assert told[-1].endswith(" wins the game.")


def test_pictures(log, tmp_path):
    for kind, more in (
        ("svg", ["--theme", "dark"]),
        ("png", ["--width", "300"]),
        ("gif", ["--from", "8", "--to", "10", "--width", "200"]),
    ):
        assert run(["export", kind, log, str(tmp_path / f"x.{kind}"), *more]) == 0
    assert (tmp_path / "x.svg").read_text(encoding="utf-8").startswith("<svg ")
    assert (tmp_path / "x.png").read_bytes()[:8] == b"\x89PNG\r\n\x1a\n"
    assert (tmp_path / "x.gif").read_bytes()[:6] == b"GIF89a"


def test_a_seat_by_the_name_of_its_player(log, tmp_path):
    name = read_replay(log).names[1]
    for seat in ("1", name):
        assert run(["export", "html", log, str(tmp_path / f"{seat}.html"), "--seat", seat]) == 0
        assert run(["export", "svg", log, str(tmp_path / f"{seat}.svg"), "--seat", seat]) == 0
    for kind in ("html", "svg"):
        assert (tmp_path / f"1.{kind}").read_bytes() == (tmp_path / f"{name}.{kind}").read_bytes()


def test_what_is_there_is_not_written_over(log, tmp_path, refused):
    out = tmp_path / "mine.html"
    out.write_text("mine", encoding="utf-8")
    assert "exists already" in refused("html", log, str(out))
    assert out.read_text(encoding="utf-8") == "mine"
    assert run(["export", "html", log, str(out), "--force"]) == 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--game", "nobody"], "no game has the id 'nobody'"),
        (["--seat", "3"], "there is no seat 3; a seat: 0 "),
        (["--seat", "nobody"], "there is no seat nobody; a seat: 0 "),
        (["--seq", "9999"], "the nearest is"),
        (["--seat", "1", "--public"], "either --seat or --public"),
    ],
)
def test_what_can_not_be(log, tmp_path, refused, arguments, said):
    assert said in refused("html", log, str(tmp_path / "out.html"), *arguments)
    assert not (tmp_path / "out.html").exists()


def test_a_gif_has_a_most_and_a_least(log, tmp_path, refused, monkeypatch):
    out = str(tmp_path / "out.gif")
    monkeypatch.setattr(pictures, "MOST_FRAMES", 2)
    told = "a GIF has room for 2 events, this is 3: choose with --from and --to"
    assert told in refused("gif", log, out, "--from", "7", "--to", "9")
    assert "no event" in refused("gif", log, out, "--from", "9", "--to", "8")


def test_a_game_without_rules(tmp_path, refused):
    log = tmp_path / "bad.ono.jsonl"
    log.write_bytes(canonical(GAMES["a"][0]).replace(b'"2022"', b'"1900"') + b"\n")
    assert "can not be shown" in refused("html", str(log), str(tmp_path / "out.html"))


def test_from_python_the_name_tells_the_kind_and_the_bytes_are_those_of_the_command(log, tmp_path):
    for name, how, more in (
        ("a.html", {"game_id": IDS["b"], "seq": 9}, ["--game", IDS["b"], "--seq", "9"]),
        ("a.svg", {"seat": 1, "theme": "dark"}, ["--seat", "1", "--theme", "dark"]),
        ("a.png", {"width": 300}, ["--width", "300"]),
        ("a.gif", {"first": 8, "last": 9, "width": 200}, ["--from", "8", "--to", "9", "--width", "200"]),
        ("a.txt", {"public": True}, ["--public"]),
    ):
        done = export_game(log, tmp_path / name, **how)
        assert run(["export", done.kind, log, str(tmp_path / f"cli-{name}"), *more]) == 0
        assert (tmp_path / name).read_bytes() == (tmp_path / f"cli-{name}").read_bytes()
        assert done.one_of_several == ("game_id" not in how)


@pytest.mark.parametrize(
    ("name", "how", "said"),
    [
        ("a.doc", {}, "a.doc: the name does not tell what to make: html, svg, png, gif, text"),
        ("a.svg", {"width": 300}, "svg has no width; it takes seq, theme"),
        ("a.txt", {"seq": 3}, "text has no seq; it takes nothing of the kind"),
        ("a.png", {"width": 5}, "width can not be 5: from 200 to 4000"),
        ("a.png", {"theme": "pink"}, "there is no theme 'pink': light, dark"),
        ("a.svg", {"seq": 9999}, "no event 9999 stands in this game; the nearest is"),
        ("a.svg", {"game_id": "nobody"}, "two games.ono.jsonl: no game has the id 'nobody'"),
        ("a.svg", {"game_id": "nobody", "public": True}, "two games.ono.jsonl: no game has the id 'nobody'"),
        ("a.svg", {"seat": 7}, "two games.ono.jsonl: there is no seat 7"),
    ],
)
def test_from_python_what_can_not_be_is_told(log, tmp_path, name, how, said):
    with pytest.raises(CannotExport, match=re.escape(said)):
        export_game(log, tmp_path / name, **how)
    assert not (tmp_path / name).exists()


def test_the_log_itself_is_never_written_over(log):
    before = Path(log).read_bytes()
    with pytest.raises(CannotExport, match="is the log itself"):
        export_game(log, log, "text", overwrite=True)
    assert Path(log).read_bytes() == before


def test_a_game_that_begins_with_another_number(tmp_path):
    log = tmp_path / "odd.ono.jsonl"
    start, *rest = (canonical(event) for event in GAMES["a"][:9])
    log.write_bytes(b"\n".join([start.replace(b'"seq":0', b'"seq":3', 1), *rest, b""]))
    for seq in (None, 3, 5):
        assert export_game(log, tmp_path / "a.svg", seq=seq, overwrite=True).kind == "svg"
    with pytest.raises(CannotExport, match="no event 0 stands"):
        export_game(log, tmp_path / "a.svg", seq=0, overwrite=True)
