"""`ono-replay samples`: the games that come with the program."""

import shutil
from collections.abc import Iterator, Sequence
from fnmatch import fnmatch
from pathlib import Path
from typing import Annotated

import typer

from ono_replay.bundle import bundle_path
from ono_replay.check.phrases import count_of
from ono_replay.check.printable import printable
from ono_replay.cli.guard import CannotRun
from ono_replay.cli.lazy import add_command
from ono_replay.cli.outfile import Force
from ono_replay.log.output import check_free

Names = Annotated[
    list[str] | None,
    typer.Argument(metavar="NAME", help="Names or patterns, such as ONO301 or 'ok/*'; without one, all."),
]


def find_samples(names: Sequence[str]) -> Iterator[str]:
    """Yield the samples that have one of the names, as paths below their folder.

    A name is a folder, the beginning of a file's name or path, or a pattern for paths.
    Raises `CannotRun` for a name that no sample has.
    """
    folder = bundle_path("sample_logs")
    samples = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    for name in names:
        if not any(_fits(sample, name) for sample in samples):
            raise CannotRun(f"no sample is called '{printable(name)}'; `ono-replay samples` lists them")
    yield from (sample for sample in samples if not names or any(_fits(sample, name) for name in names))


def _fits(sample: str, name: str) -> bool:
    path, name = sample.lower(), name.lower().rstrip("/")
    folder, _, file = path.rpartition("/")
    return (
        folder == name
        or file.startswith(name)
        or fnmatch(path, name)
        or ("/" in name and path.startswith(name))
    )


def list_samples(names: Names = None) -> None:
    """List the samples.

    Examples:
        ono-replay samples list
        ono-replay samples list broken/ONO3
    """
    for sample in find_samples(names or []):
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
    samples = list(find_samples(names or []))
    for sample in samples:
        check_free(str(folder / sample), overwrite=force)
    for sample in samples:
        target = folder / sample
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(bundle_path("sample_logs") / sample, target)
    print(f"{count_of(len(samples), 'file')} copied to {printable(str(folder))}")


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
