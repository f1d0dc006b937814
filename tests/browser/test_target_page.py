"""About one variable: what to ask next, what its answer rests on, and the tornado."""

from __future__ import annotations

import numpy as np
import pytest

import dagscape as ds
from dagscape.networks import GaussianNode
from dagscape.report.page_effects import effects_of


def bits(joint):
    """Mutual information of a table of two variables, from the definition."""
    apart = joint.sum(axis=1, keepdims=True) * joint.sum(axis=0, keepdims=True)
    there = joint > 0
    return float((joint[there] * np.log2(joint[there] / apart[there])).sum())


def choose(page, field, value):
    page.select_option(field, str(value))


def test_questions_contributions_and_tornado_are_the_engines(open_page, tmp_path):
    data = ds.load_network("asia").sample(600, seed=0)
    found = ds.hill_climb(data, restarts=0)
    found.report(tmp_path / "r.html", data=data)
    net, names = ds.fit(found.dag, data), list(found.dag.names)
    page = open_page(tmp_path / "r.html")
    for name in ("xray", "dysp"):
        page.click(f'[data-ask="{names.index(name)} {net.states[name].index("yes")}"]')
    given = {"xray": "yes", "dysp": "yes"}
    choose(page, "#target", names.index("lung"))
    choose(page, "#target-state", net.states["lung"].index("yes"))
    open_ = [x for x in names if x not in (*given, "lung")]

    told = {x: bits(net.query(["lung", x], given).array) for x in open_}
    asked = page.eval_on_selector_all(
        "[data-question]", "all => all.map((q) => [+q.dataset.question, +q.dataset.bits])"
    )
    assert {names[i]: pytest.approx(b, abs=2e-6) for i, b in asked} == {
        x: b for x, b in told.items() if b >= 0.0005
    }
    assert [b for _, b in asked] == sorted((b for _, b in asked), reverse=True)

    now = net.query("lung", given)["yes"]
    rows = page.locator("#contributions tbody tr")
    for i in range(rows.count()):
        gone = names[int(rows.nth(i).get_attribute("data-rests"))]
        rest = {x: state for x, state in given.items() if x != gone}
        without = net.query("lung", rest)["yes"]
        cells = rows.nth(i).locator("td").all_inner_texts()
        assert cells == [
            f"{100 * without:.1f} %",
            f"{'+' if now >= without else '−'}{100 * abs(now - without):.1f} points",
        ]

    bars = page.eval_on_selector_all(
        "[data-tornado]",
        "all => all.map((b) => [+b.dataset.tornado, +b.dataset.low, +b.dataset.high])",
    )
    assert bars
    for node, low, high in bars:
        x = names[node]
        ends = [net.query("lung", given | {x: state})["yes"] for state in net.states[x]]
        assert (low, high) == pytest.approx((min(ends), max(ends)), abs=2e-6), x
    spans = [high - low for _, low, high in bars]
    assert spans == sorted(spans, reverse=True)

    # A question is answered, another skipped; the variable itself may be given.
    first, second = (names[i] for i, _ in asked[:2])
    page.click(f'[data-skip="{names.index(second)}"]')
    assert page.locator(f'[data-question="{names.index(second)}"]').count() == 0
    assert "1 question skipped." in page.inner_text("#questions-said")
    page.click("#unskip")
    page.click(f'[data-answer="{names.index(first)} 0"]')
    assert page.locator(f'[data-card="{names.index(first)}"].given').count() == 1
    assert page.locator(f'[data-question="{names.index(first)}"]').count() == 0
    page.click(f'[data-ask="{names.index("lung")} 0"]')
    assert page.inner_text("#target-said") == "lung is given: take it back to ask about it."


def test_numbers_tell_by_how_they_lie(open_page, tmp_path):
    """Of two normal variables information is −½ log2(1 − ρ²); few values stand for the target."""
    dag = ds.Dag(["x", "y", "z"], [("x", "y")])
    nodes = {
        "x": GaussianNode(0.0, 1.0),
        "y": GaussianNode(0.0, 0.8, [0.6]),
        "z": GaussianNode(0.0, 1.0),
    }
    data = ds.Network(dag, {}, nodes).sample(500, seed=3)
    found = ds.exact(data, score="gaussian_bic")
    found.report(tmp_path / "r.html", data=data)
    page = open_page(tmp_path / "r.html")
    names = found.dag.names
    choose(page, "#target", names.index("y"))
    told = page.locator("[data-question]")
    assert told.count() == 1
    assert told.get_attribute("data-question") == str(names.index("x"))
    rho = np.corrcoef(data.numbers["x"], data.numbers["y"])[0, 1]
    expected = -0.5 * np.log2(1 - rho**2)
    assert float(told.get_attribute("data-bits")) == pytest.approx(expected, rel=0.1)


def test_effects_by_structure_are_those_of_the_page_data(open_page, tmp_path):
    data = ds.load_network("asia").sample(300, seed=0)
    learned = ds.learn(data, runs=5, resamples=3)
    learned.report(tmp_path / "r.html")
    told = effects_of(learned, data)
    page = open_page(tmp_path / "r.html")
    names = data.names
    dysp = names.index("dysp")
    choose(page, "#target", dysp)
    choose(page, "#target-state", 1)
    rows = [row for row in told["rows"] if (row["outcome"], row["state"]) == (dysp, 1)]
    rows.sort(key=lambda row: (-abs(row["mean"]), row["cause"]))
    drawn = page.eval_on_selector_all(
        "[data-effect]",
        "all => all.map((one) => ['effect', 'mean', 'lowest', 'highest']"
        ".map((name) => Number(one.dataset[name])))",
    )
    assert drawn == [[row[x] for x in ("cause", "mean", "lowest", "highest")] for row in rows]
    said = page.inner_text("#effects")
    assert f"{told['networks']} networks drawn from the posterior" in said
    choose(page, "#target", names.index("asia"))
    assert page.is_visible("#effects-box")
