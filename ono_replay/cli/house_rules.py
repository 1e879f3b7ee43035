"""`--edition` and `--rule KEY=VALUE`: a ruleset from the command line."""

import json
from collections.abc import Iterable
from typing import Any

from ono_replay.cli.guard import CannotRun
from ono_replay.rules.ruleset import BadRuleset, Ruleset, check_player_count, make_ruleset


def ruleset_from(edition: str, rules: Iterable[str], players: int, **options: Any) -> Ruleset:
    """Return the ruleset of an edition with `KEY=VALUE` rules, for so many players.

    A value is JSON (`99`, `true`, `{"0":12}`) or else a plain word. `options` are rules told in another
    way; the value None stands for none.

    >>> ruleset_from("2022", ["max_total=99", "nobody_can_play=last_to_play"], 2).max_total
    99
    """
    told = {"edition": edition} | {name: value for name, value in options.items() if value is not None}
    for rule in rules:
        name, equals, value = rule.partition("=")
        if not equals:
            raise CannotRun(f"a rule is KEY=VALUE, like max_total=99, not {rule!r}")
        told[name.strip()] = _value(value.strip())
    try:
        ruleset = make_ruleset(told)
        check_player_count(ruleset, players)
    except BadRuleset as error:
        expected = f"; expected {error.expected}" if error.expected else ""
        raise CannotRun(f"{error}{expected}") from None
    return ruleset


def _value(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text
