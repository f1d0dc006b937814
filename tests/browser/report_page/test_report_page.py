"""The report page in Chromium: what it draws, and what each control changes."""

from __future__ import annotations

import numpy as np
import pytest

import dagscape as ds
from browser.report_page.page_actions import drawn, number, pick_edge, slide


def choose(page, control, value):
    page.select_option(f"#{control}", value)


class TestThreshold:
    @pytest.mark.parametrize("of", ["found", "truth"])
    def test_counts_are_the_landscape_s(self, page, case, of):
        choose(page, "compare", of)
        graph = case.result.dag if of == "found" else case.truth.dag
        for level in (0.05, 0.37, 0.5, 1.0):
            slide(page, level)
            row = case.landscape.tradeoff("edges", graph, [level]).row(0, named=True)
            counted = {name: number(page, f"count-{name}") for name in ("tp", "fp", "fn")}
            assert counted == {name: row[name] for name in ("tp", "fp", "fn")}
            for kind in ("edges", "paths", "blankets"):
                choose(page, "tradeoff-kind", kind)
                row = case.landscape.tradeoff(kind, graph, [level]).row(0, named=True)
                now = page.locator("#tradeoff-now")
                assert now.get_attribute("data-fp") == str(row["fp"])
                assert now.get_attribute("data-fn") == str(row["fn"])

    def test_it_starts_at_the_best_and_comes_back_to_it(self, page, case):
        best = case.landscape.threshold("edges", reference=case.result.dag)
        assert page.inner_text("#threshold-value") == f"{best:.2f}"
        slide(page, 0.13)
        assert page.inner_text("#threshold-value") == "0.13"
        page.click("#threshold-auto")
        assert page.inner_text("#threshold-value") == f"{best:.2f}"

    def test_the_graph_follows(self, page, case):
        rows = case.landscape.features("edges", frame="dict")
        most = {}
        for a, b, share in zip(rows["from"], rows["to"], rows["confidence"], strict=True):
            most[frozenset((a, b))] = max(share, most.get(frozenset((a, b)), 0))
        for level in (0.1, 0.5, 0.9):
            slide(page, level)
            above = sum(share >= level - 1e-9 for share in most.values())
            assert number(page, "count-edges") == above
            assert sum(drawn(page, mark) for mark in ("same", "turned", "extra")) == above

    def test_surer_edges_are_thicker(self, page):
        slide(page, 0.05)
        titles = page.locator("#graph .edge:not(.missing) title").all_text_contents()
        shares = [float(title.split("confidence ")[1]) for title in titles]
        widths = page.eval_on_selector_all(
            "#graph .edge:not(.missing) .line", "a => a.map(e => +e.getAttribute('stroke-width'))"
        )
        assert len(shares) == len(widths) > 10
        by = np.array(widths) / (0.9 + 4.1 * np.array(shares))
        assert np.allclose(by, by[0], rtol=0.03)

    def test_directions_can_be_ignored(self, page, case):
        page.check("#adjacency")
        choose(page, "compare", "found")
        slide(page, 0.6)
        rows = case.landscape.strengths(frame="dict")
        ends = zip(rows["from"], rows["to"], rows["strength"], strict=True)
        sure = {frozenset((a, b)) for a, b, strength in ends if strength >= 0.6}
        own = {frozenset(arc) for arc in case.result.dag.arcs}
        assert number(page, "count-tp") == len(sure & own)
        assert number(page, "count-fp") == len(sure - own)
        assert number(page, "count-fn") == len(own - sure)


class TestViews:
    def test_the_truth_marks_what_differs(self, page, case):
        choose(page, "view", "found")
        found = ds.compare(case.result.dag, case.truth.dag)
        assert drawn(page, "missing") == len(found.missing)
        assert drawn(page, "extra") == len(found.extra)
        assert drawn(page, "turned") == len(found.misdirected)
        choose(page, "view", "truth")
        assert drawn(page, "same") == len(case.truth.dag.arcs)

    def test_an_optimum_is_drawn(self, page, case):
        page.click('[aria-label="Draw number 2"]')
        graph = case.landscape.optima[1].cpdag
        assert page.input_value("#view") == "1"
        lines = sum(drawn(page, mark) for mark in ("same", "turned", "extra"))
        assert lines == len(graph.directed) + len(graph.undirected)
        heads = page.locator("#graph .edge:not(.missing) .head").count()
        assert heads == len(graph.directed)

    def test_the_list_of_optima(self, page, case):
        rows = page.locator("#optima-table tbody tr")
        assert rows.count() == min(20, len(case.landscape.optima))
        second = case.landscape.optima[1]
        cells = rows.nth(1).locator("td").all_inner_texts()
        plain = [cell.replace("−", "-").replace(",", "") for cell in cells]
        assert float(plain[1]) == pytest.approx(second.score, abs=0.006)
        assert float(plain[2]) == pytest.approx(case.result.score - second.score, abs=0.006)
        assert int(plain[3]) == second.visits
        found = ds.compare(second.cpdag, case.result.dag)
        other = len(found.missing) + len(found.extra) + len(found.misdirected)
        assert int(plain[4]) == other == ds.shd(second.cpdag, case.result.dag)
        if len(case.landscape.optima) > 20:
            page.click("#optima-more")
            assert rows.count() == len(case.landscape.optima)

    def test_the_proven_optimum_is_marked(self, page):
        assert "proven optimum" in page.locator("#histogram").inner_text()
        words = page.locator("#histogram-caption").inner_text()
        assert "no networks with at most 2 parents to the right" in words

    def test_part_of_it(self, page, case):
        name = max(case.result.dag.names, key=lambda v: len(case.result.cpdag.neighbors(v)))
        choose(page, "view", "found")
        page.fill("#search", name)
        choose(page, "around", "1")
        shown = page.locator("#graph .node title").all_text_contents()
        assert set(shown) == {name, *case.result.cpdag.neighbors(name)}
        choose(page, "around", "0")
        assert page.locator("#graph .node").count() == len(case.data.names)


class TestDetails:
    def test_a_variable(self, page, case):
        name = "LungParench"
        page.click(f'#graph .node[aria-label="{name}"]')
        details = page.locator("#details")
        words = details.inner_text()
        assert details.locator("h3").inner_text() == name
        blanket = case.result.cpdag.markov_blanket(name)
        assert f"Markov blanket: {len(blanket)} variable" in words
        assert set(blanket) <= set(details.locator("button.link").all_inner_texts())
        for state in case.data.states[name]:
            assert state in words
        fitted = ds.fit(case.result.dag, case.data).table(name)
        cells = details.locator(".cpt td").all_inner_texts()
        assert np.allclose([float(cell) for cell in cells], fitted.ravel(), atol=6e-4)
        heads = details.locator(".cpt thead th").all_inner_texts()
        assert heads == [*case.result.dag.parents(name), *case.data.states[name]]
        assert page.locator("#graph .node.picked title").text_content() == name

    def test_an_edge(self, page, case):
        choose(page, "view", "found")
        start, end = case.result.dag.arcs[0]
        names = list(case.result.dag.names)
        pair = page.evaluate(
            """([a, b]) => {
                const { columns } = JSON.parse(document.getElementById('data').textContent).pairs;
                const ends = (x, y) => [x, y].sort().join();
                return columns.a.findIndex((x, i) => ends(x, columns.b[i]) === ends(a, b));
            }""",
            [names.index(start), names.index(end)],
        )
        pick_edge(page, f'.edge[data-pair="{pair}"]')
        words = page.locator("#details").inner_text()
        fewer = [arc for arc in case.result.dag.arcs if arc != (start, end)]
        loss = case.result.score - ds.score(case.data, fewer, score="bic")
        assert f"Without {start} → {end} the bic score is {loss:.2f} lower." in words
        graphs = [optimum.cpdag for optimum in case.landscape.optima]
        shares = [
            sum(arc in graph.directed for graph in graphs) / len(graphs)
            for arc in ((start, end), (end, start))
        ]
        figures = page.locator("#details .meter .figure").all_inner_texts()
        assert sorted(figures[:2]) == sorted(f"{share:.2f}" for share in shares)
        assert sum(map(float, figures)) == pytest.approx(1, abs=0.025)
        assert page.locator("#graph .edge.picked").count() == 1

    def test_from_the_edge_to_its_variables(self, page):
        page.click("#edges-table tbody tr:first-child td:nth-child(5) button")
        page.locator("#details ul button.link").first.click()
        assert page.locator("#graph .node.picked").count() == 1


class TestSearch:
    def test_a_name_is_found(self, page):
        page.fill("#search", "Sick")
        assert page.locator("#details h3").inner_text() == "Sick"

    @pytest.mark.parametrize(("typed", "name"), [("lvh", "LVH"), ("ductf", "DuctFlow")])
    def test_a_beginning_in_any_case_will_do(self, page, typed, name):
        page.fill("#search", typed)
        page.press("#search", "Enter")
        assert page.locator("#details h3").inner_text() == name
        assert page.get_attribute("#search", "aria-invalid") == "false"

    def test_what_is_not_there_is_marked(self, page):
        page.fill("#search", "nobody")
        page.press("#search", "Enter")
        assert page.get_attribute("#search", "aria-invalid") == "true"
        assert "Nothing is picked" in page.inner_text("#details")
