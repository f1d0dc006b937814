"""The report page of a table with numbers: the graph is drawn, and nothing breaks."""

from __future__ import annotations

import numpy as np

import dagscape as ds


def test_a_page_of_states_and_numbers(open_page, tmp_path):
    rng = np.random.default_rng(0)
    g = rng.integers(0, 2, 300)
    x = rng.normal(size=300) + 2 * g
    data = ds.Data({"g": g, "x": x, "y": x + rng.normal(size=300)})
    path = tmp_path / "report.html"
    ds.learn(data, runs=5).report(path)
    page = open_page(path)
    failed = []
    page.on("pageerror", lambda error: failed.append(str(error)))
    assert page.locator("#graph .edge").count() == 2
    for node in page.locator("#graph .node").all():
        node.click()
    assert not failed
