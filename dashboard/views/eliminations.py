"""Eliminations: why players fall, and who set the total they fell under."""

from typing import Final

from dashboard.charts import Axis
from dashboard.views.frame import choose, open_frame
from dashboard.views.sections import show_section

WAYS: Final = ("edition", "n_players", "match", "bot", "seat", "player", "year", "month")
CAUSES, SETTERS = "Causes", "Who set the total"


def eliminations_page() -> None:
    """Show the causes and those who set the totals."""
    frame = open_frame("Eliminations", "Why players fall, and under whose total.", WAYS)
    if frame is None:
        return
    if choose((CAUSES, SETTERS)) == CAUSES:
        show_section(
            frame,
            frame.ask("eliminations"),
            title=CAUSES,
            about="The share of all eliminations, from a round or the game. Compared by player or seat: of who fell.",
            axis=Axis("of the eliminations", share=True),
            key="eliminations",
            hit=lambda row: {"cause": row["cause"]},
            counts=("falls", "falls in all"),
        )
    else:
        show_section(
            frame,
            frame.ask("set_by"),
            title=SETTERS,
            about="Of all that fell because nothing fitted, in games of the player: the share under a total of this player’s.",
            axis=Axis("falls under a total of theirs", share=True),
            key="set-by",
            lead=lambda row: {"player": str(row["player"])},
            hit=lambda _: {"set": "yes"},
            counts=("falls set", "falls"),
            extras={"own": "Own falls"},
            order=lambda row: -row["n"],
        )
