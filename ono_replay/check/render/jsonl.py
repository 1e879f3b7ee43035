"""JSON Lines: one game a line as it is done."""

from typing import TextIO

from ono_replay.check.diagnostic import Diagnostic, GameReport, Summary
from ono_replay.check.render.jsontext import game_object, to_json, write_json
from ono_replay.check.render.spool import Spool


class JsonLinesRenderer:
    """Writes a game object a line; a last line `{"diagnostics": […]}` only if something belongs to no game.

    >>> import io
    >>> stream = io.StringIO()
    >>> JsonLinesRenderer(stream).close(Summary())
    >>> stream.getvalue()
    ''
    """

    def __init__(self, stream: TextIO) -> None:
        """Write to a stream."""
        self._stream = stream
        self._strays = Spool()

    def game(self, report: GameReport) -> None:
        """Write a game."""
        write_json(self._stream, to_json(game_object(report)) + "\n")

    def stray(self, found: Diagnostic) -> None:
        """Keep what belongs to no game."""
        self._strays.add(found)

    def close(self, summary: Summary) -> None:  # noqa: ARG002 - every renderer is closed so
        """Write what belongs to no game."""
        if self._strays.count:
            self._stream.write('{"diagnostics":[')
            self._strays.pour(self._stream)
            self._stream.write("]}\n")
