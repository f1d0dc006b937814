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


@pytest.fixture
def open_page(browser: Any) -> Iterator[Open]:
    """Open a file as a page; in the end it must have complained of nothing, asked for nothing."""
    contexts: list[Any] = []
    troubles: list[str] = []

    def note_request(request: Any) -> None:
        if not request.url.startswith(("file:", "data:", "blob:")):
            troubles.append(f"request: {request.url}")

    def show(
        path: Path,
        width: int = 1280,
        height: int = 900,
        scheme: str = "light",
        language: str = "en-US",
    ) -> Any:
        context = browser.new_context(
            viewport={"width": width, "height": height}, color_scheme=scheme, locale=language
        )
        contexts.append(context)
        context.set_default_timeout(MILLISECONDS)
        context.add_init_script(DRAW_AT_ONCE)
        page = context.new_page()
        page.on("console", lambda said: troubles.append(f"{said.type}: {said.text}"))
        page.on("pageerror", lambda error: troubles.append(f"error: {error}"))
        page.on("dialog", lambda dialog: troubles.append(f"dialog: {dialog.message}"))
        page.on("request", note_request)
        page.goto(path.as_uri())
        return page

    yield show
    for context in contexts:
        context.close()
    assert troubles == []


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave all that a browser shows out of `make quick`."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.slow)
