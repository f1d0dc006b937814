"""What differs between two graphs, or between two results: the call."""

from __future__ import annotations

from typing import TYPE_CHECKING, overload

from dagscape.comparisons.comparison import ResultComparison
from dagscape.comparisons.cross_scores import beside_of, families_of, on_table
from dagscape.comparisons.drift import drift_of, loss_of_rows
from dagscape.comparisons.edge_changes import edges_of
from dagscape.control.limits import use_share
from dagscape.errors import ParameterError
from dagscape.metrics import Comparison, GraphOrNetwork
from dagscape.metrics import compare as compare_graphs
from dagscape.results import Result
from dagscape.speech import setting

if TYPE_CHECKING:
    from dagscape.data import Data


@overload
def compare(found: Result, truth: Result, *, level: float = 0.05) -> ResultComparison: ...
@overload
def compare(
    found: GraphOrNetwork, truth: GraphOrNetwork | Result, *, level: float = 0.05
) -> Comparison: ...
@overload
def compare(found: Result, truth: GraphOrNetwork, *, level: float = 0.05) -> Comparison: ...
def compare(
    found: GraphOrNetwork | Result, truth: GraphOrNetwork | Result, *, level: float = 0.05
) -> Comparison | ResultComparison:
    """Compare two graphs edge by edge; or two results, with their tables and probabilities.

    Of graphs: the essential graphs of two networks. Precision is the share of what was found that
    is true, recall the share of what is true that was found; 1 where there is nothing to find.
    Arrows are the directed edges of the essential graphs. Where one is a Pag, the other's PAG is
    taken; arrows are the edges with a tail and a head.

    Of two results: that, and whether it matters. Networks of two samples of one distribution
    differ, too; so of two tables it matters whether they are of one distribution, which is tested
    for each variable given its parents in either network. Beside it the score of either network on
    the table of the other, the variables whose parents differ and what that loses, the
    probabilities of edges, and the claims.

    Parameters
    ----------
    found, truth
        Two graphs or networks; or what two searches found, on tables of the same variables. Those
        of :func:`learn` know their tables and probabilities; of others, only what they know is
        compared.
    level
        Variables are said to follow otherwise where chance would make that look so in this share of
        tables at most, all of them together.

    Returns
    -------
    metrics.Comparison or comparisons.ResultComparison
        The latter of two results: `scores`, `edges`, `families`, `matters` and more;
        ``print(c.summary)`` says it in words.

    Examples
    --------
    >>> import dagscape as ds
    >>> net = ds.load_network("asia")
    >>> r1, r2 = (ds.learn(net.sample(500, seed=s), runs=0, resamples=0) for s in (1, 2))
    >>> ds.compare(r1, r2).graphs.shd <= 4
    True
    """
    alpha = use_share("level", level)
    if not 0 < alpha < 1:
        raise ParameterError(f"{setting('level')} must lie between 0 and 1, got {level!r}")
    if isinstance(found, Result) and isinstance(truth, Result):
        return _results(found, truth, alpha)
    return compare_graphs(_graph(found), _graph(truth))


def _graph(given: GraphOrNetwork | Result) -> GraphOrNetwork:
    return given.dag if isinstance(given, Result) else given


def _results(first: Result, second: Result, level: float) -> ResultComparison:
    graphs = compare_graphs(first.dag, second.dag)
    tables = first.data, second.data
    scores = (
        on_table(first, second.dag, tables[0]),
        on_table(second, first.dag, tables[1]),
    )
    return ResultComparison(
        first=first,
        second=second,
        graphs=graphs,
        scores=scores,
        edge_rows=edges_of(first, second),
        family_rows=families_of(first, second, tables),
        drift=drift_of((first.dag, beside_of(second, first.dag)), *tables, level=level),
        loss=loss_of_rows(first, *tables),
        same_table=_same(*tables),
        level=level,
    )


def _same(one: Data | None, other: Data | None) -> bool | None:
    return None if one is None or other is None else one.fingerprint == other.fingerprint
