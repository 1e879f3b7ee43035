"""Intervals against values from outside, against their definitions, and where little or nothing is known."""

import math
import random
from itertools import pairwise

import pytest

from ono_replay.library.intervals import (
    FEW,
    Moments,
    mean_interval,
    share_interval,
    t_quantile,
    wilson,
)
from tests.unit import counted_by_hand as by_hand


@pytest.mark.parametrize(
    ("freedom", "value"),
    [  # printed tables of Student's t
        (1, 12.706204736), (2, 4.302652730), (3, 3.182446305), (4, 2.776445105), (5, 2.570581836), (10, 2.228138852),
        (29, 2.045229642), (30, 2.042272456), (60, 2.000297822), (100, 1.983971519), (101, 1.983731003), (999, 1.962341461),
    ],
)  # fmt: skip
def test_student(freedom, value):
    assert t_quantile(freedom) == pytest.approx(value, abs=2e-9)


def test_student_without_a_step_where_the_series_ends():
    values = [t_quantile(freedom) for freedom in range(80, 130)]
    steps = [high - low for high, low in pairwise(values)]
    assert all(step > later > 0 for step, later in pairwise(steps))


@pytest.mark.parametrize(
    ("k", "n", "low", "high"),
    [  # Newcombe 1998, Stat. Med. 17, 857-872, table I: the score method without continuity correction
        (81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0000, 0.1611), (1, 29, 0.0061, 0.1718),
        (29, 29, 0.8830, 1.0000),
    ],
)  # fmt: skip
def test_wilson(k, n, low, high):
    found = wilson(k, n)
    assert found[1:] == pytest.approx((low, high), abs=5e-5)
    assert found.value == k / n


def width(found):
    low, high = found.low, found.high
    return high - low


def test_wilson_solves_its_equation():
    for k, n in ((7, 20), (150, 400), (1, 1000)):
        for end in by_hand.wilson(k, n):
            assert end in [pytest.approx(found) for found in wilson(k, n)[1:]]
            assert abs(k / n - end) == pytest.approx(1.959963984540054 * math.sqrt(end * (1 - end) / n))


def clusters(seed, m, *, most=6):
    chance = random.Random(seed)
    for _ in range(m):
        x = chance.randrange(0, most)
        p = chance.betavariate(2, 3)
        yield sum(chance.random() < p for _ in range(x)), x


@pytest.mark.parametrize("seed", range(30))
def test_shares_in_clusters_by_definition(seed):
    pairs = list(clusters(seed, 5 + 7 * seed))
    expected = by_hand.share(pairs)
    assert share_interval(Moments.of(pairs)) == pytest.approx(
        (expected["p"], expected["low"], expected["high"])
    )


@pytest.mark.parametrize("seed", range(30))
def test_means_in_clusters_by_definition(seed):
    pairs = [(y * 1.5 - 3, x) for y, x in clusters(seed, 5 + 7 * seed)]
    expected = by_hand.mean(pairs)
    assert mean_interval(Moments.of(pairs)) == pytest.approx(
        (expected["mean"], expected["low"], expected["high"])
    )


def test_a_mean_of_independent_things_is_students():
    values = [3.0, 5.0, 4.0, 9.0, 2.0]
    found = mean_interval(Moments.of((value, 1) for value in values))
    half = 2.7764451052 * math.sqrt(sum((value - 4.6) ** 2 for value in values) / 4 / 5)
    assert found == pytest.approx((4.6, 4.6 - half, 4.6 + half))


def test_things_alike_within_a_game_make_it_wider_and_unlike_ones_narrower():
    alike = Moments.of([(4, 4), (0, 4)] * 40)
    mixed = Moments.of([(2, 4), (2, 4), (3, 4), (1, 4)] * 20)
    independent = wilson(160, 320)
    widths = [width(found) for found in map(share_interval, (alike, mixed))]
    assert widths[0] > 1.9 * width(independent)
    assert widths[1] < 0.8 * width(independent)


def test_few_games_are_never_believed_to_be_better_than_independent():
    pairs = [(2, 4)] * (FEW - 1)
    found = share_interval(Moments.of(pairs))
    plain = wilson(2 * len(pairs), 4 * len(pairs))
    assert width(found) >= width(plain)


def test_all_or_none_counts_a_game_once():
    assert share_interval(Moments.of([(0, 9)] * 50)) == pytest.approx(wilson(0, 50))
    assert share_interval(Moments.of([(9, 9)] * 50)) == pytest.approx(wilson(50, 50))
    assert share_interval(Moments.of([(3, 9)])) == pytest.approx((1 / 3, *by_hand.wilson(1 / 3, 1)))


def test_one_winner_at_each_table_is_a_share_of_tables():
    pairs = [(1, 3)] * 170 + [(0, 3)] * 30  # of three who did not start
    low, high = by_hand.wilson(170, 200)
    assert share_interval(Moments.of(pairs)) == pytest.approx((170 / 600, low / 3, high / 3))


def test_clusters_without_anything_are_none():
    assert Moments.of([(1, 2), (0, 0), (1, 3)]) == Moments.of([(1, 2), (1, 3)])


def test_one_cluster_says_nothing_about_a_mean():
    assert mean_interval(Moments.of([(12, 4)])) == (3.0, None, None)


def test_a_mean_reaches_no_further_down_than_it_can_be():
    moments = Moments.of([(1, 1), (9, 1)])
    plain, cut = mean_interval(moments), mean_interval(moments, 1)
    assert plain.low == pytest.approx(5 - 4 * t_quantile(1))
    assert (cut.value, cut.low, cut.high) == (plain.value, 1, plain.high)
    # What was met is possible, whatever is said of it.
    assert mean_interval(moments, 7).low == 5


def test_where_games_do_not_differ_there_is_no_width():
    found = mean_interval(Moments.of([(0.1 * 3, 3)] * 1000))
    assert found == pytest.approx((0.1, 0.1, 0.1))
    shares = share_interval(Moments.of([(2, 6)] * 60))
    assert shares.low == pytest.approx(1 / 3, abs=1e-6)
