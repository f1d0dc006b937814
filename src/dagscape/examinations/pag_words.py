"""What the examination of a graph with hidden causes found, in words: one screen."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from dagscape.claims.verdicts import TRUST_LEVELS
from dagscape.examinations.examination_words import NAMED, denied, implied_lines, name_lines
from dagscape.examinations.implications import DEPENDENT_ROWS, STANDS, UNTESTED
from dagscape.examinations.pag_evidence import (
    AGREES,
    DENIED,
    DIFFERS,
    NOT_SEEN,
    OPEN,
    PARTED,
    SUPPORTED,
)
from dagscape.hidden_causes.hidden_words import edge_kinds
from dagscape.notes import sentences
from dagscape.speech import in_shell
from dagscape.words import counted, difference, first_of, listed

if TYPE_CHECKING:
    from dagscape.examinations.pag_evidence import JudgedMark
    from dagscape.examinations.pag_examination import PagExamination
    from dagscape.graphs import Pag


def blocks_of(e: PagExamination) -> dict[str, list[str]]:
    """Return what a person wants to know first, by title."""
    return {
        "Graph": [f"{edges_words(e.graph)}; causes may be hidden"],
        "Answer": answers(e),
        "Score": [_score_words(e)],
        "Edges": _edge_lines(e),
        "Marks": _mark_lines(e),
        "Implied": [*implied_lines(e.implication_rows, e.level), *_failed_lines(e)],
        "Names": name_lines(e.relabelings),
        "Nearest": _distance_lines(e),
        "Table": [said.words for said in sentences(e.notes, in_shell) if said.loud],
    }


def edges_words(pag: Pag) -> str:
    """Say how large a graph is."""
    return f"{counted(len(pag.names), 'variable')}, {edge_kinds(pag)}"


def answers(e: PagExamination) -> list[str]:
    """Say whether the table speaks against the graph, or cannot."""
    against = []
    if e.failing:
        one = len(e.failing) == 1
        against.append(f"{counted(len(e.failing), 'independence')} that it implies fail{'s' * one}")
    if e.parted:
        one = len(e.parted) == 1
        against.append(f"{counted(len(e.parted), 'edge')} {'is' if one else 'are'} parted")
    if e.denied:
        one = len(e.denied) == 1
        against.append(f"{counted(len(e.denied), 'mark')} {'is' if one else 'are'} denied")
    if against:
        said = [f"the table speaks against the graph: {listed(against)}"]
    else:
        said = ["nothing here speaks against the graph; that does not make it right"]
    if not e.learned.rows_independent:
        said.append("the rows seem to depend on each other; tests say nothing then")
    return said


def _score_words(e: PagExamination) -> str:
    if e.dag is None or e.regret is None:
        return (
            "none: scores here are of networks, and no network without hidden causes has these "
            "independences"
        )
    same = "a network without hidden causes has the same independences"
    found = "the best network" if e.best.optimal else "the best network that was found"
    if not e.regret:
        return f"{same}; none that was found scores higher ({e.best.claim})"
    return f"{same}, {difference(e.regret)} nats below {found} ({e.best.claim})"


def _edge_lines(e: PagExamination) -> list[str]:
    drawn = [row for row in e.edge_rows if row.edge]
    words = Counter(row.verdict for row in drawn)
    said = {
        STANDS: f"stand{'s' * (words[STANDS] == 1)} (whatever few neighbors are given, the two "
        "are related)",
        PARTED: "parted",
        NOT_SEEN: "not seen given some neighbors, for which rows may be too few",
        DEPENDENT_ROWS: "not to be told, since rows seem to depend on each other",
        UNTESTED: "not tested, for want of time",
    }
    told = [f"{words[key]:,} {text}" for key, text in said.items() if words[key]]
    lines = [f"of {counted(len(drawn), 'edge')}, {'; '.join(told)}"] if drawn else []
    for row in e.parted[:NAMED]:
        given = f" given {listed(row.given)}" if row.given else ""
        lines.append(
            f"{row.a} {row.edge} {row.b}: nothing is seen of the two{given} (p {row.p:.2g}), "
            "though they are clearly related otherwise"
        )
    absent = [
        f"{row.a} - {row.b} ({row.probability:.2f})"
        for row in e.edge_rows
        if not row.edge
        and row.found
        and row.probability is not None
        and row.probability >= TRUST_LEVELS["likely"]
    ]
    if absent:
        lines.append(f"not drawn but probable: {first_of(absent, NAMED)}")
    return lines


def _mark_lines(e: PagExamination) -> list[str]:
    rows = [row for row in e.mark_rows if row.drawn != "no cause"]
    words = Counter(row.verdict for row in rows)
    said = {
        DENIED: "denied by tests of their own",
        SUPPORTED: "supported by tests of their own",
        AGREES: "as in the graph that the table supports",
        DIFFERS: "otherwise there",
        OPEN: "open there",
    }
    told = [f"{words[key]:,} {text}" for key, text in said.items() if words[key]]
    lines = [f"of {len(rows):,} tails and heads, {listed(told)}"] if rows else []
    lines += [f"{_says(row)}: {row.reason}" for row in e.denied[:NAMED]]
    free = sum(not row.told_by_data for row in rows)
    if free:
        lines.append(
            f"{free:,} of them no table can tell: graphs with the same independences have others"
        )
    return lines


def _says(row: JudgedMark) -> str:
    if row.drawn == "tail":
        return f"the graph says that {row.at} is a cause of {row.of}; tests say it is none"
    return (
        f"the graph says that {row.at} is no cause of {row.of}; tests say that {row.at} is a cause "
        f"of {row.of}"
    )


def _failed_lines(e: PagExamination) -> list[str]:
    mends = {row[:3]: row for row in e.mend_rows}
    lines = []
    for row in e.failing[:NAMED]:
        mend = mends.get(row[:3])
        if mend is None or not mend.change:
            lines.append(f"{denied(row)}; no change of one edge was found that mends that")
            continue
        done = "adding" if mend.change == "add" else "turning an edge to"
        left = mend.failing or 0
        lines.append(
            f"{denied(row)}; {done} {mend.start} {mend.edge} {mend.end} mends it, and then "
            f"{counted(left, 'independence')} fail{'s' * (left == 1)}"
        )
    if len(e.failing) > NAMED:
        lines.append(f"and {len(e.failing) - NAMED:,} more")
    return lines


def _distance_lines(e: PagExamination) -> list[str]:
    away = e.distance
    if not away.shd:
        return ["the graph that the table supports is the same"]
    lines = [f"the graph that the table supports differs in {counted(away.shd, 'edge')}"]
    pag = e.hidden.pag
    groups = {
        "it also has": [f"{a} {pag.edge(a, b)} {b}" for a, b in away.missing],
        "it lacks": [f"{a} {e.graph.edge(a, b)} {b}" for a, b in away.extra],
        "it has otherwise": [
            f"{a} {e.graph.edge(a, b)} {b} as {a} {pag.edge(a, b)} {b}" for a, b in away.misdirected
        ],
    }
    lines += [f"{title}: {first_of(some, NAMED)}" for title, some in groups.items() if some]
    return lines
