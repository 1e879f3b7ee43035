"""`ono-replay archive`: many games in little room, and the logs back out of it."""

import sys
from typing import Annotated

import typer

from ono_replay.archives import archive_logs, is_archive, restore_logs
from ono_replay.check.phrases import count_of
from ono_replay.cli.check import PATHS_HELP, tell_passed_by
from ono_replay.cli.progress import Progress
from ono_replay.log.lines import find_logs, total_size


def archive_command(
    paths: Annotated[list[str], typer.Argument(metavar="PATH", help=f"{PATHS_HELP} Or one archive.")],
    target: Annotated[
        str,
        typer.Option(
            "--to", metavar="OUT", help="The archive (.parquet) to write, or the log to write from one."
        ),
    ],
    force: Annotated[bool, typer.Option("--force", help="Write over a file that exists.")] = False,
) -> None:
    """Keep many games in little room, a verdict on them faster still; or write their logs again.

    An archive is a Parquet file with a row for each game. Nothing is lost: the logs come out byte for byte. `validate`
    reads archives as it does logs; digests were compared when the archive was made, and checksums guard it since.

    Examples:
        ono-replay archive logs/ --to games.parquet
        ono-replay validate games.parquet
        ono-replay archive games.parquet --to games.ono.jsonl.zst
    """
    if len(paths) == 1 and is_archive(paths[0]):
        restore_logs(paths[0], target, overwrite=force)
        return
    progress = Progress(None)
    passed_by: list[str] = []
    sources = list(progress.found(find_logs(paths, passed_by=passed_by)))
    progress.total = total_size(progress.found(sources))
    try:
        done = archive_logs(sources, target, overwrite=force, on_progress=progress.show)
    finally:
        progress.clear()
    tell_passed_by(passed_by)
    kept = f" ({done.raw:,} kept as written)" if done.raw else ""
    others = f" and {count_of(done.strays, 'piece')} of text that is no game" if done.strays else ""
    told = f"{count_of(done.games, 'game')}{kept}{others}, {count_of(done.lines, 'line')}: {target}"
    print(told, file=sys.stderr)
