"""The router: which pages there are. Streamlit runs this file anew for every look and every click."""

import streamlit as st

from dashboard.libraries import libraries
from dashboard.views.games import games_page
from dashboard.views.live import live_page
from dashboard.views.pages import GAMES, LIVE, REPLAY, STATISTICS, VALIDATE
from dashboard.views.record import record_page
from dashboard.views.replay import replay_page
from dashboard.views.statistics import statistics_page
from dashboard.views.validate import validate_page

STYLE = """
[data-testid="stMainBlockContainer"] { padding: 3.6rem 1.5rem 1.5rem; }
[data-testid="stMainBlockContainer"] h1 { font-size: 1.9rem; padding: 0.4rem 0 0; }
[data-testid="stMainBlockContainer"] h3 { font-size: 1.2rem; padding: 0.4rem 0; }
[data-testid="stText"] { overflow-wrap: anywhere; white-space: pre-wrap; }
@media (max-width: 640px) { [data-testid="stMainBlockContainer"] { padding: 3.6rem 0.6rem 1rem; } }
"""


def main() -> None:
    """Show the page that the address asks for."""
    st.set_page_config(page_title="ono-replay", layout="wide", initial_sidebar_state="collapsed")
    st.html(f"<style>{STYLE}</style>")
    pages = [
        st.Page(games_page, title="Games", url_path=GAMES, default=True),
        st.Page(replay_page, title="Replay", url_path=REPLAY),
        st.Page(validate_page, title="Validate", url_path=VALIDATE),
        st.Page(live_page, title="Live", url_path=LIVE),
        st.Page(record_page, title="Record", url_path="record"),
    ]
    if libraries():
        pages.insert(2, st.Page(statistics_page, title="Statistics", url_path=STATISTICS))
    st.session_state["pages"] = {page.url_path or GAMES: page for page in pages}
    st.navigation(pages, position="top").run()


main()
