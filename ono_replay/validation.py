"""Verdicts on any number of logs, by the lane that pays: what the command `validate` does, in one call."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Literal, get_args

from ono_replay.check.diagnostic import Diagnostic, GameReport, Summary
from ono_replay.check.validator import Source
from ono_replay.log.lines import Unreadable, find_logs, one_or_many, total_size
from ono_replay.verdicts import NEVER, Lanes, RunIds, Verdicts, fast_lane_is_there

LARGE = 1 << 23
"""Bytes of text from which on the fast lane is worth loading, which takes a second."""
VERY_LARGE = 1 << 26
"""Bytes of text from which on it is worth compiling, which takes some more, once."""
MOST_PACKED = 16
"""How many bytes of text a byte of a packed log seldom exceeds."""
Engine = Literal["auto", "careful", "fast"]
"""Which lane is taken: the validator alone, the fast one where it can be, or, `auto`, that for large inputs."""


def validate(
    sources: Source | Iterable[Source],
    *,
    engine: Engine = "auto",
    threads: int = 0,
    total: int | None = None,
    ids: RunIds | None = None,
    summary: Summary | None = None,
    lanes: Lanes | None = None,
    on_progress: Callable[[int], None] | None = None,
    on_unreadable: Callable[[Unreadable], None] | None = None,
    passed_by: list[str] | None = None,
    max_bytes: int | None = None,
    keep_scenes: bool = False,
) -> Iterator[GameReport | Diagnostic]:
    """Yield a report for each game and a diagnostic for each finding that belongs to none, as they are done.

    Sources are logs and archives (files, folders, patterns, `-` for standard input) or binary files, one or many. The
    answers are those of the command `validate`, whichever `engine` gives them, on so many `threads` (0: one for each
    core). `summary` and `lanes` are counted up on the way, `ids` hold the ids of games seen before; `on_progress` is told
    how many bytes of the sources were read (`total` of them, where that is known already). With `keep_scenes` a report
    has the lines of its findings and the states they met.

    Raises `log.lines.Unreadable` for a path that is not there, before anything is read; and for a source that can't be
    read, or holds more than `max_bytes`, unless `on_unreadable` is told of it: then the others are checked all the same.
    `passed_by` gets messages on what in a folder was not followed. Raises `ValueError` for an engine or a number of threads that there is none,
    and `ModuleNotFoundError` without the extra `bulk` where `fast` is asked for; nothing in a log raises.

    >>> from ono_replay.bundle import bundle_path
    >>> for report in validate(bundle_path("sample_logs") / "broken/ONO301-out-of-turn.ono.jsonl"):
    ...     print(report.verdict, report.diagnostics[0].code)
    invalid ONO301
    """
    if engine not in get_args(Engine):
        raise ValueError(f"there is no engine {engine!r}; there are {', '.join(get_args(Engine))}")
    if threads < 0:
        raise ValueError(f"there are no {threads} threads")
    given = list(one_or_many(sources))
    total = total_size(_found(given)) if total is None else total
    before = 0
    run = Verdicts(
        ids=ids,
        summary=summary,
        lanes=lanes,
        on_progress=None if on_progress is None else lambda reader: on_progress(before + reader.bytes_read),
        max_bytes=max_bytes,
        keep_scenes=keep_scenes,
        threads=threads,
        after=when_to_go_fast(engine, total),
    )
    for source in _found(given, passed_by):
        try:
            yield from run.take(source)
        except Unreadable as reason:
            if on_unreadable is None:
                raise
            on_unreadable(reason)
        before += total_size(source) or 0


def _found(sources: Iterable[Source], passed_by: list[str] | None = None) -> Iterator[Source]:
    """Yield files that are open as they are, and the logs that paths stand for."""
    for source in sources:
        yield from find_logs(source, passed_by=passed_by) if isinstance(source, str | Path) else (source,)


def worth_it() -> int:
    """Return how many bytes of text must be read before the fast lane gains anything; `NEVER` without it.

    >>> worth_it() in (LARGE, VERY_LARGE, NEVER)
    True
    """
    if not fast_lane_is_there():
        return NEVER
    from ono_replay.bulk.kept_code import is_compiled

    return LARGE if is_compiled() else VERY_LARGE


def when_to_go_fast(engine: Engine, total: int | None) -> int:
    """Return after how many bytes of text the fast lane is taken, of so many bytes of logs, packed or not, if known."""
    if engine != "auto":
        return 0 if engine == "fast" else NEVER
    if total is not None and total < LARGE // MOST_PACKED:
        return NEVER
    after = worth_it()
    return 0 if total is not None and total >= after else after
