"""The selector for scikit-learn: its own checks, pipelines, grids, what it selects and refuses."""

import doctest
import importlib
import sys

import numpy as np
import pandas as pd
import polars as pl
import pytest

import dagscape as ds

pytest.importorskip("sklearn")

from sklearn.base import clone
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import estimator_checks_generator

import dagscape.sklearn.selector
from dagscape.sklearn import MarkovBlanketSelector
from limits import NO_TIME

CHECKS = [
    pytest.param(estimator, check, id=f"{method}-{check.func.__name__}")
    for method in ("sll", "hiton")
    for estimator, check in estimator_checks_generator(MarkovBlanketSelector(method))
]


@pytest.mark.slow
@pytest.mark.parametrize(("estimator", "check"), CHECKS)
def test_scikit_learn_s_own_checks(estimator, check):
    check(estimator)


@pytest.fixture(scope="module")
def alarm():
    return ds.load_network("alarm").sample(2000, seed=1)


@pytest.fixture(scope="module")
def frame(alarm):
    return alarm.to_polars().to_pandas().astype(object)


@pytest.fixture
def noisy():
    """Two of eight columns of numbers decide the class."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(600, 8))
    return X, X[:, 2] + X[:, 5] + rng.normal(scale=0.3, size=600) > 0


class TestWhatIsSelected:
    @pytest.mark.parametrize("method", ["sll", "hiton", "mmpc"])
    def test_the_blanket_of_a_column_of_words(self, alarm, frame, method):
        X = frame.drop(columns="HR")
        selector = MarkovBlanketSelector(method).fit(X, frame["HR"])
        blanket = ds.markov_blanket(alarm, "HR", method=method)
        assert set(selector.get_feature_names_out()) == set(selector.blanket_) == set(blanket)
        assert selector.transform(X).tolist() == X[list(selector.blanket_)].to_numpy().tolist()
        assert (
            selector.set_output(transform="pandas").transform(X).equals(X[list(selector.blanket_)])
        )

    def test_codes_as_floats_and_labels_give_the_same(self, alarm):
        target = alarm.names.index("HR")
        X = np.delete(alarm.codes, target, axis=1)
        y = np.array(alarm.states["HR"])[alarm.codes[:, target]]
        floats = MarkovBlanketSelector().fit(X.astype(float), alarm.codes[:, target].astype(float))
        words = MarkovBlanketSelector().fit(X.astype(str), y)
        names = np.delete(alarm.names, target)
        assert set(names[floats.support_]) == set(ds.markov_blanket(alarm, "HR"))
        assert (floats.support_ == words.support_).all()

    def test_numbers_are_cut_to_learn_from_only(self, noisy):
        X, y = noisy
        selector = MarkovBlanketSelector().fit(X, y)
        assert selector.get_support(indices=True).tolist() == [2, 5]
        assert selector.blanket_ == ("x2", "x5")
        assert (selector.transform(X) == X[:, [2, 5]]).all()

    @pytest.mark.parametrize("library", ["pandas", "polars"])
    def test_a_frame_of_numbers_words_and_categories(self, noisy, library):
        X, y = noisy
        rng = np.random.default_rng(2)
        word = np.where(y ^ (rng.random(600) < 0.1), "up", "down")
        frame = pl.DataFrame({"a": X[:, 0], "b": X[:, 2], "c": word, "d": rng.random(600) < 0.5})
        frame = frame.with_columns(pl.col("c").cast(pl.Enum(["up", "down", "unseen"])))
        given = frame.to_pandas() if library == "pandas" else frame
        selector = MarkovBlanketSelector().fit(given, y)
        assert selector.support_.tolist() == [False, True, True, False]
        if library == "pandas":
            kept = selector.set_output(transform="pandas").transform(given)
            assert kept.equals(given[["b", "c"]])

    @pytest.mark.parametrize("discretize", ["median", ("width", 4), ("quantile", 5)])
    def test_the_cuts_are_the_package_s(self, noisy, discretize):
        X, y = noisy
        table = {**{f"x{i}": X[:, i] for i in range(8)}, "y": y}
        cuts = {f"x{i}": discretize for i in range(8)}
        blanket = ds.markov_blanket(ds.Data(table, discretize=cuts), "y")
        assert MarkovBlanketSelector(discretize=discretize).fit(X, y).blanket_ == blanket

    def test_a_target_of_numbers(self, noisy):
        X, _ = noisy
        y = np.round(100 * (X[:, 1] + X[:, 6]))  # whole, but no names of classes
        assert MarkovBlanketSelector().fit(X, y).get_support(indices=True).tolist() == [1, 6]

    def test_many_classes_are_classes(self):
        """Cut at thirds, 12 classes would lose what tells an even one from an odd one."""
        rng = np.random.default_rng(1)
        y = rng.integers(0, 12, 2000)
        X = np.stack([y % 2, rng.integers(0, 2, 2000)], axis=1)
        assert MarkovBlanketSelector(min_features=0).fit(X, y).support_.tolist() == [True, False]

    def test_column_order_and_a_column_called_y(self, frame):
        X = frame.drop(columns="HR").rename(columns={"CO": "y", "HRBP": "y_"})
        found = MarkovBlanketSelector().fit(X, frame["HR"])
        turned = MarkovBlanketSelector().fit(X[X.columns[::-1]], frame["HR"])
        assert {"y", "y_"} <= set(found.blanket_) == set(turned.blanket_)

    def test_at_least_so_many(self, noisy):
        X, _ = noisy
        y = np.arange(600) % 2  # nothing tells anything about it
        assert MarkovBlanketSelector().fit(X, y).support_.sum() == 1
        assert MarkovBlanketSelector(min_features=3).fit(X, y).support_.sum() == 3
        assert MarkovBlanketSelector(min_features=99).fit(X, y).support_.all()
        none = MarkovBlanketSelector(min_features=0).fit(X, y)
        assert none.blanket_ == ()
        with pytest.warns(UserWarning, match="No features were selected"):
            assert none.transform(X).shape == (600, 0)

    def test_what_is_added_tells_most_alone(self, noisy):
        X, y = noisy
        found = MarkovBlanketSelector(alpha=1e-200, method="hiton").fit(X, y)
        assert found.blanket_ == ()
        assert found.get_support(indices=True).tolist() in ([2], [5])


class TestInAPipeline:
    def test_it_predicts(self, noisy):
        X, y = noisy
        chain = make_pipeline(StandardScaler(), MarkovBlanketSelector(), GaussianNB())
        chain.fit(X[:400], y[:400])
        assert chain[:-1].transform(X).shape == (600, 2)
        assert chain.score(X[400:], y[400:]) > 0.9

    def test_a_grid_finds_its_way(self, noisy):
        X, y = noisy
        chain = make_pipeline(MarkovBlanketSelector(), GaussianNB())
        grid = {
            "markovblanketselector__criterion": [ds.BDeu(ess=1.0), "bic"],
            "markovblanketselector__discretize": ["median", ("quantile", 4)],
        }
        search = GridSearchCV(chain, grid, cv=2, error_score="raise").fit(X, y)
        assert search.best_estimator_[0].support_.tolist() == [i in (2, 5) for i in range(8)]

    def test_a_clone_is_asked_the_same(self):
        asked = MarkovBlanketSelector("hiton", alpha=0.01, discretize=("width", 4))
        assert clone(asked).get_params() == asked.get_params()


class TestLimits:
    def test_time_gives_what_is_found(self, frame):
        X = frame.drop(columns="HR")
        found = MarkovBlanketSelector(time_limit=NO_TIME).fit(X, frame["HR"])
        assert found.blanket_.stopped == "time"
        assert found.support_.sum() >= 1

    def test_interrupt_ends_the_pipeline(self, noisy, monkeypatch):
        learn = ds.markov_blanket

        def interrupt(*_):
            raise KeyboardInterrupt

        monkeypatch.setattr(
            ds, "markov_blanket", lambda *a, **k: learn(*a, **k, progress=interrupt)
        )
        with pytest.raises(KeyboardInterrupt):
            MarkovBlanketSelector().fit(*noisy)


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ({"method": "hitom"}, 'unknown method "hitom"; did you mean "hiton"'),
        ({"criterion": "k2"}, "sll needs a score that equivalent networks share"),
        ({"alpha": 0.1}, "alpha is for hiton and mmpc, and the method is sll"),
        ({"discretize": "third"}, "discretize must be None"),
        ({"max_states": 0}, "max_states must be a whole number from 1 up, got 0"),
        ({"min_features": True}, "min_features must be a whole number from 0 up, got True"),
    ],
)
def test_refusals_are_one_sentence(noisy, asked, says):
    with pytest.raises(ds.ParameterError, match=says):
        MarkovBlanketSelector(**asked).fit(*noisy)


def test_what_is_no_table(noisy):
    X, y = noisy
    with pytest.raises(ValueError, match="NaN"):
        MarkovBlanketSelector().fit(pd.DataFrame(X).where(X < 2), y)
    with pytest.raises(ValueError, match="requires y"):
        MarkovBlanketSelector().fit(X, None)
    odd = X.astype(object)
    odd[3, 1] = [1, 2]
    with pytest.raises(TypeError, match=r'"x1" has \[1, 2\]; the argument must be a string or a'):
        MarkovBlanketSelector().fit(odd, y)


def test_the_example():
    assert doctest.testmod(dagscape.sklearn.selector) == (0, 6)


def test_without_scikit_learn(monkeypatch):
    monkeypatch.setitem(sys.modules, "sklearn.base", None)
    monkeypatch.delitem(sys.modules, "dagscape.sklearn")
    with pytest.raises(ImportError, match=r'pip install "dagscape\[sklearn\]"'):
        importlib.import_module("dagscape.sklearn")
