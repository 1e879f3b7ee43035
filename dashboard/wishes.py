"""Games that somebody wants to begin: what they ask for, and whether it goes."""

from collections.abc import Sequence
from typing import Final

import msgspec

from ono_replay.check.printable import printable
from ono_replay.check.render.summary import capitalised
from ono_replay.cli.guard import CannotRun
from ono_replay.cli.house_rules import ruleset_from
from ono_replay.cli.new_game import split_rules
from ono_replay.record.names import why_alike
from ono_replay.record.profiles import data_folder, load_profiles
from ono_replay.rules.ruleset import Ruleset

_MOST_PLAYERS: Final = 8
_LONGEST_NAME: Final = 80
_HOW_MANY: Final = f"Two to {_MOST_PLAYERS} players, each with a name of at most {_LONGEST_NAME} letters."


class Trouble(Exception):
    """Why a request is not done, in words, with the status that tells a program."""

    def __init__(self, status: int, words: str) -> None:
        """Keep both."""
        super().__init__(words)
        self.status = status
        self.told: dict[str, bool] = {}
        """What a page is told beside the words."""


class NotYours(Trouble):
    """A request of a page that does not write the recording, told as a value, too."""

    def __init__(self, words: str) -> None:
        """Keep the words."""
        super().__init__(409, words)
        self.told = {"mine": False}


class Unfit(Trouble):
    """Why no game can begin as somebody wishes: an answer like others, so no error in the console of a browser."""

    def __init__(self, words: str) -> None:
        """Keep the words."""
        super().__init__(200, words)


class Begin(msgspec.Struct, forbid_unknown_fields=True):
    """A game to begin."""

    writer: str
    players: list[str]
    edition: str = "2022"
    rules: str = ""
    """House rules as the terminal takes them, or the name of some that are remembered."""
    dealer: int | None = None
    """A seat."""
    id: str = ""
    """What the page calls this game, until it knows of its recording."""


class Wish(Begin):
    """A game that is being put together, and the name that is being typed."""

    typed: str = ""


def planned(wish: Begin) -> tuple[list[str], Ruleset, str | None]:
    """Return the names and rules of a game, and what the rules are remembered as; raises `Unfit`."""
    names = [name.strip() for name in wish.players]
    if len(names) < 2:
        raise Unfit(_HOW_MANY)
    why = why_not_together(names)
    if why is not None:
        raise Unfit(why)
    if wish.dealer is not None and not 0 <= wish.dealer < len(names):
        raise Unfit("Who deals is none of the players.")
    remembered = load_profiles(data_folder()).rules
    known = next((rules for rules in remembered if rules.name == wish.rules.strip()), None)
    try:
        if known is None:
            return names, ruleset_from(wish.edition, split_rules(wish.rules), len(names)), None
        options = {name: value for name, value in known.options.items() if name != "edition"}
        ruleset = ruleset_from(str(known.options.get("edition", "2022")), (), len(names), **options)
    except (CannotRun, ValueError) as reason:
        raise Unfit(capitalised(printable(str(reason))).rstrip(".") + ".") from None
    return names, ruleset, known.name


def why_not_together(players: Sequence[str]) -> str | None:
    """Return why these can not sit at one table; None where they can, also when more are to come."""
    names = [name.strip() for name in players]
    if len(names) > _MOST_PLAYERS or not all(0 < len(name) <= _LONGEST_NAME for name in names):
        return _HOW_MANY
    alike = why_alike(names)
    return None if alike is None else printable(alike)
