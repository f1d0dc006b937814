"""The report page of a network that obeys knowledge: what is said, drawn and marked."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from types import SimpleNamespace

import pytest

import dagscape as ds

KNOWN = ds.Knowledge(
    required=[("smoke", "lung")],
    forbidden=[("bronc", "dysp"), ("dysp", "bronc"), ("asia", "smoke"), ("either", "tub")],
    tiers=[["asia", "smoke"], ["tub", "lung", "bronc"], ["either"], ["xray", "dysp"]],
    max_parents={"dysp": 2},
)


@pytest.fixture(scope="module")
def case(tmp_path_factory):
    data = ds.load_network("asia").sample(1000, seed=1)
    result = ds.learn(data, knowledge=KNOWN)
    path = tmp_path_factory.mktemp("known") / "report.html"
    result.report(path, title="Asia")
    return SimpleNamespace(data=data, result=result, path=path)


@pytest.fixture
def page(open_page, case):
    return open_page(case.path)


def titles(page, where):
    return {title.split("   ")[0] for title in page.locator(f"{where} title").all_text_contents()}


def arrows(pairs):
    return {f"{a} → {b}" for a, b in pairs}


def test_the_claim_names_the_knowledge_and_its_cost(page, case):
    said = page.inner_text("#summary")
    assert "None of the networks that obey your knowledge scores higher: this is proven." in said
    more = case.result.without_knowledge.score - case.result.score
    assert f"The best network without it scores {more:,.2f} higher." in said
    assert "optimal among networks that obey your knowledge" in page.inner_text("#facts")
    assert case.result.claim in page.inner_text("#settings")


def test_directions_from_knowledge_are_drawn_hollow(page, case):
    result = case.result
    assert arrows(result.mpdag.directed) <= titles(page, "#graph .edge")
    implied = {*result.mpdag.directed} - {*result.cpdag.directed}
    assert implied
    assert titles(page, "#graph .edge.hollow") == arrows(implied)
    assert page.locator("#graph .edge .diamond").count() == 1
    assert titles(page, "#graph .edge:has(.diamond)") == {"smoke → lung"}


def test_forbidden_arcs_are_marked_unless_an_edge_says_as_much(page):
    found = {title.split(":")[0] for title in titles(page, "#graph .forbidden")}
    # Opposite ones are one line; tub → either is there, so that the other way needs no mark.
    assert found == {"bronc – dysp", "asia → smoke"}
    assert page.locator("#graph .forbidden .head").count() == 1
    box = page.locator("#graph").bounding_box()
    for cross in page.locator("#graph .cross").all():
        at = cross.bounding_box()
        assert box["y"] <= at["y"]
        assert at["y"] + at["height"] <= box["y"] + box["height"]
    page.uncheck("#forbidden")
    assert page.locator("#key-forbidden").count() == 0
    assert page.locator("#graph .forbidden").count() == 0


def test_the_key_tells_the_marks(page):
    assert page.inner_text("#key-hollow") == "direction from your knowledge"
    assert page.inner_text("#key-required") == "required"
    assert page.inner_text("#key-forbidden") == "forbidden"


def test_tiers_are_rows_and_the_page_says_what_it_is_of(open_page, tmp_path, monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    data = ds.load_network("asia").sample(400, seed=1)
    tiers = [["asia", "smoke"], ["tub", "lung", "bronc", "either"], ["xray", "dysp"]]
    found = ds.hill_climb(data, knowledge=ds.Knowledge(tiers=tiers), restarts=0)
    call = "dagscape learn 'a b.csv' --knowledge k.toml"
    found.report(tmp_path / "r.html", data=data, origin={"file": "a b.csv", "command": call})
    page = open_page(tmp_path / "r.html")
    assert page.inner_text("#origin") == (
        f"a b.csv · 400 rows × 8 variables · {call} · dagscape {ds.__version__} · January 2, 1970"
    )
    assert page.locator(".tier-name").all_text_contents() == ["Tier 1", "Tier 2", "Tier 3"]
    lines = [page.locator(".tier-line").nth(i).bounding_box()["y"] for i in range(2)]
    for level, tier in enumerate(tiers):
        for name in tier:
            y = page.locator(f'#graph .node[aria-label="{name}"]').bounding_box()["y"]
            assert [y > line for line in lines] == [level > 0, level > 1], name


def test_knowledge_stands_there_in_words(page):
    said = page.inner_text("#knowledge")
    for words in (
        "smoke → lung",
        "bronc – dysp, asia → smoke, either → tub",
        "1. asia, smoke; 2. tub, lung, bronc; 3. either; 4. xray, dysp.",
        "No arc goes from a later tier to an earlier one.",
        "dysp: 2",
        "2 edges have their direction from it and not from the data: smoke → lung, smoke → bronc.",
    ):
        assert words in said


def test_an_edge_tells_what_was_known_of_it(page):
    page.locator("#edges-table tr", has_text="required").locator("button.link").last.click()
    said = page.inner_text("#details")
    assert said.startswith("×\nsmoke → lung")
    assert "Your knowledge requires it." in said
    assert "Its direction is from your knowledge; the data cannot tell it." in said


def test_the_table_of_edges_has_it_too(page, case):
    rows = [row.split("\t") for row in page.inner_text("#edges-table").splitlines()]
    at = rows[0].index("knowledge")
    inside = rows[0].index("in the network")
    told = {(row[0], row[1]): row[at] for row in rows[1:] if row[inside] != "no edge"}
    assert told["smoke", "lung"] == "required, direction"
    assert told["smoke", "bronc"] == "direction"
    assert {pair for pair, words in told.items() if not words} == {*case.result.cpdag.directed}


def test_the_saved_picture_has_the_marks(page):
    with page.expect_download() as saved:
        page.click("#save-svg")
    picture = ElementTree.parse(saved.value.path())
    classes = [node.get("class", "") for node in picture.iter()]
    assert "diamond" in classes
    assert "cross" in classes
    assert "same hollow" in " ".join(classes)


def test_nothing_is_called_confidence_where_none_was_computed(page):
    assert page.inner_text("#heat-title") == "The probability of every arc"
    assert "confidence" not in page.inner_text("body").lower()
    assert "onfidence" not in page.get_attribute("#heatmap", "aria-label")


def test_a_truth_is_compared_with_what_data_can_tell(open_page, case, tmp_path):
    """Directions from knowledge are neither right nor wrong beside an essential graph."""
    case.result.report(tmp_path / "r.html", truth=ds.load_network("asia"))
    page = open_page(tmp_path / "r.html")
    found = ds.compare(case.result.cpdag, ds.load_network("asia").dag)
    assert page.locator("#graph .edge.turned").count() == len(found.misdirected)
    assert page.locator("#graph .edge.missing").count() == len(found.missing)
    assert page.locator("#graph .edge.extra").count() == len(found.extra)


def test_without_knowledge_there_is_no_room_for_it(open_page, case, tmp_path):
    ds.exact(case.data).report(tmp_path / "r.html")
    page = open_page(tmp_path / "r.html")
    assert not page.locator("#knowledge").is_visible()
    assert not page.locator("#forbidden-box").is_visible()
    assert page.locator("#graph .hollow, #graph .diamond, #graph .forbidden").count() == 0


def test_many_forbidden_arcs_wait_until_they_are_asked_for(open_page, tmp_path):
    names = [f"x{v:02}" for v in range(12)]
    known = ds.Knowledge(
        forbidden=[(a, b) for a in names for b in names if a < b], required=[("x11", "x00")]
    )
    data = ds.Data({name: [v & 1, v >> 1 & 1] * 20 for v, name in enumerate(names)})
    ds.hill_climb(data, knowledge=known, restarts=0).report(tmp_path / "r.html")
    page = open_page(tmp_path / "r.html")
    assert page.locator("#graph .forbidden").count() == 0
    assert "and 26 more" in page.inner_text("#knowledge")
    page.check("#forbidden")
    assert page.locator("#graph .forbidden").count() > 40
