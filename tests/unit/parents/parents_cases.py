"""Parent sets by brute force, and as lists."""

import itertools


def subsets(names, most=None):
    sizes = range(len(names) + 1 if most is None else most + 1)
    return itertools.chain.from_iterable(itertools.combinations(names, size) for size in sizes)


def listed(found, child):
    return {frozenset(parents) for _, parents in found[child]}
