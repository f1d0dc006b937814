"""The page of rows from experiments: its section, and answers beside an experiment's own rows."""

from __future__ import annotations

import re

import numpy as np
import pytest

import dagscape as ds


def columns(rows=600):
    """Return rows of a -> b -> c -> d, of which some are from experiments on b and on d."""
    rng = np.random.default_rng(3)
    what = np.array(["", "b", "d"], dtype=object)[np.arange(rows) % 3]
    a = rng.integers(0, 2, rows)
    b = np.where(what == "b", rng.integers(0, 2, rows), a ^ (rng.random(rows) < 0.1))
    c = b ^ (rng.random(rows) < 0.1)
    d = np.where(what == "d", 1.5, 2 * c + rng.normal(size=rows))
    return {"a": a, "b": b, "c": c, "d": d, "what": what}


@pytest.fixture(scope="module")
def paths(tmp_path_factory):
    """Return the pages of the table in two states each, and with a column of numbers."""
    folder, own = tmp_path_factory.mktemp("experiments"), columns()
    done = ds.Interventions(column="what")
    tables = {
        "states": ds.Data({**own, "d": (own["d"] > 1).astype(int)}, interventions=done),
        "numbers": ds.Data(own, interventions=done),
    }
    for name, data in tables.items():
        ds.learn(data, runs=0, resamples=4).report(folder / f"{name}.html")
    return folder


def test_the_section_shows_strip_directions_and_ranking(open_page, paths):
    page = open_page(paths / "states.html")
    section = page.locator("#sections section", has_text="Directions owed to each experiment")
    assert section.locator("h2").inner_text() == "Experiments"
    strip = section.locator("img")
    assert strip.get_attribute("alt")
    assert strip.evaluate("one => one.complete && one.naturalWidth > 100")
    told = section.inner_text()
    assert "rows by what: none 200, b 200, d 200" in told
    assert "of 3 edges: 3 from experiments." in told
    owed = section.locator("details", has_text="Directions owed to each experiment")
    assert not owed.locator("table").is_visible()
    owed.locator("summary").click()
    assert re.search(r"b\s+200\s+b\s+a → b, b → c", owed.inner_text())
    ranked = section.locator("details", has_text="Which experiment next")
    ranked.locator("summary").click()
    assert ranked.locator("tbody tr").count() == 4


def do(page, node, code):
    page.check("#ask-do")
    page.click(f'[data-ask="{node} {code}"]')


def test_what_is_set_is_shown_beside_the_experiments_own_rows(open_page, paths):
    page, own = open_page(paths / "states.html"), columns()
    assert page.locator(".own:visible").count() == 0
    do(page, 1, 1)
    here = (own["what"] == "b") & (own["b"] == 1)
    share = own["c"][here].mean()
    ring = page.locator('[data-ask="2 1"]')
    assert f"measured {100 * share:.1f} %" in ring.get_attribute("aria-label")
    assert ring.locator(".own").evaluate("one => parseFloat(one.style.left)") == pytest.approx(
        100 * share, abs=0.02
    )
    assert f"{here.sum()} rows in which the experiment “b” did set it so" in page.inner_text(
        "#ask-said"
    )
    # Not of what was set, nor where it is seen, nor where more is given.
    assert page.locator('[data-card="1"] .own:visible').count() == 0
    page.check("#ask-see")
    assert page.locator(".own:visible").count() == 0
    page.check("#ask-do")
    page.click('[data-ask="0 1"]')
    assert page.locator(".own:visible").count() == 0


def test_means_of_numbers_too(open_page, paths):
    page, own = open_page(paths / "numbers.html"), columns()
    do(page, 1, 0)
    here = (own["what"] == "b") & (own["b"] == 0)
    told = page.locator('[data-card="3"] .own-mean').inner_text().replace("−", "-")
    assert told.startswith("measured ")
    assert float(told.split()[1]) == pytest.approx(own["d"][here].mean(), abs=1e-3)
    page.click("#ask-clear")
    page.fill('[data-number="3"]', "1.5")
    page.press('[data-number="3"]', "Enter")
    page.check("#ask-do")
    share = own["a"][own["what"] == "d"].mean()
    assert f"measured {100 * share:.1f} %" in page.get_attribute('[data-ask="0 1"]', "aria-label")
