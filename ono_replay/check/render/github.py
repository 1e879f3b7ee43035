"""Commands of GitHub Actions that put each finding at its line of a change."""

from typing import Final, TextIO

from ono_replay.check.diagnostic import Diagnostic, GameReport, Summary
from ono_replay.check.printable import printable, write_text
from ono_replay.check.render.summary import capitalised, count_knock_ons, name_knock_ons, summary_line

_LEVELS: Final = {"error": "error", "warning": "warning", "note": "notice"}


class GithubRenderer:
    """Writes one `::error file=…,line=…,title=…::message` a finding; knock-ons are only counted.

    The summary is a plain line at the end.
    """

    def __init__(self, stream: TextIO) -> None:
        """Write to a stream."""
        self._stream = stream

    def game(self, report: GameReport) -> None:
        """Write the findings of a game."""
        for found, knock_ons in count_knock_ons(report.diagnostics):
            self._write(found, knock_ons)

    def stray(self, found: Diagnostic) -> None:
        """Write what belongs to no game."""
        if not found.knock_on:
            self._write(found, 0)

    def close(self, summary: Summary) -> None:
        """Write the summary."""
        write_text(self._stream, summary_line(summary) + "\n")

    def _write(self, found: Diagnostic, knock_ons: int) -> None:
        where = f"file={_property(found.file)}"
        if found.line is not None:
            where += f",line={found.line}"
        text = capitalised(found.message)
        if found.game_id is not None:
            text = f"Game {found.game_id}: {text}"
        if knock_ons:
            text += f" (and {name_knock_ons(knock_ons)})"
        if found.help:
            text += f". {found.help}"
        title = _property(f"{found.code} {found.name}")
        write_text(self._stream, f"::{_LEVELS[found.severity]} {where},title={title}::{_data(text)}\n")


def _data(text: str) -> str:
    return printable(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
