"""What the viewer gets, and the words that go with it, on games small enough to count by hand."""

import io
import json
from typing import Any

import msgspec
import pytest

from ono_replay.export.art import BACK, LOOKS
from ono_replay.export.house import say_rules
from ono_replay.export.html import page_of
from ono_replay.export.markup import draw
from ono_replay.export.payload import NotShowable, Options, build_payload
from ono_replay.replay import read_replay
from ono_replay.rules.cards import HIDDEN, TOKENS
from ono_replay.rules.ruleset import CHOICES, EDITIONS, make_ruleset

START = {
    "seq": 0, "type": "game_start", "format": "ono-log", "version": "1.0", "game_id": "k",
    "ruleset": {"edition": "2022"}, "players": [{"name": "Ann"}, {"name": "Bo"}, {"name": "Cem"}],
    "dealer": 2, "view": "full",
}  # fmt: skip
ROUND = [
    {"type": "round_start", "round": 1, "dealer": 2, "starter": 0},
    {"type": "deal", "seat": 0, "cards": ["7", "play_2", "10", "0"]},
    {"type": "deal", "seat": 1, "cards": ["reverse", "play_2", "ono_99", "4"]},
    {"type": "deal", "seat": 2, "cards": ["9", "8", "ono_99", "1"]},
]
# Ann starts a pair, Bo passes it on, Cem plays two.
CHAIN = [
    {"type": "play", "seat": 0, "card": "play_2", "total": 0},
    {"type": "draw", "seat": 0, "card": "5"},
    {"type": "play", "seat": 1, "card": "play_2", "total": 0},
    {"type": "draw", "seat": 1, "card": "5"},
    {"type": "play", "seat": 2, "card": "9", "total": 9},
    {"type": "draw", "seat": 2, "card": "2"},
    {"type": "play", "seat": 2, "card": "1", "total": 10},
    {"type": "draw", "seat": 2, "card": "3"},
    {"type": "play", "seat": 0, "card": "7", "total": 17},
]


def replay_of(*events, **start):
    lines = [START | start, *events]
    numbered = [{"seq": seq} | line | {"seq": line.get("seq", seq)} for seq, line in enumerate(lines)]
    return read_replay(io.BytesIO(b"".join(json.dumps(line).encode() + b"\n" for line in numbered)))


def payload_of(*events, options=None, **start):
    return msgspec.json.decode(msgspec.json.encode(build_payload(replay_of(*events, **start), options)))


def unfold(payload):
    """The whole states, as the viewer makes them."""
    states = []
    state: dict[str, Any] = {"hands": [], "pile": []}
    for change in payload["states"]:
        state = state | {k: v for k, v in change.items() if k not in ("hands", "laid")}
        hands = list(state["hands"])
        for seat, hand in change.get("hands", {}).items():
            hands[int(seat) : int(seat) + 1] = [hand]
        state = state | {"hands": hands, "pile": state["pile"] + change.get("laid", [])}
        states.append(state)
    return states


def test_states_unfold_to_those_of_the_replay():
    replay = replay_of(*ROUND, *CHAIN)
    states = unfold(payload_of(*ROUND, *CHAIN))
    assert len(states) == len(replay) + 1
    for state, told in zip(states[1:], replay.states_json(), strict=True):
        assert {name: state[name] for name in told if name not in ("game_id", "seq", "type")} == {
            name: value for name, value in told.items() if name not in ("game_id", "seq", "type")
        }
    assert states[-1]["pile"] == ["play_2", "play_2", "9", "1", "7"]


def test_a_state_says_what_can_be_played_and_the_total_after_it():
    states = unfold(payload_of(*ROUND, *CHAIN))
    assert states[4]["legal"] == {"0": 0, "7": 7, "10": 10, "play_2": 0}
    assert states[5]["legal"] == {}
    assert states[10]["legal"] == {"1": 10, "2": 11, "8": 17}


def test_turns_put_a_forced_pair_together():
    turns = payload_of(*ROUND, *CHAIN)["turns"]
    assert turns == [[0, None, None], [1, None, None], [5, 0, 1], [7, 1, 2], [9, 2, 3], [13, 0, 4]]


def test_chains_know_who_began_and_who_was_hit():
    assert payload_of(*ROUND, *CHAIN)["chains"] == [[5, 9, 0, 2, 2]]
    assert payload_of(*ROUND, *CHAIN[:3])["chains"] == [[5, 7, 0, 2, None]]
    # Who leaves while another owes two is not hit: the round ends before the other plays.
    falls = {"type": "eliminate", "reason": "left"}
    two: dict[str, Any] = {"players": [{"name": "Ann"}, {"name": "Bo"}], "dealer": 1}
    events = [ROUND[0] | {"dealer": 1}, *ROUND[1:3], *CHAIN[:2]]
    assert payload_of(*events, {**falls, "seat": 0}, **two)["chains"] == [[4, 6, 0, 1, None]]
    assert payload_of(*events, {**falls, "seat": 1}, **two)["chains"] == [[4, 6, 0, 1, 1]]


def test_sentences():
    says = payload_of(*ROUND, *CHAIN)["says"]
    assert says[2] == [0, " is dealt 7, Play 2, 10, 0"]
    assert says[5] == [0, " plays Play 2: the total stays 0, ", 1, " owes two cards"]
    assert says[7] == [1, " plays Play 2: the total stays 0, the two cards pass on to ", 2]
    assert says[9] == [2, " plays 9: the total is 9, one more card to play"]
    assert says[10] == [2, " draws 2"]
    one = payload_of(*ROUND, CHAIN[0], {"type": "reshuffle", "count": 1})["says"][6]
    assert one == ["The discard pile becomes the new draw pile: 1 card"]


def test_a_fault_lies_at_its_event():
    wrong = {"type": "play", "seat": 0, "card": "play_2", "total": 3}
    (finding,) = payload_of(*ROUND, wrong)["findings"]
    assert (finding["code"], finding["index"], finding["severity"]) == ("ONO306", 5, "error")


def test_nothing_is_in_it_that_is_not_shown():
    shuffle = {"algorithm": "x", "seed": "secret-seed"}
    start = ROUND[0] | {"shuffle": shuffle, "meta": {"note": "secret-meta"}}
    text = msgspec.json.encode(payload_of(start, *ROUND[1:], *CHAIN, meta={"path": "secret-start"})).decode()
    assert "secret" not in text


def test_a_game_without_rules_is_not_shown():
    with pytest.raises(NotShowable, match="game_start"):
        build_payload(replay_of(ruleset={"edition": "1900"}))


def test_what_the_viewer_begins_with():
    assert payload_of(options=Options(event=4, seat=1))["options"] == {"event": 4, "seat": 1}


def test_every_card_has_a_look_of_its_own():
    assert set(LOOKS) == {*TOKENS, HIDDEN, BACK}
    assert len({draw(look.shapes) for look in LOOKS.values()}) == len(LOOKS)
    assert len({look.short for look in LOOKS.values()}) == len(LOOKS)
    special = [look for token, look in LOOKS.items() if token in TOKENS and not token.isdigit()]
    assert len({look.panel for look in special}) == len(special) - 1  # the two pair cards share one
    for token in TOKENS:
        assert LOOKS[token].name.upper() in [shape[2] for shape in LOOKS[token].shapes if shape[0] == "text"]


def test_text_from_a_log_can_not_leave_the_data():
    evil = "</script><script>alert(1)</script><!--"
    page = page_of(build_payload(replay_of(*ROUND, players=[{"name": evil}, {"name": "Bo"}, {"name": "C"}])))
    assert "alert(1)</script>" not in page
    assert page.count("</script>") == 2
    data = page.partition('id="payload">')[2].partition("</script>")[0]
    assert json.loads(data)["game"]["players"][0]["name"] == evil


def test_the_page_allows_itself_and_nothing_else():
    page = page_of(build_payload(replay_of(*ROUND, *CHAIN)))
    policy = page.partition('Content-Security-Policy" content="')[2].partition('"')[0]
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    assert "unsafe" not in policy
    assert "http" not in page.replace("http://www.w3.org/2000/svg", "").replace("http-equiv", "")
    assert len(page.encode()) < 200_000


def test_only_rules_that_matter_are_told():
    single = dict(say_rules(EDITIONS["2022"]))
    assert single["Played"] == "a single round"
    assert "Next round started by" not in single
    assert not any("chip" in how or "point" in how for how in single.values())
    chips = dict(say_rules(make_ruleset({"edition": "1980", "match": "chips", "deck": {"5": 60}})))
    assert chips["Played"] == "a match for chips, 3 each"
    assert chips["Deck"] == "60 cards, a deck of this table's own"
    assert not {"Below zero", "Four ONO 99", "Reverse when two are left"} & set(chips)


@pytest.mark.parametrize("option", sorted(set(CHOICES) - {"edition"}))
def test_each_choice_of_a_rule_has_words_of_its_own(option):
    base = {"edition": "1980", "match": "points_low_score", "points_target": 100}
    said = {str(say_rules(make_ruleset(base | {option: choice}))) for choice in CHOICES[option]}
    assert len(said) == len(CHOICES[option])
