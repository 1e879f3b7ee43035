"""Imports logs into a library again and again, each time killed at a random step: `python -m … DIR LIBRARY KILLS SEED`.

A step is a call that changes something on the disk; the kill comes right before or right after it. After each kill
the ids in the library are printed as one JSON line; at the end the import is let run through.
"""

import json
import os
import random
import shutil
import signal
import sys
from pathlib import Path

import pyarrow.parquet as pq

from ono_replay.library import importing, manifest, rewriting
from ono_replay.library.importing import import_logs
from ono_replay.library.maintenance import check_library
from ono_replay.library.manifest import LibraryFault, Snapshot

STEPS = [
    (os, "fsync"), (os, "link"), (shutil, "rmtree"), (Path, "rename"), (Path, "replace"), (Path, "unlink"),
    (Path, "mkdir"), (pq.ParquetWriter, "write_table"), (pq.ParquetWriter, "close"),
]  # fmt: skip


class Countdown:
    """Kills this process when so many steps are done."""

    def __init__(self, steps: int, *, after: bool) -> None:
        self.left = steps
        self.after = after

    def wrap(self, function):
        def step(*arguments, **options):
            self.left -= 1
            if self.left < 0 and not self.after:
                os.kill(os.getpid(), signal.SIGKILL)
            result = function(*arguments, **options)
            if self.left < 0:
                os.kill(os.getpid(), signal.SIGKILL)
            return result

        return step


def run_and_die(paths, library, steps, *, after):
    child = os.fork()
    if child:
        return os.waitpid(child, 0)[1] == signal.SIGKILL
    countdown = Countdown(steps, after=after)
    for owner, name in STEPS:
        # A kill, unlike a power cut, needs nothing to have reached the disk.
        does = (lambda *_: None) if name == "fsync" else getattr(owner, name)
        setattr(owner, name, countdown.wrap(does))
    try:
        import_logs(paths, library, jobs=1)
    finally:
        os._exit(0)


def ids_in(library):
    try:
        found = Snapshot(Path(library))
    except LibraryFault:
        return []
    ids = [game_id for path in found.paths("games") for game_id in pq.read_table(path)["game_id"].to_pylist()]
    found.close()
    return ids


def main(folder, library, kills, seed):
    chance = random.Random(seed)
    importing.SMALL_TASK = importing.LARGE_TASK = 1 << 13
    rewriting.SMALL_LIBRARY = 600
    rewriting.FULL_TIER = 3
    assert manifest.LIBRARY_VERSION
    paths = sorted(str(path) for path in Path(folder).iterdir())
    killed = 0
    while killed < kills:
        # Each time one file more, so that there is always something new to be killed at.
        some = paths[: 1 + killed * len(paths) // kills]
        if run_and_die(some, library, chance.randrange(60), after=chance.random() < 0.5):
            killed += 1
            print(json.dumps(ids_in(library)), flush=True)
    import_logs(paths, library, jobs=1)
    print(json.dumps(ids_in(library)), flush=True)
    print(json.dumps(list(check_library(library, logs=True))), flush=True)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
