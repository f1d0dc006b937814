"""A graph in which causes may be hidden, set beside a table: what each part of it comes to.

It has no score: that is one of networks. What it says of the table are the independences between
variables that it does not join, that nothing separates those it joins, and the marks.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from dagscape import _core
from dagscape.examinations.implications import FAILS, Implication, Tests, implications_of
from dagscape.examinations.pag_evidence import JudgedEdge, JudgedMark, judged_edges, judged_marks
from dagscape.examinations.pag_mends import EdgeChanges, PagMend
from dagscape.examinations.relabelings import Relabelings, relabeled_independences
from dagscape.graphs import Dag, Pag
from dagscape.graphs.independences import Independence, implied_separations
from dagscape.hidden_causes import hidden_of
from dagscape.hidden_causes.relations import Relations
from dagscape.metrics import Comparison
from dagscape.metrics import compare as compare_graphs
from dagscape.posteriors.adjacencies import adjacencies

if TYPE_CHECKING:
    from dagscape.control.budget import Budget
    from dagscape.hidden_causes import Hidden
    from dagscape.learning import LearnResult
    from dagscape.problem import Problem


class PagFindings(NamedTuple):
    """What is said of the graph, but for scores."""

    hidden: Hidden
    distance: Comparison
    implication_rows: tuple[Implication, ...]
    mend_rows: tuple[PagMend, ...]
    edge_rows: tuple[JudgedEdge, ...]
    mark_rows: tuple[JudgedMark, ...]
    relabelings: Relabelings | None


def network_of(pag: Pag) -> Dag | None:
    """Return a network with the independences of a graph, if one without hidden causes has them.

    Edges are two-headed in a graph of the class exactly where they are in all of it, if circles
    become tails (Zhang 2008, theorem 2).
    """
    member = _alike(pag)
    if any(edge == "<->" for _, edge, _ in member.edges):
        return None
    arcs = [(a, b) if edge == "->" else (b, a) for a, edge, b in member.edges]
    name = pag.variables.name
    return Dag(pag.names, [(name(a), name(b)) for a, b in arcs])


def findings_of(
    pag: Pag,
    problem: Problem,
    learned: LearnResult,
    budget: Budget,
    over: Callable[[], bool],
    *,
    level: float,
    relabelings: int,
) -> PagFindings:
    """Test what a graph says."""
    hidden = learned.hidden or hidden_of(problem, learned.dag, budget)
    independent = hidden.rows_independent and learned.rows_independent
    tests, member = Tests(problem.data), _alike(pag)
    implied = implied_separations(member, pag.variables)
    rows = implications_of(implied, tests, level=level, rows_independent=independent, over=over)
    known = _probabilities(learned)
    relations = Relations(problem.data)
    edges = judged_edges(pag, hidden, rows, known, tests, relations, level=level, over=over)
    compared = None
    if relabelings and independent:
        compared = relabeled_independences(
            implied,
            pag.variables.in_engine_order(),
            lambda order: _relabeled(member, order) == member.class_of(),
            tests,
            number=relabelings,
            level=level,
            seed=budget.seed,
            over=over,
        )
    changes = EdgeChanges(member, pag.variables, tests, level, over)
    failing = [Independence(*row[:3]) for row in rows if row.verdict == FAILS]
    alike = Pag._wrap(pag.variables, member.class_of())
    return PagFindings(
        hidden,
        compare_graphs(pag, hidden.pag),
        rows,
        tuple(map(changes.mend, failing)),
        edges,
        judged_marks(pag, alike, hidden),
        compared,
    )


def _alike(pag: Pag) -> _core.MarkedGraph:
    """Return an ancestral graph with the same independences, whatever else is known of causes."""
    member = pag._member()
    return member.class_of().member_of() or member


def _relabeled(member: _core.MarkedGraph, order: tuple[int, ...]) -> _core.MarkedGraph:
    """Return what is shared by the graphs like one whose variables are called otherwise."""
    edges: list[Any] = [(order[a], edge, order[b]) for a, edge, b in member.edges]
    return _core.MarkedGraph(member.variables, edges).class_of()


def _probabilities(learned: LearnResult) -> dict[frozenset[str], float]:
    found = () if learned.posterior is None else adjacencies(learned.posterior)
    return {frozenset((each.a, each.b)): each.probability for each in found}
