"""What commands that write a file have in common: nothing is written over unless that is asked for."""

from typing import Annotated

import typer

Out = Annotated[
    str,
    typer.Argument(
        metavar="OUT", help="The log to write; packed if it ends in .gz or .zst; - is standard output."
    ),
]
Force = Annotated[bool, typer.Option("--force", help="Write over a file that exists.")]
