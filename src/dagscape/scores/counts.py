"""Scores of discrete tables, by how often each combination of values occurs.

Each is written once, in the engine; here are their names and parameters.
"""

from __future__ import annotations

import math
from contextlib import suppress
from dataclasses import dataclass
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np

from dagscape import _core
from dagscape.data.refusals import refuse_with_gaps
from dagscape.errors import ParameterError
from dagscape.scores.base import SCORES, Score
from dagscape.speech import setting

if TYPE_CHECKING:
    import numpy.typing as npt

    from dagscape.data import Data


@SCORES.add
@dataclass(frozen=True)
class BIC(Score):
    """Bayesian information criterion: LL − (ln N / 2) parameters (Schwarz 1978).

    Minus the description length (MDL). Equivalent networks score the same. It prefers sparse
    networks when rows are few.
    """

    names = ("bic", "mdl")
    odds = True

    def _engine(self, cases: float) -> _core.Score:
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

    def _engine(self, _cases: float) -> _core.Score:
        """Return the engine's score for a number of cases."""
        return _core.Aic()


@SCORES.add
@dataclass(frozen=True)
class LogLikelihood(Score):
    """Maximum log-likelihood LL, without a penalty for parameters.

    It never falls when an edge is added, so a search for its maximum ends at a complete graph.
    """

    names = ("loglik", "log_likelihood", "ll")
    weighs = False

    def _engine(self, _cases: float) -> _core.Score:
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

    def imagined(self, _counts: npt.NDArray[Any], cells: int, _members: int) -> float:
        """Return the imagined cases in each cell of a family's table."""
        return self.ess / cells

    def _engine(self, _cases: float) -> _core.Score:
        """Return the engine's score for a number of cases."""
        return _core.Bdeu(self.ess)


@SCORES.add
@dataclass(frozen=True)
class FittedDirichlet(Score):
    """Dirichlet likelihood, with the sample size that fits each set of variables best.

    BDeu takes one equivalent sample size for all columns. A large one takes rare events that never
    meet for related, a small one even columns. Here each set of variables has the size that makes
    its rows most probable: ½, 1, 2, ..., 64, and for single columns also 256, 1,024 and ∞. A family
    scores the difference of two sets, so equivalent networks score the same.

    It is no marginal likelihood: a difference of scores is about a logarithm of odds, but the
    exponential of a score is a weight, not a probability of the rows.
    """

    names = ("fitted_dirichlet", "fitted")
    odds = True

    def _engine(self, cases: float) -> _core.Score:
        """Return the engine's score for a number of cases."""
        return _core.FittedDirichlet(cases)

    def imagined(self, counts: npt.NDArray[Any], cells: int, members: int) -> float:
        """Return the imagined cases in each cell of a family's table: what fits its counts best.

        Members of an equivalence class have other families, and so may be fitted differently.
        """
        flat = np.ascontiguousarray(counts, dtype=np.float64).reshape(-1)
        fitted = _core.FittedDirichlet(float(flat.sum()))
        return fitted.best_size(flat, float(cells), members) / cells


@SCORES.add
@dataclass(frozen=True)
class K2(Score):
    """Log marginal likelihood with one imagined case in every cell (Cooper and Herskovits 1992).

    Equivalent networks may score differently, so it suits orders and DAGs, not essential graphs.
    """

    names = ("k2",)
    odds = True
    marginal = True

    def imagined(self, _counts: npt.NDArray[Any], _cells: int, _members: int) -> float:
        """Return the imagined cases in each cell of a family's table."""
        return 1.0

    def _engine(self, _cases: float) -> _core.Score:
        """Return the engine's score for a number of cases."""
        return _core.K2()


@SCORES.add
@dataclass(frozen=True)
class QNML(Score):
    """Quotient normalized maximum likelihood (Silander, Leppä-aho, Jääsaari and Roos 2018).

    Without a parameter to choose; equivalent networks score the same.
    """

    names = ("qnml",)

    def _engine(self, cases: float) -> _core.Score:
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

    def _engine(self, _cases: float) -> _core.Score:
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

    def of_rows(self, data: Data) -> _core.SetFunction:
        """Return what searches see of the data."""
        price = float(data.n_rows) ** (1 - self.alpha)
        return _core.AvailableFunction(gap_table(data), price)


def gap_table(data: Data) -> _core.GapTable:
    """Return the engine's copy of a table in which cells may be missing."""
    refuse_with_gaps(data)
    ranks = [data.variables.display_rank(v) for v in range(data.n_variables)]
    columns = [np.ascontiguousarray(data.codes[:, rank], dtype=np.uint16) for rank in ranks]
    return _core.GapTable(columns, [data.arities[data.names[rank]] for rank in ranks])
