"""The part of the door that leads to libraries: their games, and the statistics over them."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import duckdb
import msgspec
import streamlit as st

from dashboard.sources import sources, told_apart
from ono_replay.check.printable import printable
from ono_replay.library.choice import condition_of
from ono_replay.library.conditions import BadCondition
from ono_replay.library.estimates import Answer
from ono_replay.library.listing import Facet, Listed, count_games, kinds_of_games, list_games
from ono_replay.library.manifest import NAME, LibraryFault
from ono_replay.library.measures import STATISTIC, Statistic
from ono_replay.library.quality import Likeness, SourceQuality, find_duplicates, quality
from ono_replay.library.selection import BY, BadQuestion
from ono_replay.library.stats import statistic
from ono_replay.library.store import Library

Stamp = tuple[int, int, int]
Said = tuple[tuple[str, str], ...]
"""A choice of games (`ono_replay.library.choice`) as it can be remembered."""


class Figures(msgspec.Struct, frozen=True):
    """The answer of a statistic."""

    statistic: Statistic
    answer: Answer

    @property
    def keys(self) -> tuple[str, ...]:
        """The columns that say what a row is of, those of a grouping first."""
        grouped = [column for column in self.answer.columns if column in BY]
        return tuple(dict.fromkeys([*grouped, *(key for key, _ in self.statistic.keys)]))

    def of(self, measure: str) -> "Figures":
        """Return those of one measure."""
        rows = tuple(row for row in self.answer.rows if row.get("measure") == measure)
        columns = tuple(
            column
            for column in self.answer.columns
            if column not in ("k", "p", "mean") or any(column in row for row in rows)
        )
        return Figures(self.statistic, msgspec.structs.replace(self.answer, rows=rows, columns=columns))

    def where(self, column: str, value: Any) -> "Figures":
        """Return those rows that have a value in a column."""
        rows = tuple(row for row in self.answer.rows if row.get(column) == value)
        return Figures(self.statistic, msgspec.structs.replace(self.answer, rows=rows))

    def without(self, column: str) -> "Figures":
        """Return them without a column that says the same in all rows."""
        columns = tuple(name for name in self.answer.columns if name != column)
        return Figures(self.statistic, msgspec.structs.replace(self.answer, columns=columns))

    def meaning(self, measure: str) -> str:
        """Return what a measure tells."""
        return next(one.meaning for one in self.statistic.measures if one.name == measure)


def is_library(path: str) -> bool:
    """Whether a folder is a library."""
    return (Path(path) / NAME).is_file()


def libraries() -> list[str]:
    """Return the libraries that the dashboard was started with."""
    return [source for source in sources() if is_library(source)]


def named_libraries() -> dict[str, str]:
    """Return what each library is called here, with its folder."""
    named: dict[str, str] = {}
    for path in libraries():
        named[told_apart(printable(Path(path).name), set(named))] = path
    return named


def stamp_of_library(path: str) -> Stamp:
    """Return which state of a library is on the disk now; raises `OSError`."""
    status = (Path(path) / NAME).stat()
    return status.st_ino, status.st_size, status.st_mtime_ns


@lru_cache(maxsize=16)
def opened(path: str) -> Library:
    """Return a library opened once for all sessions; it follows its newest state by itself."""
    return Library(path)


@contextmanager
def _told() -> Iterator[None]:
    """Make files that can not be read the fault of a library that they are."""
    try:
        yield
    except duckdb.Error as fault:
        raise LibraryFault(f"the library can not be read: {str(fault).splitlines()[0]}") from None


@st.cache_resource(max_entries=64, show_spinner="Reading the library …")
def list_of(path: str, stamp: Stamp, most: int, choice: Said = (), order: str = "game") -> tuple[Listed, ...]:
    """Return games of a library; raises `LibraryFault`."""
    del stamp  # only a key: another state of the library is read anew
    with _told():
        return tuple(list_games(opened(path), most=most, choice=dict(choice), order=order))


@st.cache_resource(max_entries=256, show_spinner=False)
def count_of_games(path: str, stamp: Stamp, choice: Said = ()) -> int:
    """Return how many games of a library a choice means."""
    del stamp
    with _told():
        return count_games(opened(path), dict(choice))


@st.cache_resource(max_entries=32, show_spinner=False)
def kinds(path: str, stamp: Stamp) -> tuple[Facet, ...]:
    """Return the kinds of games in a library."""
    del stamp
    with _told():
        return tuple(kinds_of_games(opened(path)))


def contents(path: str) -> Mapping[str, int]:
    """Return how many rows the views of a library have: games, events, quarantine; raises `LibraryFault`."""
    library = opened(path)
    with _told():
        library.cursor().close()  # brings it to its newest state
    return {name: library.manifest.count(name) for name in ("games", "events", "quarantine")}


def ask(
    path: str, name: str, *, by: Sequence[str], choice: Mapping[str, str], also: Sequence[str]
) -> Figures | str:
    """Return a statistic of a library as it is now, or why there is none.

    `also` names the games that are counted beside the usual ones: `unfinished`, `irregular`.
    """
    try:
        said = tuple(sorted(choice.items()))
        answer = _answer(path, stamp_of_library(path), name, tuple(by), said, tuple(also))
    except OSError as reason:
        return reason.strerror or str(reason)
    return answer if isinstance(answer, str) else Figures(STATISTIC[name], answer)


@st.cache_resource(max_entries=512, show_spinner="Counting …")
def _answer(
    path: str, stamp: Stamp, name: str, by: tuple[str, ...], choice: Said, also: tuple[str, ...]
) -> Answer | str:
    del stamp
    try:
        with _told():
            return statistic(
                opened(path),
                name,
                by=by,
                where=condition_of(dict(choice)) or None,
                unfinished="unfinished" in also,
                irregular="irregular" in also,
            )
    except (LibraryFault, BadQuestion, BadCondition) as fault:
        return printable(str(fault))


def ways_to_group(name: str) -> tuple[str, ...]:
    """Return the columns that a statistic can be grouped by."""
    return STATISTIC[name].by


MOST_LIKE: Final = 5_000
"""Games of a library that are looked through for duplicates without being asked."""


@st.cache_resource(max_entries=16, show_spinner="Looking at the files …")
def quality_of(path: str, stamp: Stamp) -> tuple[SourceQuality, ...]:
    """Return how good the files of a library are; raises `LibraryFault`."""
    del stamp
    return tuple(quality(path))


@st.cache_resource(max_entries=16, show_spinner="Looking for games that are there twice …")
def duplicates_of(path: str, stamp: Stamp) -> tuple[Likeness, ...]:
    """Return the games that are in a library twice, or nearly; raises `LibraryFault`."""
    del stamp
    return tuple(find_duplicates(path))
