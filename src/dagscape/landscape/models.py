"""Many models of the same variables: which features they share, and how far to trust each."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from numbers import Real
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias, cast

import numpy as np
import polars as pl

from dagscape import _core
from dagscape.errors import DagscapeError, ParameterError
from dagscape.files.result_frames import as_frame
from dagscape.graphs import Cpdag, Dag, GraphLike, as_dag
from dagscape.landscape.graph_features import (
    KINDS,
    Features,
    Graphs,
    Numbers,
    Shares,
    count_features,
    strengths,
)
from dagscape.networks import Network
from dagscape.results import Result
from dagscape.shows_itself import ShowsItself
from dagscape.speech import setting
from dagscape.variables import Variables, check_name
from dagscape.words import counted

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from dagscape.report import Models
    from dagscape.stores.runs import RunGraph

THRESHOLDS = tuple(r / 20 for r in range(1, 21))
"""The paper's: 0.05, 0.1, ... 1."""


@dataclass(frozen=True, slots=True, repr=False)
class Optimum:
    """A class of equivalent networks that runs ended at. Immutable."""

    score: float
    """Natural log, higher is better."""
    visits: int
    """How many runs ended here."""
    first_run: int
    """The number of the first of them, from 0."""
    _code: bytes
    _variables: Variables = field(compare=False)

    @property
    def cpdag(self) -> Cpdag:
        """The essential graph of the class."""
        variables = self._variables
        return Cpdag._wrap(variables, _core.decode_graph(len(variables), self._code))

    @property
    def dag(self) -> Dag:
        """A network of the class."""
        return self.cpdag.to_dag()

    def __repr__(self) -> str:
        graph = self.cpdag
        edges = len(graph.directed) + len(graph.undirected)
        visits = counted(self.visits, "visit")
        return f"<Optimum: score {self.score:.4f}, {counted(edges, 'edge')}, {visits}>"


Reference: TypeAlias = "GraphLike | Network | Result | Optimum"


class ManyModels(ShowsItself, ABC):
    """What many runs ended at, and the features these models share.

    A feature is about a pair of variables in the essential graph. "edges": directed or undirected.
    "paths": an ordered pair joined by a path of directed edges. "blankets": a pair that is adjacent
    or shares a child, so that each is in the other's Markov blanket. The confidence in a feature is
    the share of the models that have it.
    """

    WEIGHTS: ClassVar[tuple[str, ...]] = ("optima", "visits", "score")
    """What models can be weighted by; first what they are unless asked."""

    def __init__(
        self,
        variables: Variables,
        found: Iterable[RunGraph],
        *,
        seed: int,
        seconds: float,
        stopped: str | None,
    ) -> None:
        self._variables = variables
        self._seed, self._seconds, self._stopped = seed, seconds, stopped
        self._learned: Dag | None = None
        self._models = tuple(
            Optimum(model.score, model.visits, model.first_run, model.graph, variables)
            for model in found
        )

    @property
    def names(self) -> tuple[str, ...]:
        """The variables, in the order of the data."""
        return self._variables.names

    @property
    def runs(self) -> int:
        """How many runs were done."""
        return sum(model.visits for model in self._models)

    @property
    def seed(self) -> int:
        """The seed of what was drawn; each run has a stream of its own."""
        return self._seed

    @property
    def seconds(self) -> float:
        """How long this call took; runs that the store had took theirs before."""
        return self._seconds

    @property
    def stopped(self) -> str | None:
        """What ended it before all runs were done; None if nothing did.

        "time", "interrupt", or "cluster" if that was lost.
        """
        return self._stopped

    @property
    @abstractmethod
    def best(self) -> Optimum | Result:
        """The best of the models, or what the same search finds on the data themselves."""

    @property
    def learned(self) -> Dag:
        """The network that features are compared with, unless another is named.

        What :func:`learn` found, if it made the models; else :attr:`best`.
        """
        return self.best.dag if self._learned is None else self._learned

    def features(
        self,
        kind: str = "edges",
        *,
        weights: str | None = None,
        reference: Reference | None = None,
        frame: str = "polars",
    ) -> Any:
        """Return a row for each feature that some model has, the most certain first.

        Parameters
        ----------
        kind
            "edges", "paths" or "blankets".
        weights
            What is a share of the models. "optima": each distinct model counts once. "visits": each
            counts as often as runs ended at it. "score": each counts exp(score), which for BIC,
            BDeu and the like stands for its probability given the data; a difference of a few
            points lets one model outweigh all others. By default the first that the object has.
        reference
            A Dag, Cpdag, Network or Result; adds a column ``in_reference``.
        frame
            "polars", "pandas", "pyarrow", or "dict" for lists.

        Returns
        -------
        table
            Columns ``feature``, ``from``, ``to``, ``confidence`` and ``in_best``: whether the
            network has it that was learned (:attr:`learned`). A pair without an order has the lower
            name first.

            Edges have ``kind`` too, directed or undirected; ``strength``, the share of models in
            which the two variables are adjacent; and ``direction``, the share of from → to among
            these, where an undirected edge counts half.
        """
        columns = self._columns(self._counted(kind, weights, reference), weights, reference)
        return as_frame(columns, frame)

    def confident(
        self,
        kind: str = "edges",
        threshold: float | None = None,
        *,
        weights: str | None = None,
        reference: Reference | None = None,
        frame: str = "polars",
    ) -> Any:
        """Return the rows of :meth:`features` with at least this confidence.

        Parameters
        ----------
        threshold
            By default what :meth:`threshold` gives.
        """
        if threshold is None:
            threshold = self.threshold(kind, weights=weights, reference=reference)
        (least,) = _checked([threshold])
        features = self._counted(kind, weights, reference)
        kept = pl.Series(features.at_least(least))
        columns = self._columns(features, weights, reference)
        return as_frame({name: column.filter(kept) for name, column in columns.items()}, frame)

    def strengths(self, *, weights: str | None = None, frame: str = "polars") -> Any:
        """Return edges as R bnlearn's boot.strength does: from, to, strength, direction.

        A row for each ordered pair of variables that are adjacent in some model, the strongest
        first; :meth:`features` says what the columns mean.
        """
        strength, direction = strengths(self._graphs(weights))
        order = np.lexsort((strength.pairs, -strength.weights))
        columns = self._ends(*np.divmod(strength.pairs[order], len(self._variables)))
        columns["strength"] = pl.Series(strength.weights[order])
        columns["direction"] = pl.Series(direction.weights[order])
        return as_frame(columns, frame)

    def tradeoff(
        self,
        kind: str = "edges",
        reference: Reference | None = None,
        thresholds: Sequence[float] | None = None,
        *,
        weights: str | None = None,
        frame: str = "polars",
    ) -> Any:
        """Return how the features compare with a reference, for each threshold of confidence.

        Parameters
        ----------
        reference
            A known truth or any other model: Dag, Cpdag, Network or Result. By default the network
            that was learned (:attr:`learned`).
        thresholds
            By default the paper's: 0.05, 0.1, ... 1.

        Returns
        -------
        table
            Columns ``threshold``; ``tp``, the features of the reference with at least that
            confidence; ``fp``, the other features with it; ``fn``, the features of the reference
            without it.

        Notes
        -----
        Source: Peña, Kočka and Nielsen, Featuring multiple local optima to assist the user in the
        interpretation of induced Bayesian network models, IPMU 2004.
        """
        rows = self._tradeoff(kind, reference, thresholds, weights)
        names = ("threshold", "tp", "fp", "fn")
        return as_frame(
            {name: pl.Series([row[i] for row in rows]) for i, name in enumerate(names)}, frame
        )

    def threshold(
        self,
        kind: str = "edges",
        fp_weight: float = 1,
        fn_weight: float = 1,
        *,
        reference: Reference | None = None,
        thresholds: Sequence[float] | None = None,
        weights: str | None = None,
    ) -> float:
        """Return the threshold with the least ``fp_weight * fp + fn_weight * fn``.

        Of several such, the highest, which claims the least. See :meth:`tradeoff`.
        """
        _check_costs(fp_weight, fn_weight)
        rows = self._tradeoff(kind, reference, thresholds, weights)
        return min((fp_weight * fp + fn_weight * fn, -t, t) for t, _, fp, fn in rows)[2]

    def plot(
        self,
        what: str = "graph",
        *,
        kind: str = "edges",
        reference: Reference | None = None,
        threshold: float | None = None,
        weights: str | None = None,
        ax: Axes | None = None,
    ) -> Axes:
        """Draw what the models say with matplotlib, on these axes or on new ones.

        Needs the extra ``dagscape[plot]``.

        Parameters
        ----------
        what
            "graph": the edges of enough confidence, thick by it, dashed where :attr:`learned` lacks
            them. "tradeoff": false positives against false negatives, for all thresholds. "scores":
            how many runs ended at which score, with the proven optimum or bound if :meth:`prove`
            was asked. "strengths": in which share of models pairs are adjacent. "heatmap": the
            confidence in an edge from each variable to each other.
        kind, reference, weights
            As in :meth:`tradeoff`.
        threshold
            What is marked, and for "graph" the least confidence; by default what :meth:`threshold`
            gives.
        """
        from dagscape.report import plot_models

        return plot_models(
            cast("Models", self),
            what,
            kind=kind,
            reference=reference,
            threshold=threshold,
            weights=weights,
            ax=ax,
        )

    def _tradeoff(
        self,
        kind: str,
        reference: Reference | None,
        thresholds: Sequence[float] | None,
        weights: str | None,
    ) -> list[tuple[float, int, int, int]]:
        levels = THRESHOLDS if thresholds is None else _checked(thresholds)
        features = self._counted(kind, weights, reference)
        true = features.of(self._code(reference))
        rows = []
        for level in levels:
            above = features.at_least(level)
            counts = (above & true, above & ~true, ~above & true)
            tp, fp, fn = (int(np.count_nonzero(marks)) for marks in counts)
            rows.append((level, tp, fp, fn))
        return rows

    def _counted(self, kind: str, weights: str | None, reference: Reference | None) -> Features:
        """Count what some model, the network learned or the reference has."""
        return count_features(
            kind, self._graphs(weights), [self._code(None), self._code(reference)]
        )

    def _columns(
        self, features: Features, weights: str | None, reference: Reference | None
    ) -> dict[str, pl.Series]:
        columns = {"feature": pl.Series(features.words(), dtype=pl.String)}
        columns |= self._ends(features.a, features.b)
        if features.kind == "edges":
            columns["kind"] = pl.Series(features.parts(), dtype=pl.String)
        columns["confidence"] = pl.Series(features.confidence)
        columns["in_best"] = pl.Series(features.of(self._code(None)))
        if features.kind == "edges":
            strength, direction = strengths(self._graphs(weights))
            pairs = features.a * len(self._variables) + features.b
            shares = strength.of(pairs)
            ways = np.where(shares > 0, direction.of(pairs), np.nan)
            columns["strength"] = pl.Series(shares)
            columns["direction"] = pl.Series(ways, nan_to_null=True)
        if reference is not None:
            columns["in_reference"] = pl.Series(features.of(self._code(reference)))
        return columns

    def _ends(self, a: Numbers, b: Numbers) -> dict[str, pl.Series]:
        name = self._variables.name
        ends = {"from": a, "to": b}
        return {end: pl.Series(map(name, at), dtype=pl.String) for end, at in ends.items()}

    def _graphs(self, weights: str | None) -> Graphs:
        if not self._models:
            raise DagscapeError("no run was done before it was stopped: there are no models")
        return Graphs(self._variables, [m._code for m in self._models], self._weights(weights))

    @classmethod
    def _check(
        cls,
        names: Sequence[str],
        kind: str,
        reference: Reference | None,
        weights: str | None,
        fp_weight: float = 1,
        fn_weight: float = 1,
    ) -> None:
        """Refuse what is wrong with a question about such models, before there are any."""
        check_name("kind of feature", kind, KINDS)
        check_name("weights", cls.WEIGHTS[0] if weights is None else weights, cls.WEIGHTS)
        _check_costs(fp_weight, fn_weight)
        if reference is not None:
            _code(reference, Variables(names))

    def _weights(self, weights: str | None) -> Shares:
        """Return what each model weighs."""
        by = self.WEIGHTS[0] if weights is None else weights
        check_name("weights", by, self.WEIGHTS)
        if by == "optima":
            return np.ones(len(self._models))
        if by == "visits":
            return np.array([model.visits for model in self._models], float)
        scores = np.array([model.score for model in self._models])
        weights_of: Shares = np.exp(scores - scores.max())
        return weights_of

    def _code(self, reference: Reference | None) -> bytes:
        """Return the essential graph of a reference, by default of the network learned."""
        return _code(self.learned if reference is None else reference, self._variables)


def _code(model: Reference, variables: Variables) -> bytes:
    """Return an essential graph in the engine's code."""
    if isinstance(model, Network | Result | Optimum):
        model = model.dag
    return _core.encode_graph(as_dag(model, variables).to_cpdag()._graph)


def _check_costs(fp_weight: float, fn_weight: float) -> None:
    for name, value in (("fp_weight", fp_weight), ("fn_weight", fn_weight)):
        if isinstance(value, bool) or not isinstance(value, Real) or not 0 <= value < math.inf:
            raise ParameterError(f"{setting(name)} must be a number from 0 up, got {value!r}")


def _checked(thresholds: Iterable[float]) -> list[float]:
    """Return thresholds as floats, refusing anything else."""
    if isinstance(thresholds, str) or not isinstance(thresholds, Iterable):
        raise ParameterError(f"thresholds must be a list of numbers, got {thresholds!r}")
    levels = list(thresholds)
    for level in levels:
        if isinstance(level, bool) or not isinstance(level, Real) or not 0 <= level <= 1:
            raise ParameterError(f"a threshold must be between 0 and 1, got {level!r}")
    if not levels:
        raise ParameterError("thresholds must hold at least one number")
    return [float(level) for level in levels]
