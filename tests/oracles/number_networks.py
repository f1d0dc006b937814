"""Densities of networks with numbers, row by row and from the definitions."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

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


def joint_normal(net, states):
    """Return names, mean and covariance of the numbers, given the states of all others: exactly."""
    names = [x for x in net.dag.topological_order() if not net.states[x]]
    mean, covariance = [], [[Fraction(0)] * len(names) for _ in names]
    for i, x in enumerate(names):
        node = net.node(x)
        cell = tuple(states[p] for p in net.dag.parents(x) if net.states[p])
        slopes = {}
        here = Fraction(float(node.mean[cell]))
        for j, p in enumerate(p for p in net.dag.parents(x) if not net.states[p]):
            place = names.index(p)
            slopes[place] = Fraction(float(node.slopes[(*cell, j)]))
            here += slopes[place] * (mean[place] - Fraction(float(node.centers[j])))
        mean.append(here)
        for k in range(i):
            shared = sum(b * covariance[p][k] for p, b in slopes.items())
            covariance[i][k] = covariance[k][i] = shared
        own = Fraction(float(node.sd[cell])) ** 2
        covariance[i][i] = own + sum(b * covariance[i][p] for p, b in slopes.items())
    return names, mean, covariance


def given_number(mean, covariance, place, value):
    """Return mean and covariance given one number, and ln of its density: one step of many."""
    variance, off = covariance[place][place], Fraction(value) - mean[place]
    size = range(len(mean))
    gain = [covariance[i][place] / variance for i in size]
    left = [[covariance[i][k] - gain[i] * covariance[place][k] for k in size] for i in size]
    log_variance = math.log(variance.numerator) - math.log(variance.denominator)
    log_density = -0.5 * (float(off * off / variance) + log_variance + math.log(2 * math.pi))
    return [mean[i] + gain[i] * off for i in size], left, log_density


def mixture(net, given):
    """Return all cases of open states: weight, states, and means and variances of the numbers."""
    discrete = [x for x in net.names if net.states[x]]
    cases = []
    for codes in itertools.product(*(range(len(net.states[x])) for x in discrete)):
        states = dict(zip(discrete, codes, strict=True))
        if any(states[x] != given[x] for x in discrete if x in given):
            continue
        log_weight = 0.0
        for x in discrete:
            share = net.table(x)[(*(states[p] for p in net.dag.parents(x)), states[x])]
            log_weight += math.log(share)
        names, mean, covariance = joint_normal(net, states)
        for x, value in given.items():
            if x in names:
                place = names.index(x)
                mean, covariance, more = given_number(mean, covariance, place, value)
                log_weight += more
        numbers = {x: (mean[i], covariance[i][i]) for i, x in enumerate(names)}
        cases.append((log_weight, states, numbers))
    most = max(case[0] for case in cases)
    weights = [math.exp(case[0] - most) for case in cases]
    total = sum(weights)
    return [(w / total, *case[1:]) for w, case in zip(weights, cases, strict=True)]
