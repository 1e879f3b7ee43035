"""Eliminations: why players fall, and who set the total they fell under."""

from typing import Final

from dashboard.charts import Axis
from dashboard.views.frame import open_frame
from dashboard.views.sections import show_section

WAYS: Final = ("edition", "n_players", "match", "bot", "seat", "player", "year", "month")


def eliminations_page() -> None:
    """Show the causes and those who set the totals."""
    frame = open_frame("Eliminations", "Why players fall, and under whose total.", WAYS)
    figures = None if frame is None else frame.ask("eliminations")
    if frame is None or figures is None:
        return
    show_section(
        frame,
        figures,
        title="Causes",
        about="The share of all eliminations, from a round or the game. Compared by player or seat: of who fell.",
        axis=Axis("of the eliminations", share=True),
        key="eliminations",
        hit=lambda row: {"cause": row["cause"]},
        counts=("falls", "falls in all"),
    )
    show_section(
        frame,
        frame.ask("set_by"),
        title="Who set the total",
        about="Of all that fell because nothing fitted, in games of the player: the share under a total of this player’s.",
        axis=Axis("falls under a total of theirs", share=True),
        key="set-by",
        lead=lambda row: {"player": str(row["player"])},
        hit=lambda _: {"set": "yes"},
        counts=("falls set", "falls"),
        extras={"own": "Own falls"},
    )
