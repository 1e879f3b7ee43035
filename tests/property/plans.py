"""Simulations of every option, match kind and bot, for the laws that hold for all games."""

from random import Random
from typing import Any, get_args

from hypothesis import strategies as st

from ono_replay.rules.cards import TOKENS
from ono_replay.rules.ruleset import CHOICES, EDITIONS, MatchKind
from ono_replay.simulate.bots import BOTS
from ono_replay.simulate.plan import Plan

MOST_PLAYERS = 6
MATCHES = get_args(MatchKind)


def rules() -> st.SearchStrategy[dict[str, object]]:
    """Options beside edition, match and target; house decks are large enough for `MOST_PLAYERS`."""
    choices = {
        name: st.sampled_from(values) for name, values in CHOICES.items() if name not in ("edition", "match")
    }
    ranges = {
        "max_total": st.sampled_from([98, 99, 1, 20, 150]),
        "chips": st.integers(1, 3),
        "deck": st.dictionaries(st.sampled_from(TOKENS), st.integers(6, 12), min_size=4),
    }
    return st.fixed_dictionaries({}, optional=choices | ranges)


@st.composite
def plans(draw: st.DrawFn, *, mistakes: bool = False) -> Plan:
    """A simulation that can be run; with `mistakes` one with irregular play."""
    edition = draw(st.sampled_from(list(EDITIONS)))
    options = draw(rules())
    missed_draw = options.get("missed_draw", EDITIONS[edition].missed_draw)
    return Plan(
        edition=edition,
        players=draw(st.integers(2, MOST_PLAYERS)),
        seed=draw(st.integers(0, 1 << 32)),
        bots=tuple(draw(st.lists(st.sampled_from(list(BOTS)), min_size=1, max_size=2))),
        match=draw(st.sampled_from([None, *MATCHES])),
        points_target=draw(st.sampled_from([1, 60, 150])),
        rules=options,
        forfeits=draw(st.sampled_from([0.0, 0.3])) if missed_draw == "forfeit" else 0.0,
        mistakes=0.05 if mistakes else 0.0,
        decks=draw(st.booleans()),
    )


def random_plan(chance: Random) -> Plan:
    """The same without hypothesis, for runs of many thousands: every choice of every option is about as likely."""
    edition = chance.choice(list(EDITIONS))
    options: dict[str, Any] = {
        name: chance.choice(values)
        for name, values in CHOICES.items()
        if name not in ("edition", "match") and chance.random() < 0.5
    }
    if chance.random() < 0.3:
        options["max_total"] = chance.choice([98, 1, 20, 150])
    if chance.random() < 0.3:
        options["chips"] = chance.randint(1, 3)
    if chance.random() < 0.2:
        options["deck"] = {
            card: chance.randint(6, 12) for card in chance.sample(TOKENS, chance.randint(4, 12))
        }
    missed_draw = options.get("missed_draw", EDITIONS[edition].missed_draw)
    return Plan(
        edition=edition,
        players=chance.randint(2, MOST_PLAYERS),
        seed=chance.randrange(1 << 32),
        bots=tuple(chance.choices(list(BOTS), k=chance.randint(1, 2))),
        match=chance.choice([None, *MATCHES]),
        points_target=chance.choice([1, 60, 150]),
        rules=options,
        forfeits=chance.choice([0.0, 0.3]) if missed_draw == "forfeit" else 0.0,
        decks=chance.random() < 0.5,
    )
