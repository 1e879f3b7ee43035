"""Who sits at the table and by what rules: the first state of a game, as far as its first line tells it."""

from collections.abc import Mapping
from typing import Any

import msgspec

from ono_replay.rules.ruleset import RANGES, BadRuleset, Ruleset, check_player_count, make_ruleset
from ono_replay.rules.state import State, first_state

MOST_SEATS = RANGES["players_max"][1]


class Seating(msgspec.Struct, frozen=True):
    """The table as a game begins."""

    state: State | None
    """The first state, None where no game can be followed."""
    fault: BadRuleset | None = None
    """The first thing that is wrong with the ruleset or the number of players."""
    doubtful_rules: bool = False
    """What the rules find wrong later may come from the fault."""
    doubtful_seats: bool = False
    """A player may be missing, or be too many."""


def seat_players(options: Mapping[str, Any], seats: int) -> Seating:
    """Return the table of a ruleset as a log states it; options that are wrong are left out.

    >>> seating = seat_players({"edition": "2022", "max_total": "99"}, 2)
    >>> str(seating.fault), seating.state.ruleset.max_total
    ('the option max_total can not be "99"', 98)
    """
    fault: BadRuleset | None = None
    try:
        ruleset: Ruleset | None = make_ruleset(options)
    except BadRuleset as wrong:
        fault = wrong
        ruleset = _without_bad_options(options)
    if ruleset is None:
        return Seating(None, fault, doubtful_rules=True)
    doubtful_seats = False
    try:
        check_player_count(ruleset, seats)
    except BadRuleset as wrong:
        doubtful_seats = True
        fault = fault or wrong
    state = first_state(ruleset, seats) if 1 <= seats <= MOST_SEATS else None
    return Seating(state, fault, doubtful_rules=fault is not None, doubtful_seats=doubtful_seats)


def _without_bad_options(options: Mapping[str, Any]) -> Ruleset | None:
    """Return the ruleset of the options that are right, None if even the edition is not."""
    edition = options.get("edition")
    try:
        ruleset = make_ruleset({"edition": edition})
    except BadRuleset:
        return None
    good: dict[str, Any] = {"edition": edition}
    for name, value in options.items():
        try:
            ruleset = make_ruleset({**good, name: value})
        except BadRuleset:
            continue
        good[name] = value
    return ruleset
