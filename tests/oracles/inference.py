"""Answers of a network from its whole joint table, slow and plain."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np


def joint(net):
    """Return P of every case, an axis for each variable in display order."""
    shape = [len(net.states[x]) for x in net.names]
    table = np.zeros(shape)
    for case in itertools.product(*map(range, shape)):
        at = dict(zip(net.names, case, strict=True))
        table[case] = np.prod(
            [net.table(x)[(*(at[p] for p in net.dag.parents(x)), at[x])] for x in net.names]
        )
    return table


def weighted(net, given):
    """Return P of every case times how likely what is given is in it."""
    table = joint(net)
    for x, known in given.items():
        weights = np.array(
            [
                known.get(s, 0.0) if isinstance(known, dict) else float(s == known)
                for s in net.states[x]
            ]
        )
        shape = [1] * table.ndim
        shape[net.names.index(x)] = -1
        table = table * weights.reshape(shape)
    return table


def query(net, targets, given):
    """Return P(targets | given), or None if what is given is impossible."""
    table = weighted(net, given)
    if not table.sum() > 0:
        return None
    axes = [net.names.index(x) for x in targets]
    rest = tuple(i for i in range(table.ndim) if i not in axes)
    return table.sum(axis=rest).transpose(np.argsort(np.argsort(axes))) / table.sum()


def exact_query(net, target, given):
    """Return P(target | given) and ln P(given) in fractions, which do not underflow, or None."""
    sums = [Fraction(0)] * len(net.states[target])
    for case in itertools.product(*(range(len(net.states[x])) for x in net.names)):
        at = dict(zip(net.names, case, strict=True))
        if all(net.states[x][at[x]] == state for x, state in given.items()):
            sums[at[target]] += math.prod(
                Fraction(float(net.table(x)[(*(at[p] for p in net.dag.parents(x)), at[x])]))
                for x in net.names
            )
    whole = sum(sums)
    if not whole:
        return None
    log = math.log(whole.numerator) - math.log(whole.denominator)
    return [float(each / whole) for each in sums], log


def greatest(net, given):
    """Return the greatest P(case | given), or None."""
    table = weighted(net, given)
    return table.max() / table.sum() if table.sum() > 0 else None


def without_causes(net, states):
    """Return the joint table when variables are set: each as it is set, the others by table."""
    shape = [len(net.states[x]) for x in net.names]
    table = np.zeros(shape)
    for case in itertools.product(*map(range, shape)):
        at = dict(zip(net.names, case, strict=True))
        if any(net.states[x][at[x]] != state for x, state in states.items()):
            continue
        table[case] = np.prod(
            [
                net.table(x)[(*(at[p] for p in net.dag.parents(x)), at[x])]
                for x in net.names
                if x not in states
            ]
        )
    return table
