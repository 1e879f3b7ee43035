"""What was told lately, of so many names at most."""

from typing import Final, TypeVar

MOST_KNOWN: Final = 1000
"""Pages, and games that they began, of which is known what they asked."""

Told = TypeVar("Told")


def remember(known: dict[str, Told], name: str, told: Told) -> None:
    """Keep what was told of a name; what was told longest ago is forgotten for it."""
    known.pop(name, None)
    known[name] = told
    if len(known) > MOST_KNOWN:
        del known[next(iter(known))]
