"""`ono-replay stats`: statistics of a library."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from ono_replay.check.printable import printable, write_text
from ono_replay.cli.guard import CannotRun
from ono_replay.cli.importing import LibraryFolder
from ono_replay.cli.outfile import Force
from ono_replay.log.output import check_free
from ono_replay.log.terminal import standard_output

if TYPE_CHECKING:
    from ono_replay.library.estimates import Answer

Form = Annotated[
    Literal["table", "json", "csv", "parquet"],
    typer.Option(
        "--format", "-f", help="table for people; json is an array of rows, what was left out last."
    ),
]


def stats_command(
    library: LibraryFolder,
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help="The statistic; without one, all are listed.")
    ] = None,
    by: Annotated[
        list[str] | None,
        typer.Option(
            "--by", metavar="COLUMN", help="Group by this, or several with commas; may be repeated."
        ),
    ] = None,
    where: Annotated[
        str | None, typer.Option("--where", metavar="SQL", help="A condition over the columns of games.")
    ] = None,
    output: Form = "table",
    out: Annotated[
        str, typer.Option("--out", "-o", metavar="FILE", help="Write to a file; - is standard output.")
    ] = "-",
    unfinished: Annotated[
        bool, typer.Option("--unfinished", help="Count games that were not played to their end, too.")
    ] = False,
    irregular: Annotated[
        bool, typer.Option("--irregular", help="Count games in which a fault was let stand, too.")
    ] = False,
    force: Force = False,
) -> None:
    """Answer a question about many games: who wins, how long it takes, how players fall.

    Every share and every mean comes with its number and a 95 % interval. schemas/STATISTICS.md says what is counted.

    Examples:
        ono-replay stats --library games
        ono-replay stats wins_by_seat --library games --by n_players
        ono-replay stats cards -l games --where "edition = '1980' and n_players = 4" --format csv -o cards.csv
        ono-replay stats ratings -l games --by month --format json
    """
    from ono_replay.library import stats
    from ono_replay.library.store import Library

    check_free(out, overwrite=force)
    if output == "parquet" and out == "-" and sys.stdout.isatty():
        raise CannotRun("Parquet is nothing for a terminal; say where with -o FILE")
    groups = [group.strip() for text in by or [] for group in text.split(",") if group.strip()]
    with Library(library) as opened:
        if name is None:
            if groups:
                raise CannotRun("name the statistic to be grouped")
            answer = stats.overview(opened, where=where, unfinished=unfinished, irregular=irregular)
        else:
            answer = stats.statistic(
                opened, name, by=groups, where=where, unfinished=unfinished, irregular=irregular
            )
    _write(answer, output, out)


def _write(answer: "Answer", output: str, out: str) -> None:
    if output == "table":
        from ono_replay.cli.stats_table import table_text

        text = table_text(answer, styled=out == "-" and sys.stdout.isatty())
        if out == "-":
            write_text(sys.stdout, text)
        else:
            Path(out).write_text(text, encoding="utf-8")
        return
    content = (
        answer.to_json() + b"\n"
        if output == "json"
        else answer.to_csv()
        if output == "csv"
        else answer.to_parquet()
    )
    if out == "-":
        stream = standard_output()
        stream.write(content)
        stream.flush()
    else:
        Path(out).write_bytes(content)
    if output != "json":
        write_text(sys.stderr, f"ono-replay: {printable(answer.summary())}\n")
