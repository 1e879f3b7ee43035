"""What is to be simulated: the table, who plays, the seed, and how careless the players are."""

from collections.abc import Iterator
from typing import Any

import msgspec

from ono_replay.rules.events import View
from ono_replay.rules.ruleset import Ruleset, check_player_count, make_ruleset
from ono_replay.rules.setup import HAND_SIZE
from ono_replay.simulate.bots import Bot, bot_named

DEFAULT_TARGET = 100
LARGEST_SEED = 2**63 - 1


class BadPlan(ValueError):
    """A simulation that can not be run; the message says why."""


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """A simulation: everything that decides its bytes but the number of games.

    >>> Plan(edition="1980", players=3, seed=7).ruleset().match
    'chips'
    """

    edition: str = "2022"
    players: int = 2
    seed: int
    bots: tuple[str | Bot, ...] = ("random",)
    """Names (`bots.bot_named`) or functions, repeated around the table."""
    match: str | None = None
    """The kind of match; None for the edition's."""
    points_target: int = DEFAULT_TARGET
    """For points matches."""
    rules: dict[str, Any] = {}
    """Further options of the ruleset (schemas/SPECIFICATION.md section 6); they come before `match` and `points_target`."""
    forfeits: float = 0.0
    """How often a draw that may be forfeited is, from 0 to 1."""
    mistakes: float = 0.0
    """How often a player does something irregular that is let stand, from 0 to 1."""
    decks: bool = False
    """Record whole decks beside the seed they come from."""
    view: View = "full"
    """What the log shows (`log.redact`); a `full` one shows everything."""
    viewer: int | None = None
    """The seat of a `seat` view."""

    def ruleset(self) -> Ruleset:
        """Return the rules of the table.

        Raises `BadRuleset` for an impossible option, `BadPlan` for what no game can be dealt with.
        """
        options: dict[str, Any] = {"edition": self.edition}
        if self.match is not None:
            options["match"] = self.match
        options |= self.rules
        if options.get("match") in ("points_last_standing", "points_low_score"):
            options.setdefault("points_target", self.points_target)
        ruleset = make_ruleset(options)
        check_player_count(ruleset, self.players)
        if HAND_SIZE * self.players > ruleset.deck_size:
            raise BadPlan(
                f"a deck of {ruleset.deck_size} cards is too small to deal {self.players} players four each"
            )
        return ruleset

    def seats(self) -> Iterator[tuple[str, Bot]]:
        """Yield the name and the bot of each seat; who sits more than once has the seat in the name.

        Raises `NoSuchBot`.

        >>> [name for name, _ in Plan(players=3, seed=1, bots=("low", "saver")).seats()]
        ['low-0', 'saver', 'low-2']
        """
        around = [self.bots[seat % len(self.bots)] for seat in range(self.players)]
        names = [_name_of(bot) for bot in around]
        for seat, (name, bot) in enumerate(zip(names, around, strict=True)):
            shown = name if names.count(name) == 1 else f"{name}-{seat}"
            yield shown, bot_named(bot) if isinstance(bot, str) else bot

    def check(self) -> None:
        """Raise `BadPlan`, `BadRuleset` or `NoSuchBot` if this can not be simulated."""
        ruleset = self.ruleset()
        if not 0 <= self.seed <= LARGEST_SEED:
            raise BadPlan(f"the seed can not be {self.seed}: a whole number from 0 to {LARGEST_SEED}")
        if not self.bots:
            raise BadPlan("no bot is named")
        if len(self.bots) > self.players:
            raise BadPlan(f"{len(self.bots)} bots are named for {self.players} players")
        for name, share in (("forfeits", self.forfeits), ("mistakes", self.mistakes)):
            if not 0 <= share <= 1:
                raise BadPlan(f"{name} can not be {share}: a number from 0 to 1")
        if self.forfeits and ruleset.missed_draw != "forfeit":
            raise BadPlan("no draw can be forfeited by this ruleset: it needs missed_draw=forfeit")
        if (self.viewer is None) == (self.view == "seat"):
            raise BadPlan("a viewer belongs to the view of a seat, and to no other")
        if self.viewer is not None and not 0 <= self.viewer < self.players:
            raise BadPlan(f"there is no seat {self.viewer}: the seats are 0 to {self.players - 1}")
        list(self.seats())


def _name_of(bot: str | Bot) -> str:
    if isinstance(bot, str):
        return bot.rpartition(":")[2]
    return getattr(bot, "__name__", type(bot).__name__)
