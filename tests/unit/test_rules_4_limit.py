"""schemas/RULES.md section 4: the limit, who is eliminated and who wins the round."""

import pytest

from ono_replay.rules.state import Phase
from ono_replay.rules.transition import advance, apply
from tests.unit.rules_table import code, end_round, fall, left, out, play, put, table, to_act


@pytest.mark.parametrize(
    ("total", "card", "expected"),
    [(95, "3", None), (95, "4", "ONO303"), (88, "10", None), (89, "10", "ONO303")],
)
def test_4_the_highest_legal_total_is_98(total, card, expected):
    state = table(f"{card} 0", "1 1", total=total)
    assert code(state, put(state, card)) == expected


ALWAYS = [
    ("2022", "0"),
    ("2022", "-10"),
    ("2022", "reverse"),
    ("2022", "play_2"),
    ("1980", "hold"),
    ("1980", "double_play"),
]


@pytest.mark.parametrize(("edition", "card"), ALWAYS)
@pytest.mark.parametrize("total", [98, 104])
def test_4_some_cards_never_meet_the_limit(edition, card, total):
    # 104: a play that was let stand has taken the total above it
    state = table(f"{card} 2", "2 2", edition=edition, total=total)
    assert code(state, put(state, card)) is None
    assert code(state, fall(state)) == "ONO401"


def test_4_above_the_limit_a_number_card_stays_over_it():
    state = table("2 3", "4 4", total=104)
    assert code(state, put(state, "2")) == "ONO303"


def test_4_who_can_play_nothing_lays_the_hand_down():
    # total 95, 0 holds 4 and 10
    state = table("4 10", "1 1", "2 2", total=95)
    assert code(state, put(state, "4")) == "ONO303"
    state = out(state, shown=("10", "4"))
    assert (state.out, state.hands[0], state.total, state.discard_pile) == ((0,), ("4", "10"), 95, 0)
    assert to_act(state) == (1, 1, False)


@pytest.mark.parametrize("shown", [("4",), ("4", "9"), ("4", "10", "10"), ()])
def test_4_the_laid_down_hand_is_the_hand(shown):
    state = table("4 10", "1 1", "2 2", total=95)
    assert code(state, fall(state, shown=shown)) == "ONO402"


def test_4_only_the_player_to_act_can_have_no_play():
    state = table("4 10", "9 9", "2 2", total=95)
    assert code(state, fall(state, 1)) == "ONO301"


@pytest.mark.parametrize("reason", ["no_legal_play", "left", "timeout"])
def test_4_who_is_out_is_out(reason):
    state = table("1 1", "9 9", "2 2", total=95, out=[1])
    assert code(state, fall(state, 1, reason=reason)) == "ONO307"
    assert code(state, put(state, "9", seat=1)) == "ONO307"


def test_4_elimination_of_the_player_to_act_clears_what_is_owed():
    # 0 plays play_2; 1 owes two, can't play and falls; 2 plays one card
    state = play(table("play_2 1", "9 9", "2 2", total=95), "play_2")
    assert to_act(state) == (1, 2, False)
    assert to_act(out(state)) == (2, 1, False)


def test_4_at_the_second_card_too():
    state = play(table("play_2 1", "1 9", "2 2", total=95), "play_2", "1", drawn="9")
    assert to_act(state) == (1, 1, True)
    assert to_act(out(state)) == (2, 1, False)


@pytest.mark.parametrize("reason", ["left", "timeout"])
def test_4_someone_else_leaving_changes_neither_turn_nor_debt(reason):
    state = play(table("play_2 1", "9 9", "2 2", total=95), "play_2")
    gone = out(state, 2, reason=reason)
    assert to_act(gone) == (1, 2, False)
    assert gone.out == (2,)


@pytest.mark.parametrize("reason", ["left", "timeout"])
def test_4_the_player_to_act_leaving_hands_on_the_turn(reason):
    state = play(table("play_2 1", "1 9", "2 2", total=50), "play_2")
    assert to_act(out(state, 1, reason=reason)) == (2, 1, False)


def test_4_leavers_are_not_checked_for_legal_plays():
    assert code(table("1 1", "2 2"), fall(table("1 1", "2 2"), 0, reason="left", shown=("1", "1"))) is None
    assert (
        code(table("1 1", "2 2"), fall(table("1 1", "2 2"), 0, reason="left", shown=("1", "2"))) == "ONO402"
    )


def test_4_the_last_player_left_wins():
    state = out(table("9 9", "10 10", total=95))
    # 1 could not have played either
    assert (state.phase, state.winner, state.turn, state.plays_due) == (Phase.ROUND_OVER, 1, None, 0)
    assert end_round(state).match.winners == (1,)


def test_4_also_when_the_others_left():
    state = left(left(table("1 1", "2 2", "3 3"), 2), 0)
    assert (state.phase, state.winner, state.out) == (Phase.ROUND_OVER, 1, (2, 0))


def test_4_play_does_not_go_on_after_that():
    state = out(table("9 9", "10 1", total=95))
    assert code(state, put(state, "1", seat=1)) == "ONO405"
    assert code(state, fall(state, 1, reason="left")) == "ONO405"


def test_4_turn_order_comes_before_the_card():
    state = table("4 10", "9 9", "2 2", total=95)
    assert code(state, put(state, "10", seat=1)) == "ONO301"
    assert code(state, put(state, "10")) == "ONO303"
    assert code(state, put(state, "8")) == "ONO302"


@pytest.mark.parametrize("total", [94, 96, -95, 0])
def test_4_the_announced_total_is_checked_last(total):
    state = table("4 10", "9 9", total=91)
    assert code(state, put(state, "4", total=total)) == "ONO306"
    assert advance(state, put(state, "4", total=total)).total == total


def test_4_a_card_that_is_not_held_is_not_played():
    state = table("4 10", "9 9", total=9)
    assert code(state, put(state, "9")) == "ONO302"
    assert code(state, put(state, "hold")) == "ONO311"


def test_4_apply_changes_nothing_of_the_state_before():
    state = table("4 10", "9 9", "7 8", total=9)
    before = repr(state)
    apply(state, put(state, "4"))
    out(state, 2, reason="left")
    assert repr(state) == before
