"""Time beliefs in the drawing: what a click on a bar costs until the page has answered.

    python benchmarks/page_beliefs.py                 # ALARM, and 8 copies of it by neighborhoods
    python benchmarks/page_beliefs.py --clicks 40

Needs Chromium and playwright. Time is that of the processor in the thread that draws (what Chromium
counts for its tasks: script, layout and painting), so that other programs do not show in it. A
screen that is drawn 60 times a second has 16.7 ms for each picture.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import sys
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

import dagscape as ds

ROWS = 1000
COPIES = 8
DRAWN = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
CLICK = """(i) => {
  const bars = [...document.querySelectorAll("#graph .belief:not(.given)")];
  bars[(7919 * i) % bars.length].dispatchEvent(new MouseEvent("click", { bubbles: true }));
  return bars.length;
}"""


def main() -> None:
    """Write the pages, click, and print a row for each."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--clicks", type=int, default=20, help="clicks on each page")
    clicks = parser.parse_args().clicks
    known = {"ALARM": ds.load_network("alarm")}
    known[f"{COPIES} copies of it"] = known["ALARM"].tile(COPIES)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        for network in known.values():
            path = Path(folder, "page.html")
            data = network.sample(ROWS, seed=0)
            score = ds.score(data, network.dag, score="bic")
            result = ds.Result(dag=network.dag, score=score, score_name="bic", method="drawn")
            result.report(path, data=data)
            row = timed(browser, path, clicks)
            sys.stdout.write(f"{row} | {path.stat().st_size / 1e6:.2f} MB\n")
        browser.close()


def timed(browser: Any, path: Path, clicks: int) -> str:
    """Return what is drawn, and the milliseconds of clicks, each on another bar."""
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.goto(path.as_uri())
    page.check("#beliefs")
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})

    def busy() -> float:
        metrics = session.send("Performance.getMetrics")["metrics"]
        return next(one["value"] for one in metrics if one["name"] == "TaskDuration")

    times, bars = [], 0
    for i in range(clicks):
        page.evaluate(DRAWN)
        before = busy()
        bars = page.evaluate(CLICK, i + 1)
        page.evaluate(DRAWN)
        times.append(1000 * (busy() - before))
        if i % 3 == 2:  # so that what is given stays possible
            page.click("#ask-clear")
    drawn = page.locator("#graph .node").count()
    page.close()
    return f"{drawn} | {bars} | {statistics.median(times):.1f} | {max(times):.1f}"


def chromium() -> str | None:
    """Return where a Chromium is."""
    names = (os.environ.get("CHROMIUM"), "chromium", "chromium-browser", "google-chrome")
    return next((path for name in names if name and (path := shutil.which(name))), None)


if __name__ == "__main__":
    main()
