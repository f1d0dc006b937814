"""Columns of numbers with mean 0 and variance 1, whatever their size.

Powers of two bring a column near 1 without changing a digit, so that numbers of 10³⁰⁰ or 10⁻³⁰⁰
can be squared.
"""

from __future__ import annotations

import math
import sys
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from dagscape.errors import DataError

Floats = npt.NDArray[np.float64]


class Standard(NamedTuple):
    """A column, standardized, and how to get back: (center + sd · value) · 2^exponent."""

    name: str
    values: Floats
    center: float
    sd: float
    """0 if the column never changes; then all values are 0."""
    exponent: int

    @classmethod
    def of(cls, name: str, column: Floats) -> Standard:
        """Standardize a column of finite numbers."""
        largest = float(np.abs(column).max())
        exponent = math.frexp(largest)[1]
        near = np.ldexp(column, -exponent)
        if (column == column[0]).all():
            return cls(name, np.zeros(len(column)), float(near[0]), 0.0, exponent)
        center = float(near.mean())
        center += float((near - center).mean())
        off = near - center
        sd = float(np.sqrt(np.square(off).mean()))
        # Numbers that differ in their last digit alone may have no variance that can be told.
        return cls(name, off / sd if sd else np.zeros_like(off), center, sd, exponent)

    @property
    def mean(self) -> float:
        """The mean, in the units of the column."""
        return math.ldexp(self.center, self.exponent)

    def number(self, value: float) -> float:
        """Return a standardized value in the units of the column."""
        return _in_units(self.center + self.sd * value, self.exponent, f'a mean of "{self.name}"')

    def length(self, value: float) -> float:
        """Return an sd in the units of the column; 0 for one that never changes."""
        if not self.sd:
            return 0.0
        try:
            return max(math.ldexp(self.sd * value, self.exponent), math.ulp(0.0))
        except OverflowError:
            return sys.float_info.max

    def per_unit(self, value: float) -> float:
        """Return what one unit of the column adds, given what one sd adds."""
        what = f'a slope on "{self.name}"'
        return _in_units(value / self.sd, -self.exponent, what) if self.sd else 0.0

    def slope(self, child: Standard, value: float) -> float:
        """Return how much one unit of this column adds to a child, in the child's units."""
        if not self.sd:
            return 0.0
        what = f'the slope of "{child.name}" on "{self.name}"'
        return _in_units(value * (child.sd / self.sd), child.exponent - self.exponent, what)


def _in_units(value: float, exponent: int, what: str) -> float:
    """Return value · 2^exponent, or say that no number can hold it."""
    try:
        found = math.ldexp(value, exponent)
    except OverflowError:
        found = math.inf
    if math.isinf(found) or (found == 0) != (value == 0):
        raise DataError(
            f"{what} is too large or too small for a number (10³⁰⁸, 10⁻³⁰⁸); change the units of "
            "the columns"
        )
    return found
