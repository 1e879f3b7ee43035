"""`ono-replay explain`: the page of a code."""

import shutil
import sys
from typing import Annotated

import typer

from ono_replay.check.catalogue import CATALOGUE, Code, code_named, codes_like
from ono_replay.check.printable import printable, write_text
from ono_replay.check.render.page import code_list, code_page
from ono_replay.check.render.style import style_for
from ono_replay.cli.guard import CannotRun

WIDEST = 100


def explain(
    codes: Annotated[
        list[str] | None,
        typer.Argument(metavar="CODE", help="ONO301, 301 or out-of-turn; without one, all are listed."),
    ] = None,
) -> None:
    """Explain a code of a diagnostic: what, why, an example, what to do.

    Examples:
        ono-replay explain ONO301
        ono-replay explain out-of-turn
        ono-replay explain
    """
    width = min(WIDEST, shutil.get_terminal_size().columns)
    style = style_for(sys.stdout)
    if not codes:
        # What goes into a pipe is not cut.
        write_text(sys.stdout, code_list(CATALOGUE.values(), style, width if sys.stdout.isatty() else None))
        return
    pages = [code_page(_find(text), style, width) for text in codes]
    write_text(sys.stdout, "\n".join(pages))


def _find(text: str) -> Code:
    try:
        return code_named(text)
    except KeyError:
        near = " or ".join(f"{code.code} ({code.name})" for code in codes_like(text))
        hint = f"did you mean {near}?" if near else "`ono-replay explain` lists all"
        raise CannotRun(f"there is no code '{printable(text)}'; {hint}") from None
