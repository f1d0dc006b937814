"""The posterior of a table: the call."""

from __future__ import annotations

import math
import os
from dataclasses import replace
from typing import TYPE_CHECKING, Unpack

from dagscape.control.limits import use_count
from dagscape.data.refusals import refuse_with_gaps
from dagscape.errors import ParameterError
from dagscape.posteriors.chains import CHAINS, CHAINS_EACH, ROUNDS, ROUNDS_EACH, ChainRun
from dagscape.posteriors.data_augmentation import ROUNDS as ROUNDS_WITH_GAPS
from dagscape.posteriors.exact_sums import (
    PATIENCE,
    PATIENCE_EACH,
    SUMS_SHARE,
    OutOfReachError,
    SumsStoppedError,
    affordable,
    nothing_yet,
)
from dagscape.posteriors.posterior import Posterior
from dagscape.posteriors.ways import Weighing, by_chains, by_sums, weighable
from dagscape.repeats import with_closer_look
from dagscape.shared_arguments import ForClusterSearch, begin, takes
from dagscape.speech import choice, setting
from dagscape.variables import check_name

if TYPE_CHECKING:
    from dagscape.data import Data, TableLike
    from dagscape.problem import Problem

METHODS = ("auto", "exact", "mcmc")
"""The ways to probabilities."""


@takes(ForClusterSearch)
def posterior(
    data: TableLike | Problem,
    *,
    method: str = "auto",
    resamples: int = 0,
    chains: int | None = None,
    rounds: int | None = None,
    store: str | os.PathLike[str] | None = None,
    **shared: Unpack[ForClusterSearch],
) -> Posterior:
    """Compute how probable every arc, ancestor and network is, given the data.

    P(G | D) is proportional to the product of exp(local score) times the prior, over all networks
    of the scope. Sums over all of them are exact; where they are out of reach, chains of networks
    are run, and their answers come with how far they agree. See :class:`Posterior` for what there
    is to ask. Where cells are missing, chains draw these and networks in turn.

    Parameters
    ----------
    data
        A table, which may keep missing cells (``missing="keep"``).
    score, prior
        What networks are weighed by; chosen by :func:`default_score` if neither is given. A score
        without a prior has the uniform one. BDeu, K2 and BGe are probabilities of the rows; BIC,
        qNML and others stand in for one, and the result says so. AIC and the log-likelihood do not,
        and are refused.
    knowledge
        Arcs required and forbidden, tiers and limits: networks that do not obey have probability 0.
    max_parents
        The most parents of a variable: part of the prior. Without it all networks up to 20
        variables, and above that as many parents as leave at most 12 million parent sets to weigh;
        fewer if weighing these might take more than a quarter of `time_limit`, or `max_memory`
        (not with a `store`). `max_parents` and `scope` of the result say how many.
    method
        "exact": by sums. "mcmc": by chains of networks, from starts that are far apart (optima of
        searches over orders, the empty network, random ones); `agreement` and `claim` of the result
        say how far they agree. "auto": by sums, unless these would take more than an hour (a minute
        or so for each resample), half of the time limit, or the memory; if they take more than they
        should, chains have the rest of the time.
    resamples
        0: the posterior itself, right if the data come from its assumptions. 50, say: the mean of
        the posteriors of this many tables drawn from the rows with replacement (bagged), which is
        less confident. On known networks each errs in its own way, and their mean, which
        :func:`learn` calls probability, is nearer to how often such claims are true.
    chains
        How many chains there are: 8 if nothing is said, on each resample 2.
    rounds
        How long each chain is: 4,000 rounds if nothing is said, on resamples 1,000. In a round
        every variable's parents are drawn about once; the first fifth is forgotten. Where cells are
        missing, 500: each has a completed table of its own.
    time_limit
        Seconds. Sums that are not complete say nothing, and chains take over, unless the method is
        "exact". Chains share the time that is left, and what they have by then counts. The mean
        over resamples is over those that are done, and `stopped` says so; if none is, over what
        chains have by then. Where there is nothing by then, not even all parent sets weighed, there
        are no probabilities, and `empty` says so.
    seed
        For resamples and for networks that are drawn.
    cluster
        Where resamples and chains are done instead of here, as in :func:`local_optima`.
    store
        A file to keep resamples or chains in, made if it is not there. The same call picks up where
        the last one stopped. :func:`load_result` reads it.

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

    A move of a chain removes the parents of one to four variables and draws them again, all
    together, by their exact probability given the rest of the network. So no move is in vain, and
    whole neighborhoods turn round at once. Where optima differ in blocks of 5 to 16 joined
    variables, chains on the data also jump from the order that a block has in one of them
    to the order it has in another, accepted so that the posterior stays as it is; see "The
    posterior" in the explanations.

    Where cells are missing, a round of a chain draws networks given a completed table, by sums over
    all of them up to 12 variables and by 50 rounds of such moves above; then the parameters given
    network and table; and then all missing cells given these and what the rows have (data
    augmentation). Chains begin with cells filled by available cases, by the columns' frequencies,
    or by any state. This is right for BDeu and K2, if cells are missing at random: whether a cell
    is missing may depend on cells that are there, not on its own value. A score that stands in for
    a probability has parameters by the prior of BDeu with an equivalent sample size of 1. With
    numbers in the table, cells are drawn as :func:`structural_em` draws them: a number is a line in
    what is above it, and states follow numbers as if these were normal in each state. That is right
    for :class:`BGe` on numbers, and stands in for a probability elsewhere.
    `max_parents` is by default what leaves at most 300,000 parent sets to weigh in every round.

    Cost: exact sums take 3ⁿ terms and some numbers for each of 2ⁿ sets, with n variables in a
    component; chains take as long as they are given. Parent sets are scored first, see
    :func:`candidate_parents`; resamples repeat all of it.

    Sources: Tanner and Wong, The calculation of posterior distributions by data augmentation, JASA
    1987; Koivisto and Sood, JMLR 2004; Tian and He, Computing posterior probabilities of
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
    check_name("method", method, METHODS)
    tables = use_count("resamples", resamples)
    problem, budget = begin(data, shared, gaps=True)
    problem = problem.on(with_closer_look(problem.data))
    gaps = bool(problem.data.missing)
    if gaps:
        _check_incomplete(problem.data, method, tables)
    # What a store keeps is gone on with under other limits, and must be of the same question.
    problem = affordable(problem, weighable(budget, gaps=gaps) if store is None else math.inf)
    many = CHAINS_EACH if tables else CHAINS
    usual = ROUNDS_WITH_GAPS if gaps else ROUNDS_EACH if tables else ROUNDS
    run = ChainRun(
        many if chains is None else use_count("chains", chains, 1),
        usual if rounds is None else use_count("rounds", rounds, 1),
    )
    if method == "exact":
        _refuse_chains(chains, rounds)
    call = Weighing(problem, tables, store, budget)
    try:
        if method == "exact":
            return by_sums(call, budget, math.inf)
        if method == "mcmc" or gaps:
            return by_chains(call, run, None)
        return _by_either(call, run)
    except SumsStoppedError as stopped:
        if stopped.reason == "interrupt":
            raise KeyboardInterrupt from None
        if method == "exact" and stopped.reason == "memory":
            raise ParameterError(nothing_yet(stopped.reason)) from None
        return call.posterior(call.estimates(()), stopped.reason)


def _by_either(call: Weighing, run: ChainRun) -> Posterior:
    """Sum where that fits, by the estimate; run chains where it does not, or did not after all."""
    budget = call.budget
    patience = PATIENCE_EACH if call.tables else PATIENCE
    if budget.limited:
        patience = SUMS_SHARE * budget.total / max(1, call.tables)
    try:
        return by_sums(call, budget.part(SUMS_SHARE), patience)
    except OutOfReachError as error:
        return by_chains(call, run, error.lists)
    except SumsStoppedError as stopped:
        if stopped.reason == "interrupt":
            raise
        # What the store has is of sums, to go on with another time.
        return by_chains(replace(call, store=None), run, stopped.lists)


def _check_incomplete(data: Data, method: str, tables: int) -> None:
    """Refuse what cannot be had of a table with missing cells."""
    refuse_with_gaps(data)
    if method == "exact":
        raise ParameterError(
            f"exact sums need a value in every cell, and {data.missing.cells:,} cells are missing; "
            f"ask for {choice('method', 'mcmc')}, which draws them"
        )
    if tables:
        raise ParameterError(
            f"{setting('resamples')} is for tables without missing cells, and "
            f"{data.missing.cells:,} cells are missing; leave it out, or choose "
            f"{choice('missing', 'drop')}"
        )


def _refuse_chains(chains: int | None, rounds: int | None) -> None:
    """Say so where chains are spoken of and none will run."""
    for name, value in (("chains", chains), ("rounds", rounds)):
        if value is not None:
            raise ParameterError(
                f"{setting(name)} is about chains, and exact sums have none; "
                f"ask for {choice('method', 'mcmc')}"
            )
