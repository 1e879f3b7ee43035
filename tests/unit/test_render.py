"""Renderers: the same findings for people and for programs, whatever names and lines hold."""

import io
import json
import re
import urllib.parse

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ono_replay.check.catalogue import CATALOGUE
from ono_replay.check.diagnostic import Diagnostic, GameReport, Summary
from ono_replay.check.render import FORMATS, GithubRenderer, SarifRenderer, TextRenderer
from ono_replay.check.render.excerpt import cell_width, excerpt, find_value
from ono_replay.check.render.marks import KEYS_AT_FAULT
from ono_replay.check.render.spool import IN_MEMORY
from ono_replay.check.render.style import Style, style_for
from ono_replay.check.render.table import describe_table
from ono_replay.check.render.text import MOST_CLEAN
from ono_replay.check.scene import Scene
from ono_replay.log.keys import KEYS
from ono_replay.rules.ruleset import EDITIONS
from ono_replay.rules.state import Phase, first_state

PLAIN = Style(colour=False)
HOSTILE = "\x1b[31mAnn\n::error::\u202e,%\r\t‽🂡\x00"
GAME_KEYS = [
    "file",
    "game_id",
    "line",
    "events",
    "verdict",
    "errors",
    "warnings",
    "unverified",
    "diagnostics",
]
FINDING_KEYS = [
    "code",
    "name",
    "severity",
    "file",
    "line",
    "game_id",
    "seq",
    "seat",
    "message",
    "expected",
    "actual",
    "legal",
    "help",
    "knock_on",
]


def finding(code="ONO301", line: int | None = 7, **more):
    known = CATALOGUE[code]
    given = {
        "severity": known.severity,
        "file": "a.ono.jsonl",
        "message": known.what.rstrip("."),
        "help": known.fix,
    }
    return Diagnostic(code=code, name=known.name, line=line, **{**given, **more})


def report(*findings, **more):
    given = {"file": "a.ono.jsonl", "game_id": "kitchen-7", "line": 1, "events": 9, "verdict": "invalid"}
    errors = sum(found.severity == "error" for found in findings)
    return GameReport(**{"errors": errors, **given, **more}, diagnostics=list(findings))


def render(name, *items, summary=None, **options):
    stream = io.StringIO()
    renderer = FORMATS[name](stream) if not options else TextRenderer(stream, **options)
    for item in items:
        (renderer.game if isinstance(item, GameReport) else renderer.stray)(item)
    renderer.close(summary or Summary(files=1, games=1, invalid=1, events=9, errors=1))
    return stream.getvalue()


ODD = [
    report(
        finding(file=HOSTILE, message=HOSTILE, game_id=HOSTILE, help=HOSTILE), file=HOSTILE, game_id=HOSTILE
    ),
    report(finding(expected=[1, None, {"a": 2**70}], actual=float("nan"), legal=("7", "discard_four"))),
    report(finding(file="caf\udce9.jsonl"), file="caf\udce9.jsonl"),
    report(finding(line=None), game_id=None),
    finding("ONO113", line=None, message="the gzip stream ends early"),
    finding("ONO201", knock_on=True),
]


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("encoding", ["utf-8", "ascii", "cp1252", "utf-16"])
def test_nothing_in_a_log_stops_a_renderer_or_passes_control_characters(name, encoding):
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding=encoding, newline="")
    renderer = FORMATS[name](stream)
    for item in ODD:
        (renderer.game if isinstance(item, GameReport) else renderer.stray)(item)
    renderer.close(Summary())
    stream.flush()
    text = raw.getvalue().decode(encoding)
    if name in ("text", "github"):
        assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2028]", text)
    elif name == "jsonl":
        for line in text.splitlines():
            json.loads(line)
    else:
        json.loads(text)


def test_json_has_exactly_the_keys_of_the_format():
    summary = Summary(files=2, games=2, valid=1, invalid=1, events=50, errors=1, warnings=2, unverified=3)
    answer = json.loads(render("json", report(finding()), finding("ONO113"), report(), summary=summary))
    assert set(answer) == {"summary", "games", "diagnostics"}
    assert [list(game) for game in answer["games"]] == [GAME_KEYS, GAME_KEYS]
    assert list(answer["games"][0]["diagnostics"][0]) == FINDING_KEYS
    assert [list(found) for found in answer["diagnostics"]] == [FINDING_KEYS]
    assert answer["summary"] == {
        "files": 2, "games": 2, "valid": 1, "unfinished": 0, "invalid": 1, "events": 50, "errors": 1, "warnings": 2,
        "unverified": 3,
    }  # fmt: skip


def test_json_keeps_names_and_values():
    game = json.loads(render("json", ODD[0]))["games"][0]
    assert game["game_id"] == game["diagnostics"][0]["message"] == HOSTILE
    found = json.loads(render("json", ODD[1]))["games"][0]["diagnostics"][0]
    assert found["expected"] == [1, None, {"a": 2**70}]
    assert found["actual"] is None
    assert found["legal"] == ["7", "discard_four"]
    found = json.loads(render("json", ODD[3]))["games"][0]["diagnostics"][0]
    assert (found["line"], found["seq"], found["seat"], found["legal"]) == (None, None, None, [])


def test_json_without_games():
    assert json.loads(render("json", summary=Summary(files=1)))["games"] == []


@pytest.mark.parametrize("name", ["json", "jsonl", "sarif", "text", "github"])
def test_a_game_is_written_when_it_is_done_and_not_kept(name):
    stream = io.StringIO()
    renderer = FORMATS[name](stream)
    for number in range(5):
        renderer.game(report(finding(game_id=f"game-{number}"), game_id=f"game-{number}"))
        assert f"game-{number}" in stream.getvalue()
        stream.seek(0)
        stream.truncate()


def test_jsonl_is_the_games_of_json_line_by_line():
    games = [item for item in ODD if isinstance(item, GameReport)]
    lines = render("jsonl", *games).splitlines()
    assert [json.loads(line) for line in lines] == json.loads(render("json", *games))["games"]


def test_jsonl_ends_with_what_belongs_to_no_game_only_if_something_does():
    first, last = render("jsonl", finding("ONO113"), report()).splitlines()
    assert list(json.loads(first)) == GAME_KEYS
    assert [found["code"] for found in json.loads(last)["diagnostics"]] == ["ONO113"]


@pytest.mark.parametrize("name", ["json", "jsonl"])
def test_any_number_of_findings_without_a_game(name):
    strays = [finding("ONO201", line=number, message="ü" * 1000) for number in range(2 * IN_MEMORY // 1000)]
    answer = json.loads(render(name, *strays))
    assert [found["line"] for found in answer["diagnostics"]] == list(range(len(strays)))


# --- SARIF ------------------------------------------------------------------------------------------


def test_sarif():
    answer = json.loads(
        render("sarif", report(finding(seq=6, game_id="kitchen-7")), finding("ONO113", line=None))
    )
    assert set(answer) == {"$schema", "version", "runs"}
    assert answer["version"] == "2.1.0"
    (run,) = answer["runs"]
    assert set(run) == {"tool", "results", "columnKind", "properties"}
    rules = run["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == list(CATALOGUE)
    for rule in rules:
        assert set(rule) == {
            "id", "name", "shortDescription", "fullDescription", "help", "defaultConfiguration",
        }  # fmt: skip
        assert rule["defaultConfiguration"]["level"] in ("error", "warning", "note")
    first, second = run["results"]
    for result in (first, second):
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        assert result["message"]["text"]
        assert len(result["locations"]) == 1
    assert first["locations"][0] == {
        "physicalLocation": {"artifactLocation": {"uri": "a.ono.jsonl"}, "region": {"startLine": 7}},
        "logicalLocations": [{"name": "kitchen-7", "kind": "game"}],
    }
    assert first["properties"]["knock_on"] is False
    assert "region" not in second["locations"][0]["physicalLocation"]


def test_sarif_columns_are_those_of_the_mark():
    line = '{"seq":6,"type":"comment","text":"日本🂡","seat":17}'.encode()
    scenes = {
        7: Scene(line=line, key="seat"),
        8: Scene(line=b'{"seq":6 "type"', column=9),
        9: Scene(line=b"{}"),
    }
    found = [finding(), finding("ONO102", line=8), finding("ONO501", line=9), finding("ONO301", line=10)]
    results = json.loads(render("sarif", report(*found, scenes=scenes)))["runs"][0]["results"]
    first, second, *rest = (one["locations"][0]["physicalLocation"]["region"] for one in results)
    text = line.decode()
    assert text[first["startColumn"] - 1 : first["endColumn"] - 1] == "17"
    assert second == {"startLine": 8, "startColumn": 10, "endColumn": 11}
    assert rest == [{"startLine": 9}, {"startLine": 10}]


def test_sarif_without_findings():
    assert json.loads(render("sarif", report()))["runs"][0]["results"] == []


@pytest.mark.parametrize("code", CATALOGUE)
def test_sarif_level(code):
    (result,) = json.loads(render("sarif", finding(code)))["runs"][0]["results"]
    assert result["level"] == CATALOGUE[code].severity


@pytest.mark.parametrize("file", ["a b/ü%#?.jsonl", "caf\udce9.jsonl", "a:b.jsonl"])
def test_sarif_files_are_uri_references(file):
    (result,) = json.loads(render("sarif", finding(file=file)))["runs"][0]["results"]
    uri = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
    assert re.fullmatch(r"[A-Za-z0-9%/._~-]+", uri)
    assert urllib.parse.unquote_to_bytes(uri) == file.encode("utf-8", "surrogateescape")


def test_sarif_of_an_absolute_path(tmp_path):
    (result,) = json.loads(render("sarif", finding(file=str(tmp_path / "a b"))))["runs"][0]["results"]
    assert (
        result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == (tmp_path / "a b").as_uri()
    )


# --- GitHub -----------------------------------------------------------------------------------------


def test_github():
    knock_on = finding("ONO308", knock_on=True)
    lines = render(
        "github", report(finding(game_id="kitchen-7"), knock_on, knock_on, finding("ONO108"))
    ).splitlines()
    assert lines[0] == (
        "::error file=a.ono.jsonl,line=7,title=ONO301 out-of-turn::Game kitchen-7: A seat acts though it is "
        "another's turn (and 2 that follow from it). Look for a card that was not recorded, or a Reverse or "
        "pair card that was overlooked."
    )
    assert lines[1].startswith("::notice file=a.ono.jsonl,line=7,title=ONO108 unknown-key::")
    assert lines[2:] == ["1 game in 1 file: 1 invalid. 1 error. 9 events."]


def test_github_escapes():
    first = render("github", finding(file="a,b:c%.jsonl", message="100% of\r\nit")).splitlines()[0]
    assert first.startswith("::error file=a%2Cb%3Ac%25.jsonl,line=7,")
    assert r"::100%25 of\u{d}\u{a}it" in first


def test_github_gives_one_command_a_line():
    for line in render("github", *ODD).splitlines()[:-1]:
        assert re.match(r"::(error|warning|notice) file=[^:,]*(,line=\d+)?,title=[^:,]*::", line)


# --- text -------------------------------------------------------------------------------------------

LINE = b'{"seq":6,"type":"play","seat":1,"card":"7","total":14}'


def playing(**changes):
    state = first_state(EDITIONS["2022"], 2)
    fields = {
        "phase": Phase.PLAYING, "turn": 0, "plays_due": 1, "total": 7, "draw_pile": 103, "discard_pile": 1,
        "hands": (("0", "9", "reverse"), ("4", "7", "?")), **changes,
    }  # fmt: skip
    return msgspec.structs.replace(state, **fields)


def test_text():
    found = finding(
        seat=1, message="Bo (seat 1) plays 7, but it is Ann's turn (seat 0)", legal=("0", "discard_four")
    )
    knock_on = finding("ONO308", line=8, knock_on=True, message="Ann (seat 0) must draw")
    scenes = {7: Scene(line=LINE, state=playing(), names=("Ann", "Bo"))}
    shown = render("text", report(found, knock_on, scenes=scenes), style=PLAIN, width=80)
    assert (
        shown
        == """\
a.ono.jsonl: game kitchen-7: invalid, 2 errors, 9 events
  a.ono.jsonl:7: error ONO301 out-of-turn
    Bo (seat 1) plays 7, but it is Ann's turn (seat 0)
    7 | {"seq":6,"type":"play","seat":1,"card":"7","total":14}
      |                               ^
    before:     total 7, Ann (seat 0) to play
                clockwise, draw pile 103, discard pile 1
    hand:       4, 7, ? – Bo (seat 1)
    could play: 0, discard four ono_99
    help:       Look for a card that was not recorded, or a Reverse or pair card
                that was overlooked.
    … and 1 that follows from it (--all shows them)
1 game in 1 file: 1 invalid. 1 error. 9 events.
"""
    )


def test_text_shows_knock_ons_when_asked():
    knock_on = finding("ONO308", line=8, knock_on=True, message="Ann (seat 0) must draw")
    shown = render("text", report(finding(), knock_on), style=PLAIN, width=80, show_all=True)
    assert (
        "  a.ono.jsonl:8: error ONO308 draw-missing, which follows from the above\n    Ann (seat 0) must draw\n"
        in shown
    )
    assert "--all" not in shown


def test_text_folds_findings_without_a_game():
    strays = [finding("ONO201", line=1), *(finding("ONO201", line=n, knock_on=True) for n in range(2, 5))]
    shown = render("text", *strays, report(), style=PLAIN).splitlines()
    assert shown[0] == "a.ono.jsonl:1: error ONO201 no-game-start"
    assert shown[-3] == "  … and 3 that follow from it (--all shows them)"


def test_text_names_only_some_of_the_games_without_findings():
    games = [report(game_id=f"g{number}", verdict="valid") for number in range(MOST_CLEAN + 5)]
    shown = render("text", *games, style=PLAIN)
    assert shown.count(": game g") == MOST_CLEAN
    assert "… and 5 more games without findings\n" in shown


def test_text_tells_of_findings_that_were_not_kept():
    assert "  … and 1,500 findings more in this game\n" in render(
        "text", report(finding(), more=1500), style=PLAIN
    )


def test_text_verdicts():
    shown = render("text", report(verdict="unfinished", unverified=3, warnings=1, game_id=None), style=PLAIN)
    assert (
        shown.splitlines()[0]
        == "a.ono.jsonl: game without an id: unfinished, 1 warning, 3 unverified, 9 events"
    )


def test_colour_only_where_it_is_wanted(monkeypatch):
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    monkeypatch.delenv("NO_COLOR")
    assert style_for(Terminal(), {}).colour
    assert not style_for(Terminal(), {"TERM": "dumb"}).colour
    assert not style_for(Terminal(), {"NO_COLOR": "1", "FORCE_COLOR": "1"}).colour
    assert not style_for(io.StringIO(), {}).colour
    assert style_for(io.StringIO(), {"FORCE_COLOR": "1"}).colour
    assert "\x1b[1;31merror ONO301\x1b[0m" in render("text", report(finding()), style=Style(colour=True))


def test_a_mark_is_under_a_key_of_the_format():
    known = {key.name for keys in KEYS.values() for key in keys} | {"seq", "type", "at_ms"}
    assert set(KEYS_AT_FAULT) <= set(CATALOGUE)
    assert {key for keys in KEYS_AT_FAULT.values() for key in keys} <= known


# --- the line ---------------------------------------------------------------------------------------


@given(
    st.one_of(
        st.binary(max_size=200), st.text(max_size=200).map(lambda text: text.encode("utf-8", "surrogatepass"))
    ),
    st.integers(10, 80),
    st.one_of(st.none(), st.integers(0, 250)),
    st.sampled_from([(), ("seat",), ("a.b[0]", "seq")]),
)
def test_an_excerpt_is_safe_and_fits(line, width, column, keys):
    cut = excerpt(line, width, keys=keys, column=column)
    assert cell_width(cut.text) <= max(width, 12)
    assert cut.text.isprintable() or not re.search(
        r"[\x00-\x1f\x7f-\x9f\u202a-\u202e\u2028\ud800-\udfff]", cut.text
    )


@pytest.mark.parametrize("width", [30, 60, 200])
@pytest.mark.parametrize("key", ["seat", "card", "total", "players[1].name", "long"])
def test_the_mark_is_under_the_value(width, key):
    log = {
        "seq": 4,
        "seat": 1,
        "card": "日本",
        "total": 7,
        "players": [{"name": "A"}, {"name": "Bo"}],
        "long": "x" * 300,
    }
    line = json.dumps(log, ensure_ascii=False)
    cut = excerpt(line.encode(), width, keys=[key])
    span = find_value(line, key)
    assert span is not None
    before = cell_width(cut.marks) - cell_width(cut.marks.lstrip())
    under = "".join(char for place, char in cells(cut.text) if before <= place < cell_width(cut.marks))
    assert line[slice(*span)].startswith(under)
    assert under


def cells(text):
    place = 0
    for char in text:
        yield place, char
        place += cell_width(char)


def test_a_line_of_a_mebibyte_is_cut_at_once():
    line = b'{"seq":4,"text":"' + b"a" * (1 << 20) + b'","seat":9}'
    assert excerpt(line, 60, keys=["seq"]).text.startswith('{"seq":4,"text":"aaa')
    assert excerpt(line, 60, column=len(line) - 2).text.endswith('aaa","seat":9}')


@pytest.mark.parametrize(
    ("text", "key", "value"),
    [
        ('{"a":"\\"b\\":1","b":2}', "b", "2"),
        ('{ "a" : [ 1 , { "b" : null } ] }', "a[1].b", "null"),
        ('{"a":{"seat":1},"seat":2}', "seat", "2"),
        ('{"a":"x', "a", "x"),
        ('{"a":', "a", None),
        ("[1,2", "1", "2"),
        ("", "a", None),
        ("}{", "a", None),
        ('{"a" "b"}', "a", '"b"'),
    ],
)
def test_find_value(text, key, value):
    span = find_value(text, key)
    assert (None if span is None else text[slice(*span)]) == value


# --- the table --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "rows"),
    [
        ({"plays_due": 2}, ["total 7, Ann (seat 0) to play the first of two cards"]),
        ({"second": True}, ["total 7, Ann (seat 0) to play the second of two cards"]),
        (
            {"draws_due": 2, "drawer": 1},
            ["total 7, Ann (seat 0) to play, Bo (seat 1) to draw 2 cards first"],
        ),
        ({"direction": -1, "total": -6}, ["total -6", "counter-clockwise"]),
        ({"out": (1,)}, ["Bo (seat 1)"]),
        ({"phase": Phase.ROUND_OVER, "turn": None}, ["total 7, the round is over"]),
        ({"phase": Phase.DEALING, "turn": None}, ["cards are being dealt"]),
        ({"phase": Phase.ENDED}, ["the game has ended"]),
        ({"hands": ((), ("7",)), "opened": True}, ["no cards – Ann (seat 0)"]),
    ],
)
def test_table(changes, rows):
    shown = list(describe_table(playing(**changes), None, ["Ann", "Bo"]))
    text = "\n".join(f"{label}: {row}" for label, row in shown)
    for row in rows:
        assert row in text


def test_a_seat_that_does_not_exist_has_no_hand():
    assert "hand" not in dict(describe_table(playing(), 9, []))


def test_renderers_are_named_by_format():
    assert list(FORMATS) == ["text", "json", "jsonl", "sarif", "github"]
    assert FORMATS["github"] is GithubRenderer
    assert FORMATS["sarif"] is SarifRenderer
