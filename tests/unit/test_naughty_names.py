"""Names that break programs, on every surface: kept exactly, shown safely, run nothing, fetch nothing."""

import csv
import functools
import io
import json
import os
import re
import subprocess
import sys
import termios
import unicodedata
import xml.etree.ElementTree as ET
from html.parser import HTMLParser
from pathlib import Path

import duckdb
import pyarrow.parquet as pq
import pytest
from rich.console import Console

from ono_replay.check.printable import printable
from ono_replay.check.render.style import Style
from ono_replay.cli.main import run
from ono_replay.cli.seats import Look as TableLook
from ono_replay.cli.seats import table_lines
from ono_replay.cli.step import Walk
from ono_replay.cli.table_picture import picture
from ono_replay.convert import convert_logs
from ono_replay.export.html import page_of, viewer_source
from ono_replay.export.payload import Options, build_payload
from ono_replay.export.pictures import png_of
from ono_replay.export.svg import picture_of
from ono_replay.export.text import transcript
from ono_replay.library.exporting import export_csv, export_log
from ono_replay.library.importing import import_logs
from ono_replay.library.maintenance import aliases, set_alias
from ono_replay.library.stats import head_to_head
from ono_replay.library.store import Library
from ono_replay.log.jsonl import encode_game, parse_line
from ono_replay.log.reader import read_games
from ono_replay.replay import read_replays
from ono_replay.rules.events import (
    Comment,
    Deal,
    Draw,
    GameEnd,
    GameStart,
    Play,
    Player,
    RoundStart,
    Source,
    UnknownEvent,
)
from tests.corpora.naughty_names import NAMES

WRITTEN = "".join(map(chr, (*range(0x20), *range(0x7F, 0xA0), 0x2028, 0x2029))).replace("\n", "")
REORDERS = "\u200e\u200f\u061c\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
UNSAFE = re.compile(f"[{re.escape(WRITTEN + REORDERS)}]")
"""What must never reach a terminal; a newline is ours alone, as every name with one shows."""
COLOUR = re.compile(r"\x1b\[[0-9;]*m")


def game(number, name, *, wrong=False):
    """A game in which a name stands wherever a name, or any free text, may."""
    deals = (("7", "ono_99", "reverse", "0"), ("10", "-10", "play_2", "4"))
    return encode_game(
        [
            GameStart(
                seq=0, format="ono-log", version="1.7", game_id=game_id(number, name), ruleset={"edition": "2022"},
                players=(Player(name), Player("Bo", id=name), Player(name, bot=True)), dealer=2, view="public",
                source=Source(name, name), extra={f"!{name}": name}, meta={name: [name]},
            ),
            RoundStart(seq=1, round=1, dealer=2, starter=0),
            *(Deal(seq=2 + seat, seat=seat, cards=cards) for seat, cards in enumerate((*deals, ("?",) * 4))),
            Play(seq=5, seat=0, card="7", total=9 if wrong else 7),
            Draw(seq=6, seat=0, card="9"),
            Comment(seq=7, text=name),
            UnknownEvent(seq=8, name=f"!{name}", extra={f"!{name}": name}),
            GameEnd(seq=9, winners=(), reason="abandoned"),
        ]
    )  # fmt: skip


def game_id(number, name):
    return name if len(name) <= 100 else f"n{number}"


SOUND = b"".join(game(number, name) for number, name in enumerate(NAMES))
WRONG = b"".join(game(number, name, wrong=True) for number, name in enumerate(NAMES))
LINES = len(SOUND.splitlines()) // len(NAMES)


@functools.cache
def replays(data=SOUND):
    return list(read_replays(io.BytesIO(data)))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("names")
    (folder / "sound.ono.jsonl").write_bytes(SOUND)
    (folder / "wrong.ono.jsonl").write_bytes(WRONG)
    return folder


@pytest.fixture(scope="module")
def library(folder):
    found = import_logs([str(folder / "sound.ono.jsonl")], folder / "library", jobs=1)
    assert found.total("added") == len(NAMES)
    return folder / "library"


def said(capsys, *arguments):
    """What a command writes, of which nothing may reach into the terminal."""
    status = run(list(map(str, arguments)))
    output = capsys.readouterr()
    for text in (output.out, output.err):
        found = UNSAFE.search(text)
        assert found is None, (arguments, text[max(0, found.start() - 100) : found.end() + 20])
    assert status in (0, 1, 2)
    assert "fault of ono-replay" not in output.err
    return output.out, output.err


def test_there_are_many_and_none_is_another_form_of_nothing():
    assert len(NAMES) >= 300
    assert len(set(NAMES)) == len(NAMES)
    assert sum(bool(UNSAFE.search(name)) for name in NAMES) > 90
    assert any(unicodedata.normalize("NFC", name) != name for name in NAMES)


# --- kept exactly -----------------------------------------------------------------------------------


def test_the_log_keeps_them():
    for line in SOUND.splitlines():
        found = parse_line(line)
        keys = json.loads(line)
        if keys["type"] == "game_start":
            assert {type(found).__name__} <= {"GameStart", "RawObject"}
    for number, log in enumerate(read_games(io.BytesIO(SOUND))):
        assert not [one.fault for one in log.faults if one.fault and one.fault.code != "ONO105"]
        start = log.start
        assert start is not None
        assert [player.name for player in start.players] == [NAMES[number], "Bo", NAMES[number]]
        assert start.players[1].id == NAMES[number]
        assert encode_game(log.events) == game(number, NAMES[number])


def test_every_game_is_valid(folder, capsys):
    out, _ = said(capsys, "validate", folder / "sound.ono.jsonl", "--format", "json")
    games = json.loads(out)["games"]
    assert {one["verdict"] for one in games} == {"valid"}
    assert [one["game_id"] for one in games] == [game_id(*pair) for pair in enumerate(NAMES)]


def test_parquet_keeps_them(folder):
    convert_logs(str(folder / "sound.ono.jsonl"), str(folder / "sound.parquet"))
    convert_logs(str(folder / "sound.parquet"), str(folder / "back.ono.jsonl"))
    assert (folder / "back.ono.jsonl").read_bytes() == SOUND
    assert set(pq.read_table(folder / "sound.parquet")["game_id"].to_pylist()) == {
        game_id(*pair) for pair in enumerate(NAMES)
    }


def test_an_archive_keeps_them(folder, capsys):
    said(capsys, "archive", folder / "sound.ono.jsonl", "--to", folder / "archive.parquet")
    said(capsys, "archive", folder / "archive.parquet", "--to", folder / "unpacked.ono.jsonl")
    assert (folder / "unpacked.ono.jsonl").read_bytes() == SOUND


def test_the_library_keeps_them(library, folder):
    with Library(library) as opened:
        rows = opened.query("select game_id, seat, name, player from players order by game_id, seat")
        names = {(row["game_id"], row["seat"]): row for row in rows.to_pylist()}
    for number, name in enumerate(NAMES):
        first, second, _ = (names[game_id(number, name), seat] for seat in range(3))
        assert first["name"] == name
        assert first["player"] == unicodedata.normalize("NFC", name)
        assert second["player"] == name
    export_log(library, folder / "out.ono.jsonl", [game_id(*pair) for pair in enumerate(NAMES)])
    found = {one.start.game_id: one.events for one in read_games(folder / "out.ono.jsonl") if one.start}
    for number, name in enumerate(NAMES):
        assert encode_game(found[game_id(number, name)]) == game(number, name)


def test_sql_finds_each_by_a_literal_and_by_a_parameter(library):
    ids = {name: game_id(number, name) for number, name in enumerate(NAMES)}
    with Library(library) as opened:
        for name in NAMES:
            query = "select distinct game_id from players where seat = 0 and name = "
            literal = "'" + name.replace("'", "''") + "'"
            found = opened.query(query + "$name", {"name": name}).column(0).to_pylist()
            assert found == [ids[name]], name
            if "\0" not in name:
                assert opened.query(query + literal).column(0).to_pylist() == found, name


@pytest.mark.parametrize(
    "name", ["'; drop table games; --", "Robert'); DROP TABLE players;--", "%' --", "\\'", "?"]
)
def test_a_condition_with_a_name_is_only_a_condition(library, name, capsys):
    where = "list_contains(players, '{}')".format(name.replace("'", "''"))
    out, err = said(capsys, "stats", "length", "--library", library, "--where", where)
    assert "not understood" in err or "of" in out
    out, _ = said(capsys, "sql", "select count(*) as n from games", "--library", library, "--format", "json")
    assert json.loads(out) == [{"n": len(NAMES)}]


def test_an_alias_may_be_any_of_them(folder, library):
    with Library(library) as opened:
        known = opened.query("select distinct player from players").column(0).to_pylist()
    for name in [name for name in NAMES if name in known][::25]:
        set_alias(library, name, "one & only ' \" \\")
        assert aliases(library)[name] == "one & only ' \" \\"
        with Library(library) as opened:
            query = "select count(*) from players where player = $who"
            assert opened.query(query, {"who": "one & only ' \" \\"}).column(0)[0].as_py() > 0
        set_alias(library, name, None)
    assert not aliases(library)


def test_json_answers_keep_them(library, capsys):
    out, _ = said(
        capsys,
        "sql",
        "select distinct name from players where seat = 0",
        "--library",
        library,
        "--format",
        "json",
    )
    assert {row["name"] for row in json.loads(out)} == set(NAMES)
    with Library(library) as opened:
        opponents = {row["player"] for row in json.loads(head_to_head(opened).to_json()) if "player" in row}
    assert opponents <= {*NAMES, *(unicodedata.normalize("NFC", name) for name in NAMES)}


# --- the terminal -----------------------------------------------------------------------------------

FORMS = ("text", "json", "jsonl", "sarif", "github")


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("log", ["sound", "wrong"])
def test_validate(folder, form, log, capsys):
    out, _ = said(
        capsys, "validate", folder / f"{log}.ono.jsonl", "--format", form, *["--all"] * (form == "text")
    )
    if form == "github":
        # One command of ours a line, whatever a name pretends to be.
        assert all(re.match(r"::(error|warning|notice) |\d|$|[^:]", line) for line in out.splitlines())
        assert not [
            line for line in out.splitlines() if re.match(r"\s*(::set-output|::add-mask|::stop)", line)
        ]


def test_states(folder, capsys):
    out, _ = said(capsys, "states", folder / "sound.ono.jsonl")
    assert {json.loads(line)["game_id"] for line in out.split("\n")[:-1]} == {
        game_id(*pair) for pair in enumerate(NAMES)
    }


@pytest.mark.parametrize("drawn", [True, False])
@pytest.mark.parametrize("ascii_only", [True, False])
def test_the_table(drawn, ascii_only):
    look = TableLook(style=Style(True), width=100, drawn=drawn, ascii=ascii_only)
    for replay in replays(WRONG):
        for place in (0, 4, len(replay) - 1):
            replay.index = place
            for line in table_lines(replay, look):
                plain = COLOUR.sub("", line)
                assert "\n" not in plain
                assert not UNSAFE.search(plain), (replay.game_id, plain)


def test_the_walk_through_a_game():
    for replay in replays(WRONG)[::3]:
        walk = Walk(replay, TableLook(style=Style(True), width=80, drawn=True, ascii=False))
        for key in ("n", "right", "?", "h"):
            walk.press(key)
            shown = COLOUR.sub("", "\n".join(walk.lines(40)))
            assert not UNSAFE.search(shown), replay.game_id


def test_the_table_that_is_recorded_and_followed():
    for replay in replays():
        console = Console(file=io.StringIO(), force_terminal=True, width=90, height=40, highlight=False)
        replay.index = len(replay) - 1
        assert replay.state is not None
        with console.capture() as capture:
            console.print(
                picture(replay.game_id or "", replay.names, replay.state, replay.events, console=console)
            )
        assert not UNSAFE.search(COLOUR.sub("", capture.get())), replay.game_id


@pytest.mark.parametrize(
    "arguments",
    [
        ("show", "LOG"), ("show", "LOG", "--game", "\x1b[2J\u202e"), ("show", "LOG", "--seat", "\x9b31m"), ("states", "LOG", "--game", "\x1b]0;t\x07"),
        ("export", "text", "LOG", "-"), ("export", "html", "LOG", "-", "--game", "\x1b[2J"), ("export", "svg", "LOG", "-"), ("diff", "LOG", "WRONG"),
        ("diff", "LOG", "WRONG", "--format", "json"), ("verify-deal", "LOG"), ("verify-deal", "LOG", "--format", "json"), ("branch", "LOG", "OUT", "--seq", "99"),
        ("view", "LOG", "OUT", "--public"), ("view", "LOG", "OUT2", "--seat", "\x1b[31m"), ("recover", "LOG", "OUT3"), ("amend", "LOG", "OUT4"),
        ("explain", "\x1b[31mONO301"), ("schema", "\x1b[31m"), ("samples", "copy", "\x1b[31m/x/y"), ("simulate", "--edition", "\x1b[31m"), ("\x1b[31m",), ("validate", "--\x1b[31m"),
        ("validate", "\x1b[31mnothing\u202e"), ("show", "\x9b"), ("import", "\x1b[2J", "--library", "OUT5"), ("sql", "select '\x1b[2J\u202e' as \"\x1b\"", "--library", "LIBRARY"),
        ("sql", "select \x1b[2J", "--library", "LIBRARY"), ("sql", "select nothing\u202e from games", "--library", "LIBRARY"), ("sql", "select 1", "--library", "\x1b[2J"),
        ("sql", "from players", "--library", "LIBRARY"), ("sql", "from players", "--library", "LIBRARY", "--format", "json"), ("sql", "from players", "--library", "LIBRARY", "--format", "jsonl"),
        ("sql", "from events where type = 'comment'", "--library", "LIBRARY"), ("stats", "wins_by_player", "--library", "LIBRARY"), ("stats", "head_to_head", "--library", "LIBRARY"),
        ("stats", "head_to_head", "--library", "LIBRARY", "--format", "json"), ("stats", "\x1b[31m", "--library", "LIBRARY"), ("stats", "length", "--library", "LIBRARY", "--where", "\x1b = '\u202e'"),
        ("library", "info", "--library", "LIBRARY"), ("library", "alias", "--library", "LIBRARY"), ("library", "alias", "\x1b[2J", "\u202e", "--library", "LIBRARY"),
        ("library", "remove", "\x1b[2J!", "--library", "LIBRARY"), ("library", "duplicates", "--library", "LIBRARY"), ("library", "duplicates", "--library", "LIBRARY", "--format", "json"),
        ("library", "quality", "--library", "LIBRARY"), ("library", "quality", "--library", "LIBRARY", "--format", "json"), ("library", "quarantine", "list", "--library", "LIBRARY"),
        ("library", "quarantine", "list", "--library", "LIBRARY", "--format", "json"), ("library", "quarantine", "show", "\x1b[2J", "--library", "LIBRARY"), ("library", "check", "--logs", "--library", "LIBRARY"),
        ("library", "extract", "--game", "\x1b[2J!", "-o", "OUT6", "--library", "LIBRARY"), ("library", "export", "\x1b[2J", "--library", "LIBRARY"), ("convert", "LOG", "OUT7\x1b[2J.xyz"),
        ("convert", "\x1b[2J", "OUT8"), ("archive", "\x1b[2J", "--to", "OUT9.parquet"), ("record", "OUT10", "--edition", "2022", "--players", "\x1b[2J,\u202e", "--dealer", "\x9b"),
        ("record", "OUT11", "--edition", "2022", "--players", "A,B", "--rule", "\x1b[2J=1"), ("follow", "\x1b[2J"), ("check-states", "LOG", "STATES"), ("check-states", "LOG", "\x1b[2J"),
        ("dashboard", "\x1b[2J\u202e", "--no-browser"),
    ],
    ids=lambda arguments: " ".join(arguments[:3]).encode("ascii", "backslashreplace").decode().replace("\x1b", "^"),
)  # fmt: skip
def test_every_verb(folder, library, tmp_path, arguments, capsys, monkeypatch):
    # The first game's id is a control character, and the log has one with each.
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"")))
    (tmp_path / "states").write_text('{"game_id":"\\u001b[2J\u202e","seq":1,"\\u009b":1,"total":"\\u202e"}\n')
    places = {
        "LOG": folder / "sound.ono.jsonl", "WRONG": folder / "wrong.ono.jsonl", "LIBRARY": library, "STATES": tmp_path / "states",
    }  # fmt: skip
    said(capsys, *(places.get(word, word) for word in arguments))


def test_quarantine(folder, tmp_path, capsys):
    said(capsys, "import", folder / "wrong.ono.jsonl", "--library", tmp_path / "held")
    said(capsys, "import", folder / "wrong.ono.jsonl", "--library", tmp_path / "held", "--format", "json")
    out, _ = said(capsys, "library", "quarantine", "list", "--library", tmp_path / "held", "--format", "json")
    rows = json.loads(out)
    assert len(rows) == len(NAMES)
    said(capsys, "library", "quarantine", "list", "--library", tmp_path / "held")
    for row in rows[::20]:
        said(capsys, "library", "quarantine", "show", row["key"], "--library", tmp_path / "held")
    assert all(re.fullmatch(r"[\w.-]+", path.name) for path in (tmp_path / "held").rglob("*"))


# --- a real terminal: colours and pictures are ours, nothing else reaches it -------------------------

NASTY = [
    "\x1b[2J\x1b[H", "\x1b]0;title\x07", "\x9b31m", "A\u202enn", "\x9d0;t\x9c", "Bo\r\x1b[1A", "\x1bP+q\x1b\\", "\x1b[?1049h", "\b\b\b", "\x7f", "\x0e",
]  # fmt: skip
OURS = re.compile(r"\x1b\[(?:[0-9;]*[mKJHABCDG]|\?(?:25|7|1049|2004)[hl])|\x1b[78]")


def in_terminal(*arguments, typed=b""):
    """Run a command whose standard streams are a terminal; return what the terminal gets."""
    master, slave = os.openpty()
    termios.tcsetwinsize(slave, (40, 120))
    surroundings = {name: value for name, value in os.environ.items() if name != "NO_COLOR"} | {
        "TERM": "xterm"
    }
    command = [sys.executable, "-m", "ono_replay", *map(str, arguments)]
    process = subprocess.Popen(
        command, stdin=slave, stdout=slave, stderr=slave, env=surroundings, close_fds=True
    )
    os.close(slave)
    got = b""
    while True:
        try:
            got += os.read(master, 1 << 16)
        except OSError:
            break
        if typed and len(got) > 200:
            os.write(master, typed)
            typed = b""
    os.close(master)
    process.wait()
    return got.decode("utf-8", "backslashreplace")


@pytest.mark.parametrize(
    "arguments",
    [
        ("validate", "WRONG"), ("validate", "WRONG", "--format", "json"), ("show", "WRONG"), ("states", "WRONG"), ("convert", "LOG", "-"), ("view", "LOG", "-", "--public"),
        ("export", "text", "LOG", "-"), ("export", "html", "LOG", "-"), ("export", "svg", "LOG", "-"), ("diff", "LOG", "WRONG"), ("follow", "LOG"), ("step", "WRONG"),
        ("record", "OUT", "-e", "2022", "-p", ",".join(name for name in NASTY[:4])), ("sql", "from players", "-l", "LIBRARY", "--format", "csv"),
        ("sql", "from players", "-l", "LIBRARY"), ("stats", "head_to_head", "-l", "LIBRARY", "--format", "csv"), ("stats", "head_to_head", "-l", "LIBRARY"),
        ("library", "extract", "--where", "true", "-o", "-", "-l", "LIBRARY"), ("library", "quarantine", "show", "KEY", "--raw", "-l", "LIBRARY"),
    ],
    ids=lambda arguments: " ".join(arguments[:2]),
)  # fmt: skip
def test_in_a_terminal(arguments, nasty, tmp_path):
    places = nasty | {"OUT": tmp_path / "out.ono.jsonl"}
    typed = {"step": b"q", "record": b"7\r\x04"}.get(arguments[0], b"")
    got = in_terminal(*(places.get(word, word) for word in arguments), typed=typed)
    assert len(got) > 100
    plain = OURS.sub("", got).replace("\r", "")
    found = UNSAFE.search(plain)
    assert found is None, plain[max(0, found.start() - 100) : found.end() + 30]


@pytest.fixture(scope="module")
def nasty(tmp_path_factory):
    folder = tmp_path_factory.mktemp("nasty")
    for name, wrong in (("sound", False), ("wrong", True)):
        data = b"".join(game(number, nasty, wrong=wrong) for number, nasty in enumerate(NASTY))
        (folder / f"{name}.ono.jsonl").write_bytes(data)
    logs = {"LOG": folder / "sound.ono.jsonl", "WRONG": folder / "wrong.ono.jsonl"}
    import_logs([str(logs["LOG"])], folder / "library", jobs=1)
    import_logs([str(logs["WRONG"])], folder / "library", jobs=1)
    with Library(folder / "library") as opened:
        key = opened.query("select key from quarantine limit 1").column(0)[0].as_py()
    return logs | {"LIBRARY": folder / "library", "KEY": key}


# --- files with such names --------------------------------------------------------------------------


@pytest.fixture(scope="module")
def named_files(tmp_path_factory):
    """Logs in files with these names, as far as a file system has them."""
    folder = tmp_path_factory.mktemp("files")
    made = {}
    for number, name in enumerate(NAMES):
        if not {"/", "\0"} & set(name) and len(name.encode()) < 200:
            path = folder / f"{name}.ono.jsonl"
            path.write_bytes(game(number, name))
            made[path] = game_id(number, name)
    return folder, made


def test_files_with_such_names(named_files, tmp_path, capsys):
    folder, made = named_files
    assert len(made) > 400
    out, _ = said(capsys, "validate", folder, "--format", "json")
    assert {one["file"]: one["game_id"] for one in json.loads(out)["games"]} == {
        str(path): found for path, found in made.items()
    }
    for form in ("text", "github", "sarif"):
        said(capsys, "validate", folder, "--format", form)
    said(capsys, "import", folder, "--library", tmp_path / "library", "--jobs", "1")
    said(capsys, "library", "quality", "--library", tmp_path / "library")
    with Library(tmp_path / "library") as opened:
        rows = opened.query("select file, game_id from games").to_pylist()
    assert {row["game_id"] for row in rows} == set(made.values())
    said(capsys, "archive", folder, "--to", tmp_path / "all.parquet")


def test_one_by_one(named_files, tmp_path, capsys):
    """A name is one file, never a pattern for others, an option, or a place elsewhere."""
    _, made = named_files
    for number, (path, found) in enumerate(list(made.items())[::6]):
        out, err = said(capsys, "states", path)
        assert {json.loads(line)["game_id"] for line in out.split("\n")[:-1]} == {found}, err
        target = tmp_path / f"{number} {path.name}"
        said(capsys, "convert", path, target)
        assert target.read_bytes() == path.read_bytes()
        said(capsys, "export", "text", path, tmp_path / f"{number}.txt")


# --- CSV --------------------------------------------------------------------------------------------


def is_live(cell):
    """Whether a spreadsheet would run a cell: past what it skips, it begins like a formula."""
    text = unicodedata.normalize("NFKC", "".join(c for c in cell if c.isprintable() and not c.isspace()))
    return text[:1] in ("=", "+", "-", "@") and not re.fullmatch(r"-?\d+(\.\d+)?(e-?\d+)?", cell)


def test_csv(library, folder, capsys):
    export_csv(library, folder / "tables")
    csv.field_size_limit(1 << 24)
    for path in sorted((folder / "tables").iterdir()):
        rows = list(csv.reader(io.StringIO(path.read_bytes().decode(), newline="")))
        live = [cell for row in rows for cell in row if is_live(cell)]
        assert not live, (path.name, live[:5])
    with (folder / "tables" / "players.csv").open(encoding="utf-8", newline="") as file:
        names = {row["name"] for row in csv.DictReader(file) if row["seat"] == "0"}
    assert {name.removeprefix("'") if name not in NAMES else name for name in names} == set(NAMES)
    for arguments in (("sql", "from players"), ("stats", "head_to_head")):
        run([*arguments, "--library", str(library), "--format", "csv"])
        out = capsys.readouterr().out
        assert not [cell for row in csv.reader(io.StringIO(out, newline="")) for cell in row if is_live(cell)]


def test_a_duckdb_file(library, folder, capsys):
    said(capsys, "library", "export", folder / "all.duckdb", "--library", library)
    with duckdb.connect(str(folder / "all.duckdb"), read_only=True) as connection:
        rows = connection.execute("select name from players where seat = 0").fetchall()
    assert {name for (name,) in rows} == set(NAMES)


# --- pages, pictures, transcripts -------------------------------------------------------------------


class Elements(HTMLParser):
    """The elements of a page, and what its data element holds."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.tags, self.data, self.title = [], "", ""
        self._in = ""

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, tuple(name for name, _ in attrs)))
        self._in = "data" if dict(attrs).get("id") == "payload" else tag

    def handle_endtag(self, tag):
        self._in = ""

    def handle_data(self, data):
        if self._in == "data":
            self.data += data
        if self._in == "title":
            self.title += data


def parsed(page):
    found = Elements()
    found.feed(page)
    return found


def test_pages():
    """Whatever the names are, a page has the same elements, scripts and policy; its data says what the log says."""
    fixed = viewer_source("viewer.js")[:200]
    expected = None
    for replay in replays():
        page = page_of(build_payload(replay, Options(log=f"{replay.names[0][:50]}.ono.jsonl")))
        found = parsed(page)
        expected = expected or found.tags
        assert found.tags == expected, replay.game_id
        assert page.count(fixed) == 1
        payload = json.loads(found.data)
        assert tuple(one["name"] for one in payload["game"]["players"]) == replay.names
        assert not UNSAFE.search(found.title)


def test_drawings():
    expected = None
    for replay in replays():
        drawn = picture_of(replay, 7)
        root = ET.fromstring(drawn)
        tags = sorted({element.tag for element in root.iter()})
        expected = expected or tags
        assert tags == expected
        for element in root.iter():
            assert not {name for name in element.attrib if "href" in name or name.startswith("on")}
        assert not UNSAFE.search("".join(root.itertext()))
    # Every name at once is too many for a picture; some, as pixels.
    for replay in replays()[::40]:
        assert png_of(picture_of(replay, 7), 300).startswith(b"\x89PNG")


def test_transcripts():
    for replay in replays():
        lines = list(transcript(replay))
        assert not [line for line in lines if "\n" in line or UNSAFE.search(line)]
        shown = printable(replay.names[0]).strip()
        assert not shown or any(shown in line for line in lines)


def test_nothing_is_written_elsewhere(folder):
    """What was made lies where it was asked for, under the names that were asked for."""
    left = {path.name for path in Path(folder).iterdir()}
    assert left <= {
        "sound.ono.jsonl", "wrong.ono.jsonl", "library", "sound.parquet", "back.ono.jsonl", "archive.parquet", "unpacked.ono.jsonl", "out.ono.jsonl",
        "tables", "all.duckdb",
    }  # fmt: skip
