"""Rulesets as the kernel takes them: each distinct text is read and checked once."""

import threading

import numpy as np

from ono_replay.bulk.board import (
    ANY_STARTER,
    FLOOR_CLAMP,
    FLOOR_ILLEGAL,
    FLOOR_NONE,
    FOUR_AS_PLAY,
    FOUR_FREE,
    FOUR_OFF,
    LAST_STANDING,
    LEFT_OF_DEALER,
    LOW_SCORE,
    NO_POINTS,
    ROUND_LOSER,
    RULES,
    lanes,
)
from ono_replay.bulk.layout import records
from ono_replay.log.jsonl import parse_line
from ono_replay.rules.cards import ORDER
from ono_replay.rules.events import GameStart
from ono_replay.rules.ruleset import BadRuleset, Ruleset, make_ruleset

MOST_KEPT = 4096
"""Distinct rulesets that are remembered; past them all are forgotten and learnt anew."""

_FLOORS = {"none": FLOOR_NONE, "clamp": FLOOR_CLAMP, "illegal": FLOOR_ILLEGAL}
_FOURS = {"off": FOUR_OFF, "as_play": FOUR_AS_PLAY, "free_action": FOUR_FREE}
_POINTS = {"points_last_standing": LAST_STANDING, "points_low_score": LOW_SCORE}
_STARTERS = {"round_loser": ROUND_LOSER, "left_of_dealer": LEFT_OF_DEALER, "any": ANY_STARTER}


class Rulebook:
    """The rulesets met so far, by their text."""

    def __init__(self) -> None:
        """Begin with none."""
        self._known: dict[bytes, int] = {}
        self._table = records(16, RULES)
        self._lock = threading.Lock()

    def look_up(self, texts: list[bytes]) -> tuple[np.ndarray, list[int]]:
        """Return a table of `RULES` records and the place in it of each text.

        A ruleset that is not good, or not canonical, seats nobody.
        """
        with self._lock:
            if len(self._known) + len(texts) > MOST_KEPT:
                self._known = {}
                self._table = records(16, RULES)
            places = [self._place_of(text) for text in texts]
            return self._table, places

    def _place_of(self, text: bytes) -> int:
        place = self._known.get(text)
        if place is None:
            place = self._known[text] = len(self._known)
            if place == len(self._table):
                # Others may be reading the old one.
                self._table = np.concatenate([self._table, records(place, RULES)]).view(np.recarray)
            self._table[place] = _read(text)
        return place


_BEFORE = b'{"seq":0,"type":"game_start","format":"ono-log","version":"1.0","game_id":"x","ruleset":'
_AFTER = b',"players":[],"dealer":null,"view":"full"}'


def _read(text: bytes) -> np.record:
    found = parse_line(_BEFORE + text + _AFTER)
    if isinstance(found, GameStart):  # else the text is not canonical
        try:
            return as_record(make_ruleset(found.ruleset))
        except BadRuleset:
            pass
    return records(1, RULES)[0]


def as_record(ruleset: Ruleset) -> np.record:
    """Return a ruleset as a `RULES` record."""
    fields = {
        "max_total": ruleset.max_total,
        "floor": _FLOORS[ruleset.minus_ten_floor],
        "reverse_deflects": ruleset.reverse_deflects_two_players,
        "four": _FOURS[ruleset.four_ono_99],
        "on_zero": ruleset.ono_99_on_zero,
        "last_to_play": ruleset.nobody_can_play == "last_to_play",
        "may_forfeit": ruleset.missed_draw == "forfeit",
        "open_with_number": ruleset.opening_card == "number",
        "keep_top": ruleset.reshuffle_keep_top,
        "single": ruleset.match == "single",
        "chips_match": ruleset.match == "chips",
        "points_match": _POINTS.get(ruleset.match, NO_POINTS),
        "chips": ruleset.chips,
        "target": ruleset.points_target or 0,
        "starter": _STARTERS[ruleset.next_starter],
        "players_min": ruleset.players_min,
        "players_max": ruleset.players_max,
        "deck_size": ruleset.deck_size,
        "deck": [ruleset.deck.get(token, 0) for token in ORDER],
        "deck_lanes": lanes(lambda token, _: token in ruleset.deck),
    }
    made = records(1, RULES)
    made[0] = tuple(fields[name] for name in RULES.names or ())
    return made[0]
