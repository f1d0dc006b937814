"""The tables of the page, and its heat map."""

from __future__ import annotations

import csv
import io
import xml.etree.ElementTree as ElementTree

import pytest

from browser.report_page.page_actions import number, slide


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
