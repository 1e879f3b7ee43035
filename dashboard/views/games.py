"""Games: all games of the logs and libraries; a row opens its replay. Figures of other pages lead here, too."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import streamlit as st

from dashboard import data, shelves
from dashboard.components.table import Cell, Column, show_table
from dashboard.views import address
from dashboard.views.pages import FINDING, GAMES, REPLAY, go_to
from dashboard.words import choice_words, game_called
from ono_replay.check.phrases import count_of
from ono_replay.library.choice import FIELDS

ANY: Final = "any"
_SOUND: Final = ("valid", "unfinished", "invalid")
ORDERS: Final[dict[str, tuple[str, Callable[[data.GameRow], Any]]]] = {
    "sound games first": ("game", lambda row: _SOUND.index(row.verdict)),
    "most events first": ("longest", lambda row: -row.events),
    "newest first": ("newest", lambda row: -row.began),
    "by game": ("game", lambda row: (row.title.casefold(), row.title)),
    "faults first": ("warnings", lambda row: (-row.errors, -row.warnings)),
}
"""Each with what a library calls it, and what rows are sorted by."""
_HERE: Final = ("q", "verdict")
"""Parts of a choice that have a filter on the page."""
_LONGEST: Final = 200
_NOT_HERE: Final = ("game", "after", "before")


def games_page() -> None:
    """Show the list of games: those that are read already, and then again with more of them."""
    shelf = data.shelf(data.STEP)
    st.title("Games", anchor=False)
    asked = {name: value for name, value in st.query_params.items() if name in FIELDS and value}
    choice = {name: value for name, value in asked.items() if name not in (*_HERE, *_NOT_HERE)}
    if choice:
        _tell_choice(choice)
    filters = _ask_filters()
    by_library, by_row = ORDERS[filters.pop("order")]
    only = st.query_params.get("log")
    found = shelves.find_in_libraries({**choice, **filters}, by_library, only)
    of_logs = [] if choice else [row for row in shelf.games if _fits(row, filters, only)]
    # Those of libraries before those of logs: they have been let in.
    rows = sorted([*found.rows, *of_logs], key=by_row)
    everything = len(shelf.games) + found.all_games
    if not everything:
        if shelf.unread:
            st.caption(f"No game so far, and {count_of(shelf.unread, 'more log')} to read.")
        else:
            _show_nothing(given=bool(shelf.logs or shelf.troubles or found.troubles))
    else:
        fitting = len(of_logs) + found.games
        _tell_count(
            fitting,
            everything,
            len(rows),
            found.events and found.events + sum(row.events for row in of_logs),
            cut=shelf.cut,
            unread=shelf.unread,
            moments="code" in choice or any(row.moment is not None for row in rows),
        )
        if rows:
            _show_table(rows, {FINDING: choice["code"]} if "code" in choice else {})
    troubles = (*shelf.troubles, *found.troubles)
    if troubles:
        with st.container(border=True):
            st.markdown(":orange[Not in the list]")
            st.text("\n".join(troubles))
    if shelf.unread:
        st.rerun()


def _tell_choice(choice: Mapping[str, str]) -> None:
    with st.container(horizontal=True, vertical_alignment="center", border=True):
        st.text("Games in which: " + "; ".join(choice_words(choice)))
        if st.button("Show all games"):
            go_to(GAMES, {})


def _show_nothing(*, given: bool) -> None:
    st.info("There is no game in these logs yet." if given else "The dashboard was started without logs.")
    st.markdown(
        "Start it with logs or folders of logs:\n\n"
        "```sh\nono-replay dashboard my-logs/\n```\n\n"
        "To have some games to look at:\n\n"
        "```sh\nono-replay samples copy samples\nono-replay dashboard samples\n```\n\n"
        "Or check a log on the page **Validate**."
    )


def _ask_filters() -> dict[str, str]:
    """Ask what to list, and return it; the filters stand in the address."""
    verdicts = [ANY, "valid", "unfinished", "invalid"]
    sizes = [ANY, *map(str, range(2, 9))]
    address.begin()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        text = address.ask_text("Search", "q", _LONGEST, placeholder="a player, a game, a log", width=340)
        only = address.ask_one("Verdict", "verdict", {one: one for one in verdicts}, width=150)
        size = address.ask_one("Players", "players", {one: one for one in sizes}, width=110)
        order = address.ask_one("Order", "listed", {one: one for one in ORDERS}, width=210)
    address.tell_missed()
    filters = {"q": text, "verdict": "" if only == ANY else only, "n_players": "" if size == ANY else size}
    return {**{name: value for name, value in filters.items() if value}, "order": order}


def _fits(row: data.GameRow, filters: Mapping[str, str], only: str | None) -> bool:
    everything = "\n".join((row.title, row.log, *row.players)).casefold()
    return (
        only in (None, row.log)
        and filters.get("verdict") in (None, row.verdict)
        and filters.get("n_players") in (None, str(len(row.players)))
        and all(word in everything for word in filters.get("q", "").casefold().split())
    )


def _tell_count(
    fitting: int, everything: int, shown: int, events: int, *, cut: bool, unread: int, moments: bool
) -> None:
    all_games = f"the first {data.MOST_GAMES:,} games" if cut else count_of(everything, "game")
    beyond = " Others are found in a library: ono-replay import takes all." if cut else ""
    all_games += f" so far, and {count_of(unread, 'more log')} to read" if unread else ""
    if not fitting:
        if unread:
            st.caption(f"None of {all_games}, fits.")
        else:
            st.info(
                f"None of {all_games} fits. Take a word out of the search, or choose any verdict.{beyond}"
            )
        return
    told = all_games if fitting == everything else f"{fitting:,} of {all_games}"
    told += (
        f" with {count_of(events, 'event')}"
        if events and fitting == everything and not (unread or cut)
        else ""
    )
    listed = "" if shown == fitting else f" The first {shown:,} are listed; search for others."
    where = "see where it happened" if moments else "replay it"
    st.caption(f"{told[0].upper()}{told[1:]}.{listed} Click one to {where}.{beyond}")


_COLUMNS: Final = (
    Column("Game"),
    Column("Players"),
    Column("Won by"),
    Column("Verdict"),
    Column("Faults", right=True, hide=2),
    Column("Events", right=True, hide=2),
    Column("Rounds", right=True, hide=3),
    Column("Edition", hide=1),
    Column("Begun", hide=3),
    Column("Log", hide=1),
)


def _show_table(rows: Sequence[data.GameRow], where: Mapping[str, str]) -> None:
    """Show games; `where` leads to what the list is about within each."""
    lines: list[list[Cell | str]] = [
        [
            _game(row, where),
            ", ".join(row.players),
            ", ".join(row.winners),
            _verdict(row),
            Cell(f"{row.errors:,}", row.errors),
            Cell(f"{row.events:,}", row.events),
            Cell(f"{row.rounds:,}", row.rounds),
            row.edition,
            row.started_at[:10],
            row.log,
        ]
        for row in rows
    ]
    asked = show_table("The games that fit, one a row", _COLUMNS, lines, "games")
    if asked is not None:
        go_to(*asked)


def _game(row: data.GameRow, where: Mapping[str, str]) -> Cell:
    """Return what the game is called and the way to it; below it the day, or the id that says nothing to a human."""
    called = game_called(row.game_id, row.started_at, row.players)
    below = row.started_at[:10] if called == row.title else row.title
    moment = where if row.moment is None else {"event": str(row.moment)}
    return Cell(called, to=(REPLAY, {**row.address, **moment}), sub=below)


def _verdict(row: data.GameRow) -> Cell:
    tones: dict[str, Any] = {"valid": "good", "unfinished": "open", "invalid": "bad"}
    if row.irregular:
        return Cell(row.verdict, tone="open", sub="a fault was let stand")
    return Cell(row.verdict, tone=tones[row.verdict])
