"""Logs with exactly one fault each: what `sample_logs/broken/` holds, the same bytes every time.

>>> broken_samples()["ONO301-out-of-turn.ono.jsonl"].splitlines()[-2]
b'{"seq":6,"type":"play","seat":0,"card":"9","total":16}'
"""

from typing import Final

from msgspec.structs import replace

from ono_replay.check.catalogue import CATALOGUE
from ono_replay.simulate.broken import ends, lines, order, play
from ono_replay.simulate.broken.script import NO_ID_YET, Broken

__all__ = ["BROKEN_LOGS", "Broken", "broken_samples"]


def _named(log: Broken) -> tuple[str, Broken]:
    variant = f"-{log.variant}" if log.variant else ""
    name = f"{log.code}-{CATALOGUE[log.code].name}{variant}"
    content = log.content.replace(f'"game_id":"{NO_ID_YET}"'.encode(), f'"game_id":"{name}"'.encode())
    return name + log.suffix, replace(log, content=content)


BROKEN_LOGS: Final[dict[str, Broken]] = dict(map(_named, (*lines.LOGS, *order.LOGS, *play.LOGS, *ends.LOGS)))
"""The logs by file name, at least one for each code, in the order of the codes."""


def broken_samples() -> dict[str, bytes]:
    """Return the content of each file of `sample_logs/broken/`, by name."""
    return {name: log.content for name, log in BROKEN_LOGS.items()}
