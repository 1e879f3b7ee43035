"""`ono-replay schema`: the JSON Schemas of the log."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from ono_replay.check.printable import printable
from ono_replay.cli.guard import CannotRun
from ono_replay.cli.outfile import Force
from ono_replay.log.schema import schemas, write_schemas

_ENDING = ".schema.json"


def schema_command(
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help="event or ruleset; without one, a list.")
    ] = None,
    folder: Annotated[
        Path | None, typer.Option("--write", metavar="DIR", help="Write all schemas into this folder.")
    ] = None,
    force: Force = False,
) -> None:
    """Print a JSON Schema of the log, or write them all.

    Examples:
        ono-replay schema
        ono-replay schema event > event.schema.json
        ono-replay schema --write schemas/ --force
    """
    known = schemas()
    if folder is not None:
        if not folder.is_dir():
            raise CannotRun(f"{printable(str(folder))}: no such folder")
        for path in write_schemas(folder, overwrite=force):
            print(printable(str(path)))
    elif name is None:
        for file in known:
            print(file.removesuffix(_ENDING))
    else:
        text = known.get(name.removesuffix(_ENDING) + _ENDING)
        if text is None:
            names = ", ".join(file.removesuffix(_ENDING) for file in known)
            raise CannotRun(f"there is no schema '{printable(name)}'; choose from {names}")
        sys.stdout.write(text)
