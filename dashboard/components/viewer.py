"""The replay viewer in a page: it gets all states of a game once and steps in the browser."""

from typing import Any

import streamlit as st

from dashboard import data

NAME = "ono_replay_viewer"
# As high as the window, so that on a laptop the whole table is in sight.
_HEIGHT = ".ono-root { --ono-height: max(560px, calc(100dvh - 8rem)); }"


def show_viewer(payload: dict[str, Any], key: str) -> dict[str, Any] | None:
    """Mount the viewer and return the moment it stands at, once it has been moved.

    `key` names the mounted viewer: with the same one a new payload of the same game leaves the reader in place.
    """
    viewer = st.components.v2.component(
        NAME, js=data.viewer_file("viewer.js"), css=data.viewer_file("viewer.css") + _HEIGHT
    )
    result = viewer(data={"payload": payload}, key=key, on_moment_change=_nothing)
    moment = result.get("moment")
    return moment if isinstance(moment, dict) else None


def _nothing() -> None:
    """Only to have the moment told."""
