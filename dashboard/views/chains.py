"""Pair chains: how far pair cards are passed on, and who survives them."""

from typing import Final

from dashboard.charts import Axis
from dashboard.views.frame import choose, open_frame
from dashboard.views.sections import Row, show_section

WAYS: Final = ("edition", "n_players", "match", "bot", "seat", "player", "year", "month")
PARTS: Final = {
    "Length": ("share", Axis("of the chains", share=True), ("chains", "chains in all"), "",
               "How many cards passed a chain on, the pair card that started it included."),
    "Passed on": ("deflected", Axis("of the pairs, passed on", share=True), ("passed on", "pairs"), "deflected",
                  "Of the pairs that came to a player, those that went on to the next."),
    "Survived": ("survived", Axis("of the pairs, survived", share=True), ("survived", "pairs"), "survived",
                 "Of the pairs that stayed with a player, who then had to play two cards: those that the player survived."),
    "Chains in a game": ("chains", Axis("chains, mean"), ("", "games"), "", "How many chains are started in a game."),
    "Mean length": ("length", Axis("cards, mean"), ("", "chains"), "", "How many cards pass a chain on, on average."),
}  # fmt: skip
"""Each with its measure, axis, titles of k and n, what its k have in common, and a sentence."""


def chains_page() -> None:
    """Show what becomes of pair cards."""
    frame = open_frame(
        "Pair chains", "What becomes of pair cards: how far they are passed on, who survives them.", WAYS
    )
    if frame is None:
        return
    title = choose(list(PARTS))
    measure, axis, counts, pairs, about = PARTS[title]
    figures = frame.ask("pair_chains")

    def hit(row: Row) -> dict[str, str] | None:
        if row.get("length") is not None:
            return {"chain": str(row["length"])}
        return {"pairs": pairs} if pairs else None

    show_section(
        frame,
        None if figures is None else figures.of(measure),
        title=title,
        about=about,
        axis=axis,
        key=f"chains-{measure}",
        lead=(lambda _: {}) if measure == "chains" else (lambda _: {"pairs": "any"}),
        hit=hit,
        counts=counts,
    )
