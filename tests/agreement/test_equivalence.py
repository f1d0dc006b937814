"""Search over equivalence classes against brute force over all classes of few variables.

The engine's numbers are the columns', since the names ascend.
"""

import functools
import itertools
import math
import random
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dagscape as ds
from dagscape import _core
from dagscape.scores import scorer
from oracles import equivalence as oracle
from oracles import exact, graphs

SCORES = {
    "bic": ds.BIC(),
    "aic": ds.AIC(),
    "bdeu": ds.BDeu(ess=1.0),
    "bdeu 10": ds.BDeu(ess=10.0),
    "qnml": ds.QNML(),
    "loglik": ds.LogLikelihood(),
}
NO_LIMIT = 1000


# --- tables and graphs --------------------------------------------------------------------------


def table(codes, arities):
    states = {f"v{v:03}": [str(s) for s in range(r)] for v, r in enumerate(arities)}
    return ds.Data.from_codes(np.asarray(codes), states)


def mixed(seed, n, rows=None):
    """Columns that follow or repeat others, constant ones, unseen states, up to five states."""
    rng = np.random.default_rng(seed)
    arities = rng.integers(1, 6, n)
    rows = rows or int(rng.integers(2, 80))
    codes = np.stack([rng.integers(0, r, rows) for r in arities], axis=1)
    for child in range(1, n):
        parent, share = int(rng.integers(0, child)), rng.choice([0.0, 0.3, 0.6, 0.9, 1.0])
        if share == 1.0:
            arities[child] = arities[parent]
        copied = rng.random(rows) < share
        codes[copied, child] = codes[copied, parent] % arities[child]
    return table(codes, arities.tolist())


def symmetric(seed, n=4):
    """Every order of the columns in turn, so that classes tie."""
    base = np.random.default_rng(seed).integers(0, 2, (3, n))
    orders = itertools.permutations(range(n))
    return table(np.concatenate([base[:, list(order)] for order in orders]), [2] * n)


def sparse(seed, n, rows=300, arity=3):
    """A sample of a network in which each variable has up to three parents among the earlier."""
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, arity, (rows, n))
    for child in range(1, n):
        for parent in rng.choice(child, min(child, int(rng.integers(0, 4))), replace=False):
            copied = rng.random(rows) < 0.4
            codes[copied, child] = codes[copied, parent]
    return table(codes, [arity] * n)


def pdag(n, here):
    return _core.Pdag(n, sorted(graphs.directed(here)), sorted(graphs.undirected(here)))


def as_class(graph):
    free = frozenset(graph.undirected)
    return frozenset(graph.directed) | free | {(b, a) for a, b in free}


def total_of(data, score):
    name, _, ess = score.partition(" ")
    arities = list(data.arities.values())
    lists = exact.all_parents(data.codes.tolist(), arities, name, float(ess or 1))
    return oracle.total_score(len(arities), lists)


def boundary(n, max_parents=None):
    return oracle.within(n, max_parents, lambda here: oracle.inclusion_boundary(n, here))


@functools.cache
def some_classes(n):
    """All of four variables, a thousand of five."""
    every = sorted(oracle.members(n), key=sorted)
    return every if n < 5 else random.Random(5).sample(every, 1000)


def kes(on_data, seed=0, run=0, *, k=0.8, **options):
    found, stopped = _core.kes(on_data, _core.KesOptions(k, **options), seed, run)
    assert stopped == ""
    return found


def ges(on_data, *, two_phases, turning=False, max_parents=NO_LIMIT):
    found, stopped = _core.ges(on_data, two_phases, turning, max_parents)
    assert stopped == ""
    return found


def random_dag(rng, n, density):
    order = rng.permutation(n).tolist()
    pairs = itertools.combinations(order, 2)
    return frozenset(pair for pair in pairs if rng.random() < density)


# --- the oracle itself --------------------------------------------------------------------------


def test_there_are_8782_classes_of_five_variables():
    assert [len(oracle.members(n)) for n in range(1, 6)] == [1, 2, 11, 185, 8782]


def test_labelling_finds_the_essential_graph():
    for n in (3, 4, 5):
        for here in some_classes(n):
            for dag in oracle.members(n)[here][:3]:
                assert oracle.essential_by_labelling(n, dag) == here


def test_equivalent_networks_have_the_same_most_parents():
    """So a limit of parents is about classes."""
    for n in (4, 5):
        for here in some_classes(n):
            assert len({oracle.most_parents(dag) for dag in oracle.members(n)[here]}) == 1


def test_the_chances_of_the_next_class_add_up():
    data = mixed(3, 4)
    total, neighbours = total_of(data, "bic"), boundary(4)
    for here in some_classes(4)[::20]:
        for k in map(Fraction, ("0", "0.3", "0.8", "1")):
            chances = oracle.next_classes(here, total, neighbours, k)
            assert not chances or sum(chance for _, chance in chances) == 1


# --- the inclusion boundary ---------------------------------------------------------------------


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("score", SCORES)
def test_neighbouring_classes_and_their_gains(n, score):
    place = list(SCORES).index(score)
    tables = [mixed(10 * n + place, n)] + ([mixed(place, n), symmetric(place)] if n == 4 else [])
    for data in tables:
        on_data, total = scorer(data, SCORES[score]), total_of(data, score)
        for here in some_classes(n):
            found = _core.inclusion_boundary(on_data, pdag(n, here))
            gains = {as_class(graph): gain for gain, graph in found}
            assert len(gains) == len(found)  # each once
            assert gains.keys() == oracle.inclusion_boundary(n, here)
            for there, gain in gains.items():
                assert gain == pytest.approx(total(there) - total(here), abs=1e-9)


@settings(max_examples=60)
@given(seed=st.integers(0, 10**6), n=st.integers(6, 8))
def test_neighbouring_classes_of_more_variables(seed, n):
    """Trees and sparse networks, so that paths are long and components large."""
    rng = np.random.default_rng(seed)
    dag = random_dag(rng, n, rng.choice([0.15, 0.25, 0.35]))
    if len(oracle.members_by_turning(dag)) > 40:
        return
    on_data = scorer(mixed(seed, n, rows=40), "bic")
    here = oracle.essential_by_labelling(n, dag)
    found = [as_class(graph) for _, graph in _core.inclusion_boundary(on_data, pdag(n, here))]
    assert len(set(found)) == len(found)
    assert set(found) == oracle.boundary_by_turning(n, dag)


@pytest.mark.parametrize("n", [2, 3, 4, 5])
def test_which_steps_lead_to_the_same_class(n):
    """What boundary.hpp says: two ends of an edge in no v-structure, or of an undirected one."""
    twice = 0
    for here in some_classes(n):
        inserts, deletes = oracle.insertions(n, here), oracle.deletions(n, here)
        assert set(inserts.values()) == oracle.larger(n, here)
        assert set(deletes.values()) == oracle.smaller(n, here)
        for steps, agree in ((inserts, inserts_agree), (deletes, deletes_agree)):
            expected = {
                frozenset([(x, y, turned), other])
                for x, y, turned in steps
                for other in agree(here, x, y, turned)
                if other in steps
            }
            by_class = {}
            for step, there in steps.items():
                by_class.setdefault(there, []).append(step)
            same = {
                frozenset(pair)
                for group in by_class.values()
                for pair in itertools.combinations(group, 2)
            }
            assert same == expected
            twice += len(same)
    assert twice


def inserts_agree(here, x, y, turned):
    arcs = graphs.directed(here)
    alone = graphs.parents(arcs, y) <= oracle.adjacent(here, x) and graphs.parents(
        arcs, x
    ) <= oracle.adjacent(here, y)
    return [(y, x, turned)] if alone and not turned else []


def deletes_agree(here, x, y, turned):
    return [(y, x, turned)] if (x, y) in here and (y, x) in here else []


@pytest.mark.parametrize("score", SCORES)
@pytest.mark.parametrize("max_parents", [0, 1, 2, 3, None])
def test_better_classes_within_a_limit_of_parents(score, max_parents):
    """From a class, one step: how many are better, and the best of them."""
    n = 4
    data = mixed(100 + list(SCORES).index(score), n, rows=60)
    on_data, total = scorer(data, SCORES[score]), total_of(data, score)
    neighbours = boundary(n, max_parents)
    limit = NO_LIMIT if max_parents is None else max_parents
    for here in some_classes(n):
        if max_parents is not None and oracle.most_parents(oracle.members(n)[here][0]) > limit:
            continue
        found = kes(on_data, k=1.0, start=pdag(n, here), max_steps=1, max_parents=limit)
        better = oracle.better(here, total, neighbours)
        assert found.classes == len(better)
        assert as_class(found.graph) in (oracle.ties(better, total)[-1] if better else [here])
        assert found.done == (not better)
        assert found.steps == bool(better)


# --- what is kept between steps -----------------------------------------------------------------


def check_kept(on_data, n, seed, **options):
    """Step by step: what was kept is what would be made anew, and each graph is essential."""
    before, steps = None, 0
    while True:
        kept = kes(on_data, seed, max_steps=steps, neighbourhood="exact", **options)
        anew = kes(
            on_data, seed, max_steps=steps, neighbourhood="exact", from_scratch=True, **options
        )
        assert kept.graph == anew.graph
        assert (kept.classes, kept.steps, kept.done) == (anew.classes, anew.steps, anew.done)
        check_class(on_data, n, kept)
        if before is not None and kept.steps > before.steps:
            old, new = (graphs.skeleton(as_class(found.graph)) for found in (before, kept))
            assert len(old ^ new) == 1
            assert kept.score > before.score
        if kept.done:
            return kept
        before, steps = kept, steps + 1


def check_class(on_data, n, found):
    """Graph, network and score belong together."""
    dag = frozenset(found.dag.arcs)
    assert oracle.essential_by_labelling(n, dag) == as_class(found.graph)
    score = math.fsum(on_data.local(v, sorted(graphs.parents(dag, v))) for v in range(n))
    assert found.score == pytest.approx(score, abs=1e-7)


@pytest.mark.parametrize("score", SCORES)
def test_kept_steps_of_few_variables(score):
    for seed in range(12):
        n = 3 + seed % 5
        on_data = scorer(mixed(seed, n, rows=100), SCORES[score])
        check_kept(on_data, n, seed, k=(0.0, 0.3, 0.8)[seed % 3])


@settings(max_examples=1500)
@given(
    seed=st.integers(0, 10**6),
    n=st.integers(3, 9),
    score=st.sampled_from(list(SCORES)),
    k=st.sampled_from([0.0, 0.3, 0.8, 1.0]),
    density=st.sampled_from([0.0, 0.3, 0.6]),
    max_parents=st.sampled_from([2, 3, NO_LIMIT]),
    ties=st.booleans(),
)
def test_kept_steps_of_any_table(seed, n, score, k, density, max_parents, ties):
    """Whole runs: a step that was wrongly kept or lost would change the draws that follow."""
    data = symmetric(seed, min(n, 5)) if ties else mixed(seed, n)
    n = len(data.names)
    dag = random_dag(np.random.default_rng(seed), n, density)
    start = pdag(n, oracle.essential_by_labelling(n, dag))
    options = {"k": k, "max_parents": max_parents, "start": start, "max_steps": 50}
    on_data = scorer(data, SCORES[score])
    kept = kes(on_data, seed, **options)
    anew = kes(on_data, seed, from_scratch=True, **options)
    assert kept.graph == anew.graph
    assert (kept.classes, kept.steps, kept.done) == (anew.classes, anew.steps, anew.done)
    check_class(on_data, n, kept)


@pytest.mark.parametrize("score", ["bic", "aic", "bdeu 10"])
def test_kept_steps_from_any_class(score):
    """Dense starts remove, sparse ones add."""
    rng = np.random.default_rng(7)
    for seed in range(24):
        n = 5 + seed % 4
        on_data = scorer(mixed(200 + seed, n, rows=150), SCORES[score])
        dag = random_dag(rng, n, (0.3, 0.6, 0.9)[seed % 3])
        start = pdag(n, oracle.essential_by_labelling(n, dag))
        check_kept(on_data, n, seed, k=(0.0, 0.5)[seed % 2], start=start)


@pytest.mark.parametrize("score", SCORES)
def test_gains_at_once_and_one_by_one(score):
    """A table with weights, all of them 1, has its steps scored one by one, to the same runs."""
    for seed in range(8):
        data = sparse(seed, 12, rows=100)
        columns = list(np.asarray(data.codes, np.uint8).T.copy())
        weighted = _core.Table(columns, [3] * 12, np.ones(100, np.uint32))
        at_once = scorer(data, SCORES[score])
        one_by_one = _core.Scorer(SCORES[score].function(weighted), 1 << 24)
        for search in (
            functools.partial(kes, seed=seed, k=0.5, max_parents=3),
            functools.partial(ges, two_phases=True, max_parents=3),
        ):
            found, expected = search(at_once), search(one_by_one)
            assert found.graph == expected.graph
            assert (found.steps, found.classes) == (expected.steps, expected.classes)
        assert _core.set_extension(at_once, [0]) is not None
        assert _core.set_extension(one_by_one, [0]) is None


@pytest.mark.parametrize(("n", "score"), [(20, "aic"), (35, "bdeu"), (60, "bic")])
def test_kept_steps_of_many_variables(n, score):
    on_data = scorer(sparse(n, n), SCORES[score])
    found = check_kept(on_data, n, 1, k=0.3, max_parents=4)
    assert found.steps > n / 2
    assert oracle.most_parents(frozenset(found.dag.arcs)) <= 4


@pytest.mark.parametrize(("n", "seeds"), [(70, 3), (140, 1)])
def test_kept_steps_of_more_variables_than_a_word_has(n, seeds):
    on_data = scorer(sparse(n, n, rows=150), SCORES["bic"])
    for seed in range(seeds):
        kept = kes(on_data, seed, k=0.5)
        anew = kes(on_data, seed, k=0.5, from_scratch=True)
        assert kept.graph == anew.graph
        assert kept.classes == anew.classes
        assert kept.done
        check_class(on_data, n, kept)
        assert kes(on_data, seed, k=0.5, start=kept.graph).steps == 0


@pytest.mark.parametrize(
    ("before", "after"), [(0, 40), (30, 0), (30, 40), (0, 100), (100, 0), (100, 40), (500, 0)]
)
def test_constants_change_nothing_but_the_width_of_sets(before, after):
    """They are in no better class, so the same numbers are drawn for the same classes."""
    plain = sparse(1, 30, rows=200)
    n = before + 30 + after
    codes = np.zeros((200, n), dtype=int)
    codes[:, before : before + 30] = plain.codes
    arities = [1] * before + [3] * 30 + [1] * after
    narrow, wide = scorer(plain, "bic"), scorer(table(codes, arities), "bic")
    searches = [functools.partial(kes, k=0.4), functools.partial(ges, two_phases=True)]
    if n < 200:
        searches.append(functools.partial(ges, two_phases=True, turning=True))
    for search in searches:
        one, other = search(narrow), search(wide)
        assert as_class(other.graph) == {(a + before, b + before) for a, b in as_class(one.graph)}
        assert (one.steps, one.classes) == (other.steps, other.classes)
        assert one.score == pytest.approx(other.score, abs=1e-7)
        check_class(wide, n, other)
    sampled = kes(wide, k=0.0, neighbourhood="sampled", max_steps=5)
    assert sampled.steps == 5
    check_class(wide, n, sampled)


# --- what is drawn ------------------------------------------------------------------------------


def statistic(counts, chances, runs):
    """Pearson's, and how far it may be from nothing: five standard deviations above its mean."""
    rare = [outcome for outcome in chances if runs * chances[outcome] < 5]
    cells = {outcome: [outcome] for outcome in chances if outcome not in rare}
    if rare:
        cells["rare"] = rare
    value = 0.0
    for outcomes in cells.values():
        expected = float(runs * sum(chances[outcome] for outcome in outcomes))
        seen = sum(counts[outcome] for outcome in outcomes)
        value += (seen - expected) ** 2 / expected
    freedom = max(len(cells) - 1, 1)
    return value, freedom + 5 * math.sqrt(2 * freedom)


def next_counts(on_data, n, here, k, runs, seed):
    """Which class comes next: half by runs of one seed, half by seeds."""
    options = _core.KesOptions(k, max_steps=1, start=pdag(n, here))
    half = runs // 2
    found, _ = _core.kes_runs(on_data, options, seed, 0, half, 1)
    classes = [as_class(run.graph) for _, run in found]
    seeds = range(seed + 1, seed + 1 + runs - half)
    return Counter(
        classes + [as_class(_core.kes(on_data, options, number)[0].graph) for number in seeds]
    )


def grouped(counts, chances):
    """Counts of the groups of classes that tie."""
    return {group: sum(counts[there] for there in group) for group, _ in chances}


@pytest.mark.parametrize("k", ["0", "0.3", "0.8"])
@pytest.mark.parametrize("score", ["bic", "loglik", "bdeu 10"])
def test_the_next_class_has_its_exact_chances(k, score):
    n, runs = 4, 1000
    data = mixed(41, n, rows=60)
    on_data, total, neighbours = scorer(data, SCORES[score]), total_of(data, score), boundary(n)
    starts = sorted(some_classes(n), key=lambda here: -len(oracle.better(here, total, neighbours)))
    for here in [oracle.EMPTY, starts[0], starts[5]]:
        chances = oracle.next_classes(here, total, neighbours, Fraction(k))
        assert len(chances) > 1
        counts = next_counts(on_data, n, here, float(k), runs, seed=11)
        seen = grouped(counts, chances)
        assert sum(seen.values()) == runs  # nothing else is ever next
        assert all(seen[group] == 0 for group, chance in chances if chance == 0)
        value, most = statistic(seen, {g: p for g, p in chances if p}, runs)
        assert value < most


def test_the_draw_is_from_classes_not_from_steps():
    """On the empty graph X → Y and Y → X are one; elsewhere some classes have two steps."""
    n, runs = 4, 3000
    data = mixed(41, n, rows=60)
    on_data, total, neighbours = (
        scorer(data, SCORES["loglik"]),
        total_of(data, "loglik"),
        boundary(n),
    )

    def steps_to_better(here):
        steps = {**oracle.insertions(n, here), **oracle.deletions(n, here)}
        better = set(oracle.better(here, total, neighbours))
        return Counter(there for there in steps.values() if there in better)

    def mixture(here):
        ways = Counter(steps_to_better(here).values())
        return min(ways[1], ways[2])

    here = max(some_classes(n), key=mixture)
    steps = steps_to_better(here)
    assert set(steps.values()) == {1, 2}
    counts = next_counts(on_data, n, here, 0.0, runs, seed=5)
    value, most = statistic(counts, dict.fromkeys(steps, Fraction(1, len(steps))), runs)
    assert value < most
    by_steps = {there: Fraction(ways, steps.total()) for there, ways in steps.items()}
    value, most = statistic(counts, by_steps, runs)
    assert value > most


@pytest.mark.parametrize("score", ["bic", "aic", "bdeu 10"])
def test_whole_runs_end_where_runs_by_the_book_end(score):
    """In an optimum by definition; in each as often as they do."""
    n, runs = 4, 600
    data = mixed(77, n, rows=80)
    on_data, total, neighbours = scorer(data, SCORES[score]), total_of(data, score), boundary(n)
    for k in ("0", "0.3", "0.8"):
        found, _ = _core.kes_runs(on_data, _core.KesOptions(float(k)), 3, 0, runs, 1)
        ends = Counter(as_class(run.graph) for _, run in found)
        assert all(run.done for _, run in found)
        assert not any(oracle.better(here, total, neighbours) for here in ends)
        rng = random.Random(3)
        book = Counter(
            oracle.kes_by_the_book(total, neighbours, Fraction(k), rng) for _ in range(runs)
        )
        groups = oracle.ties(set(ends) | set(book), total)
        for group in groups:
            one, other = (sum(counts[here] for here in group) for counts in (ends, book))
            assert abs(one - other) < 5 * math.sqrt(one + other + 1)


@pytest.mark.parametrize("neighbourhood", ["auto", "exact", "sampled"])
def test_a_start_must_be_a_class_of_the_variables(neighbourhood):
    on_data = scorer(mixed(1, 4), "bic")
    square = [(0, 1), (1, 2), (2, 3), (0, 3)]  # no network without a v-structure has this skeleton
    starts = [_core.Pdag(3, [], []), _core.Pdag(4, [], square), _core.Pdag(4, [(0, 1)], [])]
    for start in starts:
        with pytest.raises(ds.ParameterError, match="class"):
            kes(on_data, neighbourhood=neighbourhood, start=start)


def test_five_variables_end_in_optima():
    n = 5
    for seed, score in enumerate(SCORES):
        data = mixed(300 + seed, n, rows=100)
        on_data, total = scorer(data, SCORES[score]), total_of(data, score)
        for max_parents in (1, 2, None):
            limit = NO_LIMIT if max_parents is None else max_parents
            options = _core.KesOptions(0.4, max_parents=limit)
            found, _ = _core.kes_runs(on_data, options, seed, 0, 25, 1)
            for _, run in found:
                here = as_class(run.graph)
                assert not oracle.better(here, total, boundary(n, max_parents))
                assert run.score == pytest.approx(total(here), abs=1e-9)


def test_runs_are_the_same_for_any_number_of_threads_and_any_cut():
    on_data = scorer(sparse(4, 25), "bic")
    options = _core.KesOptions(0.5)
    one, _ = _core.kes_runs(on_data, options, 9, 0, 24, 1)
    two, _ = _core.kes_runs(on_data, options, 9, 0, 24, 2)
    late, _ = _core.kes_runs(on_data, options, 9, 10, 14, 2)
    assert [(i, run.graph) for i, run in one] == [(i, run.graph) for i, run in two]
    assert [(i, run.graph) for i, run in one[10:]] == [(i, run.graph) for i, run in late]
    assert len({str(as_class(run.graph)) for _, run in one}) > 3
    assert kes(on_data, 9, 7, k=0.5).graph == one[7][1].graph


# --- GES ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("score", SCORES)
@pytest.mark.parametrize("n", [4, 5])
def test_ges_ends_where_brute_force_ends(score, n):
    for seed in range(12 if n == 4 else 4):
        data = symmetric(seed) if n == 4 and seed % 3 == 2 else mixed(1000 + seed, n, rows=60)
        on_data, total = scorer(data, SCORES[score]), total_of(data, score)
        for two_phases, turning in itertools.product((True, False), repeat=2):
            for max_parents in (None, 1, 2):
                found = ges(
                    on_data,
                    two_phases=two_phases,
                    turning=turning,
                    max_parents=NO_LIMIT if max_parents is None else max_parents,
                )
                here = as_class(found.graph)
                assert here in oracle.ges_ends(
                    n, total, two_phases=two_phases, turning=turning, max_parents=max_parents
                )
                assert found.score == pytest.approx(total(here), abs=1e-9)


@pytest.mark.parametrize("n", [4, 5])
def test_turning_reaches_all_that_a_turned_arc_can_reach(n):
    """The classes by way of one arc less are these, and more."""
    more = 0
    for here in some_classes(n)[:: 1 if n == 4 else 10]:
        assert oracle.turned(n, here) <= oracle.moved(n, here)
        more += len(oracle.moved(n, here)) - len(oracle.turned(n, here))
    assert more


def test_turning_never_ends_lower():
    higher = 0
    for seed in range(25):
        n = 8
        on_data = scorer(sparse(seed, n, rows=60, arity=2), "aic")
        for two_phases in (True, False):
            without = ges(on_data, two_phases=two_phases)
            turned = ges(on_data, two_phases=two_phases, turning=True)
            assert turned.score > without.score - 1e-9
            higher += turned.score > without.score + 1e-9
            check_class(on_data, n, turned)
    assert higher


def test_all_drawn_is_greedy_in_one_phase():
    for seed in range(40):
        data = (mixed(seed, 7, rows=120), sparse(seed, 12), symmetric(seed, 5))[seed % 3]
        for score in ("bic", "aic", "bdeu"):
            on_data = scorer(data, SCORES[score])
            greedy, drawn = ges(on_data, two_phases=False), kes(on_data, seed, k=1.0)
            assert greedy.graph == drawn.graph
            assert greedy.steps == drawn.steps


def test_ties_go_to_the_first_step():
    """By y, then x: of copies of a column the first two are joined, then the third to the first."""
    column = np.random.default_rng(0).integers(0, 2, 50)
    on_data = scorer(table(np.stack([column] * 4, axis=1), [2] * 4), "bic")
    ways = [[(0, 1)], [(0, 1), (0, 2)], [(0, 1), (0, 2), (0, 3)]]
    for steps, edges in enumerate(ways, start=1):
        for seed in range(5):
            assert kes(on_data, seed, k=1.0, max_steps=steps).graph.undirected == edges
    assert ges(on_data, two_phases=True).graph.undirected == ways[-1]


# --- the sampled neighbourhood ------------------------------------------------------------------


@pytest.mark.parametrize("adds", [True, False])
def test_every_better_class_is_drawn_sometime(adds):
    """A likelihood gains by every arc, a price above all gains loses by every one."""
    n = 4
    codes = np.random.default_rng(8).integers(0, 2, (60, n))
    data = table(codes, [2] * n) if adds else table(codes, [5] * n)
    score = "loglik" if adds else "bic"
    on_data, total, neighbours = scorer(data, SCORES[score]), total_of(data, score), boundary(n)
    reached = oracle.larger if adds else oracle.smaller
    for here in some_classes(n)[::4]:
        better = oracle.better(here, total, neighbours)
        assert set(better) == reached(n, here)
        options = _core.KesOptions(0.0, neighbourhood="sampled", max_steps=1, start=pdag(n, here))
        seen = set()
        for block in range(40):
            runs, _ = _core.kes_runs(on_data, options, 1, 50 * block, 50, 1)
            seen |= {as_class(run.graph) for _, run in runs if run.steps}
            if len(seen) == len(better):
                break
        assert seen == set(better)


@pytest.mark.parametrize("k", [0.0, 0.4, 1.0])
def test_sampled_runs_end_in_optima(k):
    """On few variables so many draws in vain leave nothing out."""
    n = 5
    for seed, score in enumerate(SCORES):
        data = mixed(500 + seed, n, rows=100)
        on_data, total = scorer(data, SCORES[score]), total_of(data, score)
        for max_parents in (1, None):
            limit = NO_LIMIT if max_parents is None else max_parents
            options = _core.KesOptions(k, neighbourhood="sampled", max_parents=limit)
            found, _ = _core.kes_runs(on_data, options, seed, 0, 10, 1)
            for _, run in found:
                assert run.sampled
                assert run.done
                here = as_class(run.graph)
                assert not oracle.better(here, total, boundary(n, max_parents))
                assert run.score == pytest.approx(total(here), abs=1e-9)


def test_sampling_all_is_greedy():
    """With k = 1 it draws 20 n(n - 1) times, enough to see the best class in each step."""
    for seed in range(10):
        data = mixed(700 + seed, 4, rows=80)
        total = total_of(data, "bic")
        found = kes(scorer(data, "bic"), seed, k=1.0, neighbourhood="sampled")
        assert as_class(found.graph) in oracle.ges_ends(4, total, two_phases=False)


def clique(n):
    return _core.Pdag(n, [], list(itertools.combinations(range(n), 2)))


def test_a_clique_too_large_to_list_is_sampled():
    """Adding x → y with y in a clique of 14 has 2^13 sets T; of 13, 2^12, which are listed."""
    n = 16
    rng = np.random.default_rng(2)
    on_data = scorer(table(rng.integers(0, 2, (100, n)), [2] * n), "bic")
    for size, sampled in ((14, True), (13, False)):
        start = _core.Pdag(n, [], list(itertools.combinations(range(size), 2)))
        found = kes(on_data, 1, k=0.5, start=start, max_steps=1)
        assert found.sampled is sampled
        assert found.steps == 1
        check_class(on_data, n, found)
    found = kes(on_data, 1, k=0.5, start=clique(n))
    assert found.sampled
    assert found.done
    check_class(on_data, n, found)
    assert kes(on_data, start=found.graph, neighbourhood="exact").steps == 0


def test_the_way_to_a_large_clique_is_sampled_from_there_on():
    """A likelihood joins everything, unless parents are limited."""
    n = 16
    rng = np.random.default_rng(3)
    on_data = scorer(table(rng.integers(0, 2, (4000, n)), [2] * n), "loglik")
    found = kes(on_data, 1, k=0.0)
    assert found.sampled
    assert found.done
    assert found.graph == clique(n)
    for limits in ({"max_steps": 60}, {"max_parents": 3}):
        listed = kes(on_data, 1, k=0.0, **limits)
        assert not listed.sampled
        check_class(on_data, n, listed)
