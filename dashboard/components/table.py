"""A table of games or figures in a page: real links, sorted by its heads, names as nothing but text."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, Literal

import msgspec
import streamlit as st

NAME: Final = "ono_replay_table"
HERE: Final = Path(__file__).parent

Way = tuple[str, dict[str, str]]
"""A page and the parameters of its address."""


class Cell(msgspec.Struct, frozen=True, omit_defaults=True, rename={"text": "t", "value": "v"}):
    """What stands in a cell."""

    text: str
    value: float | str | None = None
    """What it is sorted by, where that is not the text."""
    to: Way | None = None
    """Where it leads."""
    sub: str = ""
    """Smaller, below."""
    tone: Literal["", "good", "open", "bad"] = ""


class Column(msgspec.Struct, frozen=True, omit_defaults=True):
    """A column of a table."""

    title: str
    right: bool = False
    hide: int = 0
    """1: not on a narrow page; 2: not on a phone; 3: only where there is much room."""


def show_table(
    caption: str, columns: Sequence[Column], rows: Sequence[Sequence[Cell | str]], key: str
) -> Way | None:
    """Show a table and return where the reader has asked to go, once."""
    table = st.components.v2.component(NAME, js=_source("table.js"), css=_source("table.css"))
    told = msgspec.to_builtins({"caption": caption, "columns": columns, "rows": rows})
    asked = table(data=told, key=key, on_open_change=_nothing).get("open")
    return _checked(asked)


def _checked(asked: Any) -> Way | None:
    """Return a way that came from the browser if it is one."""
    if not isinstance(asked, Sequence) or len(asked) != 2:
        return None
    page, address = asked
    if not isinstance(page, str) or not isinstance(address, Mapping):
        return None
    return page, {str(name): str(value) for name, value in address.items()}


@st.cache_resource
def _source(name: str) -> str:
    return (HERE / name).read_text(encoding="utf-8")


def _nothing() -> None:
    """Only to have the way told."""
