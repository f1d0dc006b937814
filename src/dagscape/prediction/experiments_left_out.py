"""How well networks foretell experiments that they have not seen."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import polars as pl

from dagscape.landscape import as_frame
from dagscape.words import counted

NETWORKS = {
    "learned": "learned with the other experiments",
    "pooled": "learned with these, and all of them taken as observed",
    "observed": "learned from observed rows alone",
    "alone": "no arcs",
}
"""The networks that are set beside each other."""


@dataclass(frozen=True)
class LeftOut:
    """One variable in the rows of one experiment that was left out."""

    experiment: str
    variable: str
    rows: int
    losses: Mapping[str, float | None]
    """The mean of -ln P of the rows' values, by network; None where there are no observed rows."""


@dataclass(frozen=True, repr=False)
class ExperimentsLeftOut:
    """How well each experiment is foretold without it; see :func:`leave_one_experiment_out`.

    Lower is better, and a difference of 0.01 is 1 % in the probability of a value. Of numbers a
    loss is that of a density: only differences between networks mean anything.
    """

    parts: tuple[LeftOut, ...]
    """Each variable in each experiment that did not set it."""
    structure: str
    """How networks were found, in words."""

    @property
    def log_loss(self) -> dict[str, float | None]:
        """The mean over all rows and variables, by network."""
        return _means(self.parts)

    def by_variable(self, *, frame: str = "polars") -> Any:
        """Return a row for each experiment and variable that it did not set."""
        heads: dict[str, list[Any]] = {
            "experiment": [part.experiment for part in self.parts],
            "variable": [part.variable for part in self.parts],
            "rows": [part.rows for part in self.parts],
        }
        columns = {name: pl.Series(values) for name, values in heads.items()}
        for name in NETWORKS:
            columns[name] = pl.Series([part.losses[name] for part in self.parts], dtype=pl.Float64)
        return as_frame(columns, frame)

    def by_experiment(self, *, frame: str = "polars") -> Any:
        """Return a row for each experiment: the mean over its rows and variables, by network."""
        found = self._by_experiment()
        columns = {
            "experiment": pl.Series(list(found)),
            "rows": pl.Series([max(part.rows for part in own) for own in found.values()]),
        }
        means = [_means(own) for own in found.values()]
        for name in NETWORKS:
            columns[name] = pl.Series([each[name] for each in means], dtype=pl.Float64)
        return as_frame(columns, frame)

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values."""
        return {
            "structure": self.structure,
            "log_loss": self.log_loss,
            "by_variable": self.by_variable(frame="dict"),
        }

    def _by_experiment(self) -> dict[str, tuple[LeftOut, ...]]:
        names = dict.fromkeys(part.experiment for part in self.parts)
        return {
            name: tuple(part for part in self.parts if part.experiment == name) for name in names
        }

    def __repr__(self) -> str:
        found = self._by_experiment()
        width = max(len(name) for name in (*found, "all"))
        head = f"{counted(len(found), 'experiment')} foretold without them; structure: "
        lines = [
            f"{head}{self.structure}",
            "log-loss of a variable, in nats:",
            f"  {'':<{width}}" + "".join(f"{name:>10}" for name in NETWORKS),
        ]
        for name, own in {**found, "all": self.parts}.items():
            means = _means(own)
            cells = "".join(_cell(means[network]) for network in NETWORKS)
            lines.append(f"  {name:<{width}}{cells}")
        return "\n".join(lines)


def _means(parts: tuple[LeftOut, ...]) -> dict[str, float | None]:
    """Return the mean over rows and variables, by network."""
    means: dict[str, float | None] = {}
    for name in NETWORKS:
        known = [(part.rows, part.losses[name]) for part in parts]
        known = [(rows, loss) for rows, loss in known if loss is not None]
        total = sum(rows for rows, _ in known)
        sums = math.fsum(rows * loss for rows, loss in known if loss is not None)
        means[name] = sums / total if total else None
    return means


def _cell(loss: float | None) -> str:
    return f"{'none':>10}" if loss is None else f"{loss:>10.4f}"
