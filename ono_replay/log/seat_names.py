"""A seat as people say it: its number, or the player's name."""

from collections.abc import Sequence
from typing import Final

_LONGEST_NAME: Final = 30


def find_seat(names: Sequence[str], wanted: str) -> int:
    """Return the seat that a number or a name means; a name may be written in small letters.

    Raises `ValueError` with a text that lists the seats where there is no such seat, or several.

    >>> find_seat(["Zoë", "Jürgen"], "1"), find_seat(["Zoë", "Jürgen"], "zoë")
    (1, 0)
    >>> find_seat(["Zoë", "Jürgen"], "Ann")
    Traceback (most recent call last):
    ValueError: there is no seat Ann; a seat: 0 Zoë, 1 Jürgen
    """
    asked = wanted.strip()
    if asked.isascii() and asked.isdecimal() and len(asked) < 10 and int(asked) < len(names):
        return int(asked)
    exact = [seat for seat, name in enumerate(names) if name.strip() == asked]
    fitting = exact or [
        seat for seat, name in enumerate(names) if name.strip().casefold() == asked.casefold()
    ]
    if asked and len(fitting) == 1:
        return fitting[0]
    what = "several seats have the name" if asked and fitting else "there is no seat"
    listed = ", ".join(f"{seat} {name[:_LONGEST_NAME].strip()}".strip() for seat, name in enumerate(names))
    raise ValueError(f"{what} {asked[:_LONGEST_NAME]}; a seat: {listed}")
