"""Players by the names that the table types: case and accents do not matter, a unique beginning is enough.

>>> seats_meant(["Ann", "Zoë", "Anna"], "zoe"), seats_meant(["Ann", "Zoë", "Anna"], "Ann")
([1], [0])
>>> seats_meant(["Ann", "Zoë", "Anna"], "an"), seats_meant(["Ann", "Zoë", "Anna"], "2")
([0, 2], [2])
"""

import re
import unicodedata
from collections.abc import Sequence

from ono_replay.check.phrases import join_words
from ono_replay.log.seat_names import seats_called
from ono_replay.rules.events import Player

_DASHES = (
    "\N{HYPHEN}\N{NON-BREAKING HYPHEN}\N{FIGURE DASH}\N{EN DASH}\N{EM DASH}\N{HORIZONTAL BAR}\N{MINUS SIGN}"
)
DASHES = str.maketrans(dict.fromkeys(f"{_DASHES}\ufe58\ufe63\uff0d", "-"))
"""Every sign that is typed or pasted for a minus."""
_LETTERS = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "æ": "ae", "œ": "oe", "ı": "i"})


def plain(name: str) -> str:
    """Return a name without case and accents, to compare it.

    >>> plain("  Chloé  Øst "), plain("JÜRGEN") == plain("jurgen")
    ('chloe ost', True)
    """
    parted = unicodedata.normalize("NFKD", name.translate(DASHES).casefold().translate(_LETTERS))
    return " ".join("".join(sign for sign in parted if not unicodedata.combining(sign)).split())


def seats_meant(names: Sequence[str], word: str) -> list[int]:
    """Return the seats that a word may mean: as `seats_called`, else but for accents, else by the name's beginning."""
    called = seats_called(names, word)
    if called or word.strip().isdigit():
        return called
    wanted, plainly = plain(word), [plain(name) for name in names]
    same = [seat for seat, name in enumerate(plainly) if name == wanted]
    return same or [seat for seat, name in enumerate(plainly) if wanted and name.startswith(wanted)]


def seat_meant(names: Sequence[str], word: str) -> int | None:
    """Return the one seat that a word means, None where there is none or more than one."""
    found = seats_meant(names, word)
    return found[0] if len(found) == 1 else None


def why_no_seat(names: Sequence[str], word: str) -> str:
    """Return why a word is not the seat of a player.

    >>> why_no_seat(["Ann", "Bo"], "Boo")
    'There is no player Boo; there are 0 Ann, 1 Bo'
    >>> why_no_seat(["Ann", "Bo"], "7"), why_no_seat(["Ann", "Ann"], "ann")
    ('There is no seat 7; there are 0 Ann, 1 Bo', 'ann could be 0 Ann or 1 Ann; give the seat')
    """
    word = word.strip()[:80]
    found = seats_meant(names, word)
    if len(found) > 1:
        return (
            f"{word} could be {join_words([f'{seat} {names[seat]}' for seat in found], 'or')}; give the seat"
        )
    what = "seat" if re.fullmatch(r"-?\d+", word) else "player"
    return f"There is no {what} {word}; there are {list_seats(names)}"


def why_alike(names: Sequence[str]) -> str | None:
    """Return why players can not begin with these names, because two are called the same; None where they differ.

    >>> why_alike(["Ann", "Bo"]), why_alike(["Chloé", "Chloe"])
    (None, None)
    >>> why_alike(["Anna", "Bo", "Anna"])
    'Two players are called Anna: in statistics they would be one. Write Anna M. and Anna K., say.'
    >>> why_alike(["Anna", "ANNA"])
    'Two players are called Anna and ANNA: nobody could tell them apart. Write Anna M. and Anna K., say.'
    """
    seats: dict[str, list[str]] = {}
    for name in names:
        seats.setdefault(unicodedata.normalize("NFC", name.strip().casefold()), []).append(name.strip())
    same = next((found for found in seats.values() if len(found) > 1), None)
    if same is None:
        return None
    forms = list(dict.fromkeys(same))
    why = "in statistics they would be one" if len(forms) == 1 else "nobody could tell them apart"
    number = {2: "Two", 3: "Three"}.get(len(same), str(len(same)))
    told = join_words([form[:80] for form in forms])
    return f"{number} players are called {told}: {why}. Write {forms[0][:80]} M. and {forms[0][:80]} K., say."


def check_apart(players: Sequence[Player]) -> None:
    """Raise `ValueError`, which says why, for players of a new game that would be taken for one.

    Whom an id tells apart may have the name of another, as may programs; no name is nobody's.

    >>> check_apart([Player("Anna", id="u1"), Player("Anna"), Player("low", bot=True), Player("low", bot=True)])
    """
    told_by_name = [one.name for one in players if one.name.strip() and one.id is None and not one.bot]
    alike = why_alike(told_by_name)
    if alike is not None:
        raise ValueError(alike)


def lower_first(text: str) -> str:
    """Return a sentence as it goes on after a colon.

    >>> lower_first("There is no seat 7")
    'there is no seat 7'
    """
    return text.replace("There is", "there is", 1) if text.startswith("There is") else text


def list_seats(names: Sequence[str]) -> str:
    """Return all players with their seats.

    >>> list_seats(["Ann", "Bo"])
    '0 Ann, 1 Bo'
    """
    return ", ".join(f"{seat} {name}" for seat, name in enumerate(names))
