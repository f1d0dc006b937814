"""Files as other programs write them, and files that are wrong: what is read, what is refused."""

from __future__ import annotations

import random

import pytest

import dagscape as ds
from dagscape.graph_files import read_edges

IGRAPH_GRAPHML = """<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns"
         xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
         xsi:schemaLocation="http://graphml.graphdrawing.org/xmlns
         http://graphml.graphdrawing.org/xmlns/1.0/graphml.xsd">
<!-- Created by igraph -->
  <key id="v_name" for="node" attr.name="name" attr.type="string"/>
  <key id="e_weight" for="edge" attr.name="weight" attr.type="double"/>
  <graph id="G" edgedefault="directed">
    <node id="n0"><data key="v_name">smoke</data></node>
    <node id="n1"><data key="v_name">lung</data></node>
    <edge source="n0" target="n1"><data key="e_weight">0.5</data></edge>
  </graph>
</graphml>
"""
YED_GRAPHML = """<graphml xmlns="http://graphml.graphdrawing.org/xmlns"
  xmlns:y="http://www.yworks.com/xml/graphml">
  <key for="node" id="d6" yfiles.type="nodegraphics"/>
  <key attr.name="weight" attr.type="int" for="edge" id="d7"><default>1</default></key>
  <graph edgedefault="directed" id="G">
    <node id="a"><data key="d6"><y:Shape><y:NodeLabel>A</y:NodeLabel></y:Shape></data></node>
    <node id="b"/>
    <edge id="e0" source="a" target="b"/>
  </graph>
</graphml>
"""
MIXED_GRAPHML = """<graphml><graph edgedefault="undirected">
<node id="a"/><node id="b"/><node id="c"/><node id="d"/><node id="e"/>
<edge source="a" target="b" directed="true"/>
<edge source="c" target="b" directed="true"/>
<edge source="d" target="e"/>
</graph></graphml>
"""
STRING_GRAPHML = """<graphml><key id="d" for="edge" attr.name="directed" attr.type="string"/>
<graph edgedefault="directed"><node id="a"/><node id="b"/>
<edge source="a" target="b"><data key="d">False</data></edge></graph></graphml>
"""
IGRAPH_GML = """Creator "igraph version 0.10"
Version 1
graph
[
  directed 1
  node
  [
    id 0
    name "smoke"
  ]
  node
  [
    id 1
    name "l&auml;rm &amp; &#x6c;ung"
  ]
  # how it is drawn
  edge
  [
    source 0
    target 1
    weight 5e-1
    graphics [ fill "#ff0000" ]
  ]
]
"""
GRAPHVIZ_DOT = r"""/* as `dot -Tdot` writes it */
strict digraph "my graph" {
	graph [bb="0,0,54,108", rankdir=LR];
	node [label="\N"];
	smoke	[height=0.5,
		pos="27,90", label=<<b>Smoke</b>>];
	smoke -> lung	[pos="e,27,36.104 27,71.697",
		weight=2];
# a line of the preprocessor
	subgraph cluster_0 { label="x"; lung -> { "x ray":n; dyspn\u00f6 } // two at once
	}
	"long " + "name";
}
""".replace("\\u00f6", "ö")
TETRAD_DOT = """digraph g {
 "a" -> "b" [dir=both, arrowtail=none, arrowhead=normal];
 "c" -> "b" [dir=both, arrowtail=none, arrowhead=normal];
 "d" -> "e" [dir=both, arrowtail=none, arrowhead=none];
}
"""
# Names and arcs; of essential graphs also the edges without direction.
MIXED = ("abcde", [("a", "b"), ("c", "b")], [("d", "e")])

READ = [
    ("g.graphml", IGRAPH_GRAPHML, (["smoke", "lung"], [("smoke", "lung")])),
    ("g.graphml", YED_GRAPHML, (["a", "b"], [("a", "b")])),
    ("g.graphml", MIXED_GRAPHML, MIXED),
    ("g.graphml", STRING_GRAPHML, ("ab", [], [("a", "b")])),
    ("g.gml", IGRAPH_GML, (["smoke", "lärm & lung"], [("smoke", "lärm & lung")])),
    ("g.gml", "graph [ node [ id 7 ] node [ id 3 ] ]", (["7", "3"], [])),
    (
        "g.gml",
        'graph [ node [ id 1 label "a" ] node [ id 2 label "b" ] edge [ source 1 target 2 ] ]',
        ("ab", [], [("a", "b")]),
    ),
    (
        "g.dot",
        GRAPHVIZ_DOT,
        (
            ["smoke", "lung", "x ray", "dyspnö", "long name"],
            [("smoke", "lung"), ("lung", "x ray"), ("lung", "dyspnö")],
        ),
    ),
    ("g.dot", TETRAD_DOT, MIXED),
    ("g.dot", "digraph{a->b;c->b;{edge[dir=none]d->e}}", MIXED),
    ("g.dot", "digraph{b->{a,c}[dir=back] d->e[dir=none]}", MIXED),
    ("g.dot", "graph { d -- e; b -- a [dir=back]; c -- b [dir=forward] }", MIXED),
    ("g.csv", "to,from,directed\nb,a,TRUE\nb,c,true\ne,d,False\n", MIXED),
    ("g.csv", '\ufefffrom,to\r\n"a,1",b\r\n\r\nc,\r\n', (["a,1", "b", "c"], [("a,1", "b")])),
    ("g.tsv", "from\tto\n", ([], [])),
]


@pytest.mark.parametrize(("name", "text", "graph"), READ)
def test_files_of_other_programs_are_read(tmp_path, name, text, graph):
    (tmp_path / name).write_text(text, encoding="utf-8", newline="")
    expected = ds.Dag(*graph) if len(graph) == 2 else ds.Cpdag(*graph)
    back = ds.read_graph(tmp_path / name)
    assert type(back) is type(expected)
    assert back == expected


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("g.graphml", IGRAPH_GRAPHML, {("smoke", "lung"): {"weight": 0.5}}),
        ("g.graphml", YED_GRAPHML, {("a", "b"): {"weight": 1}}),
        ("g.gml", IGRAPH_GML, {("smoke", "lärm & lung"): {"weight": 0.5}}),
        ("g.dot", "digraph { a -> b [w=1, w2=x]; c -> b [w=0.5] }", None),
    ],
)
def test_what_they_say_of_edges_is_read(tmp_path, name, text, said):
    (tmp_path / name).write_text(text, encoding="utf-8")
    if said is None:
        said = {("a", "b"): {"w": 1.0, "w2": "x"}, ("c", "b"): {"w": 0.5}}
    assert read_edges(tmp_path / name) == said


def graphml(inside: str) -> str:
    return f"<graphml>\n<graph>\n{inside}\n</graph>\n</graphml>"


WRONG = [
    # GraphML
    ("g.graphml", "<gexf/>", 'line 1: expected the element "graphml", found "gexf"'),
    ("g.graphml", "<graphml>\n<graph>\n", "line 3: not XML: no element found"),
    ("g.graphml", "<graphml/>", 'line 1: expected an element "graph"'),
    ("g.graphml", graphml('<node id="a"/>\n<node id="a"/>'), 'line 4: the node "a" is there twice'),
    ("g.graphml", graphml("<node/>"), "line 3: a node has no id"),
    (
        "g.graphml",
        graphml('<node id="a"/>\n<edge source="a" target="b"/>'),
        'line 4: an edge joins "b", which is not a node',
    ),
    ("g.graphml", graphml('<edge source="a"/>'), 'line 3: an edge joins "a", which is not a node'),
    ("g.graphml", graphml("<hyperedge/>"), "line 3: a hyperedge cannot be part of a network"),
    ("g.graphml", graphml('<node id="a"><graph/></node>'), "line 3: a second graph"),
    (
        "g.graphml",
        graphml('<node id="a"/><node id="b"/>\n<edge source="a" target="b" directed="so"/>'),
        'line 4: "directed" must be true or false, got "so"',
    ),
    (
        "g.graphml",
        '<graphml><key id="k" attr.name="w" attr.type="int" for="edge"/>\n<graph>'
        '<node id="a"><data key="k">x</data></node></graph></graphml>',
        'line 2: "w" is of type int, got "x"',
    ),
    (
        "g.graphml",
        '<!DOCTYPE x [<!ENTITY a "b">]><graphml/>',
        'declares the entity "a"; entities are refused',
    ),
    (
        "g.graphml",
        "<graphml>\n"
        + "".join(
            f'<key id="k{i}" for="node" attr.name="k{i}"><default>1</default></key>'
            for i in range(101)
        )
        + "</graphml>",
        "line 2: nodes have more than 100 attributes by default",
    ),
    (
        "g.graphml",
        '<!DOCTYPE graphml SYSTEM "graphml.dtd">\n<graphml><graph>\n'
        '<node id="R&amp;D"/><node id="M&uuml;ller"/></graph></graphml>',
        "line 3: &uuml; is not declared; write the character itself",
    ),
    (
        "g.graphml",
        '<graphml><key id="k" attr.name="w" attr.type="long" for="edge"/>\n<graph>'
        f'<node id="a"><data key="k">{"9" * 400}</data></node></graph></graphml>',
        'line 2: "w" is of type long, got "9999999999',
    ),
    ("g.graphml", b"\xff\xfe<", "save it as UTF-8"),
    ("g.graphml", '<?xml version="1.0" encoding="klingon"?><graphml/>', "save it as UTF-8"),
    # GML
    ("g.gml", "", 'line 1: expected one "graph [", found 0'),
    ("g.gml", "graph [\n node [\n", "line 3: the file ends too early"),
    ("g.gml", "graph [ ] ]", "line 1: expected a word, found ']'"),
    ("g.gml", "graph [\n node 5 6 ]", "line 2: expected a word, found '6'"),
    ("g.gml", "graph [\n node word ]", "line 2: expected a value of \"node\", found 'word'"),
    ("g.gml", "graph [\n {", "line 2: not GML: '{'"),
    ("g.gml", 'graph [\n node [ label "a" ] ]', "line 2: a node has no id"),
    ("g.gml", "graph [ node [ id 1 ]\n node [ id 1 ] ]", "line 2: two nodes have the id 1"),
    (
        "g.gml",
        'graph [ node [ id 1 label "a" ]\n node [ id 2 label "a" ] ]',
        'line 2: two nodes have the label "a"',
    ),
    ("g.gml", "graph [\n edge [ source 1 ] ]", "line 2: an edge joins 1, which is the id of no"),
    # DOT
    ("g.dot", "dag { a }", 'line 1: expected "graph" or "digraph", found \'dag\''),
    ("g.dot", "", 'line 1: expected "graph" or "digraph", found the end of the file'),
    ("g.dot", "digraph {\n a -> b", "line 2: the file ends before the graph does"),
    ("g.dot", "digraph {\n a -- b }", 'line 2: a digraph has edges ->, found "--"'),
    ("g.dot", "graph {\n a -> b }", 'line 2: a graph has edges --, found "->"'),
    ("g.dot", "digraph {\n a -> b [dir=both] }", 'line 2: the edge between "a" and "b" has two'),
    ("g.dot", "digraph {\n a -> b [dir=up] }", 'line 2: "dir" must be one of forward, back'),
    (
        "g.dot",
        "digraph {\n a -> b [dir=both, arrowtail=dot] }",
        "line 2: an edge that ends in a full dot has no meaning here",
    ),
    ("g.dot", "digraph {\n a -> <b> }", "line 2: a name in angle brackets is not read"),
    ("g.dot", "digraph {\n a [label=<b }", "line 2: the angle bracket opened here is never closed"),
    ("g.dot", 'digraph {\n "a }', "line 2: not DOT: '\"a }'"),
    ("g.dot", 'digraph { "a" +\n b }', "line 2: expected a quoted text after +"),
    ("g.dot", 'digraph { "a" +\n', "line 1: expected a quoted text after +"),
    (
        "g.dot",
        "digraph {\n {"
        + " ".join(f"a{i} b{i}" for i in range(501))
        + "} -> {"
        + " ".join(f"c{i}" for i in range(1000))
        + "} }",
        "line 2: braces around nodes stand for more than 1,000,000 edges; list the edges one by",
    ),
    (
        "g.dot",
        "digraph {\n edge [" + " ".join(f"a{i}" for i in range(101)) + "] a -> b }",
        "line 2: edges have more than 100 attributes by default",
    ),
    ("g.dot", "digraph {}\ndigraph {}", "line 2: more after the graph; a file may hold one"),
    ("g.dot", "digraph {" + "{" * 60, "line 1: more than 50 braces are open"),
    ("g.dot", "digraph {\n a -> a }", 'line 2: an edge joins "a" with itself'),
    ("g.dot", "digraph { a -> b\n a -> b }", 'line 2: "a" and "b" are joined by more than one'),
    ("g.dot", "digraph { a -> b b -> a }", "the arcs form a cycle: b -> a -> b"),
    ("g.dot", "digraph { a -> b b -> c [dir=none] }", "this is not an essential graph"),
    ("g.dot", b"digraph {\n \xff }", "line 2: not UTF-8 text"),
    # arcs
    ("g.csv", "", 'the columns "from" and "to", got nothing'),
    ("g.csv", "from,to,strength\n", "got from,to,strength"),
    ("g.csv", "from,to\na,b\n,b\n", 'line 3: "from" is empty'),
    ("g.csv", "from,to\na\n", "line 2: an arc has two ends, got 1 cell"),
    ("g.csv", "from,to,directed\na,b,maybe\n", 'line 2: "directed" must be true or false'),
    ("g.csv", 'from,to\n"a"b,c\n', "line 2"),
]


@pytest.mark.parametrize(("name", "text", "said"), WRONG, ids=lambda value: str(value)[:40])
def test_what_is_wrong_is_refused_with_its_line(tmp_path, name, text, said):
    (tmp_path / name).write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(ds.FileFormatError) as caught:
        ds.read_graph(tmp_path / name)
    assert said in str(caught.value)
    assert str(caught.value).startswith(str(tmp_path / name))
    assert "\n" not in str(caught.value)


def damaged(text: str, rng: random.Random) -> str:
    """Return a text with a few characters gone, doubled, or taken from elsewhere."""
    listed = list(text)
    for _ in range(rng.randint(1, 4)):
        at, other = rng.randrange(len(listed)), rng.randrange(len(listed))
        listed[at : at + rng.randint(0, 3)] = listed[other : other + rng.randint(0, 3)]
        listed = listed or ["x"]
    return "".join(listed)


@pytest.mark.parametrize(("name", "text"), [case[:2] for case in READ])
def test_a_damaged_file_is_read_or_refused_with_one_line(tmp_path, name, text):
    rng = random.Random(7)
    said = []
    for _ in range(150):
        (tmp_path / name).write_text(damaged(text, rng), encoding="utf-8", newline="")
        try:
            ds.read_graph(tmp_path / name)
        except ds.FileFormatError as error:
            said.append(str(error))
    assert said
    assert all(line.startswith(str(tmp_path / name)) and "\n" not in line for line in said)


def test_half_characters_survive_in_gml_and_are_refused_elsewhere(tmp_path):
    dag = ds.Dag(["\ud800", "b"], [("\ud800", "b")])
    ds.write_graph(dag, tmp_path / "g.gml")
    assert ds.read_graph(tmp_path / "g.gml") == dag
    for ending in (".graphml", ".dot", ".csv"):
        with pytest.raises(ds.ParameterError, match="cannot be written"):
            ds.write_graph(dag, tmp_path / f"g{ending}")
