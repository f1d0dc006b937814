"""Pages of tables that are not plain: they open without a complaint, and what can be asked is."""

from __future__ import annotations

import polars as pl
import pytest

import dagscape as ds


@pytest.fixture(scope="module")
def frame():
    data = ds.load_network("asia").sample(300, seed=1).select(["smoke", "lung", "bronc", "dysp"])
    columns = {
        name: [data.states[name][code] for code in data.codes[:, i]]
        for i, name in enumerate(data.names)
    }
    return pl.DataFrame(columns)


def opened(open_page, learned, path):
    learned.report(path)
    page = open_page(path)
    if page.is_visible("#beliefs"):
        page.check("#beliefs")
        page.locator("#ask-cards .ask-state").first.click()
        page.select_option("#target", "1")
    page.click("#wanted-add")
    page.locator("#graph .node .frame").first.dispatch_event("click")
    return page


def test_groups(open_page, frame, tmp_path):
    data = ds.Data(frame.with_columns(site=pl.Series(["n", "s", "e"] * 100)), groups="site")
    page = opened(open_page, ds.learn(data, runs=0, resamples=0), tmp_path / "r.html")
    assert page.locator("#sections .beside img").count() == 2
    assert not page.is_visible("#beliefs")  # each group has its own tables


def test_weights_gaps_and_experiments(open_page, frame, tmp_path):
    tables = [
        ds.Data(frame.with_columns(n=pl.Series([2] * 300)), weights="n"),
        ds.Data(
            frame.with_columns(target=pl.Series(["", "smoke"] * 150)),
            interventions=ds.Interventions(column="target", how="randomized"),
        ),
        ds.Data(
            frame.with_columns(
                pl.when(pl.Series([True] * 9 + [False]).sample(300, with_replacement=True, seed=1))
                .then("smoke")
                .alias("smoke")
            ),
            missing="keep",
        ),
    ]
    for i, data in enumerate(tables):
        learned = ds.learn(data, runs=0, resamples=0)
        page = opened(open_page, learned, tmp_path / f"{i}.html")
        assert "given" in page.locator("#graph .node.given").first.get_attribute("class")
        assert "not known here" in page.inner_text("#wanted-cost")


def test_a_drawn_graph_with_hidden_causes(open_page, frame, tmp_path):
    learned = ds.learn(ds.Data(frame), runs=0, resamples=0)
    drawn = [("smoke", "o->", "lung"), ("lung", "<->", "dysp"), ("bronc", "o->", "dysp")]
    ds.examine(drawn, learned, relabelings=0).report(tmp_path / "r.html")
    page = open_page(tmp_path / "r.html")
    circle = page.locator("#sections svg.circle")
    assert (circle.locator(".ring").count(), circle.locator(".head").count()) == (2, 4)
    said = circle.locator("g.same title").all_text_contents()
    assert said == ["smoke o→ lung", "lung ↔ dysp", "bronc o→ dysp"]
    assert "speaks against" in page.inner_text("#sections")
