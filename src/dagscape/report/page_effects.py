"""What the page tells of effects: how far they differ among the networks that are probable.

For each network that was drawn from the posterior, with the parameters that fit it, what setting a
variable does to each other one; told is the mean, the lowest and the highest of these.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

import dagscape as ds
from dagscape.learning import LearnResult

Values = NDArray[np.float64]
NETWORKS = 20
"""Networks that are drawn, where the table is small."""
FEWEST = 10
"""With fewer, a range would say little: then there is none."""
QUESTIONS = 1_500
"""States (or numbers) to set in all networks together, a millisecond each."""
LEAST = 0.005
"""A change that reaches this in no network is not listed: of probabilities, or of standard
deviations."""
DIGITS = 5
LARGEST = 1e100
"""Squares of larger numbers are none."""


def effects_of(result: ds.Result, data: ds.Data | None) -> dict[str, Any] | None:
    """Return effects by cause and outcome; None where there is no posterior, or no room.

    Columns are either all of states or all of numbers: of mixed ones answers would be estimates,
    whose error a range would show as well.
    """
    if not isinstance(result, LearnResult) or result.posterior is None or data is None:
        return None
    if data.missing or data.rows.groups is not None or len(data.numbers) % len(data.names):
        return None
    if any(np.abs(column).max() > LARGEST for column in data.numbers.values()):
        return None
    posterior = result.posterior
    settings = {x: _settings(data, x) for x in data.names}
    many = min(NETWORKS, QUESTIONS // sum(map(len, settings.values())))
    if len(data.names) < 2 or many < FEWEST:
        return None
    drawn = Counter(posterior.sample(min(many, posterior.most_networks or many), seed=0))
    networks = [ds.fit(dag, data) for dag in drawn]
    weights = np.array(list(drawn.values())) / drawn.total()
    rows = [
        row
        for cause, values in settings.items()
        if len(values) > 1
        for row in _of_cause(networks, weights, data, cause, values)
    ]
    return {"networks": drawn.total(), "different": len(drawn), "rows": rows}


def _settings(data: ds.Data, name: str) -> list[Any]:
    """Return what a variable is set to: its states; of numbers the mean, and a deviation above."""
    if name not in data.numbers:
        return list(data.states[name])
    column = data.numbers[name]
    middle, spread = float(column.mean()), float(column.std())
    return [middle, middle + spread] if np.isfinite(spread) and spread > 0 else [middle]


def _of_cause(
    networks: list[ds.Network], weights: Values, data: ds.Data, cause: str, values: list[Any]
) -> Iterator[dict[str, Any]]:
    """Yield what setting a cause does to each other variable."""
    number = {name: i for i, name in enumerate(data.names)}
    below = [{*net.dag.descendants(cause)} for net in networks]
    reached = sorted(set().union(*below), key=number.__getitem__)
    if not reached:
        return
    answers = [
        [net.do({cause: value}).query_all() for value in values]
        if net.dag.children(cause)
        else [net.query_all()] * len(values)
        for net in networks
    ]
    for outcome in reached:
        # By network, what is set, and state of the outcome (of numbers, the mean alone).
        found = np.array(
            [[_figures(each[outcome], data, outcome) for each in own] for own in answers]
        )
        unit = float(data.numbers[outcome].std()) if outcome in data.numbers else 1.0
        mean = np.tensordot(weights, found, axes=1)
        without = float(weights @ [outcome not in some for some in below])
        for state in range(found.shape[2]):
            low, high = int(mean[:, state].argmin()), int(mean[:, state].argmax())
            if cause in data.numbers:
                low, high = 0, 1  # the sign tells which way
            change = found[:, high, state] - found[:, low, state]
            if abs(change).max() < LEAST * unit:
                continue
            yield {
                "cause": number[cause],
                "outcome": number[outcome],
                "state": state,
                "before": low,
                "after": high,
                "mean": _rounded(float(weights @ change)),
                "lowest": _rounded(float(change.min())),
                "highest": _rounded(float(change.max())),
                "without": round(without, 3),
            }


def _figures(answer: Any, data: ds.Data, outcome: str) -> Values:
    """Return the probabilities of the outcome's states, or its mean."""
    return np.atleast_1d(answer.mean if outcome in data.numbers else answer.array)


def _rounded(value: float) -> float:
    return float(f"{value:.{DIGITS}g}")
