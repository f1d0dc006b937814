"""Search over orders of the variables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Unpack

from dagscape.control.limits import use_count
from dagscape.errors import ParameterError
from dagscape.executors import use_executor
from dagscape.parents import CandidateParents
from dagscape.problem import Problem
from dagscape.results import Result
from dagscape.scoring import total
from dagscape.search.initial_orders import INITS, use_start
from dagscape.search.order_by_growth import Climbs, GrownSearch, search_grown
from dagscape.search.order_by_lists import RestartRules, Rounds, search_listed
from dagscape.selection import METHODS, parents_of
from dagscape.shared_arguments import ForClusterSearch, begin_with_sets, takes
from dagscape.variables import check_name

if TYPE_CHECKING:
    from dagscape.data import TableLike
    from dagscape.graphs import Dag

NEIGHBORHOODS = ("insert", "block", "swap")
"""The moves."""

PARENT_SETS = ("listed", "grown")
"""Where parents come from."""

MOST_LISTED = 64
"""Variables up to which parent sets are listed first, when nothing else is asked for."""

SELECTION_SHARE = 0.5
"""The share of a time limit that the selection of parent sets may take."""


@takes(ForClusterSearch)
def order_search(
    data: TableLike | Problem | CandidateParents,
    *,
    init: str = "fas",
    start: Dag | Sequence[str] | None = None,
    neighborhood: str = "insert",
    parent_sets: str | None = None,
    restarts: int | None = None,
    generations: int | None = None,
    max_steps: int = 500,
    selection: str | None = None,
    **shared: Unpack[ForClusterSearch],
) -> Result:
    """Search over orders of the variables for a good network, without proof.

    In an order every variable takes its best candidate parents among those before it, so no cycle
    can arise; the search moves variables in the order. Fit for a thousand variables.

    Parameters
    ----------
    data
        A table, or candidate parent sets that were selected before or read from a score file.
    init
        Where to begin. "random"; "dfs": variables with few best parents left first, then those
        that free most others; "fas": an order that breaks the graph of best parents where it costs
        least. :func:`dagscape.search.initial_order` makes them alone.
    start
        The first initial order, instead of one that `init` makes: the names of all variables, or a
        network, one of whose orders it is. With ``restarts=1`` there is no other.
    neighborhood
        "swap": steepest ascent over swaps of neighbors, as published; at most `max_steps` of them
        from each initial order. "insert": a variable is moved to wherever it is best; what was
        found is shaken, and crossed with other orders in a population; in the end every window of
        15 variables that follow each other is put in its best order. "block": likewise, and where
        no variable gains, blocks of 2 to 5 that follow each other move up to 10 positions.
    parent_sets
        Where a variable's parents come from. "listed": the best of candidate sets that are selected
        first. "grown": among the variables before it, the parent that gains most is added until
        none gains, then parents are dropped while that gains; nothing is selected first, so this
        is for many variables. If not given, listed up to 64 variables and grown above; listed too
        where swaps or blocks, a selection or generations are asked for.
    restarts
        Initial orders: 20, or 100 with swaps, or with grown parents 200 divided by the number of
        variables, from 1 to 20; with swaps or grown parents under a time limit, as many as it
        allows.
    generations
        Generations of the population, of eight orders each: 50, or as many as a time limit allows.
    selection
        How candidate parents are selected from data, see :func:`candidate_parents`; "hybrid" if
        not given.
    time_limit
        Seconds, of which a selection takes at most half.
    cluster
        Where restarts are done instead of here, and candidate parents selected, as in
        :func:`local_optima`. Generations of the population are done here, since each needs the
        last. Under a time limit restarts take half of the time, as many as that allows.
    seed
        For what is drawn. Without a time limit the result is the same for any number of threads,
        and on a cluster.

    Returns
    -------
    Result
        With lists, its bound is the relaxed score of the candidate sets: what every variable's best
        parents would give, cycles or not. Where sets are missing from the lists, the end is
        polished beyond them: single parents are added, removed and exchanged in the order that was
        found. The network then need not be of the scope that the bound is about; if it scores more
        than the bound, there is none. With grown parents there is no bound.

        `work["restarts"]` has the score before and after, and the number of swaps (or shakes), of
        each of the first 10,000 initial orders, `work["restarts_begun"]` counts them all. Of more
        than 40 million candidate sets, or more than the memory or a tenth of the time is enough
        for, only each variable's best are searched; `work["parent_sets_left_out"]` counts the
        others, and the bound holds with them too.

    Notes
    -----
    Where :func:`exact` finishes, prefer it.

    Cost: a swap looks along two lists of candidate sets, a round of insertions takes n² swaps,
    and memory holds the sets; with grown parents, up to n values of sets for each parent added,
    each in as many steps as there are rows.

    Sources: Perez and Mauá, Better initialization heuristics for order-based Bayesian network
    structure learning, JIDM 2016; Teyssier and Koller, UAI 2005; Lee and van Beek, Metaheuristics
    for score-and-search Bayesian network structure learning, 2017; Scanagatta, Corani and Zaffalon,
    Improved local search in Bayesian networks structure learning, 2017 (blocks); Andrews, Ramsey,
    Sanchez Romero, Camchong and Kummerfeld, Fast scalable and accurate discovery of DAGs using the
    best order score search and grow-shrink trees, NeurIPS 2023 (grown parents).
    """
    check_name("init", init, INITS)
    check_name("neighborhood", neighborhood, NEIGHBORHOODS)
    if parent_sets is not None:
        check_name("parent_sets", parent_sets, PARENT_SETS)
    if selection is not None:
        check_name("selection", selection, METHODS)
        if isinstance(data, CandidateParents):
            raise ParameterError("selection is for data; candidate parents are selected already")
    problem, budget = begin_with_sets(data, shared)
    if restarts is not None:
        use_count("restarts", restarts, least=1)
    if generations is not None:
        use_count("generations", generations)
    first = use_start(start, problem.variables)
    listed = RestartRules(init, neighborhood, use_count("max_steps", max_steps), first)
    wants_grown = _wants_grown(problem, parent_sets, neighborhood, selection, generations)
    with use_executor(budget) as executor:
        if isinstance(problem, Problem) and wants_grown:
            found = search_grown(problem, (init, first), restarts, executor, budget)
        else:
            polisher = None
            if isinstance(problem, Problem):
                polisher = GrownSearch(problem, Climbs(init, (), 0), budget)
            parents = parents_of(
                problem,
                budget.part(SELECTION_SHARE),
                method=selection or "hybrid",
                cluster=executor,
            )
            if polisher is not None:
                budget.end(parents.stopped)
            rounds = Rounds(restarts, generations)
            found = search_listed(parents, listed, rounds, executor, budget, polisher)
    asked = {
        **problem.settings,
        **budget.settings,
        "init": init,
        "start": start is not None,
        "neighborhood": neighborhood,
        "parent_sets": parent_sets,
        "restarts": restarts,
        "generations": generations,
        "max_steps": max_steps,
    }
    if isinstance(problem, Problem) and not found.optimal:
        # What the lists add up to can differ from it in the last digit.
        score = total(problem, found.dag)
        bound = None if found.bound is None else max(found.bound, score)
        found = replace(found, score=score, bound=bound)
    return replace(found, asked={**asked, **found.asked})


def _wants_grown(
    problem: Problem | CandidateParents,
    parent_sets: str | None,
    neighborhood: str,
    selection: str | None,
    generations: int | None,
) -> bool:
    """Tell whether parents are to be grown; refuse what does not go with that."""
    hindrances = {
        "candidate parents that are given": isinstance(problem, CandidateParents),
        f'neighborhood="{neighborhood}"': neighborhood != "insert",
        "a selection": selection is not None,
        "generations": generations is not None,
    }
    given = [words for words, there in hindrances.items() if there]
    if parent_sets == "grown" and given:
        raise ParameterError(f'parent_sets="grown" does not go with {given[0]}')
    if parent_sets is not None or given:
        return parent_sets == "grown"
    return len(problem.variables) > MOST_LISTED
