"""``dagscape compare``: how far one graph is from another."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

import dagscape as ds
from dagscape.cli.earlier_folder import is_folder, learned_in
from dagscape.cli.inputs import GRAPH_KINDS, GivenGraph, Json, read_graph, read_pag
from dagscape.cli.output import emit, emit_json
from dagscape.words import printable


def compare(
    found: Annotated[
        str,
        typer.Argument(
            metavar="FOUND", help=f"The graph to judge: a {GRAPH_KINDS}; or a folder of learn."
        ),
    ],
    truth: Annotated[
        str, typer.Argument(metavar="TRUTH", help="The graph to judge it by: one of the same.")
    ],
    json: Json = False,
) -> None:
    """Compare the essential graphs of two networks edge by edge, or two folders of learn.

    Where one is a graph in which causes may be hidden (PAG), the other is taken for one too.
    Precision is the share of what was found that is true, recall the share of what is true that was
    found. Directions count where data could determine them.

    Of two folders: what differs, and whether it matters: whether variables follow from their
    parents otherwise in the second table. Samples of one distribution give different networks, too.
    Beside it the score of either network on the table of the other, variables whose parents differ,
    and probabilities.
    """
    if is_folder(found) and is_folder(truth):
        both = ds.compare(learned_in(Path(found)), learned_in(Path(truth)))
        if json:
            emit_json(both.to_dict())
        else:
            emit(both.summary)
        return
    result = ds.compare(*_both(found, truth))
    if json:
        content = asdict(result)
        emit_json({"structural_hamming_distance": content.pop("shd"), **content})
        return
    lines = [
        f"structural Hamming distance  {result.shd}",
        _shares("skeleton", result.skeleton_precision, result.skeleton_recall),
        _shares("arrows", result.arrow_precision, result.arrow_recall),
    ]
    for title, edges in (
        ("missing", result.missing),
        ("extra", result.extra),
        ("misdirected", result.misdirected),
    ):
        lines.append(f"{title:<12} {len(edges)}")
        lines += [f"    {printable(a)} - {printable(b)}" for a, b in edges]
    emit("\n".join(lines))


def _shares(title: str, precision: float, recall: float) -> str:
    return f"{title:<12} precision {precision:.3f}  recall {recall:.3f}"


def _both(found: str, truth: str) -> tuple[ds.Dag | ds.Mpdag | ds.Pag, ds.Dag | ds.Mpdag | ds.Pag]:
    """Return both as graphs on the same variables, of whatever kind."""
    pags = read_pag(found), read_pag(truth)
    if pags == (None, None):
        return _on_same_variables(read_graph(found), read_graph(truth))
    known = next(pag.names for pag in pags if pag is not None)
    return pags[0] or read_graph(found).on(known), pags[1] or read_graph(truth).on(known)


def _on_same_variables(
    found: GivenGraph, truth: GivenGraph
) -> tuple[ds.Dag | ds.Mpdag, ds.Dag | ds.Mpdag]:
    """Return both as graphs; arcs alone are about the other's variables, or all that arcs name."""
    both = (found, truth)
    sources = [given for given in both if given.whole] or both
    known = tuple(dict.fromkeys(name for given in sources for name in given.graph.names))
    return found.on(known), truth.on(known)
