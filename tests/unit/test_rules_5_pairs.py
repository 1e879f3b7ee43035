"""schemas/RULES.md section 5: Play 2 and Double Play."""

import pytest

from ono_replay.rules.transition import apply
from tests.unit.rules_table import code, draw, fall, out, play, put, table, to_act


def test_5_first_card_draw_second_card_draw():
    # A: play_2 · B: 3, draws, 4, draws · C
    state = play(table("play_2 1", "3 4", "2 2"), "play_2")
    assert to_act(state) == (1, 2, False)
    state = apply(state, put(state, "3"))
    assert (to_act(state), state.draws_due, state.drawer) == ((1, 1, True), 1, 1)
    assert code(state, put(state, "4")) == "ONO308"
    state = draw(state)
    state = play(state, "4")
    assert (to_act(state), state.total) == ((2, 1, False), 7)


def test_5_the_card_drawn_after_the_first_can_be_the_second():
    state = play(table("play_2 1", "3", "2 2"), "play_2")
    state = play(state, "3", drawn="5")
    assert to_act(play(state, "5")) == (2, 1, False)


DEFLECT = [
    ("1980", "double_play", "hold"),
    ("1980", "double_play", "reverse"),
    ("2022", "play_2", "play_2"),
    ("2022", "play_2", "reverse"),
]


@pytest.mark.parametrize(("edition", "pair", "card"), DEFLECT)
def test_5_a_deflector_passes_the_two_on(edition, pair, card):
    state = play(table(f"{pair} 2", f"{card} 3", "4 4", edition=edition), pair, card)
    expected = 0 if card == "reverse" else 2  # after a reverse: in the new direction
    assert to_act(state) == (expected, 2, False)


def test_5_never_more_than_two_however_often_it_is_passed_on():
    hands = ("play_2 play_2", "play_2 play_2", "play_2 play_2")
    state = play(table(*hands), *["play_2"] * 6)
    assert to_act(state) == (0, 2, False)


def test_5_double_play_may_not_be_the_first_of_a_pair():
    state = play(table("double_play 2", "double_play 3", "4 4", edition="1980"), "double_play")
    assert code(state, put(state, "double_play")) == "ONO305"
    # nothing else in the hand: out, though a double_play could be played on another day
    only = play(table("double_play 2", "double_play 9", "4 4", edition="1980", total=95), "double_play")
    assert code(only, fall(only)) is None


def test_5_but_the_second():
    state = play(table("double_play 2", "double_play 3", "4 4", edition="1980"), "double_play", "3")
    state = play(state, "double_play")
    assert to_act(state) == (2, 2, False)


def test_5_this_belongs_to_the_card_not_to_the_edition():
    deck = {"double_play": 4, "play_2": 4, "hold": 4, "reverse": 4, "3": 9}
    for edition in ("1980", "2022"):
        state = play(
            table("play_2 3", "double_play hold play_2 3", "3 3", edition=edition, deck=deck), "play_2"
        )
        assert code(state, put(state, "double_play")) == "ONO305"
        assert to_act(play(state, "hold")) == (2, 2, False)
        assert to_act(play(state, "play_2")) == (2, 2, False)


@pytest.mark.parametrize(
    ("card", "then"),
    [("play_2", (2, 2, False)), ("reverse", (0, 1, False)), ("4", (2, 1, False)), ("-10", (2, 1, False))],
)
def test_5_the_second_card_is_an_ordinary_one(card, then):
    state = play(table("play_2 1", f"3 {card}", "2 2"), "play_2", "3", card)
    assert to_act(state) == then


def test_5_a_hold_as_second_card_is_a_zero():
    state = play(table("double_play 2", "3 hold", "4 4", edition="1980"), "double_play", "3", "hold")
    assert to_act(state) == (2, 1, False)


def test_5_no_card_at_the_first():
    state = play(table("play_2 1", "9 9", "2 2", total=95), "play_2")
    assert to_act(out(state)) == (2, 1, False)


def test_5_no_card_at_the_second_the_effect_of_the_first_stays():
    state = play(table("play_2 1", "2 9", "1 1", total=95), "play_2", "2", drawn="9")
    assert (state.total, to_act(state)) == (97, (1, 1, True))
    state = out(state)
    assert (state.total, to_act(state)) == (97, (2, 1, False))


@pytest.mark.parametrize(("edition", "pair", "card"), DEFLECT)
def test_5_with_two_left_all_deflectors_send_it_to_the_other(edition, pair, card):
    state = play(table(f"{pair} 2", f"{card} 3", edition=edition), pair, card)
    assert (to_act(state), state.direction) == ((0, 2, False), 1)


def test_5_reverse_answered_by_reverse():
    # A plays play_2, B answers reverse: counter-clockwise, A owes two
    seats = ("play_2 reverse 1 1", "reverse 2 2 2", "3 3 3 3")
    state = play(table(*seats), "play_2", "reverse")
    assert (to_act(state), state.direction) == ((0, 2, False), -1)
    # A plays two, then C plays
    assert to_act(play(state, "1", "1")) == (2, 1, False)
    # or A answers reverse again: B owes two
    again = play(state, "reverse")
    assert (to_act(again), again.direction) == ((1, 2, False), 1)


def test_5_a_pair_goes_on_after_the_first_card_in_the_direction_it_made():
    state = play(table("play_2 1", "reverse 1", "3 4", "5 5"), "play_2", "reverse")
    assert to_act(state) == (0, 2, False)
    assert to_act(play(state, "1")) == (0, 1, True)
