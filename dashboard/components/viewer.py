"""The replay viewer in a page: it gets all states of a game once and steps in the browser."""

from typing import Any, NamedTuple

import streamlit as st

from dashboard import data

NAME = "ono_replay_viewer"
# As high as the window, so that on a laptop the whole table is in sight; then it looks what stands above it.
_HEIGHT = ".ono-root { --ono-height: max(560px, calc(100dvh - 8rem)); }"


class Told(NamedTuple):
    """What the viewer tells the page."""

    moment: dict[str, Any] | None
    """Where it stands, once it has been moved."""
    choice: dict[str, Any] | None
    """The card that was chosen to play on with, once."""


def show_viewer(payload: dict[str, Any], key: str, *, branches: bool = False) -> Told:
    """Mount the viewer; with `branches` the reader may play on from a moment.

    `key` names the mounted viewer: with the same one a new payload of the same game leaves the reader in place.
    """
    style = data.viewer_file("palette.css") + data.viewer_file("viewer.css") + _HEIGHT
    viewer = st.components.v2.component(NAME, js=data.viewer_file("viewer.js"), css=style)
    result = viewer(
        data={"payload": payload, "branch": branches},
        key=key,
        on_moment_change=_nothing,
        on_branch_change=_nothing,
    )
    moment, choice = result.get("moment"), result.get("branch")
    return Told(moment if isinstance(moment, dict) else None, choice if isinstance(choice, dict) else None)


def _nothing() -> None:
    """Only to have it told."""
