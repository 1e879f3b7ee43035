"""SQL of strangers, in a process of its own that can neither read a file nor take more than it is given.

`ask` starts the process and passes its answer on; run as a program, this module is that process. What holds it:
only one SELECT over the views is run at all; DuckDB itself is locked to the library's files; the system limits its
memory, its processor time and the size of files it writes (none); and it is killed when its time is up.
"""

import contextlib
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

import duckdb
import msgspec

from ono_replay.library.answers import render
from ono_replay.library.manifest import LibraryFault, Snapshot
from ono_replay.library.question import QueryRefused, check_question
from ono_replay.library.store import create_views, pattern, plain_connection
from ono_replay.machine import cores

SECONDS = 60.0
MEMORY = 1 << 30
SMALLEST_MEMORY = 1 << 28
_REFUSED, _NO_MEMORY, _NO_TIME, _NO_LIBRARY = 3, 4, 5, 6
_PASSED_ON = ("PATH", "LANG", "TZ", "VIRTUAL_ENV", "SYSTEMROOT", "TMPDIR", "TEMP", "TMP")
_GRACE = 1.0
_A_THREAD = 1 << 27
_MESSAGE = 1 << 14


class _Request(msgspec.Struct):
    folder: str
    sql: str
    form: str
    seconds: float
    memory: int


def ask(
    folder: str | Path, sql: str, *, form: str = "json", seconds: float = SECONDS, memory: int = MEMORY
) -> Iterator[bytes]:
    r"""Yield the answer to a query of anybody as bytes; `form` is one of `answers.FORMS`.

    The process may run for `seconds` and take `memory` bytes, all in all. Raises `QueryRefused` for what is no
    question over the views, fails, or takes more; and `LibraryFault`.

    >>> import tempfile
    >>> from ono_replay.bundle import bundle_path
    >>> from ono_replay.library.importing import import_logs
    >>> with tempfile.TemporaryDirectory() as at:
    ...     _ = import_logs(bundle_path("sample_logs") / "ok" / "2022-online.ono.jsonl", f"{at}/games", jobs=1)
    ...     b"".join(ask(f"{at}/games", "select edition, count(*) as games from games group by all"))
    b'[{"edition": "2022", "games": 1}]\n'
    """
    memory = max(memory, SMALLEST_MEMORY)
    request = msgspec.json.encode(_Request(str(Path(folder).absolute()), sql, form, seconds, memory))
    surroundings = {
        name: value
        for name, value in os.environ.items()
        if name in _PASSED_ON or name.startswith(("PYTHON", "LC_"))
    }
    surroundings["ARROW_DEFAULT_MEMORY_POOL"] = "system"
    command = [sys.executable, "-P", "-m", "ono_replay.library.sandbox"]
    with subprocess.Popen(
        command, env=surroundings, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        killed = threading.Event()

        def kill() -> None:
            killed.set()
            process.kill()

        timer = threading.Timer(seconds + _GRACE, kill)
        timer.start()
        try:
            with contextlib.suppress(BrokenPipeError):
                process.stdin.write(request)
                process.stdin.close()
            while block := process.stdout.read1():  # type: ignore[attr-defined]  # a pipe is a BufferedReader
                yield block
            message = process.stderr.read(_MESSAGE).decode("utf-8", "replace").strip()
            status = process.wait()
        finally:
            timer.cancel()
            with contextlib.suppress(OSError):
                process.kill()
    if status:
        _raise(status, message, seconds, memory, timed_out=killed.is_set())


def _raise(status: int, message: str, seconds: float, memory: int, *, timed_out: bool) -> NoReturn:
    if timed_out or status == _NO_TIME:
        raise QueryRefused(f"the query was stopped: it took longer than {seconds:g} seconds")
    if status == _NO_LIBRARY:
        raise LibraryFault(message)
    if status == _REFUSED:
        raise QueryRefused(message)
    if status == _NO_MEMORY or status < 0 or "MemoryError" in message or "bad_alloc" in message:
        raise QueryRefused(f"the query was stopped: it needs more than {memory >> 20} MiB of memory")
    last = message.splitlines()[-1] if message else f"status {status}"
    raise QueryRefused(f"the query broke down ({last[:200]})")


def ask_table(folder: str | Path, sql: str, *, seconds: float = SECONDS, memory: int = MEMORY) -> Any:
    """Return the answer to a query of anybody as an Arrow table; takes and raises what `ask` does."""
    import pyarrow as pa

    content = b"".join(ask(folder, sql, form="arrow", seconds=seconds, memory=memory))
    return pa.ipc.open_stream(content).read_all()


# --- the process itself -----------------------------------------------------------------------------------


def main() -> NoReturn:
    """Answer the request on standard input on standard output, and leave."""
    request = msgspec.json.decode(sys.stdin.buffer.read(), type=_Request)
    limit(request.memory, request.seconds)
    out = sys.stdout.buffer
    try:
        with contextlib.closing(Snapshot(Path(request.folder))) as snapshot:
            connection = locked_connection(snapshot, request.memory)
            check_question(connection, request.sql)
            late = threading.Timer(request.seconds, _stop)
            late.daemon = True
            late.start()
            for block in render(connection.execute(request.sql), request.form):
                out.write(block)
            out.flush()
    except QueryRefused as reason:
        _leave(_REFUSED, str(reason))
    except LibraryFault as reason:
        _leave(_NO_LIBRARY, str(reason))
    except (MemoryError, duckdb.OutOfMemoryException):
        _leave(_NO_MEMORY)
    except BrokenPipeError:
        os._exit(0)
    except duckdb.Error as error:
        _leave(_REFUSED, str(error).strip())
    os._exit(0)


def _leave(status: int, message: str = "") -> NoReturn:
    sys.stderr.write(message)
    sys.stderr.flush()
    os._exit(status)


def _stop() -> None:
    # Some functions of DuckDB can't be interrupted: leaving is what always works.
    os._exit(_NO_TIME)


def limit(memory: int, seconds: float) -> None:
    """Keep this process from taking more than it is given, where the system can."""
    try:
        import resource
    except ImportError:  # pragma: no cover - there is none on Windows
        return
    cpu = int(seconds * cores()) + 5
    limits = (
        (resource.RLIMIT_DATA, memory),
        (resource.RLIMIT_CPU, cpu),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_FSIZE, 0),
    )
    for kind, most in limits:
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(kind, (most, most))


def locked_connection(snapshot: Snapshot, memory: int) -> duckdb.DuckDBPyConnection:
    """Return a connection that has the views of a snapshot and can do nothing but ask them."""
    connection = plain_connection()
    # The engine's own limit comes first, with the better message; the rest is for Python and the answer.
    connection.execute(f"set memory_limit = '{memory * 6 // 10 // 1024}KiB'")
    connection.execute("set temp_directory = ''")
    # A thread's stack counts as memory, too.
    connection.execute(f"set threads = {max(1, min(cores(), memory // _A_THREAD))}")
    create_views(connection, snapshot)
    paths = [str(path) for name in snapshot.views() for path in snapshot.paths(name)]
    # A name with a bracket in it is checked as the pattern that stands for it.
    connection.execute("set allowed_paths = ?", [list(dict.fromkeys([*paths, *map(pattern, paths)]))])
    for setting in (
        "allow_community_extensions = false",
        "allow_unsigned_extensions = false",
        "allow_persistent_secrets = false",
        "enable_external_access = false",
        "lock_configuration = true",
    ):
        connection.execute(f"set {setting}")
    return connection


if __name__ == "__main__":
    main()
