"""Knowledge by clicking costs what the engine finds, and the file is one that learn takes."""

from __future__ import annotations

from base64 import b64decode
from itertools import combinations

import numpy as np
import pytest

import dagscape as ds
from dagscape.report.page_families import families_of


@pytest.fixture(scope="module")
def case(tmp_path_factory):
    data = ds.load_network("asia").sample(800, seed=4)
    known = ds.Knowledge(forbidden=[("dysp", "bronc")], max_parents={"either": 3})
    problem = ds.Problem(data, score="bdeu", max_parents=3, knowledge=known)
    found = ds.exact(problem)
    path = tmp_path_factory.mktemp("wanted") / "r.html"
    origin = {"file": "a b.csv", "command": "dagscape learn 'a b.csv' --out 'x y' --seed 3"}
    found.report(path, data=data, origin=origin)
    return data, known, found, path


def add(page, data, kind, a, b):
    for field, name in (("from", a), ("to", b)):
        page.select_option(f"#wanted-{field}", str(data.names.index(name)))
    page.select_option("#wanted-kind", kind)
    page.click("#wanted-add")


def test_what_knowledge_costs_is_what_the_engine_finds(open_page, case, tmp_path):
    data, known, found, path = case
    page = open_page(path)

    def agrees(more):
        both = known.also(more)
        problem = ds.Problem(data, score="bdeu", max_parents=3, knowledge=both)
        best = ds.exact(problem)
        assert best.optimal
        cost = float(page.get_attribute("#wanted-cost", "data-nats"))
        assert cost == pytest.approx(found.score - best.score, abs=1e-3)
        assert "(exact)" in page.inner_text("#wanted-cost")
        (tmp_path / "k.toml").write_text(page.inner_text("#wanted-toml"))
        assert ds.read_knowledge(tmp_path / "k.toml").to_dict() == both.to_dict()

    assert page.locator("#wanted-cost").is_hidden()
    add(page, data, "required", "asia", "xray")
    agrees(ds.Knowledge(required=[("asia", "xray")]))
    add(page, data, "apart", "lung", "smoke")
    apart = [("lung", "smoke"), ("smoke", "lung")]
    agrees(ds.Knowledge(required=[("asia", "xray")], forbidden=apart))
    assert page.inner_text("#wanted-call") == (
        "dagscape learn 'a b.csv' --seed 3 --knowledge knowledge.toml --out with-knowledge"
    )
    page.locator("#wanted-list button").first.click()
    agrees(ds.Knowledge(forbidden=apart))
    for _ in range(2):
        page.locator("#wanted-list button").first.click()
    assert page.locator("#wanted-result").is_hidden()
    # Where an edge is picked, and where a variable is: tiers.
    a, b = (data.names.index(name) for name in found.dag.arcs[0])
    page.evaluate(
        """([a, b]) => [...document.querySelectorAll('#edges-table tbody tr')].find((row) => {
            const ends = [...row.children].slice(0, 2).map((cell) => cell.textContent);
            return ends.includes(a) && ends.includes(b);
        }).querySelectorAll('button')[2].click()""",
        list(found.dag.arcs[0]),
    )
    page.click(f'[data-want="required {b} {a}"]')
    agrees(ds.Knowledge(required=[found.dag.arcs[0][::-1]]))
    page.locator("#wanted-list button").first.click()
    page.fill("#search", "xray")
    page.click('[data-tier="-1"]')
    agrees(ds.Knowledge(tiers=[["xray"], [x for x in data.names if x != "xray"]]))
    # By the mouse: dragged down twice, it comes after all others.
    page.check("#drag-tiers")
    for _ in range(2):
        node = page.locator(f"#node-{data.names.index('xray')} .frame")
        node.scroll_into_view_if_needed()
        box = node.bounding_box()
        page.mouse.move(box["x"] + 5, box["y"] + 5)
        page.mouse.down()
        page.mouse.move(box["x"] + 5, box["y"] + 65)
        page.mouse.up()
    agrees(ds.Knowledge(tiers=[[x for x in data.names if x != "xray"], ["xray"]]))
    # What cannot be is said.
    add(page, data, "required", "xray", "tub")
    assert page.inner_text("#wanted-cost").startswith("Nothing obeys all of this")


def test_of_many_variables_the_cost_is_a_bound_and_that_is_said(open_page, tmp_path):
    data = ds.load_network("alarm").sample(500, seed=1)
    found = ds.hill_climb(data, score="bic", restarts=0)
    found.report(tmp_path / "r.html", data=data)
    page = open_page(tmp_path / "r.html")
    arc = found.dag.arcs[0]
    add(page, data, "apart", *arc)
    cost = float(page.get_attribute("#wanted-cost", "data-nats"))
    without = [other for other in found.dag.arcs if other != arc]
    assert cost <= found.score - ds.score(data, without, score="bic") + 1e-3
    said = page.inner_text("#wanted-cost")
    assert "(exact" not in said
    assert "learn looks further" in said


def test_stored_losses_are_local_scores():
    data = ds.load_network("asia").sample(300, seed=2)
    found = ds.hill_climb(data, score="bic", restarts=0)
    told = families_of(found, data)
    names, most = found.dag.names, told["max_parents"]
    assert most == 4
    losses = iter(np.frombuffer(b64decode(told["losses"]), "<f4"))
    for child, name in enumerate(names):
        others = [other for i, other in enumerate(names) if i != child]
        sets = [some for size in range(most + 1) for some in combinations(others, size)]
        own = {some: float(next(losses)) for some in sets}
        for some in ((), (others[0],), tuple(others[2:5])):
            apart = ds.local_score(data, name, some, score="bic") - ds.local_score(
                data, name, min(own, key=own.get), score="bic"
            )
            assert own[some] == pytest.approx(-apart, abs=1e-3)
    assert next(losses, None) is None
    assert families_of(found, None) is None
