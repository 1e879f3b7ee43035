"""Pairing: a browser in the network may read and write once it has told a code that only this screen shows.

A code is good for one browser; then another takes its place. What a paired browser shows is a cookie, known here
for as long as this process lives.
"""

import asyncio
import base64
import hashlib
import hmac
import secrets
import sys
from http.cookies import CookieError, SimpleCookie
from typing import Final
from urllib.parse import parse_qs

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from ono_replay.cli.access import CODE_LINE, LETTERS

PAIR: Final = "/pair"
_COOKIE: Final = "ono_paired"
_GROUPS, _GROUP = 2, 4
_DAYS: Final = 30
_PAUSE: Final = 0.3
"""Seconds that a wrong code costs everyone."""
_PLACES: Final = ("", "record")


def new_code() -> str:
    """Return a code of 40 random bits, like `7KQ4-XM2P`."""
    letters = ["".join(secrets.choice(LETTERS) for _ in range(_GROUP)) for _ in range(_GROUPS)]
    return "-".join(letters)


class Pairing:
    """The codes that are good, and the browsers that have told one."""

    def __init__(self, first: str | None = None) -> None:
        """Begin; `first` is a code for the browser of this machine."""
        self._first = first
        self._codes = {first} if first else set()
        self._known: set[bytes] = set()
        self._asking = asyncio.Lock()

    def announce(self) -> None:
        """Make a code and tell it on standard output, for the command to show."""
        code = new_code()
        self._codes.add(code)
        sys.stdout.write(f"{CODE_LINE}{code}\n")
        sys.stdout.flush()

    def knows(self, cookies: str) -> bool:
        """Whether a request comes from a paired browser."""
        try:
            cookie = SimpleCookie(cookies).get(_COOKIE)
        except CookieError:
            return False
        return cookie is not None and _digest(cookie.value) in self._known

    async def take(self, told: str) -> str | None:
        """Return what a browser that told a good code is known by from now on."""
        async with self._asking:
            told = "".join(letter for letter in told.upper() if letter in LETTERS)
            for code in list(self._codes):
                if hmac.compare_digest(told, code.replace("-", "")):
                    self._codes.discard(code)
                    token = secrets.token_urlsafe(32)
                    self._known.add(_digest(token))
                    if code != self._first:
                        self.announce()
                    return token
            await asyncio.sleep(_PAUSE)
            return None


def _digest(token: str) -> bytes:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).digest()


_STYLE: Final = """
:root { color-scheme: light dark; --ground: #f4f1e9; --ink: #1b2430; --accent: #00609a; --on: #fff; --line: #8a8371; }
@media (prefers-color-scheme: dark) {
  :root { --ground: #10151b; --ink: #eef2f5; --accent: #74bdf0; --on: #0b1a26; --line: #7b8794; }
}
body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: var(--ground); color: var(--ink);
  font: 18px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; }
main { max-width: 22rem; padding: 1.5rem; }
h1 { font-size: 1.6rem; line-height: 1.2; margin: 0 0 0.6rem; }
label { display: block; margin: 1.2rem 0 0.3rem; font-weight: 600; }
input, button { box-sizing: border-box; width: 100%; min-height: 3.2rem; border-radius: 0.6rem; font: inherit; }
input { border: 2px solid var(--line); background: transparent; color: inherit; text-align: center;
  font-size: 1.6rem; letter-spacing: 0.12em; text-transform: uppercase; }
button { margin-top: 0.8rem; border: 0; background: var(--accent); color: var(--on); font-weight: 700; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 3px; }
[role="alert"] { font-weight: 600; }
"""
_SCRIPT: Final = """
const [code, place] = location.hash.slice(1).split(".");
if (code) {
  history.replaceState(null, "", location.pathname);
  document.forms[0].code.value = code;
  document.forms[0].to.value = place ?? "record";
  document.forms[0].requestSubmit();
}
"""


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


PAIR_POLICY: Final = (
    f"default-src 'none'; style-src {_hash(_STYLE)}; script-src {_hash(_SCRIPT)}; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'"
)
PAIR_HEADERS: Final = (
    (b"content-type", b"text/html; charset=utf-8"),
    (b"content-security-policy", PAIR_POLICY.encode()),
)


def pair_page(*, wrong: bool = False) -> str:
    """Return the page that takes a code; the link of the QR code has it behind its #, where no server sees it."""
    told = (
        '<p role="alert">This code is not good, or was used already. Look for the newest one.</p>'
        if wrong
        else ""
    )
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Pair this browser – ono-replay</title>
<style>{_STYLE}</style>
</head>
<body>
<main>
<h1>Pair this browser</h1>
<p>Scan the code on the screen where the dashboard was started, or type it here.</p>
{told}
<form method="post" action="{PAIR}">
<label for="code">Code</label>
<input id="code" name="code" autocomplete="off" autocapitalize="characters" spellcheck="false" maxlength="20" required>
<input name="to" type="hidden" value="record">
<button>Pair</button>
</form>
</main>
<script>{_SCRIPT}</script>
</body>
</html>
"""


def pair_route(pairing: Pairing) -> Route:
    """Return the route that pairs a browser."""

    async def pair(request: Request) -> Response:
        headers = {"content-security-policy": PAIR_POLICY, "cache-control": "no-store"}
        if request.method != "POST":
            return HTMLResponse(pair_page(), headers=headers)
        told = parse_qs((await request.body()).decode("utf-8", "replace"))
        token = await pairing.take(told.get("code", [""])[0][:40])
        if token is None:
            return HTMLResponse(pair_page(wrong=True), 403, headers=headers)
        place = told.get("to", [""])[0]
        answer = RedirectResponse(f"/{place if place in _PLACES else ''}", 303)
        answer.set_cookie(_COOKIE, token, max_age=_DAYS * 86400, httponly=True, samesite="strict")
        return answer

    return Route(PAIR, pair, methods=["GET", "POST"])
