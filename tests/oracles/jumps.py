"""Jumps between known optima, from their definition: which blocks, and how often a jump goes where.

A network is a tuple of frozensets: the parents of each variable.
"""

import math
from itertools import combinations, product

import networkx as nx


def graph_of(network):
    graph = nx.DiGraph()
    graph.add_nodes_from(range(len(network)))
    graph.add_edges_from((u, v) for v, parents in enumerate(network) for u in parents)
    return graph


def below(network):
    """Return the descendants of each variable: itself is one of them if it is on a cycle."""
    found = [{v for v, parents in enumerate(network) if u in parents} for u in range(len(network))]
    for middle, row in enumerate(found):
        for other in found:
            if middle in other:
                other |= row
    return found


def acyclic(network):
    return not any(v in row for v, row in enumerate(below(network)))


def obeys(network, order):
    """Whether no variable of an order is an ancestor of one that comes before it there."""
    descendants = below(network)
    return not any(early in descendants[late] for early, late in combinations(order, 2))


def known_jumps(networks, fewest, most):
    """Return the blocks in which two of the networks differ, with an order of each."""
    found = []
    for one, other in combinations(networks, 2):
        differ = {v for v in range(len(one)) if one[v] != other[v]}
        joined = nx.Graph()
        joined.add_nodes_from(differ)
        for network in (one, other):
            joined.add_edges_from((u, v) for v in differ for u in network[v] & differ)
        for block in sorted(map(sorted, nx.connected_components(joined))):
            orders = sorted([lowest_order(one, block), lowest_order(other, block)])
            if fewest <= len(block) <= most and orders[0] != orders[1] and orders not in found:
                found.append(orders)
    return found


def lowest_order(network, block):
    """Return the first order by the alphabet, as it were, that a network obeys."""
    closure = nx.transitive_closure_dag(graph_of(network)).subgraph(block)
    return list(nx.lexicographical_topological_sort(closure))


def near(lists, network, block):
    """Return the networks that differ in a block only, with the log weight of its parents.

    `lists` has for each variable a mapping from parent sets to log weights.
    """
    found = {}
    for choice in product(*(lists[v].items() for v in block)):
        parents = list(network)
        for v, (given, _) in zip(block, choice, strict=True):
            parents[v] = given
        weight = sum(weight for _, weight in choice)
        if weight > -math.inf and acyclic(parents):
            found[tuple(parents)] = weight
    return found


def jumped(lists, network, start, end, share=0.0):
    """Return how probable each network is after a jump from one order to another.

    Parameters
    ----------
    share
        The light end of a list may be left out if it weighs at most this share of what is taken.
    """
    around = near(lists, network, start)
    before, after = (allowed(lists, network, around, order, share) for order in (start, end))
    if network not in before or not after:
        return {network: 1.0}
    from_sum, to_sum = log_sum(before.values()), log_sum(after.values())
    taken = math.exp(min(0.0, to_sum - from_sum))
    found = {each: taken * math.exp(weight - to_sum) for each, weight in after.items()}
    found[network] = found.get(network, 0.0) + 1 - taken
    return found


def allowed(lists, network, around, order, share):
    """Return those of the networks around one that an order allows."""
    taken = {v: read(lists, network, order, v, share) for v in order}
    return {
        each: weight
        for each, weight in around.items()
        if all(each[v] in taken[v] for v in order) and obeys(each, order)
    }


def read(lists, network, order, v, share):
    """Return the sets that are taken for a variable: 64 are looked at, then the next."""
    if not share:
        return set(lists[v])
    cut = below([frozenset() if u in order else given for u, given in enumerate(network)])
    late = order[order.index(v) :]
    forbidden = set(late).union(*(cut[u] for u in late))
    sets = sorted(lists[v].items(), key=lambda each: -each[1])
    taken = {}
    for begin in range(0, len(sets), 64):
        looked_at = sets[begin : begin + 64]
        taken |= {given: weight for given, weight in looked_at if not given & forbidden}
        rest = [weight for _, weight in sets[begin + 64 :]]
        if taken and rest and log_sum(rest) <= math.log(share) + log_sum(taken.values()):
            break
    return set(taken)


def log_sum(logs):
    """Return the log of a sum, given the logs of its terms."""
    top = max(logs)
    return top + math.log(math.fsum(math.exp(log - top) for log in logs))
