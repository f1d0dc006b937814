"""What an examination found, in words: one screen."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from dagscape.claims.verdicts import TRUST_LEVELS
from dagscape.examinations.implications import DEPENDENT_ROWS, FAILS, FEW_ROWS, STANDS, UNTESTED
from dagscape.graphs import Dag
from dagscape.learning.plan import NEAR_WITHIN
from dagscape.notes import sentences
from dagscape.speech import in_shell
from dagscape.words import counted, difference, first_of, listed, upwards

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dagscape.examinations.examination import Examination
    from dagscape.examinations.implications import Implication
    from dagscape.examinations.nearest import ArcStep
    from dagscape.examinations.relabelings import Relabelings
    from dagscape.graphs import Mpdag

NAMED = 5
"""Arcs, independences and families to name."""
RARE = 0.05
"""If a larger share of relabeled graphs does as well, the graph says little of the variables."""


def blocks_of(e: Examination) -> dict[str, list[str]]:
    """Return what a person wants to know first, by title."""
    return {
        "Graph": [f"{edges_words(e.graph)}; {e.best.score_name} {e.score:,.4f}"],
        "Answer": answers(e),
        "Best": [regret_words(e), *_bound_words(e), *_alike_words(e)],
        "Where": _family_lines(e),
        "Arcs": _arc_lines(e),
        "Implied": [*implied_lines(e.implication_rows, e.level), *_failed_lines(e)],
        "Names": name_lines(e.relabelings),
        "Nearest": _nearest_lines(e),
        "Table": [said.words for said in sentences(e.notes, in_shell) if said.loud],
    }


def answers(e: Examination) -> list[str]:
    """Say whether the table speaks against the graph, or cannot."""
    higher = e.regret > NEAR_WITHIN
    if e.failing:
        many = len(e.failing)
        fail = f"{counted(many, 'independence')} that it implies {'fails' if many == 1 else 'fail'}"
        more = ", and another network scores clearly higher" if higher else ""
        said = [f"the table speaks against the graph: {fail}{more}"]
    elif higher:
        said = [
            "no independence that the graph implies fails, but the table supports another network "
            "clearly more"
        ]
    else:
        said = ["nothing here speaks against the graph; that does not make it right"]
    names = e.relabelings
    if names is not None and names.others and (names.as_good or 0) > RARE * names.others:
        said.append("but it says little of these variables: see Names")
    if not e.learned.rows_independent:
        said.append("the rows seem to depend on each other; all of this takes them for independent")
    return said


def regret_words(e: Examination) -> str:
    """Say how far the graph is below the best, and what is proven of that one."""
    if not e.regret:
        if e.proven:
            return f"no network scores higher: {e.best.claim}"
        return "no network that was found scores higher"
    found = "the best network" if e.proven else "the best network that was found"
    return f"{difference(e.regret)} nats below {found} ({e.best.claim})"


def _alike_words(e: Examination) -> list[str]:
    """Say how far the graph is below networks with as many arcs, where that is another distance."""
    alike = e.as_many_arcs
    if alike is None or not e.regret:
        return []
    same = f"with as many arcs ({alike.arcs})"
    if not alike.most_regret:
        return [f"no network {same} scores higher: proven"]
    if alike.proven:
        return [f"{difference(alike.regret)} nats below the best network {same}: proven"]
    return [f"at most {upwards(alike.most_regret)} nats below any network {same}"]


def _bound_words(e: Examination) -> list[str]:
    if e.proven or e.most_regret is None:
        return []
    return [f"at most {upwards(e.most_regret)} nats below any of the {e.best.scope}"]


def edges_words(graph: Dag | Mpdag) -> str:
    """Say how large a graph is."""
    variables = counted(len(graph.names), "variable")
    if isinstance(graph, Dag):
        return f"{variables}, {counted(len(graph.arcs), 'arc')}"
    directed, lines = len(graph.directed), len(graph.undirected)
    return f"{variables}, {directed:,} directed and {lines:,} undirected edges"


def _family_lines(e: Examination) -> list[str]:
    def told(parents: tuple[str, ...]) -> str:
        return listed(parents) if parents else "none"

    rows = [row for row in e.family_rows if row.loss > 0][:NAMED]
    return [
        f"{row.variable} loses {difference(row.loss)}: its parents are {told(row.parents)}, "
        f"in the best network {told(row.best_parents)}"
        for row in rows
    ]


def _arc_lines(e: Examination) -> list[str]:
    drawn = [row for row in e.arc_rows if row.drawn]
    known = [row for row in drawn if row.verdict]
    lines = []
    if known:
        words = Counter(row.verdict for row in known)
        order = [*TRUST_LEVELS, "unlikely"]
        told = [f"{words[word]:,} {word}" for word in order if words[word]]
        lines.append(f"of {counted(len(known), 'drawn edge')}, {listed(told)}")
    weak = [f"{row.a} - {row.b} ({row.probability:.2f})" for row in known if _weak(row.probability)]
    if weak:
        lines.append(f"drawn but improbable: {first_of(weak, NAMED)}")
    turned = [
        f"{row.a} -> {row.b} ({1 - row.direction:.2f} the other way)"
        for row in known
        if row.drawn == "directed" and not _weak(row.probability) and row.direction is not None
        and row.direction < 1 - TRUST_LEVELS["likely"]
    ]  # fmt: skip
    if turned:
        lines.append(f"drawn the less probable way: {first_of(turned, NAMED)}")
    absent = [
        f"{row.a} - {row.b} ({row.probability:.2f})"
        for row in e.arc_rows
        if not row.drawn and row.verdict in ("near certain", "likely")
    ]
    if absent:
        lines.append(f"not drawn but probable: {first_of(absent, NAMED)}")
    free = sum(row.told_by_data is False for row in drawn)
    if free:
        are = "1 drawn direction is" if free == 1 else f"{free:,} drawn directions are"
        lines.append(f"{are} such that no table can tell: equivalent graphs have the other")
    return lines


def _weak(probability: float | None) -> bool:
    return probability is not None and probability < TRUST_LEVELS["open"]


def implied_lines(rows: Sequence[Implication], level: float) -> list[str]:
    """Say how the independences that a graph implies came out."""
    if not rows:
        return ["it implies no independence: all variables are joined"]
    words = Counter(row.verdict for row in rows)
    told = [f"{counted(len(rows), 'independence')} between variables that are not joined:"]
    one = Counter({word for word, times in words.items() if times == 1})
    said = {
        FAILS: f"fail{'s' * one[FAILS]} (at {level:g}, corrected for their number)",
        STANDS: f"stand{'s' * one[STANDS]}",
        FEW_ROWS: "with too few rows to see anything",
        DEPENDENT_ROWS: "not to be told, since rows seem to depend on each other",
        UNTESTED: "not tested, for want of time",
    }
    told.append(", ".join(f"{words[key]:,} {text}" for key, text in said.items() if words[key]))
    return [" ".join(told)]


def _failed_lines(e: Examination) -> list[str]:
    lines = [_failed(row) for row in e.failing[:NAMED]]
    if len(e.failing) > NAMED:
        lines.append(f"and {len(e.failing) - NAMED:,} more")
    return lines


def denied(row: Implication) -> str:
    """Say that an independence fails."""
    given = f" given {listed(row.given)}" if row.given else ""
    return f"{row.a} and {row.b} are not independent{given} (p {row.p_adjusted:.2g})"


def _failed(row: Implication) -> str:
    words = denied(row)
    if not row.change:
        return f"{words}; no single arc mends that"
    done = "adding" if row.change == "add" else "reversing to"
    gain = row.gain or 0.0
    way = "gains" if gain >= 0 else "loses"
    return f"{words}; {done} {row.start} -> {row.end} mends it and {way} {difference(abs(gain))}"


def name_lines(names: Relabelings | None) -> list[str]:
    """Say how many graphs of the same shape with other names do as well."""
    if names is None:
        return []
    if not names.others:
        return ["whatever the variables are called, the graph says the same"]
    which = "all" if names.all else "drawn at random"
    many = f"{counted(names.others, 'graph')} of the same shape with the names shuffled ({which})"
    lines = []
    if names.as_good is not None:
        score = "scores" if names.as_good == 1 else "score"
        lines.append(f"of {many}, {names.as_good:,} {score} as high")
    else:
        lines.append(f"compared with {many}")
    if names.tested:
        lines.append(
            f"one by one, {counted(names.failing or 0, 'independence')} of the graph "
            f"{'fails' if names.failing == 1 else 'fail'}; as few do for {names.as_few:,} of "
            f"{names.tested:,} with the names shuffled"
        )
    return lines


def _nearest_lines(e: Examination) -> list[str]:
    near = e.nearest
    if not near.distance:
        return []
    scope = "" if near.among is None or near.among.everything else f" of the {near.among}"
    how = "" if near.among is not None else " that was found"
    lines = [
        f"the nearest graph{scope}{how} within {NEAR_WITHIN:g} nats of the best differs in "
        f"{counted(near.distance, 'edge')}"
    ]
    if e.steps:
        lines.append(f"arc by arc: {'; '.join(_steps(e.steps))}")
    return lines


def _steps(steps: tuple[ArcStep, ...]) -> Iterator[str]:
    for step in steps[:NAMED]:
        yield (
            f"{step.change} {step.start} -> {step.end} (gains {difference(step.gain)}, then "
            f"{difference(step.regret)} below the best)"
        )
    if len(steps) > NAMED:
        yield f"and {len(steps) - NAMED:,} more changes"
