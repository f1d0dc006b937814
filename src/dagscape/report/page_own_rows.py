"""What experiments saw where they set a variable, for answers on the page to be shown beside."""

from __future__ import annotations

import math
from typing import Any

import dagscape as ds
from dagscape.networks.own_rows import own_rows

MOST_NUMBERS = 60_000
"""The most shares and ends of intervals that the page is given: about half a megabyte."""


def own_rows_of(dag: ds.Dag, data: ds.Data | None) -> list[dict[str, Any]]:
    """Return each value that an experiment set one variable to, with what was seen of the others.

    By the numbers of variables: ``node`` was set to ``value``, the code of a state or a number, in
    ``rows`` rows of ``experiment``; of each outcome the share of each state or the mean, with 95 %
    intervals. Empty where rows come from no experiments, and of too many variables.
    """
    done = None if data is None else data.rows.interventions
    if data is None or done is None:
        return []
    causes = [x for x in dag.names if any(x in each for each in done.targets)]
    states = {x: max(1, len(data.states[x])) for x in dag.names}
    if 3 * sum(states.values()) * sum(states[x] for x in causes) > MOST_NUMBERS:
        return []
    found: dict[tuple[str, str, str], dict[str, Any]] = {}
    for cause in causes:
        for number, outcome in enumerate(dag.names):
            if outcome == cause:
                continue
            for each in own_rows(data, cause, outcome):
                if not each.state or each.also:
                    continue
                labels = data.states[cause]
                value = labels.index(each.state) if labels else float(each.state)
                about = {"node": dag.names.index(cause), "value": value, "rows": each.rows}
                key = cause, each.state, each.experiment
                told = found.setdefault(
                    key, about | {"experiment": each.experiment, "outcomes": {}}
                )
                told["outcomes"][str(number)] = [
                    [float(f"{end:.4g}") if math.isfinite(end) else None for end in ends]
                    for ends in each.outcomes
                ]
    return list(found.values())
