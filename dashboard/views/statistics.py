"""Statistics: a question about all games of a library, its answer with n and a 95 % interval."""

from typing import Any, Final

import plotly.graph_objects as go
import streamlit as st

from dashboard import libraries

ALL: Final = "all together"
MOST_ROWS: Final = 30
"""Rows that a chart has room for; the table has all."""
COLOUR: Final = "#0072b2"
"""Blue of Okabe and Ito's palette: told apart by everyone, on light and on dark."""


def statistics_page() -> None:
    """Ask which statistic, and show it."""
    st.title("Statistics")
    path = _pick_library(libraries.libraries())
    with st.container(horizontal=True, vertical_alignment="bottom"):
        titles = libraries.statistics_by_title()
        name = titles[st.selectbox("What", list(titles), key="what", bind="query-params", width=260)]
        ways = [ALL, *libraries.ways_to_group(name)]
        by = st.selectbox("Grouped by", ways, key=f"by-{name}", width=180)
        unfinished = st.toggle("Unfinished games, too", key="unfinished", bind="query-params")
    try:
        stamp = libraries.stamp_of_library(path)
        table = libraries.table_of(path, stamp, name, None if by == ALL else by, unfinished)
    except OSError as reason:
        table = reason.strerror or str(reason)
    if isinstance(table, str):
        st.warning("The library can not be asked.")
        st.text(table)
        return
    _show(table)


def _pick_library(paths: list[str]) -> str:
    if len(paths) == 1:
        return paths[0]
    return paths[st.selectbox("Library", range(len(paths)), format_func=lambda place: paths[place])]


def _show(table: libraries.Table) -> None:
    st.text(f"{table.line} {table.unit}" + (f" {table.note}" if table.note else ""))
    rows = list(table.rows)
    if table.measures:
        meanings = dict(table.measures)
        measure = st.selectbox(
            "Measure", list(meanings), format_func=lambda name: f"{name}: {meanings[name]}"
        )
        rows = [row for row in rows if row.get("measure") == measure]
    if not rows:
        st.info("No game of this library says anything about it.")
        st.text(table.summary)
        return
    value = next((name for name in ("p", "mean", "rating") if rows[0].get(name) is not None), None)
    if value is not None:
        _show_chart(table, rows[:MOST_ROWS], value)
    columns = [name for name in table.columns if name != "measure" and any(name in row for row in rows)]
    st.dataframe(
        {name: [row.get(name) for row in rows] for name in columns}, hide_index=True, alt="The figures"
    )
    st.text(table.summary)
    st.caption("Intervals hold the true value in 95 of 100 cases; k of n were counted.")


def _show_chart(table: libraries.Table, rows: list[dict[str, Any]], value: str) -> None:
    values = [row.get(value) for row in rows]
    known = [number for number in values if number is not None]
    least = [_end(row, value, "low") for row in rows]
    most = [_end(row, value, "high") for row in rows]
    figure = go.Figure(
        go.Scatter(
            x=values,
            y=[_label(table, row) for row in rows],
            mode="markers",
            marker={"size": 10, "color": COLOUR},
            error_x={"array": most, "arrayminus": least, "color": COLOUR, "thickness": 2},
            customdata=[[row.get("n")] for row in rows],
            hovertemplate="%{x:.3~g}, n = %{customdata[0]}<extra></extra>",
        )
    )
    share = value == "p"
    figure.update_layout(
        height=90 + 30 * max(len(rows), 2),
        margin={"l": 10, "r": 20, "t": 10, "b": 40},
        showlegend=False,
    )
    figure.update_yaxes(autorange="reversed", type="category", title=None)
    figure.update_xaxes(
        showgrid=True,
        zeroline=False,
        title="share" if share else value,
        tickformat=".0%" if share else None,
        range=[-0.02, 1.02] if share else None,
        rangemode="tozero" if known and min(known) >= 0 else "normal",
    )
    config = {"displayModeBar": False, "showSendToCloud": False, "displaylogo": False}
    st.plotly_chart(figure, width="stretch", config=config)


def _end(row: dict[str, Any], value: str, end: str) -> float:
    if row.get(value) is None or row.get(end) is None:
        return 0.0
    return abs(float(row[end]) - float(row[value]))


def _label(table: libraries.Table, row: dict[str, Any]) -> str:
    """Return what a row is of; plotly reads tags in a label, so there is none."""
    parts = [
        f"{row[key]}"[:40] if key in ("player", "opponent") else f"{key} {row[key]}"
        for key in table.keys
        if key in row
    ]
    text = f"{', '.join(parts) or 'all'} · n {row.get('n', 0):,}"
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
