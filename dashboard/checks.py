"""The part of the door that leads to the validator: what is wrong with a log that somebody gave, ready to show."""

import io
from typing import Final

import msgspec

from dashboard.data import MOST_BYTES, MOST_GAMES
from dashboard.sentences import without_ticks
from ono_replay.check.diagnostic import Diagnostic, GameReport, Severity, Summary, Verdict
from ono_replay.check.phrases import count_of
from ono_replay.check.printable import printable
from ono_replay.check.render.summary import capitalised, summary_line
from ono_replay.check.render.table import describe_table
from ono_replay.check.render.text import marked_line
from ono_replay.check.validator import validate
from ono_replay.log.lines import Unreadable

MOST_FINDINGS: Final = 50
"""Findings of one game, and of none, that are shown."""


class Finding(msgspec.Struct, frozen=True):
    """A finding of the validator, ready to show."""

    code: str
    name: str
    severity: Severity
    where: str
    message: str
    excerpt: str
    table: tuple[tuple[str, str], ...]
    legal: str
    help: str
    seq: int | None
    knock_on: bool


class Verdicts(msgspec.Struct, frozen=True):
    """What the validator says of one game of a checked log."""

    title: str
    game_id: str | None
    line: int
    verdict: Verdict
    counts: str
    findings: tuple[Finding, ...]
    hidden: int
    """Findings that are not among these."""


class Checked(msgspec.Struct, frozen=True):
    """A log that was checked."""

    summary: str
    games: tuple[Verdicts, ...] = ()
    strays: tuple[Finding, ...] = ()
    """Findings that belong to no game."""
    more_games: int = 0
    more_strays: int = 0
    """Those that are not among these."""
    trouble: str | None = None
    """Why it could not be read."""


def check_log(content: bytes, name: str) -> Checked:
    """Return the validator's verdict on a log that somebody gave, and what they call it."""
    summary = Summary()
    games: list[Verdicts] = []
    strays: list[Finding] = []
    more = 0
    try:
        given = io.BytesIO(content)
        given.name = name  # what a message calls it
        found = validate([given], summary=summary, max_bytes=MOST_BYTES, keep_scenes=True)
        for one in found:
            if isinstance(one, GameReport):
                games += [_verdicts(one)] if len(games) < MOST_GAMES else []
            elif len(strays) < MOST_FINDINGS:
                strays.append(_finding(one, None))
            else:
                more += 1
    except Unreadable as reason:
        why = without_ticks(printable(str(reason)))
        return Checked("", trouble=why if why.endswith((".", "…")) else f"{why}.")
    if not games and not strays:
        return Checked("", trouble=f"{printable(name)} is empty: there is no game in it.")
    return Checked(
        summary_line(summary), tuple(games), tuple(strays), summary.games - len(games), more_strays=more
    )


def _verdicts(report: GameReport) -> Verdicts:
    kept = report.diagnostics[:MOST_FINDINGS]
    numbers = ((report.errors, "error"), (report.warnings, "warning"), (report.events, "event"))
    return Verdicts(
        title="without an id" if report.game_id is None else printable(report.game_id),
        game_id=report.game_id,
        line=report.line,
        verdict=report.verdict,
        counts=", ".join(count_of(number, word) for number, word in numbers if number),
        findings=tuple(_finding(found, report) for found in kept),
        hidden=len(report.diagnostics) + report.more - len(kept),
    )


def _finding(found: Diagnostic, report: GameReport | None) -> Finding:
    scene = None if report is None else report.scenes.get(found.line or 0)
    excerpt = "" if scene is None else "\n".join(part for part in marked_line(found, scene, 100) if part)
    table = (
        [] if scene is None or scene.state is None else describe_table(scene.state, found.seat, scene.names)
    )
    return Finding(
        code=found.code,
        name=found.name,
        severity=found.severity,
        where="" if found.line is None else f"line {found.line}",
        message=without_ticks(printable(capitalised(found.message))),
        excerpt=excerpt,
        table=tuple((label, printable(text)) for label, text in table),
        legal=", ".join(found.legal),
        help=without_ticks(printable(found.help or "")),
        seq=found.seq,
        knock_on=found.knock_on,
    )
