"""Reading Parquet logs of strangers: in a process of its own, with a limit on its memory.

A hostile Parquet file can unpack without end, or kill the process that reads it; here that ends as an
`Unreadable` like every other file that can't be read. The layout is that of `log.arrow`, which needs the
extra `library`; importing this module does not.
"""

import contextlib
import importlib.util
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from ono_replay.log.streams import Unreadable, open_regular

MAGIC = b"PAR1"
"""The first bytes of every Parquet file."""
_MESSAGE = 4000


def is_parquet(path: str | Path) -> bool:
    """Whether a regular file begins like Parquet.

    Raises `Unreadable` for what can't be opened or is no regular file.
    """
    with open_regular(str(path)) as file:
        return file.read(len(MAGIC)) == MAGIC


def read_parquet(path: str | Path) -> Iterator[bytes]:
    """Yield the lines of a Parquet log, without newlines.

    Raises `Unreadable` for what is no Parquet log, is damaged, or takes more memory or room than a log may;
    and `ModuleNotFoundError` without the extra `library`.
    """
    with reading_process("ono_replay.log.arrow", path) as lines:
        for line in lines:
            yield line.removesuffix(b"\n")


@contextlib.contextmanager
def reading_process(module: str, path: str | Path, *more: str) -> Iterator[IO[bytes]]:
    """Run a module of ours on a Parquet file and give what it writes; it is ended with the block.

    `more` are further arguments.

    Raises what `read_parquet` does.
    """
    open_regular(str(path)).close()
    if importlib.util.find_spec("pyarrow") is None:
        raise ModuleNotFoundError("No module named 'pyarrow'", name="pyarrow")
    # -P: nothing that lies in the folder we stand in is imported.
    command = [sys.executable, "-P", "-m", module, str(Path(path).absolute()), *more]
    # Arrow's own allocator takes a GiB of addresses at once, which a limit can not tell from use.
    surroundings = {**os.environ, "ARROW_DEFAULT_MEMORY_POOL": "system"}
    with subprocess.Popen(
        command,
        env=surroundings,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        try:
            yield process.stdout
            message = process.stderr.read(_MESSAGE).decode("utf-8", "replace").strip()
            status = process.wait()
        finally:
            with contextlib.suppress(OSError):
                process.kill()
    if status:
        raise Unreadable(_reason(path, status, message))


def _reason(path: str | Path, status: int, message: str) -> str:
    refused = 3
    if status == refused and message:
        return message
    last = message.splitlines()[-1] if message else f"status {status}"
    return f"{path}: the Parquet file could not be read: the reader broke down on it ({last[:200]})"
