"""The process behind `ono-replay dashboard`: Streamlit with safe settings.

Called as `python serve.py ADDRESS PORT`; the logs are named by the environment (`data.SOURCES`). It ends when
its standard input does, so that it never outlives the command that started it.
"""

import base64
import hashlib
import os
import re
import signal
import sys
import threading
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from pathlib import Path
from typing import Any, Final

HERE: Final = Path(__file__).resolve().parent
# `dashboard` is found beside its folder, and nothing in the folder hides a module of another name.
sys.path[0] = str(HERE.parent)

import streamlit  # noqa: E402 - the path has to be set first
from starlette.middleware import Middleware  # noqa: E402 - the path has to be set first
from streamlit import App  # noqa: E402 - as above

UPLOAD_MIB: Final = 64
"""The largest log that may be uploaded."""

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
"""The grounds of the viewer (`viewer.css`)."""

HEADERS: Final = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"same-origin"),
)

Headers = tuple[tuple[bytes, bytes], ...]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]


def policy() -> str:
    """Return what a page may load: from here only, and of inline scripts those of Streamlit's own page."""
    front = (Path(streamlit.__file__).parent / "static" / "index.html").read_text(encoding="utf-8")
    hashes = " ".join(
        f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'"
        for script in re.findall(r"<script>(.*?)</script>", front, re.DOTALL)
    )
    # Streamlit styles its elements in place, and loads what a component consists of as a blob.
    return (
        f"default-src 'self'; script-src 'self' blob: 'wasm-unsafe-eval' {hashes}; "
        "style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; "
        "worker-src 'self' blob:; connect-src 'self' data: blob:; object-src 'none'; base-uri 'self'; "
        "form-action 'none'; frame-ancestors 'none'"
    )


class Guard:
    """Refuses requests for another host (DNS rebinding), and sends the headers that keep a page to itself."""

    def __init__(self, app: Callable[..., Awaitable[None]], hosts: frozenset[str]) -> None:
        """Stand before an app."""
        self.app = app
        self.hosts = hosts
        self.headers = ((b"content-security-policy", policy().encode()), *HEADERS)

    async def __call__(self, scope: Mapping[str, Any], receive: Receive, send: Send) -> None:
        """Pass a request on if it is for a host of ours."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        host = dict(scope["headers"]).get(b"host", b"").decode("latin-1").lower()
        if host.rpartition(":")[0] in self.hosts or host in self.hosts:
            await self.app(scope, receive, with_headers(send, self.headers))
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
        else:
            start = {
                "type": "http.response.start",
                "status": 421,
                "headers": [(b"content-type", b"text/plain")],
            }
            await send(start)
            await send({"type": "http.response.body", "body": b"This is no address of this dashboard.\n"})


def with_headers(send: Send, headers: Headers) -> Send:
    """Return a way to send that adds headers to each answer."""

    async def add(message: Message) -> None:
        if message["type"] == "http.response.start":
            ours = {name for name, _ in headers}
            kept = [pair for pair in message.get("headers", ()) if pair[0].lower() not in ours]
            message["headers"] = [*kept, *headers]
        await send(message)

    return add


def settings(address: str, port: int) -> dict[str, Any]:
    """Return the settings of Streamlit: only this machine, no telemetry, nothing told of errors."""
    return {
        "server.address": address,
        "server.port": port,
        "server.headless": True,
        "server.allowedHosts": [address, "localhost"],
        "server.fileWatcherType": "none",
        "server.maxUploadSize": UPLOAD_MIB,
        "server.enableStaticServing": False,
        "server.enableXsrfProtection": True,
        "server.showEmailPrompt": False,
        "browser.gatherUsageStats": False,
        "browser.serverAddress": address,
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


def main(address: str, port: int) -> None:
    """Serve until told to stop."""
    threading.Thread(target=end_with_the_command, daemon=True).start()
    hosts = frozenset({address, "localhost"})
    app = App(HERE / "app.py", middleware=[Middleware(Guard, hosts=hosts)])
    app.run(config=settings(address, port))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
