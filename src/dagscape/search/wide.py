"""Search for networks of very many variables, neighborhood by neighborhood."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Unpack

from dagscape import _core
from dagscape.control.limits import use_count
from dagscape.graphs import Dag
from dagscape.results import Result
from dagscape.scoring import total
from dagscape.search.greedy import first_network
from dagscape.shared_arguments import ForSearch, begin, takes

if TYPE_CHECKING:
    from dagscape.control.budget import Budget
    from dagscape.data import TableLike
    from dagscape.problem import Problem

CANDIDATES, ROUNDS = 30, 20
"""Candidates that each variable keeps by itself, and rounds of shaking."""

LOOKS = 5
"""Looks at all pairs on the way."""

FIRSTS, FEWEST_FIRSTS = 10, 2
"""Candidates of a variable beside which a second parent is looked for among all variables."""

FIRSTS_TIMES_VARIABLES = 30_000
"""Above 3,000 variables there are fewer of them: looks for pairs would take most of the time."""

TIMES = 4
"""How often a round shakes each variable."""

PART = 500
"""Variables of a part, which one thread searches."""

REACH, PERTURB = 12, 3
"""Variables around the one that is shaken, and how many of them lose their arcs."""


@takes(ForSearch)
def wide_search(
    data: TableLike | Problem,
    *,
    candidates: int = CANDIDATES,
    rounds: int = ROUNDS,
    start: Dag | None = None,
    **shared: Unpack[ForSearch],
) -> Result:
    """Search for a good network of hundreds to tens of thousands of variables, without proof.

    Each variable keeps those that gain most as its only parent, and a climb adds arcs among these.
    Then the neighborhood of one variable after another is shaken and climbs by itself; what is no
    worse is kept. In between all pairs are looked at, so that parents which gain only beside others
    become candidates too.

    Parameters
    ----------
    candidates
        How many variables each one keeps as candidates by itself; those for which it is one are
        candidates, too.
    rounds
        Rounds of shaking; each shakes every variable four times.
    start
        Where to begin; the required arcs alone if not given. It must obey what is asked here.
    seed
        For the order of the variables and what is shaken. Without a time limit the result is the
        same for any number of threads.

    Returns
    -------
    Result
        `work` says what screening may have lost. `checked`: in the end each variable was looked at
        with all others. `unseen`: so many of these, that were no candidates, would still have
        gained as a parent where arcs may have made cycles; they became candidates, and the network
        climbed once more. `most_unseen`: what one of them would have gained at most. `let_in` and
        `pairs` count what earlier looks brought, `pairs_taken` the pairs that gained in place.

    Notes
    -----
    Two parents that tell nothing alone and nothing beside the variable's candidates are not found.
    There is no bound. Where :func:`exact` finishes, prefer it.

    Cost: two to ten looks at every pair of variables, each in as many steps as there are rows, and
    then time by the variables, not by their pairs. Memory holds three bits for each pair, and the
    candidates.

    Sources: Lourenço, Martin and Stützle, Iterated local search, 2003; Castelo and Kočka, On
    inclusion-driven learning of Bayesian networks, JMLR 2003 (reversing arcs among equivalent
    networks); Friedman, Nachman and Pe'er, Learning Bayesian network structure from massive
    datasets: the sparse candidate algorithm, UAI 1999 (candidates that are renewed by the network
    found).

    Examples
    --------
    >>> import dagscape as ds
    >>> data = ds.load_network("alarm").tile(10).sample(1000, seed=0)
    >>> found = ds.wide_search(data, score="bic", rounds=2)
    >>> found.score > ds.hill_climb(data, score="bic").score
    True
    """
    problem, budget = begin(data, shared)
    use_count("candidates", candidates, least=1)
    use_count("rounds", rounds)
    first = first_network(problem, start, problem.constraints())
    found, _ = search_widely(problem, budget, first, candidates=candidates, rounds=rounds)
    return replace(found, asked={**found.asked, "start": start is not None})


Candidates = list[list[int]]
"""By number of the child, those of its candidates."""


def search_widely(
    problem: Problem,
    budget: Budget,
    first: _core.Dag,
    *,
    candidates: int = CANDIDATES,
    rounds: int = ROUNDS,
    looks: int = LOOKS,
    firsts: int | None = None,
    among: Candidates | None = None,
) -> tuple[Result, Candidates]:
    """Return what was found, and the candidates in the end.

    Parameters
    ----------
    first
        Where to begin.
    firsts
        Beside how many candidates of each variable a second parent is looked for: fewer of very
        many variables, if not given.
    among
        The only parents that variables may have, beside those that they must have.
    """
    options = _core.WideSearchOptions(
        candidates,
        rounds,
        looks,
        firsts_among(len(problem.variables)) if firsts is None else firsts,
        TIMES,
        PART,
        REACH,
        PERTURB,
        True,
        budget.seed,
        budget.threads,
    )
    constraints = problem.constraints()
    for child, own in enumerate(among or ()):
        constraints.keep(child, own)
    facts = _core.wide_search(
        problem.scorer,
        constraints,
        first,
        options,
        budget.left(),
        budget.memory,
        budget.telling("searching", known=True),
    )
    budget.end(facts.pop("stopped"))
    dag = Dag._of_arcs(problem.variables, facts.pop("arcs"))
    kept: Candidates = facts.pop("kept")
    del facts["score"]
    found = Result(
        dag=dag,
        score=total(problem, dag),
        score_kind=problem.score,
        method=f"wide search, {candidates} candidates each, {facts['rounds']} rounds",
        scope=problem.scope,
        seed=budget.seed,
        seconds=budget.seconds,
        stopped=budget.stopped,
        work=facts,
        notes=problem.data.notes,
        asked={
            **problem.settings,
            **budget.settings,
            "candidates": candidates,
            "rounds": rounds,
        },
    )
    return found, kept


def firsts_among(variables: int) -> int:
    """Return beside how many candidates of each variable a second parent is looked for."""
    most = FIRSTS_TIMES_VARIABLES // max(1, variables)
    return max(FEWEST_FIRSTS, min(FIRSTS, most))
