"""A learned network with an arc changed: beside the best of all networks that have it so."""

import random

import pytest

import dagscape as ds
from dagscape.learning import LearnResult
from limits import NO_TIME
from oracles import graphs, tables

N = 4
CHANGES = {
    "with_arc": lambda dag, a, b: (a, b) in dag,
    "without_arc": lambda dag, a, b: (a, b) not in dag and (b, a) not in dag,
    "reversed": lambda dag, a, b: (b, a) in dag,
}


@pytest.mark.slow
def test_the_best_is_that_of_all_networks_with_the_change():
    for seed in range(6):
        data = tables.mixed(seed, N, rows=60)
        r = ds.learn(data, score="bdeu", runs=0, resamples=0)
        names, rng = data.names, random.Random(seed)
        scores = {
            dag: ds.score(data, [(names[a], names[b]) for a, b in dag], score="bdeu")
            for dag in graphs.all_dags(N)
        }
        numbers = {(names.index(a), names.index(b)) for a, b in r.dag.arcs}
        absent = [
            (a, b) for a in range(N) for b in range(N) if a != b and not {(a, b), (b, a)} & numbers
        ]
        asked = [("with_arc", rng.choice(absent))] if absent else []
        asked += [
            (name, arc) for arc in sorted(numbers)[:2] for name in ("without_arc", "reversed")
        ]
        for name, (a, b) in asked:
            e = getattr(r, name)(names[a], names[b])
            said = f"seed {seed}: {name} {a} {b}"
            most = max(score for dag, score in scores.items() if CHANGES[name](dag, a, b))
            assert e.proven, said
            assert e.best.score == pytest.approx(most), said
            assert e.best_loss == pytest.approx(r.score - most, abs=1e-6), said
            if e.dag is not None:
                assert e.score == pytest.approx(ds.score(data, e.dag, score="bdeu")), said
                assert e.loss == pytest.approx(r.score - e.score, abs=1e-6), said
                assert e.loss >= e.best_loss - 1e-6, said
                mine = {(names.index(x), names.index(y)) for x, y in e.dag.arcs}
                assert CHANGES[name](mine, a, b), said
                assert len(mine ^ numbers) == {"reversed": 2}.get(name, 1), said


@pytest.fixture(scope="module")
def learned() -> LearnResult:
    return ds.learn(ds.load_network("asia").sample(500, seed=1), runs=0, resamples=0)


def test_what_a_change_loses_is_said(learned):
    e = learned.without_arc("lung", "either")
    assert (e.change, e.arc, e.proven) == ("remove", ("lung", "either"), True)
    assert e.loss >= e.best_loss > 10
    assert e.summary.startswith("without an edge between lung and either and nothing else changed")
    assert "The best network without an edge between lung and either loses" in repr(e)


def test_a_cycle_leaves_the_best_alone(learned):
    assert {("lung", "either"), ("either", "dysp")} <= {*learned.dag.arcs}
    e = learned.with_arc("dysp", "lung")
    assert (e.dag, e.score, e.loss, e.proven) == (None, None, None, True)
    assert ("dysp", "lung") in e.best.dag.arcs
    assert "would have a cycle" in e.summary


def test_what_is_no_change_is_refused(learned):
    with pytest.raises(ds.GraphError, match=r"reversed\('lung', 'either'\) turns it"):
        learned.with_arc("either", "lung")
    with pytest.raises(ds.GraphError, match="no arc asia -> dysp: the two are not joined"):
        learned.without_arc("asia", "dysp")
    with pytest.raises(ds.GraphError, match="it has lung -> either"):
        learned.reversed("either", "lung")
    with pytest.raises(ds.ParameterError, match='did you mean "lung"'):
        learned.with_arc("lungs", "dysp")


def test_knowledge_still_holds():
    data = ds.load_network("asia").sample(300, seed=2)
    known = ds.Knowledge(
        tiers=[["smoke", "asia"], [x for x in data.names if x not in ("smoke", "asia")]]
    )
    r = ds.learn(data, knowledge=known, runs=0, resamples=0)
    e = r.with_arc("asia", "dysp")
    assert not known.violations(e.best.dag)
    with pytest.raises(ds.ParameterError, match="required, but"):
        r.with_arc("dysp", "asia")


def test_without_time_the_best_is_not_proven(learned):
    e = learned.with_arc("asia", "dysp", time_limit=NO_TIME)
    assert ("asia", "dysp") in e.best.dag.arcs
    assert e.loss is not None
    assert e.best_loss <= e.loss
