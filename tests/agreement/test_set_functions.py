"""Searches on functions of sets that the engine does not have: priors, weights, gaps, numbers."""

import itertools
import math

import numpy as np
import pytest

import dagscape as ds
from dagscape import _core
from dagscape.scores import scorer
from oracles import graphs
from oracles import posterior as oracle
from seeds import for_each
from toys.available_cases import MISSING, average_likelihood
from toys.covariances import gaussian
from toys.real_counts import weighted_bic
from toys.size_prior import with_prior

N = 4
ALGORITHMS = ("dp", "astar", "systematic", "ilp")


def table(seed, rows=60):
    """A table in which later columns follow earlier ones."""
    rng = np.random.default_rng(seed)
    arities = [int(r) for r in rng.integers(2, 4, N)]
    codes = np.stack([rng.integers(0, r, rows) for r in arities], axis=1)
    for child in range(1, N):
        copied = rng.random(rows) < rng.choice([0.0, 0.4, 0.8])
        codes[copied, child] = codes[copied, rng.integers(child)] % arities[child]
    return rng, codes, arities


def functions(seed):
    """Yield a name, data of as many variables, and a score that the engine does not have."""
    rng, codes, arities = table(seed)
    data = ds.Data({f"v{i}": codes[:, i] for i in range(N)})
    counted = weighted_bic(codes, arities, rng.gamma(2.0, 0.5, len(codes)))
    holes = np.where(rng.random(codes.shape) < 0.1, MISSING, codes)
    numbers = np.linalg.cholesky(np.eye(N) + 0.4) @ rng.normal(size=(N, len(codes)))
    numbers[1] += numbers[0] * rng.choice([0.0, 1.0])
    yield "real counts", data, counted
    yield "available cases", data, average_likelihood(holes, arities)
    yield "covariances", data, gaussian(numbers.T)
    yield "a prior", data, with_prior(counted, lambda k: -1.5 * k)
    yield "a prior that rises", data, with_prior(counted, lambda k: -math.log(math.comb(N - 1, k)))


def best(score):
    """Return the highest score of all networks, from the definition."""
    local = {
        (child, parents): score.local(child, parents)
        for child in range(N)
        for size in range(N)
        for parents in itertools.combinations([v for v in range(N) if v != child], size)
    }
    return max(
        sum(local[v, tuple(sorted(a for a, b in dag if b == v))] for v in range(N))
        for dag in graphs.all_dags(N)
    )


def total(score, dag):
    number = {f"v{i}": i for i in range(N)}
    return sum(score.local(number[v], [number[p] for p in dag.parents(v)]) for v in dag.names)


@pytest.mark.parametrize(
    "seed", [*range(4), *(pytest.param(seed, marks=pytest.mark.long) for seed in range(4, 12))]
)
def test_every_search_takes_any_function(seed):
    for name, data, score in functions(seed):
        highest = best(score)
        for algorithm in ALGORITHMS:
            found = ds.exact(data, score=score, algorithm=algorithm)
            assert found.score == pytest.approx(highest, abs=1e-8), (name, algorithm)
            assert found.optimal, (name, algorithm)
        searches = [
            ds.order_search(data, score=score, seed=1),
            ds.order_search(data, score=score, parent_sets="grown", seed=1),
            ds.hill_climb(data, score=score, seed=1),
        ]
        if score.equivalent:
            searches += [
                ds.ges(data, score=score),
                ds.kes(data, score=score, k=0.8, seed=1),
                ds.sll_g(data, score=score),
            ]
        for found in searches:
            where = (name, found.method)
            assert found.score == pytest.approx(total(score, found.dag), abs=1e-8), where
            assert found.score <= highest + 1e-8, where


@pytest.mark.parametrize("prior", ["uniform", "fair"])
@pytest.mark.parametrize("seed", range(4))
def test_any_function_weighs_networks(seed, prior):
    """Probabilities and near networks against a listing, whatever the function is made of."""
    for name, data, score in functions(seed):
        sets = {
            v: [
                (score.local(v, parents), frozenset(parents))
                for size in range(N)
                for parents in itertools.combinations([u for u in range(N) if u != v], size)
            ]
            for v in range(N)
        }
        lists = oracle.with_prior(sets, prior)
        listed = oracle.listed(lists)
        found = ds.posterior(data, score=score, prior=prior)
        for kind, truth in (("arcs", listed.arcs()), ("ancestors", listed.ancestors())):
            for (a, b), expected in truth.items():
                said = found.probability(f"v{a}", f"v{b}", kind)
                assert said == pytest.approx(expected, abs=1e-9), (name, kind)
        assert found.log_evidence is None  # it stands in for a probability, and says so
        assert "stands in" in found.claim
        near = ds.near_optimal(data, score=score, prior=prior, within=2.0)
        value = {v: {parents: log for log, parents in lists[v]} for v in lists}
        scores = [
            sum(value[v][graphs.parents(dag, v)] for v in range(N)) for dag in graphs.all_dags(N)
        ]
        within = sum(log >= max(scores) - 2.0 for log in scores)
        assert near.complete
        assert sum(one.members for one in near) == within, name


@for_each("seed", range(12))
def test_parent_sets_are_those_that_beat_their_subsets(seed):
    for name, data, score in functions(seed):
        for method in ("sequential", "greedy", "independence"):
            lists = ds.candidate_parents(data, score=score, method=method)
            for child in range(N):
                others = [v for v in range(N) if v != child]
                local = {
                    parents: score.local(child, parents)
                    for size in range(N)
                    for parents in itertools.combinations(others, size)
                }
                wanted = {
                    tuple(f"v{p}" for p in parents): value
                    for parents, value in local.items()
                    if all(
                        local[fewer] < value
                        for size in range(len(parents))
                        for fewer in itertools.combinations(parents, size)
                    )
                }
                found = {tuple(sorted(parents)): value for value, parents in lists[f"v{child}"]}
                assert found == pytest.approx(wanted), (name, method)


def test_what_tells_equivalent_networks_apart_is_refused_by_searches_over_classes():
    for name, data, score in functions(0):
        if score.equivalent:
            continue
        with pytest.raises(ds.ParameterError, match="equivalent networks"):
            ds.ges(data, score=score)
        assert name == "available cases"


@for_each("seed", range(20))
def test_a_likelihood_ratio_on_covariances_is_the_test_of_partial_correlation(seed):
    rng = np.random.default_rng(seed)
    rows = rng.normal(size=(200, N)) @ rng.normal(size=(N, N))
    data = ds.Data({f"v{i}": np.arange(200) % 2 for i in range(N)})
    likelihood = scorer(data, gaussian(rows, price=0.0))
    for size in range(N - 1):
        for x, y, *given in itertools.permutations(range(N), 2 + size):
            block = np.cov(rows[:, [x, y, *given]], rowvar=False)
            precision = np.linalg.inv(block)
            partial = -precision[0, 1] / math.sqrt(precision[0, 0] * precision[1, 1])
            statistic, freedom, _ = _core.g2(likelihood, x, y, given)
            assert freedom == pytest.approx(1)
            assert statistic == pytest.approx(-200 * math.log1p(-(partial**2)), abs=1e-8)


def test_hiton_reads_a_chain_of_numbers():
    rng = np.random.default_rng(5)
    rows = rng.normal(size=(2000, N))
    for v in range(1, N):
        rows[:, v] += rows[:, v - 1]
    data = ds.Data({f"v{i}": np.arange(2000) % 2 for i in range(N)})
    likelihood = scorer(data, gaussian(rows, price=0.0))
    facts = _core.hiton(likelihood, list(range(N)), "neighbors", 0.001, 3, 5, False, 1)
    assert [list(neighbors) for _, neighbors, _, _ in facts["sets"]] == [[1], [0, 2], [1, 3], [2]]
