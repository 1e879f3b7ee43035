"""A file layer whose calls fail when they are told to, and that counts them."""

import errno
import os
from collections import Counter
from pathlib import Path

from ono_replay.record.files import Files


class FaultyFiles(Files):
    """Fails the calls named in `faults`: `{"sync_data": [errno.EIO]}` fails its next call, and only that.

    A number below zero as fault of `write` writes that many bytes before it fails for want of space.
    `kept` tells which bytes a sync has covered since the file was opened: after a failed sync, none of
    what it should have covered (the pages are marked clean and lost).
    """

    def __init__(self):
        self.faults: dict[str, list[int]] = {}
        self.calls: Counter[str] = Counter()

    def fail(self, call, *faults):
        self.faults.setdefault(call, []).extend(faults)

    def _count(self, call):
        self.calls[call] += 1
        if self.faults.get(call):
            fault = self.faults[call].pop(0)
            if fault > 0:
                raise OSError(fault, os.strerror(fault))
            return -fault
        return None

    def open(self, path: Path, flags: int) -> int:
        self._count("open")
        return super().open(path, flags)

    def lock(self, descriptor: int) -> None:
        self._count("lock")
        super().lock(descriptor)

    def write(self, descriptor: int, data: bytes) -> int:
        part = self._count("write")
        if part:
            self.faults["write"] = [errno.ENOSPC, *self.faults.get("write", [])]
            return super().write(descriptor, data[:part])
        return super().write(descriptor, data)

    def sync_data(self, descriptor: int) -> None:
        self._count("sync_data")
        super().sync_data(descriptor)

    def sync(self, descriptor: int) -> None:
        self._count("sync")
        super().sync(descriptor)

    def sync_folder(self, folder: Path) -> None:
        self._count("sync_folder")
        super().sync_folder(folder)

    def truncate(self, descriptor: int, size: int) -> None:
        self._count("truncate")
        super().truncate(descriptor, size)

    def replace(self, source: Path, target: Path) -> None:
        self._count("replace")
        super().replace(source, target)
