"""Totals: how the total moves over the course of a round, and what is held meanwhile."""

from typing import Final

from dashboard.charts import Axis
from dashboard.views.frame import choose, open_frame
from dashboard.views.sections import Row, show_section

WAYS: Final = ("edition", "n_players", "match", "max_total", "bot", "player")
ACROSS: Final = "choice of the round"
PARTS: Final = {
    "The total": ("totals", "total", Axis("total met, mean"), "", "The mean total that is met at a choice."),
    "Near the limit": ("totals", "near", Axis("choices near the limit", share=True), "near",
                       "The share of choices at a total less than ten below the limit."),
    "Forced choices": ("totals", "forced", Axis("forced choices", share=True), "forced",
                       "The share of choices with exactly one legal card, of those where the hand is known."),
    "Helpers in hand": ("held", "helpers", Axis("cards that always fit, mean"), "",
                        "The mean of cards in hand that never take the total over the limit, where the hand is known."),
    "ONO 99 in hand": ("held", "ono_99", Axis("ONO 99 in hand, mean"), "",
                       "The mean of ONO 99 in hand at a choice, where the hand is known."),
}  # fmt: skip
"""Each with its statistic, measure, axis, the title of k, and a sentence."""


def totals_page() -> None:
    """Show the total, the danger zone, forced choices and hands over a round."""
    frame = open_frame(
        "Totals",
        "How the total moves over the course of a round. A step is ten choices, whoever made them.",
        WAYS,
    )
    if frame is None:
        return
    title = choose(list(PARTS))
    name, measure, axis, k, about = PARTS[title]
    figures = frame.ask(name)
    show_section(
        frame,
        None if figures is None else figures.of(measure),
        title=title,
        about=about,
        axis=axis,
        key=f"{name}-{measure}",
        counts=(k, "choices"),
        across=ACROSS,
        lead=_reaches,
    )


def _reaches(row: Row) -> dict[str, str]:
    return {"reaches": str(row["first_choice"])}
