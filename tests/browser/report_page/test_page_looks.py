"""The page by keyboard, in print, with odd names and without a landscape."""

from __future__ import annotations

import csv
import io
import itertools
import re

import numpy as np
import pytest

import dagscape as ds
from browser.report_page.page_actions import drawn, pick_edge
from dagscape.files.spreadsheets import guarded

NASTY = [
    "</script><script>alert(1)</script>",
    '"quoted" \\ & <img src=x onerror=alert(2)>',
    "漢字 и 🦉",
    "a name that goes on and on and does not end where it should",
]


def neighborhood(open_page, folder, dag, name, steps="1"):
    """Open the page of a graph, and draw what is near one variable."""
    ds.Result(dag=dag, score=-1.0, score_name="bic", method="x").report(folder / "r.html")
    page = open_page(folder / "r.html")
    page.fill("#search", name)
    page.select_option("#around", steps)
    return page


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
        assert not page.locator("#network .controls").first.is_visible()
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
        page.select_option("#around", "map")
        assert 1 < page.locator("#graph .cluster").count() <= 36
        page.select_option("#around", "0")
        assert page.locator("#graph .node").count() == 300

    def test_a_map_of_clusters_opens_part_by_part(self, open_page, tmp_path):
        rng = np.random.default_rng(0)
        names = [f"gene {i}" for i in range(1600)]
        near = [(j - 1 - rng.integers(min(j, 3)), j) for j in range(1, 1500)]
        dag = ds.Dag(names, [(names[a], names[b]) for a, b in near])
        ds.Result(dag=dag, score=-1.0, score_name="bic", method="x").report(tmp_path / "r.html")
        page = open_page(tmp_path / "r.html")
        assert page.input_value("#around") == "map"
        circles = page.locator("#graph .cluster")
        sizes = [
            int(size.replace(",", "")) for size in page.locator("#graph .size").all_text_contents()
        ]
        assert sum(sizes) == 1500
        assert 1 < circles.count() == len(sizes) <= 36
        assert "100 variables have no edge" in page.inner_text("#counts")
        page.locator("#graph").focus()
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        while circles.count():  # clusters of clusters
            circles.first.dispatch_event("click")
        shown = page.locator("#graph .node").count()
        assert f"a cluster of {shown} variables" in page.inner_text("#counts")
        assert page.locator("#graph .edge").count() >= shown - 1
        page.locator("#graph .node").first.dispatch_event("click")
        assert page.locator("#details h3").inner_text().startswith("gene ")
        assert page.locator("#graph .node").count() == shown
        page.click("#counts button:has-text('the map')")
        assert circles.count() == len(sizes)
        page.fill("#search", "gene 700")
        assert page.locator('#graph .node.picked[aria-label="gene 700"]').count() == 1
        assert page.input_value("#around") in ("1", "2")
        page.click("#look-around")
        assert circles.count() == len(sizes)

    def test_lines_within_a_row_stay_inside_the_picture(self, open_page, tmp_path):
        joined = ["a long name for one", "a long name for two", "a long name for three"]
        arcs = [*itertools.combinations(joined, 2), *((name, "child") for name in (*joined, "d"))]
        page = neighborhood(open_page, tmp_path, ds.Dag([*joined, "d", "child"], arcs), "child")
        assert page.locator("#graph .edge").count() == len(arcs)
        inside = page.evaluate("""() => {
          const frame = document.getElementById("graph").viewBox.baseVal;
          return [...document.querySelectorAll("#graph .edge .line")].map((line) => {
            const box = line.getBBox();
            return box.y >= frame.y && box.y + box.height <= frame.y + frame.height
              && box.x >= frame.x && box.x + box.width <= frame.x + frame.width;
          });
        }""")
        assert inside == [True] * len(arcs)

    def test_a_tree_without_directions_hangs_from_its_center(self, open_page, tmp_path):
        leaves = [f"leaf {i}" for i in range(6)]
        arcs = [*(("center", leaf) for leaf in leaves), (leaves[0], "far")]
        dag = ds.Dag(["center", *leaves, "far"], arcs)
        page = neighborhood(open_page, tmp_path, dag, "center", steps="2")

        def row(name):
            return float(page.get_attribute(f'#graph .node[aria-label="{name}"] text', "y"))

        assert row("center") < row(leaves[0]) < row("far")
        assert {row(leaf) for leaf in leaves} == {row(leaves[0])}

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
