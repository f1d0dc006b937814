"""Every pair of variables that anything joins, with all that is known of an edge there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

from dagscape.chance import chances_of
from dagscape.claims.verdicts import TRUST_LEVELS, Verdict, verdict_of
from dagscape.posteriors.adjacencies import adjacencies
from dagscape.posteriors.probable_features import rank
from dagscape.problem import Problem
from dagscape.scoring import local_score

if TYPE_CHECKING:
    from dagscape.data import Data
    from dagscape.graphs import Dag, Mpdag
    from dagscape.landscape import Bootstrap, Landscape
    from dagscape.learning.sensitivity import Sensitivity
    from dagscape.posteriors import Posterior
    from dagscape.posteriors.adjacencies import Adjacency
    from dagscape.scores import Score

Pair = tuple[str, str]

EVEN = 0.5
"""What is less probable is more probably no edge."""

LEAST = 0.01
"""Pairs that are less probable are left out, unless a graph joins them."""


@dataclass(frozen=True)
class LearnedEdge:
    """What is known of an edge between two variables; None where it was not asked or had."""

    a: str
    b: str
    """From the first to the second: as the network has it, else as is more probable."""
    probability: float | None
    """The mean of what the table itself says and what resampled tables say, where both were asked:
    one is too sure of itself, the others are not sure enough, and chance looks stronger in them."""
    lower: float | None
    upper: float | None
    resampled: float | None
    """The mean of the posteriors of resampled tables, where these were asked."""
    plain: float | None
    """The posterior probability of the table itself, where that was asked."""
    direction: float | None
    """The probability of a → b, given that there is an edge."""
    stability: float | None
    stability_direction: float | None
    agreement: float | None
    agreement_direction: float | None
    in_network: str
    """"directed", "undirected", or "" where the network has no edge."""
    in_consensus: str
    loss: float | None
    """What the score loses without it, other arcs kept; None for an edge outside the network."""
    error: float | None = None
    """By how much the probability may be off: by as much as chains of networks and the draws of
    tables leave open."""
    chance: float | None = None
    """At most this share of the edges that stand out as much from a table in which the rows of one
    column are shuffled is due to chance, given how many pairs there are; None of edges that do not
    look likely, or are required."""
    chance_given: float | None = None
    """The same, if rows are shuffled only where the other parents that the network gives the child,
    and numbers that both follow along a curve, are the same."""
    least: float | None = None
    """The least that its probability is by other sensible choices of score, prior and cuts, each
    asked of the table itself; this one included."""
    most: float | None = None
    """The most."""
    least_by: str = ""
    """The choice by which it is least; empty where that is the one taken."""
    rows_independent: bool = True
    """Whether the rows that tell of it are; of edges that are required, that does not matter."""
    tables: int = 0
    """How many resampled tables the stability is a share of."""

    @property
    def share(self) -> float | None:
        """How much is said for it: its probability, or its stability where there is none."""
        return self.stability if self.probability is None else self.probability

    @property
    def verdict(self) -> str:
        """That in a word; a lower one where :attr:`reason` says so."""
        return self._verdict.word

    @property
    def reason(self) -> str:
        """Why the word is lower than its number would have it; empty where it is not.

        "rows" where these are not independent; "chance" where shuffled rows may relate the two as
        strongly, "given" where they may given the other parents; "choices" where another sensible
        choice makes an edge less probable than none; "error" where that of the number reaches below
        the level of the word; "tables" where there is no probability and resampled tables are few.
        """
        return self._verdict.reason

    @property
    def _verdict(self) -> Verdict:
        if self.share is None:
            return Verdict("")
        at_most = {"chance": 1 - (self.chance or 0.0), "given": 1 - (self.chance_given or 0.0)}
        if not self.rows_independent:
            at_most["rows"] = 0.0
        if self.least is not None and self.least < EVEN:
            at_most["choices"] = TRUST_LEVELS["likely"]
        if self.probability is not None:
            at_most["error"] = self.probability - (self.error or 0.0)
        elif self.tables:  # Laplace's rule of succession
            at_most["tables"] = (self.tables * self.share + 1) / (self.tables + 2)
        return verdict_of(self.share, at_most)

    def to_dict(self) -> dict[str, Any]:
        """Return a row."""
        row = asdict(self)
        del row["tables"]  # the same for all: the step of learning says it
        words = {"verdict": self.verdict, "reason": self.reason}
        return {"from": row.pop("a"), "to": row.pop("b"), **row, **words}


TABLES, ROUNDING = 2, 1e-9
"""Resampled tables that must join a pair outside the network, and how far shares may be off."""

COLUMNS = (
    "from",
    "to",
    "probability",
    "lower",
    "upper",
    "error",
    "resampled",
    "plain",
    "direction",
    "stability",
    "stability_direction",
    "agreement",
    "agreement_direction",
    "in_network",
    "in_consensus",
    "loss",
    "chance",
    "chance_given",
    "least",
    "most",
    "least_by",
    "verdict",
    "reason",
)
"""Of the table of edges; presence and direction are never one number."""


def edges_of(
    dag: Dag,
    graph: Mpdag,
    *,
    posterior: Posterior | None,
    consensus: Mpdag | None,
    stability: Bootstrap | None,
    landscape: Landscape | None,
    sensitivity: Sensitivity | None,
    data: Data | None,
    score: Score | None,
    required: Iterable[Pair] = (),
    rows_independent: bool = True,
) -> tuple[LearnedEdge, ...]:
    """Return all pairs that are probable, stable or joined, the most probable first."""
    probable = {}
    if posterior is not None:
        probable = {(each.a, each.b): each for each in adjacencies(posterior)}
    stable = {} if stability is None else _shares(stability)
    agreed = {} if landscape is None else _shares(landscape)
    own, nearest = _kinds(graph), {} if consensus is None else _kinds(consensus)
    wanted = {pair for pair, known in probable.items() if known.probability >= LEAST}
    if posterior is None and stability is not None:
        # What a single table joins may be the noise of that one.
        least = max(LEAST, TABLES / stability.runs)
        wanted |= {pair for pair, (share, _) in stable.items() if share >= least - ROUNDING}
    wanted |= own.keys() | nearest.keys()
    whole = data is not None and not data.missing
    losses = _losses(dag, data, score) if data is not None and whole and score is not None else {}
    known = {pair_of(*arc) for arc in required}
    made = []
    for pair in wanted:
        a, b = _direction(pair, own, nearest, probable, stable)
        row = probable.get(pair)
        forth = (a, b) == pair
        made.append(
            LearnedEdge(
                a,
                b,
                probability=None if row is None else row.probability,
                lower=None if row is None else row.lower,
                upper=None if row is None else row.upper,
                error=None if row is None else row.error,
                resampled=None if row is None else row.resampled,
                plain=None if row is None else row.plain,
                direction=None if row is None else _way(row.forth, forth),
                stability=stable.get(pair, (0.0, None))[0] if stability else None,
                tables=0 if stability is None else stability.runs,
                stability_direction=_way(stable.get(pair, (0.0, None))[1], forth),
                agreement=agreed.get(pair, (0.0, None))[0] if landscape else None,
                agreement_direction=_way(agreed.get(pair, (0.0, None))[1], forth),
                in_network=own.get(pair, (a, b, ""))[2],
                in_consensus=nearest.get(pair, (a, b, ""))[2],
                loss=losses.get(pair),
                rows_independent=rows_independent or pair in known,
            )
        )
    if data is not None and data.rows.series is None:  # steps of a series do not change places
        made = _set_against_chance(made, dag, data, known)
    if sensitivity is not None:
        made = [_with_band(edge, sensitivity) for edge in made]
    made.sort(key=lambda e: (rank(e.probability), -(e.stability or 0), e.a, e.b))
    return tuple(made)


def _set_against_chance(
    edges: list[LearnedEdge], dag: Dag, data: Data, required: set[Pair]
) -> list[LearnedEdge]:
    """Return the edges, those that look likely and are not required with what chance gives."""
    likely = {
        pair
        for edge in edges
        if (edge.share or 0.0) >= TRUST_LEVELS["likely"]
        and (pair := pair_of(edge.a, edge.b)) not in required
    }
    chances = chances_of(data, dag, sorted(likely))

    def told(edge: LearnedEdge) -> LearnedEdge:
        found = chances.get(pair_of(edge.a, edge.b))
        return (
            edge if found is None else replace(edge, chance=found.alone, chance_given=found.given)
        )

    return [told(edge) for edge in edges]


def _with_band(edge: LearnedEdge, sensitivity: Sensitivity) -> LearnedEdge:
    """Return an edge with the range of its probability by other choices, if there is one."""
    if edge.probability is None:
        return edge
    band = sensitivity.band(pair_of(edge.a, edge.b), edge.probability)
    return replace(edge, least=band.least, most=band.most, least_by=band.least_by)


def pair_of(a: str, b: str) -> Pair:
    """Return two variables by name, in order."""
    return (a, b) if a < b else (b, a)


def _way(direction: float | None, forth: bool) -> float | None:
    if direction is None:
        return None
    return direction if forth else 1 - direction


def _shares(models: Bootstrap | Landscape) -> dict[Pair, tuple[float, float | None]]:
    """Return how many models join each pair, and how many of these as first → second."""
    rows = models.strengths(frame="dict")
    columns = (rows[name] for name in ("from", "to", "strength", "direction"))
    return {(a, b): (share, way) for a, b, share, way in zip(*columns, strict=True) if a < b}


def _kinds(graph: Mpdag) -> dict[Pair, tuple[str, str, str]]:
    directed = {pair_of(a, b): (a, b, "directed") for a, b in graph.directed}
    return directed | {pair_of(a, b): (*pair_of(a, b), "undirected") for a, b in graph.undirected}


def _direction(
    pair: Pair,
    own: Mapping[Pair, tuple[str, str, str]],
    nearest: Mapping[Pair, tuple[str, str, str]],
    probable: Mapping[Pair, Adjacency],
    stable: Mapping[Pair, tuple[float, float | None]],
) -> Pair:
    for graph in (own, nearest):
        if pair in graph and graph[pair][2] == "directed":
            return graph[pair][0], graph[pair][1]
    way = probable[pair].forth if pair in probable else stable.get(pair, (0, None))[1]
    return pair if way is None or way >= 0.5 else (pair[1], pair[0])


def _losses(dag: Dag, data: Data, score: Score) -> dict[Pair, float]:
    """Return what the score loses without each arc of the network, all others kept."""
    losses = {}
    problem = Problem(data, score=score)  # once: it looks at every column
    for child in dag.names:
        parents = dag.parents(child)
        whole = local_score(problem, child, parents) if parents else 0.0
        for parent in parents:
            fewer = [name for name in parents if name != parent]
            losses[pair_of(parent, child)] = whole - local_score(problem, child, fewer)
    return losses


def as_columns(edges: Iterable[LearnedEdge]) -> dict[str, list[Any]]:
    """Return a table of edges by its columns."""
    rows = [edge.to_dict() for edge in edges]
    return {name: [row[name] for row in rows] for name in COLUMNS}
