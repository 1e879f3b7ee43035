"""`ono-replay states`: every state of a game as JSON; and how commands find a game and a place in it."""

import sys
from typing import Annotated, Final

import typer

from ono_replay.check.diagnostic import Diagnostic
from ono_replay.check.phrases import count_of
from ono_replay.check.printable import printable
from ono_replay.check.render.jsontext import write_json
from ono_replay.cli.guard import CannotRun
from ono_replay.log.seat_names import find_seat
from ono_replay.replay import NoEvent, Replay, no_game, read_replays, stream_states

FILE_HELP: Final = "A log; - is standard input."
GAME_HELP: Final = "The game with this id; without it, the first."


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
    others: list[str | None] = []

    def stray(diagnostic: Diagnostic) -> None:
        nonlocal errors
        errors += diagnostic.severity == "error"

    for states in stream_states(file, on_stray=stray, max_bytes=max_bytes):
        report = states.report
        if game is not None and report.game_id != game:
            others.append(report.game_id)
            continue
        found = True
        errors += report.errors
        for line in states:
            write_json(sys.stdout, line.decode() + "\n")
        sys.stdout.flush()
    if game is not None and not found:
        raise CannotRun(printable(f"{file}: {no_game(game, others)}"))
    if errors:
        print(
            f"ono-replay: {count_of(errors, 'error')} in this log; `ono-replay validate` says where",
            file=sys.stderr,
        )
        raise typer.Exit(1)


def pick_replay(file: str, game: str | None) -> Replay:
    """Return the first game of a log, or the one with an id; what is not there can not be run.

    That there are more games than the first is said on standard error.
    """
    replays = read_replays(file)
    others: list[str | None] = []
    for replay in replays:
        if game is None or replay.game_id == game:
            break
        others.append(replay.game_id)
    else:
        raise CannotRun(printable(f"{file}: {no_game(game, others)}"))
    if game is None and next(replays, None) is not None:
        tell_of_more(replay.game_id)
    return replay


def tell_of_more(game_id: str | None) -> None:
    """Say on standard error that there are more games than the first, which this is."""
    name = printable(game_id or "without an id")
    print(f"ono-replay: the log has several games; this is the first, {name} (--game ID)", file=sys.stderr)


def go_to(replay: Replay, seq: int | None) -> None:
    """Let a replay stand after an event, None for the last; one that does not stand can not be run."""
    if seq is None:
        replay.index = len(replay) - 1
        return
    try:
        replay.seek(seq)
    except NoEvent as reason:
        raise CannotRun(str(reason)) from None


def pick_seat(replay: Replay, seat: str | None) -> int | None:
    """Return the seat that a number or a name means; one that is not there can not be run."""
    if seat is None:
        return None
    try:
        return find_seat(replay.names, seat)
    except ValueError as reason:
        raise CannotRun(printable(str(reason))) from None
