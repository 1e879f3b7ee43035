"""A ruleset is one data record: an edition's defaults plus the options of schemas/SPECIFICATION.md section 6."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Literal, get_args

import msgspec

from ono_replay.rules.cards import EFFECTS, TOKENS

Edition = Literal["1980", "2022"]
MinusTenFloor = Literal["none", "clamp", "illegal"]
FourOno99 = Literal["off", "as_play", "free_action"]
NobodyCanPlay = Literal["sequential", "last_to_play"]
MissedDraw = Literal["forfeit", "not_allowed"]
OpeningCard = Literal["any", "number"]
MatchKind = Literal["single", "chips", "points_last_standing", "points_low_score"]
NextStarter = Literal["round_loser", "left_of_dealer", "any"]

MAX_COPIES = (1 << 31) - 1
"""The most copies of one token that a deck may have: a lane of `cards.count_copies` must hold them."""


class Ruleset(msgspec.Struct, frozen=True):
    """The rules of one table; every field is an option of schemas/SPECIFICATION.md section 6, in that order.

    >>> EDITIONS["1980"].minus_ten_floor, EDITIONS["2022"].minus_ten_floor
    ('none', 'clamp')
    """

    edition: Edition
    max_total: int = 98
    minus_ten_floor: MinusTenFloor = "none"
    reverse_deflects_two_players: bool = True
    four_ono_99: FourOno99 = "off"
    ono_99_on_zero: bool = False
    nobody_can_play: NobodyCanPlay = "sequential"
    missed_draw: MissedDraw = "not_allowed"
    opening_card: OpeningCard = "any"
    reshuffle_keep_top: bool = False
    match: MatchKind = "single"
    chips: int = 3
    points_target: int | None = None
    next_starter: NextStarter = "round_loser"
    deck: Mapping[str, int] = {}
    players_min: int = 2
    players_max: int = 8

    @property
    def deck_size(self) -> int:
        """Cards in the whole deck."""
        return sum(self.deck.values())

    @property
    def scores_points(self) -> bool:
        """Whether rounds are scored in points."""
        return self.match in ("points_last_standing", "points_low_score")


def _deck(**counts: int) -> Mapping[str, int]:
    return MappingProxyType({token: counts[token] for token in TOKENS if token in counts})


EDITIONS: dict[str, Ruleset] = {
    "1980": Ruleset(
        edition="1980",
        minus_ten_floor="none",
        missed_draw="forfeit",
        match="chips",
        deck=_deck(
            **dict.fromkeys("23456789", 3),
            **{"10": 10, "-10": 4, "reverse": 6, "hold": 4, "double_play": 2, "ono_99": 4},
        ),
        players_max=8,
    ),
    "2022": Ruleset(
        edition="2022",
        minus_ten_floor="clamp",
        four_ono_99="as_play",
        deck=_deck(
            **{"0": 8},
            **dict.fromkeys("123456789", 6),
            **{"10": 10, "-10": 10, "reverse": 10, "play_2": 10, "ono_99": 10},
        ),
        players_max=6,
    ),
}
"""The defaults of each edition (schemas/SPECIFICATION.md sections 2 and 6)."""

CHOICES: dict[str, tuple[object, ...]] = {
    "edition": get_args(Edition),
    "minus_ten_floor": get_args(MinusTenFloor),
    "reverse_deflects_two_players": (True, False),
    "four_ono_99": get_args(FourOno99),
    "ono_99_on_zero": (True, False),
    "nobody_can_play": get_args(NobodyCanPlay),
    "missed_draw": get_args(MissedDraw),
    "opening_card": get_args(OpeningCard),
    "reshuffle_keep_top": (True, False),
    "match": get_args(MatchKind),
    "next_starter": get_args(NextStarter),
}
"""The values that each option may have, where they are few."""
RANGES: dict[str, tuple[int, int]] = {
    "max_total": (1, 999),
    "chips": (1, 99),
    "points_target": (1, 9999),
    "players_min": (2, 99),
    "players_max": (2, 99),
}
"""The smallest and the largest value of each option that is a number."""
OPTIONS: tuple[str, ...] = Ruleset.__struct_fields__
"""The names of all options, in canonical order."""


class BadRuleset(ValueError):
    """A ruleset that no table can play by; `expected` says what would be right, where that is short.

    `option` names the option at fault, None where it is the number of players.
    """

    def __init__(
        self, message: str, expected: str | None = None, actual: object = None, *, option: str | None = None
    ) -> None:
        """Keep what was wrong, what was expected, what stood there and in which option."""
        super().__init__(message)
        self.expected = expected
        self.actual = actual
        self.option = option


def _check_option(name: str, value: object) -> None:
    if name in CHOICES:
        choices = CHOICES[name]
        if not any(value is choice or (isinstance(value, str) and value == choice) for choice in choices):
            shown = " or ".join("true" if c is True else "false" if c is False else f'"{c}"' for c in choices)
            message = f"the option {name} can not be {_shown(value)}"
            if name == "edition" and type(value) is int:
                message = f"the edition must be the text {shown}, not the number {_shown(value)}"
            raise BadRuleset(message, shown, value, option=name)
    elif name in RANGES:
        low, high = RANGES[name]
        if type(value) is not int or not low <= value <= high:
            expected = f"an integer from {low} to {high}"
            raise BadRuleset(f"the option {name} can not be {_shown(value)}", expected, value, option=name)
    elif name == "deck":
        _check_deck(value)
    else:
        choices_of_names = "one of " + ", ".join(OPTIONS)
        raise BadRuleset(f"there is no option {_shown(name)}", choices_of_names, name, option=name)


def _check_object(options: object) -> None:
    if not isinstance(options, Mapping):
        given = f"the number {_shown(options)}" if type(options) is int else _shown(options)
        message = f'a ruleset must be an object of options like {{"edition": "2022"}}, not {given}'
        raise BadRuleset(message, "an object", options)


def _check_deck(deck: object) -> None:
    if not isinstance(deck, Mapping) or not deck:
        message = "the option deck must be an object of card tokens and counts"
        raise BadRuleset(message, None, deck, option="deck")
    for token, copies in deck.items():
        if token not in EFFECTS:
            message = f"the deck can not have a card {_shown(token)}, which does not exist"
            raise BadRuleset(message, "a card token", token, option="deck")
        if type(copies) is not int or not 0 <= copies <= MAX_COPIES:
            message = f"the deck can not have {_shown(copies)} copies of {token}"
            raise BadRuleset(message, "a count", copies, option="deck")
    if not any(deck.values()):
        raise BadRuleset("the deck has no cards", "at least one card", deck, option="deck")


def _shown(value: object) -> str:
    """Return a value of a ruleset as it may stand in a message: as in the log, and short."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, Mapping | list | tuple):
        return "an object" if isinstance(value, Mapping) else "an array"
    text = f'"{value}"' if isinstance(value, str) else str(value)
    return text if len(text) <= 60 else text[:59] + "…"


def make_ruleset(options: Mapping[str, Any]) -> Ruleset:
    """Return the ruleset of an edition with the options that differ from its defaults.

    `options` maps names of schemas/SPECIFICATION.md section 6 to JSON values; `edition` is required. Options of another
    `match` than the one played are accepted and change nothing.

    Raises `BadRuleset` for an unknown edition or option, an impossible value, a points match without
    its target, and for what is no mapping.

    >>> make_ruleset({"edition": "2022", "max_total": 99}).max_total
    99
    """
    _check_object(options)
    if "edition" not in options:
        raise BadRuleset("the ruleset names no edition", '"1980" or "2022"', option="edition")
    for name, value in options.items():
        _check_option(name, value)
    changes = dict(options)
    if "deck" in changes:
        deck = changes["deck"]
        changes["deck"] = MappingProxyType({t: deck[t] for t in TOKENS if deck.get(t)})
    ruleset: Ruleset = msgspec.structs.replace(EDITIONS[changes.pop("edition")], **changes)
    if ruleset.players_min > ruleset.players_max:
        raise BadRuleset(
            f"players_min {ruleset.players_min} is more than players_max {ruleset.players_max}",
            "players_min at most players_max",
            option="players_min",
        )
    if ruleset.scores_points and ruleset.points_target is None:
        message = f"a {ruleset.match} match needs a points_target"
        raise BadRuleset(message, "an integer from 1 to 9999", option="match")
    return ruleset


def check_player_count(ruleset: Ruleset, players: int) -> None:
    """Raise `BadRuleset` if so many players can not sit at the table."""
    if not ruleset.players_min <= players <= ruleset.players_max:
        raise BadRuleset(
            f"{players} players can not play by this ruleset",
            f"{ruleset.players_min} to {ruleset.players_max} players",
            players,
        )


def differing_options(ruleset: Ruleset) -> dict[str, Any]:
    """Return the edition and the options that differ from its defaults, in canonical order.

    >>> differing_options(make_ruleset({"edition": "1980", "match": "single"}))
    {'edition': '1980', 'match': 'single'}
    """
    default = EDITIONS[ruleset.edition]
    options: dict[str, Any] = {"edition": ruleset.edition}
    for name in OPTIONS[1:]:
        value = getattr(ruleset, name)
        if value != getattr(default, name):
            options[name] = dict(value) if name == "deck" else value
    return options
