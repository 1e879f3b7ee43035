"""Record: a game at the table, with big buttons for a phone; nothing is told as saved before it is on disk."""

import streamlit as st

from dashboard.components.pad import show_pad

_STYLE = """
[data-testid="stMainBlockContainer"] { padding-bottom: 0; }
@media (max-width: 640px) { [data-testid="stMainBlockContainer"] { padding: 3.4rem 0 0; } }
"""


def record_page() -> None:
    """Show the pad."""
    st.html(f"<style>{_STYLE}</style>")
    show_pad()
