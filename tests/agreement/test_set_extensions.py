"""Sets with every one more variable at once, against the scorer that counts each set by itself.

Searches rely on the error that is stated: what it leaves open they ask the scorer.
"""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agreement.test_scores import EQUIVALENT, engine_scorer, engine_table, tables
from dagscape import _core
from seeds import in_part


def check_gains(scorer, child, parents, candidates):
    """Two extensions tell what each parent gains, within the error that they state."""
    family, given_parents = (
        _core.set_extension(scorer, members) for members in ([child, *parents], parents)
    )
    assert family is not None
    assert given_parents is not None
    own = family[0] - given_parents[0]
    error = 2 * (family[2] + given_parents[2])
    assert 0 <= error < 1e-4
    before = scorer.local(child, parents)
    for x in candidates:
        gain = scorer.local(child, [*parents, x]) - before
        assert abs(family[1][x] - given_parents[1][x] - own - gain) <= error


@pytest.mark.parametrize("score", EQUIVALENT)
@settings(max_examples=in_part(300))
@given(case=tables(weighted=False), data=st.data())
def test_gains_of_few_variables(score, case, data):
    codes, arities, _ = case
    ess = data.draw(st.sampled_from([1e-3, 1.0, 100.0])) if score == "bdeu" else 1.0
    child, *others = data.draw(st.permutations(range(len(arities))))
    parents = others[: data.draw(st.integers(0, len(others)))]
    scorer = engine_scorer(engine_table(codes, arities), score, ess)
    check_gains(scorer, child, parents, others[len(parents) :])


@pytest.mark.parametrize("score", EQUIVALENT)
@pytest.mark.parametrize(("rows", "variables"), [(3000, 20), (500, 150)])
def test_gains_of_many_variables_and_rows(score, rows, variables):
    """Counted by bitmaps and by rows; columns that repeat others tie exactly."""
    rng = np.random.default_rng(rows)
    arities = rng.integers(1, 5, variables).tolist()
    codes = np.stack([rng.integers(0, r, rows) for r in arities], axis=1)
    codes[:, 2] = np.minimum(codes[:, 0], arities[2] - 1)
    scorer = engine_scorer(engine_table(codes, arities), score, cache_bytes=1 << 24)
    for size in (0, 1, 2, 4, 7):
        child, *parents = rng.permutation(variables)[: size + 1].tolist()
        candidates = [v for v in range(variables) if v != child and v not in parents]
        check_gains(scorer, child, parents, candidates[:: variables // 20])


def test_a_small_memory_changes_nothing():
    codes = np.random.default_rng(1).integers(0, 3, (200, 30))
    table = engine_table(codes, [3] * 30)
    small, large = (engine_scorer(table, "bic", cache_bytes=size) for size in (1, 1 << 24))
    sets = [sorted(np.random.default_rng(i).permutation(30)[: i % 5].tolist()) for i in range(200)]
    for members in sets + sets[::-1]:
        one, other = (_core.set_extension(on, members) for on in (small, large))
        inside = set(members)
        assert (one[0], one[2]) == (other[0], other[2])
        assert all(one[1][v] == other[1][v] for v in range(30) if v not in inside)


def test_tables_and_scores_that_have_none():
    codes = np.zeros((4, 3), int)
    weighted = engine_table(codes, [2, 2, 2], [1, 2, 1, 1])
    many_states = engine_table(codes, [900] * 3, dtype=np.uint16)
    for table in (weighted, many_states):
        assert _core.set_extension(engine_scorer(table, "bic"), [0]) is None
    assert _core.set_extension(engine_scorer(engine_table(codes, [2, 2, 2]), "k2"), [0]) is None
    wide = engine_table(np.zeros((4, 1001), np.uint8), [2] * 1001)
    assert _core.set_extension(engine_scorer(wide, "bic"), list(range(1000))) is None
