"""The Markov blanket of the target: a selector of columns."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.feature_selection import SelectorMixin
from sklearn.utils.validation import check_is_fitted, validate_data

import dagscape as ds
from dagscape.search import LocalSet
from dagscape.sklearn.arrays import (
    Column,
    check_count,
    column_names,
    numbers_of,
    target_name,
    without_categories,
)

ROWS_PER_CLASS = 10
"""Rows that each whole number of a target has on average if they are names of classes."""


class MarkovBlanketSelector(SelectorMixin, BaseEstimator):  # type: ignore[misc]
    """Select the columns that make up the Markov blanket of the target.

    Given these, the others add no information about it. How many there are is learned, not chosen.
    What is selected is returned as it came: columns of numbers are cut to learn from, in `fit`, and
    only there.

    Parameters
    ----------
    method
        "sll", by a score; "hiton" or "mmpc", by tests. See :func:`dagscape.neighbors`, also for
        `order`, `max_parents` and `exact_limit` (of sll), `alpha`, `max_conditioning`,
        `rows_per_cell` and `degrees` (of tests), `time_limit` and `max_memory`. None stands for the
        default there.
    criterion
        The score of sll, BIC if not given; ``score`` is a method's name in scikit-learn.
    discretize
        How columns of many different numbers are cut: "mean", "median", ("quantile", k) or
        ("width", k); None to take each number as a state.
    max_states
        A column with more different numbers than this is cut. Words never are. In the target, whole
        numbers are names of classes if there are at least 10 rows for each on average.
    min_features
        If the blanket has fewer columns, those that by themselves say most about the target, by the
        criterion (BIC for tests), are added: with no column at all the next step of a pipeline
        would fail.
    threads
        One if not given, since grids and folds run side by side already.

    Attributes
    ----------
    support_ : ndarray of bool
        Which columns are selected.
    blanket_ : dagscape.LocalSet
        The names of the blanket, without what `min_features` adds, and how it was found. Columns
        without names are called x0, x1, ...
    n_features_in_ : int
    feature_names_in_ : ndarray of str
        If X is a frame whose columns are named by strings.

    Notes
    -----
    Missing values are refused: fill them in a step before. Ctrl-C ends `fit` as it ends any other
    step; a limit gives what is found by then, and ``blanket_.stopped`` says so.

    The blanket is the best choice for predicting from a table with enough rows; with few rows, one
    that is tuned for the classifier may predict better.

    Examples
    --------
    >>> import numpy as np
    >>> from dagscape.sklearn import MarkovBlanketSelector
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(500, 4))
    >>> y = X[:, 1] + X[:, 3] > 0
    >>> MarkovBlanketSelector().fit(X, y).get_support(indices=True)
    array([1, 3])
    """

    support_: NDArray[np.bool_]
    blanket_: LocalSet
    n_features_in_: int

    def __init__(
        self,
        method: str = "sll",
        *,
        criterion: ds.Score | str | None = None,
        order: str | None = None,
        max_parents: int | None = None,
        exact_limit: int | None = None,
        alpha: float | None = None,
        max_conditioning: int | None = None,
        rows_per_cell: float | None = None,
        degrees: str | None = None,
        discretize: str | tuple[str, int] | None = ("quantile", 3),
        max_states: int = 10,
        min_features: int = 1,
        time_limit: float | None = None,
        max_memory: float | None = None,
        threads: int | None = 1,
    ) -> None:
        self.method = method
        self.criterion = criterion
        self.order = order
        self.max_parents = max_parents
        self.exact_limit = exact_limit
        self.alpha = alpha
        self.max_conditioning = max_conditioning
        self.rows_per_cell = rows_per_cell
        self.degrees = degrees
        self.discretize = discretize
        self.max_states = max_states
        self.min_features = min_features
        self.time_limit = time_limit
        self.max_memory = max_memory
        self.threads = threads

    def fit(self, X: Any, y: Any) -> MarkovBlanketSelector:
        """Learn the Markov blanket of y among the columns of X.

        Parameters
        ----------
        X : array or frame of shape (n_samples, n_features)
            Numbers, words or both.
        y : array of shape (n_samples,)
            Classes, or numbers that are cut.
        """
        check_count("max_states", self.max_states, 1)
        check_count("min_features", self.min_features, 0)
        X, y = validate_data(self, without_categories(X), y, dtype=None, ensure_min_samples=2)
        names = column_names(self)
        target = target_name(names)
        data = self._table(dict(zip(names, X.T, strict=True)), target, y)
        found: Any = ds.markov_blanket(
            data,
            target,
            method=self.method,
            score=self.criterion,
            order=self.order,
            max_parents=self.max_parents,
            exact_limit=self.exact_limit,
            alpha=self.alpha,
            max_conditioning=self.max_conditioning,
            rows_per_cell=self.rows_per_cell,
            degrees=self.degrees,
            time_limit=self.time_limit,
            max_memory=self.max_memory,
            threads=self.threads,
        )
        if found.stopped == "interrupt":
            raise KeyboardInterrupt  # the whole pipeline is to end, not this step
        chosen = set(found)
        if len(chosen) < self.min_features:
            kind = "bic" if self.criterion is None else self.criterion
            others = [name for name in names if name not in chosen]
            alone = {name: ds.local_score(data, target, [name], score=kind) for name in others}
            best = sorted(others, key=lambda name: (-alone[name], name))
            chosen.update(best[: self.min_features - len(chosen)])
        self.blanket_ = found
        self.support_ = np.array([name in chosen for name in names])
        return self

    def _table(self, columns: dict[str, Column], target: str, y: Column) -> ds.Data:
        """Return columns and target as states, many different numbers cut."""
        rule = self.discretize
        codes, sizes, cut = {}, {}, {}
        for name, values in {**columns, target: y}.items():
            numbers = numbers_of(name, values)
            different, codes[name] = np.unique(
                values.astype(str) if numbers is None else numbers, return_inverse=True
            )
            sizes[name] = len(different)
            if numbers is None or rule is None or len(different) <= self.max_states:
                continue
            if name == target and _names_classes(numbers, len(different)):
                continue
            cut[name] = numbers
        if cut and rule is not None:
            made = ds.Data(cut, discretize=dict.fromkeys(cut, rule))
            codes |= dict(zip(made.names, made.codes.T, strict=True))
            sizes |= made.arities
        states = {name: [str(i) for i in range(size)] for name, size in sizes.items()}
        return ds.Data.from_codes(np.stack(list(codes.values()), axis=1), states)

    def _get_support_mask(self) -> NDArray[np.bool_]:
        check_is_fitted(self)
        return self.support_

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags


def _names_classes(numbers: NDArray[np.float64], different: int) -> bool:
    return len(numbers) >= ROWS_PER_CLASS * different and bool((numbers % 1 == 0).all())
