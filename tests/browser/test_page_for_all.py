"""The page for everyone: axe finds nothing, paper cuts nothing off, numbers are typed as usual."""

from __future__ import annotations

from importlib.resources import files

import numpy as np
import pytest

import dagscape as ds
from browser.report_page.page_actions import pick_edge


@pytest.fixture(scope="module")
def axe():
    """The script of axe-core, as its package holds it: nothing is fetched."""
    pytest.importorskip(
        "axe_playwright_python", reason="NO AXE: accessibility of the page is NOT TESTED"
    )
    return (files("axe_playwright_python") / "axe.min.js").read_text("utf-8")


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """A page of states with all that learning tells, and one of mixed columns."""
    folder = tmp_path_factory.mktemp("pages")
    known = ds.Knowledge(tiers=[["asia", "smoke"], ["tub", "lung", "bronc", "either"]])
    data = ds.load_network("asia").sample(500, seed=1)
    learned = ds.learn(data, knowledge=known, runs=20, resamples=5)
    learned.report(folder / "states.html")
    rng = np.random.default_rng(0)
    size = rng.normal(20, 4, 200)
    weight = 2 * size + rng.normal(0, 3, 200)
    kind = np.where(weight + rng.normal(0, 5, 200) > 40, "long", "short")
    mixed = ds.Data({"size": size, "weight": weight, "kind": kind})
    ds.learn(mixed, runs=5, resamples=3).report(folder / "mixed.html")
    return folder


def findings(page, axe):
    """What axe finds, in a line each."""
    page.evaluate(axe)
    found = page.evaluate("axe.run(document, { resultTypes: ['violations'] })")
    return [
        f"{one['impact']} {one['id']}: {one['help']}: {node['html'][:120]}"
        for one in found["violations"]
        for node in one["nodes"]
    ]


@pytest.mark.parametrize(
    ("name", "width", "scheme"),
    [("states", 1280, "light"), ("states", 390, "dark"), ("mixed", 390, "light")],
)
def test_axe_finds_nothing(open_page, pages, axe, name, width, scheme):
    page = open_page(pages / f"{name}.html", width=width, scheme=scheme)
    for summary in page.locator("summary:visible").all():
        summary.click()
    page.check("#beliefs")
    page.locator("#ask-cards button.ask-state").first.click()
    page.select_option("#target", index=2)
    assert findings(page, axe) == []
    pick_edge(page, "#graph .edge")
    assert findings(page, axe) == []


@pytest.mark.parametrize("name", ["states", "mixed"])
def test_paper_is_as_wide_as_what_is_printed(open_page, pages, name):
    page = open_page(pages / f"{name}.html", width=688)  # A4 without its margins
    page.emulate_media(media="print")
    wide = page.eval_on_selector_all(
        "table", "all => all.filter((t) => t.scrollWidth > 688).map((t) => t.id)"
    )
    assert wide == []
    head = page.eval_on_selector("#edges-table th button", "one => getComputedStyle(one).display")
    assert head == "contents"  # a button that is a box is not drawn on the table's next page
    assert not page.is_visible("#about-one")  # no variable was chosen
    assert not page.is_visible("#wanted")


AT_HOME = {
    "de-DE": {"21,5": 21.5, "1.234,5": 1234.5, "1,234": 1.234, "-3": -3},
    "fr-FR": {"1\u202f234,5": 1234.5, "−21,5": -21.5, "21.5": 21.5},
    "en-US": {"21.5": 21.5, "1,234.5": 1234.5, "1,234": 1234, "1,5": 1.5, "2e1": 20},
}


@pytest.mark.parametrize("language", AT_HOME)
def test_a_number_is_read_as_the_browsers_language_writes_it(open_page, pages, language):
    page = open_page(pages / "mixed.html", language=language)
    page.check("#beliefs")
    for typed, meant in AT_HOME[language].items():
        page.fill('[data-number="0"]', typed)
        page.press('[data-number="0"]', "Enter")
        shown = page.get_attribute('[data-belief="0 number"]', "data-p")
        assert float(shown) == pytest.approx(meant, rel=1e-9), typed


def test_what_is_no_number_is_said_and_changes_nothing(open_page, pages):
    page = open_page(pages / "mixed.html", language="de-DE")
    for typed, given in (("21,5", 1), ("many", 1), ("", 0)):
        page.fill('[data-number="0"]', typed)
        page.press('[data-number="0"]', "Enter")
        odd = page.get_attribute('[data-number="0"]', "aria-invalid")
        assert odd == ("true" if typed == "many" else "false")
        assert page.locator(".ask-card.given").count() == given


def test_the_page_writes_numbers_alike_in_every_language(open_page, pages):
    told = {
        language: open_page(pages / "states.html", language=language).inner_text("main")
        for language in ("en-US", "de-DE", "fr-FR")
    }
    assert len(set(told.values())) == 1
