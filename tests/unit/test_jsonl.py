"""One line: the event, the object or the fault that it is; canonical bytes; digests."""

import hashlib
import io
import pickle

import pytest

from ono_replay.log.jsonl import (
    LineFault,
    NumberText,
    RawObject,
    canonical,
    digest_of,
    encode_game,
    event_keys,
    parse_line,
    write_events,
)
from ono_replay.rules.events import (
    Comment,
    Draw,
    Event,
    GameEnd,
    GameStart,
    Play,
    Player,
    Position,
    RoundStart,
    Shuffle,
    Source,
    UnknownEvent,
)

PLAY = b'{"seq":4,"type":"play","seat":0,"card":"7","total":7}'
START = (
    b'{"seq":0,"type":"game_start","format":"ono-log","version":"1.0","game_id":"a","ruleset":%s,'
    b'"players":[{"name":"Ann"},{"name":"Bo","id":"b","bot":true}],"dealer":1,"view":"full"}'
)
CANONICAL = [
    PLAY,
    b'{"seq":5,"type":"draw","seat":0,"card":"?","at_ms":0}',
    b'{"seq":5,"type":"draw","seat":0,"card":"?","at_ms":12,"irregular":true,"meta":{"a":[1,null,"x"]}}',
    b'{"seq":5,"type":"draw","seat":0,"card":"9","meta":{}}',
    b'{"seq":5,"type":"draw","seat":0,"card":"9","meta":{"eval":0.25}}',
    b'{"seq":6,"type":"comment","text":"gr\xc3\xbc\xc3\x9fe \\"\\\\/\\b\\f\\n\\r\\t\\u0001\x7f \xe2\x80\xa8"}',
    b'{"seq":7,"type":"forfeit_draw","seat":2}',
    b'{"seq":7,"type":"discard_four","seat":2}',
    b'{"seq":7,"type":"reshuffle","count":3,"deck":["7","?"]}',
    b'{"seq":7,"type":"eliminate","seat":1,"reason":"no_legal_play","card":"9","hand":[]}',
    b'{"seq":8,"type":"round_end","round":1,"winner":null,"loser":0,"chips":[2,null,3]}',
    b'{"seq":9,"type":"game_end","winners":[],"reason":"abandoned"}',
    b'{"seq":9,"type":"undo","to":3}',
    b'{"seq":-1,"type":"undo","to":9223372036854775807}',
    START % b'{"edition":"2022","max_total":99,"match":"single","deck":{"0":1,"10":2,"-10":1}}',
    START[:-1] % b'{"edition":"2022"}' + b',"viewer":1,"started_at":"2026-01-31T20:15:00Z","source":{"app":"x","version":"2"}}',
    b'{"seq":1,"type":"round_start","round":1,"dealer":null,"starter":0,"deck":["7"],"shuffle":{"algorithm":"x","seed":"1"}}',
    (b'{"seq":1,"type":"round_start","round":1,"dealer":null,"starter":0,"position":{"total":-3,"direction":-1,'
    b'"turn":0,"plays_due":1,"second":false,"hands":[["7"],[]],"out":[1],"draw_pile":["7"],"discard_pile":3,'
    b'"chips":[1,null]}}'),
]  # fmt: skip


@pytest.mark.parametrize("line", CANONICAL)
def test_canonical_lines_are_events_and_come_back_the_same(line):
    event = parse_line(line)
    assert isinstance(event, Event)
    assert canonical(event) == line
    assert canonical(pickle.loads(pickle.dumps(event))) == line


ODD = [
    b' {"seq":4,"type":"play","seat":0,"card":"7","total":7}',
    PLAY.replace(b":", b": "),
    b'{"type":"play","seq":4,"seat":0,"card":"7","total":7}',
    PLAY.replace(b'"7"', b'"\\u0037"'),
    PLAY[:-1] + b',"irregular":false}',
    PLAY[:-1] + b',"at_ms":null}',
    PLAY[:-1] + b',"tipe":1}',
    PLAY[:-1] + b',"extra":{}}',
    PLAY[:-1] + b',"extra":{"extra":{}}}',
    PLAY[:-1] + b',"meta":{"x":1.50}}',
    PLAY[:-1] + b',"meta":{"x":1e2}}',
    PLAY[:-1] + b',"meta":{"x":-0}}',
    PLAY.replace(b"total\":7", b'total":7.0'),
    PLAY.replace(b"total\":7", b'total":-0'),
    PLAY.replace(b"total\":7", b'total":true'),
    PLAY.replace(b'"7"', b'"x"'),
    PLAY.replace(b"play", b"xplay"),
    b"{}",
    b'{"":[]}',
    START % b'{"match":"single","edition":"2022"}',
    START.replace(b'{"name":"Ann"}', b'{"name":"Ann","extra":{"a":1}}') % b"{}",
]  # fmt: skip


@pytest.mark.parametrize("line", ODD)
def test_odd_lines_are_objects(line):
    assert isinstance(parse_line(line), RawObject)


def test_an_object_keeps_its_keys_their_order_and_the_text_of_its_numbers():
    line = b'{"b":1.50,"a":-0,"c":[1e5,{"d":-9223372036854775808}],"e":"\\ud83d\\ude00"}'
    parsed = parse_line(line)
    assert parsed == RawObject(
        {"b": NumberText("1.50"), "a": NumberText("-0"), "c": [NumberText("1e5"), {"d": -(2**63)}], "e": "😀"}
    )
    assert isinstance(parsed, RawObject)
    assert list(parsed.keys) == ["b", "a", "c", "e"]


DEEP = b'{"a":' + b"[" * 63 + b"]" * 63 + b"}"

FAULTS = [
    (b"\xff", "ONO101", 0),
    (b'{"a":"\xed\xa0\x80"}', "ONO101", 6),
    (b"\xff\xfe{\0}\0", "ONO101", 0),
    (b"gr\xfc\xdfe", "ONO101", 2),
    (b"", "ONO102", 0),
    (b"{", "ONO102", 1),
    (b'{"a":"\xc3\xa9', "ONO102", 5),
    (b'{"\xc3\xa9":tru}', "ONO102", 6),
    (b"\0\0\0", "ONO102", 0),
    (b'{"a":1}{"b":2}', "ONO102", 7),
    (b'{"a":1} x', "ONO102", 8),
    (b'{"a":1}\r{"b":2}', "ONO102", 8),
    (b"{'a':1}", "ONO102", 1),
    (b'{"a":1,}', "ONO102", 7),
    (b'{"a":01}', "ONO102", 6),
    (b'{"a":"\t"}', "ONO102", 6),
    (b'{"a":NaN}', "ONO102", None),
    (b'{"a":[-Infinity]}', "ONO102", None),
    (b'{"a":9223372036854775808}', "ONO102", None),
    (b'{"a":-9223372036854775809}', "ONO102", None),
    (b'{"a":18446744073709551616}', "ONO102", None),
    (b'{"a":' + b"9" * 9000 + b"}", "ONO102", None),
    (b'{"a":"\\ud800"}', "ONO102", 6),
    (b'{"a":"\\udc00x"}', "ONO102", 6),
    (b'{"a":"\\ud800\\ud800\\udc00"}', "ONO102", 6),
    (b'{"\\\\\\ud800 \\udc00":1}', "ONO102", 4),
    (DEEP.replace(b"]", b"[]]", 1), "ONO102", 68),
    (b'{"a":' * 70 + b"1" + b"}" * 70, "ONO102", 5 * 64),
    (b"[" * 100_000, "ONO102", 64),
    (b'{"a":' * 100_000, "ONO102", 5 * 64),
    (PLAY[:-1] + b',"meta":' + DEEP + b"}", "ONO102", None),
    (PLAY.replace(b'"total":7', b'"total":9223372036854775808'), "ONO102", None),
    (PLAY.replace(b'"seat":0', b'"seat":9223372036854775808'), "ONO102", None),
    (PLAY[:-1] + b',"meta":{"a":9223372036854775808}}', "ONO102", None),
    (START % b'{"edition":"2022","chips":9223372036854775808}', "ONO102", None),
    (START % (b'{"edition":"2022","deck":' + b"[" * 70 + b"]" * 70 + b"}"), "ONO102", None),
    (b"[]", "ONO104", None),
    (b"null", "ONO104", None),
    (b'"x"', "ONO104", None),
    (b"12", "ONO104", None),
    (b'[{"a":1,"a":2}]', "ONO104", None),
    (b'{"a":1,"a":1}', "ONO109", None),
    (b'{"a":{"b":[{"c":1,"c":2}]}}', "ONO109", None),
    (b'{"a":1,"\\u0061":1}', "ONO109", None),
    (PLAY[:-1] + b',"type":"play"}', "ONO109", None),
    (PLAY[:-1] + b',"meta":{"x":1,"x":1}}', "ONO109", None),
    (b'{"a":1,"a":NaN}', "ONO102", None),
    (b'{"a":1,"a":2', "ONO102", None),
]  # fmt: skip


@pytest.mark.parametrize(("line", "code", "column"), FAULTS)
def test_faults_of_a_line(line, code, column):
    fault = parse_line(line)
    assert isinstance(fault, LineFault)
    assert fault.code == code
    assert fault.message
    assert len(fault.message) < 200
    if column is not None:
        assert fault.column == column


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (b"\xff\xfe{\0", "UTF-16"),
        (b"\0\0", "NUL"),
        (b'{"a":1}\r{"b":2}', "carriage return"),
        (b'{"a":1}{"b":2}', "same line"),
        (b' "seq": 0,', "follows its first value"),
        (b"0,game_start", "follows its first value"),
        (b'{"a"', "breaks off"),
        (b'{"a":1,"a":1}', '"a"'),
        (b"{" + b'"a":1' * 2, "column"),
        (b'{"a":NaN}', "NaN"),
        (b"[1]", "an array"),
    ],
)
def test_the_message_says_what_is_wrong(line, words):
    fault = parse_line(line)
    assert isinstance(fault, LineFault)
    assert words in fault.message


def test_sixty_four_deep_is_not_too_deep():
    assert isinstance(parse_line(DEEP), RawObject)
    line = PLAY[:-1] + b',"meta":{"x":' + b"[" * 62 + b"]" * 62 + b"}}"
    assert isinstance(parse_line(line), RawObject)


def test_brackets_in_strings_are_not_depth():
    line = b'{"seq":6,"type":"comment","text":"%s"}' % (b'[{\\"' * 100)
    assert isinstance(parse_line(line), Comment)
    assert isinstance(parse_line(line.replace(b":", b": ", 1)), RawObject)


def test_unknown_keys_stand_behind_the_own_ones():
    event = Play(
        seq=4,
        seat=0,
        card="7",
        total=7,
        at_ms=1,
        irregular=True,
        meta={},
        extra={"z": 1, "a": NumberText("1e0")},
    )
    assert canonical(event) == PLAY[:-1] + b',"z":1,"a":1e0,"at_ms":1,"irregular":true,"meta":{}}'


def test_unknown_keys_of_inner_objects_stay_there():
    start = GameStart(
        seq=0, format="ono-log", version="1.0", game_id="a", ruleset={"x": 1, "max_total": 50, "edition": "1980"},
        players=(Player("Ann", extra={"age": 7}),), dealer=None, view="full", source=Source("s", "1", extra={"k": []}),
    )  # fmt: skip
    assert canonical(start) == (
        b'{"seq":0,"type":"game_start","format":"ono-log","version":"1.0","game_id":"a",'
        b'"ruleset":{"edition":"1980","max_total":50,"x":1},"players":[{"name":"Ann","age":7}],"dealer":null,'
        b'"view":"full","source":{"app":"s","version":"1","k":[]}}'
    )


def test_a_deck_of_a_ruleset_is_written_in_the_order_of_the_tokens():
    line = START % b'{"edition":"2022","deck":{"ono_99":1,"0":2,"-10":3,"x":0}}'
    parsed = parse_line(line)
    assert isinstance(parsed, RawObject)
    start = GameStart(
        seq=0, format="ono-log", version="1.0", game_id="a", ruleset=parsed.keys["ruleset"],
        players=(Player("Ann"), Player("Bo", "b", bot=True)), dealer=1, view="full",
    )  # fmt: skip
    assert canonical(start) == START % b'{"edition":"2022","deck":{"0":2,"-10":3,"ono_99":1,"x":0}}'


def test_an_unknown_event_is_written_as_it_was_read():
    event = UnknownEvent(seq=3, name="emote", extra={"what": "wave"}, at_ms=5)
    assert canonical(event) == b'{"seq":3,"type":"emote","what":"wave","at_ms":5}'


def test_keys_of_an_event_have_the_canonical_order():
    position = Position(
        total=0, direction=1, turn=0, plays_due=1, second=False, hands=((), ()), out=(), draw_pile=1, discard_pile=2
    )  # fmt: skip
    event = RoundStart(
        seq=1, round=1, dealer=0, starter=1, shuffle=Shuffle("x"), position=position, at_ms=3, extra={"k": 1}
    )
    assert list(event_keys(event)) == [
        "seq", "type", "round", "dealer", "starter", "shuffle", "position", "k", "at_ms"
    ]  # fmt: skip


@pytest.mark.parametrize("value", [object(), "\ud800"])
def test_what_json_can_not_hold_is_refused(value):
    with pytest.raises((TypeError, UnicodeEncodeError)):
        canonical(Draw(seq=1, seat=0, card="7", meta={"x": value}))


def test_a_game_is_its_lines():
    events = [Comment(seq=0, text="a"), GameEnd(seq=1, winners=(), reason="abandoned")]
    file = io.BytesIO()
    assert write_events(events, file) == 2
    assert file.getvalue() == encode_game(events) == b"".join(canonical(event) + b"\n" for event in events)


def test_the_digest_is_over_lines_with_their_newlines():
    assert digest_of([b"a", b"b"]) == "sha256:" + hashlib.sha256(b"a\nb\n").hexdigest()
