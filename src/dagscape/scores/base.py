"""What every score has, when two are the same, and the registry of all of them."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from dagscape import _core
from dagscape.data.columns import tells_rows_apart
from dagscape.errors import DataError
from dagscape.scores.named_choices import NamedChoice, Registry
from dagscape.scores.priors import Prior, UniformPrior
from dagscape.speech import choice
from dagscape.targets import OUT

if TYPE_CHECKING:
    import numpy.typing as npt

    from dagscape.data import Data
    from dagscape.data.experiments import Experiments


@dataclass(frozen=True)
class Score(NamedChoice):
    """A decomposable score: one of its subclasses, or its name, is what searches take.

    It can be written as data (:meth:`to_dict`), from which :func:`score_from_dict` rebuilds it, and
    as text, ``str(score)``, which is accepted wherever a name is: ``"bdeu(ess=10)"``.
    """

    odds: ClassVar[bool] = False
    """Whether a difference of scores is, at least about, a logarithm of odds."""
    marginal: ClassVar[bool] = False
    """Whether it is the logarithm of a marginal likelihood: P(rows | network)."""
    weighs: ClassVar[bool] = True
    """Whether its exponential is a marginal likelihood, or may stand in for one."""
    real_counts: ClassVar[bool] = True
    """Whether it is defined where rows count in parts, as completions of rows with gaps do."""

    of_numbers: ClassVar[bool] = False
    """Whether it scores columns of numbers."""

    @property
    def linear(self) -> bool:
        """Whether it takes every relation between numbers for a line."""
        return False

    @property
    def base(self) -> Score:
        """The score without a prior."""
        return self

    @property
    def prior(self) -> Prior:
        """The prior on structures whose logarithm is added: uniform, where none is."""
        return UniformPrior()

    @classmethod
    def takes(cls, data: Data) -> bool:
        """Tell whether it scores tables with columns of such kinds."""
        return not data.numbers

    @property
    def asked(self) -> dict[str, str]:
        """Score and prior in words, as results say what was asked."""
        return {"score": str(self.base), "prior": str(self.prior)}

    @property
    def equivalent(self) -> bool:
        """Whether equivalent networks score the same."""
        return self._engine(1).equivalent

    @property
    def takes_gaps(self) -> bool:
        """Whether it scores tables with missing cells as they are."""
        return False

    def imagined(
        self,
        counts: npt.NDArray[Any],  # noqa: ARG002
        cells: int,
        members: int,  # noqa: ARG002
    ) -> float:
        """Return the cases that a prior of the parameters puts into each cell of a family's table.

        Scores that have no such prior are given that of BDeu with an equivalent sample size of 1.

        Parameters
        ----------
        counts
            Of the cells, at least of those that are not zero.
        cells
            How many the table has.
        members
            Variables in the family.
        """
        return 1.0 / cells

    def _engine(self, cases: float) -> _core.Score:
        """Return the engine's score for a number of cases."""
        raise TypeError(f"a score of {cases} cases is made by a subclass of Score")

    def function(
        self, table: _core.Table, counter: _core.Counter | None = None, unit: float = 1.0
    ) -> _core.SetFunction:
        """Return what searches see: the score as a function of sets of the table's variables.

        A count of one in the table is `unit` of a case.
        """
        score = self._engine(table.cases * unit)
        if unit != 1:
            if not self.real_counts:
                raise DataError(
                    f"{self} scores whole rows, and rows of this table count in parts; choose "
                    "another score"
                )
            score = _core.ScaledCounts(score, unit)
        return _core.CountFunction(table, score, counter)

    def on(self, data: Data) -> _core.SetFunction:
        """Return what searches see of the data, which must be of the kinds that the score takes.

        Where rows are in groups, each has parameters of its own, and the score is their sum.
        """
        if data.rows.interventions is not None:
            return by_experiments(data, data.rows.interventions, self.on)
        return of_groups(data, self.of_rows)

    def for_table_to_keep(self) -> Score:
        """Return the same, made so that a table may keep what it gives, whatever it was made of."""
        return self

    def of_rows(self, data: Data) -> _core.SetFunction:
        """Return the same where every row is a case, and nothing else is said of them."""
        if data.numbers:
            raise _no_numbers(self, data)
        return self.function(data._engine_table, None, data.rows.counted[1])


def of_groups(data: Data, made: Callable[[Data], _core.SetFunction]) -> _core.SetFunction:
    """Return what is made of a table, or the sum of what is made of each of its groups."""
    if data.rows.groups is None:
        return made(data)
    return _core.SumFunction([made(part) for part in data.by_group()])


def _no_numbers(score: Score, data: Data) -> DataError:
    """Return the error for a score of states on a table with numbers."""
    column = next(iter(data.numbers))
    fitting = [str(kind()) for kind in dict.fromkeys(SCORES.values()) if kind.takes(data)]
    others = f"choose {choice('score', *fitting)}, or " if fitting else ""
    as_states = ""
    if not tells_rows_apart(len(np.unique(data.numbers[column])), data.n_rows):
        as_states = f", or take its values as states: {choice('kinds', {column: 'discrete'})}"
    return DataError(
        f'column "{column}" holds numbers, and {score} scores states; {others}cut the column: '
        f"{choice('discretize', {column: ('quantile', 3)})}{as_states}"
    )


SCORES: Registry[Score] = Registry("score")
"""Every name of a score, with its class."""


SAME_SCORE = _core.SAME_SCORE
"""Scores that differ by no more are the same, as the engine has it."""


def rounding(score: float) -> float:
    """Return how far another score may be from this one and still be the same.

    Doubles lose digits of large numbers; nothing is near an infinite one.
    """
    return SAME_SCORE + 1e-13 * abs(score) if math.isfinite(score) else 0.0


def higher(score: float, other: float) -> bool:
    """Tell whether a score is higher than another by more than rounding."""
    return score > other + rounding(other)


def by_experiments(
    data: Data, done: Experiments, on: Callable[[Data], _core.SetFunction]
) -> _core.SetFunction:
    """Return what searches see where rows come from experiments: a function for each kind of child.

    A child is scored on the rows in which it was free; what shifts it adds a part of its own.
    Source: Cooper and Yoo, Causal discovery from a mixture of experimental and observational data,
    UAI 1999.

    Variables that were free, and shifted, in the same rows are of one kind. Those that were set in
    every row have no function of their own, and none is asked for.
    """
    kinds: dict[tuple[str, ...], int] = {}
    kind_of = []
    for name in data.variables.in_engine_order():
        states = done.states(name)
        always = all(state == OUT for state in states)
        kind_of.append(-1 if always else kinds.setdefault(states, len(kinds)))
    if not kinds:  # all are set in every row, and nothing is to be learned
        return on(data.part(np.arange(data.n_rows), "interventions"))
    functions = []
    for states in kinds:
        parts = [on(data.part(rows, "interventions")) for rows in done.rows_of(states)]
        functions.append(parts[0] if len(parts) == 1 else _core.SumFunction(parts))
    if len(functions) == 1:
        return functions[0]
    return _core.KindsFunction(functions, [max(0, kind) for kind in kind_of])
