"""What a reader does on the page."""

from __future__ import annotations


def slide(page, value):
    page.locator("#threshold").fill(str(value))


def number(page, name):
    return int(page.inner_text(f"#{name}").split()[0].replace(",", ""))


def drawn(page, mark):
    return page.locator(f"#graph .edge.{mark}").count()


def pick_edge(page, where):
    """Click the middle of a line, as a user would."""
    x, y = page.evaluate(
        """(where) => {
            const line = document.querySelector(`${where} .hit`);
            line.scrollIntoView({ block: "center" });
            const middle = line.getPointAtLength(line.getTotalLength() / 2);
            const at = middle.matrixTransform(line.getScreenCTM());
            return [at.x, at.y];
        }""",
        where,
    )
    page.mouse.click(x, y)
