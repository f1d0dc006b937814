"""The page of a posterior: that of what is learned, about the graph of least expected error."""

from __future__ import annotations

import json
import re

import pytest

import dagscape as ds


def written(posterior, path, **more):
    posterior.report(path, **more)
    text = path.read_text("utf-8")
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.S)
    return json.loads(found[1])


def rows_of(table):
    columns = table["columns"]
    return [
        table["same"] | {name: column[i] for name, column in columns.items()}
        for i in range(table["rows"])
    ]


@pytest.fixture(scope="module")
def data():
    return ds.load_network("asia").sample(300, seed=1)


@pytest.fixture(scope="module")
def found(data):
    return ds.posterior(data, score="bdeu", prior="edges")


@pytest.mark.slow
def test_what_it_shows(found, data, tmp_path):
    shown = written(found, tmp_path / "p.html", truth=ds.load_network("asia"), title="Lungs")
    assert shown["title"] == "Lungs"
    names, consensus = shown["names"], found.consensus()
    drawn = {
        frozenset((names[p["a"]], names[p["b"]])) for p in rows_of(shown["pairs"]) if p["drawn"]
    }
    assert drawn == {frozenset(edge) for edge in (*consensus.directed, *consensus.undirected)}
    for row in rows_of(shown["trust"]["edges"]):
        a, b = names[row["from"]], names[row["to"]]
        assert row["probability"] == pytest.approx(found.probability(a, b, "adjacencies"), abs=1e-9)
    section = shown["sections"][0]
    (classes,) = section["tables"]
    assert [row[1] for row in classes["rows"]] == pytest.approx(
        [each.probability for each in found.networks(20)]
    )
    told = " ".join(line for _, lines in section["lines"] for line in lines)
    assert found.claim[1:] in told
    assert f"{found.log_evidence:,.4f}" in told
    assert f"{consensus.expected_shd:.2f} edges" in shown["result"]["proof"]
    assert shown["result"]["score"] == pytest.approx(
        ds.score(data, consensus.to_dag(), score=found.score_kind)
    )
    assert shown["nearest_drawn"]
    assert shown["truth"] == "the true network"


@pytest.mark.slow
def test_which_of_the_two_it_is(found, data, tmp_path):
    def told(posterior):
        shown = written(posterior, tmp_path / "p.html")
        return shown, str(shown["sections"][0]["lines"])

    assert "if the table was drawn from such a prior" in told(found)[1]
    bagged = told(ds.posterior(data, resamples=3))[1]
    assert "mean over 3 tables drawn from the rows" in bagged
    assert "if the table was drawn" not in bagged
    kept = tmp_path / "p.sqlite"
    found.save(kept)
    alone, words = told(ds.load_result(kept, ds.Posterior))
    assert words == told(found)[1]
    assert alone["result"]["score"] is None  # without the table nobody knows it
    assert alone["rows"] is None


@pytest.mark.slow
def test_chains_and_how_far_they_differ(data, tmp_path):
    sampled = ds.posterior(data, method="mcmc", chains=3, rounds=100)
    told = str(written(sampled, tmp_path / "p.html")["sections"][0]["lines"])
    assert "Sampled: 3 chains over" in told
    assert "Lower and upper come from how far chains differ" in told
    a, b, low, high = sampled.agreement.arcs[0]
    assert f"starts: 1 empty, 1 optimum, 1 random). They differ most in {a} → {b}" in told
    assert f"from {low:.2f} to {high:.2f}" in told


def test_wrong_words(found, tmp_path):
    with pytest.raises(ds.ParameterError, match="title must be words, got int"):
        found.report(tmp_path / "p.html", title=3)
    other = ds.Dag(["asia", "moon"], [])
    with pytest.raises(ds.ParameterError, match="the posterior and the truth must have the same"):
        found.report(tmp_path / "p.html", truth=other)
    with pytest.raises(ds.ParameterError, match="truth must be a Dag"):
        found.report(tmp_path / "p.html", truth="asia")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_a_probable_pair_that_the_nearest_network_lacks_has_a_reason(tmp_path):
    data = ds.load_network("sachs").sample(200, seed=1)
    p = ds.posterior(data, resamples=20)
    graph = p.consensus()
    rows = p.features("adjacencies", least=0.5).iter_rows(named=True)
    missing = [(r["from"], r["to"]) for r in rows if r["to"] not in graph.neighbors(r["from"])]
    assert missing  # else this says nothing
    shown = written(p, tmp_path / "p.html")
    names = shown["names"]
    told = {
        frozenset((names[row["from"]], names[row["to"]])): row["choice"]
        for row in rows_of(shown["trust"]["edges"])
        if row["choice"]
    }
    for each in p.pair_choices(graph, missing):
        choice = told[frozenset((each.a, each.b))]
        assert choice["chosen"] == "absent"
        assert choice["absent"] == pytest.approx(each.absent, abs=1e-6)
