"""`ono-replay archive`: many games in little room, and the logs back out of it."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer

from ono_replay.cli.check import PATHS_HELP
from ono_replay.cli.guard import CannotRun
from ono_replay.cli.progress import Progress
from ono_replay.log.lines import LineReader, find_logs
from ono_replay.log.output import log_writer
from ono_replay.log.parquet import Reader, is_parquet
from ono_replay.log.streams import Cut, Unreadable
from ono_replay.verdicts import cores


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
    if target != "-" and Path(target).exists() and not force:
        raise CannotRun(f"{target} exists; --force writes over it")
    if len(paths) == 1 and paths[0] != "-" and Path(paths[0]).is_file() and is_parquet(paths[0]):
        _write_log(paths[0], target)
    elif target.endswith(".parquet"):
        _write_archive(paths, target)
    else:
        raise CannotRun(f"{target}: an archive is named .parquet")


def _write_log(path: str, target: str) -> None:
    from ono_replay.bulk.frame import READER, TEXTS

    with log_writer(target) as file, Reader(READER, TEXTS) as reader:
        for text in reader.read(path):
            file.write(text)


def _write_archive(paths: list[str], target: str) -> None:
    from ono_replay.bulk.archive import write_archive

    progress = Progress(None)
    sources = list(progress.found(find_logs(paths)))
    if "-" not in sources:
        progress.total = sum(Path(path).stat().st_size for path in progress.found(sources))

    def blocks(path: str) -> Iterator[bytes]:
        reader = LineReader(path)
        try:
            for block in reader.blocks():
                progress.update(reader)
                yield block
        except Cut as reason:
            raise Unreadable(f"{path}: {reason}; `ono-replay recover` saves what can be read") from None
        progress.next_source(reader.size or 0)

    with log_writer(target) as file:
        done = write_archive(file, map(blocks, sources), threads=cores())
    progress.clear()
    kept = f"; {done.raw:,} kept as they were" if done.raw else ""
    print(f"{done.games:,} games, {done.events:,} events{kept}: {target}", file=sys.stderr)
