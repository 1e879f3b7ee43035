"""Brings a place of a page into sight, once for each time that it is asked for."""

from typing import Final

import streamlit as st

_NAME: Final = "ono_replay_scroll"
_JS: Final = """
let last = "";
export default function ({ parentElement, data }) {
  if (data.time === last) return;
  last = data.time;
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const here = parentElement.host ?? parentElement;
  setTimeout(() => here.scrollIntoView({ block: "start", behavior: still ? "auto" : "smooth" }), 100);
}
"""


def scroll_here(time: str) -> None:
    """Bring this place into sight; another `time` does it anew."""
    st.components.v2.component(_NAME, js=_JS)(data={"time": time}, key="scroll", height=1)
