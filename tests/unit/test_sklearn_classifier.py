"""The classifier for scikit-learn: its own checks, what it predicts, gaps, what it refuses."""

import doctest
import pickle

import numpy as np
import pandas as pd
import pytest

import dagscape as ds

pytest.importorskip("sklearn")

from sklearn.base import clone
from sklearn.feature_selection import SelectKBest
from sklearn.metrics import log_loss
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import estimator_checks_generator

import dagscape.sklearn.classifier
from dagscape.prediction.structures import naive, tree_augmented
from dagscape.sklearn import BayesianNetworkClassifier

CHECKS = [
    pytest.param(estimator, check, id=f"{structure}-{check.func.__name__}")
    for structure in ("naive", "tan", "hill_climb")
    for estimator, check in estimator_checks_generator(BayesianNetworkClassifier(structure))
]


@pytest.mark.slow
@pytest.mark.parametrize(("estimator", "check"), CHECKS)
def test_scikit_learn_s_own_checks(estimator, check):
    check(estimator)


@pytest.fixture(scope="module")
def asia():
    return ds.load_network("asia").sample(1500, seed=1)


@pytest.fixture(scope="module")
def frame(asia):
    return asia.to_polars().to_pandas().astype(object)


@pytest.fixture
def noisy():
    """Two of six columns of numbers decide the class."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(800, 6))
    return X, X[:, 2] + X[:, 5] + rng.normal(scale=0.3, size=800) > 0


def as_target(data, target="dysp"):
    """The table with its target called y, and states in the order of their names."""
    frame = data.to_polars().to_pandas().astype(str).rename(columns={target: "y"})
    return ds.Data(frame, states={x: sorted(set(frame[x])) for x in frame})


class TestWhatIsPredicted:
    @pytest.mark.parametrize(
        ("structure", "graph"),
        [
            ("naive", lambda data: naive(data, "y")),
            ("tan", lambda data: tree_augmented(data, "y")),
            ("exact", lambda data: ds.exact(data).dag),
            ("hill_climb", lambda data: ds.hill_climb(data).dag),
        ],
    )
    def test_it_is_the_fitted_network_s_answer(self, asia, frame, structure, graph):
        X, y = frame.drop(columns="dysp"), frame["dysp"]
        model = BayesianNetworkClassifier(structure, ess=2.0).fit(X, y)
        data = as_target(asia)
        net = ds.fit(graph(data), data, ess=2.0)
        assert model.network_.dag == net.dag
        assert np.allclose(model.predict_proba(X), net.predict_proba(data, "y"), rtol=1e-12)
        assert list(model.classes_) == list(net.states["y"]) == ["no", "yes"]
        assert (model.predict(X) == net.predict(data, "y")).all()

    def test_a_tree_beats_naive_where_columns_depend_on_each_other(self):
        rng = np.random.default_rng(4)
        a, b = rng.integers(0, 2, (2, 2000))
        y = np.where(rng.random(2000) < 0.9, a ^ b, 1 - (a ^ b))
        X = np.stack([a, b], axis=1)
        scores = {s: BayesianNetworkClassifier(s).fit(X, y).score(X, y) for s in ("naive", "tan")}
        assert scores["naive"] < 0.65
        assert scores["tan"] > 0.85

    def test_numbers_are_cut_where_the_network_says(self, noisy):
        X, y = noisy
        model = BayesianNetworkClassifier(discretize=("quantile", 4)).fit(X, y)
        labels = model.network_.states["x2"]
        cuts = [float(label.split(",")[-1].strip("<=(]>")) for label in labels[:-1]]
        assert len(labels) == 4
        assert np.allclose(cuts, np.quantile(X[:, 2], [0.25, 0.5, 0.75]), atol=0.02)
        only = np.full((4, 6), np.nan)
        only[:, 2] = [-50, cuts[0], np.nextafter(cuts[0], 9), 50]
        expected = [model.network_.query("y", given={"x2": labels[k]}).array for k in (0, 0, 1, 3)]
        assert np.allclose(model.predict_proba(only), expected)
        assert model.score(X, y) > 0.8

    def test_a_column_called_y(self, frame):
        X = frame.drop(columns="dysp").rename(columns={"either": "y"})
        model = BayesianNetworkClassifier().fit(X, frame["dysp"])
        assert model.target_ == "y_"
        assert set(model.network_.names) == {*X.columns, "y_"}

    @pytest.mark.slow
    def test_classes_come_back_as_they_were(self, noisy):
        X, y = noisy
        for classes in ([3, -1], [2.0, 1.0], ["b", "a"], [True, False]):
            named = np.array(classes)[y.astype(int)]
            found = BayesianNetworkClassifier("naive").fit(X, named).predict(X)
            assert found.dtype == named.dtype
            assert set(found) == set(named)

    def test_pickles_clones_and_frames(self, frame):
        X, y = frame.drop(columns="dysp"), frame["dysp"]
        model = BayesianNetworkClassifier("exact", settings={"max_parents": 2}).fit(X, y)
        again = pickle.loads(pickle.dumps(model))
        assert (again.predict_proba(X) == model.predict_proba(X)).all()
        fresh = clone(model).fit(X.astype("category"), y.astype("category"))
        assert (fresh.predict_proba(X) == model.predict_proba(X)).all()


class TestGaps:
    def test_what_is_missing_is_summed_out(self, frame):
        X, y = frame.drop(columns="dysp"), frame["dysp"]
        model = BayesianNetworkClassifier().fit(X, y)
        gappy = X.iloc[:50].mask(np.random.default_rng(3).random((50, X.shape[1])) < 0.4)
        found = model.predict_proba(gappy)
        for row, (_, cells) in zip(found, gappy.iterrows(), strict=True):
            expected = model.network_.query("y", given=cells.dropna().to_dict())
            assert np.allclose(row, expected.array)

    @pytest.mark.parametrize("gap", [None, np.nan, pd.NA])
    def test_all_kinds_of_gaps_and_words_never_seen(self, frame, gap):
        X, y = frame.drop(columns="dysp"), frame["dysp"]
        model = BayesianNetworkClassifier().fit(X, y)
        row = X.iloc[[0]].astype(object)
        row["smoke"], other = gap, row.copy()
        other["smoke"] = "sometimes"
        known = row.drop(columns="smoke").iloc[0].to_dict()
        expected = model.network_.query("y", given=known).array
        assert np.allclose(model.predict_proba(row), [expected])
        assert np.allclose(model.predict_proba(other), [expected])

    def test_a_number_never_seen_and_an_empty_row(self):
        X = np.array([[0.0], [1.0]] * 20)
        y = np.array([0, 1] * 19 + [0, 0])
        model = BayesianNetworkClassifier("naive").fit(X, y)
        alone = model.network_.query("y").array
        assert np.allclose(model.predict_proba([[7.0], [np.nan]]), [alone, alone])

    def test_each_table_is_fitted_to_the_rows_that_have_it(self, frame):
        X, y = frame.drop(columns="dysp"), frame["dysp"]
        gappy = X.mask(np.random.default_rng(5).random(X.shape) < 0.05)
        model = BayesianNetworkClassifier("tan").fit(gappy, y)
        full = gappy.notna().all(axis=1)
        complete = BayesianNetworkClassifier("tan").fit(gappy[full], y[full])
        assert model.network_.dag == complete.network_.dag
        for x in model.network_.names:
            family = [*model.network_.dag.parents(x), x]
            own = gappy.assign(y=y)[family].dropna()
            states = {v: model.network_.states[v] for v in family}
            alone = ds.Dag(family, [(p, x) for p in family[:-1]])
            expected = ds.fit(alone, ds.Data(own, states=states)).table(x)
            assert np.allclose(model.network_.table(x), expected)

    def test_a_column_without_values_is_left_out(self, noisy):
        X, y = noisy
        X = X.copy()
        X[:, 1] = np.nan
        model = BayesianNetworkClassifier().fit(X, y)
        assert "x1" not in model.network_.names
        assert model.score(X, y) > 0.8


class TestInScikitLearn:
    def test_grids_and_pipelines(self, noisy):
        X, y = noisy
        model = make_pipeline(SelectKBest(k=3), BayesianNetworkClassifier("naive"))
        grid = GridSearchCV(
            model,
            {"bayesiannetworkclassifier__discretize": ["median", ("quantile", 4)]},
            scoring="neg_log_loss",
            cv=3,
        ).fit(X, y)
        assert grid.best_params_["bayesiannetworkclassifier__discretize"] == ("quantile", 4)

    @pytest.mark.slow
    def test_cross_validation_is_the_package_s(self, asia, frame):
        data = as_target(asia)
        cv = ds.cross_validate(data, "y", "tan", folds=5)
        pairs = [(np.flatnonzero(cv.fold != k), np.flatnonzero(cv.fold == k)) for k in range(5)]
        X, y = frame.drop(columns="dysp"), frame["dysp"]
        by_fold = cross_val_score(
            BayesianNetworkClassifier("tan"), X, y, cv=pairs, scoring="neg_log_loss"
        )
        assert np.allclose(-by_fold, cv.log_loss.by_fold)
        assert cv.log_loss.mean == pytest.approx(log_loss(y, cv.probabilities))

    def test_interrupt_ends_the_pipeline(self, noisy):
        from dataclasses import replace

        def interrupted(data):
            return replace(ds.hill_climb(data), stopped="interrupt")

        with pytest.raises(KeyboardInterrupt):
            BayesianNetworkClassifier(interrupted).fit(*noisy)


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ({"structure": "tam"}, 'unknown structure "tam"; did you mean "tan"'),
        ({"structure": "tan", "settings": {"score": "bic"}}, "tan has no setting score"),
        ({"settings": 3}, "settings must be a dict, got 3"),
        ({"settings": {3: None}}, "settings must be named by words, got 3"),
        ({"structure": "ges", "settings": {"restarts": 3}}, "ges has no setting restarts"),
        ({"ess": 0}, "ess must be a number above 0, got 0"),
        ({"discretize": "third"}, "discretize must be None"),
        ({"max_states": 0}, "max_states must be a whole number from 1 up, got 0"),
        ({"structure": ds.Dag(["x0", "x1"])}, 'the graph has no variable "y", the class'),
        ({"structure": ds.Dag(["y", "z"])}, 'the graph has a variable "z" that X does not have'),
        ({"structure": ds.Dag(["y"])}, "the graph has no variable besides the class"),
    ],
)
def test_refusals_are_one_sentence(noisy, asked, says):
    with pytest.raises(ds.ParameterError, match=says):
        BayesianNetworkClassifier(**asked).fit(*noisy)


def test_what_is_no_table(noisy):
    X, y = noisy
    with pytest.raises(ValueError, match="infinity"):
        BayesianNetworkClassifier().fit(np.where(X > 2, np.inf, X), y)
    with pytest.raises(ds.DataError, match="every cell is missing"):
        BayesianNetworkClassifier().fit(np.full_like(X, np.nan), y)
    holes = X.copy()
    holes[np.arange(800), np.arange(800) % 6] = np.nan
    with pytest.raises(ds.DataError, match="X has no row without gaps to learn a structure from"):
        BayesianNetworkClassifier().fit(holes, y)
    model = BayesianNetworkClassifier().fit(X, y)
    with pytest.raises(ds.DataError, match='"x0" has words; it had numbers'):
        model.predict(np.full((1, 6), "red", dtype=object))


def test_the_example():
    assert doctest.testmod(dagscape.sklearn.classifier) == (0, 7)


class TestSeveralCuts:
    def test_their_probabilities_are_pooled(self, noisy):
        X, y = noisy
        rules = [("quantile", 3), "median"]
        model = BayesianNetworkClassifier("naive", discretize=rules).fit(X, y)
        alone = [BayesianNetworkClassifier("naive", discretize=r).fit(X, y) for r in rules]
        assert len(model.networks_) == 2
        assert model.network_ is model.networks_[0]
        expected = np.sqrt(alone[0].predict_proba(X[:20]) * alone[1].predict_proba(X[:20]))
        expected /= expected.sum(axis=1, keepdims=True)
        assert np.allclose(model.predict_proba(X[:20]), expected)

    def test_one_network_is_made_where_nothing_is_cut(self, frame):
        model = BayesianNetworkClassifier("naive").fit(frame.drop(columns="dysp"), frame["dysp"])
        assert len(model.networks_) == 1

    def test_weights_are_rows_repeated(self, noisy):
        X, y = noisy
        weights = np.random.default_rng(1).integers(0, 3, len(y))
        model = BayesianNetworkClassifier("naive").fit(X, y, sample_weight=weights)
        chosen = np.repeat(np.arange(len(y)), weights)
        written = BayesianNetworkClassifier("naive").fit(X[chosen], y[chosen])
        assert np.allclose(model.predict_proba(X), written.predict_proba(X))

    @pytest.mark.parametrize("weights", [0.5, -1.0, np.nan])
    def test_weights_that_are_no_numbers_of_rows_are_refused(self, noisy, weights):
        X, y = noisy
        with pytest.raises(ds.ParameterError, match="sample_weight must be whole numbers"):
            BayesianNetworkClassifier().fit(X, y, sample_weight=np.full(len(y), weights))

    def test_no_rule_is_refused(self, noisy):
        with pytest.raises(ds.ParameterError, match="one rule at least"):
            BayesianNetworkClassifier(discretize=[]).fit(*noisy)
