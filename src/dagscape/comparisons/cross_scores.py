"""Networks on the tables of each other, as a whole and variable by variable."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import polars as pl

from dagscape.errors import DagscapeError
from dagscape.examinations.family_losses import nearest_member
from dagscape.files.result_frames import NAMES
from dagscape.problem import Problem
from dagscape.scoring import total

if TYPE_CHECKING:
    from dagscape.data import Data
    from dagscape.graphs import Dag
    from dagscape.results import Result

COLUMNS = {
    "variable": pl.String,
    "first": NAMES,
    "second": NAMES,
    "loss_first": pl.Float64,
    "loss_second": pl.Float64,
}


class OnTable(NamedTuple):
    """Two networks on one table, by the score that its own was found by."""

    rows: int
    score: str
    own: float
    other: float

    @property
    def loss(self) -> float:
        """How much less the network of the other table scores; negative where it scores more."""
        return self.own - self.other


class FamilyOnTables(NamedTuple):
    """A variable whose parents differ, and what those of the other lose on each table."""

    variable: str
    first: tuple[str, ...]
    second: tuple[str, ...]
    loss_first: float | None
    """On the first table, what the parents of the second network lose."""
    loss_second: float | None


def problem_on(result: Result, table: Data | None) -> Problem | None:
    """Return how a result scores networks on its table; None where that cannot be had."""
    if table is None or table.missing or result.score_kind is None:
        return None
    try:
        return Problem(table, score=result.score_kind)
    except DagscapeError:  # of a table that says of its rows what scores alone do not obey
        return None


def on_table(result: Result, other: Dag, table: Data | None) -> OnTable | None:
    """Return what a result's network and another score on its table."""
    problem = problem_on(result, table)
    if problem is None:
        return None
    return OnTable(
        problem.data.n_rows, str(problem.score), total(problem, result.dag), total(problem, other)
    )


def families_of(
    first: Result, second: Result, tables: tuple[Data | None, Data | None]
) -> tuple[FamilyOnTables, ...]:
    """Return the variables whose parents differ, those that lose most first.

    Of the networks equivalent to the second, it is one with the directions of the first where it
    can.
    """
    one, other = problem_on(first, tables[0]), problem_on(second, tables[1])
    beside, found = beside_of(second, first.dag), []
    for name in first.dag.names:
        mine, theirs = first.dag.parents(name), beside.parents(name)
        if set(mine) != set(theirs):
            on_first = _loss(one, name, mine, theirs)
            found.append(
                FamilyOnTables(name, mine, theirs, on_first, _loss(other, name, theirs, mine))
            )
    return tuple(
        sorted(found, key=lambda row: (-max(row.loss_first or 0, row.loss_second or 0), row[0]))
    )


def beside_of(result: Result, dag: Dag) -> Dag:
    """Return the network equivalent to a result's whose directions are most like another's."""
    if result.score_kind is None or not result.score_kind.equivalent:
        return result.dag
    near, known = nearest_member(result.mpdag, dag), result.scope.knowledge
    return result.dag if known is not None and known.violations(near) else near


def _loss(
    problem: Problem | None, child: str, own: tuple[str, ...], other: tuple[str, ...]
) -> float | None:
    if problem is None:
        return None
    number = problem.variables.number

    def local(parents: tuple[str, ...]) -> float:
        return problem.scorer.local(number(child), [number(parent) for parent in parents])

    return local(own) - local(other)
