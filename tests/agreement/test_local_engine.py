"""Local learning against the published steps, brute force and true networks."""

import functools
import itertools
import math
from decimal import Decimal, localcontext

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dagscape as ds
from dagscape import _core
from dagscape.scores import scorer
from oracles import graphs

SCORES = ["bic", "aic", "bdeu", ds.BDeu(ess=10.0), "qnml"]
LIMIT, MOST = 20, 5


def table(codes, arities):
    states = {f"v{v:02}": [str(s) for s in range(r)] for v, r in enumerate(arities)}
    return ds.Data.from_codes(np.asarray(codes), states)


def mixed(seed, n, rows=None):
    """Columns that follow or repeat others, constant ones, unseen states, up to five states."""
    rng = np.random.default_rng(seed)
    arities = rng.integers(1, 6, n)
    rows = rows or int(rng.integers(2, 200))
    codes = np.stack([rng.integers(0, r, rows) for r in arities], axis=1)
    for child in range(1, n):
        first, second = rng.integers(0, child, 2)
        share = rng.choice([0.0, 0.3, 0.6, 0.9, 1.0])
        copied = rng.random(rows) < share
        joined = codes[:, first] + (codes[:, second] if rng.random() < 0.5 else 0)
        codes[copied, child] = joined[copied] % arities[child]
    return table(codes, arities.tolist())


# --- the chi-square tail ------------------------------------------------------------------------


@functools.cache
def decimal_pi(digits):
    def arctan_inverse(x):
        total = term = Decimal(1) / x
        k = 1
        while abs(term) > Decimal(10) ** -digits:
            term /= -x * x
            k += 2
            total += term / k
        return total

    return 4 * (4 * arctan_inverse(5) - arctan_inverse(239))


@functools.cache
def log_tail(statistic, freedom):
    """ln Q(freedom / 2, statistic / 2), as 1 - P by P's series with digits enough."""
    with localcontext() as context:
        digits = context.prec = 100 + int(statistic / 4)  # Q is above e^(-statistic / 2)
        a, x = Decimal(freedom) / 2, Decimal(statistic) / 2
        gamma = decimal_pi(digits).sqrt() if freedom % 2 else Decimal(1)
        for k in range(freedom % 2 or 2, freedom + 1, 2):  # Γ(a + 1) = a Γ(a)
            gamma *= Decimal(k) / 2
        total = term = Decimal(1)
        k = 0
        while term > total * Decimal(10) ** -digits:
            k += 1
            term *= x / (a + k)
            total += term
        lower = (a * x.ln() - x).exp() / gamma * total
        return float((1 - lower).ln())


class TestChiSquareTail:
    @pytest.mark.parametrize("freedom", [1, 2, 3, 4, 7, 30, 39, 40, 41, 64, 101, 300, 1000])
    def test_against_many_digits(self, freedom):
        for share in (1e-6, 0.01, 0.3, 0.9, 0.99, 1.0, 1.01, 1.3, 2.0, 5.0):
            statistic = freedom * share
            exact = log_tail(statistic, freedom)
            mine = _core.log_chi_square_tail(statistic, freedom)
            assert abs(mine - exact) <= 1e-10 * max(1.0, abs(exact)), share
            # Where p is near 1 its logarithm is near 0, and p itself is what must be right.
            assert math.exp(mine) == pytest.approx(math.exp(exact), rel=1e-10)

    def test_known_values(self):
        tail = _core.log_chi_square_tail
        assert math.exp(tail(3.841458820694124, 1)) == pytest.approx(0.05, rel=1e-12)
        assert math.exp(tail(18.307038053275146, 10)) == pytest.approx(0.05, rel=1e-12)
        assert tail(2000.0, 2) == pytest.approx(-1000.0, rel=1e-14)  # e^-1000 is no double
        assert tail(0.0, 3) == tail(5.0, 0) == 0.0

    def test_it_falls_as_the_statistic_grows(self):
        for freedom in (1, 5, 39, 40, 200):
            points = np.linspace(freedom * 0.9, freedom * 1.1 + 4, 200)
            values = [_core.log_chi_square_tail(x, freedom) for x in points]
            assert all(a > b for a, b in itertools.pairwise(values))


# --- G² -----------------------------------------------------------------------------------------


def g2(data, x, y, given):
    """The statistic by its definition, over all cells."""
    codes, arities = data.codes, list(data.arities.values())
    total = 0.0
    for z in itertools.product(*(range(arities[v]) for v in given)):
        here = codes[np.all(codes[:, list(given)] == z, axis=1)] if given else codes
        for i, j in itertools.product(range(arities[x]), range(arities[y])):
            n = np.sum((here[:, x] == i) & (here[:, y] == j))
            if n:
                expected = np.sum(here[:, x] == i) * np.sum(here[:, y] == j) / len(here)
                total += 2 * n * math.log(n / expected)
    freedom = (arities[x] - 1) * (arities[y] - 1) * math.prod(arities[v] for v in given)
    return total, freedom


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.integers(0, 3))
def test_g2(seed, held):
    data = mixed(seed, 5, rows=60)
    x, y, *given_ = np.random.default_rng(seed).permutation(5)[: 2 + held].tolist()
    statistic, freedom = g2(data, x, y, given_)
    mine = _core.g2(scorer(data, "loglik"), x, y, given_)
    assert mine == _core.g2(scorer(data, "loglik"), y, x, given_[::-1])
    assert mine[0] == pytest.approx(statistic, rel=1e-9, abs=1e-9)
    assert mine[1] == freedom
    if freedom and statistic > 1e-6:
        assert mine[2] == pytest.approx(log_tail(mine[0], freedom), rel=1e-9, abs=1e-12)


# --- best networks on a few variables -----------------------------------------------------------


def total(data, arcs, variables, score):
    on_data = scorer(data, score)
    return sum(on_data.local(x, [a for a, b in arcs if b == x]) for x in variables)


@settings(max_examples=60, deadline=None)
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
    whole = ds.ges(data.select([name(v) for v in chosen]), max_parents=5)
    mine = ds.Dag([name(v) for v in chosen], [(name(a), name(b)) for a, b in arcs])
    assert mine.to_cpdag() == whole.cpdag


@settings(max_examples=30, deadline=None)
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


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.integers(2, 7), st.sampled_from(SCORES), st.integers(0, 4))
def test_whatever_is_tried_last_the_network_is_the_same(seed, n, score, max_parents):
    data = mixed(seed, n)
    on_data = scorer(data, score)
    plain = _core.optimal_network(on_data, list(range(n)), LIMIT, max_parents, shortcuts=False)
    for tried in range(n):
        assert _core.optimal_network(on_data, list(range(n)), LIMIT, max_parents, tried) == plain


@settings(max_examples=40, deadline=None)
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


@settings(max_examples=40, deadline=None)
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
    steps = BySteps(data, score, order, max_parents)
    ask = {"score": score, "order": order, "max_parents": max_parents}
    around, blankets = ds.neighbors(data, **ask), ds.markov_blanket(data, **ask)
    name = data.variables.name
    for t in range(n):
        assert set(around[name(t)]) == {name(v) for v in steps.neighbors(t)}
        assert set(blankets[name(t)]) == {name(v) for v in steps.blanket(t)}


# --- true networks ------------------------------------------------------------------------------

FIGURE_1 = [("t", "u"), ("w", "u"), ("u", "v"), ("w", "v"), ("t", "s"), ("v", "s")]
"""t and v are not adjacent, and no set of t's neighbours u and s makes them independent."""


def sampled(arcs, names, seed, rows=200_000):
    """Two or three states; every parent counts, alone and with the others."""
    rng = np.random.default_rng(seed)
    dag = ds.Dag(names, arcs)
    arity = {name: int(rng.integers(2, 4)) for name in names}
    columns = {}
    while len(columns) < len(names):
        for name in names:
            parents = dag.parents(name)
            if name in columns or any(p not in columns for p in parents):
                continue
            shape = [arity[p] for p in parents]
            while True:
                cells = 0.9 * rng.dirichlet([0.7] * arity[name], size=shape) + 0.1 / arity[name]
                if all(
                    np.abs(np.diff(cells, axis=axis)).max(axis=-1).min() > 0.1
                    for axis in range(len(parents))
                ):
                    break
            here = (
                cells[tuple(columns[p] for p in parents)] if parents else np.tile(cells, (rows, 1))
            )
            columns[name] = (rng.random((rows, 1)) > np.cumsum(here, axis=1)[:, :-1]).sum(axis=1)
    codes = np.stack([columns[name] for name in names], axis=1)
    return dag, ds.Data.from_codes(codes, {x: [str(s) for s in range(arity[x])] for x in names})


def check_true(dag, data, **ask):
    around, blankets = ds.neighbors(data, **ask), ds.markov_blanket(data, **ask)
    for name in dag.names:
        assert set(around[name]) == set(dag.neighbors(name)), name
        assert set(blankets[name]) == set(dag.markov_blanket(name)), name


BY_TESTS = [{"method": m, "alpha": 1e-4} for m in ("hiton", "mmpc")]
BY_SCORES = [{"score": s, "order": o} for s in ("bic", "bdeu") for o in ("association", "data")]


class TestTruth:
    @pytest.mark.parametrize("ask", [*BY_SCORES, *BY_TESTS])
    @pytest.mark.parametrize("seed", [0, 1, 2])
    def test_figure_1(self, seed, ask):
        check_true(*sampled(FIGURE_1, list("stuvw"), seed), **ask)

    def test_figure_1_needs_the_correction(self):
        """As the paper says: w having been discarded, v looks like a neighbour of t."""
        _, data = sampled(FIGURE_1, list("tuswv"), 0)
        ranks = [data.variables.display_rank(v) for v in range(5)]
        number = data.variables.number
        facts = _core.sll(scorer(data, "bic"), [number("t")], "potential", ranks, LIMIT, MOST, 1)
        ((_, around, _, _),) = facts["sets"]
        assert {data.variables.name(v) for v in around} == {"s", "u", "v"}
        assert set(ds.neighbors(data, "t", order="data")) == {"s", "u"}

    @pytest.mark.parametrize("ask", [*BY_SCORES[:2], *BY_TESTS])
    @pytest.mark.parametrize("seed", range(4))
    def test_random_sparse_ones(self, seed, ask):
        rng = np.random.default_rng(seed)
        names = [f"x{i}" for i in range(9)]
        arcs = [
            (names[parent], names[child])
            for child in range(1, 9)
            for parent in rng.permutation(child)[: int(rng.integers(1, 3))]
        ]
        check_true(*sampled(arcs, names, seed), **ask)
