"""The report page where causes may be hidden: what the switch draws and says."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

import dagscape as ds


@pytest.fixture(scope="module")
def case(tmp_path_factory):
    network = ds.load_network("alarm")
    seen = [name for name in network.dag.names if name not in ("HR", "VENTLUNG")]
    data = network.sample(4000, seed=0).select(seen)
    result = ds.learn(data, method="ges", runs=0, resamples=0)
    path = tmp_path_factory.mktemp("hidden") / "report.html"
    result.report(path, title="Alarm")
    return SimpleNamespace(result=result, path=path)


@pytest.fixture
def page(open_page, case):
    return open_page(case.path)


def drawn(page):
    titles = page.locator("#graph .edge title").all_text_contents()
    return {title.split("   ")[0] for title in titles}


def written(edges):
    words = {"->": "→", "<->": "↔", "o->": "o→", "o-o": "o–o"}
    return {
        frozenset(
            (f"{a} {words[edge]} {b}", f"{b} {words[edge]} {a}")[
                : 1 if edge in ("->", "o->") else 2
            ]
        )
        for a, edge, b in edges
    }


def test_the_switch_redraws_and_rewords(page, case):
    pag = case.result.pag
    assert len(pag.bidirected) > 0
    before = drawn(page)
    assert not page.is_visible("#hidden-text")
    page.select_option("#hidden", "allowed")
    page.wait_for_selector("#hidden-text", state="visible")
    now = drawn(page)
    wanted = written(pag.edges)
    assert len(now) == len(wanted) == len(pag.edges)
    assert all(any(each in ways for ways in wanted) for each in now)
    heads = sum({"->": 1, "o->": 1, "<->": 2, "o-o": 0}[edge] for _, edge, _ in pag.edges)
    rings = sum({"->": 0, "o->": 1, "<->": 0, "o-o": 2}[edge] for _, edge, _ in pag.edges)
    assert page.locator("#graph .edge .head").count() == heads
    assert page.locator("#graph .edge .ring").count() == rings
    unsupported = page.locator("#graph .edge.unsure").count()
    assert unsupported == len(pag.edges) - len(case.result.hidden.arrows)
    assert page.inner_text("#count-arrows") == str(len(pag.directed))
    assert "selection" in page.inner_text("#hidden-text")
    page.select_option("#hidden", "none")
    page.wait_for_selector("#hidden-text", state="hidden")
    assert drawn(page) == before


def test_an_edge_says_what_is_left_of_it(page, case):
    page.select_option("#hidden", "allowed")
    page.wait_for_selector("#hidden-text", state="visible")
    cause, effect = case.result.hidden.arrows[0]
    page.locator(f'#graph .edge:has(title:text("{cause} → {effect}"))').first.dispatch_event(
        "click"
    )
    said = page.inner_text("#details")
    assert f"{cause} is a cause of {effect}, perhaps through others" in said
    assert "Tests of its own support the arrow" in said


def test_without_a_table_there_is_no_switch(open_page, case, tmp_path):
    path = tmp_path / "plain.html"
    case.result.plain().report(path)
    assert not open_page(path).is_visible("#hidden")
