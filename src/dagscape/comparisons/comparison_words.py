"""What differs between two results, in words: one screen."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from dagscape.learning.plan import NEAR_WITHIN
from dagscape.words import counted, difference, first_of, listed

if TYPE_CHECKING:
    from dagscape.comparisons.comparison import ResultComparison
    from dagscape.results import Result

NAMED = 5
"""Edges and families to name."""


def blocks_of(c: ResultComparison) -> dict[str, list[str]]:
    """Return what a person wants to know first, by title."""
    return {
        "First": [_result_words(c.first, 0, c)],
        "Second": [_result_words(c.second, 1, c)],
        "Answer": [answer(c), *_reasons(c)],
        "Why": [*why_words(c), *_settings_words(c)],
        "Edges": _edge_lines(c),
        "Changed": _probability_lines(c),
        "Families": _family_lines(c),
        "Rows": _row_lines(c),
    }


def answer(c: ResultComparison) -> str:
    """Say whether the two differ, and whether that matters."""
    same = "the networks are equivalent"
    differ = same if not c.graphs.shd else f"the networks differ in {counted(c.graphs.shd, 'edge')}"
    if c.matters is None:
        return f"{differ}; whether it matters is not known: {c.drift.why_not}"
    if c.same_rows:
        if c.matters:
            return f"{differ}, and the results differ in what matters"
        return f"{differ}; no difference matters" if c.graphs.shd else differ
    if c.matters:
        return f"{differ}, and the tables are of different distributions"
    chance = ", no more than those of two samples of one distribution may" if c.graphs.shd else ""
    return f"{differ}{chance}; the tables do not differ clearly"


def _reasons(c: ResultComparison) -> list[str]:
    """Say what the answer rests on."""
    lines = []
    for which, other, on in zip(("first", "second"), ("second", "first"), c.scores, strict=True):
        if on is None:
            continue
        table = "the table of both" if c.same_table else f"the table of the {which}"
        if math.isclose(on.own, on.other, abs_tol=1e-6):
            lines.append(f"on {table}, both networks score the same")
        elif on.loss >= 0:
            word = ": clearly worse" if on.loss > NEAR_WITHIN else ": hardly worse"
            lines.append(
                f"on {table}, the {other} network scores {difference(on.loss)} nats less"
                + (
                    word
                    if c.same_rows
                    else ""
                    if c.matters
                    else ", as one found on other rows does"
                )
            )
        else:
            lines.append(f"on {table}, the {other} network scores {difference(-on.loss)} more")
        if c.same_table and str(c.first.score_kind) == str(c.second.score_kind):
            break
    if c.drift.variables:
        named = first_of(c.drift.variables, NAMED)
        many = counted(len(c.drift.variables), "variable")
        does = "follows" if len(c.drift.variables) == 1 else "follow"
        lines.append(
            f"{many} {does} from {'its' if len(c.drift.variables) == 1 else 'their'} parents "
            f"otherwise in the second table: {named}"
        )
    return lines


def why_words(c: ResultComparison) -> list[str]:
    """Say what may have changed the network: other rows, or another distribution."""
    if c.same_table or not (c.graphs.shd or c.drift.variables):
        return []
    if c.drift.why_not:
        return [f"not known: {c.drift.why_not}"]
    if c.drift.variables:
        return ["the rows of the second table are of another distribution"]
    one, other = (None if on is None else on.rows for on in c.scores)
    if one is None or other is None or one == other:
        return ["other rows of what may well be the same distribution"]
    more = "more" if other > one else "fewer"
    return [f"{more} rows ({one:,}, then {other:,}), of what may well be the same distribution"]


def _settings_words(c: ResultComparison) -> list[str]:
    """Say where the networks were not found by the same score."""
    kinds = [str(result.score_kind) for result in (c.first, c.second)]
    return [] if kinds[0] == kinds[1] else [f"other scores: {kinds[0]}, then {kinds[1]}"]


def _result_words(result: Result, place: int, c: ResultComparison) -> str:
    on = c.scores[place]
    rows = "" if on is None else f"{counted(on.rows, 'row')}, "
    return (
        f"{rows}{counted(len(result.dag.arcs), 'arc')}; {result.score_name} "
        f"{result.score:,.4f}; {result.claim}"
    )


def _edge_lines(c: ResultComparison) -> list[str]:
    rows = c.edge_rows
    groups = {
        "only in the first": [f"{row.first}" for row in rows if row.first and not row.second],
        "only in the second": [f"{row.second}" for row in rows if row.second and not row.first],
        "otherwise": [
            f"{row.first} became {row.second}"
            for row in rows
            if row.first and row.second and row.first != row.second
        ],
    }
    return [f"{title}: {first_of(some, NAMED)}" for title, some in groups.items() if some]


def _probability_lines(c: ResultComparison) -> list[str]:
    rows = [row for row in c.edge_rows if row.matters]
    if not rows:
        return []
    said = [
        f"{row.a} - {row.b} ({row.probability_first:.2f}, then {row.probability_second:.2f})"
        for row in rows
    ]
    return [f"likely in one and not in the other: {first_of(said, NAMED)}"]


def _family_lines(c: ResultComparison) -> list[str]:
    lines = []
    for row in c.family_rows[:NAMED]:
        losses = {"first": row.loss_first, "second": row.loss_second}
        told = [
            f"{_loses(loss)} on the {which} table" for which, loss in losses.items()
            if loss is not None
        ]  # fmt: skip
        what = f": the other's parents {listed(told)}" if told else ""
        lines.append(
            f"{row.variable} has {_named(row.first)} in the first, {_named(row.second)} in the "
            f"second{what}"
        )
    more = len(c.family_rows) - NAMED
    return [*lines, f"and {more:,} more"] if more > 0 else lines


def _loses(loss: float) -> str:
    return f"lose {difference(loss)}" if loss >= 0 else f"gain {difference(-loss)}"


def _named(parents: tuple[str, ...]) -> str:
    return listed(parents) if parents else "no parents"


def _row_lines(c: ResultComparison) -> list[str]:
    drift = c.drift
    if drift.why_not:
        lines = [] if c.same_table else [f"the tables were not compared: {drift.why_not}"]
    else:
        what = "its other rows" if drift.grew else "its rows"
        grew = "the second table begins with the rows of the first; " if drift.grew else ""
        least = drift.rows[0]
        lines = [
            f"{grew}{what} ({drift.new_rows:,}) were compared with those of the first, each "
            f"variable given its parents in either network: "
            + (
                f"{sum(row.drifted for row in drift.rows):,} of {len(drift.rows):,} differ (at "
                f"{c.level:g}, corrected for their number)"
                if drift.variables
                else f"none differs clearly; the least probable is {least.variable} "
                f"(p {least.p_adjusted:.2g})"
            )
        ]
    if c.loss is not None and not c.same_table:
        lines.append(
            f"a row costs the first network {c.loss.new:.4f} nats in the second table, "
            f"{c.loss.own:.4f} in its own, and {c.loss.fresh:.4f} ± {c.loss.spread:.4f} if drawn "
            "from it"
        )
    return lines
