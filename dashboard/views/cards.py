"""Cards: how often each is played, and what it does."""

from typing import Any, Final

from dashboard.charts import Axis
from dashboard.views.frame import choose, open_frame
from dashboard.views.sections import Row, show_section
from ono_replay.rules.cards import TOKENS

WAYS: Final = ("edition", "n_players", "match", "bot", "player", "year", "month")
MEASURES: Final = {
    "How often played": ("played", Axis("of all cards played", share=True), ("plays", "all plays"),
                         "Of all cards played, the share of each."),
    "What a play changes": ("change", Axis("change of the total, mean", signed=True), ("", "plays"),
                            "How much a play of the card changes the total."),
    "Played, not kept": ("used", Axis("played of those held", share=True), ("played", "held"),
                         "Of the copies that came into a hand, those that were played; of games without unknown cards."),
    "Forced plays": ("forced", Axis("forced plays", share=True), ("forced", "plays"),
                     "Of its plays, those where nothing else was legal; of games without unknown cards."),
    "Pairs passed on": ("deflected", Axis("pairs passed on", share=True), ("passed on", "plays"),
                        "Of its plays as the first card of a forced pair, those that passed the pair on."),
    "Fatal plays": ("fatal", Axis("falls in 100 plays", scale=100), ("", "plays"),
                    "How many fell under a total that it had set, in a hundred plays of the card."),
    "Four-card discards": ("discarded", Axis("discarded of those held", share=True), ("discarded", "held"),
                           "Of the copies that came into a hand, those discarded four at a time."),
}  # fmt: skip


def cards_page() -> None:
    """Show one measure of all cards."""
    frame = open_frame("Cards", "How often each card is played, what it does, and who falls by it.", WAYS)
    if frame is None:
        return
    title = choose(list(MEASURES))
    figures = frame.ask("cards")
    if figures is None:
        return
    measure, axis, counts, about = MEASURES[title]
    show_section(
        frame,
        figures.of(measure),
        title=title,
        about=about,
        axis=axis,
        key=f"cards-{measure}",
        lead=None if measure == "played" else _card,
        hit=lambda row: {"card": row["card"], "use": "played" if measure == "used" else measure},
        counts=counts,
        order=_place,
    )


def _card(row: Row) -> dict[str, str]:
    return {"card": row["card"]}


def _place(row: Row) -> tuple[Any, ...]:
    place = TOKENS.index(row["card"]) if row["card"] in TOKENS else len(TOKENS)
    return (place, *(str(value) for value in row.values()))
