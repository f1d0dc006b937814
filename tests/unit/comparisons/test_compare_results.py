"""Two results side by side: what differs, whether it matters, and which variables drifted."""

import json

import numpy as np
import pytest

import dagscape as ds
from dagscape.comparisons import ResultComparison
from dagscape.comparisons.drift import drift_of
from dagscape.learning import LearnResult

ARCS = [("a", "b"), ("b", "c")]


def rows(seed: int, many: int = 300, noise: float = 0.15) -> dict[str, list[str]]:
    """Return rows of a → b → c, and d by itself; with more noise, c is another."""
    rng = np.random.default_rng(seed)
    a, d = rng.integers(0, 2, many), rng.integers(0, 3, many)
    b = np.where(rng.random(many) < 0.15, 1 - a, a)
    c = np.where(rng.random(many) < noise, 1 - b, b)
    return {
        name: [f"s{code}" for code in codes]
        for name, codes in zip("abcd", (a, b, c, d), strict=True)
    }


def learned(columns: dict[str, list[str]]) -> LearnResult:
    return ds.learn(ds.Data(columns), runs=0, resamples=2)


@pytest.fixture(scope="module")
def old() -> LearnResult:
    return learned(rows(1))


def test_scores_and_losses_are_those_of_the_networks(old):
    new = learned(rows(2, noise=0.5))
    c = ds.compare(old, new)
    assert isinstance(c, ResultComparison)
    for which, own, other in ((0, old, new), (1, new, old)):
        on = c.scores[which]
        assert on.own == pytest.approx(own.score)
        assert on.other == pytest.approx(ds.score(own.data, other.dag))
        lost = c.families[("loss_first", "loss_second")[which]]
        assert lost.sum() == pytest.approx(on.loss, abs=1e-6)
    assert c.graphs == ds.compare(old.dag, new.dag)
    assert ds.compare(old, new.dag) == c.graphs
    assert (c.same_table, c.matters) == (False, True)
    (edge,) = [row for row in c.edge_rows if (row.a, row.b) == ("b", "c")]
    assert (bool(edge.first), edge.second, edge.matters) == (True, "", True)
    assert "likely in one and not in the other: b - c" in c.summary


def test_the_same_result_differs_in_nothing(old):
    c = ds.compare(old, old)
    assert (c.graphs.shd, c.same_table, c.matters) == (0, True, False)
    assert c.families.is_empty()
    assert c.drift.why_not == "both have the same table"
    assert "the networks are equivalent" in c.summary


@pytest.mark.slow
def test_rows_of_the_same_distribution_seldom_drift():
    dag, first = ds.Dag("abcd", ARCS), ds.Data(rows(0))
    wrong = sum(
        bool(drift_of([dag], first, ds.Data(rows(seed, 200)), level=0.05).variables)
        for seed in range(1, 101)
    )
    assert wrong <= 12  # 5 are expected, and more than 12 once in a thousand times


def test_what_follows_otherwise_is_named(old):
    for many in (200, 400):
        c = ds.compare(old, learned(rows(3, many, noise=0.45)))
        assert len(c.drift.variables) == 1
        (which,) = c.drift.variables
        assert which in ("b", "c")  # the arc of the two may go either way
        assert c.loss.new > c.loss.own
        assert "otherwise in the second table" in c.summary


@pytest.mark.slow
def test_a_table_that_grew_is_compared_by_its_new_rows(old):
    more = rows(5, 100)
    c = ds.compare(old, learned({name: rows(1)[name] + more[name] for name in more}))
    assert (c.drift.grew, c.drift.new_rows, c.drift.variables) == (True, 100, ())
    assert "begins with the rows of the first" in c.summary
    dag = ds.Dag("abcd", ARCS)
    alone = drift_of([dag], old.data, ds.Data(more), level=0.05)
    grown = drift_of([dag], old.data, c.second.data, level=0.05)
    assert [row.p for row in alone.rows] == pytest.approx([row.p for row in grown.rows])


def numbers(rng: np.random.Generator, slope: float, spread: float, shift: float) -> ds.Data:
    x, g = rng.normal(size=150), rng.integers(0, 2, 150)
    y = shift + slope * x * (1 + g) + spread * rng.normal(size=150)
    return ds.Data({"g": [f"g{code}" for code in g], "x": x, "y": y})


@pytest.mark.parametrize("change", [(-1.0, 1.0, 0.0), (1.0, 2.0, 0.0), (1.0, 1.0, 1.0)])
def test_numbers_drift_too(change):
    dag, rng = ds.Dag("gxy", [("x", "y"), ("g", "y")]), np.random.default_rng(3)
    first = numbers(rng, 1.0, 1.0, 0.0)
    assert drift_of([dag], first, numbers(rng, *change), level=0.05).variables == ("y",)


@pytest.mark.slow
def test_numbers_of_the_same_distribution_seldom_drift():
    dag, rng = ds.Dag("gxy", [("x", "y"), ("g", "y")]), np.random.default_rng(4)
    wrong = 0
    for _ in range(60):
        one, other = (numbers(rng, 1.0, 1.0, 0.0) for _ in range(2))
        wrong += bool(drift_of([dag], one, other, level=0.05).variables)
    assert wrong <= 9  # 3 are expected, and more than 9 once in a thousand times


@pytest.mark.slow
def test_what_is_not_known_is_said(old):
    plain = old.plain()
    c = ds.compare(plain, plain)
    assert (c.matters, c.same_table, c.scores) == (None, None, (None, None))
    assert "whether it matters is not known: a table is not at hand" in c.summary
    gaps = rows(1)
    gaps["a"][0] = None
    kept = ds.learn(ds.Data(gaps, missing="keep"), runs=0, resamples=0)
    assert ds.compare(old, kept).drift.why_not == "a table has missing cells"
    strange = rows(4)
    strange["d"][0] = "other"
    assert ds.compare(old, learned(strange)).loss is None
    with pytest.raises(ds.GraphError, match="different variables"):
        ds.compare(old, ds.learn(ds.Data({"a": [0, 1] * 20, "b": [1, 1, 0, 0] * 10}), runs=0))
    with pytest.raises(ds.ParameterError, match="level must lie between 0 and 1"):
        ds.compare(old, old, level=1)


def test_it_is_kept_as_json_and_shown_on_a_page(old, tmp_path):
    c = ds.compare(old, learned(rows(2, noise=0.5)))
    c.save(tmp_path / "c.json")
    kept = json.loads((tmp_path / "c.json").read_text("utf-8"))
    assert (kept["kind"], kept["matters"]) == ("comparison", True)
    assert kept["scores"][0]["loss"] == pytest.approx(c.scores[0].loss)
    c.report(tmp_path / "c.html")
    page = (tmp_path / "c.html").read_text("utf-8")
    assert "What changed" in page
    assert "the first network" in page
    assert repr(c).startswith("<ResultComparison: the networks differ")


def test_rows_that_depend_on_each_other_are_no_sign_of_another_distribution():
    rng = np.random.default_rng(0)
    tables = [
        {f"c{i}": column for i, column in enumerate(rng.permutation(own.repeat(10, axis=0)).T)}
        for own in rng.integers(2, size=(2, 30, 5))
    ]
    found = ds.compare(*(ds.learn(table, runs=0, resamples=0) for table in tables))
    assert not found.drift.rows
    assert found.drift.why_not == "the rows of a table seem to depend on each other"
    assert "the tables were not compared: the rows of a table seem to depend" in found.summary


@pytest.mark.slow
def test_two_samples_of_one_distribution_differ_in_nothing_that_matters():
    """Whatever score their networks lose on the table of each other."""
    net = ds.load_network("asia")
    found = []
    for seed in range(12):
        one, other = (
            ds.learn(net.sample(300, seed=2 * seed + at), runs=0, resamples=0) for at in (0, 1)
        )
        found.append(ds.compare(one, other))
    assert sum(any(on.loss > 3 for on in c.scores) for c in found) >= 5
    assert sum(c.matters for c in found) <= 2  # 0.6 are expected, and more than 2 once in 50 times
    c = next(c for c in found if c.graphs.shd and not c.matters)
    assert "no more than those of two samples of one distribution may" in " ".join(
        c.summary.split()
    )
    assert "worse" not in c.summary


def test_an_arc_of_the_second_truth_alone_is_told():
    """Without it the first network's parents are the same in both tables."""
    rng = np.random.default_rng(8)
    a, b = rng.integers(0, 2, (2, 2, 400))
    c = np.where(rng.random(400) < 0.2, 1 - b[1], b[1]), rng.integers(0, 2, 400)
    one, other = (
        ds.learn(ds.Data({"a": a[at], "b": b[at], "c": c[1 - at]}), runs=0, resamples=0)
        for at in (0, 1)
    )
    assert ds.compare(one, other).matters
    assert ds.compare(other, one).matters
    assert {row.parents for row in ds.compare(one, other).drift.rows if row.drifted} <= {
        ("b",),
        ("c",),
    }


def test_one_table_and_two_scores():
    data = ds.load_network("asia").sample(400, seed=0)
    one, other = (
        ds.learn(data, score=score, prior="uniform", runs=0, resamples=0)
        for score in ("bic", ds.BDeu(ess=50))
    )
    c = ds.compare(one, other)
    assert (c.same_rows, c.matters) == (True, True)
    assert "and the results differ in what matters" in " ".join(c.summary.split())
    assert "clearly worse" in c.summary
    assert "other scores: bic, then" in " ".join(c.summary.split())
