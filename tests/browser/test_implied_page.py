"""Testable implications and adjustment sets: those of the graph, tested as examine does."""

from __future__ import annotations

import pytest

import dagscape as ds


@pytest.fixture(scope="module")
def case(tmp_path_factory):
    data = ds.load_network("asia").sample(400, seed=2)
    learned = ds.learn(data, runs=0, resamples=3)
    path = tmp_path_factory.mktemp("implied") / "r.html"
    learned.report(path)
    return data, learned, path


def test_a_picked_pair_says_what_can_be_tested_and_adjusted_for(open_page, case):
    data, learned, path = case
    page = open_page(path)
    dag, names = learned.dag, list(learned.dag.names)
    told = ds.examine(dag, data, resamples=0, relabelings=0).implications
    rows = {frozenset((row["a"], row["b"])): row for row in told.iter_rows(named=True)}
    shown = page.locator("#implied-table tbody tr")
    assert shown.count() == len(rows)
    for i in range(shown.count()):
        a, b, given, p, corrected, verdict = shown.nth(i).locator("td").all_inner_texts()
        row = rows[frozenset((a, b))]
        assert sorted(given.split(", ")) == sorted(row["given"] or ["nothing"])
        assert (p, corrected) == tuple(
            f"{x:.3f}" if x >= 0.001 else "below 0.001" for x in (row["p"], row["p_adjusted"])
        )
        assert verdict == row["verdict"]
        assert dag.d_separated(a, b, row["given"])
    for pair, row in list(rows.items())[:4]:
        a, b = sorted(pair)
        page.fill("#search", a)
        page.select_option("#with-other", str(names.index(b)))
        said = page.inner_text("#implication")
        assert {a, b, *row["given"]} == set(said.replace(",", "").split()) - {"⊥", "|"}
        below = [(x, y) for x, y in ((a, b), (b, a)) if y in dag.descendants(x)]
        assert page.locator("#adjusting").count() == len(below)
        for x, y in below:
            others = dag.adjustment_set(x, y)
            words = "adjust for:" if others else "without adjusting for anything."
            assert page.inner_text("#adjusting").endswith(words)
            listed = page.locator("#adjusting + ul button").all_text_contents()
            assert sorted(listed) == sorted(others)


def test_without_trust_they_are_listed_and_not_tested(open_page, case, tmp_path):
    data, learned, _ = case
    learned.plain().report(tmp_path / "r.html", data=data)
    page = open_page(tmp_path / "r.html")
    heads = page.locator("#implied-table thead th").all_text_contents()
    assert heads == ["a", "b", "given"]
    assert "They were not tested here" in page.inner_text("#implied-text")
