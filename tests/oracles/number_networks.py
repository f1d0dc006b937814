"""Densities of networks with numbers, row by row and from the definitions."""

from __future__ import annotations

import math


def log_normal(value, mean, sd):
    return -0.5 * ((value - mean) / sd) ** 2 - math.log(sd) - 0.5 * math.log(2 * math.pi)


CURVES = {
    "line": lambda x: x,
    "bend": abs,
    "bump": lambda x: math.exp(-x * x),
    "step": lambda x: math.tanh(2 * x),
    "wave": lambda x: math.sin(2 * x),
}


def log_density(net, row):
    """Return ln of the density of one row: a dict of codes and numbers."""
    return sum(log_density_of(net, x, row) for x in net.names)


def log_density_of(net, x, row):
    node = net.node(x)
    cell = tuple(row[p] for p in net.dag.parents(x) if net.states[p])
    numbers = [p for p in net.dag.parents(x) if not net.states[p]]
    if node.kind == "table":
        return math.log(node.table[(*cell, row[x])])
    if node.kind == "gaussian":
        mean = float(node.mean[cell])
        for j, p in enumerate(numbers):
            off = row[p] - float(node.centers[j])
            mean += float(node.slopes[(*cell, j)]) * CURVES[node.curves[j]](off)
        return log_normal(row[x], mean, float(node.sd[cell]))
    logits = []
    for state in range(len(net.states[x])):
        logit = float(node.intercepts[(*cell, state)])
        for j, p in enumerate(numbers):
            logit += float(node.slopes[(*cell, state, j)]) * (row[p] - float(node.centers[j]))
        logits.append(logit)
    most = max(logits)
    return logits[row[x]] - most - math.log(sum(math.exp(each - most) for each in logits))
