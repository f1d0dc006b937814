import copy
import pickle

import numpy as np
import pytest

import dagscape as ds
from dagscape.errors import ParameterError
from dagscape.graphs import Dag
from dagscape.knowledge import Knowledge
from dagscape.variables import Variables


def refusal(**parts):
    with pytest.raises(ParameterError) as caught:
        Knowledge(**parts)
    return str(caught.value)


class TestParts:
    def test_they_are_kept_in_the_order_given(self):
        knowledge = Knowledge(
            required=[["b", "c"], ("a", "c"), ("b", "c")],
            forbidden=iter([("d", "a")]),
            tiers=(tier for tier in [["b", "a"], {"c"}]),
            max_parents={"c": np.int64(2)},
        )
        assert knowledge.required == (("b", "c"), ("a", "c"))
        assert knowledge.forbidden == (("d", "a"),)
        assert knowledge.tiers == (("b", "a"), ("c",))
        assert knowledge.max_parents == {"c": 2}

    def test_nothing_is_known_by_default(self):
        nothing = Knowledge()
        assert nothing.required == nothing.forbidden == nothing.tiers == ()
        assert nothing.max_parents == {}
        assert nothing.allows("a", "b")
        assert nothing.violations(Dag("ab", [("a", "b")])) == ()

    def test_nothing_can_be_assigned(self):
        knowledge = Knowledge(max_parents={"a": 1})
        for attribute in ("required", "forbidden", "tiers", "max_parents", "other"):
            with pytest.raises(AttributeError):
                setattr(knowledge, attribute, ())
        with pytest.raises(TypeError):
            knowledge.max_parents["a"] = 2

    def test_it_does_not_follow_the_dict_it_was_made_from(self):
        limits = {"a": 1}
        knowledge = Knowledge(max_parents=limits)
        limits["a"] = 5
        assert knowledge.max_parents == {"a": 1}

    def test_equality_and_hash(self):
        one = Knowledge(
            required=[("a", "b"), ("c", "d")], tiers=[["a", "c"], ["b"]], max_parents={"b": 1}
        )
        other = Knowledge(
            required=[("c", "d"), ("a", "b")], tiers=[["c", "a"], ["b"]], max_parents={"b": 1}
        )
        assert one == other
        assert hash(one) == hash(other)
        assert one != Knowledge(required=one.required)
        assert Knowledge(tiers=[["a", "b"], ["c"]]) != Knowledge(tiers=[["c"], ["a", "b"]])
        assert Knowledge(required=[("a", "b")]) != Knowledge(forbidden=[("a", "b")])
        assert Knowledge() != ()

    def test_copies(self):
        knowledge = Knowledge(required=[("a", "b")], tiers=[["a"], ["b"]], max_parents={"b": 1})
        assert copy.deepcopy(knowledge) == knowledge
        assert pickle.loads(pickle.dumps(knowledge)) == knowledge

    def test_roots_and_leaves(self):
        knowledge = Knowledge(roots=["a"], leaves=["c"])
        assert not knowledge.empty
        assert not knowledge.allows("b", "a")
        assert not knowledge.allows("c", "b")
        assert knowledge.allows("a", "c")
        assert Knowledge.from_dict(knowledge.to_dict()) == knowledge
        assert set(Knowledge(required=[("a", "b")]).to_dict()) == {
            *("required", "forbidden", "tiers", "max_parents")
        }
        assert repr(knowledge) == "Knowledge(roots=('a',), leaves=('c',))"
        assert knowledge.also(Knowledge(roots=["d"])).roots == ("a", "d")
        with pytest.raises(ds.ParameterError, match="a -> b is required, but b is a root"):
            Knowledge(required=[("a", "b")], roots=["b"])
        with pytest.raises(ds.ParameterError, match="roots must hold names, got 1"):
            Knowledge(roots=[1])

    def test_repr_makes_it_again(self):
        assert repr(Knowledge()) == "Knowledge()"
        assert repr(Knowledge(required=[("a", "b")], max_parents={"b": 1})) == (
            "Knowledge(required=(('a', 'b'),), max_parents={'b': 1})"
        )


class TestAllows:
    KNOWLEDGE = Knowledge(required=[("a", "b")], forbidden=[("b", "c")], tiers=[["a"], ["b", "c"]])

    @pytest.mark.parametrize("arc", ["ab", "ac", "cb", "xa", "ax"])
    def test_what_is_left_open(self, arc):
        assert self.KNOWLEDGE.allows(*arc)

    @pytest.mark.parametrize("arc", ["bc", "ba", "ca", "bb"])
    def test_forbidden_against_a_required_one_to_an_earlier_tier_or_to_itself(self, arc):
        assert not self.KNOWLEDGE.allows(*arc)


class TestContradictions:
    def test_required_and_forbidden(self):
        both = [("a", "b")]
        assert refusal(required=both, forbidden=both) == (
            "the arc a -> b is required, but it is forbidden"
        )

    def test_required_both_ways(self):
        assert refusal(required=[("a", "b"), ("b", "a")]) == (
            "the arc a -> b is required, but b -> a is required"
        )

    def test_required_against_the_tiers(self):
        assert refusal(required=[("b", "a")], tiers=[["a"], ["b"]]) == (
            "the arc b -> a is required, but b is in a later tier than a"
        )

    def test_a_required_cycle(self):
        message = refusal(required=[("a", "b"), ("b", "c"), ("c", "a")])
        assert message.startswith("the required arcs cannot be obeyed: the arcs form a cycle: ")

    def test_more_required_parents_than_allowed(self):
        required = [("a", "c"), ("b", "c")]
        assert refusal(required=required, max_parents={"c": 1}) == (
            '"c" has 2 required parents, but max_parents allows 1'
        )
        assert Knowledge(required=required, max_parents={"c": 2}).max_parents["c"] == 2

    @pytest.mark.parametrize("tiers", [[["a", "b"], ["c", "b"]], [["a", "b", "b"]]])
    def test_in_two_tiers(self, tiers):
        assert refusal(tiers=tiers) == 'the tiers list "b" twice'


class TestBadArguments:
    @pytest.mark.parametrize("part", ["required", "forbidden"])
    @pytest.mark.parametrize("arc", ["ab", ("a",), ("a", "a"), {"a", "b"}, ("a", 1), 3])
    def test_arcs(self, part, arc):
        assert refusal(**{part: [arc]}) == (
            f"a {part} arc must be a pair of two different names, got {arc!r}"
        )

    def test_one_arc_instead_of_a_list(self):
        assert refusal(required=("age", "income")) == (
            "a required arc must be a pair of two different names, got 'age'"
        )

    @pytest.mark.parametrize("tier", ["age", 3])
    def test_tiers(self, tier):
        assert refusal(tiers=[tier]) == f"a tier must be a list of names, got {tier!r}"

    def test_names_in_tiers(self):
        assert refusal(tiers=[["a"], ["b", 1]]) == "a tier must hold names, got 1"

    @pytest.mark.parametrize("limit", [-1, 1.5, "2", None, True])
    def test_limits(self, limit):
        assert refusal(max_parents={"a": limit}) == (
            f'max_parents of "a" must be a whole number from 0, got {limit!r}'
        )

    @pytest.mark.parametrize("limits", [3, 0, [("a", 2)]])
    def test_limits_without_names(self, limits):
        assert refusal(max_parents=limits) == (
            f'max_parents must give limits by name, such as {{"A": 2}}, got {limits!r}'
        )


class TestCheck:
    VARIABLES = Variables(["smoke", "age", "xray"])

    @pytest.mark.parametrize(
        "parts",
        [
            {"required": [("age", "smok")]},
            {"forbidden": [("smok", "age")]},
            {"tiers": [["age"], ["smok"]]},
            {"max_parents": {"smok": 1}},
        ],
    )
    def test_unknown_names_in_any_part(self, parts):
        with pytest.raises(ParameterError) as caught:
            Knowledge(**parts).check(self.VARIABLES)
        assert str(caught.value) == 'unknown variable "smok"; did you mean "smoke"?'

    def test_limits_above_the_number_of_other_variables(self):
        Knowledge(max_parents={"age": 2}).check(self.VARIABLES)
        with pytest.raises(ParameterError) as caught:
            Knowledge(max_parents={"age": 3}).check(self.VARIABLES)
        assert str(caught.value) == (
            'max_parents of "age" must be between 0 and 2 (variables - 1), got 3'
        )


class TestViolations:
    KNOWLEDGE = Knowledge(
        required=[("a", "b"), ("a", "c")],
        forbidden=[("d", "c")],
        tiers=[["a"], ["b", "c"]],
        max_parents={"c": 2, "d": 0},
    )

    def test_a_network_that_obeys(self):
        dag = Dag("abcd", [("a", "b"), ("a", "c"), ("b", "c")])
        assert self.KNOWLEDGE.violations(dag) == ()

    def test_a_sentence_for_each(self):
        dag = Dag("dcba", [("b", "a"), ("a", "c"), ("b", "c"), ("d", "c"), ("b", "d"), ("a", "d")])
        assert self.KNOWLEDGE.violations(dag) == (
            "the required arc a -> b is missing",
            "the arc d -> c is not allowed: it is forbidden",
            "the arc b -> a is not allowed: a -> b is required",
            "c has 3 parents, at most 2 are allowed",
            "d has 2 parents, at most 0 are allowed",
        )

    def test_against_the_tiers(self):
        knowledge = Knowledge(tiers=[["a"], ["b"]])
        assert knowledge.violations(Dag("ab", [("b", "a")])) == (
            "the arc b -> a is not allowed: b is in a later tier than a",
        )

    def test_unknown_variables(self):
        with pytest.raises(ParameterError, match='unknown variable "d"'):
            self.KNOWLEDGE.violations(Dag("abc", [("a", "b"), ("a", "c")]))


class TestOrient:
    CHAIN = ds.Dag("abcd", [("a", "b"), ("b", "c"), ("c", "d")]).to_cpdag()

    @pytest.mark.parametrize(
        ("known", "directed"),
        [
            ({"required": [("b", "c")]}, {("b", "c"), ("c", "d")}),
            ({"forbidden": [("c", "b")]}, {("b", "c"), ("c", "d")}),
            ({"forbidden": [("a", "d"), ("d", "a")]}, set()),
            ({"tiers": [["c"], ["a", "d"]]}, {("c", "d")}),
            ({"tiers": [["c"], ["b"]]}, {("c", "b"), ("b", "a")}),
            ({"max_parents": {"a": 0}}, {("a", "b"), ("b", "c"), ("c", "d")}),
            ({}, set()),
        ],
    )
    def test_directions_that_follow(self, known, directed):
        found = Knowledge(**known).orient(self.CHAIN)
        assert set(found.directed) == directed
        assert len(found.directed) + len(found.undirected) == 3

    @pytest.mark.parametrize(
        ("known", "said"),
        [
            ({"required": [("a", "c")]}, "obeys: a -> c is not there"),
            ({"forbidden": [("a", "b"), ("b", "a")]}, "obeys: a - b is there, but it is forbidden"),
            ({"required": [("a", "b"), ("d", "c"), ("c", "b")]}, "c -> b cannot be directed|obeys"),
            ({"tiers": [["x"]]}, 'unknown variable "x"'),
        ],
    )
    def test_where_no_network_of_the_class_obeys(self, known, said):
        with pytest.raises(ds.DagscapeError, match=said):
            Knowledge(**known).orient(self.CHAIN)

    def test_a_direction_of_the_class_that_is_forbidden(self):
        collider = ds.Dag("abc", [("a", "c"), ("b", "c")]).to_cpdag()
        with pytest.raises(ds.GraphError, match="a -> c is there, but it is forbidden"):
            Knowledge(forbidden=[("a", "c")]).orient(collider)


class TestOfAResult:
    def test_the_graph_has_the_directions_that_were_known(self):
        data = ds.load_network("asia").sample(1000, seed=3)
        known = Knowledge(required=[("smoke", "lung")], tiers=[["asia", "smoke"], ["tub", "bronc"]])
        result = ds.exact(data, score="bic", knowledge=known)
        assert result.cpdag == result.dag.to_cpdag()
        assert ("smoke", "lung") not in result.cpdag.directed
        assert {("smoke", "lung"), ("smoke", "bronc")} <= set(result.mpdag.directed)
        assert set(result.mpdag.directed) <= set(result.dag.arcs)
        free = ds.exact(data, score="bic")
        assert free.mpdag == free.cpdag
