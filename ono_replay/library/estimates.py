"""What a statistic answers: rows, and how many games were left out."""

import csv
import io
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final, Literal, get_args

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq

from ono_replay.check.phrases import count_of
from ono_replay.library.answer_table import table_text
from ono_replay.library.answers import safe_cell
from ono_replay.library.intervals import Moments, mean_interval, share_interval
from ono_replay.library.measures import Statistic
from ono_replay.library.selection import LeftOut, Selected
from ono_replay.log.output import Unwritable, check_free, log_writer
from ono_replay.log.terminal import escaped

Row = dict[str, Any]
Form = Literal["table", "json", "csv", "parquet"]
FORM_OF: Final[dict[str, Form]] = {".txt": "table", ".json": "json", ".csv": "csv", ".parquet": "parquet"}
"""What the name of a file tells."""


class Answer(msgspec.Struct, frozen=True):
    """The answer of one statistic.

    >>> answer = Answer("wins_by_seat", ("seat", "k"), ({"seat": 0, "k": 3},), 5, LeftOut(2, 0))
    >>> answer.to_json()
    b'[{"seat":0,"k":3},{"left_out_unfinished":2,"left_out_irregular":0}]'
    """

    name: str
    columns: tuple[str, ...]
    """Of all rows, in order; a row may lack those that do not apply."""
    rows: tuple[Row, ...]
    games: int
    """Games that it was made of."""
    left_out: LeftOut

    def __iter__(self) -> Iterator[Row]:
        """Go through the rows."""
        return iter(self.rows)

    def to_json(self) -> bytes:
        """Return the rows as a JSON array, the games that were left out in a last object."""
        last = {f"left_out_{name}": count for name, count in self.left_out._asdict().items()}
        return escaped(msgspec.json.encode([*self.rows, last]).decode()).encode()

    def to_arrow(self) -> Any:
        """Return the rows as an Arrow table; the games that were left out are in the metadata of its schema."""
        columns = {name: [row.get(name) for row in self.rows] for name in self.columns}
        told = {f"left_out_{name}": str(count) for name, count in self.left_out._asdict().items()}
        return pa.table({name: pa.array(values) for name, values in columns.items()}).replace_schema_metadata(
            {"statistic": self.name, "games": str(self.games), **told}
        )

    def to_csv(self) -> bytes:
        """Return the rows as CSV that is safe for spreadsheets."""
        text = io.StringIO()
        writer = csv.writer(text)
        writer.writerow(self.columns)
        writer.writerows([safe_cell(row.get(name)) for name in self.columns] for row in self.rows)
        return text.getvalue().encode("utf-8", "backslashreplace")

    def to_parquet(self) -> bytes:
        """Return the rows as a Parquet file."""
        sink = io.BytesIO()
        pq.write_table(self.to_arrow(), sink, write_page_checksum=True)
        return sink.getvalue()

    def to_text(self) -> str:
        """Return a table for people, as `ono-replay stats` shows it; a long one is cut, which it says."""
        return table_text(self, styled=False)

    def write(self, path: str | Path, form: Form | None = None, *, overwrite: bool = False) -> None:
        """Write the answer to a file: a `table` for people, `json`, `csv` that is safe for spreadsheets, or `parquet`.

        Without `form` the name tells it: `.txt`, `.json`, `.csv`, `.parquet`; with `.gz` or `.zst` behind it, as in
        `s.csv.gz`, the file is packed. `-` is standard output. The file appears whole or not at all, and one that
        exists stays unless `overwrite` is given. Raises `Unwritable`.

        >>> import tempfile
        >>> answer = Answer("wins_by_seat", ("seat", "k"), ({"seat": 0, "k": 3},), 5, LeftOut(2, 0))
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     answer.write(f"{folder}/seats.csv")
        ...     Path(folder, "seats.csv").read_text().splitlines()
        ['seat,k', '0,3']
        """
        chosen = form or _form_of(path)
        check_free(path, overwrite=overwrite)
        match chosen:
            case "table":
                content = self.to_text().encode("utf-8", "backslashreplace")
            case "json":
                content = self.to_json() + b"\n"
            case "csv":
                content = self.to_csv()
            case "parquet":
                content = self.to_parquet()
            case _:
                raise Unwritable(f"there is no form {chosen!r}: {', '.join(get_args(Form))}")
        with log_writer(path) as file:
            file.write(content)

    def summary(self) -> str:
        """Return how many games it is made of, and how many were left out, in words.

        >>> Answer("length", (), (), 5, LeftOut(2, 0)).summary()
        'of 5 games; left out: 2 not played to the end'
        """
        words = (("not played to the end", self.left_out.unfinished), ("irregular", self.left_out.irregular))
        gone = [f"{count:,} {word}" for word, count in words if count]
        return f"of {count_of(self.games, 'game')}; left out: {' and '.join(gone) or 'none'}"

    def to_pandas(self) -> Any:
        """Return the rows as a pandas data frame."""
        return self.to_arrow().to_pandas()


def _form_of(path: str | Path) -> Form:
    """Return what the name of a file tells; raises `Unwritable` for one that tells nothing.

    >>> _form_of("seats.csv.gz"), _form_of("-")
    ('csv', 'table')
    """
    if str(path) == "-":
        return "table"
    name = Path(str(path).lower())
    form = FORM_OF.get((name.with_suffix("") if name.suffix in (".gz", ".zst") else name).suffix)
    if form is None:
        raise Unwritable(f"{path}: the name does not tell what to write: {', '.join(get_args(Form))}")
    return form


def finish_rows(
    names: list[str], found: list[tuple[Any, ...]], selected: Selected, statistic: Statistic
) -> tuple[Row, ...]:
    """Return the rows of a query's answer, its sums made into estimates with intervals.

    Columns called `share` and `mean` hold moments; those of the statistic come out in its order.
    """
    rows = []
    for values in found:
        row = dict(zip(names, values, strict=True))
        told: Row = dict(zip(selected.by, selected.groups[row.pop("grp")], strict=True))
        share, mean = (_moments(row.pop(name, None)) for name in ("share", "mean"))
        told |= row
        if share is not None:
            told |= share_columns(share)
        if mean is not None:
            told |= mean_columns(mean, _least_of(statistic, told))
        if "expected" in told:
            told |= {
                name: told[of] - told["expected"]
                for name, of in (("above", "p"), ("above_low", "low"), ("above_high", "high"))
            }
        rows.append({name: told[name] for name in (*selected.by, *statistic.columns) if name in told})
    return tuple(rows)


def _moments(found: Mapping[str, Any] | None) -> Moments | None:
    return None if found is None else Moments(**found)


def share_columns(moments: Moments) -> Row:
    """Return the columns of a share."""
    k, n = round(moments.y), round(moments.x)
    if not n:
        return {"k": k, "n": n, "p": None, "low": None, "high": None}
    p, low, high = share_interval(moments)
    return {"k": k, "n": n, "p": p, "low": low, "high": high}


def _least_of(statistic: Statistic, row: Row) -> float | None:
    """Return what a mean can not be below; where a smaller value was met, that one."""
    measure = row.get("measure")
    least = next((one.least for one in statistic.measures if one.name == measure), 0)
    return least if least is None else min(least, row.get("least", least))


def mean_columns(moments: Moments, least: float | None) -> Row:
    """Return the columns of a mean that can not be below `least`."""
    mean, low, high = mean_interval(moments, least)
    return {"n": round(moments.x), "mean": mean, "low": low, "high": high}
