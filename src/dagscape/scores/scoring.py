"""Scores of a table: of one variable given its parents, or of a whole network."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from dagscape import _core
from dagscape.arguments import as_list
from dagscape.data import as_data, check_data
from dagscape.errors import ParameterError
from dagscape.graphs import GraphLike, Mpdag, as_dag
from dagscape.scores.by_name import ScoreLike, as_score
from dagscape.scores.counts import LogLikelihood
from dagscape.scores.priors import PriorLike
from dagscape.speech import for_python

if TYPE_CHECKING:
    from dagscape.data import Data, TableLike

CACHE_BYTES = 1 << 30
"""What one score on one table may keep of its set functions."""


def check_scored(data: Data, score: ScoreLike | None) -> None:
    """Refuse what is not a Data, and one with missing cells unless the score takes them."""
    check_data(data, gaps=score is not None and as_score(score).takes_gaps)


def scorer(data: Data, score: ScoreLike) -> _core.Scorer:
    """Return the engine's score on the data; made once, so that all calls share its cache."""
    check_scored(data, score)
    kind = as_score(score)
    return data.scorer(kind, lambda: _core.Scorer(kind.on(data), CACHE_BYTES))


def likelihood(data: Data) -> _core.Scorer:
    """Return the log-likelihood that tests of independence look at: ratios of it are statistics.

    On states these are G², on numbers tests of partial correlation; on both, tests of the columns
    that :class:`BasisBIC` of degree 1 makes of them.
    """
    if not data.numbers:
        return scorer(data, LogLikelihood())

    def made() -> _core.Scorer:
        return _core.Scorer(_core.basis_bic(data.mixed_table, 1, penalized=False), CACHE_BYTES)

    return data.scorer("likelihood of numbers", made)


def scorer_within(data: Data, score: ScoreLike, max_bytes: int) -> _core.Scorer:
    """Return the data's own scorer, or one with a smaller cache where memory is short."""
    if max_bytes >= 4 * CACHE_BYTES:
        return scorer(data, score)
    return _core.Scorer(as_score(score).on(data), max_bytes // 4)


def local_score(
    data: TableLike,
    child: str,
    parents: Iterable[str] = (),
    *,
    score: ScoreLike = "bic",
    prior: PriorLike | None = None,
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
    data = as_data(data)
    parents = as_list("parents", parents, "names")
    check_scored(data, score)
    number = data.variables.number
    x, given = number(child), [number(name) for name in parents]
    if x in given:
        raise ParameterError(f'"{child}" cannot be its own parent')
    if len(set(given)) != len(given):
        raise ParameterError("a parent is listed twice")
    return scorer(data, as_score(score, prior)).local(x, given)


def score(
    data: TableLike, graph: GraphLike, *, score: ScoreLike = "bic", prior: PriorLike | None = None
) -> float:
    """Score a network on the data.

    Parameters
    ----------
    graph
        A Dag, a Cpdag or Mpdag, a networkx DiGraph, or a list of arcs, which need not mention
        variables without arcs.
    prior
        A prior on structures, whose logarithm is added up to a constant: "uniform" (the default,
        which adds nothing), "fair" or :class:`EdgePrior`.

    Raises
    ------
    GraphError
        If the graph's variables are not the data's.
    ParameterError
        If an essential graph is to be scored with a score that distinguishes its members.
    """
    data = as_data(data)
    kind = as_score(score, prior)
    on_data = scorer(data, kind)
    if isinstance(graph, Mpdag) and not kind.equivalent:
        raise ParameterError(
            f"{kind} gives equivalent networks different scores, so an essential graph has none; "
            f"score a {for_python('Dag', 'network')}"
        )
    dag = as_dag(graph, data.variables)
    number, name = data.variables.number, data.variables.name
    return sum(
        on_data.local(x, [number(parent) for parent in dag.parents(name(x))])
        for x in range(len(data.variables))
    )
