"""The page of a posterior: that of what learn finds, about the graph of least expected error."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import dagscape as ds
from dagscape.learning import LearnResult
from dagscape.posteriors import Agreement, AnyConsensus
from dagscape.report.claims import prior_words
from dagscape.report.content import content
from dagscape.report.drawing import Drawing, drawn_pairs
from dagscape.report.methods import methods_of
from dagscape.report.page_pairs import (
    BACK,
    FORTH,
    NONE,
    UNDIRECTED,
    Edges,
    Pair,
    changes_between,
    edges_of,
)
from dagscape.report.report import page
from dagscape.report.sections import Section
from dagscape.words import counted

CLASSES = 20
"""Of the most probable classes, so many are listed."""
MOST_CHANGES = 12
METHOD = "the graph of least expected error"


def posterior_page(
    posterior: ds.Posterior,
    *,
    truth: ds.Cpdag | None = None,
    title: str | None = None,
    origin: Mapping[str, str] | None = None,
) -> str:
    """Return the page as HTML; :meth:`dagscape.Posterior.report` says what it shows."""
    consensus = posterior.consensus()
    result = _as_result(posterior, consensus)
    shown = content(
        result,
        data=posterior.data,
        truth=truth,
        title=title or f"How probable edges are: {counted(len(posterior.names), 'variable')}",
        sections=[_section(posterior, consensus)],
        origin=origin,
    )
    near = _nearest(consensus)
    shown["result"] |= {"proof": near, "claim": posterior.claim, "scope": ""}
    shown["nearest_drawn"] = True
    if not _scored(posterior):
        shown["result"] |= {"score": None, "score_words": "score: not known without the table"}
    shown["methods"] = methods_of(result, posterior.data, near)
    return page(shown)


def _as_result(posterior: ds.Posterior, consensus: AnyConsensus) -> LearnResult:
    """Return a member of that graph's class as a network that was found, with the probabilities."""
    data, kind = posterior.data, posterior.score_kind
    dag = consensus.to_dag()
    return LearnResult(
        dag=dag,
        score=ds.score(data, dag, score=kind) if data is not None and _scored(posterior) else 0.0,
        score_name=posterior.score_name,
        score_kind=kind,
        method=METHOD,
        scope=posterior.scope,
        seconds=posterior.seconds,
        seed=posterior.seed,
        stopped=posterior.stopped,
        notes=posterior.notes,
        data=data,
        posterior=posterior,
        consensus=consensus,
    )


def _scored(posterior: ds.Posterior) -> bool:
    """Tell whether the score of a network is known: where there is a table without gaps."""
    return posterior.data is not None and not posterior.data.missing


def _nearest(consensus: AnyConsensus) -> str:
    away = f"{consensus.expected_shd:.2f}"
    bound = (
        "no class is nearer"
        if consensus.optimal
        else f"no class can be nearer than {consensus.bound:.2f}"
    )
    return (
        "It is the class of networks with the least mean distance to all that was found: "
        f"{away} edges, weighed by their probabilities; {bound}."
    )


def _section(posterior: ds.Posterior, consensus: AnyConsensus) -> Section:
    """Return what the numbers are, how they were made, and the most probable classes."""
    made = [f"{name}: {said}." for name, said in _settings(posterior).items() if said]
    lines = {"What they are": [_sentence(posterior.claim), _reading(posterior)], "How": made}
    return Section(
        "Probabilities", lines, {"The most probable classes": _classes(posterior, consensus)}
    )


def _reading(posterior: ds.Posterior) -> str:
    if posterior.resamples:
        tables = counted(posterior.resamples, "table")
        return (
            f"Each number is the mean over {tables} drawn from the rows with replacement; between "
            "lower and upper lie 95 % of them."
        )
    if posterior.agreement is not None:
        drawn = (
            "Missing cells were drawn again in every round, by their probability in the current "
            "network; this holds if cells are missing at random. "
        )
        return (drawn if posterior.agreement.completed else "") + (
            "Each number is the mean over chains of networks. Lower and upper come from how far "
            "chains differ: they hold the truth 19 times in 20, if chains met all that matters."
        )
    if posterior.dropped:
        return "Lower and upper hold what networks that were left out of the sums might change."
    return (
        "These probabilities hold if the table was drawn from such a prior. On real tables they "
        "tend to be too sure; the mean over resampled tables (resamples=50) is nearer to the truth."
    )


def _classes(
    posterior: ds.Posterior, consensus: AnyConsensus
) -> tuple[Sequence[str], Sequence[Sequence[Any]]]:
    """Return a table: the rows of data cannot tell equivalent networks apart, so classes stand."""
    names = posterior.names
    own = edges_of(consensus, names)
    rows = []
    for place, each in enumerate(posterior.networks(CLASSES), 1):
        proven = "yes" if each.proven else "no"
        numbers = [each.probability, each.lower, each.upper]
        changes = _changes(names, own, edges_of(each.cpdag, names))
        rows.append([place, *numbers, proven, each.score, changes or "the same"])
    head = ["#", "probability", "lower", "upper", "rank proven", "score + ln prior"]
    return [*head, "beside the graph above"], rows


def _changes(names: Sequence[str], own: Edges, edges: Edges) -> str:
    between = changes_between(own, edges)
    changes = [_change(names[a], names[b], before, now) for a, b, before, now in between]
    more = len(changes) - MOST_CHANGES
    return "; ".join(changes[:MOST_CHANGES]) + (f"; and {more:,} more" if more > 0 else "")


def _edge_words(a: str, b: str, kind: int) -> str:
    return {FORTH: f"{a} → {b}", BACK: f"{b} → {a}", UNDIRECTED: f"{a} – {b}"}[kind]


def _change(a: str, b: str, before: int, now: int) -> str:
    if before == NONE:
        return f"with {_edge_words(a, b, now)}"
    if now == NONE:
        return f"without {_edge_words(a, b, before)}"
    return f"{_edge_words(a, b, now)} for {_edge_words(a, b, before)}"


def _settings(posterior: ds.Posterior) -> dict[str, str]:
    evidence = posterior.log_evidence
    return {
        "score": posterior.score_name,
        "prior": prior_words(posterior.score_kind) or str(posterior.prior),
        "networks": str(posterior.scope),
        "ln evidence": "" if evidence is None else f"{evidence:,.4f}",
        "resamples": f"{posterior.resamples:,}" if posterior.resamples else "",
        "chains": _chains(posterior.agreement),
        "variables summed over together": ", ".join(map(str, posterior.components)),
        "left out, at most": f"{posterior.dropped:.2g} of the rest" if posterior.dropped else "",
    }


def _chains(agreement: Agreement | None) -> str:
    if agreement is None:
        return ""
    starts = ", ".join(
        f"{agreement.starts.count(kind)} {kind}" for kind in sorted(set(agreement.starts))
    )
    differ = "; ".join(
        f"{a} → {b} from {low:.2f} to {high:.2f}" for a, b, low, high in agreement.arcs
    )
    return f"{agreement.chains} (starts: {starts}). They differ most in {differ or 'nothing'}"


def _sentence(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}{'' if words.endswith('.') else '.'}"


# The picture in a notebook.


def consensus_drawing(posterior: ds.Posterior, consensus: AnyConsensus) -> Drawing:
    """Draw the consensus, with lines as thick as edges are probable."""
    pairs = _pairs(posterior, edges_of(consensus, posterior.names))
    return drawn_pairs(consensus.to_dag(), pairs, _as_found)


def _pairs(posterior: ds.Posterior, own: Edges) -> list[Pair]:
    """Return the pairs of the consensus with how probable their edges are, each kind by itself."""
    number = {name: i for i, name in enumerate(posterior.names)}
    shares = {pair: [0.0, 0.0, 0.0] for pair in own}
    rows = posterior.features("edges", frame="dict")
    for one, other, kind, p in zip(
        rows["from"], rows["to"], rows["kind"], rows["probability"], strict=True
    ):
        a, b = number[one], number[other]
        pair = min(a, b), max(a, b)
        if pair in shares:
            shares[pair][2 if kind == "undirected" else int(a > b)] = p
    return [
        Pair(a, b, (some[0], some[1], some[2]), own[a, b], drawn=own[a, b])
        for (a, b), some in sorted(shares.items())
    ]


def _as_found(pair: Pair) -> tuple[int, float | None, str]:
    shares = pair.shares or (0.0, 0.0, 0.0)
    return pair.found, shares[pair.found - 1], "same"
