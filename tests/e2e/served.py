"""A dashboard that a test starts: the command, its server, what it says, and a page that looks over its shoulder."""

import contextlib
import http.client
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from playwright.sync_api import expect

# A page may be slow on a machine that does other things; what never comes is told all the same.
expect.set_options(timeout=20_000)


class Served:
    """The command, with a data folder of its own; a context manager that ends it."""

    def __init__(
        self,
        home: Path,
        *arguments: object,
        port: int = 0,
        python: Path = Path(sys.executable),
        **variables: str,
    ) -> None:
        self.home = home
        self.process = subprocess.Popen(
            [
                str(python),
                "-m",
                "ono_replay",
                "dashboard",
                *map(str, arguments),
                "--port",
                str(port),
                "--no-browser",
            ],
            env=os.environ | {"ONO_REPLAY_HOME": str(home)} | variables,
            cwd=home,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout is not None
        self.said = ""
        ready = re.fullmatch(r"Ready: (http://([^:]+):(\d+))\n", self.process.stdout.readline())
        assert ready, self.process.communicate(timeout=30)
        self.address, self.host, self.port = ready[1], ready[2], int(ready[3])

    @property
    def recordings(self) -> Path:
        return self.home / "recordings"

    def read_until(self, pattern: str) -> re.Match[str]:
        """Read what the command says until it has said this."""
        assert self.process.stdout is not None
        while (found := re.search(pattern, self.said)) is None:
            line = self.process.stdout.readline()
            assert line, self.said
            self.said += line
        self.said = self.said[found.end() :]
        return found

    def kill(self) -> None:
        """Kill the server as a power cut would, and wait until the command has noticed."""
        pid = self.process.pid
        for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
            os.kill(int(child), signal.SIGKILL)
        self.process.wait(30)

    def ask(
        self, method: str, path: str, body: bytes | None = None, **headers: str
    ) -> tuple[int, dict[str, str], bytes]:
        """Return status, headers and body of an answer; header names have _ for -."""
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        with contextlib.closing(http.client.HTTPConnection(self.host, self.port, timeout=20)) as server:
            server.request(method, path, body, sent)
            answer = server.getresponse()
            return answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()

    def __enter__(self) -> "Served":
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            self.process.wait(30)
        for pipe in (self.process.stdout, self.process.stderr):
            if pipe is not None:
                pipe.close()


class Visit:
    """A browser of its own, with pages that note requests to anyone else, errors and messages in the console."""

    def __init__(self, browser: Any, served: Served, **settings: Any) -> None:
        self.served = served
        self.wrong: list[str] = []
        self.link_is_down = False
        self.context = browser.new_context(**({"viewport": {"width": 390, "height": 844}} | settings))
        self.context.set_default_timeout(20_000)

    def open(self, path: str = "/record") -> Any:
        page = self.context.new_page()
        page.on("console", self.heard)
        page.on("pageerror", lambda error: self.wrong.append(f"error: {error}"))
        page.on("request", self.asked)
        page.goto(self.served.address + path)
        return page

    def heard(self, message: Any) -> None:
        # On a page below the root Streamlit first asks for its server below that page, then above it.
        looked_for = re.search(r"/[a-z-]+/_stcore/(health|host-config)$", message.location["url"])
        if message.type in ("error", "warning") and not looked_for and not self.link_is_down:
            self.wrong.append(f"{message.type}: {message.text} ({message.location['url'][:200]})")

    def asked(self, request: Any) -> None:
        if not request.url.startswith((self.served.address, "blob:", "data:")):
            self.wrong.append(f"request: {request.url[:200]}")


def wait_for(happened: Any, what: str = "it", seconds: float = 20) -> Any:
    until = time.monotonic() + seconds
    while not (found := happened()):
        assert time.monotonic() < until, f"{what} did not happen"
        time.sleep(0.05)
    return found
