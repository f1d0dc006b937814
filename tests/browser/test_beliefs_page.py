"""Beliefs in the drawing, and answers about numbers: the page says what the engine does."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

import dagscape as ds
from dagscape.networks import GaussianNode


def page_of(network, path, rows=400):
    data = network.sample(rows, seed=0)
    found = ds.hill_climb(data, restarts=0)
    found.report(path, data=data)
    return SimpleNamespace(path=path, network=ds.fit(found.dag, data), dag=found.dag)


@pytest.fixture(scope="module")
def cases(tmp_path_factory):
    folder = tmp_path_factory.mktemp("beliefs")
    dag = ds.Dag(
        ["sex", "dose", "age", "bmi", "risk"],
        [("sex", "bmi"), ("dose", "bmi"), ("age", "bmi"), ("bmi", "risk"), ("age", "risk")],
    )
    nodes = {
        "sex": [0.5, 0.5],
        "dose": [0.2, 0.5, 0.3],
        "age": GaussianNode(50.0, 12.0),
        "bmi": GaussianNode(
            [[24.0, 27.0, 31.0], [22.0, 24.0, 30.0]],
            [[2.0] * 3, [3.0] * 3],
            [[[0.1]] * 3, [[0.02]] * 3],
            [50.0],
        ),
        "risk": GaussianNode(10.0, 3.0, [0.5, 0.2], [25.0, 50.0]),
    }
    lines = ds.Network(dag, {"sex": ["f", "m"], "dose": ["none", "low", "high"]}, nodes)
    return {
        "asia": page_of(ds.load_network("asia"), folder / "asia.html"),
        "lines": page_of(lines, folder / "lines.html"),
        "odds": page_of(
            ds.random_network(6, kind="mixed", seed=3, states=(2, 3)), folder / "odds.html"
        ),
    }


def beliefs(page, network):
    """Return what the bars of the drawing show, by variable."""
    told = page.eval_on_selector_all(
        "[data-belief]", "all => all.map((bar) => [bar.dataset.belief, bar.dataset.p])"
    )
    found = {name: [] for name in network.names}
    for at, p in told:
        found[network.names[int(at.split()[0])]].append(float(p))
    return found


def click_bar(page, case, name, state):
    names = case.dag.names
    at = f"{names.index(name)} {case.network.states[name].index(state)}"
    page.locator(f'[data-belief="{at}"] .belief-hit').dispatch_event("click")


def test_a_click_on_a_bar_is_answered_in_the_drawing_and_the_cards(open_page, cases):
    case = cases["asia"]
    net, page = case.network, open_page(case.path)
    page.check("#beliefs")
    click_bar(page, case, "xray", "yes")
    for name, seen in net.query_all({"xray": "yes"}).items():
        assert np.allclose(beliefs(page, net)[name], seen.array, atol=2e-6), name
    assert page.locator(".ask-card.given").count() == 1
    # What changed most comes first, in words and in the cards.
    before, now = net.query_all(), net.query_all({"xray": "yes"})
    moves = {x: abs(now[x].array - before[x].array).sum() / 2 for x in net.names if x != "xray"}
    order = [x for x in sorted(moves, key=moves.get, reverse=True) if moves[x] >= 0.005]
    assert page.locator("#ask-moved button").all_text_contents() == order[:6]
    page.select_option("#ask-order", "changed")
    cards = page.locator("#ask-cards [data-card] h3").all_text_contents()
    assert cards[: len(order) + 1] == ["xray", *order]
    # Seen and set together.
    click_bar(page, case, "bronc", "yes")
    page.click(f'[data-way="{case.dag.names.index("bronc")}"]')
    both = net.do({"bronc": "yes"}).query_all({"xray": "yes"})
    for name, answer in both.items():
        assert np.allclose(beliefs(page, net)[name], answer.array, atol=2e-6), name
    said = page.inner_text("#ask-said")
    share = net.do({"bronc": "yes"}).query("xray")["yes"]
    assert said.startswith(
        "If somebody makes it so that bronc = yes, among cases that then happen to have "
        f"xray = yes, which are {100 * share:.3g} % of these."
    )
    assert not page.is_checked("#ask-see")
    assert not page.is_checked("#ask-do")
    assert page.locator("#graph .node.set").get_attribute("aria-label") == "bronc"
    page.click("#ask-clear")
    # By keyboard: the second state of the variable where the arrows are.
    page.focus("#graph")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("2")
    given = page.locator("#graph .node.given").get_attribute("aria-label")
    alone = net.query_all({given: net.states[given][1]})
    assert np.allclose(beliefs(page, net)["dysp"], alone["dysp"].array, atol=2e-6)


def numbers_agree(page, net, answers, most=1e-6):
    """The cards show these answers, means and deviations to a share of the deviation."""
    for node, name in enumerate(net.names):
        if net.states[name]:
            cells = page.locator(f'[data-ask^="{node} "]')
            shown = [float(cells.nth(i).get_attribute("data-p")) for i in range(cells.count())]
            assert np.allclose(shown, answers[name].array, atol=most), name
        else:
            told = page.locator(f'.figure[data-node="{node}"]')
            unit = most * max(1.0, answers[name].sd)
            assert abs(float(told.get_attribute("data-mean")) - answers[name].mean) <= unit, name
            assert abs(float(told.get_attribute("data-sd")) - answers[name].sd) <= unit, name


def write(page, net, name, value):
    field = page.locator(f'[data-number="{net.names.index(name)}"]')
    field.fill(str(value))
    field.press("Enter")


def test_numbers_with_states_are_answered_exactly(open_page, cases):
    net, page = cases["lines"].network, open_page(cases["lines"].path)
    numbers_agree(page, net, net.query_all())
    write(page, net, "risk", 14)
    numbers_agree(page, net, net.query_all({"risk": 14.0}))
    page.click(f'[data-ask="{net.names.index("sex")} 1"]')
    numbers_agree(page, net, net.query_all({"risk": 14.0, "sex": net.states["sex"][1]}))
    page.check("#ask-do")
    numbers_agree(page, net, net.do({"risk": 14.0, "sex": net.states["sex"][1]}).query_all())
    page.check("#beliefs")
    assert page.locator(".belief-before").count() == sum(not s for s in net.states.values())
    page.click("#ask-clear")
    numbers_agree(page, net, net.query_all())


def test_states_that_follow_numbers_are_estimated_and_that_is_said(open_page, cases):
    net, page = cases["odds"].network, open_page(cases["odds"].path)
    assert any(net.node(x).kind == "softmax" for x in net.names)
    state = next(x for x in net.names if net.states[x])
    page.click(f'[data-ask="{net.names.index(state)} 0"]')
    assert "Estimated from 40,000 drawn cases, worth" in page.inner_text("#ask-said")
    numbers_agree(page, net, net.query_all({state: net.states[state][0]}), 0.03)
