"""Fixtures that the tests here share."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

import dagscape as ds


@pytest.fixture(scope="session")
def case(tmp_path_factory):
    """A page with everything on it, and what it was made of."""
    truth = ds.load_network("child")
    data = truth.sample(300, seed=3)
    landscape = ds.local_optima(data, score="bic", k=0.5, runs=60)
    result = ds.exact(data, score="bic", max_parents=2)
    path = tmp_path_factory.mktemp("page") / "report.html"
    result.report(path, data=data, landscape=landscape, truth=truth, title="Child")
    return SimpleNamespace(truth=truth, data=data, landscape=landscape, result=result, path=path)


@pytest.fixture
def page(open_page, case):
    return open_page(case.path)
