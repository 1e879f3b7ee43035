"""What stands between a command and the shell: exit status, and never a traceback for bad input.

Exit status: 0 done, 1 something was found wrong with a game, 2 could not run, 130 interrupted,
141 the reader of the output went away.
"""

import errno
import os
import signal
import sys
from collections.abc import Callable
from types import FrameType
from typing import Final

import typer

COULD_NOT_RUN: Final = 2
INTERRUPTED: Final = 130
BROKEN_PIPE: Final = 141

EXTRA_OF: Final = {
    "duckdb": "library",
    "openskill": "library",
    "pyarrow": "library",
    "httptools": "dashboard",
    "plotly": "dashboard",
    "segno": "dashboard",
    "streamlit": "dashboard",
    "uvloop": "dashboard",
    "daft": "cluster",
    "ray": "cluster",
    "numba": "bulk",
    "numpy": "bulk",
    "resvg_py": "pictures",
    "PIL": "pictures",
}
"""The extra that brings a third-party module."""


MEANT_FOR_PEOPLE: Final = (
    "ono_replay.log.streams.Unreadable",
    "ono_replay.log.output.Unwritable",
    "ono_replay.branch.CannotBranch",
    "ono_replay.compare.CannotCompare",
    "ono_replay.export.files.CannotExport",
    "ono_replay.simulate.batch.WorkerLost",
    "ono_replay.simulate.bots.NoSuchBot",
    "ono_replay.simulate.game.BadBot",
    "ono_replay.simulate.plan.BadPlan",
    "ono_replay.simulate.sample_files.NoSuchSample",
    "ono_replay.library.manifest.LibraryFault",
    "ono_replay.library.question.QueryRefused",
    "ono_replay.library.conditions.BadCondition",
    "ono_replay.library.selection.BadQuestion",
)
"""Exceptions of the library whose text is a message for people; named, so that none is imported for --help."""
HINTS: Final = {"ono_replay.log.output.AlreadyThere": " (--force writes over it)"}
"""Exceptions of the library to whose message, also for people, the command line adds how it is done here."""


class CannotRun(Exception):
    """A command can not do what was asked; the message, one or two plain lines, goes to standard error.

    >>> raise CannotRun("no game has the id 'x'")
    Traceback (most recent call last):
    ono_replay.cli.guard.CannotRun: no game has the id 'x'
    """


def guarded(command: Callable[[], object]) -> int:
    """Run a command and return its exit status; whatever goes wrong ends as one line on standard error.

    With `ONO_REPLAY_DEBUG` set, a fault of the program itself is raised instead.

    >>> guarded(lambda: None)
    0
    """
    try:
        try:
            command()
            status = 0
        except SystemExit as stop:
            status = _status_of(stop)
        sys.stdout.flush()
    except BrokenPipeError:
        status = BROKEN_PIPE
    except KeyboardInterrupt:
        status = INTERRUPTED
    except CannotRun as reason:
        status = _say(str(reason))
    except ModuleNotFoundError as missing:
        extra = EXTRA_OF.get((missing.name or "").partition(".")[0])
        if extra is None:
            status = _internal(missing)
        else:
            status = _say(
                f"this needs {missing.name}, which is not installed:\n  pip install 'ono-replay[{extra}]'"
            )
    except OSError as failure:
        status = _say(_os_message(failure))
    except Exception as fault:  # noqa: BLE001 - the last guard: a user is never shown a traceback
        kind = f"{type(fault).__module__}.{type(fault).__qualname__}"
        if kind.startswith("_duckdb."):
            status = _say(f"the library could not be asked: {fault}\n  (ono-replay library check tells more)")
        else:
            told = kind in MEANT_FOR_PEOPLE or kind in HINTS
            status = _say(_safe(str(fault)) + HINTS.get(kind, "")) if told else _internal(fault)
    if status == BROKEN_PIPE or not _flushes():
        _silence_stdout()
    return status


def end_well() -> None:
    """From now on a request to end (SIGTERM) ends the command as ^C does."""
    signal.signal(signal.SIGTERM, _interrupt)


def _interrupt(_signal: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def _status_of(stop: SystemExit) -> int:
    # typer and rich both turn a broken pipe into a plain 1, and typer an end of input at a prompt too;
    # here 1 means that a game was found wrong.
    if isinstance(stop.__context__, BrokenPipeError):
        return BROKEN_PIPE
    if isinstance(stop.__context__, typer.Abort):
        return COULD_NOT_RUN
    if stop.code is None or isinstance(stop.code, int):
        return stop.code or 0
    return _say(str(stop.code))


def _say(message: str) -> int:
    from ono_replay.log.terminal import escaped

    print(f"ono-replay: {escaped(message)}", file=sys.stderr)
    return COULD_NOT_RUN


def _os_message(failure: OSError) -> str:
    reason = failure.strerror or str(failure) or type(failure).__name__
    if failure.errno == errno.ENOSPC:
        reason = "no space left on the device; what is already written stays"
    return f"{_safe(str(failure.filename))}: {reason}" if failure.filename is not None else reason


def _safe(text: str) -> str:
    """Escape what the name of a file may hold."""
    from ono_replay.check.printable import printable

    return printable(text)


def _internal(fault: BaseException) -> int:
    if os.environ.get("ONO_REPLAY_DEBUG"):
        raise fault
    return _say(
        f"this is a fault of ono-replay itself, please report it: {type(fault).__name__}: {fault}\n"
        "  (ONO_REPLAY_DEBUG=1 shows where)"
    )


def _flushes() -> bool:
    try:
        sys.stdout.flush()
    except (OSError, ValueError):
        return False
    return True


def _silence_stdout() -> None:
    # What is still in the buffer can not be written; without this the interpreter complains at its exit.
    try:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, sys.stdout.fileno())
        os.close(null)
    except (OSError, ValueError):
        pass
