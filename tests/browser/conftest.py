from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from limits import WAIT

Open = Callable[..., Any]

MILLISECONDS = 1000 * WAIT
"""What waits so long for a page has failed."""

DRAW_AT_ONCE = """
  const due = new Map();
  let last = 0;
  window.requestAnimationFrame = (draw) => {
    last += 1;
    const frame = last;
    due.set(frame, draw);
    queueMicrotask(() => {
      const wanted = due.get(frame);
      due.delete(frame);
      if (wanted) wanted(performance.now());
    });
    return frame;
  };
  window.cancelAnimationFrame = (frame) => due.delete(frame);
"""
"""Frames are drawn at the end of the event that asks for them: on a busy machine a browser may draw
them any time later, and a test would look at the picture of before."""


def chromium() -> str | None:
    """Return where a Chromium is, if there is one."""
    names = (os.environ.get("CHROMIUM"), "chromium", "chromium-browser", "google-chrome")
    return next((path for name in names if name and (path := shutil.which(name))), None)


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    sync_api = pytest.importorskip(
        "playwright.sync_api", reason="NO PLAYWRIGHT: the report page is NOT TESTED"
    )
    program = chromium()
    if program is None:
        pytest.skip("NO CHROMIUM: the report page is NOT TESTED; install it or set CHROMIUM")
    with sync_api.sync_playwright() as playwright:
        started = playwright.chromium.launch(
            executable_path=program, args=["--no-sandbox", "--disable-gpu"], timeout=MILLISECONDS
        )
        yield started
        started.close()


class Pages:
    """Opens files as pages; most tests get one that is kept: a fifth of the work of a new one."""

    USUAL = (1280, 900, "light", "en-US")
    AS_MADE = """() => ["print", "(prefers-color-scheme: dark)", "(prefers-reduced-motion: reduce)",
        "(forced-colors: active)"].every((media) => !matchMedia(media).matches)"""

    def __init__(self, browser: Any) -> None:
        self._browser = browser
        self._kept: Any = None
        self._in_use = False
        self._others: list[Any] = []
        self.troubles: list[str] = []

    def open(self, path: Path, *wanted: Any) -> Any:
        """Show a file to somebody with such a screen, taste and language."""
        if wanted != self.USUAL or self._in_use:
            page = self._made(*wanted)
            self._others.append(page.context)
        else:
            self._kept = page = self._kept or self._made(*wanted)
            self._in_use = True
        page.goto(path.as_uri())
        return page

    def _made(self, width: int, height: int, scheme: str, language: str) -> Any:
        context = self._browser.new_context(
            viewport={"width": width, "height": height}, color_scheme=scheme, locale=language
        )
        context.set_default_timeout(MILLISECONDS)
        context.add_init_script(DRAW_AT_ONCE)
        page = context.new_page()
        note = self.troubles.append
        page.on("console", lambda said: note(f"{said.type}: {said.text}"))
        page.on("pageerror", lambda error: note(f"error: {error}"))
        page.on("dialog", lambda dialog: note(f"dialog: {dialog.message}"))
        page.on("request", self._note_request)
        return page

    def _note_request(self, request: Any) -> None:
        if not request.url.startswith(("file:", "data:", "blob:", "about:")):
            self.troubles.append(f"request: {request.url}")

    def leave(self) -> None:
        """Close what one test opened, or leave it as it was."""
        for context in self._others:
            context.close()
        self._others.clear()
        if self._in_use:
            page, self._in_use = self._kept, False
            if page.is_closed() or not page.evaluate(self.AS_MADE):
                self._kept = None
                page.context.close()
            else:
                page.mouse.move(0, 0)
                page.goto("about:blank")


@pytest.fixture(scope="session")
def pages_of_all(browser: Any) -> Pages:
    return Pages(browser)


@pytest.fixture
def open_page(pages_of_all: Pages) -> Iterator[Open]:
    """Open a file as a page; in the end it must have complained of nothing, asked for nothing."""
    pages_of_all.troubles.clear()

    def show(
        path: Path,
        width: int = 1280,
        height: int = 900,
        scheme: str = "light",
        language: str = "en-US",
    ) -> Any:
        return pages_of_all.open(path, width, height, scheme, language)

    yield show
    pages_of_all.leave()
    assert pages_of_all.troubles == []


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave all that a browser shows out of `make quick`."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.slow)
