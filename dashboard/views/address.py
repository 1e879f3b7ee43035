"""What is chosen on a page stands in its address, and only there: reload, Back and Forward show it again.

Streamlit can bind an input to the address by itself, but takes the names that two pages share out of the address on the
way from one to the other, and Back finds nothing. So the inputs are set from the address here, and write it.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, Literal

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from ono_replay.check.printable import printable

Word = Literal["go", "choose", "here", "step"]
"""What an address is for, in the history of the browser (`front.js`)."""
_WORD: Final = "~"
_PAGE: Final = "address-page"
_FRESH: Final = "address-fresh"
_INPUTS: Final = "address-inputs"
"""The inputs of the page that was shown last: of each what its values are called in the address."""
_ASKED: Final = "address-asked"
"""That page, its address, and the names of what it hands on."""
_WRITTEN: Final = "address-written"
"""What was just written for that page, and the address before."""
_MISSED: Final = "address-missed"
_CARRIED: Final = "address-carried"
_ON: Final = "true"
_LONGEST: Final = 60


def arrive(page: str) -> None:
    """Note which page is shown, and whether it was come to by the menu: with an empty address, and not by Back."""
    by_history = bool(getattr(get_script_run_ctx(), "is_history_navigation", False))
    before = st.session_state.get(_PAGE)
    st.session_state[_PAGE] = page
    if _WORD in st.query_params:
        del st.query_params[_WORD]
    written, told, asked = st.session_state.pop(_WRITTEN, (page, None, None))
    if written != page and told == st.query_params.to_dict():
        # The menu was used before the server heard of a choice on the page before: it is that page's.
        st.query_params.from_dict(asked)
    came = before != page and not by_history
    st.session_state[_FRESH] = came and before is not None and not st.query_params.to_dict()
    if came:
        tell("here", st.query_params.to_dict())


def word_for(word: Word, page: str) -> dict[str, str]:
    """Return the parameter that says what an address is for; it has to be the last one."""
    return {_WORD: f"{word}.{page}"}


def tell(word: Word, address: Mapping[str, str], page: str | None = None) -> None:
    """Have the browser show an address, of the page that is shown where no other is named."""
    page = _shown() if page is None else page
    st.query_params.from_dict({**address, **word_for(word, page)})
    # The browser has left the word out by now, and so does whoever reads the parameters.
    del st.query_params[_WORD]


def begin(carried: Iterable[str] = ()) -> None:
    """Begin to ask on a page; what is chosen under the names that are `carried` goes along to other pages."""
    st.session_state[_INPUTS] = {}
    st.session_state[_MISSED] = []
    st.session_state[_ASKED] = (_shown(), st.query_params.to_dict(), tuple(carried))


def _shown() -> str:
    return str(st.session_state.get(_PAGE, ""))


def carry(names: Iterable[str], only: Mapping[str, Sequence[str]]) -> None:
    """Take along what was chosen under these names on the page before, where the menu led here.

    `only` are the values of a name that this page has, where not all pages have the same.
    """
    carried: dict[str, str] = st.session_state.get(_CARRIED, {})
    taken = {
        name: carried[name]
        for name in names
        if name in carried and carried[name] in only.get(name, (carried[name],))
    }
    if st.session_state.pop(_FRESH, False) and taken:
        tell("here", taken)


def keep() -> None:
    """Remember what is chosen under the names that are carried, to be taken along."""
    page, _, carried = st.session_state[_ASKED]
    _remember(page, st.query_params.to_dict(), carried)


def _remember(page: str, asked: dict[str, str], carried: tuple[str, ...]) -> None:
    st.session_state[_ASKED] = (page, asked, carried)
    if carried:
        st.session_state[_CARRIED] = {name: asked[name] for name in carried if name in asked}


def ask_one(title: str, name: str, options: Mapping[str, str], **look: Any) -> str:
    """Ask for one of some options, titles with what the address calls them, and return its title; the first is usual."""
    _set(name, title, options)
    picked: Any = st.selectbox(title, list(options), key=name, on_change=_write, **look)
    return str(picked)


def ask_part(name: str, parts: Sequence[str]) -> str:
    """Ask for a part of a page, by buttons side by side."""
    _set(name, "part", {part: part for part in parts})
    picked: Any = st.segmented_control(
        "What", parts, key=name, on_change=_write, required=True, label_visibility="collapsed"
    )
    return str(picked) if picked in parts else parts[0]


def ask_whether(title: str, name: str) -> bool:
    """Ask whether something is wanted; usually not."""
    st.session_state[_INPUTS][name] = None
    st.session_state[name] = st.query_params.get(name, "").casefold() == _ON
    return st.toggle(title, key=name, on_change=_write)


def ask_text(title: str, name: str, longest: int, **look: Any) -> str:
    """Ask for words."""
    st.session_state[_INPUTS][name] = None
    st.session_state[name] = st.query_params.get(name, "")[:longest]
    told: Any = st.text_input(title, key=name, on_change=_write, **look)
    return str(told)[:longest]


def check_names(known: Iterable[str]) -> None:
    """Note what the address has that no input of this page is called."""
    for name in st.query_params:
        if name not in known and not name.startswith("embed"):
            st.session_state[_MISSED].append(f"“{printable(name[:_LONGEST])}” means nothing on this page.")


def check_value(title: str, name: str, values: Mapping[str, str]) -> None:
    """Note a value that the games can not have; for what is not asked, because it is the same in all of them."""
    value = st.query_params.get(name)
    if value is not None and _title_of(value, values) is None:
        st.session_state[_MISSED].append(_not_there(title, value, values))


def tell_missed() -> None:
    """Say what the address has that was not understood."""
    missed: list[str] = st.session_state[_MISSED]
    if missed:
        with st.container(border=True):
            st.markdown(":orange[Not understood in the address, and left out]")
            st.text("\n".join(missed))
    st.session_state[_MISSED] = []


def _set(name: str, title: str, options: Mapping[str, str]) -> None:
    """Set an input to what the address says."""
    st.session_state[_INPUTS][name] = dict(options)
    value = st.query_params.get(name)
    found = next(iter(options)) if value is None else _title_of(value, options)
    if found is None:
        st.session_state[_MISSED].append(_not_there(title, value or "", options))
    st.session_state[name] = found or next(iter(options))


def _title_of(value: str, options: Mapping[str, str]) -> str | None:
    """Return the option that a value of an address means: as it is written, by its title, else but for case."""
    if value in options:
        return value
    fitting = [title for title, called in options.items() if called == value]
    folded = value.strip().casefold()
    fitting += [title for title, called in options.items() if folded in (called.casefold(), title.casefold())]
    return fitting[0] if fitting else None


def _not_there(title: str, value: str, options: Mapping[str, str]) -> str:
    named = [printable(called[:_LONGEST]) for called in options.values()]
    more = "" if len(named) <= 12 else " …"
    return f"{title} “{printable(value[:_LONGEST])}”: there is {', '.join(named[:12])}{more}."


def _write() -> None:
    """Write all that is chosen into the address, in one step of the browser's history."""
    # Somebody may be on the way to another page by now: it is the page that was asked on whose address this is.
    page, asked, carried = st.session_state[_ASKED]
    told = dict(asked)
    for name, options in st.session_state[_INPUTS].items():
        if name not in st.session_state:
            continue
        chosen = st.session_state[name]
        if isinstance(chosen, bool):
            value = _ON if chosen else ""
        elif options is None:
            value = str(chosen)
        else:
            value = "" if chosen == next(iter(options)) else options.get(chosen, "")
        told.pop(name, None)
        if value:
            told[name] = value
    if told == asked:
        return
    _remember(page, told, carried)
    st.session_state[_WRITTEN] = (page, told, st.query_params.to_dict())
    tell("choose", told, page)
