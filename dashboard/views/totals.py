"""Totals: how the total moves over the course of a round, and what is held meanwhile."""

from typing import Final

from dashboard.charts import Axis
from dashboard.views.frame import open_frame
from dashboard.views.sections import Row, show_section

WAYS: Final = ("edition", "n_players", "match", "max_total", "bot", "player")
ACROSS: Final = "choice of the round"


def _reaches(row: Row) -> dict[str, str]:
    return {"reaches": str(row["first_choice"])}


def totals_page() -> None:
    """Show the total, the danger zone, forced plays and hands over a round."""
    frame = open_frame(
        "Totals",
        "How the total moves over the course of a round, ten choices of all players together a step.",
        WAYS,
    )
    figures = None if frame is None else frame.ask("totals")
    if frame is None or figures is None:
        return
    for measure, title, axis, counts, about in (
        ("total", "The total", Axis("total met, mean"), ("", "choices"), "The mean total that is met at a choice."),
        ("near", "Near the limit", Axis("choices near the limit", share=True), ("near", "choices"),
         "The share of choices at a total less than ten below the limit."),
        ("forced", "Nothing else to play", Axis("forced choices", share=True), ("forced", "choices"),
         "The share of choices with exactly one legal card, of those where the hand is known."),
    ):  # fmt: skip
        show_section(
            frame, figures.of(measure), title=title, about=about, axis=axis, key=f"totals-{measure}", counts=counts,
            across=ACROSS, lead=_reaches,
        )  # fmt: skip
    held = frame.ask("held")
    for measure, title, axis in (
        ("helpers", "Cards in hand that always fit", Axis("cards that always fit, mean")),
        ("ono_99", "ONO 99 in hand", Axis("ONO 99 in hand, mean")),
    ):
        if held is not None:
            show_section(
                frame, held.of(measure), title=title, axis=axis, key=f"held-{measure}", counts=("", "choices"),
                about="The mean of what is held at a choice, where the hand is known.",
                across=ACROSS, lead=_reaches,
            )  # fmt: skip
