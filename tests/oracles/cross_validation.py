"""Cross-validation from its definition: row by row, with no array arithmetic."""

import math
from collections import Counter
from fractions import Fraction


def joint_probability(case, parents, states, rows, ess):
    """Return P(case) with tables fitted to rows by the Dirichlet prior of BDeu, as a fraction."""
    product = Fraction(1)
    for x, own in parents.items():
        configurations = math.prod(len(states[p]) for p in own)
        prior = Fraction(ess) / (configurations * len(states[x]))
        same = [row for row in rows if all(row[p] == case[p] for p in own)]
        hits = sum(row[x] == case[x] for row in same)
        product *= (hits + prior) / (len(same) + prior * len(states[x]))
    return product


def held_out_predictions(rows, fold_of, target, parents, states, ess):
    """Return for each row P(state | its other values), by tables from the rows of other folds."""
    found = []
    for row, fold in zip(rows, fold_of, strict=True):
        known = [other for other, its in zip(rows, fold_of, strict=True) if its != fold]
        weights = [
            joint_probability({**row, target: state}, parents, states, known, ess)
            for state in states[target]
        ]
        found.append([float(weight / sum(weights)) for weight in weights])
    return found


def log_loss_of(predicted, true):
    return -math.log(predicted[true])


def brier_of(predicted, true):
    return sum((p - (k == true)) ** 2 for k, p in enumerate(predicted))


def hit_of(predicted, true):
    return float(predicted.index(max(predicted)) == true)


def mean_and_error(by_row, fold_of):
    """Return the mean over rows, and the standard error over folds."""
    sizes = Counter(fold_of)
    means = [
        sum(v for v, its in zip(by_row, fold_of, strict=True) if its == fold) / sizes[fold]
        for fold in sorted(sizes)
    ]
    center = sum(means) / len(means)
    variance = sum((m - center) ** 2 for m in means) / (len(means) - 1)
    return sum(by_row) / len(by_row), math.sqrt(variance / len(means))


def calibration_rows(pairs, bins):
    """Return (count, mean probability, share come true) for each interval that has predictions.

    `pairs` holds a probability and whether it came true, for each prediction.
    """
    found = []
    for k in range(bins):
        last = k == bins - 1
        inside = [(p, came) for p, came in pairs if k <= p * bins and (p * bins < k + 1 or last)]
        if inside:
            n = len(inside)
            found.append((n, sum(p for p, _ in inside) / n, sum(came for _, came in inside) / n))
    return found
