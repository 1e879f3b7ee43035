"""Head-to-head: how often a player wins the games with another at the table."""

from typing import Any, Final

import streamlit as st

from dashboard.charts import CONFIG, Axis, Point, matrix
from dashboard.libraries import Figures
from dashboard.views import address
from dashboard.views.frame import open_frame
from dashboard.views.sections import show_section
from dashboard.words import value_words

MOST: Final = 12
"""Players that the square has room for: those with the most games together."""
LEAST: Final = 5
"""Games together below which a share would only catch the eye."""
SQUARE: Final = "everyone"


def head_to_head_page() -> None:
    """Show a square of all pairs, and the opponents of one player."""
    frame = open_frame(
        "Head-to-head",
        "How often a player wins the games with another at the table. With more than two at it, a third may have won.",
    )
    figures = None if frame is None else frame.ask("head_to_head")
    if frame is None or figures is None:
        return
    names = _names(figures)
    if not names:
        st.info(
            "No two players met in the games that are counted. Try other filters, or count unfinished games, too."
        )
        return
    picked = address.ask_one("Player", "player", {name: name for name in (SQUARE, *names)}, width=340)
    address.tell_missed()
    if picked == SQUARE:
        _show_square(list(names.items()), figures)
        shown = figures
    else:
        shown = figures.where("player", names[picked])
    show_section(
        frame,
        shown,
        title="All pairs" if picked == SQUARE else "Against each opponent",
        about="Each pair has two rows, one for each of the two. Ahead: games that the player won and the opponent did not."
        if picked == SQUARE
        else "Ahead: games that the player won and the opponent did not; behind: the other way round.",
        axis=Axis("games won", share=True),
        key="head-to-head",
        lead=lambda row: {"player": str(row["player"]), "opponent": str(row["opponent"])},
        hit=lambda _: {"won": "yes"},
        counts=("won", "games together"),
        extras={"expected": "By chance", "ahead": "Ahead", "behind": "Behind"},
        order=lambda row: -(row["n"] or 0),
        most=MOST,
    )


def _names(figures: Figures) -> dict[str, Any]:
    met: dict[Any, int] = {}
    for row in figures.answer.rows:
        met[row["player"]] = met.get(row["player"], 0) + row["n"]
    return {value_words("player", who): who for who in sorted(met, key=lambda who: -met[who])}


def _show_square(everyone: list[tuple[str, Any]], figures: Figures) -> None:
    pairs = {(row["player"], row["opponent"]): row for row in figures.answer.rows if (row["n"] or 0) >= LEAST}
    often = {who for pair in pairs for who in pair}
    names = [one for one in everyone if one[1] in often][:MOST]
    if len(names) < 3:
        return
    cells = []
    for _, player in names:
        line = []
        for _, opponent in names:
            row = pairs.get((player, opponent))
            line.append(
                None
                if row is None
                else Point("", row["p"], row["low"], row["high"], row["n"], expected=row["expected"])
            )
        cells.append(line)
    st.subheader("At a glance", anchor=False)
    told = (
        ""
        if len(names) == len(everyone)
        else f" Shown: {len(names)} of {len(everyone):,} players, those with the most such games."
    )
    st.text(
        "How many per cent of their games together the player of the row won; blue is above chance, brown below. "
        f"Pairs with fewer than {LEAST} games together are blank; the table below has them.{told}"
    )
    square = matrix([name for name, _ in names], cells)
    # Without its sign a number fits a cell on a phone.
    square.update_traces(
        text=[[text.rstrip("%") for text in line] for line in square.data[0].text], textfont_size=12
    )
    st.plotly_chart(
        square,
        width="stretch",
        config=CONFIG,
        key="square",
        alt="How often each player wins with each other at the table; the figures are in the table below.",
    )
