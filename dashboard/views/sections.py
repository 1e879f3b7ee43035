"""A section of a page of statistics: a chart, its figures with n and interval, each leading to its games."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import streamlit as st

from dashboard.charts import CONFIG, MOST_ROWS, Axis, Point, between, curve, dots, shown
from dashboard.components.table import Cell, Column, Way, show_table
from dashboard.libraries import Figures
from dashboard.views.frame import Frame
from dashboard.views.pages import go_to
from dashboard.words import value_told, value_words

Row = Mapping[str, Any]
Lead = Callable[[Row], dict[str, str] | None]
"""What the games of a row have in common, as a choice; None if no choice can tell."""
_MEASURED: Final = ("mean", "low", "high", "least", "low_tenth", "middle", "high_tenth", "most")


def show_section(
    frame: Frame,
    figures: Figures | None,
    *,
    title: str,
    about: str,
    axis: Axis,
    key: str,
    counts: tuple[str, str],
    lead: Lead | None = None,
    hit: Lead | None = None,
    value: str = "",
    across: str = "",
    extras: Mapping[str, str] | None = None,
    always: Sequence[str] = (),
    order: Callable[[Row], Any] | None = None,
    most: int = MOST_ROWS,
) -> None:
    """Show a section.

    `lead` tells the games of a row's n, `hit` what is added for those of its k; `counts` are the titles of k and n;
    `across` makes it a curve over `first_choice`; `extras` are further columns of the table with their titles, `always` those of them that a narrow page has, too; `most` are the
    rows that the chart shows.
    """
    st.subheader(title, anchor=False)
    st.text(about)
    if figures is None:
        return
    rows: list[Row] = [_scaled(row, axis.scale) for row in figures.answer.rows]
    if order is not None:
        rows.sort(key=order)
    if not any(row.get("n") for row in rows):
        st.info(
            "No game that is counted says anything about this. Try other filters, or count unfinished games, too."
        )
        return
    value = value or ("p" if any(row.get("p") is not None for row in rows) else "mean")
    points = [_point(figures, row, value, across=bool(across)) for row in rows]
    ways = [_way(frame, figures, row, lead) for row in rows]
    hits = [None if hit is None else _way(frame, figures, row, lead, hit) for row in rows]
    left, right = st.columns((2, 3) if always else 2, gap="medium")
    with left:
        drawn = curve(points, axis, across) if across else dots(points, axis, most)
        asked = _chart(
            drawn, key, f"{title}. The figures are in the table beside it.", _of_points(ways, hits)
        )
    with right:
        table = _table(figures, rows, ways, hits, axis, value, counts, extras or {}, always)
        asked = show_table(f"{title}: the figures", *table, key=f"table-{key}") or asked
        st.download_button(
            "Download as data",
            data=figures.answer.to_csv,
            file_name=f"{key}.csv",
            mime="text/csv",
            key=f"csv-{key}",
            on_click="ignore",
            help="CSV with every column; what a name could do in a spreadsheet is taken out",
        )
    if len(points) > most and not across:
        st.caption(f"The chart shows the first {most} of {len(points):,} rows; the table has all.")
    if lead is not None and not counts[1].startswith("games"):
        st.caption(
            "A number leads to the games that it was counted in, which are fewer where a game has several."
        )
    if asked is not None:
        go_to(*asked)


def _chart(figure: Any, key: str, alt: str, ways: Sequence[Way | None]) -> Way | None:
    """Show a chart; return where the point that was clicked leads."""
    # A new key once a point was followed: coming back, nothing is chosen and it can be followed again.
    place = f"followed-{key}"
    followed = st.session_state.setdefault(place, 0)
    chosen: Any = st.plotly_chart(
        figure,
        width="stretch",
        config=CONFIG,
        key=f"chart-{key}-{followed}",
        alt=alt,
        on_select="rerun",
        selection_mode="points",
    )
    for point in chosen.selection.points:
        told = point.get("customdata")
        number = told[0] if isinstance(told, list) else told.get("0") if isinstance(told, dict) else None
        if isinstance(number, int) and number < len(ways) and ways[number] is not None:
            st.session_state[place] = followed + 1
            return ways[number]
    return None


def _point(figures: Figures, row: Row, value: str, *, across: bool) -> Point:
    keys = [
        key for key in figures.keys if key in row and not (across and key in ("first_choice", "last_choice"))
    ]
    grouped = [key for key in keys if key not in dict(figures.statistic.keys)]
    # Who starts is the first in the order of play: that need not be said twice.
    named = [key for key in keys if key != "starter" or "order" not in keys]
    low, high = ("above_low", "above_high") if value == "above" else ("low", "high")
    return Point(
        label=" · ".join(
            value_words(key, row[key]) for key in named if row[key] is not None or key in grouped
        )
        or "all together",
        value=row.get(value),
        low=row.get(low),
        high=row.get(high),
        n=row.get("n") or 0,
        group=" · ".join(value_words(key, row[key]) for key in grouped),
        expected=row.get("expected") if value == "p" else None,
        x=row.get("first_choice"),
    )


def _way(frame: Frame, figures: Figures, row: Row, *leads: Lead | None) -> Way | None:
    common: dict[str, str] = {}
    for lead in leads:
        told = {} if lead is None else lead(row)
        if told is None:
            return None
        common |= told
    grouped = [key for key in figures.keys if key not in dict(figures.statistic.keys) and key in row]
    parts = {key: value_told(row[key]) for key in grouped}
    return frame.way(**frame.counted(), **(parts | common))


def _of_points(ways: Sequence[Way | None], hits: Sequence[Way | None]) -> list[Way | None]:
    """Return where the dots of a chart lead: where their n do, or if all of these are the same games, their k."""
    alike = len(ways) > 1 and len({str(way) for way in ways}) == 1
    return [hit if alike and hit is not None else way for way, hit in zip(ways, hits, strict=True)]


def _scaled(row: Row, scale: float) -> Row:
    if scale == 1:
        return row
    return {
        name: value * scale if name in _MEASURED and value is not None else value
        for name, value in row.items()
    }


def _table(
    figures: Figures,
    rows: Sequence[Row],
    ways: Sequence[Way | None],
    hits: Sequence[Way | None],
    axis: Axis,
    value: str,
    counts: tuple[str, str],
    extras: Mapping[str, str],
    always: Sequence[str],
) -> tuple[list[Column], list[list[Cell | str]]]:
    share = value in ("p", "above")
    keys = [
        key for key in figures.keys if key != "last_choice" and any(row.get(key) is not None for row in rows)
    ]
    has_k = any(row.get("k") is not None for row in rows)
    columns = [Column(_HEADS.get(key, key)) for key in keys] or [Column("Games")]
    columns += [Column(_begun(axis.title.split(" (")[0]), right=True), Column("95 % interval", right=True)]
    columns += [Column(_begun(counts[0]), right=True)] if has_k else []
    columns.append(Column(_begun(counts[1]) + " (n)", right=True))
    columns += [
        Column(title, right=True, hide=0 if name in always else 1 if place < 1 and not always else 3)
        for place, (name, title) in enumerate(extras.items())
    ]
    lines: list[list[Cell | str]] = []
    low, high = ("above_low", "above_high") if value == "above" else ("low", "high")
    for row, way, hit in zip(rows, ways, hits, strict=True):
        line: list[Cell | str] = [_named(key, row) for key in keys] or ["all together"]
        line.append(Cell(shown(row.get(value), share=share), _by(row.get(value))))
        line.append(_between(row.get(low), row.get(high), share=share))
        if has_k:
            line.append(Cell(f"{row.get('k') or 0:,}", row.get("k") or 0, hit if row.get("k") else None))
        n = row.get("n") or 0
        line.append(Cell(f"{n:,}", n, way if n else None))
        line += [_extra(name, row.get(name)) for name in extras]
        lines.append(line)
    return columns, lines


def _begun(title: str) -> str:
    """Return a title with a capital at its beginning, and no other changed."""
    return title[:1].upper() + title[1:]


def _named(key: str, row: Row) -> Cell:
    value = row.get(key)
    return Cell(
        value_words(key, value) if value is not None or key in row else "",
        value if isinstance(value, int) else None,
    )


def _by(value: float | None) -> float | str:
    """Return what a number is sorted by; what is not known stands last (`table.js`)."""
    return "" if value is None else value


def _between(low: float | None, high: float | None, *, share: bool) -> Cell:
    if low is None or high is None:
        return Cell("not known", _by(None))
    return Cell(between(low, high, share=share), low)


def _extra(name: str, value: Any) -> Cell:
    if value is None:
        return Cell("–", _by(None))
    share = name in ("p", "expected", "above")
    return Cell(shown(value, share=share) if isinstance(value, float) else f"{value:,}", value)


_HEADS: Final = {
    "player": "Player",
    "opponent": "Opponent",
    "seat": "Seat",
    "card": "Card",
    "cause": "Cause",
    "starter": "Who",
    "order": "Order",
    "length": "Length",
    "first_choice": "Choices",
    "edition": "Edition",
    "match": "Match",
    "n_players": "Table",
    "month": "Month",
    "year": "Year",
    "day": "Day",
    "bot": "Who",
}
