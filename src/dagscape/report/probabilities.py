"""The page of a posterior: how probable edges and networks are, in one file without scripts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from importlib.resources import files

import dagscape as ds
from dagscape.posteriors import Agreement, AnyConsensus, PairChoice
from dagscape.report.claims import prior_words
from dagscape.report.drawing import Drawing, drawn_pairs
from dagscape.report.page_pairs import BACK, FORTH, NONE, UNDIRECTED, Edges, Pair, edges_of
from dagscape.report.page_tables import notes_of
from dagscape.report.small_picture import svg
from dagscape.words import counted, duration

LEAST = 0.01
"""Pairs that are joined with less probability are not listed."""
MOST_PAIRS = 5000
MOST_DRAWN = 150
"""Variables of a graph that is still drawn."""
CLASSES = 20
"""Of the most probable classes, so many are listed."""
MOST_CHANGES = 12
PROBABLE = 0.5
"""A pair that is joined as probably, and not in the nearest network, calls for a reason."""
MOST_REASONS = 20

Row = Sequence[str]


def posterior_page(
    posterior: ds.Posterior, *, truth: ds.Cpdag | None = None, title: str | None = None
) -> str:
    """Return the page as HTML; :meth:`dagscape.Posterior.report` says what it shows."""
    names = posterior.names
    consensus = posterior.consensus()
    own = edges_of(consensus, names)
    true = None if truth is None else edges_of(truth, names)
    pairs = _pairs(posterior, own)
    heading = title or f"How probable edges are: {counted(len(names), 'variable')}"
    style = (files("dagscape.report") / "assets" / "report.css").read_text("utf-8")
    parts = [
        f"<h1>{escape(heading)}</h1>",
        f'<p class="lead">{escape(_sentence(posterior.claim))}</p>',
        f'<p class="note">{escape(_reading(posterior))}</p>',
        _section("The network nearest to all", _nearest(posterior, consensus, pairs)),
        _section(
            "Pairs of variables",
            _pairs_table(posterior, own, true) + _left_out(posterior, consensus),
        ),
        _section("The most probable classes of networks", _classes_table(posterior, own)),
        _section("How this was made", _settings(posterior) + _notes(posterior)),
    ]
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; '
        "style-src 'unsafe-inline'; img-src data:\">\n"
        f'<link rel="icon" href="data:,">\n<title>{escape(heading)}</title>\n'
        f"<style>\n{style}</style>\n</head>\n<body>\n{chr(10).join(parts)}\n"
        f"<footer>dagscape {escape(ds.__version__)}</footer>\n</body>\n</html>\n"
    )


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


def _nearest(posterior: ds.Posterior, consensus: AnyConsensus, pairs: list[Pair]) -> str:
    away = f"{consensus.expected_shd:.2f}"
    bound = (
        "no class is nearer"
        if consensus.optimal
        else f"no class can be nearer than {consensus.bound:.2f}"
    )
    words = (
        f"The class of networks with the least mean distance to all that was found: {away} edges, "
        f"weighed by their probabilities; {bound}. The thicker a line, the more probable its edge."
    )
    picture: Drawing | None = None
    if len(posterior.names) <= MOST_DRAWN:
        picture = drawn_pairs(consensus.to_dag(), pairs, _as_found)
    shown = "" if picture is None else f'<div class="scroll">{svg(picture)}</div>'
    return f'<p class="note">{escape(words)}</p>{shown}'


def _as_found(pair: Pair) -> tuple[int, float | None, str]:
    shares = pair.shares or (0.0, 0.0, 0.0)
    return pair.found, shares[pair.found - 1], "same"


def _pairs_table(posterior: ds.Posterior, own: Edges, true: Edges | None) -> str:
    number = {name: i for i, name in enumerate(posterior.names)}
    found = posterior.features("adjacencies", least=LEAST).head(MOST_PAIRS)
    rows: list[Row] = []
    for row in found.iter_rows(named=True):
        a, b = row["from"], row["to"]
        pair = min(number[a], number[b]), max(number[a], number[b])
        names = posterior.names[pair[0]], posterior.names[pair[1]]
        direction = row["direction"]
        start, end = (a, b) if direction is None or direction >= 0.5 else (b, a)
        way = "" if direction is None else f"{max(direction, 1 - direction):.3f}"
        numbers = [f"{row[key]:.3f}" for key in ("probability", "lower", "upper")]
        edges = [own] if true is None else [own, true]
        kinds = [_edge_words(*names, some.get(pair, NONE)) for some in edges]
        rows.append([start, end, *numbers, way, *kinds])
    head = ["from", "to", "joined", "lower", "upper", "this way, if joined", "nearest network"]
    if true is not None:
        head.append("true network")
    words = (
        "Joined: the probability of an arc between the two, either way. This way: how probable the "
        "arc from the first to the second is, given that there is one. Pairs that are joined with "
        f"a probability of less than {LEAST:g} are not listed. An arc is a cause only if nothing "
        "unobserved influences both, and rows were not selected by what the two cause."
    )
    return f'<p class="note">{escape(words)}</p>{_table(head, rows, range(2, 6))}'


def _left_out(posterior: ds.Posterior, consensus: AnyConsensus) -> str:
    """Say why the nearest network lacks pairs that are joined more probably than not."""
    rows = posterior.features("adjacencies", least=PROBABLE, frame="dict")
    pairs = zip(rows["from"], rows["to"], strict=True)
    missing = [(a, b) for a, b in pairs if b not in consensus.neighbors(a)]
    choices = posterior.pair_choices(consensus, missing)
    if not choices:
        return ""
    more = len(choices) - MOST_REASONS
    items = [f"<li>{escape(_reason(choice))}</li>" for choice in choices[:MOST_REASONS]]
    rest = f"<li>and {more:,} more</li>" if more > 0 else ""
    return (
        '<details class="reading"><summary>Why probable edges are not in the nearest network'
        f"</summary><ul>{''.join(items)}{rest}</ul></details>"
    )


def _reason(choice: PairChoice) -> str:
    a, b = choice.a, choice.b
    names = {"forth": f"{a} → {b}", "back": f"{b} → {a}", "undirected": "without a direction"}
    if choice.reason == "fit":
        return (
            f"{a} – {b}: {names[choice.likeliest]} ({choice.of(choice.likeliest):.2f}) is more "
            f"probable than no edge ({choice.absent:.2f}), but all edges must fit together in one "
            "graph, and no nearer one was found."
        )
    if choice.absent >= PROBABLE:
        return f"{a} – {b}: no edge is as probable as an edge ({choice.absent:.2f})."
    ways = sorted(names, key=choice.of, reverse=True)
    less = ", ".join(f"{names[way]} {choice.of(way):.2f}" for way in ways)
    return (
        f"{a} – {b}: an edge is more probable than none, but no single way to draw it is: no edge "
        f"{choice.absent:.2f}; {less}."
    )


def _classes_table(posterior: ds.Posterior, own: Edges) -> str:
    names, rows = posterior.names, []
    for place, each in enumerate(posterior.networks(CLASSES), 1):
        edges = edges_of(each.cpdag, names)
        changes = [
            _change(names[a], names[b], own.get((a, b), NONE), edges.get((a, b), NONE))
            for a, b in sorted({*own, *edges})
            if own.get((a, b)) != edges.get((a, b))
        ]
        shown = "; ".join(changes[:MOST_CHANGES])
        if len(changes) > MOST_CHANGES:
            shown += f"; and {len(changes) - MOST_CHANGES:,} more"
        numbers = [f"{p:.4g}" for p in (each.probability, each.lower, each.upper)]
        proven = "yes" if each.proven else "no"
        score = "" if each.score is None else f"{each.score:.2f}"
        rows.append([str(place), *numbers, proven, score, shown or "the same"])
    head = ["#", "probability", "lower", "upper", "rank proven", "score + ln prior"]
    head.append("beside the nearest network")
    words = (
        "The rows cannot tell equivalent networks apart, so classes are listed. "
        "A rank is proven if no missing class can come before it."
    )
    return f'<p class="note">{escape(words)}</p>{_table(head, rows, range(6))}'


def _edge_words(a: str, b: str, kind: int) -> str:
    return {NONE: "no edge", FORTH: f"{a} → {b}", BACK: f"{b} → {a}", UNDIRECTED: f"{a} – {b}"}[
        kind
    ]


def _change(a: str, b: str, before: int, now: int) -> str:
    if before == NONE:
        return f"with {_edge_words(a, b, now)}"
    if now == NONE:
        return f"without {_edge_words(a, b, before)}"
    return f"{_edge_words(a, b, now)} for {_edge_words(a, b, before)}"


def _chains(agreement: Agreement | None) -> str:
    if agreement is None:
        return ""
    starts = ", ".join(
        f"{agreement.starts.count(kind)} {kind}" for kind in sorted(set(agreement.starts))
    )
    differ = "; ".join(
        f"{a} -> {b} from {low:.2f} to {high:.2f}" for a, b, low, high in agreement.arcs
    )
    return f"{agreement.chains} (starts: {starts}). They differ most in {differ or 'nothing'}"


def _settings(posterior: ds.Posterior) -> str:
    evidence = posterior.log_evidence
    facts = {
        "score": posterior.score_name,
        "prior": prior_words(posterior.score_kind) or str(posterior.prior),
        "networks": str(posterior.scope),
        "ln evidence": "" if evidence is None else f"{evidence:,.4f}",
        "resamples": f"{posterior.resamples:,}" if posterior.resamples else "",
        "chains": _chains(posterior.agreement),
        "variables summed over together": ", ".join(map(str, posterior.components)),
        "left out, at most": f"{posterior.dropped:.2g} of the rest" if posterior.dropped else "",
        "seed": str(posterior.seed),
        "took": duration(posterior.seconds),
        "stopped by": posterior.stopped or "",
    }
    items = (
        f"<dt>{escape(name)}</dt><dd>{escape(said)}</dd>" for name, said in facts.items() if said
    )
    return f'<dl class="settings">{"".join(items)}</dl>'


def _notes(posterior: ds.Posterior) -> str:
    said = [f"<li>{escape(note['words'])}</li>" for note in notes_of(posterior.notes)]
    return f"<h3>The table</h3><ul>{''.join(said)}</ul>" if said else ""


def _section(title: str, content: str) -> str:
    return f"<section>\n<h2>{escape(title)}</h2>\n{content}\n</section>"


def _table(head: Row, rows: Iterable[Row], numbers: range) -> str:
    def line(cells: Row, tag: str) -> str:
        kinds = ("number" if at in numbers else "name" for at in range(len(cells)))
        made = (
            f'<{tag} class="{kind}">{escape(cell)}</{tag}>'
            for kind, cell in zip(kinds, cells, strict=True)
        )
        return f"<tr>{''.join(made)}</tr>"

    body = "\n".join(line(row, "td") for row in rows)
    return (
        f'<div class="scroll"><table><thead>{line(head, "th")}</thead>\n'
        f"<tbody>{body}</tbody></table></div>"
    )


def _sentence(words: str) -> str:
    return f"{words[0].upper()}{words[1:]}."
