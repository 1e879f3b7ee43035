"""One JSON object for a whole run, written as the games are done."""

from typing import TextIO

from ono_replay.check.diagnostic import Diagnostic, GameReport, Summary
from ono_replay.check.render.jsontext import game_object, summary_object, to_json, write_json
from ono_replay.check.render.spool import Spool


class JsonRenderer:
    r"""Writes `{"games": […], "diagnostics": […], "summary": {…}}`; memory does not grow with the games.

    >>> import io
    >>> stream = io.StringIO()
    >>> JsonRenderer(stream).close(Summary())
    >>> stream.getvalue()[:44]
    '{"games":[],"diagnostics":[],"summary":{"fil'
    """

    def __init__(self, stream: TextIO) -> None:
        """Write to a stream."""
        self._stream = stream
        self._strays = Spool()
        self._games = 0

    def game(self, report: GameReport) -> None:
        """Write a game."""
        write_json(
            self._stream, ('{"games":[\n' if not self._games else ",\n") + to_json(game_object(report))
        )
        self._games += 1

    def stray(self, found: Diagnostic) -> None:
        """Keep what belongs to no game."""
        self._strays.add(found)

    def close(self, summary: Summary) -> None:
        """Write what belongs to no game and the summary."""
        self._stream.write('\n],"diagnostics":[' if self._games else '{"games":[],"diagnostics":[')
        self._strays.pour(self._stream)
        self._stream.write(f'],"summary":{to_json(summary_object(summary))}}}\n')
