"""Take the picture of the report page that the documentation shows; needs Chromium.

python tools/report_picture.py docs/explain/report.png
"""

import shutil
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

import dagscape as ds

NAMES = ("chromium", "chromium-browser", "google-chrome")


def main() -> int:
    """Write the picture; return the exit code."""
    program = next((path for name in NAMES if (path := shutil.which(name))), None)
    if program is None or len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    truth = ds.load_network("alarm")
    data = truth.sample(1000, seed=0)
    result = ds.exact(data, score="bic", max_parents=3)
    landscape = ds.local_optima(data, runs=200)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        page_file = Path(folder, "report.html")
        result.report(
            page_file, data=data, landscape=landscape, truth=truth, title="ALARM, 1,000 rows"
        )
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1280, "height": 1180})
        page.goto(page_file.as_uri())
        page.click('#edges-table button[aria-label="The edge ERRCAUTER → HREKG"]')
        page.evaluate("window.scrollTo(0, 0)")
        page.mouse.move(0, 0)  # from the line that came below it
        page.screenshot(path=sys.argv[1])
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
