"""What the dashboard was started with."""

import json
import os
from typing import Final

SOURCES: Final = "ONO_DASHBOARD_LOGS"
"""The variable of the environment that names libraries, logs and folders of logs, as a JSON list."""


def sources() -> list[str]:
    """Return what was named."""
    named: list[str] = json.loads(os.environ.get(SOURCES, "[]"))
    return named


def told_apart(name: str, taken: set[str]) -> str:
    """Return a name with a number behind it where it is taken.

    >>> told_apart("a", {"a", "a (2)"})
    'a (3)'
    """
    number = 1
    while (told := name if number == 1 else f"{name} ({number})") in taken:
        number += 1
    return told
