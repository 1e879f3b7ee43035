"""The cards as drawings: one table of shapes that the page, the pictures and the animations share.

A card is a list of shapes on a field of 100 × 140. A shape is `[tag, attributes]` or `[tag, attributes, text]`
with plain SVG attributes, so that it can be written as SVG here and built node by node in a browser. Colours
are those of Okabe and Ito, told apart by the colour-blind; each kind has a pattern and its printed name as well.
"""

from typing import Any, Final

import msgspec

from ono_replay.export.markup import Shape
from ono_replay.rules.cards import HIDDEN

WIDTH: Final = 100
HEIGHT: Final = 140
BACK: Final = "back"
"""The drawing of a card that is held face down."""

_INK: Final = "#1b2430"
_PAPER: Final = "#fffdf8"
_PANEL: Final = {"x": 6, "y": 6, "width": 88, "height": 100, "rx": 7}


class Look(msgspec.Struct, frozen=True):
    """How one card is called and drawn."""

    name: str
    """In a sentence: `Play 2`."""
    short: str
    """Where there is little room: at most six characters."""
    panel: str
    """The colour of its panel."""
    on_panel: str
    """The colour that can be read on the panel."""
    shapes: tuple[Shape, ...] = ()


def _diagonals(step: int) -> str:
    """Return lines that rise from left to right over the panel, as a path."""
    left, top, right, bottom = 6, 6, 94, 106
    parts = []
    for offset in range(left + top + step, right + bottom, step):
        x0, y0 = (left, offset - left) if offset - left <= bottom else (offset - bottom, bottom)
        x1, y1 = (offset - top, top) if offset - top <= right else (right, offset - right)
        parts.append(f"M{x0} {y0}L{x1} {y1}")
    return "".join(parts)


def _lines(step: int, *, upright: bool) -> str:
    if upright:
        return "".join(f"M{x} 6V106" for x in range(6 + step, 94, step))
    return "".join(f"M8 {y}H92" for y in range(6 + step, 106, step))


def _chevrons(step: int) -> str:
    return "".join(f"M6 {y}L50 {y - 14}L94 {y}" for y in range(24, 104, step))


def _dots(step: int) -> str:
    # A line of no length with round ends is a dot.
    rows = enumerate(range(14, 104, step))
    return "".join(f"M{x} {y}h0" for row, y in rows for x in range(14 + (row % 2) * step // 2, 92, step))


def _rings() -> str:
    return "".join(f"M{50 - r} 56a{r} {r} 0 1 0 {2 * r} 0a{r} {r} 0 1 0 {-2 * r} 0" for r in (14, 24, 34, 43))


def _paper(fill: str = _PAPER) -> Shape:
    return ["rect", {"width": WIDTH, "height": HEIGHT, "rx": 11, "fill": fill}]


def _panel(fill: str, pattern: str, ink: str, opacity: float, width: float) -> list[Shape]:
    stroke = {"stroke": ink, "stroke-opacity": opacity, "stroke-width": width, "stroke-linecap": "round"}
    return [["rect", {**_PANEL, "fill": fill}], ["path", {"d": pattern, "fill": "none", **stroke}]]


def _words(text: str, y: float, size: float, fill: str, *, room: float = 88, weight: int = 800) -> Shape:
    attributes: dict[str, Any] = {"x": 50, "y": y, "font-size": size, "font-weight": weight, "fill": fill}
    attributes["text-anchor"] = "middle"
    if len(text) * size * 0.72 > room:
        # Whatever font is at hand, a long name stays inside the card.
        attributes |= {"textLength": room, "lengthAdjust": "spacingAndGlyphs"}
    return ["text", attributes, text]


def _title(name: str) -> Shape:
    return _words(name.upper(), 128, 17, _INK, room=86)


def _number(face: str, word: str) -> Look:
    shapes = [
        _paper(),
        ["rect", {**_PANEL, "fill": "#f1ece0"}],
        _words(face, 84, 80, _INK),
        _title(word),
    ]
    return Look(word, face, "#f1ece0", _INK, tuple(shapes))


def _icon(d: str, ink: str, width: float = 7) -> Shape:
    stroke = {"stroke": ink, "stroke-width": width, "stroke-linecap": "round", "stroke-linejoin": "round"}
    return ["path", {"d": d, "fill": "none", **stroke}]


_TURN = "M30 40a27 27 0 0 1 45 4M77 28v17h-17M70 72a27 27 0 0 1-45-4M23 84v-17h17"
_PAUSE = "M38 36v40M62 36v40"


def _pair(name: str, short: str, mark: str) -> Look:
    fill = "#c44f00"
    cards: list[Shape] = [
        [
            "rect",
            {
                "x": 22,
                "y": 24,
                "width": 38,
                "height": 54,
                "rx": 5,
                "fill": fill,
                "stroke": "#fff",
                "stroke-width": 5,
            },
        ],
        ["rect", {"x": 40, "y": 34, "width": 38, "height": 54, "rx": 5, "fill": "#fff"}],
        [
            "text",
            {
                "x": 59,
                "y": 72 if len(mark) < 2 else 69,
                "font-size": 32 if len(mark) < 2 else 23,
                "font-weight": 800,
                "fill": fill,
                "text-anchor": "middle",
            },
            mark,
        ],
    ]
    face = [_paper(), *_panel(fill, _dots(14), "#fff", 0.32, 4), *cards, _title(name)]
    return Look(name, short, fill, "#fff", tuple(face))


_WORDS: Final = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


def _draw_all() -> dict[str, Look]:
    looks = {str(face): _number(str(face), word) for face, word in enumerate(_WORDS)}
    ten = [
        _paper(),
        *_panel("#e69f00", _lines(8, upright=True), _INK, 0.16, 2),
        _words("10", 79, 62, _INK, room=70),
        _title("ten"),
    ]
    looks["10"] = Look("ten", "10", "#e69f00", _INK, tuple(ten))
    minus = [
        _paper(),
        *_panel("#00785a", _diagonals(12), "#fff", 0.28, 3),
        _words("−10", 78, 56, "#fff", room=82),
    ]
    looks["-10"] = Look("minus ten", "−10", "#00785a", "#fff", (*minus, _title("minus ten")))
    turn = [
        _paper(),
        *_panel("#0067a3", _chevrons(16), "#fff", 0.26, 3),
        _icon(_TURN, "#fff", 8),
        _title("reverse"),
    ]
    looks["reverse"] = Look("Reverse", "REV", "#0067a3", "#fff", tuple(turn))
    hold = [
        _paper(),
        *_panel("#f0e442", _lines(9, upright=False), _INK, 0.16, 2.5),
        _icon(_PAUSE, _INK, 13),
        _title("hold"),
    ]
    looks["hold"] = Look("Hold", "HOLD", "#f0e442", _INK, tuple(hold))
    looks["double_play"] = _pair("Double Play", "DOUBLE", "×2")
    looks["play_2"] = _pair("Play 2", "PLAY 2", "2")
    ono = [_paper(), *_panel("#14181e", _rings(), "#fff", 0.22, 2.5)]
    ono += [_words("ONO", 42, 24, "#f0e442"), _words("99", 88, 52, "#fff"), _title("ONO 99")]
    looks["ono_99"] = Look("ONO 99", "ONO 99", "#14181e", "#fff", tuple(ono))
    plain = {"x": 6, "y": 6, "width": 88, "height": 128, "rx": 7, "fill": "#3b4c63"}
    lattice = {
        "d": _back_lattice(),
        "fill": "none",
        "stroke": "#fff",
        "stroke-opacity": 0.2,
        "stroke-width": 2,
    }
    back: list[Shape] = [_paper(), ["rect", plain], ["path", lattice]]
    looks[BACK] = Look("a card face down", "", "#3b4c63", "#fff", (*back, *_seal()))
    disc: Shape = [
        "circle",
        {"cx": 50, "cy": 70, "r": 27, "fill": "#3b4c63", "stroke": "#fff", "stroke-width": 3},
    ]
    looks[HIDDEN] = Look(
        "an unknown card", "?", "#3b4c63", "#fff", (*back, disc, _words("?", 84, 40, "#fff"))
    )
    return looks


def _back_lattice() -> str:
    parts = []
    for step in range(-128, 89, 14):
        # From the top or the left side down to the right, and its mirror image.
        x0, y0 = (6 + max(step, 0), 6 + max(-step, 0))
        length = min(94 - x0, 134 - y0)
        if length > 0:
            parts.append(f"M{x0} {y0}l{length} {length}M{100 - x0} {y0}l{-length} {length}")
    return "".join(parts)


def _seal() -> list[Shape]:
    ring = {
        "cx": 50,
        "cy": 70,
        "r": 22,
        "fill": "#3b4c63",
        "stroke": "#fff",
        "stroke-opacity": 0.75,
        "stroke-width": 2.5,
    }
    return [["circle", ring], _words("99", 79, 25, "#fff")]


LOOKS: Final[dict[str, Look]] = _draw_all()
"""The look of each token of schemas/RULES.md section 2, of `?` and of `back`."""
