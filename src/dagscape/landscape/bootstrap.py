"""What a search finds on samples of the data: stability. And the searches, by name."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar, Unpack

from dagscape import _core
from dagscape.errors import ParameterError
from dagscape.executors import Job, side_by_side, use_executor
from dagscape.landscape.models import ManyModels, Optimum
from dagscape.landscape.optima import run_of
from dagscape.landscape.pilots import beginning_of
from dagscape.landscape.resample import resampled
from dagscape.landscape.wide_samples import method_among, search_sample, whole_table
from dagscape.results import Result
from dagscape.scores import CACHE_BYTES, Score
from dagscape.scoring import total
from dagscape.search import ges, hill_climb, kes, order_search
from dagscape.search.equivalence import begin_on_classes, kes_options
from dagscape.search.exact import exact
from dagscape.shared_arguments import ForClusterSearch, begin, takes
from dagscape.speech import setting
from dagscape.stores.runs import Run, Store, repeat, use_runs
from dagscape.variables import check_name
from dagscape.words import counted

if TYPE_CHECKING:
    from dagscape.control.budget import Budget
    from dagscape.data import TableLike
    from dagscape.graphs import Dag
    from dagscape.problem import Problem
    from dagscape.search.wide import Candidates

METHODS = ("ges", "kes", "exact", "order", "wide", "hill_climb", "learn")
"""Searches that samples can be given to."""

OF_CLASSES = ("ges", "kes")
"""Those that walk from class to class, and can obey no knowledge."""


class Bootstrap(ManyModels):
    """What a search found on many samples of the data, and what these networks agree on.

    Every run counts the same: the stability of a feature, ``confidence`` in its tables, is the
    share of the samples on which a network with it was found. It says how much depends on the rows
    that happened to be drawn, not how probable the feature is.
    """

    WEIGHTS: ClassVar[tuple[str, ...]] = ("visits",)

    def __init__(
        self,
        store: Store,
        best: Result,
        runs: int,
        *,
        seconds: float,
        stopped: str | None,
    ) -> None:
        seed, found = int(store.settings["seed"]), store.found(runs)
        super().__init__(best.dag.variables, found, seed=seed, seconds=seconds, stopped=stopped)
        self._best = best

    @property
    def networks(self) -> tuple[Optimum, ...]:
        """The distinct classes found, with their score on the data themselves, best first."""
        return self._models

    @property
    def best(self) -> Result:
        """What the same search finds on the data themselves."""
        return self._best

    @property
    def method(self) -> str:
        """What ran on every sample."""
        return self._best.method

    @property
    def score_kind(self) -> Score | None:
        """The score as an object."""
        return self._best.score_kind

    @property
    def score_name(self) -> str:
        """The score, in words."""
        return self._best.score_name

    def __repr__(self) -> str:
        ended = f", stopped by {self.stopped}" if self.stopped else ""
        return (
            f"<Bootstrap: {counted(self.runs, 'sample')}, {len(self.networks):,} different classes "
            f"of {len(self.names)} variables ({self.method}, {self.score_name}{ended})>"
        )


@takes(ForClusterSearch)
def bootstrap(
    data: TableLike | Problem,
    *,
    runs: int = 200,
    method: str = "ges",
    k: float = 0.8,
    store: str | os.PathLike[str] | None = None,
    start: Dag | None = None,
    **shared: Unpack[ForClusterSearch],
) -> Bootstrap:
    """Run a search on many samples of the data, to see which features come back.

    A sample has as many rows as the data, drawn from them with replacement.

    Parameters
    ----------
    method
        The search that is run on every sample. "ges": :func:`ges`, two phases. "kes": :func:`kes`,
        with `k`. "exact": :func:`exact`, so that every network is proven to be the best of its
        sample; each begins with the order of the network that is best on all rows, which is seldom
        far off, and, from 60 runs on, with cuts of integer programs that proved the first of them.
        "order": :func:`order_search` with 5 restarts and no population. "wide": :func:`wide_search`
        with 5 rounds (fewer above 1,000 variables), among the candidates that it keeps on all rows.
        "hill_climb": :func:`hill_climb`, from no arcs. "learn": the steps of :func:`learn` that
        look for a network.
    knowledge
        Arcs required and forbidden, tiers and limits. All but "ges" and "kes", which walk from
        class to class, obey it on every sample; directions that follow from it count as found.
    start
        For "wide": what it found on all rows, which is then not searched for again.
    time_limit, cluster, store
        As in :func:`local_optima`.
    seed
        Run i draws sample i of the seed, so that the answer does not depend on threads or on
        interruptions.

    Notes
    -----
    This says how much of a network is due to the rows that happened to be drawn;
    :func:`local_optima` says how much is due to the search having ended where it did, and is the
    faster, since all its runs share the counts of one table.

    To rank edges by confidence, ``method="kes", k=0.5, score="qnml"`` did best in our comparisons;
    see "Landscape" in the explanations.

    Cost: resamples times that of the search; values of sets are counted anew for each.

    Source: Friedman, Goldszmidt and Wyner, Data analysis with Bayesian networks: a bootstrap
    approach, UAI 1999.
    """
    check_name("method", method, METHODS)
    count = use_runs(runs)
    begins = begin_on_classes if method in OF_CLASSES else begin
    problem, budget = begins(data, shared)
    kes_options(problem, k, "auto")  # refuses what is wrong
    own: dict[str, Any] = {"k": float(k)} if method == "kes" else {}
    identity = problem.identity("bootstrap", method=method, seed=budget.seed, **own)
    if start is not None and method != "wide":
        raise ParameterError(f'{setting("start")} is for the method "wide", and it is {method}')
    if method == "wide":
        best, own["candidates"] = whole_table(problem, start, budget)
    else:
        best = search_by_name(method, problem, {**budget.words(), "seed": budget.seed}, **own)
    return _on_samples(problem, Samples(method, own), best, count, store, identity, budget)


def resample_widely(
    problem: Problem,
    best: Result,
    candidates: Candidates,
    runs: int,
    store: str | os.PathLike[str] | None,
    budget: Budget,
) -> Bootstrap:
    """Do as :func:`bootstrap` with the method "wide", after a search of the whole table.

    Parameters
    ----------
    best, candidates
        What that search found, and what it kept.
    """
    identity = problem.identity("bootstrap", method="wide", seed=budget.seed)
    samples = Samples("wide", {"candidates": candidates})
    # That search may have used its share of the time up.
    best = replace(best, method=method_among(len(problem.variables)), stopped=None)
    return _on_samples(problem, samples, best, runs, store, identity, budget)


def _on_samples(
    problem: Problem,
    samples: Samples,
    best: Result,
    count: int,
    store: str | os.PathLike[str] | None,
    identity: dict[str, Any],
    budget: Budget,
) -> Bootstrap:
    """Search on as many samples as time allows, but those that are kept."""
    stopped = best.stopped
    with (
        use_executor(budget) as executor,
        Store(store, identity, problem.variables.names) as kept,
    ):
        if samples.method == "exact" and not stopped and kept.count(count) < count:
            samples.own["start"], ended = beginning_of(problem, best.dag, count, budget)
            stopped = ended or None
        job = Job.of(budget, sample_batch, {problem.mark: problem}, samples)
        stopped = stopped or repeat(kept, count, budget, executor, job)
        return Bootstrap(kept, best, count, seconds=budget.seconds, stopped=stopped)


@dataclass(frozen=True)
class Samples:
    """What the searches on all samples have in common, beside the problem."""

    method: str
    own: dict[str, Any]
    """Options of the search. Where each begins, if that is known, is one: any start leads a proof
    to the same end."""

    def search(
        self, problem: Problem, memory: int, seed: int, run: int, look: Callable[[float], None]
    ) -> Run:
        """Search on one sample, on one thread."""
        sample = problem.on(resampled(problem.data, seed, run))
        if self.method in OF_CLASSES:
            return self._search_classes(problem, sample, seed, run, look)
        limits = {
            "seed": seed,
            "threads": 1,
            "max_memory": memory,
            "progress": lambda share, _: look(share or 0.0),
        }
        if self.method == "wide":
            found = search_sample(sample, self.own["candidates"], limits)
        else:
            found = search_by_name(self.method, sample, limits, **self.own)
        graph = _core.encode_graph(found.mpdag._graph)
        return Run(run, graph, total(problem, found.dag), 0, 0, False)

    def _search_classes(
        self,
        problem: Problem,
        sample: Problem,
        seed: int,
        run: int,
        look: Callable[[float], None],
    ) -> Run:
        """Search on one sample in the engine alone."""
        on_sample = _core.Scorer(sample.score.on(sample.data), CACHE_BYTES)
        if self.method == "ges":
            end, _ = _core.ges(on_sample, True, False, problem.most_parents, progress=look)
        else:
            options = kes_options(problem, self.own["k"], "auto")
            end, _ = _core.kes(on_sample, options, seed, run, progress=look)
        on_data = problem.scorer
        own = sum(on_data.local(v, end.dag.parents(v)) for v in range(end.dag.variables))
        return run_of(run, end, own)


def sample_batch(
    problem: Problem, samples: Samples, batch: Sequence[int], budget: Budget
) -> tuple[list[Run], str]:
    """Do some runs, each by itself, several at the same time."""
    memory = max(1, budget.memory // budget.threads)
    return side_by_side(
        partial(samples.search, problem, memory, budget.seed), batch, budget, "searching"
    )


RESTARTS = 5
"""Climbs of an order search: on ALARM x 5,000 they end at the optimum, in a moment."""

SEARCHES: dict[str, Callable[..., Result]] = {
    "ges": ges,
    "kes": kes,
    "exact": exact,
    "order": partial(order_search, restarts=RESTARTS, generations=0),
    "hill_climb": hill_climb,
}
"""Every search by its name; learning is of a later layer and adds itself."""


def search_by_name(name: str, problem: Problem, limits: Mapping[str, Any], **own: Any) -> Result:
    """Run a search with what it takes of the limits: seed, seconds, threads, memory, progress."""
    if name not in SEARCHES:
        import_module("dagscape.learning")
    search = SEARCHES[name]
    known = inspect.signature(search).parameters
    return search(problem, **own, **{name: limits[name] for name in limits if name in known})
