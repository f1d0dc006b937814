"""The page of a posterior: what it says, and that nothing in a name becomes part of it."""

import re
from html import unescape
from html.parser import HTMLParser

import numpy as np
import pytest

import dagscape as ds
from dagscape.report import probabilities


class Page(HTMLParser):
    """The rows of all tables, the headings, and the tags that are open at the end."""

    def __init__(self, text):
        super().__init__()
        self.tables, self.tags, self._cell = [], [], None
        self.feed(text)

    def handle_starttag(self, tag, _attributes):
        if tag not in ("meta", "link"):
            self.tags.append(tag)
        if tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self.tables[-1].append([])
        elif tag in ("td", "th"):
            self.tables[-1][-1].append("")

    def handle_endtag(self, tag):
        assert self.tags.pop() == tag

    def handle_data(self, data):
        if self.tags and self.tags[-1] in ("td", "th"):
            self.tables[-1][-1][-1] += data


@pytest.fixture(scope="module")
def data():
    return ds.load_network("asia").sample(300, seed=1)


@pytest.fixture(scope="module")
def found(data):
    return ds.posterior(data, score="bdeu", prior="edges")


def written(posterior, path, **more):
    posterior.report(path, **more)
    return path.read_text("utf-8")


def test_what_it_shows(found, tmp_path):
    text = written(found, tmp_path / "p.html", truth=ds.load_network("asia"), title="Lungs")
    page = Page(text)
    assert page.tags == []
    pairs, classes = page.tables
    expected = found.features("adjacencies", least=0.01)
    assert len(pairs) == 1 + len(expected)
    row = dict(zip(pairs[0], pairs[1], strict=True))
    assert float(row["joined"]) == pytest.approx(expected["probability"][0], abs=6e-4)
    assert {row["from"], row["to"]} == {expected["from"][0], expected["to"][0]}
    by_pair = {frozenset(line[:2]): line for line in pairs[1:]}
    assert by_pair[frozenset(("tub", "lung"))][-1] == "no edge"  # in the true network
    assert by_pair[frozenset(("bronc", "dysp"))][-1] == "bronc → dysp"
    assert float(classes[1][1]) == pytest.approx(found.networks(1)[0].probability, rel=1e-3)
    assert len(classes) == 21
    assert "<h1>Lungs</h1>" in text
    assert found.claim[1:] in unescape(text)
    assert f"{found.consensus().expected_shd:.2f} edges" in text
    assert f"{found.log_evidence:,.4f}" in text
    assert text.count("<rect") == 8  # the variables, drawn
    assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", text)
    assert "<script" not in text


@pytest.mark.slow
def test_which_of_the_two_it_is(found, data, tmp_path):
    assert "if the table was drawn from such a prior" in written(found, tmp_path / "p.html")
    bagged = written(ds.posterior(data, resamples=3), tmp_path / "b.html")
    assert "mean over 3 tables drawn from the rows" in bagged
    assert "if the table was drawn" not in bagged
    kept = tmp_path / "p.sqlite"
    found.save(kept)
    back = written(ds.load_result(kept, ds.Posterior), tmp_path / "again.html")
    assert Page(back).tables == Page(written(found, tmp_path / "p.html")).tables


def test_chains_and_how_far_they_differ(data, tmp_path):
    sampled = ds.posterior(data, method="mcmc", chains=3, rounds=100)
    sampled.report(tmp_path / "p.html")
    page = (tmp_path / "p.html").read_text("utf-8")
    assert "Sampled: 3 chains over" in page
    assert "Lower and upper come from how far chains differ" in page
    a, b, low, high = sampled.agreement.arcs[0]
    assert f"starts: 1 empty, 1 optimum, 1 random). They differ most in {a} -&gt; {b}" in page
    assert f"from {low:.2f} to {high:.2f}" in page


def test_odd_names(tmp_path):
    rng = np.random.default_rng(0)
    a = rng.integers(0, 2, 200)
    odd = "<script>alert(1)</script>"
    text = written(ds.posterior(ds.Data({odd: a, "b & c": a})), tmp_path / "p.html", title=odd)
    assert "<script" not in text
    assert {cell for line in Page(text).tables[0] for cell in line} >= {odd, "b & c"}


def test_many_variables_are_not_drawn(found, tmp_path, monkeypatch):
    monkeypatch.setattr(probabilities, "MOST_DRAWN", 7)
    text = written(found, tmp_path / "p.html")
    assert "<svg" not in text
    assert len(Page(text).tables[0]) > 1


def test_wrong_words(found, tmp_path):
    with pytest.raises(ds.ParameterError, match="title must be words, got int"):
        found.report(tmp_path / "p.html", title=3)
    other = ds.Dag(["asia", "moon"], [])
    with pytest.raises(ds.ParameterError, match="the posterior and the truth must have the same"):
        found.report(tmp_path / "p.html", truth=other)
    with pytest.raises(ds.ParameterError, match="truth must be a Dag"):
        found.report(tmp_path / "p.html", truth="asia")
    assert list(tmp_path.iterdir()) == []


def test_a_probable_pair_that_the_nearest_network_lacks_has_a_reason():
    data = ds.load_network("sachs").sample(200, seed=1)
    p = ds.posterior(data, resamples=20)
    graph = p.consensus()
    rows = p.features("adjacencies", least=0.5).iter_rows(named=True)
    missing = [(r["from"], r["to"]) for r in rows if r["to"] not in graph.neighbors(r["from"])]
    assert missing  # else this says nothing
    page = unescape(probabilities.posterior_page(p))
    assert "Why probable edges are not in the nearest network" in page
    for each in p.pair_choices(graph, missing):
        assert f"<li>{each.a} – {each.b}: an edge is more probable than none, but no" in page
        assert f"no edge {each.absent:.2f}; " in page
    plain = ds.posterior(data.select(["PIP2", "Plcg"]))
    assert "Why probable" not in probabilities.posterior_page(plain)
