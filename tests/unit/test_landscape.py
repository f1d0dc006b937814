"""Local optima at the edge: what they are, limits, Ctrl-C, refusals, tables."""

import os
import pickle
import signal
import sys

import numpy as np
import polars as pl
import pytest

import dagscape as ds
from dagscape.executors import executor
from dagscape.landscape import FRAMES, KINDS
from limits import AMPLE, NO_TIME, Clock


@pytest.fixture(scope="module")
def data():
    """Few rows of many variables: many optima."""
    return ds.load_network("alarm").sample(300, seed=1)


@pytest.fixture(scope="module")
def landscape(data):
    return ds.local_optima(data, score="bic", k=0.5, runs=60, seed=3)


@pytest.fixture(scope="module")
def asia():
    return ds.load_network("asia").sample(500, seed=1)


def same(one, other):
    return (one.optima, one.runs, one.work, one.sampled) == (
        other.optima,
        other.runs,
        other.work,
        other.sampled,
    )


class TestTheOptima:
    def test_what_they_are(self, data, landscape):
        assert landscape.runs == 60
        assert sum(optimum.visits for optimum in landscape.optima) == 60
        assert len({optimum.cpdag for optimum in landscape.optima}) == len(landscape.optima) > 5
        scores = [optimum.score for optimum in landscape.optima]
        assert scores == sorted(scores, reverse=True)
        assert landscape.best == landscape.optima[0]
        for optimum in landscape.optima[:5]:
            assert optimum.score == pytest.approx(ds.score(data, optimum.dag, score="bic"))
            assert optimum.dag.to_cpdag() == optimum.cpdag
            assert 0 <= optimum.first_run < 60
        firsts = [optimum.first_run for optimum in landscape.optima]
        assert len(set(firsts)) == len(firsts)
        assert 0 in firsts

    def test_what_the_landscape_says(self, data, landscape):
        assert landscape.names == data.names
        assert (landscape.k, landscape.seed, landscape.score_name) == (0.5, 3, "bic")
        assert landscape.stopped is None
        assert landscape.sampled == 0
        assert landscape.seconds > 0
        assert landscape.work["steps"] >= 60
        assert landscape.work["better_classes"] >= landscape.work["steps"]
        assert landscape.max_parents is None
        assert landscape.neighborhood == "auto"
        words = repr(landscape)
        assert "60 runs" in words
        assert "bic" in words
        assert "visit" in repr(landscape.best)

    def test_runs_are_runs_of_kes(self, data, landscape):
        first = next(optimum for optimum in landscape.optima if optimum.first_run == 0)
        result = ds.kes(data, score="bic", k=0.5, seed=3)
        assert result.cpdag == first.cpdag
        assert result.score == first.score

    def test_greedy_search_always_ends_at_the_same_class(self, data):
        landscape = ds.local_optima(data, score="bic", k=1, runs=5)
        assert [optimum.visits for optimum in landscape.optima] == [5]
        assert landscape.best.cpdag == ds.ges(data, score="bic", phases=1).cpdag

    def test_neighbors_may_be_drawn(self, asia):
        landscape = ds.local_optima(asia, score="bic", runs=4, neighborhood="sampled")
        assert landscape.sampled == 4

    def test_max_parents(self, data):
        landscape = ds.local_optima(data, score="bic", runs=10, max_parents=1)
        assert landscape.max_parents == 1
        for optimum in landscape.optima:
            assert max(len(optimum.dag.parents(name)) for name in data.names) <= 1

    def test_one_variable(self):
        one = ds.Data.from_codes(np.array([[0], [1], [1]]), {"only": ["a", "b"]})
        landscape = ds.local_optima(one, score="bic", runs=3)
        assert landscape.best.dag.arcs == ()
        assert landscape.features("edges").rows() == []
        assert landscape.threshold("edges") == 1

    def test_other_scores(self, asia):
        landscape = ds.local_optima(asia, runs=5, score=ds.BDeu(ess=10))
        assert landscape.score_name == "bdeu(ess=10)"
        expected = ds.score(asia, landscape.best.dag, score=ds.BDeu(ess=10))
        assert landscape.best.score == pytest.approx(expected)

    def test_it_can_be_pickled(self, landscape):
        again = pickle.loads(pickle.dumps(landscape))
        assert same(again, landscape)
        assert again.best.cpdag == landscape.best.cpdag


class TestDeterminism:
    def test_threads_and_batches(self, data, landscape, monkeypatch):
        assert same(
            ds.local_optima(data, score="bic", k=0.5, runs=60, seed=3, threads=1), landscape
        )
        monkeypatch.setattr(executor, "BATCH_SECONDS", 1e-9)
        assert same(
            ds.local_optima(data, score="bic", k=0.5, runs=60, seed=3, threads=3), landscape
        )

    def test_column_order(self, data, landscape):
        turned = data.select(data.names[::-1])
        again = ds.local_optima(turned, score="bic", k=0.5, runs=60, seed=3)
        assert same(again, landscape)
        assert again.names == data.names[::-1]
        for kind in KINDS:
            assert again.features(kind).equals(landscape.features(kind))

    def test_other_seeds_draw_otherwise(self, data, landscape):
        assert not same(ds.local_optima(data, score="bic", k=0.5, runs=60, seed=4), landscape)


class TestLimits:
    def test_time(self, data, monkeypatch):
        clock = Clock(monkeypatch)

        def tell(_share, text):
            if not text.startswith("0 "):
                clock.time_is_over()

        landscape = ds.local_optima(data, score="bic", runs=10**9, time_limit=AMPLE, progress=tell)
        assert landscape.stopped == "time"
        assert 0 < landscape.runs < 10**9
        assert sum(optimum.visits for optimum in landscape.optima) == landscape.runs
        assert "stopped by time" in repr(landscape)

    def test_no_time_at_all(self, data):
        landscape = ds.local_optima(data, score="bic", runs=10, time_limit=NO_TIME)
        assert (landscape.stopped, landscape.runs, landscape.optima) == ("time", 0, ())
        assert "0 local optima" in repr(landscape)
        for ask in (lambda: landscape.best, landscape.features, landscape.strengths):
            with pytest.raises(ds.DagscapeError, match="no run was done"):
                ask()

    @pytest.mark.skipif(sys.platform == "win32", reason="signals")
    def test_ctrl_c_in_the_search_and_between(self, data):
        told = []

        def interrupt(share, text):
            told.append((share, text))
            os.kill(os.getpid(), signal.SIGINT)

        landscape = ds.local_optima(data, score="bic", runs=10**6, threads=1, progress=interrupt)
        assert landscape.stopped == "interrupt"
        assert landscape.runs < 10**6
        share, text = told[0]
        assert 0 <= share <= 1
        assert "of 1,000,000 runs" in text

        def stop(*_):
            raise KeyboardInterrupt

        assert ds.local_optima(data, score="bic", runs=10**6, progress=stop).stopped == "interrupt"

    def test_errors_of_progress_are_the_callers(self, data):
        def fail(*_):
            raise RuntimeError("mine")

        with pytest.raises(RuntimeError, match="mine"):
            ds.local_optima(data, score="bic", runs=10**6, progress=fail)


class TestProof:
    def test_the_gap_to_the_best_network(self):
        landscape = ds.local_optima(
            ds.load_network("asia").sample(1000, seed=1), score="bic", runs=50
        )
        assert landscape.gap is None
        assert landscape.proof is None
        result = landscape.prove()
        assert result.optimal
        assert landscape.proof is result
        assert landscape.gap == pytest.approx(result.score - landscape.best.score, abs=1e-6)
        assert landscape.gap == 0
        assert ", the best of all networks" in repr(landscape)

    def test_a_gap_that_is_there(self):
        # Greedy search cannot see parity: no single parent tells anything.
        rng = np.random.default_rng(0)
        a, b = rng.integers(0, 2, (2, 2000))
        table = ds.Data({"a": a, "b": b, "c": a ^ b})
        landscape = ds.local_optima(table, score="bic", runs=5)
        assert landscape.best.dag.arcs == ()
        result = landscape.prove()
        assert landscape.gap == pytest.approx(result.score - landscape.best.score)
        assert landscape.gap > 100
        words = f"visits, {landscape.gap:.4g} below the best of all networks"
        assert words in repr(landscape)

    def test_without_time_for_a_proof(self, data):
        # Not even all parent sets were looked at: what is proven about some says nothing here.
        landscape = ds.local_optima(data, score="bic", runs=2)
        result = landscape.prove(time_limit=NO_TIME)
        assert result.scope.candidates_only
        assert landscape.proof is result
        assert landscape.gap is None
        assert "best of" not in repr(landscape)

    def test_the_limit_of_parents_is_the_same(self, asia):
        landscape = ds.local_optima(asia, score="bic", runs=5, max_parents=1)
        assert landscape.prove().scope == ds.Scope(max_parents=1)
        assert landscape.gap >= 0

    def test_a_proof_about_networks_that_obey_says_nothing_of_the_optima(self, asia):
        landscape = ds.local_optima(asia, score="bic", runs=5)
        best = ds.exact(asia, score="bic")
        known = ds.Knowledge(forbidden=[best.dag.arcs[0], best.dag.arcs[0][::-1]])
        landscape.know(ds.exact(asia, score="bic", knowledge=known))
        assert landscape.gap is None
        assert "best of" not in repr(landscape)

    def test_other_data(self, asia, data):
        with pytest.raises(ds.ParameterError, match="not those that the optima were found on"):
            ds.local_optima(asia, score="bic", runs=2).prove(data)


class TestTables:
    @pytest.mark.parametrize("kind", KINDS)
    def test_columns(self, landscape, kind):
        table = landscape.features(kind)
        extra = {"kind": pl.String, "strength": pl.Float64, "direction": pl.Float64}
        assert dict(table.schema) == {
            "feature": pl.String,
            "from": pl.String,
            "to": pl.String,
            "confidence": pl.Float64,
            "in_best": pl.Boolean,
        } | (extra if kind == "edges" else {})
        assert table["confidence"].is_between(0, 1).all()
        assert landscape.tradeoff(kind).columns == ["threshold", "tp", "fp", "fn"]

    def test_how_features_are_written(self, landscape):
        row = landscape.features("edges").filter(pl.col("kind") == "directed").row(0, named=True)
        assert row["feature"] == f"{row['from']} -> {row['to']}"
        row = landscape.features("edges").filter(pl.col("kind") == "undirected").row(0, named=True)
        assert row["feature"] == f"{row['from']} -- {row['to']}"
        assert row["from"] < row["to"]

    @pytest.mark.parametrize("frame", FRAMES)
    def test_frames(self, landscape, frame):
        pytest.importorskip(frame if frame != "dict" else "polars")
        for make in (landscape.features, landscape.strengths, landscape.tradeoff):
            table, plain = make(frame=frame), make(frame="dict")
            columns = table if frame == "dict" else {name: list(table[name]) for name in plain}
            if frame == "pyarrow":
                columns = table.to_pydict()
            assert list(columns) == list(plain)
            assert columns == plain

    def test_a_library_that_is_not_there(self, landscape, monkeypatch):
        monkeypatch.setitem(sys.modules, "pandas", None)
        with pytest.raises(ds.ParameterError, match="pip install pandas"):
            landscape.features(frame="pandas")

    def test_reference(self, landscape, data):
        network = ds.load_network("alarm")
        result = ds.ges(data, score="bic")
        tables = [
            landscape.tradeoff("paths", reference)
            for reference in (network, network.dag, network.dag.to_cpdag(), list(network.dag.arcs))
        ]
        assert all(table.equals(tables[0]) for table in tables)
        total = {tp + fn for _, tp, _, fn in tables[0].iter_rows()}
        assert total == {196}
        assert landscape.tradeoff("edges", result).equals(landscape.tradeoff("edges", result.cpdag))
        assert landscape.tradeoff("edges").equals(landscape.tradeoff("edges", landscape.best))
        table = landscape.features("edges", reference=network)
        assert table["in_reference"].sum() == 46
        missed = table.filter(pl.col("confidence") == 0)
        assert missed["in_reference"].all()

    def test_confident(self, landscape):
        table = landscape.features("edges")
        for threshold in (0.25, 0.9):
            expected = table.filter(pl.col("confidence") >= threshold)
            assert landscape.confident("edges", threshold).equals(expected)
        least = landscape.threshold("edges")
        assert landscape.confident("edges").equals(table.filter(pl.col("confidence") >= least))

    def test_thresholds(self, landscape):
        table = landscape.tradeoff("edges", thresholds=[0, 0.5, 1])
        assert table["threshold"].to_list() == [0, 0.5, 1]
        assert landscape.threshold("edges", thresholds=[0.5]) == 0.5
        default = landscape.tradeoff("edges")["threshold"].to_list()
        assert default == [
            0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5,
            0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 1.0,
        ]  # fmt: skip


WRONG = [
    ({"k": 1.5}, "k must be between 0 and 1, got 1.5"),
    ({"runs": 0}, "runs must be a whole number from 1, got 0"),
    ({"runs": 2.5}, "runs must be a whole number"),
    ({"score": "k2"}, "k2"),
    ({"neighborhood": "exat"}, "unknown neighborhood"),
    ({"max_parents": 99}, "max_parents must be between 0 and 36"),
    ({"time_limit": -1}, "time_limit"),
    ({"seed": -1}, "seed"),
    ({"threads": 0}, "threads"),
    ({"progress": 3}, "progress"),
    ({"store": 3}, "store must be the name of a file, got 3"),
    ({"knowledge": ds.Knowledge(required=[("CO", "BP")])}, "required"),
    ({"knowledge": ds.Knowledge(forbidden=[("CO", "BP")])}, "forbidden"),
    ({"knowledge": ds.Knowledge(tiers=[["CO"], ["BP"]])}, "tiers"),
    ({"knowledge": ds.Knowledge(max_parents={"CO": 1})}, "max_parents"),
]


@pytest.mark.parametrize(("wrong", "words"), WRONG)
def test_wrong_arguments(data, wrong, words):
    with pytest.raises(ds.ParameterError, match=words):
        ds.local_optima(data, **wrong)


def test_what_is_not_data():
    with pytest.raises(ds.DataError, match="cannot read a table from int"):
        ds.local_optima(5, score="bic")


WRONG_QUESTIONS = [
    (lambda found: found.features("edge"), 'unknown kind of feature "edge"'),
    (lambda found: found.features("edges", weights="hits"), "unknown weights"),
    (lambda found: found.features("edges", frame="excel"), "unknown frame"),
    (lambda found: found.threshold("edges", -1), "fp_weight must be a number from 0 up, got -1"),
    (lambda found: found.threshold("edges", 1, float("nan")), "fn_weight"),
    (lambda found: found.threshold("edges", thresholds=[]), "at least one"),
    (lambda found: found.tradeoff("edges", thresholds=[2]), "between 0 and 1, got 2"),
    (lambda found: found.tradeoff("edges", thresholds=0.5), "a list of numbers"),
    (lambda found: found.confident("edges", 1.2), "between 0 and 1"),
]


@pytest.mark.parametrize(("ask", "words"), WRONG_QUESTIONS)
def test_wrong_questions(landscape, ask, words):
    with pytest.raises(ds.ParameterError, match=words):
        ask(landscape)


def test_a_reference_on_other_variables(landscape):
    with pytest.raises(ds.GraphError, match="variable"):
        landscape.tradeoff("edges", ds.load_network("asia"))
