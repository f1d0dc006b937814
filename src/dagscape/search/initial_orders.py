"""Orders of the variables where a search over orders begins, and the graph they are made from."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from dagscape import _core
from dagscape.arguments import as_list
from dagscape.control.limits import use_count, use_seed
from dagscape.errors import ParameterError
from dagscape.graphs import Dag
from dagscape.parents import CandidateParents
from dagscape.parents.candidates import check_lists, check_scores
from dagscape.variables import Variables, check_name

INITS = ("random", "dfs", "fas")
"""How initial orders are made."""


class InitialOrder(NamedTuple):
    """An order of the variables, and what it was made from."""

    names: tuple[str, ...]
    """The variables, those that come first first."""
    arcs: tuple[tuple[str, str, float], ...]
    """The graph in which every variable has its best parents, cycles or not: parent, child, and
    what the child loses without that parent."""
    broken: tuple[tuple[str, str], ...]
    """The arcs that "fas" leaves out, so that no cycle remains; none for the others."""


def initial_order(
    parents: CandidateParents, init: str = "fas", *, seed: int = 0, restart: int = 0
) -> InitialOrder:
    """Make an order where :func:`order_search` begins, from the graph of best parents.

    Parameters
    ----------
    parents
        Candidate parent sets.
    init
        "random", "dfs" or "fas", as for :func:`order_search`.
    seed, restart
        Of what is drawn: a search with this seed begins its restart of this number here. The first
        is 0.

    Notes
    -----
    Source: Perez and Mauá, JIDM 2016, Section 5. What an arc is worth is the loss to the best
    candidate set among the parents that remain, since a pruned list need not hold just these.

    Cost: the lists are sorted; each worth looks along one of them; "fas" takes a search of the
    graph for each cycle that is broken, and for each arc that is tried again.

    Examples
    --------
    >>> import dagscape as ds
    >>> data = ds.load_network("asia").sample(500, seed=0)
    >>> parents = ds.candidate_parents(data, score="bic")
    >>> first = ds.search.initial_order(parents, "fas", seed=1)
    >>> ds.order_search(parents, start=first.names, restarts=1).optimal
    False
    """
    check_name("init", init, INITS)
    if not isinstance(parents, CandidateParents):
        raise ParameterError(
            "parents must be candidate parent sets, as ds.candidate_parents returns them; got "
            f"{type(parents).__name__}"
        )
    check_lists(parents)
    parents._lists.sort()
    check_scores(parents)
    graph = _core.BestParentGraph(parents._lists)
    names = parents.variables.in_engine_order()
    arcs = [(names[a], names[b], weight) for a, b, weight in graph.arcs]
    order = _core.initial_order(graph, init, use_seed(seed), use_count("restart", restart))
    broken = graph.feedback_arcs() if init == "fas" else []
    return InitialOrder(
        tuple(names[v] for v in order),
        tuple(arcs),
        tuple((a, b) for a, b, _ in (arcs[place] for place in broken)),
    )


def told_start(init: str, start: Sequence[int], restarts: int) -> str:
    """Return where a search began, in words."""
    if not start:
        return init
    return "a given order" if restarts == 1 else f"a given order and {init}"


def use_start(start: Dag | Iterable[str] | None, variables: Variables) -> tuple[int, ...]:
    """Return an order that was asked for as the engine's numbers; none if none was."""
    if start is None:
        return ()
    if isinstance(start, Dag):
        start = start.topological_order()
    names = as_list("start", start, "names")
    if Variables(names) != variables:
        raise ParameterError("start must have the variables of the data, no more and no fewer")
    return tuple(variables.number(name) for name in names)
