"""The report page in Chromium: what it draws, and what each control changes."""

from __future__ import annotations

import csv
import io
import itertools
import re
import xml.etree.ElementTree as ElementTree
from types import SimpleNamespace

import numpy as np
import pytest

import dagscape as ds
from dagscape.files.spreadsheets import guarded

NASTY = [
    "</script><script>alert(1)</script>",
    '"quoted" \\ & <img src=x onerror=alert(2)>',
    "漢字 и 🦉",
    "a name that goes on and on and does not end where it should",
]


@pytest.fixture(scope="session")
def case(tmp_path_factory):
    """A page with everything on it, and what it was made of."""
    truth = ds.load_network("child")
    data = truth.sample(300, seed=3)
    landscape = ds.local_optima(data, k=0.5, runs=60)
    result = ds.exact(data, score="bic", max_parents=2)
    path = tmp_path_factory.mktemp("page") / "report.html"
    result.report(path, data=data, landscape=landscape, truth=truth, title="Child")
    return SimpleNamespace(truth=truth, data=data, landscape=landscape, result=result, path=path)


@pytest.fixture
def page(open_page, case):
    return open_page(case.path)


def choose(page, control, value):
    page.select_option(f"#{control}", value)


def slide(page, value):
    page.locator("#threshold").fill(str(value))


def number(page, name):
    return int(page.inner_text(f"#{name}").split()[0].replace(",", ""))


def drawn(page, mark):
    return page.locator(f"#graph .edge.{mark}").count()


def pick_edge(page, where):
    """Click the middle of a line, as a user would."""
    x, y = page.evaluate(
        """(where) => {
            const line = document.querySelector(`${where} .hit`);
            const middle = line.getPointAtLength(line.getTotalLength() / 2);
            const at = middle.matrixTransform(line.getScreenCTM());
            return [at.x, at.y];
        }""",
        where,
    )
    page.mouse.click(x, y)


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
            "([a, b]) => JSON.parse(document.getElementById('data').textContent)"
            ".pairs.findIndex((p) => (p[0] === a && p[1] === b) || (p[0] === b && p[1] === a))",
            [names.index(start), names.index(end)],
        )
        pick_edge(page, f'.edge[data-pair="{pair}"]')
        words = page.locator("#details").inner_text()
        fewer = [arc for arc in case.result.dag.arcs if arc != (start, end)]
        loss = case.result.score - ds.score(case.data, fewer)
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


class TestKeyboard:
    def test_the_graph(self, page):
        page.focus("#graph")
        page.keyboard.press("ArrowDown")
        first = page.get_attribute("#graph", "aria-activedescendant")
        page.keyboard.press("ArrowDown")
        second = page.get_attribute("#graph", "aria-activedescendant")
        assert first != second
        page.keyboard.press("Enter")
        name = page.get_attribute(f"#{second}", "aria-label")
        assert page.locator("#details h3").inner_text() == name
        page.keyboard.press("e")
        assert name in page.locator("#details h3").inner_text()
        assert "→" in page.inner_text("#details h3") or "–" in page.inner_text("#details h3")
        page.keyboard.press("Escape")
        assert "Nothing is picked" in page.inner_text("#details")

    def test_arrows_reach_every_variable_of_a_row(self, page):
        page.focus("#graph")
        page.keyboard.press("ArrowDown")
        seen = set()
        for _ in range(30):
            seen.add(page.get_attribute("#graph", "aria-activedescendant"))
            page.keyboard.press("ArrowDown")
        assert len(seen) >= 4

    def test_the_slider(self, page):
        page.focus("#threshold")
        before = float(page.input_value("#threshold"))
        page.keyboard.press("ArrowLeft")
        assert float(page.inner_text("#threshold-value")) == pytest.approx(before - 0.01)

    def test_tab_goes_through_all_controls(self, page):
        wanted = {"theme", "threshold", "view", "search", "around", "adjacency", "graph"}
        met = set()
        page.focus("#theme")
        for _ in range(25):
            met.add(page.evaluate("document.activeElement.id"))
            page.keyboard.press("Tab")
        assert wanted <= met

    def test_every_control_has_a_name(self, page):
        nameless = page.eval_on_selector_all(
            "button, select, input",
            "all => all.filter(e => !(e.textContent.trim() || e.ariaLabel || e.labels?.length))"
            ".map(e => e.outerHTML)",
        )
        assert nameless == []


class TestTables:
    def test_edges_are_sorted_as_asked(self, page):
        def column(at):
            return page.locator(f"#edges-table tbody tr td:nth-child({at})").all_inner_texts()

        strengths = [float(cell) for cell in column(3)]
        assert strengths == sorted(strengths, reverse=True)
        page.click('[data-sort="strength"]')
        strengths = [float(cell) for cell in column(3)]
        assert strengths == sorted(strengths)
        page.click('[data-sort="from"]')
        assert column(1) == sorted(column(1), key=str.lower)
        sorted_by = page.locator('#edges-table th[aria-sort="ascending"]')
        assert sorted_by.inner_text().startswith("from")

    def test_edges_are_filtered(self, page):
        page.fill("#edges-filter", "lvh")
        rows = page.locator("#edges-table tbody tr").all_inner_texts()
        assert rows
        assert all("LVH" in row for row in rows)

    def test_only_those_drawn(self, page):
        slide(page, 0.8)
        page.check("#edges-shown")
        assert page.locator("#edges-table tbody tr").count() == number(page, "count-edges")

    def test_the_file_is_as_r_bnlearn_has_it(self, page, case):
        with page.expect_download() as saved:
            page.click("#edges-csv")
        rows = list(csv.DictReader(io.StringIO(saved.value.path().read_text("utf-8"))))
        table = case.landscape.strengths(frame="dict")
        expected = {(a, b): (s, d) for a, b, s, d in zip(*(table[k] for k in table), strict=True)}
        found = {
            (row["from"], row["to"]): (float(row["strength"]), float(row["direction"]))
            for row in rows
        }
        assert found.keys() == expected.keys()
        for pair, values in expected.items():
            assert found[pair] == pytest.approx(values, abs=1e-5)

    def test_the_picture_can_be_saved(self, page, case):
        with page.expect_download() as saved:
            page.click("#save-svg")
        tree = ElementTree.fromstring(saved.value.path().read_text("utf-8"))
        titles = {e.text for e in tree.iter() if e.tag.endswith("}title")}
        assert set(case.data.names) <= titles


class TestHeatMap:
    def test_a_cell_tells_its_share_and_picks_its_edge(self, page, case):
        assert page.inner_text("#heat-title") == "Confidence in every pair"
        table = case.landscape.strengths().row(0, named=True)
        x, y = page.evaluate(
            """([from, to]) => {
                const told = JSON.parse(document.getElementById('data').textContent);
                const order = told.names.map((_, i) => i).sort((p, q) => {
                    const [a, b] = [told.variables[p].at, told.variables[q].at];
                    return a[1] - b[1] || a[0] - b[0];
                });
                const box = document.getElementById('heatmap').getBoundingClientRect();
                const place = (name) => order.indexOf(told.names.indexOf(name));
                const cell = (box.width - 122 - 4) / told.names.length;
                return [122 + (place(to) + 0.5) * cell, 122 + (place(from) + 0.5) * cell];
            }""",
            [table["from"], table["to"]],
        )
        canvas = page.locator("#heatmap")
        canvas.hover(position={"x": x, "y": y})
        share = table["strength"] * table["direction"]
        assert page.inner_text("#heat-here") == f"{table['from']} → {table['to']}: {share:.2f}"
        canvas.click(position={"x": x, "y": y})
        heading = page.inner_text("#details h3")
        assert table["from"] in heading
        assert table["to"] in heading


class TestLooks:
    def test_dark_follows_the_system_and_the_button(self, open_page, case):
        page = open_page(case.path, scheme="dark")
        color = "getComputedStyle(document.body).backgroundColor"
        assert page.evaluate(color) == "rgb(20, 23, 27)"
        page.click("#theme")
        assert page.evaluate(color) == "rgb(255, 255, 255)"
        page.click("#theme")
        assert page.evaluate(color) == "rgb(20, 23, 27)"

    @pytest.mark.parametrize("scheme", ["light", "dark"])
    def test_words_stand_out(self, open_page, case, scheme):
        page = open_page(case.path, scheme=scheme)
        contrast = page.evaluate(
            """() => {
                const style = getComputedStyle(document.documentElement);
                const light = (name) => {
                    const [r, g, b] = style.getPropertyValue(name).trim().match(/[0-9a-f]{2}/gi)
                        .map((h) => parseInt(h, 16) / 255)
                        .map((c) => c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
                    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
                };
                const ratio = (a, b) => (Math.max(light(a), light(b)) + 0.05)
                    / (Math.min(light(a), light(b)) + 0.05);
                const found = {};
                for (const front of ["ink", "soft", "accent", "same", "extra", "turned"])
                    for (const back of ["page", "card"])
                        found[`${front} on ${back}`] = ratio(`--${front}`, `--${back}`);
                return found;
            }"""
        )
        assert min(contrast.values()) >= 4.5, contrast

    def test_a_phone_does_not_scroll_sideways(self, open_page, case):
        page = open_page(case.path, width=390, height=844)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        page.click('#graph .node[aria-label="Disease"]')
        assert page.evaluate("document.documentElement.scrollWidth") <= 390

    def test_print(self, open_page, case):
        page = open_page(case.path, scheme="dark")
        page.emulate_media(media="print")
        assert not page.locator("#network .controls").is_visible()
        assert page.locator("#graph").is_visible()
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") == (
            "rgb(255, 255, 255)"
        )
        pages = page.pdf(format="A4").count(b"/Type /Page\n")
        assert pages < 12

    def test_zoom_and_fit(self, page):
        width = "document.getElementById('graph').getBoundingClientRect().width"
        page.click("#zoom-fit")
        fitted = page.evaluate(width)
        assert fitted <= page.evaluate("document.getElementById('canvas').clientWidth")
        page.click("#zoom-in")
        assert page.evaluate(width) == pytest.approx(1.25 * fitted, rel=0.01)
        page.click("#zoom-fit")
        assert page.evaluate(width) == fitted


class TestOtherPages:
    def test_a_result_alone(self, open_page, case, tmp_path):
        case.result.report(tmp_path / "r.html")
        page = open_page(tmp_path / "r.html")
        assert drawn(page, "same") == len(case.result.dag.arcs)
        for hidden in ("#threshold-box", "#choosing", "#optima", "#compare-box"):
            assert not page.locator(hidden).is_visible()
        assert page.inner_text("#heat-title") == "The network as a matrix"
        page.click("#graph .node >> nth=0")
        assert "Markov blanket" in page.inner_text("#details")

    def test_optima_are_measured_by_the_network_that_was_learned(self, open_page, tmp_path):
        # Greedy search cannot see parity, so that the best optimum is far from the network.
        rng = np.random.default_rng(0)
        a, b = rng.integers(0, 2, (2, 500))
        learned = ds.learn(ds.Data({"a": a, "b": b, "c": a ^ b}), score="bic", runs=5)
        learned.report(tmp_path / "r.html")
        page = open_page(tmp_path / "r.html")
        table = page.locator("#optima-table")
        assert table.locator("th").nth(2).inner_text() == "below the network found"
        below = learned.score - learned.landscape.best.score
        assert below > 100
        first = table.locator("tbody tr").first.locator("td").nth(2).inner_text()
        assert float(first.replace(",", "")) == pytest.approx(below, abs=0.006)

    def test_networks_of_samples(self, open_page, case, tmp_path):
        networks = ds.bootstrap(case.data, runs=5)
        networks.best.report(tmp_path / "r.html", landscape=networks, data=case.data)
        page = open_page(tmp_path / "r.html")
        assert page.inner_text("#optima-title") == "Networks of the samples"

    def test_names_that_look_like_markup(self, open_page, tmp_path):
        rng = np.random.default_rng(1)
        x = rng.integers(0, 2, 60)
        data = ds.Data({name: np.where(rng.random(60) < 0.9, x, 1 - x) for name in NASTY})
        landscape = ds.local_optima(data, runs=5)
        result = ds.ges(data)
        result.report(
            tmp_path / "r.html", data=data, landscape=landscape, truth=result.dag, title=NASTY[0]
        )
        page = open_page(tmp_path / "r.html")
        assert page.inner_text("#title") == NASTY[0]
        for name in NASTY:
            page.fill("#search", name)
            assert page.locator("#details h3").text_content() == name
        pick_edge(page, "#graph .edge")

    def test_names_like_formulas_are_saved_as_in_all_files(self, open_page, tmp_path):
        names = ["=1+1", "+a", "-x", "@b", "\tc", "-1", "-1.5e3", "-", "'=a", "''", "a=b", "＝1"]
        dag = ds.Dag(names, list(itertools.pairwise(names)))
        path = tmp_path / "r.html"
        ds.Result(dag=dag, score=-1.0, score_name="bic", method="x").report(path)
        page = open_page(path)
        with page.expect_download() as saved:
            page.click("#edges-csv")
        rows = csv.DictReader(io.StringIO(saved.value.path().read_bytes().decode(), newline=""))
        ends = {row[end] for row in rows for end in ("from", "to")}
        assert ends == {guarded(name) for name in names}

    def test_hundreds_of_variables_start_with_a_neighborhood(self, open_page, tmp_path):
        rng = np.random.default_rng(0)
        names = [f"gene {i}" for i in range(300)]
        arcs = {(names[rng.integers(j)], names[j]) for j in range(1, 300) for _ in range(2)}
        dag = ds.Dag(names, arcs)
        ds.Result(dag=dag, score=-1.0, score_name="bic", method="x").report(tmp_path / "r.html")
        page = open_page(tmp_path / "r.html")
        assert 1 < page.locator("#graph .node").count() <= 60
        page.fill("#search", "gene 299")
        assert page.locator('#graph .node[aria-label="gene 299"]').is_visible()
        assert page.locator("#details h3").inner_text() == "gene 299"
        page.click("#look-around")
        assert page.locator("#graph .node").count() == 300
        assert drawn(page, "same") == len(arcs)

    def test_one_variable(self, open_page, tmp_path):
        data = ds.Data({"x": ["a", "b", "a"]})
        landscape = ds.local_optima(data, runs=2)
        ds.exact(data, score="bic").report(tmp_path / "r.html", data=data, landscape=landscape)
        page = open_page(tmp_path / "r.html")
        page.click("#graph .node")
        assert re.search(r"a\s+66.7 %", page.inner_text("#details"))


class TestNotes:
    @pytest.mark.filterwarnings("ignore::dagscape.DataWarning")
    def test_losses_stand_at_the_top_and_every_note_below(self, open_page, tmp_path):
        rows = range(100)
        table = {
            f"{NASTY[0]}{j}": [None if i % 10 == j else "ab"[(i + j) // 3 % 2] for i in rows]
            for j in range(7)
        }
        data = ds.Data(table | {"y": ["u ", "u", "v", "n/a"] * 25}, missing="drop")
        path = tmp_path / "r.html"
        ds.ges(data).report(path)
        page = open_page(path)
        loud = page.locator("#losses li.loud")
        assert loud.count() == 1
        assert loud.first.is_visible()
        assert (
            "70 of 100 rows (70 %) had a missing value and were dropped" in loud.first.inner_text()
        )
        told = page.inner_text("#notes")
        assert 'Column "y" has a state "n/a"' in told
        assert "only by blanks; remove the blanks." in told
        page.locator("#losses summary").click()
        assert page.locator("#losses details li").count() == 7
        assert f"{NASTY[0]}6" in page.inner_text("#losses details")

    def test_a_page_without_notes_has_no_room_for_them(self, open_page, tmp_path):
        ds.ges(ds.Data({"a": ["x", "y"] * 20, "b": ["u", "u", "v", "v"] * 10})).report(
            tmp_path / "r.html"
        )
        page = open_page(tmp_path / "r.html")
        assert not page.is_visible("#losses")
        assert not page.is_visible("#notes-box")
