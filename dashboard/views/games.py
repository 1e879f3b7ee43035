"""Games: all games of the logs; a row opens its replay."""

from collections.abc import Sequence

import streamlit as st

from dashboard import data
from dashboard.views.pages import REPLAY, go_to

ANY = "any"
ORDERS = {
    "as in the logs": None,
    "most events first": lambda row: -row.events,
    "newest first": lambda row: tuple(-ord(letter) for letter in row.started_at),
    "by game": lambda row: (row.title.casefold(), row.title),
    "faults first": lambda row: (-row.errors, -row.warnings),
}


def games_page() -> None:
    """Show the list of games."""
    shelf = data.shelf()
    st.title("Games")
    if shelf.games:
        rows = _chosen(shelf.games)
        _tell_count(len(rows), shelf)
        if rows:
            _show_table(rows)
    else:
        _show_nothing(given=bool(shelf.logs or shelf.troubles))
    if shelf.troubles:
        with st.container(border=True):
            st.markdown(":orange[Not in the list]")
            st.text("\n".join(shelf.troubles))


def _show_nothing(*, given: bool) -> None:
    st.info("There is no game in these logs yet." if given else "The dashboard was started without logs.")
    st.markdown(
        "Start it with logs or folders of logs:\n\n"
        "```sh\nono-replay dashboard my-logs/\n```\n\n"
        "To have some games to look at:\n\n"
        "```sh\nono-replay samples copy samples\nono-replay dashboard samples\n```\n\n"
        "Or check a log on the page **Validate**."
    )


def _chosen(games: Sequence[data.GameRow]) -> list[data.GameRow]:
    """Ask what to list, and return it; the choice stands in the address."""
    sizes = [ANY, *(str(size) for size in sorted({len(row.players) for row in games}))]
    verdicts = [ANY, "valid", "unfinished", "invalid"]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        text = st.text_input(
            "Search",
            key="q",
            bind="query-params",
            placeholder="a player, a game, a log",
            max_chars=200,
            width=340,
        )
        only = st.selectbox("Verdict", verdicts, key="verdict", bind="query-params", width=150)
        size = st.selectbox("Players", sizes, key="players", bind="query-params", width=110)
        by = ORDERS[st.selectbox("Order", list(ORDERS), key="order", bind="query-params", width=210)]
    rows = [
        row
        for row in games
        if only in (ANY, row.verdict) and size in (ANY, str(len(row.players))) and _has(row, text)
    ]
    return rows if by is None else sorted(rows, key=by)


def _has(row: data.GameRow, text: str) -> bool:
    everything = "\n".join((row.title, row.log, *row.players)).casefold()
    return all(word in everything for word in text.casefold().split())


def _tell_count(shown: int, shelf: data.Shelf) -> None:
    all_games = (
        f"the first {data.MOST_GAMES:,} games" if shelf.cut else data.counted(len(shelf.games), "game")
    )
    if not shown:
        st.info(f"None of {all_games} fits. Take a word out of the search, or choose any verdict.")
    else:
        told = all_games if shown == len(shelf.games) else f"{shown:,} of {all_games}"
        st.caption(f"{told[0].upper()}{told[1:]}. Click one to replay it.")


def _show_table(rows: Sequence[data.GameRow]) -> None:
    columns = {
        "Game": [row.title for row in rows],
        "Players": [", ".join(row.players) for row in rows],
        "Won by": [", ".join(row.winners) for row in rows],
        "Verdict": [row.verdict for row in rows],
        "Faults": [row.errors for row in rows],
        "Events": [row.events for row in rows],
        "Rounds": [row.rounds for row in rows],
        "Edition": [row.edition for row in rows],
        "Begun": [row.started_at[:10] for row in rows],
        "Log": [row.log for row in rows],
    }
    # A new key once a game was opened: coming back, nothing is chosen and the same game can be opened again.
    opened = st.session_state.setdefault("opened", 0)
    chosen = st.dataframe(
        columns,
        hide_index=True,
        height=min(38 + 35 * len(rows), 620),
        on_select="rerun",
        selection_mode=["single-cell", "single-row"],
        key=f"games-{opened}",
        alt="The games that fit, one a row",
        column_config={
            "Game": st.column_config.TextColumn(width="medium"),
            "Players": st.column_config.TextColumn(width="medium"),
            "Begun": st.column_config.TextColumn(width="small"),
            "Faults": st.column_config.NumberColumn(width="small"),
            "Events": st.column_config.NumberColumn(width="small"),
            "Rounds": st.column_config.NumberColumn(width="small"),
            "Edition": st.column_config.TextColumn(width="small"),
        },
    )
    picked = [*chosen.selection.rows, *(row for row, _ in chosen.selection.cells)]
    if picked and picked[0] < len(rows):
        st.session_state["opened"] = opened + 1
        go_to(REPLAY, rows[picked[0]].address)
