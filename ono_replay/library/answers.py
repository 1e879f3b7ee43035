"""The rows of an answer as bytes: JSON, JSON Lines, CSV that is safe for spreadsheets, a table, or Arrow.

What people typed (names, comments) is shown escaped in a table, and can be no formula in a CSV.
"""

import csv
import io
import json
import math
from collections.abc import Callable, Iterator, Sequence
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any, Final

import duckdb

from ono_replay.check.printable import printable
from ono_replay.log.terminal import escaped
from ono_replay.rules.cards import ORDER

FORMS: Final = ("table", "json", "jsonl", "csv", "arrow")
MOST_SHOWN = 1000
"""Rows of a table for people."""
_WIDEST = 60
_AT_ONCE = 2048


def render(answer: duckdb.DuckDBPyConnection, form: str) -> Iterator[bytes]:
    """Yield the bytes of an answer that has been executed and not been fetched."""
    if form == "arrow":
        yield from _arrow(answer)
        return
    names = _distinct([column[0] for column in answer.description or ()])
    yield from _FORMS[form](names, answer)


def _rows(answer: duckdb.DuckDBPyConnection) -> Iterator[tuple[Any, ...]]:
    while rows := answer.fetchmany(_AT_ONCE):
        yield from rows


def _distinct(names: Sequence[str]) -> list[str]:
    """Return names of which none comes twice, as the keys of an object must be.

    >>> _distinct(["a", "a", "b"])
    ['a', 'a_2', 'b']
    """
    found: list[str] = []
    for name in names:
        free, number = name, 2
        while free in found:
            free, number = f"{name}_{number}", number + 1
        found.append(free)
    return found


def plain(value: Any) -> Any:
    """Return a value as JSON has it.

    >>> plain([datetime(2026, 1, 31, 20, 15), Decimal("1.50"), float("nan")])
    ['2026-01-31T20:15:00', 1.5, None]
    """
    match value:
        case None | bool() | int() | str():
            return value
        case float():
            return value if math.isfinite(value) else None
        case Decimal():
            return (
                int(value)
                if value == value.to_integral_value() and value.as_tuple().exponent == 0
                else float(value)
            )
        case datetime() | date() | time():
            return value.isoformat()
        case bytes() | bytearray() | memoryview():
            return bytes(value).hex()
        case dict():
            return {str(key): plain(item) for key, item in value.items()}
        case list() | tuple() | set():
            return [plain(item) for item in value]
    return str(value)


def _object(names: Sequence[str], row: Sequence[Any]) -> str:
    return escaped(json.dumps(dict(zip(names, map(plain, row), strict=True)), ensure_ascii=False))


def _json(names: Sequence[str], answer: duckdb.DuckDBPyConnection) -> Iterator[bytes]:
    between = "["
    for row in _rows(answer):
        yield f"{between}{_object(names, row)}".encode("utf-8", "backslashreplace")
        between = ",\n "
    yield b"[]\n" if between == "[" else b"]\n"


def _jsonl(names: Sequence[str], answer: duckdb.DuckDBPyConnection) -> Iterator[bytes]:
    for row in _rows(answer):
        yield f"{_object(names, row)}\n".encode("utf-8", "backslashreplace")


def safe_cell(value: Any) -> Any:
    """Return a value as a cell of a CSV: a text that a spreadsheet would run gets an apostrophe before it.

    Card tokens and numbers stay as they are.

    >>> [safe_cell(value) for value in ("=1+1", "-10", "Ann", -3, ["7", "?"])]
    ["'=1+1", '-10', 'Ann', -3, '["7", "?"]']
    """
    value = plain(value)
    if isinstance(value, (list, dict, bool)):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, str) and value not in ORDER:
        # Spaces, control and invisible characters before it are skipped by one spreadsheet or another.
        first = next((char for char in value if char.isprintable() and not char.isspace()), "")
        return "'" + value if first and first in "=+-@＝＋－＠" else value
    return value


def _csv(names: Sequence[str], answer: duckdb.DuckDBPyConnection) -> Iterator[bytes]:
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(map(safe_cell, names))
    for row in _rows(answer):
        writer.writerow(map(safe_cell, row))
        if text.tell() > 1 << 16:
            yield text.getvalue().encode("utf-8", "backslashreplace")
            text.seek(0)
            text.truncate()
    yield text.getvalue().encode("utf-8", "backslashreplace")


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_cell(item) if item is not None else "null" for item in value) + "]"
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, bool):
        return str(value).lower()
    text = printable(str(plain(value)).replace("\n", "\\n"))
    return text if len(text) <= _WIDEST else text[: _WIDEST - 1] + "…"


def _table(names: Sequence[str], answer: duckdb.DuckDBPyConnection) -> Iterator[bytes]:
    rows = answer.fetchmany(MOST_SHOWN + 1)
    cells = [[_cell(value)[: 4 * _WIDEST] for value in row] for row in rows[:MOST_SHOWN]]
    heads = [_cell(name) for name in names]
    right = [
        all(isinstance(row[place], (int, float, Decimal, type(None))) for row in rows)
        for place in range(len(names))
    ]
    widths = [max([len(head), *(len(row[place]) for row in cells)]) for place, head in enumerate(heads)]
    lines = [heads, ["─" * width for width in widths], *cells]
    for line in lines:
        padded = (
            text.rjust(width) if at_right else text.ljust(width)
            for text, width, at_right in zip(line, widths, right, strict=True)
        )
        yield ("  ".join(padded).rstrip() + "\n").encode("utf-8", "backslashreplace")
    if len(rows) > MOST_SHOWN:
        yield f"… more than {MOST_SHOWN} rows; --format csv or json gives all\n".encode()
    else:
        yield f"({len(rows)} row{'' if len(rows) == 1 else 's'})\n".encode()


def _arrow(answer: duckdb.DuckDBPyConnection) -> Iterator[bytes]:
    import pyarrow as pa

    reader = answer.to_arrow_reader(_AT_ONCE * 32)
    assert reader is not None
    sink = io.BytesIO()
    with pa.ipc.new_stream(sink, reader.schema) as stream:
        for batch in reader:
            stream.write_batch(batch)
            yield sink.getvalue()
            sink.seek(0)
            sink.truncate()
    yield sink.getvalue()


_FORMS: dict[str, Callable[[Sequence[str], duckdb.DuckDBPyConnection], Iterator[bytes]]] = {
    "json": _json,
    "jsonl": _jsonl,
    "csv": _csv,
    "table": _table,
}
