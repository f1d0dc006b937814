"""Answers prepared for a page that cannot compute them: what follows from each state by itself.

Where exact answers to all these questions take too long, they are estimated from cases drawn from
the network, and the page says from how many.
"""

from __future__ import annotations

import base64
import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

import dagscape as ds
from dagscape.networks import Distribution, NumberDistribution
from dagscape.networks.own_rows import own_rows

CELL = 8
"""Bytes of a probability."""
PAGE_CELLS = 200_000
"""The most cells of the tables in which a page computes its answers itself."""
MOST_STATES = 600
"""The most states of all variables together: two megabytes of answers."""
EXACT_CELLS = 4e8
"""The most cells to pass through for exact answers to all questions: some seconds."""
SEEN = 100_000
"""Cases drawn to see what goes with a state."""
FEWEST = 100
"""The fewest of them from which something is estimated."""
DONE = (500, 20_000)
"""The fewest and the most cases drawn in which a state is set."""
DRAWS = 3e7
"""About how many states to draw in all these cases."""
STEPS = 65_535
"""Probabilities are told in so many steps, two bytes each."""

Answers = npt.NDArray[np.float64]
"""A row for each state that is given, NaN if nothing is known; a column for each asked for."""


def prepared_for(
    variables: list[dict[str, Any]], network: ds.Network, names: tuple[str, ...]
) -> dict[str, Any] | None:
    """Return answers where the page, which has tables of these variables, cannot compute them."""
    if sum(len(network.states[x]) for x in names) > MOST_STATES:
        return None  # and what computing takes is not asked: with thousands that takes long itself
    complete = all("table" in about for about in variables)
    if complete and network.query_cost() <= CELL * PAGE_CELLS:
        return None
    return prepared_answers(network, names)


def prepared_answers(network: ds.Network, names: tuple[str, ...]) -> dict[str, Any] | None:
    """Return what follows from each state, states in the order of ``names``; None if too much.

    ``see`` and ``do`` hold the answers; ``cases`` says from how many drawn cases those of each
    state are estimated, None if all are exact; ``unknown`` lists the states that cannot be, or that
    were drawn too rarely to see what goes with them.
    """
    sizes = [len(network.states[x]) for x in names]
    if sum(sizes) > MOST_STATES:
        return None
    if _cells_of_all(network) <= EXACT_CELLS:
        before, see, do = _exact(network, names)
        cases = None
    else:
        before, see, do, cases = _estimated(network, names)
    return {
        "before": [float(f"{p:.6g}") for p in before],
        "see": _packed(see),
        "do": _packed(do),
        "unknown": np.flatnonzero(np.isnan(see[:, 0])).tolist(),
        "cases": cases,
    }


def _cells_of_all(network: ds.Network) -> float:
    """Return about how many cells exact answers to all questions pass through."""
    # Setting a state cuts arcs, which makes the tables smaller; observing it takes it out of them.
    seen = sum(
        len(states) * network.query_cost(given={x: states[0]})
        for x, states in network.states.items()
    )
    return 2 * seen / CELL


def _exact(network: ds.Network, names: tuple[str, ...]) -> tuple[Answers, Answers, Answers]:
    def all_of(answers: Mapping[str, Distribution | NumberDistribution]) -> Answers:
        tables = [answers[x] for x in names]
        return np.concatenate([each.array for each in tables if isinstance(each, Distribution)])

    before = all_of(network.query_all())
    see, do = [], []
    given = [(x, state) for x in names for state in network.states[x]]
    for (x, state), share in zip(given, before, strict=True):
        if share > 0:
            see.append(all_of(network.query_all({x: state})))
        else:
            see.append(np.full(len(before), np.nan))
        do.append(all_of(network.do({x: state}).query_all()))
    return before, np.array(see), np.array(do)


def _estimated(
    network: ds.Network, names: tuple[str, ...]
) -> tuple[Answers, Answers, Answers, dict[str, Any]]:
    counts = _together(network.sample(SEEN, seed=0), names)
    occurs = np.diagonal(counts)
    see = np.where(occurs >= FEWEST, counts.T / np.maximum(occurs, 1), np.nan).T
    before = occurs / SEEN
    done = int(np.clip(DRAWS / (len(names) * len(occurs)), *DONE))
    do = []
    for x in names:
        after = {*network.dag.descendants(x), x}
        changes = np.repeat([y in after for y in names], [len(network.states[y]) for y in names])
        for state in network.states[x]:
            cases = network.do({x: state}).sample(done, seed=1)  # the same chances for each
            do.append(np.where(changes, _shares(cases, names), before))
    return before, see, np.array(do), {"all": SEEN, "see": occurs.tolist(), "do": done}


def _together(cases: ds.Data, names: tuple[str, ...]) -> npt.NDArray[np.intp]:
    """Return in how many cases each state occurs together with each other one."""
    columns = [cases.names.index(x) for x in names]
    starts = np.cumsum([0, *(len(cases.states[x]) for x in names)])
    counts = np.zeros((starts[-1], starts[-1]), dtype=np.intp)
    states = cases.codes[:, columns] + starts[:-1]
    for part in np.array_split(states, -(-len(states) // 10_000)):
        # A row for each case, a column for each state; counts so small are exact in a float.
        has = np.zeros((len(part), len(counts)), dtype=np.float32)
        np.put_along_axis(has, part, 1, axis=1)
        counts += (has.T @ has).astype(np.intp)
    return counts


def _shares(cases: ds.Data, names: tuple[str, ...]) -> Answers:
    counts = [
        np.bincount(cases.codes[:, cases.names.index(x)], minlength=len(cases.states[x]))
        for x in names
    ]
    return np.concatenate(counts) / cases.n_rows


def _packed(answers: Answers) -> str:
    """Return probabilities as steps of two bytes, the lower first, in base 64."""
    steps = np.rint(np.nan_to_num(answers) * STEPS).astype("<u2")
    return base64.b64encode(steps.tobytes()).decode("ascii")


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
