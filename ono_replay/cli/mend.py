"""`ono-replay recover` and `ono-replay amend`: a new log from a damaged or a mistaken one."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from ono_replay.check.phrases import count_of
from ono_replay.check.printable import printable
from ono_replay.cli.guard import CannotRun
from ono_replay.cli.record import record_lines
from ono_replay.cli.wish import as_utf8, printable_lines
from ono_replay.log.lines import Unreadable
from ono_replay.record.amendment import amend
from ono_replay.record.errors import JournalError, LogExists
from ono_replay.record.recorder import Recorder
from ono_replay.record.recovery import recover
from ono_replay.record.table import Table


def recover_command(
    log: Annotated[str, typer.Argument(metavar="LOG", help="The damaged log; it stays as it is.")],
    out: Annotated[Path, typer.Argument(metavar="OUT", help="The new log; it must not be there yet.")],
) -> None:
    """Write what can be read of a damaged log into a new one.

    Of each game the events before the first damage are kept. A game that goes on can then be recorded further.

    Examples:
        ono-replay recover game.ono.jsonl mended.ono.jsonl
        ono-replay record mended.ono.jsonl --resume
    """
    try:
        found = recover(log, out)
    except LogExists:
        raise CannotRun(f"{printable(str(out))}: there is a log already; choose another name") from None
    except JournalError as error:
        raise CannotRun(printable_lines(str(error))) from error
    told = f"{printable(str(out))}: {count_of(found.events, 'event')} of {count_of(found.games, 'game')}"
    if found.lost:
        place = (
            "where the stream breaks off" if found.first_line is None else f"from line {found.first_line} on"
        )
        told += f"; {count_of(found.lost, 'line')} left out {place}: {printable(found.reason)}"
    print(told)


def amend_command(
    log: Annotated[str, typer.Argument(metavar="LOG", help="The finished log; it stays as it is.")],
    out: Annotated[Path, typer.Argument(metavar="OUT", help="The new log; it must not be there yet.")],
    replace: Annotated[
        list[str] | None,
        typer.Option(
            metavar="SEQ=ENTRY", help="What should stand in the place of an event; may be repeated."
        ),
    ] = None,
    name: Annotated[
        list[str] | None,
        typer.Option(metavar="SEAT=NAME", help="The right name of a seat, or of a name; may be repeated."),
    ] = None,
    until: Annotated[
        int | None,
        typer.Option(metavar="SEQ", min=0, help="Keep the events up to this one, and go on by hand."),
    ] = None,
) -> None:
    """Mend a finished log in a new one, which names the digest of the old.

    With --replace or --name the new log is finished at once, its totals, chips and winners counted anew.
    Otherwise the game goes on where it ended, with the entries of `record`: undo takes the end back, and so on.

    Examples:
        ono-replay amend game.ono.jsonl mended.ono.jsonl --replace 17=8
        ono-replay amend game.ono.jsonl mended.ono.jsonl --name 0=Anna
        ono-replay amend game.ono.jsonl mended.ono.jsonl --until 40
    """
    entries = {_number(seq): entry for seq, entry in (_pair(one, "--replace 17=8") for one in replace or [])}
    names: dict[int | str, str] = dict(_pair(one, "--name 0=Ann") for one in name or [])
    try:
        recorder = amend(log, out, entries=entries, names=names, until=until)
        with recorder:
            _go_on(recorder, by_hand=not (entries or names))
    except Unreadable:
        raise
    except LogExists:
        told = f"there is a log already; `ono-replay record {out} --resume` goes on with it, if it is open"
        raise CannotRun(printable(f"{out}: {told}")) from None
    except JournalError as error:
        raise CannotRun(printable_lines(str(error))) from error
    except ValueError as error:
        raise CannotRun(f"{printable(log)}: {printable(str(error))}") from error


def _go_on(recorder: Recorder, *, by_hand: bool) -> None:
    if by_hand and recorder.start.view != "full":
        table = Table(recorder)
        if sys.stdin.isatty() and sys.stdout.isatty():
            from ono_replay.cli.table_screen import run_screen

            run_screen(table)
        else:
            record_lines(table)
        return
    if recorder.has_ended:
        recorder.finish()
        print(f"{printable(str(recorder.path))}: finished", file=sys.stderr)
    else:
        print(
            f"{printable(str(recorder.path))}: open; it shows all cards, a program has to go on",
            file=sys.stderr,
        )


def _pair(text: str, example: str) -> tuple[str, str]:
    word, equals, value = (part.strip() for part in as_utf8(text).partition("="))
    if not equals or not word or not value:
        raise CannotRun(f"{printable(text)!r} should be like {example}")
    return word, value


def _number(word: str) -> int:
    if not (word.isascii() and word.isdigit() and len(word) < 10):
        raise CannotRun(f"{printable(word)!r} is no event; it should be like --replace 17=8")
    return int(word)
