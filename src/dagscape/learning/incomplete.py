"""Learning where cells are missing: structural EM, then probabilities by drawn cells."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dagscape.claims.journal import Reason
from dagscape.claims.scopes import most_parents
from dagscape.control.budget import MOMENT
from dagscape.control.limits import FINAL
from dagscape.gaps import structural_em
from dagscape.learning.findings import Findings, LearningPart
from dagscape.learning.learn_result import LearnResult
from dagscape.learning.plan import (
    ALONE_SHARE,
    CHANCE,
    MOST_SETS_WITH_GAPS,
    OPTIMA,
    PROBABILITIES,
    STABILITY,
    likely_pairs,
    most_required,
    no_weights,
    probable_parents,
    too_many_parents,
    usual_parents,
)
from dagscape.learning.sensitivity import ROUNDS_WITH_GAPS as VARIED_ROUNDS
from dagscape.learning.sensitivity import Varying, joined
from dagscape.learning.trust import Resamples, consensus_of
from dagscape.networks import Network, read_network
from dagscape.posteriors.chains import CHAINS, CHAINS_EACH
from dagscape.posteriors.make_posterior import posterior
from dagscape.posteriors.posterior import Posterior

if TYPE_CHECKING:
    from dagscape.executors import Executor
    from dagscape.graphs import Dag
    from dagscape.learning.checkpoint import Checkpoint
    from dagscape.learning.sensitivity import Sensitivity
    from dagscape.problem import Problem

EM = "structural EM"
"""The step that finds the network."""

ROUNDS = 150
"""Of each chain: enough to tell what is likely, in seconds with tens of variables."""

PROBABILITIES_SHARE = 0.7
"""Of the time then left; the rest is for other choices."""

FIRST_ROUNDS = 10
"""Of the chains that only tell which pairs may be joined."""

PARTNERS = 10
"""Variables that one may be joined with, where not all sets of parents can be weighed."""


class IncompleteLearning(LearningPart):
    """Learns from one table with gaps; there are no local optima around what is found."""

    def __init__(
        self, findings: Findings, executor: Executor, kept: Checkpoint, wanted: Resamples
    ) -> None:
        super().__init__(findings, executor)
        self._kept = kept
        self._wanted = wanted
        self._network: Network | None = None
        self._work: dict[str, Any] = {}
        self._asked: Problem | None = None
        """What there are probabilities of."""

    def run(self, method: str, asked: dict[str, Any]) -> LearnResult:
        """Return the network, with all that can be had in time."""
        if not self._taken_up():
            self._search("learn" if method == "auto" else method)
        self._kept.searching = self._budget.interrupted
        found = self._probabilities()
        varied = self._by_other_choices(found)
        if self._wanted.number:
            self._journal.leave_out(STABILITY, Reason("gaps in resamples"))
        if self._wanted.shuffled:
            self._journal.leave_out(CHANCE, Reason("gaps in resamples"))
        self._journal.leave_out(OPTIMA, Reason("gaps in the way"))
        self._kept.note(self._budget.seconds)
        facts = self._findings.facts()
        facts["work"] = {**self._work, **facts["work"]}
        return LearnResult(
            **facts,
            seed=self._budget.seed,
            data=self._data,
            network=self._network,
            posterior=found,
            sensitivity=varied,
            consensus=consensus_of(found, self._problem.knowledge),
            asked=asked,
        )

    # --- the network ----------------------------------------------------------------------------

    @property
    def _tables(self) -> Path | None:
        """Where the network is kept with its tables, beside the checkpoint."""
        beside = self._wanted.beside
        return beside and beside.with_name(f"{beside.stem}-network.json")

    def _taken_up(self) -> bool:
        """Go on from what an earlier call found, if it was whole."""
        found, tables = self._kept.found, self._tables
        if found is None or tables is None or EM not in self._kept.done or not tables.exists():
            return False
        network = read_network(tables)
        if network.dag != found.dag:
            return False
        self._findings.take(found)
        self._network, self._work = network, dict(found.work)
        return True

    def _search(self, search: str) -> None:
        share = ALONE_SHARE if self._wanted.number else 1.0
        limits = {**self._limits(EM, share), "time_limit": self._budget.left(share, least=MOMENT)}
        found = structural_em(self._problem, search=search, **limits)
        converged = sum(bool(start["converged"]) for start in found.starts)
        why = Reason(
            "gaps", cells=self._data.missing.cells, starts=len(found.starts), converged=converged
        )
        self._findings.scope = found.scope
        self._findings.offer(found, EM, why, bounds=False)
        self._network, self._work = found.network, dict(found.work)
        if self._tables is not None and found.network is not None and not self._budget.interrupted:
            found.network.write(self._tables)
            done = {"steps": [step.to_dict() for step in self._journal.steps]}
            plain = replace(found.plain(), work={**found.work, **done})
            self._kept.keep(plain, [EM], True, self._budget.seconds, self._budget.lost)

    # --- probabilities --------------------------------------------------------------------------

    def _probabilities(self) -> Posterior | None:
        hindrance = self._hindrance()
        if hindrance is not None:
            self._journal.leave_out(PROBABILITIES, hindrance)
            return None
        found: Posterior | None = None
        with self._findings.nothing_lost(PROBABILITIES):
            self._asked = self._probable()
            if self._asked is None:
                return None
            found = posterior(
                self._asked,
                rounds=ROUNDS,
                store=self._wanted.store("posterior-plain"),
                **self._limits(PROBABILITIES, PROBABILITIES_SHARE),
            )
        if found is None or self._asked is None:
            return None
        if found.agreement is None:  # time was over before one round was done
            self._journal.leave_out(PROBABILITIES, Reason("no time left"))
            return None
        if found.stopped in FINAL:
            self._budget.end(found.stopped)
        self._journal.note(
            PROBABILITIES,
            Reason(
                "probabilities with gaps",
                chains=found.agreement.chains,
                tables=found.agreement.completed,
                max_parents=found.max_parents,
                pairs=None if self._asked.pairs is None else len(self._asked.pairs),
            ),
            found.seconds,
            **({"stopped": found.stopped} if found.stopped else {}),
        )
        return found

    def _probable(self) -> Problem | None:
        """Return the question of networks that have probabilities; None where there are none.

        Those of so many parents as the network found has, if all can be weighed for every drawn
        table; else those that join pairs which networks of fewer parents are likely to join.
        """
        dag = self._findings.network.dag
        most = probable_parents(self._problem, dag, MOST_SETS_WITH_GAPS)
        if most is not None:
            return self._problem.limited(most)
        few = max(usual_parents(self._problem), most_required(self._problem))
        if self._problem.constraints(few).sets(few) > MOST_SETS_WITH_GAPS:
            self._journal.leave_out(PROBABILITIES, self._too_many(dag))
            return None
        first = posterior(
            self._problem.limited(few),
            chains=CHAINS_EACH,
            rounds=FIRST_ROUNDS,
            store=self._wanted.store("posterior-pairs"),
            **self._limits(PROBABILITIES),
        )
        if first.stopped is not None:  # another call would have other pairs
            if first.stopped in FINAL:
                self._budget.end(first.stopped)
            self._journal.leave_out(PROBABILITIES, Reason("no time left"))
            return None
        pairs = likely_pairs(dag, joined(first), PARTNERS)
        asked = self._problem.limited(max(few, most_parents(dag))).among(pairs)
        sets = asked.constraints().sets(asked.most_parents)
        if sets > MOST_SETS_WITH_GAPS:
            self._journal.leave_out(PROBABILITIES, self._too_many(dag))
            return None
        return asked

    def _too_many(self, dag: Dag) -> Reason:
        return too_many_parents(self._problem, dag, MOST_SETS_WITH_GAPS)

    def _by_other_choices(self, found: Posterior | None) -> Sensitivity | None:
        if found is None or self._asked is None or self._budget.interrupted:
            return None
        varying = Varying(self._findings, self._executor)
        each = found.seconds * CHAINS_EACH * VARIED_ROUNDS / (CHAINS * ROUNDS)
        return varying.run(self._asked, each, self._wanted.store("choices", "json"))

    def _hindrance(self) -> Reason | None:
        """Return why there are no probabilities, if so; what is kept in files is read anyway."""
        if not self._wanted.number:
            return Reason("no resamples asked for")
        ended = self._findings.end()
        if ended is not None and (self._wanted.beside is None or self._budget.interrupted):
            return ended
        return no_weights(self._problem)
