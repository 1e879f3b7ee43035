"""The samples that come with the program, as files: found by name, and copied."""

import shutil
from collections.abc import Iterable, Iterator
from fnmatch import fnmatch
from pathlib import Path

from ono_replay.bundle import bundle_path
from ono_replay.log.lines import one_or_many
from ono_replay.log.output import Unwritable, check_free


class NoSuchSample(ValueError):
    """A name that no sample has; the text is a message for people."""


def find_samples(names: str | Iterable[str] = ()) -> Iterator[str]:
    """Yield the samples that have one of the names, as paths below their folder; without names, all.

    A name is a folder, the beginning of a file's name or path, or a pattern for paths. Raises `NoSuchSample`.

    >>> list(find_samples("ONO301"))
    ['broken/ONO301-out-of-turn.ono.jsonl']
    """
    wanted = list(one_or_many(names))
    folder = bundle_path("sample_logs")
    samples = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    for name in wanted:
        if not any(_fits(sample, name) for sample in samples):
            raise NoSuchSample(f"no sample is called '{name}'; `ono-replay samples` lists them")
    yield from (sample for sample in samples if not wanted or any(_fits(sample, name) for name in wanted))


def copy_samples(folder: str | Path, names: str | Iterable[str] = (), *, overwrite: bool = False) -> int:
    """Copy samples (see `find_samples`) below a folder, which is made if it is not there; return how many they are.

    Where a file of one of their names exists nothing is copied, unless `overwrite` is given. Raises `NoSuchSample`,
    `Unwritable`.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as mine:
    ...     copy_samples(mine, "outside") > 1
    True
    """
    samples = list(find_samples(names))
    for sample in samples:
        check_free(Path(folder) / sample, overwrite=overwrite)
    for sample in samples:
        target = Path(folder) / sample
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(bundle_path("sample_logs") / sample, target)
        except OSError as error:
            raise Unwritable(f"{target}: {error.strerror or error}") from error
    return len(samples)


def _fits(sample: str, name: str) -> bool:
    path, name = sample.lower(), name.lower().rstrip("/")
    folder, _, file = path.rpartition("/")
    return (
        folder == name
        or file.startswith(name)
        or fnmatch(path, name)
        or ("/" in name and path.startswith(name))
    )
