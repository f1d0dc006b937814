"""What a search over classes keeps between its steps, against the same found anew."""

import functools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dagscape import _core
from dagscape.scores import scorer
from oracles import equivalence as oracle
from oracles import graphs
from seeds import in_part
from toys.classes import (
    NO_LIMIT,
    SCORES,
    as_class,
    check_class,
    ges,
    kes,
    mixed,
    pdag,
    random_dag,
    sparse,
    symmetric,
    table,
)


def check_kept(on_data, n, seed, **options):
    """Step by step: what was kept is what would be made anew, and each graph is essential."""
    before, steps = None, 0
    while True:
        kept = kes(on_data, seed, max_steps=steps, neighborhood="exact", **options)
        anew = kes(
            on_data, seed, max_steps=steps, neighborhood="exact", from_scratch=True, **options
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


@pytest.mark.parametrize("score", SCORES)
def test_kept_steps_of_few_variables(score):
    for seed in range(12):
        n = 3 + seed % 5
        on_data = scorer(mixed(seed, n, rows=100), SCORES[score])
        check_kept(on_data, n, seed, k=(0.0, 0.3, 0.8)[seed % 3])


@settings(max_examples=in_part(1500))
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
    start = pdag(n, oracle.essential_by_labeling(n, dag))
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
        start = pdag(n, oracle.essential_by_labeling(n, dag))
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
    sampled = kes(wide, k=0.0, neighborhood="sampled", max_steps=5)
    assert sampled.steps == 5
    check_class(wide, n, sampled)
