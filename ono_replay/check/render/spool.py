"""Findings kept for the end of an answer, in flat memory."""

import tempfile
from typing import IO, TextIO

from ono_replay.check.diagnostic import Diagnostic
from ono_replay.check.render.jsontext import diagnostic_object, to_json, write_json

IN_MEMORY = 1 << 20
"""Characters held before a temporary file takes over."""


class Spool:
    """Diagnostics that belong to no game, as the inside of a JSON array."""

    def __init__(self) -> None:
        """Begin with none."""
        self.count = 0
        self._held: list[str] = []
        self._size = 0
        self._file: IO[str] | None = None

    def add(self, found: Diagnostic) -> None:
        """Keep one."""
        text = ("," if self.count else "") + to_json(diagnostic_object(found))
        self.count += 1
        self._held.append(text)
        self._size += len(text)
        if self._size > IN_MEMORY:
            self._spill()

    def pour(self, stream: TextIO) -> None:
        """Write all of them with commas between, and forget them."""
        if self._file is not None:
            with self._file as file:
                file.seek(0)
                while piece := file.read(1 << 16):
                    write_json(stream, piece)
        write_json(stream, "".join(self._held))
        self._held, self._file = [], None

    def _spill(self) -> None:
        if self._file is None:
            self._file = tempfile.TemporaryFile("w+", encoding="utf-8", newline="")  # noqa: SIM115 - closed by pour
        self._file.writelines(self._held)
        self._held, self._size = [], 0
