"""What stands before the dashboard: who may ask, how much, and the headers that keep a page to itself."""

import base64
import hashlib
import re
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from typing import Any, Final
from urllib.parse import urlsplit

from streamlit.runtime import Runtime

from dashboard.front import front_page
from dashboard.pairing import PAIR, PAIR_HEADERS, Pairing, pair_page

UPLOAD_MIB: Final = 64
"""The largest log that may be uploaded."""
KEPT_MIB: Final = 256
"""Uploads that are kept or on their way at a time, of all pages together."""
_UPLOADS: Final = "/_stcore/upload_file/"
_MOST_BODY: Final = 256 << 10
"""Bytes of any other request."""
_MOST_PAGES: Final = 100
"""Pages that are open at a time."""
_SAFE: Final = ("GET", "HEAD", "OPTIONS")
_UNPAIRED: Final = (PAIR, "/_stcore/health")

HEADERS: Final = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=()"),
)

Headers = tuple[tuple[bytes, bytes], ...]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]


def policy() -> str:
    """Return what a page may load: from here only, and of inline scripts those of the page itself."""
    hashes = " ".join(
        f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'"
        for script in re.findall(r"<script>(.*?)</script>", front_page(), re.DOTALL)
    )
    # Streamlit styles its elements in place, and loads what a component consists of as a blob.
    return (
        f"default-src 'self'; script-src 'self' blob: 'wasm-unsafe-eval' {hashes}; "
        "style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; "
        "worker-src 'self' blob:; connect-src 'self' data: blob:; object-src 'none'; base-uri 'self'; "
        "form-action 'none'; frame-ancestors 'none'"
    )


class Guard:
    """Refuses what is not for this dashboard, not from its own pages, not from a paired browser, or too large."""

    def __init__(
        self, app: Callable[..., Awaitable[None]], hosts: frozenset[str], pairing: Pairing | None = None
    ) -> None:
        """Stand before an app that is called by these hosts."""
        self.app = app
        self.hosts = hosts
        self.pairing = pairing
        self.headers = ((b"content-security-policy", policy().encode()), *HEADERS)
        self._pages = 0
        self._coming = 0
        """Bytes of uploads that are on their way."""

    async def __call__(self, scope: Mapping[str, Any], receive: Receive, send: Send) -> None:
        """Pass a request on if nothing speaks against it."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        asked = {name: value.decode("latin-1") for name, value in scope["headers"]}
        refused = self._why_refused(scope, asked)
        if refused is not None:
            await _refuse(scope, send, *refused)
        elif not self._is_paired(scope, asked):
            await _refuse(scope, send, 403, pair_page(), PAIR_HEADERS)
        elif scope["type"] == "websocket":
            self._pages += 1
            try:
                await self.app(scope, receive, send)
            finally:
                self._pages -= 1
        else:
            coming = max(0, _length(asked)) if scope["path"].startswith(_UPLOADS) else 0
            self._coming += coming
            try:
                await self.app(scope, receive, with_headers(send, self.headers))
            finally:
                self._coming -= coming

    def _why_refused(self, scope: Mapping[str, Any], asked: Mapping[bytes, str]) -> tuple[int, str] | None:
        host = asked.get(b"host", "").lower()
        if _name(host) not in self.hosts:
            # Another name for this address: the page of somebody else would read what is here (DNS rebinding).
            return 421, "This is no address of this dashboard.\n"
        is_page = scope["type"] == "websocket"
        if not is_page and scope["method"] in _SAFE:
            return None
        origin = asked.get(b"origin")
        if origin is not None and urlsplit(origin).netloc.lower() != host:
            return 403, "This was sent by a page of somebody else.\n"
        if is_page:
            return (503, "Too many pages are open.\n") if self._pages >= _MOST_PAGES else None
        return self._why_too_large(scope["path"], _length(asked))

    def _why_too_large(self, path: str, length: int) -> tuple[int, str] | None:
        if length < 0:
            return 411, "How long this is has to be said.\n"
        is_upload = path.startswith(_UPLOADS)
        # What is sent around a file, its name among it.
        most = (UPLOAD_MIB << 20) + _MOST_BODY if is_upload else _MOST_BODY
        if length > most:
            return 413, f"This is too large; at most {UPLOAD_MIB} MiB are taken.\n"
        # Many that are sent at once are none of them kept yet.
        if is_upload and _kept_bytes() + self._coming + length > KEPT_MIB << 20:
            return 413, "Too many uploads are kept; close other pages first.\n"
        return None

    def _is_paired(self, scope: Mapping[str, Any], asked: Mapping[bytes, str]) -> bool:
        return (
            self.pairing is None or scope["path"] in _UNPAIRED or self.pairing.knows(asked.get(b"cookie", ""))
        )


def _name(host: str) -> str:
    """Return a host without its port.

    >>> _name("127.0.0.1:8501"), _name("[::1]:8501"), _name("localhost")
    ('127.0.0.1', '[::1]', 'localhost')
    """
    return re.sub(r":[0-9]*$", "", host)


def _length(asked: Mapping[bytes, str]) -> int:
    """Return how long a body is said to be; -1 where that is not said in plain digits."""
    length = asked.get(b"content-length", "")
    return int(length) if re.fullmatch(r"[0-9]{1,15}", length) else -1


def _kept_bytes() -> int:
    """Return the size of all uploads that are kept."""
    files: Any = Runtime.instance().uploaded_file_mgr
    return sum(
        len(kept.data) for of_page in list(files.file_storage.values()) for kept in list(of_page.values())
    )


async def _refuse(
    scope: Mapping[str, Any], send: Send, status: int, words: str, headers: Headers = ()
) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": 1008})
        return
    plain = (
        (b"content-type", b"text/plain; charset=utf-8"),
        (b"content-security-policy", b"default-src 'none'"),
    )
    sent = [*(headers or plain), *HEADERS, (b"cache-control", b"no-store"), (b"connection", b"close")]
    await send({"type": "http.response.start", "status": status, "headers": sent})
    await send({"type": "http.response.body", "body": words.encode()})


def with_headers(send: Send, headers: Headers) -> Send:
    """Return a way to send that adds headers to each answer, but for those that it has of its own."""

    async def add(message: Message) -> None:
        if message["type"] == "http.response.start":
            own = [(name.lower(), value) for name, value in message.get("headers", ())]
            there = {name for name, _ in own}
            message["headers"] = [*own, *(pair for pair in headers if pair[0] not in there)]
        await send(message)

    return add
