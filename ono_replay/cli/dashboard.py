"""`ono-replay dashboard`: games in the browser."""

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
import webbrowser
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import IO, Annotated, Final

import typer

from ono_replay.bundle import bundle_path
from ono_replay.cli.guard import CannotRun
from ono_replay.log.lines import find_logs

ADDRESS: Final = "127.0.0.1"
"""Nobody else can reach it."""
PORT: Final = 8501
LONGEST_START: Final = 120.0
"""Seconds that a server may take until it answers."""
LONGEST_END: Final = 5.0
"""Seconds that a server may take to end by itself."""


def dashboard_command(
    logs: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="PATH",
            help="Libraries, logs, folders of logs, patterns; without one, only the page that checks a log has something to do.",
        ),
    ] = None,
    port: Annotated[
        int, typer.Option("--port", metavar="P", min=0, max=65535, help="The port; 0 takes any that is free.")
    ] = PORT,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Open no browser.")] = False,
) -> None:
    """Look at games in the browser: list, replay, statistics, check a log, follow one live.

    Needs the extra `dashboard`. Only this machine can reach it. Prints `Ready: ` and the address once it
    answers, and ends with ^C.

    Examples:
        ono-replay dashboard my-logs/
        ono-replay dashboard my-library
        ono-replay dashboard game.ono.jsonl --port 0 --no-browser
    """
    import plotly  # noqa: F401 - missing, it is named here and not by a server that does not start
    import streamlit  # noqa: F401 - as above

    from ono_replay.library.manifest import NAME

    for log in logs or ():
        # What is not there is told now, and not in the browser.
        if not (Path(log) / NAME).is_file():
            next(iter(find_logs([log])), None)
    sources = [str(Path(log).absolute()) for log in logs or ()]
    run_dashboard(sources, port, browser=not no_browser)


def run_dashboard(sources: list[str], port: int, *, browser: bool) -> None:
    """Serve libraries and logs until ^C or a request to end."""
    signal.signal(signal.SIGTERM, _interrupt)
    with contextlib.suppress(KeyboardInterrupt), _server(sources, _free_port(port)) as (server, address):
        print(f"Ready: {address}", flush=True)
        if browser:
            webbrowser.open(address)
        server.wait()
        raise CannotRun("the dashboard has stopped by itself")


def _interrupt(_signal: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def _free_port(port: int) -> int:
    """Return the port, or a free one for 0; raises `CannotRun` where it is taken."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((ADDRESS, port))
        except OSError as reason:
            raise CannotRun(
                f"port {port} can not be used ({reason.strerror or reason}); --port 0 takes a free one"
            ) from None
        taken: int = probe.getsockname()[1]
        return taken


@contextlib.contextmanager
def _server(sources: list[str], port: int) -> Iterator[tuple[subprocess.Popen[bytes], str]]:
    """Start a server that answers, and end it."""
    with tempfile.TemporaryFile() as said:
        # Standard input ends when this process does, however it ends, and with it the server.
        server = subprocess.Popen(
            [sys.executable, str(bundle_path("dashboard") / "serve.py"), ADDRESS, str(port)],
            env=os.environ | {"ONO_DASHBOARD_LOGS": json.dumps(sources)},
            stdin=subprocess.PIPE,
            stdout=said,
            stderr=said,
            start_new_session=True,
        )
        try:
            address = f"http://{ADDRESS}:{port}"
            _wait_for(server, address, said)
            yield server, address
        finally:
            _end(server)


def _wait_for(server: subprocess.Popen[bytes], address: str, said: IO[bytes]) -> None:
    # No proxy of the environment stands between this machine and itself.
    ask = urllib.request.build_opener(urllib.request.ProxyHandler({})).open
    until = time.monotonic() + LONGEST_START
    while time.monotonic() < until:
        if server.poll() is not None:
            said.seek(0)
            lines = said.read().decode("utf-8", "replace").strip().splitlines()
            raise CannotRun(f"the dashboard did not start: {lines[-1] if lines else 'it gave no reason'}")
        with contextlib.suppress(OSError), ask(f"{address}/_stcore/health", timeout=5):
            return
        time.sleep(0.05)
    raise CannotRun(f"the dashboard did not answer within {LONGEST_START:.0f} seconds")


def _end(server: subprocess.Popen[bytes]) -> None:
    server.terminate()
    try:
        server.wait(LONGEST_END)
    except subprocess.TimeoutExpired:
        server.kill()
        server.wait()
    finally:
        if server.stdin is not None:
            server.stdin.close()
