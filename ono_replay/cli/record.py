"""`ono-replay record`: a game at the table, entered as it is played."""

import sys
from pathlib import Path
from typing import Annotated, Literal

import typer

from ono_replay.check.render.jsontext import diagnostic_object, to_json, write_json
from ono_replay.cli.guard import CannotRun
from ono_replay.cli.wish import Wish, printable_lines, split_names
from ono_replay.log.lines import LONGEST
from ono_replay.record.entries import list_entries
from ono_replay.record.errors import JournalError
from ono_replay.record.journal import SyncMode
from ono_replay.record.refusal import Refusal, refuse_plainly
from ono_replay.record.table import Table

Edition = Literal["1980", "2022"]


def record_command(
    log: Annotated[
        Path | None,
        typer.Argument(
            metavar="LOG", help="The log; without it one in the folder of recordings (in a terminal)."
        ),
    ] = None,
    edition: Annotated[
        Edition | None,
        typer.Option(
            "--edition",
            "-e",
            help="The rules of the box; house rules are those of --rule, none are asked for.",
        ),
    ] = None,
    players: Annotated[
        str | None, typer.Option("--players", "-p", metavar="A,B,C", help="The players in seat order.")
    ] = None,
    dealer: Annotated[
        str | None,
        typer.Option("--dealer", metavar="SEAT", help="The seat or name of who deals; the next one starts."),
    ] = None,
    starter: Annotated[
        str | None,
        typer.Option("--starter", metavar="SEAT", help="The seat or name of who starts, where no one deals."),
    ] = None,
    rule: Annotated[
        list[str] | None,
        typer.Option("--rule", "-r", metavar="KEY=VALUE", help="A house rule; may be repeated."),
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with a log that was left open.")] = False,
    game_id: Annotated[
        str | None, typer.Option("--game-id", help="The id of the game, else a new one.")
    ] = None,
    mode: Annotated[
        SyncMode, typer.Option("--mode", help="When an entry is on disk: at once, in batches, at the end.")
    ] = "durable",
) -> None:
    """Record a game at the table, entry by entry, and lose nothing.

    In a terminal it asks for what is not given and shows the table. Otherwise it reads the entries one a line
    from standard input and prints the state after each that is on disk, or why it is refused, as JSON.

    Entries: a card (0 to 10, -10, r Reverse, h Hold, p the pair card, o ONO 99), `o4` (four ONO 99 discarded),
    `out 10 9 8 7` (can't play, the hand laid down), `bust 10`, `left Bo`, `f` (the last draw is forfeited),
    `= 34` (the total announced), `!7` (let it stand), `undo`, `redo`, `c TEXT`, `end`, `abandon`; `?` shows all.

    Examples:
        ono-replay record
        ono-replay record game.ono.jsonl --edition 2022 --players Ann,Bo,Cy --dealer 2
        ono-replay record game.ono.jsonl --resume
        ono-replay record game.ono.jsonl -e 1980 -p Ann,Bo -r match=single < entries.txt
    """
    names = None if players is None else split_names(players)
    wish = Wish(
        log=log,
        edition=edition,
        names=names,
        dealer=dealer,
        starter=starter,
        rules=rule or [],
        resume=resume,
        game_id=game_id,
        mode=mode,
    )
    try:
        if sys.stdin.isatty() and sys.stdout.isatty():
            from ono_replay.cli.table_screen import record_in_terminal

            record_in_terminal(wish)
        else:
            record_lines(wish.open_table())
    except JournalError as error:
        raise CannotRun(printable_lines(str(error))) from error


def record_lines(table: Table) -> None:
    """Take entries from standard input and print a JSON object for each; exit 1 if one was refused."""
    refusals = 0
    game_id = table.recorder.start.game_id
    try:
        while (text := _next_entry()) is not None:
            if isinstance(text, str) and not text.strip():
                continue
            refused = table.enter(text) if isinstance(text, str) else text
            if isinstance(text, str) and table.asks_for_help(text):
                print("\n".join(list_entries(table.state.ruleset)), file=sys.stderr, flush=True)
            if refused is None:
                answer = table.state_json()
            else:
                refusals += 1
                found = refused.diagnostic(str(table.recorder.path), game_id)
                answer = {"refused": diagnostic_object(found)}
            write_json(sys.stdout, to_json(answer) + "\n")
            sys.stdout.flush()
        table.close()
    finally:
        table.recorder.close()
    if refusals:
        raise typer.Exit(1)


def _next_entry() -> str | Refusal | None:
    """Return the next line of standard input, None at its end."""
    line = sys.stdin.buffer.readline(LONGEST + 1)
    if len(line) > LONGEST and not line.endswith(b"\n"):
        while line and not line.endswith(b"\n"):
            line = sys.stdin.buffer.readline(LONGEST)
        return refuse_plainly("ONO111", "The entry is longer than a line may be (1 MiB)")
    return line.decode("utf-8", "replace") if line else None
