"""Seats and starters: what a place at the table is worth."""

from typing import Final

from dashboard.charts import Axis
from dashboard.views.frame import choose, open_frame
from dashboard.views.sections import show_section

WAYS: Final = ("n_players", "edition", "match", "bot", "year", "month")
SEATS, STARTER, ORDER = "Seats", "Who starts", "Order of play"
ABOVE: Final = Axis("games won above chance", share=True, signed=True)
EXTRAS: Final = {"p": "Games won", "expected": "By chance"}


def seats_page() -> None:
    """Show how often each seat, the starter and each place in the order wins."""
    frame = open_frame("Seats and starters", "What a place at the table is worth, against chance.", WAYS)
    if frame is None:
        return
    part = choose((SEATS, STARTER, ORDER))
    if part == SEATS:
        show_section(
            frame,
            frame.ask("wins_by_seat"),
            title=SEATS,
            about="How far the share of games won lies above chance, so that tables of different sizes can be compared.",
            axis=ABOVE,
            key="wins-by-seat",
            value="above",
            lead=lambda row: {"seat": str(row["seat"])},
            hit=lambda _: {"won": "yes"},
            counts=("won", "games"),
            extras=EXTRAS,
        )
    elif part == STARTER:
        show_section(
            frame,
            frame.ask("wins_by_starter"),
            title=STARTER,
            about="The player who starts round 1, and all the others. In a match it is the game that is won, not the round.",
            axis=Axis("games won", share=True),
            key="wins-by-starter",
            lead=lambda row: {"starter": str(row["starter"]).lower()},
            hit=lambda _: {"won": "yes"},
            counts=("won", "seats in games"),
            extras={"expected": "By chance", "above": "Above chance"},
        )
    else:
        grouped = [frame.by] if frame.by else []
        show_section(
            frame,
            frame.ask("wins_by_starter", by=[*grouped, "order"]),
            title=ORDER,
            about="The place in the order of play of round 1, clockwise from who starts.",
            axis=ABOVE,
            key="wins-by-order",
            value="above",
            hit=lambda _: {"won": "yes"},
            counts=("won", "games"),
            extras=EXTRAS,
            order=lambda row: (str(row[frame.by]) if frame.by else "", row["order"]),
        )
