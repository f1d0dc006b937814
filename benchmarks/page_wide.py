"""What pages of large networks take: megabytes, seconds to write, and seconds until they are open.

    python benchmarks/page_wide.py                    # 37 to 10,000 variables
    python benchmarks/page_wide.py 500 2000

Needs Chromium and playwright. Seconds are those of processors: of this process for writing, and of
the thread that draws for opening (what Chromium counts for its tasks: script, layout and painting),
so that other programs hardly show in them.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from page_beliefs import chromium
from playwright.sync_api import sync_playwright

import dagscape as ds

SIZES = (37, 200, 500, 2000, 10000)
ROWS = 1000


def main() -> None:
    """Write a page of each size, open it, and print a row."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("sizes", type=int, nargs="*", default=SIZES)
    sizes = parser.parse_args().sizes
    sys.stdout.write("variables | MB | to write, CPU s | to open, CPU s | drawn at first\n")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        for size in sizes:
            path = Path(folder, "page.html")
            data = ds.random_network(size, seed=1).sample(ROWS, seed=0)
            found = ds.wide_search(data, rounds=1)
            begun = time.process_time()
            found.report(path, data=data)
            written = time.process_time() - begun
            opened, drawn = opening(browser, path)
            megabytes = path.stat().st_size / 1e6
            sys.stdout.write(
                f"{size:,} | {megabytes:.2f} | {written:.1f} | {opened:.1f} | {drawn}\n"
            )
            sys.stdout.flush()
        browser.close()


def opening(browser: Any, path: Path) -> tuple[float, int]:
    """Return the seconds until a page is open, and the nodes or clusters that it draws."""
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})
    page.goto(path.as_uri())
    metrics = session.send("Performance.getMetrics")["metrics"]
    seconds = next(one["value"] for one in metrics if one["name"] == "TaskDuration")
    drawn = page.locator("#graph .node").count()
    page.close()
    return seconds, drawn


if __name__ == "__main__":
    main()
