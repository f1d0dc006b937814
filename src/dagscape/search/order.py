"""Search over orders of the variables."""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING, Any

from dagscape import _core
from dagscape.errors import GraphError, ParameterError
from dagscape.executor import Cluster, Executor, use_executor
from dagscape.knowledge import described
from dagscape.limits import (
    ENDLESS,
    FINAL,
    ShowProgress,
    check_progress,
    use_count,
    use_memory,
    use_seconds,
    use_seed,
    use_threads,
)
from dagscape.parents import METHODS, CandidateParents
from dagscape.priors import PriorLike
from dagscape.progress import shows_progress
from dagscape.results import Result
from dagscape.same_score import higher
from dagscape.scores import ScoreLike
from dagscape.search.grown import SEARCH_SHARE, GrownSearch
from dagscape.search.problem import (
    asked_of,
    check_lists,
    joined,
    network_of,
    parents_for,
    score_for,
)
from dagscape.search.restarts import Grown, Listed, restart_grown, restart_listed
from dagscape.variables import check_name

if TYPE_CHECKING:
    from dagscape.data import Data
    from dagscape.knowledge import Knowledge

INITS = ("random", "dfs", "fas")
"""The initial orders."""

NEIGHBOURHOODS = ("insert", "block", "swap")
"""The moves."""

PARENT_SETS = ("listed", "grown")
"""Where parents come from."""

MOST_LISTED = 64
"""Variables up to which parent sets are listed first, when nothing else is asked for."""

RESTARTS = {"insert": 20, "block": 20, "swap": 100}
"""Initial orders, when neither their number nor a time limit is given."""

GENERATIONS = 50
"""Generations of the population, when neither their number nor a time limit is given."""

SELECTION_SHARE = 0.5
"""The share of a time limit that the selection of parent sets may take."""

RESTART_SHARE = 0.5
"""The share of the search's time that restarts take on a cluster before generations follow."""

TAKE_IN_SHARE = 0.2
"""The share of it that is left to take in what restarts found, of which there may be many."""

AT_ONCE = 0.01
"""Seconds in which a search gives what it finds first."""

WINDOW = 15
"""Variables whose order is optimised exactly in the end, at a time."""


@shows_progress
def order_search(
    data: Data | CandidateParents,
    *,
    init: str = "fas",
    neighbourhood: str = "insert",
    parent_sets: str | None = None,
    restarts: int | None = None,
    generations: int | None = None,
    max_steps: int = 500,
    score: ScoreLike | None = None,
    prior: PriorLike | None = None,
    selection: str | None = None,
    max_parents: int | None = None,
    knowledge: Knowledge | None = None,
    time_limit: float | None = None,
    max_memory: float | None = None,
    threads: int | None = None,
    cluster: Cluster = None,
    seed: int = 0,
    progress: ShowProgress = None,
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
        least.
    neighbourhood
        "swap": steepest ascent over swaps of neighbours, as published; at most `max_steps` of them
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
    score, prior
        What networks are scored by, BIC if not given, and a prior on structures whose logarithm is
        added: "uniform" (adds nothing, the default), "fair" or :class:`EdgePrior`.
    selection
        How candidate parents are selected from data, see :func:`candidate_parents`; "hybrid" if
        not given.
    max_parents
        The most parents of a variable.
    knowledge
        Arcs required and forbidden, tiers and limits; all are obeyed.
    time_limit
        Seconds, of which a selection takes at most half.
    max_memory
        Bytes; by default 70 % of what is free.
    cluster
        Where restarts are done instead of here, and candidate parents selected, as in
        :func:`local_optima`. Generations of the population are done here, since each needs the
        last. Under a time limit restarts take half of the time, as many as that allows.
    seed
        For what is drawn. Without a time limit the result is the same for any number of threads,
        and on a cluster.
    progress
        True for a bar, or a function, called a few times a second with the share of the work done,
        if known, and a text.

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

    Sources: Perez and Mauá, Better initialization heuristics for order-based Bayesian network
    structure learning, JIDM 2016; Teyssier and Koller, UAI 2005; Lee and van Beek, Metaheuristics
    for score-and-search Bayesian network structure learning, 2017; Scanagatta, Corani and Zaffalon,
    Improved local search in Bayesian networks structure learning, 2017 (blocks); Andrews, Ramsey,
    Sanchez Romero, Camchong and Kummerfeld, Fast scalable and accurate discovery of DAGs using the
    best order score search and grow-shrink trees, NeurIPS 2023 (grown parents).
    """
    asked = locals()
    asked["score"] = score_for(data, score, asked.pop("prior"))
    with use_executor(asked.pop("cluster"), threads) as executor:
        return _search(executor, **asked)


def _search(
    executor: Executor,
    *,
    data: Data | CandidateParents,
    init: str,
    neighbourhood: str,
    parent_sets: str | None,
    restarts: int | None,
    generations: int | None,
    max_steps: int,
    score: ScoreLike | None,
    selection: str | None,
    max_parents: int | None,
    knowledge: Knowledge | None,
    time_limit: float | None,
    max_memory: float | None,
    threads: int | None,
    seed: int,
    progress: ShowProgress,
) -> Result:
    check_name("init", init, INITS)
    check_name("neighbourhood", neighbourhood, NEIGHBOURHOODS)
    given = isinstance(data, CandidateParents)
    if parent_sets is not None:
        check_name("parent_sets", parent_sets, PARENT_SETS)
    if selection is not None:
        check_name("selection", selection, METHODS)
        if given:
            raise ParameterError("selection is for data; candidate parents are selected already")
    tell = check_progress(progress)
    searching = None
    if tell is not None:
        known = time_limit is None
        searching = lambda share: tell(share if known else None, "searching")  # noqa: E731
    start = time.perf_counter()
    number = use_seed(seed)
    seconds = use_seconds(time_limit)
    workers, memory = use_threads(threads), use_memory(max_memory)
    asked = {
        "init": init,
        "neighbourhood": neighbourhood,
        "parent_sets": parent_sets,
        "restarts": restarts,
        "generations": generations,
        "max_steps": max_steps,
        "max_parents": max_parents,
        "knowledge": described(knowledge),
        "time_limit": time_limit,
        "max_memory": max_memory,
        "threads": threads,
    }
    grown = None
    if not isinstance(data, CandidateParents):
        grown = GrownSearch(
            data,
            score=score,
            max_parents=max_parents,
            knowledge=knowledge,
            memory=memory,
            threads=workers,
        )
    if _wants_grown(data, parent_sets, neighbourhood, selection, generations) and grown:
        few = max(1, min(20, 200 // len(data.names)))
        count = _count("restarts", restarts, few if seconds is None else ENDLESS, least=1)

        def search(patience: int, within: float | None) -> dict[str, Any]:
            if not executor.scattered or isinstance(data, CandidateParents):
                return grown.climb(init, range(count), patience, number, within, searching)
            how = Grown(score, max_parents, knowledge, max_memory, init, patience, number)
            found, ended = restart_grown(executor, data, how, count, _deadline(within), tell)
            if found is not None:
                return found
            least = grown.climb(init, range(1), patience, number, AT_ONCE, None)
            return {**least, "stopped": ended}

        return grown.run(init, number, seconds, search, asked)
    how = Listed(init, neighbourhood, _count("max_steps", max_steps, 500), number, max_memory)
    most = _count("generations", generations, GENERATIONS if seconds is None else ENDLESS)
    default = _default_restarts(neighbourhood, seconds, executor.scattered)
    count = _count("restarts", restarts, default, least=1)
    parents = parents_for(
        data,
        score=score,
        max_parents=max_parents,
        knowledge=knowledge,
        time_limit=None if seconds is None else SELECTION_SHARE * seconds,
        max_memory=memory,
        threads=workers,
        progress=tell,
        method=selection or "hybrid",
        cluster=executor,
    )
    parents.lists.sort(workers)
    check_lists(parents)
    left = None if seconds is None else max(AT_ONCE, seconds_left(start, seconds))
    if not given and parents.stopped in FINAL:
        left = AT_ONCE
    restarted: list[Any] = []
    ended = ""
    if executor.scattered and left != AT_ONCE:
        part = RESTART_SHARE if how.evolves and most else 1 - TAKE_IN_SHARE
        within = None if left is None else part * SEARCH_SHARE * left
        restarted, ended = restart_listed(
            executor, parents.lists, how, count, _deadline(within), tell
        )
        left = None if left is None else max(AT_ONCE, seconds_left(start, seconds))
    if ended in FINAL:
        left = AT_ONCE
    facts = _core.order_search(
        parents.lists,
        how.options(count, workers, most),
        None if left is None else SEARCH_SHARE * left,
        memory if given else max(1, memory - parents.bytes),
        searching,
        restarted,
    )
    facts["stopped"] = ended or facts["stopped"]
    if any(place >= parents.lists.size(v) for v, place in enumerate(facts["places"])):
        raise GraphError("no network can be built from these parent sets: all have cycles")
    if neighbourhood != "swap" and facts["stopped"] not in FINAL:
        spare = None if left is None else max(AT_ONCE, seconds_left(start, seconds))
        polished = _core.improve_windows(parents.lists, facts["order"], WINDOW, spare)
        facts["places"] = polished["places"]
        facts["windows"] = {"solved": polished["windows"], "gained": polished["gains"]}
        facts["stopped"] = facts["stopped"] or polished["stopped"]
        if grown and (facts["sets_left_out"] or not parents.complete):
            spare = None if left is None else max(AT_ONCE, seconds_left(start, seconds))
            sets = [parents.lists.parents(v, place) for v, place in enumerate(facts["places"])]
            facts["sets"], facts["polish"] = grown.polish(polished["order"], sets, spare)
            facts["stopped"] = facts["stopped"] or facts["polish"].pop("stopped")
    return _result(
        parents,
        facts,
        start,
        given=given,
        method=f"order search, {neighbourhood} from {init}{_left_out(parents, facts)}",
        seed=number,
        asked={**asked_of(parents), "selection": parents.method, **asked},
    )


def _result(
    parents: CandidateParents,
    facts: dict[str, Any],
    start: float,
    *,
    given: bool,
    method: str,
    seed: int,
    asked: dict[str, Any],
) -> Result:
    stopped = (None if given else parents.stopped) or facts["stopped"] or None
    places, sets = facts["places"], parents.lists
    score = sum(sets.score(child, place) for child, place in enumerate(places))
    bound: float | None = max(parents.relaxed_score, score)
    dag, polish = network_of(parents, places), facts.get("polish", {})
    if polish.get("changes"):
        # The network is not of the sets that the bound is about.
        dag, score = joined(parents.variables, facts["sets"]), score + polish["gained"]
        bound = parents.relaxed_score if parents.relaxed_score > score else None
    return Result(
        dag=dag,
        score=score,
        score_kind=parents.score_kind,
        score_name=parents.score,
        method=method,
        scope=parents.scope,
        optimal=not polish.get("changes") and bound is not None and not higher(bound, score),
        bound=bound,
        seed=seed,
        seconds=time.perf_counter() - start,
        stopped=stopped,
        work={
            **{f"selection_{k}": v for k, v in parents.work.items() if k != "stopped"},
            "parent_sets": len(parents),
            "parent_sets_left_out": facts["sets_left_out"],
            "swaps": facts["swaps"],
            "generations": facts["generations"],
            **{stage: facts[stage] for stage in ("windows", "polish") if stage in facts},
            "restarts_begun": facts["restarts_begun"],
            "restarts": [
                {"initial_score": before, "score": after, "steps": steps}
                for before, after, steps in facts["restarts"]
            ],
            "stages": {"scoring": parents.seconds},
        },
        notes=parents.notes,
        asked=asked,
    )


def _wants_grown(
    data: Data | CandidateParents,
    parent_sets: str | None,
    neighbourhood: str,
    selection: str | None,
    generations: int | None,
) -> bool:
    """Tell whether parents are to be grown; refuse what does not go with that."""
    hindrances = {
        "candidate parents that are given": isinstance(data, CandidateParents),
        f'neighbourhood="{neighbourhood}"': neighbourhood != "insert",
        "a selection": selection is not None,
        "generations": generations is not None,
    }
    given = [words for words, there in hindrances.items() if there]
    if parent_sets == "grown" and given:
        raise ParameterError(f'parent_sets="grown" does not go with {given[0]}')
    if parent_sets is not None or given:
        return parent_sets == "grown"
    return len(data.names) > MOST_LISTED


def _left_out(parents: CandidateParents, facts: dict[str, Any]) -> str:
    left_out = facts["sets_left_out"]
    return f", the best {len(parents) - left_out:,} of {len(parents):,} sets" if left_out else ""


def seconds_left(start: float, seconds: float | None) -> float:
    """Return what is left of a time limit."""
    return math.inf if seconds is None else seconds - (time.perf_counter() - start)


def _deadline(seconds: float | None) -> float | None:
    return None if seconds is None else time.monotonic() + seconds


def _default_restarts(neighbourhood: str, seconds: float | None, scattered: bool) -> int:
    endless = seconds is not None and (neighbourhood == "swap" or scattered)
    return ENDLESS if endless else RESTARTS[neighbourhood]


def _count(name: str, value: int | None, default: int, least: int = 0) -> int:
    return default if value is None else use_count(name, value, least)
