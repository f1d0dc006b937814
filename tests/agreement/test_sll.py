"""Best networks on a few variables against brute force, and SLL against its printed steps."""

import functools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dagscape as ds
from dagscape import _core
from dagscape.scores import scorer
from oracles import graphs
from oracles.tables import mixed, table
from seeds import in_part

SCORES = ["bic", "aic", "bdeu", ds.BDeu(ess=10.0), "fitted", "qnml"]
LIMIT, MOST = 20, 5

# --- best networks on a few variables -----------------------------------------------------------


def total(data, arcs, variables, score):
    on_data = scorer(data, score)
    return sum(on_data.local(x, [a for a, b in arcs if b == x]) for x in variables)


@settings(max_examples=in_part(60), deadline=None)
@given(st.integers(0, 10**6), st.sampled_from(SCORES), st.integers(1, 3))
def test_small_networks_against_all(seed, score, max_parents):
    data = mixed(seed, 6)
    chosen = sorted(np.random.default_rng(seed).permutation(6)[:4].tolist())
    arcs = _core.optimal_network(scorer(data, score), chosen, LIMIT, max_parents)
    assert graphs.is_acyclic(frozenset(arcs))
    assert all(a in chosen and b in chosen for a, b in arcs)
    best = max(
        total(data, {(chosen[a], chosen[b]) for a, b in dag}, chosen, score)
        for dag in graphs.all_dags(4)
        if all(len(graphs.parents(dag, v)) <= max_parents for v in range(4))
    )
    assert total(data, arcs, chosen, score) == pytest.approx(best, abs=1e-6)


@pytest.mark.parametrize("n", [9, 11, 12, 13, 14])
@pytest.mark.parametrize("score", ["bic", "bdeu"])
def test_larger_networks_against_exact_learning(n, score):
    """Twelve variables fit the dense tables, more go through lists."""
    data = mixed(n, n, rows=300)
    arcs = _core.optimal_network(scorer(data, score), list(range(n)), LIMIT, 3)
    best = ds.exact(data, score=score, max_parents=3)
    assert best.optimal
    assert total(data, arcs, range(n), score) == pytest.approx(best.score, abs=1e-6)
    assert max(sum(b == x for _, b in arcs) for x in range(n)) <= 3


def test_greedy_networks_are_those_of_ges():
    data = mixed(5, 9, rows=500)
    chosen = [0, 2, 3, 5, 6, 8]
    arcs = _core.optimal_network(scorer(data, "bic"), chosen, 3, MOST)
    name = data.variables.name
    whole = ds.ges(data.select([name(v) for v in chosen]), score="bic", max_parents=5)
    mine = ds.Dag([name(v) for v in chosen], [(name(a), name(b)) for a, b in arcs])
    assert mine.to_cpdag() == whole.cpdag


@settings(max_examples=in_part(30), deadline=None)
@given(st.integers(0, 10**6), st.sampled_from(SCORES))
def test_ties_do_not_depend_on_rows(seed, score):
    """Repeated columns make classes tie; rounding, which follows the rows, must not decide."""
    rng = np.random.default_rng(seed)
    data = mixed(seed, 3)
    codes = np.concatenate([data.codes, data.codes[:, rng.permutation(3)]], axis=1)
    sizes = list(data.arities.values())
    arities = [max(sizes)] * 6
    first = _core.optimal_network(scorer(table(codes, arities), score), list(range(6)), LIMIT, MOST)
    again = table(codes[rng.permutation(len(codes))], arities)
    assert _core.optimal_network(scorer(again, score), list(range(6)), LIMIT, MOST) == first


@settings(max_examples=in_part(60), deadline=None)
@given(st.integers(0, 10**6), st.integers(2, 7), st.sampled_from(SCORES), st.integers(0, 4))
def test_whatever_is_tried_last_the_network_is_the_same(seed, n, score, max_parents):
    data = mixed(seed, n)
    on_data = scorer(data, score)
    plain = _core.optimal_network(on_data, list(range(n)), LIMIT, max_parents, shortcuts=False)
    for tried in range(n):
        assert _core.optimal_network(on_data, list(range(n)), LIMIT, max_parents, tried) == plain


@settings(max_examples=in_part(40), deadline=None)
@given(st.integers(0, 10**6), st.integers(3, 9), st.sampled_from(SCORES), st.integers(0, 5))
def test_shortcuts_change_nothing(seed, n, score, max_parents):
    data = mixed(seed, n, rows=400)
    told = [
        _core.sll(
            scorer(data, score),
            list(range(n)),
            "blankets",
            [],
            LIMIT,
            max_parents,
            1,
            shortcuts=shortcuts,
        )
        for shortcuts in (True, False)
    ]
    assert told[0]["sets"] == told[1]["sets"]
    assert told[0]["spouses"] == told[1]["spouses"]
    assert told[1]["apart"] == 0
    assert told[0]["networks"] == told[1]["networks"] == told[1]["exact_networks"]


# --- SLL, step by step --------------------------------------------------------------------------


class BySteps:
    """Algorithms 1 to 4 as printed, with the engine's best networks."""

    def __init__(self, data, score, order, max_parents):
        self._scorer = scorer(data, score)
        self._n = data.n_variables
        self._order = order
        self._max_parents = max_parents
        self._data = data
        for kind in ("potential_neighbors", "neighbors", "potential_spouses"):
            setattr(self, kind, functools.cache(getattr(self, kind)))

    def network(self, members):
        return _core.optimal_network(self._scorer, sorted(members), LIMIT, self._max_parents)

    def arranged(self, target, others):
        if self._order == "data":
            return sorted(others, key=self._data.variables.display_rank)
        local = self._scorer.local
        return sorted(others, key=lambda v: (-round(local(v, [target]) - local(v, []), 9), v))

    def potential_neighbors(self, t):
        H = set()
        for v in self.arranged(t, set(range(self._n)) - {t}):
            A = self.network({t, v} | H)
            H = {a for a, b in A if b == t} | {b for a, b in A if a == t}
        return frozenset(H)

    def neighbors(self, t):
        return frozenset(v for v in self.potential_neighbors(t) if t in self.potential_neighbors(v))

    def potential_spouses(self, t):
        H = self.neighbors(t)
        S = set()
        second = set().union(*(self.neighbors(v) for v in H)) - H - {t} if H else set()
        for v in self.arranged(t, second):
            A = set(self.network({t, v} | H | S))
            near = {a for a, b in A if b == t} | {b for a, b in A if a == t}
            children = {b for a, b in A if a == t}
            S = {a for a, b in A if b in children} - near - {t}
        return frozenset(S)

    def blanket(self, t):
        found = set(self.neighbors(t)) | self.potential_spouses(t)
        for v in set(range(self._n)) - {t} - self.neighbors(t):
            if t in self.potential_spouses(v):
                found.add(v)
        return found


@settings(max_examples=in_part(40), deadline=None)
@given(
    st.integers(0, 10**6),
    st.integers(3, 8),
    st.sampled_from(SCORES),
    st.sampled_from(["association", "data"]),
    st.integers(1, 4),
)
def test_sll_by_steps(seed, n, score, order, max_parents):
    data = mixed(seed, n)
    data = data.select(list(np.random.default_rng(seed).permutation(data.names)))
    max_parents = min(max_parents, n - 1)
    steps = BySteps(data, score, order, max_parents)
    ask = {"score": score, "order": order, "max_parents": max_parents}
    around = ds.neighbors(data, **ask)
    blankets = ds.markov_blanket(data, spouses="published", **ask)
    name = data.variables.name
    for t in range(n):
        assert set(around[name(t)]) == {name(v) for v in steps.neighbors(t)}
        assert set(blankets[name(t)]) == {name(v) for v in steps.blanket(t)}
