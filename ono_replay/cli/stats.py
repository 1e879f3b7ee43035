"""`ono-replay stats`: statistics of a library."""

import sys
from typing import Annotated, Literal

import typer

from ono_replay.check.printable import printable, write_text
from ono_replay.cli.guard import CannotRun
from ono_replay.cli.importing import LibraryFolder
from ono_replay.cli.outfile import Force
from ono_replay.log.output import check_free

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

    check_free(out, overwrite=force)
    if output == "parquet" and out == "-" and sys.stdout.isatty():
        raise CannotRun("Parquet is nothing for a terminal; say where with -o FILE")
    groups = [group.strip() for text in by or [] for group in text.split(",") if group.strip()]
    if name is None:
        if groups:
            raise CannotRun("name the statistic to be grouped")
        answer = stats.overview(library, where=where, unfinished=unfinished, irregular=irregular)
    else:
        answer = stats.statistic(
            library, name, by=groups, where=where, unfinished=unfinished, irregular=irregular
        )
    if output == "table" and out == "-":
        from ono_replay.library.answer_table import table_text

        write_text(sys.stdout, table_text(answer, styled=sys.stdout.isatty()))
        return
    answer.write(out, output, overwrite=force)
    if output in ("csv", "parquet"):
        write_text(sys.stderr, f"ono-replay: {printable(answer.summary())}\n")
