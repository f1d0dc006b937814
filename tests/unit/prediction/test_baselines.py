"""Naive Bayes and its tree: against every tree there is."""

import numpy as np
import pytest

import dagscape as ds
from dagscape.prediction.structures import naive, tree_augmented
from oracles.trees import heaviest_trees, spanning_trees
from seeds import for_each


def table(seed, others):
    """A target of three states, others of two and three that depend on it and on each other."""
    rng = np.random.default_rng(seed)
    rows = int(rng.integers(5, 80))
    target = rng.integers(0, 3, rows)
    columns = {"t": target}
    before = target
    for k in range(others):
        share = rng.random()
        fresh = rng.integers(0, 2 + k % 2, rows)
        before = np.where(rng.random(rows) < share, before % (2 + k % 2), fresh)
        columns[f"x{k}"] = before
    states = {x: ["a", "b", "c"][: 3 if x == "t" or int(x[1]) % 2 else 2] for x in columns}
    return ds.Data.from_codes(np.stack(list(columns.values()), axis=1), states)


def tree_of(dag, target):
    return {frozenset(arc) for arc in dag.arcs if target not in arc}


@for_each("seed", range(40))
def test_no_tree_is_heavier(seed):
    others = 2 + seed % 4
    data = table(seed, others)
    rows = [dict(zip(data.names, row, strict=True)) for row in data.codes.tolist()]
    names = [x for x in data.names if x != "t"]
    dag = tree_augmented(data, "t")
    best, trees = heaviest_trees(rows, names, "t")
    assert tree_of(dag, "t") in trees
    # What it gains over the naive graph in likelihood is the weight of the tree.
    gained = ds.score(data, dag, score="loglik") - ds.score(data, naive(data, "t"), score="loglik")
    assert gained == pytest.approx(best * data.n_rows, abs=1e-8)


def test_every_tree_is_there():
    assert sum(1 for _ in spanning_trees("abcde")) == 125  # Cayley: n^(n - 2)


@pytest.mark.parametrize("others", [1, 2, 5])
def test_shape(others):
    data = table(3, others)
    dag = tree_augmented(data, "t")
    assert dag.parents("t") == ()
    parents = {x: set(dag.parents(x)) for x in data.names if x != "t"}
    assert all("t" in own for own in parents.values())
    assert sorted(len(own) for own in parents.values()) == [1] + [2] * (others - 1)
    assert {len(naive(data, "t").parents(x)) for x in parents} == {1}


def test_column_order_changes_nothing():
    codes = np.random.default_rng(0).integers(0, 2, (8, 6))  # few rows, many ties
    data = ds.Data.from_codes(codes, {x: ["0", "1"] for x in "tabcde"})
    turned = data.select(data.names[::-1])
    assert tree_augmented(data, "t") == tree_augmented(turned, "t")


@pytest.mark.parametrize("name", ["naive", "tan"])
def test_they_can_be_cross_validated(name):
    data = ds.load_network("asia").sample(400, seed=2)
    cv = ds.cross_validate(data, "dysp", name, folds=4, max_memory=1e8)
    make = {"naive": naive, "tan": tree_augmented}[name]
    for k, dag in enumerate(cv.dags):
        known = ds.Data.from_codes(data.codes[cv.fold != k], data.states)
        assert dag == make(known, "dysp")
    assert cv.log_loss.mean < cv.baseline.log_loss.mean
    with pytest.raises(ds.ParameterError, match=f"{name} has no setting score"):
        ds.cross_validate(data, "dysp", name, score="bic")
