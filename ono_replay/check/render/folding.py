"""Findings that are alike: of many only the first few are shown, the rest are counted."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from ono_replay.check.diagnostic import Diagnostic
from ono_replay.check.helps import LOOKS_LIKE_ARRAY
from ono_replay.check.phrases import count_of

MOST_ALIKE: Final = 3
"""Findings of one shape that are shown of a game."""
_MOST_SHAPES: Final = 1000
"""Shapes that are told apart; what comes later is taken for alike by its code alone."""
_VALUE: Final = re.compile(r'"[^"]*"|-?\b\d+\b|\b(?:reverse|hold|double_play|play_2|ono_99|null)\b')
_VALUES: Final = re.compile(r"#(?:(?:, | and | or )#)+")

_OF_AN_ARRAY: Final = ("ONO102", "ONO104", "ONO201")
"""What the lines of a JSON array are reported as."""

Shape = tuple[str, str, str]


class Fold(NamedTuple):
    """A finding with what is folded behind it."""

    found: Diagnostic
    knock_ons: int
    """What follows from it."""
    alike: int = 0
    """Findings like it that are not shown."""
    knock_ons_of_alike: int = 0


def shape_of(found: Diagnostic, names: Sequence[str] = ()) -> Shape:
    """Return what findings that are alike have in common: players, cards and numbers are left out.

    >>> wrong = "Ann (seat 0) plays 7: the total is 7 after it, but the log says 8"
    >>> shape_of(Diagnostic(code="ONO306", name="", severity="error", file="", message=wrong), ["Ann"])[2]
    '@ (seat #) plays #: the total is # after it, but the log says #'
    """
    message = found.message
    for name in sorted(filter(None, names), key=len, reverse=True):
        message = message.replace(f"{name} (seat", "@ (seat").replace(f"{name}'s turn", "@'s turn")
    # The key that is not known is what makes notes alike, not that some key is not.
    if found.code != "ONO108":
        message = _VALUES.sub("#", _VALUE.sub("#", message))
    return found.code, found.severity, message


class Shapes:
    """Counts findings by shape."""

    def __init__(self, names: Sequence[str] = ()) -> None:
        """Begin with none; `names` are those of the players."""
        self._names = names
        self._seen: Counter[Shape] = Counter()

    def add(self, found: Diagnostic) -> tuple[Shape, int]:
        """Return the shape of a finding and how many have had it, this one included."""
        shape = shape_of(found, self._names)
        if shape not in self._seen and len(self._seen) >= _MOST_SHAPES:
            shape = (found.code, found.severity, "")
        self._seen[shape] += 1
        return shape, self._seen[shape]


def fold_alike(findings: Iterable[tuple[Diagnostic, int]], names: Sequence[str] = ()) -> Iterator[Fold]:
    """Yield findings with their knock-ons, of each shape only the first `MOST_ALIKE`, in the order given.

    The last one shown of a shape counts those that are left out.
    """
    shapes = Shapes(names)
    folds: list[Fold] = []
    last: dict[Shape, int] = {}
    for found, knock_ons in findings:
        shape, times = shapes.add(found)
        if times <= MOST_ALIKE:
            last[shape] = len(folds)
            folds.append(Fold(found, knock_ons))
        else:
            fold = folds[last[shape]]
            folds[last[shape]] = fold._replace(
                alike=fold.alike + 1, knock_ons_of_alike=fold.knock_ons_of_alike + knock_ons
            )
    yield from folds


class Strays:
    """The findings of one file that belong to no game, as they come: which are shown, and how many are not."""

    def __init__(self, file: str | None) -> None:
        """Begin with none."""
        self.file = file
        self.knock_ons = 0
        """Knock-ons since the last one shown."""
        self._in_array = False
        self._rest_of_array = 0
        self._shapes = Shapes()
        self._alike: Counter[str] = Counter()

    def is_folded(self, found: Diagnostic) -> bool:
        """Whether a finding is only counted: a knock-on, a line inside a JSON array, one of many alike."""
        if self._in_array and found.code in _OF_AN_ARRAY:
            self._rest_of_array += 1
        elif found.knock_on:
            self.knock_ons += 1
        elif self._shapes.add(found)[1] > MOST_ALIKE:
            self._alike[f"{found.code} {found.name}"] += 1
        else:
            self._in_array = self._in_array or found.help == LOOKS_LIKE_ARRAY
            return False
        return True

    def rest(self) -> Iterator[str]:
        """Yield in words what was only counted, but knock-ons."""
        if self._rest_of_array:
            yield f"{count_of(self._rest_of_array, 'line')} more of the array"
        for name, number in self._alike.items():
            yield f"{number:,} more of {name}"
