"""Validate: a log that somebody has, its verdict, and the game with the faults on their events."""

from typing import Final, Literal

import streamlit as st

from dashboard import checks, data, imports
from dashboard.components.scroll import scroll_here
from dashboard.components.viewer import show_viewer
from dashboard.views.pages import GAMES, go_to

Colour = Literal["red", "orange", "green", "blue"]
COLOURS: Final[dict[str, Colour]] = {"error": "red", "warning": "orange", "note": "blue"}
VERDICTS: Final[dict[str, Colour]] = {"valid": "green", "unfinished": "orange", "invalid": "red"}

MOST_PASTED: Final = 2_000_000
_SHOWN: Final = "shown-event"
"""The game, by its line, and its event that are shown at the table, and how often one was asked for."""


def validate_page() -> None:
    """Take a log and say what is wrong with it."""
    st.title("Validate")
    taken = _take_log()
    if taken is None:
        st.caption(
            "Nothing is kept: a log is checked in memory, and forgotten when you leave, unless you import it."
        )
        return
    name, content = taken
    checked = _checked(name, content)
    if checked.trouble is not None:
        with st.container(border=True):
            st.markdown(":red[There is nothing to check]")
            st.text(checked.trouble)
        return
    st.subheader(checked.summary)
    if checked.games:
        _offer_import(content)
        if any(game.verdict == "invalid" for game in checked.games):
            st.caption(
                "What breaks the rules goes into the library's quarantine, with what is wrong with it."
            )
    for finding in checked.strays:
        _show_finding(finding)
    if checked.more_strays:
        st.caption(f"… and {checked.more_strays:,} more findings that belong to no game.")
    if checked.more_games:
        st.caption(
            f"The first {len(checked.games):,} games can be chosen; “ono-replay validate” tells of all."
        )
    if checked.games:
        game = _pick(checked.games)
        _show_game(content, game)


def _offer_import(content: bytes) -> None:
    """Put the log into a library, where somebody wants that."""
    to_take = imports.libraries_to_take()
    with st.container(horizontal=True, vertical_alignment="bottom" if len(to_take) > 1 else "center"):
        library = next(iter(to_take))
        if len(to_take) > 1:
            library = st.selectbox("Library", list(to_take), format_func=to_take.__getitem__, width=260)
        if st.button("Put into the library" if len(to_take) > 1 else f"Put into {to_take[library]}"):
            with st.spinner("Taking the games in …"):
                st.session_state["imported"] = (content, imports.take_in_bytes(content, library))
        kept = st.session_state.get("imported")
        if kept is not None and kept[0] == content:
            st.text(kept[1].words)
            if kept[1].done and st.button("All games"):
                go_to(GAMES, {})
            if kept[1].refused:
                st.markdown(
                    "What was refused is kept whole: the page **Quality** counts it, "
                    "`ono-replay library quarantine list` names it, and `… quarantine show KEY` tells why."
                )


def _take_log() -> tuple[str, bytes] | None:
    """Return a log with what it is called."""
    uploaded, pasted = st.tabs(["Upload a log", "Paste its lines"])
    file = uploaded.file_uploader("A log: .ono.jsonl, also packed as .gz or .zst")
    text = pasted.text_area("The lines of a log", height=180)
    if (pasted.button("Check") or text) and not text.strip():
        pasted.text("There are no lines yet: paste those of a log above.")
    if file is not None:
        return file.name, file.getvalue()
    if len(text) > MOST_PASTED:
        pasted.text(f"More than {MOST_PASTED:,} letters: upload the log as a file.")
        return None
    return ("What was pasted", text.encode()) if text.strip() else None


def _checked(name: str, content: bytes) -> checks.Checked:
    """Return the verdict on the log of this session; it is kept for as long as the log is the same."""
    kept = st.session_state.get("checked")
    if kept is None or kept[0] != (name, content):
        with st.spinner("Checking every rule …"):
            kept = ((name, content), checks.check_log(content, name))
        st.session_state["checked"] = kept
        st.session_state[_SHOWN] = (0, None, _shown()[2])
    checked: checks.Checked = kept[1]
    return checked


def _pick(games: tuple[checks.Verdicts, ...]) -> checks.Verdicts:
    if len(games) == 1:
        return games[0]
    worst = next((place for place, game in enumerate(games) if game.verdict == "invalid"), 0)
    place = st.selectbox(
        "Game",
        range(len(games)),
        index=worst,
        format_func=lambda place: f"{games[place].title} – {games[place].verdict}, line {games[place].line}",
    )
    return games[place]


def _show_game(content: bytes, game: checks.Verdicts) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        st.badge(game.verdict, color=VERDICTS[game.verdict])
        st.text(f"{game.title}: {game.counts}")
    for place, finding in enumerate(found for found in game.findings if not found.knock_on):
        _show_finding(finding, game.line, place)
    follow = [found for found in game.findings if found.knock_on]
    if follow:
        with st.expander(f"{len(follow)} more that only follow from these"):
            for finding in follow:
                _show_finding(finding)
    if game.hidden:
        st.caption(f"… and {game.hidden:,} more findings in this game.")
    first = next((found.seq for found in game.findings if found.seq is not None), None)
    line, event, clicks = _shown()
    if line != game.line:
        event = first
    else:
        scroll_here(f"{game.line}-{event}-{clicks}")
    payload = data.payload_of_bytes(content, game.line, event)
    if isinstance(payload, str):
        st.text(f"This game can not be shown at a table: {payload}")
    else:
        show_viewer(payload, key=f"validate-{game.line}-{event}")


def _shown() -> tuple[int, int | None, int]:
    """Return the line of the game that an event was asked for of, 0 for none; the event; and how often, of all logs."""
    shown: tuple[int, int | None, int] = st.session_state.get(_SHOWN, (0, None, 0))
    return shown


def _show(line: int, event: int) -> None:
    st.session_state[_SHOWN] = (line, event, _shown()[2] + 1)


def _show_finding(finding: checks.Finding, line: int = 0, place: int | None = None) -> None:
    """Show a finding; the one in this place among those of a game can be shown at the table."""
    with st.container(border=True):
        with st.container(horizontal=True, vertical_alignment="center"):
            st.badge(f"{finding.severity} {finding.code}", color=COLOURS[finding.severity])
            st.text(f"{finding.name}, {finding.where}" if finding.where else finding.name)
            if place is not None and finding.seq is not None:
                st.button(
                    "Show at the table",
                    key=f"show-{line}-{place}",
                    on_click=_show,
                    args=(line, finding.seq),
                )
        st.text(finding.message)
        if finding.excerpt:
            st.code(finding.excerpt, language=None)
        rows = (*finding.table, ("could play", finding.legal), ("help", finding.help))
        st.text("\n".join(f"{label}: {text}" if label else text for label, text in rows if text))
