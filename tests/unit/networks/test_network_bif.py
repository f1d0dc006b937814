import gzip
import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dagscape.errors import FileFormatError
from dagscape.graphs import Dag
from dagscape.networks import Network, load_network, read_bif
from dagscape.networks.bif import format_bif, parse_bif
from dagscape.networks.network_parts import NetworkParts
from drawn import drawn
from unit.networks.network_cases import networks, published, same

# After the dog problem that JavaBayes shows its format by: comments, properties, quotes, every way
# to write a table and a number.
DOG = r"""
// A comment
network "Dog Problem" { property "credal-set constant-density-bounded 1.1" ; }
variable "light-on" { // 2 values
  type discrete[2] { "true" "false" };
  property "position = (218, 195)" ;
}
variable bowel-problem { type discrete[2] {  true  false }; property x = http://a.b/c ; }
variable dog-out { type discrete[2] { true, false }; }
variable hear-bark { type discrete [ 2 ] { true, false } ; }
variable family-out { type discrete[2] { true, false }; }
/* a longer
   comment; } */
probability ("light-on" "family-out") { table 0.6 0.05 0.4 0.95 ; }
probability ( bowel-problem ) { table 1e-2 .99; }
probability ( dog-out | bowel-problem, family-out ) {
  property "a note" ;
  (false, true) .9, .1;
  (true, true) 0.99, 1.e-2;
  default 0.3 0.7;
  (true, false) 97e-2, 0.03;
}
probability ( hear-bark | dog-out ) { table 0.7, 0.01, 0.3, 0.99; }
probability ( family-out ) { table 0.15, 0.85; }
"""


def test_every_part_of_the_format():
    net = parse_bif(DOG, "dog").network("dog")
    assert net.name == "Dog Problem"
    assert net.names == ("light-on", "bowel-problem", "dog-out", "hear-bark", "family-out")
    assert net.states["light-on"] == ("true", "false")
    assert net.table("light-on").tolist() == [[0.6, 0.4], [0.05, 0.95]]
    assert net.table("bowel-problem").tolist() == [0.01, 0.99]
    assert net.table("hear-bark").tolist() == [[0.7, 0.3], [0.01, 0.99]]
    assert net.dag.parents("dog-out") == ("bowel-problem", "family-out")
    assert net.table("dog-out").tolist() == [[[0.99, 0.01], [0.97, 0.03]], [[0.9, 0.1], [0.3, 0.7]]]


def test_table_lists_the_child_slowest_and_the_last_parent_fastest():
    text = """
    variable A { type discrete [ 2 ] { a0, a1 }; }
    variable B { type discrete [ 3 ] { b0, b1, b2 }; }
    variable C { type discrete [ 2 ] { c0, c1 }; }
    probability ( A ) { table .5 .5; }  probability ( B ) { table .2 .3 .5; }
    probability ( C | B, A ) { table .1 .2 .3 .4 .5 .6   .9 .8 .7 .6 .5 .4; }
    """
    net = parse_bif(text, "x").network("x")
    assert net.dag.parents("C") == ("A", "B")  # display order, not the file's
    by_label = {
        (a, b): net.table("C")[net.states["A"].index(a), net.states["B"].index(b), 0]
        for a, b in itertools.product(net.states["A"], net.states["B"])
    }
    assert by_label == {
        ("a0", "b0"): 0.1,
        ("a1", "b0"): 0.2,
        ("a0", "b1"): 0.3,
        ("a1", "b1"): 0.4,
        ("a0", "b2"): 0.5,
        ("a1", "b2"): 0.6,
    }


@pytest.mark.slow
@drawn(networks(), usual=80, long=300)
def test_round_trip_of_any_names(net):
    text = format_bif(NetworkParts.of(net))
    assert same(net, parse_bif(text, "x").network("x"))
    # ... and where the line ends were changed on the way.
    assert same(net, parse_bif(text.replace("\n", "\r\n"), "x").network("x"))


@pytest.mark.slow
@settings(derandomize=True, deadline=None, max_examples=50)
@given(networks(), st.randoms(use_true_random=False))
def test_rows_and_parents_in_any_order(net, random):
    parts = NetworkParts.of(net)
    for x, parents in parts.parents.items():
        axes = random.sample(range(len(parents)), len(parents))
        parts.parents[x] = tuple(parents[a] for a in axes)
        parts.tables[x] = parts.tables[x].transpose(*axes, len(axes))
    lines = format_bif(parts).splitlines()
    shuffled = []
    for is_row, group in itertools.groupby(lines, lambda line: line.startswith("  (")):
        group = list(group)
        shuffled += random.sample(group, len(group)) if is_row else group
    assert same(net, parse_bif("\n".join(shuffled), "x").network("x"))


def test_quotes_only_where_needed():
    dag = Dag(["Asy/Patch", "a b", "-1"], [])
    states = {"Asy/Patch": ["<5", ">=7.5"], "a b": ["1_1", "x;y"], "-1": ['"', "table"]}
    text = format_bif(NetworkParts.of(Network(dag, states, {x: [0.5, 0.5] for x in dag.names})))
    assert "variable Asy/Patch {" in text
    assert 'variable "a b" {' in text
    assert "{ <5, >=7.5 };" in text
    assert '{ 1_1, "x;y" };' in text
    assert r'{ "\"", "table" };' in text


def test_files_plain_and_gzip(tmp_path):
    net = load_network("child")  # with the label Asy/Patch
    net.write_bif(tmp_path / "child.bif")
    net.write_bif(tmp_path / "child.bif.gz")
    assert same(read_bif(tmp_path / "child.bif"), net)
    assert same(read_bif(str(tmp_path / "child.bif.gz")), net)
    packed = (tmp_path / "child.bif.gz").read_bytes()
    assert gzip.decompress(packed) == (tmp_path / "child.bif").read_bytes()
    assert sorted(p.name for p in tmp_path.iterdir()) == ["child.bif", "child.bif.gz"]


A = "variable A { type discrete [ 2 ] { a0, a1 }; }\n"
B = "variable B { type discrete [ 2 ] { b0, b1 }; }\n"
PA = "probability ( A ) { table 0.5, 0.5; }\n"


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("", 1, 'expected at least one "variable" block, found the end of the file'),
        (
            A + "hello",
            2,
            'expected "network", "variable" or "probability", found "hello"',
        ),
        ("network x }", 1, 'expected "{", found "}"'),
        (A + A, 2, 'variable "A" is declared twice'),
        ("variable A {\n}", 2, 'expected "type discrete" with the states of "A", found "}"'),
        ("variable A { type continuous; }", 1, 'expected "discrete", found "continuous"'),
        (
            "\nvariable A { type discrete [ 3 ] { a0, a1 }; }",
            2,
            'variable "A" declares 3 states and lists 2',
        ),
        (
            "variable A { type discrete [ 2 ] { a, a }; }",
            1,
            'variable "A" has the state "a" more than once',
        ),
        ("variable A { type discrete [ 2 ] { a,", 1, 'expected a state or "}", found the end of'),
        ('variable "A { x }', 1, "found a quotation mark without its partner"),
        ('variable "A\\', 1, "found a quotation mark without its partner"),
        ("variable A { type /* discrete }", 1, "found a comment that is never closed"),
        ("variable A {}\n/*/", 1, "found"),
        (A + "probability ( A | C )", 2, '"C" is not declared in a "variable" block before'),
        (A + "probability ( )", 2, 'expected the name of a variable, found ")"'),
        (A + PA + PA, 3, 'variable "A" has more than one "probability" block'),
        (A + "probability ( A | A ) {", 2, 'a variable is named twice in the "probability" block'),
        (A + B + PA, 3, 'variable "B" has no "probability" block'),
        (A + "probability ( A ) {\n table 0.5, x; }", 3, 'expected a number or ";", found "x"'),
        (A + "probability ( A ) {\n table 0.5, 0.5 }", 3, 'expected a number or ";", found "}"'),
        (
            A + "probability ( A ) {\n table 1 0;\n table 1 0; }",
            4,
            'the table of "A" is given twice',
        ),
        (A + "probability ( A ) {\n table 0.5; }", 3, "expected 2 numbers, found 1"),
        (A + "probability ( A ) {\n table 1.5 -.5; }", 3, "expected probabilities, found -0.5"),
        (A + "probability ( A ) {\n table 1 nan; }", 3, "expected probabilities, found nan"),
        (
            A + "probability ( A ) {\n table .5 .4; }",
            2,
            'the probabilities of "A" must sum to 1, got 0.9',
        ),
        (
            A + "probability ( A ) {\n chart .5 .4; }",
            3,
            'expected "(", "table", "default" or "}", found "chart"',
        ),
        (
            A + B + PA + "probability ( B | A ) {\n (a0) 1, 0;\n}",
            6,
            'the table of "B" has no row for (a1)',
        ),
        (
            A + B + PA + "probability ( B | A ) {\n (a0) 1, 0;\n (a0) 1, 0;\n}",
            6,
            'the table of "B" has this row twice',
        ),
        (
            A + B + PA + "probability ( B | A ) {\n (a0) 1, 0;\n (b1) 1, 0;\n}",
            6,
            '"b1" is not a state of "A"',
        ),
        (
            A + B + PA + "probability ( B | A ) {\n (a0, a1) 1, 0;\n}",
            5,
            'expected ")", found "a1"',
        ),
        (
            A + B + "// one\n/* two\nthree */ probability ( B | A ) {\n () 1, 0;\n}",
            6,
            'expected a state of "A", found ")"',
        ),
    ],
)
def test_a_bad_file_is_named_with_its_line(tmp_path, text, line, message):
    path = tmp_path / "bad.bif"
    path.write_text(text)
    with pytest.raises(FileFormatError) as error:
        read_bif(path)
    assert str(error.value).startswith(f"{path}, line {line}: ")
    assert message in str(error.value)


def test_a_cycle_is_a_fault_of_the_file(tmp_path):
    path = tmp_path / "cycle.bif"
    rows = "default .5 .5; }\n"
    path.write_text(A + B + "probability ( A | B ) {" + rows + "probability ( B | A ) {" + rows)
    with pytest.raises(FileFormatError, match="cycle"):
        read_bif(path)


PUBLISHED = {
    "alarm": (37, 46, 509),
    "andes": (223, 338, 1157),
    "asia": (8, 8, 18),
    "barley": (48, 84, 114005),
    "cancer": (5, 4, 10),
    "child": (20, 25, 230),
    "diabetes": (413, 602, 429409),
    "earthquake": (5, 4, 10),
    "hailfinder": (56, 66, 2656),
    "hepar2": (70, 123, 1453),
    "insurance": (27, 52, 1008),
    "link": (724, 1125, 14211),
    "mildew": (35, 46, 540150),
    "munin": (1041, 1397, 80592),
    "pathfinder": (109, 195, 72079),
    "pigs": (441, 592, 5618),
    "sachs": (11, 17, 178),
    "survey": (6, 6, 21),
    "water": (32, 66, 10083),
    "win95pts": (76, 112, 574),
}


@pytest.mark.parametrize("name", PUBLISHED)
def test_the_networks_of_the_bnlearn_repository(name):
    net = read_bif(published(f"{name}.bif.gz"))
    assert (len(net.names), len(net.dag.arcs), net.n_parameters) == PUBLISHED[name]


def test_numbers_land_at_the_states_the_file_names():
    net = read_bif(published("sachs.bif.gz"))  # whose rows list the first parent fastest
    table = net.table("Akt")
    assert net.dag.parents("Akt") == ("Erk", "PKA")
    erk, pka = net.states["Erk"].index("HIGH"), net.states["PKA"].index("LOW")
    np.testing.assert_allclose(table[erk, pka], [7.682262e-05, 1.183068e-01, 8.816163e-01], 1e-6)
