"""What the papers on KES prove of infinitely many rows, on distributions in place of rows.

Theorems 3 to 5 of Nielsen, Kočka and Peña, UAI 2003, which are 1 to 3 of Peña, Kočka and Nielsen,
IPMU 2004; and Theorem 4 of the latter, on the confidence in features.
"""

import itertools

import numpy as np
import pytest

import dagscape as ds
from dagscape import _core
from dagscape.networks.trap import trap_joint
from dagscape.scores import scorer
from oracles import distributions, graphs
from oracles import equivalence as oracle
from oracles.limit import draw_distribution
from toys.classes import as_class, boundary, ges, random_dag
from toys.in_the_limit import limit_bic

KS = (0.0, 0.4, 0.8, 1.0)
LONG = 200.0
"""Draws in vain of the sampled search; after a tenth it takes some classes for optima."""


def variables(n):
    """Data of n variables, whose rows no score of a distribution looks at."""
    return ds.Data({f"v{v}": [0, 1] for v in range(n)})


def public(score):
    """The same for functions that know scores by name."""
    return ds.ScoreFunction(
        "limit",
        lambda members, _: score.joint([int(name[1:]) for name in members]),
        equivalent=True,
        of="sets",
    )


def is_locally_consistent(score, joint):
    """Whether an arc gains just where it takes an independence away that does not hold."""
    n = score.variables
    for a, b in itertools.combinations(range(n), 2):
        rest = [v for v in range(n) if v not in (a, b)]
        for given in itertools.chain(*(itertools.combinations(rest, s) for s in range(n - 1))):
            gain = score.local(a, [*given, b]) - score.local(a, given)
            holds = distributions.independent(joint, *map(frozenset, ((a,), (b,), given)))
            if (gain < 0) != holds:
                return False
    return True


def faithful(dag, n, seed):
    """A draw in which just what d-separation says is independent, and as clearly as need be."""
    for again in range(20):
        joint = draw_distribution(dag, n, seed + 1000 * again)
        score = limit_bic(joint)
        if is_locally_consistent(score, joint):
            return score
    raise AssertionError(f"{sorted(dag)} has no strong draw")


def ends(score, k, runs, seed=0, neighborhood="auto"):
    options = _core.KesOptions(k, neighborhood=neighborhood, patience=LONG)
    found, _ = _core.kes_runs(scorer(variables(score.variables), score), options, seed, 0, runs, 1)
    assert all(run.done for _, run in found)
    return {as_class(run.graph) for _, run in found}


def greedy_ends(score):
    on_data = scorer(variables(score.variables), score)
    return {as_class(ges(on_data, two_phases=two).graph) for two in (True, False)}


class TestFaithful:
    """Theorem 3: every run ends at the class of the network."""

    def test_every_class_of_four_variables(self):
        for seed, (here, dags) in enumerate(oracle.members(4).items()):
            score = faithful(dags[0], 4, seed)
            for k in KS:
                assert ends(score, k, 5, seed) == {here}
            assert ends(score, 0.4, 1, seed, "sampled") == greedy_ends(score) == {here}

    @pytest.mark.parametrize("seed", range(6))
    def test_six_variables(self, seed):
        dag = random_dag(np.random.default_rng(seed), 6, 0.4)
        score = faithful(dag, 6, seed)
        for k in KS:
            assert ends(score, k, 20, seed) == {oracle.essential_by_labeling(6, dag)}

    def test_confidence_is_1_or_0(self):
        """Theorem 4 of the second paper."""
        dag = frozenset({(0, 2), (1, 2), (2, 3), (3, 4)})
        found = ds.local_optima(
            variables(5), score=public(faithful(dag, 5, 0)), k=0.4, runs=50, seed=0
        )
        assert len(found.optima) == 1
        true = ds.Dag(variables(5).names, [(f"v{a}", f"v{b}") for a, b in dag]).to_cpdag()
        assert found.best.cpdag == true
        for kind in ("edges", "paths", "blankets"):
            rows = found.features(kind)
            assert len(rows) > 0
            assert set(rows["confidence"]) == {1.0}


SPOUSES_OF_A_HIDDEN_CAUSE = frozenset({(0, 1), (4, 1), (4, 2), (3, 2)})


def hidden_cause(seed):
    """The last of five variables is hidden."""
    return distributions.without(draw_distribution(SPOUSES_OF_A_HIDDEN_CAUSE, 5, seed), 4)


def cycle(seed):
    """Four variables of two states, each of which prefers something of the next."""
    factors = np.random.default_rng(seed).uniform(0.3, 3.0, (4, 2, 2))
    weights = {
        s: float(np.prod([factors[v, s[v], s[(v + 1) % 4]] for v in range(4)]))
        for s in itertools.product((0, 1), repeat=4)
    }
    return {state: weight / sum(weights.values()) for state, weight in weights.items()}


COMPOSING = {
    "Example 1": dict(np.ndenumerate(trap_joint())),
    "a hidden cause": hidden_cause(0),
    "a cycle": cycle(0),
}


@pytest.fixture(params=COMPOSING)
def composing(request):
    return COMPOSING[request.param]


class TestComposition:
    """Distributions that compose, and are those of no network's independences."""

    def test_that_they_are(self, composing):
        assert distributions.composes(composing, 4)
        assert is_locally_consistent(limit_bic(composing), composing)
        holding = {
            (a, b, z)
            for x, y, z in distributions.triples(4)
            if len(x) == len(y) == 1
            for a, b in [(min(x), min(y))]
            if a < b and distributions.independent(composing, x, y, z)
        }
        assert all(distributions.separations(4, here) != holding for here in oracle.members(4))
        assert len(distributions.inclusion_optimal(composing)) > 1

    @pytest.mark.parametrize("k", KS)
    def test_runs_end_in_inclusion_optimal_classes(self, composing, k):
        """Theorem 4."""
        score, optimal = limit_bic(composing), distributions.inclusion_optimal(composing)
        assert ends(score, k, 200) <= optimal
        assert ends(score, k, 10, neighborhood="sampled") <= optimal
        assert greedy_ends(score) <= optimal

    def test_the_stochastic_search_ends_in_each(self, composing):
        """Theorem 5: by the paths of all its draws, and by the runs of one seed."""
        score, optimal = limit_bic(composing), distributions.inclusion_optimal(composing)
        assert all_ends(score) == optimal
        assert ends(score, 0.0, 300) == optimal

    def test_groups_multiply(self):
        """Example 2, with two groups: of four inclusion-optimal classes each is met."""
        joint = COMPOSING["Example 1"]
        two = distributions.product([joint, joint])
        one = distributions.inclusion_optimal(joint)
        later = {here: frozenset((a + 4, b + 4) for a, b in here) for here in one}
        assert ends(limit_bic(two), 0.0, 200) == {
            here | later[there] for here, there in itertools.product(one, repeat=2)
        }

    def test_the_two_models_of_example_1(self):
        """Of 19 and 23 parameters, as it says."""
        g1 = frozenset({(0, 1), (0, 3), (1, 2), (3, 2), (1, 3)})
        g2 = frozenset({(0, 1), (0, 3), (1, 2), (2, 3), (0, 2)})
        found = distributions.inclusion_optimal(COMPOSING["Example 1"])
        assert found == {graphs.essential_graph(g1), graphs.essential_graph(g2)}
        states = (4, 2, 2, 2)
        parameters = [
            sum(
                (states[v] - 1) * np.prod([states[p] for p in graphs.parents(dag, v)])
                for v in range(4)
            )
            for dag in (g1, g2)
        ]
        assert parameters == [19, 23]


def all_ends(score):
    """Where runs that go to any better neighbor may end."""

    def total(here):
        dag = oracle.members(score.variables)[here][0]
        return sum(score.local(v, graphs.parents(dag, v)) for v in range(score.variables))

    found, seen, todo = set(), {oracle.EMPTY}, [oracle.EMPTY]
    while todo:
        here = todo.pop()
        better = oracle.better(here, total, boundary(score.variables))
        found |= set() if better else {here}
        todo += set(better) - seen
        seen |= set(better)
    return found


class TestWithoutComposition:
    """A noisy parity: any two of three are independent, and tell the third together."""

    @pytest.fixture
    def parity(self):
        return {
            (a, b, c): 0.25 * (0.9 if c == a ^ b else 0.1)
            for a, b, c in itertools.product((0, 1), repeat=3)
        }

    def test_it_does_not_compose(self, parity):
        assert not distributions.composes(parity, 3)
        assert is_locally_consistent(limit_bic(parity), parity)

    def test_runs_may_end_where_the_distribution_is_not(self, parity):
        score = limit_bic(parity)
        assert not distributions.includes(oracle.EMPTY, parity)
        assert len(distributions.inclusion_optimal(parity)) == 3
        for k in KS:
            assert ends(score, k, 20) == {oracle.EMPTY}
        assert greedy_ends(score) == {oracle.EMPTY}
        assert ds.exact(variables(3), score=score).dag.arcs

    def test_confidence_may_be_0_in_what_is_true(self, parity):
        found = ds.local_optima(
            variables(3), score=public(limit_bic(parity)), k=0.4, runs=20, seed=0
        )
        assert len(found.features("edges")) == 0
