"""Reading the keys of somebody else's JSON: each value of the kind it must be, or a plain message.

>>> integer({"total": 7}, "total", "action 3")
7
>>> integer({"total": "7"}, "total", "action 3")
Traceback (most recent call last):
ono_replay.convert.entries.BadEntry: action 3: total must be an integer, not "7"
"""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from ono_replay.convert.entries import BadEntry
from ono_replay.log.values import as_json

Object = Mapping[str, Any]


def _read(found: Object, key: str, where: str, kind: type, words: str) -> Any:
    if key not in found:
        raise BadEntry(f"{where}: {key} is missing")
    value = found[key]
    if type(value) is not kind:
        raise BadEntry(f"{where}: {key} must be {words}, not {as_json(value)}")
    return value


def text(found: Object, key: str, where: str) -> str:
    """Return a string; raises `BadEntry`."""
    value: str = _read(found, key, where, str, "a string")
    return value


def integer(found: Object, key: str, where: str) -> int:
    """Return an integer; raises `BadEntry`, also for `true`, `1.0` and `1e3`."""
    value: int = _read(found, key, where, int, "an integer")
    return value


def an_object(found: Object, key: str, where: str) -> Object:
    """Return an object; raises `BadEntry`."""
    value: Object = _read(found, key, where, dict, "an object")
    return value


def array(found: Object, key: str, where: str) -> list[Any]:
    """Return an array; raises `BadEntry`."""
    value: list[Any] = _read(found, key, where, list, "an array")
    return value


def objects(found: Object, key: str, where: str) -> list[Object]:
    """Return an array of objects; raises `BadEntry`."""
    values = array(found, key, where)
    for place, value in enumerate(values):
        if not isinstance(value, dict):
            raise BadEntry(f"{where}: {key}[{place}] must be an object, not {as_json(value)}")
    return values


def given(found: Object, key: str) -> bool:
    """Whether a key is there and not null."""
    return found.get(key) is not None


class Clock:
    """Times of an outside format as milliseconds since the first of them.

    >>> clock = Clock()
    >>> clock.at_ms("2023-11-14T22:13:20.000Z"), clock.at_ms("2023-11-14T23:13:21.5+01:00")
    (0, 1500)
    >>> clock.started_at
    '2023-11-14T22:13:20.000Z'
    """

    def __init__(self) -> None:
        """Begin with no time told."""
        self.started_at: str | None = None
        """The first time as it was told, if it names its zone."""
        self.untold = 0
        """How often no time was told, or none that can be a time of the game."""
        self._start: datetime | None = None

    def at_ms(self, told: object) -> int | None:
        """Return the milliseconds since the first time; None for what is no time, or before the first."""
        time = _time(told)
        if time is None:
            self.untold += 1
            return None
        if self._start is None:
            self._start = time
            self.started_at = told if isinstance(told, str) and _names_its_zone(told) else None
        passed = (time - self._start) // timedelta(milliseconds=1)
        if passed < 0:
            self.untold += 1
            return None
        return passed


def _time(told: object) -> datetime | None:
    if not isinstance(told, str) or len(told) > 40:
        return None
    try:
        time = datetime.fromisoformat(told)
        return time.replace(tzinfo=UTC) if time.tzinfo is None else time.astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def _names_its_zone(told: str) -> bool:
    return datetime.fromisoformat(told).tzinfo is not None
