"""Logs with exactly one fault each: what `sample_logs/broken/` holds, the same bytes every time.

>>> broken_samples()["ONO301-out-of-turn.ono.jsonl"].splitlines()[-2]
b'{"seq":6,"type":"play","seat":0,"card":"9","total":16}'
"""

from typing import Final

from ono_replay.check.catalogue import CATALOGUE
from ono_replay.simulate.broken import ends, lines, order, play
from ono_replay.simulate.broken.script import Broken

__all__ = ["BROKEN_LOGS", "Broken", "broken_samples"]


def _file_name(log: Broken) -> str:
    variant = f"-{log.variant}" if log.variant else ""
    return f"{log.code}-{CATALOGUE[log.code].name}{variant}{log.suffix}"


BROKEN_LOGS: Final[dict[str, Broken]] = {
    _file_name(log): log for log in (*lines.LOGS, *order.LOGS, *play.LOGS, *ends.LOGS)
}
"""The logs by file name, at least one for each code, in the order of the codes."""


def broken_samples() -> dict[str, bytes]:
    """Return the content of each file of `sample_logs/broken/`, by name."""
    return {name: log.content for name, log in BROKEN_LOGS.items()}
