"""The addresses of the pages, and how one page leads to another."""

from typing import Final, NoReturn

import streamlit as st

GAMES: Final = "games"
REPLAY: Final = "replay"
VALIDATE: Final = "validate"
LIVE: Final = "live"
STATISTICS: Final = "statistics"


def go_to(page: str, address: dict[str, str]) -> NoReturn:
    """Leave for another page with an address of its own."""
    st.switch_page(st.session_state["pages"][page], query_params=address)
