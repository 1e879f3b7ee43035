"""schemas/RULES.md section 2: the decks of both editions and what each card does."""

import pytest

from ono_replay.rules.cards import (
    EFFECTS,
    TOKENS,
    add_card,
    copies_of,
    count_copies,
    merge_hand,
    remove_card,
)
from ono_replay.rules.ruleset import EDITIONS
from tests.unit.rules_table import hand, play, rules, table

DECKS = [
    # token, copies in 1980, copies in 2022, added to the total
    ("0", 0, 8, 0),
    ("1", 0, 6, 1),
    ("2", 3, 6, 2),
    ("3", 3, 6, 3),
    ("4", 3, 6, 4),
    ("5", 3, 6, 5),
    ("6", 3, 6, 6),
    ("7", 3, 6, 7),
    ("8", 3, 6, 8),
    ("9", 3, 6, 9),
    ("10", 10, 10, 10),
    ("-10", 4, 10, -10),
    ("reverse", 6, 10, 0),
    ("hold", 4, 0, 0),
    ("double_play", 2, 0, 0),
    ("play_2", 0, 10, 0),
    ("ono_99", 4, 10, 0),
]


def test_2_tokens_in_their_order():
    assert tuple(token for token, *_ in DECKS) == TOKENS


@pytest.mark.parametrize(("token", "in_1980", "in_2022", "value"), DECKS)
def test_2_copies_and_values(token, in_1980, in_2022, value):
    assert EDITIONS["1980"].deck.get(token, 0) == in_1980
    assert EDITIONS["2022"].deck.get(token, 0) == in_2022
    assert EFFECTS[token].value == value


def test_2_size_of_the_decks():
    assert (EDITIONS["1980"].deck_size, EDITIONS["2022"].deck_size) == (54, 112)


@pytest.mark.parametrize(
    ("edition", "before", "after"),
    [
        ("1980", 4, -6),
        ("1980", 40, 30),
        ("1980", -10, -20),
        ("2022", 4, 0),
        ("2022", 10, 0),
        ("2022", 40, 30),
    ],
)
def test_2_minus_ten(edition, before, after):
    assert play(table("-10 7", "2 3", edition=edition, total=before), "-10").total == after


def test_2_a_number_card_adds_its_face():
    assert play(table("7 7", "0 10"), "7", "10", "7", "0").total == 24


def test_2_reverse_flips_the_direction():
    # three at the table: 0 plays reverse, then it goes the other way round
    state = play(table("reverse 2", "3 3", "4 4"), "reverse")
    assert (state.direction, state.turn, state.total) == (-1, 2, 0)


def test_2_reverse_is_a_plain_zero_with_two_players_left():
    state = play(table("reverse 2", "3 3"), "reverse")
    assert (state.direction, state.turn, state.total) == (1, 1, 0)
    three = table("reverse 2", "3 3", "4 4", out=[1])
    assert (play(three, "reverse").direction, play(three, "reverse").turn) == (1, 2)


def test_2_hold_does_nothing():
    state = play(table("hold 2", "3 3", "4 4", edition="1980", total=50), "hold")
    assert (state.total, state.turn, state.plays_due) == (50, 1, 1)


@pytest.mark.parametrize(("edition", "card"), [("1980", "double_play"), ("2022", "play_2")])
def test_2_a_pair_card_makes_the_next_player_owe_two(edition, card):
    state = play(table(f"{card} 2", "3 3", "4 4", edition=edition, total=50), card)
    assert (state.total, state.turn, state.plays_due, state.second) == (50, 1, 2, False)


def test_2_the_editions_differ_in_data_only():
    in_data = {"edition", "minus_ten_floor", "four_ono_99", "missed_draw", "match", "players_max", "deck"}
    old, new = EDITIONS["1980"], EDITIONS["2022"]
    fields = old.__struct_fields__
    assert {name for name in fields if getattr(old, name) != getattr(new, name)} == in_data


# --- hands ------------------------------------------------------------------------------------------


def test_a_hand_is_sorted_unknown_cards_last():
    assert hand("? ono_99 -10 10 2 reverse") == ("2", "10", "-10", "reverse", "ono_99", "?")


@pytest.mark.parametrize(
    ("held", "card", "left"),
    [
        ("2 7 7", "7", "2 7"),
        ("2 7 ?", "9", "2 7"),  # it was the unknown one
        ("2 7 ?", "7", "2 ?"),  # the known one first
        ("2 7", "9", "2 7"),  # neither: nothing happens
    ],
)
def test_a_card_leaves_the_hand(held, card, left):
    assert remove_card(tuple(held.split()), card) == tuple(left.split())


def test_a_card_comes_to_the_hand_in_its_place():
    assert add_card(("2", "9", "?"), "-10") == ("2", "9", "-10", "?")
    assert add_card((), "?") == ("?",)


@pytest.mark.parametrize(
    ("held", "shown", "told"),
    [
        ("7 9", "7 9", "7 9"),
        ("7 ?", "7 9", "7 9"),
        ("? ?", "7 ?", "7 ?"),
        ("7 ?", "? 9", "7 9"),  # each tells the other's
        ("7 ?", "9 9", None),  # the 7 is missing
        ("7 9", "7 8", None),
        ("7 9", "7", None),
        ("7 7", "7 ?", "7 7"),
    ],
)
def test_a_hand_and_what_is_shown_of_it(held, shown, told):
    assert merge_hand(tuple(held.split()), tuple(shown.split())) == (told and tuple(told.split()))


def test_copies_are_counted_by_token_and_unknown_cards_not_at_all():
    counted = count_copies(hand("7 7 ono_99 ? ?"))
    assert [copies_of(counted, token) for token in ("7", "ono_99", "8")] == [2, 1, 0]


def test_a_house_deck_may_have_cards_of_both_editions():
    deck = {"7": 3, "play_2": 1, "double_play": 1, "hold": 2, "0": 4}
    ruleset = rules("1980", deck=deck)
    assert dict(ruleset.deck) == {"0": 4, "7": 3, "hold": 2, "double_play": 1, "play_2": 1}
    assert ruleset.deck_size == 11
