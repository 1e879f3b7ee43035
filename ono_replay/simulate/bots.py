"""Bots: what plays a seat. A bot is a function that is shown the table and picks one of the legal cards.

Your own is as short:

>>> def always_first(view, legal, rng):
...     return legal[0]
>>> bot_named("low") is BOTS["low"]
True
"""

import contextlib
import importlib
import sys
from collections.abc import Callable
from functools import lru_cache
from random import Random
from types import MappingProxyType

from msgspec.structs import replace

from ono_replay.rules.cards import DISCARD_FOUR, EFFECTS, HIDDEN, ONO_99, TOKENS, copies_of, count_copies
from ono_replay.rules.playable import why_unplayable
from ono_replay.rules.ruleset import EDITIONS, MinusTenFloor
from ono_replay.rules.state import State
from ono_replay.rules.transition import advance
from ono_replay.simulate.acts import play

Bot = Callable[[State, tuple[str, ...], Random], str]
"""`bot(view, legal, rng)` returns one of `legal`.

`view` is the state as the seat to act (`view.turn`) sees it: its own hand is `view.hands[view.turn]`, cards of
others are `"?"`, hands laid down are face up. `legal` are the distinct tokens it may play, in hand order,
`"discard_four"` last; a bot is asked only where there are at least two. What else a view has is told in
schemas/SIMULATION.md section 2. What a bot prints goes to standard error. Chance comes from `rng.random()` and
nowhere else, and nothing is remembered between calls: the same seed then gives the same game.
"""

SURE = 10_000
"""A chance of one. Chances and worths are whole numbers: floats may differ from machine to machine."""
KEPT = MappingProxyType(
    dict.fromkeys(EFFECTS, 1500)
    | {
        token: 1000 - 100 * effect.value
        for token, effect in EFFECTS.items()
        if effect.number and effect.value
    }
    | {token: 1300 for token, effect in EFFECTS.items() if effect.pair}
    | {"-10": 1200, ONO_99: 0}
)
"""What a card kept in hand is worth to `oneply`, to which half of `SURE` is seeing the next player fall."""


class NoSuchBot(ValueError):
    """A name that stands for no bot; the message says what does."""


def seen_by(state: State, seat: int) -> State:
    """Return the state as one seat sees it: the cards of others in play are unknown, so are the piles.

    >>> from ono_replay.rules.ruleset import EDITIONS
    >>> from ono_replay.rules.state import first_state
    >>> state = replace(first_state(EDITIONS["2022"], 2), hands=(("7", "9"), ("2", "ono_99")))
    >>> seen_by(state, 1).hands
    (('?', '?'), ('2', 'ono_99'))
    """
    hands = list(state.hands)
    in_sight = state.in_sight
    for other, hand in enumerate(hands):
        if other != seat and other not in state.out:
            in_sight -= count_copies(hand)
            hands[other] = (HIDDEN,) * len(hand)
    return replace(state, hands=tuple(hands), in_sight=in_sight, stack=None)


def face(card: str) -> int:
    """Return what a card adds to the total; a four-card discard adds nothing."""
    return 0 if card == DISCARD_FOUR else EFFECTS[card].value


def random(view: State, legal: tuple[str, ...], rng: Random) -> str:  # noqa: ARG001 - the interface of a bot
    """Play any card."""
    return legal[int(rng.random() * len(legal))]


def low(view: State, legal: tuple[str, ...], rng: Random) -> str:
    """Play the lowest number card; without one, any card."""
    numbers = [card for card in legal if card != DISCARD_FOUR and EFFECTS[card].number]
    return min(numbers, key=face) if numbers else random(view, legal, rng)


def saver(view: State, legal: tuple[str, ...], rng: Random) -> str:
    """Get rid of a ten, else of any number; action cards come after that, zeros and minus tens last."""
    adding = tuple(card for card in legal if face(card) > 0)
    if adding:
        return "10" if "10" in adding else random(view, adding, rng)
    spared = [card for card in legal if card not in ("0", "-10")]
    return max(spared or legal, key=face)


def oneply(view: State, legal: tuple[str, ...], rng: Random) -> str:  # noqa: ARG001 - the interface of a bot
    """Weigh the chance that the next player can't answer against what the card would be worth later."""
    seat = view.turn

    def worth(card: str) -> int:
        after = advance(view, play(view, 0, card))
        falls = chance_to_fall(after) // 2 if after.turn is not None and after.turn != seat else 0
        return falls - KEPT.get(card, 0)

    return max(legal, key=worth)


def chance_to_fall(state: State) -> int:
    """Return how likely the seat to act, its hand unknown, can't play all that it owes, of `SURE`.

    Its cards are taken as if drawn one by one, with replacement, from all that are not in sight.
    """
    rules = state.match.ruleset
    options = (rules.max_total, rules.minus_ten_floor, rules.ono_99_on_zero)
    unseen = state.draw_pile + sum([hand.count(HIDDEN) for hand in state.hands])
    held = len(state.hands[state.turn or 0])
    ways = max(1, unseen) ** held
    stands = SURE
    for due in range(state.plays_due, 0, -1):
        blocked = 0
        for card in blocked_cards(options, state.total, due):
            blocked += rules.deck.get(card, 0) - copies_of(state.in_sight, card)
        stands = stands * (ways - blocked**held) // ways
    return SURE - stands


@lru_cache(maxsize=1 << 12)
def blocked_cards(options: tuple[int, MinusTenFloor, bool], total: int, due: int) -> tuple[str, ...]:
    """Return the cards that can't be played at a total by a seat that owes so many.

    `options` are `max_total`, `minus_ten_floor` and `ono_99_on_zero`.

    >>> blocked_cards((98, "clamp", False), 92, 1)
    ('7', '8', '9', '10', 'ono_99')
    """
    max_total, floor, on_zero = options
    rules = replace(EDITIONS["2022"], max_total=max_total, minus_ten_floor=floor, ono_99_on_zero=on_zero)
    return tuple(card for card in TOKENS if why_unplayable(rules, total, card, plays_due=due) is not None)


BOTS: dict[str, Bot] = {"random": random, "low": low, "saver": saver, "oneply": oneply}
"""The bots that come with the project, weakest first."""


def bot_named(name: str) -> Bot:
    """Return a bot by its name, or your own as `module:function`.

    Raises `NoSuchBot`.
    """
    if name in BOTS:
        return BOTS[name]
    module, colon, function = name.partition(":")
    if not colon:
        raise NoSuchBot(
            f"no bot is called {name!r}; there are {', '.join(BOTS)}, or your own as module:function"
        )
    try:
        with contextlib.redirect_stdout(sys.stderr):
            bot: Bot = getattr(importlib.import_module(module), function)
    except ModuleNotFoundError as error:
        raise NoSuchBot(f"the bot {name!r} can not be loaded: {error}") from error
    except AttributeError:
        raise NoSuchBot(f"the module {module} has no bot {function!r}") from None
    if not callable(bot):
        raise NoSuchBot(f"{name} can not be called with a view, legal cards and a random source")
    return bot
