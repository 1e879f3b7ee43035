"""schemas/RULES.md section 6: the ONO 99 card."""

import pytest

from ono_replay.rules.cards import DISCARD_FOUR
from ono_replay.rules.events import DiscardFour
from ono_replay.rules.playable import legal_plays
from ono_replay.rules.transition import apply
from tests.unit.rules_table import code, draw, fall, out, play, put, table, to_act

FOUR = "ono_99 ono_99 ono_99 ono_99"


@pytest.mark.parametrize("edition", ["1980", "2022"])
@pytest.mark.parametrize("total", [0, 5, 90])
def test_6_it_can_not_be_played(edition, total):
    state = table("ono_99 2", "3 3", edition=edition, total=total)
    assert code(state, put(state, "ono_99")) == "ONO304"


def test_6_1980_four_are_no_way_out():
    state = table(FOUR, "2 2", "3 3", edition="1980", match="single")
    assert code(state, DiscardFour(9, 0)) == "ONO313"
    assert legal_plays(state) == ()
    assert to_act(out(state)) == (1, 1, False)


# --- 2022: four may be discarded --------------------------------------------------------------------


def test_6_2022_four_are_discarded_and_four_drawn():
    state = table(FOUR, "2 2", total=98)
    assert legal_plays(state) == (DISCARD_FOUR,)
    state = apply(state, DiscardFour(9, 0))
    assert (state.total, state.hands[0], state.draws_due, state.drawer, state.discard_pile) == (
        98,
        (),
        4,
        0,
        4,
    )
    assert state.turn == 1
    state = draw(state)
    assert (len(state.hands[0]), to_act(state)) == (4, (1, 1, False))


def test_6_who_holds_four_is_not_out():
    state = table(FOUR, "2 2", total=98)
    assert code(state, fall(state)) == "ONO401"


@pytest.mark.parametrize("held", ["ono_99 ono_99 ono_99 2", "ono_99 ono_99 ono_99", "2 2 2 2"])
def test_6_three_are_not_four(held):
    state = table(held, "2 2", total=98)
    assert code(state, DiscardFour(9, 0)) == "ONO313"


def test_6_only_in_ones_own_turn():
    state = table("2 2", FOUR)
    assert code(state, DiscardFour(9, 1)) == "ONO301"
    waiting = apply(state, put(state, "2"))
    assert code(waiting, DiscardFour(9, 1)) == "ONO308"


def test_6_it_counts_as_the_first_card_of_a_pair_and_never_deflects():
    state = play(table("play_2 1", FOUR, "2 2"), "play_2", DISCARD_FOUR)
    assert to_act(state) == (1, 1, True)


def test_6_and_as_the_second():
    state = play(table("play_2 1", f"3 {FOUR}", "2 2"), "play_2", "3", DISCARD_FOUR)
    assert to_act(state) == (2, 1, False)


def test_6_as_many_are_drawn_as_there_are():
    # two cards in the pile, the four discarded come back but for the one on top
    state = table(FOUR, "2 2", draw_pile=0, discard_pile=0, reshuffle_keep_top=True)
    state = apply(state, DiscardFour(9, 0))
    assert state.draws_due == 3
    state = draw(state, "ono_99")
    assert (state.hands[0], state.discards, state.draw_pile) == (("ono_99",) * 3, ("ono_99",), 0)


# --- 1980: ono_99_on_zero ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("total", "expected"),
    [(0, None), (10, None), (-10, None), (90, None), (-6, "ONO304"), (5, "ONO304"), (98, "ONO304")],
)
def test_6_on_zero_when_the_total_before_it_ends_in_zero(total, expected):
    state = table("ono_99 2", "3 3", edition="1980", ono_99_on_zero=True, total=total)
    assert code(state, put(state, "ono_99")) == expected


def test_6_on_zero_it_adds_nothing_and_the_turn_goes_on():
    state = play(table("ono_99 2", "3 3", edition="1980", ono_99_on_zero=True, total=40), "ono_99")
    assert (state.total, to_act(state)) == (40, (1, 1, False))


def test_6_on_zero_one_in_a_turn_and_a_forced_pair_is_one_turn():
    state = table("double_play 2", "ono_99 ono_99 3", "4 4", edition="1980", ono_99_on_zero=True)
    state = play(state, "double_play", "ono_99")
    assert to_act(state) == (1, 1, True)
    assert code(state, put(state, "ono_99")) == "ONO304"
    state = play(state, "3", "4")
    assert state.turn == 0


def test_6_on_zero_the_next_player_may_again():
    state = table("ono_99 2", "ono_99 3", edition="1980", ono_99_on_zero=True)
    assert play(state, "ono_99", "ono_99").turn == 0


def test_6_on_zero_as_second_card():
    state = table("double_play 2", "-10 ono_99 3", "4 4", edition="1980", ono_99_on_zero=True, total=40)
    assert to_act(play(state, "double_play", "-10", "ono_99")) == (2, 1, False)


def test_6_on_zero_who_can_play_it_must():
    state = table("ono_99 9", "3 3", edition="1980", ono_99_on_zero=True, total=90, max_total=95)
    assert legal_plays(state) == ("ono_99",)
    assert code(state, fall(state)) == "ONO401"


def test_6_on_zero_it_may_not_take_the_place_of_the_limit():
    # let stand above the limit, the total ends in zero: it adds nothing, but the limit is the limit
    state = table("ono_99 9", "3 3", edition="1980", ono_99_on_zero=True, total=100)
    assert code(state, put(state, "ono_99")) == "ONO303"


def test_6_four_in_hand_with_unknown_cards_may_be_it():
    state = table("? ono_99 ? ?", "2 2")
    assert code(state, DiscardFour(9, 0)) is None
    assert code(table("? ono_99 2 ?", "2 2"), DiscardFour(9, 0)) == "ONO313"


def test_6_unknown_ones_can_not_be_more_than_the_deck_has():
    state = table("? ? ? ?", "ono_99 ono_99", deck={"ono_99": 5, "2": 20})
    assert code(state, DiscardFour(9, 0)) == "ONO310"
