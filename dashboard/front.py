"""The page that Streamlit's own code starts from, with some things said in it before that code runs.

Where the server is: else the code looks for it below the address of each page first, and finds nothing there. How the
history of the browser is kept (`front.js`). And what a page with charts will need, so that it is fetched while the
rest still starts.
"""

import re
import threading
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import streamlit

from dashboard.sources import sources

_STATIC: Final = Path(streamlit.__file__).parent / "static"
_WHERE: Final = 'window.__streamlit={BACKEND_BASE_URL:location.origin+"/"}'
_HISTORY: Final = Path(__file__).with_name("front.js")
_PART: Final = re.compile(r"/(static|_stcore|table|media|component)/")
_WITHOUT_CHARTS: Final = ("/", "/replay", "/record", "/live", "/validate")

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]


@lru_cache(maxsize=2)
def front_page(*, charts: bool = False) -> str:
    """Return the page, with what charts need fetched at once, or else when there is time."""
    page = (_STATIC / "index.html").read_text(encoding="utf-8")
    said = f"<script>{_WHERE}</script><script>{_HISTORY.read_text(encoding='utf-8')}</script>"
    for chunk in sorted(_STATIC.glob("static/js/PlotlyChart.*.js")):
        how = 'rel="modulepreload" crossorigin' if charts else 'rel="prefetch" as="script" crossorigin'
        said += f'<link {how} href="./static/js/{chunk.name}">'
    return page.replace("<head>", "<head>" + said, 1)


class Front:
    """Answers with the page wherever Streamlit would with its own."""

    def __init__(self, app: Callable[..., Awaitable[None]]) -> None:
        """Stand before an app."""
        self.app = app

    async def __call__(self, scope: Mapping[str, Any], receive: Receive, send: Send) -> None:
        """Pass a request on, and put the page in the place of Streamlit's."""
        if scope["type"] != "http" or scope["method"] != "GET" or _PART.match(scope["path"]):
            await self.app(scope, receive, send)
            return
        # Uncompressed, it can be told from other answers by its length.
        scope = {**scope, "headers": [pair for pair in scope["headers"] if pair[0] != b"accept-encoding"]}
        body = front_page(charts=scope["path"] not in _WITHOUT_CHARTS).encode()
        is_page = False

        async def answer(message: Message) -> None:
            nonlocal is_page
            if message["type"] == "http.response.start":
                headers = {name.lower(): value for name, value in message.get("headers", ())}
                is_page = (
                    message["status"] == 200
                    and headers.get(b"content-type", b"").startswith(b"text/html")
                    and int(headers.get(b"content-length", b"0")) == _length()
                )
                if is_page:
                    ours = {b"content-length": str(len(body)).encode(), b"cache-control": b"no-cache"}
                    gone = (b"etag", b"last-modified", *ours)
                    kept = [pair for pair in message["headers"] if pair[0].lower() not in gone]
                    message["headers"] = [*kept, *ours.items()]
            elif is_page and message["type"] == "http.response.body":
                if message.get("more_body"):
                    return
                message = {"type": "http.response.body", "body": body}
            await send(message)

        await self.app(scope, receive, answer)


@lru_cache(maxsize=1)
def _length() -> int:
    return (_STATIC / "index.html").stat().st_size


def get_ready() -> None:
    """Import what the pages need, and open the libraries, while the browser still starts."""

    def work() -> None:
        import_module("dashboard.views.players")
        import_module("dashboard.views.replay")
        libraries = import_module("dashboard.libraries")
        for path in sources():
            if libraries.is_library(path):
                try:
                    libraries.opened(path).cursor().close()
                except libraries.LibraryFault:
                    continue  # the page says so
        import_module("pandas")  # Streamlit wants it at the first choice or chart

    threading.Thread(target=work, daemon=True).start()
