"""The reference of the statistics, `schemas/STATISTICS.md`, written from `measures` and `selection`."""

from ono_replay.library.measures import MEAN, SHARE, STATISTICS, Statistic
from ono_replay.library.selection import BY, EXACT_GAMES, RANDOM_GROUPS

_HEAD = f"""\
# The statistics of a library

`ono-replay stats NAME --library DIR` answers one; in Python it is `stats.NAME(Library(DIR))` of
`ono_replay.library.stats`. This page is written from `ono_replay/library/measures.py`; the queries themselves are in
`ono_replay/library/queries/`. A released column never changes its meaning; new ones may be added.

## What all have in common

* **Which games.** Those that were played to their end and hold nothing that was let stand. The others are counted, in
  the last object of the JSON (`left_out_unfinished`, abandoned games among them, and `left_out_irregular`), below the
  table, or on standard error. `--unfinished` and `--irregular` count them, too.
* **`--where`** takes a condition over the columns of `games` (see LIBRARY.md) in DuckDB's SQL; it may ask other views,
  as in `game_id in (select game_id from players where player = 'Ann')`. It can do nothing but choose games.
* **`--by`** groups by one column or several; its columns come first in a row.
* **A share** has `k` of `n`, `p` = k / n and its 95 % interval `low`, `high`. **A mean** has `n`, `mean`, `low`, `high`;
  the ends are null where one game says nothing about them. A row has the columns that apply to it. `measure` names
  what a row tells, where a statistic tells several things.

## Intervals

With y counted or measured out of x in each of m clusters, n = Σx and r = Σy / n:

* A share of independent things has Wilson's score interval, z = 1.96:
  (p + z²/2n ± z √(p(1 − p)/n + z²/4n²)) / (1 + z²/n). [Wilson 1927]
* A mean of independent things has Student's interval, r ± t √(s²/n) with n − 1 degrees of freedom.
  The interval of a mean is cut at what is possible: counts and times are not below 0; `rounds`, `events` and the
  `length` of pair chains not below 1. The total, and the change of it, may be below 0. Its upper end is not cut.
* The events of one game are not independent: where more than one is counted, the game is a cluster. Then r has the
  variance V = m/(m − 1) · Σ(y − r x)² / n², m − 1 degrees of freedom, and a mean the interval r ± t √V. [Cochran 1977]
* A share in clusters has Wilson's interval with n* in the place of n: n* = n / deff · (z / t)², deff = V / (p(1 − p)/(n − 1)).
  With at most one in each cluster and all of one size it is Wilson's interval of the clusters that have one, times m/n.
  With fewer than 30 clusters deff is at least 1; where all or none were counted, or in one cluster, n* = m.
  [Korn & Graubard 1998; Dean & Pagano 2015]
* Of more than {EXACT_GAMES:,} games, clusters are {RANDOM_GROUPS:,} random groups of games (by a hash of `game_id`). [Wolter 2007]

Sources: E. B. Wilson, J. Am. Stat. Assoc. 22 (1927) 209–212. W. G. Cochran, Sampling Techniques, 3rd ed. 1977, 6.3 and 9A.2.
E. L. Korn & B. I. Graubard, Survey Methodology 24 (1998) 193–201. N. Dean & M. Pagano, J. Surv. Stat. Methodol. 3 (2015)
484–503. K. M. Wolter, Introduction to Variance Estimation, 2nd ed. 2007, ch. 2.
"""


def statistics_page() -> str:
    """Return the page.

    >>> statistics_page().splitlines()[0]
    '# The statistics of a library'
    """
    groups = [
        f"| `{by.name}` | {'a game' if by.of == 'games' else 'a player in a game'} | {by.meaning} |"
        for by in BY.values()
    ]
    by_table = "\n".join(["## Ways to group", "", "| column | of | |", "| --- | --- | --- |", *groups, ""])
    return "\n".join([_HEAD, by_table, *map(_section, STATISTICS)])


def _section(statistic: Statistic) -> str:
    lines = [f"## `{statistic.name}`", "", f"{statistic.line} The unit: {_lower(statistic.unit)}"]
    if statistic.note:
        lines.append(statistic.note)
    by = ", ".join(f"`{name}`" for name in statistic.by)
    default = (
        f" (by `{'`, `'.join(statistic.by_default)}` if not said otherwise)" if statistic.by_default else ""
    )
    lines += ["", f"Can be grouped by {by}{default}.", ""]
    if statistic.measures:
        lines += ["| measure | | |", "| --- | --- | --- |"]
        lines += [f"| `{m.name}` | {_kind(m.kind)} | {m.meaning} |" for m in statistic.measures]
        lines.append("")
    meanings = dict((*statistic.keys, *statistic.extras))
    lines += ["| column | |", "| --- | --- |"]
    lines += [f"| `{name}` | {meanings.get(name) or _ESTIMATES[name]} |" for name in statistic.columns]
    return "\n".join([*lines, ""])


def _lower(text: str) -> str:
    return text[0].lower() + text[1:]


def _kind(kind: tuple[str, ...]) -> str:
    return {SHARE: "share", MEAN: "mean"}[kind]


_ESTIMATES = {
    "measure": "what the row tells",
    "k": "how many",
    "n": "out of how many",
    "p": "the share",
    "mean": "the mean",
    "low": "the lower end of the 95 % interval",
    "high": "the upper end",
}
