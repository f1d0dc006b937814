"""The chi-square tail, G² and the local methods that ask it, against definitions and steps."""

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
from oracles.tables import mixed, table
from seeds import in_part

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


def occurring(data, x, y, given):
    """The degrees of freedom of states that occur with each combination of what is given."""
    rows = data.codes.tolist()
    freedom = 0
    for z in {tuple(row[v] for v in given) for row in rows}:
        here = [row for row in rows if tuple(row[v] for v in given) == z]
        freedom += (len({row[x] for row in here}) - 1) * (len({row[y] for row in here}) - 1)
    return freedom


@settings(max_examples=in_part(60), deadline=None)
@given(st.integers(0, 10**6), st.integers(0, 3))
def test_g2(seed, held):
    data = mixed(seed, 5, rows=60)
    x, y, *given_ = np.random.default_rng(seed).permutation(5)[: 2 + held].tolist()
    statistic, freedom = g2(data, x, y, given_)
    mine = _core.g2(scorer(data, "loglik"), x, y, given_)
    assert mine == _core.g2(scorer(data, "loglik"), y, x, given_[::-1])
    assert mine[0] == pytest.approx(statistic, rel=1e-9, abs=1e-9)
    assert mine[1] == freedom
    adjusted = _core.g2(scorer(data, "loglik"), x, y, given_, True)
    assert adjusted == _core.g2(scorer(data, "loglik"), y, x, given_[::-1], True)
    assert adjusted[:2] == (mine[0], occurring(data, x, y, given_))
    for _, degrees, log_p in (mine, adjusted):
        if degrees and statistic > 1e-6:
            assert log_p == pytest.approx(log_tail(mine[0], int(degrees)), rel=1e-9, abs=1e-12)
    if adjusted[1]:
        assert adjusted[2] <= mine[2]


@pytest.mark.parametrize("held", [[], [3], [2], [2, 3]])
def test_adjusted_degrees_of_many_states(held):
    rng = np.random.default_rng(7)
    arities = [300, 40, 30, 5]
    codes = np.stack([rng.integers(0, r, 500) for r in arities], axis=1)
    codes[:, 1] = np.minimum(codes[:, 1], codes[:, 2])
    data = table(codes, arities)
    found = _core.g2(scorer(data, "loglik"), 0, 1, held, True)
    assert found[1] == occurring(data, 0, 1, held)


# --- by tests, step by step ---------------------------------------------------------------------


class Verdicts:
    """G² by the engine, and what follows from it; separators are remembered."""

    def __init__(self, data, alpha, max_conditioning, rows_per_cell, adjusted):
        self.n = data.n_variables
        self._scorer = scorer(data, "loglik")
        self._alpha = alpha
        self._rows = data.n_rows
        self._rows_per_cell = rows_per_cell
        self._arities = [data.arities[name] for name in data.variables.in_engine_order()]
        self.max_conditioning = max_conditioning
        self._adjusted = adjusted

    def strength(self, x, y, held):
        """Return ln p and the statistic, or None where there are too few rows."""
        cells = math.prod(self._arities[v] for v in (x, y, *held))
        if self._rows < self._rows_per_cell * cells:
            return None
        statistic, _, log_p = _core.g2(self._scorer, x, y, list(held), self._adjusted)
        return log_p, -statistic

    def dependent(self, strength):
        return strength is not None and strength[0] <= math.log(self._alpha)

    def independent(self, strength):
        return strength is not None and strength[0] > math.log(self._alpha)

    def separator(self, t, v, others, least=1):
        for size in range(least, self.max_conditioning + 1):
            for held in itertools.combinations(others, size):
                if self.independent(self.strength(t, v, held)):
                    return frozenset(held)
        return None

    def candidates(self, t):
        alone = {v: self.strength(t, v, ()) for v in range(self.n) if v != t}
        apart = {v: frozenset() for v, s in alone.items() if self.independent(s)}
        return {v: s for v, s in alone.items() if self.dependent(s)}, apart

    def backward(self, t, kept, apart):
        for v in list(kept):
            found = self.separator(t, v, [w for w in kept if w != v])
            if found is not None:
                apart[v] = found
                kept.remove(v)
        return set(kept), apart


def hiton(tests, t):
    alone, apart = tests.candidates(t)
    kept = []
    for v in sorted(alone, key=lambda v: (*alone[v], v)):
        found = tests.separator(t, v, kept)
        if found is None:
            kept.append(v)
        else:
            apart[v] = found
    return tests.backward(t, kept, apart)


def mmpc(tests, t):
    """Every set is tried again in every round, as printed."""
    alone, apart = tests.candidates(t)
    chosen, left = [], set(alone)
    while True:
        weakest = {}
        for v in sorted(left):
            strengths = [
                (tests.strength(t, v, held), held)
                for size in range(min(tests.max_conditioning, len(chosen)) + 1)
                for held in itertools.combinations(chosen, size)
            ]
            done = [(s, held) for s, held in strengths if s is not None]
            if any(tests.independent(s) for s, _ in done):
                left.discard(v)
                apart[v] = None  # one of several
            else:
                weakest[v] = max(s for s, _ in done)
        if not left:
            return tests.backward(t, chosen, apart)
        best = min(weakest, key=lambda v: (*weakest[v], v))
        chosen.append(best)
        left.discard(best)


def agreed(found):
    return {t: {v for v in found[t][0] if t in found[v][0]} for t in found}


def spouses(tests, found, near, t):
    second = set().union(*(near[u] for u in near[t])) - near[t] - {t} if near[t] else set()
    result = set()
    for v in second:
        held = found[t][1].get(v, found[v][1].get(t))
        if held is None:
            continue
        for u in near[t]:
            if v in near[u] and u not in held:
                strength = tests.strength(t, v, sorted(held | {u}))
                if tests.dependent(strength):
                    result.add(v)
    return result


@settings(max_examples=in_part(60), deadline=None)
@given(
    st.integers(0, 10**6),
    st.integers(3, 8),
    st.sampled_from([0.001, 0.05, 0.3]),
    st.integers(0, 4),
    st.sampled_from([0.0, 1.0, 5.0]),
    st.sampled_from(["declared", "adjusted"]),
)
def test_methods_by_tests(seed, n, alpha, max_conditioning, rows_per_cell, degrees):
    data = mixed(seed, n, rows=300)
    ask = {"alpha": alpha, "max_conditioning": max_conditioning, "rows_per_cell": rows_per_cell}
    ask["degrees"] = degrees
    tests = Verdicts(data, alpha, max_conditioning, rows_per_cell, degrees == "adjusted")
    name = data.variables.name
    for method, steps in (("hiton", hiton), ("mmpc", mmpc)):
        found = {t: steps(tests, t) for t in range(n)}
        near = agreed(found)
        around = ds.neighbors(data, method=method, **ask)
        blankets = ds.markov_blanket(data, method=method, **ask)
        for t in range(n):
            assert set(around[name(t)]) == {name(v) for v in near[t]}, method
            if method == "hiton":
                whole = near[t] | spouses(tests, found, near, t)
                assert set(blankets[name(t)]) == {name(v) for v in whole}
