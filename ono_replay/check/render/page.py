"""The page of a code, and the list of all, as text."""

import textwrap
from collections.abc import Iterable
from typing import Final

from ono_replay.check.catalogue import Code
from ono_replay.check.render.style import Style

SEVERITY_COLOUR: Final = {"error": "bold red", "warning": "bold yellow", "note": "bold blue"}
_LABELS: Final = ("What", "Why", "Example", "Fix")
_INDENT: Final = max(map(len, _LABELS)) + 2


def code_page(code: Code, style: Style, width: int = 100) -> str:
    """Return the page of a code: what, why, example and fix, ending in a newline.

    >>> from ono_replay.check.catalogue import code_named
    >>> print(code_page(code_named("ONO109"), Style(colour=False)), end="")
    ONO109 duplicate-key (error)
    <BLANKLINE>
    What     An object of the line has the same key twice.
    Why      Which of the two values counts differs from one JSON reader to the next.
    Example  {"seq":4,"type":"play","seat":0,"card":"7","total":7,"total":8}
    Fix      Write each key once.
    """
    lines = [f"{style.paint(f'{code.code} {code.name}', 'bold')} ({_severity(code, style)})", ""]
    for label, text in zip(_LABELS, (code.what, code.why, code.example, code.fix), strict=True):
        shown = [text] if label != "Example" else text.splitlines()
        if label != "Example":
            shown = textwrap.wrap(
                text, max(20, width - _INDENT), break_long_words=False, break_on_hyphens=False
            )
        for place, line in enumerate(shown):
            head = style.paint(label.ljust(_INDENT), "bold cyan") if not place else " " * _INDENT
            lines.append(head + (style.paint(line, "dim") if line.startswith("# ") else line))
    return "\n".join(lines) + "\n"


def code_list(codes: Iterable[Code], style: Style, width: int | None = 100) -> str:
    """Return one line a code with what it means, cut to a width if one is given."""
    lines = []
    for code in codes:
        head = f"{code.code} {code.name:<26} {code.severity:<7}  "
        what = code.what
        if width is not None:
            what = textwrap.shorten(what, max(20, width - len(head)), placeholder=" …")
        colour = SEVERITY_COLOUR[code.severity]
        lines.append(
            f"{style.paint(code.code, 'bold')} {code.name:<26} {style.paint(f'{code.severity:<7}', colour)}  {what}"
        )
    return "\n".join(lines) + "\n"


def _severity(code: Code, style: Style) -> str:
    return style.paint(code.severity, SEVERITY_COLOUR[code.severity])
