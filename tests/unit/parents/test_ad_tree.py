"""The AD-tree as a way to count, and its size."""

import numpy as np
import pytest

import dagscape as ds
from dagscape.selection import ad_tree_size
from data_sets import data_set


def test_the_ad_tree_counts_the_same(asia):
    plain = ds.candidate_parents(asia, score="bic", max_parents=3)
    tree = ds.candidate_parents(asia, score="bic", max_parents=3, counting="adtree")
    assert tree.work["ad_tree_nodes_stored"] > 1
    for name in asia.names:
        assert [set(p) for _, p in plain[name]] == [set(p) for _, p in tree[name]]
        for (a, _), (b, _) in zip(plain[name], tree[name], strict=True):
            assert a == pytest.approx(b, rel=1e-12)


def test_the_size_of_the_ad_tree_is_that_of_the_columns_as_they_stand():
    """Hand-worked: rows 00 and 01. A node is there if its values but the last occur in some row."""
    data = ds.Data.from_codes(np.array([[0, 0], [0, 1]]), {"b": ["0", "1"], "a": ["0", "1"]})
    size = ad_tree_size(data, depth=2)
    # The root, both states of b, both of a, and those of a where b is 0.
    assert (size.nodes, size.full_nodes, size.depth) == (1 + 2 + 2 + 2, 9, 2)
    assert ad_tree_size(data.select(["a", "b"]), depth=2).nodes == 1 + 2 + 2 + 4


@pytest.mark.parametrize(
    ("name", "nodes"), [("ebnsl/iris.csv.gz", 598), ("ebnsl/wine.csv.gz", 504436)]
)
def test_the_published_sizes_of_ad_trees(name, nodes):
    assert ad_tree_size(ds.read_data(data_set(name))).nodes == nodes
