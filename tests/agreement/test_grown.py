"""Grown parents against grow-shrink written out, and the search on them against all moves."""

import itertools
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dagscape as ds
from dagscape import _core
from dagscape.parents.constraints import constrain
from dagscape.scores import scorer
from dagscape.search.initial_orders import INITS
from oracles import grown as oracle
from seeds import in_part

seeds = st.integers(0, 2**32 - 1)


def some(examples):
    return settings(derandomize=True, deadline=None, max_examples=in_part(examples))


def random_table(rng, n, rows=60):
    """Variables that hang together, some constant or copies, with states that never occur."""
    columns = []
    for v in range(n):
        arity = rng.randint(1, 5)
        kind = rng.random()
        if kind < 0.15 and columns:
            columns.append(rng.choice(columns))  # a copy: all its scores are ties
            continue
        parents = rng.sample(range(v), min(v, rng.randint(0, 2)))
        noise = np.array([rng.randrange(arity) for _ in range(rows)])
        base = sum((columns[p][0] for p in parents), np.zeros(rows, dtype=int)) % arity
        keep = np.array([rng.random() < 0.75 for _ in range(rows)])
        declared = arity + rng.randint(0, 1)
        columns.append((np.where(keep & bool(parents), base, noise), declared))
    codes = np.stack([codes for codes, _ in columns], axis=1)
    states = {f"v{v}": [str(s) for s in range(columns[v][1])] for v in range(n)}
    return ds.Data.from_codes(codes, states)


def random_knowledge(rng, names):
    """Required arcs follow a hidden order; others are forbidden here and there."""
    hidden = rng.sample(names, len(names))
    pairs = list(itertools.combinations(hidden, 2))
    required = [pair for pair in pairs if rng.random() < 0.1]
    forbidden = [
        (a, b) for a, b in itertools.permutations(names, 2)
        if (a, b) not in required and rng.random() < 0.15
    ]  # fmt: skip
    need = {name: sum(b == name for _, b in required) for name in names}
    most = len(names) - 1
    limits = {x: min(most, need[x] + rng.randint(0, 2)) for x in names if rng.random() < 0.2}
    return ds.Knowledge(required=required, forbidden=forbidden, max_parents=limits)


class Case:
    """A table, a score and constraints, as the engine and as the oracle know them."""

    def __init__(self, seed, most_variables=7, knowledge=None):
        rng = self.rng = random.Random(seed)
        n = rng.randint(1, most_variables)
        self.data = random_table(rng, n)
        known = rng.random() < 0.6 if knowledge is None else knowledge
        self.knowledge = random_knowledge(rng, list(self.data.names)) if known else None
        need = max(
            (sum(b == x for _, b in self.knowledge.required) for x in self.data.names), default=0
        ) if self.knowledge else 0  # fmt: skip
        self.most = rng.choice([None, min(n - 1, max(need, rng.randint(0, 3)))])
        kind = rng.choice(["bic", "aic", "bdeu", "k2", "qnml", "fnml"])
        self.scorer = scorer(self.data, kind)
        self.constraints = constrain(self.data.variables, self.most, self.knowledge)
        self.known = {}
        self.rules = [self._rules(v, n) for v in range(n)]
        self.n = n

    def _rules(self, child, n):
        name, number = self.data.variables.name, self.data.variables.number
        most = n - 1 if self.most is None else self.most
        if self.knowledge is None:
            return oracle.Rules(frozenset(), frozenset(range(n)) - {child}, most)
        k, x = self.knowledge, name(child)
        return oracle.Rules(
            frozenset(number(a) for a, b in k.required if b == x),
            frozenset(v for v in range(n) if v != child and k.allows(name(v), x)),
            min(most, k.max_parents.get(x, n)),
        )

    def score(self, child, parents):
        key = child, parents
        if key not in self.known:
            self.known[key] = self.scorer.local(child, sorted(parents))
        return self.known[key]

    def search(self, *, init="fas", restarts=1, patience=20, seed=0, threads=1, **limits):
        return _core.grown_search(
            self.scorer, self.constraints, init, restarts, patience, seed, threads, **limits
        )


@given(seed=seeds)
@some(150)
def test_parents_grow_and_shrink_as_defined(seed):
    case = Case(seed)
    for child in range(case.n):
        others = [v for v in range(case.n) if v != child]
        before = case.rng.sample(others, case.rng.randint(0, len(others)))
        before = sorted({*before, *case.rules[child].required})
        value, parents = _core.grown_parents(case.scorer, case.constraints, child, before)
        expected = oracle.grow_shrink(case.score, child, before, case.rules[child])
        assert set(parents) == expected
        assert value == pytest.approx(case.score(child, expected), rel=1e-12, abs=1e-9)


@pytest.mark.parametrize("init", INITS)
@given(seed=seeds)
@some(40)
def test_a_climb_ends_where_no_move_gains(init, seed):
    """No variable is better elsewhere, as far as required arcs let it go; trees answer as defined.

    A search without patience is a climb; the polish after it keeps the order.
    """
    case = Case(seed, most_variables=6)
    facts = case.search(init=init, patience=0, seed=seed % 5)
    order = facts["order"]
    assert sorted(order) == list(range(case.n))
    here = oracle.order_score(case.score, order, case.rules)
    assert facts["score"] >= here - 1e-6  # polished
    assert facts["restarts"][0][0] <= here + 1e-6
    for at, v in enumerate(order):
        assert case.rules[v].required <= set(order[:at])
        rest = [*order[:at], *order[at + 1 :]]
        for to in range(case.n):
            other = [*rest[:to], v, *rest[to:]]
            if all(case.rules[x].required <= set(other[:i]) for i, x in enumerate(other)):
                assert oracle.order_score(case.score, other, case.rules) <= here + 1e-6


@given(seed=seeds)
@some(60)
def test_the_end_is_a_network_that_obeys_and_is_polished(seed):
    case = Case(seed)
    facts = case.search(restarts=2, seed=seed % 7)
    order, sets = facts["order"], facts["parents"]
    total = 0.0
    for at, child in enumerate(order):
        rules, parents = case.rules[child], frozenset(sets[child])
        assert parents <= set(order[:at]) & rules.allowed | rules.required
        assert rules.required <= parents
        assert len(parents) <= max(rules.most, len(rules.required))
        total += case.score(child, parents)
        for other in oracle.changes(parents, order[:at], rules):
            assert case.score(child, other) <= case.score(child, parents) + 1e-6
    assert facts["score"] == pytest.approx(total, rel=1e-12, abs=1e-7)
    assert facts["score"] == max(score for _, score, _ in facts["restarts"])


@given(seed=seeds)
@some(60)
def test_polish_ends_where_no_change_gains(seed):
    """From whatever sets, in whatever order."""
    case = Case(seed, knowledge=False)
    order = case.rng.sample(range(case.n), case.n)
    sets = [[]] * case.n
    for at, child in enumerate(order):
        few = min(at, case.rules[child].most, 2)
        sets[child] = sorted(case.rng.sample(order[:at], case.rng.randint(0, few)))
    facts = _core.polish_parents(case.scorer, case.constraints, order, sets, 2)
    changed = 0
    for at, child in enumerate(order):
        end = frozenset(facts["parents"][child])
        assert end <= set(order[:at])
        gain = case.score(child, end) - case.score(child, frozenset(sets[child]))
        assert facts["gains"][child] == pytest.approx(gain, rel=1e-9, abs=1e-9)
        assert gain >= 0
        changed += end != frozenset(sets[child])
        for other in oracle.changes(end, order[:at], case.rules[child]):
            assert case.score(child, other) <= case.score(child, end) + 1e-6
    assert facts["changes"] >= changed


@given(seed=seeds)
@some(25)
def test_threads_and_forgetting_change_nothing(seed):
    """Trees that are cut down all the time give the same answers, only later."""
    case = Case(seed)
    ask = {"restarts": 2, "seed": seed % 11}
    first = case.search(**ask)
    told = ("order", "parents", "score", "restarts")
    for other in (case.search(threads=3, **ask), case.search(max_bytes=6000, threads=2, **ask)):
        if not other["stopped"]:
            assert [other[k] for k in told] == [first[k] for k in told]


def test_trees_are_cut_down_and_made_again():
    data = ds.load_network("child").sample(500, seed=2)
    ask = (scorer(data, "bic"), constrain(data.variables, None, None), "fas", 2, 60, 3)
    free = _core.grown_search(*ask, 1)
    tight = _core.grown_search(*ask, 2, max_bytes=25_000)
    assert free["clearings"] == 0 < tight["clearings"]
    assert tight["nodes"] > free["nodes"]
    assert not tight["stopped"]
    assert tight["parents"] == free["parents"]
    assert tight["restarts"] == free["restarts"]
    assert _core.grown_search(*ask, 2, max_bytes=1000)["stopped"] == "memory"


def test_restarts_find_the_proven_optimum():
    """Of data that a network with up to eight variables gave; greedy growth can miss others."""
    found = 0
    for number in range(12):
        name = ("asia", "cancer", "survey", "earthquake")[number % 4]
        data = ds.load_network(name).sample(2000, seed=number)
        best = ds.exact(data, score="bic").score
        result = ds.order_search(data, score="bic", parent_sets="grown", seed=number)
        assert result.score <= best + 1e-6
        found += result.score > best - 1e-6
    assert found >= 11
