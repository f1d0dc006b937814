"""Limits of the posterior are results: sums give way to chains, and what there is counts.

Nothing here depends on how fast the machine is: estimates are set, and steps end when told to.
"""

from __future__ import annotations

import math
import pickle

import numpy as np
import pytest

import dagscape as ds
from dagscape import _core
from dagscape.posteriors import chains, exact_sums, ways
from limits import AMPLE, NO_TIME
from toys.parent_sets import from_file

RUN = {"chains": 2, "rounds": 40, "seed": 1}


@pytest.fixture(scope="module")
def data():
    return ds.load_network("asia").sample(300, seed=0)


@pytest.fixture
def cut_short(monkeypatch):
    """Sums end before they are complete, as they do on a busy machine."""

    def stop(*_, **__):
        raise exact_sums.SumsStoppedError("time")

    monkeypatch.setattr(ways, "sum_over", stop)
    monkeypatch.setattr(ways, "add_up", stop)


@pytest.mark.usefixtures("cut_short")
def test_chains_take_over_from_sums(data, monkeypatch):
    weighed = []
    weigh = ways.weigh
    monkeypatch.setattr(ways, "weigh", lambda *of: weighed.append(1) or weigh(*of))
    found = ds.posterior(data, time_limit=AMPLE, **RUN)
    assert not found.exact
    assert found.claim.startswith("sampled: 2 chains")
    assert found.stopped is None
    assert weighed == [1]  # chains use what was weighed for the sums
    asked = ds.posterior(data, time_limit=AMPLE, method="exact")
    assert (asked.empty, asked.stopped) == (True, "time")
    assert "sums tell nothing before they are complete" in asked.claim


@pytest.mark.usefixtures("cut_short")
@pytest.mark.parametrize("stored", [False, True])
def test_chains_take_over_on_resamples(data, stored, tmp_path):
    store = tmp_path / "resamples" if stored else None
    found = ds.posterior(data, resamples=3, time_limit=AMPLE, store=store, **RUN)
    assert found.resamples == 3
    assert "3 tables drawn from the rows, each by 2 chains over" in found.claim


@pytest.mark.usefixtures("cut_short")
def test_a_store_of_sums_goes_on_with_sums(data, monkeypatch, tmp_path):
    ds.posterior(data, resamples=2, time_limit=AMPLE, store=tmp_path / "kept", **RUN)
    monkeypatch.undo()
    found = ds.posterior(data, resamples=2, store=tmp_path / "kept", seed=1)
    assert "each by sums over" in found.claim


def test_all_resamples_count_for_the_estimate(data, monkeypatch):
    """Sums that fit once in the time need not fit as often as there are resamples."""
    terms = _core.posterior_cost([data.n_variables])["terms"]
    monkeypatch.setattr(exact_sums, "TERMS_PER_SECOND", 5 * terms / AMPLE)  # five times in all
    options = {"time_limit": AMPLE, "threads": 1}
    assert "sums" in ds.posterior(data, resamples=2, seed=1, **options).claim
    assert "2 chains" in ds.posterior(data, resamples=4, **RUN, **options).claim
    assert ds.posterior(data, **options).exact


def test_chains_that_time_cut_short_count_where_nothing_else_is(data, monkeypatch):
    run = ways.run_chains

    def half(*of, **more):
        ran = run(*of, **more)
        return chains.ChainResults(ran.pieces, [False] * len(ran.whole), "time")

    monkeypatch.setattr(ways, "run_chains", half)
    found = ds.posterior(data, method="mcmc", resamples=2, time_limit=AMPLE, threads=1, **RUN)
    assert found.stopped == "time"
    assert found.resamples >= 1
    arcs = [row["probability"] for row in found.features("arcs").to_dicts()]
    assert 0 < max(arcs) <= 1


@pytest.mark.parametrize("numbers", [False, True])
def test_what_ended_chains_with_drawn_cells_is_told(numbers):
    rng = np.random.default_rng(0)
    drawn = rng.normal(size=(60, 4)) if numbers else rng.integers(0, 2, (60, 4)).astype(str)
    columns = {
        f"v{i}": [None if rng.random() < 0.1 else cell for cell in drawn[:, i].tolist()]
        for i in range(4)
    }
    data = ds.Data(columns, missing="keep")
    for limit, why in (({"time_limit": NO_TIME}, "time"), ({"max_memory": 1}, "memory")):
        found = ds.posterior(data, **limit, **RUN)
        assert (found.empty, found.stopped) == (True, why)


def test_too_little_for_anything_is_a_result_too(data, tmp_path):
    limits = {"time_limit": NO_TIME}, {"max_memory": 1}
    for asked in ({}, {"resamples": 3}, {"method": "mcmc"}):
        for limit, why in zip(limits, ("time", "memory"), strict=True):
            found = ds.posterior(data, **limit, **asked)
            assert (found.empty, found.stopped, found.exact) == (True, why, False), asked
            said = "must be weighed first" if why == "time" else "do not fit into max_memory"
            assert said in found.claim
    n = len(data.names)
    for kind, many in (("arcs", n * (n - 1)), ("adjacencies", n * (n - 1) // 2)):
        rows = found.features(kind, least=0.5).to_dicts()
        bounds = {(row["probability"], row["lower"], row["upper"]) for row in rows}
        assert (len(rows), bounds) == (many, {(None, 0.0, 1.0)})
    assert math.isnan(found.probability("smoke", "lung"))
    assert (found.networks(), found.components, found.log_evidence) == ([], (), None)
    assert (found.most_networks, found.rounding, found.agreement) == (0, 0.0, None)
    found.save(tmp_path / "p.sqlite")
    for same in (ds.load_result(tmp_path / "p.sqlite"), pickle.loads(pickle.dumps(found))):
        assert (same.empty, same.stopped, same.claim) == (True, "memory", found.claim)
    asks = (
        found.consensus,
        lambda: found.sample(1),
        lambda: found.predictive(data),
        lambda: found.report(tmp_path / "p.html"),
        lambda: ds.effect(found, "smoke", "lung"),
        found.next_experiments,
    )
    for ask in asks:
        with pytest.raises(ds.ParameterError, match="this posterior has no networks"):
            ask()
    assert "no probabilities" in found._repr_html_()


def test_limits_lower_the_parents_that_nobody_asked_for(data, monkeypatch, tmp_path):
    """Of eight variables there are 232 sets of at most two parents, and 512 of at most three."""
    monkeypatch.setattr(ways, "WEIGHED_PER_SECOND", 300 / AMPLE / ways.WEIGHED_SHARE)
    assert ds.posterior(data, time_limit=AMPLE).max_parents == 2
    assert "at most 2 parents" in ds.posterior(data, resamples=2, time_limit=AMPLE).claim
    assert ds.posterior(data).max_parents is None
    assert ds.posterior(data, time_limit=AMPLE, max_parents=3).max_parents == 3
    kept = ds.posterior(data, time_limit=AMPLE, store=tmp_path / "kept")
    assert kept.max_parents is None  # to be gone on with under another limit
    monkeypatch.undo()
    assert ds.posterior(data, max_memory=300 * ways.BYTES_EACH, **RUN).max_parents == 2


def test_sets_that_weigh_next_to_nothing_weigh_nothing():
    """Twelve columns of five states: with eleven parents BIC takes 700 million nats off."""
    lists = {
        0: [(-5.0, ()), (-6.0, (1,)), (-7e8, (1, 2))],
        1: [(-3.0, ()), (-2.0, (0,)), (-9e8, (0, 2))],
        2: [(-1.0, ())],
    }
    engine, stopped = _core.exact_posterior(from_file(lists)._lists, False, 1)
    assert stopped == ""
    total = math.log(math.exp(-9.0) + math.exp(-10.0) + math.exp(-8.0))
    assert engine.log_total == pytest.approx(total, abs=1e-12)
    assert np.asarray(engine.arcs())[0, 1] == pytest.approx(math.exp(-8.0 - total), abs=1e-12)
    only = {0: [(0.0, (1,)), (-9e8, ())], 1: [(0.0, (0,)), (-9e8, ())]}
    with pytest.raises(ds.GraphError, match="no network can be built"):
        _core.exact_posterior(from_file(only)._lists, False, 1)


def test_listed_networks_are_put_into_classes_once(monkeypatch):
    """However many resamples list them: of five variables there are 29,281."""
    asked = []
    whole = _core.class_codes
    monkeypatch.setattr(
        _core,
        "class_codes",
        lambda n, codes, kinds: asked.append(len(codes)) or whole(n, codes, kinds),
    )
    data = ds.Data({f"c{i}": ["a", "b", "a"] for i in range(4)})
    found = ds.posterior(data, resamples=4, seed=2)
    assert found.consensus().error >= 0
    assert sum(asked) <= 543
