"""Networks near the optimum against a listing of all DAGs."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import dagscape as ds
from agreement.test_exact import SCORES, all_parents, in_numbers, known, some, tables
from agreement.test_priors import PRIORS, wide, with_prior
from dagscape import _core
from dagscape.parents import network_of
from dagscape.parents.constraints import constrain
from dagscape.scores import as_score, scorer
from oracles import equivalence, exact, graphs
from seeds import for_each

APART = ("k2", "fnml")  # scores that tell equivalent networks apart
DISTANCES = (0.0, 0.7, 3.0, 8.5)
NEAR = 1e-6


def networks(lists, within):
    """All DAGs at most so far below the best, each with how far."""
    best, dags = exact.best_networks(lists, within + NEAR)
    value = {child: {p: s for s, p in entries} for child, entries in lists.items()}
    return best, {dag: best - sum(value[v][graphs.parents(dag, v)] for v in lists) for dag in dags}


def arcs_of(dag, data):
    number = {name: i for i, name in enumerate(data.names)}
    return frozenset((number[a], number[b]) for a, b in dag.arcs)


def check_networks(near, lists, data):
    """Each network within the distance once, with its difference, best first."""
    best, expected = networks(lists, near.within)
    assert near.complete, near
    assert near.stopped is None
    assert not near.classes
    assert near.optimum == pytest.approx(best, abs=NEAR)
    listed = {arcs_of(one.dag, data): one for one in near}
    assert len(listed) == len(near)
    must = {dag for dag, less in expected.items() if less <= near.within - NEAR}
    assert must <= set(listed) <= set(expected)
    for dag, one in listed.items():
        assert one.difference == pytest.approx(expected[dag], abs=NEAR)
        assert one.score == pytest.approx(best - expected[dag], abs=NEAR)
        assert one.members == 1
    check_order(near)


def check_classes(near, lists, data):
    """Each class within the distance once, with its difference and members, best first."""
    best, expected = networks(lists, near.within)
    assert near.complete, near
    assert near.stopped is None
    assert near.classes
    assert near.optimum == pytest.approx(best, abs=NEAR)
    n = len(data.names)
    class_of, members = equivalence.class_of(n), equivalence.members(n)
    differences = {class_of[dag]: less for dag, less in expected.items()}
    listed = {class_of[arcs_of(one.dag, data)]: one for one in near}
    assert len(listed) == len(near)
    must = {key for key, less in differences.items() if less <= near.within - NEAR}
    assert must <= set(listed) <= set(differences)
    for key, one in listed.items():
        assert one.difference == pytest.approx(differences[key], abs=NEAR)
        assert one.score == pytest.approx(best - differences[key], abs=NEAR)
        assert one.members == len(members[key])
        assert one.cpdag == one.dag.to_cpdag()
    check_order(near)


def check_order(near):
    assert near[0].difference == 0
    assert np.all(np.diff(near.differences) > -2e-9)
    assert near.differences[-1] <= near.within + 2e-7


@pytest.mark.parametrize("score", SCORES)
@given(data=tables(), within=st.sampled_from(DISTANCES), drawn=st.data())
@some(25)
def test_everything_near_the_optimum_is_listed_once(score, data, within, drawn):
    most = drawn.draw(st.sampled_from([None, 0, 1, 2]))
    threads = drawn.draw(st.sampled_from([1, 2]))
    if most is not None:
        most = min(most, data.n_variables - 1)
    lists = all_parents(data, score, exact.Known(max_parents=most))
    near = ds.near_optimal(
        data, within=within, score=SCORES[score], max_parents=most, threads=threads
    )
    check = check_networks if score in APART else check_classes
    check(near, lists, data)


@pytest.mark.parametrize("prior", PRIORS)
@given(data=tables(), within=st.sampled_from(DISTANCES), drawn=st.data())
@some(25)
def test_priors_count(prior, data, within, drawn):
    score = drawn.draw(st.sampled_from(sorted(SCORES)))
    chosen, log_prior = PRIORS[prior]
    if prior == "edges" and data.n_variables == 1:
        chosen, log_prior = PRIORS["uniform"]
    lists = with_prior(all_parents(data, score), log_prior)
    near = ds.near_optimal(data, within=within, score=SCORES[score], prior=chosen)
    check = check_networks if score in APART else check_classes
    check(near, lists, data)


@given(data=tables(variables=(2, 4)), within=st.sampled_from(DISTANCES), drawn=st.data())
@some(50)
def test_knowledge_is_obeyed_and_gives_networks(data, within, drawn):
    score = drawn.draw(st.sampled_from(sorted(SCORES)))
    knowledge = drawn.draw(known(data))
    lists = all_parents(data, score, in_numbers(knowledge, data, None))
    near = ds.near_optimal(data, within=within, score=SCORES[score], knowledge=knowledge)
    if knowledge.empty and score not in APART:
        check_classes(near, lists, data)
    else:
        check_networks(near, lists, data)
        if not knowledge.empty:
            assert near.scope.knowledge == knowledge


@pytest.mark.parametrize("score", ["bic", "bdeu", "qnml", "k2"])
@pytest.mark.parametrize(
    "seed", [*range(3), *(pytest.param(seed, marks=pytest.mark.long) for seed in range(3, 6))]
)
def test_five_variables(score, seed):
    """Enough of them for components, chains and cliques; one variable may have a single state."""
    data = wide(seed, 5, rows=60 + 40 * seed, arity=2 + seed % 2, idle=seed % 3 == 2)
    near = ds.near_optimal(data, within=2.5, score=SCORES[score], max_parents=2 + seed % 3)
    lists = all_parents(data, score, exact.Known(max_parents=2 + seed % 3))
    check = check_networks if score in APART else check_classes
    check(near, lists, data)


@given(data=tables(variables=(3, 4)), drawn=st.data())
@some(25)
def test_a_limit_leaves_the_best(data, drawn):
    score = drawn.draw(st.sampled_from(["bic", "bdeu", "k2"]))
    everything = ds.near_optimal(data, within=8.5, score=SCORES[score])
    limit = drawn.draw(st.integers(1, max(1, len(everything) - 1)))
    few = ds.near_optimal(data, within=8.5, score=SCORES[score], limit=limit)
    if len(everything) == limit:
        assert few.complete
        return
    assert not few.complete
    assert few.stopped == "limit"
    assert len(few) == limit
    assert few.differences == pytest.approx(everything.differences[:limit], abs=1e-8)
    assert few.complete_to is not None
    nearer = int(np.sum(everything.differences < few.complete_to - 1e-8))
    assert nearer <= limit
    assert few.complete_to <= few.within


@pytest.mark.parametrize("score", ["bic", "bdeu", "qnml"])
@pytest.mark.parametrize("seed", range(3))
def test_classes_of_more_variables_have_all_the_networks_as_members(score, seed):
    """Networks are listed without a word of classes; grouped, they are the classes."""
    data = wide(seed, 9, rows=150, arity=2, idle=0)
    near = ds.near_optimal(data, within=1.5, score=score, max_parents=3)
    assert near.complete
    assert near.work["largest_component"] > 5
    parents = ds.candidate_parents(data, score=score, max_parents=3, within=1.5)
    places, differences, facts = _core.near_optimal(parents._lists, 1.5, 1_000_000, False)
    assert facts["complete"]
    classes = {}
    for chosen, less in zip(places, differences, strict=True):
        cpdag = network_of(parents, chosen).to_cpdag()
        classes.setdefault(cpdag, []).append(less)
    assert {one.cpdag for one in near} == set(classes)
    for one in near:
        assert one.members == len(classes[one.cpdag])
        assert classes[one.cpdag] == pytest.approx([one.difference] * one.members, abs=NEAR)


@pytest.mark.parametrize("score", ["bic", "aic", "bdeu", "k2", "qnml", "loglik"])
@pytest.mark.parametrize("prior", PRIORS)
@pytest.mark.parametrize("together", [1, 23])
def test_the_sets_that_are_kept_are_those_near_their_best_subset(score, prior, together):
    """Whether sizes are done for all children at once or child by child, and with idle columns."""
    for seed in range(4):
        data = wide(seed, 6, rows=40 + 60 * seed, arity=2 + seed % 2, idle=seed % 3)
        within = (0.0, 0.4, 3.0, 9.0)[seed]
        kind = as_score(SCORES[score], PRIORS[prior][0])
        rules = _core.PruningRules()
        rules.slack = within + 2e-7
        lists, work = _core.sequential_selection(
            scorer(data, kind),
            constrain(data.variables, None, None),
            rules,
            "auto",
            "auto",
            1,
            most_together=together,
        )
        assert lists.exhaustive
        if together == 1 and score in ("bic", "aic") and prior == "uniform":
            assert work["pruned_by_bound"] + work["pruned_by_entropy"] > 0
        everything = ds.candidate_parents(data, score=kind, prune=False)._lists
        for child in range(6):
            value = {
                frozenset(everything.parents(child, at)): everything.score(child, at)
                for at in range(everything.size(child))
            }
            kept = {frozenset(lists.parents(child, at)) for at in range(lists.size(child))}
            for parents, own in value.items():
                below = max((s for p, s in value.items() if p < parents), default=-math.inf)
                if abs(own - below + within) > 1e-6 or within == 0:
                    assert (parents in kept) == (own >= below - within - 1e-7)


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5])
def test_the_size_of_a_class_is_the_number_of_its_members(n):
    names = [f"v{i}" for i in range(n)]
    for members in equivalence.members(n).values():
        dag = ds.Dag(names, [(names[a], names[b]) for a, b in next(iter(members))])
        assert math.prod(_core.class_size(dag.to_cpdag()._graph)) == len(members)


@for_each("seed", range(30))
def test_the_size_of_larger_classes(seed):
    """Dense moral graphs, turned arc by arc until nothing new comes."""
    rng = np.random.default_rng(seed)
    n = 8
    arcs = set()
    for child in range(1, n):  # parents that are joined: no v-structure, one large chain part
        first = int(rng.integers(child))
        joined = [p for p in range(child) if p == first or (min(p, first), max(p, first)) in arcs]
        for parent in joined:
            if parent == first or rng.random() < 0.5:
                arcs.add((parent, child))
    dag = frozenset(arcs)
    names = [f"v{i}" for i in range(n)]
    cpdag = ds.Dag(names, [(names[a], names[b]) for a, b in dag]).to_cpdag()
    expected = len(equivalence.members_by_turning(dag))
    assert math.prod(_core.class_size(cpdag._graph)) == expected


@pytest.mark.parametrize("score", ["bdeu", "k2"])
@pytest.mark.parametrize("best", [1, 3, 40, 10_000])
def test_the_best_so_many_are_the_best_of_all(score, best):
    """However far below the optimum they are, and all where there are fewer."""
    rng = np.random.default_rng(best)
    a = rng.integers(0, 3, 60)
    data = ds.Data({"a": a, "b": np.where(rng.random(60) < 0.4, a, 0), "c": rng.integers(0, 2, 60),
                    "d": rng.integers(0, 2, 60)})  # fmt: skip
    totals = {}
    for dag in graphs.all_dags(4):
        network = ds.Dag(data.names, [(data.names[x], data.names[y]) for x, y in dag])
        totals[network if score == "k2" else network.to_cpdag()] = ds.score(
            data, network, score=score
        )
    expected = sorted(totals.values(), reverse=True)[:best]
    near = ds.near_optimal(data, score=score, best=best)
    assert near.complete
    assert [one.score for one in near] == pytest.approx(expected, abs=NEAR)
    assert all(
        totals[one.dag if score == "k2" else one.cpdag] == pytest.approx(one.score) for one in near
    )
    if len(totals) < best:
        assert str(near.claim).endswith(
            f"{len(totals)} {'networks' if score == 'k2' else 'classes'} that there are"
        )
