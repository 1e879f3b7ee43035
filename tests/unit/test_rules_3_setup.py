"""schemas/RULES.md section 3: seats, the deal, whose turn it is, drawing and the end of the draw pile."""

import pytest

from ono_replay.rules.events import Deal, Draw, ForfeitDraw, Reshuffle, RoundStart
from ono_replay.rules.ruleset import BadRuleset, check_player_count
from ono_replay.rules.state import Phase, first_state
from ono_replay.rules.transition import apply
from tests.unit.rules_table import (
    code,
    dealt,
    draw,
    fall,
    forfeit,
    hand,
    left,
    play,
    put,
    rules,
    table,
    to_act,
)


@pytest.mark.parametrize(("edition", "least", "most"), [("1980", 2, 8), ("2022", 2, 6)])
def test_3_how_many_play(edition, least, most):
    for players in (least, most):
        check_player_count(rules(edition), players)
    for players in (least - 1, most + 1):
        with pytest.raises(BadRuleset):
            check_player_count(rules(edition), players)


def test_3_a_round_begins():
    # {"type":"round_start","round":1,"dealer":1,"starter":0}, then four cards for each
    state = apply(first_state(rules(), 2), RoundStart(1, 1, 1, 0))
    assert (state.phase, state.turn, state.plays_due, state.draw_pile) == (Phase.DEALING, None, 0, 112)
    state = apply(state, Deal(2, 0, hand("7 ono_99 reverse 0")))
    assert (state.phase, state.turn, state.hands[1], state.draw_pile) == (Phase.DEALING, None, (), 108)
    state = apply(state, Deal(3, 1, hand("10 -10 play_2 4")))
    assert to_act(state) == (0, 1, False)
    assert (state.total, state.direction, state.draw_pile, state.discard_pile) == (0, 1, 104, 0)
    assert state.hands[1] == hand("4 10 -10 play_2")


def test_3_deals_come_in_any_order_of_seats():
    state = apply(first_state(rules(), 3), RoundStart(1, 1, None, 1))
    for seat in (2, 0, 1):
        state = apply(state, Deal(2, seat, hand("1 2 3 4")))
    assert to_act(state) == (1, 1, False)


@pytest.mark.parametrize(
    ("seat", "cards", "expected"),
    [
        (0, "1 2 3 4", "ONO207"),  # a second time
        (1, "1 2 3", "ONO207"),  # three cards
        (1, "1 2 3 4 5", "ONO207"),
        (1, "1 2 3 hold", "ONO311"),  # not of this edition
        (1, "1 2 3 ?", None),
    ],
)
def test_3_a_deal_is_four_cards_of_the_deck_once(seat, cards, expected):
    state = apply(first_state(rules(), 2), RoundStart(1, 1, None, 0))
    state = apply(state, Deal(2, 0, hand("1 2 3 4")))
    assert code(state, Deal(3, seat, hand(cards))) == expected


def test_3_nobody_acts_before_all_are_dealt():
    state = apply(apply(first_state(rules(), 2), RoundStart(1, 1, None, 0)), Deal(2, 0, hand("1 2 3 4")))
    assert code(state, put(state, "1", seat=0)) == "ONO207"
    assert code(state, Draw(3, 0, "1")) == "ONO207"
    assert code(state, Reshuffle(3, 0)) == "ONO207"
    assert code(state, fall(state, 0)) == "ONO207"
    assert code(state, fall(state, 0, reason="left")) == "ONO204"
    assert code(state, fall(state, 0, reason="timeout")) == "ONO204"


@pytest.mark.parametrize(("dealer", "starter"), [(0, 1), (1, 2), (2, 0)])
def test_3_the_player_to_the_dealers_left_starts(dealer, starter):
    state = first_state(rules(), 3)
    for seat in range(3):
        assert code(state, RoundStart(1, 1, dealer, seat)) == (None if seat == starter else "ONO319")
        assert code(state, RoundStart(1, 1, None, seat)) is None  # no dealer is named


def test_3_play_then_draw_then_the_next_player():
    state = dealt("7 1 2 3", "4 4 5 5", "6 6 8 8")
    state = apply(state, put(state, "7"))
    assert (state.total, state.draws_due, state.turn, state.discard_pile) == (7, 1, 1, 1)
    assert state.hands[0] == hand("1 2 3")
    state = apply(state, Draw(9, 0, "9"))
    assert (state.draws_due, state.turn, state.hands[0]) == (0, 1, hand("1 2 3 9"))
    assert state.draw_pile == 112 - 12 - 1


def test_3_the_turn_goes_round_to_those_who_are_still_in():
    state = play(table("1 1", "2 2", "3 3", "4 4", out=[1]), "1")
    assert state.turn == 2
    assert play(state, "3", "4").turn == 0
    assert play(table("1 1", "2 2", "3 3", "4 4", out=[3], direction=-1), "1").turn == 2


def test_3_one_card_is_drawn_for_each_card_played_and_a_short_hand_stays_short():
    state = play(table("1 1", "2 2"), "1")
    assert len(state.hands[0]) == 2


def test_3_a_play_is_mandatory_if_any_can_be_made():
    assert code(table("1 10", "2 2", total=95), fall(table("1 10", "2 2", total=95))) == "ONO401"


def test_3_drawing_is_due_before_the_next_card():
    state = table("7 1", "4 4")
    state = apply(state, put(state, "7"))
    assert code(state, put(state, "4", seat=1)) == "ONO308"
    assert code(state, fall(state, 1)) == "ONO308"
    assert code(state, fall(state, 1, reason="left")) == "ONO308"
    assert code(state, Draw(9, 1, "4")) == "ONO309"  # another seat
    assert code(draw(state), Draw(9, 0, "4")) == "ONO309"  # nothing due any more


# --- the draw pile is empty -------------------------------------------------------------------------


def test_3_the_discard_pile_is_shuffled_with_the_card_just_played():
    # pile: [9, 8], 0 plays 7: three cards come back
    state = table("7 1", "4 4", draw_pile=0, discard_pile=("9", "8"), total=40)
    state = apply(state, put(state, "7"))
    assert code(state, Draw(9, 0, "9")) == "ONO315"
    assert code(state, Reshuffle(9, 2)) == "ONO314"
    state = apply(state, Reshuffle(9, 3, ("9", "7", "8")))
    assert (state.draw_pile, state.discard_pile, state.discards, state.total) == (3, 0, (), 47)
    assert code(state, Draw(9, 0, "8")) == "ONO318"
    assert apply(state, Draw(9, 0, "9")).draw_pile == 2


@pytest.mark.parametrize(
    ("deck", "fault"), [("9 7 8", None), ("9 8 8", "ONO314"), ("9 7", "ONO314"), ("9 ? 8", None)]
)
def test_3_the_new_draw_pile_has_the_cards_of_the_discard_pile(deck, fault):
    state = table("7 1", "4 4", draw_pile=0, discard_pile=("9", "8"))
    state = apply(state, put(state, "7"))
    assert code(state, Reshuffle(9, 3, tuple(deck.split()))) == fault


def test_3_of_an_unknown_discard_pile_the_new_one_may_have_any_cards():
    state = table("7 1", "4 4", draw_pile=0, discard_pile=2)
    state = apply(state, put(state, "7"))
    assert code(state, Reshuffle(9, 3, ("2", "7", "2"))) is None
    assert code(state, Reshuffle(9, 3, ("2", "3", "2"))) == "ONO314"  # the 7 is not there


def test_3_a_reshuffle_has_its_moment():
    state = table("7 1", "4 4", draw_pile=1, discard_pile=2)
    assert code(state, Reshuffle(9, 2)) == "ONO314"  # nothing due
    state = apply(state, put(state, "7"))
    assert code(state, Reshuffle(9, 3)) == "ONO314"  # the pile is not empty


def test_3_cards_laid_down_stay_out_of_circulation():
    state = table("7 1", "10 9", "4 4", total=90, draw_pile=0, discard_pile=0)
    state = play(state, "7")
    state = apply(state, fall(state))  # 1 lays 10 and 9 down
    assert (state.draw_pile, state.discard_pile, state.hands[1]) == (0, 0, hand("9 10"))


def test_3_with_nothing_to_shuffle_no_card_is_drawn():
    # the pile is empty, the only card on the discard pile stays on top
    state = table("7 1", "4 4", draw_pile=0, discard_pile=0, reshuffle_keep_top=True)
    state = apply(state, put(state, "7"))
    assert (state.draws_due, state.turn, state.hands[0]) == (0, 1, ("1",))
    assert code(state, put(state, "4")) is None
    assert code(state, Draw(9, 0, "7")) == "ONO309"
    assert code(state, Reshuffle(9, 0)) == "ONO314"


def test_3_a_draw_can_need_a_reshuffle_of_the_very_card():
    state = table("7 1", "4 4", draw_pile=0, discard_pile=0)
    state = apply(state, put(state, "7"))
    assert state.draws_due == 1
    state = apply(apply(state, Reshuffle(9, 1)), Draw(9, 0, "7"))
    assert (state.hands[0], state.draw_pile, state.discard_pile) == (("1", "7"), 0, 0)


# --- missed draws -----------------------------------------------------------------------------------


def test_3_a_forfeited_draw_leaves_the_hand_short():
    state = table("7 1", "4 4", edition="1980", deck={"1": 9, "7": 9, "4": 9})
    state = apply(state, put(state, "7"))
    state = forfeit(state)
    assert (state.hands[0], state.draws_due, state.forfeits, state.draw_pile) == (("1",), 0, (1, 0), 23)
    assert play(state, "4").turn == 0


def test_3_only_where_the_ruleset_has_it():
    for edition, expected in (("1980", None), ("2022", "ONO312")):
        state = table("7 2", "4 4", edition=edition)
        state = apply(state, put(state, "7"))
        assert code(state, ForfeitDraw(9, 0)) == expected
        assert code(state, ForfeitDraw(9, 1)) == "ONO309"
        assert code(draw(state), ForfeitDraw(9, 0)) == "ONO309"


def test_3_who_must_play_with_an_empty_hand_is_eliminated():
    state = table("", "4 4", "5 5")
    assert code(state, fall(state)) is None
    state = apply(state, fall(state))
    assert to_act(state) == (1, 1, False)


def test_3_leaving_is_no_draw():
    state = left(table("7 1", "4 4", "5 5"), 2)
    assert (state.turn, state.draws_due, state.hands[2]) == (0, 0, ("5", "5"))
