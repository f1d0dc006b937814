"""The landscape of local optima: where many runs of k-greedy search end."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple, Unpack

from dagscape import _core
from dagscape.errors import DagscapeError, FileFormatError, ParameterError
from dagscape.executors import Job, use_executor
from dagscape.landscape.models import ManyModels, Optimum
from dagscape.problem import Problem
from dagscape.results import Result
from dagscape.scores import Score, score_of_work
from dagscape.scores.base import higher
from dagscape.search.equivalence import begin_on_classes, kes_options
from dagscape.search.exact import exact
from dagscape.shared_arguments import ForClusterSearch, ForProof, takes
from dagscape.stores.runs import Run, Store, repeat, use_runs
from dagscape.variables import Variables
from dagscape.words import counted

if TYPE_CHECKING:
    from dagscape.control.budget import Budget
    from dagscape.data import Data, TableLike

KIND = "local optima"


class Landscape(ManyModels):
    """The distinct local optima that many runs ended at, and what they agree on.

    Weights of optima for :meth:`features` and its like are "optima", the paper's, unless asked.
    """

    def __init__(
        self,
        store: Store,
        variables: Variables,
        runs: int | None = None,
        *,
        seconds: float = 0.0,
        stopped: str | None = None,
        data: Data | None = None,
    ) -> None:
        settings = store.settings
        seed = int(settings["seed"])
        super().__init__(variables, store.found(runs), seed=seed, seconds=seconds, stopped=stopped)
        self._fingerprint = settings["data"]
        self._score = score_of_work(settings)
        self._k = float(settings["k"])
        self._max_parents: int | None = settings["max_parents"]
        self._neighborhood = str(settings["neighborhood"])
        self._work = store.work(runs)
        self._sampled = store.sampled(runs)
        self._data = data
        self._proof: Result | None = None

    @property
    def optima(self) -> tuple[Optimum, ...]:
        """The distinct optima, best score first; of equal ones, in the order of their edges."""
        return self._models

    @property
    def best(self) -> Optimum:
        """The optimum with the best score."""
        if not self._models:
            raise DagscapeError("no run was done before it was stopped: there are no optima")
        return self._models[0]

    @property
    def k(self) -> float:
        """The share of better neighbors that each step drew."""
        return self._k

    @property
    def score_kind(self) -> Score:
        """The score as an object."""
        return self._score

    @property
    def score_name(self) -> str:
        """The score, in words."""
        return str(self._score)

    @property
    def max_parents(self) -> int | None:
        """The most parents that a step gave a variable; None without a limit."""
        return self._max_parents

    @property
    def neighborhood(self) -> str:
        """How neighbors were to be found: "auto", "exact" or "sampled"."""
        return self._neighborhood

    @property
    def sampled(self) -> int:
        """The number of runs in which neighbors were drawn somewhere, not all listed."""
        return self._sampled

    @property
    def work(self) -> Mapping[str, int]:
        """Steps taken, and better neighbors met on the way, by all runs together; read-only."""
        return MappingProxyType(self._work)

    @property
    def proof(self) -> Result | None:
        """What :meth:`prove` found; None before."""
        return self._proof

    @property
    def gap(self) -> float | None:
        """How much higher than the best local optimum a network can score; None if not known.

        After :meth:`prove`: 0 if the best optimum is the best network there is, the distance to
        that if it is another, and an upper bound where the proof was not finished.
        """
        if self._proof is None or self._proof.bound is None:
            return None
        # A bound on networks of certain parent sets, or on those that obey, says nothing of others.
        # So does one on networks with fewer parents than the best optimum has.
        scope = self._proof.scope
        if not scope.about_any_search or not scope.admits(self.best.dag):
            return None
        gap = self._proof.bound - self.best.score
        return gap if higher(self._proof.bound, self.best.score) else 0.0

    @takes(ForProof)
    def prove(self, data: TableLike | None = None, **shared: Unpack[ForProof]) -> Result:
        """Look for the best network there is, to see how far the best local optimum is from it.

        Runs :func:`exact` with the same score and limit of parents, and keeps what it finds as
        :attr:`proof`; :attr:`gap` is then known.

        Parameters
        ----------
        data
            Needed only for a landscape that was read from a store.
        """
        given = self._data if data is None else data
        if given is None:
            raise ParameterError(
                "a landscape read from a store has no data; give them: prove(data)"
            )
        problem = Problem(given, score=self._score, max_parents=self._max_parents)
        if problem.data.fingerprint != self._fingerprint:
            raise ParameterError("the data are not those that the optima were found on")
        proof = exact(problem, **shared)
        self.know(proof)
        return proof

    def belong_to(self, learned: Result) -> None:
        """Compare features with the network that was learned, and keep what is proven about it."""
        self.know(learned)
        self._learned = learned.dag

    def know(self, proof: Result) -> None:
        """Keep what is proven about the same data, score and limit of parents as :attr:`proof`."""
        if sorted(proof.dag.names) != sorted(self.names) or proof.score_kind != self._score:
            raise ParameterError("the proof is about other variables, or another score")
        self._proof = proof

    def __repr__(self) -> str:
        count = len(self.optima)
        head = f"{count:,} local optim{'um' if count == 1 else 'a'} of {len(self.names)} variables"
        ended = f", stopped by {self.stopped}" if self.stopped else ""
        runs = f"{counted(self.runs, 'run')} (k={self.k:g}{ended})"
        if not count:
            return f"<Landscape: {head} from {runs}>"
        return (
            f"<Landscape: {head} from {runs}; best {self.score_name} {self.best.score:.4f}, "
            f"{counted(self.best.visits, 'visit')}{self._claim()}>"
        )

    def _claim(self) -> str:
        """Say what is known about better networks."""
        if self._proof is None or self.gap is None:
            return ""
        if self.gap == 0:
            return f", the best of {self._proof.scope}"
        most = "" if self._proof.optimal else "at most "
        return f", {most}{self.gap:.4g} below the best of {self._proof.scope}"


@takes(ForClusterSearch)
def local_optima(
    data: TableLike | Problem,
    *,
    k: float = 0.8,
    runs: int = 1000,
    neighborhood: str = "auto",
    store: str | os.PathLike[str] | None = None,
    **shared: Unpack[ForClusterSearch],
) -> Landscape:
    """Find many local optima, by many runs of k-greedy equivalence search.

    What the optima agree on can be trusted more than what the best of them says alone: see
    :meth:`Landscape.features`.

    Parameters
    ----------
    k, score, prior, max_parents, neighborhood
        As in :func:`kes`. With k = 1 nothing is drawn, and all runs end at the same class; near 0
        they end at many, and at worse ones.
    knowledge
        Refused. A class holds networks with either direction of its undirected edges, so arcs that
        are required or forbidden, tiers and limits for single variables would divide it;
        `max_parents` would not, since the most parents that a variable has is the same in all
        networks of a class.
    time_limit
        Seconds. They, or Ctrl-C, end it with the optima of the runs that are done; `stopped` says
        so.
    seed
        Run i draws from stream i of the seed, so that the answer is the same for any number of
        threads and however it was interrupted.
    threads
        How many to use, without a cluster: no more than the memory has room for.
    cluster
        Where runs are done instead of here: a Dask client, the address of a scheduler
        ("tcp://host:8786") or "local:4" for four processes of this machine. The answer is the same.
        Needs ``dagscape[dask]``, and the same version of dagscape on all workers. If the cluster is
        lost, a warning says why, and the runs that came back are returned.
    store
        A file to keep runs in, made if it is not there. The same call picks up where the last one
        stopped, and one with more runs adds those that are missing; other settings are refused.
        :func:`load_result` reads it.

    Notes
    -----
    Cost: runs times that of :func:`kes`; values of sets are counted once for all runs.

    Sources: Nielsen, Kočka and Peña, On local optima in learning Bayesian networks, UAI 2003; Peña,
    Kočka and Nielsen, Featuring multiple local optima to assist the user in the interpretation of
    induced Bayesian network models, IPMU 2004.

    Examples
    --------
    >>> import dagscape as ds
    >>> data = ds.load_network("asia").sample(1000, seed=0)
    >>> landscape = ds.local_optima(data, runs=100)
    >>> landscape.runs
    100
    """
    count = use_runs(runs)
    problem, budget = begin_on_classes(data, shared)
    kes_options(problem, k, neighborhood)  # refuses what is wrong
    job = Job.of(budget, kes_batch, {problem.mark: problem}, KesRuns(k, neighborhood))
    with (
        use_executor(budget) as executor,
        open_runs(store, problem, k, neighborhood, budget.seed) as kept,
    ):
        stopped = repeat(kept, count, budget, executor, job)
        return Landscape(
            kept,
            problem.variables,
            count,
            seconds=budget.seconds,
            stopped=stopped,
            data=problem.data,
        )


def open_runs(
    store: str | os.PathLike[str] | None,
    problem: Problem,
    k: float,
    neighborhood: str = "auto",
    seed: int = 0,
) -> Store:
    """Open what keeps such runs; refuse a file of other runs."""
    identity = problem.identity(KIND, k=float(k), neighborhood=neighborhood, seed=seed)
    return Store(store, identity, problem.variables.names)


class KesRuns(NamedTuple):
    """What all runs have in common, beside the problem."""

    k: float
    neighborhood: str


def kes_batch(
    problem: Problem, runs: KesRuns, batch: Sequence[int], budget: Budget
) -> tuple[list[Run], str]:
    """Do some runs, with numbers that follow each other."""
    found, stopped = _core.kes_runs(
        problem.scorer,
        kes_options(problem, runs.k, runs.neighborhood),
        budget.seed,
        batch[0],
        len(batch),
        budget.threads,
        budget.left(),
        budget.telling("searching"),
    )
    return [run_of(run, end, end.score) for run, end in found], stopped


def load_landscape(store: str | os.PathLike[str]) -> Landscape:
    """Read the optima of all runs in a store, which may still be growing."""
    with Store.read(store) as kept:
        kind = kept.settings.get("kind")
        if isinstance(kind, str) and kind != KIND:
            raise FileFormatError(f'"{store}" holds runs of {kind}, not {KIND}')
        try:
            return Landscape(kept, Variables(kept.names))
        except FileFormatError:
            raise
        except (KeyError, TypeError, ValueError, OverflowError):
            raise FileFormatError(f'"{store}" is damaged: its settings cannot be read') from None


def run_of(run: int, end: _core.ClassSearch, score: float) -> Run:
    """Return what a store keeps of a search."""
    graph = _core.encode_graph(end.graph)
    return Run(run, graph, score, end.steps, end.classes, end.sampled)
