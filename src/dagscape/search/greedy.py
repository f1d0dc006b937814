"""Greedy search over networks, arc by arc."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Unpack

from dagscape import _core
from dagscape.control.limits import ENDLESS, use_count
from dagscape.errors import ParameterError
from dagscape.graphs import Dag
from dagscape.parents.constraints import keep_pairs
from dagscape.results import Result
from dagscape.scoring import total
from dagscape.shared_arguments import ForSearch, begin, takes

if TYPE_CHECKING:
    from dagscape.data import TableLike
    from dagscape.problem import Problem


@takes(ForSearch)
def hill_climb(
    data: TableLike | Problem,
    *,
    tabu: int = 100,
    patience: int = 15,
    allowed: Iterable[tuple[str, str]] | None = None,
    start: Dag | None = None,
    wander: bool = True,
    restarts: int | None = 50,
    perturb: int = 4,
    **shared: Unpack[ForSearch],
) -> Result:
    """Climb from network to network by adding, removing or reversing one arc.

    Each step takes the move that gains most among those that lead to none of the networks visited
    last, even if it loses; after some steps without a new best, the best network is the result.
    Before a step the network may change to an equivalent one, from which other moves are open.
    A restart shakes the best network and climbs again, by moves that gain.

    Parameters
    ----------
    tabu
        Networks visited last that the first climb may not visit again. 0: only moves that gain are
        taken.
    patience
        Steps without a new best that end the first climb.
    wander
        Whether to draw arcs before each step, half as many as there are variables and ten more, and
        to reverse those whose reversal leads to an equivalent network. Nothing is done for scores
        that differ among these (K2, fNML).
    allowed
        Pairs of names, in any order: only these may be joined by an arc. All pairs if not given.
    start
        Where to begin; the required arcs alone if not given. It must obey what is asked here.
    restarts
        How often to shake the best network and to climb again; each takes much less time than the
        first climb. 0: that one alone. None: as often as the time limit allows.
    perturb
        The most variables that lose all their arcs when a network is shaken, four times as many in
        one of four shakes; at least one does. Before that, arcs are reversed that make no
        difference to most scores.
    seed
        For wandering and restarts. Without a time limit the result is the same for any number of
        threads.

    Returns
    -------
    Result
        `work` counts the moves taken (`steps`) and looked at, scores computed, restarts, and those
        of them that found a better network.

    Notes
    -----
    Finds a network that no single arc improves, without proof, and from a single climb often far
    from the best. Where :func:`exact` finishes, prefer it. Gains are compared in steps of about
    rows / 10^10, so that equal ones are equal; ties go to additions, then to removals, then to the
    child and then the parent that comes first by name. Plain hill climbing is ``wander=False,
    restarts=0``, with ``tabu=0`` as in the textbooks.

    Cost: the start scores n (n − 1) families, each in as many steps as there are rows at most,
    a step n or 2n of them; memory holds n² gains.

    Source: Tsamardinos, Brown and Aliferis, The max-min hill-climbing Bayesian network structure
    learning algorithm, Machine Learning 2006. Wandering: Castelo and Kočka, On inclusion-driven
    learning of Bayesian networks, JMLR 2003. Restarts: Lourenço, Martin and Stützle, Iterated local
    search, 2003.
    """
    problem, budget = begin(data, shared)
    if restarts is None and not budget.limited:
        raise ParameterError("restarts=None goes on until a time limit; give time_limit")
    if not isinstance(wander, bool):
        raise ParameterError(f"wander must be True or False, got {wander!r}")
    options = _core.HillClimbOptions(
        use_count("tabu", tabu),
        use_count("patience", patience, least=1),
        wander,
        ENDLESS if restarts is None else use_count("restarts", restarts),
        use_count("perturb", perturb, least=1),
        budget.seed,
        budget.threads,
    )
    constraints = problem.constraints()
    if allowed is not None:
        keep_pairs(constraints, problem.variables, allowed, problem.knowledge)
    first = first_network(problem, start, constraints)
    facts = _core.hill_climb(
        problem.scorer,
        constraints,
        first,
        options,
        budget.left(),
        budget.memory,
        budget.telling("climbing", known=bool(restarts) and not budget.limited),
    )
    budget.end(facts["stopped"])
    # What single moves gain may not fit the memory; then the start is all there is.
    facts = {**dict.fromkeys(_WORK, 0), "arcs": first.arcs, **facts}
    dag = Dag._of_arcs(problem.variables, facts["arcs"])
    return Result(
        dag=dag,
        score=total(problem, dag),
        score_kind=problem.score,
        method=_words(tabu, restarts, facts["restarts"]),
        scope=problem.scope,
        seed=budget.seed if wander or restarts != 0 else None,
        seconds=budget.seconds,
        stopped=budget.stopped,
        work={
            "steps": facts["steps"],
            "moves_looked_at": facts["looked_at"],
            "scores": facts["scored"],
            "sets_counted": problem.scorer.sets_counted,
            "restarts": facts["restarts"],
            "restarts_that_improved": facts["improved"],
        },
        notes=problem.data.notes,
        asked={
            **problem.settings,
            **budget.settings,
            "tabu": tabu,
            "patience": patience,
            "wander": wander,
            "allowed": allowed is not None,
            "start": start is not None,
            "restarts": restarts,
            "perturb": perturb,
        },
    )


_WORK = ("steps", "looked_at", "scored", "restarts", "improved")


def _words(tabu: int, restarts: int | None, done: int) -> str:
    words = f"hill climbing, {f'tabu list of {tabu}' if tabu else 'no tabu list'}"
    if restarts == 0:
        return words
    return f"{words}, {done} restart{'' if done == 1 else 's'}"


def first_network(problem: Problem, start: Dag | None, constraints: _core.Constraints) -> _core.Dag:
    """Return where to begin as the engine takes it; refuse what does not obey the problem."""
    variables, knowledge = problem.variables, problem.knowledge
    number = variables.number
    if start is None:
        arcs = [] if knowledge is None else knowledge.required
        return _core.Dag(len(variables), [(number(a), number(b)) for a, b in arcs])
    if not isinstance(start, Dag):
        raise ParameterError(f"start must be a ds.Dag, got {type(start).__name__}")
    if start.variables != variables:
        raise ParameterError("start must have the variables of the data, no more and no fewer")
    if knowledge is not None and (broken := knowledge.violations(start)):
        raise ParameterError(f"start does not obey the knowledge: {broken[0]}")
    for child in variables.names:
        parents = start.parents(child)
        most = constraints.max_parents(number(child))
        if len(parents) > most:
            raise ParameterError(
                f'start has {len(parents)} parents of "{child}", but max_parents is {most}'
            )
        for parent in parents:
            if not constraints.has(number(child), number(parent)):
                raise ParameterError(f"start has {parent} -> {child}, which allowed does not join")
    return _core.Dag(len(variables), [(number(a), number(b)) for a, b in start.arcs])
