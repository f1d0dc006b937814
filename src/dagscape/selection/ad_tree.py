"""How large the A* paper's AD-tree of a table is."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from dagscape import _core
from dagscape.control.limits import use_count
from dagscape.data import as_data, check_data

if TYPE_CHECKING:
    from dagscape.data import TableLike


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
