"""The statistics: what each tells, of what, and the columns of its rows; `schemas/STATISTICS.md` is written from here.

>>> [statistic.name for statistic in STATISTICS][:3]
['wins_by_player', 'wins_by_seat', 'wins_by_starter']
>>> STATISTIC["eliminations"].columns[:2]
('cause', 'k')
"""

from typing import Final, NamedTuple

from ono_replay.library.selection import OF_GAMES, OF_PLAYERS

SHARE: Final = ("k", "n", "p", "low", "high")
"""The columns of a share."""
MEAN: Final = ("n", "mean", "low", "high")
"""The columns of a mean."""


class Measure(NamedTuple):
    """One of several things that a statistic tells: its own rows, named in the column `measure`."""

    name: str
    kind: tuple[str, ...]
    """`SHARE` or `MEAN`."""
    meaning: str
    least: int | None = 0
    """What a mean can not be below."""


class Statistic(NamedTuple):
    """One statistic."""

    name: str
    line: str
    """What it tells, in one line."""
    unit: str
    """What is counted, and what is a cluster."""
    keys: tuple[tuple[str, str], ...]
    """Columns that say what a row is of, with their meaning."""
    kind: tuple[str, ...]
    """The columns of its estimates: of `SHARE`, of `MEAN` or of both."""
    extras: tuple[tuple[str, str], ...] = ()
    """Further columns."""
    measures: tuple[Measure, ...] = ()
    by: tuple[str, ...] = OF_GAMES
    """Ways to group it."""
    by_default: tuple[str, ...] = ()
    note: str = ""

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of its rows, those of a grouping left out."""
        keys = tuple(name for name, _ in self.keys)
        measure = ("measure",) if self.measures else ()
        first = (*keys, *measure) if keys == ("card",) else (*measure, *keys)
        return (*first, *self.kind, *(name for name, _ in self.extras))


BOTH: Final = ("k", "n", "p", "mean", "low", "high")
_PLAYER = ("player", "who: the alias, else `players[].id`, else the name")
_ABOVE = (
    ("expected", "the share by chance: the mean of one in as many as sat at the table"),
    ("above", "how far the share lies above it: what compares tables of different sizes"),
    ("above_low", "the lower end of its 95 % interval"),
    ("above_high", "the upper end"),
)
_CHOICES = (
    ("first_choice", "the first of ten choices of a round, of all players together: 1, 11, 21 …"),
    ("last_choice", "the last of them"),
)
_SHARED = "A shared win counts as a win for each who shares it."

STATISTICS: Final = (
    Statistic(
        "wins_by_player",
        "How often each player wins the game.",
        "A seat in a game; games are independent.",
        (_PLAYER,),
        SHARE,
        _ABOVE,
        by=(*OF_GAMES, "seat", "bot", "starter", "order"),
        note=f"{_SHARED} Who sits on two seats of a game counts for both; the interval is rather too wide then.",
    ),
    Statistic(
        "wins_by_seat",
        "How often each seat wins the game.",
        "A game; games are independent.",
        (("seat", "from 0, clockwise"),),
        SHARE,
        _ABOVE,
        by=(*OF_GAMES, "player", "bot", "starter", "order"),
        note=f"{_SHARED} Tables differ in size: compare seats by `above`, or group by `n_players`.",
    ),
    Statistic(
        "wins_by_starter",
        "How often the game is won by who starts round 1, and by each of the others.",
        "A seat in a game; the seats of a game are a cluster.",
        (("starter", "true for who started round 1, false for the others"),),
        SHARE,
        _ABOVE,
        by=(*OF_GAMES, "player", "seat", "bot", "order"),
        note=f"{_SHARED} In a match of several rounds it is the game that is won, not the round; "
        "group by `order` for the second, third … to play.",
    ),
    Statistic(
        "length",
        "How long games and rounds are.",
        "A game; of measures that begin with `round_`, a round that was dealt and played to its end, and the rounds of "
        "a game are a cluster.",
        (),
        MEAN,
        (
            ("least", "the smallest"),
            ("low_tenth", "the first tenth of the games, or rounds, has no more"),
            ("middle", "the median"),
            ("high_tenth", "the last tenth has at least that"),
            ("most", "the largest"),
        ),
        (
            Measure("plays", MEAN, "cards played in a game"),
            Measure("decisions", MEAN, "cards played and four-card discards in a game"),
            Measure("rounds", MEAN, "rounds of a game", 1),
            Measure("eliminations", MEAN, "eliminations in a game"),
            Measure("events", MEAN, "events of a game", 1),
            Measure("duration_ms", MEAN, "from the first to the last event with a time, of games with times"),
            Measure("round_duration_ms", MEAN, "the same of a round"),
            Measure("round_eliminations", MEAN, "eliminations in a round"),
            Measure("round_highest", MEAN, "the highest total of a round"),
            Measure("round_plays", MEAN, "cards played in a round"),
            Measure("round_reshuffles", MEAN, "reshuffles in a round"),
        ),
    ),
    Statistic(
        "totals",
        "How the total moves over the course of a round.",
        "A choice; those of a game are a cluster.",
        _CHOICES,
        BOTH,
        (),
        (
            Measure("total", MEAN, "the total that is met at a choice", None),
            Measure("near", SHARE, "of the choices, those at a total less than ten below the limit"),
            Measure("forced", SHARE, "of the choices with no unknown card in hand, those with one legal token"),
        ),
        (*OF_GAMES, *OF_PLAYERS),
    ),
    Statistic(
        "cards",
        "How often each card is played, and what it does.",
        "A card played or held; those of a game are a cluster.",
        (("card", "the token"),),
        BOTH,
        (),
        (
            Measure("played", SHARE, "of all cards played"),
            Measure("change", MEAN, "how much a play of it changes the total", None),
            Measure("used", SHARE, "of the copies that came into a hand, those that were played; games without unknown cards"),
            Measure("forced", SHARE, "of its plays, those where nothing else was legal; games without unknown cards"),
            Measure("deflected", SHARE, "of its plays as the first card of a forced pair, those that passed the pair on; deflectors only"),
            Measure("fatal", MEAN, "eliminations under a total that it had set, for each play"),
            Measure("discarded", SHARE, "of the copies that came into a hand, those discarded four at a time; `ono_99` only"),
        ),
        (*OF_GAMES, *OF_PLAYERS),
    ),
    Statistic(
        "eliminations",
        "Why players fall.",
        "An elimination, from a round or the game; those of a game are a cluster.",
        (("cause", "`first_card`, `second_card`, `only_ono_99`, `bust`, `left` or `timeout`; those that came up"),),
        SHARE,
        by=(*OF_GAMES, *OF_PLAYERS),
        note="Grouped by player or seat it is that of who fell.",
    ),
    Statistic(
        "set_by",
        "Who set the totals that players fell under.",
        "An elimination of one who could play nothing, in the games of the player; those of a game are a cluster.",
        (("player", "who played the last card of the round that changed the total"),),
        SHARE,
        (("own", "of `k`, the player's own falls"),),
    ),
    Statistic(
        "pair_chains",
        "What becomes of pair cards: how far they are passed on, and who survives them.",
        "A chain (`share`, `length`), a pair that came to a player (`deflected`), a pair that stayed with one "
        "(`survived`), a game (`chains`; grouped by players, a player in a game); those of a game are a cluster.",
        (("length", "of a row of `share`: cards that passed it on, the starting one included; else null"),),
        BOTH,
        (),
        (
            Measure("chains", MEAN, "chains started in a game"),
            Measure("length", MEAN, "cards that passed a chain on, the starting one included", 1),
            Measure("share", SHARE, "of the chains, those of this length"),
            Measure("deflected", SHARE, "of the pairs that came to a player, those passed on"),
            Measure("survived", SHARE, "of the pairs that stayed with a player, those that were no fall"),
        ),
        (*OF_GAMES, *OF_PLAYERS),
        note="Grouped by player or seat, `chains`, `length` and `share` are of the chains that one started.",
    ),
    Statistic(
        "held",
        "What is held over the course of a round: ONO 99s, cards that always go, cards.",
        "A choice with no unknown card in hand; those of a game are a cluster.",
        _CHOICES,
        MEAN,
        (),
        (
            Measure("ono_99", MEAN, "`ono_99` in hand"),
            Measure("helpers", MEAN, "cards in hand that never take the total over the limit"),
            Measure("cards", MEAN, "cards in hand"),
        ),
        (*OF_GAMES, *OF_PLAYERS),
    ),
    Statistic(
        "head_to_head",
        "How often a player wins the games with another at the table.",
        "A game together; games are independent.",
        (_PLAYER, ("opponent", "the other")),
        SHARE,
        (
            ("expected", "the share by chance: the mean of one in as many as sat at the table"),
            ("ahead", "games that the player won and the opponent did not"),
            ("behind", "games that the opponent won and the player did not"),
        ),
        note="Each pair has two rows. At a table of more than two a third may have won.",
    ),
    Statistic(
        "streaks",
        "Games won and lost in a row.",
        "A game after a game that was won: how often it is won, too.",
        (_PLAYER,),
        SHARE,
        (
            ("games", "games played"),
            ("longest_won", "the most games won in a row"),
            ("longest_lost", "the most games lost in a row"),
            ("current", "games won in a row up to the last, or lost, as a negative number"),
        ),
        note="In the order of time; games without a time come last, in the order of their import.",
    ),
    Statistic(
        "tempo",
        "How long a choice takes, in milliseconds.",
        "A choice with a time, measured from the event before; those of a game are a cluster.",
        (),
        MEAN,
        by=(*OF_GAMES, *OF_PLAYERS),
        by_default=("player",),
        note="Without a grouping it is by player.",
    ),
    Statistic(
        "ratings",
        "How strong each player is, after the last game or, by year, month or day, after the last game of each.",
        "A game, in the order of time; games without a time come last, in the order of their import.",
        (_PLAYER,),
        MEAN,
        (
            ("sigma", "how unsure the rating is, as a standard deviation"),
            ("rating", "`mean` less three `sigma`: a strength that is hardly overrated"),
        ),
        note="`n` is the number of games rated, `mean` the strength (25 at first) in the model of Weng & Lin (2011, "
        "J. Mach. Learn. Res. 12, 267–300) for rankings after Plackett and Luce, as the library openskill has it; `low` "
        "and `high` are 1.96 `sigma` away. Winners are ranked first, all others share the second place. A game in which a "
        "player sits twice is not rated. With another grouping each group is rated on its own.",
    ),
)  # fmt: skip
STATISTIC: Final = {statistic.name: statistic for statistic in STATISTICS}
