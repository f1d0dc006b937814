"""Dag: arcs, parents, separation."""

import copy
import pickle

import numpy as np
import pytest

from dagscape.errors import GraphError, ParameterError
from dagscape.graphs import Dag
from unit.graphs.graph_cases import ARCS, NAMES


class TestDag:
    def test_names_and_arcs_come_in_display_order(self, sneeze):
        assert sneeze.names == tuple(NAMES)
        assert sneeze.arcs == (("sneeze", "tissue"), ("dust", "sneeze"), ("cold", "sneeze"))

    def test_sets_come_in_display_order(self, sneeze):
        assert sneeze.parents("sneeze") == ("dust", "cold")
        assert sneeze.children("sneeze") == ("tissue",)
        assert sneeze.neighbors("sneeze") == ("dust", "cold", "tissue")
        assert sneeze.spouses("cold") == ("dust",)
        assert sneeze.markov_blanket("cold") == ("sneeze", "dust")
        assert sneeze.ancestors("tissue") == ("sneeze", "dust", "cold")
        assert sneeze.descendants("cold") == ("sneeze", "tissue")

    def test_lists_of_the_whole_graph(self, sneeze):
        assert sneeze.topological_order() == ("cold", "dust", "sneeze", "tissue")
        assert sneeze.v_structures() == (("cold", "sneeze", "dust"),)
        assert sneeze.covered_arcs() == ()
        assert Dag("ba", [("a", "b")]).covered_arcs() == (("a", "b"),)

    def test_a_spouse_may_be_a_parent_too(self):
        dag = Dag("abc", [("a", "b"), ("a", "c"), ("b", "c")])
        assert dag.spouses("b") == ("a",)
        assert dag.markov_blanket("b") == ("a", "c")

    def test_moral_graph_keeps_isolated_variables(self):
        moral = Dag("dcba", [("a", "c"), ("b", "c")]).moral_graph()
        assert list(moral.nodes) == ["d", "c", "b", "a"]
        assert {frozenset(edge) for edge in moral.edges} == {
            frozenset("ac"),
            frozenset("bc"),
            frozenset("ab"),
        }

    def test_equality_and_hash_ignore_display_order(self, sneeze):
        other = Dag(sorted(NAMES), reversed(ARCS))
        assert other == sneeze
        assert hash(other) == hash(sneeze)
        assert len({other, sneeze}) == 1
        assert other.arcs != sneeze.arcs

    def test_what_differs_is_unequal(self, sneeze):
        assert sneeze != Dag(NAMES, ARCS[1:])
        assert sneeze != Dag([*NAMES, "rain"], ARCS)
        assert Dag("ab", [("a", "b")]) != Dag("ab", [("b", "a")])
        assert Dag("ab") != Dag("ac")
        assert sneeze != sneeze.to_cpdag()
        assert sneeze != "sneeze"

    def test_nothing_can_be_assigned(self, sneeze):
        for attribute in ("names", "arcs", "variables", "other"):
            with pytest.raises(AttributeError):
                setattr(sneeze, attribute, ())

    def test_it_does_not_follow_the_lists_it_was_made_from(self):
        names, arcs = ["a", "b"], [("a", "b")]
        dag = Dag(names, arcs)
        names.append("c")
        arcs.clear()
        assert (dag.names, dag.arcs) == (("a", "b"), (("a", "b"),))

    def test_iterators_lists_and_arrays_are_arcs_too(self):
        expected = Dag("abc", [("a", "b"), ("b", "c")])
        assert Dag(iter("abc"), (arc for arc in [["a", "b"], ["b", "c"]])) == expected
        assert Dag("abc", np.array([["a", "b"], ["b", "c"]])) == expected

    def test_an_arc_listed_twice_is_one(self):
        assert Dag("ab", [("a", "b"), ("a", "b")]).arcs == (("a", "b"),)

    def test_copies(self, sneeze):
        for again in (copy.deepcopy(sneeze), pickle.loads(pickle.dumps(sneeze))):
            assert again == sneeze
            assert again.names == sneeze.names

    @pytest.mark.parametrize("names", [[], ["a"]])
    def test_without_arcs(self, names):
        dag = Dag(names)
        assert dag.arcs == dag.v_structures() == dag.covered_arcs() == ()
        assert dag.topological_order() == tuple(names)
        assert list(dag.moral_graph().nodes) == names
        assert dag.to_cpdag().to_dag() == dag
        assert Dag.from_networkx(dag.to_networkx()) == dag

    def test_alone_in_its_graph(self):
        dag = Dag(["a"])
        for ask in (dag.parents, dag.children, dag.neighbors, dag.spouses, dag.markov_blanket):
            assert ask("a") == ()

    def test_repr_shows_a_few_arcs(self, sneeze):
        assert repr(Dag([])) == "<Dag: 0 variables, 0 arcs>"
        assert repr(sneeze) == (
            "<Dag: 4 variables, 3 arcs: sneeze -> tissue, dust -> sneeze, cold -> sneeze>"
        )
        fan = Dag("abcdefgh", [("a", x) for x in "bcdefgh"])
        assert repr(fan).endswith("a -> f, a -> g, ... 1 more>")

    def test_a_cycle_is_spelled_out(self):
        with pytest.raises(GraphError) as caught:
            Dag("xabc", [("x", "a"), ("a", "b"), ("b", "c"), ("c", "a")])
        spelled = str(caught.value).removeprefix("the arcs form a cycle: ").split(" -> ")
        assert spelled[0] == spelled[-1]
        doubled = "abcabc"
        assert "".join(spelled[:-1]) in doubled
        assert len(spelled) == 4

    @pytest.mark.parametrize(
        "arc", ["ab", ("a",), ("a", "b", "c"), {"a", "b"}, ("a", "a"), ("a", 1), 3]
    )
    def test_what_is_no_arc(self, arc):
        with pytest.raises(GraphError) as caught:
            Dag("abc", [arc])
        assert str(caught.value) == f"an arc must be a pair of two different names, got {arc!r}"

    def test_unknown_ends_are_named_with_a_suggestion(self):
        with pytest.raises(GraphError) as caught:
            Dag(NAMES, [("cold", "sneze")])
        assert str(caught.value) == (
            "an arc joins 'cold' with 'sneze': unknown variable \"sneze\"; did you mean \"sneeze\"?"
        )

    def test_bad_names(self):
        with pytest.raises(ParameterError, match='name "a" is given to more than one'):
            Dag("aba")
        with pytest.raises(ParameterError, match="must be strings, got 1"):
            Dag([1, 2])

    @pytest.mark.parametrize(
        "ask",
        [
            "parents",
            "children",
            "neighbors",
            "spouses",
            "markov_blanket",
            "ancestors",
            "descendants",
        ],
    )
    def test_unknown_variables(self, sneeze, ask):
        with pytest.raises(ParameterError, match=r'^unknown variable "col"; did you mean "cold"\?'):
            getattr(sneeze, ask)("col")


class TestDSeparation:
    def test_names_and_collections_of_names(self, sneeze):
        assert sneeze.d_separated("cold", "dust")
        assert not sneeze.d_separated("cold", "dust", "tissue")
        assert not sneeze.d_separated("cold", {"dust", "tissue"})
        assert sneeze.d_separated(["cold", "dust"], "tissue", given=("sneeze",))

    def test_nothing_is_separated_from_anything(self, sneeze):
        assert sneeze.d_separated([], "dust")

    @pytest.mark.parametrize(
        ("a", "b", "given"),
        [("cold", "cold", ()), ("cold", "dust", "dust"), (["cold", "tissue"], "dust", ["cold"])],
    )
    def test_sets_must_not_overlap(self, sneeze, a, b, given):
        with pytest.raises(ParameterError, match=r"^a, b and given must not share a variable$"):
            sneeze.d_separated(a, b, given)

    def test_a_name_listed_twice_counts_once(self, sneeze):
        assert sneeze.d_separated(["cold", "cold"], "dust")

    def test_unknown_variables(self, sneeze):
        with pytest.raises(ParameterError, match='unknown variable "rain"'):
            sneeze.d_separated("cold", "dust", given=["rain"])
