"""What a search finds on samples of the data: stability."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from dagscape import _core
from dagscape.control.budget import MOMENT, Budget
from dagscape.control.limits import ShowProgress, use_seed
from dagscape.control.progress import shows_progress
from dagscape.data import as_data, check_data
from dagscape.defaults import score_for
from dagscape.executors import Cluster, Job, side_by_side, use_executor
from dagscape.knowledge import described
from dagscape.landscape.models import ManyModels, Optimum
from dagscape.landscape.optima import run_of
from dagscape.landscape.pilots import beginning_of
from dagscape.landscape.repeat import repeat, settings_of, use_runs
from dagscape.landscape.resample import resampled
from dagscape.landscape.searches import Asked, search_of
from dagscape.parents.constraints import constrain
from dagscape.results import Result
from dagscape.scores import CACHE_BYTES, Score, ScoreLike, scorer
from dagscape.scores.priors import PriorLike
from dagscape.search.equivalence import (
    equivalent_score,
    kes_options,
    most_parents,
    refuse_knowledge,
)
from dagscape.stores.runs import Run, Store
from dagscape.variables import check_name
from dagscape.words import counted

if TYPE_CHECKING:
    from dagscape.data import Data, TableLike
    from dagscape.knowledge import Knowledge
    from dagscape.search.exact.known_cuts import Beginning

METHODS = ("ges", "kes", "exact", "order", "hill_climb", "learn")
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
        super().__init__(best.dag.variables, store.found(runs))
        self._seed = int(store.settings["seed"])
        self._best = best
        self._seconds = seconds
        self._stopped = stopped

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
    def seed(self) -> int:
        """The seed of the samples; each run has its own."""
        return self._seed

    @property
    def score_kind(self) -> Score | None:
        """The score as an object."""
        return self._best.score_kind

    @property
    def score_name(self) -> str:
        """The score, in words."""
        return self._best.score_name

    @property
    def seconds(self) -> float:
        """How long this call took; runs that the store had took theirs before."""
        return self._seconds

    @property
    def stopped(self) -> str | None:
        """What ended it before all runs were done; None if nothing did.

        "time", "interrupt", or "cluster" if that was lost.
        """
        return self._stopped

    def __repr__(self) -> str:
        ended = f", stopped by {self.stopped}" if self.stopped else ""
        return (
            f"<Bootstrap: {counted(self.runs, 'sample')}, {len(self.networks):,} different classes "
            f"of {len(self.names)} variables ({self.method}, {self.score_name}{ended})>"
        )


@shows_progress
def bootstrap(
    data: TableLike,
    *,
    runs: int = 200,
    method: str = "ges",
    k: float = 0.8,
    score: ScoreLike | None = None,
    prior: PriorLike | None = None,
    max_parents: int | None = None,
    knowledge: Knowledge | None = None,
    time_limit: float | None = None,
    seed: int = 0,
    threads: int | None = None,
    cluster: Cluster = None,
    store: str | os.PathLike[str] | None = None,
    progress: ShowProgress = None,
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
        "order": :func:`order_search` with 5 restarts and no population. "hill_climb":
        :func:`hill_climb`, from no arcs. "learn": the steps of :func:`learn` that look for a
        network.
    score, prior
        Chosen by :func:`default_score` if neither is given; a score without a prior has the uniform
        one.
    max_parents
        As in the search.
    knowledge
        Arcs required and forbidden, tiers and limits. All but "ges" and "kes", which walk from
        class to class, obey it on every sample; directions that follow from it count as found.
    time_limit, threads, cluster, store, progress
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
    data = as_data(data)
    check_data(data)
    check_name("method", method, METHODS)
    chosen = score_for(data, score, prior)
    if method in OF_CLASSES:
        refuse_knowledge(knowledge)
        equivalent_score(chosen)
    kes_options(data, k, max_parents, "auto")  # refuses what is wrong
    constrain(data.variables, max_parents, knowledge)
    number = use_seed(seed)
    count = use_runs(runs)
    budget = Budget.of(time_limit, threads=threads, progress=progress)
    settings: dict[str, Any] = {
        "method": method,
        "score": chosen.to_dict(),
        "max_parents": max_parents,
        "seed": number,
    }
    if method == "kes":
        settings["k"] = float(k)
    if knowledge is not None and not knowledge.empty:
        settings["knowledge"] = described(knowledge)
    asked = Asked(chosen, k, max_parents, knowledge)
    limits: dict[str, Any] = {"time_limit": budget.left(least=MOMENT), "seed": number}
    if method not in OF_CLASSES:
        limits |= {"threads": budget.threads}
    best = search_of(method)(data, asked, None, limits)
    with (
        use_executor(cluster, threads) as executor,
        Store(store, settings_of("bootstrap", data.fingerprint, settings), data.names) as kept,
    ):
        start, stopped = None, best.stopped
        if method == "exact" and not stopped and kept.count(count) < count:
            start, ended = beginning_of(data, asked, best.dag, number, count, budget)
            stopped = ended or None
        samples = Samples(method, asked, number, start)
        job = Job(sample_batch, {data.fingerprint: data}, samples)
        stopped = stopped or repeat(kept, count, budget, executor, job)
        return Bootstrap(kept, best, count, seconds=budget.seconds, stopped=stopped)


@dataclass(frozen=True)
class Samples:
    """What the searches on all samples have in common, beside the data."""

    method: str
    asked: Asked
    seed: int
    start: Beginning | None
    """Where each begins, if that is known: any start leads a proof to the same end."""

    def search(self, data: Data, memory: int, run: int, look: Callable[[float], None]) -> Run:
        """Search on one sample, on one thread."""
        if self.method in OF_CLASSES:
            return self._search_classes(data, run, look)
        found = search_of(self.method)(
            resampled(data, self.seed, run),
            self.asked,
            self.start,
            {
                "seed": self.seed,
                "threads": 1,
                "max_memory": memory,
                "progress": lambda share, _: look(share or 0.0),
            },
        )
        own = sum(
            scorer(data, self.asked.score).local(child, found.dag._graph.parents(child))
            for child in range(data.n_variables)
        )
        return Run(run, _core.encode_graph(found.mpdag._graph), own, 0, 0, False)

    def _search_classes(self, data: Data, run: int, look: Callable[[float], None]) -> Run:
        """Search on one sample in the engine alone."""
        asked = self.asked
        on_sample = _core.Scorer(asked.score.on(resampled(data, self.seed, run)), CACHE_BYTES)
        if self.method == "ges":
            most = most_parents(data, asked.max_parents)
            end, _ = _core.ges(on_sample, True, False, most, progress=look)
        else:
            options = kes_options(data, asked.k, asked.max_parents, "auto")
            end, _ = _core.kes(on_sample, options, self.seed, run, progress=look)
        on_data = scorer(data, asked.score)
        own = sum(on_data.local(v, end.dag.parents(v)) for v in range(end.dag.variables))
        return run_of(run, end, own)


def sample_batch(
    data: Data, samples: Samples, batch: Sequence[int], budget: Budget
) -> tuple[list[Run], str]:
    """Do some runs, each by itself, several at the same time."""
    memory = budget.memory // budget.threads
    return side_by_side(partial(samples.search, data, memory), batch, budget, "searching")
