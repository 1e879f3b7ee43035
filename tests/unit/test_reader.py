"""The tolerant reader: every line is a record; games are told apart; older versions are made new."""

import gzip
import io

import pytest

from ono_replay.log import reader
from ono_replay.log.jsonl import encode_game
from ono_replay.log.lines import LONGEST, Unreadable
from ono_replay.log.reader import read_games, read_log
from ono_replay.log.upcast import STEPS
from ono_replay.rules.events import Comment, Draw, GameStart, Play, Player, UnknownEvent


def start(game_id="a", view="full", version="1.0"):
    return GameStart(
        seq=0, format="ono-log", version=version, game_id=game_id, ruleset={"edition": "2022"},
        players=(Player("Ann"), Player("Bo")), dealer=0, view=view,
    )  # fmt: skip


HEAD = encode_game([start()])
DRAW = b'{"seq":1,"type":"draw","seat":0,"card":"7"}\n'


def records(data):
    return [(record.line, record.fault and record.fault.code) for record in read_log(io.BytesIO(data))]


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b"\xff\n", "ONO101"),
        (b"{\n", "ONO102"),
        (b"[]\n", "ONO104"),
        (b'{"seq":1,"seq":1}\n', "ONO109"),
        (b'{"seq":1,"ty', "ONO103"),
        (b'{"seq":1,"type":"comment","text":"\xc3', "ONO103"),
        (b'{"seq":1,"type":"draw","seat":0,"card":"7"}', None),
        (b'{"seq":1,"type":"draw","seat":0}', "ONO106"),
        (b"x" * (LONGEST + 1) + b"\n", "ONO111"),
        (b"x" * (LONGEST + 1), "ONO111"),
        (b'{"seq":1,"type":"draw","seat":2,"card":"7"}\n', "ONO206"),
        (b'{"seq":1, "type":"draw","seat":2,"card":"7"}\n', "ONO206"),
        (b'{"seq":1,"type":"draw","seat":1,"card":"?"}\n', "ONO210"),
        (b'{"seq":1,"type":"emote"}\n', "ONO105"),
        (b'{"seq":1,"type":"draw","seat":1,"card":"9","x":1}\n', None),
    ],
)
def test_a_record_says_what_is_wrong_with_its_line(line, code):
    assert records(HEAD + b"\n" + line) == [(1, None), (3, code)]


def test_a_cut_stream_is_the_last_record():
    assert records(gzip.compress(HEAD + DRAW)[:-1]) == [(1, None), (2, None), (None, "ONO113")]
    assert records(gzip.compress(HEAD + DRAW[:-9]) + b"\0\0") == [(1, None), (None, "ONO113")]


def test_unknown_keys_and_types_are_kept():
    lines = HEAD + DRAW.replace(b"}", b',"cad":5}') + b'{"seq":2,"type":"emote","what":"wave"}\n'
    _, draw, emote = read_log(io.BytesIO(lines))
    assert draw.event == Draw(seq=1, seat=0, card="7", extra={"cad": 5})
    assert draw.unknown_keys == (("cad", "card"),)
    assert emote.event == UnknownEvent(seq=2, name="emote", extra={"what": "wave"})


def test_what_is_right_of_a_wrong_event_is_there():
    [record] = read_log(io.BytesIO(b'{"seq":1,"type":"play","seat":0,"card":"x","total":5}'))
    assert record.event is None
    assert record.partial == {"seq": 1, "type": "play", "seat": 0, "total": 5}


def test_each_game_has_its_own_seats_and_view():
    data = HEAD + encode_game([start("b", view="public"), Draw(seq=1, seat=1, card="?")])
    assert [len(game.faults) for game in read_games(io.BytesIO(data))] == [0, 0]


def test_games_begin_with_their_start_right_or_wrong():
    data = DRAW + HEAD + DRAW + b"rubbish\n" + HEAD.replace(b'"dealer":0', b'"dealer":"x"') + DRAW + HEAD
    games = list(read_games(io.BytesIO(data)))
    assert [(game.line, len(game.events), len(game.faults)) for game in games] == [
        (1, 1, 0), (2, 2, 1), (5, 1, 1), (7, 1, 0)
    ]  # fmt: skip
    assert [game.start is not None for game in games] == [False, True, False, True]


@pytest.mark.parametrize("data", [b"", b"\n\n", b"\xef\xbb\xbf"])
def test_an_empty_log_has_no_games(data):
    assert list(read_games(io.BytesIO(data))) == []


def test_a_game_of_too_many_events_is_refused(monkeypatch):
    monkeypatch.setattr(reader, "MOST_EVENTS", 3)
    data = encode_game([start(), *(Comment(seq=seq, text="") for seq in range(1, 4))])
    with pytest.raises(Unreadable, match="line 4"):
        list(read_games(io.BytesIO(data)))


def test_events_of_an_older_major_version_are_made_new(monkeypatch):
    data = (
        encode_game([start(version="0.9")]) + b'{"seq":1,"type":"play","seat":0,"card":"7","sum":7}\n' + DRAW
    )
    assert records(data)[0] == (1, "ONO112")

    def step(keys):
        return {("total" if key == "sum" else key): value for key, value in keys.items()}

    monkeypatch.setitem(STEPS, 0, step)
    _, play, draw = (record.event for record in read_log(io.BytesIO(data)))
    assert play == Play(seq=1, seat=0, card="7", total=7)
    assert draw == Draw(seq=1, seat=0, card="7")
