"""How the time of learning is divided, and what is worth trying: the rules, in one place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from dagscape import _core
from dagscape.claims.journal import Reason, Step
from dagscape.claims.scopes import most_parents
from dagscape.control.limits import Progress
from dagscape.parents import CandidateParents
from dagscape.posteriors.exact_sums import MOST_SETS, affordable_parents
from dagscape.selection import estimate_parents

if TYPE_CHECKING:
    from dagscape.control.budget import Budget
    from dagscape.graphs import Dag
    from dagscape.problem import Problem
    from dagscape.results import Result

PROBABILITIES, STABILITY = "probabilities", "stability"
POOLED = "pooled groups"
IGNORED = "experiments ignored"
CHOICES, NEAR, CHANCE, OPTIMA = "other choices", "near ties", "by chance", "local optima"
"""The steps after the search."""

AFTER_SEARCH = (POOLED, IGNORED, PROBABILITIES, CHOICES, STABILITY, NEAR, CHANCE, OPTIMA)
"""All of them: what a later call does again."""

LEAST = 0.05
"""Seconds that a step gets in any case."""

TIME_LIMIT = 120.0
"""Seconds for everything, unless asked otherwise."""

RUNS = 1000
"""Runs of k-greedy search for the landscape, if time allows."""

SELECTION_SHARE = 0.25
"""Of the time, for the selection of candidate parent sets."""

SETS_PER_VARIABLE = 5_000
"""Sets to score for each variable beyond the sizes that are scored exhaustively."""

PROOF_SHARE = 0.5
"""Of the time then left, for a proof."""

SEARCH_SHARE = 0.5
"""Of the time then left, for order search where nothing was proven."""

CLIMB_SHARE = 0.2
"""Of the time then left, for single changes to the network found; the rest is for trust."""

OTHERWISE_SHARE = 0.2
"""Of the time then left, for the network of the rows with groups, or experiments, ignored."""

PROBABILITY_SHARE = 0.5
"""Of the time then left, for probabilities from resampled tables."""

PLAIN_SHARE = 0.3
"""Of the time then left, for the posterior of the table itself."""

CHOICES_SHARE = 0.2
"""Of the time then left, for probabilities by other scores, priors and cuts."""

STABILITY_SHARE = 0.3
"""Of the time then left, for the search on resampled tables."""

STABILITY_ALONE_SHARE = 0.7
"""The same where there are no probabilities."""

NEAR_SHARE = 0.1
"""Of the time then left, for networks nearly as good as the best."""

CHANCE_SHARE = 0.8
"""Of the time then left, for shuffled tables, if asked for; the rest is the landscape's."""

RESAMPLES = 50
"""Tables drawn from the rows for probabilities, if time allows; twice as many for stability."""

LEAST_RESAMPLES = 10
"""A mean over fewer depends too much on which rows were drawn."""

CHANCE_RESAMPLES = 10
"""Tables drawn from the rows of each shuffled one."""

MOST_SETS_WITH_GAPS = 2_000_000
"""Parent sets to weigh at most where cells are missing: a second or so for every drawn table."""

USUAL_PARENTS = 3
"""Parents that networks may have for probabilities, unless the network found has more."""

SUMMED = 14
"""Up to so many variables sums over all networks of a table take hundredths of a second."""

CELL_SECONDS, PAIR_SECONDS, RANK_SECONDS = 5e-9, 2e-9, 1e-7
"""Seconds that another table takes before it can be scored, for each row: its cells; and where
there are numbers, products of every two columns, and ranks. Measured."""

CHAIN_SECONDS = 2e-6
"""Seconds that chains on a table take for each variable and round, both of them. Measured."""

CHAIN_ROUNDS = 2000
"""Rounds of the chains on a table together."""

BESIDE_CHAINS, BESIDE_ROUNDS = 4, 2000
"""Chains on the table itself, and their rounds, where what they tell counts half: resampled tables
tell the rest."""

NEAR_WITHIN = 3.0
"""Nats: a factor of 20 in odds."""

NEAR_PARENTS = 4
"""Parents that these may have, or more if the network found has more: the fewer are allowed, the
more networks compete."""

NEAR_TIES = 1000
"""Networks nearly as good as the best that are listed at most."""

FREE_SHARE = 0.1
"""Of the time then left, for a network that need not obey knowledge, to say what obeying costs."""

ALONE_SHARE = 0.7
"""Of the time, for a search that was asked for by name; the rest is for trust."""

CLIMB_RESTARTS = 100
"""Restarts of that climb: tenths of a second with tens of variables."""

PROVABLE_SETS = 2_000_000
"""With more candidate sets than this a proof has not been seen within minutes; what can be had
from so many is a network."""

QUICK_SETS = 200_000
"""Candidate sets that are few enough for a network at once, after a Ctrl-C."""

GREEDY_PER_PAIRS = 10.0
"""What a greedy search takes, against counting all pairs of variables once: it adds about as many
arcs as there are variables, and each asks for a count with every variable. Measured roughly."""

CLASS_STEPS = 1e-8
"""Seconds that a search over classes takes beside its counts, for each triple of variables: it
makes about as many steps as there are variables, and each looks at every pair. Measured roughly."""

HOPELESS = 10.0
"""A run that would take so many times what is left is not begun: estimates are rough, but not that
rough."""


@dataclass
class Journal:
    """What was done, why, and what came of it: the result tells it."""

    progress: Progress | None
    steps: list[Step] = field(default_factory=list)
    raised: BaseException | None = None
    """What the user's function raised while it was told."""

    def telling(self, what: str) -> Progress | None:
        """Return what passes progress on, under the name of a step."""
        progress = self.progress
        if progress is None:
            return None

        def tell(share: float | None, text: str) -> None:
            try:
                progress(share, f"{what}: {text}" if text else what)
            except BaseException as error:
                self.raised = error
                raise

        return tell

    def note(self, step: str, reason: Reason, seconds: float = 0.0, **outcome: Any) -> None:
        """Write down one step."""
        self.steps.append(Step(step, reason, seconds=seconds, outcome=outcome))

    def record(self, step: str, reason: Reason, found: Result) -> None:
        """Write down what a search found."""
        outcome = {"score": found.score, "bound": found.bound, "stopped": found.stopped}
        known = {name: value for name, value in outcome.items() if value is not None}
        self.note(step, reason, found.seconds, **known)

    def leave_out(self, step: str, reason: Reason) -> None:
        """Write down a step that was not done."""
        self.steps.append(Step(step, reason, skipped=True))


def no_scoring(problem: Problem, budget: Budget) -> Reason | None:
    """Return why parent sets cannot be scored far enough for a proof to say something, if so."""
    pairs = min(2, problem.most_parents)  # a proof of fewer says little
    cost = estimate_parents(replace(problem, max_parents=pairs), threads=budget.threads)
    if not cost.complete or cost.seconds > SELECTION_SHARE / 2 * budget.total:
        return Reason("scoring too slow", parents=pairs, seconds=cost.seconds)
    return None


def no_proof(parents: CandidateParents) -> Reason | None:
    """Return why a proof is not worth its time, if so."""
    sets = len(parents)
    return Reason("too many sets", sets=sets) if sets > PROVABLE_SETS else None


def probable_parents(problem: Problem, dag: Dag, most_sets: int = MOST_SETS) -> int | None:
    """Return the most parents that networks may have for probabilities; None if out of reach.

    The network found must be one of them, else its own edges would be ruled out.
    """
    last, asked = len(dag.names) - 1, problem.max_parents
    own = max((len(dag.parents(name)) for name in dag.names), default=0)
    wanted = max(usual_parents(problem), own) if asked is None else asked
    limit = min(wanted, affordable_parents(len(dag.names), most_sets, problem.constraints()), last)
    return limit if limit >= own else None


def usual_parents(problem: Problem) -> int:
    """Return the parents that networks may have, beside a variable's own past."""
    series = problem.data.rows.series
    return USUAL_PARENTS + (series is not None and series.own_past)


def near_parents(variables: int, proven: int | None, most: int | None) -> int:
    """Return the most parents of networks to list near the optimum: none beyond the proof."""
    wanted = min(NEAR_PARENTS if most is None else max(NEAR_PARENTS, most), variables - 1)
    return wanted if proven is None else min(proven, wanted)


def no_probabilities(problem: Problem, dag: Dag, most: int | None) -> Reason | None:
    """Return why networks have no probabilities here, if so."""
    if most is None:
        return no_weights(problem) or too_many_parents(problem, dag, MOST_SETS)
    return no_weights(problem)


def no_weights(problem: Problem) -> Reason | None:
    """Return why the score gives networks no probability, if so."""
    if problem.score.base.weighs:
        return None
    return Reason("no weights", score=str(problem.score.base))


def too_many_parents(problem: Problem, dag: Dag, most_sets: int) -> Reason:
    """Return why networks of as many parents as the one found cannot be weighed."""
    reach = affordable_parents(len(dag.names), most_sets, problem.constraints())
    return Reason("too many parents", parents=most_parents(dag), reach=reach)


def most_required(problem: Problem) -> int:
    """Return how many parents a variable must have, at most."""
    required = () if problem.knowledge is None else problem.knowledge.required
    return max(Counter(child for _, child in required).values(), default=0)


def likely_pairs(
    dag: Dag, probabilities: Mapping[tuple[str, str], float], partners: int
) -> set[tuple[str, str]]:
    """Return the network's own pairs, and the most probable others, in the order of their names.

    A variable gets no further partner once it has so many.
    """
    pairs = {(min(arc), max(arc)) for arc in dag.arcs}
    has = {name: len(dag.neighbors(name)) for name in dag.names}
    for a, b in sorted(probabilities, key=lambda pair: (-probabilities[pair], pair)):
        pair = min(a, b), max(a, b)
        if pair not in pairs and max(has[a], has[b]) < partners:
            pairs.add(pair)
            has[a], has[b] = has[a] + 1, has[b] + 1
    return pairs


def posterior_seconds(problem: Problem, threads: int) -> float:
    """Return roughly how long the posterior of the table takes."""
    variables = len(problem.variables)
    sets = estimate_parents(problem, threads=threads)
    chains = CHAIN_SECONDS * CHAIN_ROUNDS * variables
    return sets.seconds + (0.0 if problem.most_together <= SUMMED else chains / threads)


def resample_seconds(problem: Problem, threads: int) -> float:
    """Return roughly how long a resampled table and its posterior take."""
    data = problem.data
    each = CELL_SECONDS * data.n_variables
    if data.numbers:
        each += PAIR_SECONDS * data.n_variables**2 + RANK_SECONDS * len(data.numbers)
    return posterior_seconds(problem, threads) + data.n_rows * each / threads


def greedy_seconds(problem: Problem) -> float:
    """Return roughly how long a search takes that changes a network arc by arc."""
    few = min(1, len(problem.variables) - 1)
    pairs = replace(problem, max_parents=few, knowledge=None)
    return GREEDY_PER_PAIRS * estimate_parents(pairs, threads=1).seconds


def class_search_seconds(variables: int) -> float:
    """Return roughly how long a search over classes takes beside counting."""
    return CLASS_STEPS * float(variables) ** 3


def no_run(variables: int, left: float | None, memory: int) -> Reason | None:
    """Return why not a single run for the landscape can be done, if so."""
    needed, seconds = _core.class_search_bytes(variables), class_search_seconds(variables)
    if needed > memory:
        return Reason("too much memory", needed=needed, allowed=memory)
    if left is not None and seconds > HOPELESS * left:
        return Reason("run too slow", seconds=seconds)
    return None
