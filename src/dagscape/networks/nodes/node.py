"""What a network asks of a node, whatever its kind.

A node is the distribution of a variable given its parents. Columns of codes stand for parents with
states, columns of floats for parents with numbers. Parameters have an axis for each parent with
states, in the order of the parents, and after these an axis for the parents with numbers.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, TypeAlias

import numpy as np
import numpy.typing as npt

from dagscape.errors import ParameterError

Column: TypeAlias = npt.NDArray[Any]
"""Codes of states, or floats."""

Floats: TypeAlias = npt.NDArray[np.float64]

NodeValues: TypeAlias = Mapping[str, Any]
"""A node as plain values, for files."""


class Node(ABC):
    """The distribution of a variable given its parents; immutable."""

    __slots__ = ()
    kind: ClassVar[str]
    """What files call it."""
    continuous: ClassVar[bool]
    """Whether the variable holds numbers."""

    @property
    @abstractmethod
    def n_parameters(self) -> int:
        """The number of free parameters."""

    @abstractmethod
    def check(self, x: str, states: int, parents: Mapping[str, int]) -> None:
        """Refuse a place in a network that the parameters do not fit.

        Parameters
        ----------
        states
            How many the variable has, 0 for numbers.
        parents
            How many states each parent has, in order.
        """

    @abstractmethod
    def draw(self, parents: Sequence[Column], rows: int, rng: np.random.Generator) -> Column:
        """Draw the variable in so many rows, given its parents' columns."""

    @abstractmethod
    def log_density(self, values: Column, parents: Sequence[Column]) -> Floats:
        """Return for each row ln P(value | parents), of numbers the ln of their density."""

    @abstractmethod
    def reordered(self, order: Sequence[int], discrete: Sequence[bool]) -> Node:
        """Return the same node for its parents in another order.

        Parameters
        ----------
        order
            For each place the place that the parent had before.
        discrete
            For each place of before, whether the parent there has states.
        """

    @abstractmethod
    def values(self) -> dict[str, Any]:
        """Return the parameters as plain values, by the names that files have for them."""

    @abstractmethod
    def _arrays(self) -> tuple[Any, ...]:
        """Return what two equal nodes have in common, and what one is made of."""

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Node):
            return NotImplemented
        if type(self) is not type(other):
            return False
        pairs = zip(self._arrays(), other._arrays(), strict=True)
        return all(np.array_equal(mine, theirs) for mine, theirs in pairs)

    def __hash__(self) -> int:
        return hash((self.kind, *(np.shape(part) for part in self._arrays())))

    def __reduce__(self) -> tuple[Callable[..., Node], tuple[Any, ...]]:
        return type(self), self._arrays()


def split(parents: Sequence[Column]) -> tuple[list[Column], list[Column]]:
    """Return the columns of codes, and those of floats."""
    discrete = [column for column in parents if column.dtype.kind != "f"]
    return discrete, [column for column in parents if column.dtype.kind == "f"]


def row_of(discrete: Sequence[Column], shape: Sequence[int]) -> npt.NDArray[np.intp] | np.intp:
    """Return for each row which configuration of the parents with states it has."""
    if not discrete:
        return np.intp(0)
    found: npt.NDArray[np.intp] = np.ravel_multi_index(tuple(discrete), tuple(shape))
    return found


def axes_after(order: Sequence[int], discrete: Sequence[bool]) -> tuple[list[int], list[int]]:
    """Return how the axes of parents with states move, and the places of those with numbers."""
    place = [sum(discrete[:i]) if discrete[i] else i - sum(discrete[:i]) for i in range(len(order))]
    return [place[i] for i in order if discrete[i]], [place[i] for i in order if not discrete[i]]


def numbers(what: str, values: npt.ArrayLike) -> Floats:
    """Return a read-only array of finite numbers, or say what it must hold."""
    try:
        array = np.array(values, dtype=np.float64, order="C")
    except (TypeError, ValueError, OverflowError):
        raise ParameterError(f"{what} must hold numbers only") from None
    if not np.isfinite(array).all():
        wrong = float(array[~np.isfinite(array)].flat[0])
        raise ParameterError(f"{what} must hold finite numbers, got {wrong}")
    array.setflags(write=False)
    return array


def check_shape(x: str, what: str, array: Floats, shape: Sequence[int], axes: str) -> None:
    """Refuse parameters of another shape than the parents ask for."""
    if array.shape != tuple(shape):
        raise ParameterError(
            f'{what} of "{x}" must have shape {tuple(shape)} ({axes}), got {array.shape}'
        )


# Weighted sums of columns.

LARGEST = float(np.finfo(np.float64).max)


def away_from(column: Floats, center: float) -> Floats:
    """Return how far numbers are from a center, at most the largest number there is."""
    with np.errstate(over="ignore"):
        return np.clip(column - center, -LARGEST, LARGEST)


def total(terms: Sequence[Floats]) -> Floats:
    """Return the sum of products; infinite if it is beyond the largest number there is."""
    with np.errstate(over="ignore", invalid="ignore"):
        found: Floats
        if len(terms) > 2:
            # Sorted, so that the last bit does not depend on the order in which parents are listed.
            found = np.sort(np.stack(terms), axis=0).sum(axis=0)
        else:
            found = terms[0] + terms[1] if len(terms) == 2 else terms[0].copy()
    found[np.isnan(found)] = np.inf  # two infinite terms of different signs
    return found


def times(slope: Floats, column: Floats) -> Floats:
    """Return a product that may be infinite, without a warning."""
    with np.errstate(over="ignore", under="ignore"):
        found: Floats = slope * column
    return found
