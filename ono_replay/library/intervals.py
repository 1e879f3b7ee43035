"""95 % intervals of shares and means, also where what is counted comes in clusters: the events of one game.

All start from the sums of two numbers a cluster: y (what is counted or measured) and x (out of how many).

* A share of independent things: the score interval (Wilson 1927, J. Am. Stat. Assoc. 22, 209–212).
* A mean of independent things: Student's t. It reaches no further down than what a mean can be: a truth that is never
  below zero is covered as often without the part below.
* In clusters, share and mean are the ratio Σy/Σx with the variance of its linearisation,
  m/(m−1) · Σ(y − r·x)² / (Σx)² over m clusters (Cochran 1977, Sampling Techniques, 3rd ed., 6.3 and 9A.2), and m − 1
  degrees of freedom.
* A share in clusters: the score interval with the effective size n* = n / deff · (z / t)², where deff compares that
  variance with the one of n independent things (Korn & Graubard 1998, Surv. Methodol. 24, 193–201; Dean & Pagano 2015,
  J. Surv. Stat. Methodol. 3, 484–503). With fewer than `FEW` clusters deff is not taken below 1.
* With at most one in each cluster, and clusters of one size, the score interval of the clusters that have one.
"""

import math
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

Z = 1.959963984540054
"""The 97.5 % point of the normal distribution."""
FEW = 30
"""Clusters below which less spread than by chance is not believed."""
_SERIES = 100
"""Degrees of freedom past which the expansion of the t quantile is exact to ten digits."""


class Interval(NamedTuple):
    """An estimate and its 95 % interval; the ends are None where one observation says nothing about them."""

    value: float
    low: float | None
    high: float | None


class Moments(NamedTuple):
    """Sums over clusters, as the macro `moments` of the queries makes them."""

    y: float
    x: float
    m: int
    """Clusters."""
    yy: float
    xy: float
    xx: float

    @classmethod
    def of(cls, pairs: Iterable[tuple[float, float]]) -> "Moments":
        """Return the moments of (y, x) for each cluster.

        >>> Moments.of([(1, 2), (3, 4)])
        Moments(y=4.0, x=6.0, m=2, yy=10.0, xy=14.0, xx=20.0)
        """
        kept = [(float(y), float(x)) for y, x in pairs if x]
        y, x = sum(y for y, _ in kept), sum(x for _, x in kept)
        yy, xy, xx = (sum(products) for products in _products(kept))
        return cls(y, x, len(kept), yy, xy, xx)

    @property
    def variance(self) -> float | None:
        """The variance of y/x by linearisation; None with one cluster."""
        if self.m < 2 or not self.x:
            return None
        ratio = self.y / self.x
        residual = self.yy - 2 * ratio * self.xy + ratio * ratio * self.xx
        return self.m / (self.m - 1) * max(0.0, residual) / self.x**2


def _products(pairs: list[tuple[float, float]]) -> tuple[list[float], list[float], list[float]]:
    return [y * y for y, _ in pairs], [y * x for y, x in pairs], [x * x for _, x in pairs]


def wilson(k: float, n: float) -> Interval:
    """Return the share k/n with the score interval.

    >>> [round(number, 4) for number in wilson(7, 20)]
    [0.35, 0.1812, 0.5671]
    """
    return Interval(k / n, *_score(k / n, n))


def _score(share: float, size: float) -> tuple[float, float]:
    centre = share + Z * Z / (2 * size)
    half = Z * math.sqrt(share * (1 - share) / size + Z * Z / (4 * size * size))
    scale = 1 + Z * Z / size
    low, high = (centre - half) / scale, (centre + half) / scale
    return 0.0 if share == 0 else max(0.0, low), 1.0 if share == 1 else min(1.0, high)


def share_interval(moments: Moments) -> Interval:
    """Return the share y/x; one thing in each cluster makes it `wilson`.

    >>> share_interval(Moments.of([(1, 1)] * 7 + [(0, 1)] * 13)) == wilson(7, 20)
    True
    >>> pairs = [(3, 4), (0, 4), (4, 4), (1, 4)]  # games of one piece
    >>> wilson(8, 16).low - share_interval(Moments.of(pairs)).low > 0.1
    True
    """
    share, n, clusters = moments.y / moments.x, moments.x, moments.m
    if clusters == n:
        return wilson(moments.y, n)
    if 0 < moments.y == moments.yy and moments.xx * clusters == n * n:
        # At most one in each cluster, all of one size: how many clusters have one is a share of independent things.
        return Interval(share, *(end * clusters / n for end in _score(moments.y / clusters, clusters)))
    variance = moments.variance
    independent = share * (1 - share) / (n - 1)
    if variance is None or independent <= 0:
        # Nothing is known of how alike the things in a cluster are: each cluster counts as one.
        return Interval(share, *_score(share, clusters))
    effect = variance / independent
    if clusters < FEW:
        effect = max(1.0, effect)
    if effect == 0:
        return Interval(share, share, share)
    return Interval(share, *_score(share, n / effect * (Z / t_quantile(clusters - 1)) ** 2))


def mean_interval(moments: Moments, least: float | None = None) -> Interval:
    """Return the mean y/x with the t interval, cut at the `least` that is possible; without ends for one cluster.

    >>> [round(number, 3) for number in mean_interval(Moments.of([(4, 1), (6, 1), (5, 1), (9, 1)]))]
    [6.0, 2.563, 9.437]
    >>> [round(number, 1) for number in mean_interval(Moments.of([(1, 1), (9, 1)]), least=0)]
    [5.0, 0.0, 55.8]
    """
    mean, variance = moments.y / moments.x, moments.variance
    if variance is None:
        return Interval(mean, None, None)
    half = t_quantile(moments.m - 1) * math.sqrt(variance)
    low = mean - half
    return Interval(mean, low if least is None else max(low, min(float(least), mean)), mean + half)


@lru_cache(maxsize=4096)
def t_quantile(freedom: int) -> float:
    """Return the 97.5 % point of Student's t.

    Abramowitz & Stegun 26.7.3 and 26.7.4, solved; past 100 degrees of freedom 26.7.5.

    >>> [round(t_quantile(freedom), 4) for freedom in (1, 2, 10, 100, 1000)]
    [12.7062, 4.3027, 2.2281, 1.984, 1.9623]
    """
    if freedom > _SERIES:
        return _expanded(freedom)
    low, high = Z, 13.0
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (low, middle) if _within(middle, freedom) > 0.95 else (middle, high)
    return (low + high) / 2


def _expanded(freedom: int) -> float:
    z, n = Z, freedom
    return (
        z
        + (z**3 + z) / (4 * n)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * n**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * n**3)
        + (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / (92160 * n**4)
    )


def _within(t: float, freedom: int) -> float:
    """Return the probability of less than t, the sign left out."""
    angle = math.atan(t / math.sqrt(freedom))
    cosine = math.cos(angle)
    odd = freedom % 2
    term = cosine if odd else 1.0
    total = 0.0
    for power in range(2 + odd, freedom + 1, 2):
        total += term
        term *= cosine * cosine * (power - 1) / power
    return 2 / math.pi * (angle + math.sin(angle) * total) if odd else math.sin(angle) * total
