"""The report page of a table with numbers: histograms, scatter plots, box plots, slopes."""

from __future__ import annotations

from xml.etree import ElementTree

import numpy as np
import pytest

import dagscape as ds
from dagscape.regression import edge_slopes

ROWS = 300


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    rng = np.random.default_rng(0)
    g = rng.choice(["no", "yes"], ROWS)
    x = rng.normal(10, 2, ROWS)
    y = 3 * x + 8 * (g == "yes") + rng.normal(size=ROWS)
    c = (x - 10) ** 2 + 0.3 * rng.normal(size=ROWS)
    data = ds.Data({"g": g, "x": x, "y": y, "c": c})
    knowledge = ds.Knowledge(required=[("x", "y"), ("g", "y")])
    learned = ds.learn(data, score="basis_bic(degree=1)", resamples=0, knowledge=knowledge)
    path = tmp_path_factory.mktemp("numbers") / "report.html"
    learned.report(path)
    return data, learned, path


def pick(page, name):
    page.locator("#search").fill(name)
    page.locator("#search").press("Enter")
    return page.locator("#details")


def test_a_variable_shows_how_its_values_lie(open_page, report):
    data, learned, path = report
    page = open_page(path)
    details = pick(page, "y")
    bars = details.locator("svg .bar title").all_text_contents()
    assert sum(int(bar.split()[0]) for bar in bars) == ROWS
    assert details.locator("svg .curve").count() == 1
    rows = details.locator("#slopes tbody tr").all_text_contents()
    assert len(rows) == 2
    (slope,) = edge_slopes(data, learned.dag, "x", "y")
    assert any(f"{slope.value:.2f}" in row and f"{slope.lower:.2f}" in row for row in rows)
    states = pick(page, "g")
    assert states.locator(".meter").count() == 1
    assert states.locator("svg .bar").count() == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_an_edge_between_numbers_shows_points_and_the_line(open_page, report, scheme):
    data, learned, path = report
    page = open_page(path, scheme=scheme)
    details = pick(page, "y")
    details.get_by_label("The edge x → y").click()
    assert details.locator("svg .point").count() == ROWS
    assert details.locator("svg .fit").count() == details.locator("svg .band").count() == 1
    (slope,) = edge_slopes(data, learned.dag, "x", "y")
    words = details.locator("#slope").text_content()
    assert f"rises by {slope.value:.2f} for one more unit of x, g held fixed" in words
    assert f"{slope.lower:.2f} to {slope.upper:.2f}" in words
    # The points are moved to where they would be without the other parent, so they hug the line.
    place = details.locator("svg").evaluate(
        """svg => {
            const path = svg.querySelector(".fit").getAttribute("d");
            const [x, y, right, end] = path.match(/[-0-9.]+/g).map(Number);
            const slope = (end - y) / (right - x);
            return [...svg.querySelectorAll(".point")].map(
                (p) => p.getAttribute("cy") - y - slope * (p.getAttribute("cx") - x));
        }"""
    )
    assert abs(np.mean(place)) < 1
    assert np.std(place) < 12


def test_a_mixed_edge_shows_boxes(open_page, report):
    _, _, path = report
    page = open_page(path)
    details = pick(page, "g")
    details.get_by_label("The edge g → y").click()
    titles = details.locator("svg .box title").all_text_contents()
    assert [title.split(":")[0] for title in titles] == ["no", "yes"]
    assert "yes" in details.locator("#slope").text_content()


def test_an_edge_between_states_shows_shares(open_page, tmp_path):
    rng = np.random.default_rng(1)
    a = rng.choice(["low", "mid", "high"], ROWS)
    b = np.where(rng.random(ROWS) < 0.9, a == "high", a == "low")
    b = np.where(b, "yes", "no")
    data = ds.Data({"a": a, "b": b, "x": rng.normal(size=ROWS)})
    knowledge = ds.Knowledge(required=[("b", "a")])
    ds.learn(data, resamples=0, runs=0, knowledge=knowledge).report(tmp_path / "report.html")
    page = open_page(tmp_path / "report.html")
    details = pick(page, "a")
    assert details.locator(".cpt tbody tr").count() == 2  # its table, given b
    details.get_by_label("The edge b → a").click()
    bars = details.locator("svg .crossed")
    assert bars.count() == 2
    for bar, state in zip((bars.nth(i) for i in range(2)), ("no", "yes"), strict=True):
        titles = bar.locator("title").all_text_contents()
        for title in titles:
            label, rest = title.split(": ")
            told = float(rest.split(" %")[0])
            assert told == pytest.approx(100 * (a[b == state] == label).mean(), abs=0.06)
        assert sum(float(title.split(": ")[1].split(" %")[0]) for title in titles) == pytest.approx(
            100, abs=0.2
        )


def test_what_is_no_line_is_said_at_the_top_and_drawn(open_page, report):
    _, learned, path = report
    assert {"c", "x"} in [{one.child, one.parent} for one in learned.not_linear]
    page = open_page(path)
    assert "c by x" in page.locator("#bends").text_content()
    page.locator("#bends button", has_text="c by x").click()
    details = page.locator("#details")
    assert details.locator("svg .bent").count() == 1
    assert "clearly not a line" in details.locator("#bend").text_content()


def test_a_picture_can_be_saved(open_page, report):
    _, _, path = report
    page = open_page(path)
    details = pick(page, "y")
    with page.expect_download() as waiting:
        details.get_by_role("button", name="Save SVG").click()
    text = waiting.value.path().read_text("utf-8")
    assert ElementTree.fromstring(text).tag.endswith("svg")
    assert "var(" not in text


def test_a_page_of_states_says_nothing_of_numbers(open_page, tmp_path):
    data = ds.load_network("asia").sample(200, seed=0)
    ds.learn(data, runs=0, resamples=0).report(tmp_path / "report.html")
    page = open_page(tmp_path / "report.html")
    assert page.locator("#bends").is_hidden()
    page.locator("#graph .node").first.click()
    assert page.locator("#details .chart").count() == 0
