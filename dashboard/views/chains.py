"""Pair chains: how far pair cards are passed on, and who survives them."""

from typing import Final

from dashboard.charts import Axis
from dashboard.views.frame import open_frame
from dashboard.views.sections import Row, show_section

WAYS: Final = ("edition", "n_players", "match", "bot", "seat", "player", "year", "month")
PARTS: Final = (
    ("share", "Length", Axis("of the chains", share=True), ("chains", "chains in all"), None,
     "How many cards passed a chain on, the pair card that started it included."),
    ("deflected", "Passed on", Axis("of the pairs, passed on", share=True), ("passed on", "pairs"), "deflected",
     "Of the pairs that came to a player, those that went on to the next."),
    ("survived", "Survived", Axis("of the pairs, survived", share=True), ("survived", "pairs"), "survived",
     "Of the pairs that stayed with a player, those that were no fall."),
    ("chains", "Chains in a game", Axis("chains, mean"), ("", "games"), None,
     "How many chains are started in a game."),
    ("length", "Mean length", Axis("cards, mean"), ("", "chains"), None,
     "How many cards pass a chain on, on average."),
)  # fmt: skip


def chains_page() -> None:
    """Show what becomes of pair cards."""
    frame = open_frame(
        "Pair chains", "What becomes of pair cards: how far they are passed on, who survives them.", WAYS
    )
    figures = None if frame is None else frame.ask("pair_chains")
    if frame is None or figures is None:
        return
    for measure, title, axis, counts, pairs, about in PARTS:

        def hit(row: Row, pairs: str | None = pairs) -> dict[str, str] | None:
            if row.get("length") is not None:
                return {"chain": str(row["length"])}
            return None if pairs is None else {"pairs": pairs}

        show_section(
            frame,
            figures.of(measure),
            title=title,
            about=about,
            axis=axis,
            key=f"chains-{measure}",
            lead=(lambda _: {"pairs": "any"}) if measure in ("deflected", "survived", "length") else None,
            hit=hit,
            counts=counts,
        )
