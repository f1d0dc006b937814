"""Fixtures that the tests here share."""

import pytest

import dagscape as ds
from dagscape.report.content import content


@pytest.fixture(scope="module")
def truth():
    return ds.load_network("child")


@pytest.fixture(scope="module")
def data(truth):
    return truth.sample(300, seed=3)


@pytest.fixture(scope="module")
def landscape(data):
    return ds.local_optima(data, k=0.5, runs=60)


@pytest.fixture(scope="module")
def result(data):
    return ds.ges(data)


@pytest.fixture(scope="module")
def shown(result, data, landscape, truth):
    return content(result, data=data, landscape=landscape, truth=truth.dag.to_cpdag())
