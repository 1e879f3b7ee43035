"""The page that Streamlit's own code starts from, with some things said in it before that code runs.

Where the server is: else the code looks for it below the address of each page first, and finds nothing there. How the
history of the browser is kept (`front.js`). And which parts of that code the page will need, so that they are fetched
while the rest still starts, and not each when the one before has asked for it. The parts are known by the beginnings
of the names of their files: where a Streamlit to come calls one otherwise, it is fetched as late as ever.
"""

import inspect
import re
import threading
from collections.abc import Awaitable, Callable, Iterable, Mapping, MutableMapping
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from typing import Any, Final

import streamlit
from starlette.concurrency import run_in_threadpool
from starlette.responses import RedirectResponse
from starlette.routing import Route

from dashboard import views
from dashboard.sources import sources
from dashboard.views.pages import GAMES

_STATIC: Final = Path(streamlit.__file__).parent / "static"
_WHERE: Final = 'window.__streamlit={BACKEND_BASE_URL:location.origin+"/"}'
_HISTORY: Final = Path(__file__).with_name("front.js")
_PART: Final = re.compile(r"/(static|_stcore|table|media|component)/")
_NAMED: Final = re.compile(r'"\./static/js/([^"]+\.js)"')
_IMPORT: Final = re.compile(r'(?:from|import)"\./([^"]+\.js)"')
_HEAD_OF_PART: Final = 8192
"""Bytes at the beginning of a part that its imports stand in."""
_EVERYWHERE: Final = ("Html", "BidiComponent", "Selectbox")
_CHART: Final = "PlotlyChart"
_WITH_CHARTS: Final = (_CHART, "Checkbox", "ButtonGroup", "DownloadButton")
_ELSE: Final = ("TextInput", "Button")
_FILE: Final = re.compile(r"/static/js/([\w.-]+\.js)", re.ASCII)
_KEPT: Final = (
    (b"content-type", b"text/javascript; charset=utf-8"),
    (b"cache-control", b"public, immutable, max-age=31536000"),
)
_SOME: Final = frozenset({b"range", b"if-none-match", b"if-modified-since"})
"""What a request says that is not for the whole of a file."""
_WITHOUT_CHARTS: Final = ("/", "/replay", "/record", "/live", "/validate")

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]


@lru_cache(maxsize=2)
def front_page(*, charts: bool = False) -> str:
    """Return the page, with what draws charts fetched and started at once, or else fetched when there is time."""
    page = (_STATIC / "index.html").read_text(encoding="utf-8")
    scripts = f"<script>{_WHERE}</script><script>{_HISTORY.read_text(encoding='utf-8')}</script>"
    soon = _parts((*_EVERYWHERE, *(_WITH_CHARTS if charts else _ELSE)), set(_NAMED.findall(page)))
    links = "".join(_link(name, 'rel="modulepreload"') for name in soon)
    if not charts:
        links += "".join(_link(name, 'rel="prefetch" as="script"') for name in _files_of(_CHART))
    return page.replace("<head>", "<head>" + scripts, 1).replace("</head>", links + "</head>", 1)


def _link(name: str, how: str) -> str:
    start = " data-start" if name.startswith(f"{_CHART}.") and "modulepreload" in how else ""
    return f'<link {how}{start} crossorigin href="./static/js/{name}">'


def _files_of(part: str) -> list[str]:
    return sorted(path.name for path in _STATIC.glob(f"static/js/{part}.*.js"))


def _parts(names: Iterable[str], known: set[str]) -> list[str]:
    """Return the files of some parts of Streamlit's code, and of those that they import, but for what is known."""
    found: dict[str, None] = {}
    left = [file for name in names for file in _files_of(name)]
    while left:
        file = left.pop(0)
        if file not in found and file not in known and (_STATIC / "static/js" / file).is_file():
            found[file] = None
            with (_STATIC / "static/js" / file).open(encoding="utf-8", errors="replace") as part:
                left += _IMPORT.findall(part.read(_HEAD_OF_PART))
    return list(found)


async def _answer_with_file(scope: Mapping[str, Any], send: Send) -> bool:
    """Answer with a part of Streamlit's code in one piece; it would take many, each through a thread of its own."""
    asked = _FILE.fullmatch(scope["path"])
    if asked is None or _SOME & {name for name, _ in scope["headers"]}:
        return False
    try:
        body = await run_in_threadpool((_STATIC / "static/js" / asked[1]).read_bytes)
    except OSError:
        return False
    headers = [*_KEPT, (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": body})
    return True


class Front:
    """Answers with the page wherever Streamlit would with its own."""

    def __init__(self, app: Callable[..., Awaitable[None]]) -> None:
        """Stand before an app."""
        self.app = app

    async def __call__(self, scope: Mapping[str, Any], receive: Receive, send: Send) -> None:
        """Pass a request on, and put the page in the place of Streamlit's."""
        asks = scope["type"] == "http" and scope["method"] == "GET"
        if asks and await _answer_with_file(scope, send):
            return
        if not asks or _PART.match(scope["path"]):
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


def games_route() -> Route:
    """Return the way to the list of games for who types its name: it is the page of the root."""
    return Route(f"/{GAMES}", lambda request: RedirectResponse(f"/?{request.url.query}".rstrip("?")))


@lru_cache(maxsize=1)
def _length() -> int:
    return (_STATIC / "index.html").stat().st_size


def get_ready() -> None:
    """Import what the pages need, and open the libraries, while the browser still starts."""

    def work() -> None:
        for page in iter_modules(views.__path__):
            import_module(f"{views.__name__}.{page.name}")
        libraries = import_module("dashboard.libraries")
        for path in sources():
            if libraries.is_library(path):
                try:
                    libraries.opened(path).cursor().close()
                except libraries.LibraryFault:
                    continue  # the page says so
        import_module("pandas")  # Streamlit wants it at the first choice or chart
        inspect.stack()  # Streamlit asks once what it runs in; this looks at every module, and remembers

    threading.Thread(target=work, daemon=True).start()
