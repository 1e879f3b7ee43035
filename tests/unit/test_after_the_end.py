"""Whatever follows the end of a game is one fault, however many lines it is."""

import io

from ono_replay.check.diagnostic import GameReport
from ono_replay.check.validator import validate

LINES = (
    b'{"seq":0,"type":"game_start","format":"ono-log","version":"1.0","game_id":"k","ruleset":{"edition":"2022"},'
    b'"players":[{"name":"Ann"},{"name":"Bo"}],"dealer":1,"view":"public"}\n'
    b'{"seq":1,"type":"game_end","winners":[],"reason":"abandoned"}\n'
    b'{"seq":2,"type":"play","seat":0,"card":"7","total":7}\n'
    b'{"seq":3,"type":"draw","seat":0,"card":"?"}\n'
    b'{"seq":4,"type":"comment","text":"still there"}\n'
    b'{"seq":5,"type":"play","seat":1,"card":"7","total":14}\n'
)


def test_lines_after_game_end_are_one_fault_and_its_knock_ons() -> None:
    (report,) = validate([io.BytesIO(LINES)])
    assert isinstance(report, GameReport)
    assert [(found.code, found.seq, found.knock_on) for found in report.diagnostics] == [
        ("ONO204", 2, False),
        ("ONO204", 3, True),
        ("ONO204", 5, True),
    ]
