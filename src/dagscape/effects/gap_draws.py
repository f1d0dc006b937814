"""Tables without gaps for effects: cells drawn given the networks that a posterior draws.

Networks of a posterior with drawn cells and cells drawn given each network have the distribution
that what is observed gives to both. So an effect is drawn in a completed table for the networks
that it was completed by, and intervals have in them what the missing cells leave open (Rubin,
Multiple Imputation for Nonresponse in Surveys, 1987).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from dagscape.control.budget import Budget
from dagscape.errors import DagscapeError
from dagscape.gaps.cell_sampler import cells_of
from dagscape.problem import Problem

if TYPE_CHECKING:
    from dagscape.data import Data
    from dagscape.graphs import Dag
    from dagscape.scores import Score

TABLES = 40
"""Completed tables."""
SWEEPS = 8
"""How often parameters and cells are drawn in turn, from cells drawn column by column."""


def completed(
    data: Data, score: Score, networks: list[Dag], seed: int
) -> list[tuple[Data, list[Dag]]]:
    """Return tables without gaps, each with the networks that it goes with; all networks once."""
    if not data.missing:
        return [(data, networks)]
    cells, budget = cells_of(data, score), Budget.of(seed=seed)
    problem = Problem(data, score=score)
    number = data.variables.number
    names = data.variables.in_engine_order()
    found = []
    for at in range(min(TABLES, len(networks))):
        own = networks[at::TABLES]
        rng = np.random.default_rng([seed, 3, at])
        parents = [sorted(map(number, own[0].parents(x))) for x in names]
        columns = cells.start("empty", problem, rng, budget)
        for _ in range(SWEEPS):
            if columns is not None:
                columns = cells.drawn(parents, columns, rng, budget)
        if columns is None:  # no limit was given
            raise DagscapeError("the missing cells could not be drawn")
        found.append((cells.data(columns), own))
    return found
