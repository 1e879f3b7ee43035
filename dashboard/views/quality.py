"""Quality: what the files of a library are worth, what was refused, and what is there twice."""

from collections import Counter
from typing import Any, Final

import streamlit as st

from dashboard import libraries
from dashboard.charts import CONFIG, LONGEST, Axis, Point, between, dots, shown
from dashboard.components.table import Cell, Column, show_table
from dashboard.views.frame import Frame, open_frame
from dashboard.views.pages import GAMES, REPLAY, go_to
from ono_replay.check.phrases import count_of
from ono_replay.check.printable import printable
from ono_replay.library.intervals import Moments, share_interval
from ono_replay.library.manifest import LibraryFault

KINDS: Final = {
    "same": "the same game",
    "shown": "the same, other cards shown",
    "beginning": "one is the beginning of the other",
}
MOST: Final = 500
"""Files and pairs that are listed."""


def quality_page() -> None:
    """Show the files of a library, the findings in them, and games that are there twice."""
    frame = open_frame(
        "Quality",
        "What the files of a library are worth: checked, refused, not known, there twice.",
        whole=True,
    )
    if frame is None:
        return
    try:
        files = libraries.quality_of(frame.path, libraries.stamp_of_library(frame.path))
    except (OSError, LibraryFault) as fault:
        st.warning("The library can not be read.")
        st.text(printable(str(fault)))
        return
    if not files:
        st.info("Nothing has been imported yet.")
        return
    _show_numbers(frame, files)
    _show_files(frame, files)
    _show_codes(frame, files)
    _show_likeness(frame)


def _show_numbers(frame: Frame, files: Any) -> None:
    total = {
        name: sum(getattr(one, name) for one in files)
        for name in ("games", "valid", "unfinished", "invalid", "forks", "irregular")
    }
    st.text(
        f"{total['games']:,} games in {len(files):,} file{'' if len(files) == 1 else 's'}: "
        f"{total['valid']:,} valid, {total['unfinished']:,} unfinished, {total['invalid'] + total['forks']:,} in quarantine; "
        f"in {total['irregular']:,} something against the rules was let stand."
    )
    _tell_left_out(frame, total["unfinished"])


def _tell_left_out(frame: Frame, unfinished: int) -> None:
    """Say how these numbers go with those of the pages of statistics."""
    stamp = libraries.stamp_of_library(frame.path)
    out, irregular = (
        libraries.count_of_games(frame.path, stamp, (("sort", sort),)) for sort in ("unfinished", "irregular")
    )
    broken_off = (
        f" and {count_of(out - unfinished, 'valid one')} that the players broke off"
        if out > unfinished
        else ""
    )
    st.text(
        f"Unfinished is here a log that has no end. The pages of statistics leave out {count_of(out, 'game')} as unfinished, "
        f"these{broken_off}, and of the others {irregular:,} as irregular."
    )


def _short(file: str) -> str:
    """Return the name of a file so that it fits a chart, its beginning and its end."""
    name = file.removesuffix(".gz").removesuffix(".zst").removesuffix(".jsonl").removesuffix(".ono")
    return name if len(name) <= LONGEST else f"{name[: LONGEST - 11]}…{name[-10:]}"


def _show_files(frame: Frame, files: Any) -> None:
    st.subheader("Files", anchor=False)
    st.text(
        "What came of each file. In quarantine: games that break a rule, or contradict one that is there."
    )
    points = []
    lines: list[list[Cell | str]] = []
    for one in files[:MOST]:
        good = one.valid + one.unfinished
        low, high = _interval(good, one.games)
        name = printable(one.file).replace("\\", "/").rsplit("/", 1)[-1]
        if one.games > 1:
            # A share of one game is no share.
            points.append(Point(_short(name), good / one.games, low, high, one.games))
        way = (GAMES, {"log": frame.library, "file": one.file})
        lines.append(
            [
                Cell(name, sub=printable(one.file) if printable(one.file) != name else ""),
                Cell(shown(good / one.games if one.games else None, share=True), good / max(one.games, 1)),
                _between(low, high),
                Cell(f"{good:,}", good, way if good else None),
                Cell(f"{one.games:,}", one.games),
                Cell(
                    f"{one.unfinished:,}",
                    one.unfinished,
                    (GAMES, {**way[1], "verdict": "unfinished"}) if one.unfinished else None,
                ),
                Cell(
                    f"{one.irregular:,}",
                    one.irregular,
                    (GAMES, {**way[1], "sort": "let-stand"}) if one.irregular else None,
                ),
                Cell(f"{one.invalid + one.forks:,}", one.invalid + one.forks),
                Cell(f"{one.warnings:,}", one.warnings),
                Cell(shown(one.unverified_share, share=True), one.unverified_share or 0.0),
            ]
        )
    if points:
        st.plotly_chart(
            dots(points, Axis("games let in", share=True)), width="stretch", config=CONFIG, key="files",
            alt="The share of games of each file that was let in; the figures are in the table below.",
        )  # fmt: skip
    if 0 < len(points) < len(lines):
        st.caption("The chart shows the files with more than one game; the table has all.")
    asked = show_table(
        "Files of the library",
        [
            Column("File"), Column("Let in", right=True), Column("95 % interval", right=True, hide=2),
            Column("Games let in", right=True), Column("Games (n)", right=True), Column("Unfinished", right=True, hide=1),
            Column("Irregular", right=True, hide=1), Column("Quarantine", right=True), Column("Warnings", right=True, hide=1),
            Column("With unknown cards", right=True, hide=1),
        ],
        lines,
        "files-table",
    )  # fmt: skip
    if asked is not None:
        go_to(*asked)
    st.markdown(
        "`ono-replay library quarantine list` names what was refused, `ono-replay library quarantine show KEY` tells "
        "why, line by line."
    )


def _interval(k: int, n: int) -> tuple[float | None, float | None]:
    if n < 2:
        return None, None
    _, low, high = share_interval(Moments(k, n, n, k, k, n))
    return low, high


def _between(low: float | None, high: float | None) -> Cell:
    if low is None or high is None:
        return Cell("–", -1.0)
    return Cell(between(low, high, share=True), low)


def _show_codes(frame: Frame, files: Any) -> None:
    counted: Counter[str] = Counter()
    for one in files:
        counted.update(one.codes)
    st.subheader("Findings", anchor=False)
    if not counted:
        st.text("The validator found nothing to say about any game.")
        return
    st.markdown("How many games each code was given to; `ono-replay explain CODE` tells what it means.")
    games = sum(one.games for one in files)
    lines: list[list[Cell | str]] = []
    for code, number in counted.most_common():
        low, high = _interval(min(number, games), games)
        lines.append(
            [
                code,
                Cell(f"{number:,}", number, (GAMES, {"log": frame.library, "code": code})),
                Cell(shown(number / games, share=True), number / games),
                _between(low, high),
                Cell(f"{games:,}", games),
            ]
        )
    columns = [
        Column("Code"),
        *(Column(title, right=True) for title in ("Games with it", "Share", "95 % interval", "Games (n)")),
    ]
    asked = show_table("Findings by code", columns, lines, "codes-table")
    if asked is not None:
        go_to(*asked)


def _show_likeness(frame: Frame) -> None:
    st.subheader("There twice", anchor=False)
    games = libraries.contents(frame.path)["games"]
    st.text("Games that were played alike, whatever they are called and whoever is named in them.")
    if games > libraries.MOST_LIKE and not st.button(f"Look through {games:,} games"):
        return
    found = libraries.duplicates_of(frame.path, libraries.stamp_of_library(frame.path))
    if not found:
        st.text("No game is there twice.")
        return
    st.text(
        f"{len(found):,} pair{'' if len(found) == 1 else 's'}"
        + (f", the first {MOST:,} below." if len(found) > MOST else ".")
    )

    def leads(game: str) -> Cell:
        return Cell(printable(game), to=(REPLAY, {"log": frame.library, "game": game}))

    lines: list[list[Cell | str]] = [
        [leads(one.game_id), leads(one.other), KINDS[one.kind]] for one in found[:MOST]
    ]
    asked = show_table(
        "Games that are there twice", [Column("Game"), Column("Other"), Column("How alike")], lines, "alike"
    )
    if asked is not None:
        go_to(*asked)
