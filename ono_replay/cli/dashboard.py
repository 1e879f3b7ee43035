"""`ono-replay dashboard`: games in the browser."""

import contextlib
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
import webbrowser
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Annotated, Final

import typer

from ono_replay.bundle import bundle_path
from ono_replay.cli.access import CODE_LINE, Access, access_for, show_code, warn_of
from ono_replay.cli.guard import CannotRun, end_well
from ono_replay.log.lines import Names, find_logs

PORT: Final = 8501
LOOKED_AT: Final = 10_000
"""Names in a folder among which there should be a log; of a larger one the browser tells."""
LONGEST_START: Final = 120.0
"""Seconds that a server may take until it answers."""
LONGEST_END: Final = 5.0
"""Seconds that a server may take to end by itself."""


def dashboard_command(
    logs: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="PATH",
            help="Libraries, logs, folders of logs, patterns; without one, your own library if there is one, and the pages that check a log and record one.",
        ),
    ] = None,
    port: Annotated[
        int, typer.Option("--port", metavar="P", min=0, max=65535, help="The port; 0 takes any that is free.")
    ] = PORT,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Open no browser.")] = False,
    lan: Annotated[
        bool,
        typer.Option(
            "--lan",
            help="Let in phones and others in the same network that are paired: shows the address and a code, as a QR code.",
        ),
    ] = False,
    host: Annotated[
        str | None,
        typer.Option(
            "--host", metavar="ADDRESS", help="Listen at this address of the machine; 0.0.0.0 is all of them."
        ),
    ] = None,
    allow: Annotated[
        list[str] | None,
        typer.Option(
            "--allow", metavar="HOST", help="A further name by which it may be called; may be repeated."
        ),
    ] = None,
) -> None:
    """Look at games in the browser: list, replay, statistics, check a log, follow or record one.

    Needs the extra `dashboard`. Only this machine can reach it, unless `--lan` or `--host` says otherwise. Prints
    `Ready: ` and the address once it answers, and ends with ^C.

    With `--lan` a browser is let in once it has told a code that is shown here, each good for one browser: a phone
    that scans it comes to the page Record. What is recorded lies where `ono-replay record` puts it.

    Examples:
        ono-replay dashboard my-logs/
        ono-replay dashboard my-library
        ono-replay dashboard game.ono.jsonl --port 0 --no-browser
        ono-replay dashboard --lan
    """
    import plotly  # noqa: F401 - missing, it is named here and not by a server that does not start
    import segno  # noqa: F401 - as above
    import streamlit  # noqa: F401 - as above

    from ono_replay.cli.importing import own_library
    from ono_replay.library.manifest import NAME

    if not logs and (own_library() / NAME).is_file():
        logs = [str(own_library())]
    for log in logs or ():
        # What is not there is told now, and not in the browser.
        if not (Path(log) / NAME).is_file():
            next(iter(find_logs([log], names=Names(LOOKED_AT))), None)
    sources = [str(Path(log).absolute()) for log in logs or ()]
    access = access_for(host, allow or [], lan=lan, browser=not no_browser)
    warn_of(access)
    run_dashboard(sources, port, browser=not no_browser, access=access)


def run_dashboard(
    sources: list[str], port: int, *, browser: bool, access: Access | None = None, first: str = ""
) -> None:
    """Serve libraries and logs until ^C or a request to end; `first` is the page that the browser opens."""
    access = access or Access()
    end_well()
    port = _free_port(access.listen, port)
    address = f"http://{access.shown}:{port}"
    with contextlib.suppress(KeyboardInterrupt), _server(sources, port, access) as server:
        print(f"Ready: {address}", flush=True)
        if browser:
            # The place after the point is where it leads: the first page.
            webbrowser.open(address + first if access.code is None else f"{address}/pair#{access.code}.")
        for line in server.stdout or ():
            if line.startswith(CODE_LINE.encode()):
                show_code(address, line.decode().removeprefix(CODE_LINE).strip())
        server.wait()
        raise CannotRun("the dashboard has stopped by itself")


def _free_port(listen: str, port: int) -> int:
    """Return the port, or a free one for 0; raises `CannotRun` where it is taken."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((listen, port))
        except OSError as reason:
            raise CannotRun(
                f"port {port} of {listen} can not be used ({reason.strerror or reason}); --port 0 takes a free one"
            ) from None
        taken: int = probe.getsockname()[1]
        return taken


@contextlib.contextmanager
def _server(sources: list[str], port: int, access: Access) -> Iterator[subprocess.Popen[bytes]]:
    """Start a server that answers, and end it."""
    with tempfile.TemporaryFile() as said:
        # Standard input ends when this process does, however it ends, and with it the server.
        server = subprocess.Popen(
            [sys.executable, str(bundle_path("dashboard") / "serve.py"), access.listen, str(port)],
            env=os.environ | {"ONO_DASHBOARD_LOGS": json.dumps(sources)} | access.variables,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE if access.pair else said,
            stderr=said,
            start_new_session=True,
        )
        try:
            _wait_for(server, f"http://{access.asked}:{port}", said)
            yield server
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
        for pipe in (server.stdin, server.stdout):
            if pipe is not None:
                pipe.close()
