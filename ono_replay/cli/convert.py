"""`ono-replay convert`: outside replays, logs and Parquet into each other."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Final

import typer

from ono_replay.check.printable import printable, write_text
from ono_replay.cli.guard import CannotRun
from ono_replay.cli.progress import Progress
from ono_replay.convert import Conversion, convert_logs

MOST_LINES: Final = 30
"""Messages of one kind that are shown; all are counted."""


def convert(
    source: Annotated[
        str,
        typer.Argument(
            metavar="IN",
            help="Outside replays (JSON), a log, a folder of logs, Parquet; - is standard input.",
        ),
    ],
    target: Annotated[
        str,
        typer.Argument(
            metavar="OUT", help="A log (.ono.jsonl, .gz, .zst) or .parquet; - is standard output."
        ),
    ],
    no_seed: Annotated[
        bool, typer.Option("--no-seed", help="Make public logs also of replays whose seed is known.")
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Write over a file that exists.")] = False,
) -> None:
    """Turn outside replays into logs, and logs into Parquet and back.

    IN is told by its content, OUT by its name. Logs come out finished, without undos, and in canonical bytes.

    Nothing is repaired: a game that breaks the rules does so in its log. What could not be known is said.

    Examples:
        ono-replay convert replays.json games.ono.jsonl
        ono-replay convert replays.json public.ono.jsonl.zst --no-seed
        ono-replay convert games.ono.jsonl games.parquet
        ono-replay convert games.parquet - | ono-replay validate -
    """
    progress = Progress(_size(source))

    def show(so_far: Conversion) -> None:
        progress.games = so_far.games + so_far.log.games
        progress.show(so_far.bytes_read)

    try:
        done = convert_logs(source, target, use_seed=not no_seed, overwrite=force, on_progress=show)
    finally:
        progress.clear()
    for line in _messages(done):
        write_text(sys.stderr, f"ono-replay: {printable(line)}\n")
    if not done.written:
        raise CannotRun(
            f"{source}: none of the {done.refused_in_all:,} games could be converted; nothing is written"
        )
    if done.refused_in_all or done.log.kept_in_all:
        raise typer.Exit(1)


def _size(source: str) -> int | None:
    path = Path(source)
    return path.stat().st_size if source != "-" and path.is_file() else None


def _messages(done: Conversion) -> Iterator[str]:
    for game in done.refused[:MOST_LINES]:
        yield f"{done.source}: {game.name} is left out: {game.reason}"
    yield from _more(done.refused_in_all, "games are left out")
    for name, note in done.notes[:MOST_LINES]:
        yield f"{name}: {note}"
    yield from _more(len(done.notes), "notes")
    for name, seq in done.illegal[:MOST_LINES]:
        yield f"{name}: breaks the rules first at seq {seq}; `ono-replay validate` says how"
    yield from _more(len(done.illegal), "games break the rules")
    for what, games in done.unknown.items():
        yield f"not known in {games:,} of {done.games:,} games: {what}"
    kept = ", ".join(map(str, done.log.kept[:10]))
    if kept:
        yield f"{done.source}: lines that are no events, kept as they stand: {done.log.kept_in_all:,} (line {kept})"
    if done.log.torn is not None:
        yield f"{done.source}: the last line breaks off (line {done.log.torn}) and is left out"
    if done.written:
        target = "standard output" if done.target == "-" else done.target
        yield f"{target}: {done.games:,} game{'' if done.games == 1 else 's'}, {done.events:,} events"


def _more(count: int, what: str) -> Iterator[str]:
    if count > MOST_LINES:
        yield f"… {count - MOST_LINES:,} more {what}"
