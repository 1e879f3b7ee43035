"""Pictures and transcripts of a moment: what they show and what they must not."""

import xml.etree.ElementTree as ET

import pytest

from ono_replay.cli.seats import Look as SeatLook
from ono_replay.cli.seats import table_lines
from ono_replay.export import pictures
from ono_replay.export.payload import NotShowable, build_payload
from ono_replay.export.svg import Look, picture_of
from ono_replay.export.text import transcript
from ono_replay.export.wording import say_verdict
from tests.unit.test_export_payload import CHAIN, ROUND, replay_of

SVG = "{http://www.w3.org/2000/svg}"


def words(picture):
    return [element.text for element in ET.fromstring(picture).iter(f"{SVG}text")]


def test_a_picture_has_the_table_and_what_happened():
    picture = picture_of(replay_of(*ROUND, *CHAIN), 5)
    shown = words(picture)
    assert "Ann plays Play 2: the total stays 0, Bo owes two cards" in shown
    assert "98 left" in shown
    assert "draws" in shown
    assert {"SEVEN", "PLAY 2", "ONO 99", "REVERSE"} <= set(shown)


def test_a_picture_is_one_file_and_asks_for_nothing():
    picture = picture_of(replay_of(*ROUND, *CHAIN), 9, Look(theme="dark"))
    for asking in ("href", "url(", "<script", "<style", "<image", "<foreignObject"):
        assert asking not in picture


def test_a_picture_from_a_seat_hides_the_other_hands():
    shown = words(picture_of(replay_of(*ROUND), 4, Look(seat=1)))
    assert {"REVERSE", "PLAY 2", "FOUR"} <= set(shown)
    assert not {"SEVEN", "NINE", "EIGHT", "TEN"} & set(shown)
    assert not {"FOUR", "SEVEN"} & set(words(picture_of(replay_of(*ROUND), 4, Look(hide=True))))


def test_a_hand_that_is_laid_down_is_shown_to_everyone():
    out = {"type": "eliminate", "seat": 0, "reason": "timeout", "hand": ["7", "play_2", "10", "0"]}
    shown = words(picture_of(replay_of(*ROUND, out), 5, Look(seat=1)))
    assert {"SEVEN", "TEN", "out"} <= set(shown)
    assert "NINE" not in shown


def test_names_in_a_picture_are_text():
    evil = '<script>alert(1)</script>"&\u202e'
    picture = picture_of(replay_of(*ROUND, players=[{"name": evil}, {"name": "Bo"}, {"name": "Cem"}]), 4)
    assert "<script" not in picture
    assert any(text and text.startswith("<script>alert(1)") for text in words(picture))
    assert "\u202e" not in picture


@pytest.mark.parametrize("players", [2, 5, 8])
def test_a_picture_has_room_for_so_many(players):
    rules = {"edition": "1980", "match": "single", "players_max": 99}
    people = [{"name": f"P{seat}"} for seat in range(players)]
    shown = words(picture_of(replay_of(ruleset=rules, players=people, dealer=0), 0))
    assert {f"P{seat}" for seat in range(players)} <= set(shown)


def test_a_picture_says_what_it_can_not_show():
    people = [{"name": f"P{seat}"} for seat in range(9)]
    many = replay_of(ruleset={"edition": "1980", "match": "single", "players_max": 99}, players=people)
    with pytest.raises(NotShowable, match="room for 8 players"):
        picture_of(many, 0)
    with pytest.raises(KeyError):
        picture_of(replay_of(*ROUND), 99)


def test_a_transcript_goes_turn_by_turn():
    told = list(transcript(replay_of(*ROUND, *CHAIN)))
    assert told[:6] == [
        "ONO 99, edition 2022: 3 players, a single round.",
        "In brackets stand the numbers of the events.",
        "Game k.",
        "Known: all cards are known.",
        "Players, clockwise: seat 0 Ann, seat 1 Bo, seat 2 Cem.",
        "The game is unfinished; so far it is true to the rules.",
    ]
    cem = "Turn 3. [9] Cem plays 9: the total is 9, one more card to play. [10] Draws 2. [11] Plays 1: the total is 10."
    assert told[8:11] == [
        "Turn 1. [5] Ann plays Play 2: the total stays 0, Bo owes two cards. [6] Draws 5.",
        "Turn 2. [7] Bo plays Play 2: the total stays 0, the two cards pass on to Cem. [8] Draws 5.",
        f"{cem} [12] Draws 3.",
    ]


def test_a_transcript_names_faults_where_they_stand():
    wrong = {"type": "play", "seat": 0, "card": "play_2", "total": 3}
    told = list(transcript(replay_of(*ROUND, wrong)))
    assert told[-1].startswith("  Error ONO306: ")
    # What is wrong with the game_start, which is no line of its own, stands below what it says.
    told = list(transcript(replay_of(*ROUND, *CHAIN, colour="red")))
    assert told[5] == "The game is unfinished; so far it is true to the rules."
    assert told[6].startswith("  Note ONO108: ")
    assert sum("ONO108" in line for line in told) == 1
    assert list(transcript(replay_of(*ROUND, {"type": "plays"})))[-1].endswith("; did you mean play?")


def test_players_of_one_name_are_told_apart():
    told = list(
        transcript(replay_of(*ROUND, *CHAIN, players=[{"name": "Ann"}, {"name": "Ann"}, {"name": ""}]))
    )
    assert told[8].startswith("Turn 1. [5] Ann in seat 0 plays Play 2")
    assert "a player in seat 2" in told[10]


def test_a_verdict_is_not_passed_off_as_true_to_the_rules():
    stood = {"type": "play", "seat": 0, "card": "7", "total": 8, "irregular": True}
    replay = replay_of(*ROUND, stood)
    assert say_verdict(replay.report, replay.events) == (
        "The game is unfinished: no error so far; 1 fault let stand."
    )
    assert build_payload(replay)["judged"] in transcript(replay)
    hidden = [line | {"cards": ["?"] * 4} if line["type"] == "deal" else line for line in ROUND]
    shared = replay_of(*hidden, {"type": "play", "seat": 0, "card": "7", "total": 7}, view="public")
    assert say_verdict(shared.report, shared.events).startswith("The game is unfinished: no error so far; ")
    assert say_verdict(shared.report, shared.events).endswith("could not be made (unknown cards).")
    wrong = replay_of(*ROUND, stood | {"irregular": False})
    assert say_verdict(wrong.report, wrong.events) == "The game is invalid: 1 error."


@pytest.mark.parametrize(
    ("reason", "chips", "said"),
    [
        ("left", [None, 3, 3], "Round 1 is over; Ann left and is out of the match."),
        ("timeout", [2, 3, 3], "Round 1 is over; Ann pays a chip."),
        ("timeout", [None, 3, 3], "Round 1 is over; Ann had no chip left and is out of the match."),
    ],
)
def test_who_left_is_not_said_to_have_run_out_of_chips(reason, chips, said):
    rules = {"edition": "2022", "match": "chips", "chips": 3 if chips[0] or reason == "left" else 1}
    out = {"type": "eliminate", "seat": 0, "reason": reason, "hand": ["7", "play_2", "10", "0"]}
    over = {"type": "round_end", "round": 1, "winner": None, "loser": 0, "chips": chips}
    replay = replay_of(*ROUND, out, over, ruleset=rules)
    assert any(line.endswith(said) for line in transcript(replay))
    assert ("left" in words(picture_of(replay, 5))) == (reason == "left")
    replay.seek(6)
    table = table_lines(replay, SeatLook(drawn=False))
    assert any("left the match" in line for line in table) == (reason == "left")


def test_a_total_that_was_announced_is_no_remark():
    stood = {"type": "play", "seat": 0, "card": "7", "total": 8, "irregular": True}
    told = list(transcript(replay_of(*ROUND, stood, {"type": "comment", "text": "= 8", "ref": 5})))
    assert any("This was let stand. [6] Announced: 8." in line for line in told)
    told = list(transcript(replay_of(*ROUND, stood, {"type": "comment", "text": "= 8"})))
    assert any("[6] Remark: “= 8”." in line for line in told)


def test_an_animation_has_room_for_so_many_events(monkeypatch):
    frames = [picture_of(replay_of(*ROUND), seq) for seq in range(3)]
    monkeypatch.setattr(pictures, "MOST_FRAMES", 3)
    assert pictures.gif_of(frames, width=60).startswith(b"GIF89a")
    with pytest.raises(ValueError, match="room for 3 events"):
        pictures.gif_of([*frames, frames[0]], width=60)
    with pytest.raises(ValueError, match="no event to show"):
        pictures.gif_of([])
