"""What learning found, with the data and the landscape it was found in."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import polars as pl

from dagscape.claims.verdicts import LOWERINGS
from dagscape.control.budget import Budget
from dagscape.data.refusals import ALWAYS
from dagscape.errors import ParameterError
from dagscape.graphs import Mpdag, Pag
from dagscape.hidden_causes import Hidden, hidden_of
from dagscape.landscape import Bootstrap, as_frame
from dagscape.learning.chance import Chance
from dagscape.learning.group_families import Groups
from dagscape.learning.ignored_experiments import IgnoredExperiments
from dagscape.learning.learned_edges import LearnedEdge, as_columns, edges_of
from dagscape.learning.not_linear import NotLinear, not_linear
from dagscape.learning.sensitivity import Sensitivity
from dagscape.learning.settle import RowsToSettle, foretold, rows_to_settle
from dagscape.learning.trust import consensus_of
from dagscape.misfits import Fit, fit_of
from dagscape.notes import DEPENDENT
from dagscape.over_time import Assumption, check_assumptions
from dagscape.posteriors import PairChoice, Posterior, Touched, touched
from dagscape.posteriors.touched import CONTEXTS, scores_of
from dagscape.problem import Problem
from dagscape.results import Result
from dagscape.search.near import NearOptimal

if TYPE_CHECKING:
    from dagscape.learning.edits import ArcEdit

QUICK_SCORES = 300_000
"""Scores of parts of the rows that take about a second."""
MOST_WITH_HIDDEN = 500
"""Variables beside which what follows if causes may be hidden is found within a second or two."""
PROBABLE = 0.5
"""An edge that is as probable and not in the consensus, or less and in it, calls for a reason."""


@dataclass(frozen=True, kw_only=True, repr=False)
class LearnResult(Result):
    """A result that knows how far to trust it.

    Saved it is a plain :class:`Result`; the rest is kept by `store` and `checkpoint`. Copies and
    pickles keep everything.
    """

    _behind: ClassVar[frozenset[str]] = Result._behind | {
        *("assumptions", "consensus_at", "consensus_choices", "ignored", "not_linear", "reversed"),
        *("reason_words", "rows_foretold", "rows_independent", "touched", "with_arc"),
        "without_arc",
    }

    posterior: Posterior | None = field(default=None, compare=False)
    """How probable edges, directions and networks are; None where that could not be had.

    Half of it is the posterior of the table itself, half the mean of those of resampled tables;
    where there was no time for these, it is the table's own.
    """
    consensus: Mpdag | None = field(default=None, compare=False)
    """The essential graph of least expected error, given :attr:`posterior`.

    :attr:`dag` is the network of the best score, which is what is proven; this one is nearest to
    all that is probable. Knowledge directs its edges too, where it can; it need not obey all of
    it, nor a limit of parents.
    """
    sensitivity: Sensitivity | None = field(default=None, compare=False)
    """How probable edges are by other sensible choices of score, prior and cuts."""
    stability: Bootstrap | None = field(default=None, compare=False)
    """What the search finds on tables drawn from the rows."""
    near: NearOptimal | None = field(default=None, compare=False)
    """The networks within 3 nats of the best, where that is proven."""
    groups: Groups | None = field(default=None, compare=False)
    """Where parameters differ between groups of rows, where the table has ``groups=``."""
    ignored: IgnoredExperiments | None = field(default=None, compare=False)
    """What the rows would have said if their experiments had been ignored, where there are any."""
    chance: Chance | None = field(default=None, compare=False)
    """How many edges reach which probability where there are none, if that was asked for."""

    @cached_property
    def edges(self) -> tuple[LearnedEdge, ...]:
        """All that is known of every pair that is probable, stable or joined."""
        known = self.scope.knowledge
        return edges_of(
            self.dag,
            self.mpdag,
            posterior=self.posterior,
            consensus=self.consensus,
            stability=self.stability,
            landscape=self.landscape,
            sensitivity=self.sensitivity,
            data=self.data,
            score=self.score_kind,
            required=() if known is None else known.required,
            rows_independent=self.rows_independent,
        )

    @property
    def rows_independent(self) -> bool:
        """Whether the rows are independent, as far as is known; if not, :attr:`notes` say why."""
        return not any(note.kind in DEPENDENT for note in self.notes)

    def reason_words(self, reason: str) -> str:
        """Return in words why edges are called less than their number says: a ``reason`` of theirs.

        "rows", "chance", "given", "choices" or "error", as :attr:`LearnedEdge.reason` has them.
        """
        if not isinstance(reason, str) or reason not in LOWERINGS:
            raise ParameterError(f'unknown reason "{reason}"; choose {", ".join(LOWERINGS)}')
        return LOWERINGS[reason].told(math.comb(len(self.dag.names), 2))

    def consensus_at(self, balance: float) -> Mpdag | None:
        """Return :attr:`consensus` where a false edge weighs more, or less, than a missing one.

        `balance` is as in :meth:`Posterior.consensus`: 0.5 gives :attr:`consensus` itself, 0.9 few
        false edges, 0.1 few that are missing. None where there are no probabilities.
        """
        return consensus_of(self.posterior, self.scope.knowledge, balance)

    @cached_property
    def differences(self) -> tuple[LearnedEdge, ...]:
        """The edges in which :attr:`consensus` and the network's class differ."""
        if self.consensus is None:
            return ()
        mine, nearest = _edge_codes(self.mpdag), _edge_codes(self.consensus)
        pairs = {pair for pair in {*mine, *nearest} if _differ(pair, mine, nearest)}
        return tuple(edge for edge in self.edges if frozenset((edge.a, edge.b)) in pairs)

    @cached_property
    def consensus_choices(self) -> tuple[PairChoice, ...]:
        """Why :attr:`consensus` treats some pairs unexpectedly, the most probable first.

        Of edges with a probability of one half or more that it leaves out, of edges with less that
        it has, and of edges of the network that it directs differently.
        """
        if self.consensus is None or self.posterior is None:
            return ()
        mine, nearest = _edge_codes(self.mpdag), _edge_codes(self.consensus)

        def odd(edge: LearnedEdge) -> bool:
            pair = frozenset((edge.a, edge.b))
            probable = (edge.probability or 0.0) >= PROBABLE
            if pair in nearest:
                return not probable or (pair in mine and _differ(pair, mine, nearest))
            return probable

        pairs = [(edge.a, edge.b) for edge in self.edges if odd(edge)]
        return tuple(self.posterior.pair_choices(self.consensus, pairs))

    @cached_property
    def not_linear(self) -> tuple[NotLinear, ...]:
        """Relations between numbers that are clearly no lines, though the score takes them for one.

        Those that the network joins come first, then the clearest. None are looked for where the
        score sees them by itself, as :class:`BasisBIC` of a degree above 1 does.
        """
        kind = self.score_kind
        if self.data is None or self.data.missing or kind is None or not kind.base.linear:
            return ()
        return not_linear(self.data, self.dag)

    @cached_property
    def hidden(self) -> Hidden | None:
        """What the table says of causes if some may be hidden, beside this network.

        As :func:`dagscape.hidden` without resamples; None where the table is not known, has missing
        cells, or rows of which something is said that tests would pass over; and with more than 500
        variables, where it takes minutes: ask :func:`dagscape.hidden` itself.
        """
        if self.data is None or self.data.missing or self.score_kind is None:
            return None
        if self.data.n_variables > MOST_WITH_HIDDEN:
            return None
        if {*self.data.rows.facts} - {*ALWAYS}:
            return None
        problem = Problem(self.data, score=self.score_kind, knowledge=self.scope.knowledge)
        return hidden_of(problem, self.dag, Budget.of())

    @property
    def pag(self) -> Pag | None:
        """The graph of :attr:`hidden`: arrows, circles, and heads at both ends of an edge."""
        return None if self.hidden is None else self.hidden.pag

    @cached_property
    def fit(self) -> Fit | None:
        """How rows that the network makes differ from those of the table, and what would mend it.

        None where cells are missing, and where a column says what rows are.
        """
        kind = self.score_kind
        if self.data is None or kind is None:
            return None
        scope = self.scope
        problem = Problem(
            self.data, score=kind, max_parents=scope.max_parents, knowledge=scope.knowledge
        )
        return fit_of(problem, self.dag)

    @cached_property
    def touched(self) -> Touched | None:
        """What each experiment acts on, whatever it is said to set.

        As :func:`dagscape.posteriors.touched` tells, with at most 2 parents. None where rows come
        from no experiments or from one, where more is said of them, of tables with numbers or gaps,
        and of large ones.
        """
        kind, data = self.score_kind, self.data
        if data is None or kind is None or {*data.rows.facts} - {"interventions", *ALWAYS}:
            return None
        done = data.rows.interventions
        if done is None or len(done.labels) < 2 or data.missing or data.numbers:
            return None
        most = min(CONTEXTS, len(done.labels) - 1)
        if scores_of(data, len(done.labels), most, 2) > QUICK_SCORES:
            return None
        known = self.scope.knowledge
        limit = min(2, data.n_variables - 1)
        return touched(data, score=kind.base, prior=kind.prior, max_parents=limit, knowledge=known)

    @cached_property
    def assumptions(self) -> tuple[Assumption, ...]:
        """What a network over time takes for granted, and where the table says otherwise.

        That its parameters stay the same, that no trend is left, and that the lags are all the
        memory there is. Empty for tables that are none of series.
        """
        if self.data is None or self.data.missing or self.score_kind is None:
            return ()
        return check_assumptions(self.data, self.dag, self.score_kind)

    def features(self, *, frame: str = "polars") -> Any:
        """Return a row for each pair that is probable, stable or joined, the most probable first.

        Parameters
        ----------
        frame
            "polars", "pandas", "pyarrow", or "dict" for lists.

        Returns
        -------
        table
            Columns ``from`` and ``to``, as the network has the edge, else as is more probable.
            ``probability`` that there is an edge: the mean of ``resampled``, what tables drawn from
            the rows say, and ``plain``, what the table itself says. ``lower`` and ``upper`` hold
            95 % of the resampled tables, and the table itself. ``error``, by how much the mean may
            be off, since tables and networks were drawn. ``direction``, the probability of
            from → to given an edge. ``stability`` and ``agreement``, the shares of resampled tables
            and of local optima that have it, each with the share of these that have from → to.
            ``in_network`` and ``in_consensus``: "directed", "undirected" or empty. ``loss``, what
            the score loses without it. ``chance``: at most this share of the edges that stand out
            as much from the same table with the rows of one column shuffled is due to chance, given
            how many pairs there are; ``chance_given``, if rows are shuffled only where the other
            parents that the network gives the child are the same. ``least`` and ``most``: between
            what the probability lies by other sensible choices of score, prior and cuts, each asked
            of the table itself; ``least_by``, the choice by which it is least. ``verdict``: near
            certain (0.95 and more), likely (0.7), open (0.3), unlikely, by ``probability``;
            ``reason`` says why the word is lower than the number would have it, if it is: "rows"
            where these are not independent, "chance" and "given" where 1 − ``chance`` or
            ``chance_given`` is not as high, "choices" where ``least`` is below one half, "error"
            where ``probability`` − ``error`` is not as high.
        """
        columns = as_columns(self.edges)
        return as_frame({name: _series(name, values) for name, values in columns.items()}, frame)

    @property
    def rows_foretold(self) -> bool:
        """Whether :meth:`rows_to_settle` answers: where a known table is scored by counts."""
        if self.data is None or self.score_kind is None:
            return False
        return foretold(self.data, self.score_kind)

    def rows_to_settle(self, a: str, b: str) -> RowsToSettle:
        """Return how many rows would settle whether there is an edge between two variables.

        That is, a difference of 3 nats between the network with it and without it, other arcs kept:
        ``least`` if the edge is as strong as it seems; ``most`` is how many show it in nine tables
        of ten if it is as weak as the rows allow. An edge that is open often looks stronger than it
        is, and one that is open by luck may take more rows still. ``str`` of it says it in words.
        """
        if self.data is None or self.score_kind is None:
            raise ParameterError("rows to settle an edge are foretold from the data, not without")
        if not self.rows_foretold:
            raise ParameterError("rows to settle an edge are foretold of whole tables of states")
        probability = None
        if self.posterior is not None:
            probability = self.posterior.probability(a, b, "adjacencies")
        return rows_to_settle(self.data, self.dag, (a, b), self.score_kind, probability)

    def with_arc(
        self, a: str, b: str, *, time_limit: float | None = None, threads: int | None = None
    ) -> ArcEdit:
        """Return the network with an arc from a to b, what it loses, and the best that has it.

        The best network with that arc may differ in any other; it is proven where that can be done
        in time, 60 seconds if no other limit is given. The network itself does not change.
        """
        return self._edited("add", a, b, time_limit, threads)

    def without_arc(
        self, a: str, b: str, *, time_limit: float | None = None, threads: int | None = None
    ) -> ArcEdit:
        """Return the network without its arc from a to b, and the best that does not join them.

        As :meth:`with_arc` does. The best network has no arc from b to a either.
        """
        return self._edited("remove", a, b, time_limit, threads)

    def reversed(
        self, a: str, b: str, *, time_limit: float | None = None, threads: int | None = None
    ) -> ArcEdit:
        """Return the network with its arc from a to b turned, and the best that has it so.

        As :meth:`with_arc` does. Where no table can tell the direction, nothing is lost.
        """
        return self._edited("reverse", a, b, time_limit, threads)

    def _edited(
        self, change: str, a: str, b: str, time_limit: float | None, threads: int | None
    ) -> ArcEdit:
        from dagscape.learning.edits import edited  # which learns again

        return edited(self, change, (a, b), time_limit, threads)

    def __hash__(self) -> int:
        return Result.__hash__(self)


TEXTS = ("from", "to", "in_network", "in_consensus", "least_by", "verdict", "reason")


def _series(name: str, values: list[Any]) -> pl.Series:
    return pl.Series(values, dtype=pl.String if name in TEXTS else pl.Float64)


def _edge_codes(graph: Mpdag) -> dict[frozenset[str], tuple[str, str] | None]:
    """Return the direction of each edge, None where it is open."""
    directed: dict[frozenset[str], tuple[str, str] | None] = {
        frozenset(pair): pair for pair in graph.directed
    }
    return directed | {frozenset(pair): None for pair in graph.undirected}


def _differ(
    pair: frozenset[str],
    mine: dict[frozenset[str], tuple[str, str] | None],
    other: dict[frozenset[str], tuple[str, str] | None],
) -> bool:
    return (pair in mine) != (pair in other) or mine.get(pair) != other.get(pair)
