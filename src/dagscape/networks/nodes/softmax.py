"""A variable with states that has parents with numbers: a softmax of lines in these."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

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

if TYPE_CHECKING:  # written out, it fills a page of the documentation
    import numpy.typing as npt


class SoftmaxNode(Node):
    """A state whose odds follow parents with numbers: multinomial logistic regression.

    P(state s) is proportional to ``exp(intercepts[s] + Σ slopes[s, j] · (parent j - centers[j]))``,
    with parameters of their own for each configuration of the parents with states.

    Parameters
    ----------
    intercepts
        An axis for each parent with states, in the order of ``dag.parents(x)``, and a last one for
        the variable's own states.
    slopes
        The same axes, and a last one for the parents with numbers, in their order.
    centers
        One for each parent with numbers. 0 by default.

    Notes
    -----
    The other usual choice, a normal distribution of the parents in each class, would say how the
    parents are distributed, which the network says already and otherwise. A softmax says only what
    follows from them.
    """

    __slots__ = ("_centers", "_intercepts", "_slopes")
    kind = "softmax"
    continuous = False

    def __init__(
        self,
        intercepts: npt.ArrayLike,
        slopes: npt.ArrayLike,
        centers: npt.ArrayLike | None = None,
    ) -> None:
        self._intercepts = numbers("intercepts", intercepts)
        self._slopes = numbers("slopes", slopes)
        if self._slopes.ndim < 2 or not self._slopes.shape[-1] or not self._intercepts.size:
            raise ParameterError(
                "slopes must have a row for each state and a column for each parent with numbers, "
                f"got the shape {self._slopes.shape}; without such parents a table will do"
            )
        count = self._slopes.shape[-1]
        self._centers = numbers("centers", np.zeros(count) if centers is None else centers)

    @property
    def intercepts(self) -> Floats:
        """The log odds where parents are at their centers, up to a constant, by configuration."""
        return self._intercepts

    @property
    def slopes(self) -> Floats:
        """What one more of each parent with numbers adds to the log odds, by configuration."""
        return self._slopes

    @property
    def centers(self) -> Floats:
        """Where slopes are counted from, one for each parent with numbers."""
        return self._centers

    @property
    def n_parameters(self) -> int:
        """(states - 1) times 1 + parents with numbers, for each configuration of the others."""
        states, floats = self._slopes.shape[-2:]
        return int(self._intercepts.size // states * (states - 1) * (1 + floats))

    def check(self, x: str, states: int, parents: Mapping[str, int]) -> None:
        """Refuse shapes that do not fit the parents."""
        if not states:
            raise ParameterError(f'"{x}" has a SoftmaxNode; its states must be given')
        shape = [*(arity for arity in parents.values() if arity), states]
        floats = sum(not arity for arity in parents.values())
        axes = "states of its parents and its own"
        check_shape(x, "the intercepts", self._intercepts, shape, axes)
        axes = f"{axes}, its parents with numbers"
        check_shape(x, "the slopes", self._slopes, [*shape, floats], axes)
        check_shape(x, "the centers", self._centers, [floats], "its parents with numbers")

    def probabilities(self, parents: Sequence[Column]) -> Floats:
        """Return P(state | parents): a row for each row, a column for each state."""
        return np.exp(self._log_probabilities(parents))

    def _log_probabilities(self, parents: Sequence[Column]) -> Floats:
        discrete, floats = split(parents)
        row = row_of(discrete, self._intercepts.shape[:-1])
        states = self._intercepts.shape[-1]
        intercepts = self._intercepts.reshape(-1, states)[row]
        slopes = self._slopes.reshape(-1, states, len(floats))
        terms = [
            times(slopes[row, :, j], away_from(column, self._centers[j])[:, None])
            for j, column in enumerate(floats)
        ]
        logits = total([np.broadcast_to(intercepts, terms[0].shape), total(terms)])
        logits = np.clip(logits, -LARGEST / 4, LARGEST / 4)
        logits -= logits.max(axis=1, keepdims=True)
        found: Floats = logits - np.log(np.exp(logits).sum(axis=1, keepdims=True))
        return found

    def draw(self, parents: Sequence[Column], rows: int, rng: np.random.Generator) -> Column:
        """Draw states, one random number for each row."""
        steps = np.cumsum(self.probabilities(parents), axis=1)
        steps /= steps[:, -1:]
        u = rng.random(rows)
        code: npt.NDArray[np.intp] = (u[:, None] >= steps[:, :-1]).sum(axis=1, dtype=np.intp)
        return code

    def log_density(self, values: Column, parents: Sequence[Column]) -> Floats:
        """Return ln P(value | parents)."""
        return self._log_probabilities(parents)[np.arange(len(values)), values]

    def reordered(self, order: Sequence[int], discrete: Sequence[bool]) -> SoftmaxNode:
        """Return the node for parents in another order."""
        axes, places = axes_after(order, discrete)
        own = len(axes)
        return SoftmaxNode(
            self._intercepts.transpose(*axes, own),
            self._slopes.transpose(*axes, own, own + 1)[..., places],
            self._centers[places],
        )

    def values(self) -> dict[str, Any]:
        """Return each part in one list, the last axis fastest."""
        return {
            "intercepts": self._intercepts.reshape(-1).tolist(),
            "slopes": self._slopes.reshape(-1).tolist(),
            "centers": self._centers.tolist(),
        }

    def _arrays(self) -> tuple[Any, ...]:
        return self._intercepts, self._slopes, self._centers

    def __repr__(self) -> str:
        states, floats = self._slopes.shape[-2:]
        configurations = self._intercepts.size // states
        each = f", in each of {configurations:,} configurations" if configurations > 1 else ""
        return f"<SoftmaxNode: {states} states, {counted(floats, 'slope')} each{each}>"
