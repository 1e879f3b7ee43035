"""schemas/SPECIFICATION.md section 7: a round that starts from a position, and what makes one impossible."""

import pytest
from msgspec.structs import replace

from ono_replay.rules.events import Deal, Draw, Position, RoundStart
from ono_replay.rules.legality import why_illegal
from ono_replay.rules.state import Phase, first_state
from ono_replay.rules.transition import apply
from tests.unit.rules_table import (
    code,
    deal,
    end_round,
    fall,
    hand,
    left,
    next_round,
    out,
    play,
    put,
    rules,
    table,
    to_act,
)

PLAIN = Position(
    total=40,
    direction=-1,
    turn=1,
    plays_due=2,
    second=False,
    hands=(hand("7 9"), hand("2 reverse"), hand("? ? ?")),
    out=(),
    draw_pile=50,
    discard_pile=("10", "10"),
)


def start(position, seats=3, round_number=1, edition="2022", **options):
    state = first_state(rules(edition, **options), seats)
    return state, RoundStart(1, round_number, None, 0, position=position)


def detail(position, **options):
    state, event = start(position, **options)
    found = why_illegal(state, event)
    return None if found is None else (found.code, found.detail)


def test_position_is_the_state_after_the_round_start():
    state = apply(*start(PLAIN))
    assert (state.total, state.direction, to_act(state)) == (40, -1, (1, 2, False))
    assert (state.hands, state.out) == ((("7", "9"), ("2", "reverse"), ("?", "?", "?")), ())
    assert (state.draw_pile, state.discard_pile, state.discards) == (50, 2, ("10", "10"))
    assert state.phase is Phase.PLAYING
    assert (state.forfeits, state.ono_99_played, state.last_to_play) == ((0, 0, 0), False, None)


def test_position_no_deals_follow():
    state = apply(*start(PLAIN))
    assert code(state, Deal(2, 0, ("1", "1", "1", "1"))) == "ONO204"


def test_position_who_starts_is_not_checked_and_the_first_round_has_any_number():
    state, event = start(PLAIN, round_number=7)
    assert code(state, replace(event, starter=2, dealer=2)) is None
    state = end_round(left(left(apply(state, event), 0), 2))
    assert state.round == 7


def test_position_in_a_later_round_has_its_number():
    state = end_round(out(table("ono_99 ono_99", "2 2", "3 3", match="chips")))
    later = next_round(state, 0)
    assert code(state, replace(later, position=PLAIN)) is None
    assert code(state, replace(later, round=7, position=PLAIN)) == "ONO107"


IMPOSSIBLE = [
    ("hands", {"hands": PLAIN.hands[:2]}),
    ("out", {"out": (0, 0)}),
    ("out", {"out": (3,)}),
    ("turn", {"turn": None}),
    ("turn", {"turn": 1, "plays_due": 0}),
    ("turn", {"out": (1,)}),
    ("turn", {"turn": 3}),
    ("second", {"second": True}),
    ("pile", {"draw_pile": -1}),
    ("pile", {"discard_pile": -1}),
    ("copies", {"hands": (hand("7 7 7 7"), hand("7 7 7"), ())}),
    ("copies", {"hands": (hand("hold"), (), ())}),
    ("copies", {"draw_pile": ("8",) * 7}),
    ("copies", {"hands": (("8",) * 4, (), ()), "discard_pile": ("8",) * 3}),
    ("size", {"draw_pile": 104}),
    ("size", {"draw_pile": 2**62, "discard_pile": 2**62}),
    ("size", {"draw_pile": 100, "hands": (("?",) * 4, ("?",) * 4, ("?",) * 4)}),
]


@pytest.mark.parametrize(("word", "change"), IMPOSSIBLE)
def test_position_that_is_impossible(word, change):
    assert detail(replace(PLAIN, **change)) == ("ONO211", word)


POSSIBLE = [
    {"plays_due": 1, "second": True},
    {"total": -30},
    {"total": 120},  # a play that was let stand
    {"out": (0,)},
    {"draw_pile": 103},
    {"draw_pile": ("8",) * 6},
    {"draw_pile": (), "discard_pile": 0},
    {"draw_pile": ("?",) * 9},
    {"hands": ((), (), ())},
]


@pytest.mark.parametrize("change", POSSIBLE)
def test_position_that_is_possible(change):
    assert detail(replace(PLAIN, **change)) is None


@pytest.mark.parametrize("chips", [(3, 3), (3, 3, 3, 3), ()])
def test_position_chips_are_by_seat(chips):
    assert detail(replace(PLAIN, chips=chips), edition="1980") == ("ONO211", "standing")


def test_position_has_the_chips_or_scores_it_says_else_those_before():
    assert apply(*start(replace(PLAIN, chips=(1, 2, 3)), match="chips")).match.chips == (1, 2, 3)
    assert apply(*start(PLAIN, match="chips")).match.chips == (3, 3, 3)
    points = {"match": "points_low_score", "points_target": 90}
    assert apply(*start(replace(PLAIN, scores=(1, 2, 3)), **points)).match.scores == (1, 2, 3)
    assert apply(*start(PLAIN, **points)).match.scores == (0, 0, 0)


def test_position_a_seat_without_chips_is_out_of_the_match():
    position = replace(PLAIN, chips=(3, 1, None), hands=(*PLAIN.hands[:2], ()))
    state = apply(*start(position, match="chips"))
    assert state.match.gone == {2}
    assert to_act(play(state, "2")) == (1, 1, True)
    assert detail(replace(position, turn=2), match="chips") == ("ONO211", "turn")


def test_position_draws_follow_a_recorded_pile():
    state = apply(*start(replace(PLAIN, draw_pile=hand("5 6 ?"))))
    state = apply(state, put(state, "2"))
    assert code(state, Draw(3, 1, "6")) == "ONO318"
    state = apply(state, Draw(3, 1, "5"))
    state = play(state, "5", drawn="6")
    assert code(apply(state, put(state, "7")), Draw(3, 0, "9")) is None  # the third card is not known


def test_position_with_one_left_is_a_round_that_is_over():
    state = apply(*start(replace(PLAIN, out=(0, 2), turn=None, plays_due=0)))
    assert (state.phase, state.winner, state.turn) == (Phase.ROUND_OVER, 1, None)
    assert code(state, fall(state, 1, reason="left")) == "ONO405"
    assert end_round(state).match.winners == (1,)


def test_position_the_next_round_starts_with_a_full_deck():
    state = table("ono_99 ono_99", "2 2", "3 3", edition="1980", draw_pile=3, discard_pile=2)
    state = apply(end_round(out(state)), next_round(end_round(out(state)), 0))
    assert state.draw_pile == 54
    assert deal(state, "2 2 2 3", "3 3 4 4", "5 5 5 6").turn == 0
