"""Whole networks put together from what was learned around each variable."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from dagscape import _core
from dagscape.control.budget import Budget
from dagscape.control.limits import ShowProgress, use_seed
from dagscape.control.progress import shows_progress
from dagscape.data import as_data, check_data
from dagscape.graphs import Dag
from dagscape.knowledge import described
from dagscape.results import Result
from dagscape.scores import Score, ScoreLike, as_score
from dagscape.scores import score as score_of
from dagscape.scores.priors import PriorLike
from dagscape.search.equivalence import refuse_knowledge
from dagscape.search.greedy import hill_climb
from dagscape.search.local import NO_DIRECTIONS, sll_settings, test_settings

if TYPE_CHECKING:
    from dagscape.data import Data, TableLike
    from dagscape.knowledge import Knowledge

AT_ONCE = 0.05
"""Seconds in which greedy search gives what it finds first."""

LOCAL_SHARE = 0.7
"""Of a time limit, for what is learned around each variable; the rest is for greedy search."""

Pair = tuple[int, int]


@shows_progress
def sll_c(
    data: TableLike,
    *,
    score: ScoreLike = "bic",
    prior: PriorLike | None = None,
    order: str = "association",
    spouses: str = "checked",
    max_parents: int = 5,
    exact_limit: int = 20,
    knowledge: Knowledge | None = None,
    time_limit: float | None = None,
    max_memory: float | None = None,
    threads: int | None = None,
    progress: ShowProgress = None,
) -> Result:
    """Put a network together from neighbors and spouses that score-based local learning finds.

    Two variables are joined if each finds the other. Common children of spouses are directed as
    such, and the rest so that no cycle and, if possible, no other v-structure arises.

    Parameters
    ----------
    score, prior, order, max_parents, exact_limit
        Of local learning, as in :func:`neighbors`.
    spouses
        "checked" or "published", as in :func:`markov_blanket`.
    knowledge
        Refused: local learning does not tell parents from children.
    time_limit
        Seconds. What is known around each variable by then is put together.

    Returns
    -------
    Result
        `work` has the edges of the skeleton, the v-structures directed, and the `conflicts`: those
        left out, since an arc had the other direction already or a cycle would have arisen. They
        are taken in the order of the names of one spouse, the other, and the child.

    Notes
    -----
    Close to the true structure where data are plenty, but usually not the network with the better
    score: for that see :func:`sll_g`, :func:`hill_climb` or :func:`learn`.

    Cost: that of :func:`neighbors` for all variables, then of the search on what they leave.

    Sources: Niinimäki and Parviainen, Local structure discovery in Bayesian networks, UAI 2012,
    Algorithm 5; Meek, Causal inference and causal explanation with background knowledge, UAI 1995.
    """
    data = as_data(data)
    refuse_knowledge(knowledge, "sll_c", NO_DIRECTIONS)
    chosen = as_score(score, prior)
    asked: dict[str, Any] = {
        "score": chosen,
        "order": order,
        "spouses": spouses,
        "max_parents": max_parents,
        "exact_limit": exact_limit,
    }
    call = _Call(data, time_limit, max_memory, threads, progress)
    around = call.learn("blankets", sll_settings(data, "sll", **asked))
    skeleton = around.edges(both=True)
    directing = _core.Orientation(data.n_variables, skeleton)
    triples = {
        (min(a, b), max(a, b), child) for a, b, children in around.spouses for child in children
    }
    kept = [directing.add_collider(a, child, b) for a, b, child in sorted(triples)]
    directing.finish()
    name = data.variables.name
    dag = Dag(data.names, [(name(a), name(b)) for a, b in directing.dag().arcs])
    return Result(
        dag=dag,
        score=score_of(data, dag, score=chosen),
        score_kind=chosen,
        method="sll+c",
        seconds=call.budget.seconds,
        stopped=around.stopped,
        work={
            **around.work,
            "skeleton": len(skeleton),
            "v_structures": sum(kept),
            "conflicts": len(kept) - sum(kept),
        },
        asked={**asked, **chosen.asked, "time_limit": time_limit},
        notes=data.notes,
    )


@shows_progress
def sll_g(
    data: TableLike,
    *,
    score: ScoreLike = "bic",
    prior: PriorLike | None = None,
    order: str = "association",
    local_parents: int = 5,
    exact_limit: int = 20,
    tabu: int = 100,
    patience: int = 15,
    restarts: int = 0,
    max_parents: int | None = None,
    knowledge: Knowledge | None = None,
    time_limit: float | None = None,
    max_memory: float | None = None,
    threads: int | None = None,
    seed: int = 0,
    progress: ShowProgress = None,
) -> Result:
    """Search greedily among networks that join only what score-based local learning joins.

    Two variables may be joined if either finds the other; :func:`hill_climb` does the rest.

    Parameters
    ----------
    score
        Of both; one that is the same for equivalent networks.
    prior
        Of both: its logarithm is added to the score, see :func:`kes`.
    order, exact_limit
        Of local learning, as in :func:`neighbors`; `local_parents` is the most parents in its
        networks.
    tabu, patience, restarts, max_parents, seed
        Of the greedy search, as in :func:`hill_climb`.
    knowledge
        Obeyed by the greedy search: arcs that are required are allowed, whatever was found.
    time_limit
        Seconds, of which local learning takes at most 70 %.

    Notes
    -----
    For hundreds of variables; with fewer, :func:`learn` gives better networks.

    Cost: that of :func:`neighbors` for all variables, then of the search on what they leave.

    Source: Niinimäki and Parviainen, Local structure discovery in Bayesian networks, UAI 2012,
    Algorithm 6.
    """
    data = as_data(data)
    chosen = as_score(score, prior)
    local: dict[str, Any] = {
        "score": chosen,
        "order": order,
        "max_parents": local_parents,
        "exact_limit": exact_limit,
    }
    climb = {"tabu": tabu, "patience": patience, "restarts": restarts, "seed": use_seed(seed)}
    call = _Call(data, time_limit, max_memory, threads, progress)
    around = call.learn("potential", sll_settings(data, "sll", **local), LOCAL_SHARE)
    asked = {"order": order, "local_parents": local_parents, "exact_limit": exact_limit}
    return call.climb("sll+g", around, False, chosen, max_parents, knowledge, climb, asked)


@shows_progress
def mmhc(
    data: TableLike,
    *,
    score: ScoreLike = "bic",
    prior: PriorLike | None = None,
    alpha: float = 0.05,
    max_conditioning: int = 5,
    rows_per_cell: float = 5,
    degrees: str = "declared",
    tabu: int = 100,
    patience: int = 15,
    restarts: int = 0,
    max_parents: int | None = None,
    knowledge: Knowledge | None = None,
    time_limit: float | None = None,
    max_memory: float | None = None,
    threads: int | None = None,
    seed: int = 0,
    progress: ShowProgress = None,
) -> Result:
    """Search greedily among networks that join only what tests of independence do not separate.

    Max-min hill climbing: two variables may be joined if max-min parents and children finds each of
    them from the other; :func:`hill_climb` does the rest.

    Parameters
    ----------
    alpha, max_conditioning, rows_per_cell, degrees
        Of the tests, as in :func:`neighbors`, but that degrees of freedom count all declared
        states if nothing else is asked for, as published.
    score, prior, tabu, patience, restarts, max_parents, seed
        Of the greedy search, as in :func:`hill_climb`.
    knowledge
        Obeyed by the greedy search: arcs that are required are allowed, whatever was found.
    time_limit
        Seconds, of which the tests take at most 70 %.

    Notes
    -----
    What many people use, and here for comparison; :func:`hill_climb` without it is about as fast
    here, and :func:`learn` gives better networks.

    Cost: that of :func:`neighbors` for all variables, then of the search on what they leave.

    Source: Tsamardinos, Brown and Aliferis, The max-min hill-climbing Bayesian network structure
    learning algorithm, Machine Learning 2006.
    """
    data = as_data(data)
    tests: dict[str, Any] = {
        "alpha": alpha,
        "max_conditioning": max_conditioning,
        "rows_per_cell": rows_per_cell,
        "degrees": degrees,
    }
    climb = {"tabu": tabu, "patience": patience, "restarts": restarts, "seed": use_seed(seed)}
    call = _Call(data, time_limit, max_memory, threads, progress)
    around = call.learn("potential", test_settings(data, "mmpc", **tests), LOCAL_SHARE)
    chosen = as_score(score, prior)
    return call.climb("mmhc", around, True, chosen, max_parents, knowledge, climb, tests)


@dataclass(frozen=True)
class _Neighborhoods:
    """What was learned around each variable, by number."""

    neighbors: dict[int, set[int]]
    spouses: list[tuple[int, int, list[int]]]
    """Two variables and the children in common that the first one's search found."""
    stopped: str | None
    work: dict[str, Any]

    def edges(self, *, both: bool) -> list[Pair]:
        """Return pairs of which each finds the other, or either does."""
        pairs = {(a, b) for a, others in self.neighbors.items() for b in others}
        return sorted({(min(a, b), max(a, b)) for a, b in pairs if not both or (b, a) in pairs})


class _Call:
    """What these searches have in common, checked."""

    def __init__(
        self,
        data: Data,
        time_limit: float | None,
        max_memory: float | None,
        threads: int | None,
        progress: ShowProgress,
    ) -> None:
        check_data(data)
        self._data = data
        self.budget = Budget.of(time_limit, max_memory, threads, progress)
        self._asked = {"time_limit": time_limit, "max_memory": max_memory, "threads": threads}

    def learn(self, what: str, settings: dict[str, Any], share: float = 1.0) -> _Neighborhoods:
        """Learn around every variable."""
        learn, on_data, words = settings["engine"]
        budget = self.budget.part(share)
        facts = learn(
            on_data,
            list(range(self._data.n_variables)),
            what,
            **words,
            threads=budget.threads,
            seconds=budget.left(),
            max_bytes=budget.memory,
            progress=budget.telling("learning around each variable"),
        )
        sets = facts.pop("sets")
        finished = all(done for _, _, _, done in sets)
        stopped = facts.pop("stopped")
        self.budget.end(stopped)
        spouses = facts.pop("spouses")
        facts.pop("separators", None)
        return _Neighborhoods(
            {v: set(around) for v, around, _, _ in sets},
            spouses,
            None if finished else stopped or None,
            {**facts, "local_seconds": budget.seconds},
        )

    def climb(
        self,
        method: str,
        around: _Neighborhoods,
        both: bool,
        chosen: Score,
        max_parents: int | None,
        knowledge: Knowledge | None,
        climb: dict[str, Any],
        asked: dict[str, Any],
    ) -> Result:
        """Search greedily on the skeleton."""
        name = self._data.variables.name
        skeleton = around.edges(both=both)
        described(knowledge)
        required = () if knowledge is None else knowledge.required
        found = hill_climb(
            self._data,
            score=chosen,
            allowed=[*((name(a), name(b)) for a, b in skeleton), *required],
            max_parents=max_parents,
            knowledge=knowledge,
            wander=False,  # as published
            **self.budget.for_search(least=AT_ONCE),
            **climb,
        )
        return Result(
            dag=found.dag,
            score=found.score,
            score_kind=found.score_kind,
            method=method,
            scope=found.scope,
            seed=found.seed,
            seconds=self.budget.seconds,
            stopped=self._ended_by(around, found),
            work={**around.work, "skeleton": len(skeleton), **found.work},
            asked={
                **chosen.asked,
                **asked,
                **climb,
                "max_parents": max_parents,
                "knowledge": described(knowledge),
                **self._asked,
            },
            notes=found.notes,
        )

    def _ended_by(self, around: _Neighborhoods, found: Result) -> str | None:
        return self.budget.stopped if self.budget.interrupted else around.stopped or found.stopped
