"""`ono-replay samples`: the games that come with the program."""

from pathlib import Path
from typing import Annotated

import typer

from ono_replay.check.phrases import count_of
from ono_replay.check.printable import printable
from ono_replay.cli.lazy import add_command
from ono_replay.cli.outfile import Force
from ono_replay.simulate import sample_files

Names = Annotated[
    list[str] | None,
    typer.Argument(metavar="NAME", help="Names or patterns, such as ONO301 or 'ok/*'; without one, all."),
]


def list_samples(names: Names = None) -> None:
    """List the samples.

    Examples:
        ono-replay samples list
        ono-replay samples list broken/ONO3
    """
    for sample in sample_files.find_samples(names or []):
        print(printable(sample))


def copy_samples(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Where to; it is made if it is not there.")],
    names: Names = None,
    force: Force = False,
) -> None:
    """Copy samples into a folder of yours, to try things on.

    Examples:
        ono-replay samples copy my-samples
        ono-replay samples copy my-samples ok outside
    """
    copied = sample_files.copy_samples(folder, names or [], overwrite=force)
    print(f"{count_of(copied, 'file')} copied to {printable(str(folder))}")


def make_samples(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Where to; it is made if it is not there.")],
    force: Force = False,
) -> None:
    """Make the logs of ok, open and broken anew, and the list of them: the same bytes every time.

    Where a file of one of their names says something else, nothing is made.

    Examples:
        ono-replay samples make my-samples
        ono-replay samples make sample_logs --force
    """
    from ono_replay.simulate.samples import write_samples

    print(f"{count_of(write_samples(folder, overwrite=force), 'file')} made in {printable(str(folder))}")


app = typer.Typer(
    help="List the games that come with the program, or copy them.", invoke_without_command=True
)
add_command(app, "list", list_samples)
add_command(app, "copy", copy_samples)
add_command(app, "make", make_samples)


@app.callback()
def _list_by_itself(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        list_samples()
