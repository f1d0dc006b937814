"""Scores of one more parent, many at once, against the scorer that counts each set by itself."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agreement.test_scores import MAKERS, engine_scorer, engine_table, tables
from dagscape import _core
from dagscape.errors import ParameterError
from seeds import in_part

WAYS = ["cheaper", "bitmaps", "rows"]


def agree(scorer, child, parents, candidates, way):
    found = _core.ExtensionScores(scorer, way)(child, parents, candidates)
    expected = [scorer.local(child, [*parents, c]) for c in candidates]
    assert found == pytest.approx(expected, rel=1e-12, abs=1e-9)


@pytest.mark.parametrize("score", MAKERS)
@settings(max_examples=in_part(150))
@given(case=tables(), data=st.data())
def test_scores_of_one_more_parent(score, case, data):
    codes, arities, weights = case
    child, *others = data.draw(st.permutations(range(len(arities))))
    parents = others[: data.draw(st.integers(0, len(others)))]
    candidates = others[len(parents) :]
    scorer = engine_scorer(engine_table(codes, arities, weights), score)
    for way in WAYS:
        agree(scorer, child, parents, candidates, way)


@pytest.mark.parametrize("score", MAKERS)
@pytest.mark.parametrize("variables", [3, 40, 75, 150, 600])
def test_rows_of_bits_of_every_width(variables, score):
    """Rows of 2, 4, 8 and 16 words, and cells of up to 700 rows."""
    rng = np.random.default_rng(variables)
    arities = rng.integers(1, 5, variables).tolist()
    codes = np.stack([rng.integers(0, r, 700) for r in arities], axis=1)
    codes[:, 2] = np.minimum(codes[:, 0], arities[2] - 1)
    scorer = engine_scorer(engine_table(codes, arities), score)
    for size in range(min(5, variables - 1)):
        child, *parents = rng.permutation(variables)[: size + 1].tolist()
        candidates = [v for v in range(variables) if v != child and v not in parents]
        for way in WAYS:
            agree(scorer, child, parents, candidates[:: variables // 50 + 1], way)


@pytest.mark.parametrize("rows", [1, 2, 7, 8, 9, 15, 16, 17, 63, 64, 65, 127, 128, 255, 256, 1000])
def test_any_number_of_rows(rows):
    rng = np.random.default_rng(rows)
    codes = rng.integers(0, 2, (rows, 20))
    scorer = engine_scorer(engine_table(codes, [2] * 20), "k2")
    for way in WAYS:
        agree(scorer, 3, [], [0, 1, 2, *range(4, 20)], way)
        agree(scorer, 3, [0, 19], [1, 2, *range(4, 19)], way)


def test_more_cells_than_fit_side_by_side():
    """With 9,000 cells of 1,024 lanes it goes one set at a time, to the same scores."""
    rng = np.random.default_rng(5)
    codes = rng.integers(0, 2, (18000, 1000), dtype=np.uint8)
    codes[9000:] = codes[:9000]
    scorer = engine_scorer(engine_table(codes, [2] * 1000), "loglik")
    agree(scorer, 5, list(range(10, 40)), [0, 999], "rows")


def test_variables_of_very_many_states():
    rng = np.random.default_rng(5)
    codes = rng.integers(0, 900, (500, 3)).astype(np.uint16)
    scorer = engine_scorer(engine_table(codes, [900] * 3, dtype=np.uint16), "bic")
    agree(scorer, 2, [0], [1], "cheaper")


def test_a_candidate_cannot_be_in_the_family():
    scorer = engine_scorer(engine_table(np.zeros((4, 3), int), [2, 2, 2]), "bic")
    scores = _core.ExtensionScores(scorer)
    for candidates in ([0], [1], [3], [2, 2]):
        with pytest.raises(ParameterError):
            scores(0, [1], candidates)
    assert scores(0, [1], []) == []
    with pytest.raises(ParameterError, match="choose cheaper, bitmaps or rows"):
        _core.ExtensionScores(scorer, "best")


def test_sets_beyond_the_range_of_doubles():
    codes = np.zeros((4, 1002), np.uint8)
    scorer = engine_scorer(engine_table(codes, [2] * 1002), "bic")
    with pytest.raises(ParameterError, match="more than 1e300 value combinations"):
        _core.ExtensionScores(scorer)(0, list(range(1, 1000)), [1001])
