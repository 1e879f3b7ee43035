"""One game as a single HTML page: the viewer with everything in it, and nothing asked of anyone."""

import base64
import hashlib
from collections.abc import Mapping
from importlib import resources
from typing import Any

import msgspec

from ono_replay.check.printable import printable
from ono_replay.export.markup import text_of

_PAGE_STYLE = "html,body{margin:0;height:100%}body{--ono-height:100dvh}"
_START = """
openPage(document.getElementById("game"), JSON.parse(document.getElementById("payload").textContent));
"""


def viewer_source(name: str) -> str:
    """Return `viewer.js`, `viewer.css` or the `palette.css` before it as it lies in the package."""
    return (resources.files("ono_replay.export") / "viewer" / name).read_text(encoding="utf-8")


def page_of(payload: Mapping[str, Any]) -> str:
    """Return the page of a payload (`payload.build_payload`).

    It opens from disk. Its content policy allows the one script and the one style that are in it, by their
    hashes, and no request to anywhere.
    """
    style = viewer_source("palette.css") + viewer_source("viewer.css") + _PAGE_STYLE
    script = viewer_source("viewer.js") + _START
    policy = (
        f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(style)}'; "
        "base-uri 'none'; form-action 'none'"
    )
    title = text_of(f"{printable(str(payload['game']['game_id']))} – ONO 99 replay")
    return (
        "<!doctype html>\n"
        '<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="referrer" content="no-referrer">\n'
        f"<title>{title}</title>\n<style>{style}</style>\n</head>\n<body>\n"
        f'<main id="game"><h1 class="ono-hidden">{title}</h1></main>\n<noscript><p>This replay needs JavaScript.</p></noscript>\n'
        f'<script type="application/json" id="payload">{_data(payload)}</script>\n'
        f'<script type="module">{script}</script>\n</body>\n</html>\n'
    )


def _hash(source: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(source.encode()).digest()).decode()


def _data(payload: Mapping[str, Any]) -> str:
    # Inside a script element only `<` could end the data; as JSON it may be written as an escape.
    return msgspec.json.encode(payload).decode().replace("<", "\\u003c")
