"""What stands before the dashboard, asked without a server: the limits that a test can not reach by real requests."""

import asyncio
import runpy
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from dashboard import guard
from dashboard.guard import Guard
from dashboard.pairing import Pairing, new_code
from ono_replay.bundle import bundle_path
from ono_replay.cli.access import CODE_LINE, Access, access_for, warn_of
from ono_replay.cli.guard import CannotRun

HOST = (b"host", b"127.0.0.1:8501")


async def receive():
    return {"type": "http.disconnect"}


def alone(work):
    """Run it in a thread of its own: the browser of other tests keeps a loop running in this one."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, work).result()


def answer(stands, scope, *headers):
    """The messages that come back for a request with these headers."""
    sent = []

    async def send(message):
        sent.append(message)

    asked = {"type": "http", "method": "GET", "path": "/", "headers": [HOST, *headers]} | scope
    alone(stands(asked, receive, send))
    return sent


async def app(scope, receive, send):
    await send({"type": "http.response.start", "status": 200, "headers": [(b"X-Frame-Options", b"DENY")]})


@pytest.fixture
def stands():
    return Guard(app, frozenset({"127.0.0.1"}))


def test_an_answer_keeps_its_own_headers(stands):
    (start,) = answer(stands, {})
    headers = dict(start["headers"])
    assert headers[b"x-frame-options"] == b"DENY"
    assert headers[b"content-security-policy"].startswith(b"default-src 'self'")


def test_uploads_are_kept_up_to_a_limit(stands, monkeypatch):
    put = {"method": "PUT", "path": "/_stcore/upload_file/session/file"}
    length = (b"content-length", str(60 << 20).encode())
    for kept, status in ((0, 200), (guard.KEPT_MIB - 10, 413)):
        monkeypatch.setattr(guard, "_kept_bytes", lambda kept=kept: kept << 20)
        assert answer(stands, put, length)[0]["status"] == status


def test_uploads_that_are_sent_at_once_count_before_they_are_kept(monkeypatch):
    monkeypatch.setattr(guard, "_kept_bytes", lambda: 0)
    arrived = []

    async def waits(scope, receive, send):
        arrived.append(scope)
        await asyncio.Event().wait()

    async def flood():
        stands = Guard(waits, frozenset({"127.0.0.1"}))
        told = []

        async def send(message):
            told.append(message)

        length = (b"content-length", str(60 << 20).encode())
        scope = {
            "type": "http",
            "method": "PUT",
            "path": "/_stcore/upload_file/s/f",
            "headers": [HOST, length],
        }
        sent = [asyncio.create_task(stands(scope, receive, send)) for _ in range(20)]
        await asyncio.sleep(0)
        refused = [one for one in sent if one.done()]
        for task in sent:
            task.cancel()
        await asyncio.gather(*sent, return_exceptions=True)
        # All have gone: there is room again.
        again = asyncio.create_task(stands(scope, receive, send))
        await asyncio.sleep(0)
        assert not again.done()
        again.cancel()
        return len(refused), {message["status"] for message in told if "status" in message}

    room = (guard.KEPT_MIB << 20) // (60 << 20)
    assert alone(flood()) == (20 - room, {413})
    assert len(arrived) == room + 1


def test_so_many_pages_are_open_and_no_more(monkeypatch):
    monkeypatch.setattr(guard, "_MOST_PAGES", 2)
    taken = []

    async def page(scope, receive, send):
        taken.append(scope)
        await asyncio.Event().wait()

    async def knock():
        stands = Guard(page, frozenset({"127.0.0.1"}))
        told = []

        async def send(message):
            told.append(message)

        scope = {"type": "websocket", "path": "/_stcore/stream", "headers": [HOST]}
        waiting = [asyncio.create_task(stands(scope, receive, send)) for _ in range(3)]
        await asyncio.sleep(0)
        await waiting[-1]
        for task in waiting[:-1]:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
        # One has gone: there is room again.
        again = asyncio.create_task(stands(scope, receive, send))
        await asyncio.sleep(0)
        again.cancel()
        return told

    told = alone(knock())
    assert told == [{"type": "websocket.close", "code": 1008}]
    assert len(taken) == 3


def test_a_code_is_good_for_one_browser(capsys):
    async def pair():
        pairing = Pairing("FRST2222")
        pairing.announce()
        code = capsys.readouterr().out.removeprefix(CODE_LINE).strip()
        mine = await pairing.take(" frst-2222 ")
        assert mine is not None
        assert capsys.readouterr().out == ""  # the one on the screen was not used
        phone = await pairing.take(code)
        assert phone not in (None, mine)
        newest = capsys.readouterr().out.removeprefix(CODE_LINE).strip()
        assert newest != code
        assert [await pairing.take(told) for told in (code, "FRST2222", "", "A" * 40)] == [None] * 4
        assert pairing.knows(f"a=b; ono_paired={phone}")
        assert not pairing.knows(f"ono_paired={phone}x")
        assert not pairing.knows("")

    alone(pair())


def test_codes_do_not_come_twice():
    assert len({new_code() for _ in range(1000)}) == 1000


def test_the_settings(monkeypatch):
    """Those of Streamlit that keep it safe, each tried by its name."""
    monkeypatch.setattr(sys, "path", list(sys.path))
    serve = runpy.run_path(str(bundle_path("dashboard") / "serve.py"))
    found = serve["settings"]("127.0.0.1", 8501, frozenset({"127.0.0.1", "localhost"}))
    safe = {
        "server.address": "127.0.0.1", "server.allowedHosts": ["127.0.0.1", "localhost"],
        "server.enableXsrfProtection": True, "server.enableStaticServing": False, "server.maxUploadSize": 64,
        "server.fileWatcherType": "none", "browser.gatherUsageStats": False, "client.showErrorDetails": "none",
        "client.toolbarMode": "minimal", "client.disableDataExport": True, "runner.magicEnabled": False,
    }  # fmt: skip
    assert {name: found.get(name) for name in safe} == safe


class TestAccess:
    def test_by_itself_only_this_machine(self, capsys):
        access = access_for(None, [], lan=False, browser=True)
        assert (access.listen, access.pair, access.code) == ("127.0.0.1", False, None)
        warn_of(access)
        assert capsys.readouterr().err == ""

    def test_elsewhere_is_warned_of(self, capsys):
        access = access_for("192.0.2.7", ["Games.example"], lan=False, browser=True)
        assert access.hosts == ("192.0.2.7", "games.example")
        warn_of(access)
        assert "warning: other machines can reach 192.0.2.7" in capsys.readouterr().err

    def test_paired_it_says_that_nothing_is_encrypted(self, capsys):
        access = access_for("192.0.2.7", [], lan=True, browser=True)
        assert access.pair
        assert access.code is not None
        warn_of(access)
        assert "not encrypted; use it in a network that you trust" in capsys.readouterr().err
        # The code of the first browser is for the server alone: not among its arguments, where all can read it.
        assert access.code in str(access.variables)
        assert access.code not in access.shown

    @pytest.mark.parametrize("name", ["", "a b", "-x", "a/b", "x\ny", "http://a", "a" * 300])
    def test_what_is_no_name_of_a_host(self, name):
        with pytest.raises(CannotRun, match="no name of a host"):
            access_for(None, [name], lan=False, browser=False)

    def test_all_addresses_are_asked_by_one(self):
        access = Access("0.0.0.0", ("192.0.2.7",))
        assert (access.asked, access.shown) == ("127.0.0.1", "192.0.2.7")


def test_the_drawn_code_is_the_code(monkeypatch):
    import segno

    from ono_replay.cli.access import _drawn

    link = "http://192.0.2.7:8501/pair#7KQ4-XM2P"
    lines = _drawn(link).splitlines()
    # Light is ink outside a terminal, two rows a line.
    halves = {" ": (1, 1), "▄": (1, 0), "▀": (0, 1), "█": (0, 0)}
    rows = []
    for line in lines:
        rows += [[halves[mark][0] for mark in line], [halves[mark][1] for mark in line]]
    wanted = [
        [int(dark) for dark in row] for row in segno.make(link, error="m", micro=False).matrix_iter(border=3)
    ]
    assert rows[: len(wanted)] == wanted
