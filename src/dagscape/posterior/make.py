"""The posterior of a table: the call."""

from __future__ import annotations

import math
import os
from typing import TYPE_CHECKING

from dagscape.budget import Budget
from dagscape.data import check_data
from dagscape.errors import ParameterError
from dagscape.executor import Cluster, Executor, Job, Told, use_executor
from dagscape.limits import Progress, ShowProgress, use_count, use_seed
from dagscape.posterior.bag import Resamples, resample_batch
from dagscape.posterior.files import PosteriorStore
from dagscape.posterior.findings import Findings
from dagscape.posterior.posterior import Posterior
from dagscape.posterior.question import Question
from dagscape.posterior.saved import about, settings
from dagscape.posterior.sums import PATIENCE, PATIENCE_EACH, StoppedError, add_up, nothing_yet
from dagscape.priors import PriorLike
from dagscape.progress import shows_progress
from dagscape.scores import ScoreLike, scorer_within
from dagscape.speech import setting
from dagscape.variables import check_name

if TYPE_CHECKING:
    from dagscape.data import Data
    from dagscape.knowledge import Knowledge

METHODS = ("auto", "exact", "mcmc")
"""The ways to probabilities."""

DRAWN_EACH = 200
"""Networks that are drawn from each resample, however many there are to be."""


@shows_progress
def posterior(
    data: Data,
    *,
    score: ScoreLike | None = None,
    prior: PriorLike | None = None,
    knowledge: Knowledge | None = None,
    max_parents: int | None = None,
    method: str = "auto",
    resamples: int = 0,
    time_limit: float | None = None,
    max_memory: float | None = None,
    threads: int | None = None,
    seed: int = 0,
    cluster: Cluster = None,
    store: str | os.PathLike[str] | None = None,
    progress: ShowProgress = None,
) -> Posterior:
    """Compute how probable every arc, ancestor and network is, given the data.

    P(G | D) is proportional to the product of exp(local score) times the prior, over all networks
    of the scope. The sums over all of them are exact; see :class:`Posterior` for what they tell.

    Parameters
    ----------
    score, prior
        What networks are weighed by; BDeu with an equivalent sample size of 1 and the fair prior,
        if neither is given. A score without a prior has the uniform one. BDeu and K2 are
        probabilities of the rows; BIC, qNML and fNML stand in for one, and the result says so. AIC
        and the log-likelihood do not, and are refused.
    knowledge
        Arcs required and forbidden, tiers and limits: networks that do not obey have probability 0.
    max_parents
        The most parents of a variable: part of the prior. Without it all networks up to 20
        variables, and above that as many parents as leave at most 12 million parent sets to weigh;
        `max_parents` and `scope` of the result say how many.
    method
        "exact": by sums. "auto": the same, unless they would take more than an hour, or more than a
        minute or so for each resample. "mcmc", by sampling, is not there yet.
    resamples
        0: the posterior itself, right if the data come from its assumptions. 50, say: the mean of
        the posteriors of so many tables drawn from the rows with replacement (bagged), which is
        less sure of itself, and on known networks nearer to how often such claims are true.
    time_limit
        Seconds. Sums that are not complete say nothing, so that this is an error, except between
        resamples: then the mean is over those that are done, and `stopped` says so.
    max_memory
        Bytes; by default 70 % of what is free.
    seed
        For resamples and for networks that are drawn.
    cluster
        Where resamples are done instead of here, as in :func:`local_optima`.
    store
        A file to keep resamples in, made if it is not there. The same call picks up where the last
        one stopped. :func:`load_posterior` reads it.
    progress
        True for a bar, or a function, called with the share of the work that is done, and a text.

    Raises
    ------
    ParameterError
        If the sums would not fit memory or time; it says what they need, and what to change.

    Notes
    -----
    Time grows threefold and memory twofold with each variable that may be a parent of all others:
    20 take less than a minute on two cores. Knowledge that rules out arcs can split the variables
    into components, which are summed over one by one. Where the sums would not fit, arcs are left
    out that have a probability of 0.01 at most, all together, if that splits the variables far
    enough: as it does where columns fall into groups that have nothing to do with each other. Then
    `lower` and `upper` hold what these arcs might change, and `dropped` says how much that is.

    Sources: Koivisto and Sood, JMLR 2004; Tian and He, Computing posterior probabilities of
    structural features in Bayesian networks, UAI 2009; Huggins and Miller, Robust inference and
    model criticism using bagged posteriors, 2019; Eggeling, Viinikka, Vuoksenmaa and Koivisto, On
    structure priors for learning Bayesian networks, AISTATS 2019.

    Examples
    --------
    >>> import dagscape as ds
    >>> data = ds.load_network("asia").sample(1000, seed=0)
    >>> P = ds.posterior(data)
    >>> round(P.probability("tub", "either", "adjacencies"), 3) > 0.9
    True
    """
    check_data(data)
    check_name("method", method, METHODS)
    tables = use_count("resamples", resamples)
    number = use_seed(seed)
    question = Question.check(data.variables, score, prior, max_parents, knowledge)
    budget = Budget.of(time_limit, max_memory, threads, progress)
    if method == "mcmc":
        raise ParameterError(
            "probabilities by sampling (mcmc) are not there yet; "
            f"{setting('method')} exact sums over all networks, for up to some 20 variables that "
            "may be each other's parents"
        )
    auto = method == "auto"
    if store is None and not tables:
        return _plain(data, question, budget, number, PATIENCE if auto else math.inf)
    shared = settings(question, data.fingerprint, number, bool(tables))
    with PosteriorStore(store, shared, data.names) as kept:
        if tables:
            each = PATIENCE_EACH if auto else math.inf
            run = Resamples(question, number, max_memory, DRAWN_EACH, each)
            with use_executor(cluster, threads) as executor:
                found = _bagged(data, run, tables, budget, executor, kept)
        else:
            found = _plain(data, question, budget, number, PATIENCE if auto else math.inf)
            found._findings.draw()
            kept.add(found._findings.pieces)
        kept.tell("about", about(found))
        return found


def _bagged(
    data: Data,
    run: Resamples,
    tables: int,
    budget: Budget,
    executor: Executor,
    kept: PosteriorStore,
) -> Posterior:
    """Do the resamples that the store lacks; return the mean over all that are there."""
    job = Job(resample_batch, {data.fingerprint: data}, run)
    told = _teller(budget.progress, kept, tables)
    stopped = executor.do(job, kept.missing(tables), kept.add, told, budget.deadline)
    pieces = kept.pieces(tables)
    if not pieces:
        if stopped == "interrupt":
            raise KeyboardInterrupt
        raise nothing_yet(stopped)
    findings = Findings(
        data.variables, run.question, tuple(pieces), seed=run.seed, asked=tables, data=data
    )
    return Posterior(
        findings,
        fingerprint=data.fingerprint,
        seconds=budget.seconds,
        stopped=stopped if len(pieces) < tables else None,
        notes=data.notes,
    )


def _plain(data: Data, question: Question, budget: Budget, seed: int, patience: float) -> Posterior:
    try:
        on_data = scorer_within(data, question.score, budget.memory)
        told = budget.telling("summing over networks")
        sums = add_up(on_data, data.variables, question, budget, told, patience)
    except StoppedError as stopped:
        if stopped.reason == "interrupt":
            raise KeyboardInterrupt from None
        raise nothing_yet(stopped.reason) from None
    piece = sums.piece(-1, None)
    findings = Findings(data.variables, question, (piece,), seed=seed, sums=sums, data=data)
    return Posterior(
        findings, fingerprint=data.fingerprint, seconds=budget.seconds, notes=data.notes
    )


def _teller(tell: Progress | None, store: PosteriorStore, tables: int) -> Told:
    """Return what tells the user's function how far all resamples are."""
    before = store.count(tables)

    def told(done: float, where: str) -> None:
        if tell is not None:
            share = min(1.0, (before + done) / tables)
            text = f"{min(tables, before + int(done + 1e-6)):,} of {tables:,} resamples"
            tell(share, f"{text}{where and ', '}{where}")

    return told
