"""The part of the door that leads to libraries: their games, and the statistics over them."""

from pathlib import Path
from typing import Any, Final

import msgspec
import streamlit as st

from dashboard.sources import sources
from ono_replay.check.printable import printable
from ono_replay.library.listing import Listed, list_games
from ono_replay.library.manifest import NAME, LibraryFault
from ono_replay.library.measures import STATISTIC, STATISTICS, Statistic
from ono_replay.library.stats import statistic
from ono_replay.library.store import Library

PLAIN: Final = {
    "wins_by_player": "Wins by player",
    "wins_by_seat": "Wins by seat",
    "wins_by_starter": "Wins by who starts",
    "length": "Length of games",
    "totals": "Totals over a round",
    "cards": "Cards",
    "eliminations": "Eliminations",
    "set_by": "Who set the fatal total",
    "pair_chains": "Pair chains",
    "held": "What is held",
    "head_to_head": "Head to head",
    "streaks": "Streaks",
    "tempo": "Tempo",
    "ratings": "Ratings",
}
"""What the statistics are called here."""

Stamp = tuple[int, int, int]


class Table(msgspec.Struct, frozen=True):
    """The answer of a statistic, ready to show."""

    line: str
    unit: str
    note: str
    keys: tuple[str, ...]
    """The columns that say what a row is of."""
    columns: tuple[str, ...]
    rows: tuple[dict[str, Any], ...]
    measures: tuple[tuple[str, str], ...]
    """The measures that there are rows of, with their meaning."""
    summary: str
    """Games that it was made of, and those left out."""


def is_library(path: str) -> bool:
    """Whether a folder is a library."""
    return (Path(path) / NAME).is_file()


def libraries() -> list[str]:
    """Return the libraries that the dashboard was started with."""
    return [source for source in sources() if is_library(source)]


def stamp_of_library(path: str) -> Stamp:
    """Return which state of a library is on the disk now; raises `OSError`."""
    status = (Path(path) / NAME).stat()
    return status.st_ino, status.st_size, status.st_mtime_ns


@st.cache_resource(max_entries=8, show_spinner="Reading the library …")
def list_of(path: str, stamp: Stamp, most: int) -> tuple[Listed, ...]:
    """Return the games of a library; raises `LibraryFault`."""
    del stamp  # only a key: another state of the library is read anew
    with Library(path) as library:
        return tuple(list_games(library, most=most))


def statistics_by_title() -> dict[str, str]:
    """Return what the statistics are called here, with their names, in their order."""
    return {PLAIN[found.name]: found.name for found in STATISTICS}


def ways_to_group(name: str) -> list[str]:
    """Return the columns that a statistic can be grouped by."""
    return list(STATISTIC[name].by)


@st.cache_resource(max_entries=64, show_spinner="Counting …")
def table_of(path: str, stamp: Stamp, name: str, by: str | None, unfinished: bool) -> Table | str:
    """Return a statistic of a library, or why there is none."""
    del stamp
    found: Statistic = STATISTIC[name]
    try:
        with Library(path) as library:
            answer = statistic(library, name, by=[] if by is None else [by], unfinished=unfinished)
    except LibraryFault as fault:
        return printable(str(fault))
    keys = [column for column in answer.columns if column not in found.columns]
    keys += [key for key, _ in found.keys]
    there = {row.get("measure") for row in answer.rows}
    return Table(
        line=found.line,
        unit=found.unit,
        note=found.note,
        keys=tuple(keys),
        columns=answer.columns,
        rows=tuple({column: _shown(value) for column, value in row.items()} for row in answer.rows),
        measures=tuple((one.name, one.meaning) for one in found.measures if one.name in there),
        summary=printable(answer.summary()),
    )


def _shown(value: Any) -> Any:
    return printable(value) if isinstance(value, str) else value
