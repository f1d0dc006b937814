"""Scores of a table: of one variable given its parents, or of a whole network."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Unpack

from dagscape.arguments import as_list
from dagscape.errors import ParameterError
from dagscape.graphs import GraphLike, Mpdag, as_dag
from dagscape.shared_arguments import ForScore, problem_of, takes
from dagscape.speech import for_python

if TYPE_CHECKING:
    from dagscape.data import TableLike
    from dagscape.graphs import Dag
    from dagscape.problem import Problem


@takes(ForScore)
def local_score(
    data: TableLike | Problem,
    child: str,
    parents: Iterable[str] = (),
    **shared: Unpack[ForScore],
) -> float:
    """Score one variable given its parents.

    The sum of this over all variables of a network is what :func:`score` gives. With a prior, the
    log weight of that many parents is added.

    Examples
    --------
    >>> import dagscape as ds
    >>> data = ds.load_network("asia").sample(1000, seed=0)
    >>> ds.local_score(data, "xray", ["either"]) > ds.local_score(data, "xray")
    True
    """
    problem = problem_of(data, shared)
    parents = as_list("parents", parents, "names")
    number = problem.variables.number
    x, given = number(child), [number(name) for name in parents]
    if parents:
        _refuse_free(problem, {child: parents})
    if x in given:
        raise ParameterError(f'"{child}" cannot be its own parent')
    if len(set(given)) != len(given):
        raise ParameterError("a parent is listed twice")
    return problem.scorer.local(x, given)


@takes(ForScore)
def score(data: TableLike | Problem, graph: GraphLike, **shared: Unpack[ForScore]) -> float:
    """Score a network on the data.

    By the same rule as the searches: the score of what one found is the score that it says.

    Parameters
    ----------
    graph
        A Dag, a Cpdag or Mpdag, a networkx DiGraph, or a list of arcs, which need not mention
        variables without arcs.

    Raises
    ------
    GraphError
        If the graph's variables are not the data's.
    ParameterError
        If an essential graph is to be scored with a score that distinguishes its members.
    """
    problem = problem_of(data, shared)
    if isinstance(graph, Mpdag) and not problem.score.equivalent:
        raise ParameterError(
            f"{problem.score} gives equivalent networks different scores, so an essential graph "
            f"has none; score a {for_python('Dag', 'network')}"
        )
    if isinstance(graph, Mpdag) and problem.targets:
        _refuse_open(problem, graph)
    return total(problem, as_dag(graph, problem.variables))


def total(problem: Problem, dag: Dag) -> float:
    """Return the score of a network."""
    on_data, number = problem.scorer, problem.variables.number
    _refuse_free(problem, {name: own for name in dag.names if (own := dag.parents(name))})
    return sum(
        on_data.local(number(name), [number(parent) for parent in dag.parents(name)])
        for name in problem.variables.in_engine_order()
    )


def _refuse_free(problem: Problem, parents: Mapping[str, Sequence[str]]) -> None:
    """Refuse parents of columns that are given, such as those of the past."""
    series, done = problem.data.rows.series, problem.data.rows.interventions
    for name in () if done is None else done.always_set:
        if name in parents:
            raise ParameterError(
                f'"{name}" was set in every row, so no row tells anything about its causes, and it '
                f"has no parents; got {', '.join(parents[name])}"
            )
    if series is None:
        return
    for name in series.free:
        if name in parents:
            what = "the past" if name in series.places else "what is known ahead"
            raise ParameterError(
                f'"{name}" is a column of {what}, which has no parents and no score of its own; '
                f"got {', '.join(parents[name])}"
            )


def _refuse_open(problem: Problem, graph: Mpdag) -> None:
    """Refuse a graph that leaves a direction open which experiments tell."""
    kind = dict(zip(problem.variables.in_engine_order(), problem.kinds, strict=True))
    for a, b in graph.undirected:
        if kind[a] != kind[b]:
            raise ParameterError(
                f'the table has experiments that set one of "{a}" and "{b}" and not the other, so '
                "networks that differ in the direction of their edge score differently; score a "
                f"{for_python('Dag', 'network')}, or the essential graph of these experiments"
            )
