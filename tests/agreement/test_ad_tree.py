"""The AD-tree against plain counting, and its size against brute force and published figures."""

from __future__ import annotations

import csv
import gzip
import itertools
import math
from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dagscape import _core
from dagscape.errors import ParameterError
from data_sets import data_set
from seeds import in_part

ROOMY = 1 << 30
LEAF_ROWS = [0, 1, 3, 16]

Row = tuple[int, ...]
Case = tuple[list[Row], list[int], list[int]]

quick = settings(derandomize=True, deadline=None, max_examples=in_part(150))


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """Rows, arities and weights, with constant columns, repeats and states that never occur."""
    arities = draw(st.lists(st.integers(1, 5), min_size=1, max_size=5))
    pool = st.tuples(*(st.integers(0, arity - 1) for arity in arities))
    rows = draw(st.lists(pool, min_size=1, max_size=30))
    weights = draw(st.lists(st.integers(1, 4), min_size=len(rows), max_size=len(rows)))
    return rows, arities, weights


def table(
    rows: Sequence[Row] | np.ndarray,
    arities: Sequence[int],
    weights: Sequence[int] | None = None,
    dtype: type = np.uint8,
) -> _core.Table:
    columns = list(np.array(rows, dtype).reshape(-1, len(arities)).T)
    given_weights = None if weights is None else np.array(weights, np.uint32)
    return _core.Table(columns, list(arities), given_weights)


def subsets(variables: int, depth: int) -> Iterator[Row]:
    for size in range(min(depth, variables) + 1):
        yield from itertools.combinations(range(variables), size)


def tally(rows: Sequence[Row], weights: Sequence[int], chosen: Row) -> Counter[Row]:
    cells: Counter[Row] = Counter()
    for row, weight in zip(rows, weights, strict=True):
        cells[tuple(row[v] for v in chosen)] += weight
    return cells


def nodes_by_the_book(rows: Sequence[Row], arities: Sequence[int], depth: int) -> int:
    """Count the root, and every assignment whose values but the last some row has."""
    total = 1
    for chosen in subsets(len(arities), depth):
        if chosen:
            above = {tuple(row[v] for v in chosen[:-1]) for row in rows}
            cells = itertools.product(*(range(arities[v]) for v in chosen))
            total += sum(cell[:-1] in above for cell in cells)
    return total


@pytest.mark.parametrize("leaf_rows", LEAF_ROWS)
@quick
@given(case=cases(), depth=st.integers(1, 6))
def test_counts(leaf_rows: int, case: Case, depth: int) -> None:
    rows, arities, weights = case
    data = table(rows, arities, weights)
    tree = _core.AdTree(data, depth, ROOMY, leaf_rows)
    partition = _core.RowPartition(data)
    for chosen in subsets(len(arities), depth):
        found = tree.count(data, chosen)
        assert found == [count for _, count in sorted(tally(rows, weights, chosen).items())]
        assert sorted(found) == sorted(partition.count(data, chosen))


@quick
@given(case=cases(), depth=st.integers(1, 6))
def test_node_counts(case: Case, depth: int) -> None:
    rows, arities, weights = case
    data = table(rows, arities, weights)
    expected = nodes_by_the_book(rows, arities, depth)
    assert _core.ad_tree_nodes(data, depth) == expected
    assert _core.AdTree(data, depth, ROOMY, leaf_rows=0).nodes == expected
    assert _core.full_ad_tree_nodes(data) == math.prod(arity + 1 for arity in arities)
    assert expected <= _core.full_ad_tree_nodes(data)


@quick
@given(case=cases(), depth=st.integers(1, 6), leaf_rows=st.sampled_from(LEAF_ROWS))
def test_the_byte_limit_is_exact(case: Case, depth: int, leaf_rows: int) -> None:
    data = table(*case)
    needed = _core.AdTree(data, depth, ROOMY, leaf_rows).bytes
    assert _core.AdTree(data, depth, needed, leaf_rows).bytes == needed
    with pytest.raises(ParameterError, match=f"would need more than {needed - 1} bytes"):
        _core.AdTree(data, depth, needed - 1, leaf_rows)


def test_a_tree_of_every_combination_is_full_in_any_order() -> None:
    rows = list(itertools.product(range(2), range(3), range(4)))
    assert _core.ad_tree_nodes(table(rows, [2, 3, 4]), 3) == 3 * 4 * 5
    turned = [row[::-1] for row in rows]
    assert _core.ad_tree_nodes(table(turned, [4, 3, 2]), 3) == 3 * 4 * 5


def test_the_node_count_depends_on_the_order_of_the_columns() -> None:
    # 1 + 2 + 3 and, below the states that occur: two of two, or two of three.
    rows = [(0, 0), (1, 1)]
    assert _core.ad_tree_nodes(table(rows, [2, 3]), 2) == 6 + 2 * 3
    assert _core.ad_tree_nodes(table([row[::-1] for row in rows], [3, 2]), 2) == 6 + 2 * 2


@pytest.mark.parametrize("arity", [2, 300, 60000])
@pytest.mark.parametrize("leaf_rows", LEAF_ROWS)
def test_larger_tables(arity: int, leaf_rows: int) -> None:
    rng = np.random.default_rng(arity)
    codes = rng.integers(0, arity, (400, 6)) % rng.integers(2, 7, 6)
    codes[:, 3] = rng.integers(0, arity, 400)
    depth = 5 if arity == 2 else 2
    data = table(codes, [arity] * 6, dtype=np.uint16)
    tree = _core.AdTree(data, depth, ROOMY, leaf_rows)
    for chosen in subsets(6, depth):
        if chosen:
            expected = np.unique(codes[:, chosen], axis=0, return_counts=True)[1]
            assert tree.count(data, chosen) == expected.tolist()
    if leaf_rows == 0:
        assert tree.nodes == _core.ad_tree_nodes(data, depth)


def test_leaf_lists_save_memory() -> None:
    rng = np.random.default_rng(5)
    data = table(rng.integers(0, 3, (200, 12)), [3] * 12)
    plain, listed = (_core.AdTree(data, 5, ROOMY, leaf_rows) for leaf_rows in (0, 16))
    assert listed.nodes < plain.nodes == _core.ad_tree_nodes(data, 5)
    assert listed.bytes < plain.bytes / 2
    # Eight bytes a node at most, beside the rows themselves.
    assert plain.bytes < 8 * plain.nodes + 200 * (12 * 2 + 4) + 13 * 8


def test_sets_larger_than_the_depth_are_refused() -> None:
    data = table([(0, 1, 0)], [2, 2, 2])
    tree = _core.AdTree(data, 2, ROOMY)
    assert tree.depth == 2
    with pytest.raises(ParameterError, match="depth 2 and cannot count a set of 3 variables"):
        tree.count(data, [0, 1, 2])


@pytest.mark.parametrize(
    ("chosen", "message"), [([3], "no variable 3"), ([1, 1], "a variable is listed twice")]
)
def test_impossible_sets_are_refused(chosen: list[int], message: str) -> None:
    data = table([(0, 1, 0)], [2, 2, 2])
    tree = _core.AdTree(data, 2, ROOMY)
    with pytest.raises(ParameterError, match=message):
        tree.count(data, chosen)


@pytest.mark.parametrize("depth", [-1, 0, 65])
def test_impossible_depths_are_refused(depth: int) -> None:
    data = table([(0, 1)], [2, 2])
    with pytest.raises(ParameterError, match=f"between 1 and 64, got {depth}"):
        _core.AdTree(data, depth, ROOMY)
    with pytest.raises(ParameterError, match=f"between 1 and 64, got {depth}"):
        _core.ad_tree_nodes(data, depth)


def test_trees_beyond_all_limits_are_refused_at_once() -> None:
    wide = table(np.eye(100, dtype=np.uint8), [2] * 100)
    with pytest.raises(ParameterError, match=r"more than 2\^53 nodes"):
        _core.ad_tree_nodes(wide, 64)
    with pytest.raises(ParameterError, match="would need more than 1000000 bytes"):
        _core.AdTree(wide, 64, 1_000_000)


@pytest.mark.parametrize(
    ("n", "depth"), [(1, 3), (2, 3), (80, 6), (150, 6), (178, 7), (435, 8), (1728, 9), (20000, 12)]
)
def test_the_depth_of_the_paper(n: int, depth: int) -> None:
    assert _core.AdTree.paper_depth(n) == depth


def read(name: str) -> _core.Table:
    """Read a data set with its columns in the order of the file and the states that occur."""
    path = data_set(name)
    text = path.read_bytes()
    if path.suffix == ".gz":
        text = gzip.decompress(text)
    _, *rows = csv.reader(text.decode().splitlines())
    columns, arities = [], []
    for column in zip(*rows, strict=True):
        states, codes = np.unique(column, return_inverse=True)
        columns.append(codes.astype(np.uint8))
        arities.append(len(states))
    return _core.Table(columns, arities)


# Wu 2010, Table 4.1, "adtree" and "f-adtree". Of zoo, heart, voting and letter it prints four
# digits of the first; the others were computed by those who found out which tables it used.
@pytest.mark.parametrize(
    ("name", "nodes", "full"),
    [
        ("ebnsl/iris.csv.gz", 598, 1024),
        ("uci/liver_t41.csv", 2181, 2187),
        ("uci/acute_t41.csv", 2942, 8748),
        ("uci/car_t41.csv", 40_000, 40_000),
        ("ebnsl/wine.csv.gz", 504_436, 6_377_292),
        ("uci/zoo_t41.csv", 469_103, 3**17),
        ("uci/heart.csv", 4_601_165, 3**23),
        ("ebnsl/voting.csv.gz", 17_082_144, 3 * 4**16),
        ("ebnsl/letter.csv.gz", 68_694_937, 3**17),
    ],
)
def test_published_sizes(name: str, nodes: int, full: int) -> None:
    data = read(name)
    depth = _core.AdTree.paper_depth(data.cases)
    assert _core.ad_tree_nodes(data, depth) == nodes
    assert _core.full_ad_tree_nodes(data) == full
    if nodes < 1_000_000:
        assert _core.AdTree(data, depth, ROOMY, leaf_rows=0).nodes == nodes
