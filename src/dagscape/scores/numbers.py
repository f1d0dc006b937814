"""Scores of tables that hold numbers, alone or beside states.

Each is written once, in the engine; here are their names and parameters.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from numbers import Real
from typing import TYPE_CHECKING, Any

from dagscape import _core
from dagscape.control.limits import free_memory
from dagscape.data.ordered_states import by_order
from dagscape.errors import DataError, ParameterError
from dagscape.scores.base import SCORES, Score
from dagscape.scores.counts import FittedDirichlet
from dagscape.speech import choice, for_python
from dagscape.words import size

if TYPE_CHECKING:
    import numpy.typing as npt

    from dagscape.data import Data

FEW_COLUMNS, MOST_OF_MEMORY = 16_384, 0.7
"""Columns whose products of every two take no more than 2 GB; of free memory, what more may."""


@dataclass(frozen=True)
class OfNumbers(Score):
    """A score of tables that may hold numbers."""

    real_counts = False
    of_numbers = True
    odds = True

    @property
    def linear(self) -> bool:
        """Whether it takes every relation between numbers for a line."""
        return True

    @property
    def equivalent(self) -> bool:
        """Whether equivalent networks score the same: all of these do."""
        return True

    @classmethod
    def takes(cls, _data: Data) -> bool:
        """Tell whether it scores tables with columns of such kinds: all of them."""
        return True

    def of_rows(self, data: Data) -> _core.SetFunction:
        """Return what searches see of the data, which must be of the kinds that the score takes."""
        if not self.takes(data):
            raise _no_states(self, data)
        refuse_without_room(data, getattr(self, "degree", 1))
        return self.of_mixed(data._engine_mixed)

    def of_mixed(self, table: _core.MixedTable) -> _core.SetFunction:
        """Return what searches see."""
        raise TypeError(f"a score of {table} is made by a subclass")


def refuse_without_room(data: Data, degree: int) -> None:
    """Refuse so many columns that the products of every two of them have no room."""
    columns = degree * len(data.numbers)
    columns += sum(arity - 1 for name, arity in data.arities.items() if name not in data.numbers)
    needed, free = 8 * columns**2, free_memory()
    if columns > FEW_COLUMNS and needed > MOST_OF_MEMORY * free:
        raise DataError(
            f"scores of numbers hold a product of every two columns: {columns:,} columns take "
            f"{size(needed)}, and {size(free)} are free; take fewer columns, such as "
            "those that vary most, or ask for what is around one of them with "
            f"{for_python('ds.markov_blanket or ds.neighbors', 'dagscape blanket')}"
        )


def _no_states(score: Score, data: Data) -> DataError:
    """Return the error for a score of numbers on a table with states."""
    column = next(name for name, kind in data.kinds.items() if kind == "discrete")
    fitting = [str(kind()) for kind in dict.fromkeys(SCORES.values()) if kind.takes(data)]
    return DataError(
        f'column "{column}" holds states, and {score} scores numbers; choose '
        f"{choice('score', *fitting)}"
    )


class _AllNumbers(OfNumbers):
    """A score of tables that hold nothing but numbers."""

    @classmethod
    def takes(cls, data: Data) -> bool:
        """Tell whether it scores tables with columns of such kinds."""
        return len(data.numbers) == data.n_variables


@dataclass(frozen=True)
class _OfDegree(OfNumbers):
    """A score of tables of numbers, states or both, that sees powers of numbers."""

    degree: int = 1

    def __post_init__(self) -> None:
        if isinstance(self.degree, bool) or not isinstance(self.degree, int):
            raise ParameterError(f"degree must be a whole number, got {self.degree!r}")
        if not 1 <= self.degree <= 10:
            raise ParameterError(f"degree must be between 1 and 10, got {self.degree}")

    @property
    def linear(self) -> bool:
        """Whether it takes every relation between numbers for a line: of degree 1."""
        return self.degree == 1


@SCORES.add
@dataclass(frozen=True)
class GaussianBIC(_AllNumbers):
    """BIC of linear Gaussian networks, for tables of numbers: LL − (ln N / 2) parameters.

    A variable with k parents has k + 2 parameters: an intercept, k slopes and a variance.
    Equivalent networks score the same.

    Notes
    -----
    Correlations are lowered by one part in 10⁹. So a copy of another column, a sum of
    others, or a column that as many parents as rows explain, keeps a variance of one part in 10⁹
    and a finite score. A column that never changes has no parameters and carries no information.
    """

    names = ("gaussian_bic", "bic_g")

    def of_mixed(self, table: _core.MixedTable) -> _core.SetFunction:
        """Return what searches see."""
        return _core.basis_bic(table, 1)


@SCORES.add
@dataclass(frozen=True)
class BGe(_AllNumbers):
    """Log marginal likelihood of linear Gaussian networks (Geiger and Heckerman 2002).

    With the correction of Kuipers, Moffa and Heckerman (2014); the mean of the prior is that of the
    rows. Equivalent networks score the same.

    Parameters
    ----------
    iss_mu
        How many imagined rows the prior of the mean is worth.
    iss_w
        Degrees of freedom of the prior of the precision, above the number of variables + 1; 0 for
        the number of variables that change + 2.
    standardized
        The prior says that variables have a variance of about 1/2 in their own units, as in R
        bnlearn and PyBNesian. So the units matter: with True it is said of columns scaled to
        variance 1 instead. :func:`learn` does that.
    """

    iss_mu: float = 1.0
    iss_w: float = 0.0
    standardized: bool = False
    names = ("bge",)
    marginal = True

    def __post_init__(self) -> None:
        for name in ("iss_mu", "iss_w"):
            value = getattr(self, name)
            if not isinstance(value, Real) or not 0 <= float(value) < math.inf:
                raise ParameterError(f"{name} must be a positive number, got {value!r}")
            object.__setattr__(self, name, float(value))
        if self.iss_mu == 0:
            raise ParameterError("iss_mu must be a positive number, got 0.0")
        if not isinstance(self.standardized, bool):
            raise ParameterError(f"standardized must be True or False, got {self.standardized!r}")

    def of_mixed(self, table: _core.MixedTable) -> _core.SetFunction:
        """Return what searches see."""
        if 0 < self.iss_w <= table.variables + 1:
            raise ParameterError(
                f"iss_w must be above {table.variables + 1}, the number of variables + 1, "
                f"got {self.iss_w:g}"
            )
        return _core.bge(table, self.iss_mu, self.iss_w, self.standardized)


@SCORES.add
@dataclass(frozen=True)
class RankBGe(_OfDegree):
    """BGe of normal scores, for tables of numbers, states or both: what :func:`learn` takes.

    Each number is replaced by what a normal sample has at its rank, equal ones at the mean of their
    ranks. So only the order of the values matters: skewed columns and outliers make no edges, and
    neither units nor any rising function change a score. Numbers beside states are lines in the
    indicators of these. A set of numbers scores as if there were no states in the table, a set of
    states has the :class:`FittedDirichlet` score, as if there were no numbers. Columns of ordered
    states (``kinds``) count as numbers. Equivalent networks score the same.

    Only the structure is found by ranks: parameters, slopes and effects have the numbers
    themselves.

    Parameters
    ----------
    degree
        The highest power of normal scores, 1 to 10. With 1, only relations that rise or fall are
        seen; each further power sees more bends, and needs more rows.

    Notes
    -----
    The prior is that of :class:`BGe` with its usual parameters, on columns of variance 1. States
    shift the means of numbers; they neither change slopes nor variances. The r − 1 indicators of a
    column with r states have a prior weight of (r − 1) / 2 rows each, that of a number is 1/2.
    It is the marginal likelihood of the normal scores, no probability of the rows.
    """

    degree: int = 1
    names = ("rank_bge", "ranks")

    def imagined(self, counts: npt.NDArray[Any], cells: int, members: int) -> float:
        """Return the imagined cases in each cell of a table of states."""
        return OF_STATES.imagined(counts, cells, members)

    def of_rows(self, data: Data) -> _core.SetFunction:
        """Return what searches see of the data."""
        data = by_order(data)
        states = [name for name in data.names if name not in data.numbers]
        of_states = OF_STATES.of_rows(data.select(states)) if states else None
        if of_states is not None and not data.numbers:
            return of_states
        refuse_without_room(data, self.degree)
        return _core.rank_bge(data._engine_mixed, of_states, self.degree)


OF_STATES = FittedDirichlet()
"""The score that sets of states have in :class:`RankBGe`."""


@SCORES.add
@dataclass(frozen=True)
class BasisBIC(_OfDegree):
    """BIC on basis functions, for tables of numbers, states or both.

    A discrete variable becomes indicators of its states but one, a continuous one its polynomials
    up to `degree`; sets of variables are scored as Gaussian by all these columns together. Of
    degree 1 it is the degenerate Gaussian score (Andrews, Ramsey and Cooper 2019), on numbers alone
    the :class:`GaussianBIC`; higher degrees see relations that are not linear. Equivalent networks
    score the same.

    Parameters
    ----------
    degree
        The highest power of a continuous variable, 1 to 10.

    Notes
    -----
    Only differences of scores mean something where states or powers are among the
    columns: these are no densities of the data. Polynomials are made uncorrelated, the first one in
    the units of the variable, later ones of variance 1. States that do not occur, and powers that
    add nothing to lower ones, have no column.
    """

    degree: int = 3
    names = ("basis_bic",)

    def of_mixed(self, table: _core.MixedTable) -> _core.SetFunction:
        """Return what searches see."""
        return _core.basis_bic(table, self.degree)


@SCORES.add
@dataclass(frozen=True)
class ConditionalGaussian(OfNumbers):
    """BIC of a Gaussian in each combination of states (Andrews, Ramsey and Cooper 2018).

    For tables of numbers, states or both. A family is scored by the ratio of two joint
    distributions, so that a discrete variable may have continuous parents. On states alone it is
    the :class:`BIC`, on numbers alone the :class:`GaussianBIC`. Equivalent networks score the same.

    Notes
    -----
    Rows in a combination of states with fewer than 2 (k + 2) rows, for k continuous variables, are
    held against mean and covariance of all rows. In no combination has a variable less than one
    part in 10⁹ of its variance over all rows.
    """

    names = ("conditional_gaussian", "bic_cg")

    def of_mixed(self, table: _core.MixedTable) -> _core.SetFunction:
        """Return what searches see."""
        return _core.ConditionalGaussian(table)
