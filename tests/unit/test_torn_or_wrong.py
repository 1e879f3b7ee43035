"""A last line without a newline is torn only if it breaks off; a whole one that is wrong is an error."""

import io

import pytest

from ono_replay.check.diagnostic import GameReport
from ono_replay.check.validator import validate
from ono_replay.log.reader import read_log

START = (
    b'{"seq":0,"type":"game_start","format":"ono-log","version":"1.0","game_id":"k","ruleset":{"edition":"2022"},'
    b'"players":[{"name":"Ann"},{"name":"Bo"}],"dealer":1,"view":"public"}\n'
)


@pytest.mark.parametrize(
    ("last", "code"),
    [
        (b'{"seq":1,"type":"comment","text":"gr\xc3', "ONO103"),
        (b'{"seq":1,"type":"comm', "ONO103"),
        (b'{"seq":1,"ty\0\0\0\0', "ONO103"),
        (b"{", "ONO103"),
        (b"[]", "ONO104"),
        (b"7", "ONO104"),
        (b"nonsense", "ONO102"),
        (b'{"seq":1,"seq":1,"type":"comment","text":""}', "ONO109"),
        (b'{"seq":1,"type":"comment","text":"","meta":{"a":NaN}}', "ONO102"),
        (b'{"seq":1,"type":"comment","text":"\xff"}', "ONO101"),
    ],
)
def test_last_line_without_newline(last: bytes, code: str) -> None:
    (report,) = validate([io.BytesIO(START + last)])
    assert isinstance(report, GameReport)
    assert [found.code for found in report.diagnostics] == [code]
    assert report.verdict == ("unfinished" if code == "ONO103" else "invalid")
    *_, record = read_log(io.BytesIO(START + last))
    assert record.fault is not None
    assert record.fault.code == code
