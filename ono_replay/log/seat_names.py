"""A seat as people say it: its number, or the player's name."""

from collections.abc import Sequence
from typing import Final

_LONGEST_NAME: Final = 30


def is_number(wanted: str) -> bool:
    """Whether a text can be the number of a seat.

    >>> is_number("0"), is_number("-1"), is_number("²")
    (True, False, False)
    """
    return wanted.isascii() and wanted.isdecimal() and len(wanted) < 10


def seats_called(names: Sequence[str], wanted: str) -> list[int]:
    """Return the seats that a number or a name means: a name as it is written, else but for small and capital letters.

    >>> seats_called(["Ann", "ann", "Bo"], "1"), seats_called(["Ann", "ann", "Bo"], "ann")
    ([1], [1])
    >>> seats_called(["Ann", "ann", "Bo"], "ANN"), seats_called(["Ann", "ann", "Bo"], "An")
    ([0, 1], [])
    """
    asked = wanted.strip()
    if is_number(asked) and int(asked) < len(names):
        return [int(asked)]
    if not asked:
        return []
    exact = [seat for seat, name in enumerate(names) if name.strip() == asked]
    return exact or [seat for seat, name in enumerate(names) if name.strip().casefold() == asked.casefold()]


def find_seat(names: Sequence[str], wanted: str) -> int:
    """Return the one seat that a number or a name means, see `seats_called`.

    A view shows what this seat saw, of many games maybe: a name is never guessed from its beginning. Raises
    `ValueError` with a text that lists the seats where there is no such seat, or several.

    >>> find_seat(["Zoë", "Jürgen"], "1"), find_seat(["Zoë", "Jürgen"], "zoë")
    (1, 0)
    >>> find_seat(["Zoë", "Jürgen"], "Ann")
    Traceback (most recent call last):
    ValueError: there is no seat Ann; a seat: 0 Zoë, 1 Jürgen
    """
    found = seats_called(names, wanted)
    if len(found) == 1:
        return found[0]
    what = "several seats have the name" if found else "there is no seat"
    listed = ", ".join(f"{seat} {name[:_LONGEST_NAME].strip()}".strip() for seat, name in enumerate(names))
    raise ValueError(f"{what} {wanted.strip()[:_LONGEST_NAME]}; a seat: {listed}")
