"""The calls of the operating system that a journal makes, in one place where tests can make them fail."""

import contextlib
import errno
import os
import stat
from pathlib import Path

try:
    import fcntl
except ImportError:  # pragma: no cover - Windows has no flock
    fcntl = None  # type: ignore[assignment]  # None is asked for before each use

OPEN_FLAGS = (
    os.O_RDWR
    | os.O_APPEND
    | getattr(os, "O_NOFOLLOW", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_NONBLOCK", 0)
)
"""A log is opened so: never through a link, never waiting for a FIFO, never inherited by a program started."""


class Files:
    """The file layer of a journal; every method does one call and raises `OSError`."""

    def open(self, path: Path, flags: int) -> int:
        """Open a regular file and return its descriptor; raise for anything else."""
        descriptor = os.open(path, flags, 0o666)
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            os.close(descriptor)
            raise OSError(errno.EINVAL, "not a regular file", str(path))
        return descriptor

    def lock(self, descriptor: int) -> None:
        """Take the lock of a file for this descriptor alone; raise `BlockingIOError` if another has it."""
        if fcntl is None:  # pragma: no cover - Windows
            raise OSError(
                errno.ENOTSUP,
                "recording needs file locks as Linux, macOS and BSD have them (on Windows: WSL)",
            )
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def write(self, descriptor: int, data: bytes) -> int:
        """Write what can be written and return how much that was."""
        return os.write(descriptor, data)

    def sync_data(self, descriptor: int) -> None:
        """Return when the data of a file, and its length, is on disk."""
        if hasattr(fcntl, "F_FULLFSYNC"):  # pragma: no cover - macOS: fsync leaves it in the disk's cache
            fcntl.fcntl(descriptor, fcntl.F_FULLFSYNC)
        else:
            os.fdatasync(descriptor)

    def sync(self, descriptor: int) -> None:
        """Return when a file is on disk with all that belongs to it."""
        if hasattr(fcntl, "F_FULLFSYNC"):  # pragma: no cover - macOS
            fcntl.fcntl(descriptor, fcntl.F_FULLFSYNC)
        else:
            os.fsync(descriptor)

    def sync_folder(self, folder: Path) -> None:
        """Return when the names in a folder are on disk, as far as its file system can tell."""
        descriptor = os.open(folder, os.O_RDONLY | getattr(os, "O_CLOEXEC", 0))
        try:
            os.fsync(descriptor)
        except OSError as error:
            if error.errno not in (errno.EINVAL, errno.ENOTSUP):
                raise
        finally:
            os.close(descriptor)

    def truncate(self, descriptor: int, size: int) -> None:
        """Cut a file to a size."""
        os.ftruncate(descriptor, size)

    def replace(self, source: Path, target: Path) -> None:
        """Give a file the name of another, which goes."""
        os.replace(source, target)  # noqa: PTH105 - one call of the operating system a method

    def close(self, descriptor: int) -> None:
        """Close a descriptor."""
        os.close(descriptor)


def name_holder(descriptor: int) -> str:
    """Return who holds the lock of a file, in words, as far as the system tells it.

    >>> import tempfile
    >>> with tempfile.TemporaryFile() as file:
    ...     name_holder(file.fileno())
    'another program'
    """
    status = os.fstat(descriptor)
    place = f"{os.major(status.st_dev):02x}:{os.minor(status.st_dev):02x}:{status.st_ino}"
    with contextlib.suppress(OSError):
        for line in Path("/proc/locks").read_text(encoding="ascii").splitlines():
            words = line.split()
            if len(words) > 5 and words[1] == "FLOCK" and words[5] == place and int(words[4]) > 0:
                return f"process {words[4]}{_name_of_process(words[4])} on this machine"
    return "another program"


def _name_of_process(pid: str) -> str:
    with contextlib.suppress(OSError):
        return f" ({Path('/proc', pid, 'comm').read_text(encoding='utf-8', errors='replace').strip()})"
    return ""
