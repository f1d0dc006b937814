"""What a search finds on samples of the data: confidence by bootstrap."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, ClassVar, NamedTuple

import numpy as np

from dagscape import _core
from dagscape.budget import MOMENT, Budget
from dagscape.data import check_data
from dagscape.executor import Cluster, Job, side_by_side, use_executor
from dagscape.landscape.models import Models, Optimum
from dagscape.landscape.optima import run_of
from dagscape.landscape.repeat import repeat, settings_of, use_runs
from dagscape.limits import ShowProgress, use_seed
from dagscape.priors import PriorLike
from dagscape.progress import shows_progress
from dagscape.results import Result
from dagscape.scores import CACHE_BYTES, Score, ScoreLike, as_score, scorer
from dagscape.search import ges, kes
from dagscape.search.equivalence import (
    equivalent_score,
    kes_options,
    most_parents,
    refuse_knowledge,
)
from dagscape.store import Run, Store
from dagscape.variables import check_name
from dagscape.words import counted

if TYPE_CHECKING:
    from dagscape.data import Data
    from dagscape.knowledge import Knowledge

METHODS = ("ges", "kes")
"""Searches that samples can be given to."""


class Bootstrap(Models):
    """What a search found on many samples of the data, and what these networks agree on.

    Every run counts the same: the confidence in a feature is the share of the samples on which a
    network with it was found.
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
    data: Data,
    *,
    runs: int = 200,
    method: str = "ges",
    k: float = 0.8,
    score: ScoreLike = "bic",
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
        The search: "ges" (:func:`ges`, two phases) or "kes" (:func:`kes`, with `k`).
    score, prior, max_parents, knowledge
        As in :func:`kes`.
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

    Source: Friedman, Goldszmidt and Wyner, Data analysis with Bayesian networks: a bootstrap
    approach, UAI 1999.
    """
    check_data(data)
    check_name("method", method, METHODS)
    refuse_knowledge(knowledge)
    chosen = equivalent_score(as_score(score, prior))
    kes_options(data, k, max_parents, "auto")  # refuses what is wrong
    number = use_seed(seed)
    count = use_runs(runs)
    budget = Budget.of(time_limit, threads=threads, progress=progress)
    settings = {
        "method": method,
        "score": chosen.to_dict(),
        "max_parents": max_parents,
        "seed": number,
    } | ({"k": float(k)} if method == "kes" else {})
    within = budget.left(least=MOMENT)
    if method == "ges":
        best = ges(data, score=chosen, max_parents=max_parents, time_limit=within)
    else:
        best = kes(data, k=k, score=chosen, max_parents=max_parents, time_limit=within, seed=number)
    samples = Samples(method, chosen, k, max_parents, number)
    with (
        use_executor(cluster, threads) as executor,
        Store(store, settings_of("bootstrap", data.fingerprint, settings), data.names) as kept,
    ):
        job = Job(sample_batch, {data.fingerprint: data}, samples)
        stopped = best.stopped or repeat(kept, count, budget, executor, job)
        return Bootstrap(kept, best, count, seconds=budget.seconds, stopped=stopped)


class Samples(NamedTuple):
    """What the searches on all samples have in common, beside the data."""

    method: str
    score: Score
    k: float
    max_parents: int | None
    seed: int

    def search(self, data: Data, run: int, look: Callable[[float], None]) -> Run:
        """Search on one sample."""
        table = resampled(data, self.seed, run)
        on_sample = _core.Scorer(self.score.function(table), CACHE_BYTES)
        if self.method == "ges":
            most = most_parents(data, self.max_parents)
            end, _ = _core.ges(on_sample, True, False, most, progress=look)
        else:
            options = kes_options(data, self.k, self.max_parents, "auto")
            end, _ = _core.kes(on_sample, options, self.seed, run, progress=look)
        on_data = scorer(data, self.score)
        own = sum(on_data.local(v, end.dag.parents(v)) for v in range(end.dag.variables))
        return run_of(run, end, own)


def resampled(data: Data, seed: int, run: int) -> _core.Table:
    """Return rows drawn with replacement, as many as there are."""
    rng = np.random.default_rng([seed, run])
    # Rows that are drawn twice come twice: bitmaps, the fastest way to count, have no weights.
    rows = np.sort(rng.integers(data.n_rows, size=data.n_rows))
    variables = data.variables
    columns = [data.codes[:, variables.display_rank(v)][rows] for v in range(data.n_variables)]
    return _core.Table(columns, [data.arities[name] for name in variables.in_engine_order()])


def sample_batch(
    data: Data, samples: Samples, batch: Sequence[int], budget: Budget
) -> tuple[list[Run], str]:
    """Do some runs, each by itself, several at the same time."""
    return side_by_side(partial(samples.search, data), batch, budget, "searching")
