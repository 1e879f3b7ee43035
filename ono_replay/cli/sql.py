"""`ono-replay sql`: questions to a library."""

import sys
from typing import Annotated, Literal

import typer

from ono_replay.cli.guard import CannotRun
from ono_replay.cli.importing import LibraryFolder
from ono_replay.log.terminal import standard_output

Form = Annotated[
    Literal["table", "json", "jsonl", "csv", "arrow"],
    typer.Option(
        "--format", "-f", help="table for people; json is an array of objects; arrow an Arrow stream."
    ),
]


def sql_command(
    query: Annotated[str, typer.Argument(metavar="QUERY", help="One SELECT in DuckDB's SQL; - reads it.")],
    library: LibraryFolder,
    output: Form = "table",
    seconds: Annotated[
        float, typer.Option("--timeout", metavar="SECONDS", min=0.1, help="Stop the query after this time.")
    ] = 60.0,
    memory: Annotated[
        int, typer.Option("--max-memory", metavar="MIB", min=256, help="Stop a query that needs more.")
    ] = 1024,
) -> None:
    """Ask a library in SQL.

    The views are games, players, rounds, events, decisions, eliminations, pair_chains and more; DESCRIBE games
    lists columns, schemas/LIBRARY.md says what they mean. A query reads the views and nothing else.

    Examples:
        ono-replay sql "select edition, count(*) from games group by all" --library games
        ono-replay sql "select distinct game_id from decisions where total_before = 98 and plays_due = 2 and card = 'reverse'" -l games -f csv
        ono-replay sql "describe decisions" --library games
    """
    from ono_replay.library.question import QueryRefused
    from ono_replay.library.sandbox import ask

    text = sys.stdin.read() if query == "-" else query
    out = standard_output()
    try:
        for block in ask(library, text, form=output, seconds=seconds, memory=memory << 20):
            out.write(block)
    except QueryRefused as reason:
        out.flush()
        raise CannotRun(str(reason)) from None
    out.flush()
