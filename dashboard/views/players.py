"""Players: who wins how often, how strong each is, and one player in particular."""

from collections.abc import Callable
from typing import Any, Final

import streamlit as st

from dashboard.charts import Axis
from dashboard.libraries import Figures
from dashboard.views import address
from dashboard.views.frame import Frame, choose, open_frame
from dashboard.views.sections import Row, show_section
from dashboard.words import value_words

WAYS: Final = ("edition", "n_players", "match", "bot", "year", "month", "app")


def players_page() -> None:
    """Show how often each player wins, and further figures."""
    frame = open_frame(
        "Players", "Who wins how often, how strong each is, and who brings the others down.", WAYS
    )
    if frame is not None:
        PARTS[choose(list(PARTS))](frame)


def _player(row: Row) -> dict[str, str]:
    return {"player": str(row["player"])}


def _show_wins(frame: Frame) -> None:
    show_section(
        frame,
        frame.ask("wins_by_player"),
        title="Games won",
        about="The share of games that each player won. The grey stroke is chance: one in as many as sat at the table.",
        axis=Axis("games won", share=True),
        key="wins-by-player",
        lead=_player,
        hit=lambda _: {"won": "yes"},
        counts=("won", "games"),
        extras={"expected": "By chance", "above": "Above chance"},
        order=lambda row: -row["n"],
    )


def _show_strength(frame: Frame) -> None:
    show_section(
        frame,
        frame.ask("ratings"),
        title="Strength",
        about="A rating from who won against whom, in the order of time: 25 at first, higher is stronger.",
        axis=Axis("rating"),
        key="ratings",
        lead=_player,
        counts=("", "games"),
        order=lambda row: -(row.get("mean") or 0),
    )


def _show_streaks(frame: Frame) -> None:
    show_section(
        frame,
        frame.ask("streaks"),
        title="After a win",
        about="How often a game is won that follows a game won by the same player: more than usual would be a streak.",
        axis=Axis("games won after a win", share=True),
        key="streaks",
        lead=_player,
        counts=("won again", "after a win"),
        extras={"longest_won": "Longest won", "longest_lost": "Longest lost", "current": "Now"},
        order=lambda row: -row["n"],
    )


def _show_falls(frame: Frame) -> None:
    show_section(
        frame,
        frame.ask("set_by"),
        title="Fatal totals",
        about="Of all that fell because nothing fitted, in games of the player: the share under a total of this player’s.",
        axis=Axis("falls under a total of theirs", share=True),
        key="set-by",
        lead=_player,
        hit=lambda _: {"set": "yes"},
        counts=("falls set", "falls"),
        extras={"own": "Own falls"},
        order=lambda row: -row["n"],
    )


def _show_one(frame: Frame) -> None:
    wins = frame.ask("wins_by_player", by=())
    names: dict[str, Any] = {}
    for row in sorted(wins.answer.rows if wins else (), key=lambda row: -row["n"]):
        names.setdefault(value_words("player", row["player"]), row["player"])
    if not names:
        st.info(
            "Nobody played in the games that are counted. Try other filters, or count unfinished games, too."
        )
        return
    picked = address.ask_one("Player", "player", {name: name for name in names}, width=340)
    address.tell_missed()
    own = {"player": str(names[picked])}
    show_section(
        frame,
        _only(frame.ask("wins_by_seat", by=["player"], more=own), names[picked]),
        title="By seat",
        about="How often this player won from each seat.",
        axis=Axis("games won", share=True),
        key="one-by-seat",
        lead=lambda row: own | {"seat": str(row["seat"])},
        hit=lambda _: {"won": "yes"},
        counts=("won", "games"),
        extras={"expected": "By chance"},
    )
    show_section(
        frame,
        _only(frame.ask("eliminations", by=["player"], more=own), names[picked]),
        title="How this player falls",
        about="The causes of this player’s eliminations.",
        axis=Axis("of the eliminations", share=True),
        key="one-falls",
        lead=lambda _: own,
        hit=lambda row: {"cause": row["cause"]},
        counts=("falls", "falls in all"),
    )


def _only(figures: Figures | None, player: Any) -> Figures | None:
    return None if figures is None else figures.where("player", player).without("player")


PARTS: Final[dict[str, Callable[[Frame], None]]] = {
    "Games won": _show_wins,
    "Strength": _show_strength,
    "After a win": _show_streaks,
    "Fatal totals": _show_falls,
    "One player": _show_one,
}
