"""The oracles' own checks: published counts, hand-worked cases, two ways to the same answer."""

from __future__ import annotations

import itertools
import math
import random
from fractions import Fraction

import pytest

from golden.cases import Case, read_counts
from oracles import graphs, scores

COLLIDER = frozenset({(0, 2), (1, 2)})
CHAIN = frozenset({(0, 1), (1, 2)})
FORK = frozenset({(1, 0), (1, 2)})


# --- the normalizer -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("n", "K", "value"),
    [
        (7, 1, Fraction(1)),
        (1, 5, Fraction(5)),
        (0, 4, Fraction(1)),
        (2, 2, Fraction(5, 2)),
        (3, 2, Fraction(26, 9)),
        (2, 3, Fraction(9, 2)),
        (2, 4, Fraction(7)),
    ],
)
def test_normalizer_by_hand(n: int, K: int, value: Fraction) -> None:
    assert scores.normalizer_by_definition(n, K) == value
    assert scores.exact_normalizer(n, K) == value
    assert scores.log_normalizer(n, K) == pytest.approx(math.log(value), abs=1e-14)


def test_convolution_agrees_with_the_definition() -> None:
    for n, K in itertools.product(range(8), range(1, 7)):
        assert scores.exact_normalizer(n, K) == scores.normalizer_by_definition(n, K)


def test_normalizer_sums_the_maximum_likelihood_of_all_data_sets() -> None:
    for n, K in ((1, 3), (4, 3), (5, 2), (6, 2)):
        likelihoods = (
            math.prod(Fraction(values.count(v), n) for v in values)
            for values in itertools.product(range(K), repeat=n)
        )
        assert sum(likelihoods) == scores.exact_normalizer(n, K)


def test_linear_recurrence_holds() -> None:
    # Kontkanen and Myllymäki 2007: C(n, K + 2) = C(n, K + 1) + n/K C(n, K).
    C = scores.exact_normalizer
    for n, K in itertools.product((1, 2, 5, 13, 40), range(1, 12)):
        assert C(n, K + 2) == C(n, K + 1) + Fraction(n, K) * C(n, K)


def test_logs_beyond_the_exact_range_follow_the_recurrence() -> None:
    assert scores.EXACT_UP_TO < 150
    for n in (scores.EXACT_UP_TO + 1, 150):
        for K in (1, 2, 9, 30):
            c, c1, c2 = (scores.log_normalizer(n, K + step) for step in range(3))
            assert math.exp(c2 - c1) == pytest.approx(1 + n / K * math.exp(c - c1), rel=1e-11)


def test_exact_and_float_normalizers_meet() -> None:
    n = scores.EXACT_UP_TO + 20
    for K in (2, 5, 40):
        exact = scores.exact_normalizer(n, K)
        log = math.log(exact.numerator) - math.log(exact.denominator)
        assert scores.log_normalizer(n, K) == pytest.approx(log, rel=1e-13)


# --- scores -------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", read_counts("bnlearn_counts.json"), ids=str)
def test_scores_agree_with_bnlearn(case: Case) -> None:
    child, parents = len(case.parents), range(len(case.parents))
    for name, value in case.values.items():
        score, ess = ("bdeu", float(name[4:])) if name.startswith("bdeu") else (name, 1.0)
        found = scores.local_score(case.codes(), case.arities, child, parents, score, ess)
        assert found == pytest.approx(value, rel=1e-9, abs=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("case", read_counts("nml_counts.json"), ids=str)
def test_nml_scores_agree_with_scci_and_by_hand(case: Case) -> None:
    for score, bits in case.bits.items():
        found = scores.score_of_counts(case.counts, score) / math.log(2)
        assert found == pytest.approx(bits, rel=0, abs=6e-4)
    for score, probability in case.fractions.items():
        found = scores.score_of_counts(case.counts, score)
        assert found == pytest.approx(math.log(probability), rel=1e-13)


def test_marginal_likelihoods_by_hand() -> None:
    # K2 of 0, 0, 1 without parents: 1/2 · 2/3 · 1/4, each row predicted from those before it.
    assert math.exp(scores.score_of_counts([[2, 1]], "k2")) == pytest.approx(1 / 12)
    # BDeu, ess 2, the same rows: hyperparameters 1 and 1, so the same value.
    assert math.exp(scores.score_of_counts([[2, 1]], "bdeu", 2.0)) == pytest.approx(1 / 12)
    # BDeu, ess 1, one parent: hyperparameters 1/4. Rows (0, 0), (0, 0): 1/2 · (5/4)/(3/2).
    assert math.exp(scores.score_of_counts([[2, 0], [0, 0]], "bdeu")) == pytest.approx(5 / 12)


@pytest.mark.parametrize("score", ["loglik", "aic", "bic", "bdeu", "qnml", "k2", "fnml"])
def test_weights_are_repeated_rows(score: str) -> None:
    codes, weights = [(0, 1, 2), (0, 1, 0), (1, 0, 0), (1, 1, 2)], [3, 1, 1, 2]
    repeated = [row for row, weight in zip(codes, weights, strict=True) for _ in range(weight)]
    arities = (2, 3, 3)
    weighted = scores.local_score(codes, arities, 2, [0, 1], score, 1.0, weights)
    assert weighted == scores.local_score(repeated, arities, 2, [0, 1], score)
    assert weighted != scores.local_score(codes, arities, 2, [0, 1], score)


@pytest.mark.parametrize("score", ["loglik", "aic", "bic", "bdeu", "qnml"])
def test_equivalent_dags_score_the_same(score: str) -> None:
    rng = random.Random(0)
    arities = (2, 3, 2, 4)
    codes = [[rng.randrange(arity) for arity in arities] for _ in range(30)]
    for members in graphs.classes(4)[::9]:
        totals = [scores.total_score(codes, arities, dag, score) for dag in members]
        assert totals == pytest.approx([totals[0]] * len(totals), rel=1e-12)


@pytest.mark.parametrize("score", ["k2", "fnml"])
def test_scores_that_do_not_promise_equivalence(score: str) -> None:
    codes = [(0, 0), (0, 1), (0, 2), (1, 0)]
    forth = scores.total_score(codes, (2, 3), {(0, 1)}, score)
    back = scores.total_score(codes, (2, 3), {(1, 0)}, score)
    assert abs(forth - back) > 0.01


def test_nml_refuses_parts_of_rows() -> None:
    with pytest.raises(ValueError, match="whole number"):
        scores.local_score([(0,), (1,)], (2,), 0, [], "fnml", weights=[0.5, 1.0])


# --- graphs -------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(("n", "dags", "classes"), [(2, 3, 2), (3, 25, 11), (4, 543, 185)])
def test_published_counts(n: int, dags: int, classes: int) -> None:
    assert len(graphs.all_dags(n)) == len(set(graphs.all_dags(n))) == dags
    assert len(graphs.classes(n)) == classes
    assert len({graphs.essential_graph(dag) for dag in graphs.all_dags(n)}) == classes


@pytest.mark.slow
def test_published_counts_of_five() -> None:
    assert len(graphs.all_dags(5)) == 29281
    assert len(graphs.classes(5)) == 8782


def test_classes_are_the_orbits_of_equivalence() -> None:
    for members in graphs.classes(4):
        first = min(members, key=sorted)
        assert graphs.equivalence_class(first) == members
    assert graphs.markov_equivalent(CHAIN, FORK)
    assert not graphs.markov_equivalent(CHAIN, COLLIDER)


def test_essential_graphs_by_hand() -> None:
    assert graphs.essential_graph(COLLIDER) == COLLIDER
    assert graphs.directed(graphs.essential_graph(CHAIN)) == frozenset()
    assert graphs.undirected(graphs.essential_graph(CHAIN)) == {(0, 1), (1, 2)}
    # A collider's only child is directed too, or it would be one more parent.
    assert graphs.essential_graph(COLLIDER | {(2, 3)}) == COLLIDER | {(2, 3)}


def test_extensions_of_an_essential_graph_are_its_class() -> None:
    for members in graphs.classes(4):
        essential = graphs.essential_graph(next(iter(members)))
        assert graphs.extensions(essential) == members


def test_extensions_by_hand() -> None:
    square = frozenset({(0, 1), (1, 2), (2, 3), (3, 0)})
    both_ways = square | {(b, a) for a, b in square}
    assert graphs.extensions(both_ways) == frozenset()  # every acyclic direction has a collider
    # 0 -> 1 - 2 goes on to 2: toward 1 would be a new collider.
    assert graphs.extensions(frozenset({(0, 1), (1, 2), (2, 1)})) == {CHAIN}
    assert graphs.extensions(square) == frozenset()


def test_d_separation_by_hand() -> None:
    assert graphs.d_separated(CHAIN, 0, 2, [1])
    assert not graphs.d_separated(CHAIN, 0, 2, [])
    assert graphs.d_separated(COLLIDER, 0, 1, [])
    assert not graphs.d_separated(COLLIDER, 0, 1, [2])
    assert not graphs.d_separated(COLLIDER | {(2, 3)}, 0, 1, [3])  # a descendant opens it too


@pytest.mark.slow
def test_both_d_separations_agree() -> None:
    rng = random.Random(0)
    for dag in (*graphs.all_dags(4), *rng.sample(graphs.all_dags(5), 50)):
        n = 4 if max(graphs.nodes(dag), default=0) < 4 else 5
        for x, y in itertools.combinations(range(n), 2):
            rest = [v for v in range(n) if v not in (x, y)]
            for z in itertools.chain(*(itertools.combinations(rest, k) for k in range(n - 1))):
                by_paths = graphs.d_separated(dag, x, y, z)
                assert by_paths == graphs.d_separated_by_moralisation(dag, x, y, z), (dag, x, y, z)


@pytest.mark.slow
def test_equivalent_dags_separate_the_same() -> None:
    # Verma and Pearl's theorem: the definition used here is that of equal independence models.
    def independences(dag: graphs.Graph) -> frozenset[tuple[int, int, tuple[int, ...]]]:
        return frozenset(
            (x, y, z)
            for x, y in itertools.combinations(range(4), 2)
            for k in range(3)
            for z in itertools.combinations(sorted({0, 1, 2, 3} - {x, y}), k)
            if graphs.d_separated(dag, x, y, z)
        )

    models = [{independences(dag) for dag in members} for members in graphs.classes(4)]
    assert all(len(model) == 1 for model in models)
    assert len(set().union(*models)) == 185


@pytest.mark.slow
def test_blanket_is_the_smallest_set_that_shields() -> None:
    for dag in graphs.all_dags(4):
        for node in range(4):
            others = sorted({0, 1, 2, 3} - {node})
            shields = [
                set(z)
                for k in range(4)
                for z in itertools.combinations(others, k)
                if all(graphs.d_separated(dag, node, v, z) for v in others if v not in z)
            ]
            assert shields[0] == graphs.markov_blanket(dag, node)
            assert all(shields[0] <= shield for shield in shields)


def test_blankets_are_the_moral_edges() -> None:
    for dag in graphs.all_dags(4):
        pairs = {(a, b) for a in range(4) for b in graphs.markov_blanket(dag, a) if a < b}
        assert pairs == graphs.moral_edges(dag)


def test_turning_an_arc_keeps_the_class_exactly_if_it_is_covered() -> None:
    # Chickering 1995, Lemma 1.
    for dag in graphs.all_dags(4):
        turned = {
            (a, b)
            for a, b in dag
            if graphs.is_acyclic(dag - {(a, b)} | {(b, a)})
            and graphs.markov_equivalent(dag, dag - {(a, b)} | {(b, a)})
        }
        assert turned == graphs.covered_arcs(dag)


def test_ancestors_and_descendants() -> None:
    dag = COLLIDER | {(2, 3)}
    assert graphs.ancestors(dag, 3) == {0, 1, 2}
    assert graphs.descendants(dag, 0) == {2, 3}
    assert graphs.ancestors(dag, 0) == frozenset()
    assert not graphs.is_acyclic(dag | {(3, 0)})


def test_shd_by_hand() -> None:
    chain = graphs.essential_graph(CHAIN)
    assert graphs.shd(chain, chain) == 0
    assert graphs.shd(chain, COLLIDER) == 3  # 0-1 is extra, 0-2 missing, 1-2 differs in type
    assert graphs.shd(frozenset({(0, 1)}), frozenset({(1, 0)})) == 1
    assert graphs.shd(frozenset(), chain) == 2
