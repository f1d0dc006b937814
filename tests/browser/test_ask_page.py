"""Ask the network on the report page: what it computes is what the package answers."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest

import dagscape as ds


def page_of(network, path, **about):
    """Write the page of a network, as if a search had found it."""
    found = ds.hill_climb(network.sample(50, seed=0), restarts=0)
    replace(found, dag=network.dag).report(path, network=network, **about)
    return path


@pytest.fixture(scope="session")
def networks():
    return {name: ds.load_network(name) for name in ("asia", "alarm")}


@pytest.fixture(scope="session")
def paths(networks, tmp_path_factory):
    folder = tmp_path_factory.mktemp("ask")
    return {name: page_of(net, folder / f"{name}.html") for name, net in networks.items()}


def click(page, network, name, state):
    at = f"{network.dag.names.index(name)} {network.states[name].index(state)}"
    page.click(f'[data-ask="{at}"]')


def shown(page, network):
    """Return the probabilities that the page has, by variable."""
    cells = page.eval_on_selector_all(
        "[data-ask]", "all => all.map((cell) => [cell.dataset.ask, cell.dataset.p])"
    )
    found = {name: [] for name in network.names}
    for at, p in cells:
        found[network.dag.names[int(at.split()[0])]].append(float(p))
    return found


def agree(page, network, answers):
    near(page, network, answers, 2e-6)


def near(page, network, answers, most):
    """The page shows these answers, none off by more than so much."""
    found = shown(page, network)
    assert set(found) == set(answers)
    for name, distribution in answers.items():
        assert np.allclose(found[name], distribution.array, atol=most, rtol=0), name


def cases(network, count):
    """Evidence that can be: states of a few variables of cases drawn from the network."""
    rng = np.random.default_rng(7)
    drawn = network.sample(count, seed=9)
    for row in drawn.codes:
        chosen = rng.choice(len(drawn.names), size=rng.integers(1, 5), replace=False)
        yield {drawn.names[i]: drawn.states[drawn.names[i]][row[i]] for i in chosen}


@pytest.mark.parametrize("name", ["asia", "alarm"])
class TestAgainstThePackage:
    def test_nothing_given(self, open_page, networks, paths, name):
        page = open_page(paths[name])
        agree(page, networks[name], networks[name].query_all())
        assert page.inner_text("#ask-said").startswith("Nothing is given")

    def test_seen_and_done(self, open_page, networks, paths, name):
        net = networks[name]
        page = open_page(paths[name])
        for given in cases(net, 8):
            page.check("#ask-see")
            for variable, state in given.items():
                click(page, net, variable, state)
            agree(page, net, net.query_all(given))
            page.check("#ask-do")
            agree(page, net, net.do(given).query_all())
            page.click("#ask-clear")
        agree(page, net, net.query_all())


def test_how_rare_what_is_given_is(open_page, networks, paths):
    net = networks["asia"]
    page = open_page(paths["asia"])
    click(page, net, "smoke", "yes")
    click(page, net, "xray", "yes")
    both = net.query(["smoke", "xray"])["yes", "yes"]
    assert page.inner_text("#ask-said") == (
        f"Among cases that happen to have smoke = yes and xray = yes, which are "
        f"{100 * both:.3g} % of all:"
    )


def test_a_click_takes_back_and_another_state_replaces(open_page, networks, paths):
    net = networks["asia"]
    page = open_page(paths["asia"])
    click(page, net, "smoke", "yes")
    click(page, net, "smoke", "no")
    agree(page, net, net.query_all({"smoke": "no"}))
    pressed = page.locator('.ask-state[aria-pressed="true"]')
    assert pressed.count() == 1
    assert pressed.get_attribute("aria-label") == "smoke = no: 100.0 %"
    drawn = page.locator("#graph .node.given")
    assert drawn.count() == 1
    assert drawn.get_attribute("aria-label") == "smoke"
    click(page, net, "smoke", "no")
    assert page.locator(".given").count() == 0
    assert page.locator("#ask-clear").is_disabled()
    agree(page, net, net.query_all())


def test_what_is_impossible_is_said_and_can_be_set_all_the_same(open_page, networks, paths):
    net = networks["asia"]
    page = open_page(paths["asia"])
    click(page, net, "lung", "yes")
    click(page, net, "either", "no")
    assert page.inner_text("#ask-said").startswith(
        "lung = yes and either = no: impossible in this network, so nothing follows."
    )
    assert set(page.locator(".ask-state .figure").all_text_contents()) == {"–"}
    page.check("#ask-do")
    agree(page, net, net.do({"lung": "yes", "either": "no"}).query_all())
    said = page.inner_text("#ask-said")
    assert said.startswith("If somebody makes it so that lung = yes and either = no. ")
    assert "assumes that no common cause is missing" in said
    assert "rows were not selected by what the variables cause" in said
    after = {*net.dag.descendants("lung"), *net.dag.descendants("either")} - {"lung", "either"}
    assert after == {"xray", "dysp"}
    assert "Directed paths lead to 2 of 6 other variables; the rest stay as they are." in said
    page.click("#ask-clear")
    click(page, net, "xray", "yes")
    assert "No directed path leads to any other variable" in page.inner_text("#ask-said")


def test_the_keyboard_gives_too(open_page, networks, paths):
    net = networks["asia"]
    page = open_page(paths["asia"], width=390)
    page.focus('[data-ask="0 0"]')
    page.keyboard.press("Enter")
    agree(page, net, net.query_all({"asia": net.states["asia"][0]}))
    wide = page.evaluate("[document.documentElement.scrollWidth, innerWidth]")
    assert wide[0] <= wide[1]


def test_a_learned_network_with_its_rows(open_page, tmp_path):
    data = ds.load_network("child").sample(200, seed=4)
    result = ds.hill_climb(data, restarts=0)
    result.report(tmp_path / "r.html", data=data)
    page = open_page(tmp_path / "r.html")
    net = ds.fit(result.dag, data)
    given = {"Disease": net.states["Disease"][1]}
    click(page, net, "Disease", given["Disease"])
    agree(page, net, net.query_all(given))


def test_without_tables_there_is_nothing_to_ask(open_page, tmp_path, networks):
    result = ds.hill_climb(networks["asia"].sample(50, seed=0), restarts=0)
    result.report(tmp_path / "r.html")
    assert open_page(tmp_path / "r.html").locator("#ask").is_hidden()


def grid(size, states):
    """A grid of size by size has small tables, but no order in which sums stay small."""
    side = range(size)
    names = [f"v{i}.{j}" for i in side for j in side]
    arcs = [(f"v{i}.{j}", f"v{i + 1}.{j}") for i in side[:-1] for j in side]
    arcs += [(f"v{i}.{j}", f"v{i}.{j + 1}") for i in side for j in side[:-1]]
    rows = np.random.default_rng(0).integers(0, len(states), (50, len(names)))
    data = ds.Data.from_codes(rows, {name: list(states) for name in names})
    return ds.fit(ds.Dag(names, arcs), data)


@pytest.fixture(scope="session")
def wide():
    """A network whose sums are too large for a page, but not to prepare exactly."""
    return grid(8, "abc")


@pytest.fixture(scope="session")
def wide_path(wide, tmp_path_factory):
    return page_of(wide, tmp_path_factory.mktemp("ask") / "wide.html")


class TestPreparedAnswers:
    """Networks too large to compute with in a page: one state at a time."""

    def test_exact_ones_are_the_packages(self, open_page, wide, wide_path):
        page = open_page(wide_path)
        page.click("#ask-more")
        agree(page, wide, wide.query_all())
        click(page, wide, "v4.4", "a")
        near(page, wide, wide.query_all({"v4.4": "a"}), 1e-5)
        assert "Estimated" not in page.inner_text("#ask-said")
        page.check("#ask-do")
        near(page, wide, wide.do({"v4.4": "a"}).query_all(), 1e-5)

    def test_another_state_takes_the_place_of_the_first(self, open_page, wide, wide_path):
        page = open_page(wide_path)
        page.click("#ask-more")
        assert "for one state at a time" in page.inner_text("#ask-text")
        click(page, wide, "v0.0", "a")
        click(page, wide, "v4.4", "b")
        assert page.locator('.ask-state[aria-pressed="true"]').count() == 1
        near(page, wide, wide.query_all({"v4.4": "b"}), 1e-5)
        click(page, wide, "v4.4", "b")
        agree(page, wide, wide.query_all())

    def test_estimates_say_from_how_many_cases(self, open_page, tmp_path):
        net = ds.load_network("barley")
        page = open_page(page_of(net, tmp_path / "barley.html"))
        assert "Estimated from 100,000 drawn cases" in page.inner_text("#ask-said")
        common = max(net.query("saatid").items(), key=lambda pair: pair[1])[0]
        click(page, net, "saatid", common)
        said = page.inner_text("#ask-said")
        assert re.search(r"of all\. Estimated from [\d,]+ drawn cases: right to about", said)
        near(page, net, net.query_all({"saatid": common}), 0.02)
        page.check("#ask-do")
        near(page, net, net.do({"saatid": common}).query_all(), 0.05)

    def test_too_many_states_are_left_to_others(self, open_page, tmp_path):
        page = open_page(page_of(grid(9, "abcdefgh"), tmp_path / "grid.html"))
        assert page.inner_text("#ask-text").startswith(
            "Answers would take tables of more than 800,000 cells, too many to compute in a page, "
            "and there are too many states to prepare them."
        )
        assert page.locator(".ask-card").count() == 0
        assert page.locator("#ask-controls").is_hidden()


def test_many_variables_come_in_two_steps(open_page, tmp_path):
    net = ds.load_network("asia").tile(9)
    page = open_page(page_of(net, tmp_path / "many.html"))
    assert page.locator(".ask-card").count() == 60
    assert page.inner_text("#ask-more") == "Show all 72 variables"
    page.click("#ask-more")
    assert page.locator(".ask-card").count() == 72
    assert page.locator("#ask-more").is_hidden()
    agree(page, net, net.query_all())


def cards(page):
    return page.locator("#ask-cards h3").all_inner_texts()


def test_variables_are_found_by_a_part_of_their_name(open_page, paths, networks):
    page, names = open_page(paths["alarm"]), networks["alarm"].dag.names
    assert set(cards(page)) == set(names)
    page.fill("#ask-filter", "vent")
    found = [name for name in names if "VENT" in name]
    assert cards(page) == sorted(found, key=lambda name: not name.startswith("VENT"))
    assert page.inner_text("#ask-found") == f"{len(found)} of {len(names)} variables"
    page.fill("#ask-filter", "hr")  # the very name comes first
    assert cards(page)[0] == "HR"
    page.fill("#ask-filter", "nobody")
    assert cards(page) == []
    assert page.inner_text("#ask-found") == "No variable has “nobody” in its name."


def test_the_filter_works_by_keyboard(open_page, paths, networks):
    page, network = open_page(paths["alarm"]), networks["alarm"]
    page.focus("#ask-order")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.id") == "ask-filter"
    page.keyboard.type("kinked")
    page.keyboard.press("Enter")
    page.keyboard.press("Space")
    state = network.states["KINKEDTUBE"][0]
    assert f"KINKEDTUBE = {state}" in page.inner_text("#ask-said")
    # What is given stays in sight, and all that is computed is still of the whole network.
    page.fill("#ask-filter", "press")
    assert cards(page) == ["PRESS", "KINKEDTUBE"]
    answers = network.query_all(given={"KINKEDTUBE": state})
    at = network.dag.names.index("PRESS")
    found = page.locator(f'[data-ask^="{at} "]').evaluate_all("all => all.map((c) => +c.dataset.p)")
    assert np.allclose(found, answers["PRESS"].array, atol=2e-6, rtol=0)
    page.focus("#ask-filter")
    page.keyboard.press("Escape")
    assert len(cards(page)) == len(network.dag.names)
    assert page.inner_text("#ask-found") == ""


def test_of_many_that_match_the_rest_is_shown_on_request(open_page, tmp_path):
    names = [f"a{i}" for i in range(70)] + [f"b{i}" for i in range(10)]
    data = ds.Data({name: [0, 1, 1] for name in names})
    network = ds.fit(ds.Dag(names, []), data)
    page = open_page(page_of(network, tmp_path / "r.html"))
    assert len(cards(page)) == 60
    page.fill("#ask-filter", "a")
    assert len(cards(page)) == 60
    assert page.inner_text("#ask-more") == "Show all 70 variables with “a”"
    page.click("#ask-more")
    assert len(cards(page)) == 70
    page.fill("#ask-filter", "b")
    assert len(cards(page)) == 10
    assert not page.locator("#ask-more").is_visible()


def test_few_variables_need_no_filter(open_page, paths):
    assert not open_page(paths["asia"]).locator("#ask-filter").is_visible()
