"""`ono-replay states`: every state of a game, as JSON."""

import sys
from typing import Annotated, Final

import typer

from ono_replay.check.diagnostic import Diagnostic
from ono_replay.check.phrases import count_of
from ono_replay.check.printable import printable
from ono_replay.check.render.jsontext import to_json, write_json
from ono_replay.cli.guard import CannotRun
from ono_replay.replay import read_replays

FILE_HELP: Final = "A log; - is standard input."


def states_command(
    file: Annotated[str, typer.Argument(metavar="FILE", help=FILE_HELP)],
    game: Annotated[str | None, typer.Option("--game", metavar="ID", help="Only this game.")] = None,
    max_bytes: Annotated[
        int | None, typer.Option("--max-bytes", min=1, help="Refuse a log that unpacks to more bytes.")
    ] = None,
) -> None:
    """Print the state after every event, one JSON object a line.

    After an error the states follow what the log says happened. Ends with 1 if an error was found.

    Examples:
        ono-replay states game.ono.jsonl
        ono-replay states games.jsonl.gz --game kitchen-7
    """
    errors = 0
    found = False

    def stray(diagnostic: Diagnostic) -> None:
        nonlocal errors
        errors += diagnostic.severity == "error"

    for replay in read_replays(file, on_stray=stray, max_bytes=max_bytes):
        if game is not None and replay.game_id != game:
            continue
        found = True
        errors += replay.report.errors
        for state in replay.states_json():
            write_json(sys.stdout, to_json(state) + "\n")
        sys.stdout.flush()
    if game is not None and not found:
        raise CannotRun(f"{printable(file)}: no game has the id '{printable(game)}'")
    if errors:
        print(
            f"ono-replay: {count_of(errors, 'error')} in this log; `ono-replay validate` says where",
            file=sys.stderr,
        )
        raise typer.Exit(1)
