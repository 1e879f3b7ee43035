"""Replay: one game, step by step. The address leads to the moment, also on a fresh server."""

import re
from collections.abc import Mapping
from typing import Any

import streamlit as st

from dashboard import data, shelves
from dashboard.components.viewer import show_viewer
from dashboard.views.address import tell
from dashboard.views.branch import BRANCH, branch_from, show_branch
from dashboard.views.pages import FINDING, GAMES, REPLAY, go_to
from dashboard.words import game_called

MOMENT = "replay-moment"
"""Where the address and the viewer agree that the reader is: game, event, seat, and no finding that led there."""
BEGIN = "replay-begin"
"""Where the mounted viewer began: event, seat."""


def replay_page() -> None:
    """Show the game of the address."""
    shelf = data.shelf(data.STEP)
    asked = st.query_params
    row = _named(shelf, asked)
    if shelf.unread and (row is None or asked.get("log") not in (None, row.log)):
        shelf = data.shelf()
        row = _named(shelf, asked)
    row = row or shelves.game_in_library(asked.get("log"), asked.get("game"))
    if row is None:
        st.title("Replay")
        row = _offer_games(shelf, wanted=bool(asked.get("game") or asked.get("log")))
        if row is None:
            return
    branched = _branch_asked()
    if branched is not None:
        show_branch(row, *branched)
        return
    event, seat = _begin(row)
    payload = data.payload_of(row, event, seat)
    if isinstance(payload, str):
        _tell_trouble(row, payload)
        return
    told = show_viewer(payload, f"replay-{row.log}-{row.line}-{row.game_id}-{event}-{seat}", branches=True)
    if told.choice is not None:
        branch_from(row, told.choice)
    if told.moment is not None:
        _keep_moment(row, told.moment)
    _show_ways(shelf, row, _as_it_stands(payload, len(row.players)))


def _as_it_stands(payload: dict[str, Any], seats: int) -> dict[str, Any]:
    """Return a payload that begins where the reader is."""
    _, event, seat, _ = st.session_state[MOMENT]
    where = {} if event is None else {"event": event}
    where |= {} if seat is None or seat >= seats else {"seat": seat}
    return payload | {"options": payload["options"] | where}


def _named(shelf: data.Shelf, asked: Mapping[str, str]) -> data.GameRow | None:
    """Return the game of the logs that the address names."""
    return data.find_game(shelf.games, asked.get("log"), asked.get("line"), asked.get("game"))


def _branch_asked() -> tuple[int, list[str]] | None:
    """Return where the address asks to branch off, and with which cards."""
    seq, *cards = st.query_params.get(BRANCH, "").split(",")
    return (int(seq), cards) if re.fullmatch(r"[0-9]{1,9}", seq) else None


def _begin(row: data.GameRow) -> tuple[int | None, int | None]:
    """Return the event and seat to begin at; they change only when the address was changed from outside."""
    code, event, seat = st.query_params.get(FINDING, ""), _number("event"), _number("seat")
    asked = (row.address, event, seat, code)
    if st.session_state.get(MOMENT) != asked:
        st.session_state[MOMENT] = asked
        st.session_state[BEGIN] = (_first_with(row, code) if code and event is None else event, seat)
    event, seat = st.session_state[BEGIN]
    return event, seat if seat is not None and seat < len(row.players) else None


def _first_with(row: data.GameRow, code: str) -> int | None:
    """Return the first event that has a finding; None where there is none, or it is of the whole game."""
    payload = data.payload_of(row, None, None)
    found = () if isinstance(payload, str) else payload["findings"]
    return next((one["seq"] for one in found if one["code"] == code and one["seq"] is not None), None)


def _number(name: str) -> int | None:
    value = st.query_params.get(name, "")
    return int(value) if re.fullmatch(r"[0-9]{1,9}", value) else None


def _keep_moment(row: data.GameRow, moment: dict[str, Any]) -> None:
    event, seat = moment.get("event"), moment.get("seat")
    if moment.get("game") != row.game_id or not isinstance(event, int):
        return
    seat = seat if isinstance(seat, int) else None
    told = (row.address, event, seat, "")
    if st.session_state.get(MOMENT) != told:
        st.session_state[MOMENT] = told
        address = row.address | {"event": str(event)}
        tell("step", address if seat is None else address | {"seat": str(seat)})


def _show_ways(shelf: data.Shelf, row: data.GameRow, payload: dict[str, Any]) -> None:
    if row.line == data.IN_LIBRARY:
        before, after = shelves.neighbours(row)
    else:
        place = shelf.games.index(row)
        before, after = (
            shelf.games[at] if 0 <= at < len(shelf.games) else None for at in (place - 1, place + 1)
        )
    with st.container(horizontal=True, vertical_alignment="center"):
        if st.button("Previous game", disabled=before is None) and before is not None:
            go_to(REPLAY, before.address)
        if st.button("Next game", disabled=after is None) and after is not None:
            go_to(REPLAY, after.address)
        if st.button("All games"):
            go_to(GAMES, {})
        st.download_button(
            "Save as a page",
            data=lambda: data.page_for_sharing(payload),
            file_name=re.sub(r"[^A-Za-z0-9._-]+", "_", row.game_id or "game")[:80] + ".html",
            mime="text/html",
            help="One HTML file that opens from disk, without a server and without this program",
            on_click="ignore",
        )
        st.text(" – ".join(dict.fromkeys([_called(row), row.place])))


def _tell_trouble(row: data.GameRow, trouble: str) -> None:
    st.title("Replay")
    with st.container(border=True):
        st.markdown(":orange[This game can not be shown]")
        st.text(f"{row.place}: {trouble}")
    st.markdown("The page **Validate** tells what is wrong with its log, line by line.")
    if st.button("All games"):
        go_to(GAMES, {})


def _offer_games(shelf: data.Shelf, *, wanted: bool) -> data.GameRow | None:
    """Offer games to choose; return the newest sound one where the address asks for none."""
    if wanted:
        st.warning("The address leads to a game that is not in the logs of this dashboard.")
    games = [*shelf.games, *shelves.find_in_libraries({}, "newest", None).rows]
    games.sort(key=lambda row: (row.verdict != "invalid", row.began), reverse=True)
    if not games:
        st.info("There is no game to replay. The page Games tells how to start with some.")
        return None
    chosen = st.selectbox(
        "Game",
        range(len(games)),
        format_func=lambda place: f"{_called(games[place])} – {games[place].log}",
        index=None,
        placeholder="Choose a game" if wanted else f"The newest: {_called(games[0])}",
    )
    if chosen is not None:
        go_to(REPLAY, games[chosen].address)
    return None if wanted else games[0]


def _called(row: data.GameRow) -> str:
    return game_called(row.game_id, row.started_at, row.players)
