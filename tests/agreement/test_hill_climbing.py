"""Hill climbing against the search by definition: the same network after the same steps."""

import functools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dagscape as ds
from agreement.test_scores import EQUIVALENT, MAKERS, engine_scorer, engine_table, tables
from dagscape import _core
from oracles import graphs, greedy
from oracles import scores as score_oracle
from seeds import in_part


def step_of(cases):
    """Gains are rounded to 2^-34 times the cases, rounded up to a power of two."""
    return 2.0 ** ((cases - 1).bit_length() - 34)


def engine_constraints(question):
    constraints = _core.Constraints(question.n, question.n - 1)
    for child in range(question.n):
        constraints.keep(child, sorted(graphs.parents(question.allowed, child)))
        for parent in graphs.parents(question.required, child):
            constraints.require(child, parent)
        constraints.limit(child, question.most[child])
    return constraints


def climbed(scorer, question, start, tabu=100, patience=15, **more):
    options = _core.HillClimbOptions(
        tabu,
        patience,
        more.get("wander", False),
        more.get("restarts", 0),
        more.get("perturb", 2),
        more.get("seed", 0),
        more.get("threads", 1),
    )
    first = _core.Dag(question.n, sorted(start))
    return _core.hill_climb(scorer, engine_constraints(question), first, options)


@st.composite
def questions(draw, arities, constrained=True):
    """What may be asked about so many variables: allowed and required arcs, limits, a start."""
    n = len(arities)
    order = draw(st.permutations(range(n)))
    arcs = [(a, b) for a in range(n) for b in range(n) if a != b]
    forwards = [(a, b) for a, b in arcs if order.index(a) < order.index(b)]
    start = set(draw(st.lists(st.sampled_from(forwards), unique=True))) if forwards else set()
    if not constrained or not draw(st.booleans()):
        return frozenset(start), frozenset(), frozenset(arcs), (n - 1,) * n
    required = {arc for arc in start if draw(st.integers(0, 3)) == 0}
    allowed = {arc for arc in arcs if arc in start or draw(st.integers(0, 3)) > 0}
    most = [draw(st.integers(len(graphs.parents(frozenset(start), v)), n - 1)) for v in range(n)]
    return frozenset(start), frozenset(required), frozenset(allowed), tuple(most)


@pytest.mark.parametrize("score", MAKERS)
@settings(max_examples=in_part(80))
@given(case=tables(most_variables=4), data=st.data())
def test_the_same_network_after_the_same_steps(score, case, data):
    codes, arities, weights = case
    table = engine_table(codes, arities, weights)
    start, required, allowed, most = data.draw(questions(arities))
    tabu = data.draw(st.sampled_from([0, 1, 2, 3, 100]))
    patience = data.draw(st.integers(1, 6))

    @functools.cache
    def local(child, parents):
        return score_oracle.local_score(
            codes.tolist(), arities, child, sorted(parents), score, 1.0, weights
        )

    question = greedy.Question(len(arities), local, step_of(table.cases), allowed, required, most)
    more = {"wander": data.draw(st.booleans()), "seed": data.draw(st.integers(0, 2**64 - 1))}
    scorer = engine_scorer(table, score)
    draws = greedy.Draws(more["seed"]) if more["wander"] and score in EQUIVALENT else None
    expected, steps = greedy.hill_climb(question, start, tabu, patience, draws)
    facts = climbed(scorer, question, start, tabu, patience, **more)
    assert set(facts["arcs"]) == expected
    assert facts["steps"] == steps
    total = sum(local(v, graphs.parents(expected, v)) for v in range(question.n))
    assert facts["score"] == pytest.approx(total, rel=1e-9, abs=1e-8)


@settings(max_examples=in_part(60))
@given(case=tables(most_variables=5), data=st.data())
def test_restarts_obey_the_question_and_end_where_no_arc_gains(case, data):
    codes, arities, weights = case
    table = engine_table(codes, arities, weights)
    start, required, allowed, most = data.draw(questions(arities))
    scorer = engine_scorer(table, "bic")

    def local(child, parents):
        return scorer.local(child, sorted(parents))

    question = greedy.Question(len(arities), local, step_of(table.cases), allowed, required, most)
    ask = {"tabu": data.draw(st.sampled_from([0, 5])), "seed": data.draw(st.integers(0, 99))}
    ask["wander"] = data.draw(st.booleans())
    once = climbed(scorer, question, start, **ask)
    many = climbed(scorer, question, start, **ask, restarts=30)
    found = frozenset(many["arcs"])
    assert many["restarts"] == 30
    assert greedy.obeys(question, found)
    assert many["score"] >= once["score"] - 1e-6
    gains = [greedy.gain(question, found, other) for other in greedy.neighbors(question, found)]
    assert max(gains, default=0) <= 0
    assert climbed(scorer, question, start, **ask, restarts=30, threads=3) == many


@pytest.mark.parametrize("tabu", [0, 3, 100])
def test_more_candidates_than_are_kept_in_order(tabu):
    """One variable has 35 candidates, and all close a cycle at first."""
    rng = np.random.default_rng(3)
    codes = rng.integers(0, 2, (60, 36))
    for v in range(0, 35, 2):
        codes[:, v] = np.where(rng.random(60) < 0.5, codes[:, v], codes[:, 35])
    scorer = engine_scorer(engine_table(codes, [2] * 36), "aic")
    out = frozenset((35, v) for v in range(35))
    back = frozenset((v, 35) for v in range(35))

    @functools.cache
    def local(child, parents):
        return scorer.local(child, sorted(parents))

    question = greedy.Question(36, local, step_of(60), out | back, frozenset(), (3,) * 36)
    for start in (out, frozenset()):
        expected, steps = greedy.hill_climb(question, start, tabu, 15)
        facts = climbed(scorer, question, start, tabu)
        assert set(facts["arcs"]) == expected
        assert facts["steps"] == steps > 3


@pytest.mark.parametrize("score", ["bic", "k2"])
def test_column_order_and_threads_change_nothing(score):
    data = ds.load_network("alarm").sample(500, seed=1)
    rng = np.random.default_rng(0)
    first = ds.hill_climb(data, score=score, restarts=20, threads=1)
    for threads in (1, 2, 4):
        order = rng.permutation(data.n_variables)
        codes = np.stack([data.codes[:, v] for v in order], axis=1)
        states = {data.names[v]: data.states[data.names[v]] for v in order}
        again = ds.hill_climb(
            ds.Data.from_codes(codes, states), score=score, restarts=20, threads=threads
        )
        assert again.dag == first.dag
        assert again.score == first.score
        assert {k: v for k, v in again.work.items() if k != "sets_counted"} == {
            k: v for k, v in first.work.items() if k != "sets_counted"
        }
