"""Roles and support in a Markov blanket, against every network on few variables."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dagscape as ds
from oracles import graphs, scores
from seeds import in_part

SCORES = {"bic": ds.BIC(), "bdeu": ds.BDeu(ess=1.0), "aic": ds.AIC()}


@st.composite
def tables(draw):
    """Tables of which columns follow or repeat others; some do not vary, some states unseen."""
    n = draw(st.integers(2, 4))
    arities = draw(st.lists(st.integers(2, 5), min_size=n, max_size=n))
    length = draw(st.integers(30, 300))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    occurring = [rng.integers(1, r, endpoint=True) for r in arities]
    codes = np.stack([rng.integers(0, r, length) for r in occurring], axis=1)
    for child in range(1, n):
        copied = rng.random(length) < draw(st.sampled_from([0.0, 0.5, 0.7, 0.9, 1.0]))
        parents = rng.choice(child, size=min(child, draw(st.integers(1, 2))), replace=False)
        codes[copied, child] = codes[np.ix_(copied, parents)].sum(axis=1) % arities[child]
    names = draw(st.permutations([f"v{i}" for i in range(n)]))
    states = dict(zip(names, (list(map(str, range(r))) for r in arities), strict=True))
    return ds.Data.from_codes(codes, states)


def every_network(data, score):
    """Return all networks on a table, with their scores."""
    n = data.n_variables
    rows, arities = data.codes.tolist(), list(data.arities.values())
    local = {
        (child, frozenset(parents)): scores.local_score(rows, arities, child, parents, score)
        for child in range(n)
        for size in range(n)
        for parents in itertools.combinations([v for v in range(n) if v != child], size)
    }
    return {
        dag: sum(local[v, graphs.parents(dag, v)] for v in range(n)) for dag in graphs.all_dags(n)
    }


def role_by_definition(pdag, target, other):
    if (other, target) in pdag and (target, other) in pdag:
        return "parent or child"
    if (other, target) in pdag:
        return "parent"
    if (target, other) in pdag:
        return "child"
    common = graphs.children(graphs.directed(pdag), target)
    return "spouse" if common & graphs.children(graphs.directed(pdag), other) else "none"


@pytest.mark.parametrize("method", ["sll", "hiton"])
@settings(derandomize=True, deadline=None, max_examples=in_part(40))
@given(data=tables(), score=st.sampled_from(sorted(SCORES)))
def test_by_every_network(method, data, score):
    described = ds.describe_blanket(data, method=method, score=SCORES[score])
    options = {"score": SCORES[score]} if method == "sll" else {}
    members = ds.markov_blanket(data, method=method, **options)
    assert list(described) == list(data.names)
    for target, found in described.items():
        assert set(found.names) == set(members[target])
        assert (found.target, found.stopped) == (target, None)
        names = found.network.dag.names
        place = {name: i for i, name in enumerate(names)}
        total = every_network(data.select(names), score)
        best = max(total.values())
        dag = frozenset((place[a], place[b]) for a, b in found.network.dag.arcs)
        assert total[dag] == pytest.approx(best, rel=1e-10, abs=1e-8)
        assert found.network.score == pytest.approx(best, rel=1e-10, abs=1e-8)
        pdag = graphs.essential_graph(dag)
        for member in found.members:
            t, m = place[target], place[member.name]
            assert member.role == role_by_definition(pdag, t, m)
            without = max(
                value for dag, value in total.items() if m not in graphs.markov_blanket(dag, t)
            )
            assert member.support == pytest.approx(best - without, rel=1e-9, abs=1e-6)
            assert bool(member.through) == (member.role == "spouse")
