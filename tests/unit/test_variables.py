import copy

import pytest

from dagscape.errors import ParameterError
from dagscape.variables import Variables, is_pair, suggest


def test_numbers_follow_names_and_display_follows_the_user():
    variables = Variables(["smoke", "age", "xray"])
    assert variables.names == ("smoke", "age", "xray")
    assert variables.in_engine_order() == ("age", "smoke", "xray")
    assert [variables.number(name) for name in variables.names] == [1, 0, 2]
    assert [variables.name(number) for number in range(3)] == ["age", "smoke", "xray"]
    assert [variables.display_rank(number) for number in range(3)] == [1, 0, 2]


def test_numbers_do_not_depend_on_the_order_listed():
    one, other = Variables(["B", "a", "C"]), Variables(["C", "B", "a"])
    assert all(one.number(name) == other.number(name) for name in one.names)


def test_show_orders_as_listed():
    variables = Variables(["c", "a", "b"])  # numbers 2, 0, 1
    assert variables.show([0, 1, 2]) == ("c", "a", "b")
    assert variables.show([1, 2]) == ("c", "b")
    assert variables.show([]) == ()


def test_show_pairs_keeps_each_pair_and_orders_them_by_first_then_second():
    variables = Variables(["c", "a", "b"])
    assert variables.show_pairs([(0, 1), (1, 2), (0, 2)]) == (("a", "c"), ("a", "b"), ("b", "c"))


def test_equality_and_hash_ignore_the_order():
    one, other = Variables(["b", "a"]), Variables(["a", "b"])
    assert one == other
    assert hash(one) == hash(other)
    assert one != Variables(["a"])
    assert one != Variables(["a", "c"])
    assert one != ("b", "a")


def test_nothing_can_be_assigned():
    variables = Variables(["a"])
    with pytest.raises(AttributeError):
        variables.names = ("b",)
    with pytest.raises(AttributeError):
        variables.other = 1


def test_copies_are_equal():
    variables = Variables(["b", "a"])
    assert copy.deepcopy(variables) == variables


def test_none_and_one():
    assert len(Variables([])) == 0
    assert Variables([]).show([]) == ()
    assert Variables(iter(["a"])).names == ("a",)


def test_contains():
    variables = Variables(["a", "b"])
    assert "a" in variables
    assert "c" not in variables
    assert 0 not in variables


def test_names_must_be_strings():
    with pytest.raises(ParameterError, match=r"^variable names must be strings, got 7$"):
        Variables(["a", 7, None])


def test_names_must_differ():
    with pytest.raises(ParameterError, match=r'^the name "b" is given to more than one variable$'):
        Variables(["b", "a", "b"])


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ("smoek", 'unknown variable "smoek"; did you mean "smoke"?'),
        ("lung", 'unknown variable "lung"'),
        (0, "unknown variable 0"),
        (["age"], "unknown variable ['age']"),
    ],
)
def test_unknown_names(wrong, message):
    with pytest.raises(ParameterError) as caught:
        Variables(["smoke", "age"]).number(wrong)
    assert str(caught.value) == message
    assert caught.value.__cause__ is None


def test_suggest_takes_the_nearest_or_nothing():
    assert suggest("bdue", ["bic", "bdeu"]) == '; did you mean "bdeu"?'
    assert suggest("zzz", ["bic", "bdeu"]) == ""
    assert suggest("bic", iter([])) == ""


@pytest.mark.parametrize("pair", [("a", "b"), ["a", "b"]])
def test_pairs(pair):
    assert is_pair(pair)


@pytest.mark.parametrize(
    "other",
    [
        "ab",
        {"a", "b"},
        frozenset("ab"),
        {"a": 1, "b": 2},
        ("a",),
        tuple("abc"),
        (),
        ("a", 1),
        5,
        ("a", "a"),
        None,
        ([], "a"),
    ],
)
def test_what_is_no_pair_of_different_names(other):
    assert not is_pair(other)


def test_a_name_in_other_letters_is_suggested():
    with pytest.raises(ParameterError, match=r'unknown variable "Hr"; did you mean "HR"\?'):
        Variables(["HR", "HRBP", "CO"]).number("Hr")
