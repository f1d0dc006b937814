"""Tree-augmented naive Bayes from its definition: every tree, weighed by counting rows."""

import math
from collections import Counter
from itertools import combinations


def mutual_information(rows, a, b, target):
    """Return I(a; b | target) of the rows, in nats (Friedman, Geiger and Goldszmidt, eq. 3)."""
    n = len(rows)
    abc = Counter((row[a], row[b], row[target]) for row in rows)
    ac = Counter((row[a], row[target]) for row in rows)
    bc = Counter((row[b], row[target]) for row in rows)
    c = Counter(row[target] for row in rows)
    return sum(k / n * math.log(k * c[z] / (ac[x, z] * bc[y, z])) for (x, y, z), k in abc.items())


def spanning_trees(names):
    """Yield every tree on the names, as a set of pairs."""
    for edges in combinations(list(combinations(names, 2)), len(names) - 1):
        groups = {x: {x} for x in names}
        for a, b in edges:
            joined = groups[a] | groups[b]
            for x in joined:
                groups[x] = joined
        if len(groups[names[0]]) == len(names):
            yield {frozenset(edge) for edge in edges}


def heaviest_trees(rows, names, target):
    """Return the greatest weight that a tree has, and all trees of that weight."""
    weight = {
        frozenset(pair): mutual_information(rows, *pair, target) for pair in combinations(names, 2)
    }
    weighed = [(sum(weight[edge] for edge in tree), tree) for tree in spanning_trees(names)]
    best = max(total for total, _ in weighed)
    return best, [tree for total, tree in weighed if total > best - 1e-9]
