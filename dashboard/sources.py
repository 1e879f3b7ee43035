"""What the dashboard was started with, and what was recorded in it."""

import json
import os
from pathlib import Path
from typing import Final

SOURCES: Final = "ONO_DASHBOARD_LOGS"
"""The variable of the environment that names libraries, logs and folders of logs, as a JSON list."""

_recorded: list[str] = []
"""Logs that were recorded here since, and the library that games were put into."""


def sources() -> list[str]:
    """Return what was named, and what came into being here since."""
    named: list[str] = json.loads(os.environ.get(SOURCES, "[]"))
    return named + [path for path in _recorded if path not in named and Path(path).exists()]


def add_source(path: str) -> None:
    """Have a log that is recorded here, or a library, among the others."""
    if path not in _recorded:
        _recorded.append(path)


def told_apart(name: str, taken: set[str]) -> str:
    """Return a name with a number behind it where it is taken.

    >>> told_apart("a", {"a", "a (2)"})
    'a (3)'
    """
    number = 1
    while (told := name if number == 1 else f"{name} ({number})") in taken:
        number += 1
    return told
