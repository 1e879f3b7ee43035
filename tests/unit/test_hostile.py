"""Inputs that have broken other tools: each gets its code and line; never a traceback, a hang, or much memory."""

import gzip
import json
import subprocess
import sys
from pathlib import Path

import pytest
import zstandard

from ono_replay.cli.main import run

START = (
    '{"seq":0,"type":"game_start","format":"ono-log","version":"1.0","game_id":"g","ruleset":{"edition":"2022"},'
    '"players":[{"name":"Ann"},{"name":"Bo"}],"dealer":1,"view":"full"}\n'
)
ROUND = (
    '{"seq":1,"type":"round_start","round":1,"dealer":1,"starter":0}\n'
    '{"seq":2,"type":"deal","seat":0,"cards":["7","ono_99","reverse","0"]}\n'
    '{"seq":3,"type":"deal","seat":1,"cards":["10","-10","play_2","4"]}\n'
)
PLAYS = (
    '{"seq":4,"type":"play","seat":0,"card":"7","total":7}\n'
    '{"seq":5,"type":"draw","seat":0,"card":"9"}\n'
    '{"seq":6,"type":"play","seat":1,"card":"4","total":11}\n'
    '{"seq":7,"type":"draw","seat":1,"card":"3"}\n'
)
END = '{"seq":8,"type":"game_end","winners":[],"reason":"abandoned"}\n'
GAME = START + ROUND + PLAYS + END
OTHER = GAME.replace('"game_id":"g"', '"game_id":"h"')


def comment(seq, text):
    return f'{{"seq":{seq},"type":"comment","text":{json.dumps(text, ensure_ascii=False)}}}\n'


def put(line, key):
    """A key more in a line."""
    return line.rstrip("}\n") + f",{key}}}\n"


def with_play(**changes):
    """The game with another first play."""
    keys = {"seq": 4, "type": "play", "seat": 0, "card": "7", "total": 7} | changes
    return START + ROUND + json.dumps(keys) + "\n" + PLAYS.split("\n", 1)[1] + END


def verdicts(path, capsys, expected_status=None):
    """What `validate --format json` says: verdicts, codes with lines, and codes that belong to no game."""
    status = run(["validate", str(path), "--format", "json"])
    output = capsys.readouterr()
    assert "Traceback" not in output.err
    if status == 2:
        return status, output.err
    answer = json.loads(output.out)
    found = [one for game in answer["games"] for one in game["diagnostics"]] + answer["diagnostics"]
    assert status == int(any(one["severity"] == "error" for one in found))
    own = [(one["code"], one["line"]) for one in found if not one["knock_on"]]
    # The renderers for people and for services have their say, too.
    for form in ("text", "jsonl", "sarif", "github"):
        assert run(["validate", str(path), "--format", form]) == status
        assert "\x1b" not in capsys.readouterr().out
    return [game["verdict"] for game in answer["games"]], own


CASES = {
    # name: the bytes, the verdicts, the codes with their lines
    "empty": (b"", [], []),
    "blank lines only": (b"\n\r\n  \n\t\n", [], []),
    "header only": (START, ["unfinished"], []),
    "zero plays": (START + ROUND, ["unfinished"], []),
    "no final newline": (GAME[:-1], ["valid"], []),
    "torn line": (START + ROUND + '{"seq":4,"type":"pl', ["unfinished"], [("ONO103", 5)]),
    "torn line after the end": (GAME + '{"se', ["valid"], [("ONO103", 10)]),
    "torn line then blank": (START + ROUND + '{"seq":4,"type":"pl\n\n', ["invalid"], [("ONO102", 5)]),
    "cut inside a character": ((START + ROUND + comment(4, "é")).encode()[:-4], ["unfinished"], [("ONO103", 5)]),
    "NUL block at the end": (GAME + "\0" * 4096, ["invalid"], [("ONO102", 10)]),
    "NUL block as a line": (START + ROUND + "\0" * 4096 + "\n" + PLAYS, ["invalid"], [("ONO102", 5)]),
    "byte-order mark": ("\ufeff" + GAME, ["valid"], []),
    "byte-order mark in mid-file": ("\ufeff" + GAME + "\ufeff" + OTHER, ["valid", "valid"], []),
    "byte-order mark in mid-game": (START + "\ufeff" + ROUND + PLAYS + END, ["invalid"], [("ONO102", 2)]),
    "CRLF": (GAME.replace("\n", "\r\n"), ["valid"], []),
    "CR": (GAME.replace("\n", "\r"), [], [("ONO103", 1)]),
    "CR and a newline at the end": (GAME.replace("\n", "\r") + "\n", [], [("ONO102", 1)]),
    "mixed line ends": (GAME.replace("\n", "\r\n", 3), ["valid"], []),
    "UTF-16": (GAME.encode("utf-16"), [], "ONO101"),
    "Latin-1": (START.replace("Bo", "Bö").encode("latin-1") + (ROUND + PLAYS + END).encode(), [], "ONO101"),
    "Latin-1 in a comment": (
        (START + ROUND).encode() + comment(4, "grün").encode("latin-1"), ["invalid"], [("ONO101", 5)]
    ),
    "a line of a mebibyte and a byte": (GAME.replace(END, comment(8, "x" * (1 << 20))), ["invalid"], [("ONO111", 9)]),
    "nested deep": (START + put(ROUND.split("\n", 1)[0], '"meta":{"x":' + "[" * 5000 + "]" * 5000 + "}"), ["invalid"], [("ONO102", 2)]),
    "nested without end": (START + "[" * 100_000 + "\n", ["invalid"], [("ONO102", 2)]),
    # structure
    "key twice": (with_play() .replace('"seat": 0, "card"', '"seat": 0, "seat": 0, "card"'), ["invalid"], [("ONO109", 5)]),
    "second header": (START + START + ROUND, ["unfinished", "unfinished"], [("ONO203", 2)]),
    "two games glued without a newline": (GAME[:-1] + OTHER, ["unfinished"], [("ONO102", 9)]),
    "the same game twice": (GAME + GAME, ["valid", "valid"], [("ONO203", 10)]),
    "a game and its prefix": (GAME + START + ROUND, ["valid", "unfinished"], [("ONO203", 10)]),
    "events of no game": (ROUND + GAME, ["valid"], [("ONO201", 1)]),
    "a gap": (START + ROUND + PLAYS.replace('"seq":5', '"seq":9').replace('"seq":6', '"seq":10').replace('"seq":7', '"seq":11'), ["invalid"], [("ONO202", 6)]),
    "a repeat": (START + ROUND + PLAYS.replace("\n", "\n", 1) + PLAYS.split("\n")[3] + "\n", ["invalid"], [("ONO202", 9)]),
    "a swap": (START + ROUND + "\n".join(PLAYS.split("\n")[i] for i in (1, 0, 2, 3)) + "\n" + END, ["invalid"], [("ONO202", 5)]),
    "two events on a line": (START + ROUND + PLAYS.replace("\n", " ", 1) + END, ["invalid"], [("ONO102", 5)]),
    "unknown event": (START + ROUND + '{"seq":4,"type":"emote"}\n', ["invalid"], [("ONO105", 5)]),
    "unknown key": (with_play(colour="red"), ["valid"], [("ONO108", 5)]),
    "newer minor": (GAME.replace('"1.0"', '"1.7"').replace(END, '{"seq":8,"type":"emote"}\n' + END.replace("8", "9")), ["valid"], [("ONO105", 9)]),
    "newer minor of two digits": (GAME.replace('"1.0"', '"1.10"'), ["valid"], []),
    "newer major": (GAME.replace('"1.0"', '"2.0"'), ["invalid"], [("ONO112", 1)]),
    "version missing": (GAME.replace('"version":"1.0",', ""), ["invalid"], [("ONO106", 1)]),
    "version that is a number": (GAME.replace('"1.0"', "1.0"), ["invalid"], [("ONO107", 1)]),
    "another format": (GAME.replace('"ono-log"', '"pgn"'), ["invalid"], [("ONO112", 1)]),
    # values
    "clock backwards": (START + ROUND + put(PLAYS.split("\n")[0], '"at_ms":500') + put(PLAYS.split("\n")[1], '"at_ms":499'), ["unfinished"], [("ONO205", 6)]),
    "midnight": (START + ROUND + put(PLAYS.split("\n")[0], '"at_ms":86399999') + put(PLAYS.split("\n")[1], '"at_ms":0'), ["unfinished"], [("ONO205", 6)]),
    "time with Z": (GAME.replace('"view":"full"', '"view":"full","started_at":"2026-01-31T23:59:59Z"'), ["valid"], []),
    "time without a zone": (GAME.replace('"view":"full"', '"view":"full","started_at":"2026-01-31T23:59:59"'), ["invalid"], [("ONO107", 1)]),
    "NaN": (with_play(meta={"x": float("nan")}), ["invalid"], [("ONO102", 5)]),
    "true for a number": (with_play(total=True), ["invalid"], [("ONO107", 5)]),
    "1.0 for a number": (with_play(total=7.0), ["invalid"], [("ONO107", 5)]),
    "1e3 for a number": (with_play().replace('"total": 7', '"total": 7e0'), ["invalid"], [("ONO107", 5)]),
    "a number of 5000 digits": (with_play().replace('"total": 7', '"total": ' + "7" * 5000), ["invalid"], [("ONO102", 5)]),
    "the largest number": (with_play(total=2**63 - 1), ["invalid"], [("ONO306", 5)]),
    "one past it": (with_play(total=2**63), ["invalid"], [("ONO102", 5)]),
    "a seat below zero": (with_play(seat=-1), ["invalid"], [("ONO206", 5)]),
    "half of a surrogate pair": (with_play(meta={"x": "?"}).replace('"?"', '"\\ud83d"'), ["invalid"], [("ONO102", 5)]),
    "abandoned is no loss": (GAME, ["valid"], []),
    "a bad game among good ones": (GAME + with_play(total=9).replace('"g"', '"bad"') + OTHER, ["valid", "invalid", "valid"], [("ONO306", 14)]),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_file(name, tmp_path, capsys):
    data, games, codes = CASES[name]
    path = tmp_path / "hostile.ono.jsonl"
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    found, own = verdicts(path, capsys)
    assert found == games
    if isinstance(codes, str):
        assert own[0] == (codes, 1)
    else:
        assert own == codes


def test_interleaved_games(tmp_path, capsys):
    """A second game begins in the middle of the first: what follows is taken for the second."""
    path = tmp_path / "x.jsonl"
    first, second = GAME.splitlines(keepends=True), OTHER.splitlines(keepends=True)
    path.write_text("".join(line for pair in zip(first, second, strict=True) for line in pair))
    found, own = verdicts(path, capsys)
    assert found == ["unfinished", "invalid"]
    assert own[0] == ("ONO202", 4)


NAMES = {
    "a keyword": "game_start", "a quote": 'An"n', "a brace": "{Ann}", "a dollar": "$Ann", "a tag": "<b>Ann</b>",
    "an ampersand": "A&B", "a newline": "A\nn", "a tab": "A\tn", "right-to-left": "A\u202enn", "emoji": "👩‍👩‍👧",
    "composed": "é", "combining": "e\u0301", "empty": "", "spaces": "   ", "long": "x" * 10_000, "None": "None",
    "null": "null", "proto": "__proto__", "a formula": "=cmd()", "a path": "../../x", "an escape": "\x1b[31mred",
    "a NUL": "A\0n", "markdown": "![](http://x/)",
}  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_name(name, tmp_path, capsys):
    """It is taken as it is, also twice at one table; in messages nothing of it reaches the terminal raw."""
    shown = json.dumps(NAMES[name])
    path = tmp_path / "x.jsonl"
    path.write_text(GAME.replace('"Ann"', shown).replace('"Bo"', shown))
    assert verdicts(path, capsys) == (["valid"], [])
    path.write_text(with_play(total=8).replace('"Ann"', shown).replace('"Bo"', shown))
    assert verdicts(path, capsys) == (["invalid"], [("ONO306", 5)])
    run(["validate", str(path)])
    text = capsys.readouterr().out
    assert not {"\x1b", "\0", "\u202e", "\t"} & set(text)
    assert max(map(len, text.splitlines())) < 1000


# --- streams ----------------------------------------------------------------------------------------


def test_a_seed_that_does_not_give_the_deck_is_no_matter_of_validate(tmp_path, capsys):
    path = tmp_path / "x.jsonl"
    shuffle = '"shuffle":{"algorithm":"ono-1","seed":"another"}'
    path.write_text(GAME.replace('"starter":0', f'"starter":0,{shuffle}'))
    assert verdicts(path, capsys) == (["valid"], [])


@pytest.mark.parametrize("pack", [gzip.compress, zstandard.ZstdCompressor(write_checksum=True).compress])
def test_a_packed_log_is_told_by_its_content(pack, tmp_path, capsys):
    path = tmp_path / "x.jsonl"
    path.write_bytes(pack(GAME.encode()) + pack(OTHER.encode()))
    assert verdicts(path, capsys) == (["valid", "valid"], [])
    packed = pack(GAME.encode())
    path.write_bytes(packed[:-9])
    _, own = verdicts(path, capsys)
    assert own == [("ONO113", None)]
    path.write_bytes(packed + b"and more")
    assert verdicts(path, capsys) == (["valid"], [("ONO113", None)])
    path.write_bytes(packed[:-1] + bytes([packed[-1] ^ 1]))
    assert verdicts(path, capsys) == (["valid"], [("ONO113", None)])


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"PAR1" + b"\0" * 40, "Parquet"),
        (b"ARROW1\0\0" + b"\0" * 40, "Arrow"),
        (b"\x80\x04\x95" + b"\0" * 40, "pickle"),
        (b"\0" * 8 + b"DUCK" + b"\0" * 40, "DuckDB"),
        (b"\x93NUMPY\x01\0", "NumPy"),
        (b"PK\x03\x04" + b"\0" * 40, "zip"),
        (b"notes.txt".ljust(257, b"\0") + b"ustar" + b"\0" * 250, "tar archive"),
        (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + b"\n" * 300, "this is a PNG picture, not a log"),
        (b"\xff\xd8\xff\xe0\0\x10JFIF", "JPEG"),
        (b"GIF89a" + b"\0" * 40, "GIF"),
        (b"RIFF\1\2\3\4WEBPVP8 ", "WebP"),
        (b"\0\0\0\x1cftypheic" + b"\0" * 40, "HEIC"),
        (b"\0\0\0\x1cftypisom" + b"\0" * 40, "a film"),
        (b"%PDF-1.7\n" + b"x\n" * 99, "PDF"),
        (b"SQLite format 3\0" + b"\0" * 40, "SQLite"),
        (gzip.compress(b"\x89PNG\r\n\x1a\n" + b"\n" * 300), "this is a PNG picture, not a log"),
        (zstandard.compress(b"%PDF-1.7\n" + b"x\n" * 99), "PDF"),
    ],
)
def test_other_kinds_of_files_are_refused_by_name(data, reason, tmp_path, capsys):
    path = tmp_path / "x.jsonl"
    path.write_bytes(data)
    status, said = verdicts(path, capsys)
    assert status == 2
    assert reason in said


@pytest.mark.parametrize(
    "data", [b"\n<!DOCTYPE HTML>\n<p>\n", b'<?xml version="1.0"?>\n<svg viewBox="0 0 1 1"/>\n', b"{\\rtf1}\n"]
)
def test_text_is_judged_line_by_line(data, tmp_path, capsys):
    path = tmp_path / "x.jsonl"
    path.write_bytes(data)
    games, found, *_ = verdicts(path, capsys)
    assert games == []
    assert {code for code, _ in found} <= {"ONO102", "ONO104"}
    assert found


# --- memory and time, of the whole process ----------------------------------------------------------

MOST_MIB = 256

MEASURED = """
import sys
from pathlib import Path
from ono_replay.cli.main import run
status = run(sys.argv[1:])
sys.stdout.flush()
peak = Path("/proc/self/status").read_text().partition("VmHWM:")[2].split()[0]
print("peak", int(peak) // 1024, file=sys.stderr)
raise SystemExit(status)
"""


def measured(*arguments: str, **more) -> tuple[subprocess.CompletedProcess[str], int]:
    """Run a command and return it with the most MiB it ever took."""
    command = [sys.executable, "-c", MEASURED, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=200, **more)
    assert "Traceback" not in done.stderr
    return done, int(done.stderr.rsplit("peak", 1)[1])


def packed(path: Path, *parts: bytes, times: int, level: int = 1) -> Path:
    """A zstd file of parts, the middle one many times over."""
    head, middle, tail = parts
    with path.open("wb") as file, zstandard.ZstdCompressor(level=level).stream_writer(file) as stream:
        stream.write(head)
        for _ in range(times):
            stream.write(middle)
        stream.write(tail)
    return path


def test_a_line_of_a_gigabyte(tmp_path):
    path = packed(
        tmp_path / "x.jsonl.zst", GAME.encode(), b"x" * (1 << 20), b"\n" + OTHER.encode(), times=1024
    )
    done, peak = measured("validate", str(path), "--format", "json")
    answer = json.loads(done.stdout)
    assert [game["verdict"] for game in answer["games"]] == ["invalid", "valid"]
    assert [found["code"] for found in answer["games"][0]["diagnostics"]] == ["ONO111"]
    assert peak < MOST_MIB


@pytest.mark.slow
@pytest.mark.parametrize("make", [gzip.compress, zstandard.ZstdCompressor().compress])
def test_a_bomb_is_refused(make, tmp_path):
    """A small file that unpacks to more than 4 GiB: many members, each a block of the same byte."""
    path = tmp_path / "x.jsonl"
    member = make(b"x" * (1 << 26))
    path.write_bytes(member * 65)
    done, peak = measured("validate", str(path))
    assert done.returncode == 2
    assert "bomb" in done.stderr
    assert peak < MOST_MIB


def test_hundreds_of_thousands_of_lines_that_are_nothing(tmp_path):
    path = packed(tmp_path / "x.jsonl.zst", START.encode(), b"nothing\n" * 1000, b"", times=200)
    done, peak = measured("validate", str(path), "--format", "json")
    (game,) = json.loads(done.stdout)["games"]
    assert (game["errors"], len(game["diagnostics"])) == (200_000, 1000)
    assert peak < MOST_MIB


def test_and_of_lines_that_belong_to_no_game(tmp_path):
    path = packed(
        tmp_path / "x.jsonl.zst", b"", b'{"seq":1,"type":"comment","text":"?"}\n' * 1000, b"", times=100
    )
    done, peak = measured("validate", str(path), "--format", "json")
    assert json.loads(done.stdout)["summary"]["errors"] == 100_000
    assert peak < MOST_MIB


def test_faults_on_every_line_are_followed_in_time(tmp_path):
    play = b"".join(
        b'{"seq":%d,"type":"play","seat":%d,"card":"7","total":%d}\n' % (n, n % 3 % 2, n)
        for n in range(4, 20_000)
    )
    (tmp_path / "x.jsonl").write_bytes((START + ROUND).encode() + play)
    done, peak = measured("validate", str(tmp_path / "x.jsonl"), "--format", "json")
    assert json.loads(done.stdout)["summary"]["errors"] > 10_000
    assert peak < MOST_MIB


def test_a_line_of_unknown_keys(tmp_path):
    keys = ",".join(f'"key{n}":1' for n in range(60_000))
    (tmp_path / "x.jsonl").write_text(START + put(comment(1, "x"), keys))
    done, peak = measured("validate", str(tmp_path / "x.jsonl"), "--format", "json")
    assert done.returncode == 0
    assert peak < MOST_MIB


def test_long_lines_are_not_kept(tmp_path):
    """A game of 300 MiB: a comment of almost a mebibyte in each line, and an undo at the end."""
    path = tmp_path / "x.jsonl.zst"
    with path.open("wb") as file, zstandard.ZstdCompressor(level=1).stream_writer(file) as stream:
        stream.write((START + ROUND).encode())
        for seq in range(4, 304):
            stream.write(comment(seq, "x" * 1_000_000).encode())
        stream.write(b'{"seq":304,"type":"undo","to":200}\n')
        stream.write(b'{"seq":305,"type":"play","seat":0,"card":"7","total":7}\n')
    done, peak = measured("validate", str(path), "--format", "json")
    (game,) = json.loads(done.stdout)["games"]
    assert (game["verdict"], game["events"]) == ("unfinished", 306)
    assert peak < MOST_MIB


def test_output_that_can_not_be_written(tmp_path):
    (tmp_path / "x.jsonl").write_text(GAME)
    with Path("/dev/full").open("w") as full:
        command = [
            sys.executable,
            "-m",
            "ono_replay",
            "validate",
            str(tmp_path / "x.jsonl"),
            "--format",
            "json",
        ]
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, timeout=60)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert done.stderr


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_a_game_of_ten_million_events_is_refused(tmp_path):
    path = tmp_path / "x.jsonl.zst"
    with path.open("wb") as file, zstandard.ZstdCompressor(level=1).stream_writer(file) as stream:
        stream.write((START + ROUND).encode())
        for seq in range(4, 10_000_000):
            stream.write(b'{"seq":%d,"type":"comment","text":"hi"}\n' % seq)
    done, peak = measured("validate", str(path))
    assert done.returncode == 2
    assert "1,000,000 events" in done.stderr
    assert peak < MOST_MIB
