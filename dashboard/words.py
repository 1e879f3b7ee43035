"""What the values of a library are called on the pages, and what a choice of games is in words."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from ono_replay.check.printable import printable
from ono_replay.export.wording import name_of_card
from ono_replay.library.choice import NOTHING
from ono_replay.rules.cards import EFFECTS

MATCHES: Final = {
    "single": "single round",
    "chips": "match for chips",
    "points_last_standing": "points, last one standing",
    "points_low_score": "points, lowest score",
}
CAUSES: Final = {
    "first_card": "no card fitted",
    "second_card": "no second card fitted",
    "only_ono_99": "held only ONO 99",
    "bust": "went over the limit",
    "left": "left the game",
    "timeout": "ran out of time",
}
_FELL: Final = {
    "first_card": "someone fell because no card fitted",
    "second_card": "someone fell because no second card fitted",
    "only_ono_99": "someone fell holding only ONO 99",
    "bust": "someone laid a card over the limit",
    "left": "someone left the game",
    "timeout": "someone ran out of time",
}
WAYS: Final = {
    "edition": "edition",
    "match": "kind of match",
    "n_players": "players at the table",
    "max_total": "limit",
    "view": "view of the log",
    "app": "program that wrote the log",
    "year": "year",
    "month": "month",
    "day": "day",
    "imported": "import",
    "player": "player",
    "seat": "seat",
    "bot": "people and programs",
    "starter": "who starts",
    "order": "order of play",
}
"""The ways to compare."""
_ENDINGS: Final = {1: "st", 2: "nd", 3: "rd"}


def value_words(column: str, value: Any) -> str:
    """Return what a value of a column is called, safe to show.

    >>> value_words("n_players", 4), value_words("starter", True), value_words("app", None)
    ('4 players', 'who starts', 'program not known')
    >>> [value_words("order", place) for place in (0, 1, 3, 11, 21)]
    ['starts', '2nd to play', '4th to play', '12th to play', '22nd to play']
    """
    if value is None:
        return {"app": "program not known"}.get(column, "no time in the log")
    match column:
        case "match":
            return MATCHES.get(value, str(value))
        case "cause":
            return CAUSES.get(value, str(value))
        case "card":
            return name_of_card(value) if value in EFFECTS else printable(str(value))
        case "edition":
            return f"edition {value}"
        case "n_players":
            return f"{value} players"
        case "max_total":
            return f"limit {value}"
        case "seat":
            return f"seat {value}"
        case "imported":
            return f"import {value}"
        case "bot":
            return "programs" if value else "people"
        case "starter":
            return "who starts" if value else "the others"
        case "order":
            if not isinstance(value, int):
                return f"order of play {printable(str(value))}"
            return f"{_ordinal(value + 1)} to play" if value else "starts"
        case "first_choice":
            return f"{value} to {value + 9}"
    return printable(str(value))


def _ordinal(number: int) -> str:
    ending = "th" if number % 100 in (11, 12, 13) else _ENDINGS.get(number % 10, "th")
    return f"{number}{ending}"


_OF_A_MACHINE: Final = re.compile(r"[0-9a-f]{8}(?:-?[0-9a-f]{4}){3}-?[0-9a-f]{12}", re.ASCII | re.IGNORECASE)
"""An id that no human gave: a UUID."""


def game_called(game_id: str | None, started_at: str, players: Sequence[str]) -> str:
    """Return what a game is called: its id, or when it began and who played, where the id says nothing to a human.

    >>> game_called("kitchen-7", "2026-11-30T19:04:11+01:00", ["Anna", "Ben"])
    'kitchen-7'
    >>> game_called("2f1c6f0e-4b1d-4a53-9d9b-0d3c5a7e8f10", "2026-11-30T19:04:11+01:00", ["Anna", "Ben"])
    '2026-11-30 19:04 · Anna, Ben'
    """
    if game_id is not None and not _OF_A_MACHINE.fullmatch(game_id):
        return printable(game_id)
    when = printable(started_at[:16].replace("T", " "))
    told = " · ".join(part for part in (when, printable(", ".join(players))) if part)
    return told or printable(game_id or "without an id")


def value_told(value: Any) -> str:
    """Return a value as an address has it."""
    if value is None:
        return NOTHING
    return str(value).lower() if isinstance(value, bool) else str(value)


def choice_words(choice: Mapping[str, str]) -> list[str]:
    """Return what a choice of games means, a phrase for each part.

    >>> choice_words({"player": "Ann", "won": "yes", "edition": "1980"})
    ['edition 1980', 'Ann won']
    >>> choice_words({"player": "Ann", "cause": "first_card"}), choice_words({"cause": "first_card"})
    (['Ann fell because no card fitted'], ['someone fell because no card fitted'])
    """
    said = dict(choice)
    who = [
        value_words(name, _back(name, said.pop(name)))
        for name in ("player", "seat", "starter", "order", "bot")
        if name in said
    ]
    phrases = []
    won, has_set = said.pop("won", None), said.pop("set", None)
    if who or won or has_set:
        deeds = [{"yes": "won", "no": "did not win"}.get(won or "", "")]
        deeds += ["set a total that someone fell under"] if has_set else []
        # What happened is meant of the player that is named.
        happened = [name for name in _DONE if name in said] if who else []
        deeds += [_DONE[name](said.pop(name)) for name in happened]
        deed = " and ".join(filter(None, deeds))
        phrases = [f"{', '.join(who) or 'somebody'} {deed or 'played'}"]
    if "card" in said:
        use = said.pop("use", "played")
        done = {"fatal": "set a total that someone fell under", "forced": "was the only legal card"}
        phrases.append(f"{value_words('card', said.pop('card'))} {done.get(use, f'was {use}')}")
    return [_phrase(name, value) for name, value in said.items()] + phrases


_OF_PAIRS: Final = {"deflected": "passed a pair on", "survived": "survived a pair", "fell": "fell by a pair"}
_DONE: Final[dict[str, Callable[[str], str]]] = {
    "cause": lambda value: _FELL.get(value, f"someone fell: {printable(value)}").removeprefix("someone "),
    "chain": lambda value: f"started a pair chain of {printable(value)}",
    "pairs": lambda value: _OF_PAIRS.get(value, "met a pair"),
}
"""What may have happened to a player, as the end of a sentence."""


def _phrase(name: str, value: str) -> str:
    match name:
        case "q":
            return f"“{printable(value)}” in it"
        case "opponent":
            return f"{printable(value)} played"
        case "cause":
            return _FELL.get(value, f"someone fell: {printable(value)}")
        case "chain":
            return f"a pair chain of {printable(value)}"
        case "pairs":
            done = {"deflected": "passed on", "survived": "survived", "fell": "fatal"}
            return f"a pair was {done[value]}" if value in done else "a pair was played"
        case "sort":
            sorts = {
                "counted": "played to the end, by the rules",
                "unfinished": "not played to the end",
                "irregular": "a fault was let stand",
            }
            return sorts.get(value, printable(value))
        case "code":
            return f"finding {printable(value)}"
        case "file":
            return f"from {printable(value)}"
        case "with_times":
            return "with times"
        case "reaches":
            return f"a round of {printable(value)} choices or more"
    return value_words(name, _back(name, value))


def _back(name: str, value: str) -> Any:
    """Return the value that an address means."""
    if value == NOTHING:
        return None
    if name in ("starter", "bot"):
        return value == "true"
    return int(value) if name == "order" and value.isascii() and value.isdigit() else value
