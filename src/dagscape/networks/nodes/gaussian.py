"""A variable with numbers: a linear Gaussian for each configuration of its parents with states."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from dagscape.arguments import as_list
from dagscape.errors import ParameterError
from dagscape.networks.nodes.node import (
    LARGEST,
    Column,
    Floats,
    Node,
    away_from,
    axes_after,
    check_shape,
    numbers,
    row_of,
    split,
    times,
    total,
)
from dagscape.words import counted

if TYPE_CHECKING:
    import numpy.typing as npt

ROUNDING = 1e-9
"""A value that is certain is met up to this share of the largest number that makes it."""


class GaussianNode(Node):
    """A number that is normal given its parents: a line in the parents with numbers, plus noise.

    ``x = mean + Σ slopes[j] · (parent j - centers[j]) + sd · noise``, with a mean, slopes and an sd
    of its own for each configuration of the parents with states (a conditional linear Gaussian).

    Parameters
    ----------
    mean, sd
        An axis for each parent with states, in the order of ``dag.parents(x)``; plain numbers if
        there are none. With an sd of 0 the number is certain.
    slopes
        The same axes, and a last one for the parents with numbers, in their order.
    centers
        One for each parent with numbers: where the mean is the mean. 0 by default.
    curves
        ``"line"``, ``"bend"`` (the absolute value), ``"bump"`` (exp(-x²)), ``"step"`` (tanh 2x) or
        ``"wave"`` (sin 2x) for each parent with numbers: what becomes of its distance from the
        center before it is multiplied. All are lines by default, and :func:`fit` fits lines alone.

    Notes
    -----
    A certain number has no density. A row that has it, up to rounding, counts as probability 1, any
    other row as impossible.
    Source: Lauritzen and Wermuth, Graphical Models for Associations between Variables, some of
    which are Qualitative and some Quantitative, Annals of Statistics 1989.

    Examples
    --------
    >>> import dagscape as ds
    >>> from dagscape.networks import GaussianNode
    >>> dag = ds.Dag(["smoker", "bmi", "pressure"], [("smoker", "pressure"), ("bmi", "pressure")])
    >>> pressure = GaussianNode([120.0, 126.0], [6.0, 8.0], [[1.4], [1.6]], [25.0])
    >>> nodes = {"smoker": [0.7, 0.3], "bmi": GaussianNode(25.0, 4.0), "pressure": pressure}
    >>> net = ds.Network(dag, {"smoker": ["no", "yes"]}, nodes)
    >>> net.sample(3, seed=1).kinds["pressure"]
    'continuous'
    """

    __slots__ = ("_centers", "_curves", "_mean", "_sd", "_slopes")
    kind = "gaussian"
    continuous = True

    def __init__(
        self,
        mean: npt.ArrayLike,
        sd: npt.ArrayLike,
        slopes: npt.ArrayLike | None = None,
        centers: npt.ArrayLike | None = None,
        curves: Sequence[str] = (),
    ) -> None:
        self._mean = numbers("mean", mean)
        self._sd = numbers("sd", sd)
        none = np.zeros((*self._mean.shape, 0))
        self._slopes = numbers("slopes", none if slopes is None else slopes)
        count = self._slopes.shape[-1] if self._slopes.ndim else 0
        self._centers = numbers("centers", np.zeros(count) if centers is None else centers)
        self._curves = check_curves(curves, count)
        if (self._sd < 0).any():
            raise ParameterError(f"sd must be 0 or more, got {float(self._sd.min()):g}")

    @property
    def mean(self) -> Floats:
        """The mean where parents with numbers are at their centers, by configuration."""
        return self._mean

    @property
    def sd(self) -> Floats:
        """The standard deviation of the noise, by configuration."""
        return self._sd

    @property
    def slopes(self) -> Floats:
        """What one more of each parent with numbers adds, by configuration."""
        return self._slopes

    @property
    def centers(self) -> Floats:
        """Where slopes are counted from, one for each parent with numbers."""
        return self._centers

    @property
    def curves(self) -> tuple[str, ...]:
        """The form of each parent's share in the mean."""
        return self._curves

    @property
    def linear(self) -> bool:
        """Whether all parents enter as lines."""
        return all(curve == LINE for curve in self._curves)

    @property
    def n_parameters(self) -> int:
        """A mean, an sd and the slopes, for each configuration of the parents with states."""
        return self._mean.size + self._sd.size + self._slopes.size

    def check(self, x: str, states: int, parents: Mapping[str, int]) -> None:
        """Refuse shapes that do not fit the parents."""
        if states:
            raise ParameterError(f'"{x}" has a GaussianNode and states; a number has none')
        shape = [arity for arity in parents.values() if arity]
        floats = sum(not arity for arity in parents.values())
        axes = "states of its parents"
        check_shape(x, "the mean", self._mean, shape, axes)
        check_shape(x, "the sd", self._sd, shape, axes)
        axes = f"{axes}, its parents with numbers"
        check_shape(x, "the slopes", self._slopes, [*shape, floats], axes)
        check_shape(x, "the centers", self._centers, [floats], "its parents with numbers")

    def means(self, parents: Sequence[Column]) -> tuple[Floats, Floats]:
        """Return the mean and the sd in each row, or one of both where all rows have the same."""
        discrete, floats = split(parents)
        row = row_of(discrete, self._mean.shape)
        base, sd = self._mean.reshape(-1)[row], self._sd.reshape(-1)[row]
        if not floats:
            return np.asarray(base), np.asarray(sd)
        slopes = self._slopes.reshape(-1, len(floats))
        terms = [
            times(slopes[row, j], CURVES[self._curves[j]](away_from(column, self._centers[j])))
            for j, column in enumerate(floats)
        ]
        return total([np.broadcast_to(base, terms[0].shape), total(terms)]), np.asarray(sd)

    def draw(self, parents: Sequence[Column], rows: int, rng: np.random.Generator) -> Column:
        """Draw numbers, one standard normal for each row; infinite beyond the largest there is."""
        mean, sd = self.means(parents)
        with np.errstate(over="ignore"):
            drawn: Floats = mean + sd * rng.standard_normal(rows)
        return drawn

    def log_density(self, values: Column, parents: Sequence[Column]) -> Floats:
        """Return the ln of the normal density of each value."""
        mean, sd = self.means(parents)
        off = np.clip(values / 4 - mean / 4, -LARGEST, LARGEST)  # a quarter: nothing overflows
        with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
            normal = -0.5 * np.square(off / sd * 4) - np.log(sd) - 0.5 * math.log(2 * math.pi)
        reach = ROUNDING * np.maximum(np.abs(values / 4), self._largest_term(parents) / 4)
        certain = np.where(np.abs(off) <= reach, 0.0, -np.inf)
        found: Floats = np.where(sd > 0, normal, certain)
        return found

    def _largest_term(self, parents: Sequence[Column]) -> Floats:
        """Return for each row the largest number that adds to its mean."""
        discrete, floats = split(parents)
        row = row_of(discrete, self._mean.shape)
        largest: Floats = np.abs(self._mean.reshape(-1)[row])
        slopes = self._slopes.reshape(-1, len(floats)) if floats else self._slopes
        for j, column in enumerate(floats):
            reach = np.maximum(np.abs(column), abs(self._centers[j]))
            term = np.clip(times(slopes[row, j], reach), -LARGEST, LARGEST)
            largest = np.maximum(largest, np.abs(term))
        return largest

    def reordered(self, order: Sequence[int], discrete: Sequence[bool]) -> GaussianNode:
        """Return the node for parents in another order."""
        axes, places = axes_after(order, discrete)
        return GaussianNode(
            self._mean.transpose(axes),
            self._sd.transpose(axes),
            self._slopes.transpose(*axes, len(axes))[..., places],
            self._centers[places],
            tuple(self._curves[i] for i in places),
        )

    def values(self) -> dict[str, Any]:
        """Return each part in one list, the last parent fastest."""
        found: dict[str, Any] = {
            "mean": self._mean.reshape(-1).tolist(),
            "sd": self._sd.reshape(-1).tolist(),
            "slopes": self._slopes.reshape(-1).tolist(),
            "centers": self._centers.tolist(),
        }
        return found if self.linear else found | {"curves": list(self._curves)}

    def _arrays(self) -> tuple[Any, ...]:
        return self._mean, self._sd, self._slopes, self._centers, self._curves

    def __repr__(self) -> str:
        if self._mean.ndim:
            slopes = counted(self._slopes.shape[-1], "slope")
            each = f"in each of {counted(self._mean.size, 'configuration')}"
            return f"<GaussianNode: a mean, an sd and {slopes} {each}>"
        slopes = ", ".join(f"{slope:g}" for slope in self._slopes)
        return f"<GaussianNode: mean {self._mean:g}, sd {self._sd:g}, slopes [{slopes}]>"


LINE = "line"

CURVES: dict[str, Callable[[Floats], Floats]] = {
    LINE: lambda x: x,
    "bend": np.abs,
    "bump": lambda x: np.exp(-np.square(np.clip(x, -1e100, 1e100))),
    "step": lambda x: np.tanh(2.0 * np.clip(x, -1e100, 1e100)),
    "wave": lambda x: np.sin(2.0 * np.clip(x, -1e100, 1e100)),
}
"""How a number enters the mean of another: as a line, or as |x|, exp(-x²), tanh(2x) or sin(2x), by
the look of them. None grows faster than its argument, so that samples of long chains stay within
bounds."""


def check_curves(curves: Sequence[str], count: int) -> tuple[str, ...]:
    """Return a curve for each parent with numbers; lines where none are named."""
    named = tuple(as_list("curves", curves, "names of curves")) or (LINE,) * count
    for curve in named:
        if not isinstance(curve, str) or curve not in CURVES:
            raise ParameterError(f"a curve must be one of {', '.join(CURVES)}, got {curve!r}")
    if len(named) != count:
        raise ParameterError(
            f"curves must name one for each of {count} slopes, or none, got {len(named)}"
        )
    return named
