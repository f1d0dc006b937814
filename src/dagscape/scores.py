"""Decomposable scores of networks: natural logs, higher is better.

Each score is written once, in the engine; here are their names and parameters.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from numbers import Real
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from dagscape import _core
from dagscape.data import as_data, check_data
from dagscape.errors import ParameterError
from dagscape.graphs import Dag, GraphLike, Mpdag, as_dag
from dagscape.number_scores import BasisBIC, BGe, ConditionalGaussian, GaussianBIC
from dagscape.priors import (
    PRIORS,
    Prior,
    PriorLike,
    UniformPrior,
    as_prior,
    prior_from_dict,
)
from dagscape.score_base import SCORES, Score
from dagscape.speech import for_python, setting

if TYPE_CHECKING:
    from dagscape.data import Data, TableLike

__all__ = ["SCORES", "BGe", "BasisBIC", "ConditionalGaussian", "GaussianBIC", "Score"]

CACHE_BYTES = 1 << 30
"""What one score on one table may keep of its set functions."""


@SCORES.add
@dataclass(frozen=True)
class BIC(Score):
    """Bayesian information criterion: LL − (ln N / 2) parameters (Schwarz 1978).

    Minus the description length (MDL). Equivalent networks score the same. It prefers sparse
    networks when rows are few.
    """

    names = ("bic", "mdl")
    odds = True

    def engine(self, cases: int) -> _core.Score:
        """Return the engine's score for a number of cases."""
        return _core.Bic(cases)


@SCORES.add
@dataclass(frozen=True)
class AIC(Score):
    """Akaike's information criterion: LL − parameters (Akaike 1974).

    Equivalent networks score the same. It adds edges that are not there even with many rows: for
    prediction rather than structure.
    """

    names = ("aic",)
    weighs = False

    def engine(self, _cases: int) -> _core.Score:
        """Return the engine's score for a number of cases."""
        return _core.Aic()


@SCORES.add
@dataclass(frozen=True)
class LogLikelihood(Score):
    """Maximum log-likelihood LL, without a price for parameters.

    It never falls when an edge is added, so a search for its maximum ends at a complete graph.
    """

    names = ("loglik", "log_likelihood", "ll")
    weighs = False

    def engine(self, _cases: int) -> _core.Score:
        """Return the engine's score for a number of cases."""
        return _core.LogLikelihood()


@SCORES.add
@dataclass(frozen=True)
class BDeu(Score):
    """Log marginal likelihood under a uniform Dirichlet prior (Heckerman, Geiger, Chickering 1995).

    Equivalent networks score the same. The answer depends on `ess`, more so the fewer the rows.

    Parameters
    ----------
    ess
        Equivalent sample size: how many imagined cases the prior spreads over the cells.
    """

    ess: float = 1.0
    names = ("bdeu",)
    odds = True
    marginal = True

    def __post_init__(self) -> None:
        ess = math.nan
        if isinstance(self.ess, Real):
            with suppress(OverflowError):
                ess = float(self.ess)
        if not 0 < ess < math.inf:
            raise ParameterError(f"{setting('ess')} must be a positive number, got {self.ess!r}")
        object.__setattr__(self, "ess", ess)

    def imagined(self, cells: int) -> float:
        """Return the imagined cases in each cell of a family's table."""
        return self.ess / cells

    def engine(self, _cases: int) -> _core.Score:
        """Return the engine's score for a number of cases."""
        return _core.Bdeu(self.ess)


@SCORES.add
@dataclass(frozen=True)
class K2(Score):
    """Log marginal likelihood with one imagined case in every cell (Cooper and Herskovits 1992).

    Equivalent networks may score differently, so it suits orders and DAGs, not essential graphs.
    """

    names = ("k2",)
    odds = True
    marginal = True

    def imagined(self, _cells: int) -> float:
        """Return the imagined cases in each cell of a family's table."""
        return 1.0

    def engine(self, _cases: int) -> _core.Score:
        """Return the engine's score for a number of cases."""
        return _core.K2()


@SCORES.add
@dataclass(frozen=True)
class QNML(Score):
    """Quotient normalized maximum likelihood (Silander, Leppä-aho, Jääsaari and Roos 2018).

    Without a parameter to choose; equivalent networks score the same.
    """

    names = ("qnml",)

    def engine(self, cases: int) -> _core.Score:
        """Return the engine's score for a number of cases."""
        return _core.Qnml(cases)


@SCORES.add
@dataclass(frozen=True)
class FNML(Score):
    """Factorized normalized maximum likelihood (Silander, Roos, Kontkanen and Myllymäki 2008).

    Without a parameter to choose, but equivalent networks may score differently; see :class:`QNML`.
    """

    names = ("fnml",)
    real_counts = False

    def engine(self, _cases: int) -> _core.Score:
        """Return the engine's score for a number of cases."""
        return _core.Fnml()


@SCORES.add
@dataclass(frozen=True)
class NAL(Score):
    """Penalized node-average likelihood, for tables with gaps (Balov 2013; Bodewes, Scutari 2021).

    Each variable's mean log-likelihood over the rows in which it and its parents have values, less
    n^-alpha for each parameter; times n, the rows, so that it is of the size of other scores. It
    assumes that cells are missing completely at random. Equivalent networks may score differently.

    Parameters
    ----------
    alpha
        Below 1/2 the network found is the true one in the limit of many rows (with gaps, BIC's
        penalty is not enough for that); the higher, the less a parameter costs.
    """

    alpha: float = 0.45
    names = ("nal", "pnal")
    weighs = False
    real_counts = False

    def __post_init__(self) -> None:
        if not isinstance(self.alpha, Real) or not 0 < float(self.alpha) <= 1:
            raise ParameterError(
                f"{setting('alpha')} must be a number above 0, and 1 at most, got {self.alpha!r}"
            )
        object.__setattr__(self, "alpha", float(self.alpha))

    @property
    def equivalent(self) -> bool:
        """Whether equivalent networks score the same: rows differ from family to family."""
        return False

    @property
    def takes_gaps(self) -> bool:
        """Whether it scores tables with missing cells as they are."""
        return True

    def on(self, data: Data) -> _core.SetFunction:
        """Return what searches see of the data."""
        price = float(data.n_rows) ** (1 - self.alpha)
        return _core.AvailableFunction(gap_table(data), price)


def gap_table(data: Data) -> _core.GapTable:
    """Return the engine's copy of a table in which cells may be missing."""
    ranks = [data.variables.display_rank(v) for v in range(data.n_variables)]
    columns = [np.ascontiguousarray(data.codes[:, rank], dtype=np.uint16) for rank in ranks]
    return _core.GapTable(columns, [data.arities[data.names[rank]] for rank in ranks])


for _of_numbers in (GaussianBIC, BGe, BasisBIC, ConditionalGaussian):
    SCORES.add(_of_numbers)


AND_PRIOR = ", prior "
"""Between a score and its prior, in words."""


@dataclass(frozen=True)
class ScoreWithPrior(Score):
    """A score plus the logarithm of a prior on structures: what searches look at if given both."""

    of: Score
    added: Prior

    @property
    def base(self) -> Score:
        """The score without a prior."""
        return self.of

    @property
    def prior(self) -> Prior:
        """The prior on structures whose logarithm is added."""
        return self.added

    @property
    def equivalent(self) -> bool:
        """Whether equivalent networks score the same; a prior does not tell them apart."""
        return self.of.equivalent

    @property
    def takes_gaps(self) -> bool:
        """Whether it scores tables with missing cells as they are."""
        return self.of.takes_gaps

    def function(
        self, table: _core.Table, counter: _core.Counter | None = None
    ) -> _core.SetFunction:
        """Return what searches see."""
        return self._with_prior(self.of.function(table, counter))

    def on(self, data: Data) -> _core.SetFunction:
        """Return what searches see of the data."""
        return self._with_prior(self.of.on(data))

    def _with_prior(self, function: _core.SetFunction) -> _core.SetFunction:
        return _core.PriorFunction(function, self.added.log_weights(function.variables))

    def to_dict(self) -> dict[str, Any]:
        """Return score and prior as plain values."""
        return {**self.of.to_dict(), "prior": self.added.to_dict()}

    def __str__(self) -> str:
        return f"{self.of}{AND_PRIOR}{self.added}"


ScoreLike: TypeAlias = "Score | str"


def as_score(score: ScoreLike, prior: PriorLike | None = None) -> Score:
    """Return the score that an object, a name or words such as "bdeu(ess=10)" stand for.

    With a prior, its logarithm is added. The uniform one, of which all networks have the same,
    leaves a score as it is.
    """
    chosen = _alone(score)
    if prior is None:
        return chosen
    added = as_prior(prior)
    if chosen.prior not in (UniformPrior(), added):
        raise ParameterError(f'the score "{chosen}" has a prior already; leave out "{added}"')
    return chosen if added == chosen.prior else ScoreWithPrior(chosen, added)


def _alone(score: ScoreLike) -> Score:
    if isinstance(score, str):
        words, _, prior = score.partition(AND_PRIOR)
        return as_score(SCORES.from_words(words), prior or None)
    if isinstance(score, Score):
        return score
    raise ParameterError(f"a score is a name or an object such as BIC(), got {score!r}")


def score_from_dict(values: Mapping[str, Any]) -> Score:
    """Return the score that :meth:`Score.to_dict` told.

    Examples
    --------
    >>> import dagscape as ds
    >>> ds.score_from_dict({"name": "bdeu", "ess": 10})
    BDeu(ess=10.0)
    """
    if not isinstance(values, Mapping) or "prior" not in values:
        return SCORES.from_dict(values)
    base = {key: value for key, value in values.items() if key != "prior"}
    return as_score(SCORES.from_dict(base), prior_from_dict(values["prior"]))


def known_score(words: str) -> Score | None:
    """Return the score that words of ours stand for; None for any others."""
    base, _, prior = words.partition(AND_PRIOR)
    score, added = SCORES.known(base), PRIORS.known(prior) if prior else UniformPrior()
    return None if score is None or added is None else as_score(score, added)


def log_prior(score: Score, dag: Dag) -> float:
    """Return what a score has of its prior, for a network; the rest is of the data."""
    weights = score.prior.log_weights(len(dag.names))
    return math.fsum(weights[len(dag.parents(name))] for name in dag.names)


def check_scored(data: Data, score: ScoreLike | None) -> None:
    """Refuse what is not a Data, and one with missing cells unless the score takes them."""
    check_data(data, gaps=score is not None and as_score(score).takes_gaps)


def scorer(data: Data, score: ScoreLike) -> _core.Scorer:
    """Return the engine's score on the data; made once, so that all calls share its cache."""
    check_scored(data, score)
    kind = as_score(score)
    return data.scorer(kind, lambda: _core.Scorer(kind.on(data), CACHE_BYTES))


def likelihood(data: Data) -> _core.Scorer:
    """Return the log-likelihood that tests of independence look at: ratios of it are statistics.

    On states these are G², on numbers tests of partial correlation; on both, tests of the columns
    that :class:`BasisBIC` of degree 1 makes of them.
    """
    if not data.numbers:
        return scorer(data, LogLikelihood())

    def made() -> _core.Scorer:
        return _core.Scorer(_core.basis_bic(data.mixed_table, 1, penalized=False), CACHE_BYTES)

    return data.scorer("likelihood of numbers", made)


def scorer_within(data: Data, score: ScoreLike, max_bytes: int) -> _core.Scorer:
    """Return the data's own scorer, or one with a smaller cache where memory is short."""
    if max_bytes >= 4 * CACHE_BYTES:
        return scorer(data, score)
    return _core.Scorer(as_score(score).on(data), max_bytes // 4)


def local_score(
    data: TableLike,
    child: str,
    parents: Iterable[str] = (),
    *,
    score: ScoreLike = "bic",
    prior: PriorLike | None = None,
) -> float:
    """Score one variable given its parents.

    The sum of this over all variables of a network is what :func:`score` gives. With a prior, the
    log weight of so many parents is added.

    Examples
    --------
    >>> import dagscape as ds
    >>> data = ds.load_network("asia").sample(1000, seed=0)
    >>> ds.local_score(data, "xray", ["either"]) > ds.local_score(data, "xray")
    True
    """
    data = as_data(data)
    if isinstance(parents, str):
        raise ParameterError(f'parents must be a list of names, got the string "{parents}"')
    check_scored(data, score)
    number = data.variables.number
    x, given = number(child), [number(name) for name in parents]
    if x in given:
        raise ParameterError(f'"{child}" cannot be its own parent')
    if len(set(given)) != len(given):
        raise ParameterError("a parent is listed twice")
    return scorer(data, as_score(score, prior)).local(x, given)


def score(
    data: TableLike, graph: GraphLike, *, score: ScoreLike = "bic", prior: PriorLike | None = None
) -> float:
    """Score a network on the data.

    Parameters
    ----------
    graph
        A Dag, a Cpdag or Mpdag, a networkx DiGraph, or a list of arcs, which need not mention
        variables without arcs.
    prior
        A prior on structures, whose logarithm is added up to a constant: "uniform" (the default,
        which adds nothing), "fair" or :class:`EdgePrior`.

    Raises
    ------
    GraphError
        If the graph's variables are not the data's.
    ParameterError
        If an essential graph is to be scored by a score that tells its members apart.
    """
    data = as_data(data)
    kind = as_score(score, prior)
    on_data = scorer(data, kind)
    if isinstance(graph, Mpdag) and not kind.equivalent:
        raise ParameterError(
            f"{kind} gives equivalent networks different scores, so an essential graph has none; "
            f"score a {for_python('Dag', 'network')}"
        )
    dag = as_dag(graph, data.variables)
    number, name = data.variables.number, data.variables.name
    return sum(
        on_data.local(x, [number(parent) for parent in dag.parents(name(x))])
        for x in range(len(data.variables))
    )
