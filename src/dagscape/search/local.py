"""Local learning: the neighbors and the Markov blanket of a variable."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from numbers import Integral, Real
from typing import TYPE_CHECKING, Any, NamedTuple, Unpack

from dagscape import _core
from dagscape.arguments import as_switch
from dagscape.control.limits import ENDLESS
from dagscape.errors import ParameterError
from dagscape.executors import use_executor
from dagscape.scores import likelihood
from dagscape.search.around import Around, climb_around, suits
from dagscape.search.greedy import hill_climb
from dagscape.search.local_sets import LocalSet, LocalSets
from dagscape.search.rounds import Method, counters, learn_in_rounds
from dagscape.search.wide import wide_search
from dagscape.shared_arguments import ForClusterSets, begin, takes
from dagscape.speech import setting
from dagscape.variables import check_name

if TYPE_CHECKING:
    from dagscape.control.budget import Budget
    from dagscape.data import Data, TableLike
    from dagscape.executors import Executor
    from dagscape.problem import Problem
    from dagscape.results import Result

METHODS = ("hill_climb", "sll", "hiton", "mmpc")
"""The methods of local learning."""

TESTS = ("hiton", "mmpc")
"""Those that test independence, and score nothing."""

LOCAL_PARENTS = 5
"""The most parents in networks of score-based local learning, unless asked otherwise."""

MOST_CLIMBED = 1000
"""Variables of a whole network that hill climbing looks for; it keeps what every pair gains."""

ORDERS = ("association", "data")
"""The orders in which score-based local learning looks at the other variables."""

SPOUSES = {"either": "either", "checked": "both", "published": "none"}
"""Which searches must find a common child to be a neighbor of a spouse, as the engine calls it."""

DEGREES = ("declared", "adjusted")
"""What tests of independence count as degrees of freedom."""

NO_DIRECTIONS = "it does not tell parents from children; use exact, or order_search"

Target = str | Iterable[str] | None


@takes(ForClusterSets)
def neighbors(
    data: TableLike | Problem,
    target: Target = None,
    *,
    method: str | None = None,
    order: str | None = None,
    exact_limit: int | None = None,
    alpha: float | None = None,
    max_conditioning: int | None = None,
    rows_per_cell: float | None = None,
    degrees: str | None = None,
    symmetric: bool = True,
    **shared: Unpack[ForClusterSets],
) -> LocalSet | LocalSets:
    """Find the parents and children of a variable, without telling which is which.

    Read off a whole network that is found quickly, or, by the other methods, learned from the
    surroundings of the target alone: then two variables are neighbors if each one's own search
    finds the other.

    Parameters
    ----------
    target
        A name, a list of names, or None for all variables, which share what is learned on the way.
    method
        "hill_climb": off the network that :func:`hill_climb` finds, with its restarts. Nearest to
        the truth, and the quickest by far where all variables are asked for. Of more than 500
        variables, and 50 for each target, the network has those around the targets alone; all
        others are looked at beside it. For more targets among more than 1,000 variables it is that
        of :func:`wide_search`. "sll": by the best
        networks on small sets of variables. "hiton", "mmpc": by tests of conditional independence
        (G²). If not given: hill_climb, or sll if `order`, `exact_limit`,
        `spouses` or `cluster` is given.
    score, prior
        For hill_climb and sll: what networks are scored by, and a prior on structures whose
        logarithm is added. Chosen by :func:`default_score` if neither is given; a score without a
        prior has the uniform one. For sll it must be the same for equivalent networks, so not K2 or
        fNML.
    order
        For sll, in which order the other variables are looked at. "association": those that the
        target gains most from first. "data": in the order of the columns, as the published
        algorithm leaves it open; then the answer may depend on that order.
    max_parents
        The most parents in a network; for sll 5 if not given, for hill_climb no limit.
    exact_limit
        For sll: with up to this many variables, 20 if not given, a network is optimal; above, it is
        found by greedy equivalence search. Each variable more doubles time and memory.
    alpha
        For tests: they show dependence up to this p-value, 0.05 if not given.
    max_conditioning
        For tests: the most variables that are held fixed, 5 if not given.
    rows_per_cell
        For tests: one is not done if there are fewer rows than this for each of its cells, 5 if not
        given. Then what is held fixed separates nothing; two variables that cannot be tested even
        by themselves are no neighbors.
    degrees
        For tests: what degrees of freedom count. "adjusted", if not given: for each combination of
        what is held fixed, the states that occur with it, so that cells which cannot be filled do
        not hide dependence; as in R bnlearn's "mi-adf". "declared": all declared states, as
        published; quicker, and on most tables further from the truth.
    symmetric
        False leaves out, for sll, hiton and mmpc, that the other's own search must find the target
        too: the potential neighbors of the papers (FindPotentialNeighbors, Algorithm 1 of sll's).
    knowledge
        For hill_climb: arcs required and forbidden, tiers and limits. The others refuse it: they
        cannot obey.
    cluster
        Where searches are done instead of here, as in :func:`local_optima`; it does not change the
        result either. Worth it for many targets.

    Returns
    -------
    LocalSet or LocalSets
        For one target a tuple of names, for more a mapping from each to its tuple; names are in the
        order of the columns. `stopped` says whether a limit, or Ctrl-C, ended the search early.

    Notes
    -----
    With enough rows sll finds the true neighbors, so its authors conjecture; of blankets that is
    not so, see the page on local learning. A variable with a single state has none. Ties between
    networks go to fewer parents, then by names.

    Cost: with SLL a best network on k ≤ `exact_limit` variables takes about k² · 2ᵏ steps, once
    for every variable that is tried; with hiton and mmpc a pair is tested given all sets of up
    to `max_conditioning` of the neighbors found. Each value or test takes as many steps as
    there are rows at most.

    Sources: Niinimäki and Parviainen, Local structure discovery in Bayesian networks, UAI 2012
    (sll); Aliferis, Statnikov, Tsamardinos, Mani and Koutsoukos, Local causal and Markov blanket
    induction, JMLR 2010 (hiton, semi-interleaved); Tsamardinos, Brown and Aliferis, The max-min
    hill-climbing Bayesian network structure learning algorithm, Machine Learning 2006 (mmpc).
    """
    given = {
        "order": order,
        "exact_limit": exact_limit,
        "alpha": alpha,
        "max_conditioning": max_conditioning,
        "rows_per_cell": rows_per_cell,
        "degrees": degrees,
    }
    what = "neighbors" if as_switch("symmetric", symmetric) else "potential"
    return _learn(what, data, target, method, given, shared)


@takes(ForClusterSets)
def markov_blanket(
    data: TableLike | Problem,
    target: Target = None,
    *,
    method: str | None = None,
    order: str | None = None,
    spouses: str | None = None,
    exact_limit: int | None = None,
    alpha: float | None = None,
    max_conditioning: int | None = None,
    rows_per_cell: float | None = None,
    degrees: str | None = None,
    **shared: Unpack[ForClusterSets],
) -> LocalSet | LocalSets:
    """Find the Markov blanket of a variable: its parents, children and its children's parents.

    Once these are known, no other variable adds information about the target.

    Parameters
    ----------
    target, method, score, prior, order, max_parents, exact_limit, alpha, max_conditioning
        As in :func:`neighbors`.
    spouses
        For sll: "published" has them as its paper does; then some may be false however many rows
        there are. "checked": two are spouses only if a child that they have in common is a neighbor
        of both, which mends that, and loses true ones where rows are few. "either", if not given:
        the search around the child or that around the spouse is enough for it to be a neighbor,
        which mends nearly all of it and loses none.
    rows_per_cell, degrees, knowledge, time_limit, max_memory, threads, cluster, progress
        Likewise.

    Returns
    -------
    LocalSet or LocalSets
        As of :func:`neighbors`.

    Notes
    -----
    Spouses are looked for among the neighbors' neighbors. sll counts two as spouses if the search
    around either finds them so; hiton and mmpc (then called MMMB) ask the target's own, and weed
    nothing out afterwards. Sources: see :func:`neighbors`.
    """
    given = {
        "order": order,
        "spouses": spouses,
        "exact_limit": exact_limit,
        "alpha": alpha,
        "max_conditioning": max_conditioning,
        "rows_per_cell": rows_per_cell,
        "degrees": degrees,
    }
    return _learn("blankets", data, target, method, given, shared)


def _learn(
    what: str,
    data: TableLike | Problem,
    target: Target,
    method: str | None,
    given: dict[str, Any],
    shared: Mapping[str, Any],
) -> LocalSet | LocalSets:
    of_sll = (given["order"], given["exact_limit"], given.get("spouses"))
    method = usual_method(method, *of_sll, shared["cluster"])
    check_name("method", method, METHODS)
    if method in TESTS:
        _refuse({name: shared[name] for name in ("score", "prior", "max_parents")}, method, "sll")
    problem, budget = begin(data, shared)
    targets = _targets(problem.data, target)
    with use_executor(budget) as executor:
        if method == "hill_climb":
            if what == "potential":
                raise ParameterError(
                    f"{setting('symmetric')} is for sll, hiton and mmpc, and the method is "
                    "hill_climb: a network has each edge from both ends"
                )
            if executor.scattered:
                raise ParameterError(
                    f"{setting('cluster')} is for sll, hiton and mmpc, and the method is "
                    "hill_climb, whose search is done here"
                )
            sets, unfinished, how = _off_a_network(what, problem, targets, given, budget)
        else:
            problem.refuse_knowledge(method, NO_DIRECTIONS)
            sets, unfinished, how = _around(what, problem, targets, method, given, executor, budget)
    how["seconds"] = budget.seconds
    how["asked"]["time_limit"] = budget.settings["time_limit"]
    if isinstance(target, str):
        return LocalSet(sets[target], target, method=method, **how)
    return LocalSets({name: sets[name] for name in targets}, unfinished, method=method, **how)


Found = tuple[dict[str, tuple[str, ...]], list[str], dict[str, Any]]
"""The set of each target, the targets whose sets are not final, and how they were found."""


def _around(
    what: str,
    problem: Problem,
    targets: list[str],
    method: str,
    given: dict[str, Any],
    executor: Executor,
    budget: Budget,
) -> Found:
    """Search around each target, here or elsewhere."""
    use = sll_learner if method == "sll" else test_learner
    learner = use(problem, method, **given)
    if what != "blankets":
        learner.asked.pop("spouses", None)
    if what == "potential":
        learner.asked["symmetric"] = False
    variables, on_data = problem.variables, learner.on_data
    counted = on_data.sets_counted
    numbers = [variables.number(name) for name in targets]
    searched, done_there, ended = {}, Counter[str](), ""
    if executor.scattered:
        rounds = Method(use, method, given)
        around, ended = learn_in_rounds(
            executor, problem, rounds, numbers, what == "blankets", budget
        )
        searched, done_there = around.for_engine(), around.work
    facts = learner.learn(
        on_data,
        numbers,
        what,
        **learner.words,
        **searched,
        threads=budget.threads,
        # Indexing the table, where that is still to be done, takes of the time too.
        seconds=0.0 if ended else budget.left(least=0.0),
        max_bytes=budget.memory,
        progress=None if searched else budget.telling("searching"),
    )
    sets, unfinished = {}, []
    for v, around_it, spouses, done in facts.pop("sets"):
        sets[variables.name(v)] = variables.show({*around_it, *spouses})
        if not done:
            unfinished.append(variables.name(v))
    stopped = ended or facts["stopped"]
    budget.end(stopped)
    done_there.update(counters({**facts, "sets_counted": on_data.sets_counted - counted}))
    how = {
        "stopped": stopped if unfinished else None,
        "work": dict(done_there),
        "asked": {"method": method, **learner.asked},
    }
    return sets, sorted(unfinished, key=targets.index), how


def _off_a_network(
    what: str, problem: Problem, targets: list[str], given: dict[str, Any], budget: Budget
) -> Found:
    """Climb to a network, and read the neighbors or blankets of the targets off it."""
    for name, value in given.items():
        if value is not None:
            owner = "sll" if name in ("order", "exact_limit", "spouses") else "hiton and mmpc"
            raise ParameterError(f"{setting(name)} is for {owner}, and the method is hill_climb")
    found: Around | Result
    if suits(problem, targets):
        found = climb_around(problem, targets, budget)
    else:
        many = len(problem.variables) > MOST_CLIMBED
        found = (wide_search if many else hill_climb)(problem, **budget.words())
    budget.end(found.stopped)
    look = found.dag.neighbors if what == "neighbors" else found.dag.markov_blanket
    near = {name: {*look(name)} for name in targets}
    how = {
        "stopped": found.stopped,
        "work": dict(found.work),
        "asked": {"method": "hill_climb", **problem.settings},
    }
    names = problem.variables.names
    sets = {name: tuple(x for x in names if x in near[name]) for name in targets}
    # All could change in a longer search.
    return sets, list(targets) if found.stopped else [], how


def usual_method(method: str | None, *of_sll: object) -> str:
    """Return the method that was asked for; else sll if one of its settings is given."""
    if method is not None:
        check_name("method", method, METHODS)
        return method
    return "hill_climb" if all(value is None for value in of_sll) else "sll"


def _targets(data: Data, target: Target) -> list[str]:
    """Return the names asked for, checked."""
    if target is None:
        return list(data.names)
    if isinstance(target, str):
        names: list[Any] = [target]
    elif isinstance(target, Iterable):
        names = list(target)
    else:
        raise ParameterError(
            f"target must be a name, a list of names or None for all, got {target!r}"
        )
    for name in names:
        data.variables.number(name)
    if len(set(names)) != len(names):
        raise ParameterError("a target is listed twice")
    return names


class Learner(NamedTuple):
    """Local learning as the engine does it."""

    learn: Callable[..., dict[str, Any]]
    on_data: _core.Scorer
    words: dict[str, Any]
    """What the engine is told."""
    asked: dict[str, Any]
    """The same as results tell it."""


def sll_learner(
    problem: Problem,
    method: str = "sll",
    *,
    order: str | None = None,
    spouses: str | None = None,
    exact_limit: int | None = None,
    local_parents: int | None = None,
    **of_tests: Any,
) -> Learner:
    """Return score-based local learning, checked."""
    _refuse(of_tests, method, "hiton and mmpc")
    problem.refuse_inequivalent(method)
    order = "association" if order is None else order
    check_name("order", order, ORDERS)
    spouses = "either" if spouses is None else spouses
    check_name("spouses", spouses, SPOUSES)
    usual = LOCAL_PARENTS if problem.max_parents is None else problem.max_parents
    most = _whole("local_parents", local_parents, usual, least=0)
    limit = _whole("exact_limit", exact_limit, 20, least=0, most=26)
    variables = problem.variables
    n = len(variables)
    words = {
        "ranks": [variables.display_rank(v) for v in range(n)] if order == "data" else [],
        "exact_limit": limit,
        "max_parents": min(most, n),
        "child_check": SPOUSES[spouses],
    }
    asked = {
        **problem.score.asked,
        "chosen": list(problem.chosen),
        "order": order,
        "spouses": spouses,
        "max_parents": most,
        "exact_limit": limit,
    }
    return Learner(_core.sll, problem.scorer, words, asked)


def test_learner(
    problem: Problem,
    method: str,
    *,
    alpha: float | None,
    max_conditioning: int | None,
    rows_per_cell: float | None,
    degrees: str | None,
    **of_sll: Any,
) -> Learner:
    """Return learning by tests of independence, checked."""
    _refuse(of_sll, method, "sll")
    alpha = 0.05 if alpha is None else alpha
    if not _real(alpha) or not 0 < alpha < 1:
        raise ParameterError(f"{setting('alpha')} must be between 0 and 1, got {alpha!r}")
    rows = 5.0 if rows_per_cell is None else rows_per_cell
    if not _real(rows) or not 0 <= rows < float("inf"):
        raise ParameterError(f"rows_per_cell must be a number from 0, got {rows!r}")
    words = {
        "alpha": float(alpha),
        "max_conditioning": _whole("max_conditioning", max_conditioning, 5, least=0, most=ENDLESS),
        "rows_per_cell": float(rows),
    }
    degrees = "adjusted" if degrees is None else degrees
    check_name("degrees", degrees, DEGREES)
    learn = _core.hiton if method == "hiton" else _core.mmpc
    for_engine = {**words, "adjusted": degrees == "adjusted"}
    return Learner(learn, likelihood(problem.data), for_engine, {**words, "degrees": degrees})


def _refuse(given: dict[str, Any], method: str, owner: str) -> None:
    for name, value in given.items():
        if value is not None:
            raise ParameterError(f"{setting(name)} is for {owner}, and the method is {method}")


def _real(value: object) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool)


def _whole(
    name: str, value: int | None, default: int, *, least: int, most: int | None = None
) -> int:
    if value is None:
        return default
    fits = isinstance(value, Integral) and not isinstance(value, bool)
    if not fits or value < least or (most is not None and value > most):
        between = f"from {least}" if most is None else f"between {least} and {most}"
        raise ParameterError(f"{setting(name)} must be a whole number {between}, got {value!r}")
    return int(value)
