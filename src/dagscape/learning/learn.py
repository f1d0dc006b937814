"""The main job: a good network for a table, with what can be proven of it."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING, Unpack

from dagscape.control.limits import Progress
from dagscape.data import Data
from dagscape.errors import ParameterError
from dagscape.executors import use_executor
from dagscape.landscape.bootstrap import SEARCHES
from dagscape.landscape.optima import open_runs
from dagscape.learning.checkpoint import KIND, Checkpoint
from dagscape.learning.findings import Findings
from dagscape.learning.gap_relations import with_gaps_told
from dagscape.learning.group_families import groups_of
from dagscape.learning.ignored_experiments import IgnoredExperiments
from dagscape.learning.incomplete import IncompleteLearning
from dagscape.learning.learn_result import LearnResult
from dagscape.learning.otherwise import Otherwise
from dagscape.learning.plan import IGNORED, POOLED, TIME_LIMIT, Journal
from dagscape.learning.steps import ALONE, Exploration, Runs, Search
from dagscape.learning.trust import Resamples, Trust
from dagscape.repeats import with_closer_look
from dagscape.results import Result
from dagscape.search.equivalence import kes_options
from dagscape.shared_arguments import ForClusterSearch, ForSearch, begin, takes
from dagscape.speech import setting
from dagscape.variables import check_name

if TYPE_CHECKING:
    from dagscape.control.budget import Budget
    from dagscape.data import TableLike
    from dagscape.problem import Problem

LEARN_METHODS = ("auto", *ALONE)
"""What can look for the network."""


@takes(ForClusterSearch)
def learn(
    data: TableLike | Problem,
    *,
    method: str = "auto",
    runs: int | None = None,
    k: float = 0.8,
    resamples: int | None = None,
    null: int = 0,
    store: str | os.PathLike[str] | None = None,
    checkpoint: str | os.PathLike[str] | None = None,
    found: Result | None = None,
    **shared: Unpack[ForClusterSearch],
) -> LearnResult:
    """Learn a network: the best one with its proof if within reach, else a good one with a bound.

    Chooses what to run from the table and the time allowed, and says in `steps` what ran and why.
    Then finds how far to trust it: how probable and how stable every edge and every direction is,
    and which graph has the least expected error.

    Where cells are missing, the network is found by :func:`structural_em` in 70 % of the time, with
    the method as its search ("auto": this one), and probabilities are those of :func:`posterior`
    with drawn cells, in the rest. There are no proofs, near ties, local optima or resampled tables.

    Parameters
    ----------
    method
        What looks for the network. "exact", "order", "wide", "ges", "kes", "hill_climb", "mmhc",
        "sll_c", "sll_g": that search alone, with its own settings ("kes" with `k`).
        "auto", in this order:

        1. Candidate parent sets are scored, in a quarter of the time: all up to the size that half
           of it allows, then up to 5,000 more for each variable, the most promising first. Where
           not even all pairs of parents can be scored in an eighth of the time, this and the next
           step are left out.
        2. If there are at most 2 million sets: :func:`exact` on them, in half of the time left.
        3. Up to 64 variables, if nothing was proven: :func:`order_search` on these sets, or with
           grown parents where there are none, in half of the time left. With more, unless a proof
           covers all that was asked for: :func:`wide_search`, in half of the time left.
        4. Up to 64 variables, unless a proof covers all that was asked for: :func:`hill_climb` from
           there with 100 restarts, which may use parent sets beyond the candidates, in at most a
           fifth of the time left.
        5. Trust: :func:`posterior` over resampled tables, in half of the time left, unless fewer
           than 10 can be done, and of the table itself; probabilities are the mean of both. The
           search on resampled tables, in 30 % of what is then left; :func:`near_optimal`, 3 nats,
           in a fifth of that where the optimum is proven.
        6. :func:`local_optima` in the rest, which shows how hard the search is; if one of them
           scores higher, it is the result.
    score, prior
        What networks are scored by, and a prior on structures whose logarithm is added: "uniform"
        (adds nothing), "fair" or :class:`EdgePrior`. If neither is given, both are chosen by
        :func:`default_score`, and `asked` says so. A score without a prior has the uniform one:
        ``score="bic"`` is the papers' choice. Every step uses both.
    runs
        Runs of k-greedy search for the local optima: 1,000 or as many as the time allows, if not
        given; 0 for none.
    k
        As in :func:`local_optima`.
    resamples
        Tables drawn from the rows, whose posteriors make half of each probability: 50 or as many as
        the time allows, if not given; twice as many for stability. 0 leaves all of trust out.
        Probabilities are about networks with at most 3 parents, or as many as the network found
        has, or `max_parents`; if there are too many parent sets to weigh, only stability is given.
    null
        Tables with shuffled columns, to see how many edges reach which probability by chance.
    knowledge
        Arcs required and forbidden, tiers and limits; all are obeyed. Local optima are then left
        out: search over classes cannot obey knowledge. Once the best network that obeys is proven,
        the best that need not is looked for in a tenth of the time left, and the claim says what
        obeying costs.
    time_limit
        Seconds for everything: 120 if not given, which does not include runs asked for by number.
        Time that a step does not need is left to the steps after it.
    cluster
        Where restarts of :func:`order_search` and runs of :func:`local_optima` are done instead of
        here; see there. The rest is done here.
    seed
        For what is drawn. Where a step was ended by time, what it found depends on the machine.
    store
        A file to keep runs in, see :func:`local_optima`.
    checkpoint
        A file that keeps what finished steps of the search found. After Ctrl-C, or if the process
        is killed, the same call continues from there, with what is left of the time limit. A file
        of other settings or other data is refused. Runs are kept in `store`. Resampled tables are
        kept in files beside it, whose names begin with its own.
    found
        What an earlier call found on the same table: only trust and the local optima are left.
    progress
        True for a bar, or a function, called a few times a second with the share of the present
        step that is done, if known, and a text.

    Returns
    -------
    LearnResult
        A :class:`Result` with `posterior`, `consensus`, `stability`, `near`, `landscape` and
        `data`; its :meth:`~LearnResult.features` has all numbers of every edge. `dag` is the
        network of the best score, which is what is proven; `consensus` is the graph of least
        expected error.

    Examples
    --------
    >>> import dagscape as ds
    >>> data = ds.load_network("asia").sample(1000, seed=0)
    >>> r = ds.learn(data, runs=0, resamples=10)
    >>> r.optimal, r.posterior.resamples
    (True, 10)
    """
    check_name("method", method, LEARN_METHODS)
    if runs is not None and (isinstance(runs, bool) or not isinstance(runs, int) or runs < 0):
        raise ParameterError(f"{setting('runs')} must be a whole number from 0, got {runs!r}")
    asked_limit = shared["time_limit"]
    limit = TIME_LIMIT if asked_limit is None else asked_limit
    problem, budget = begin(data, {**shared, "time_limit": limit}, gaps=True)
    data = with_gaps_told(with_closer_look(problem.data))
    problem = problem.on(data)
    wanted_tables = Resamples.of(resamples, null, checkpoint)
    kes_options(problem, k, "auto")  # what is wrong with the last step is said before the first
    in_classes = problem.score.equivalent and not problem.targets
    explored = runs != 0 and problem.knowledge is None and in_classes
    if explored and store is not None and not data.missing:
        open_runs(store, problem, k, seed=budget.seed).close()
    if found is not None and not isinstance(found, Result):
        raise ParameterError(f"found must be a result of a search, got {type(found).__name__}")
    if found is not None and checkpoint is not None:
        raise ParameterError("found and checkpoint both say where to go on from: give one of them")
    asked = {
        **problem.settings,
        **budget.settings,
        "time_limit": asked_limit,
        "method": method,
        "runs": runs,
        "k": k,
        "resamples": resamples,
        "null": null,
        "rows_independent": data.rows_independent,
    }
    if data.missing:
        for name, given in {"found": found, "cluster": budget.cluster}.items():
            if given is not None:
                raise ParameterError(f"{setting(name)} is for tables without missing cells")
    kept = Checkpoint(checkpoint, problem.identity(KIND, method=method, seed=budget.seed))
    budget.spend(kept.seconds, kept.lost)
    journal = Journal(_noting(kept, budget) if kept.kept else budget.progress)
    findings = Findings(problem, budget, journal)
    with use_executor(budget) as executor:
        if data.missing:
            return IncompleteLearning(findings, executor, kept, wanted_tables).run(method, asked)
        if found is not None:
            findings.take(found, found.seconds)
        elif kept.found is not None:
            findings.take(kept.found)
        if found is None:
            Search(findings, executor, kept, k).run(method)
        kept.searching = budget.interrupted
        otherwise = Otherwise(findings, executor)
        pooled = otherwise.run(POOLED, "pooled", data.pooled)
        ignored = otherwise.run(IGNORED, "experiments ignored", data.untouched)
        trusted = Trust(findings, executor).run(wanted_tables)
        wanted = Runs(runs, k, store, unlimited=runs is not None and asked_limit is None)
        landscape = Exploration(findings, executor).run(wanted)
    kept.note(budget.seconds)
    learned = LearnResult(
        **findings.facts(),
        seed=budget.seed,
        data=data,
        landscape=landscape,
        posterior=trusted.posterior,
        consensus=trusted.consensus,
        sensitivity=trusted.sensitivity,
        stability=trusted.stability,
        near=trusted.near if findings.optimal else None,
        chance=trusted.chance,
        asked=asked,
    )
    learned = replace(
        learned,
        groups=groups_of(problem, learned, pooled),
        ignored=None if ignored is None else IgnoredExperiments(learned.mpdag, ignored),
    )
    if landscape is not None:
        landscape.belong_to(learned.plain())
    return learned


def _noting(kept: Checkpoint, budget: Budget) -> Progress:
    """Return what notes the time used, now and then, and passes progress on."""
    tell = budget.progress

    def note_and_tell(share: float | None, text: str) -> None:
        kept.beat(budget.seconds)
        if tell is not None:
            tell(share, text)

    return note_and_tell


def learn_sample(problem: Problem, **limits: Unpack[ForSearch]) -> Result:
    """Look for a network as learning does, and leave out what it does beside that."""
    # Rows that are drawn repeat by themselves.
    data = Data(problem.data, missing="keep", rows_independent=True)
    return learn(problem.on(data), runs=0, resamples=0, **limits)


SEARCHES["learn"] = takes(ForSearch)(learn_sample)
