"""A Bayesian network as a classifier."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np
import polars as pl
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

import dagscape as ds
from dagscape.prediction.structures import Structure, StructureMaker, settings_of, structure_maker
from dagscape.sklearn.arrays import (
    GAP,
    SEVERAL,
    ColumnStates,
    Rules,
    check_count,
    column_names,
    learn_states,
    repeated,
    rules_of,
    target_name,
    usable_labels,
    without_categories,
)

Codes = NDArray[np.intp]

LEAST = 1e-300
"""A probability of 0 is taken for this one, so that one network alone rules no class out."""


class BayesianNetworkClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Predict classes by a Bayesian network.

    A structure is learned and fitted; the class of a row is the most probable one given its other
    values. Values that are missing (NaN, None) are summed out, and so are values that were never
    seen in `fit`.

    Parameters
    ----------
    structure
        The name of a search, which takes the class for a variable like any other:
        "hill_climb", "exact", "ges", "kes", "learn", "mmhc", "order_search". "naive": the class is
        the one parent of every column. "tan": beside that, the tree of arcs among the columns
        that makes the data most likely. Or a function that takes a :class:`dagscape.Data`, in which
        the class is called "y", and returns a result or a graph; or such a graph.
    settings
        A dict of what the search takes: ``{"score": "bdeu", "max_parents": 3}``.
    ess
        Equivalent sample size of the tables, above 0, if each is not to have its own; see
        :func:`dagscape.fit`.
    discretize
        How columns of many different numbers are cut: "mean", "median", ("quantile", k) or
        ("width", k); None to take each number as a state. A list of such rules makes a network for
        each, since what one cut hides another shows, and probabilities are their geometric mean
        (Genest and Zidek 1986), which is less timid than the mean; "several" is a list of
        quantiles: 5, 2, 3, 4, 6 and 8. Where no column is cut, there is one network.
    max_states
        A column with more different numbers than this is cut. Words never are.
    seed
        For searches that draw.
    max_memory
        Bytes for predictions; by default 70 % of what is free.
    threads
        One if not given, since grids and folds run side by side already.

    Attributes
    ----------
    classes_ : ndarray
        The classes, in the order of the columns of `predict_proba`.
    network_ : dagscape.Network
        The network of the first rule, with the states that columns were given; ask it what you
        like.
    networks_ : list of dagscape.Network
        All of them.
    target_ : str
        The name of the class in it: "y", with "_" behind it if a column has that name.
    n_features_in_ : int
    feature_names_in_ : ndarray of str
        If X is a frame whose columns are named by strings.

    Notes
    -----
    Rows with gaps can be learned from. The structure is learned from the rows without any; each
    table is fitted to the rows that have all of its variables. That is sound if what is missing
    is missing by chance. A column that has no value at all is left out.

    Ctrl-C ends `fit` as it ends any other step.

    Source of "tan": Friedman, Geiger and Goldszmidt, Bayesian network classifiers, Machine
    Learning 1997.

    Examples
    --------
    >>> import numpy as np
    >>> from dagscape.sklearn import BayesianNetworkClassifier
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(500, 4))
    >>> y = np.where(X[:, 1] + X[:, 3] > 0, "yes", "no")
    >>> model = BayesianNetworkClassifier().fit(X, y)
    >>> model.predict([[0, 2, 0, 1], [0, -2, np.nan, np.nan]])
    array(['yes', 'no'], dtype='<U3')
    """

    classes_: NDArray[Any]
    network_: ds.Network
    networks_: list[ds.Network]
    target_: str
    n_features_in_: int

    def __init__(
        self,
        structure: Structure = "hill_climb",
        *,
        settings: Mapping[str, Any] | None = None,
        ess: float | None = None,
        discretize: Rules = SEVERAL,
        max_states: int = 10,
        seed: int = 0,
        max_memory: float | None = None,
        threads: int | None = 1,
    ) -> None:
        self.structure = structure
        self.settings = settings
        self.ess = ess
        self.discretize = discretize
        self.max_states = max_states
        self.seed = seed
        self.max_memory = max_memory
        self.threads = threads

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> BayesianNetworkClassifier:
        """Learn a network of the columns of X and the class.

        Parameters
        ----------
        X : array or frame of shape (n_samples, n_features)
            Numbers, words or both; NaN and None are gaps.
        y : array of shape (n_samples,)
            Classes.
        sample_weight : array of shape (n_samples,)
            How often each row occurs, in whole numbers: the same as rows repeated.
        """
        rules = rules_of(self.discretize)
        check_count("max_states", self.max_states, 1)
        if self.ess is not None and (
            isinstance(self.ess, bool) or not isinstance(self.ess, int | float) or self.ess <= 0
        ):
            raise ds.ParameterError(f"ess must be a number above 0, got {self.ess!r}")
        X, y = validate_data(
            self,
            without_categories(X),
            y,
            dtype=None,
            ensure_all_finite="allow-nan",
            ensure_min_samples=2,
        )
        check_classification_targets(y)
        if sample_weight is not None:
            chosen = repeated(sample_weight, len(y))
            X, y = X[chosen], y[chosen]
        names = column_names(self)
        self.target_ = target_name(names)
        make = structure_maker(self.structure, self.target_, self._settings(), self.seed)
        self.classes_, classes = np.unique(y, return_inverse=True)
        self._cut: list[list[ColumnStates]] = []
        self.networks_ = []
        for rule in rules:
            columns = [
                learn_states(name, column, rule, self.max_states)
                for name, column in zip(names, X.T, strict=True)
            ]
            labels = [column.labels for column in columns]
            if all(labels != [column.labels for column in other] for other in self._cut):
                self._cut.append(columns)
                self.networks_.append(self._learned(columns, X, classes, make))
        self.network_ = self.networks_[0]
        return self

    def _learned(
        self, columns: list[ColumnStates], X: NDArray[Any], classes: Codes, make: StructureMaker
    ) -> ds.Network:
        """Return the network of columns with these states."""
        states = {column.name: column.labels for column in columns if column.labels}
        if not states:
            raise ds.DataError("X has no values: every cell is missing")
        states[self.target_] = usable_labels([str(name) for name in self.classes_])
        codes = np.column_stack([*_codes(columns, X), classes])
        dag = make(_complete(codes, states))
        self._check(dag, states)
        return _fit(dag, codes, states, self.ess)

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Return the probability of each class, a column each, for each row."""
        check_is_fitted(self)
        X = validate_data(
            self, without_categories(X), reset=False, dtype=None, ensure_all_finite="allow-nan"
        )
        answers = [
            self._answer(columns, network, X)
            for columns, network in zip(self._cut, self.networks_, strict=True)
        ]
        return answers[0] if len(answers) == 1 else pooled(answers)

    def _answer(
        self, columns: list[ColumnStates], network: ds.Network, X: NDArray[Any]
    ) -> NDArray[np.float64]:
        """Return what one of the networks says."""
        seen = [column for column in columns if column.labels]
        rows = {
            column.name: _labeled(column, codes)
            for column, codes in zip(seen, _codes(columns, X), strict=True)
        }
        found = network.predict_proba(
            pl.DataFrame(rows), self.target_, threads=self.threads, max_memory=self.max_memory
        )
        return np.asarray(found)

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the most probable class of each row; of equals, the first."""
        probabilities = self.predict_proba(X)
        return np.asarray(self.classes_[probabilities.argmax(axis=1)])

    def _settings(self) -> dict[str, Any]:
        """Return what the search is told."""
        if self.settings is not None and not isinstance(self.settings, Mapping):
            raise ds.ParameterError(f"settings must be a dict, got {self.settings!r}")
        asked = dict(self.settings or {})
        if odd := [name for name in asked if not isinstance(name, str)]:
            raise ds.ParameterError(f"settings must be named by words, got {odd[0]!r}")
        if isinstance(self.structure, str) and "threads" in settings_of(self.structure):
            asked.setdefault("threads", self.threads)
        return asked

    def _check(self, dag: ds.Dag, known: Collection[str]) -> None:
        """Refuse a graph that is not about these columns."""
        if self.target_ not in dag.names:
            raise ds.ParameterError(f'the graph has no variable "{self.target_}", the class')
        if odd := [x for x in dag.names if x not in known]:
            raise ds.ParameterError(f'the graph has a variable "{odd[0]}" that X does not have')
        if len(dag.names) < 2:
            raise ds.ParameterError("the graph has no variable besides the class")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags


def pooled(answers: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
    """Return the geometric mean of probabilities, which add up to 1 in each row."""
    logs = np.log(np.maximum(answers, LEAST)).mean(axis=0)
    shares = np.exp(logs - logs.max(axis=1, keepdims=True))
    return np.asarray(shares / shares.sum(axis=1, keepdims=True))


def _codes(columns: list[ColumnStates], X: NDArray[Any]) -> list[Codes]:
    """Return the states of each column that has any."""
    both = zip(columns, X.T, strict=True)
    return [column.codes(values) for column, values in both if column.labels]


def _complete(codes: Codes, states: Mapping[str, tuple[str, ...]]) -> ds.Data:
    """Return the rows without gaps."""
    full = codes[(codes != GAP).all(axis=1)]
    if not len(full):
        raise ds.DataError(
            "X has no row without gaps to learn a structure from; fill them in a step before, or "
            "leave out the columns that have most"
        )
    return ds.Data.from_codes(full, states)


def _fit(
    dag: ds.Dag, codes: Codes, states: Mapping[str, tuple[str, ...]], ess: float | None
) -> ds.Network:
    """Fit each table to the rows that have all of its variables."""
    place = {x: i for i, x in enumerate(states)}
    tables = {}
    for x in dag.names:
        family = (*dag.parents(x), x)
        own = codes[:, [place[v] for v in family]]
        own = own[(own != GAP).all(axis=1)]
        labels = {v: states[v] for v in family}
        if len(own):
            alone = ds.Dag(family, [(parent, x) for parent in family[:-1]])
            tables[x] = ds.fit(alone, ds.Data.from_codes(own, labels), ess).table(x)
        else:
            shape = tuple(map(len, labels.values()))
            tables[x] = np.full(shape, 1.0 / shape[-1])
    return ds.Network(dag, {x: states[x] for x in dag.names}, tables)


def _labeled(column: ColumnStates, codes: Codes) -> pl.Series:
    """Return codes as labels, and nothing where there is a gap."""
    levels = pl.Series(column.name, [*column.labels, None], dtype=pl.Enum(column.labels))
    return levels.gather(np.where(codes == GAP, len(column.labels), codes))
