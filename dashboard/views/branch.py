"""What if: on the page Replay, a game played on from a moment with other cards, apart from the record."""

import re
from typing import Any, Final

import streamlit as st

from dashboard import data
from dashboard.components.viewer import show_viewer
from dashboard.views.pages import REPLAY, go_to
from dashboard.what_if import MOST_CARDS, WhatIf, cards_until, play_on
from dashboard.words import value_words
from ono_replay.rules.cards import DISCARD_FOUR, TOKENS

BRANCH: Final = "if"
"""The parameter of an address that holds a branch: the event it begins after, and the cards chosen since."""


def branch_from(row: data.GameRow, choice: dict[str, Any]) -> None:
    """Go to the branch that begins with a card chosen in the viewer."""
    seq, card = choice.get("seq"), choice.get("card")
    if isinstance(seq, int) and card in (*TOKENS, DISCARD_FOUR):
        go_to(REPLAY, _address(row, seq, [card]))


def show_branch(row: data.GameRow, seq: int, cards: list[str]) -> None:
    """Show a branch: what was chosen, the ways back, and the table."""
    replay = data.replay_of(row)
    made = replay if isinstance(replay, str) else play_on(replay, seq, cards)
    told = ", then ".join(_name(card) for card in cards) or "no card yet"
    if isinstance(made, str):
        how = f"This can not be played: {made}."
    elif made.over:
        how = f"{made.over} Take cards back to try others."
    else:
        how = "Choose further cards of the player to act at the table; those that are not known are not offered."
    with st.container(border=True, horizontal=True, vertical_alignment="center", gap="small"):
        st.badge("What if", color="orange")
        st.text(f"Game {row.title}, after event {seq}: {told}. The record stays as it is. {how}")
        _show_ways(row, seq, cards, made)
    if isinstance(made, WhatIf):
        told_by = show_viewer(
            made.payload, f"branch-{row.log}-{row.line}-{row.game_id}-{seq}-{cards}", branches=True
        )
        choice = told_by.choice or {}
        at, card = choice.get("seq"), choice.get("card")
        if isinstance(at, int) and card in (*TOKENS, DISCARD_FOUR):
            go_to(REPLAY, _address(row, seq, [*cards_until(made.payload, cards, at), card][:MOST_CARDS]))


def _show_ways(row: data.GameRow, seq: int, cards: list[str], made: WhatIf | str) -> None:
    with st.container(horizontal=True, gap="small"):
        if st.button("Back to the record", type="primary"):
            go_to(REPLAY, row.address | {"event": str(seq)})
        if st.button("Take the last card back", disabled=len(cards) < 2):
            go_to(REPLAY, _address(row, seq, cards[:-1]))
        if isinstance(made, WhatIf):
            st.download_button(
                "Save as a log",
                data=made.log,
                file_name=re.sub(r"[^A-Za-z0-9._-]+", "_", row.game_id or "game")[:80]
                + f"-branch-{seq}.ono.jsonl",
                mime="application/jsonl",
                on_click="ignore",
            )


def _name(card: str) -> str:
    return "four ONO 99" if card == DISCARD_FOUR else value_words("card", card)


def _address(row: data.GameRow, seq: int, cards: list[str]) -> dict[str, str]:
    return row.address | {BRANCH: ",".join([str(seq), *cards])}
