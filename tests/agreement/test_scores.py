"""The engine's scores against textbook formulas, on small random tables."""

import math
import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dagscape import _core
from dagscape.errors import DataError, ParameterError
from oracles import graphs as graph_oracle
from oracles import scores as oracle
from seeds import in_part

MAKERS = {
    "loglik": lambda *_: _core.LogLikelihood(),
    "aic": lambda *_: _core.Aic(),
    "bic": lambda n, _: _core.Bic(n),
    "bdeu": lambda _, ess: _core.Bdeu(ess),
    "fitted": lambda n, _: _core.FittedDirichlet(n),
    "k2": lambda *_: _core.K2(),
    "qnml": lambda n, _: _core.Qnml(n),
    "fnml": lambda *_: _core.Fnml(),
}
EQUIVALENT = ["loglik", "aic", "bic", "bdeu", "fitted", "qnml"]

many = settings(derandomize=True, deadline=None, max_examples=in_part(300))


@st.composite
def tables(draw, most_variables=5, most_rows=40, weighted=True):
    """Codes, arities and weights, with constant columns, repeats and states that never occur."""
    n = draw(st.integers(1, most_variables))
    arities = draw(st.lists(st.integers(1, 5), min_size=n, max_size=n))
    pool = draw(
        st.lists(st.tuples(*(st.integers(0, r - 1) for r in arities)), min_size=1, max_size=8)
    )
    rows = draw(st.lists(st.sampled_from(pool), min_size=1, max_size=most_rows))
    weights = None
    if weighted and draw(st.booleans()):
        weights = draw(st.lists(st.integers(1, 4), min_size=len(rows), max_size=len(rows)))
    return np.array(rows, dtype=np.uint8).reshape(len(rows), n), arities, weights


def engine_table(codes, arities, weights=None, dtype=np.uint8):
    columns = [np.ascontiguousarray(codes[:, v], dtype=dtype) for v in range(len(arities))]
    return _core.Table(columns, arities, None if weights is None else np.array(weights, np.uint32))


def engine_scorer(table, score, ess=1.0, cache_bytes=1 << 20):
    return _core.Scorer(_core.CountFunction(table, MAKERS[score](table.cases, ess)), cache_bytes)


def close(found, expected):
    return found == pytest.approx(expected, rel=1e-9, abs=1e-8)


@pytest.mark.parametrize("score", MAKERS)
@many
@given(case=tables(), data=st.data())
def test_local_scores(score, case, data):
    codes, arities, weights = case
    ess = data.draw(st.sampled_from([1.0, 0.1, 10.0])) if score == "bdeu" else 1.0
    child = data.draw(st.integers(0, len(arities) - 1))
    others = [v for v in range(len(arities)) if v != child]
    parents = data.draw(st.lists(st.sampled_from(others), unique=True)) if others else []
    table = engine_table(codes, arities, weights)
    expected = oracle.local_score(codes.tolist(), arities, child, parents, score, ess, weights)
    assert close(engine_scorer(table, score, ess).local(child, parents), expected)


@many
@given(case=tables())
def test_counts_are_those_of_the_rows(case):
    codes, arities, weights = case
    table = engine_table(codes, arities, weights)
    for dtype in (np.uint8, np.uint16):
        counter = _core.RowPartition(engine_table(codes, arities, weights, dtype))
        for size in range(len(arities) + 1):
            chosen = list(range(size))
            tally: dict[tuple[int, ...], int] = {}
            for row, weight in zip(codes.tolist(), weights or [1] * len(codes), strict=True):
                cell = tuple(row[:size])
                tally[cell] = tally.get(cell, 0) + weight
            assert sorted(counter.count(table, chosen)) == sorted(tally.values())


@pytest.mark.parametrize("arity", [3, 40, 60000])
def test_counts_of_large_sets(arity):
    """Sets with more combinations than slots: cells are numbered anew, or by sorting."""
    rng = np.random.default_rng(arity)
    codes = rng.integers(0, arity, (3000, 9)).astype(np.uint16)
    codes[1500:] = codes[:1500]
    table = engine_table(codes, [arity] * 9, dtype=np.uint16)
    for size in (2, 5, 9):
        expected = np.unique(codes[:, :size], axis=0, return_counts=True)[1]
        found = _core.RowPartition(table).count(table, list(range(size)))
        assert sorted(found) == sorted(expected.tolist())


def test_repeated_rows_are_collapsed_only_where_it_pays():
    rng = np.random.default_rng(0)
    distinct = rng.permutation(256)[:200].astype(np.uint8)[:, None]
    repeated = np.repeat(distinct[:20], 10, axis=0)
    assert _core.RowPartition(engine_table(distinct, [256])).rows == 200
    assert _core.RowPartition(engine_table(repeated, [256])).rows == 20


@pytest.mark.parametrize("score", EQUIVALENT)
def test_equivalent_networks_score_the_same(score):
    rng = np.random.default_rng(7)
    arities = [2, 3, 4, 2]
    codes = np.stack([rng.integers(0, r, 200) for r in arities], axis=1)
    scorer = engine_scorer(engine_table(codes, arities), score)
    for members in random.Random(3).sample(graph_oracle.classes(4), 40):
        totals = [
            sum(scorer.local(v, sorted(graph_oracle.parents(dag, v))) for v in range(4))
            for dag in members
        ]
        assert max(totals) - min(totals) < 1e-9


@pytest.mark.parametrize("score", ["k2", "fnml"])
def test_scores_that_tell_equivalent_networks_apart_say_so(score):
    codes = np.array([[0, 0], [1, 2], [1, 1], [0, 2], [1, 2]])
    table = engine_table(codes, [2, 3])
    scorer = engine_scorer(table, score)
    assert not MAKERS[score](5, 1.0).equivalent
    forward = scorer.local(0, []) + scorer.local(1, [0])
    backward = scorer.local(1, []) + scorer.local(0, [1])
    assert abs(forward - backward) > 1e-6


@many
@given(n=st.integers(0, 60), states=st.integers(1, 40))
def test_multinomial_regret(n, states):
    assert close(_core.multinomial_regret(n, states), oracle.log_normalizer(n, states))


@pytest.mark.parametrize(("n", "states"), [(400, 7), (300, 1000), (1000, 3)])
def test_multinomial_regret_of_larger_samples(n, states):
    assert close(_core.multinomial_regret(n, states), oracle.log_normalizer(n, states))


def test_multinomial_regret_stays_finite_and_right_far_out():
    """C(1, K) = K; and for K far above n, C(n, K) comes near K^n (n - 1)!... / n^n (n)!."""
    assert _core.multinomial_regret(1, 1e300) == pytest.approx(math.log(1e300), rel=1e-12)
    # All n draws differ almost surely: K!/(K-n)! samples of likelihood n^-n each.
    n, states = 50, 1e200
    assert _core.multinomial_regret(n, states) == pytest.approx(
        n * math.log(states) - n * math.log(n), rel=1e-12
    )


def test_large_counts_leave_the_tables():
    """Counts above what the tables keep are computed; twice a million rows by weight."""
    codes = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], dtype=np.uint8)
    weights = [700_000, 90_000, 5, 1_200_000]
    table = engine_table(codes, [2, 2], weights)
    for score in ("bic", "bdeu", "fitted", "k2"):
        expected = oracle.local_score(codes.tolist(), [2, 2], 1, [0], score, 1.0, weights)
        assert close(engine_scorer(table, score).local(1, [0]), expected)


@pytest.mark.parametrize("ess", [1e-6, 999.0, 5999.0, 6001.0, 1e5, 1e8, 1e12, 1e15, 1e100, 1e300])
def test_a_large_ess_costs_no_digits(ess):
    """The textbook formula as a sum over cases, which nothing can cancel in."""
    a, b = [0, 1, 2, 0, 1] * 12, [0, 1] * 30
    expected = 0.0
    seen: dict[tuple[int, int], int] = {}
    totals: dict[int, int] = {}
    for x, y in zip(a, b, strict=True):
        prior = ess / 6  # of each of the six cells
        chance = math.log(prior + seen.get((x, y), 0)) - math.log(3 * prior + totals.get(y, 0))
        expected += chance
        seen[x, y] = seen.get((x, y), 0) + 1
        totals[y] = totals.get(y, 0) + 1
    table = engine_table(np.array([a, b]).T, [3, 2])
    assert engine_scorer(table, "bdeu", ess).local(0, [1]) == pytest.approx(expected, rel=1e-10)


def test_a_small_cache_changes_nothing_and_stays_small():
    rng = np.random.default_rng(1)
    arities = [2] * 12
    table = engine_table(rng.integers(0, 2, (500, 12)), arities)
    roomy, tight = engine_scorer(table, "bic"), engine_scorer(table, "bic", cache_bytes=1 << 19)
    for _ in range(2):
        for family in range(1, 1 << 11):
            parents = [v for v in range(11) if family >> v & 1]
            assert tight.local(11, parents) == roomy.local(11, parents)
    assert tight.cache_bytes <= 1 << 19
    assert tight.sets_counted > roomy.sets_counted == roomy.cache_entries


def test_scores_that_would_overflow_are_refused():
    table = engine_table(np.zeros((3, 400), dtype=np.uint16), [60000] * 400, dtype=np.uint16)
    with pytest.raises(ParameterError, match="1e300"):
        engine_scorer(table, "bic").local(0, list(range(1, 400)))


@pytest.mark.parametrize(
    ("columns", "arities", "weights", "message"),
    [
        ([], [], None, "no columns"),
        ([np.array([], np.uint8)], [2], None, "no rows"),
        ([np.array([0, 2], np.uint8)], [2], None, "code 2 but only 2 states"),
        ([np.array([0], np.uint8), np.array([0, 1], np.uint8)], [2, 2], None, "rows"),
        ([np.array([0, 1], np.int32)], [2], None, "uint8 or uint16"),
        ([np.array([0, 1], np.uint8)], [2, 2], None, "one arity"),
        ([np.array([0, 1], np.uint8)], [2], [1], "weights"),
        ([np.array([0, 1], np.uint8)], [2], [1, 0], "weight 0"),
        ([np.array([0, 1], np.uint8)], [2], [4294967295, 1], "cases"),
    ],
)
def test_impossible_tables_are_refused(columns, arities, weights, message):
    given_weights = None if weights is None else np.array(weights, np.uint32)
    with pytest.raises(DataError, match=message):
        _core.Table(columns, arities, given_weights)


@pytest.mark.parametrize(
    ("child", "parents", "message"),
    [
        (5, [0], "no variable 5"),
        (0, [9], "no variable 9"),
        (0, [0], "own parent"),
        (0, [1, 1], "twice"),
    ],
)
def test_impossible_families_are_refused(child, parents, message):
    scorer = engine_scorer(engine_table(np.array([[0, 1]]), [2, 2]), "bic")
    with pytest.raises(ParameterError, match=message):
        scorer.local(child, parents)
