"""The process behind `ono-replay dashboard`: Streamlit with safe settings.

Called as `python serve.py ADDRESS PORT`; the logs are named by the environment (`sources.SOURCES`), and who may ask
(`ACCESS`). It ends when its standard input does, so that it never outlives the command that started it.
"""

import contextlib
import json
import os
import signal
import sys
import threading
import time
from pathlib import Path
from typing import Any, Final

HERE: Final = Path(__file__).resolve().parent
LOOK_EVERY: Final = 2.0
"""Seconds between two looks for recordings that are left to themselves."""
# `dashboard` is found beside its folder, and nothing in the folder hides a module of another name.
sys.path[0] = str(HERE.parent)

from starlette.middleware import Middleware  # noqa: E402 - the path has to be set first
from streamlit import App  # noqa: E402 - as above

from dashboard.front import Front, games_route, get_ready  # noqa: E402 - as above
from dashboard.guard import UPLOAD_MIB, Guard  # noqa: E402 - as above
from dashboard.pairing import Pairing, pair_route  # noqa: E402 - as above
from dashboard.routes import table_routes  # noqa: E402 - as above
from dashboard.tables import Tables  # noqa: E402 - as above
from ono_replay.cli.access import ACCESS  # noqa: E402 - as above

LIGHT: Final = {
    "backgroundColor": "#f4f1e9",
    "secondaryBackgroundColor": "#fffdf8",
    "textColor": "#1b2430",
    "primaryColor": "#00609a",
    "borderColor": "#ddd6c6",
}
DARK: Final = {
    "backgroundColor": "#10151b",
    "secondaryBackgroundColor": "#182029",
    "textColor": "#eef2f5",
    "primaryColor": "#74bdf0",
    "borderColor": "#2c3742",
}
"""The grounds of the viewer (`palette.css`)."""


def settings(address: str, port: int, hosts: frozenset[str]) -> dict[str, Any]:
    """Return the settings of Streamlit: no telemetry, nothing told of errors."""
    return {
        "server.address": address,
        "server.port": port,
        "server.headless": True,
        "server.allowedHosts": sorted(hosts),
        "server.fileWatcherType": "none",
        "server.maxUploadSize": UPLOAD_MIB,
        "server.enableStaticServing": False,
        "server.enableXsrfProtection": True,
        "server.showEmailPrompt": False,
        "browser.gatherUsageStats": False,
        "browser.serverAddress": next(iter(sorted(hosts))),
        "client.showErrorDetails": "none",
        "client.showErrorLinks": False,
        "client.toolbarMode": "minimal",
        # A name that begins with = is a live formula in a spreadsheet.
        "client.disableDataExport": True,
        "logger.hideWelcomeMessage": True,
        "logger.level": "error",
        "runner.magicEnabled": False,
        "theme.baseRadius": "0.5rem",
        **{f"theme.light.{name}": value for name, value in LIGHT.items()},
        **{f"theme.dark.{name}": value for name, value in DARK.items()},
    }


def end_with_the_command() -> None:
    """Wait for the end of standard input, then end this process."""
    while sys.stdin.buffer.read(4096):
        pass
    os.kill(os.getpid(), signal.SIGTERM)


def let_go_in_time(tables: Tables) -> None:
    """Look again and again for recordings that are left to themselves."""
    while True:
        time.sleep(LOOK_EVERY)
        with contextlib.suppress(OSError):
            tables.let_go()


def main(address: str, port: int, page: Path = HERE / "app.py") -> None:
    """Serve until told to stop."""
    threading.Thread(target=end_with_the_command, daemon=True).start()
    access = json.loads(os.environ.get(ACCESS, "{}"))
    hosts = frozenset({address, "localhost", *access.get("hosts", ())})
    pairing = Pairing(access.get("code")) if access.get("pair") else None
    tables = Tables()
    threading.Thread(target=let_go_in_time, args=(tables,), daemon=True).start()
    routes = [*table_routes(tables), games_route()]
    if pairing is not None:
        routes.append(pair_route(pairing))
        pairing.announce()
    get_ready()
    before = [Middleware(Guard, hosts=hosts, pairing=pairing), Middleware(Front)]
    app = App(page, routes=routes, middleware=before)
    app.run(config=settings(address, port, hosts))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
