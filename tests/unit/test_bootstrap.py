"""Confidence by bootstrap: samples, limits, the same tables."""

import os
import signal
import sys

import numpy as np
import pytest

import dagscape as ds
from dagscape.landscape import KINDS, METHODS
from dagscape.landscape.resample import resampled
from limits import AMPLE, Clock


@pytest.fixture(scope="module")
def data():
    return ds.load_network("asia").sample(400, seed=1)


@pytest.fixture(scope="module")
def found(data):
    return ds.bootstrap(data, runs=40, seed=2, score="bic")


def test_what_it_says(data, found):
    assert found.runs == 40
    assert sum(network.visits for network in found.networks) == 40
    assert len(found.networks) > 1
    assert found.best.cpdag == ds.ges(data, score="bic").cpdag
    assert (found.seed, found.score_name, found.stopped) == (2, "bic", None)
    assert "ges" in found.method
    assert "40 samples" in repr(found)
    for network in found.networks:
        assert network.score == pytest.approx(ds.score(data, network.dag, score="bic"))


def test_the_share_of_samples_counts(found):
    for edge in found.features("edges").iter_rows(named=True):
        pair = edge["from"], edge["to"]
        have = 0
        for network in found.networks:
            graph = network.cpdag
            free = {(a, b) for x, y in graph.undirected for a, b in ((x, y), (y, x))}
            have += network.visits * (
                pair in (graph.directed if edge["kind"] == "directed" else free)
            )
        assert edge["confidence"] == have / 40
    for kind in KINDS:
        found.tradeoff(kind), found.threshold(kind), found.confident(kind)
    assert found.strengths().columns == ["from", "to", "strength", "direction"]
    with pytest.raises(ds.ParameterError, match="unknown weights"):
        found.features("edges", weights="score")


def test_samples(data):
    """Rows drawn with replacement: as many, about 63 % of them different, each run its own."""
    numbered = ds.Data.from_codes(np.arange(1000)[:, None], {"row": [str(i) for i in range(1000)]})
    table = resampled(numbered, 0, 0)
    counts = _core_counts(table)
    assert sum(counts) == 1000
    assert 590 < len(counts) < 680
    assert counts != _core_counts(resampled(numbered, 0, 1))
    assert counts != _core_counts(resampled(numbered, 1, 0))
    assert counts == _core_counts(resampled(numbered, 0, 0))
    assert resampled(data, 0, 0).n_rows == 400


def _core_counts(data):
    from dagscape import _core

    return _core.RowPartition(data._engine_table).count(data._engine_table, [0])


@pytest.mark.parametrize("method", METHODS)
def test_threads_and_column_order(data, method):
    one = ds.bootstrap(data, runs=12, method=method, threads=1)
    many = ds.bootstrap(data.select(data.names[::-1]), runs=12, method=method, threads=3)
    assert one.networks == many.networks
    assert one.features("edges").equals(many.features("edges"))


def test_limits(data, monkeypatch):
    clock = Clock(monkeypatch)

    def tell(share, _text):
        if share:
            clock.time_is_over()

    short = ds.bootstrap(data, runs=10**6, time_limit=AMPLE, progress=tell)
    assert short.stopped == "time"
    assert 0 < short.runs < 10**6


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_ctrl_c(data):
    def interrupt(*_):
        os.kill(os.getpid(), signal.SIGINT)

    assert ds.bootstrap(data, runs=10**6, progress=interrupt).stopped == "interrupt"


def test_errors_of_progress_are_the_callers(data):
    def fail(*_):
        raise RuntimeError("mine")

    with pytest.raises(RuntimeError, match="mine"):
        ds.bootstrap(data, runs=10**6, progress=fail)


def test_a_store(data, found, tmp_path):
    path = tmp_path / "runs.sqlite"
    ds.bootstrap(data, runs=15, seed=2, score="bic", store=path)
    again = ds.bootstrap(data, runs=40, seed=2, score="bic", store=path)
    assert again.networks == found.networks
    with pytest.raises(ds.ParameterError, match='method = "ges", not "kes"'):
        ds.bootstrap(data, runs=40, seed=2, score="bic", store=path, method="kes")
    with pytest.raises(ds.ParameterError, match="holds runs of bootstrap, not of local optima"):
        ds.local_optima(data, score="bic", store=path)
    with pytest.raises(ds.FileFormatError, match="holds runs of bootstrap, not local optima"):
        ds.load_result(path, ds.Landscape)


OBEDIENT = ("exact", "order", "hill_climb", "learn")
KNOWN = ds.Knowledge(tiers=[["smoke"], ["lung", "bronc"]], forbidden=[("tub", "either")])


@pytest.mark.parametrize("method", OBEDIENT)
def test_knowledge_is_obeyed_on_every_sample(data, method):
    found = ds.bootstrap(data, method=method, runs=6, knowledge=KNOWN, max_parents=3)
    assert found.runs == 6
    assert not KNOWN.violations(found.best.dag)
    for network in found.networks:
        assert not KNOWN.violations(network.dag)
        joined = {frozenset(pair) for pair in network.cpdag.undirected}
        # A direction that tiers give is found, not open.
        assert frozenset(("smoke", "bronc")) not in joined
    free = ds.bootstrap(data, method=method, runs=6, max_parents=3)
    assert free.features("edges").rows() != found.features("edges").rows()


@pytest.mark.parametrize("method", OBEDIENT)
def test_priors_are_heeded_on_every_sample(data, method):
    none = ds.EdgePrior(neighbors=1e-300)
    assert not len(ds.bootstrap(data, method=method, runs=3, prior=none).features("edges"))


def test_each_sample_has_its_own_optimum(data):
    """What is kept of a run by "exact" is what :func:`exact` proves on that sample alone."""
    found = ds.bootstrap(data, method="exact", runs=5, seed=3)
    assert found.best.optimal
    expected = [ds.exact(resampled(data, 3, run)).cpdag for run in range(5)]
    at = {network.first_run: network.cpdag for network in found.networks}
    for run, graph in enumerate(expected):
        if run in at:
            assert at[run] == graph
        assert graph in at.values()


def test_states_that_were_not_drawn_still_count(data):
    assert resampled(data, 5, 2).states == data.states


def test_a_start_changes_no_optimum():
    data = ds.load_network("alarm").sample(300, seed=4).select(ds.load_network("alarm").names[:24])
    cold = ds.exact(data, score="bic", max_parents=2, algorithm="astar")
    warm = ds.exact(data, score="bic", max_parents=2, algorithm="astar", start=cold.dag)
    empty = ds.exact(data, score="bic", max_parents=2, algorithm="astar", start=ds.Dag(data.names))
    assert warm.optimal
    assert empty.optimal
    assert warm.cpdag == cold.cpdag == empty.cpdag
    assert warm.work.get("swaps", 0) == 0 < cold.work["swaps"]
    with pytest.raises(ds.ParameterError, match="start must have the variables of the data"):
        ds.exact(data, start=ds.Dag(["other"]))
    with pytest.raises(ds.ParameterError, match=r"start must be a .*Dag, got list"):
        ds.exact(data, start=[("a", "b")])


WRONG = [
    ({"method": "pc"}, 'unknown method "pc"'),
    ({"score": "fnml"}, "fnml"),
    ({"runs": 0}, "runs"),
    ({"knowledge": ds.Knowledge(tiers=[["asia"], ["tub"]])}, "tiers"),
]


@pytest.mark.parametrize(("wrong", "words"), WRONG)
def test_wrong_arguments(data, wrong, words):
    with pytest.raises(ds.ParameterError, match=words):
        ds.bootstrap(data, **wrong)
