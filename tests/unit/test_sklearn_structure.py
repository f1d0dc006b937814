"""The structure estimator for scikit-learn: its own checks, its score, grids, what it refuses."""

import doctest
import pickle
import warnings

import numpy as np
import pandas as pd
import pytest

import dagscape as ds

pytest.importorskip("sklearn")

from sklearn.base import clone
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import KBinsDiscretizer, StandardScaler
from sklearn.utils.estimator_checks import estimator_checks_generator

import dagscape.sklearn.structure
from dagscape.sklearn import BayesianNetworkStructure

CHECKS = [
    pytest.param(estimator, check, id=check.func.__name__)
    for estimator, check in estimator_checks_generator(BayesianNetworkStructure())
]


@pytest.mark.slow
@pytest.mark.parametrize(("estimator", "check"), CHECKS)
def test_scikit_learn_s_own_checks(estimator, check):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ds.DataWarning)  # rows of the checks repeat each other
        check(estimator)


@pytest.fixture(scope="module")
def frame():
    data = ds.load_network("asia").sample(600, seed=1)
    return data.to_polars().to_pandas().astype(object)


def test_it_is_what_the_search_finds(frame):
    model = BayesianNetworkStructure("exact", settings={"score": "bdeu", "max_parents": 2})
    model.fit(frame)
    found = ds.exact(ds.Data(frame), score="bdeu", max_parents=2)
    assert model.dag_ == found.dag
    assert model.result_.optimal
    assert list(model.feature_names_in_) == list(frame.columns)
    expected = ds.fit(found.dag, ds.Data(frame)).log_likelihood(ds.Data(frame)) / len(frame)
    assert model.score(frame) == pytest.approx(expected)
    assert model.score(frame[:50]) < 0
    again = pickle.loads(pickle.dumps(model))
    assert again.score(frame) == model.score(frame)
    assert clone(model).get_params() == model.get_params()


def test_weights_are_rows_repeated(frame):
    weights = np.random.default_rng(0).integers(0, 3, len(frame))
    model = BayesianNetworkStructure().fit(frame, sample_weight=weights)
    written = BayesianNetworkStructure().fit(frame.iloc[np.repeat(np.arange(len(frame)), weights)])
    assert model.dag_ == written.dag_
    assert model.score(frame) == pytest.approx(written.score(frame))


def test_grids_and_pipelines():
    rng = np.random.default_rng(0)
    x = rng.normal(size=200)
    X = np.column_stack([x, x + rng.normal(size=200), rng.normal(size=200)])
    model = make_pipeline(StandardScaler(), BayesianNetworkStructure())
    grid = GridSearchCV(
        model,
        {"bayesiannetworkstructure__settings": [{"score": "bic_g"}, {"max_parents": 0}]},
        cv=3,
    ).fit(X)
    assert grid.best_params_["bayesiannetworkstructure__settings"] == {"score": "bic_g"}
    cut = make_pipeline(
        KBinsDiscretizer(3, encode="ordinal", quantile_method="averaged_inverted_cdf"),
        BayesianNetworkStructure(),
    ).fit(X)
    assert cut[-1].network_.kinds["x0"] == "discrete"
    assert cut[-1].dag_.neighbors("x0") == ("x1",)


def test_what_is_wrong_is_refused(frame):
    with pytest.raises(ds.ParameterError, match='unknown search "climb"'):
        BayesianNetworkStructure("climb").fit(frame)
    with pytest.raises(ds.ParameterError, match="settings must be a dict"):
        BayesianNetworkStructure(settings=3).fit(frame)
    with pytest.raises(ds.ParameterError, match="sample_weight must be whole numbers"):
        BayesianNetworkStructure().fit(frame, sample_weight=np.full(len(frame), 0.5))
    model = BayesianNetworkStructure().fit(frame)
    with pytest.raises(ds.DataError, match="never"):
        model.score(pd.DataFrame({x: ["never", "yes"] for x in frame.columns}))


def test_the_example():
    assert doctest.testmod(dagscape.sklearn.structure).failed == 0
