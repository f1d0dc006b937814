"""Local learning on samples so large that the true sets must be found."""

import itertools

import numpy as np
import pytest

import dagscape as ds
from dagscape import _core
from dagscape.scores import scorer
from oracles import graphs
from oracles.limit import draw_distribution, limit_score
from oracles.sll import Sll

FIGURE_1 = [("t", "u"), ("w", "u"), ("u", "v"), ("w", "v"), ("t", "s"), ("v", "s")]
"""t and v are not adjacent, and no set of t's neighbors u and s makes them independent."""


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
        """As the paper says: w having been discarded, v looks like a neighbor of t."""
        _, data = sampled(FIGURE_1, list("tuswv"), 0)
        ranks = [data.variables.display_rank(v) for v in range(5)]
        number = data.variables.number
        facts = _core.sll(scorer(data, "bic"), [number("t")], "potential", ranks, 20, 5, 1)
        ((_, around, _, _),) = facts["sets"]
        assert {data.variables.name(v) for v in around} == {"s", "u", "v"}
        assert set(ds.neighbors(data, "t", order="data", score="bic")) == {"s", "u"}

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


# --- where the published algorithms are wrong ---------------------------------------------------

SMALLEST = frozenset({(4, 1), (0, 2), (5, 2), (3, 4), (0, 4), (3, 5), (1, 5)})
COUNTEREXAMPLE = SMALLEST | {(4, 2)}
ORDER = (2, 4, 5, 1, 3, 0)
MANY = 1e11  # rows, of which only the distribution matters


class Limit:
    """What local learning finds in a graph if there are as many rows as you like."""

    def __init__(self, dag, n, seed):
        self.dag, self.n = dag, n
        self._first = Sll(limit_score(dag, n, seed, rows=MANY), range(n))

    def steps(self, order):
        """Return the algorithms for an order; best networks are found once for all orders."""
        steps = Sll(self._first._local_score, range(self.n), lambda _: order)
        steps.asked = self._first.asked
        return steps

    def true_neighbors(self, t):
        return graphs.parents(self.dag, t) | graphs.children(self.dag, t)

    def true_spouses(self, t):
        return graphs.markov_blanket(self.dag, t) - self.true_neighbors(t)

    def neighbors_are_true(self, order):
        steps = self.steps(order)
        return all(steps.find_neighbors(t) == self.true_neighbors(t) for t in range(self.n))

    def false_cases(self, order):
        """Return the targets whose published, and whose checked spouses are wrong."""
        steps = self.steps(order)
        assert self.neighbors_are_true(order)
        return (
            [t for t in range(self.n) if steps.find_spouses(t) != self.true_spouses(t)],
            [t for t in range(self.n) if steps.find_checked_spouses(t) != self.true_spouses(t)],
        )


@pytest.mark.parametrize("dag", [SMALLEST, COUNTEREXAMPLE])
@pytest.mark.parametrize("seed", range(3))
def test_spouses_may_be_false_however_many_rows_there_are(seed, dag):
    """Algorithms 3 and 4 as printed, on a distribution in place of rows; and the rule."""
    limit = Limit(dag, 6, seed)
    steps = limit.steps(ORDER)
    assert steps.find_neighbors(0) == limit.true_neighbors(0)
    assert not steps.tied
    assert steps.find_spouses(0) == {1, 3, 5}
    assert steps.find_checked_spouses(0) == limit.true_spouses(0) == {3, 5}
    assert steps.find_checked_spouses(0, either=True) == {3, 5}


def some_orders(n, count):
    rng = np.random.default_rng(n)
    return [tuple(rng.permutation(n).tolist()) for _ in range(count)]


@pytest.mark.parametrize("arc", sorted(SMALLEST))
def test_without_any_of_its_arcs_no_spouse_is_false(arc):
    limit = Limit(SMALLEST - {arc}, 6, 1)
    for order in [ORDER, *some_orders(6, 30)]:
        assert limit.false_cases(order) == ([], [])


def test_the_rule_mends_every_order():
    limit = Limit(SMALLEST, 6, 1)
    found = [limit.false_cases(order) for order in [ORDER, *some_orders(6, 60)]]
    assert any(published for published, _ in found)
    assert not any(checked for _, checked in found)


def test_one_search_that_finds_the_child_mends_nearly_every_order():
    limit = Limit(SMALLEST, 6, 1)
    wrong = dict.fromkeys(("published", "either", "checked"), 0)
    for order in itertools.islice(itertools.permutations(range(6)), 0, None, 6):
        steps = limit.steps(order)
        true = {t: limit.true_neighbors(t) | limit.true_spouses(t) for t in range(6)}
        for spouses in wrong:
            wrong[spouses] += any(steps.markov_blanket(t, spouses) != true[t] for t in range(6))
    assert wrong == {"published": 48, "either": 3, "checked": 0}


def test_nothing_is_false_among_four_variables():
    """All orders of all graphs: those of one order, with the variables named in every way."""
    for seed, dag in enumerate(graphs.all_dags(4)):
        assert Limit(dag, 4, seed).false_cases((0, 1, 2, 3)) == ([], [])


PIECES = 8


def strong_limit(dag, n, seed):
    """Return a draw in which every dependence shows; one in thousands has one that does not."""
    order = tuple(range(n))
    draws = (Limit(dag, n, seed + 1_000_000 * again) for again in range(3))
    return next(limit for limit in draws if limit.neighbors_are_true(order))


@pytest.mark.long
@pytest.mark.parametrize("piece", range(PIECES))
def test_nothing_is_false_among_five_variables(piece):
    """All 29,281 graphs, which are all orders as well."""
    some = itertools.islice(enumerate(graphs.all_dags(5)), piece, None, PIECES)
    for seed, dag in some:
        assert strong_limit(dag, 5, seed).false_cases((0, 1, 2, 3, 4)) == ([], [])


def random_limit(n, seed):
    rng = np.random.default_rng(seed)
    order = rng.permutation(n)
    arcs = [(int(a), int(b)) for i, b in enumerate(order) for a in order[:i]]
    kept = rng.permutation(len(arcs))[: int(rng.integers(n - 1, 2 * n))]
    return strong_limit(frozenset(arcs[i] for i in kept), n, seed)


@pytest.mark.parametrize(
    ("n", "seed"), [*((6, seed) for seed in range(12)), (7, 0), (7, 1), (7, 2), (8, 0), (8, 1)]
)
def test_the_rule_on_random_graphs(n, seed):
    """None of its spouses is false, and none is lost."""
    limit = random_limit(n, seed)
    for order in some_orders(n, 4):
        assert limit.false_cases(order)[1] == []


@pytest.mark.long
@pytest.mark.parametrize(("n", "count"), [(6, 40), (7, 6), (8, 1)])
def test_the_rule_in_every_order(n, count):
    """Every order of six or seven variables; of eight, each of 5,000 drawn at random."""
    for seed in range(100, 100 + count):
        limit = random_limit(n, seed)
        orders = itertools.permutations(range(n)) if n < 8 else some_orders(n, 5000)
        assert not any(limit.false_cases(order)[1] for order in orders)


@pytest.mark.parametrize("seed", [0, 5])
def test_the_default_order_does_not_keep_it_out(seed):
    joint = draw_distribution(COUNTEREXAMPLE, 6, seed)
    drawn = np.random.default_rng(seed).multinomial(300_000, list(joint.values()))
    rows = np.repeat(np.array(list(joint)), drawn, axis=0)
    data = ds.Data({f"v{i}": rows[:, i] for i in range(6)})
    assert set(ds.neighbors(data, "v0", method="sll", score="bic")) == {"v2", "v4"}
    published = ds.markov_blanket(data, "v0", score="bic", spouses="published")
    assert set(published) == {"v1", "v2", "v3", "v4", "v5"}
    for spouses in ("checked", "either"):
        mended = ds.markov_blanket(data, "v0", method="sll", score="bic", spouses=spouses)
        assert set(mended) == {"v2", "v3", "v4", "v5"}
