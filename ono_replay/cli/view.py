"""`ono-replay view`: a log without what others may not see."""

import sys
from typing import Annotated

import typer

from ono_replay.check.phrases import count_of
from ono_replay.check.printable import printable
from ono_replay.cli.outfile import Force, Out
from ono_replay.cli.replay import FILE_HELP
from ono_replay.log.views import write_view


def view_command(
    log: Annotated[str, typer.Argument(metavar="IN", help=FILE_HELP)],
    out: Out,
    public: Annotated[
        bool, typer.Option("--public", help="Hide every hand, every draw and the deck.")
    ] = False,
    seat: Annotated[
        str | None,
        typer.Option(
            "--seat", metavar="SEAT", help="Hide all but what this seat, a number or a name, could see."
        ),
    ] = None,
    no_comments: Annotated[
        bool, typer.Option("--no-comments", help="Leave comments out: they may tell.")
    ] = False,
    keep_commitment: Annotated[
        bool,
        typer.Option(
            "--keep-commitment", help="Keep the hash of the seed: whoever guesses the seed can check it."
        ),
    ] = False,
    force: Force = False,
) -> None:
    """Write a log for sharing: without the cards that a seat, or the public, could not see.

    Decks, draw piles, seeds, `meta`, unknown keys and undone events go, too; a digest is made anew. What can not be
    read is left out and said; then it ends with 1.

    Examples:
        ono-replay view game.ono.jsonl public.ono.jsonl --public --no-comments
        ono-replay view game.ono.jsonl ann.ono.jsonl --seat 0
    """
    if public == (seat is not None):
        raise typer.BadParameter("choose one of them", param_hint="'--public' / '--seat'")
    made = write_view(
        log, out, seat, comments=not no_comments, keep_commitment=keep_commitment, overwrite=force
    )
    for line, code in made.left_out:
        where = printable(log) if line is None else f"{printable(log)}:{line}"
        print(f"ono-replay: {where}: {code}: no event of a game, left out", file=sys.stderr)
    if made.left_out_in_all > len(made.left_out):
        more = count_of(made.left_out_in_all - len(made.left_out), "line")
        print(f"ono-replay: … and {more} more", file=sys.stderr)
    if made.comments:
        kept = count_of(made.comments, "comment")
        print(f"ono-replay: {kept} kept (--no-comments leaves them out)", file=sys.stderr)
    if any(code != "ONO103" for _, code in made.left_out):
        raise typer.Exit(1)
