"""Simulated games of every edition and match kind, with and without further options: what the fast lane is measured on."""

import re
from collections.abc import Iterator
from random import Random
from typing import get_args

from ono_replay.rules.ruleset import CHOICES, EDITIONS, MatchKind
from ono_replay.simulate.batch import simulate_games
from ono_replay.simulate.plan import Plan

_DIGEST = re.compile(rb'(?<="digest":"sha256:)[0-9a-f]{64}')
_NAME = b'"game_id":"'


def mix(games: int) -> list[bytes]:
    """So many games of each edition, match kind and set of options, shuffled; each with an id of its own."""
    chance = Random(7)
    logs: list[bytes] = []
    for edition in EDITIONS:
        for match in get_args(MatchKind):
            for options in range(4):
                rules = {
                    name: chance.choice(values)
                    for name, values in CHOICES.items()
                    if name not in ("edition", "match") and options and chance.random() < 0.3
                }
                plan = Plan(
                    edition=edition,
                    match=match,
                    players=chance.randint(2, 8 if edition == "1980" else 6),
                    seed=len(logs),
                    rules=rules,
                    bots=("random", "saver"),
                    decks=options == 3,
                )
                logs += simulate_games(plan, games * (4 if match == "single" else 1))
    chance.shuffle(logs)
    return logs


def endless(logs: list[bytes]) -> Iterator[bytes]:
    """The same games again and again, each time under other ids and with the digests of that."""
    from hashlib import sha256

    turn = 0
    while True:
        turn += 1
        for log in logs:
            renamed = log.replace(_NAME, _NAME + b"%d-" % turn, 1)
            before = renamed.rfind(b"\n", 0, -1) + 1
            digest = sha256(renamed[:before]).hexdigest().encode()
            yield renamed[:before] + _DIGEST.sub(digest, renamed[before:])
