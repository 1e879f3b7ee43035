"""The shape of events: every key with every kind of wrong value, the order of faults, what is kept."""

from typing import Any

import msgspec
import pytest

from ono_replay.log.jsonl import NumberText, canonical, event_keys
from ono_replay.log.keys import KEYS, PARTS, TAIL
from ono_replay.log.shape import Context, check_shape, context_of, quick_ok
from ono_replay.log.strict import LARGEST
from ono_replay.rules.cards import TOKENS
from ono_replay.rules.events import (
    EVENT_TYPES,
    Comment,
    Deal,
    Draw,
    Eliminate,
    Event,
    GameEnd,
    Play,
    Player,
    RoundEnd,
    Undo,
    UnknownEvent,
)

FULL = Context(seats=2, view="full")
PUBLIC = Context(seats=2, view="public")
POSITION: dict[str, Any] = {
    "total": 5, "direction": 1, "turn": 0, "plays_due": 1, "second": False, "hands": [["7"], ["9"]], "out": [],
    "draw_pile": 90, "discard_pile": ["1"], "chips": [1, None], "scores": [1, None],
}  # fmt: skip
GOOD: dict[str, Any] = {
    "game_start": {
        "format": "ono-log", "version": "1.0", "game_id": "a", "ruleset": {"edition": "2022"},
        "players": [{"name": "Ann", "id": "x", "bot": True}, {"name": "Bo"}], "dealer": 1, "view": "seat",
        "viewer": 0, "started_at": "2026-01-31T20:15:00Z", "source": {"app": "x", "version": "1"},
    },
    "round_start": {
        "round": 1, "dealer": None, "starter": 1, "deck": ["7", "9"],
        "shuffle": {"algorithm": "x", "seed": "1", "commitment": "2"}, "position": POSITION,
    },
    "deal": {"seat": 0, "cards": ["7", "7", "9", "ono_99"]},
    "play": {"seat": 0, "card": "7", "total": -3},
    "draw": {"seat": 1, "card": "10"},
    "forfeit_draw": {"seat": 1},
    "discard_four": {"seat": 1},
    "reshuffle": {"count": 3, "deck": ["7", "9", "9"]},
    "eliminate": {"seat": 1, "reason": "no_legal_play", "card": "7", "hand": ["9"]},
    "round_end": {
        "round": 1, "winner": None, "loser": 1, "chips": [1, None], "points": [0, 5], "scores": [None, 7],
        "seed": "1",
    },
    "game_end": {"winners": [0, 1], "reason": "completed", "digest": "sha256:" + "0" * 64},
    "comment": {"text": "", "ref": 0},
    "undo": {"to": 0},
}  # fmt: skip
COMMON: dict[str, Any] = {"at_ms": 0, "irregular": True, "meta": {"any": [1]}}


def check(keys, context) -> Any:
    return check_shape(keys, context)


def line(name, **changes):
    return {"seq": 3, "type": name, **GOOD[name], **COMMON, **changes}


def without(keys, name):
    return {key: value for key, value in keys.items() if key != name}


@pytest.mark.parametrize("name", GOOD)
def test_every_type_with_all_its_keys_is_an_event(name):
    keys = line(name)
    shape = check(keys, FULL)
    assert shape.fault is None
    assert shape.unknown_keys == []
    assert isinstance(shape.event, EVENT_TYPES[name])
    assert msgspec.json.decode(canonical(shape.event)) == keys
    assert quick_ok(shape.event, FULL)


@pytest.mark.parametrize("name", GOOD)
def test_optional_keys_may_be_left_out(name):
    required = {key.name for key in KEYS[name] if key.required}
    keys = {"seq": 3, "type": name} | {key: value for key, value in GOOD[name].items() if key in required}
    if name == "game_start":
        keys["view"] = "public"
    shape = check(keys, FULL)
    assert shape.fault is None
    assert shape.event is not None
    assert quick_ok(shape.event, FULL)


@pytest.mark.parametrize("name", GOOD)
def test_a_required_key_that_is_missing(name):
    for key in KEYS[name]:
        if key.required:
            shape = check(without(line(name), key.name), FULL)
            assert shape.event is None
            assert (shape.fault.code, shape.fault.key) == ("ONO106", key.name)
            assert key.name not in shape.partial
            assert "seq" in shape.partial


def test_the_table_of_keys_agrees_with_the_types():
    for name, keys in KEYS.items():
        fields = msgspec.structs.fields(EVENT_TYPES[name])
        own = {field.name: field.required for field in fields if field.name not in ("seq", "extra")}
        assert {key.name: key.required for key in (*keys, *TAIL)} == own
        assert [key.name for key in (*keys, *TAIL)] == list(own)
    for cls, keys in PARTS.items():
        fields = msgspec.structs.fields(cls)
        assert [(key.name, key.required) for key in keys] == [
            (field.name, field.required) for field in fields if field.name != "extra"
        ]


def are(code, *values) -> list[tuple[Any, str]]:
    return [(value, code) for value in values]


INTEGERS = are(
    "ONO107", None, True, "1", NumberText("1.0"), NumberText("1e3"), NumberText("-0"), [1], {}, 2**63
)
NOT_SEATS = INTEGERS + are("ONO206", -1, 2, 99)
SEAT_OR_NULL = [(value, code) for value, code in NOT_SEATS if value is not None]
NOT_TEXTS = are("ONO107", None, 1, True, [], {}, NumberText("1.5"))
NOT_OBJECTS = are("ONO107", None, 1, "x", [], [1], True)
NOT_CARDS = are("ONO107", 7, None, ["7"]) + are(
    "ONO110", "Reverse", "", "11", "-9", "ono 99", "−10", "??", "7 "
)
NOT_LISTS_OF_CARDS = [
    *are("ONO107", "7", None, [7], ["7", None], [7, "x"], {"7": 1}),
    *are("ONO110", ["7", "x"], ["?", "x"]),
    *are("ONO210", ["?", "7"]),
]
NOT_BY_SEAT = are("ONO107", None, 1, [1], [1, 2, 3], [1, "2"], [1, True], {}, [None])
ANN = {"name": "Ann"}
WRONG: dict[tuple[str, str], list[tuple[Any, str]]] = {
    ("game_start", "format"): are("ONO112", "uno-log", "", None, 5, ["ono-log"]),
    ("game_start", "version"): [
        *are("ONO107", None, 1, NumberText("1.0"), "1", "01.0", "1.00", "1.0.0", "1.x", "", "١.٠", "1." + "0" * 99),
        *are("ONO112", "0.9", "2.0", "10.0", "99999999999999999999.1"),
    ],
    ("game_start", "game_id"): [*NOT_TEXTS, ("", "ONO107"), ("x" * 129, "ONO107")],
    ("game_start", "ruleset"): NOT_OBJECTS,
    ("game_start", "players"): [
        *are("ONO107", None, {}, "x", [1], [[]], [{"name": 1}], [{**ANN, "id": 1}], [{**ANN, "bot": False}]),
        *are("ONO106", [{}], [ANN, {"nmae": "Bo"}]),
    ],
    ("game_start", "dealer"): SEAT_OR_NULL,
    ("game_start", "view"): [*NOT_TEXTS, ("Full", "ONO107")],
    ("game_start", "viewer"): NOT_SEATS,
    ("game_start", "started_at"): NOT_TEXTS + are(
        "ONO107", "", "2026-01-31", "2026-01-31T20:15:00", "2026-01-31 20:15:00Z", "2026-02-30T20:15:00Z",
        "2026-01-31T24:00:00Z", "2026-01-31T20:15Z", "2026-01-31T20:15:00Z\n", "2026-01-31T20:15:00+24:00",
        "2026-13-01T20:15:00Z", "1769890500", "٢٠٢٦-01-31T20:15:00Z",
    ),
    ("game_start", "source"): [
        *NOT_OBJECTS, ({}, "ONO106"), ({"app": "x"}, "ONO106"), ({"app": 1, "version": "1"}, "ONO107")
    ],
    ("round_start", "round"): INTEGERS,
    ("round_start", "dealer"): SEAT_OR_NULL,
    ("round_start", "starter"): NOT_SEATS,
    ("round_start", "deck"): NOT_LISTS_OF_CARDS,
    ("round_start", "shuffle"): [
        *NOT_OBJECTS, ({}, "ONO106"), ({"algorithm": 1}, "ONO107"), ({"algorithm": "x", "seed": 1}, "ONO107"),
        ({"algorithm": "x", "commitment": None}, "ONO107"),
    ],
    ("round_start", "position"): NOT_OBJECTS,
    ("deal", "seat"): NOT_SEATS,
    ("deal", "cards"): NOT_LISTS_OF_CARDS,
    ("play", "seat"): NOT_SEATS,
    ("play", "card"): [*NOT_CARDS, ("?", "ONO210")],
    ("play", "total"): INTEGERS,
    ("draw", "card"): [*NOT_CARDS, ("?", "ONO210")],
    ("reshuffle", "count"): INTEGERS,
    ("reshuffle", "deck"): NOT_LISTS_OF_CARDS,
    ("eliminate", "reason"): [*NOT_TEXTS, ("quit", "ONO107")],
    ("eliminate", "card"): [*NOT_CARDS, ("?", "ONO210")],
    ("eliminate", "hand"): NOT_LISTS_OF_CARDS,
    ("round_end", "round"): INTEGERS,
    ("round_end", "winner"): SEAT_OR_NULL,
    ("round_end", "loser"): SEAT_OR_NULL,
    ("round_end", "chips"): NOT_BY_SEAT,
    ("round_end", "points"): NOT_BY_SEAT,
    ("round_end", "scores"): NOT_BY_SEAT,
    ("round_end", "seed"): NOT_TEXTS,
    ("game_end", "winners"): [
        *are("ONO107", None, 0, ["0"], [True], [1, 0], [0, 0], [3, 2], {}), *are("ONO206", [-1], [0, 2]),
    ],
    ("game_end", "reason"): [*NOT_TEXTS, ("won", "ONO107")],
    ("game_end", "digest"): NOT_TEXTS,
    ("comment", "text"): NOT_TEXTS,
    ("comment", "ref"): INTEGERS,
    ("undo", "to"): INTEGERS,
    ("undo", "seq"): INTEGERS,
    ("undo", "at_ms"): [*INTEGERS, (-1, "ONO107")],
    ("undo", "irregular"): are("ONO107", False, None, 1, "true"),
    ("undo", "meta"): NOT_OBJECTS,
}  # fmt: skip


@pytest.mark.parametrize(
    ("name", "key", "value", "code"),
    [(name, key, value, code) for (name, key), values in WRONG.items() for value, code in values],
)
def test_wrong_values(name, key, value, code):
    shape = check(line(name, **{key: value}), FULL)
    assert shape.fault is not None
    assert shape.fault.code == code
    assert shape.fault.key.startswith(key)
    assert len(shape.fault.message) < 300
    msgspec.json.encode([shape.fault.actual, shape.fault.expected])
    if code != "ONO210":
        assert shape.event is None


IN_POSITION = [
    ("total", None, "ONO211"), ("total", NumberText("1.5"), "ONO211"), ("direction", 0, "ONO211"),
    ("direction", True, "ONO211"), ("turn", 2, "ONO211"), ("turn", -1, "ONO211"), ("plays_due", 3, "ONO211"),
    ("second", 0, "ONO211"), ("hands", [["7"]], "ONO211"), ("hands", [["7"], "9"], "ONO211"),
    ("hands", [["7"], ["x"]], "ONO110"), ("hands", [["7"], ["?"]], "ONO210"), ("hands", None, "ONO211"),
    ("out", [2], "ONO211"), ("out", None, "ONO211"), ("draw_pile", -1, "ONO211"), ("draw_pile", ["x"], "ONO110"),
    ("draw_pile", ["?"], "ONO210"), ("discard_pile", None, "ONO211"), ("discard_pile", NumberText("1.0"), "ONO211"),
    ("chips", [1], "ONO211"), ("scores", None, "ONO211"),
]  # fmt: skip


@pytest.mark.parametrize(("key", "value", "code"), IN_POSITION)
def test_everything_in_a_position_but_its_cards_is_a_bad_position(key, value, code):
    shape = check(line("round_start", position={**POSITION, key: value}), FULL)
    assert (shape.fault.code, shape.fault.key.split("[")[0]) == (code, f"position.{key}")


def test_a_position_without_a_key_is_a_bad_position():
    for key in (
        "total",
        "direction",
        "turn",
        "plays_due",
        "second",
        "hands",
        "out",
        "draw_pile",
        "discard_pile",
    ):
        assert check(line("round_start", position=without(POSITION, key)), FULL).fault.code == "ONO211"


HIDING = [
    ("round_start", "deck", ["7", "?"]), ("deal", "cards", ["?", "?", "7", "?"]), ("draw", "card", "?"),
    ("reshuffle", "deck", ["?"]), ("eliminate", "hand", ["?"]),
    ("round_start", "position", {**POSITION, "hands": [["?"], ["9"]], "draw_pile": ["?"]}),
]  # fmt: skip


@pytest.mark.parametrize(("name", "key", "value"), HIDING)
def test_cards_may_be_hidden_outside_of_a_full_view_only(name, key, value):
    shown = check(line(name, **{key: value}), PUBLIC)
    assert shown.fault is None
    assert quick_ok(shown.event, PUBLIC)
    assert not quick_ok(shown.event, FULL)
    full = check(line(name, **{key: value}), FULL)
    assert full.fault.code == "ONO210"
    assert full.event == shown.event, "the log goes on with the card unknown"


HIDING_AND_WRONG = [
    ("round_start", "deck", ["?", "x"]), ("deal", "cards", ["?", 7]), ("reshuffle", "deck", ["?", None]),
    ("eliminate", "hand", ["?", []]),
    *(("round_start", "position", {key: value for key, value in (POSITION | {"hands": [["?"], ["9"]]}).items() if key != left})
      for left in POSITION if left not in ("hands", "chips", "scores")),
    *(("round_start", "position", POSITION | {"hands": [["?"], ["9"]], key: {}}) for key in POSITION if key != "hands"),
    ("round_start", "position", POSITION | {"hands": [["?"], [9]]}),
]  # fmt: skip


@pytest.mark.parametrize(("name", "key", "value"), HIDING_AND_WRONG)
def test_a_value_that_hides_a_card_and_has_another_fault_makes_no_event(name, key, value):
    shape = check(line(name, **{key: value}), FULL)
    assert shape.fault is not None
    assert shape.event is None
    assert key not in shape.partial


@pytest.mark.parametrize("name", ["play", "eliminate"])
def test_a_played_card_is_always_known(name):
    for context, code in ((FULL, "ONO210"), (PUBLIC, "ONO107")):
        shape = check(line(name, card="?"), context)
        assert shape.fault.code == code
        assert shape.event is None
        assert shape.partial["seat"] == GOOD[name]["seat"]


@pytest.mark.parametrize(
    ("keys", "code", "key"),
    [
        ({}, "ONO106", "seq"),
        ({"seq": 1}, "ONO106", "type"),
        ({"seq": "1"}, "ONO107", "seq"),
        ({"type": None, "seq": 1}, "ONO107", "type"),
        ({"type": 5}, "ONO106", "seq"),
        ({"type": "xplay"}, "ONO105", "type"),
        ({"type": "play", "total": 1}, "ONO106", "seq"),
        ({"type": "play", "seq": 1, "total": None, "card": "x"}, "ONO106", "seat"),
        ({"type": "play", "seq": 1, "total": None, "card": "x", "seat": 9}, "ONO206", "seat"),
        ({"type": "play", "seq": 1, "total": None, "card": "x", "seat": 1}, "ONO110", "card"),
        ({"type": "play", "seq": 1, "total": 1, "card": "7", "seat": 1, "at_ms": -1}, "ONO107", "at_ms"),
        ({"type": "game_start", "version": "2.0"}, "ONO112", "version"),
        ({"type": "game_start", "format": "x", "version": 2}, "ONO112", "format"),
        ({"type": "game_start", "seq": 0, "version": "1.0"}, "ONO106", "format"),
        ({"type": "game_start", "seq": 0, "format": "ono-log", "version": 1}, "ONO107", "version"),
    ],
)
def test_the_first_fault_in_the_order_of_the_format(keys, code, key):
    fault = check(keys, FULL).fault
    assert (fault.code, fault.key) == (code, key)


@pytest.mark.parametrize("version", ["1.0", "1.1", "1.9", "1.10", "1.123456789"])
def test_newer_minor_versions_are_read(version):
    keys = line("game_start", version=version)
    assert check(keys, None).fault is None
    assert context_of(keys).minor == int(version.split(".")[1])


def test_an_unknown_type_is_kept_with_its_keys():
    keys = {"what": {"a": 1}, "seq": 3, "type": "emote", "at_ms": 4, "irregular": 5}
    shape = check(keys, Context(seats=2, minor=4))
    assert shape.fault.code == "ONO105"
    assert shape.event == UnknownEvent(seq=3, name="emote", at_ms=4, extra={"what": {"a": 1}, "irregular": 5})
    assert check(without(keys, "seq"), FULL).event is None


def test_unknown_keys_are_kept_and_named_with_what_they_may_mean():
    keys = line("game_start", tipe=1, players=[{"name": "Ann", "nick": 1, "Bot": True}, {"name": "Bo"}],
                source={"app": "x", "version": "1", "verson": {}})  # fmt: skip
    shape = check({"zzz": NumberText("1.0"), **keys}, None)
    assert shape.fault is None
    assert shape.unknown_keys == [
        ("zzz", None), ("players[0].nick", None), ("players[0].Bot", "bot"), ("source.verson", "version"), ("tipe", "type")
    ]  # fmt: skip
    assert shape.event.extra == {"zzz": NumberText("1.0"), "tipe": 1}
    assert shape.event.players[0] == Player("Ann", extra={"nick": 1, "Bot": True})
    assert b'"zzz":1.0,"tipe":1' in canonical(shape.event)


def test_a_key_is_guessed_among_those_that_are_missing_first():
    shape = check({"seq": 1, "type": "play", "seat": 0, "card": "7", "totl": 5}, FULL)
    assert shape.unknown_keys == [("totl", "total")]


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("Reverse", "reverse"),
        ("play 2", "play_2"),
        ("PLAY2", "play_2"),
        ("ono99", "ono_99"),
        ("Double-Play", "double_play"),
    ],
)
def test_a_wrong_card_is_told_with_the_one_it_may_mean(written, meant):
    fault = check(line("play", card=written), FULL).fault
    assert fault.expected == meant
    assert meant in fault.message


def test_a_key_that_is_right_is_kept_though_another_is_wrong():
    shape = check(line("round_end", winner=7, chips=[1]), FULL)
    assert shape.event is None
    assert shape.partial == {
        "seq": 3, "type": "round_end", "round": 1, "loser": 1, "points": (0, 5), "scores": (None, 7), "seed": "1", **COMMON
    }  # fmt: skip


def test_the_seats_of_a_game_are_its_players():
    assert context_of({}) == Context(seats=LARGEST, view="public")
    assert context_of({"players": [1, 2, 3], "view": "seat"}) == Context(seats=3, view="seat")
    assert check(line("draw", seat=98), None).fault is None
    assert check(line("draw", seat=-1), None).fault.code == "ONO206"


def test_a_viewer_belongs_to_the_view_of_a_seat():
    assert check(without(line("game_start"), "viewer"), None).fault.key == "viewer"
    assert check(line("game_start", view="full"), None).fault.code == "ONO107"


SLIPS: list[Event] = [
    Play(seq=1, seat=2, card="7", total=7), Play(seq=1, seat=-1, card="7", total=7), Draw(seq=1, seat=0, card="?"),
    Draw(seq=1, seat=0, card="7", at_ms=-1), Deal(seq=1, seat=0, cards=("?",) * 4), GameEnd(seq=1, winners=(1, 0), reason="completed"),
    RoundEnd(seq=1, round=1, winner=5, loser=None), RoundEnd(seq=1, round=1, winner=0, loser=None, chips=(1,)),
    Eliminate(seq=1, seat=0, reason="left", hand=("?",)), UnknownEvent(seq=1, name="emote"),
]  # fmt: skip


@pytest.mark.parametrize("event", SLIPS)
def test_what_is_not_quickly_ok_has_a_fault(event):
    assert not quick_ok(event, FULL)
    assert check(event_keys(event), FULL).fault is not None


@pytest.mark.parametrize(
    "event", [Comment(seq=1, text=""), Undo(seq=1, to=9), Draw(seq=1, seat=50, card="?")]
)
def test_without_a_game_little_can_be_wrong(event):
    assert quick_ok(event, None)
    assert check(event_keys(event), None).fault is None


def test_every_card_can_be_played():
    for token in TOKENS:
        assert check(line("play", card=token), FULL).fault is None
