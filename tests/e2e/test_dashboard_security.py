"""Safe by default, asked as somebody who means harm would: real requests and a real browser."""

import http.client
import json
import re
import socket
import subprocess
import sys
import time

import pytest
from playwright.sync_api import expect

from ono_replay.bundle import bundle_path
from ono_replay.log.jsonl import encode_game
from tests.e2e.pages import make_game
from tests.e2e.served import Served, Visit

JSON = {"Content_Type": "application/json"}
SECRET = "root:x:0:0"
CODE = r"type ([0-9A-Z]{4}-[0-9A-Z]{4})\n"


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    folder = tmp_path_factory.mktemp("logs")
    (folder / "a.ono.jsonl").write_bytes(encode_game(make_game(seed=9)))
    home = tmp_path_factory.mktemp("home")
    (home / "secret.ono.jsonl").write_text(SECRET)
    with Served(home, folder) as running:
        yield running


@pytest.fixture
def page(browser, served):
    visit = Visit(browser, served)
    yield visit.open
    visit.context.close()
    assert not visit.wrong


def post(served, path, body, **headers):
    return served.ask("POST", path, json.dumps(body).encode(), **(JSON | headers))


def begin(served):
    wish = {"writer": "writer-1", "players": ["Ann", "Bo"]}
    status, _, body = post(served, "/table/begin", wish)
    assert status == 200
    return json.loads(body)["recording"]


def raw(served, text):
    """Send bytes as they are and return the status of the answer."""
    with socket.create_connection((served.host, served.port), timeout=20) as line:
        line.sendall(text.encode())
        answer = http.client.HTTPResponse(line)
        answer.begin()
        return answer.status


class TestWhoMayAsk:
    def test_only_this_machine(self, served):
        assert served.host == "127.0.0.1"
        # The server listens at the loopback address and no other.
        with socket.socket() as other, pytest.raises(ConnectionRefusedError):
            other.connect(("127.0.0.2", served.port))

    @pytest.mark.parametrize(
        "host",
        [
            "rebound.example.invalid",
            "rebound.example.invalid:{port}",
            "127.0.0.1.example.invalid",
            "[::1]",
            "",
        ],
    )
    def test_only_by_its_own_name(self, served, host):
        host = host.format(port=served.port)
        for method, path in (("GET", "/"), ("GET", "/_stcore/host-config"), ("POST", "/table/open")):
            assert served.ask(method, path, Host=host)[0] == 421

    def test_no_page_of_somebody_else(self, served):
        recording = begin(served)
        entry = {"recording": recording, "writer": "writer-1", "id": "entry-1", "text": "7"}
        for origin in ("http://example.invalid", "http://127.0.0.1:1", "null", f"https://{served.host}"):
            assert post(served, "/table/enter", entry, Origin=origin)[0] == 403
        # Without JSON in its name a browser would send it without asking first.
        body = json.dumps(entry).encode()
        assert served.ask("POST", "/table/enter", body, Content_Type="text/plain")[0] == 415
        before = (served.recordings / recording).read_bytes()
        assert post(served, "/table/enter", entry, Origin=served.address)[0] == 200
        assert len((served.recordings / recording).read_bytes()) > len(before)

    def test_no_upload_without_the_token_of_its_page(self, served):
        body = b'--b\r\nContent-Disposition: form-data; name="f"; filename="a"\r\n\r\n{}\r\n--b--\r\n'
        form = {"Content_Type": "multipart/form-data; boundary=b"}
        for token in (
            {},
            {"X_Xsrftoken": "guess"},
            {"Cookie": "_streamlit_xsrf=guess", "X_Xsrftoken": "guess"},
        ):
            for method in ("PUT", "DELETE"):
                status, _, answer = served.ask(
                    method, "/_stcore/upload_file/page/file", body, **form, **token
                )
                assert (status, b"XSRF" in answer) == (403, True)

    def test_no_live_connection_for_somebody_else(self, served):
        ask = (
            "GET /_stcore/stream HTTP/1.1\r\nHost: {host}\r\nOrigin: {origin}\r\nConnection: Upgrade\r\n"
            "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
        )
        own = served.address.removeprefix("http://")
        assert raw(served, ask.format(host=own, origin=served.address)) == 101
        assert raw(served, ask.format(host=own, origin="http://example.invalid")) == 403
        assert raw(served, ask.format(host="example.invalid", origin="http://example.invalid")) == 403

    def test_the_headers_that_keep_a_page_to_itself(self, served):
        for path in ("/", "/record", "/_stcore/health", "/table/listing", "/nothing-here"):
            _, headers, _ = served.ask("GET", path)
            policy = headers["content-security-policy"]
            assert "default-src 'self'" in policy
            assert "frame-ancestors 'none'" in policy
            assert "object-src 'none'" in policy
            assert not re.search(r"https?:|\*|'unsafe-eval'", policy)
            assert not re.search(r"script-src[^;]*'unsafe-inline'", policy)
            assert headers["x-content-type-options"] == "nosniff"
            assert headers["referrer-policy"] == "same-origin"
            assert "access-control-allow-origin" not in headers


class TestFiles:
    WAYS = (
        "/../../../../etc/passwd",
        "/..%2f..%2f..%2f..%2fetc/passwd",
        "/static/../../../../../etc/passwd",
        "/static/..%2f..%2f..%2f..%2f..%2f..%2f..%2fetc%2fpasswd",
        "/media/..%2f..%2f..%2fetc%2fpasswd",
        "/component/x/..%2f..%2f..%2f..%2fetc%2fpasswd",
        "/_stcore/bidi-components/x/..%2f..%2f..%2fetc%2fpasswd",
        "/app/static/..%2f..%2fserve.py",
        "//etc/passwd",
        "/table/..%2f..%2fsecret.ono.jsonl",
    )

    @pytest.mark.parametrize("way", WAYS)
    def test_no_way_of_a_path_leads_out(self, served, way):
        _, _, body = served.ask("GET", way)
        assert SECRET.encode() not in body
        assert b"def main(" not in body

    @pytest.mark.parametrize(
        "name",
        [
            "../secret.ono.jsonl",
            "..\\secret.ono.jsonl",
            "/etc/passwd",
            "a/../../secret.ono.jsonl",
            "\0.ono.jsonl",
            "link.ono.jsonl",
            "",
        ],
    )
    def test_no_name_of_a_recording_leads_out(self, served, name):
        served.recordings.mkdir(exist_ok=True)
        link = served.recordings / "link.ono.jsonl"
        if not link.is_symlink():
            link.symlink_to(served.home / "secret.ono.jsonl")
        for verb in ("open", "look", "finish", "leave", "keep"):
            status, _, body = post(served, f"/table/{verb}", {"recording": name, "writer": "writer-1"})
            assert status in (404, 409)
            assert SECRET.encode() not in body
            assert str(served.home).encode() not in body
        assert (served.home / "secret.ono.jsonl").read_text() == SECRET

    def test_no_address_of_a_page_leads_out(self, page):
        shown = page("/replay?log=../../../../etc/passwd&line=1&event=0")
        expect(shown.get_by_text("not in the logs of this dashboard")).to_be_visible()
        assert SECRET not in shown.content()


class TestHowMuch:
    def test_a_request_says_how_long_it_is_and_is_not_too_long(self, served):
        upload = "/_stcore/upload_file/session/file"
        host = f"Host: {served.host}:{served.port}\r\n"
        assert raw(served, f"PUT {upload} HTTP/1.1\r\n{host}Content-Length: 99999999999\r\n\r\n") == 413
        assert raw(served, f"PUT {upload} HTTP/1.1\r\n{host}Transfer-Encoding: chunked\r\n\r\n") == 411
        assert raw(served, f"POST /table/enter HTTP/1.1\r\n{host}Content-Length: 300000\r\n\r\n") == 413

    def test_an_upload_too_large_is_told_in_the_page(self, browser, served, tmp_path):
        visit = Visit(browser, served)
        page = visit.open("/validate")
        large = tmp_path / "large.ono.jsonl"
        with large.open("wb") as file:
            file.truncate(65 << 20)
        page.locator('input[type="file"]').set_input_files(large)
        expect(page.get_by_text("File must be 64.0MB or smaller.")).to_be_visible()
        visit.context.close()

    @pytest.mark.parametrize(
        "body",
        [
            b"",
            b"{",
            b"[" * 100_000,
            b"\xff\xfe",
            b'{"recording":"a","writer":"writer-1","take":1}',
            b'{"recording":"a.ono.jsonl","writer":"<script>"}',
            b'{"recording":"a.ono.jsonl","writer":"writer-1","more":true}',
        ],
    )
    def test_what_is_not_understood_is_refused_without_a_word_of_the_inside(self, served, body):
        status, _, answer = served.ask("POST", "/table/open", body, **JSON)
        assert (status, json.loads(answer)) == (400, {"error": "This request is not understood."})


class TestSessions:
    def test_what_one_checks_no_other_sees(self, browser, served):
        mine, other = Visit(browser, served), Visit(browser, served)
        text = (bundle_path("sample_logs") / "broken/ONO301-out-of-turn.ono.jsonl").read_text(
            encoding="utf-8"
        )
        page = mine.open("/validate")
        page.get_by_role("tab", name="Paste its lines").click()
        page.get_by_label("The lines of a log").fill(text)
        page.keyboard.press("Control+Enter")
        expect(page.get_by_text("error ONO301").first).to_be_visible()
        looked = other.open("/validate")
        expect(looked.get_by_text("Nothing is kept")).to_be_visible()
        assert "ONO301" not in looked.content()
        for visit in (mine, other):
            visit.context.close()
            assert not visit.wrong

    def test_an_error_of_ours_tells_nothing_of_the_inside(self, browser, tmp_path):
        """The same server and settings with a page that fails."""
        page_file = tmp_path / "failing.py"
        page_file.write_text(
            'import streamlit\nstreamlit.title("A page")\nraise RuntimeError("inside-word")\n'
        )
        start = (
            "import sys, runpy, pathlib\n"
            f"sys.argv = [{str(bundle_path('dashboard') / 'serve.py')!r}]\n"
            "sys.path.insert(0, '')\n"
            "serve = runpy.run_path(sys.argv[0])\n"
            f"serve['main']('127.0.0.1', PORT, pathlib.Path({str(page_file)!r}))\n"
        )
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port = probe.getsockname()[1]
        command = [sys.executable, "-c", start.replace("PORT", str(port))]
        with subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        ) as server:
            context = browser.new_context()
            page = context.new_page()
            until = time.monotonic() + 60
            while True:
                try:
                    socket.create_connection(("127.0.0.1", port), timeout=1).close()
                    break
                except OSError:
                    assert time.monotonic() < until
                    time.sleep(0.1)
            page.goto(f"http://127.0.0.1:{port}/")
            expect(page.get_by_role("heading", name="A page")).to_be_visible()
            expect(page.get_by_test_id("stException")).to_be_visible()
            shown = page.content()
            assert "inside-word" not in shown
            assert "RuntimeError" not in shown
            assert "Traceback" not in shown
            assert str(tmp_path) not in shown
            context.close()
            assert server.stdin is not None
            server.stdin.close()
            server.wait(20)


@pytest.fixture(scope="module")
def lan(tmp_path_factory):
    """`--lan`, listening at a loopback address that stands for the one in a network."""
    with Served(tmp_path_factory.mktemp("home"), "--lan", "--host", "127.0.0.2") as running:
        yield running


class TestPairing:
    def test_only_paired_browsers_read_or_write(self, browser, lan):
        code = lan.read_until(CODE)[1]
        assert re.search(r"[▀▄█]{10}", lan.read_until(r"(?s).*Good for one browser")[0])
        wish = {"writer": "writer-1", "players": ["Ann", "Bo"]}
        for method, path, body in (
            ("GET", "/", None),
            ("GET", "/record", None),
            ("GET", "/static/js/index.js", None),
            ("GET", "/media/x", None),
            ("GET", "/_stcore/host-config", None),
            ("GET", "/table/listing", None),
            ("POST", "/table/begin", json.dumps(wish).encode()),
        ):
            status, headers, answer = lan.ask(method, path, body, **JSON)
            assert status == 403
            assert b"Pair this browser" in answer
            assert headers["content-security-policy"].startswith("default-src 'none'")
        ask = (
            f"GET /_stcore/stream HTTP/1.1\r\nHost: 127.0.0.2:{lan.port}\r\nConnection: Upgrade\r\n"
            "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
        )
        assert raw(lan, ask) == 403
        for cookie in ("ono_paired=", "ono_paired=guess", "ono_paired=\xff", "a=b; c"):
            assert lan.ask("GET", "/table/listing", Cookie=cookie)[0] == 403
        assert not lan.recordings.exists()

        phone = Visit(browser, lan)
        page = phone.open(f"/pair#{code}")
        expect(page.get_by_role("button", name="Begin")).to_be_visible()
        assert page.url == f"{lan.address}/record"
        (cookie,) = [one for one in phone.context.cookies() if one["name"] == "ono_paired"]
        assert (cookie["httpOnly"], cookie["sameSite"]) == (True, "Strict")
        page.get_by_label("Another player").fill("Ann")
        page.get_by_role("button", name="Add", exact=True).click()
        page.get_by_label("Another player").fill("Bo")
        page.get_by_role("button", name="Add", exact=True).click()
        page.get_by_role("button", name="Begin").click()
        page.locator('.pad-keys .pad-card[data-token="7"]').click()
        expect(page.locator(".pad-figure")).to_have_text("7")

        # The code was good for one browser; the next has another.
        second = Visit(browser, lan)
        second.link_is_down = True
        page = second.open(f"/pair#{code}")
        expect(page.get_by_role("alert")).to_contain_text("not good, or was used already")
        newest = lan.read_until(CODE)[1]
        assert newest != code
        page.get_by_label("Code").fill(newest.lower().replace("-", " "))
        page.get_by_role("button", name="Pair").click()
        expect(page.get_by_role("button", name="Ann, Bo; round 1, total 7")).to_be_visible()
        for visit in (phone, second):
            visit.context.close()
            assert not visit.wrong

    def test_after_a_restart_a_phone_is_paired_anew_and_sends_what_it_kept(self, browser, tmp_path):
        with Served(tmp_path, "--lan", "--host", "127.0.0.2") as first:
            phone = Visit(browser, first)
            page = phone.open(f"/pair#{first.read_until(CODE)[1]}")
            for name in ("Ann", "Bo"):
                page.get_by_label("Another player").fill(name)
                page.get_by_role("button", name="Add", exact=True).click()
            page.get_by_role("button", name="Begin").click()
            page.locator('.pad-keys .pad-card[data-token="7"]').click()
            expect(page.locator(".pad-saved")).to_have_text("Saved")
            phone.link_is_down = True
            first.kill()
            page.locator('.pad-keys .pad-card[data-token="8"]').click()
            expect(page.locator(".pad-saved")).to_have_text("1 unsaved")
        with Served(tmp_path, "--lan", "--host", "127.0.0.2", port=first.port) as second:
            expect(page.get_by_text("This browser is no longer paired.")).to_be_visible()
            (log,) = second.recordings.iterdir()
            before = log.read_bytes()
            page.goto(f"{second.address}/pair#{second.read_until(CODE)[1]}")
            expect(page.locator(".pad-figure")).to_have_text("15")
            expect(page.locator(".pad-saved")).to_have_text("Saved")
            assert b'"type":"play","seat":1,"card":"8","total":15' in log.read_bytes().removeprefix(before)
            phone.context.close()
            assert not phone.wrong

    def test_a_code_is_asked_for_by_its_own_page_only(self, lan):
        form = {"Content_Type": "application/x-www-form-urlencoded"}
        assert lan.ask("POST", "/pair", b"code=AAAA-AAAA", Origin="http://example.invalid", **form)[0] == 403
        assert lan.ask("GET", "/pair", Host="example.invalid")[0] == 421
        status, headers, answer = lan.ask("POST", "/pair", b"code=<script>&to=//example.invalid", **form)
        assert (status, "set-cookie" in headers, b"<script>&" in answer) == (403, False, False)
        assert lan.ask("POST", "/pair", b"x" * 300_000, **form)[0] == 413


def test_listening_elsewhere_is_warned_of_and_names_are_checked(tmp_path):
    with Served(tmp_path, "--host", "0.0.0.0", "--allow", "games.example.invalid") as running:
        port = running.port
        running.host = "127.0.0.1"
        assert running.ask("GET", "/_stcore/health", Host=f"games.example.invalid:{port}")[0] == 200
        assert running.ask("GET", "/_stcore/health", Host="other.example.invalid")[0] == 421
        running.process.terminate()
        _, warned = running.process.communicate(timeout=20)
    assert "warning: other machines can reach" in warned
    assert "--lan lets in paired browsers only" in warned
