"""schemas/SPECIFICATION.md section 6: every option of a ruleset, its defaults, its values and what it does."""

import pytest
from msgspec.structs import replace

from ono_replay.rules.cards import DISCARD_FOUR
from ono_replay.rules.events import DiscardFour, Draw, ForfeitDraw, Reshuffle, RoundStart
from ono_replay.rules.playable import legal_plays
from ono_replay.rules.ruleset import (
    EDITIONS,
    OPTIONS,
    BadRuleset,
    check_player_count,
    differing_options,
    make_ruleset,
)
from ono_replay.rules.state import Phase, first_state
from ono_replay.rules.transition import apply
from tests.unit.rules_table import (
    code,
    deal,
    dealt,
    draw,
    end_round,
    fall,
    forfeit,
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

DEFAULTS = [
    # option, in 1980, in 2022
    ("edition", "1980", "2022"),
    ("max_total", 98, 98),
    ("minus_ten_floor", "none", "clamp"),
    ("reverse_deflects_two_players", True, True),
    ("four_ono_99", "off", "as_play"),
    ("ono_99_on_zero", False, False),
    ("nobody_can_play", "sequential", "sequential"),
    ("missed_draw", "forfeit", "not_allowed"),
    ("opening_card", "any", "any"),
    ("reshuffle_keep_top", False, False),
    ("match", "chips", "single"),
    ("chips", 3, 3),
    ("points_target", None, None),
    ("next_starter", "round_loser", "round_loser"),
    ("players_min", 2, 2),
    ("players_max", 8, 6),
]


@pytest.mark.parametrize(("option", "in_1980", "in_2022"), DEFAULTS)
def test_7_defaults(option, in_1980, in_2022):
    assert getattr(EDITIONS["1980"], option) == in_1980
    assert getattr(EDITIONS["2022"], option) == in_2022


def test_7_no_option_is_forgotten():
    assert {*OPTIONS} == {option for option, *_ in DEFAULTS} | {"deck"}


GOOD = [
    ("max_total", 1), ("max_total", 999), ("minus_ten_floor", "illegal"), ("reverse_deflects_two_players", False),
    ("four_ono_99", "free_action"), ("ono_99_on_zero", True), ("nobody_can_play", "last_to_play"),
    ("missed_draw", "not_allowed"), ("opening_card", "number"), ("reshuffle_keep_top", True), ("match", "single"),
    ("chips", 1), ("chips", 99), ("points_target", 1), ("points_target", 9999), ("next_starter", "left_of_dealer"),
    ("next_starter", "any"), ("players_min", 8), ("players_max", 99), ("deck", {"7": 1}),
]  # fmt: skip
BAD = [
    ("max_total", 0), ("max_total", 1000), ("max_total", "98"), ("max_total", True), ("max_total", None),
    ("minus_ten_floor", "clam"), ("minus_ten_floor", None), ("reverse_deflects_two_players", 1),
    ("reverse_deflects_two_players", "true"), ("four_ono_99", True), ("ono_99_on_zero", 0), ("nobody_can_play", ""),
    ("missed_draw", "never"), ("opening_card", "0"), ("reshuffle_keep_top", None), ("match", "points"), ("chips", 0),
    ("chips", 100), ("points_target", 0), ("points_target", 10_000), ("points_target", None), ("next_starter", 0),
    ("players_min", 1), ("players_max", 100), ("players_min", 9), ("edition", "1999"), ("edition", 1980),
    ("deck", {}), ("deck", {"11": 3}), ("deck", {"7": -1}), ("deck", {"7": "3"}), ("deck", {"?": 3}), ("deck", ["7"]),
    ("deck", {"7": True}), ("deck", {"7": 0}), ("max_totl", 98), ("", 1),
]  # fmt: skip


@pytest.mark.parametrize(("option", "value"), GOOD)
def test_7_values_that_are_right(option, value):
    assert getattr(make_ruleset({"edition": "1980", option: value}), option) == value


@pytest.mark.parametrize(("option", "value"), BAD)
def test_7_values_that_are_not(option, value):
    with pytest.raises(BadRuleset) as wrong:
        make_ruleset({"edition": "1980", option: value})
    assert str(wrong.value)


@pytest.mark.parametrize("edition", ["1980", "2022"])
@pytest.mark.parametrize(("option", "value"), GOOD)
def test_7_every_option_may_be_given_in_both_editions(edition, option, value):
    ruleset = make_ruleset({"edition": edition, option: value, "players_max": 9} | {option: value})
    assert make_ruleset(differing_options(ruleset)) == ruleset


def test_7_the_edition_is_a_text():
    with pytest.raises(BadRuleset) as caught:
        make_ruleset({"edition": 2022})
    assert str(caught.value) == 'the edition must be the text "1980" or "2022", not the number 2022'


@pytest.mark.parametrize(
    ("given", "shown"), [(2022, "the number 2022"), ("2022", '"2022"'), (None, "null"), ([], "an array")]
)
def test_7_a_ruleset_is_an_object(given, shown):
    with pytest.raises(BadRuleset) as caught:
        make_ruleset(given)
    assert (
        str(caught.value) == f'a ruleset must be an object of options like {{"edition": "2022"}}, not {shown}'
    )


def test_7_the_edition_is_required():
    with pytest.raises(BadRuleset):
        make_ruleset({"max_total": 98})


@pytest.mark.parametrize("match", ["points_last_standing", "points_low_score"])
def test_7_a_points_match_needs_its_target(match):
    with pytest.raises(BadRuleset):
        make_ruleset({"edition": "1980", "match": match})
    assert make_ruleset({"edition": "2022", "match": match, "points_target": 100}).scores_points


def test_7_options_of_another_match_are_ignored():
    ruleset = rules("2022", chips=5, points_target=50, next_starter="any")
    assert ruleset.match == "single"
    assert table("2 2", "3 3", chips=5).match.chips is None


def test_7_only_what_differs_is_stated():
    assert differing_options(rules("1980", chips=3, max_total=99)) == {"edition": "1980", "max_total": 99}
    assert differing_options(rules("2022", deck=dict(EDITIONS["2022"].deck))) == {"edition": "2022"}


# --- max_total --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("max_total", "total", "expected"),
    [(99, 92, None), (99, 93, "ONO303"), (20, 13, None), (20, 14, "ONO303")],
)
def test_7_max_total(max_total, total, expected):
    state = table("7 2", "3 3", max_total=max_total, total=total)
    assert code(state, put(state, "7")) == expected


# --- minus_ten_floor --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("floor", "total", "after", "expected"),
    [
        ("none", 3, -7, None),
        ("clamp", 3, 0, None),
        ("illegal", 3, -7, "ONO317"),
        ("illegal", 9, -1, "ONO317"),
        ("illegal", 10, 0, None),
    ],
)
def test_7_minus_ten_floor(floor, total, after, expected):
    state = table("-10 2", "3 3", minus_ten_floor=floor, total=total)
    event = put(state, "-10")
    assert (event.total, code(state, event)) == (after, expected)


def test_7_minus_ten_floor_illegal_can_leave_nothing_to_play():
    state = table("-10 9", "3 3", minus_ten_floor="illegal", total=8, max_total=16)
    assert legal_plays(state) == ()
    assert code(state, fall(state)) is None


# --- reverse_deflects_two_players -------------------------------------------------------------------


@pytest.mark.parametrize(("deflects", "expected"), [(True, (0, 2, False)), (False, (1, 1, True))])
def test_7_reverse_deflects_two_players(deflects, expected):
    state = table("play_2 1", "reverse 3", reverse_deflects_two_players=deflects)
    assert to_act(play(state, "play_2", "reverse")) == expected
    three = table("play_2 1", "reverse 3", "2 2", reverse_deflects_two_players=deflects)
    assert to_act(play(three, "play_2", "reverse")) == (0, 2, False)


# --- four_ono_99 ------------------------------------------------------------------------------------

FOUR = "ono_99 ono_99 ono_99 ono_99"


@pytest.mark.parametrize(
    ("four", "offered"), [("off", ()), ("as_play", (DISCARD_FOUR,)), ("free_action", (DISCARD_FOUR,))]
)
@pytest.mark.parametrize("edition", ["1980", "2022"])
def test_7_four_ono_99(edition, four, offered):
    state = table(FOUR, "2 2", edition=edition, four_ono_99=four)
    assert legal_plays(state) == offered
    assert code(state, DiscardFour(9, 0)) == (None if offered else "ONO313")


def test_7_four_ono_99_free_action_costs_nothing():
    state = play(table("play_2 1", FOUR, "2 2", four_ono_99="free_action"), "play_2", DISCARD_FOUR)
    assert to_act(state) == (1, 2, False)
    alone = play(table(FOUR, "2 2", four_ono_99="free_action"), DISCARD_FOUR)
    assert to_act(alone) == (0, 1, False)


def test_7_four_ono_99_free_action_may_be_done_again():
    state = play(table(FOUR, "2 2", four_ono_99="free_action"), DISCARD_FOUR, drawn="ono_99")
    assert legal_plays(state) == (DISCARD_FOUR,)
    assert to_act(play(state, DISCARD_FOUR, drawn="2")) == (0, 1, False)


# --- nobody_can_play --------------------------------------------------------------------------------


MANY = {"7": 9, "8": 9, "9": 9, "10": 9, "-10": 9, "reverse": 9, "double_play": 9, "ono_99": 9}


def last_to_play(*hands, match="single", **options):
    return table(*hands, nobody_can_play="last_to_play", edition="1980", deck=MANY, match=match, **options)


def test_7_sequential_players_fall_one_by_one():
    state = play(
        table("10 9", "9 9", "9 9", edition="1980", match="single", total=88, deck=MANY), "10", drawn="9"
    )
    state = out(out(state))
    assert (state.phase, state.winner, state.out) == (Phase.ROUND_OVER, 0, (1, 2))


def test_7_last_to_play_the_round_is_over_when_nobody_can():
    state = last_to_play("10 9", "9 9", "8 8", total=88)
    state = apply(state, put(state, "10"))
    assert state.phase is Phase.PLAYING  # the draw is due
    state = draw(state, "9")
    assert (state.phase, state.winner, state.turn, state.out) == (Phase.ROUND_OVER, 0, None, ())
    end = right_end(state)
    assert (end.winner, end.loser) == (0, None)
    assert end_round(state).match.winners == (0,)


def test_7_last_to_play_one_who_can_play_keeps_it_going():
    assert play(last_to_play("10 9", "9 9", "reverse 8", total=88), "10", drawn="9").phase is Phase.PLAYING
    assert play(last_to_play("10 9", "9 9", "8 8", total=88), "10", drawn="-10").phase is Phase.PLAYING


def test_7_last_to_play_with_one_play_owed():
    # 1 owes two and its double_play is barred as first card: still a card that could be played
    state = last_to_play("double_play 9", "double_play 9", "8 8", total=98)
    assert play(state, "double_play", drawn="9").phase is Phase.PLAYING


@pytest.mark.parametrize(("on_zero", "phase"), [(False, Phase.ROUND_OVER), (True, Phase.PLAYING)])
def test_7_last_to_play_an_ono_99_on_a_zero_counts(on_zero, phase):
    state = last_to_play("10 9", "ono_99 9", "8 8", total=80, max_total=90, ono_99_on_zero=on_zero)
    assert play(state, "10", drawn="9").phase is phase


def test_7_last_to_play_four_that_may_be_discarded_count():
    hands = ("10 9", FOUR, "8 8")
    assert play(last_to_play(*hands, total=88), "10", drawn="9").phase is Phase.ROUND_OVER
    state = last_to_play(*hands, total=88, four_ono_99="as_play")
    assert play(state, "10", drawn="9").phase is Phase.PLAYING


def test_7_last_to_play_a_four_card_discard_is_no_card_played():
    state = last_to_play("10 9", FOUR, "8 8", total=88, four_ono_99="as_play")
    state = play(play(state, "10", drawn="9"), DISCARD_FOUR, drawn="9")
    assert (state.phase, state.winner) == (Phase.ROUND_OVER, 0)


def test_7_last_to_play_who_fell_or_left_does_not_win():
    state = play(last_to_play("10 9", "9 9", "reverse 8", total=88), "10", drawn="9")
    state = left(left(state, 0), 2)
    assert (state.phase, state.winner) == (Phase.ROUND_OVER, 1)  # the last player left
    four = play(last_to_play("10 9", "9 9", "8 8", "reverse 7", total=88), "10", drawn="9")
    four = left(left(four, 0), 3)
    assert four.phase is Phase.PLAYING  # nobody of those in has played last
    assert to_act(four) == (1, 1, False)


def test_7_last_to_play_someone_leaving_can_end_it():
    state = play(last_to_play("10 9", "9 9", "reverse 8", total=88), "10", drawn="9")
    state = left(state, 2)
    assert (state.phase, state.winner, state.out) == (Phase.ROUND_OVER, 0, (2,))


def test_7_last_to_play_unknown_cards_leave_it_open_until_the_log_says_so():
    state = play(last_to_play("10 9", "9 9", "? 8", total=88), "10", drawn="9")
    assert state.phase is Phase.PLAYING
    assert code(state, fall(state)) is None  # the round goes on
    end = right_end(state)
    assert code(state, end) == "ONO403"
    assert code(state, replace(end, winner=0)) is None
    assert apply(state, replace(end, winner=0)).match.winners == (0,)


def test_7_last_to_play_costs_no_chip_and_leaves_the_next_starter_free():
    state = last_to_play("10 9", "9 9", "8 8", match="chips", total=88)
    state = play(state, "10", drawn="9")
    assert state.phase is Phase.ROUND_OVER
    state = end_round(state)
    assert state.match.chips == (3, 3, 3)
    for starter in range(3):
        assert code(state, next_round(state, starter)) is None


def test_7_last_to_play_nobody_has_played_in_a_round_that_begins():
    state = dealt("9 9 9 9", "8 8 8 8", edition="1980", match="single", nobody_can_play="last_to_play", max_total=5,
                  deck={"9": 20, "8": 20})  # fmt: skip
    assert state.phase is Phase.PLAYING
    assert out(state).winner == 1


# --- missed_draw ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("edition", "missed", "expected"), [("2022", "forfeit", None), ("1980", "not_allowed", "ONO312")]
)
def test_7_missed_draw(edition, missed, expected):
    state = table("7 2", "3 3", edition=edition, missed_draw=missed)
    state = apply(state, put(state, "7"))
    assert code(state, ForfeitDraw(9, 0)) == expected


def test_7_missed_draw_each_of_four_can_be_forfeited():
    state = apply(table(FOUR, "2 2", missed_draw="forfeit"), DiscardFour(9, 0))
    state = forfeit(forfeit(state))
    assert (state.draws_due, state.forfeits) == (2, (2, 0))
    assert len(draw(state).hands[0]) == 2


# --- opening_card -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hand", "card", "expected"),
    [
        ("7 reverse 2 ono_99", "reverse", "ONO316"),
        ("7 reverse 2 ono_99", "7", None),
        ("-10 reverse play_2 ono_99", "reverse", None),  # no number card to play
        ("0 reverse play_2 ono_99", "reverse", "ONO316"),
        ("? reverse play_2 ono_99", "reverse", None),  # not known to hold one
    ],
)
def test_7_opening_card(hand, card, expected):
    state = dealt(hand, "1 1 2 2", opening_card="number")
    assert code(state, put(state, card)) == expected
    assert code(dealt(hand, "1 1 2 2"), put(state, card)) is None


def test_7_opening_card_one_that_may_be_played():
    state = dealt("9 reverse ono_99 ono_99", "1 1 2 2", opening_card="number", max_total=5)
    assert code(state, put(state, "reverse")) is None


def test_7_opening_card_only_the_first_of_the_round():
    state = play(dealt("7 reverse 2 2", "1 reverse 2 2", opening_card="number"), "7")
    assert code(state, put(state, "reverse")) is None


def test_7_opening_card_of_the_second_player_if_the_first_falls():
    state = dealt("ono_99 ono_99 ono_99 9", "1 reverse 2 2", "3 3 3 3", opening_card="number", max_total=5)
    state = out(state)
    assert code(state, put(state, "reverse")) == "ONO316"


def test_7_opening_card_not_from_a_position():
    state = table("7 reverse", "2 2", opening_card="number")
    assert code(state, put(state, "reverse")) is None


def test_7_opening_card_a_four_card_discard_as_play_counts():
    hands = (FOUR, "1 reverse 2 2")
    state = play(dealt(*hands, opening_card="number"), DISCARD_FOUR)
    assert code(state, put(state, "reverse")) is None
    free = play(
        dealt(FOUR, "1 3 2 2", opening_card="number", four_ono_99="free_action"),
        DISCARD_FOUR,
        drawn="reverse",
    )
    free = apply(free, put(free, "reverse"))  # no number card held


def test_7_opening_card_after_a_free_discard_is_still_owed():
    state = dealt(FOUR, "1 3 2 2", opening_card="number", four_ono_99="free_action")
    state = apply(state, DiscardFour(9, 0))
    for card in ("reverse", "5", "reverse", "reverse"):
        state = apply(state, Draw(9, 0, card))
    assert code(state, put(state, "reverse")) == "ONO316"


# --- reshuffle_keep_top -----------------------------------------------------------------------------


@pytest.mark.parametrize(("keep", "count", "stays"), [(False, 3, ()), (True, 2, ("7",))])
def test_7_reshuffle_keep_top(keep, count, stays):
    state = table("7 1", "4 4", draw_pile=0, discard_pile=("9", "8"), reshuffle_keep_top=keep)
    state = apply(state, put(state, "7"))
    for wrong in (count - 1, count + 1):
        assert code(state, Reshuffle(9, wrong)) == "ONO314"
    state = apply(state, Reshuffle(9, count))
    assert (state.draw_pile, state.discard_pile, state.discards) == (count, len(stays), stays)


def test_7_reshuffle_keep_top_the_kept_card_is_not_in_the_new_pile():
    state = table("7 1", "4 4", draw_pile=0, discard_pile=("9", "8"), reshuffle_keep_top=True)
    state = apply(state, put(state, "7"))
    assert code(state, Reshuffle(9, 2, ("8", "9"))) is None
    assert code(state, Reshuffle(9, 2, ("8", "7"))) == "ONO314"


# --- next_starter, deck, players --------------------------------------------------------------------


def test_7_next_starter_any_is_free_in_every_round():
    state = apply(state_before_round(next_starter="any"), RoundStart(1, 1, 0, 2))
    state = end_round(out(deal(state, "8 8 9 9", "8 8 9 9", "8 8 9 9")))
    for starter in range(3):
        assert code(state, next_round(state, starter, dealer=0)) is None


def state_before_round(**options):
    return first_state(rules("1980", deck={"8": 30, "9": 30}, max_total=5, **options), 3)


def test_7_deck_counts_what_is_there():
    state = dealt("7 7 7 2", "2 2 2 2", deck={"7": 3, "2": 9})
    assert state.draw_pile == 4
    state = apply(state, put(state, "7"))
    assert code(state, Draw(9, 0, "7")) == "ONO310"
    assert code(state, Draw(9, 0, "3")) == "ONO311"
    assert code(state, Draw(9, 0, "2")) is None


def test_7_players_min_and_max():
    ruleset = rules("2022", players_min=3, players_max=10)
    for players in (3, 10):
        check_player_count(ruleset, players)
    for players in (2, 11):
        with pytest.raises(BadRuleset):
            check_player_count(ruleset, players)
