"""Findings for people: the line, what is wrong with it, the table before it and what to do."""

import shutil
from collections.abc import Iterable, Iterator
from typing import Final, TextIO

from ono_replay.check.diagnostic import Diagnostic, GameReport, Summary
from ono_replay.check.phrases import count_of
from ono_replay.check.printable import printable, write_text
from ono_replay.check.render.excerpt import cell_width
from ono_replay.check.render.folding import Fold, Strays, fold_alike
from ono_replay.check.render.marks import marked_line
from ono_replay.check.render.page import SEVERITY_COLOUR
from ono_replay.check.render.style import Style, style_for
from ono_replay.check.render.summary import (
    capitalised,
    count_findings,
    count_knock_ons,
    name_knock_ons,
    summary_line,
)
from ono_replay.check.render.table import describe_table
from ono_replay.check.scene import Scene
from ono_replay.rules.cards import DISCARD_FOUR

__all__ = ["MOST_CLEAN", "WIDEST", "TextRenderer", "marked_line"]

MOST_CLEAN: Final = 20
"""Games without findings that are named one by one."""
WIDEST: Final = 120
_WITHOUT_TABLE: Final = ("ONO103", "ONO108", "ONO203", "ONO205", "ONO501")
"""What the table before it does not explain."""
_LABEL_WIDTH: Final = len("could play: ")
_VERDICT_COLOUR: Final = {"valid": "green", "unfinished": "yellow", "invalid": "bold red"}


class TextRenderer:
    r"""Writes each game's verdict with its findings, and the counts at the end.

    A line and the table before it are shown where the report has a scene for it. Knock-ons, and findings
    that are alike, are folded into one line unless `show_all`; of games without findings only the first
    `MOST_CLEAN` are named.

    >>> import io
    >>> stream = io.StringIO()
    >>> renderer = TextRenderer(stream)
    >>> renderer.game(GameReport(file="a.ono.jsonl", game_id="kitchen-7", line=1, events=40, verdict="valid"))
    >>> renderer.close(Summary(files=1, games=1, valid=1, events=40))
    >>> print(stream.getvalue(), end="")
    a.ono.jsonl: game kitchen-7: valid, 40 events
    1 game in 1 file: 1 valid. 40 events.
    """

    def __init__(
        self, stream: TextIO, *, style: Style | None = None, width: int | None = None, show_all: bool = False
    ) -> None:
        """Write to a stream, in colour and as wide as it is a terminal, unless told otherwise."""
        self._stream = stream
        self._style = style or style_for(stream)
        self._width = width or min(WIDEST, max(40, shutil.get_terminal_size((100, 24)).columns))
        self._show_all = show_all
        self._clean = 0
        self._strays = Strays(None)

    def game(self, report: GameReport) -> None:
        """Write a game."""
        if not report.diagnostics:
            self._clean += 1
            if self._clean > MOST_CLEAN:
                return
        self._end_of_strays()
        self._write(self._verdict(report))
        for fold in self._folds(report):
            found = fold.found
            self._write(*self._finding(found, report.scenes.get(found.line or 0)), indent="  ")
            if fold.knock_ons:
                self._write(self._folded(name_knock_ons(fold.knock_ons)), indent="    ")
            if fold.alike:
                alike = f"{fold.alike:,} more like it"
                if fold.knock_ons_of_alike:
                    alike += f" with {name_knock_ons(fold.knock_ons_of_alike, fold.alike)}"
                self._write(self._folded(alike), indent="    ")
        if report.more:
            self._write(f"… and {count_of(report.more, 'finding')} more in this game", indent="  ")

    def _folds(self, report: GameReport) -> Iterable[Fold]:
        if self._show_all:
            return (Fold(found, 0) for found in report.diagnostics)
        names = next((scene.names for scene in report.scenes.values() if scene.names), ())
        return fold_alike(count_knock_ons(report.diagnostics), names)

    def stray(self, found: Diagnostic) -> None:
        """Write what belongs to no game; of many alike in a file only some, of an array only its beginning."""
        if found.file != self._strays.file:
            self._end_of_strays()
            self._strays = Strays(found.file)
        if not self._show_all and self._strays.is_folded(found):
            return
        self._write_knock_ons()
        self._write(*self._finding(found, None))

    def close(self, summary: Summary) -> None:
        """Write the counts."""
        self._end_of_strays()
        if self._clean > MOST_CLEAN:
            self._write(f"… and {count_of(self._clean - MOST_CLEAN, 'more game')} without findings")
        colour = "bold red" if summary.errors else "bold yellow" if summary.warnings else "bold green"
        self._write(self._style.paint(summary_line(summary), colour))

    def _write(self, *lines: str, indent: str = "") -> None:
        write_text(self._stream, "".join(f"{indent}{line}\n" for line in lines))

    def _folded(self, what: str) -> str:
        return self._style.paint(f"… and {what} (--all shows them)", "dim")

    def _write_knock_ons(self) -> None:
        if self._strays.knock_ons:
            self._write(self._folded(name_knock_ons(self._strays.knock_ons)), indent="  ")
            self._strays.knock_ons = 0

    def _end_of_strays(self) -> None:
        self._write_knock_ons()
        for what in self._strays.rest():
            self._write(self._folded(what), indent="  ")
        self._strays = Strays(None)

    def _verdict(self, report: GameReport) -> str:
        name = "without an id" if report.game_id is None else printable(report.game_id)
        parts = [self._style.paint(report.verdict, _VERDICT_COLOUR[report.verdict])]
        parts += count_findings(report)
        if report.unverified:
            parts.append(f"{report.unverified:,} unverified")
        parts.append(count_of(report.events, "event"))
        file = self._style.paint(printable(report.file), "bold")
        return f"{file}: game {name}: {', '.join(parts)}"

    def _finding(self, found: Diagnostic, scene: Scene | None) -> Iterator[str]:
        paint = self._style.paint
        where = printable(found.file) + (f":{found.line}" if found.line is not None else "")
        head = f"{found.severity} {found.code}"
        if found.knock_on:
            yield paint(f"{where}: {head} {found.name}, which follows from the above", "dim")
            yield "  " + paint(printable(found.message), "dim")
            return
        yield f"{where}: {paint(head, SEVERITY_COLOUR[found.severity])} {paint(found.name, 'bold')}"
        for line in _wrap(printable(capitalised(found.message)), self._width - 4):
            yield f"  {line}"
        if scene is not None:
            yield from self._line(found, scene)
            if scene.state is not None and found.code not in _WITHOUT_TABLE:
                yield from self._labelled(describe_table(scene.state, found.seat, scene.names))
        if found.legal:
            legal = ("discard four ono_99" if card == DISCARD_FOUR else card for card in found.legal)
            yield from self._labelled([("could play", ", ".join(legal))])
        if found.help:
            yield from self._labelled([("help", found.help)])

    def _labelled(self, rows: Iterable[tuple[str, str]]) -> Iterator[str]:
        for label, text in rows:
            head = f"{label}:" if label else ""
            room = max(20, self._width - _LABEL_WIDTH - 4)
            for line in _wrap(printable(text), room):
                yield f"  {self._style.paint(head.ljust(_LABEL_WIDTH), 'cyan')}{line}"
                head = ""

    def _line(self, found: Diagnostic, scene: Scene) -> Iterator[str]:
        number = str(found.line) if found.line is not None else ""
        cut = marked_line(found, scene, self._width - len(number) - len("      | "))
        bar = self._style.paint("|", "cyan")
        yield f"  {self._style.paint(number, 'cyan')} {bar} {cut.text}"
        if cut.marks:
            yield f"  {' ' * len(number)} {bar} {self._style.paint(cut.marks, SEVERITY_COLOUR[found.severity])}"


def _wrap(text: str, width: int) -> Iterator[str]:
    """Break a text between words; spaces stay as they are, as they may stand in a name."""
    while cell_width(text) > width:
        cut = text.rfind(" ", 1, width + 1)
        if cut < 0:
            break
        yield text[:cut]
        text = text[cut + 1 :]
    yield text
