"""Seats and starters: what a place at the table is worth."""

from typing import Final

from dashboard.charts import Axis
from dashboard.views.frame import open_frame
from dashboard.views.sections import show_section

WAYS: Final = ("n_players", "edition", "match", "bot", "year", "month")


def seats_page() -> None:
    """Show how often each seat, the starter and each place in the order wins."""
    frame = open_frame("Seats and starters", "What a place at the table is worth, against chance.", WAYS)
    figures = None if frame is None else frame.ask("wins_by_seat")
    if frame is None or figures is None:
        return
    chance = {"expected": "By chance", "p": "Games won"}
    show_section(
        frame,
        figures,
        title="Seats",
        about="How far the share of games won lies above chance, by seat. Tables of different sizes can be compared.",
        axis=Axis("above chance (percentage points)", share=True, signed=True),
        key="wins-by-seat",
        value="above",
        lead=lambda row: {"seat": str(row["seat"])},
        hit=lambda _: {"won": "yes"},
        counts=("won", "games"),
        extras=chance,
    )
    show_section(
        frame,
        frame.ask("wins_by_starter"),
        title="Who starts",
        about="The player who starts round 1, and all the others. In a match it is the game that is won, not the round.",
        axis=Axis("games won", share=True),
        key="wins-by-starter",
        lead=lambda row: {"starter": str(row["starter"]).lower()},
        hit=lambda _: {"won": "yes"},
        counts=("won", "seats in games"),
        extras={"expected": "By chance", "above": "Above chance"},
    )
    if frame.by is not None:
        return
    ordered = frame.ask("wins_by_starter", by=["order"])
    show_section(
        frame,
        ordered,
        title="Order of play",
        about="The place in the order of play of round 1, clockwise from who starts.",
        axis=Axis("above chance (percentage points)", share=True, signed=True),
        key="wins-by-order",
        value="above",
        lead=lambda row: {"order": str(row["order"])},
        hit=lambda _: {"won": "yes"},
        counts=("won", "games"),
        extras=chance,
        order=lambda row: row["order"],
    )
