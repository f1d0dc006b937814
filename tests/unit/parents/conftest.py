"""Fixtures that the tests here share."""

import numpy as np
import pytest

import dagscape as ds


@pytest.fixture(scope="module")
def asia():
    return ds.load_network("asia").sample(2000, seed=3)


@pytest.fixture(scope="module")
def wide():
    """More sets than can be scored in a moment."""
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 2, (3000, 90))
    return ds.Data.from_codes(codes, {f"x{v}": ["0", "1"] for v in range(90)})
