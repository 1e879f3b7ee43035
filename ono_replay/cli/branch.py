"""`ono-replay branch`: a what-if position as a log."""

import sys
from typing import Annotated, Final

import typer

from ono_replay.branch import Loss, write_branch
from ono_replay.check.phrases import name_players
from ono_replay.check.printable import printable
from ono_replay.cli.outfile import Force, Out
from ono_replay.cli.replay import FILE_HELP, GAME_HELP, pick_replay

LOST: Final[dict[Loss, str]] = {
    "forfeits": "the draws forfeited in this round: they will not cost points",
    "scores": "the scores of players who are out of the match",
    "left": "who left in this round: they will be back in the next",
    "ono_99_played": "that this turn has seen an ono_99: a second one could be played",
    "last_to_play": "who played last, which matters only if nobody can play before the next card",
    "opening_card": "that the round has still to be opened with a number card",
}
"""What a position can not say, for people."""


def branch_command(
    log: Annotated[str, typer.Argument(metavar="LOG", help=FILE_HELP)],
    out: Out,
    seq: Annotated[int, typer.Option("--seq", min=0, help="The event to go on from.")],
    game: Annotated[str | None, typer.Option("--game", metavar="ID", help=GAME_HELP)] = None,
    new_id: Annotated[
        str | None, typer.Option("--id", metavar="ID", help="The id of the new game; else <id>-branch-<seq>.")
    ] = None,
    force: Force = False,
) -> None:
    """Write a log that starts from the position after an event: what if?

    While draws are due it starts before the card that made them due; while the first round is dealt it is the
    beginning of the game. What a position can not carry over is said.

    To play on at a table, where nobody sees the hands: `view --public` of the branch, then `record --resume`.

    Examples:
        ono-replay branch game.ono.jsonl what-if.ono.jsonl --seq 40
        ono-replay view what-if.ono.jsonl table.ono.jsonl --public
        ono-replay branch games.jsonl.gz - --game kitchen-7 --seq 12 | ono-replay states -
    """
    replay = pick_replay(log, game)
    made = write_branch(replay, out, seq, new_id=new_id, overwrite=force)
    for loss in made.lost:
        about = LOST[loss]
        if loss == "left":
            gone = sorted(replay.seek(seq).left)
            about += f" ({name_players(gone, replay.names)})"
        print(f"ono-replay: not carried over: {printable(about)}", file=sys.stderr)
