"""A small object store on loopback: lists, heads and reads what lies in a folder, as S3 does."""

import contextlib
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit
from xml.sax.saxutils import escape


class _Handler(BaseHTTPRequestHandler):
    folder: Path
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def _answer(self, status, body=b"", *, kind="application/octet-stream", length=None, **headers):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body) if length is None else length))
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def do_HEAD(self):
        self.do_GET()

    def do_GET(self):
        parts = urlsplit(self.path)
        query = parse_qs(parts.query)
        _, _, key = unquote(parts.path).lstrip("/").partition("/")
        if "list-type" in query or not key:
            self._list(query.get("prefix", [""])[0], query.get("delimiter", [""])[0])
            return
        path = self.folder / key
        if not path.is_file():
            self._answer(404, b"<Error><Code>NoSuchKey</Code></Error>", kind="application/xml")
            return
        data = path.read_bytes()
        asked = self.headers.get("Range")
        common = {"Last_Modified": "Mon, 30 Nov 2026 00:00:00 GMT", "ETag": '"1"', "Accept_Ranges": "bytes"}
        if asked and self.command == "GET":
            first, _, last = asked.removeprefix("bytes=").partition("-")
            start = int(first) if first else len(data) - int(last)
            stop = min(int(last) + 1, len(data)) if last and first else len(data)
            span = f"bytes {start}-{stop - 1}/{len(data)}"
            self._answer(206, data[start:stop], Content_Range=span, **common)
        else:
            self._answer(200, data, **common)

    def _list(self, prefix, delimiter):
        keys = sorted(str(path.relative_to(self.folder)) for path in self.folder.rglob("*") if path.is_file())
        found, folders = [], set()
        for key in keys:
            rest = key[len(prefix) :]
            if not key.startswith(prefix):
                continue
            if delimiter and delimiter in rest:
                folders.add(prefix + rest.split(delimiter)[0] + delimiter)
            else:
                found.append(key)
        rows = "".join(
            f"<Contents><Key>{escape(key)}</Key><Size>{(self.folder / key).stat().st_size}</Size>"
            "<LastModified>2026-11-30T00:00:00.000Z</LastModified><ETag>1</ETag></Contents>"
            for key in found
        )
        rows += "".join(
            f"<CommonPrefixes><Prefix>{escape(name)}</Prefix></CommonPrefixes>" for name in sorted(folders)
        )
        text = (
            '<?xml version="1.0"?><ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>games</Name>'
            f"<Prefix>{escape(prefix)}</Prefix><KeyCount>{len(found)}</KeyCount><MaxKeys>1000</MaxKeys>"
            f"<IsTruncated>false</IsTruncated>{rows}</ListBucketResult>"
        )
        self._answer(200, text.encode(), kind="application/xml")


@contextlib.contextmanager
def object_store(folder):
    """Serve a folder as the bucket `games`; yield the endpoint."""
    handler = type("Handler", (_Handler,), {"folder": folder})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
