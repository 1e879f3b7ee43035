"""`ono-replay show`: the table after an event, in the terminal."""

import shutil
import sys
from typing import Annotated

import typer

from ono_replay.check.printable import can_show, write_text
from ono_replay.check.render.style import style_for
from ono_replay.cli.replay import FILE_HELP, GAME_HELP, go_to, pick_replay, pick_seat
from ono_replay.cli.seats import Look, table_lines


def show_command(
    file: Annotated[str, typer.Argument(metavar="FILE", help=FILE_HELP)],
    game: Annotated[str | None, typer.Option("--game", metavar="ID", help=GAME_HELP)] = None,
    seq: Annotated[
        int | None, typer.Option("--seq", min=0, help="The event to look after; without it, the last.")
    ] = None,
    seat: Annotated[
        str | None,
        typer.Option(
            "--seat", metavar="SEAT", help="Look from this seat, a number or a name: no other hand is shown."
        ),
    ] = None,
    plain: Annotated[
        bool, typer.Option("--plain", help="Plain lines, as without a terminal: no drawing, no figures.")
    ] = False,
) -> None:
    """Show the table after an event.

    Without a terminal it is written in plain lines.

    Examples:
        ono-replay show game.ono.jsonl
        ono-replay show games.jsonl.gz --game kitchen-7 --seq 12
        ono-replay show game.ono.jsonl --seq 12 --seat 0 --plain
    """
    replay = pick_replay(file, game)
    go_to(replay, seq)
    near = pick_seat(replay, seat)
    look = Look(
        style=style_for(sys.stdout),
        width=shutil.get_terminal_size().columns,
        drawn=sys.stdout.isatty() and not plain,
        ascii=not can_show("▶↻█−…", sys.stdout.encoding),
        seat=near,
    )
    write_text(sys.stdout, "".join(line + "\n" for line in table_lines(replay, look)))
