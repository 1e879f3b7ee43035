"""schemas/RULES.md section 8: the four kinds of match, bust cards, scores, chips, who starts and who wins."""

import pytest
from msgspec.structs import replace

from ono_replay.rules.events import Draw, ForfeitDraw, RoundStart
from ono_replay.rules.scoring import chips_after, hand_points, match_after, points_bounds
from ono_replay.rules.state import Phase, first_state
from ono_replay.rules.transition import apply
from tests.unit.rules_table import (
    code,
    deal,
    draw,
    end_round,
    fall,
    forfeit,
    game_end,
    hand,
    left,
    next_round,
    out,
    play,
    put,
    right_end,
    rules,
    table,
    to_act,
)

POINTS = {"edition": "1980", "match": "points_low_score", "points_target": 100}
LAST_STANDING = {"edition": "1980", "match": "points_last_standing", "points_target": 100}
CHIPS = {"edition": "1980", "match": "chips"}
MANY = {"2": 9, "3": 9, "ono_99": 9}
STUCK = "ono_99 ono_99"
"""A hand that can not play, and has no bust card: 40 points."""


# --- single -----------------------------------------------------------------------------------------


def test_8_single_is_one_round():
    state = end_round(out(table(STUCK, "2 2", edition="1980", match="single")))
    assert (state.phase, state.match.winners) == (Phase.MATCH_OVER, (1,))
    assert code(state, next_round(state, 0)) == "ONO405"
    assert code(state, game_end(1)) is None
    assert code(state, game_end(0)) == "ONO403"
    assert code(state, game_end(0, 1)) == "ONO403"
    assert code(state, game_end()) == "ONO403"


def test_8_single_has_neither_chips_nor_points():
    state = out(table(STUCK, "2 2", edition="1980", match="single"))
    assert code(state, replace(right_end(state), chips=(3, 2))) == "ONO406"
    assert code(state, replace(right_end(state), points=(65, 4))) == "ONO407"
    assert code(state, replace(right_end(state), scores=(65, 4))) == "ONO407"


# --- the end of a round -----------------------------------------------------------------------------


def test_8_round_end_names_winner_loser_and_round():
    state = out(table(STUCK, "2 2", edition="1980", match="single"))
    end = right_end(state)
    assert (end.winner, end.loser, end.round) == (1, 0, 1)
    assert code(state, replace(end, winner=0)) == "ONO403"
    assert code(state, replace(end, winner=None)) == "ONO403"
    assert code(state, replace(end, loser=1)) == "ONO408"
    assert code(state, replace(end, loser=None)) == "ONO408"
    assert code(state, replace(end, round=2)) == "ONO107"


def test_8_a_round_that_is_not_over_does_not_end():
    state = table("2 2", "3 3", "4 4", edition="1980", match="single")
    assert code(state, right_end(state)) == "ONO404"
    assert code(state, game_end(0)) == "ONO404"
    waiting = apply(state, put(state, "2"))
    assert code(waiting, right_end(waiting)) == "ONO308"
    assert code(waiting, game_end(0)) == "ONO308"
    one_out = left(state, 1)
    assert code(one_out, right_end(one_out)) == "ONO404"


def test_8_a_game_can_be_abandoned_at_any_point_and_has_no_winner():
    state = table("2 2", "3 3", edition="1980")
    for moment in (state, apply(state, put(state, "2")), left(state, 1), end_round(left(state, 0))):
        assert code(moment, game_end(reason="abandoned")) is None
        assert code(moment, game_end(1, reason="abandoned")) == "ONO403"
        ended = apply(moment, game_end(reason="abandoned"))
        assert (to_act(ended), ended.draws_due, ended.phase) == ((None, 0, False), 0, Phase.ENDED)
        assert code(ended, game_end(reason="abandoned")) == "ONO204"


def test_8_the_round_end_comes_before_the_game_end():
    state = out(table(STUCK, "2 2", edition="1980", match="single"))
    assert code(state, game_end(1)) == "ONO204"


# --- chips ------------------------------------------------------------------------------------------


def test_8_chips_a_round_ends_at_the_first_elimination_and_the_loser_pays():
    state = out(table(STUCK, "2 2", "3 3", **CHIPS))
    assert (state.phase, state.winner, state.turn) == (Phase.ROUND_OVER, None, None)  # several are left
    end = right_end(state)
    assert (end.winner, end.loser, end.chips) == (None, 0, (2, 3, 3))
    for wrong in ((3, 3, 3), (1, 3, 3), (2, 2, 3), (None, 3, 3), (2, 3)):
        assert code(state, replace(end, chips=wrong)) == "ONO406"
    assert code(state, replace(end, chips=None)) == "ONO106"


def test_8_chips_with_two_left_the_other_is_the_winner_of_the_round():
    state = out(table(STUCK, "2 2", **CHIPS))
    assert right_end(state).winner == 1


def test_8_chips_who_loses_without_one_is_out_of_the_match():
    state = out(table(STUCK, "2 2", "3 3", chips=(0, 3, 1), **CHIPS))
    assert chips_after(state) == (None, 3, 1)
    state = end_round(state)
    assert (state.match.gone, state.match.winners, state.phase) == ({0}, None, Phase.BEFORE_ROUND)
    state = apply(state, next_round(state, 1))
    assert state.hands == ((), (), ())
    state = deal(state, "", "2 2 2 3", "4 4 4 5")
    assert to_act(state) == (1, 1, False)
    assert play(state, "2").turn == 2
    assert play(state, "2", "4").turn == 1


def test_8_chips_the_last_in_the_match_wins():
    state = end_round(out(table(STUCK, "2 2", chips=(0, 1), **CHIPS)))
    assert (state.match.chips, state.match.winners) == ((None, 1), (1,))
    assert code(state, game_end(1)) is None
    assert code(state, next_round(state, 1)) == "ONO405"


def test_8_chips_three_lives_and_the_honour_round():
    # a player with 3 chips loses four rounds before being out
    state = table(STUCK, "2 2", "3 3", **CHIPS)
    seen = []
    for _ in range(4):
        state = end_round(out(state))
        seen.append(state.match.chips[0])
        if seen[-1] is not None:
            state = deal(apply(state, next_round(state, 0)), " ".join(["ono_99"] * 4), "2 2 2 3", "4 4 4 5")
    assert seen == [2, 1, 0, None]


def test_8_chips_a_leaver_is_out_of_the_match_whatever_is_left():
    state = end_round(left(table("2 2", "3 3", "4 4", **CHIPS), 1))
    assert (state.match.chips, state.match.gone) == ((3, None, 3), {1})


def test_8_chips_who_is_timed_out_pays_and_stays():
    state = end_round(out(table("2 2", "3 3", "4 4", **CHIPS), 1, reason="timeout"))
    assert (state.match.chips, state.match.gone) == ((3, 2, 3), frozenset())


def test_8_chips_a_leaver_of_two_ends_the_match():
    state = end_round(left(table("2 2", "3 3", **CHIPS), 1))
    assert (state.match.winners, state.match.chips) == ((0,), (3, None))


def test_8_chips_no_bust_card_belongs_here():
    state = table("9 ono_99", "2 2", total=95, **CHIPS)
    assert code(state, fall(state, card="9")) == "ONO409"


# --- the bust card ----------------------------------------------------------------------------------


def test_8_bust_card_goes_to_the_discard_pile_and_the_total_comes_back():
    # total 95, 0 holds 9 and ono_99: eliminate with card 9, then the draw
    state = table("9 ono_99", "2 2", "3 3", total=95, **POINTS)
    assert code(state, fall(state)) == "ONO409"  # the hand has one
    state = apply(state, fall(state, card="9"))
    assert (state.total, state.discards, state.hands[0], state.out) == (95, ("9",), ("ono_99",), (0,))
    assert (state.draws_due, state.drawer, to_act(state)) == (1, 0, (1, 1, False))
    assert code(state, put(state, "2", seat=1)) == "ONO308"
    state = apply(state, Draw(9, 0, "4"))
    assert (state.hands[0], state.draws_due) == (hand("4 ono_99"), 0)


def test_8_bust_draw_is_never_forfeited():
    state = table("9 ono_99", "2 2", "3 3", total=95, **POINTS)
    state = apply(state, fall(state, card="9"))
    assert code(state, ForfeitDraw(9, 0)) == "ONO312"


@pytest.mark.parametrize(
    ("held", "card"),
    [
        ("9 ono_99", "ono_99"),  # not played, so it takes the total nowhere
        ("9 ono_99", "10"),  # not in hand
        ("9 double_play", "double_play"),  # barred, but not over the limit
    ],
)
def test_8_bust_card_takes_the_total_over_the_limit(held, card):
    state = table(held, "4 4", "5 5", total=95, plays_due=2, **POINTS)
    assert code(state, fall(state, card=card)) == "ONO409"
    assert code(state, fall(state, card="9")) is None


@pytest.mark.parametrize("held", ["ono_99 ono_99", "double_play ono_99", ""])
def test_8_bust_card_without_one_the_player_falls_without_playing(held):
    state = table(held, "4 4", "5 5", plays_due=2, total=95, **POINTS)
    assert code(state, fall(state)) is None
    assert draw(apply(state, fall(state))).draws_due == 0


def test_8_bust_card_any_of_the_hand():
    state = table("9 10 8", "2 2", "3 3", total=95, **POINTS)
    for card in ("8", "9", "10"):
        assert code(state, fall(state, card=card)) is None


def test_8_bust_card_the_hand_laid_down_is_without_it():
    state = table("9 10", "2 2", "3 3", total=95, **POINTS)
    assert code(state, fall(state, card="9", shown=("10",))) is None
    assert code(state, fall(state, card="9", shown=("9", "10"))) == "ONO402"


def test_8_bust_draw_comes_before_the_round_end():
    state = table("9 ono_99", "2 2", total=95, **POINTS)
    state = apply(state, fall(state, card="9"))
    assert (state.phase, state.draws_due) == (Phase.ROUND_OVER, 1)
    assert code(state, right_end(state)) == "ONO308"
    state = draw(state, "4")
    # the drawn card counts: ono_99 20 + 4 + 25 for falling
    assert right_end(state).points == (49, 4)


def test_8_bust_card_leavers_have_none():
    state = table("9 ono_99", "2 2", "3 3", total=95, **POINTS)
    assert code(state, fall(state, reason="left", card="9")) == "ONO409"


def test_8_points_a_round_goes_on_until_one_is_left():
    state = out(table(STUCK, STUCK, "2 2", **POINTS))
    assert (state.phase, to_act(state)) == (Phase.PLAYING, (1, 1, False))
    assert out(state).phase is Phase.ROUND_OVER


# --- scores -----------------------------------------------------------------------------------------

WORKED = [
    # hand, forfeited draws, eliminated, points
    ("ono_99 double_play 4 5", 0, False, 44),
    ("ono_99 double_play 4 5", 0, True, 69),
    ("ono_99 ono_99 ono_99 ono_99", 0, True, 105),
    ("7 hold 10", 1, False, 47),
    ("-10 reverse 10 9", 0, False, 49),
    ("10 10 10 10", 0, True, 65),
    ("3", 3, True, 73),
    ("0 play_2", 0, False, 15),  # a 2022 deck: 0 and 15
    ("", 0, False, 0),
]


@pytest.mark.parametrize(("held", "forfeits", "eliminated", "points"), WORKED)
def test_8_worked_scores(held, forfeits, eliminated, points):
    edition = "2022" if "play_2" in held else "1980"
    state = table(held, "2 2", "3 3", **(POINTS | {"edition": edition}))
    state = replace(state, forfeits=(forfeits, 0, 0))
    if eliminated:
        state = left(state, 0)
    assert points_bounds(state)[0] == (points, points)


def test_8_forfeited_draws_are_counted_as_they_happen():
    state = table("2 3 4", "5 5", "6 6", **POINTS)
    state = forfeit(apply(state, put(state, "2")))
    state = play(state, "5", "6")
    state = forfeit(apply(state, put(state, "3")))
    assert state.forfeits == (2, 0, 0)
    assert points_bounds(state)[0] == (34, 34)


@pytest.mark.parametrize(
    ("cards", "points"), [("10", 10), ("1", 1), ("0", 0), ("ono_99", 20), ("hold", 15), ("-10", 15), ("?", 0)]
)
def test_8_points_of_a_card(cards, points):
    assert hand_points(hand(cards)) == points


def test_8_every_player_scores_what_is_left_in_hand():
    state = out(out(table("ono_99 ono_99", "ono_99", "7 hold", scores=(10, 20, 30), **POINTS)))
    end = right_end(state)
    assert (end.points, end.scores) == ((65, 45, 22), (75, 65, 52))
    assert code(state, end) is None
    for changed in (
        {"points": (64, 45, 22)}, {"scores": (74, 65, 52)}, {"points": (None, 45, 22)}, {"scores": (None, 65, 52)},
        {"points": (64, 45, 22), "scores": (74, 65, 52)},
    ):  # fmt: skip
        assert code(state, replace(end, **changed)) == "ONO407"
    for key in ("points", "scores"):
        assert code(state, replace(end, **{key: None})) == "ONO106"


def test_8_an_unknown_hand_bounds_the_points():
    state = out(table("ono_99 ono_99", "? 7", **POINTS))
    assert points_bounds(state) == ((65, 65), (7, 27))
    end = right_end(state)
    for points, expected in ((7, None), (27, None), (6, "ONO407"), (28, "ONO407")):
        assert code(state, replace(end, points=(65, points), scores=(65, points))) == expected
    assert code(state, replace(end, points=(65, 10), scores=(65, 11))) == "ONO407"


# --- who wins a points match ------------------------------------------------------------------------


def points_match(kind, scores, *, round_points, gone_in_round=()):
    """The state after a round in which seats score `round_points`: seat 0 always falls first."""
    hands = [STUCK if seat == 0 else "2 2" for seat in range(len(scores))]
    options = LAST_STANDING if kind == "last_standing" else POINTS
    state = table(
        *hands, scores=tuple(scores), draw_pile=0, discard_pile=0, deck={"ono_99": 9, "2": 20}, **options
    )
    for seat in gone_in_round:
        state = left(state, seat)
    while state.phase is Phase.PLAYING:
        state = out(state, reason="timeout")
    points = tuple(round_points)  # whatever the hands are
    end = replace(
        right_end(state),
        points=points,
        scores=tuple(None if was is None else was + got for was, got in zip(scores, points, strict=True)),
    )
    return match_after(state, end)


@pytest.mark.parametrize(
    ("scores", "points", "winners", "gone"),
    [
        ((0, 0, 0), (60, 50, 4), None, ()),
        ((50, 0, 0), (60, 50, 4), None, (0,)),  # reached 100: out
        ((50, 60, 0), (60, 50, 4), (2,), (0, 1)),  # the last one left
        ((50, 60, 97), (60, 50, 4), (2,), (0, 1, 2)),  # all reached it: the lowest score, 101
        ((50, 61, 97), (51, 40, 4), (0, 1, 2), (0, 1, 2)),  # equal lowest scores share the win
        ((40, 60, 96), (60, 50, 4), (0, 2), (0, 1, 2)),
    ],
)
def test_8_points_last_standing(scores, points, winners, gone):
    match = points_match("last_standing", scores, round_points=points)
    assert (match.winners, match.gone) == (winners, set(gone))


@pytest.mark.parametrize(
    ("scores", "points", "winners"),
    [
        ((0, 0, 0), (60, 50, 4), None),
        ((50, 0, 0), (60, 50, 4), (2,)),  # someone reached it: of the others the lowest
        ((50, 0, 0), (60, 4, 4), (1, 2)),  # shared
        ((50, 60, 97), (60, 50, 4), (2,)),  # everyone reached it: the lowest of all
        ((50, 60, 96), (50, 50, 4), (0, 2)),
        ((50, 0, 0), (49, 50, 50), None),
        ((50, 50, 0), (50, 10, 55), (2,)),
    ],
)
def test_8_points_low_score(scores, points, winners):
    assert points_match("low_score", scores, round_points=points).winners == winners


@pytest.mark.parametrize("kind", ["last_standing", "low_score"])
def test_8_points_a_match_with_one_player_left_is_over(kind):
    match = points_match(kind, (0, 0), round_points=(60, 4), gone_in_round=[0])
    assert (match.winners, match.gone) == ((1,), {0})


def test_8_points_a_leavers_score_counts_for_reaching_the_target_but_a_leaver_never_wins():
    match = points_match("low_score", (80, 0, 0), round_points=(25, 30, 40), gone_in_round=[0])
    assert match.winners == (1,)
    low = points_match("low_score", (0, 80, 90), round_points=(25, 30, 40), gone_in_round=[0])
    assert low.winners == (1,)  # 110 against 130; 25 is the leaver's
    shared = points_match("last_standing", (0, 80, 70), round_points=(25, 30, 40), gone_in_round=[0])
    assert shared.winners == (1, 2)


def test_8_points_who_was_timed_out_stays_in_the_match():
    match = points_match("low_score", (0, 0, 0), round_points=(60, 50, 4))
    assert (match.winners, match.gone) == (None, frozenset())


def test_8_points_a_seat_out_of_the_match_has_null():
    state = out(
        out(table(STUCK, "ono_99 ono_99 ono_99", "2 2", scores=(60, 0, 0), deck=MANY, **LAST_STANDING))
    )
    state = end_round(state)
    assert (state.match.scores, state.match.gone) == ((125, 85, 4), {0})
    state = deal(apply(state, next_round(state, 1)), "", "ono_99 ono_99 ono_99 ono_99", "2 2 2 3")
    state = out(state)
    end = right_end(state)
    assert (end.points, end.scores, end.loser) == ((None, 105, 9), (None, 190, 13), 1)
    assert code(state, end) is None
    assert code(state, replace(end, points=(0, 105, 9))) == "ONO407"
    assert code(state, replace(end, scores=(125, 190, 13))) == "ONO407"
    assert end_round(state).match.winners == (2,)


# --- who starts the next round ----------------------------------------------------------------------


def after_round(*, chips, loser, **options):
    """Three at the table; one falls and the round is over."""
    hands = ["2 2", "3 3", "4 4"]
    state = table(*hands, chips=chips, **CHIPS, **options)
    return end_round(out(state, loser, reason="timeout"))


@pytest.mark.parametrize("loser", [0, 1, 2])
def test_8_the_round_loser_starts_the_next_round(loser):
    state = after_round(chips=(3, 3, 3), loser=loser)
    for starter in range(3):
        assert code(state, next_round(state, starter)) == (None if starter == loser else "ONO319")


@pytest.mark.parametrize(("loser", "starter"), [(0, 1), (1, 2), (2, 0)])
def test_8_if_out_of_the_match_the_next_seat_clockwise(loser, starter):
    state = after_round(chips=(0, 0, 0), loser=loser)
    assert state.match.gone == {loser}
    assert code(state, next_round(state, starter)) is None
    for other in {0, 1, 2} - {starter}:
        assert code(state, next_round(state, other)) == "ONO319"


def test_8_next_seat_clockwise_that_is_still_in():
    state = after_round(chips=(3, 0, None), loser=1)
    assert state.match.winners == (0,)
    four = table("2 2", "3 3", "4 4", "5 5", chips=(3, 0, None, 3), **CHIPS)
    four = end_round(out(four, 1, reason="timeout"))
    assert code(four, next_round(four, 3)) is None
    assert code(four, next_round(four, 0)) == "ONO319"


def test_8_left_of_dealer_the_dealer_moves_on():
    state = first_of_left_of_dealer()
    assert code(state, next_round(state, 2, dealer=1)) is None
    assert code(state, next_round(state, 1, dealer=1)) == "ONO319"
    assert code(state, next_round(state, 0, dealer=2)) == "ONO319"
    assert code(state, next_round(state, 1, dealer=0)) == "ONO319"
    assert code(state, next_round(state, 1, dealer=None)) is None  # nobody is named


def first_of_left_of_dealer(leaver=None):
    """Dealer 0, starter 1; then 1 falls, or another seat leaves."""
    state = first_state(rules("1980", next_starter="left_of_dealer"), 3)
    state = deal(apply(state, RoundStart(1, 1, 0, 1)), "2 2 2 3", "ono_99 ono_99 ono_99 ono_99", "4 4 4 5")
    return end_round(out(state) if leaver is None else left(state, leaver))


def test_8_left_of_dealer_skips_players_out_of_the_match():
    state = first_of_left_of_dealer(leaver=1)
    assert code(state, next_round(state, 0, dealer=2)) is None
    state = first_of_left_of_dealer(leaver=2)
    assert code(state, next_round(state, 0, dealer=1)) is None


def test_8_left_of_dealer_a_round_without_an_elimination_leaves_the_next_starter_free():
    deck = {"9": 20, "8": 20, "10": 9}
    state = table("10 9", "9 9", "8 8", total=88, deck=deck, nobody_can_play="last_to_play",
                  next_starter="left_of_dealer", **CHIPS)  # fmt: skip
    state = replace(state, match=replace(state.match, dealer=0))
    state = end_round(play(state, "10", drawn="9"))
    for starter in range(3):
        assert code(state, next_round(state, starter, dealer=1)) is None


def test_8_a_seat_out_of_the_match_starts_nothing():
    state = after_round(chips=(3, 3, 0), loser=2, next_starter="any")
    assert code(state, next_round(state, 2)) == "ONO319"
    assert code(state, next_round(state, 0)) is None


def test_8_rounds_are_numbered_on():
    state = after_round(chips=(3, 3, 3), loser=0)
    assert code(state, replace(next_round(state, 0), round=3)) == "ONO107"
    assert code(state, replace(next_round(state, 0), round=1)) == "ONO107"


def test_8_every_round_starts_afresh():
    state = table("2 3 4", "5 5", "6 6", "7 7", direction=-1, total=40, **CHIPS)
    state = forfeit(apply(state, put(state, "2")))
    state = end_round(left(state, 0))
    state = apply(state, next_round(state, 1))
    assert (state.total, state.direction, state.forfeits, state.out) == (0, 1, (0, 0, 0, 0), ())
    assert (state.draw_pile, state.discard_pile, state.last_to_play) == (54, 0, None)
    state = deal(state, "", "2 2 2 3", "4 4 4 5", "6 6 6 7")
    assert to_act(state) == (1, 1, False)


def test_8_nothing_happens_between_rounds():
    state = after_round(chips=(3, 3, 3), loser=0)
    for event in (
        put(state, "2", seat=0),
        Draw(9, 0, "2"),
        fall(state, 0),
        fall(state, 0, reason="left"),
        right_end(state),
    ):
        assert code(state, event) in ("ONO204", "ONO106")
    assert code(state, game_end(1)) == "ONO404"
