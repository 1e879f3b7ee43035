"""What commands that write a file have in common: nothing is written over unless that is asked for."""

from pathlib import Path
from typing import Annotated

import typer

from ono_replay.check.printable import printable
from ono_replay.cli.guard import CannotRun

Out = Annotated[
    str,
    typer.Argument(
        metavar="OUT", help="The log to write; packed if it ends in .gz or .zst; - is standard output."
    ),
]
Force = Annotated[bool, typer.Option("--force", help="Write over a file that exists.")]


def check_out(out: str, *, force: bool) -> None:
    """Refuse to write over a file that is there and holds something, unless told to.

    >>> check_out("-", force=False)
    """
    if out == "-" or force:
        return
    path = Path(out)
    if path.exists() and (not path.is_file() or path.stat().st_size):
        raise CannotRun(f"{printable(out)}: exists already (--force writes over it)")
