"""What the page is told: everything it shows, as plain values."""

from __future__ import annotations

import math
import os
import unicodedata
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime
from functools import lru_cache
from typing import Any

import dagscape as ds
from dagscape.arguments import as_mapping
from dagscape.learning import LearnResult
from dagscape.report.claims import claim_words, knowledge_of, prior_words, step_words
from dagscape.report.clusters import Tree, clusters_of
from dagscape.report.layout import Layout, layered
from dagscape.report.methods import methods_of
from dagscape.report.page_answers import own_rows_of, prepared_for
from dagscape.report.page_effects import effects_of
from dagscape.report.page_families import families_of
from dagscape.report.page_implications import adjusting_of, implied_of
from dagscape.report.page_numbers import describe_numbers
from dagscape.report.page_optima import models_of
from dagscape.report.page_pairs import NONE, Models, Pair, add_changes, pairs_of
from dagscape.report.page_tables import add_lines, add_tables, notes_of, variables_of
from dagscape.report.page_trust import trust_of
from dagscape.report.sections import Section, hidden_of, over_time_of
from dagscape.words import counted

TRUE = "the true network"
"""What the graph that the network is compared with is called, unless it is another."""
MOST_PAIRS = 20_000
"""The most pairs that the page lists: about a megabyte. The strongest are kept, and the found."""
SURE = 0.5
"""An edge that this share of models has takes part in the layout."""
MOST_MISFITS = 10
"""The most misfits that the page lists."""
MOST_READ = 120
"""Variables above which there is a map of clusters: nobody reads so many at once."""
MOST_LAID_OUT = 1500
"""Variables above which the whole is not drawn at all."""
ROW = 74.0
"""The height of a layer, in pixels."""
LONGEST = 18
"""The most letters of a name that a node shows."""

THINNEST, THICKEST = 0.9, 5.0
"""How thick edges are drawn that a share of 0 and of 1 is for; in the page and in files."""


def content(
    result: ds.Result,
    *,
    landscape: Models | None = None,
    data: ds.Data | None = None,
    truth: ds.Cpdag | None = None,
    network: ds.Network | None = None,
    weights: str | None = None,
    title: str | None = None,
    other: str = TRUE,
    sections: Sequence[Section] = (),
    origin: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """Return what the page shows, as JSON has it; :func:`~dagscape.report.report` says of what."""
    dag = result.dag
    mixed = None
    if network is not None and "continuous" in network.kinds.values():
        mixed, network = network, None  # the page has tables of states
    # Of groups each has tables of its own, for which the page has no room.
    grouped = data is not None and data.rows.groups is not None
    whole = data is not None and not data.missing and not data.numbers and not grouped
    if network is None and data is not None and whole:
        network = ds.fit(dag, data)
    known = result.scope.knowledge
    required = () if known is None else known.required
    trust = trust_of(result) if isinstance(result, LearnResult) else None
    more = [] if trust is None else [(edge["from"], edge["to"]) for edge in trust["edges"]]
    bent = result.not_linear if isinstance(result, LearnResult) and data is not None else ()
    more += [(dag.names.index(one.child), dag.names.index(one.parent)) for one in bent]
    pairs = pairs_of(dag, landscape, truth, weights, result.mpdag, required, more)
    shown, least = _kept(pairs)
    if data is not None and not data.missing:  # a score of what is observed is of whole networks
        add_changes(shown, result, data)
    layout = draw(dag, shown, known) if len(dag.names) <= MOST_LAID_OUT else Layout({}, {})
    variables = variables_of(dag, data, network)
    for about, name in zip(variables, dag.names, strict=True):
        about["width"] = node_width(name)
        if name in layout.nodes:
            x, y = layout.nodes[name]
            about["at"] = [round(x, 1), round(y * ROW, 1)]
    numbers = None
    if data is not None and data.numbers and not data.missing:
        ends = [(pair.a, pair.b) for pair in shown]
        numbers = describe_numbers(variables, dag, data.pooled, ends, bent)
        if grouped:
            numbers["slopes_caution"] += " Lines are those of the rows of all groups together."
        if not grouped:
            add_tables(variables, dag, data)
            add_lines(variables, dag, data, mixed)
    return {
        "title": title or _title(result),
        "version": result.version,
        "origin": origin_of(origin),
        "names": list(dag.names),
        "result": _result(result),
        "rows": None if data is None else data.n_rows,
        "knowledge": knowledge_of(result),
        "notes": notes_of(result.notes or (() if data is None else data.notes)),
        "variables": variables,
        "clusters": _clusters(dag, pairs),
        "pairs": [_pair(pair, layout, dag.names) for pair in shown],
        "least": least,
        "thickness": [THINNEST, THICKEST],
        "truth": None if truth is None else other,
        "sections": [section.content() for section in (*sections, *over_time_of(result))],
        "trust": trust,
        "fit": _fit(result),
        "adjusting": adjusting_of(result),
        "effects": effects_of(result, data),
        "implied": implied_of(result, data),
        "hidden": hidden_of(result, data),
        "numbers": numbers,
        "families": families_of(result, data),
        "methods": methods_of(result, data),
        "prepared": None if network is None else prepared_for(variables, network, dag.names),
        "own_rows": own_rows_of(dag, data),
        "models": None if landscape is None else models_of(landscape, result, truth, weights),
    }


def _title(result: ds.Result) -> str:
    if (summary := result.summary) is not None:
        return f"A network of {len(summary.names):,} series over time"
    return f"A Bayesian network of {counted(len(result.dag.names), 'variable')}"


def _fit(result: ds.Result) -> dict[str, Any] | None:
    """Return how the network's own rows differ from the table's."""
    if not isinstance(result, LearnResult) or (fit := result.fit) is None:
        return None
    own = fit.to_dict()
    more = len(own["misfits"]) - MOST_MISFITS
    caution = "" if result.rows_independent else fit.caution
    return own | {"misfits": own["misfits"][:MOST_MISFITS], "more": more, "caution": caution}


def _clusters(dag: ds.Dag, pairs: list[Pair]) -> list[Tree] | None:
    """Return the parts of the map; None where the whole can be read."""
    if len(dag.names) <= MOST_READ:
        return None
    return clusters_of((pair.a, pair.b) for pair in pairs if pair.drawn) or None


def draw(dag: ds.Dag, pairs: list[Pair], known: ds.Knowledge | None = None) -> Layout:
    """Lay out the network, and the edges that most models have beside it; tiers are its rows."""
    names = dag.names
    arcs = list(dag.arcs)
    for pair in pairs:
        if pair.arc == NONE and pair.shares is not None and pair.strength >= SURE:
            ends = names[pair.a], names[pair.b]
            arcs.append(ends if pair.shares[0] >= pair.shares[1] else ends[::-1])
    return _laid_out(names, tuple(arcs), None if known is None else _tiers(dag, known))


def _tiers(dag: ds.Dag, known: ds.Knowledge) -> tuple[int, ...] | None:
    """Return each variable's tier; one that is in none goes with the last of its ancestors."""
    if not known.tiers:
        return None
    level = {name: i for i, tier in enumerate(known.tiers) for name in tier}
    own = (
        level.get(name, max((level.get(one, 0) for one in dag.ancestors(name)), default=0))
        for name in dag.names
    )
    return tuple(own)


@lru_cache(maxsize=2)
def _laid_out(
    names: tuple[str, ...], arcs: tuple[tuple[str, str], ...], tiers: tuple[int, ...] | None
) -> Layout:
    """Lay out a graph, once for the page and the pictures of it."""
    widths = {name: node_width(name) + 22 for name in names}
    level = None if tiers is None else dict(zip(names, tiers, strict=True))
    return layered(names, arcs, widths, row=ROW, tiers=level)


def node_width(name: str) -> float:
    """Return the pixels across that a node takes; letters of East Asia count double."""
    letters = [2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in name]
    return 7.3 * min(LONGEST, max(3, sum(letters))) + 18


def _kept(pairs: list[Pair]) -> tuple[list[Pair], float]:
    """Return the pairs to list, and the confidence below which some may be left out."""
    if len(pairs) <= MOST_PAIRS:
        return pairs, 0.0
    kept = pairs[:MOST_PAIRS]
    rest = pairs[MOST_PAIRS:]
    kept += [pair for pair in rest if pair.found or pair.true]
    return kept, rest[0].strength


def _pair(pair: Pair, layout: Layout, names: tuple[str, ...]) -> list[Any]:
    shares = None if pair.shares is None else [round(share, 6) for share in pair.shares]
    change = pair.change
    if change is not None:
        change = round(change, 4) if math.isfinite(change) else None
    a, b = names[pair.a], names[pair.b]
    line = layout.arcs.get((a, b)) or layout.arcs.get((b, a), [])[::-1]
    # The ends are where the nodes are; the page needs what lies between.
    between = [[round(x), round(y * ROW)] for x, y in line[1:-1]] if len(line) > 2 else 0
    edges = (pair.found, pair.true, pair.arc)
    return [pair.a, pair.b, shares, *edges, change, between, pair.drawn, int(pair.required)]


def _result(result: ds.Result) -> dict[str, Any]:
    facts = result.to_dict()
    names = ("score", "score_name", "method", "optimal", "bound", "seed", "seconds", "stopped")
    kept = {name: _finite(facts[name]) for name in names} | claim_words(result)
    return kept | {
        "prior": "" if result.score_kind is None else prior_words(result.score_kind),
        "odds": result.score_kind is not None and result.score_kind.base.odds,
        "edges": len(result.dag.arcs),
        "undirected": len(result.mpdag.undirected),
        "asked": _words(_asked(result)),
        "steps": [[step.name, step_words(step)] for step in result.steps],
        "work": _words({k: v for k, v in result.work.items() if k != "steps" or not result.steps}),
    }


def _asked(result: ds.Result) -> dict[str, Any]:
    """Return the settings; those left to the rule have names of their own."""
    left = {"left to the rule": result.asked["chosen"]} if result.asked.get("chosen") else {}
    return {k: v for k, v in result.asked.items() if k not in ("knowledge", "chosen")} | left


def _finite(value: Any) -> Any:
    return None if isinstance(value, Mapping) else value


def _words(settings: Mapping[str, Any]) -> list[list[str]]:
    """Return settings or counters as pairs of words; what was not set is left out."""
    return [
        [name.replace("_", " "), _said(value)]
        for name, value in settings.items()
        if value is not None and value != ()
    ]


def _said(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {words}" for name, words in _words(value))
    if isinstance(value, tuple):
        return "; ".join(map(_said, value))
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    return f"{value:g}" if isinstance(value, float) else str(value)


KNOWN = ("file", "command")
"""What whoever asks for a page can say of it."""


def origin_of(origin: Mapping[str, str] | None) -> dict[str, str]:
    """Return what was said of a page's origin, with the day it is written on."""
    said = as_mapping("origin", origin, "words")
    if odd := [name for name in said if name not in KNOWN]:
        raise ds.ParameterError(f'unknown origin "{odd[0]}"; choose {", ".join(KNOWN)}')
    if not all(isinstance(words, str) for words in said.values()):
        raise ds.ParameterError(f"origin must be a dict of words by name, got {origin!r}")
    return said | {"date": _today().isoformat()}


def _today() -> date:
    """Return the day, in UTC; the one that SOURCE_DATE_EPOCH names where files must be the same."""
    given = os.environ.get("SOURCE_DATE_EPOCH", "")
    return (
        datetime.fromtimestamp(int(given), UTC).date()
        if given.isdigit()
        else datetime.now(UTC).date()
    )


FORMAT = "dagscape page"
VERSION = 1
"""Of the names and their meanings: one more whenever a reader of the last would go wrong."""

PAIR = ("a", "b", "shares", "found", "truth", "arc", "change", "between", "drawn", "required")
"""What is known of a pair of variables, in the order of :func:`dagscape.report.content.content`."""


def page_data(shown: dict[str, Any]) -> dict[str, Any]:
    """Return what the page shows with its tables by columns: half as large as by rows.

    Who reads the data of a page elsewhere goes by these names; ``docs/reference/page-data.md`` says
    what each means.
    """
    pairs = [dict(zip(PAIR, pair, strict=True)) for pair in shown["pairs"]]
    trust = shown["trust"]
    if trust is not None:
        trust = trust | {"edges": by_columns(trust["edges"])}
    effects = shown["effects"]
    if effects is not None:
        effects = effects | {"rows": by_columns(effects["rows"])}
    about = {"format": FORMAT, "format_version": VERSION}
    return about | shown | {"pairs": by_columns(pairs), "trust": trust, "effects": effects}


def by_columns(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return rows of the same names as columns; what is the same in all of them once."""
    found: dict[str, Any] = {"rows": len(rows), "same": {}, "columns": {}}
    for name in rows[0] if rows else ():
        column = [row[name] for row in rows]
        if all(value == column[0] and type(value) is type(column[0]) for value in column):
            found["same"][name] = column[0]
        else:
            found["columns"][name] = column
    return found
