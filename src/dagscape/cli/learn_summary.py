"""What was learned, in one screen."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

import dagscape as ds
from dagscape.cli.folder import Folder
from dagscape.cli.long_work import STOPPED
from dagscape.cli.output import first_sight, loud_notes
from dagscape.cli.trust_lines import (
    edge_lines,
    few_rows_line,
    fit_lines,
    nearest_lines,
    open_lines,
    search_lines,
    shape_lines,
)
from dagscape.comparisons import ResultComparison
from dagscape.control.limits import FINAL
from dagscape.hidden_causes.hidden_words import edge_kinds, supported_words
from dagscape.learning import LearnedEdge, LearnResult
from dagscape.learning.ignored_experiments import experiments_told
from dagscape.notes import Note
from dagscape.words import counted, duration, first_of, titled

DOUBTFUL = 5
"""Edges to name in the summary."""


@dataclass(frozen=True)
class Report:
    """What was learned, and where it went."""

    table: ds.Data
    learned: LearnResult
    folder: Folder
    files: list[str]
    truth: ds.Dag | ds.Mpdag | None
    changed: ResultComparison | None = None
    """What differs from an earlier folder."""


def summary(report: Report, with_tiers: str = "") -> list[str]:
    """Return what a person wants to know first, in one screen.

    ``with_tiers`` is the command that would say what comes first.
    """
    learned = report.learned
    table = report.table
    blocks = {
        "Network": [
            f"{counted(len(learned.dag.arcs), 'arc')}, {learned.score_name} {learned.score:,.4f}; "
            f"{learned.claim}",
            *([learned.score_reason] if learned.score_reason else []),
            f"{learned.method}; {_ended(learned)}",
        ],
        "Edges": edge_lines(learned),
        "Among them": standing_out(learned, str(report.folder.path)),
        "Open": open_lines(learned),
        "Nearest": nearest_lines(learned),
        "Shape": shape_lines(learned),
        "Over time": _over_time(learned),
        "Fit": fit_lines(learned),
        "Hidden": _hidden(learned),
        "Groups": [] if learned.groups is None else learned.groups.told(learned.mpdag),
        "Experiment": _experiments(learned),
        "Table": [
            f"{counted(table.n_variables, 'variable')}, {counted(table.n_rows, 'row')}, "
            f"{_arities(table)}",
            *([repr(table.missing)] if table.missing else []),
            *gap_lines(learned.notes),
            *first_sight(learned.data or table),
            *loud_notes(learned.data or table),
            *few_rows_line(learned),
        ],
        "Knowledge": _knowledge(learned, with_tiers),
        "Search": search_lines(learned),
        "Truth": [] if report.truth is None else _missed(learned, report.truth),
        "Since": [] if report.changed is None else _since(report.changed),
        "Files": [f"in {report.folder.path}:", _files(report)],
    }
    return titled(blocks)


def _experiments(learned: LearnResult) -> list[str]:
    """Return which experiments there were, and what ignoring them would have said."""
    done = None if learned.data is None else learned.data.rows.interventions
    if done is None:
        return []
    ignored = [] if learned.ignored is None else [learned.ignored.told]
    acts = [] if learned.touched is None else learned.touched.told
    return [experiments_told(done), *ignored, *acts]


def gap_lines(notes: Sequence[Note]) -> list[str]:
    """Return which columns tell gaps, and what gaps go with; the rest is told beside."""
    told = [f'"{note.column}"' for note in notes if note.kind == "indicator"]
    by_column: dict[str | None, list[str]] = {}
    for note in notes:
        if note.kind == "gaps_go_with":
            by_column.setdefault(note.column, []).append(f'"{note.how}"')
    related = [f'of "{name}" with {" and ".join(others)}' for name, others in by_column.items()]
    lines = {
        "variables that say where cells are missing": told,
        "gaps go with other columns": related,
    }
    return [f"{what}: {first_of(own, DOUBTFUL)}" for what, own in lines.items() if own]


def _over_time(learned: LearnResult) -> list[str]:
    """Return how series hang together, and what of the assumptions does not hold."""
    summary = learned.summary
    if summary is None:
        return []
    arcs = [f"{a} -> {b} ({', '.join(map(str, summary.lags[a, b]))})" for a, b in summary.between]
    shown = first_of(arcs, DOUBTFUL) if arcs else "none"
    return [
        f"arcs between series, with the steps after which they act: {shown}",
        *(str(each) for each in learned.assumptions if not each.holds),
    ]


def _files(report: Report) -> str:
    later = "" if report.learned.stopped not in FINAL else "; the same command goes on from there"
    return f"{', '.join(report.files)}{later}"


def _arities(table: ds.Data) -> str:
    arities = [arity for name, arity in table.arities.items() if name not in table.numbers]
    if not arities:
        return "all continuous"
    least, most = min(arities), max(arities)
    states = f"{least} states" if least == most else f"{least} to {most} states"
    return f"{len(table.numbers):,} continuous, others {states}" if table.numbers else states


def _ended(learned: LearnResult) -> str:
    ended = f"{STOPPED[learned.stopped]} after " if learned.stopped else ""
    return f"{ended}{duration(learned.seconds)} in all"


def _hidden(learned: LearnResult) -> list[str]:
    """Return what is left of the arrows if causes may be hidden."""
    found = learned.hidden
    if found is None or not found.pag.edges:
        return []
    arrows = [f"{a} -> {b}" for a, b in found.arrows]
    lines = [f"if causes may be hidden, {edge_kinds(found.pag)}"]
    if arrows:
        lines.append(f"{supported_words(found)} {first_of(arrows, DOUBTFUL)}")
    return lines


def _knowledge(learned: LearnResult, with_tiers: str) -> list[str]:
    """Return how much was known before, and which directions that gave."""
    known = learned.scope.knowledge
    if known is None and with_tiers and learned.dag.arcs:
        return [f"none; give tiers if you know what comes first: {with_tiers}"]
    if known is None or known.of_table:
        return []
    parts = {
        "required arc": known.required,
        "forbidden arc": known.forbidden,
        "tier": known.tiers,
        "root": known.roots,
        "leaf": known.leaves,
        "parent limit": known.max_parents,
    }
    parts_counted = ", ".join(counted(len(part), name) for name, part in parts.items() if part)
    implied = len(learned.mpdag.directed) - len(learned.cpdag.directed)
    if not implied:
        return [f"{parts_counted}; no edge is directed by it alone"]
    are = "edge is" if implied == 1 else "edges are"
    return [f"{parts_counted}; {implied:,} {are} directed by it, not by the data"]


def _since(changed: ResultComparison) -> list[str]:
    """Return what has changed since an earlier folder, and why."""
    told = changed.blocks
    return [line for title in ("Answer", "Why", "Edges", "Changed", "Rows") for line in told[title]]


def _missed(learned: LearnResult, truth: ds.Dag | ds.Mpdag) -> list[str]:
    """Return where a known truth was missed."""
    found = ds.compare(learned.dag, truth)
    true = truth.to_cpdag()
    lines = [
        f"{len(found.missing)} of {len(true.directed) + len(true.undirected)} true edges are "
        f"missing, {len(found.misdirected)} directed differently, {len(found.extra)} extra"
    ]
    for word, pairs in (("missing", found.missing), ("extra", found.extra)):
        if pairs:
            shown = ", ".join(f"{a} - {b}" for a, b in pairs[:DOUBTFUL])
            more = f" and {len(pairs) - DOUBTFUL} more" if len(pairs) > DOUBTFUL else ""
            lines.append(f"{word}: {shown}{more}")
    return lines


MANY = 64
"""Variables above which nobody reads all edges."""
SHOWN = 10
"""Edges to name of each kind."""
HUBS = 5
"""Variables to name."""
SURPRISING = 2.0
"""What an edge matters beside other parents, by what it would alone, from where on it surprises."""


def standing_out(learned: LearnResult, folder: str) -> list[str]:
    """Name the strongest and the most surprising edges of a large network, and where to look."""
    names = learned.dag.names
    if len(names) <= MANY:
        return []
    found = [edge for edge in learned.edges if edge.in_network and edge.loss is not None]
    # Without a word there is nothing to go by but the score.
    believed = [edge for edge in found if edge.verdict in ("near certain", "likely", "")]
    believed.sort(key=lambda edge: (-(edge.loss or 0.0), edge.a, edge.b))
    lines = []
    if believed:
        which = _first_few(believed, "strongest")
        lines.append(f"{which}, since the score loses most without them: {_named(believed)}")
    if surprising := _surprising(learned, believed):
        which = _first_few(surprising, "most surprising")
        named = _named(surprising)
        lines.append(f"{which}, since they tell little alone, and much beside others: {named}")
    joined = sorted(names, key=lambda name: (-len(learned.dag.neighbors(name)), name))
    hubs = [f"{name} ({len(learned.dag.neighbors(name))})" for name in islice(joined, HUBS)]
    lines.append(f"most neighbors: {', '.join(hubs)}")
    lines.append(
        f"of {counted(len(found), 'edge')}, these; look variables up in report.html, edges in "
        f"edges.csv, or: dagscape blanket DATA --of {folder} --target NAME"
    )
    return lines


def _named(edges: Sequence[LearnedEdge]) -> str:
    marks = {"directed": "->", "undirected": "-"}
    return ", ".join(f"{each.a} {marks[each.in_network]} {each.b}" for each in edges[:SHOWN])


def _first_few(edges: Sequence[LearnedEdge], word: str) -> str:
    return f"the {SHOWN} {word} of {len(edges):,}" if len(edges) > SHOWN else word


def _surprising(learned: LearnResult, edges: Sequence[LearnedEdge]) -> list[LearnedEdge]:
    """Return edges that matter far more beside the network's other parents than alone."""
    data, score = learned.data, learned.score_kind
    if data is None or data.missing or score is None:
        return []
    problem = ds.Problem(data, score=score)
    found = []
    for edge in edges:
        for parent, child in ((edge.a, edge.b), (edge.b, edge.a)):
            if parent not in learned.dag.parents(child) or len(learned.dag.parents(child)) < 2:
                continue
            empty = ds.local_score(problem, child)
            alone = ds.local_score(problem, child, [parent]) - empty
            more = (edge.loss or 0.0) - max(0.0, alone)
            if (edge.loss or 0.0) >= SURPRISING * alone and more > 0:
                found.append((-more, edge.a, edge.b, edge))
    return [edge for *_, edge in sorted(found, key=lambda each: each[:3])]
