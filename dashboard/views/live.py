"""Live: follows a log while it is recorded, without disturbing it."""

from typing import Any

import streamlit as st

from dashboard import data
from dashboard.components.viewer import show_viewer
from dashboard.views import address
from dashboard.words import game_called

EVERY = 1.0
"""Seconds between two looks at the log."""


def live_page() -> None:
    """Ask which log, and follow it."""
    st.title("Live")
    logs = data.logs_by_change()
    if not logs:
        st.info("There is no log to follow.")
        st.markdown(
            "Record a game in one window, and follow it here:\n\n"
            "```sh\nono-replay record tonight.ono.jsonl\nono-replay dashboard tonight.ono.jsonl\n```"
        )
        return
    address.begin()
    chosen = address.ask_one("Log", "log", {log: log for log, _ in logs})
    address.tell_missed()
    _follow(chosen, dict(logs)[chosen])


@st.fragment(run_every=EVERY)
def _follow(log: str, path: str) -> None:
    payload, standing = _now(path)
    if isinstance(payload, str):
        st.badge("waiting", color="orange")
        st.text(f"{log}: {payload}")
        return
    game = payload["game"]
    players = [player["name"] for player in game["players"]]
    st.text(game_called(game["game_id"], game["started_at"] or "", players))
    if standing == "ended":
        st.badge("ended", color="gray")
    else:
        st.badge("live", color="green")
    show_viewer(payload, key=f"live-{log}-{payload['game']['game_id']}")


def _now(path: str) -> tuple[dict[str, Any] | str, str]:
    """Return the game as the log has it now; a log that has not changed is not read again."""
    try:
        stamp = data.stamp_of(path)
    except OSError as reason:
        return reason.strerror or str(reason), "waiting"
    kept = st.session_state.get("live")
    if kept is None or kept[0] != (path, stamp):
        kept = ((path, stamp), data.live_payload(path))
        st.session_state["live"] = kept
    payload, standing = kept[1]
    return payload, standing
