"""Stability of networks of very many variables: each sample by hand, where searches begin."""

import sys

import pytest

import dagscape as ds
from dagscape import _core
from dagscape.control.budget import Budget
from dagscape.landscape import wide_samples
from dagscape.landscape.resample import resampled
from dagscape.search.wide import firsts_among, search_widely


@pytest.fixture(scope="module")
def data():
    return ds.load_network("asia").tile(10).sample(300, seed=1)


@pytest.fixture(scope="module")
def found(data):
    return ds.wide_search(data, seed=3)


@pytest.mark.slow
def test_each_sample_is_searched_among_the_candidates_of_all_rows(data, found):
    stable = ds.bootstrap(data, method="wide", runs=4, seed=3, start=found.dag)
    problem = ds.Problem(data)
    first = _core.Dag(80, [tuple(map(problem.variables.number, arc)) for arc in found.dag.arcs])
    again, candidates = search_widely(problem, Budget.of(seed=3), first, rounds=0, looks=0)
    assert again.dag == found.dag == stable.best.dag
    assert all(len(own) < 79 for own in candidates)
    name = problem.variables.name
    by_hand = []
    for run in range(4):
        sample = problem.on(resampled(data, 3, run))
        empty = _core.Dag(80, [])
        one, _ = search_widely(
            sample, Budget.of(seed=3), empty, rounds=wide_samples.ROUNDS, looks=1, among=candidates
        )
        for parent, child in one.dag.arcs:
            others = [name(v) for v in candidates[problem.variables.number(child)]]
            assert parent in others
        by_hand.append(one.cpdag)
    shown = [network.cpdag for network in stable.networks for _ in range(network.visits)]
    assert sorted(map(repr, shown)) == sorted(map(repr, by_hand))
    assert stable.method.endswith("5 rounds")


@pytest.mark.slow
def test_a_start_is_not_searched_for_again(data, found):
    known = ds.bootstrap(data, method="wide", runs=1, seed=3, start=found.dag)
    own = ds.bootstrap(data, method="wide", runs=1, seed=3)
    assert known.best.work["rounds"] == 0
    assert own.best.dag == found.dag
    with pytest.raises(ds.ParameterError, match='start is for the method "wide", and it is ges'):
        ds.bootstrap(data, method="ges", runs=1, start=found.dag)


@pytest.mark.slow
def test_learning_of_many_variables_gives_the_stability_of_its_edges(data):
    learned = ds.learn(data, seed=3, resamples=3, method="wide", runs=0, score="aic")
    assert learned.posterior is None
    assert learned.stability.runs == 6
    assert "wide search" in learned.stability.method
    stable = [edge for edge in learned.edges if edge.in_network]
    assert all(edge.stability is not None for edge in stable)


def test_fewer_firsts_among_very_many_variables():
    assert [firsts_among(n) for n in (1, 100, 3_000, 10_000, 20_000)] == [10, 10, 10, 3, 2]


def test_fewer_rounds_on_samples_of_very_many_variables():
    rounds = [wide_samples.rounds_among(n) for n in (1, 1_000, 2_000, 10_000, 20_000)]
    assert rounds == [5, 5, 2, 1, 1]
    assert wide_samples.method_among(20_000).endswith("of all rows, 1 round")


def test_candidates_of_all_rows_are_screened_once_and_kept(data, tmp_path, monkeypatch):
    def never(*_):
        raise AssertionError("the table was screened twice")

    monkeypatch.setattr(sys.modules["dagscape.landscape.bootstrap"], "whole_table", never)
    asked = {"seed": 3, "resamples": 1, "runs": 0, "score": "aic", "method": "wide"}
    plain = ds.learn(data, **asked)
    kept = ds.learn(data, **asked, checkpoint=tmp_path / "search.json")
    again = ds.learn(data, **asked, checkpoint=tmp_path / "search.json")
    assert plain.stability.runs == 2
    for one in (kept, again):
        assert one.stability.strengths().equals(plain.stability.strengths())
    problem, path = ds.Problem(data, score="aic"), tmp_path / "search-candidates.json.gz"
    assert len(wide_samples.kept_candidates(path, problem)) == 80
    assert wide_samples.kept_candidates(path, ds.Problem(data, score="bic")) is None
    assert wide_samples.kept_candidates(tmp_path / "none.json", problem) is None
    for odd in ("[]", "{}", '{"candidates": 3}', '{"candidates": [[80]]}', '{"candidates": [3]}'):
        text = odd.replace("{", f'{{"of": "{problem.mark}", ') if "cand" in odd else odd
        path.with_suffix("").write_text(text)
        assert wide_samples.kept_candidates(path.with_suffix(""), problem) is None
