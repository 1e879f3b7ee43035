"""The addresses of the pages, and how one page leads to another."""

from typing import Any, Final, NoReturn

import streamlit as st

from dashboard.views.address import word_for

GAMES: Final = "games"
REPLAY: Final = "replay"
VALIDATE: Final = "validate"
LIVE: Final = "live"
PLAYERS: Final = "players"
HEAD_TO_HEAD: Final = "head-to-head"
SEATS: Final = "seats"
CARDS: Final = "cards"
TOTALS: Final = "totals"
ELIMINATIONS: Final = "eliminations"
CHAINS: Final = "pair-chains"
LENGTH: Final = "length"
QUALITY: Final = "quality"
FINDING: Final = "finding"
"""The parameter of a replay that names a code of the validator: it begins at the first event with it."""


def page_of(name: str) -> Any:
    """Return a page by its address."""
    return st.session_state["pages"][name]


def go_to(page: str, address: dict[str, str]) -> NoReturn:
    """Leave for another page with an address of its own."""
    there = page_of(page)
    st.switch_page(there, query_params={**address, **word_for("go", there.url_path)})
