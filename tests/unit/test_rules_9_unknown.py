"""schemas/RULES.md section 9: what a table does not know, and what can be checked all the same."""

import pytest

from ono_replay.check.unverified import unverified
from ono_replay.rules.events import Deal, DiscardFour, Draw, Reshuffle, RoundStart
from ono_replay.rules.playable import legal_plays
from ono_replay.rules.state import first_state
from ono_replay.rules.transition import apply
from tests.unit.rules_table import (
    code,
    dealt,
    draw,
    fall,
    hand,
    out,
    play,
    put,
    right_end,
    rules,
    table,
    to_act,
)

HIDDEN_HANDS = ("? ? ? ?", "? ? ? ?")


def test_9_turn_order_and_arithmetic_are_checked():
    state = dealt(*HIDDEN_HANDS)
    assert code(state, put(state, "7")) is None
    assert code(state, put(state, "7", seat=1)) == "ONO301"
    assert code(state, put(state, "7", total=8)) == "ONO306"
    high = table(*HIDDEN_HANDS, total=95)
    assert code(high, put(high, "7")) == "ONO303"
    assert code(high, put(high, "ono_99")) == "ONO304"
    assert code(high, put(high, "hold")) == "ONO311"


def test_9_so_are_obligations():
    state = play(table("? ?", "? ?", "? ?", edition="1980"), "double_play")
    assert to_act(state) == (1, 2, False)
    assert code(state, put(state, "double_play")) == "ONO305"


def test_9_a_played_card_was_one_of_the_unknown():
    state = apply(dealt(*HIDDEN_HANDS), put(dealt(*HIDDEN_HANDS), "7"))
    assert state.hands[0] == ("?", "?", "?")
    assert state.copies_in_sight("7") == 1
    assert draw(state).hands[0] == ("?",) * 4


def test_9_a_known_card_is_taken_first():
    state = play(table("7 ?", "2 2"), "7", drawn="9")
    assert state.hands[0] == ("9", "?")


def test_9_no_more_copies_than_the_deck_has():
    # three 7s in a 1980 deck: two are on the discard pile, one in a hand
    state = table("? ?", "7 ?", edition="1980", discard_pile=("7", "7"))
    assert code(state, put(state, "7")) == "ONO310"
    state = play(state, "2", drawn="?")
    assert code(state, put(state, "7")) is None  # that very one


@pytest.mark.parametrize("card", ["7", "?"])
def test_9_cards_in_a_draw_pile_are_not_in_sight(card):
    state = table("7 2", "7 3", edition="1980", discard_pile=("7",))
    state = apply(state, put(state, "2"))
    assert code(state, Draw(9, 0, card)) == ("ONO310" if card == "7" else None)


def test_9_a_reshuffle_puts_cards_out_of_sight():
    state = table("? 2", "7 3", edition="1980", discard_pile=("7", "7"), draw_pile=0)
    state = apply(state, put(state, "2"))
    state = apply(state, Reshuffle(9, 3))
    assert state.copies_in_sight("7") == 1
    assert code(state, Draw(9, 0, "7")) is None


def test_9_laid_down_hands_stay_in_sight():
    state = out(table("7 7 ?", "? ?", "? ?", edition="1980", match="single", total=97), shown=("7", "7", "7"))
    assert state.copies_in_sight("7") == 3
    assert state.hands[0] == ("7", "7", "7")
    low = table("?", "?", "?", edition="1980")
    assert code(low, put(low, "7")) is None
    assert code(state, fall(state, shown=("7", "?"))) == "ONO310"


def test_9_a_laid_down_hand_that_could_have_been_played():
    state = table("? ? ? ?", "? ?", "? ?", total=95)
    assert code(state, fall(state, shown=hand("9 9 9 3"))) == "ONO401"
    assert code(state, fall(state, shown=hand("9 9 9 4"))) is None
    assert code(state, fall(state, shown=hand("ono_99 ono_99 ono_99 ono_99"))) == "ONO401"  # four
    assert code(state, fall(state, shown=("9", "?"))) == "ONO402"
    assert code(state, fall(state)) is None


def test_9_a_hand_partly_known():
    state = table("9 0 ?", "? ?", total=95)
    assert code(state, fall(state)) == "ONO401"
    assert legal_plays(state) == ("0",)


def test_9_a_laid_down_hand_takes_the_place_of_what_was_unknown():
    state = out(table("9 ? ?", "? ?", "? ?", total=95), shown=hand("8 9 10"))
    assert state.hands[0] == hand("8 9 10")
    partly = out(table("9 ? ?", "? ?", "? ?", total=95), shown=hand("8 ? ?"))
    assert partly.hands[0] == hand("8 9 ?")


# --- what could not be verified is counted (schemas/SPECIFICATION.md section 13) -------------------------------------


def test_9_a_card_from_an_unknown_hand():
    state = table("7 ?", "? ?")
    assert unverified(state, put(state, "7")) == 0
    assert unverified(state, put(state, "9")) == 1


def test_9_an_opening_card_that_is_no_number():
    state = dealt("? 7 ? ?", "? ? ? ?", opening_card="number")
    assert unverified(state, put(state, "9")) == 1  # the card alone
    known = dealt("reverse -10 ono_99 ?", "? ? ? ?", opening_card="number")
    assert unverified(known, put(known, "reverse")) == 1  # whether the unknown one is a number
    hidden = dealt("? ? ono_99 ?", "? ? ? ?", opening_card="number")
    assert unverified(hidden, put(hidden, "reverse")) == 2
    last = dealt("? -10 ono_99 ono_99", "? ? ? ?", opening_card="number")
    assert unverified(last, put(last, "reverse")) == 1  # the only unknown card was the reverse


def test_9_four_ono_99_of_unknown_cards():
    assert unverified(table("ono_99 ono_99 ono_99 ?", "? ?"), DiscardFour(9, 0)) == 1
    assert unverified(table("ono_99 ono_99 ono_99 ono_99", "? ?"), DiscardFour(9, 0)) == 0


@pytest.mark.parametrize(
    ("held", "shown", "count"),
    [
        ("9 9", None, 0),
        ("9 ?", None, 1),  # whether the unknown card could be played
        ("9 ?", "9 8", 1),  # the laid-down hand can't be compared
        ("9 ?", "9 ?", 2),  # both
        ("9 9", "9 ?", 1),  # can't be compared, though nothing in hand is unknown
        ("9 9", "9 9", 0),
    ],
)
def test_9_an_elimination(held, shown, count):
    state = table(held, "? ?", total=95)
    event = fall(state, shown=shown and hand(shown))
    assert (code(state, event), unverified(state, event)) == (None, count)


@pytest.mark.parametrize(("held", "shown", "count"), [("9 ?", None, 0), ("9 ?", "9 8", 1), ("9 9", "9 9", 0)])
def test_9_someone_who_leaves_is_not_checked_for_plays(held, shown, count):
    state = table(held, "? ?", total=95)
    assert unverified(state, fall(state, reason="left", shown=shown and hand(shown))) == count


@pytest.mark.parametrize(
    ("held", "card", "shown", "count"),
    [
        ("9 8", "9", None, 0),
        ("9 ?", "9", None, 1),  # the hand that is left
        ("? 8", "9", None, 1),  # the bust card
        ("? ?", "9", None, 2),
        ("? ?", "9", "8", 2),  # the bust card; the comparison
    ],
)
def test_9_a_bust_card(held, card, shown, count):
    state = table(held, "? ?", total=95, edition="1980", match="points_low_score", points_target=50)
    event = fall(state, card=card, shown=shown and hand(shown))
    assert (code(state, event), unverified(state, event)) == (None, count)


def test_9_cards_of_a_recorded_deck_that_are_hidden():
    deck = hand("1 2 3 4 5 6 7 8 9 10")
    state = first_state(rules(deck=dict.fromkeys(deck, 1)), 2)
    state = apply(state, RoundStart(1, 1, None, 0, deck=deck))
    hidden = Deal(2, 0, ("1", "2", "3", "?"))
    assert (code(state, hidden), unverified(state, hidden)) == (None, 1)
    state = apply(apply(state, Deal(2, 0, ("1", "2", "3", "4"))), Deal(3, 1, ("5", "6", "7", "8")))
    state = apply(state, put(state, "1"))
    assert unverified(state, Draw(5, 0, "?")) == 1
    assert unverified(state, Draw(5, 0, "9")) == 0
    assert code(state, Draw(5, 0, "10")) == "ONO318"


def test_9_points_of_unknown_hands():
    state = out(
        table("9 9", "? 2", total=95, edition="1980", match="points_low_score", points_target=500), card="9"
    )
    assert unverified(state, right_end(state)) == 2  # the loser drew an unknown card


def test_9_a_round_end_that_rests_on_last_to_play():
    state = table("10 9", "? 9", "9 9", total=88, edition="1980", match="single", nobody_can_play="last_to_play",
                  deck={"9": 20, "10": 9, "8": 9, "0": 1})  # fmt: skip
    state = play(state, "10", drawn="9")
    assert unverified(state, right_end(state)) == 1
