"""The oracles of local learning on cases worked by hand, and against other programs."""

from __future__ import annotations

import itertools
import math
import random
from functools import cache

import pytest

from golden import local_cases
from oracles import exact, g2, graphs, limit, meek, scores, sll
from oracles.g2 import Outcome
from oracles.hiton import Hiton, LocalTests, Test
from oracles.limit import LOCAL_FIGURE, S, T, U, V, W
from oracles.mmpc import Mmpc
from oracles.sll import Sll
from seeds import for_each

SEARCHES = pytest.mark.parametrize("search", [Hiton, Mmpc])

# asia, tub, smoke, lung, bronc, either, xray, dysp
ASIA = frozenset({(0, 1), (2, 3), (2, 4), (1, 5), (3, 5), (5, 6), (4, 7), (5, 7)})


def random_dag(n: int, seed: int, chance: float = 0.4) -> graphs.Graph:
    rng = random.Random(seed)
    order = rng.sample(range(n), n)
    return frozenset(pair for pair in itertools.combinations(order, 2) if rng.random() < chance)


# --- chi-square ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("x", "degrees", "p"),
    [
        (0.0, 3, 1.0),
        (5.0, 0, 1.0),
        (3.841458820694124, 1, 0.05),  # tables of quantiles
        (6.634896601021213, 1, 0.01),
        (18.307038053275146, 10, 0.05),
        (2.0, 2, math.exp(-1)),  # by hand: e^-h, and e^-h (1 + h)
        (2.0, 4, 2 * math.exp(-1)),
        (4.0, 1, math.erfc(math.sqrt(2))),  # two standard deviations
    ],
)
def test_tail_at_known_values(x: float, degrees: int, p: float) -> None:
    assert g2.tail(x, degrees) == pytest.approx(p, rel=1e-13)


def test_tail_agrees_with_mpmath() -> None:
    for degrees, x, log_p in local_cases.read("chi_square_tail")["values"]:
        assert g2.log_tail(x, degrees) == pytest.approx(log_p, rel=2e-11, abs=1e-11)


def test_both_forms_of_erfc_meet() -> None:
    for z in (5.0, 10.0, 26.0):
        assert g2.log_erfc(z) == pytest.approx(math.log(math.erfc(z)), rel=1e-14)


# --- G² -----------------------------------------------------------------------------------------

# By z, then x, then y. In the first stratum x and y are independent; in the second they are equal.
TWO_STRATA = {(0,): [[4, 2], [2, 1]], (1,): [[3, 0], [0, 3]]}


def test_statistic_by_hand() -> None:
    assert g2.statistic(TWO_STRATA) == pytest.approx(2 * 6 * math.log(2), rel=1e-14)
    assert g2.plain(TWO_STRATA) == g2.adjusted(TWO_STRATA) == 2
    # A state of x that the second stratum lacks, and a stratum without rows.
    strata = TWO_STRATA | {(1,): [[3, 1], [0, 0]], (2,): [[0, 0], [0, 0]]}
    assert g2.statistic(strata) == 0.0
    assert g2.plain(strata) == 3
    assert g2.adjusted(strata) == 1


def test_strata_are_counted() -> None:
    codes = [(0, 0, 1), (0, 1, 1), (0, 1, 1), (1, 1, 0)]
    assert g2.strata(codes, (2, 3, 2), 0, 1, [2]) == {
        (0,): [[0, 0, 0], [0, 1, 0]],
        (1,): [[1, 2, 0], [0, 0, 0]],
    }
    assert g2.strata(codes, (2, 3, 2), 2, 0) == {(): [[0, 1], [3, 0]]}


def test_a_test_may_not_be_done() -> None:
    codes = [(0, 0), (1, 1)] * 10
    assert g2.outcome(codes, (2, 2), 0, 1, rows_per_cell=5).done
    assert not g2.outcome(codes[1:], (2, 2), 0, 1, rows_per_cell=5).done
    assert g2.outcome(codes, (2, 2), 0, 1).log_p < -10
    assert g2.outcome([(0, 0), (0, 1)], (1, 2), 0, 1) == Outcome(0.0, 0, 0.0)


@pytest.mark.parametrize("case", local_cases.read("lizards")["tests"], ids=lambda c: c["x"])
def test_lizards_of_bnlearn(case: dict) -> None:
    golden = local_cases.read("lizards")
    rows = [cell.split() for cell, count in golden["counts"].items() for _ in range(count)]
    words = [sorted(set(column)) for column in zip(*rows, strict=True)]
    codes = [[words[i].index(word) for i, word in enumerate(row)] for row in rows]
    x, y, *given = (golden["names"].index(v) for v in (case["x"], case["y"], *case["given"]))
    for degrees in g2.DEGREES:
        outcome = g2.outcome(codes, (2, 2, 2), x, y, given, degrees)
        assert outcome.statistic == pytest.approx(case["statistic"], rel=5e-5)
        assert outcome.degrees == case["degrees"]
        assert outcome.p == pytest.approx(case["p"], rel=2e-4)


@pytest.mark.slow
@pytest.mark.parametrize("case", local_cases.read("g2")["cases"], ids=lambda c: c["table"])
def test_tests_agree_with_other_programs(case: dict) -> None:
    table = local_cases.read_table(case["table"])
    for known in case["tests"]:
        asked = table.codes, table.arities, known["x"], known["y"], known["given"]
        adjusted, plain = g2.outcome(*asked, "adjusted"), g2.outcome(*asked, "plain")
        assert adjusted.statistic == pytest.approx(known["statistic"], rel=1e-11, abs=1e-11)
        assert adjusted.degrees == known["adjusted_degrees"]
        assert adjusted.p == pytest.approx(known["p_adjusted"], rel=1e-10)
        assert plain.p == pytest.approx(known["p_plain"], rel=1e-10)
        if "pgmpy" in known:
            found = [adjusted.statistic, adjusted.degrees, adjusted.p]
            assert found == pytest.approx(known["pgmpy"], rel=1e-9, abs=1e-11)


# --- searches by tests, against other programs --------------------------------------------------


def outcomes_of(table: local_cases.Table, arities: list[int], degrees: str) -> Test:
    @cache
    def test(x: int, y: int, given: frozenset[int]) -> Outcome:
        return g2.outcome(table.codes, arities, x, y, given, degrees)

    return lambda x, y, given: test(min(x, y), max(x, y), given)


CASES = local_cases.read("neighbors")["cases"]


@pytest.mark.slow
@pytest.mark.parametrize(
    "case", CASES, ids=lambda c: "-".join((c["table"], c["program"], c["method"], str(c["alpha"])))
)
def test_searches_agree_with_other_programs(case: dict) -> None:
    table = local_cases.read_table(case["table"])
    numbers = range(len(table.names))
    if case["program"] == "pybnesian":
        test = outcomes_of(table, table.arities, "adjusted")
        found = Mmpc(test, numbers, case["alpha"], len(table.names)).find_neighbors
    else:  # it knows the states that occur, and ranks by the statistic
        arities = [max(column) + 1 for column in zip(*table.codes, strict=True)]
        test = outcomes_of(table, arities, "plain")
        options = {"max_conditioning": 3, "strongest_by": "statistic"}
        search: LocalTests
        if case["method"] == "mmpc":
            search = Mmpc(test, numbers, case["alpha"], **options)
        else:
            search = Hiton(test, numbers, case["alpha"], **options, last_alone=True)
        found = search.find_potential_neighbors
    for number, name in enumerate(table.names):
        names = sorted(table.names[v] for v in found(number))
        assert names == sorted(case.get("neighbors", case.get("potential"))[name])


# --- searches by tests, where the graph answers -------------------------------------------------


@SEARCHES
@pytest.mark.parametrize("dag", [ASIA, LOCAL_FIGURE, *(random_dag(6, seed) for seed in range(12))])
def test_searches_find_the_truth_by_d_separation(search: type[LocalTests], dag) -> None:
    n = 8 if dag == ASIA else 6
    for ranks in (range(n), range(n)[::-1]):
        local = search(limit.d_separation_test(dag), range(n), ranks=ranks)
        for t in range(n):
            assert local.find_neighbors(t) == sll.neighbors(dag, t)
            assert local.markov_blanket(t) == graphs.markov_blanket(dag, t)
            assert local.bounds_of_blanket(t) == (graphs.markov_blanket(dag, t),) * 2


@SEARCHES
def test_symmetry_correction_is_needed(search: type[LocalTests]) -> None:
    # Aliferis et al.: nothing that T's search conditions on separates it from V.
    local = search(limit.d_separation_test(LOCAL_FIGURE), range(5))
    assert set(local.find_potential_neighbors(T)) == {U, S, V}
    assert T not in local.find_potential_neighbors(V)
    assert local.separators_of(T, V) == [{U, W}]
    assert local.markov_blanket(T) == {U, S, V, W}


def test_the_figure_is_the_smallest_graph_that_fits_the_text() -> None:
    # T's neighbors are U and S, and it has the v-structure (T, S, V).
    pairs = [((a, b), (b, a)) for a, b in [(T, U), (U, S), (U, V), (U, W), (S, W), (V, W)]]
    choices = [pairs[0], *((None, *pair) for pair in pairs[1:])]
    chosen = (frozenset({(T, S), (V, S), *arcs} - {None}) for arcs in itertools.product(*choices))
    fitting = [
        dag
        for dag in chosen
        if graphs.is_acyclic(dag)
        and not any(
            graphs.d_separated_by_moralisation(dag, T, V, given)
            for given in ((), (U,), (S,), (U, S))
        )
    ]
    fewest = min(map(len, fitting))
    assert [dag for dag in fitting if len(dag) == fewest] == [LOCAL_FIGURE]


def drawn_outcome(x: int, y: int, given: frozenset[int]) -> Outcome:
    """Everything depends; the higher the pair, the more; nothing separates but what is said."""
    if not given and {x, y} == {0, 4}:
        return Outcome(0.0, 1, 0.0, done=False)
    if {x, y} == {0, 1} and given == {3}:
        return Outcome(0.1, 1, math.log(0.6))
    return Outcome(float(x + y), 1, -float(x + y + 3))


def test_hiton_by_hand() -> None:
    # By strength: 3, 2, 1 (4's test was not done). 3 stays; 2 stays; 1 is separated by 3.
    options = {"max_conditioning": 1, "unreliable": "independent alone"}
    assert Hiton(drawn_outcome, range(5), **options).find_potential_neighbors(0) == (3, 2)
    assert Hiton(drawn_outcome, range(5), max_conditioning=0).find_potential_neighbors(0) == (
        3,
        2,
        1,
        4,
    )


def test_the_last_variable_may_separate_before_it_goes() -> None:
    def test(x: int, y: int, given: frozenset[int]) -> Outcome:
        pairs = {(frozenset({0, 1}), frozenset({2})), (frozenset({0, 2}), frozenset({1}))}
        separated = (frozenset({x, y}), given) in pairs
        return Outcome(0.0, 1, 0.0) if separated else Outcome(9.0 - x - y, 1, -9.0 + x + y)

    assert Hiton(test, range(3)).find_potential_neighbors(0) == (2,)  # 1 goes first, by 2
    assert Hiton(test, range(3), last_alone=True).find_potential_neighbors(0) == (1,)
    assert Mmpc(test, range(3)).find_potential_neighbors(0) == (1,)


def test_max_min_by_hand() -> None:
    # Alone 1 is the strongest, then 2; given 1, all that 2 knows is gone but a little.
    p = {(1, ()): -50, (2, ()): -40, (3, ()): -10, (2, (1,)): -4, (3, (1,)): -9}

    def test(x: int, y: int, given: frozenset[int]) -> Outcome:
        log_p = p.get((max(x, y), tuple(sorted(given))), -20)
        return Outcome(1.0, 1, float(log_p))

    assert Mmpc(test, range(4)).find_potential_neighbors(0) == (1, 3, 2)
    assert Hiton(test, range(4)).find_potential_neighbors(0) == (1, 2, 3)
    assert Mmpc(test, range(4), alpha=math.exp(-6)).find_potential_neighbors(0) == (1, 3)


# --- SLL ----------------------------------------------------------------------------------------


def drawn_table(n: int, seed: int) -> tuple[list[list[int]], list[int]]:
    rng = random.Random(seed)
    arities = [rng.choice([1, 2, 2, 3]) for _ in range(n)]
    codes = [[rng.randrange(r) for r in arities] for _ in range(40)]
    for row in codes:
        if rng.random() < 0.7:
            row[-1] = row[0] % arities[-1]
    return codes, arities


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("most", [1, 3])
def test_all_optimal_networks_are_those_of_brute_force(seed: int, most: int) -> None:
    codes, arities = drawn_table(4, seed)
    lists = exact.all_parents(codes, arities, "bic", known=exact.Known(max_parents=most))
    _, best = exact.best_networks(lists)

    def local_score(child: int, parents: frozenset[int]) -> float:
        return scores.local_score(codes, arities, child, sorted(parents), "bic")

    found = sll.all_optimal_networks(local_score, range(4), most)
    assert found == set(best)
    assert sll.first_network(found) in best
    assert sll.one_class(best) == exact.one_class(best)


def test_ties_are_told() -> None:
    learner = Sll(lambda _child, _parents: 0.0, range(3))
    assert learner.all_optimal(range(3)) == set(graphs.all_dags(3))
    assert learner.optimal_network(range(3)) == frozenset()
    assert learner.tied
    # Any of the subsets may come out at the end.
    every = {frozenset(), frozenset({1}), frozenset({2}), frozenset({1, 2})}
    assert learner.possible_potential_neighbors(0) == every
    assert learner.possible_neighbors(0) == every
    with pytest.raises(sll.TooManyTiesError):
        learner.all_optimal(range(6))


def test_spouses_are_not_adjacent() -> None:
    dag = frozenset({(0, 2), (1, 2), (3, 2), (0, 3)})
    assert sll.spouses(dag, 0) == {1}
    assert sll.spouses(dag, 1) == {0, 3}
    assert sll.common_children(dag, 0, 1) == {2}


@pytest.mark.parametrize("seed", range(3))
def test_sll_on_the_figure(seed: int) -> None:
    # What the paper tells of it: W was discarded before V came, so that nothing keeps V out.
    score = limit.limit_score(LOCAL_FIGURE, 5, seed)
    learner = Sll(score, (U, S, W, V, T))
    assert learner.find_potential_neighbors(T) == {U, S, V}
    assert T not in learner.find_potential_neighbors(V)
    assert learner.find_neighbors(T) == {U, S}
    # Among S, T, U and V there is no room for V but as a neighbor: the spouse is lost, and comes
    # back since T is found as a spouse of V.
    learner = Sll(score, (U, S, V, W, T))
    assert learner.find_potential_spouses(T) == {W}
    assert learner.find_potential_spouses(V) == {T}
    assert learner.network_of_spouses(V) in graphs.equivalence_class(LOCAL_FIGURE)
    assert learner.find_spouses(T) == {V, W}
    assert learner.markov_blanket(T) == {U, S, V, W}
    assert not learner.tied


@for_each("seed", range(12))
def test_sll_finds_the_truth_in_the_limit(seed: int) -> None:
    n = 5
    dag = random_dag(n, seed)
    learner = Sll(limit.limit_score(dag, n, seed), range(n))
    for t in range(n):
        assert learner.find_neighbors(t) == sll.neighbors(dag, t)
        assert learner.markov_blanket(t) == graphs.markov_blanket(dag, t)
    if not learner.tied:
        for t in range(n):
            assert learner.possible_neighbors(t) == {learner.find_neighbors(t)}


def test_potential_neighbors_depend_on_the_order_alone() -> None:
    score = limit.limit_score(LOCAL_FIGURE, 5, 0)
    first_w = Sll(score, range(5), order=lambda _: (W, V, U, S, T))
    learner = Sll(score, (U, S, W, V, T))
    # W and V come in before U tells that W is no neighbor, and W then tells that V is none.
    possible = learner.possible_potential_neighbors(T, any_order=True)
    assert {first_w.find_potential_neighbors(T), learner.find_potential_neighbors(T)} <= possible
    assert all({U, S} <= H for H in possible)  # Lemma 3
    assert learner.possible_neighbors(T, any_order=True) == {frozenset({U, S})}


# --- from local to global -----------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("n", [3, 4])
def test_rules_complete_v_structures_to_the_essential_graph(n: int) -> None:
    for members in graphs.classes(n):
        dag = min(members, key=sorted)
        pattern = meek.with_v_structures(graphs.skeleton(dag), graphs.v_structures(dag))
        assert meek.close(pattern) == graphs.essential_graph(dag)
        # From v-structures alone, the fourth rule has nothing to do (Meek).
        assert meek.close(pattern, meek.RULES[:3]) == graphs.essential_graph(dag)


@pytest.mark.slow
def test_rules_complete_knowledge_of_one_arc() -> None:
    # With the first three rules alone this fails: the fourth is needed.
    failed = 0
    for members in graphs.classes(4):
        essential = graphs.essential_graph(min(members, key=sorted))
        for a, b in essential - graphs.directed(essential):
            fitting = [dag for dag in members if (a, b) in dag]
            told = essential - {(b, a)}
            common = frozenset().union(*fitting)
            assert meek.close(told) == common
            failed += meek.close(told, meek.RULES[:3]) != common
    assert failed > 0


def test_rules_by_hand() -> None:
    edges = meek.both_ways
    assert set(meek.rule_1({(0, 1)} | edges([(1, 2)]))) == {(1, 2)}
    assert not set(meek.rule_1({(0, 1)} | edges([(1, 2), (0, 2)])))
    assert set(meek.rule_2({(0, 1), (1, 2)} | edges([(0, 2)]))) == {(0, 2)}
    kite = edges([(0, 1), (0, 2), (0, 3)]) | {(2, 1), (3, 1)}
    assert set(meek.rule_3(kite)) == {(0, 1)}
    assert not set(meek.rule_3(kite | edges([(2, 3)])))
    fourth = edges([(0, 1), (0, 2), (0, 3)]) | {(2, 3), (3, 1)}
    assert set(meek.rule_4(fourth)) == {(0, 1)}
    assert not set(meek.rule_4(fourth | edges([(1, 2)])))


def test_the_rest_is_directed_into_the_class() -> None:
    for members in graphs.classes(4):
        dag = min(members, key=sorted)
        triples = sorted(graphs.v_structures(dag))
        left, arcs = meek.direct_v_structures(graphs.skeleton(dag), triples)
        assert arcs == {arc for a, c, b in triples for arc in ((a, c), (b, c))}
        assert meek.ways_to_direct_the_rest(left, arcs) == members


def test_v_structures_in_conflict() -> None:
    skeleton = frozenset({(0, 1), (1, 2), (2, 3)})
    # 0 -> 1 <- 2 and 1 -> 2 <- 3 both want the edge between: the first has it.
    left, arcs = meek.direct_v_structures(skeleton, [(0, 1, 2), (1, 2, 3)])
    assert (left, arcs) == ({(2, 3)}, {(0, 1), (2, 1)})
    left, arcs = meek.direct_v_structures(skeleton, [(1, 2, 3), (0, 1, 2)])
    assert (left, arcs) == ({(0, 1)}, {(1, 2), (3, 2)})
    assert meek.ways_to_direct_the_rest(left, arcs) == {arcs | {(0, 1)}, arcs | {(1, 0)}}
    # Whatever rule is wanted: here none is possible.
    assert meek.direct_v_structures(skeleton, [(0, 1, 2)], lambda *_: False) == (skeleton, set())


def test_a_square_gets_as_few_v_structures_as_it_can() -> None:
    square = frozenset({(0, 1), (1, 2), (2, 3), (0, 3)})
    ways = meek.ways_to_direct_the_rest(square, frozenset())
    assert len(ways) == 12
    assert {len(graphs.v_structures(dag)) for dag in ways} == {1}
