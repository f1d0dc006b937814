"""Densities of networks with numbers, row by row and from the definitions."""

from __future__ import annotations

import math

import numpy as np


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


def fitted_line(child, parents, unbiased):
    """Return mean at the parents' means, slopes and sd by NumPy's least squares."""
    design = np.column_stack([np.ones(len(child)), *[p - p.mean() for p in parents]])
    found, *_ = np.linalg.lstsq(design, child, rcond=None)
    left = child - design @ found
    freedom = len(child) - design.shape[1] if unbiased else len(child)
    return found[0], found[1:], math.sqrt(float(left @ left) / freedom)


def softmax_objective(intercepts, slopes, rows, ess, configurations):
    """Return what a softmax maximizes: rows are pairs of standardized numbers and a state."""
    states = len(intercepts)
    ridge = max(ess, 1e-3)
    weighted = [(numbers, state, 1.0) for numbers, state in rows]
    nowhere = [0.0] * len(slopes[0])
    weighted += [(nowhere, s, ridge / (configurations * states)) for s in range(states)]
    total = 0.0
    for numbers, state, weight in weighted:
        logits = [
            intercepts[s] + sum(b * z for b, z in zip(slopes[s], numbers, strict=True))
            for s in range(states)
        ]
        most = max(logits)
        log_sum = most + math.log(sum(math.exp(each - most) for each in logits))
        total += weight * (logits[state] - log_sum)
    return total - ridge / 2 * sum(b * b for each in slopes for b in each)
