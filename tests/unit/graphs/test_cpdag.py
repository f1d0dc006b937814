"""Cpdag and Mpdag: edges with and without direction."""

import copy
import pickle
import random

import pytest

import dagscape as ds
from dagscape.errors import GraphError, ParameterError
from dagscape.graphs import Cpdag, Dag


class TestCpdag:
    def test_edges_come_in_display_order(self):
        cpdag = Dag("dcba", [("a", "b"), ("b", "c"), ("d", "c")]).to_cpdag()
        assert cpdag.names == tuple("dcba")
        assert cpdag.directed == (("d", "c"), ("b", "c"))
        assert cpdag.undirected == (("b", "a"),)

    def test_sets_come_in_display_order(self):
        # b -> c <- d, with a - b free and e after the collider.
        cpdag = Dag("edcba", [("a", "b"), ("b", "c"), ("d", "c"), ("c", "e")]).to_cpdag()
        assert cpdag.parents("c") == ("d", "b")
        assert cpdag.children("c") == ("e",)
        assert cpdag.undirected_neighbors("b") == ("a",)
        assert cpdag.undirected_neighbors("c") == ()
        assert cpdag.neighbors("b") == ("c", "a")
        assert cpdag.markov_blanket("b") == ("d", "c", "a")
        assert cpdag.markov_blanket("e") == ("c",)

    def test_blankets_are_those_of_the_members(self):
        rng = random.Random(3)
        names = "hgfedcba"
        for _ in range(50):
            arcs = [(a, b) for i, a in enumerate(names) for b in names[:i] if rng.random() < 0.3]
            dag = Dag(names, arcs)
            cpdag = dag.to_cpdag()
            assert all(cpdag.markov_blanket(x) == dag.markov_blanket(x) for x in names)

    def test_free_edges_go_from_lower_to_higher_name(self):
        assert Cpdag("cba", undirected=[("c", "b"), ("b", "a")]).to_dag().arcs == (
            ("b", "c"),
            ("a", "b"),
        )

    def test_equality_and_hash(self):
        one = Cpdag("abc", undirected=[("a", "b")])
        other = Cpdag("cba", undirected=[("b", "a")])
        assert one == other
        assert hash(one) == hash(other)
        assert one == Dag("abc", [("b", "a")]).to_cpdag()
        assert one != Cpdag("abc", undirected=[("a", "c")])
        assert one != Cpdag("abd", undirected=[("a", "b")])
        assert one != one.to_dag()
        assert one != "abc"

    def test_nothing_can_be_assigned(self):
        for attribute in ("names", "directed", "undirected", "variables", "other"):
            with pytest.raises(AttributeError):
                setattr(Cpdag("ab"), attribute, ())

    def test_copies(self, sneeze):
        cpdag = sneeze.to_cpdag()
        for again in (copy.deepcopy(cpdag), pickle.loads(pickle.dumps(cpdag))):
            assert again == cpdag
            assert again.names == cpdag.names

    @pytest.mark.parametrize("names", [[], ["a"]])
    def test_without_edges(self, names):
        cpdag = Cpdag(names)
        assert cpdag.directed == cpdag.undirected == ()
        assert cpdag == Dag(names).to_cpdag()
        assert Cpdag.from_networkx(cpdag.to_networkx()) == cpdag
        assert [cpdag.markov_blanket(x) for x in names] == [()] * len(names)

    def test_repr(self):
        cpdag = Dag("abcd", [("a", "b"), ("b", "c"), ("d", "c")]).to_cpdag()
        assert repr(cpdag) == "<Cpdag: 4 variables, 2 directed and 1 undirected edges>"

    def test_an_arc_that_nothing_compels_is_refused(self):
        with pytest.raises(GraphError) as caught:
            Cpdag("ba", [("a", "b")])
        assert str(caught.value) == (
            'this is not an essential graph: the edge between "a" and "b" is directed otherwise '
            "than the rest implies; use Cpdag.from_pdag to complete it"
        )

    def test_an_edge_that_must_be_directed_is_refused(self):
        with pytest.raises(GraphError, match=r'edge between "c" and "d" is directed otherwise'):
            Cpdag("abcd", [("a", "c"), ("b", "c")], [("c", "d")])

    def test_from_pdag_completes(self):
        completed = Cpdag.from_pdag("dcba", [("a", "c"), ("b", "c")], [("d", "c")])
        assert completed == Cpdag("abcd", [("a", "c"), ("b", "c"), ("c", "d")])
        assert completed.names == tuple("dcba")
        assert Cpdag.from_pdag("ab", [("a", "b")]) == Cpdag("ab", undirected=[("a", "b")])

    @pytest.mark.parametrize("make", [Cpdag, Cpdag.from_pdag])
    def test_without_a_member(self, make):
        square = [("a", "b"), ("b", "c"), ("c", "d"), ("d", "a")]
        for directed, undirected in [([], square), (square, [])]:
            with pytest.raises(GraphError, match=r"^no acyclic graph extends these edges: which"):
                make("abcd", directed, undirected)

    @pytest.mark.parametrize(
        ("directed", "undirected"),
        [
            ([("b", "a"), ("a", "b")], []),
            ([("b", "a")], [("a", "b")]),
            ([], [("a", "b"), ("b", "a")]),
            ([("a", "b"), ("a", "b")], []),
        ],
    )
    def test_two_edges_between_two_variables(self, directed, undirected):
        with pytest.raises(GraphError, match=r'^"a" and "b" are joined by more than one edge$'):
            Cpdag("ba", directed, undirected)

    def test_what_is_no_edge(self):
        with pytest.raises(GraphError, match=r"^a directed edge must be a pair of two different"):
            Cpdag("ab", [("a", "a")])
        with pytest.raises(GraphError, match=r"^an undirected edge must be a pair of two diff"):
            Cpdag("ab", undirected=["ab"])
        with pytest.raises(GraphError, match=r"^an undirected edge joins 'a' with 'c': unknown"):
            Cpdag("ab", undirected=[("a", "c")])

    @pytest.mark.parametrize(
        "ask", ["parents", "children", "undirected_neighbors", "neighbors", "markov_blanket"]
    )
    def test_unknown_variables(self, ask):
        with pytest.raises(ParameterError, match=r'^unknown variable "x"$'):
            getattr(Cpdag("ab"), ask)("x")


class TestMpdag:
    CHAIN = ds.Dag("abcd", [("a", "b"), ("b", "c"), ("c", "d")]).to_cpdag()

    def test_a_direction_and_what_follows(self):
        known = self.CHAIN.orient([("b", "c")])
        assert type(known) is ds.Mpdag
        assert known.directed == (("b", "c"), ("c", "d"))
        assert known.undirected == (("a", "b"),)
        assert known.orient([]) == known
        assert known.to_cpdag() == self.CHAIN
        assert {("b", "c"), ("c", "d")} <= set(known.to_dag().arcs)

    def test_an_essential_graph_is_one(self):
        assert isinstance(self.CHAIN, ds.Mpdag)
        assert ds.Mpdag(self.CHAIN.names, (), self.CHAIN.undirected) == self.CHAIN
        assert self.CHAIN.to_cpdag() is self.CHAIN

    @pytest.mark.parametrize(
        ("arcs", "said"),
        [
            ([("a", "c")], "a -> c cannot be directed: they are not joined"),
            ([("a", "b"), ("c", "b")], "c -> b cannot be directed: no network"),
            ([("b", "c"), ("d", "c")], "d -> c cannot be directed: no network"),
            ([("a", "x")], 'unknown variable "x"'),
        ],
    )
    def test_what_no_network_of_the_class_has_is_refused(self, arcs, said):
        with pytest.raises(GraphError, match=said):
            self.CHAIN.orient(arcs)

    def test_a_direction_that_follows_must_be_there(self):
        with pytest.raises(GraphError, match="the other edges imply the direction b -> c"):
            ds.Mpdag("abc", [("a", "b")], [("b", "c")])

    def test_copies_repr_and_networkx(self):
        known = self.CHAIN.orient([("b", "c")])
        assert pickle.loads(pickle.dumps(known)) == copy.deepcopy(known) == known
        assert hash(pickle.loads(pickle.dumps(known))) == hash(known)
        assert repr(known) == "<Mpdag: 4 variables, 2 directed and 1 undirected edges>"
        assert ds.Mpdag.from_networkx(known.to_networkx()) == known

    def test_it_is_taken_where_an_essential_graph_is(self):
        known = self.CHAIN.orient([("b", "c")])
        data = ds.Data({name: [0, 1, 1, 0, 1] for name in "abcd"})
        assert ds.score(data, known) == ds.score(data, self.CHAIN)
        assert ds.shd(known, self.CHAIN) == 0
        with pytest.raises(ds.ParameterError, match="score a Dag"):
            ds.score(data, known, score="k2")
