"""Priors on structures in every search, against their definitions and brute force."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dagscape as ds
from agreement.test_exact import ALGORITHMS, PRUNING, SCORES, all_parents, in_numbers, known, tables
from dagscape import _core
from dagscape.scores import as_score, scorer
from oracles import equivalence, exact, graphs, priors
from seeds import in_part

PRIORS = {
    "uniform": ("uniform", priors.uniform),
    "fair": ("fair", priors.fair),
    "edges": (ds.EdgePrior(neighbors=1.0), priors.edges(1.0)),
    "few edges": (ds.EdgePrior(neighbors=0.05), priors.edges(0.05)),
}
CLASSES = ("bic", "aic", "bdeu", "bdeu 10", "qnml", "loglik")
MOST = 20


def some(examples):
    return settings(derandomize=True, deadline=None, max_examples=in_part(examples))


def with_prior(lists, log_prior):
    """Add the log weight of each parent set, as a network with that set alone has it."""
    n = len(lists)
    return {
        child: [
            (value + log_prior(frozenset((p, child) for p in parents), n), parents)
            for value, parents in entries
        ]
        for child, entries in lists.items()
    }


def close(value):
    return pytest.approx(value, rel=1e-12, abs=1e-6)


def wide(seed, n, rows=150, arity=2, idle=0):
    """A table in which variables follow earlier ones; the last few have one state."""
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, arity, (rows, n))
    for child in range(1, n):
        for parent in rng.choice(child, min(child, int(rng.integers(0, 3))), replace=False):
            copied = rng.random(rows) < 0.5
            codes[copied, child] = codes[copied, parent]
    states = {f"v{i:02}": [str(s) for s in range(arity)] for i in range(n)}
    for name in list(states)[n - idle :]:
        codes[:, list(states).index(name)] = 0
        states[name] = ["0"]
    return ds.Data.from_codes(codes, states)


# --- the priors themselves ----------------------------------------------------------------------


@pytest.mark.parametrize("prior", PRIORS)
def test_equivalent_networks_have_the_same_prior(prior):
    """All 29,281 networks of five variables, class by class."""
    chosen, log_prior = PRIORS[prior]
    weights = as_score("bic", chosen).prior.log_weights(5)
    for members in equivalence.members(5).values():
        values = [log_prior(dag, 5) for dag in members]
        own = [sum(weights[len(graphs.parents(dag, v))] for v in range(5)) for dag in members]
        assert own == pytest.approx(values, abs=1e-9)
        assert max(values) - min(values) < 1e-9


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("neighbors", [0.1, 1.0, 2.0, 3.5])
def test_the_expected_number_of_neighbors_is_that_over_all_networks(n, neighbors):
    log_prior = priors.edges(neighbors)
    weights = [(len(dag), math.exp(log_prior(dag, n))) for dag in graphs.all_dags(n)]
    arcs = sum(a * w for a, w in weights) / sum(w for _, w in weights)
    assert ds.EdgePrior(neighbors).expected_neighbors(n) == pytest.approx(2 * arcs / n, abs=1e-12)


# --- exact learning and parent sets -------------------------------------------------------------


@some(120)
@given(st.data())
def test_exact_learning_against_all_networks(draw):
    data = draw.draw(tables())
    score = draw.draw(st.sampled_from(sorted(SCORES)))
    prior, log_prior = PRIORS[draw.draw(st.sampled_from(sorted(PRIORS)))]
    n = data.n_variables
    knowledge = draw.draw(known(data)) if n > 1 and draw.draw(st.booleans()) else None
    free = knowledge is None or not knowledge.required
    max_parents = draw.draw(st.sampled_from([None, 1, 2])) if n > 2 and free else None
    restrictions = in_numbers(knowledge or ds.Knowledge(), data, max_parents)
    lists = with_prior(all_parents(data, score, restrictions), log_prior)
    best = exact.best_networks(lists)[0]
    for algorithm in ALGORITHMS:
        found = ds.exact(
            data,
            score=SCORES[score],
            prior=prior,
            max_parents=max_parents,
            knowledge=knowledge,
            prune=draw.draw(st.sampled_from(PRUNING)),
            threads=1,
            **algorithm,
        )
        assert found.optimal
        assert found.score == close(best)
        assert ds.score(data, found.dag, score=SCORES[score], prior=prior) == close(best)
        assert sum(found.score_parts.values()) == pytest.approx(found.score)
        arcs = {(data.names.index(a), data.names.index(b)) for a, b in found.dag.arcs}
        parts = found.score_parts
        assert parts["prior"] == pytest.approx(log_prior(frozenset(arcs), data.n_variables))


@some(120)
@given(st.data())
def test_the_best_set_among_any_allowed_parents_is_kept(draw):
    data = draw.draw(tables())
    score = draw.draw(st.sampled_from(sorted(SCORES)))
    prior, log_prior = PRIORS[draw.draw(st.sampled_from(sorted(PRIORS)))]
    lists = with_prior(all_parents(data, score), log_prior)
    found = ds.candidate_parents(
        data,
        score=SCORES[score],
        prior=prior,
        prune=draw.draw(st.sampled_from(PRUNING)),
        counting=draw.draw(st.sampled_from(["auto", "bitmaps", "rows"])),
    )
    assert found.exhaustive
    for child, name in enumerate(data.names):
        others = [v for v in range(data.n_variables) if v != child]
        for allowed in exact.subsets(others):
            best = max(value for value, parents in lists[child] if parents <= allowed)
            names = [data.names[v] for v in allowed]
            assert found.best(name, allowed=names)[0] == close(best)


@pytest.mark.parametrize("prior", PRIORS)
@pytest.mark.parametrize("score", ["bic", "bdeu", "k2"])
@pytest.mark.parametrize("idle", [0, 2])
def test_pruning_loses_nothing_on_many_parents(prior, score, idle):
    """Nine variables, so that "fair" rises beyond four parents; some tell nothing at all."""
    for seed in range(in_part(3)):
        data = wide(seed, 9, idle=idle)
        knowledge = ds.Knowledge(required=[("v00", "v03"), ("v01", "v03"), ("v02", "v03")])
        common = {"score": score, "prior": PRIORS[prior][0], "knowledge": knowledge}
        full = ds.candidate_parents(data, prune=False, **common)
        rng = np.random.default_rng(seed)
        subsets = [
            [name for name in data.names if rng.random() < 0.6] + ["v00", "v01", "v02"]
            for _ in range(40)
        ]
        for rules in (True, ("bound",), ("limit",), ("entropy",)):
            cut = ds.candidate_parents(data, prune=rules, **common)
            for name, chosen in itertools.product(data.names, subsets):
                allowed = sorted({x for x in chosen if x != name})
                assert cut.best(name, allowed=allowed)[0] == close(
                    full.best(name, allowed=allowed)[0]
                ), (rules, name)


# --- searches over classes, orders, arcs --------------------------------------------------------


@pytest.mark.parametrize("prior", PRIORS)
@pytest.mark.parametrize("score", CLASSES)
def test_searches_over_classes_end_where_no_neighbor_is_better(prior, score):
    chosen, log_prior = PRIORS[prior]
    neighbors = equivalence.within(4, None, lambda here: equivalence.inclusion_boundary(4, here))
    for seed in range(4):
        data = wide(seed, 4, rows=60, arity=3)
        lists = with_prior(all_parents(data, score), log_prior)
        total = equivalence.total_score(4, lists)
        common = {"score": SCORES[score], "prior": chosen}
        ends = [
            ds.ges(data, phases=1, **common),
            ds.kes(data, k=0.5, seed=seed, **common),
            ds.kes(data, k=1.0, **common),
        ]
        number = {name: i for i, name in enumerate(data.names)}
        for end in ends:
            free = {(number[a], number[b]) for a, b in end.cpdag.undirected}
            here = frozenset((number[a], number[b]) for a, b in end.cpdag.directed)
            here |= free | {(b, a) for a, b in free}
            assert end.score == close(total(here))
            assert max(total(c) for c in neighbors(here)) <= end.score + 1e-6
        landscape = ds.local_optima(data, runs=20, **common)
        assert landscape.best.score <= exact.best_networks(lists)[0] + 1e-6


@pytest.mark.parametrize("prior", PRIORS)
@pytest.mark.parametrize("score", ["bic", "bdeu", "qnml", "k2"])
def test_sets_with_one_more_variable_score_as_singly(prior, score):
    """Climbing, grown orders and searches over classes ask for these."""
    for idle in (0, 2):
        data = wide(3, 8, arity=3, idle=idle)
        on_data = scorer(data, as_score(score, PRIORS[prior][0]))
        extend = _core.ExtensionScores(on_data)
        for parents in ([], [1], [1, 4], [1, 4, 6]):
            others = [v for v in range(8) if v not in (0, *parents)]
            singly = [on_data.local(0, sorted([*parents, v])) for v in others]
            assert extend(0, parents, others) == pytest.approx(singly)


@pytest.mark.parametrize("prior", PRIORS)
@pytest.mark.parametrize("score", ["bic", "bdeu", "qnml", "k2"])
def test_climbing_ends_where_no_arc_gains(prior, score):
    common = {"score": score, "prior": PRIORS[prior][0]}
    for seed in range(4):
        data = wide(seed, 6, rows=80)
        found = ds.hill_climb(data, restarts=0, wander=False, **common)
        here = set(found.dag.arcs)
        assert found.score == close(ds.score(data, found.dag, **common))
        pairs = list(itertools.permutations(data.names, 2))
        changed = [here | {a} for a in pairs if a[::-1] not in here] + [here - {a} for a in here]
        changed += [(here - {a}) | {a[::-1]} for a in here]
        for arcs in changed:
            try:
                dag = ds.Dag(data.names, sorted(arcs))
            except ds.GraphError:
                continue
            assert ds.score(data, dag, **common) <= found.score + 1e-6


@pytest.mark.parametrize("prior", PRIORS)
@pytest.mark.parametrize("parent_sets", ["listed", "grown"])
def test_order_search_finds_the_optimum_of_few_variables(prior, parent_sets):
    for seed in range(3):
        data = wide(seed, 7)
        common = {"score": "bdeu", "prior": PRIORS[prior][0]}
        best = ds.exact(data, **common)
        found = ds.order_search(data, parent_sets=parent_sets, seed=seed, **common)
        assert found.score == close(ds.score(data, found.dag, **common))
        assert found.score <= best.score + 1e-6
        if parent_sets == "listed":
            assert found.score == close(best.score)


@pytest.mark.parametrize("prior", PRIORS)
@pytest.mark.parametrize("score", ["bic", "bdeu"])
@pytest.mark.parametrize("idle", [0, 2])
def test_networks_of_local_learning_against_all(prior, score, idle):
    """With shortcuts and without, beside a small base and a large one."""
    for seed in range(6):
        data = wide(seed, 7, rows=100, idle=idle)
        on_data = scorer(data, as_score(score, PRIORS[prior][0]))
        chosen = sorted(np.random.default_rng(seed).permutation(7)[:4].tolist())

        def total(arcs, on_data=on_data, chosen=chosen):
            return sum(on_data.local(x, [a for a, b in arcs if b == x]) for x in chosen)

        best = max(total({(chosen[a], chosen[b]) for a, b in dag}) for dag in graphs.all_dags(4))
        for shortcuts in (True, False):
            arcs = _core.optimal_network(on_data, chosen, MOST, 3, shortcuts=shortcuts)
            assert total(arcs) == close(best)


@pytest.mark.parametrize("n", [9, 13])
@pytest.mark.parametrize("prior", PRIORS)
@pytest.mark.parametrize("score", ["bic", "bdeu"])
def test_larger_networks_of_local_learning_against_exact_learning(n, prior, score):
    data = wide(n, n, rows=300)
    kind = as_score(score, PRIORS[prior][0])
    on_data = scorer(data, kind)
    arcs = _core.optimal_network(on_data, list(range(n)), MOST, 3)
    own = sum(on_data.local(x, [a for a, b in arcs if b == x]) for x in range(n))
    assert own == close(ds.exact(data, score=kind, max_parents=3).score)
