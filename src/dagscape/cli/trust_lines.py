"""How far to trust what was learned, in a few lines of a terminal."""

from collections.abc import Sequence
from itertools import pairwise
from operator import attrgetter

import dagscape as ds
from dagscape.learning import TRUST_LEVELS, Chance, LearnedEdge, LearnResult
from dagscape.posteriors import PairChoice
from dagscape.speech import choice
from dagscape.words import counted, first_of

NAMED = 5
"""Edges to name."""
CROSSING = 3
"""Edges to name that other choices take across one half, either way."""

SHOWN_MISFITS = 3
"""Misfits to tell."""

EVEN = 0.5
"""What is less probable is more probably no edge."""

NEAR_CERTAIN, LIKELY, OPEN = TRUST_LEVELS.values()


def edge_lines(learned: LearnResult) -> list[str]:
    """Say how many edges are near certain, likely and open, and by what that is told."""
    edges = learned.edges
    if learned.posterior is None:
        return _by_stability(learned, edges)
    shown = _structured(edges) or not learned.rows_independent
    lines = [_counts(edges) if shown else _nothing(edges, "most probable")]
    lines += [*_lowered(learned, edges), *_directions(edges), *_by_other_choices(learned, edges)]
    if learned.chance is not None:
        lines.append(_chance(learned.chance))
    return [*lines, _told_by(learned.posterior)]


def _structured(edges: Sequence[LearnedEdge]) -> bool:
    return any(edge.verdict in ("near certain", "likely") for edge in edges)


def _nothing(edges: Sequence[LearnedEdge], best: str) -> str:
    highest = max((edge.share or 0.0 for edge in edges), default=0.0)
    return f"no structure found: no edge is likely; the {best} has {highest:.2f}"


def _lowered(learned: LearnResult, edges: Sequence[LearnedEdge]) -> list[str]:
    """Say how many edges have a number higher than their word, and why."""
    lines = []
    words = list(TRUST_LEVELS)
    for above, word in pairwise(words):
        for reason in sorted({edge.reason for edge in edges if edge.reason}):
            many = sum((edge.verdict, edge.reason) == (word, reason) for edge in edges)
            if many:
                which = "1 edge reaches" if many == 1 else f"{many:,} edges reach"
                called = f"{'is' if many == 1 else 'are'} called {word}"
                why = learned.reason_words(reason)
                lines.append(f"{which} {TRUST_LEVELS[above]:g} and {called}: {why}")
    return lines


def _told_by(posterior: ds.Posterior) -> str:
    """Say what the probabilities are, with score, prior and error."""
    if posterior.resamples:
        way = f"the mean of {counted(posterior.resamples, 'resampled table')}"
        way = way if posterior.plain is None else f"half the table's own, half {way}"
    elif posterior.agreement is not None:
        error = posterior.agreement.error
        drawn = " with drawn cells" if posterior.agreement.completed else ""
        way = f"{counted(posterior.agreement.chains, 'chain')}{drawn}, within {error:.2g}"
    else:
        way = "exact sums"
    return (
        f"probabilities: {way}, {posterior.score_name}, prior {posterior.prior}, {posterior.scope}"
    )


def _counts(edges: Sequence[LearnedEdge]) -> str:
    words = [
        f"{sum(edge.verdict == word for edge in edges):,} {word} (from {least:g})"
        for word, least in TRUST_LEVELS.items()
    ]
    weak = sum(edge.verdict == "unlikely" for edge in edges if edge.in_network)
    own = f"; {weak:,} of the network's own {'is' if weak == 1 else 'are'} unlikely" if weak else ""
    return f"{', '.join(words)}{own}"


def _directions(edges: Sequence[LearnedEdge]) -> list[str]:
    """Say how many edges that are there have a direction that nobody can tell."""
    sure = [edge for edge in edges if edge.verdict in ("near certain", "likely")]
    free = sum(edge.in_network == "undirected" for edge in sure)
    if not free:
        return []
    have = "has" if free == 1 else "have"
    return [
        f"of those near certain or likely, {free:,} {have} no direction: equivalent networks leave "
        "it open, and no number of rows settles it"
    ]


def _by_other_choices(learned: LearnResult, edges: Sequence[LearnedEdge]) -> list[str]:
    """Say which edges other sensible choices make less probable than none, or more."""
    if learned.sensitivity is None:
        return []
    choices = " | ".join(map(str, learned.sensitivity.variations))
    moved = []
    for word, own, other in (("below", "probability", "least"), ("above", "most", "probability")):
        high, low = attrgetter(own), attrgetter(other)
        crossing = [e for e in edges if (high(e) or 0.0) >= EVEN > (low(e) or 0.0)]
        if crossing:
            there = low if word == "below" else high
            named = [f"{edge_words(edge)} ({there(edge):.2f})" for edge in crossing]
            goes = "goes" if len(named) == 1 else "go"
            edges_ = counted(len(named), "edge")
            moved.append(f"{edges_} {goes} {word} one half: {first_of(named, CROSSING)}")
    said = "; ".join(moved) or "no edge crosses one half"
    return [f"by other sensible choices ({choices}): {said}"]


def _by_stability(learned: LearnResult, edges: Sequence[LearnedEdge]) -> list[str]:
    if learned.data is not None and learned.data.missing:
        return ["no probabilities: cells are missing"]
    why = [step.reason for step in learned.steps if step.name == "probabilities" and step.skipped]
    first = f"no probabilities: {why[-1]}" if why else "no probabilities"
    if learned.stability is None:
        why = [step.reason for step in learned.steps if step.name == "stability" and step.skipped]
        return [first, f"no stability: {why[-1]}"] if why else [first]
    samples = counted(learned.stability.runs, "resampled table")
    how = f"by stability, the share of {samples} ({learned.stability.method})"
    shown = _structured(edges) or not learned.rows_independent
    said = _counts(edges) if shown else _nothing(edges, "most stable")
    return [first, f"{how}: {said}", *_lowered(learned, edges)]


def _chance(chance: Chance) -> str:
    """Say how many edges reach each probability where there is none."""
    levels = [f"{chance.at(level):.2g} reach {level:g}" for level in (OPEN, LIKELY, NEAR_CERTAIN)]
    return (
        f"by chance, on average over {counted(chance.tables, 'table')} with shuffled columns: "
        f"{', '.join(levels)}; the highest is {chance.most:.2f}"
    )


def open_lines(learned: LearnResult) -> list[str]:
    """Name the most open questions, with what would settle each."""
    if learned.posterior is None:
        return []
    unsure = [edge for edge in learned.edges if edge.verdict == "open"]
    if not unsure:
        return ["no edge is open"]
    unsure.sort(key=lambda edge: (abs((edge.probability or 0.0) - 0.5), edge.a, edge.b))
    words = [f"{edge_words(edge)}{_settled(learned, edge)}" for edge in unsure[:NAMED]]
    more = len(unsure) - NAMED
    return [f"{'; '.join(words)}{f'; and {more:,} more' if more > 0 else ''}"]


def _settled(learned: LearnResult, edge: LearnedEdge) -> str:
    """Say why an edge is open, or what would settle it."""
    if edge.reason:
        return f" ({learned.reason_words(edge.reason)})"
    if not (learned.rows_foretold and learned.rows_independent):
        return ""  # nobody foretells that
    return f" ({learned.rows_to_settle(edge.a, edge.b)})"


def edge_words(edge: LearnedEdge) -> str:
    """Return an edge with its probability."""
    mark = {"directed": "->", "undirected": "-", "": "?"}[edge.in_network or edge.in_consensus]
    return f"{edge.a} {mark} {edge.b} {edge.probability or 0.0:.2f}"


def shape_lines(learned: LearnResult) -> list[str]:
    """Name relations between numbers that are clearly no lines, and the score that sees them."""
    bent = learned.not_linear
    if not bent:
        return []
    named = [f"{one.child} by {one.parent}{'' if one.joined else ' (not joined)'}" for one in bent]
    said = first_of(named, NAMED)
    return [
        f"clearly not a line: {said}",
        f"{learned.score_name} treats relations between numbers as lines; "
        f"{choice('score', str(ds.BasisBIC()))} sees curves too",
    ]


def fit_lines(learned: LearnResult) -> list[str]:
    """Say which rows the network makes too many or too few of, and what would mend it."""
    fit = learned.fit
    if fit is None:
        return []
    if not fit.misfits:
        return [str(fit)]
    many = len(fit.misfits)
    stand = "stands" if many == 1 else "stand"
    named = [str(each) for each in fit.misfits[:SHOWN_MISFITS]]
    made = f"beside {counted(fit.tables, 'table')} of the network's own"
    lines = [f"of {fit.scope}, {many:,} {stand} out {made}:", *named]
    if many > SHOWN_MISFITS:
        lines.append(f"and {many - SHOWN_MISFITS:,} more, on the page and in run.json")
    return [*lines, *map(str, fit.mends), *([] if learned.rows_independent else [fit.caution])]


def nearest_lines(learned: LearnResult) -> list[str]:
    """Say where the graph of least expected error differs from the network."""
    if learned.consensus is None:
        return []
    different = learned.differences
    why = why_otherwise(learned.consensus_choices)
    if not different:
        return ["the network is also the graph of least expected error", *why]
    parts = {
        "without": [e for e in different if e.in_network and not e.in_consensus],
        "with": [e for e in different if e.in_consensus and not e.in_network],
        "directed differently": [e for e in different if e.in_network and e.in_consensus],
    }
    words = []
    for word, edges in parts.items():
        if edges:
            named = ", ".join(edge_words(edge) for edge in edges[:NAMED])
            more = f" and {len(edges) - NAMED:,} more" if len(edges) > NAMED else ""
            words.append(f"{word} {named}{more}")
    pairs = counted(len(different), "edge")
    return [f"the graph of least expected error differs in {pairs}: {'; '.join(words)}", *why]


def why_otherwise(choices: Sequence[PairChoice]) -> list[str]:
    """Say why that graph leaves out probable edges, and why it directs others differently."""
    left_out = [each for each in choices if each.chosen == "absent"]
    more = len(left_out) - NAMED
    lines = [
        *map(_left_out, left_out[:NAMED]),
        *([f"and {more:,} more are left out; the page says why"] if more > 0 else []),
    ]
    added = [each for each in choices if each.chosen != "absent" and each.absent > 0.5]
    if added:
        which = ", ".join(f"{each.a} - {each.b} {1 - each.absent:.2f}" for each in added[:NAMED])
        more = len(added) - NAMED
        which += f" and {more:,} more" if more > 0 else ""
        why = "though no edge is more probable: all edges must fit together"
        lines.append(f"it has {which}, {why}")
    turned = [each.reason for each in choices if each.chosen != "absent" and each not in added]
    if not turned:
        return lines
    ways = {
        "likeliest": "in the most probable way",
        "knowledge": "by what you know",
        "fit": "so that all edges fit together",
    }
    counts = [f"{turned.count(why):,} {way}" for why, way in ways.items() if why in turned]
    return [*lines, f"directed differently: {', '.join(counts)}"]


def _left_out(choice: PairChoice) -> str:
    a, b = choice.a, choice.b
    names = {"forth": f"{a} -> {b}", "back": f"{b} -> {a}", "undirected": "undirected"}
    what = f"it leaves out {a} - {b}: "
    if choice.reason == "fit":
        likelier = f"{names[choice.likeliest]} {choice.of(choice.likeliest):.2f}"
        return (
            f"{what}{likelier} is more probable than no edge {choice.absent:.2f}, but no nearer "
            "graph with it was found"
        )
    if choice.absent >= 0.5:
        return f"{what}no edge is more probable, {choice.absent:.2f}"
    ways = sorted(names, key=choice.of, reverse=True)
    less = ", ".join(f"{names[way]} {choice.of(way):.2f}" for way in ways)
    return f"{what}no edge {choice.absent:.2f} is more probable than any way to draw it ({less})"


def search_lines(learned: LearnResult) -> list[str]:
    """Say how hard the search was."""
    landscape = learned.landscape
    if landscape is None:
        return []
    optima = len(landscape.optima)
    many = "1 local optimum" if optima == 1 else f"{optima:,} local optima"
    behind = learned.score - landscape.best.score
    best = "the best is the network" if behind < 1e-6 else f"the best scores {behind:,.2f} less"
    return [f"how hard it was: {counted(landscape.runs, 'greedy run')} ended at {many}; {best}"]


def few_rows_line(learned: LearnResult) -> list[str]:
    """Say where the network's tables have more cells than rows can fill."""
    data = learned.data
    if data is None:
        return []
    thin = []
    for name in learned.dag.names:
        cells = 1
        for each in (name, *learned.dag.parents(name)):
            cells *= data.arities.get(each, 1)  # a column of numbers has no states
        if data.n_rows < 5 * cells * len(data.by_group()):
            thin.append(name)
    if not thin:
        return []
    named = ", ".join(thin[:NAMED]) + (" and others" if len(thin) > NAMED else "")
    have = "1 variable has" if len(thin) == 1 else f"{len(thin):,} variables have"
    return [f"few rows: {have} fewer than 5 for each cell of the table in the network ({named})"]
