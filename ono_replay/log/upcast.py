"""Logs of older major versions, made new as they are read: one step for each major version.

There is one major version so far, so there is no step. When the next one comes, its step is added to
`STEPS` and everything above this floor goes on seeing the newest keys only.
"""

from collections.abc import Callable, Mapping
from typing import Any

MAJOR = 1
"""The major version of the format that everything above this floor knows."""

Step = Callable[[Mapping[str, Any]], Mapping[str, Any]]
"""Turns the keys of an event of one major version into those of the next; changes nothing in place."""

STEPS: dict[int, Step] = {}
"""By the major version that a step starts from."""


def is_readable(major: int, steps: Mapping[int, Step] = STEPS, to: int = MAJOR) -> bool:
    """Whether a log of a major version can be read: the version itself, or older with all steps known.

    >>> is_readable(1), is_readable(0), is_readable(2)
    (True, False, False)
    """
    return major <= to and all(version in steps for version in range(major, to))


def upcast(
    keys: Mapping[str, Any], major: int, steps: Mapping[int, Step] = STEPS, to: int = MAJOR
) -> Mapping[str, Any]:
    """Return the keys of an event of an older major version as the newest has them.

    Raises `KeyError` where `is_readable` is False.

    >>> rename = lambda keys: {("total" if key == "sum" else key): value for key, value in keys.items()}
    >>> upcast({"seq": 4, "sum": 7}, 1, steps={1: rename}, to=2)
    {'seq': 4, 'total': 7}
    """
    for version in range(major, to):
        keys = steps[version](keys)
    return keys
