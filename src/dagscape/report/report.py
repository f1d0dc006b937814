"""From a result, and what else is known, to a page: one file with its style, scripts and data."""

from __future__ import annotations

import html
import json
from base64 import b64encode
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from importlib.resources import files
from typing import Any

import dagscape as ds
from dagscape.comparisons import ResultComparison
from dagscape.learning import LearnResult
from dagscape.report.content import TRUE, content, page_data
from dagscape.report.drawing import drawing_of
from dagscape.report.experiments_section import experiments_section
from dagscape.report.page_pairs import Models
from dagscape.report.scene import scene
from dagscape.report.sections import Section, address_of, pag_in_circle
from dagscape.report.svg_files import svg_file


def report_page(
    result: ds.Result,
    *,
    landscape: Models | None = None,
    data: ds.Data | None = None,
    truth: ds.Dag | ds.Mpdag | ds.Network | None = None,
    network: ds.Network | None = None,
    weights: str | None = None,
    title: str | None = None,
    other: str = TRUE,
    sections: Sequence[Section] = (),
    origin: Mapping[str, str] | None = None,
) -> str:
    """Return the report as HTML; :meth:`dagscape.Result.report` says what it shows.

    Parameters
    ----------
    other
        What `truth` is called, where it is another graph to compare with.
    sections
        What comes before all that.
    """
    _check(result, landscape, data, network, title)
    own = [each for each in (groups_section(result), experiments_section(result)) if each]
    shown = content(
        result,
        landscape=landscape,
        data=data,
        truth=None if truth is None else essential(truth, result.dag.names, "the result"),
        network=network,
        weights=weights,
        title=title,
        other=other,
        sections=[*own, *sections],
        origin=origin,
    )
    return page(shown)


def _check(
    result: ds.Result,
    landscape: Models | None,
    data: ds.Data | None,
    network: ds.Network | None,
    title: str | None,
) -> None:
    """Refuse what is of another kind, or about other variables."""
    kinds = {
        "landscape": (landscape, (ds.Landscape, ds.Bootstrap), "a Landscape or a Bootstrap"),
        "data": (data, (ds.Data,), "a ds.Data"),
        "network": (network, (ds.Network,), "a Network"),
        "title": (title, (str,), "words"),
    }
    for name, (given, kind, words) in kinds.items():
        if given is not None and not isinstance(given, kind):
            raise ds.ParameterError(f"{name} must be {words}, got {type(given).__name__}")
    own = set(result.dag.names)
    of = {"landscape": landscape, "data": data, "network": network}
    for what, some in of.items():
        if some is not None and (odd := own ^ set(some.names)):
            raise ds.ParameterError(
                f"the result and the {what} must have the same variables: "
                f'"{min(odd)}" is in one of them only'
            )
    if network is not None and network.dag != result.dag:
        raise ds.ParameterError("the network must have the arcs of the result; they differ")
    if landscape is not None and not landscape.runs:
        raise ds.ParameterError("the landscape has no runs: there is nothing to show of it")


def essential(truth: ds.Dag | ds.Mpdag | ds.Network, names: Iterable[str], other: str) -> ds.Cpdag:
    """Return the essential graph of the truth, refusing other variables."""
    graph = truth.dag if isinstance(truth, ds.Network) else truth
    if not isinstance(graph, ds.Dag | ds.Mpdag):
        raise ds.ParameterError(
            f"truth must be a Dag, a Cpdag or a Network, got {type(truth).__name__}"
        )
    if odd := set(names) ^ set(graph.names):
        raise ds.ParameterError(
            f"{other} and the truth must have the same variables: "
            f'"{min(odd)}" is in one of them only'
        )
    return graph.to_cpdag()


SCRIPTS = (
    "model",
    "dom",
    "sections",
    "trust",
    "misfits",
    "map",
    "graph",
    "hidden",
    "knowledge",
    "nearby",
    "beliefs",
    "details",
    "inference",
    "prepared",
    "evidence",
    "ask",
    "charts",
    "heatmap",
    "numbers",
    "mixture",
    "crossed",
    "tables",
    "target",
    "implied",
    "families",
    "wanted",
    "pdf",
    "paper",
    "page",
)
"""The parts of the script, in the order they are read."""


def page(shown: dict[str, Any]) -> str:
    """Return a page that needs no other file and no network."""
    folder = files("dagscape.report") / "assets"

    def read(name: str) -> str:
        return (folder / name).read_text("utf-8")

    joined = "\n".join(read(f"{name}.js") for name in SCRIPTS)
    script = f'\n"use strict";\n(() => {{\n{joined}\n}})();\n'
    parts = {
        "SCRIPT-HASH": _hash(script),
        "TITLE": html.escape(shown["title"]),
        "STYLE": read("report.css"),
        "DATA": as_script(page_data(shown)),
        "SCRIPT": script,
    }
    text = read("template.html")
    # Cut at the marks, so that a mark inside a name stays what it is.
    for name in parts:
        before, _, after = text.partition(f"<!--{name}-->")
        parts[name] = before + parts[name]
        text = after
    return "".join(parts.values()) + text


def _hash(script: str) -> str:
    """Return what the page's policy knows its script by: a browser runs no other."""
    return f"sha256-{b64encode(sha256(script.encode()).digest()).decode()}"


def as_script(content: object) -> str:
    """Return JSON that can stand in a script element, whatever names it holds.

    Inside the element only ``</script`` and ``<!--`` have a meaning, so no "<" is left; line ends
    that JavaScript once took for its own are escaped too.
    """
    text = json.dumps(content, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    for letter in "<>&\u2028\u2029":
        text = text.replace(letter, f"\\u{ord(letter):04x}")
    # Half characters, which odd names contain, cannot be written in UTF-8.
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


# The page of two results: what differs, and the second with the first drawn beside it.

FIRST = "the first network"


def comparison_page(
    comparison: ResultComparison,
    data: ds.Data | None = None,
    network: ds.Network | None = None,
    title: str | None = None,
    origin: Mapping[str, str] | None = None,
) -> str:
    """Return the page as HTML: what differs, then the second result."""
    second = comparison.second
    return report_page(
        second,
        data=data if second.data is None else second.data,
        landscape=second.landscape,
        network=second.network if network is None else network,
        truth=comparison.first.dag,
        other=FIRST,
        sections=[comparison_section(comparison)],
        title=title,
        origin=origin,
    )


def comparison_section(comparison: ResultComparison) -> Section:
    """Return what is said of both, and the tables."""
    frames = {
        "Edges": comparison.edges,
        "Families that differ": comparison.families,
        "Variables in both tables": comparison.drifted,
    }
    tables = {name: (frame.columns, frame.rows()) for name, frame in frames.items()}
    return Section("What changed", comparison.blocks, tables)


# What the page tells of groups of rows: where parameters differ, and the pooled network beside.

MOST_DRAWN = 150
"""Variables of networks that are drawn side by side."""


def groups_section(result: ds.Result) -> Section | None:
    """Return the section of the page; None where rows are in no groups."""
    if not isinstance(result, LearnResult) or (found := result.groups) is None:
        return None
    rows = [[each.child, each.parents, each.evidence, each.verdict] for each in found.families]
    columns = ["variable", "parents", "nats for parameters of each group", "parameters"]
    pictures = {}
    if found.pooled is not None and len(result.dag.names) <= MOST_DRAWN:
        pictures = {
            "Parameters of each group's own": _picture(result),
            "The same parameters in all groups": _picture(found.pooled),
        }
    return Section(
        "Groups",
        {found.column: found.told(result.mpdag)},
        {"Where parameters differ": (columns, rows)},
        pictures=pictures,
    )


def _picture(result: ds.Result) -> str:
    """Return the essential graph as the address of an image."""
    return address_of(svg_file(scene(drawing_of(result))))


# The page of a graph that was examined: what was learned, and the graph beside it.

DRAWN = "your graph"


def examination_page(
    examination: ds.Examination | ds.examinations.PagExamination,
    title: str | None = None,
    origin: Mapping[str, str] | None = None,
) -> str:
    """Return the page as HTML: your graph, then the network that was learned."""
    learned = examination.learned
    return report_page(
        learned,
        data=learned.data,
        landscape=learned.landscape,
        truth=examination.graph if isinstance(examination, ds.Examination) else None,
        other=DRAWN,
        sections=[examination_section(examination)],
        title=title,
        origin=origin,
    )


def examination_section(examination: ds.Examination | ds.examinations.PagExamination) -> Section:
    """Return what is said of the graph, and its tables; one with hidden causes is drawn."""
    if isinstance(examination, ds.examinations.PagExamination):
        frames = {
            "What it implies": examination.implications,
            "Changes of one edge that mend it": examination.mends,
            "All pairs, joined and not": examination.edges,
            "Tails and heads": examination.marks,
        }
        tables = {name: (frame.columns, frame.rows()) for name, frame in frames.items()}
        drawn = pag_in_circle(examination.graph)
        return Section("Your graph", examination.blocks, tables, drawn)
    frames = {
        "What it implies": examination.implications,
        "All pairs, drawn and not": examination.arcs,
        "Where it loses": examination.families,
        "Changes toward the best": examination.changes,
    }
    tables = {name: (frame.columns, frame.rows()) for name, frame in frames.items()}
    return Section("Your graph", examination.blocks, tables)
