"""The search on very many variables: screening by its definition, and what it ends at."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dagscape as ds
from agreement.test_hill_climbing import engine_constraints, questions, step_of
from agreement.test_scores import engine_scorer, engine_table, tables
from dagscape import _core
from oracles import graphs, greedy
from seeds import in_part


def searched(scorer, question, start, **more):
    options = _core.WideSearchOptions(
        candidates=more.get("candidates", 3),
        rounds=more.get("rounds", 2),
        looks=2,
        firsts=more.get("firsts", 2),
        times=1,
        part=more.get("part", 3),
        reach=4,
        perturb=2,
        wander=True,
        seed=more.get("seed", 0),
        threads=more.get("threads", 1),
    )
    first = _core.Dag(question.n, sorted(start))
    return _core.wide_search(scorer, engine_constraints(question), first, options)


def asked(case, data, score="bic"):
    codes, arities, weights = case
    table = engine_table(codes, arities, weights)
    start, required, allowed, most = data.draw(questions(arities))
    scorer = engine_scorer(table, score)

    def local(child, parents):
        return scorer.local(child, sorted(parents))

    step = step_of(table.cases)
    return scorer, start, greedy.Question(len(arities), local, step, allowed, required, most)


def gains_of(question, child, base):
    """What each allowed variable gains as one more parent, where there is room for one."""
    if len(base) >= question.most[child]:
        return {}
    others = graphs.parents(question.allowed, child) - base
    before = question.local(child, base)
    return {v: question.local(child, base | {v}) - before for v in others}


@settings(max_examples=in_part(60))
@given(case=tables(most_variables=6), data=st.data())
def test_screening_keeps_those_that_gain_most(case, data):
    scorer, _, question = asked(case, data)
    most = data.draw(st.integers(0, 3))
    found = _core.screened_candidates(scorer, engine_constraints(question), most)
    kept = []
    for child in range(question.n):
        base = graphs.parents(question.required, child)
        gains = gains_of(question, child, base)
        lowest = sorted(gains.values(), reverse=True)[:most][-1:]
        own = set(found[child])
        assert base <= own <= graphs.parents(question.allowed, child)
        # All that gain clearly more than the last that is kept are there.
        assert {v for v, gain in gains.items() if most and gain > lowest[0] + 1e-6} <= own
        kept.append(own)
    assert found == _core.screened_candidates(scorer, engine_constraints(question), most, threads=3)
    none = _core.screened_candidates(scorer, engine_constraints(question), most, until=-1.0)
    for child, own in enumerate(none):  # what must be there, either way round
        joined = {v for v in range(question.n) if (child, v) in question.required}
        possible = graphs.parents(question.allowed, child)
        assert set(own) == graphs.parents(question.required, child) | (joined & possible)
    for child, own in enumerate(kept):
        gains = gains_of(question, child, graphs.parents(question.required, child))
        by_others = {v for v in own if child in kept[v] or (child, v) not in question.allowed}
        for v in own - by_others:
            raise AssertionError(f"{v} is a candidate of {child}, and not the other way round")
        assert len(gains) <= most or len(own) >= most


@settings(max_examples=in_part(60))
@given(case=tables(most_variables=5), data=st.data())
def test_what_was_screened_out_is_found_where_it_gains(case, data):
    scorer, start, question = asked(case, data)
    constraints = engine_constraints(question)
    candidates = engine_constraints(question)
    kept = {}
    for child in range(question.n):
        allowed = sorted(graphs.parents(question.allowed, child))
        must = graphs.parents(question.required, child)
        kept[child] = {v for v in allowed if v in must or data.draw(st.booleans())}
        candidates.keep(child, sorted(kept[child]))
    dag = _core.Dag(question.n, sorted(start))
    least = 0.01
    found = _core.unseen_gains(scorer, constraints, candidates, dag, least, 2)
    expected = {}
    for child in range(question.n):
        base = graphs.parents(start, child)
        gains = gains_of(question, child, base)
        ranked = sorted((-g, v) for v, g in gains.items() if v not in kept[child] and g > least)
        expected[child] = [-g for g, _ in ranked[:2]]
    for child in range(question.n):
        assert [g for c, _, g in found if c == child] == pytest.approx(expected[child], abs=1e-8)
    for child, parent, gain in found:
        assert parent not in kept[child]
        base = graphs.parents(start, child)
        own = question.local(child, base | {parent}) - question.local(child, base)
        assert gain == pytest.approx(own, abs=1e-8)


@settings(max_examples=in_part(60))
@given(case=tables(most_variables=5), data=st.data())
def test_pairs_are_the_best_beside_each_first(case, data):
    scorer, start, question = asked(case, data)
    firsts = []
    for child in range(question.n):
        base = graphs.parents(start, child)
        free = sorted(graphs.parents(question.allowed, child) - base)
        firsts.append([v for v in free if data.draw(st.booleans())])
    dag = _core.Dag(question.n, sorted(start))
    found = _core.unseen_pairs(scorer, engine_constraints(question), firsts, dag, 0.01)
    expected = []
    for child in range(question.n):
        base = graphs.parents(start, child)
        if len(base) + 2 > question.most[child]:
            continue
        for first in firsts[child]:
            gains = gains_of(question, child, base | {first})
            own = question.local(child, base | {first}) - question.local(child, base)
            if gains and max(gains.values()) + own > 0.01:
                expected.append((child, first, max(gains.values()) + own))
    assert [(c, a) for c, a, _, _ in found] == [(c, a) for c, a, _ in expected]
    assert [g for *_, g in found] == pytest.approx([g for *_, g in expected], abs=1e-8)


@settings(max_examples=in_part(60))
@given(case=tables(most_variables=5), data=st.data())
def test_it_obeys_the_question_and_ends_where_no_arc_gains(case, data):
    scorer, start, question = asked(case, data)
    ask = {"part": data.draw(st.integers(1, 5)), "seed": data.draw(st.integers(0, 99))}
    facts = searched(scorer, question, start, candidates=5, **ask)
    found = frozenset(facts["arcs"])
    assert greedy.obeys(question, found)
    parts = [question.local(v, graphs.parents(found, v)) for v in range(question.n)]
    assert facts["score"] == pytest.approx(sum(parts), rel=1e-9, abs=1e-8)
    gains = [greedy.gain(question, found, other) for other in greedy.neighbors(question, found)]
    assert max(gains, default=0) <= 0
    assert facts["checked"]
    assert facts["unseen"] == 0
    assert searched(scorer, question, start, candidates=5, threads=3, **ask) == facts


def test_the_optimum_of_small_tables():
    """On every one of twenty small tables, from the scores of all networks."""
    for seed in range(20):
        data = ds.random_network(4, neighbors=2, states=(2, 3), seed=seed).sample(60, seed=seed)
        best = ds.exact(data, score="bic").score
        found = ds.wide_search(data, score="bic", seed=seed)
        assert found.score == pytest.approx(best, abs=1e-6)


def test_a_parent_that_tells_only_beside_another():
    """A child that follows the parity of two, of which one shows a little."""
    rng = np.random.default_rng(1)
    x = rng.integers(0, 2, (2000, 120))
    odd = (x[:, 0] ^ x[:, 1]) ^ (rng.random(2000) < 0.1)
    x[:, 2] = np.where(rng.random(2000) < 0.1, x[:, 0], odd)
    data = ds.Data({f"v{i}": x[:, i] for i in range(120)})
    screened = ds.wide_search(data, candidates=3, rounds=2)
    assert {"v0", "v1"} <= set(screened.dag.neighbors("v2"))
    assert screened.work["pairs_taken"] > 0


@pytest.mark.parametrize("score", ["bic", "k2"])
def test_column_order_and_threads_change_nothing(score):
    data = ds.load_network("alarm").tile(3).sample(300, seed=1)
    rng = np.random.default_rng(0)
    settings = {"score": score, "rounds": 2, "candidates": 8}
    first = ds.wide_search(data, **settings, threads=1)
    for threads in (1, 3):
        order = rng.permutation(data.n_variables)
        codes = np.stack([data.codes[:, v] for v in order], axis=1)
        states = {data.names[v]: data.states[data.names[v]] for v in order}
        again = ds.wide_search(ds.Data.from_codes(codes, states), **settings, threads=threads)
        assert (again.dag, again.score, again.work) == (first.dag, first.score, first.work)


def test_knowledge_and_numbers():
    data = ds.random_network(70, kind="gaussian", seed=2).sample(300, seed=2)
    names = data.names
    knowledge = ds.Knowledge(
        required=[(names[0], names[1])],
        forbidden=[(names[2], names[3])],
        tiers=[names[:35], names[35:]],
    )
    found = ds.wide_search(data, rounds=2, knowledge=knowledge)
    assert not knowledge.violations(found.dag)
    climbed = ds.hill_climb(data, restarts=0, knowledge=knowledge)
    assert found.score >= climbed.score - 1e-6


def test_it_stops_for_memory_and_starts_where_told():
    data = ds.load_network("asia").sample(300, seed=0)
    start = ds.exact(data).dag
    assert ds.wide_search(data, start=start, rounds=0).score >= ds.score(data, start) - 1e-9
    pairs = list(itertools.pairwise(data.names))
    with pytest.raises(ds.errors.DagscapeError):
        ds.wide_search(data, start=ds.Dag([*data.names, "more"], pairs))
