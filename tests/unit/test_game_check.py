"""One game through the validator: what is counted, what is kept, what an undo takes with it."""

import hashlib
import io
import json
from typing import Any

import pytest

from ono_replay.check import course, diagnostic, notes, validator
from ono_replay.check.timeline import Timeline
from ono_replay.check.validator import SeenIds, validate
from ono_replay.log.lines import Unreadable

START = (
    '{"seq":0,"type":"game_start","format":"ono-log","version":"1.0","game_id":"g","ruleset":{"edition":"2022"},'
    '"players":[{"name":"Ann"},{"name":"Bo"}],"dealer":1,"view":"full"}'
)
ROUND = (
    '{"seq":1,"type":"round_start","round":1,"dealer":1,"starter":0}',
    '{"seq":2,"type":"deal","seat":0,"cards":["7","ono_99","reverse","0"]}',
    '{"seq":3,"type":"deal","seat":1,"cards":["10","-10","play_2","4"]}',
)
PLAY = '{"seq":4,"type":"play","seat":0,"card":"7","total":7}'
DRAW = '{"seq":5,"type":"draw","seat":0,"card":"9"}'
HEAD = (START, *ROUND, PLAY, DRAW)


def found_in(*lines, keep_scenes=False) -> list[Any]:
    """The reports and stray findings of a log."""
    log = io.BytesIO("".join(f"{line}\n" for line in lines).encode())
    return list(validate([log], keep_scenes=keep_scenes))


def report_of(*lines):
    (report,) = found_in(*lines)
    return report


def codes(report):
    return [(found.code, found.line, found.knock_on) for found in report.diagnostics]


# --- voided events (schemas/SPECIFICATION.md section 8) ----------------------------------------------------


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ('{"seq":6,"type":"play","seat":2,"card":"4","total":11}', "ONO206"),
        ('{"seq":6,"type":"play","seat":1,"card":"?","total":11}', "ONO210"),
        ('{"seq":6,"type":"play","seat":1,"card":"4","total":12}', "ONO306"),
        ('{"seq":6,"type":"round_end","round":1,"winner":0,"loser":1}', "ONO404"),
    ],
)
def test_faults_of_shape_seat_or_rule_go_with_the_event_that_was_taken_back(line, code):
    assert codes(report_of(*HEAD, line)) == [(code, 7, False)]
    undone = report_of(*HEAD, line, '{"seq":7,"type":"undo","to":5}')
    assert (undone.verdict, undone.diagnostics) == ("unfinished", [])


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ('{"seq":6,"type":"play","seat":1,"card":"4"}', "ONO106"),
        ('{"seq":6,"type":"play","seat":1,"card":"4","total":"11"}', "ONO107"),
        ('{"seq":6,"type":"play","seat":1,"card":"four","total":11}', "ONO110"),
        ('{"seq":6,"type":"comment","text":"hi","txt":1}', "ONO108"),
        ("{", "ONO102"),
    ],
)
def test_faults_of_the_line_itself_are_told_though_it_was_taken_back(line, code):
    assert codes(report_of(*HEAD, line, '{"seq":7,"type":"undo","to":5}')) == [(code, 7, False)]


def test_a_wrong_round_number_is_a_matter_of_the_rules_and_goes_too():
    lines = (START, '{"seq":1,"type":"round_start","round":2,"dealer":1,"starter":0}')
    assert codes(report_of(*lines)) == [("ONO107", 2, False)]
    assert codes(report_of(*lines, '{"seq":2,"type":"undo","to":0}')) == []


def test_an_undo_can_name_a_line_whose_own_number_is_wrong_or_missing():
    for line in (PLAY.replace('"seq":4', '"seq":40'), PLAY.replace('"seq":4', '"seq":"4"')):
        back = ('{"seq":6,"type":"undo","to":4}', '{"seq":7,"type":"draw","seat":0,"card":"8"}')
        report = report_of(START, *ROUND, line, DRAW, *back)
        assert [found.code for found in report.diagnostics] in (["ONO202"], ["ONO107"])


def test_the_largest_number_is_no_end_of_the_game():
    lines = (f'{{"seq":{2**63 - 1},"type":"comment","text":"a"}}', '{"type":"comment","text":"b"}')
    assert [code for code, _, _ in codes(report_of(*HEAD, *lines, '{"seq":7,"type":"undo","to":4}'))] == [
        "ONO202",
        "ONO106",
        "ONO202",
    ]


def test_an_unknown_event_of_a_newer_version_does_not_disturb_an_undo():
    start = START.replace('"1.0"', '"1.1"')
    lines = (start, *ROUND, '{"seq":4,"type":"emote","what":"wave"}', PLAY.replace(":4", ":5", 1))
    report = report_of(
        *lines, '{"seq":6,"type":"undo","to":4}', '{"seq":7,"type":"play","seat":0,"card":"7","total":8}'
    )
    assert codes(report) == [("ONO105", 5, False), ("ONO306", 8, False)]


def test_going_back_and_forth_many_times_leaves_the_state_as_it_was():
    comments = [f'{{"seq":{seq},"type":"comment","text":"{"x" * (seq % 200)}"}}' for seq in range(6, 300)]
    undos = [f'{{"seq":{300 + n},"type":"undo","to":{5 + 37 * n % 290}}}' for n in range(200)]
    play = '{"seq":500,"type":"play","seat":1,"card":"4","total":11}'
    report = report_of(*HEAD, *comments, *undos, play)
    assert (report.verdict, report.events, report.diagnostics) == ("unfinished", 501, [])


# --- lines that are lost or read in part --------------------------------------------------------------

LATER = (
    '{"seq":6,"type":"play","seat":1,"card":"4","total":11}',
    '{"seq":7,"type":"draw","seat":1,"card":"3"}',
    '{"seq":8,"type":"play","seat":0,"card":"9","total":20}',
    '{"seq":9,"type":"draw","seat":0,"card":"2"}',
    '{"seq":10,"type":"play","seat":1,"card":"3","total":24}',
)
"""Goes on after `HEAD`; the last total is wrong by one."""


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ('{"seq":4,"type":"play","seat":0,"card":"7","total":"7"}', "ONO107"),
        ('{"seq":4,"type":"play","seat":0,"card":"seven","total":7}', "ONO110"),
        ('{"seq":4,"type":"play","seat":9,"card":"7","total":7}', "ONO206"),
        ('{"seq":4,"type":"play","seat":0,"card":"7"}', "ONO106"),
        ('{"seq":4,"type":"play","seat":0,"card":"7","total":7,"at_ms":-1}', "ONO107"),
        ('{"seq":4,"type":"plai","seat":0,"card":"7","total":7}', "ONO105"),
        ('{"seq":4,"type":"play","seat":0,"ca', "ONO102"),
        ("\x00" * 30, "ONO102"),
    ],
)
def test_what_a_line_must_have_been_is_told_by_the_rest_and_a_second_fault_is_told(line, code):
    report = report_of(START, *ROUND, line, DRAW, *LATER)
    assert codes(report) == [(code, 5, False), ("ONO306", 11, False)]


def test_keys_of_another_type_say_nothing_of_what_the_line_was():
    line = '{"seq":6,"type":"round_end","round":"1","winner":0,"loser":1,"cards":["7","x"],"hand":[1]}'
    assert [code for code, _, _ in codes(report_of(*HEAD, line))] == ["ONO108", "ONO108", "ONO107"]


def test_a_comment_that_is_wrong_says_nothing_of_the_game():
    report = report_of(
        *HEAD, '{"seq":6,"type":"comment","text":7}', LATER[0].replace("6", "7").replace("11", "12")
    )
    assert codes(report) == [("ONO107", 7, False), ("ONO306", 8, False)]


def test_after_lines_that_are_missing_the_round_is_in_doubt_and_the_next_is_not():
    report = report_of(START, *ROUND, PLAY, *LATER)
    assert codes(report)[0] == ("ONO202", 6, False)
    assert all(knock_on for _, _, knock_on in codes(report)[1:])


# --- a wrong ruleset --------------------------------------------------------------------------------


def test_a_wrong_option_makes_later_rule_faults_knock_ons_but_not_faults_of_a_line():
    start = START.replace('"edition":"2022"', '"edition":"2022","max_total":0')
    lines = (start, *ROUND, '{"seq":4,"type":"play","seat":0,"card":"7","total":"7"}', DRAW)
    assert codes(report_of(*lines))[:2] == [("ONO208", 1, False), ("ONO107", 5, False)]
    wrong = (start, *ROUND, '{"seq":4,"type":"play","seat":0,"card":"7","total":8}')
    assert codes(report_of(*wrong)) == [("ONO208", 1, False), ("ONO306", 5, True)]


def test_seats_too_high_for_too_few_players_are_knock_ons():
    start = START.replace('{"name":"Ann"},', "").replace('"dealer":1', '"dealer":0')
    found = codes(report_of(start, *ROUND))
    assert found[0] == ("ONO208", 1, False)
    assert {code for code, _, _ in found[1:]} >= {"ONO206"}
    assert all(knock_on for _, _, knock_on in found[1:])


def test_more_players_than_any_table_has_are_told_and_not_played_with():
    players = ",".join(f'{{"name":"{n}"}}' for n in range(20_000))
    start = START.replace('{"name":"Ann"},{"name":"Bo"}', players)
    assert codes(report_of(start, *ROUND, PLAY, DRAW)) == [("ONO208", 1, False)]


# --- how much is kept -------------------------------------------------------------------------------


def test_past_a_thousand_findings_are_only_counted():
    garbage = ["{"] * 2500
    report = report_of(*HEAD, *garbage)
    assert (report.errors, len(report.diagnostics), report.more) == (2500, diagnostic.MOST_DIAGNOSTICS, 1500)
    assert report.verdict == "invalid"


def test_what_is_only_counted_goes_with_an_undo_too():
    wrong = [f'{{"seq":{6 + n},"type":"draw","seat":0,"card":"8"}}' for n in range(1500)]
    assert report_of(*HEAD, *wrong).errors == 1500
    undone = report_of(*HEAD, *wrong, '{"seq":1506,"type":"undo","to":5}')
    assert (undone.errors, undone.more, undone.diagnostics) == (0, 0, [])
    half = report_of(*HEAD, *wrong, '{"seq":1506,"type":"undo","to":1205}')
    assert (half.errors, half.more) == (1200, 200)


def test_values_of_a_finding_are_of_a_size_to_show():
    hand = ",".join(['"7"'] * 100_000)
    line = f'{{"seq":6,"type":"eliminate","seat":1,"reason":"no_legal_play","hand":[{hand}]}}'
    (found,) = report_of(*HEAD, line).diagnostics
    assert len(json.dumps([found.message, found.expected, found.actual])) < 10_000


def test_scenes_of_long_lines_are_kept_only_so_far(monkeypatch):
    monkeypatch.setattr(notes, "MOST_SCENE_BYTES", 10_000)
    long = [f'{{"seq":{6 + n},"type":"comment","text":"{"x" * 3000}","why":1}}' for n in range(9)]
    (report,) = found_in(*HEAD, *long, keep_scenes=True)
    assert len(report.diagnostics) == 9
    assert 0 < len(report.scenes) < 9


def test_a_game_of_too_many_events_is_refused_by_the_line_it_begins_in(monkeypatch):
    monkeypatch.setattr(course, "MOST_EVENTS", 1000)
    comments = [f'{{"seq":{6 + n},"type":"comment","text":"hi"}}' for n in range(1500)]
    with pytest.raises(Unreadable, match=r"the game that begins in line 2 has more than 1,000 events"):
        found_in("", *HEAD, *comments)
    assert report_of(*HEAD, *comments[:900]).events == 906


@pytest.mark.parametrize("start", [START, START.replace('"2022"', '"2023"')])
def test_so_is_one_of_too_many_lines_that_can_not_be_read(monkeypatch, start):
    monkeypatch.setattr(course, "MOST_EVENTS", 1000)
    with pytest.raises(Unreadable):
        found_in(start, *["{"] * 5000, '{"seq":5001,"type":"comment","text":"hi"}')


def test_a_game_that_is_too_large_to_hold_is_refused(monkeypatch):
    monkeypatch.setattr(course, "MOST_BYTES", 100_000)
    decks = [
        f'{{"seq":{6 + n},"type":"reshuffle","count":9,"deck":[{",".join(["1"] * 900)}]}}' for n in range(99)
    ]
    with pytest.raises(Unreadable, match="MiB"):
        found_in(*HEAD, *[line.replace("1,", '"1",').replace(",1]", ',"1"]') for line in decks])


def test_ids_are_known_again_however_many_there_are():
    seen = SeenIds()
    assert not any(seen.again(f"game-{n}") for n in range(5000))
    assert all(seen.again(f"game-{n}") for n in range(5000))


def test_past_ten_million_ids_no_more_are_remembered(monkeypatch):
    monkeypatch.setattr(validator, "MOST_IDS", 50)
    seen = SeenIds()
    for n in range(50):
        seen.again(f"game-{n}")
    assert seen.full
    assert not seen.again("one more")
    assert not seen.again("one more")
    assert seen.again("game-7")


# --- the timeline -----------------------------------------------------------------------------------


def test_the_digest_is_of_all_lines_though_long_ones_are_kept_short():
    timeline: Timeline[None] = Timeline()
    lines = [b"%d" % n * (1 + n % 7) for n in range(500)]
    for seq, line in enumerate(lines):
        if seq % 90 == 89:
            timeline.add(line, seq, short=b"short")
        else:
            timeline.add_next(line)
        if seq % 64 == 0:
            timeline.pack()
        if seq in (0, 88, 89, 90, 499):
            right = hashlib.sha256(b"".join(each + b"\n" for each in lines[: seq + 1])).hexdigest()
            assert timeline.digest() == f"sha256:{right}"


def test_a_line_is_known_again_by_its_number():
    timeline: Timeline[None] = Timeline()
    for seq in range(200):
        timeline.add_next(b"line %d" % seq)
    assert timeline.holds(b"line 7", 7)
    assert not timeline.holds(b"line 7", 8)
    assert not timeline.holds(b"line 7", 700)
    timeline.add(b"odd", 900)
    timeline.renumber_last(200)
    assert timeline.holds(b"odd", 200)
