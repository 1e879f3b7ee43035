"""Players by the names that the table types: case and accents do not matter, a unique beginning is enough.

>>> seats_named("zoe", ["Ann", "Zoë", "Anna"]), seats_named("Ann", ["Ann", "Zoë", "Anna"])
([1], [0])
>>> seats_named("an", ["Ann", "Zoë", "Anna"])
[0, 2]
"""

import re
import unicodedata
from collections.abc import Sequence

from ono_replay.check.phrases import join_words
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


def seats_named(word: str, names: Sequence[str]) -> list[int]:
    """Return the seats that a word names: as it is written, else but for case and accents, else by its beginning."""
    exact = [seat for seat, name in enumerate(names) if name.strip() == word.strip()]
    if exact:
        return exact
    wanted, plainly = plain(word), [plain(name) for name in names]
    same = [seat for seat, name in enumerate(plainly) if name == wanted]
    return same or [seat for seat, name in enumerate(plainly) if wanted and name.startswith(wanted)]


def find_seat(word: str, names: Sequence[str]) -> int | None:
    """Return the one seat of a number or a name, None where there is none or more than one."""
    word = word.strip()
    if re.fullmatch(r"\d{1,9}", word, re.ASCII):
        return int(word) if int(word) < len(names) else None
    found = seats_named(word, names)
    return found[0] if len(found) == 1 else None


def why_no_seat(word: str, names: Sequence[str]) -> str:
    """Return why a word is not the seat of a player.

    >>> why_no_seat("Boo", ["Ann", "Bo"])
    'There is no player Boo; there are 0 Ann, 1 Bo'
    >>> why_no_seat("7", ["Ann", "Bo"]), why_no_seat("ann", ["Ann", "Ann"])
    ('There is no seat 7; there are 0 Ann, 1 Bo', 'ann could be 0 Ann or 1 Ann; give the seat')
    """
    word = word.strip()[:80]
    found = [] if word.isdigit() else seats_named(word, names)
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
