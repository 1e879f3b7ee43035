"""What the pages of statistics have in common: which library, which games, how they are told apart."""

from collections.abc import Mapping, Sequence
from typing import Final

import streamlit as st

from dashboard import libraries
from dashboard.sentences import without_ticks
from dashboard.views import address
from dashboard.views.pages import GAMES, page_of
from dashboard.words import MATCHES, WAYS, value_words
from ono_replay.library.listing import Facet
from ono_replay.library.manifest import LibraryFault

ALL: Final = "all"
TOGETHER: Final = "nothing"
_WIDE: Final = 172
_CARRIED: Final = ("library", "edition", "n_players", "match", "by", "unfinished", "irregular")
"""What is chosen for all pages of statistics at once."""


class Frame:
    """The games that a page is about; asks the statistics of them."""

    def __init__(
        self, library: str, path: str, choice: dict[str, str], by: str | None, also: list[str]
    ) -> None:
        """Keep what was chosen; what is left out will be told here."""
        self.library = library
        self.path = path
        self.choice = choice
        self.by = by
        self.also = also
        self._count = st.container(horizontal=True, vertical_alignment="center", gap="small")
        self._counted = False

    def ask(
        self, name: str, *, by: Sequence[str] | None = None, more: Mapping[str, str] | None = None
    ) -> libraries.Figures | None:
        """Return a statistic of these games; None once it is said why there is none."""
        allowed = libraries.ways_to_group(name)
        grouped = [self.by] if self.by in allowed else []
        found = libraries.ask(
            self.path,
            name,
            by=grouped if by is None else by,
            choice={**self.choice, **(more or {})},
            also=self.also,
        )
        if isinstance(found, str):
            with st.container(border=True):
                st.markdown(":orange[This can not be counted]")
                st.text(without_ticks(found))
                st.markdown(
                    "`ono-replay library check` tells whether the library is whole; the logs make it anew."
                )
            return None
        if not self._counted and not more:
            self._counted = True
            self._tell_count(found)
        return found

    def way(self, **parts: str) -> tuple[str, dict[str, str]]:
        """Return the way to the games of a figure."""
        return GAMES, {"log": self.library, **self.choice, **parts}

    def counted(self) -> dict[str, str]:
        """Return the part of a choice that leaves out what is not counted."""
        left_out = {"unfinished", "irregular"}.difference(self.also)
        return {"sort": "counted"} if len(left_out) == 2 else {}

    def _tell_count(self, found: libraries.Figures) -> None:
        answer = found.answer
        with self._count:
            st.text(f"{answer.games:,} game{'' if answer.games == 1 else 's'} counted.")
            gone = [(name, count) for name, count in answer.left_out._asdict().items() if count]
            st.text("Left out:" if gone else "None left out.")
            for name, count in gone:
                st.page_link(
                    page_of(GAMES),
                    label=f"{count:,} {name}",
                    query_params={"log": self.library, **self.choice, "sort": name},
                )


def open_frame(title: str, about: str, ways: Sequence[str] = (), *, whole: bool = False) -> Frame | None:
    """Show the head of a page and ask which games; None without a library.

    `ways` are the columns that the figures may be compared by; the filters stand in the address. With `whole` there are
    none: the page is about the library as it is.
    """
    st.title(title)
    st.text(about)
    named = libraries.named_libraries()
    if not named:
        _tell_how_to_begin()
        return None
    address.begin(() if whole else _CARRIED)
    address.carry(("library",) if whole else _CARRIED, {"by": ways})
    row, missed = st.container(horizontal=True, vertical_alignment="bottom"), st.container()
    with row:
        library = next(iter(named))
        if len(named) > 1:
            library = address.ask_one("Library", "library", {name: name for name in named}, width=_WIDE)
        path = named[library]
        try:
            found = libraries.kinds(path, libraries.stamp_of_library(path))
        except (OSError, LibraryFault):
            found = ()  # what is wrong is told where figures are asked for
        choice = {} if whole else _choose_kind(found)
        by = None
        if ways:
            titles = {WAYS[name]: name for name in ways}
            by = titles.get(address.ask_one("Compare by", "by", {TOGETHER: TOGETHER} | titles, width=_WIDE))
        also = [
            name
            for name in ("unfinished", "irregular")
            if not whole and address.ask_whether(f"Count {name} games", name)
        ]
    address.check_names((*_CARRIED, "what", "player"))
    with missed:
        address.tell_missed()
    if not whole:
        address.keep()
    return Frame(library, path, choice, by, also)


def choose(parts: Sequence[str]) -> str:
    """Ask which part of a page to show; the choice stands in the address.

    One chart at a time: each that is drawn costs the browser a fifth of a second.
    """
    part = address.ask_part("what", parts)
    address.tell_missed()
    return part


def _choose_kind(found: Sequence[Facet]) -> dict[str, str]:
    """Ask for what the games of the library differ in, and nothing else."""
    choice = {}
    for name, title in (("edition", "Edition"), ("n_players", "Table"), ("match", "Match")):
        values = sorted({getattr(facet, name) for facet in found})
        titles = {
            (MATCHES.get(value, value) if name == "match" else value_words(name, value)): str(value)
            for value in values
        }
        if len(values) > 1:
            # Two stand side by side on a phone.
            picked = address.ask_one(title, name, {ALL: ALL} | titles, width=_WIDE)
            if picked != ALL:
                choice[name] = titles[picked]
        else:
            address.check_value(title, name, titles)
    return choice


def _tell_how_to_begin() -> None:
    st.info("Statistics are made of a library: games taken in from logs, checked once and counted fast.")
    st.markdown(
        "Make one and open it:\n\n"
        "```sh\nono-replay import my-logs/ --library my-library\nono-replay dashboard my-library\n```\n\n"
        "Or see one at once, of sample games and simulated ones:\n\n```sh\nono-replay demo\n```"
    )
