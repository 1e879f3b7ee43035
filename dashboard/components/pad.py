"""The pad in a page: the table recorder that talks to the server by itself (`dashboard/routes.py`)."""

from pathlib import Path
from typing import Final

import streamlit as st

from dashboard import data

_NAME: Final = "ono_replay_pad"
_HERE: Final = Path(__file__).parent


def show_pad() -> None:
    """Mount the pad."""
    pad = st.components.v2.component(
        _NAME, js=_read("pad.js"), css=data.viewer_file("palette.css") + _read("pad.css")
    )
    pad(key="pad")


@st.cache_resource
def _read(name: str) -> str:
    return (_HERE / name).read_text(encoding="utf-8")
