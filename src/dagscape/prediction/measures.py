"""How good predictions are: log-loss, accuracy, Brier score, calibration."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from dagscape.control.limits import use_count
from dagscape.landscape import as_frame
from dagscape.variables import check_name
from dagscape.words import counted

if TYPE_CHECKING:
    from dagscape.graphs import Dag

Numbers = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Measure:
    """A measure of predictions: its mean over all rows, and how much it varies by fold."""

    mean: float
    """The mean over all rows."""
    by_fold: Numbers
    """The mean over the rows of each fold."""

    @property
    def error(self) -> float:
        """The standard error: the deviation of the folds, divided by the root of their number."""
        return float(self.by_fold.std(ddof=1) / np.sqrt(len(self.by_fold)))

    def __str__(self) -> str:
        return f"{self.mean:.4f} ± {self.error:.4f}"


@dataclass(frozen=True, eq=False)
class CrossValidation:
    """How well a variable was predicted in rows that were held out; see :func:`cross_validate`.

    Two of them with the same table, folds and seed have the same folds, so that differences can be
    taken fold by fold: ``a.log_loss.by_fold - b.log_loss.by_fold``.
    """

    target: str
    states: tuple[str, ...]
    """The states of the target."""
    probabilities: Numbers
    """What was predicted: a row for each row of the table, a column for each state."""
    truth: NDArray[np.intp]
    """The state that each row has, as its place in `states`."""
    fold: NDArray[np.intp]
    """The fold that each row was held out in, from 0."""
    dags: tuple[Dag, ...]
    """The graph that was learned without each fold."""
    structure: str
    """How graphs were found, in words."""
    baseline: CrossValidation | None = None
    """The same rows predicted by how often each state occurs in the other folds, and by nothing
    else. A network that does no better has found nothing that tells of the target."""

    @cached_property
    def log_loss(self) -> Measure:
        """The mean of -ln P(the state that a row has): 0 at best, in nats."""
        return self._measure(-np.log(self._probability_of_truth()))

    @cached_property
    def accuracy(self) -> Measure:
        """The share of rows whose most probable state, the first of equals, is the true one."""
        return self._measure((self.probabilities.argmax(axis=1) == self.truth).astype(float))

    @cached_property
    def brier(self) -> Measure:
        """The mean squared distance between the probabilities and the truth, from 0 to 2.

        It is summed over all states; for two states some authors count only one, and get half.
        """
        missed = self.probabilities.copy()
        missed[np.arange(len(missed)), self.truth] -= 1.0
        return self._measure((missed**2).sum(axis=1))

    def calibration(
        self, state: str | None = None, *, bins: int = 10, frame: str = "polars"
    ) -> Any:
        """Return how often what was predicted with a probability came true.

        Parameters
        ----------
        state
            Predictions of this state; of all states together if not given.
        bins
            Probabilities are put into this many intervals of equal width; those that hold none
            are left out. An interval includes its lower end, and the last one both.
        frame
            "polars", "pandas", "pyarrow" or "dict".

        Returns
        -------
        frame
            For each interval its ends (`from`, `to`), the number of predictions, the mean
            probability `predicted`, the share `observed` that came true, and `error`: how much
            the share would deviate by chance if the probabilities were right (one standard
            deviation; rows, and for all states together their states, are taken as independent).
        """
        count = use_count("bins", bins, least=1)
        chosen = list(range(len(self.states)))
        if state is not None:
            check_name(f'state of "{self.target}"', state, self.states)
            chosen = [self.states.index(state)]
        p = self.probabilities[:, chosen].ravel()
        true = (self.truth[:, None] == np.array(chosen)).ravel()
        place = np.minimum((p * count).astype(np.intp), count - 1)
        rows = np.bincount(place, minlength=count)
        held = rows > 0

        def mean(values: NDArray[Any]) -> Numbers:
            sums = np.bincount(place, weights=values, minlength=count)
            return np.asarray(sums[held] / rows[held])

        columns = {
            "from": np.arange(count)[held] / count,
            "to": (np.arange(count)[held] + 1) / count,
            "count": rows[held],
            "predicted": mean(p),
            "observed": mean(true),
            "error": np.sqrt(mean(p * (1 - p)) / rows[held]),
        }
        return as_frame({name: pl.Series(name, cells) for name, cells in columns.items()}, frame)

    def to_dict(self) -> dict[str, object]:
        """Return the measures as JSON can have them."""
        found: dict[str, object] = {
            "target": self.target,
            "structure": self.structure,
            "rows": len(self.truth),
            "folds": len(self.dags),
        }
        for name, measure in self._measures().items():
            found[name] = {
                "mean": measure.mean,
                "error": measure.error,
                "by_fold": measure.by_fold.tolist(),
            }
        if self.baseline is not None:
            found["baseline"] = self.baseline.to_dict()
        return found

    def _measures(self) -> dict[str, Measure]:
        return {"log_loss": self.log_loss, "accuracy": self.accuracy, "brier": self.brier}

    def _probability_of_truth(self) -> Numbers:
        return np.asarray(self.probabilities[np.arange(len(self.truth)), self.truth])

    def _measure(self, by_row: Numbers) -> Measure:
        folds = len(self.dags)
        sums = np.bincount(self.fold, weights=by_row, minlength=folds)
        return Measure(float(by_row.mean()), sums / np.bincount(self.fold, minlength=folds))

    def __repr__(self) -> str:
        rows, folds = counted(len(self.truth), "row"), counted(len(self.dags), "fold")
        words = {"log_loss": "log-loss", "accuracy": "accuracy", "brier": "Brier score"}
        head = f'"{self.target}" predicted in {rows}, {folds}; structure: {self.structure}'
        lines = [f"  {words[name]:<12} {measure}" for name, measure in self._measures().items()]
        if self.baseline is not None:
            plain = self.baseline._measures().values()
            lines = [f"{line:<34} {measure}" for line, measure in zip(lines, plain, strict=True)]
            lines.insert(0, f"{'':<15}{'network':<20}frequencies alone")
        return "\n".join([head, *lines])
