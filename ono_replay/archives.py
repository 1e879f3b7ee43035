"""Many games in little room, and the logs back out of it: what `ono-replay archive` does, in one call each.

The layout is that of `bulk.archive`, which stands on the extras `bulk` and `library`.
"""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from ono_replay.log.lines import LineReader, find_logs
from ono_replay.log.output import Unwritable, check_free, is_read, log_writer
from ono_replay.log.parquet import Reader, is_parquet
from ono_replay.log.streams import Cut, Unreadable
from ono_replay.verdicts import cores

if TYPE_CHECKING:
    from ono_replay.bulk.archive import Archived

SUFFIX = ".parquet"


def archive_logs(
    paths: str | Path | Iterable[str | Path],
    archive: str | Path,
    *,
    overwrite: bool = False,
    threads: int = 0,
    on_progress: Callable[[int], None] | None = None,
    passed_by: list[str] | None = None,
) -> "Archived":
    r"""Keep the games of logs in an archive, and return what it was made of.

    Paths are files, folders (all logs below), patterns, `-` for standard input. The archive is named `.parquet`; it
    appears whole or not at all, and one that exists stays unless `overwrite` is given. `threads` 0 is one for each
    core. `on_progress` is told now and then how many bytes were read; `passed_by` gets messages on what in a folder was not
    followed.

    Raises `Unreadable` for a log that can't be read to its end, `Unwritable`, and `ModuleNotFoundError` without the
    extras `bulk` and `library`.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     log = Path(folder, "a.ono.jsonl")
    ...     _ = log.write_bytes(b'{"seq":0,"type":"comment","text":"hi"}\n')
    ...     done = archive_logs(log, Path(folder, "a.parquet"))
    ...     restore_logs(Path(folder, "a.parquet"), Path(folder, "b.ono.jsonl"))
    ...     done.lines, Path(folder, "b.ono.jsonl").read_bytes() == log.read_bytes()
    (1, True)
    """
    from ono_replay.bulk.archive import write_archive

    if not str(archive).lower().endswith(SUFFIX):
        raise Unwritable(
            f"{archive}: an archive is named {SUFFIX}, and its logs are written from one archive at a time"
        )
    if threads < 0:
        raise ValueError(f"there are no {threads} threads")
    check_free(archive, overwrite=overwrite)
    sources = list(find_logs(paths, passed_by=passed_by))
    if is_read(archive, sources):
        raise Unwritable(f"{archive}: is one of the logs; name another file to write to")
    tell = on_progress or _ignore
    before = 0

    def blocks(path: str) -> Iterator[bytes]:
        nonlocal before
        reader = LineReader(path)
        try:
            for block in reader.blocks():
                tell(before + reader.bytes_read)
                yield block
        except Cut as reason:
            raise Unreadable(f"{path}: {reason}; `ono-replay recover` saves what can be read") from None
        before += reader.bytes_read

    with log_writer(archive) as file:
        return write_archive(file, map(blocks, sources), threads=threads or cores())


def restore_logs(archive: str | Path, log: str | Path, *, overwrite: bool = False) -> None:
    """Write the logs that an archive was made of, byte for byte, one after the other, as one.

    The log is packed for `.gz` and `.zst`; `-` is standard output. It appears whole or not at all, and one that exists
    stays unless `overwrite` is given. Raises `Unreadable` for what is no archive, or a damaged one, `Unwritable`, and
    `ModuleNotFoundError` without the extras `bulk` and `library`.
    """
    from ono_replay.bulk.frame import READER, TEXTS

    if str(log).lower().endswith(SUFFIX):
        raise Unwritable(f"{log}: the logs of an archive are named .ono.jsonl (also with .gz or .zst)")
    check_free(log, overwrite=overwrite)
    if is_read(log, [archive]):
        raise Unwritable(f"{log}: is the archive itself; name another file to write to")
    torn = False
    with log_writer(log) as file, Reader(READER, TEXTS) as reader:
        for text in reader.read(archive):
            # A log that ended within a line ends there: the first line of the next one is its own.
            file.write(b"\n" + text if torn else text)
            torn = text[-1:] not in (b"", b"\n")


def is_archive(path: str | Path) -> bool:
    """Whether a path is that of a Parquet file, as archives are."""
    return str(path) != "-" and Path(path).is_file() and is_parquet(path)


def _ignore(_read: int) -> None:
    """Tell nobody."""
