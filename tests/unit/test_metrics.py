import dataclasses
import random

import networkx as nx
import numpy as np
import pytest

from dagscape.data import Data
from dagscape.errors import GraphError, ParameterError
from dagscape.graphs import Cpdag, Dag
from dagscape.metrics import Comparison, compare, normalized_score, shd, slhd
from dagscape.scores import BIC
from dagscape.scoring import score

# All three arcs are compelled: a and b meet in c, and c - d may not make another collider.
TRUTH = Dag("abcd", [("a", "c"), ("b", "c"), ("c", "d")])
# One arc fewer, and nothing is compelled any more.
CHAIN = Dag("dcba", [("a", "c"), ("c", "d")])


@pytest.fixture(scope="module")
def data():
    """Rows drawn from a network with the true arcs."""
    rng = random.Random(2)
    rows = []
    for _ in range(80):
        a, b = rng.randrange(2), rng.randrange(2)
        c = a ^ b if rng.random() < 0.9 else 1 - (a ^ b)
        rows.append([a, b, c, c if rng.random() < 0.9 else 1 - c])
    return Data.from_codes(np.array(rows), dict.fromkeys("abcd", ("no", "yes")))


class TestShd:
    def test_by_hand(self):
        # a - c and c - d are undirected in the chain, b - c is missing.
        assert shd(CHAIN, TRUTH) == shd(TRUTH, CHAIN) == 3

    def test_a_reversed_arrow_counts_once(self):
        # a -> c <- b against c -> a <- b: one reversed, one missing, one extra.
        assert shd(Dag("abc", [("a", "c"), ("b", "c")]), Dag("abc", [("c", "a"), ("b", "a")])) == 3

    def test_equivalent_networks_are_at_no_distance(self):
        assert shd(CHAIN, Dag("abcd", [("d", "c"), ("c", "a")])) == 0

    def test_networks_and_essential_graphs_mix(self):
        assert shd(CHAIN.to_cpdag(), TRUTH) == shd(CHAIN, TRUTH.to_cpdag()) == 3

    @pytest.mark.parametrize("names", ["", "a"])
    def test_nothing_to_differ_in(self, names):
        assert shd(Dag(names), Cpdag(names)) == 0

    def test_variables_must_be_the_same(self):
        with pytest.raises(GraphError) as caught:
            shd(Dag("abc"), Dag("abd"))
        assert str(caught.value) == (
            'the graphs have different variables: "c" is in one of them only'
        )

    def test_other_graphs_are_refused(self):
        with pytest.raises(GraphError, match=r"^a Dag or Cpdag is needed, got Graph$"):
            shd(TRUTH, nx.Graph())


class TestSlhd:
    def test_neighbors_by_hand(self):
        # b lacks c, and c lacks b.
        assert slhd(CHAIN, TRUTH) == slhd(TRUTH, CHAIN) == 2

    def test_blankets_by_hand(self):
        # a lacks its spouse b, b lacks c and its spouse a, c lacks b.
        assert slhd(CHAIN, TRUTH, of="blankets") == 4

    def test_essential_graphs_have_the_same_sets(self):
        for of in ("neighbors", "blankets"):
            assert slhd(CHAIN.to_cpdag(), TRUTH.to_cpdag(), of=of) == slhd(CHAIN, TRUTH, of=of)

    def test_sets_need_not_be_symmetric(self):
        found = {"a": ["c"], "b": [], "c": ("b", "d"), "d": {"c"}}
        # c lacks a, and b lacks c.
        assert slhd(found, TRUTH) == slhd(TRUTH, found) == 2
        assert slhd(found, found) == 0

    def test_of_is_a_matter_of_graphs_alone(self):
        found = {"a": ["b"], "b": []}
        assert slhd(found, {"a": [], "b": []}, of="blankets") == 1

    def test_no_variables(self):
        assert slhd({}, Dag("")) == 0

    def test_unknown_kind_of_sets(self):
        with pytest.raises(ParameterError) as caught:
            slhd(CHAIN, TRUTH, of="parents")
        assert str(caught.value) == 'of must be "neighbors" or "blankets", got \'parents\''

    def test_variables_must_be_the_same(self):
        with pytest.raises(ParameterError) as caught:
            slhd({"a": [], "b": []}, TRUTH)
        assert str(caught.value) == (
            'found and truth must be about the same variables: "c" is in one of them only'
        )

    def test_a_string_is_no_set_of_names(self):
        with pytest.raises(ParameterError) as caught:
            slhd({"a": "bc"}, {"a": ["b", "c"]})
        assert str(caught.value) == "the set of \"a\" must hold names, got 'bc'"

    def test_what_has_no_sets(self):
        with pytest.raises(ParameterError) as caught:
            slhd([("a", "c")], TRUTH)
        assert str(caught.value) == (
            "a Dag, a Cpdag or a set of names for each variable is needed, got list"
        )


class TestCompare:
    def test_by_hand(self):
        assert compare(CHAIN, TRUTH) == Comparison(
            shd=3,
            skeleton_precision=1.0,
            skeleton_recall=2 / 3,
            arrow_precision=1.0,  # no arrow was found, so none is wrong
            arrow_recall=0.0,
            missing=(("b", "c"),),
            extra=(),
            misdirected=(("d", "c"), ("c", "a")),  # undirected, in the order of the found graph
        )

    def test_the_other_way_round(self):
        assert compare(TRUTH, CHAIN) == Comparison(
            shd=3,
            skeleton_precision=2 / 3,
            skeleton_recall=1.0,
            arrow_precision=0.0,
            arrow_recall=1.0,
            missing=(),
            extra=(("b", "c"),),
            misdirected=(("a", "c"), ("c", "d")),
        )

    def test_reversed_arrows_are_misdirected(self):
        found = Dag("abc", [("a", "c"), ("b", "c")])
        truth = Dag("abc", [("c", "a"), ("b", "a")])
        comparison = compare(found, truth)
        assert comparison.misdirected == (("a", "c"),)
        assert comparison.missing == (("b", "a"),)
        assert comparison.extra == (("b", "c"),)
        assert (comparison.arrow_precision, comparison.arrow_recall) == (0.0, 0.0)
        assert (comparison.skeleton_precision, comparison.skeleton_recall) == (0.5, 0.5)

    def test_a_graph_with_itself(self):
        same = compare(TRUTH, Cpdag("dcba", TRUTH.arcs))
        assert dataclasses.astuple(same) == (0, 1.0, 1.0, 1.0, 1.0, (), (), ())

    def test_free_edges_listed_the_other_way_are_the_same(self):
        assert compare(CHAIN, Dag("abcd", CHAIN.arcs)).misdirected == ()

    @pytest.mark.parametrize("names", ["", "a", "ab"])
    def test_nothing_to_find(self, names):
        empty = compare(Dag(names), Dag(names))
        assert dataclasses.astuple(empty) == (0, 1.0, 1.0, 1.0, 1.0, (), (), ())

    def test_the_distance_is_the_edges_listed(self):
        rng = random.Random(6)
        for _ in range(40):
            a, b = (
                Dag(
                    "abcdef",
                    [(x, y) for x in "abcdef" for y in "abcdef" if x < y and rng.random() < p],
                )
                for p in (0.3, 0.5)
            )
            found = compare(a, b)
            assert found.shd == len(found.missing) + len(found.extra) + len(found.misdirected)

    def test_nothing_can_be_assigned(self):
        with pytest.raises(AttributeError):
            compare(CHAIN, TRUTH).shd = 0

    def test_what_cannot_be_compared(self):
        with pytest.raises(GraphError, match='different variables: "d" is in one of them only'):
            compare(Dag("abc"), Dag("abcd"))
        with pytest.raises(GraphError, match="a Dag or Cpdag is needed, got list"):
            compare([("a", "b")], TRUTH)


class TestNormalizedScore:
    def test_the_truth_is_1(self, data):
        assert normalized_score(data, TRUTH, TRUTH) == 1.0
        assert normalized_score(data, list(TRUTH.arcs), TRUTH.to_networkx()) == 1.0

    def test_it_is_the_ratio_of_the_scores(self, data):
        expected = score(data, CHAIN, score="bdeu") / score(data, TRUTH, score="bdeu")
        assert normalized_score(data, CHAIN, TRUTH, "bdeu") == expected
        assert expected > 1.0  # worse than the truth

    def test_any_score(self, data):
        expected = score(data, CHAIN, score="bic") / score(data, TRUTH, score="bic")
        assert normalized_score(data, CHAIN, TRUTH, "bic") == expected
        assert normalized_score(data, CHAIN, TRUTH, score=BIC()) == expected

    def test_scores_of_zero(self):
        constant = Data.from_codes(np.zeros((3, 1), dtype=int), {"a": ["only"]})
        with pytest.raises(ParameterError, match=r"^the true graph scores 0 on these data"):
            normalized_score(constant, Dag("a"), Dag("a"))
