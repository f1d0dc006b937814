"""Edges that appear by chance: probabilities on tables whose columns were shuffled."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from dagscape.chance.draws import orders_of
from dagscape.data import Data
from dagscape.errors import DagscapeError, ParameterError
from dagscape.learning.plan import CHANCE_RESAMPLES, SUMMED
from dagscape.posteriors.make_posterior import posterior

if TYPE_CHECKING:
    from dagscape.control.budget import Budget
    from dagscape.problem import Problem

LEVELS = (0.1, 0.3, 0.5, 0.7, 0.9, 0.95)
"""Probabilities at which edges are counted."""


@dataclass(frozen=True)
class Chance:
    """How many pairs reach a probability on tables whose columns are unrelated."""

    tables: int
    """Shuffled tables that were done."""
    resamples: int
    """Of how many resamples each probability is the mean; 0 for the posterior itself."""
    edges: Mapping[float, float]
    """Pairs that reach each probability, in the mean over the tables."""
    most: float
    """The highest probability that any pair reached."""
    seconds: float = 0.0

    def at(self, probability: float) -> float:
        """Return how many pairs reach this one of the levels."""
        if isinstance(probability, int | float) and probability in self.edges:
            return self.edges[probability]
        levels = ", ".join(f"{level:g}" for level in self.edges)
        raise ParameterError(f"probability must be one of {levels}, got {probability!r}")

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values."""
        return {
            "tables": self.tables,
            "resamples": self.resamples,
            "edges": {f"{level:g}": count for level, count in self.edges.items()},
            "most": self.most,
        }


def shuffled(data: Data, seed: int, table: int) -> Data:
    """Return the table with rows of each column shuffled, or whole subjects if there are any."""
    rng = np.random.default_rng([seed, table, 1])
    subjects = data.rows.clusters
    strata = np.zeros(data.n_rows if subjects else 0, dtype=np.intp)
    # By name, so that the order of the columns does not matter.
    codes = np.array(data.codes)
    for name in sorted(data.names):
        at = data.names.index(name)
        if subjects is None:
            codes[:, at] = rng.permutation(codes[:, at])
        else:
            codes[:, at] = codes[next(orders_of(subjects.codes, strata, rng)), at]
    made = Data.from_codes(codes, data.states)
    return made if data.rows.times is not None else made._of_rows(data.rows)


def by_chance(problem: Problem, tables: int, resamples: int, budget: Budget) -> Chance:
    """Count the pairs that reach each probability on shuffled tables, as many as time allows.

    Each probability is by resampled tables alone, in which chance looks stronger, and by fewer of
    them, so that it scatters more: chance is not made to look smaller than it is.
    """
    few = min(resamples, CHANCE_RESAMPLES)
    counts = dict.fromkeys(LEVELS, 0)
    done, highest = 0, 0.0
    for table in range(tables):
        if budget.over:
            break
        if budget.progress is not None:
            budget.progress(table / tables, f"{table} of {tables} shuffled tables")
        try:
            found = posterior(
                problem.on(shuffled(problem.data, budget.seed, table)),
                method="exact" if len(problem.variables) <= SUMMED else "mcmc",
                resamples=few,
                seed=budget.seed,
                **{**budget.words(), "progress": None},
            )
        except ParameterError:
            raise
        except DagscapeError:  # time was over
            break
        if found.stopped:
            break
        said = found.features("adjacencies", frame="dict")["probability"]
        done += 1
        highest = max(highest, max(said, default=0.0))
        for level in LEVELS:
            counts[level] += sum(p >= level for p in said)
    shares = {level: count / max(1, done) for level, count in counts.items()}
    return Chance(done, few, shares, highest, budget.seconds)
