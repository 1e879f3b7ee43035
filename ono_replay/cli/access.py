"""Who may reach the dashboard: this machine, a network, or the browsers in it that are paired."""

import contextlib
import ipaddress
import json
import re
import secrets
import socket
import sys
from typing import Final

import msgspec

from ono_replay.cli.guard import CannotRun

LOOPBACK: Final = "127.0.0.1"
"""Nobody else can reach it."""
ACCESS: Final = "ONO_DASHBOARD_ACCESS"
"""The variable of the environment that tells the server (`dashboard/serve.py`) who may ask."""
CODE_LINE: Final = "code "
"""What begins a line in which the server names the code that is good for the next browser."""
LETTERS: Final = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
"""What a code is written in: without those that are taken for one another."""
_ANY: Final = "0.0.0.0"  # bound to only where it was asked for, and then the names of the host are checked
_NOWHERE: Final = ("192.0.2.1", 9)
"""An address kept for documents; nothing is sent to it."""


class Access(msgspec.Struct, frozen=True):
    """Where the dashboard listens, what it may be called, and whether browsers have to be paired."""

    listen: str = LOOPBACK
    hosts: tuple[str, ...] = ()
    pair: bool = False
    code: str | None = None
    """Pairs the browser that the command opens."""

    @property
    def shown(self) -> str:
        """The host of the address that people are told."""
        return self.hosts[0] if self.hosts else self.listen

    @property
    def asked(self) -> str:
        """The host by which this machine reaches it."""
        return LOOPBACK if self.listen == _ANY else self.listen

    @property
    def variables(self) -> dict[str, str]:
        """What the server is told by its environment."""
        return {
            ACCESS: json.dumps({"hosts": [*self.hosts, self.asked], "pair": self.pair, "code": self.code})
        }


def access_for(host: str | None, allow: list[str], *, lan: bool, browser: bool) -> Access:
    """Return who may reach the dashboard; `host` is where it listens, `allow` are further names of it."""
    for name in (*allow, *([host] if host else ())):
        if not re.fullmatch(r"[A-Za-z0-9](?:[A-Za-z0-9.-]{0,252}[A-Za-z0-9])?", name):
            raise CannotRun(f"{name!r} is no name of a host and no IPv4 address")
    listen = host or (_own_address() if lan else LOOPBACK)
    shown = [listen] if listen != _ANY else [_own_address()]
    code = "".join(secrets.choice(LETTERS) for _ in range(16)) if lan and browser else None
    return Access(listen, (*shown, *(name.lower() for name in allow)), lan, code)


def warn_of(access: Access) -> None:
    """Say on standard error what it means that others can reach the dashboard."""
    with contextlib.suppress(ValueError):
        if ipaddress.ip_address(access.listen).is_loopback:
            return
    if access.listen == "localhost":
        return
    told = f"warning: other machines can reach {access.shown}, and what is sent is not encrypted"
    more = (
        "use it in a network that you trust"
        if access.pair
        else "whoever does can read all games here and write recordings; --lan lets in paired browsers only"
    )
    print(f"ono-replay: {told}; {more}", file=sys.stderr, flush=True)


def show_code(address: str, code: str) -> None:
    """Show how the next browser is paired."""
    link = f"{address}/pair#{code}"
    print(f"\nTo pair a phone, scan this; or open {address}/pair and type {code}", flush=True)
    print(_drawn(link), flush=True)
    print("Good for one browser; then the next code is shown here.", flush=True)


def _own_address() -> str:
    """Return the address of this machine in its network."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(_NOWHERE)
            address: str = probe.getsockname()[0]
        except OSError:
            address = LOOPBACK
    if address == LOOPBACK:
        raise CannotRun("this machine is in no network; --host ADDRESS names an address of it")
    return address


def _drawn(link: str) -> str:
    """Return a QR code of a link, two rows a line: dark on white in a terminal."""
    import segno

    border = 3
    rows = [list(row) for row in segno.make(link, error="m", micro=False).matrix_iter(border=border)]
    if len(rows) % 2:
        rows.append([0] * len(rows[0]))
    fancy = sys.stdout.isatty()
    # Outside a terminal nobody knows the colours; there light is ink, as on a dark screen.
    marks = {(0, 0): " ", (0, 1): "▄", (1, 0): "▀", (1, 1): "█"}
    if not fancy:
        marks = {(1 - above, 1 - below): mark for (above, below), mark in marks.items()}
    lines = [
        "".join(marks[bool(above), bool(below)] for above, below in zip(*pair, strict=True))
        for pair in zip(rows[::2], rows[1::2], strict=True)
    ]
    try:
        "".join(lines).encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return "(this terminal can not draw the code)"
    return "\n".join(f"\x1b[30;107m{line}\x1b[0m" if fancy else line for line in lines)
