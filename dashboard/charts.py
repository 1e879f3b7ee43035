"""The charts: dots or lines with their 95 % intervals, in one palette that reads on light and on dark.

Plotly takes tags in its texts for markup, so what comes from a log is escaped here (`plain`).
"""

from collections.abc import Sequence
from typing import Any, Final
from unicodedata import east_asian_width

import msgspec
import plotly.graph_objects as go
import streamlit as st

MIDDLE: Final = {"light": "#ece6d9", "dark": "#2a333d"}
"""The colour of what is neither above nor below, by theme."""
PALETTES: Final = {
    "light": ("#0072b2", "#c44f00", "#00805e", "#a5508f", "#84661b", "#4f6fcf", "#a33b3b", "#5d6977"),
    "dark": ("#56b4e9", "#ff9447", "#2fc49b", "#e794c8", "#d8b254", "#9db2f5", "#ef8a8a", "#aab4bf"),
}
"""By theme, after Okabe and Ito: told apart by everyone, more than three to one on their ground."""
SYMBOLS: Final = ("circle", "diamond", "square", "triangle-up", "cross", "star", "hexagon", "x")
CHANCE: Final = "#7d8590"
INK: Final = {"light": "#1b2430", "dark": "#eef2f5"}
"""The colour of text, by theme."""
MOST_ROWS: Final = 30
"""Rows that a chart has room for; the table has all."""
LONGEST: Final = 22
"""Characters of a label, so that a phone has room for the chart."""
CONFIG: Final = {"displayModeBar": False, "showSendToCloud": False, "displaylogo": False, "responsive": True}


class Point(msgspec.Struct, frozen=True):
    """One figure of a chart."""

    label: str
    """What it is of."""
    value: float | None
    low: float | None
    high: float | None
    n: int
    group: str = ""
    """Points of one group share a colour."""
    expected: float | None = None
    """What chance alone would give."""
    x: float | None = None
    """Where it stands on a curve."""


class Axis(msgspec.Struct, frozen=True):
    """What is measured."""

    title: str
    """With its unit."""
    share: bool = False
    """Between 0 and 1, shown in per cent."""
    signed: bool = False
    """May lie on both sides of zero, which is marked."""
    scale: float = 1.0
    """What the figures are multiplied by: 0.001 for milliseconds shown as seconds."""


def plain(text: str, longest: int = LONGEST) -> str:
    """Return text as plotly shows it letter for letter, cut where it is too long.

    >>> plain("<b>Ann</b> & Bo, the two of them")
    '&lt;b&gt;Ann&lt;/b&gt; &amp; Bo, the …'
    """
    short = text if len(text) <= longest else text[: longest - 1] + "…"
    return short.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def dots(points: Sequence[Point], axis: Axis, most: int = MOST_ROWS) -> go.Figure:
    """Return a row for each figure: a dot, its interval, and a stroke where chance alone would put it."""
    points = points[:most]
    places = _places(points)
    figure = go.Figure()
    palette = PALETTES[_theme()]
    for number, group in enumerate(dict.fromkeys(point.group for point in points)):
        chosen = [place for place, point in enumerate(points) if point.group == group]
        own = [points[place] for place in chosen]
        figure.add_scatter(
            x=[point.value for point in own],
            y=[places[place] for place in chosen],
            name=plain(group) or "measured",
            mode="markers",
            marker={
                "size": 11,
                "color": palette[number % len(palette)],
                "symbol": SYMBOLS[number % len(SYMBOLS)],
            },
            error_x=_bars(own, palette[number % len(palette)]),
            customdata=[
                [place, *_told(points[place], axis), plain(points[place].label, 60)] for place in chosen
            ],
            hovertemplate="<b>%{customdata[4]}</b><br>%{customdata[1]}<br>95 %: %{customdata[2]}<br>n = %{customdata[3]}<extra></extra>",
        )
    if any(point.expected is not None for point in points):
        figure.add_scatter(
            x=[point.expected for point in points],
            y=places,
            name="by chance",
            mode="markers",
            marker={"symbol": "line-ns", "size": 18, "color": CHANCE, "line": {"width": 2, "color": CHANCE}},
            customdata=[[place] for place in range(len(points))],
            hovertemplate=f"by chance %{{x:{'.1%' if axis.share else '.3~g'}}}<extra></extra>",
        )
    named = len(figure.data) > 1
    figure.update_layout(
        height=(100 if named else 70) + (42 if len(points) <= 12 else 36) * max(len(points), 1),
        yaxis={
            "autorange": "reversed",
            "type": "category",
            "categoryorder": "array",
            "categoryarray": places,
            "title": None,
            "automargin": True,
        },
        xaxis=_scale(axis, points),
    )
    return _dressed(figure, named=named, left=_room(points))


def curve(points: Sequence[Point], axis: Axis, across: str) -> go.Figure:
    """Return a line for each group over `x`, with the interval of each figure."""
    figure = go.Figure()
    palette = PALETTES[_theme()]
    groups = list(dict.fromkeys(point.group for point in points))[: len(palette)]
    for number, group in enumerate(groups):
        chosen = [place for place, point in enumerate(points) if point.group == group]
        own = [points[place] for place in chosen]
        colour = palette[number % len(palette)]
        figure.add_scatter(
            x=[point.x for point in own],
            y=[point.value for point in own],
            name=plain(group) or "measured",
            mode="lines+markers",
            line={"color": colour, "width": 2.5},
            marker={"size": 7, "color": colour, "symbol": SYMBOLS[number % len(SYMBOLS)]},
            error_y=_bars(own, colour),
            customdata=[[place, *_told(point, axis)] for place, point in zip(chosen, own, strict=True)],
            hovertemplate=f"{across} %{{x}}<br><b>%{{customdata[1]}}</b><br>95 %: %{{customdata[2]}}<br>n = %{{customdata[3]}}<extra></extra>",
        )
    figure.update_layout(
        height=360,
        xaxis={"title": across, "fixedrange": True, "zeroline": False, "automargin": True},
        yaxis={**_scale(axis, points), "automargin": True},
    )
    return _dressed(figure, named=len(groups) > 1, left=52)


def matrix(names: Sequence[str], cells: Sequence[Sequence[Point | None]]) -> go.Figure:
    """Return a square of shares: how often the row won with the column at the table; chance alone is neutral."""
    labels = [plain(name, 14) + "\u200b" * place for place, name in enumerate(names)]
    figure = go.Figure(
        go.Heatmap(
            x=labels,
            y=labels,
            z=[[_above(cell) for cell in row] for row in cells],
            text=[
                ["" if cell is None or cell.value is None else f"{cell.value:.0%}" for cell in row]
                for row in cells
            ],
            customdata=[
                [[""] * 3 if cell is None else [*_told(cell, Axis("", share=True))] for cell in row]
                for row in cells
            ],
            texttemplate="%{text}",
            hovertemplate="%{y} at the table with %{x}<br><b>%{customdata[0]}</b> won<br>95 %: %{customdata[1]}<br>n = %{customdata[2]}<extra></extra>",
            colorscale=[[0, "#b35806"], [0.5, MIDDLE[_theme()]], [1, "#1f6aa5"]],
            zmid=0,
            zmin=-0.3,
            zmax=0.3,
            xgap=2,
            ygap=2,
            showscale=False,
            textfont={"size": 13},
        )
    )
    figure.update_layout(
        height=140 + 44 * len(names),
        xaxis={"side": "top", "fixedrange": True, "automargin": True, "showgrid": False},
        yaxis={"autorange": "reversed", "fixedrange": True, "automargin": True, "showgrid": False},
    )
    return _dressed(figure, named=False)


def _above(cell: Point | None) -> float | None:
    return None if cell is None or cell.value is None else cell.value - (cell.expected or 0)


def _theme() -> str:
    return "dark" if st.context.theme.type == "dark" else "light"


def _dressed(figure: go.Figure, *, named: bool, left: int = 8) -> go.Figure:
    ink = INK[_theme()]
    font = {"color": ink, "size": 13}
    figure.update_xaxes(tickfont=font, title_font=font)
    figure.update_yaxes(tickfont=font, title_font=font)
    figure.update_layout(
        legend_font=font,
        margin={"l": left, "r": 16, "t": 40 if named else 10, "b": 44},
        showlegend=named,
        legend={"orientation": "h", "x": 0, "y": 1, "yanchor": "bottom", "itemclick": False},
        dragmode=False,
        hoverlabel={"align": "left"},
    )
    return figure


def _scale(axis: Axis, points: Sequence[Point]) -> dict[str, Any]:
    numbers = [
        number
        for point in points
        for number in (point.value, point.low, point.high, point.expected)
        if number is not None
    ]
    scale: dict[str, Any] = {
        "title": axis.title,
        "fixedrange": True,
        "showgrid": True,
        "zeroline": axis.signed,
        "zerolinecolor": CHANCE,
        "automargin": True,
    }
    if axis.share:
        scale["tickformat"] = ".1~%"  # whole per cents, and halves where the marks stand closer
        scale["hoverformat"] = ".1%"
    if numbers and not axis.signed:
        least, most = min(numbers), max(numbers) or float(axis.share)
        # A dot stands for its place, not for a length: far from zero the scale need not begin there.
        # One alone, drawn as wide as the page, would look unsure however narrow its interval is.
        near = len(points) == 1 or least < 0.4 * most or (axis.share and most - least < 0.05)
        begin = min(0.0, least) if near else least - 0.15 * (most - least)
        room = 0.03 * (most - begin) or 1
        scale["range"] = [begin - (room if begin <= 0 else 0), most + room]
    return scale


def _room(points: Sequence[Point]) -> int:
    """Return about how many pixels the labels take; where they take more, plotly draws it all once more."""
    widths = (
        sum(14 if east_asian_width(letter) in "WF" else 7 for letter in point.label[:LONGEST])
        for point in points
    )
    return 12 + max(widths, default=0)


def _places(points: Sequence[Point]) -> list[str]:
    """Return the labels of a category axis, each another one: equal ones would share a row."""
    return [
        f"{plain(point.label)}<br><span style='font-size:11px'>n {point.n:,}</span>" + "\u200b" * place
        for place, point in enumerate(points)
    ]


def _bars(points: Sequence[Point], colour: str) -> dict[str, Any]:
    return {
        "type": "data",
        "symmetric": False,
        "array": [_reach(point.value, point.high) for point in points],
        "arrayminus": [_reach(point.value, point.low) for point in points],
        "color": colour,
        "thickness": 2,
        "width": 5,
    }


def _reach(value: float | None, end: float | None) -> float:
    return 0.0 if value is None or end is None else abs(end - value)


def _told(point: Point, axis: Axis) -> tuple[str, str, str]:
    return shown(point.value, share=axis.share), _interval(point, axis), f"{point.n:,}"


def _interval(point: Point, axis: Axis) -> str:
    if point.low is None or point.high is None:
        return "not known"
    return between(point.low, point.high, share=axis.share)


def between(low: float, high: float, *, share: bool = False) -> str:
    """Return an interval as a person reads it.

    >>> between(-0.021, 0.3, share=True), between(3, 4.25)
    ('−2.1 to 30.0 %', '3.00 to 4.25')
    """
    return f"{shown(low, share=share).removesuffix(' %')} to {shown(high, share=share)}"


def shown(value: float | None, *, share: bool = False) -> str:
    """Return a number as a person reads it.

    >>> shown(0.1234, share=True), shown(1234.5), shown(3.14159), shown(None)
    ('12.3 %', '1,234', '3.14', '–')
    """
    if value is None:
        return "–"
    if share:
        told = f"{value:.1%}".replace("%", " %")
    elif abs(value) >= 1000:
        told = f"{value:,.0f}"
    else:
        told = f"{value:.2f}" if abs(value) < 10 else f"{value:.1f}"
    return told.replace("-", "−")
