"""The structure of a Bayesian network, as scikit-learn's estimators are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted, validate_data

import dagscape as ds
from dagscape.prediction.structures import SEARCHES, settings_of
from dagscape.sklearn.arrays import column_names, numbers_of, repeated, without_categories
from dagscape.variables import check_name


class BayesianNetworkStructure(BaseEstimator):  # type: ignore[misc]
    """Learn which columns depend on which.

    Columns of words are states, of numbers as :class:`dagscape.Data` has them. `score` is what held
    out rows are worth under the network, so that a grid can choose among scores and searches.

    Parameters
    ----------
    search
        "hill_climb", "exact", "ges", "kes", "learn", "mmhc" or "order_search".
    settings
        A dict of what the search takes: ``{"score": "bdeu", "max_parents": 3}``.
    ess
        Equivalent sample size of the tables, above 0, if each is not to have its own; see
        :func:`dagscape.fit`.
    seed
        For searches that draw.
    threads
        One if not given, since grids and folds run side by side already.

    Attributes
    ----------
    dag_ : dagscape.Dag
        The network; ``dag_.to_cpdag()`` has the edges that the rows can direct.
    result_ : dagscape.Result
        What the search says of it: its score, and what is proven.
    network_ : dagscape.Network
        The network with its tables.
    n_features_in_ : int
    feature_names_in_ : ndarray of str
        If X is a frame whose columns are named by strings.

    Notes
    -----
    Gaps are refused; :func:`dagscape.learn` takes them. For what to trust of a structure, ask
    ``result_`` with search="learn", or :func:`dagscape.posterior`.

    Examples
    --------
    >>> import numpy as np
    >>> from dagscape.sklearn import BayesianNetworkStructure
    >>> rng = np.random.default_rng(0)
    >>> x = rng.normal(size=300)
    >>> X = np.column_stack([x, x + rng.normal(size=300), rng.normal(size=300)])
    >>> BayesianNetworkStructure().fit(X).dag_.neighbors("x0")
    ('x1',)
    """

    dag_: ds.Dag
    result_: ds.Result
    network_: ds.Network
    n_features_in_: int

    def __init__(
        self,
        search: str = "hill_climb",
        *,
        settings: Mapping[str, Any] | None = None,
        ess: float | None = None,
        seed: int = 0,
        threads: int | None = 1,
    ) -> None:
        self.search = search
        self.settings = settings
        self.ess = ess
        self.seed = seed
        self.threads = threads

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> BayesianNetworkStructure:  # noqa: ARG002
        """Learn the structure of the columns of X, and fit its tables.

        Parameters
        ----------
        X : array or frame of shape (n_samples, n_features)
            Numbers, words or both.
        y
            Not looked at: pipelines pass it.
        sample_weight : array of shape (n_samples,)
            How often each row occurs, in whole numbers: the same as rows repeated.
        """
        check_name("search", self.search, tuple(SEARCHES))
        if self.settings is not None and not isinstance(self.settings, Mapping):
            raise ds.ParameterError(f"settings must be a dict, got {self.settings!r}")
        X = validate_data(self, without_categories(X), dtype=None, ensure_min_samples=2)
        if sample_weight is not None:
            X = X[repeated(sample_weight, len(X))]
        data = ds.Data(_columns(column_names(self), X))
        usual = {"seed": self.seed, "threads": self.threads}
        known = settings_of(self.search)
        asked = {name: value for name, value in usual.items() if name in known}
        self.result_ = SEARCHES[self.search](data, **{**asked, **(self.settings or {})})
        if self.result_.stopped == "interrupt":
            raise KeyboardInterrupt
        self.dag_ = self.result_.dag
        self.network_ = ds.fit(self.dag_, data, self.ess)
        return self

    def score(self, X: Any, y: Any = None) -> float:  # noqa: ARG002
        """Return the mean log-likelihood of rows: natural log, higher is better.

        Of numbers, it is that of densities.
        """
        check_is_fitted(self)
        X = validate_data(self, without_categories(X), reset=False, dtype=None)
        numbers = {x: kind for x, kind in self.network_.kinds.items() if kind == "continuous"}
        states = {x: own for x, own in self.network_.states.items() if x not in numbers}
        columns = _columns(list(self.network_.names), X)
        data = ds.Data(columns, kinds=numbers or None, states=states)
        return self.network_.log_likelihood(data) / data.n_rows


def _columns(names: list[str], X: NDArray[Any]) -> dict[str, NDArray[Any]]:
    """Return the columns by name: numbers as such, all else as words."""
    columns = {}
    for name, column in zip(names, X.T, strict=True):
        numbers = numbers_of(name, column)
        columns[name] = np.asarray(column).astype(str) if numbers is None else numbers
    return columns
