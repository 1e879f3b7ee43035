"""The answer of a statistic as a table for people: never an estimate without its number and its interval."""

import io
import shutil
from textwrap import wrap
from typing import Any, Final, Protocol

from ono_replay.check.printable import printable
from ono_replay.library.measures import STATISTIC

WIDEST: Final = 100
MOST_ROWS: Final = 200
"""Rows that are shown; the other formats have all."""
_ESTIMATE: Final = frozenset({"k", "n", "p", "mean", "low", "high"})
_ABOVE: Final = frozenset({"above", "above_low", "above_high"})
_HEADS: Final = {"expected": "by chance", "above": "above it"}


class Shown(Protocol):
    """What can be shown: an `estimates.Answer`."""

    @property
    def name(self) -> str:
        """Of the statistic."""

    @property
    def columns(self) -> tuple[str, ...]:
        """Of all rows, in order."""

    @property
    def rows(self) -> tuple[dict[str, Any], ...]:
        """All rows."""

    def summary(self) -> str:
        """Return what it is made of, in words."""


def table_text(answer: Shown, *, styled: bool) -> str:
    """Return an answer as text: with lines and colour for a terminal, else in plain columns.

    >>> from ono_replay.library.estimates import Answer
    >>> from ono_replay.library.selection import LeftOut
    >>> row = {"seat": 0, "k": 5, "n": 20, "p": 0.25, "low": 0.112, "high": 0.469}
    >>> print(table_text(Answer("wins_by_seat", tuple(row), (row,), 20, LeftOut(1, 0)), styled=False))
    How often each seat wins the game.
    A game; games are independent.
    <BLANKLINE>
    seat  k   n   share            95 %
       0  5  20  25.0 %  11.2 – 46.9 %
    <BLANKLINE>
    of 20 games; left out: 1 not played to the end
    """
    statistic = STATISTIC.get(answer.name)
    shown = answer.rows[:MOST_ROWS]
    lines = [statistic.line, *wrap(statistic.unit.replace("`", ""), WIDEST), ""] if statistic else []
    lines.append(_styled(answer, shown) if styled else _plain(answer, shown))
    if len(answer.rows) > MOST_ROWS:
        lines.append(f"… {len(answer.rows) - MOST_ROWS:,} more rows; --format csv or json gives all")
    if not shown:
        lines[-1] = "nothing to count"
    lines += ["", answer.summary(), ""]
    return "\n".join(lines)


def _cells(answer: Shown, rows: tuple[dict[str, Any], ...]) -> tuple[list[str], list[list[str]], list[bool]]:
    """Return heads, rows of cells, and which columns stand at the right."""
    unseen = _ESTIMATE | _ABOVE | {"expected", "unit"}
    columns = [name for name in answer.columns if name not in unseen]
    keys, extras = columns, []
    if "n" in answer.columns:
        place = answer.columns.index("n")
        keys = [name for name in columns if answer.columns.index(name) < place]
        extras = columns[len(keys) :]
    heads, cells = list(keys), [[_plain_value(row.get(name)) for name in keys] for row in rows]
    right = [all(not isinstance(row.get(name), str) for row in rows) for name in keys]
    if "n" in answer.columns:
        if "k" in answer.columns:
            heads.append("k")
            _add(cells, [_plain_value(row.get("k")) for row in rows])
        kind = (
            "share"
            if "mean" not in answer.columns
            else "mean"
            if "p" not in answer.columns
            else "share or mean"
        )
        heads += ["n", kind, "95 %"]
        for at, row in enumerate(rows):
            cells[at] += [_plain_value(row.get("n")), *_estimate(row)]
    if "expected" in answer.columns:
        heads.append(_HEADS["expected"])
        _add(cells, [_percent(row.get("expected")) for row in rows])
    if "above" in answer.columns:
        heads.append(_HEADS["above"])
        _add(cells, [_above(row) for row in rows])
    for name in extras:
        heads.append(name)
        _add(cells, [_plain_value(row.get(name)) for row in rows])
    return heads, cells, right + [True] * (len(heads) - len(right))


def _add(cells: list[list[str]], column: list[str]) -> None:
    for row, cell in zip(cells, column, strict=True):
        row.append(cell)


def _estimate(row: dict[str, Any]) -> tuple[str, str]:
    low, high = row.get("low"), row.get("high")
    if row.get("p") is not None:
        return _percent(row["p"]), f"{100 * (low or 0):.1f} – {_percent(high)}"
    if row.get("mean") is not None:
        return _number(row["mean"]), "" if low is None else f"{_number(low)} – {_number(high)}"
    return "", ""


def _above(row: dict[str, Any]) -> str:
    value, low, high = (row.get(name) for name in ("above", "above_low", "above_high"))
    if value is None:
        return ""
    ends = "" if low is None or high is None else f" ({100 * low:.1f} … {100 * high:.1f})"
    return f"{100 * value:+.1f} %{ends}"


def _percent(value: float | None) -> str:
    return "" if value is None else f"{100 * value:.1f} %"


def _number(value: float | None) -> str:
    if value is None:
        return ""
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.2f}" if abs(value) >= 10 else f"{value:.3g}"


def _plain_value(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    return _number(value) if isinstance(value, float) else printable(str(value))


def _plain(answer: Shown, rows: tuple[dict[str, Any], ...]) -> str:
    heads, cells, right = _cells(answer, rows)
    widths = [max(map(len, column)) for column in zip(heads, *cells, strict=True)]
    return "\n".join(
        "  ".join(
            cell.rjust(width) if at_right else cell.ljust(width)
            for cell, width, at_right in zip(line, widths, right, strict=True)
        ).rstrip()
        for line in [heads, *cells]
    )


def _styled(answer: Shown, rows: tuple[dict[str, Any], ...]) -> str:
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    heads, cells, right = _cells(answer, rows)
    table = Table(box=SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0), header_style="bold")
    for head, at_right in zip(heads, right, strict=True):
        strong = head in ("share", "mean", "share or mean")
        table.add_column(
            Text(head),
            justify="right" if at_right else "left",
            style="bold cyan" if strong else "",
            no_wrap=at_right,
        )
    for row in cells:
        table.add_row(*map(Text, row))
    width = shutil.get_terminal_size().columns
    console = Console(file=io.StringIO(), force_terminal=True, width=width, highlight=False)
    with console.capture() as capture:
        console.print(table)
    return capture.get().strip("\n")
