"""The page of a learned network: what it draws and tells of trust, and what controls change."""

from __future__ import annotations

import csv
import io
import xml.etree.ElementTree as ElementTree
from types import SimpleNamespace

import numpy as np
import pytest

import dagscape as ds
from dagscape.claims.verdicts import words_explained
from dagscape.report.page_trust import reliability


@pytest.fixture(scope="session")
def case(tmp_path_factory):
    data = ds.load_network("asia").sample(200, seed=11)
    learned = ds.learn(data, runs=50, resamples=10)
    path = tmp_path_factory.mktemp("trust") / "report.html"
    learned.report(path)
    return SimpleNamespace(data=data, learned=learned, path=path)


@pytest.fixture
def page(open_page, case):
    return open_page(case.path)


def lines(page, what="", more=""):
    return page.locator(f"#graph .edge{what}{more}")


def outside(learned):
    """Return the edges outside the network that are more probable than some of it."""
    least = min(edge.probability for edge in learned.edges if edge.in_network)
    return [e for e in learned.edges if not e.in_network and e.probability > least]


def shown(learned):
    return [e for e in learned.edges if e.in_network or e.in_consensus or e.probability >= 0.05]


def pick(page, edge):
    words = {edge.a, edge.b}
    for row in page.locator("#edges-table tbody tr").all():
        cells = row.locator("td").all_inner_texts()
        if set(cells[:2]) == words:
            row.locator("td button").nth(2).click()
            return
    raise AssertionError(f"no row of {words}")


def test_the_learned_network_is_drawn_at_first(page, case):
    graph = case.learned.mpdag
    assert lines(page).count() == len(graph.directed) + len(graph.undirected)
    assert page.input_value("#view") == "found"
    assert not page.locator("#threshold-box").is_visible()


def test_lines_are_as_thick_as_they_are_probable_and_dashed_below_one_half(page, case):
    inside = [edge for edge in case.learned.edges if edge.in_network]
    widths = [
        float(w)
        for w in page.eval_on_selector_all(
            "#graph .edge .line", "all => all.map((line) => line.getAttribute('stroke-width'))"
        )
    ]
    assert sorted(widths) == pytest.approx(
        sorted(0.9 + 4.1 * edge.probability for edge in inside), abs=0.006
    )
    unsure = sum(edge.probability < 0.5 for edge in inside)
    assert unsure  # else this says nothing
    assert lines(page, ".unsure").count() == unsure
    dashes = page.eval_on_selector(
        "#graph .edge.unsure .line", "(line) => getComputedStyle(line).strokeDasharray"
    )
    assert dashes not in ("none", "")


def test_heads_are_as_full_as_their_direction_is_probable(page, case):
    ways = page.eval_on_selector_all(
        "#graph .head[data-way]",
        "all => all.map((head) => [head.dataset.way, head.getAttribute('fill-opacity')])",
    )
    expected = [e.direction for e in case.learned.edges if e.in_network == "directed"]
    assert sorted(float(way) for way, _ in ways) == pytest.approx(sorted(expected), abs=6e-4)
    for way, weight in ways:
        assert float(weight) == pytest.approx(max(0.12, 2 * float(way) - 1), abs=0.006)


def test_probable_edges_outside_are_drawn_on_request(page, case):
    more = outside(case.learned)
    assert more  # else this says nothing
    assert f"also {len(more)} edge" in page.inner_text("#outside-box")
    assert lines(page, ".outside").count() == 0
    page.check("#outside")
    assert lines(page, ".outside").count() == len(more)
    assert "more probable than some of it" in page.inner_text("#legend")
    page.uncheck("#outside")
    assert lines(page, ".outside").count() == 0


def bounds_of(edge):
    """Return what is said of an edge's numbers; none of the two tested has a range of one number
    and another mean."""
    if f"{edge.lower:.2f}" == f"{edge.upper:.2f}":
        return f"Both the table itself and 10 resampled tables say {edge.plain:.2f}."
    return (
        f"The mean of {edge.plain:.2f}, by the table itself, and {edge.resampled:.2f}, by 10 "
        f"resampled tables. Between {edge.lower:.2f} and {edge.upper:.2f} by"
    )


def test_a_picked_edge_tells_all_that_is_known_of_it(page, case):
    for edge in (
        max(case.learned.edges, key=lambda e: e.loss or 0),
        min((e for e in case.learned.edges if e.in_network), key=lambda e: e.probability),
    ):
        pick(page, edge)
        said = page.inner_text("#details")
        assert f"Probability: {edge.verdict}" in said
        assert f"{edge.probability:.2f}" in said
        assert bounds_of(edge) in said
        assert f"{edge.a} → {edge.b}, if so" in said
        assert f"{edge.b} → {edge.a}, if so" in said
        assert f"{edge.stability:.2f}" in said
        assert "stability (20 resampled tables)" in said
        assert f"loses {edge.loss:.2f} nats: " in said
        assert "odds of " in said


def test_an_open_edge_says_what_would_settle_it_and_what_takes_its_place(page, case):
    unsure = [edge for edge in case.learned.edges if edge.verdict == "open"]
    assert unsure
    settled = replaced = 0
    for edge in unsure:
        pick(page, edge)
        settled += page.locator("#settle").count()
        replaced += page.locator("#instead li").count()
    assert settled
    assert replaced


def test_an_undirected_edge_says_that_no_rows_settle_its_direction(page, case):
    a, b = case.learned.mpdag.undirected[0]
    edge = next(e for e in case.learned.edges if {e.a, e.b} == {a, b})
    pick(page, edge)
    assert "no number of rows settles that" in page.inner_text("#details")


def test_the_table_sorts_by_every_number(page, case):
    heads = page.locator("#edges-table th button").evaluate_all(
        "all => all.map((head) => head.dataset.sort)"
    )
    for key, of in (
        ("believed", lambda e: e.probability),
        ("lower", lambda e: e.lower),
        ("upper", lambda e: e.upper),
        ("way", lambda e: e.direction),
        ("stable", lambda e: e.stability),
        ("agreed", lambda e: e.agreement),
    ):
        if key != "believed":  # as it is at first
            page.locator(f'#edges-table [data-sort="{key}"]').click()
        cells = f"#edges-table tbody td:nth-child({heads.index(key) + 1})"
        expected = sorted((of(edge) for edge in shown(case.learned)), reverse=True)
        for numbers in (expected, expected[::-1]):
            told = [float(cell) for cell in page.locator(cells).all_inner_texts() if cell]
            assert told == pytest.approx(numbers, abs=5.1e-4), key
            page.locator(f'#edges-table [data-sort="{key}"]').click()


def test_the_saved_table_is_that_of_the_folder(page, case):
    with page.expect_download() as saved:
        page.click("#edges-csv")
    rows = list(csv.DictReader(io.StringIO(saved.value.path().read_text("utf-8"))))
    expected = {
        (row["from"], row["to"]): row for row in case.learned.features().iter_rows(named=True)
    }
    assert len(rows) == len(shown(case.learned))
    for row in rows:
        mine = expected[row["from"], row["to"]]
        assert list(row) == list(mine)
        for name, value in mine.items():
            if isinstance(value, float):
                assert float(row[name]) == value
            else:
                assert row[name] == ("" if value is None else value)


def test_near_ties_are_listed_with_what_differs(page, case):
    near = list(case.learned.near)
    rows = page.locator("#near-table tbody tr")
    assert rows.count() == min(50, len(near))
    below = rows.locator("td:nth-child(2)").all_inner_texts()
    assert [float(cell) for cell in below] == pytest.approx(
        [each.difference for each in near[:50]], abs=0.0051
    )
    assert rows.first.locator("td").nth(2).inner_text() == "the network found"
    assert "within 3 nats of the optimum" in page.inner_text("#near-text")


def test_edges_that_differ_from_the_nearest_graph_are_listed(page, case):
    different = case.learned.differences
    assert different  # else this says nothing
    assert f"differs from it in {len(different)} edge" in page.inner_text("#nearest-text")
    rows = page.locator("#nearest-table tbody tr")
    assert rows.count() == len(different)
    kinds = {frozenset(pair): "→" for pair in case.learned.consensus.directed}
    kinds |= {frozenset(pair): "–" for pair in case.learned.consensus.undirected}
    for row, edge in zip(rows.all(), different, strict=True):
        here, there, *figures = row.locator("td").all_inner_texts()
        assert {edge.a, edge.b} <= set(here.split()) & set(there.split())
        assert ("no edge" in here) == (not edge.in_network)
        assert kinds.get(frozenset((edge.a, edge.b)), "no edge") in there
        known = [edge.probability, edge.stability]
        assert [float(cell) for cell in figures] == pytest.approx(known, abs=5.1e-4)
    rows.first.locator("button").click()
    assert different[0].a in page.inner_text("#details")


def test_the_reliability_figure_tells_what_was_measured(page, case):
    known = reliability(case.learned)
    like = known["like"]
    assert page.locator("#reliability-charts svg").count() == 2
    dots = page.locator("#reliability-charts .dot").count()
    assert dots == len(like["presence"]) + len(like["direction"])
    said = page.inner_text("#reliability-text")
    assert f"On the {like['tables']} tables most like this one" in said
    assert f"on all {known['tables']} (" in said
    near = [level for level in like["presence"] if 0.7 <= level["said"] < 0.9]
    claims = sum(level["claims"] for level in near)
    right = round(sum(level["claims"] * level["true"] for level in near))
    assert f"of {claims} edges said to have a probability of 0.7 to 0.9, {right} were" in said
    scope = page.inner_text("#reliability-scope")
    assert "prior edges(neighbors=1)" in scope  # of the page's own numbers


def test_the_saved_drawing_has_a_key(page):
    with page.expect_download() as saved:
        page.click("#save-svg")
    root = ElementTree.fromstring(saved.value.path().read_text("utf-8"))
    said = " ".join("".join(text.itertext()) for text in root.iter() if text.tag.endswith("}text"))
    assert "thicker: higher probability" in said
    assert "dashed: probability below one half" in said
    assert "fuller head" in said


def test_it_prints_and_makes_a_pdf(page, tmp_path):
    page.evaluate("window.print = () => { window.printed = true; }")
    page.click("#print")
    assert page.evaluate("window.printed")
    page.pdf(path=str(tmp_path / "page.pdf"))
    assert (tmp_path / "page.pdf").read_bytes().startswith(b"%PDF")


def test_what_is_for_clicking_is_not_printed(open_page, tmp_path):
    truth = ds.random_network(30, seed=0)
    learned = ds.learn(truth.sample(200, seed=0), method="hill_climb", runs=0, resamples=0)
    learned.report(tmp_path / "r.html")
    page = open_page(tmp_path / "r.html")
    assert page.locator("#ask-cards > :visible").count() > 24
    assert "Click a state" in page.inner_text("#ask-text")
    page.emulate_media(media="print")
    assert page.inner_text("#ask-text").startswith("The mark in each bar")
    assert "click" not in page.inner_text("main").lower()
    assert page.locator("#ask-cards > :visible").count() == 30
    assert page.locator("main button.small:visible").count() == 0


def test_paper_has_every_variable_and_edge_or_says_what_it_leaves_out(open_page, tmp_path):
    truth = ds.random_network(70, seed=0, neighbors=4)
    data = truth.sample(300, seed=0)
    dag = truth.dag
    score = ds.score(data, dag, score="bic")
    drawn = ds.Result(dag=dag, score=score, score_name="bic", method="as it is")
    drawn.report(tmp_path / "r.html", data=data)
    page = open_page(tmp_path / "r.html")
    assert not page.locator(".on-paper:visible").count()
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print")
    assert "An arrow is a cause only if" in page.inner_text("#reading-text")
    for part, rows in (("ask", "#ask-cards > *"), ("edges", "#edges-table tbody tr")):
        shown, there = page.locator(f"{rows}:visible").count(), page.locator(rows).count()
        assert shown == there
        assert page.inner_text(f"#{part}-printed").startswith(f"Here are {shown} of ")
    page.emulate_media(media="screen")
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert not page.locator("#reading-text").is_visible()


def test_narrow_and_dark(open_page, case):
    page = open_page(case.path, width=380, scheme="dark")
    assert page.evaluate("document.documentElement.scrollWidth") <= 380
    assert lines(page).count() == len(case.learned.dag.arcs)


def test_the_words_are_counted_on_one_card(page, case):
    words = [edge.verdict for edge in shown(case.learned)]
    counts = [words.count(word) for word in ("near certain", "likely", "open")]
    said = page.inner_text("#facts")
    assert f"{counts[0]} · {counts[1]} · {counts[2]}" in said
    assert "edges near certain · likely · open" in said


def test_printed_tables_have_letters_of_one_size(page):
    page.emulate_media(media="print")
    sizes = page.eval_on_selector_all(
        "#nearest-table td, #nearest-table td *",
        "cells => cells.map((cell) => getComputedStyle(cell).fontSize)",
    )
    assert len(sizes) > 5
    assert len(set(sizes)) == 1


def test_nothing_is_less_than_zero_by_rounding(page):
    assert "−0.00" not in page.inner_text("main")


def test_stability_alone(open_page, case, tmp_path):
    learned = ds.learn(case.data, score="aic", runs=0, resamples=5)
    learned.report(tmp_path / "r.html")
    page = open_page(tmp_path / "r.html")
    assert not page.locator("#reliability").is_visible()
    assert "thicker: higher stability" in page.inner_text("#legend")
    assert "near certain · likely · open, by stability" in page.inner_text("#facts")
    assert "more stable than some of it" in page.inner_text("#outside-box")
    assert page.locator('#edges-table [data-sort="believed"]').inner_text().startswith("stability")


def pair_of_coins(alike: int, rows: int = 200, gaps: int = 0) -> ds.Data:
    """Return a table of one pair: two coins that fall alike in so many of the rows."""
    first = [row % 2 for row in range(rows)]
    other = [a if row // 2 < alike // 2 else 1 - a for row, a in enumerate(first)]
    kept = [None if row < gaps else b for row, b in enumerate(other)]
    return ds.Data({"a": first, "b": kept}, missing="keep")


def said_of_the_edge(open_page, path, learned):
    learned.report(path)
    page = open_page(path)
    page.locator("#graph .edge").first.click(force=True)
    return page


def test_where_both_ends_are_written_alike_no_range_is_told(open_page, tmp_path):
    learned = ds.learn(pair_of_coins(180), runs=3, resamples=10)
    assert f"{learned.edges[0].lower:.2f}" == f"{learned.edges[0].upper:.2f}" == "1.00"
    page = said_of_the_edge(open_page, tmp_path / "r.html", learned)
    said = page.inner_text("#bounds")
    assert said == "Both the table itself and 10 resampled tables say 1.00."
    assert "how optima count" not in page.inner_text("#settings")  # there is one optimum


def test_one_pair_is_not_among_many(open_page, tmp_path):
    """Two rare events that never meet look tied to a prior that expects balanced columns."""
    never = {"a": [int(row < 2) for row in range(200)], "b": [int(row > 197) for row in range(200)]}
    doubted = ds.learn(ds.Data(never), score=ds.BDeu(32), runs=0, resamples=10)
    assert doubted.edges[0].verdict == "open"
    assert doubted.edges[0].probability > 0.7
    page = said_of_the_edge(open_page, tmp_path / "r.html", doubted)
    said = page.inner_text("#lowered")
    assert said.startswith("Called open, not ")
    assert said.endswith("certain: a column whose rows are shuffled may look as related.")
    assert words_explained() in page.text_content("#reading-text")
    assert "open (chance)" in page.inner_text("#edges-table")
    gaps = ds.learn(pair_of_coins(180, gaps=9))
    assert f"{gaps.edges[0].lower:.2f}" == f"{gaps.edges[0].upper:.2f}" == "1.00"
    page = said_of_the_edge(open_page, tmp_path / "g.html", gaps)
    assert "Probability: near certain" in page.inner_text("#details")
    assert page.locator("#bounds").count() == 0


def test_what_a_probability_is_made_of_is_told(page, case):
    page.click("#reading summary")
    said = page.inner_text("#reading-text")
    tables = case.learned.posterior.resampled.claim
    assert f"(half the posterior of the table itself, half the {tables})" in said


def test_how_optima_count_is_told_in_words(page, case):
    assert len(case.learned.landscape.optima) > 1
    assert "each local optimum counts once" in page.inner_text("#settings")


def test_a_probable_edge_that_the_nearest_graph_lacks_has_a_reason(open_page, tmp_path, page, case):
    few, bdeu = (
        ds.load_network("asia").sample(200, seed=0),
        {"score": "bdeu", "prior": ds.EdgePrior()},
    )
    learned = ds.learn(few, **bdeu, runs=0, resamples=20)
    left_out = [each for each in learned.consensus_choices if each.chosen == "absent"]
    torn = [each for each in left_out if each.absent < 0.5]
    assert torn  # else this says nothing
    learned.report(tmp_path / "r.html")
    asia = open_page(tmp_path / "r.html")
    assert asia.locator("#choices-list li").count() == len(learned.consensus_choices)
    asia.click("#choices summary")
    for at, choice in enumerate(left_out):
        item = asia.locator("#choices-list li").nth(at)
        assert {choice.a, choice.b} <= set(item.locator("button").inner_text().split())
        assert f"{choice.absent:.2f}" in item.inner_text()
        item.locator("button").click()
        said = asia.inner_text("#choice")
        assert "The graph of least expected error leaves it out: " in said
        brief = said.replace("The graph of least expected error", "That graph")
        assert brief in item.inner_text()
        if choice in torn:
            assert "no single way to draw it is" in said
            assert f"{choice.a} → {choice.b} {choice.forth:.2f}" in said
            assert f"{choice.b} → {choice.a} {choice.back:.2f}" in said
            assert f"without a direction {choice.undirected:.2f}" in said
    odd = {frozenset((each.a, each.b)) for each in case.learned.consensus_choices}
    usual = [edge for edge in case.learned.edges if frozenset((edge.a, edge.b)) not in odd]
    pick(page, max(usual, key=lambda e: e.loss or 0))
    assert page.locator("#choice").count() == 0  # what is as expected needs no reason


@pytest.fixture(scope="module")
def coins(tmp_path_factory):
    """A page with hundreds of edges outside the network that are more stable than some of it."""
    codes = np.random.default_rng(0).integers(2, size=(50, 36))
    data = ds.Data.from_codes(codes, {f"v{i}": ["0", "1"] for i in range(36)})
    learned = ds.learn(data, method="hill_climb", score="aic", runs=0, resamples=8)
    path = tmp_path_factory.mktemp("coins") / "report.html"
    learned.report(path)
    inside = [edge.stability for edge in learned.edges if edge.in_network]
    outside = [e.stability for e in learned.edges if not e.in_network and e.stability >= 0.05]
    outside = sorted((each for each in outside if each > min(inside)), reverse=True)
    return SimpleNamespace(learned=learned, path=path, inside=len(inside), outside=outside)


def test_of_many_edges_outside_the_most_probable_are_offered_first(open_page, coins):
    page = open_page(coins.path)
    half = sum(share >= 0.5 for share in coins.outside)
    assert 0 < half < len(coins.outside)
    assert f"also {half} edge" in page.inner_text("#outside-words")
    page.check("#outside")
    assert lines(page, ".outside").count() == half
    said = page.inner_text("#counts")
    assert said == f"{coins.inside} edges in the network found, and {half} outside it."


def test_a_slider_takes_more_edges_outside_and_never_too_many(open_page, coins):
    page = open_page(coins.path)
    slider = page.locator("#outside-least")
    assert float(slider.get_attribute("max")) == pytest.approx(coins.outside[0], abs=0.01)
    slider.focus()
    page.keyboard.press("End")  # the most stable alone
    top = sum(share >= float(slider.get_attribute("max")) - 1e-6 for share in coins.outside)
    assert page.is_checked("#outside")
    assert lines(page, ".outside").count() == top > 0
    page.keyboard.press("Home")  # all of them, of which a whole graph shows 300
    assert len(coins.outside) > 300
    assert lines(page, ".outside").count() == 300
    said = page.inner_text("#counts")
    assert f"and 300 outside it, the most stable of {len(coins.outside):,}." in said
    drawn = page.eval_on_selector_all(
        "#graph .outside .line", "all => all.map((line) => +line.getAttribute('stroke-width'))"
    )
    thick = [(0.9 + 4.1 * share) * 0.6 for share in coins.outside[:300]]
    assert sorted(drawn, reverse=True) == pytest.approx(thick, abs=0.006)


def test_the_slider_fits_a_narrow_page(open_page, coins):
    page = open_page(coins.path, width=380)
    assert page.locator("#outside-least").is_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 380


def test_of_few_edges_outside_none_are_left_out(page):
    assert not page.locator("#outside-slide").is_visible()


def test_an_improbable_edge_of_the_nearest_graph_has_a_reason(open_page, tmp_path):
    few, bdeu = (
        ds.load_network("asia").sample(100, seed=8),
        {"score": "bdeu", "prior": ds.EdgePrior()},
    )
    learned = ds.learn(few, **bdeu, runs=0, resamples=8)
    fits = [each for each in learned.consensus_choices if each.reason == "fit"]
    assert any(each.chosen != "absent" and each.absent > 0.5 for each in fits)
    learned.report(tmp_path / "r.html")
    page = open_page(tmp_path / "r.html")
    page.click("#choices summary")
    said = page.locator("#choices-list li").all_inner_texts()
    assert sum("all edges must fit together in one graph" in words for words in said) == len(fits)
    for each in fits:
        about = [words for words in said if {each.a, each.b} <= set(words.split("(")[0].split())]
        assert len(about) == 1
        assert f"is more probable ({each.of(each.likeliest):.2f}, and " in about[0]
        assert ("leaves it out, although " in about[0]) == (each.chosen == "absent")


def test_it_says_in_what_a_table_is_unlike_those_that_were_measured(open_page, tmp_path, page):
    numbers = ds.random_network(4, neighbors=2, kind="gaussian", seed=1).sample(80, seed=1)
    ds.learn(numbers, runs=0, resamples=2).report(tmp_path / "n.html")
    gaps = ds.learn(pair_of_coins(180, gaps=9))
    gaps.report(tmp_path / "g.html")
    words = "None of them had {}, as this one has."
    for name, had in (("n", "columns of numbers"), ("g", "missing cells")):
        said = open_page(tmp_path / f"{name}.html").inner_text("#reliability-text")
        assert words.format(had) in said
    assert "None of them had" not in page.inner_text("#reliability-text")


def test_rows_that_the_network_does_not_make_are_listed_with_what_mends_them(open_page, tmp_path):
    data = ds.load_network("asia").sample(500, seed=1)
    known = ds.Knowledge(forbidden=[("bronc", "dysp"), ("dysp", "bronc")])
    learned = ds.learn(data, knowledge=known, runs=0, resamples=0)
    learned.report(tmp_path / "report.html")
    page = open_page(tmp_path / "report.html")
    fit = learned.fit
    rows = page.locator("#fit-table tbody tr")
    assert rows.count() == len(fit.misfits) > 0
    for row, misfit in zip(rows.all(), fit.misfits, strict=True):
        cells = row.locator("td").all_inner_texts()
        assert cells[0] == ", ".join(misfit.cell)
        assert cells[1:3] == [f"{100 * share:.1f} %" for share in (misfit.network, misfit.table)]
    said = [item.rstrip(".") for item in page.locator("#fit-mends li").all_inner_texts()]
    assert said == [str(mend) for mend in fit.mends]
    assert fit.scope in page.inner_text("#fit-text")


def test_where_nothing_stands_out_no_rows_are_listed(page, case):
    assert not case.learned.fit.misfits
    assert page.locator("#fit").is_visible()
    assert not page.locator("#fit-table").is_visible()
    assert "Nothing stands out" in page.inner_text("#fit-text")


def test_an_arc_says_what_to_adjust_for(open_page, tmp_path):
    truth = ds.load_network("asia")
    data = truth.sample(2000, seed=1)
    known = ds.Knowledge(required=truth.dag.arcs)
    learned = ds.learn(data, knowledge=known, runs=0, resamples=10)
    learned.report(tmp_path / "report.html")
    page = open_page(tmp_path / "report.html")
    for edge in learned.edges[:3]:
        pick(page, edge)
        others = learned.dag.adjustment_set(edge.a, edge.b)
        said = page.inner_text("#adjusting")
        assert f"setting {edge.a} does to {edge.b}" in said
        listed = page.locator("#adjusting + ul li").all_inner_texts() if others else []
        assert sorted(listed) == sorted(others)
