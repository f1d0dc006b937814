"""How probable networks are, and what they have: the posterior."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl
from numpy.typing import NDArray

from dagscape import _core
from dagscape.arguments import as_switch
from dagscape.control.limits import use_count, use_seed, use_share
from dagscape.data import as_data, check_data
from dagscape.data.refusals import refuse_rows
from dagscape.errors import GraphError, ParameterError
from dagscape.files.text import write_text
from dagscape.graphs import Dag, GraphLike, Mpdag, as_dag
from dagscape.landscape import as_frame
from dagscape.notes import DEPENDENT, Note
from dagscape.posteriors.adjacencies import ends_of
from dagscape.posteriors.agreement import Agreement
from dagscape.posteriors.claim_words import IN_PARTS, claim
from dagscape.posteriors.classes import ProbableClass
from dagscape.posteriors.consensus import AnyConsensus, PairStates, find_consensus
from dagscape.posteriors.estimates import Estimates
from dagscape.posteriors.exact_sums import nothing_yet
from dagscape.posteriors.next_experiments import Settling, ranking
from dagscape.posteriors.pair_choices import PairChoice, pair_choices
from dagscape.posteriors.pieces import Networks
from dagscape.posteriors.predictive import predicted
from dagscape.posteriors.probable_features import KINDS, columns
from dagscape.shows_itself import ShowsItself
from dagscape.variables import check_name

if TYPE_CHECKING:
    from dagscape.claims.scopes import Scope
    from dagscape.data import Data, TableLike
    from dagscape.knowledge import Knowledge
    from dagscape.networks import Network
    from dagscape.report import PageFrame
    from dagscape.scores import Score
    from dagscape.scores.priors import Prior


class Posterior(ShowsItself):
    """The probability of networks given the data, and of their features; see :func:`posterior`.

    P(G | D) ∝ Π w(variable, its parents), with ln w = local score + ln prior, over the networks of
    :attr:`scope`. Bagged, it is the mean of the posteriors of many tables drawn from the rows.
    """

    _behind = frozenset(
        {"components", "data_given", "dropped", "empty", "ends", "knowledge", "max_parents"}
        | {"pair_choices", "parent_sets", "plain", "prior", "resampled", "resamples", "rounding"}
        | {"rows_independent", "score_kind", "seed"}
    )

    def __init__(
        self,
        estimates: Estimates,
        *,
        fingerprint: str,
        seconds: float = 0.0,
        stopped: str | None = None,
        notes: Sequence[Note] = (),
        halves: tuple[Posterior, Posterior] | None = None,
    ) -> None:
        self._estimates = estimates
        self._variables = estimates.variables
        self._terms = estimates.terms
        self._fingerprint = fingerprint
        self._seconds = seconds
        self._stopped = stopped
        self._notes = tuple(notes)
        self._halves = halves

    def __reduce__(self) -> tuple[Callable[..., Posterior], tuple[bytes, Data | None]]:
        # What a file keeps travels; sums that more networks can be drawn from do not.
        from dagscape.posteriors.save_and_load import packed, unpacked

        return unpacked, (packed(self), self.data)

    # --- what it is about -----------------------------------------------------------------------

    @property
    def names(self) -> tuple[str, ...]:
        """The variables, in the order of the data."""
        return self._variables.names

    @property
    def data(self) -> Data | None:
        """The table; None for a posterior that was read from a file."""
        return self._estimates.data

    def data_given(self, data: TableLike | None, *, gaps: bool = False) -> Data:
        """Return the table: the posterior's own, or the one given, if it is the same.

        It may have missing cells only where the caller can do with `gaps`, and rows of experiments.
        """
        given = self._estimates.data if data is None else data
        if given is None:
            raise ParameterError("a posterior read from a file has no data; give them: data=data")
        gaps = as_switch("gaps", gaps)
        known = as_data(given, missing="keep") if gaps else as_data(given)
        check_data(known, gaps=gaps, rows=(*IN_PARTS, "interventions"))
        if known.fingerprint != self._fingerprint:
            raise ParameterError("data are not those that the posterior was made from")
        return known

    @property
    def scope(self) -> Scope:
        """The networks that share all of the probability."""
        return self._terms.scope

    @property
    def score_kind(self) -> Score:
        """Score and prior as one object: ln w."""
        return self._terms.score

    @property
    def score_name(self) -> str:
        """The score, in words."""
        return str(self._terms.score.base)

    @property
    def prior(self) -> Prior:
        """The prior on structures."""
        return self._terms.score.prior

    @property
    def knowledge(self) -> Knowledge | None:
        """What all networks obey; None where nothing was given."""
        return self._terms.knowledge

    @property
    def max_parents(self) -> int | None:
        """The most parents of a variable: as asked, or chosen so that there are not too many sets.

        None without a limit.
        """
        return self._terms.max_parents

    @property
    def resamples(self) -> int:
        """The number of resampled tables that it is the mean of; 0 for the posterior itself."""
        return self._estimates.tables

    @property
    def plain(self) -> Posterior | None:
        """The posterior of the table itself: this one, or the half of it that is; else None."""
        if self._halves is not None:
            return self._halves[0]
        return None if self.resamples else self

    @property
    def resampled(self) -> Posterior | None:
        """The mean over resampled tables: this one, or the half of it that is; else None."""
        if self._halves is not None:
            return self._halves[1]
        return self if self.resamples else None

    @property
    def seed(self) -> int:
        """The seed of all that is drawn."""
        return self._estimates.seed

    @property
    def seconds(self) -> float:
        """How long the call took."""
        return self._seconds

    @property
    def stopped(self) -> str | None:
        """What ended it before all resamples or chains were done; None if nothing did.

        "time", "memory", "interrupt", or "cluster" if that was lost.
        """
        return self._stopped

    @property
    def notes(self) -> tuple[Note, ...]:
        """What is to be known of the table, see :attr:`Data.notes`."""
        return self._notes

    @property
    def rows_independent(self) -> bool:
        """Whether the rows are independent, as far as is known; if not, :attr:`notes` say why."""
        return not any(note.kind in DEPENDENT for note in self._notes)

    @property
    def exact(self) -> bool:
        """Whether arcs, adjacencies and parent sets are sums over all networks of the scope.

        Then ``lower`` and ``upper`` are equal there, up to rounding. The mean of resamples is not,
        nor is what chains tell.
        """
        found = self._estimates
        return not (found.empty or found.asked or found.sampled) and self.dropped == 0

    @property
    def empty(self) -> bool:
        """Whether a limit came before there was anything to tell; `claim` says which.

        Then probabilities are missing, with 0 and 1 as bounds, and there are no networks.
        """
        return self._estimates.empty

    @property
    def agreement(self) -> Agreement | None:
        """How far chains agree, and in which arcs they do not; None where sums were used.

        Resamples have few chains each: `claim` says how far these differ.
        """
        return self._estimates.agreement

    @property
    def dropped(self) -> float:
        """The most that networks left out of the sums can weigh, relative to those in them.

        It is proven, and part of ``lower`` and ``upper``.
        """
        return self._estimates.dropped

    @property
    def components(self) -> tuple[int, ...]:
        """The numbers of variables summed over together; empty where chains were used."""
        return () if self.empty else self._estimates.pieces[0].components

    @property
    def rounding(self) -> float:
        """How far probabilities that must add up to 1 were seen to miss it, at most; not proven."""
        return max((piece.rounding for piece in self._estimates.pieces), default=0.0)

    @property
    def claim(self) -> str:
        """What kind of numbers these are, about which networks, by what score and prior."""
        found = self._estimates
        if found.empty:
            return f"no probabilities: {nothing_yet(self.stopped)}; asked of {self.scope}"
        pooled = [piece.pooled for piece in found.pieces if piece.pooled is not None]
        return claim(
            self.scope,
            self.score_kind,
            self.dropped,
            self.resamples,
            found.agreement,
            pooled,
            both=self._halves is not None,
            notes=self._notes,
        )

    # --- what it says ---------------------------------------------------------------------------

    def features(self, kind: str = "arcs", *, least: float = 0.0, frame: str = "polars") -> Any:
        """Return a row for each pair of variables that may have a feature, the most probable first.

        Parameters
        ----------
        kind
            Of networks, "arcs": from → to. "adjacencies": an arc either way. "ancestors": a path of
            arcs from the first to the second. "blankets": a pair that is adjacent or shares a
            child. Of their essential graphs, "edges": directed or undirected; "paths": along
            directed edges.
        least
            Leave out what is less probable.
        frame
            "polars", "pandas", "pyarrow", or "dict" for lists.

        Returns
        -------
        table
            Columns ``feature``, ``from``, ``to``, ``probability``, ``lower`` and ``upper``. A pair
            without an order has the lower name first. Edges have ``kind`` too; adjacencies have
            ``direction``, the probability of from → to given that the two are adjacent.

            Arcs, adjacencies and ancestors, the latter if variables are few or in one component,
            are sums: ``lower`` and ``upper`` differ by no more than what was left out. All else is
            listed up to five variables, and above that the share of 10,000 networks drawn from the
            posterior, with intervals that hold the truth 19 times in 20. Bagged, the interval holds
            95 % of the resamples. Sampled, all is the mean over chains, with an interval from how
            far these differ. Where it is `empty`, probabilities are missing.
        """
        check_name("kind of feature", kind, KINDS)
        use_share("least", least)
        if not self.empty:
            self._estimates.prepare(kind)
        return as_frame(columns(kind, self._variables, self._estimates, least), frame)

    def probability(self, a: str, b: str, kind: str = "arcs") -> float:
        """Return the probability of one feature, from `a` to `b` where it has a direction.

        Parameters
        ----------
        kind
            As in :meth:`features`. "edges" is the directed edge; the undirected one is in the
            table. NaN where the posterior is `empty`.
        """
        check_name("kind of feature", kind, KINDS)
        u, v = self._variables.number(a), self._variables.number(b)
        if u == v:
            raise ParameterError(f'a feature is about two variables, got "{a}" twice')
        if not self.empty:
            self._estimates.prepare(kind)
        part = next(iter(KINDS[kind].values()))
        return float(self._estimates.estimate(part).probability[u, v])

    def parent_sets(self, child: str, *, least: float = 1e-3, frame: str = "polars") -> Any:
        """Return the parent sets of a variable with their probabilities, the most probable first.

        Parameters
        ----------
        least
            Leave out what is less probable.

        Returns
        -------
        table
            Columns ``parents``, a list of names, and ``probability``.
        """
        use_share("least", least)
        number = self._variables.number(child)
        sums = self._estimates.sums
        if sums is None:
            raise ParameterError(
                "only an exact posterior that was just made has parent sets, not one that was "
                "sampled, bagged or read from a file"
            )
        lists, found = sums.lists, sums.engine.parent_sets(number)
        rows = sorted(
            (-p, self._variables.show(lists.parents(number, at)))
            for at, p in enumerate(found)
            if p >= least
        )
        made = {
            "parents": pl.Series([list(names) for _, names in rows], dtype=pl.List(pl.String)),
            "probability": pl.Series([-p for p, _ in rows], dtype=pl.Float64),
        }
        return as_frame(made, frame)

    @property
    def log_evidence(self) -> float | None:
        """The log of the probability of the rows under all networks of the scope together.

        With the prior normalized over them. None where there is none: for a score that only stands
        in for a marginal likelihood, for a sampled or bagged posterior, and where the prior cannot
        be summed up under knowledge. Where arcs were left out, it is at most
        ln(1 + :attr:`dropped`) too low.
        """
        return self._estimates.log_evidence

    def networks(self, k: int = 10) -> list[ProbableClass]:
        """Return the most probable classes of equivalent networks.

        The probability of a class is the sum over its networks that are in the scope. With up to
        five variables all are listed; above that they are found among 10,000 networks drawn from
        the posterior, and their probabilities are exact nonetheless. Where `proven`, none that is
        missing is more probable. Sampled, it is the share of networks that chains kept, with how
        far these differ.
        """
        return list(self._estimates.classes[: use_count("k", k, 1)])

    def expected_shd(self, graph: GraphLike) -> float:
        """Return how far a graph is from the networks, in the mean over their probabilities.

        The distance is :func:`shd`: the pairs of variables whose edge is another in the essential
        graph, or missing in one of the two. Like edges, it is listed up to five variables, and
        above that the mean over networks drawn from the posterior.
        """
        dag, done = as_dag(graph, self._variables), self._estimates.experiments
        own = dag.to_mpdag(done) if done else dag.to_cpdag()
        return self._estimates.states.expected(own._graph)

    def consensus(self, balance: float = 0.5) -> AnyConsensus:
        """Return the class with the least :meth:`expected_shd` that was found.

        `balance` says what a false edge weighs beside a missing one, of 1 for both together: 0.5
        for the distance as it is, more for fewer false edges, less for fewer that are missing. An
        edge with another direction weighs 0.5.

        The most probable class can be far from most others; this one is near to all. It need not be
        probable itself, nor obey knowledge or a limit of parents. Found from the most probable
        classes and the most probable arcs by changing one edge at a time; `optimal` says where
        nothing can be nearer, and `error` how far the mean distance may be off.
        """
        if isinstance(balance, bool) or not isinstance(balance, int | float) or not 0 < balance < 1:
            raise ParameterError(f"balance must be a number between 0 and 1, got {balance!r}")
        found = self._estimates

        def error(graph: _core.Pdag) -> float:
            def distance(networks: Networks) -> NDArray[np.float64]:
                states = replace(PairStates.of(networks.classes), balance=balance)
                return np.array(states.expected(graph))

            return float(found.error_of_mean(distance))

        classes, states = found.networks.classes, replace(found.states, balance=balance)
        return find_consensus(self._variables, states, classes, error, found.networks.kinds)

    def next_experiments(self, *, frame: str = "polars") -> Any:
        """Return a row for each variable: how much an experiment on it would settle, most first.

        An edge without a direction in the essential graph is open. An experiment that sets a
        variable at random settles those of its own edges that are open, and what follows. How many
        that are depends on the network, so it is the mean over the posterior.

        Returns
        -------
        table
            Columns ``variable``; ``expected_settled``, edges that get a direction; ``error``, by
            how much that may be off, 19 times in 20, since networks were drawn; and ``open``, edges
            that have none now, the same in every row.

        Notes
        -----
        The experiment is taken to be ideal: it hits nothing else, and has rows enough to see all
        that such rows can tell. It ranks experiments on single variables by the directions of edges
        alone; what an edge is worth knowing, and what an experiment costs, it does not know. Where
        nothing is open, no experiment settles anything, however uncertain it is which edges there
        are. Source: Hauser and Bühlmann, Two optimal strategies for active learning of causal
        models from interventional data, 2014; there for one class, here for all by their
        probability.
        """
        found = self._estimates
        settling = Settling(self._variables, found.experiments, self.knowledge)
        means = settling.open_edges(found.networks)

        def settled(networks: Networks) -> NDArray[np.float64]:
            own = settling.open_edges(networks)
            less: NDArray[np.float64] = own[0] - own[1:]
            return less

        errors = found.error_of_mean(settled)
        names = self._variables.in_engine_order()
        return as_frame(ranking(names, means, errors), frame)

    def pair_choices(self, graph: Mpdag, pairs: Iterable[tuple[str, str]]) -> list[PairChoice]:
        """Return how a graph of least expected error treats each of these pairs, and why.

        Parameters
        ----------
        graph
            The :meth:`consensus`, or that with directions from knowledge.
        """
        if not isinstance(graph, Mpdag):
            raise GraphError(f"graph must be a Cpdag or Mpdag, got {type(graph).__name__}")
        free = graph
        if self.knowledge is not None:
            done = self._estimates.experiments
            free = graph.to_dag().to_mpdag(done) if done else graph.to_cpdag()
        return pair_choices(self._variables, self._estimates.states, graph, pairs, free)

    @property
    def most_networks(self) -> int | None:
        """How many networks :meth:`sample` can draw; None for any number."""
        return self._estimates.most_networks

    def sample(self, count: int, seed: int = 0) -> list[Dag]:
        """Draw networks from the posterior, each independent of the others.

        A posterior that was sampled, bagged or read from a file has networks that were drawn
        before: these are shuffled and returned, so that `count` is limited by how many there are.
        Those of chains are not quite independent.
        """
        number, many = use_seed(seed), use_count("count", count, 1)
        return [self._dag(code) for code in self._estimates.sample(many, number)]

    def ends(self, *, networks: int = 1000, seed: int = 0, frame: str = "polars") -> Any:
        """Return what networks say of each pair if causes may be hidden: a row for each.

        Parameters
        ----------
        networks
            How many to draw; as in :meth:`sample`, there may be a limit.
        frame
            "polars", "pandas", "pyarrow", or "dict" for lists.

        Returns
        -------
        table
            Columns ``a`` and ``b``, in the order of the columns of the table; the probabilities
            of ``arrow`` (a -> b), ``arrow_back`` (b -> a), ``circle_arrow`` (a o-> b),
            ``circle_arrow_back``, ``circles`` (a o-o b) and ``none``, which add up to 1; and of an
            arrow that is ``visible`` or ``visible_back``, beside which nothing hidden drives both.

        Notes
        -----
        Each network stands for its :meth:`Dag.to_pag`, with the knowledge that the posterior
        obeys. These are probabilities among networks without hidden causes: they say what such a
        network leaves open, not how probable hidden causes are. :func:`hidden` tests for those.
        """
        drawn = self.sample(networks, seed)
        return as_frame(ends_of(self.names, drawn, self.knowledge), frame)

    def predictive(
        self, test: TableLike, *, data: TableLike | None = None, error: bool = False
    ) -> NDArray[np.float64]:
        """Return ln P(row | data) for each new row, averaged over networks and parameters.

        Up to five variables the average is over all networks, above that over 10,000 drawn ones, or
        over those that chains kept. Parameters have the posterior mean that belongs to the score:
        of the Dirichlet prior of BDeu or K2; for other scores that of BDeu with an equivalent
        sample size of 1. Tables with numbers are refused.

        Parameters
        ----------
        data
            Needed only for a posterior that was read from a file: what it was made from.
        error
            Return a second row: by how much each may be off, 19 times in 20, as chains, resamples
            or parts of the draws differ.
        """
        as_switch("error", error)
        test = as_data(test)
        check_data(test, rows=IN_PARTS)  # each row is judged by itself
        known = self.data_given(data)
        refuse_rows(known, IN_PARTS)
        return predicted(self._estimates, known, test, self.score_kind, error=error)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write it to a SQLite file that :func:`load_result` reads; all of it or nothing."""
        from dagscape.posteriors.save_and_load import save

        save(self, path)

    def report(
        self,
        path: str | os.PathLike[str],
        *,
        truth: Dag | Mpdag | Network | None = None,
        title: str | None = None,
        origin: Mapping[str, str] | None = None,
    ) -> None:
        """Write a page to look at in a browser: one HTML file that needs no other and no network.

        It is the page of :meth:`Result.report` about the :meth:`consensus`: its edges and other
        pairs by how probable they are, and the most probable classes.

        Parameters
        ----------
        truth
            The true network, where it is known: its edges are put beside.
        title
            The heading.
        origin
            As in :meth:`Result.report`.
        """
        write_text(path, self._page(truth, title, origin))

    def show(
        self,
        *,
        height: int = 700,
        truth: Dag | Mpdag | Network | None = None,
        title: str | None = None,
    ) -> PageFrame:
        """Show the page of :meth:`report` in a frame of a notebook, so many pixels high."""
        from dagscape.report import PageFrame

        return PageFrame(self._page(truth, title), use_count("height", height, 1))

    def _page(
        self,
        truth: Dag | Mpdag | Network | None,
        title: str | None,
        origin: Mapping[str, str] | None = None,
    ) -> str:
        from dagscape.report import essential, posterior_page  # it sees the whole package

        if title is not None and not isinstance(title, str):
            raise ParameterError(f"title must be words, got {type(title).__name__}")
        true = None if truth is None else essential(truth, self.names, "the posterior")
        return posterior_page(self, truth=true, title=title, origin=origin)

    def __repr__(self) -> str:
        ended = f", stopped by {self.stopped}" if self.stopped else ""
        took = f"{self.seconds:.1f} s{ended}"
        return f"<Posterior of {len(self.names)} variables, {self.claim} ({took})>"

    def _dag(self, code: bytes) -> Dag:
        show = self._variables.name
        arcs = _core.decode_graph(len(self._variables), code).directed
        return Dag(self.names, [(show(a), show(b)) for a, b in arcs])
