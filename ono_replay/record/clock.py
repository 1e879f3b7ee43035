"""The clock of a recorder: when a game began, and how long ago that is."""

import time
from datetime import UTC, datetime
from typing import Protocol


class Clock(Protocol):
    """What a recorder asks of a clock."""

    def now(self) -> datetime:
        """Return the time of day, with its zone."""

    def ms(self) -> int:
        """Return milliseconds from a moment of its own, that never go back."""


class SystemClock:
    """The clock of the machine; durations come from its monotonic one.

    >>> SystemClock().now().tzname()
    'UTC'
    """

    def now(self) -> datetime:
        """Return the time of day in UTC."""
        return datetime.now(UTC)

    def ms(self) -> int:
        """Return monotonic milliseconds."""
        return time.monotonic_ns() // 1_000_000


class GameTime:
    """Milliseconds since a game began, never fewer than before, also over a break in the recording."""

    def __init__(self, clock: Clock, elapsed: int = 0) -> None:
        """Go on from a time that has elapsed."""
        self._clock = clock
        self._zero = clock.ms() - elapsed
        self._last = elapsed

    @classmethod
    def resumed(cls, clock: Clock, started_at: str | None, last: int) -> "GameTime":
        """Go on after a break: as late as the time of day says, but not before the last event."""
        return cls(clock, max(last, _ms_since(started_at, clock.now())))

    def ms(self) -> int:
        """Return the milliseconds since the game began."""
        self._last = max(self._last, self._clock.ms() - self._zero)
        return self._last


def rfc3339(moment: datetime) -> str:
    """Return a moment as `game_start.started_at` has it.

    >>> rfc3339(datetime(2024, 5, 1, 20, 15, tzinfo=UTC))
    '2024-05-01T20:15:00Z'
    """
    return moment.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def _ms_since(started_at: str | None, now: datetime) -> int:
    try:
        began = datetime.fromisoformat(started_at or "")
    except ValueError:
        return 0
    return int((now - began).total_seconds() * 1000) if began.tzinfo else 0
