"""SVG and HTML written from parts, so that text can never become markup."""

from collections.abc import Iterable, Mapping
from html import escape
from typing import Any

Shape = list[Any]
"""`[tag, attributes]` or `[tag, attributes, text]`, with plain SVG attributes."""


def element(tag: str, attributes: Mapping[str, Any], *children: str) -> str:
    """Return an element; attribute values are escaped here, children are markup already.

    >>> element("text", {"x": 5, "fill": '"'}, text_of("<b>"))
    '<text x="5" fill="&quot;">&lt;b&gt;</text>'
    """
    written = "".join(f' {name}="{escape(str(value))}"' for name, value in attributes.items())
    inner = "".join(children)
    return f"<{tag}{written}>{inner}</{tag}>" if inner else f"<{tag}{written}/>"


def text_of(text: str) -> str:
    """Return text as markup that shows it.

    >>> text_of("a & b")
    'a &amp; b'
    """
    return escape(text, quote=False)


def draw(shapes: Iterable[Shape]) -> str:
    """Return shapes as SVG.

    >>> draw([["circle", {"r": 2}]])
    '<circle r="2"/>'
    """
    return "".join(element(shape[0], shape[1], *(text_of(text) for text in shape[2:])) for shape in shapes)
