"""A real browser for the pages: Debian's chromium, one process for the whole run."""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Dialog, Page, sync_playwright

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    path = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if path is None:
        pytest.fail("chromium is not installed: bash tests/run does that")
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield launched
        launched.close()


class Watched:
    """A page that notes what it must not do: requests, console messages, errors, dialogs."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.wrong: list[str] = []
        page.on("console", lambda message: self.note(f"console {message.type}: {message.text}"))
        page.on("pageerror", lambda error: self.note(f"error: {error}"))
        page.on("dialog", self.asked_for)
        page.on("request", lambda request: self.asked(request.url))

    def note(self, what: str) -> None:
        self.wrong.append(what)

    def asked_for(self, dialog: Dialog) -> None:
        self.note(f"dialog: {dialog.message}")
        dialog.dismiss()

    def asked(self, url: str) -> None:
        if not url.startswith("file://"):
            self.note(f"request: {url[:200]}")


class Opener:
    """Opens pages and checks at the end that none did what it must not."""

    def __init__(self, browser: Browser) -> None:
        self.browser = browser
        self.contexts: list[BrowserContext] = []
        self.watched: list[Watched] = []

    def __call__(self, path: Path | None = None, fragment: str = "", **context: Any) -> Page:
        settings: dict[str, Any] = {
            "viewport": {"width": 1280, "height": 800},
            "reduced_motion": "reduce",
        } | context
        opened = self.browser.new_context(**settings)
        opened.set_default_timeout(10_000)
        self.contexts.append(opened)
        page = opened.new_page()
        self.watched.append(Watched(page))
        if path is not None:
            page.goto(path.as_uri() + fragment)
        return page

    def wrong(self) -> list[str]:
        return [what for watched in self.watched for what in watched.wrong]


@pytest.fixture
def open_page(browser: Browser) -> Iterator[Opener]:
    """Open a page in a context of its own: `open_page(path, "#event=4", color_scheme="dark")`."""
    opener = Opener(browser)
    yield opener
    for context in opener.contexts:
        context.close()
    assert not opener.wrong()
