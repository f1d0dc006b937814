"""The fitted score of many sets at once: the same digits everywhere, and those of the formula."""

import decimal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dagscape as ds
from dagscape import _core
from seeds import in_part

SIZES = (0.5, 1, 2, 4, 8, 16, 32, 64)


@st.composite
def tables(draw):
    """Columns of one to seven states, of which some are rare and some never occur."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    arities = draw(st.lists(st.integers(1, 7), min_size=3, max_size=6))
    rows = draw(st.integers(1, 300))
    even = draw(st.sampled_from([0.2, 1.0, 20.0]))
    columns = [rng.choice(r, rows, p=rng.dirichlet(np.full(r, even))) for r in arities]
    return table(np.stack(columns, axis=1), arities)


def table(codes, arities):
    """Codes as data, with all states declared."""
    return ds.Data.from_codes(
        codes, {f"x{v:02}": [str(s) for s in range(r)] for v, r in enumerate(arities)}
    )


def scores(data, **how):
    """The score of every family of up to three parents."""
    most = min(3, len(data.names) - 1)
    found = ds.candidate_parents(data, score="fitted", max_parents=most, prune=False, **how)
    return {
        (child, frozenset(parents)): value
        for child in data.names
        for value, parents in found[child]
    }


@given(data=tables())
@settings(derandomize=True, deadline=None, max_examples=in_part(30))
def test_all_instructions_give_the_same_digits(data):
    for counting in ("bitmaps", "rows"):
        plain = scores(data, counting=counting, instructions="plain", threads=1)
        for instructions in _core.available_instructions():
            assert scores(data, counting=counting, instructions=instructions) == plain
    for (child, parents), value in plain.items():
        single = ds.local_score(data, child, sorted(parents), score="fitted")
        assert value == pytest.approx(single, rel=1e-13, abs=1e-10)


def test_counts_beyond_the_tables_are_scored_one_by_one():
    rng = np.random.default_rng(0)
    rows = 70_000  # tables end below 65,536
    rare = (rng.random((rows, 2)) < 0.01).astype(int)
    codes = np.column_stack(
        [rare, rng.integers(0, 3, rows), np.minimum(rng.geometric(0.9, rows), 5)]
    )
    data = table(codes, [2, 2, 3, 6])
    for (child, parents), value in scores(data).items():
        single = ds.local_score(data, child, sorted(parents), score="fitted")
        assert value == pytest.approx(single, rel=1e-13)


def test_columns_of_all_widths_need_more_tables_than_are_kept():
    rng = np.random.default_rng(1)
    arities = list(range(2, 30))
    data = table(np.stack([rng.integers(0, r, 500) for r in arities], axis=1), arities)
    found = ds.candidate_parents(data, score="fitted", max_parents=2, prune=False)
    products = {
        arities[a] * arities[b] * c for a in range(28) for b in range(a) for c in arities[:b]
    }
    assert len(products) > 1024  # as many tables as there is room for
    for child in data.names:
        for value, parents in found[child][::29]:
            single = ds.local_score(data, child, parents, score="fitted")
            assert value == pytest.approx(single, rel=1e-13)


@pytest.mark.parametrize("rare", [0.5, 0.02])
def test_sums_of_logarithms_lose_no_digits(rare):
    """Of two columns of 20,000 rows, against fifty digits."""
    decimal.getcontext().prec = 50
    rng = np.random.default_rng(2)
    codes = (rng.random((20_000, 2)) < rare).astype(int)
    cells = np.bincount(2 * codes[:, 0] + codes[:, 1], minlength=4)

    def rising(start, count):
        """ln start (start + 1) ... (start + count - 1)"""
        product = decimal.Decimal(1)
        for i in range(int(count)):
            product *= decimal.Decimal(start) + i
        return product.ln()

    exact = float(max(sum(rising(e / 4, n) for n in cells) - rising(e, 20_000) for e in SIZES))
    data = table(codes, [2, 2])
    of_both = scores(data)["x01", frozenset({"x00"})] + ds.local_score(
        data, "x00", [], score="fitted"
    )
    # N ln N is about what differences of sets take out again: what a digit is worth.
    assert of_both == pytest.approx(exact, abs=4 * np.spacing(20_000 * np.log(20_000)))
