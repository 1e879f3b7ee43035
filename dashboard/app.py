"""The router: which pages there are. Streamlit runs this file anew for every look and every click."""

import streamlit as st

from dashboard.views import pages
from dashboard.views.address import arrive
from dashboard.views.cards import cards_page
from dashboard.views.chains import chains_page
from dashboard.views.eliminations import eliminations_page
from dashboard.views.games import games_page
from dashboard.views.head_to_head import head_to_head_page
from dashboard.views.length import length_page
from dashboard.views.live import live_page
from dashboard.views.players import players_page
from dashboard.views.quality import quality_page
from dashboard.views.record import record_page
from dashboard.views.replay import replay_page
from dashboard.views.seats import seats_page
from dashboard.views.totals import totals_page
from dashboard.views.validate import validate_page

STYLE = """
[data-testid="stMainBlockContainer"] { padding: 3.6rem 1.5rem 1.5rem; }
[data-testid="stMainBlockContainer"] h1 { font-size: 1.9rem; padding: 0.4rem 0 0; }
[data-testid="stMainBlockContainer"] h3 { font-size: 1.2rem; padding: 0.4rem 0; }
[data-testid="stCaptionContainer"] { opacity: 0.85; }
[data-testid="stText"] { overflow-wrap: anywhere; white-space: pre-wrap; }
@media (max-width: 640px) { [data-testid="stMainBlockContainer"] { padding: 3.6rem 0.6rem 1rem; } }
"""

SECTIONS = {
    "Games": [
        st.Page(games_page, title="Games", url_path=pages.GAMES, default=True),
        st.Page(replay_page, title="Replay", url_path=pages.REPLAY),
        st.Page(live_page, title="Live", url_path=pages.LIVE),
        st.Page(record_page, title="Record", url_path="record"),
        st.Page(validate_page, title="Validate", url_path=pages.VALIDATE),
    ],
    "Players": [
        st.Page(players_page, title="Players", url_path=pages.PLAYERS),
        st.Page(head_to_head_page, title="Head-to-head", url_path=pages.HEAD_TO_HEAD),
        st.Page(seats_page, title="Seats and starters", url_path=pages.SEATS),
    ],
    "How it is played": [
        st.Page(cards_page, title="Cards", url_path=pages.CARDS),
        st.Page(totals_page, title="Totals", url_path=pages.TOTALS),
        st.Page(eliminations_page, title="Eliminations", url_path=pages.ELIMINATIONS),
        st.Page(chains_page, title="Pair chains", url_path=pages.CHAINS),
        st.Page(length_page, title="Length and tempo", url_path=pages.LENGTH),
    ],
    "Library": [st.Page(quality_page, title="Quality", url_path=pages.QUALITY)],
}


def main() -> None:
    """Show the page that the address asks for."""
    st.set_page_config(page_title="ono-replay", layout="wide", initial_sidebar_state="collapsed")
    st.html(f"<style>{STYLE}</style>")
    st.session_state["pages"] = {
        page.url_path or pages.GAMES: page for section in SECTIONS.values() for page in section
    }
    page = st.navigation(SECTIONS, position="top")
    arrive(page.url_path)
    page.run()


main()
