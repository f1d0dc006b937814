"""Directions that knowledge implies, against all members of a class that obey it."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import cache

import pytest

import dagscape as ds
from oracles import graphs, knowledge, meek
from oracles.graphs import Graph
from oracles.knowledge import Known
from seeds import in_part

NAMES = "dbeac"  # in no order


@cache
def networks(n: int) -> tuple[Graph, ...]:
    """Return networks of classes with several members, most of them with many."""
    rng = random.Random(n)
    found = []
    while len(found) < 120:
        order = rng.sample(range(n), n)
        arcs = [(a, b) for i, a in enumerate(order) for b in order[i + 1 :]]
        dag = frozenset(arc for arc in arcs if rng.random() < rng.choice([0.5, 0.8, 1.0]))
        if graphs.undirected(graphs.essential_graph(dag)):
            found.append(dag)
    return tuple(found)


def something_known(rng: random.Random, dag: Graph, n: int, *, limits: bool) -> Known:
    """Return knowledge that a network obeys, so that some member of its class does."""
    others = [(a, b) for a in range(n) for b in range(n) if a != b and (a, b) not in dag]
    order = sorted(range(n), key=lambda v: (len(graphs.ancestors(dag, v)), rng.random()))
    cuts = sorted(rng.sample(range(1, n), rng.randint(0, 2)))
    tiers = [order[i:j] for i, j in zip([0, *cuts], [*cuts, n], strict=True)]
    kept = [[v for v in tier if rng.random() < 0.7] for tier in tiers]
    more = {v: len(graphs.parents(dag, v)) + rng.randint(0, 1) for v in rng.sample(range(n), 2)}
    most = {v: min(n - 1, limit) for v, limit in more.items()}
    roots = [v for v in range(n) if not graphs.parents(dag, v) and rng.random() < 0.3]
    leaves = [v for v in range(n) if not graphs.children(dag, v) and rng.random() < 0.3]
    return Known(
        rng.sample(sorted(dag), rng.randint(0, min(2, len(dag)))),
        rng.sample(others, rng.randint(0, min(3, len(others)))),
        kept if rng.random() < 0.5 else [],
        most if limits else {},
        roots,
        leaves,
    )


def as_knowledge(known: Known) -> ds.Knowledge:
    def named(arcs):
        return [(NAMES[a], NAMES[b]) for a, b in arcs]

    return ds.Knowledge(
        required=named(known.required),
        forbidden=named(known.forbidden),
        tiers=[[NAMES[v] for v in tier] for tier in known.tiers],
        roots=[NAMES[v] for v in known.roots],
        leaves=[NAMES[v] for v in known.leaves],
        max_parents={NAMES[v]: most for v, most in known.limits.items()},
    )


def as_dag(arcs: Graph, n: int) -> ds.Dag:
    return ds.Dag(NAMES[:n], [(NAMES[a], NAMES[b]) for a, b in arcs])


def as_graph(found: ds.Mpdag) -> Graph:
    number = {name: v for v, name in enumerate(NAMES)}
    directed = frozenset((number[a], number[b]) for a, b in found.directed)
    return directed | meek.both_ways((number[a], number[b]) for a, b in found.undirected)


@pytest.mark.parametrize("n", [3, 4, 5])
def test_an_edge_is_directed_if_all_that_obey_agree(n):
    rng = random.Random(100 + n)
    implied = 0
    for dag in networks(n):
        cpdag = as_dag(dag, n).to_cpdag()
        for _ in range(in_part(20)):
            known = something_known(rng, dag, n, limits=False)
            found = as_knowledge(known).orient(cpdag)
            assert as_graph(found) == knowledge.left(dag, known), (dag, known)
            implied += len(found.directed) > len(cpdag.directed)
            # It is a graph of its kind, reads as one, and its member obeys.
            assert ds.Mpdag(found.names, found.directed, found.undirected) == found
            assert not as_knowledge(known).violations(found.to_dag())
            assert found.to_cpdag() == cpdag
    assert implied > in_part(500)


@pytest.mark.parametrize("n", [4, 5])
def test_limits_on_parents_direct_only_what_all_that_obey_agree_on(n):
    rng = random.Random(200 + n)
    by_limits = 0
    for dag in networks(n):
        cpdag = as_dag(dag, n).to_cpdag()
        for _ in range(8):
            known = something_known(rng, dag, n, limits=True)
            found = as_graph(as_knowledge(known).orient(cpdag))
            true = knowledge.left(dag, known)
            assert true <= found, (dag, known)  # what is directed, all agree on
            free = replace(known, limits={})
            by_limits += found < as_graph(as_knowledge(free).orient(cpdag))
    assert by_limits > 100


def test_a_graph_that_is_not_closed_is_refused():
    """Of all small graphs those are taken which all networks between them and their class make."""
    taken = 0
    for pdag in graphs.all_pdags(3):
        directed = [(NAMES[a], NAMES[b]) for a, b in graphs.directed(pdag)]
        undirected = [(NAMES[a], NAMES[b]) for a, b in graphs.undirected(pdag)]
        members = graphs.extensions(pdag)
        closed = bool(members) and frozenset().union(*members) == pdag
        try:
            ds.Mpdag(NAMES[:3], directed, undirected)
        except ds.GraphError:
            assert not closed, pdag
        else:
            assert closed, pdag
            taken += 1
    assert taken > 40
