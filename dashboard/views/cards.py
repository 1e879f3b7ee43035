"""Cards: how often each is played, and what it does."""

from typing import Any, Final

import streamlit as st

from dashboard.charts import Axis
from dashboard.libraries import Figures
from dashboard.views.frame import open_frame
from dashboard.views.sections import Row, show_section
from ono_replay.rules.cards import TOKENS

WAYS: Final = ("edition", "n_players", "match", "bot", "player", "year", "month")
MEASURES: Final = {
    "How often played": ("played", Axis("of all cards played", share=True), ("plays", "all plays"), "played"),
    "What a play changes": ("change", Axis("change of the total by a play", signed=True), ("", "plays"), "played"),
    "Played, not kept": ("used", Axis("of the copies held, played", share=True), ("played", "held"), "played"),
    "Forced plays": ("forced", Axis("of its plays, forced", share=True), ("forced", "plays"), "forced"),
    "Pairs passed on": ("deflected", Axis("of its plays under a pair, passed on", share=True), ("passed on", "plays"), "deflected"),
    "Fatal plays": ("fatal", Axis("eliminations for each play"), ("", "plays"), "fatal"),
    "Four-card discards": ("discarded", Axis("of the copies held, discarded", share=True), ("discarded", "held"), "discarded"),
}  # fmt: skip


def cards_page() -> None:
    """Show one measure of all cards."""
    frame = open_frame("Cards", "How often each card is played, what it does, and who falls by it.", WAYS)
    figures = None if frame is None else frame.ask("cards")
    if frame is None or figures is None:
        return
    there = {row["measure"] for row in figures.answer.rows}
    titles = [title for title, found in MEASURES.items() if found[0] in there]
    if not titles:
        st.info(
            "No card was played in the games that are counted. Try other filters, or count unfinished games, too."
        )
        return
    title: Any = st.selectbox("What", titles, key="what", bind="query-params", width=260)
    measure, axis, counts, use = MEASURES[title]
    show_section(
        frame,
        figures.of(measure),
        title=title,
        about=_sentence(figures, measure),
        axis=axis,
        key=f"cards-{measure}",
        lead=None if measure == "played" else _card,
        hit=lambda row: {"card": row["card"], "use": use},
        counts=counts,
        order=_place,
    )


def _card(row: Row) -> dict[str, str]:
    return {"card": row["card"]}


def _sentence(figures: Figures, measure: str) -> str:
    told = figures.meaning(measure).replace("`", "").replace("ono_99", "ONO 99")
    return f"{told[0].upper()}{told[1:]}."


def _place(row: Row) -> tuple[Any, ...]:
    place = TOKENS.index(row["card"]) if row["card"] in TOKENS else len(TOKENS)
    return (place, *(str(value) for value in row.values()))
