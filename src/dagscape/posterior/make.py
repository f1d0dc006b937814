"""The posterior of a table: the call."""

from __future__ import annotations

import math
import os
from typing import TYPE_CHECKING

from dagscape.budget import Budget
from dagscape.data import as_data, check_data
from dagscape.errors import ParameterError
from dagscape.executor import Cluster
from dagscape.limits import ShowProgress, use_count, use_seed
from dagscape.posterior.chains import CHAINS, CHAINS_EACH, ROUNDS, ROUNDS_EACH, ChainRun
from dagscape.posterior.posterior import Posterior
from dagscape.posterior.question import Question
from dagscape.posterior.sums import (
    PATIENCE,
    PATIENCE_EACH,
    OutOfReachError,
    StoppedError,
    nothing_yet,
)
from dagscape.posterior.ways import Call, by_chains, by_sums
from dagscape.priors import PriorLike
from dagscape.progress import shows_progress
from dagscape.scores import ScoreLike
from dagscape.speech import choice, setting
from dagscape.variables import check_name

if TYPE_CHECKING:
    from dagscape.data import TableLike
    from dagscape.knowledge import Knowledge

METHODS = ("auto", "exact", "mcmc")
"""The ways to probabilities."""


@shows_progress
def posterior(
    data: TableLike,
    *,
    score: ScoreLike | None = None,
    prior: PriorLike | None = None,
    knowledge: Knowledge | None = None,
    max_parents: int | None = None,
    method: str = "auto",
    resamples: int = 0,
    chains: int | None = None,
    rounds: int | None = None,
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
    of the scope. Sums over all of them are exact; where they are out of reach, chains of networks
    are run, and what they tell comes with how far they agree. See :class:`Posterior` for what there
    is to ask.

    Parameters
    ----------
    score, prior
        What networks are weighed by; chosen by :func:`default_score` if neither is given, with the
        fair prior for tables with numbers. A score without a prior has the uniform one. BDeu, K2
        and BGe are probabilities of the rows; BIC, qNML and others stand in for one, and the result
        says so. AIC and the log-likelihood do not, and are refused.
    knowledge
        Arcs required and forbidden, tiers and limits: networks that do not obey have probability 0.
    max_parents
        The most parents of a variable: part of the prior. Without it all networks up to 20
        variables, and above that as many parents as leave at most 12 million parent sets to weigh;
        `max_parents` and `scope` of the result say how many.
    method
        "exact": by sums. "mcmc": by chains of networks, from starts that are far apart (optima of
        searches over orders, the empty network, random ones); `agreement` and `claim` of the result
        say how far they agree. "auto": by sums, unless these would take more than an hour (a minute
        or so for each resample) or than time and memory allow.
    resamples
        0: the posterior itself, right if the data come from its assumptions. 50, say: the mean of
        the posteriors of so many tables drawn from the rows with replacement (bagged), which is
        less sure of itself, and on known networks nearer to how often such claims are true.
    chains
        How many chains there are: 8 if nothing is said, on each resample 2.
    rounds
        How long each chain is: 4,000 rounds if nothing is said, on resamples 1,000. In a round
        every variable's parents are drawn about once; the first fifth is forgotten.
    time_limit
        Seconds. Sums that are not complete say nothing, so that this is an error, except between
        resamples: then the mean is over those that are done, and `stopped` says so. Chains share
        the time that is left, and what they have by then counts.
    max_memory
        Bytes; by default 70 % of what is free.
    seed
        For resamples and for networks that are drawn.
    cluster
        Where resamples and chains are done instead of here, as in :func:`local_optima`.
    store
        A file to keep resamples or chains in, made if it is not there. The same call picks up where
        the last one stopped. :func:`load_posterior` reads it.
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

    A move of a chain takes the parents of one to four variables away and draws them anew, all
    together, by their exact probability given the rest of the network. So no move is in vain, and
    whole neighbourhoods turn round at once; see "The posterior" in the explanations.

    Sources: Koivisto and Sood, JMLR 2004; Tian and He, Computing posterior probabilities of
    structural features in Bayesian networks, UAI 2009; Goudie and Mukherjee, A Gibbs sampler for
    learning DAGs, JMLR 2016; Huggins and Miller, Robust inference and model criticism using bagged
    posteriors, 2019; Eggeling, Viinikka, Vuoksenmaa and Koivisto, On structure priors for learning
    Bayesian networks, AISTATS 2019.

    Examples
    --------
    >>> import dagscape as ds
    >>> data = ds.load_network("asia").sample(1000, seed=0)
    >>> P = ds.posterior(data)
    >>> round(P.probability("tub", "either", "adjacencies"), 3) > 0.9
    True
    """
    data = as_data(data)
    check_data(data)
    check_name("method", method, METHODS)
    tables = use_count("resamples", resamples)
    number = use_seed(seed)
    if score is None and data.numbers:
        prior = "fair" if prior is None else prior
    question = Question.check(data, score, prior, max_parents, knowledge)
    budget = Budget.of(time_limit, max_memory, threads, progress)
    run = _chain_run(question, number, tables, chains, rounds, max_memory)
    if method == "exact":
        _refuse_chains(chains, rounds)
    call = Call(data, question, number, tables, max_memory, store, cluster, budget)
    patience = (PATIENCE_EACH if tables else PATIENCE) if method == "auto" else math.inf
    try:
        if method == "mcmc":
            return by_chains(call, run, None)
        try:
            return by_sums(call, patience)
        except OutOfReachError as error:
            if method == "exact":
                raise
            return by_chains(call, run, error.lists)
    except StoppedError as stopped:
        if stopped.reason == "interrupt":
            raise KeyboardInterrupt from None
        raise nothing_yet(stopped.reason) from None


def _chain_run(
    question: Question,
    seed: int,
    tables: int,
    chains: int | None,
    rounds: int | None,
    max_memory: float | None,
) -> ChainRun:
    """Return how chains are run, as asked or by default."""
    many = CHAINS_EACH if tables else CHAINS
    long = ROUNDS_EACH if tables else ROUNDS
    return ChainRun(
        question,
        seed,
        many if chains is None else use_count("chains", chains, 1),
        long if rounds is None else use_count("rounds", rounds, 1),
        max_memory,
    )


def _refuse_chains(chains: int | None, rounds: int | None) -> None:
    """Say so where chains are spoken of and none will run."""
    for name, value in (("chains", chains), ("rounds", rounds)):
        if value is not None:
            raise ParameterError(
                f"{setting(name)} is about chains, and exact sums have none; "
                f"ask for {choice('method', 'mcmc')}"
            )
