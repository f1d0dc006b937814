"""What a selection of parent sets will cost, and how large the A* paper's AD-tree is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Unpack

from dagscape import _core
from dagscape.control.limits import use_count
from dagscape.data import as_data, check_data
from dagscape.shared_arguments import ForEstimate, begin, takes

if TYPE_CHECKING:
    from dagscape.data import TableLike
    from dagscape.problem import Problem


@dataclass(frozen=True)
class Estimate:
    """About what a computation will take, if no rule spares any of it."""

    sets: float
    """Sets of variables to be counted."""
    bytes: float
    """Memory for what is kept between sizes."""
    list_bytes: float
    """Memory for the sets that are found, at most: if none can be left out."""
    seconds: float
    """Rough: the constants were measured on one machine."""
    max_parents: int
    """The most parents that can pay off, or that are allowed."""
    complete: bool
    """Whether all sizes fit the memory; if not, the figures are those of the sizes that do."""


@takes(ForEstimate)
def estimate_parents(data: TableLike | Problem, **shared: Unpack[ForEstimate]) -> Estimate:
    """Return what :func:`candidate_parents` will take, as "sequential" selection, at most."""
    problem, budget = begin(data, shared)
    facts = _core.estimate_sequential(
        problem.scorer,
        problem.constraints(),
        _core.PruningRules(),
        budget.threads,
        budget.memory,
    )
    return Estimate(**facts)


class AdTreeSize(NamedTuple):
    """The columns "adtree" and "f-adtree" of the paper's Table 4.1."""

    nodes: int
    """Nodes up to the depth, the root included."""
    full_nodes: float
    """Nodes without a limit of depth: the product of (states + 1)."""
    depth: int


def ad_tree_size(data: TableLike, depth: int | None = None) -> AdTreeSize:
    """Count the nodes of a table's AD-tree, without building it.

    One child per state, zero counts as leaves. The number depends on the order of the columns,
    which is that of the table here.

    Parameters
    ----------
    depth
        Most variables on a path; the paper's floor(log2(2N / ln N)) + 1 by default. The number of
        nodes, and the time to count them, grow exponentially in it.

    Notes
    -----
    Source: Wu, A heuristic search algorithm for learning optimal Bayesian networks, 2010,
    section 3.4.
    """
    data = as_data(data)
    check_data(data)
    columns = [data.codes[:, i] for i in range(data.n_variables)]
    table = _core.Table(columns, list(data.arities.values()))
    most = _core.AdTree.paper_depth(data.n_rows) if depth is None else use_count("depth", depth)
    return AdTreeSize(
        _core.ad_tree_nodes(table, most), _core.full_ad_tree_nodes(table), min(most, len(columns))
    )
