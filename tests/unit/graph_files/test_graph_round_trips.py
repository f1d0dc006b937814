"""What is written is read back, by this package and by networkx, whatever the names."""

from __future__ import annotations

import tempfile
from pathlib import Path

import networkx as nx
import pytest
from hypothesis import strategies as st

import dagscape as ds
from dagscape.graph_files import read_edges
from drawn import drawn

NASTY = [
    "a b",
    ' lead"ing',
    'say "hi"',
    "back\\slash",
    "end\\",
    '\\"',
    '\\\\"',
    "\\\n",
    "x,y",
    "x\ty",
    "line\nend",
    "cr\rend",
    "",
    " ",
    "<&>",
    "&amp;",
    "&#65;",
    "1st",
    "-1.5",
    "node",
    "graph",
    "Ärger",
    "概率",
    "🙂",
    "\u2028",
    "\x85",
    "\x00",
    "\x1b",
    "a -> b",
    "];",
    "//",
    "()",
    "[]",
]
NAMES = st.one_of(
    st.sampled_from(NASTY), st.text(st.characters(exclude_categories=("Cs",)), max_size=4)
)
ENDINGS = (
    *(".graphml", ".gml", ".dot", ".csv", ".tsv", ".graphml.gz", ".GML", ".csv.gz"),
    *(".dagitty", ".dagitty.gz"),
)
VALUES = st.one_of(
    st.booleans(),
    st.integers(-(2**40), 2**40),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(st.characters(exclude_categories=("Cs", "Cc")), max_size=4),
)


@st.composite
def dags(draw, names=NAMES):
    listed = draw(st.lists(names, max_size=5, unique=True))
    order = draw(st.permutations(listed))
    pairs = [(a, b) for i, a in enumerate(order) for b in order[i + 1 :]]
    return ds.Dag(listed, [pair for pair in pairs if draw(st.booleans())])


def holds(ending: str, name: str) -> bool:
    """Tell from the definitions whether a format can hold a name."""
    if "csv" in ending or "tsv" in ending:
        return name != "" and "\0" not in name
    if "graphml" in ending:
        return all(c in "\t\n\r" or (ord(c) >= 32 and ord(c) not in (0xFFFE, 0xFFFF)) for c in name)
    if "dagitty" in ending:
        return name != "" and not any(c in '"\\\x7f' or ord(c) < 32 for c in name)
    if ending == ".modelstring":
        return name != "" and name == name.strip() and not any(c in "[]|:\r\n\0" for c in name)
    if ending == ".dot":
        at, run = 0, 0
        for at in range(len(name) + 1):
            last = at == len(name)
            if run % 2 and (last or name[at] in '"\n'):
                return False
            run = run + 1 if not last and name[at] == "\\" else 0
    return True


@pytest.mark.slow
@drawn(dag=dags(), essential=st.booleans(), ending=st.sampled_from(ENDINGS), usual=50, long=150)
def test_a_graph_comes_back_or_is_refused(dag, essential, ending):
    graph = dag.to_cpdag() if essential else dag
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"graph{ending}")
        if not all(holds(ending, name) for name in graph.names):
            with pytest.raises(ds.ParameterError, match=r"cannot (be written|hold)"):
                ds.write_graph(graph, path)
            assert list(Path(folder).iterdir()) == []
            return
        ds.write_graph(graph, path)
        back = ds.read_graph(path)
        assert type(back) is type(graph)
        assert back == graph
        if "csv" not in ending and "tsv" not in ending:
            assert back.names == graph.names  # display order too


@pytest.mark.slow
@drawn(dag=dags(), usual=50, long=150)
def test_a_model_string_holds_a_network_alone(dag):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "graph.modelstring")
        if not dag.names or not all(holds(".modelstring", name) for name in dag.names):
            with pytest.raises(ds.ParameterError, match="cannot"):
                ds.write_graph(dag, path)
            return
        ds.write_graph(dag, path)
        assert ds.read_graph(path) == dag
        with pytest.raises(ds.ParameterError, match="edges without direction"):
            ds.write_graph(dag.to_cpdag(), path)


@pytest.mark.slow
@drawn(
    dag=dags(),
    essential=st.booleans(),
    ending=st.sampled_from([".graphml", ".gml"]),
    usual=50,
    long=150,
)
def test_networkx_reads_the_same_graph(dag, essential, ending):
    graph = dag.to_cpdag() if essential else dag
    # networkx reads a label of two brackets as an empty tuple or list.
    if not all(holds(ending, name) and name not in ("()", "[]") for name in graph.names):
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"graph{ending}")
        ds.write_graph(graph, path)
        read = nx.read_graphml(path) if ending == ".graphml" else nx.read_gml(path)
        assert read.graph.pop("essential", False) == essential
        read.graph.clear()  # networkx notes how it read the file
        assert nx.utils.graphs_equal(read, graph.to_networkx())
        assert list(read.nodes) == list(graph.names)
        assert type(graph).from_networkx(read) == graph


@pytest.mark.slow
@drawn(
    dag=dags(),
    essential=st.booleans(),
    ending=st.sampled_from([".graphml", ".gml"]),
    usual=50,
    long=150,
)
def test_what_networkx_writes_is_read(dag, essential, ending):
    graph = dag.to_cpdag() if essential else dag
    if not all(holds(ending, name) for name in graph.names):
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"graph{ending}")
        write = nx.write_graphml_xml if ending == ".graphml" else nx.write_gml
        write(graph.to_networkx(), path)
        back = ds.read_graph(path)
        if isinstance(back, ds.Dag):  # nothing says that it is an essential graph
            back = back.to_cpdag() if essential else back
        assert back == graph


@pytest.mark.slow
@drawn(
    dag=dags(st.sampled_from("abcdefg")),
    data=st.data(),
    essential=st.booleans(),
    usual=50,
    long=150,
)
def test_what_is_said_of_edges_comes_back(dag, data, essential):
    graph = dag.to_cpdag() if essential else dag
    pairs = graph.arcs if isinstance(graph, ds.Dag) else (*graph.directed, *graph.undirected)
    kind = {name: data.draw(st.sampled_from([bool, int, float, str])) for name in ("p", "label")}
    said = {}
    for pair in pairs:
        values = {
            name: data.draw(VALUES.filter(lambda v, of=of: type(v) is of))
            for name, of in kind.items()
        }
        if data.draw(st.booleans()):
            said[pair] = values
    with tempfile.TemporaryDirectory() as folder:
        for ending in (".graphml", ".gml", ".dot"):
            path = Path(folder, f"graph{ending}")
            texts = [v for values in said.values() for v in values.values() if isinstance(v, str)]
            if not all(holds(ending, text) for text in texts):
                with pytest.raises(ds.ParameterError, match="cannot be written"):
                    ds.write_graph(graph, path, edges=said)
                continue
            ds.write_graph(graph, path, edges=said)
            assert ds.read_graph(path) == graph
            back = read_edges(path)
            assert back.keys() == said.keys()
            if ending == ".graphml":
                assert back == said
                read = nx.read_graphml(path)
                for (a, b), values in said.items():
                    assert values.items() <= read.edges[a, b].items()
            for pair, values in said.items():
                for name, value in values.items():
                    if ending == ".gml" or (ending == ".dot" and not isinstance(value, str)):
                        assert back[pair][name] == value


def test_an_undirected_edge_is_written_once_in_display_order(tmp_path):
    graph = ds.Cpdag(["z", "a"], undirected=[("a", "z")])
    for ending in (".graphml", ".gml", ".dot", ".csv"):
        ds.write_graph(graph, tmp_path / f"g{ending}")
    assert (tmp_path / "g.csv").read_text() == "from,to,directed\nz,a,false\n"
    assert '"z" -> "a" [dir=none];' in (tmp_path / "g.dot").read_text()
    assert (
        '<edge source="z" target="a"><data key="edge_directed">false</data></edge>'
        in (tmp_path / "g.graphml").read_text()
    )
    assert (tmp_path / "g.gml").read_text().count("edge [") == 1


def test_networks_and_results_give_their_graph(tmp_path):
    net = ds.load_network("asia")
    result = ds.Result(dag=net.dag, score=0.0, score_name="none", method="none")
    for thing in (net, result):
        ds.write_graph(thing, tmp_path / "g.gml")
        assert ds.read_graph(tmp_path / "g.gml") == net.dag


def test_equal_graphs_make_equal_bytes(tmp_path):
    dag = ds.load_network("alarm").dag
    for name in ("one.dot.gz", "two.dot.gz"):
        ds.write_graph(dag, tmp_path / name)
    assert (tmp_path / "one.dot.gz").read_bytes() == (tmp_path / "two.dot.gz").read_bytes()


def test_edges_without_direction_are_named_from_either_end(tmp_path):
    graph = ds.Cpdag(["a", "b"], undirected=[("a", "b")])
    ds.write_graph(graph, tmp_path / "g.dot", edges={("b", "a"): {"confidence": 1e-7}})
    assert read_edges(tmp_path / "g.dot") == {("a", "b"): {"confidence": 1e-7}}


WRONG = [
    ({("b", "a"): {"p": 1}}, r"which is not an edge of the graph; did you mean \"a -> b\"\?"),
    ({("a", "b", "c"): {}}, "which is not an edge"),
    ({("a", "b"): {"two words": 1}}, "'two words' cannot name an attribute"),
    ({("a", "b"): {"dir": "none"}}, "'dir' cannot name an attribute"),
    ({("a", "b"): {"p": float("nan")}}, "must be a finite number"),
    ({("a", "b"): {"p": [1]}}, "must be a finite number"),
    ({("a", "b"): 3}, "must map names to values"),
    ([("a", "b")], "must say things by edge"),
]


@pytest.mark.parametrize(("edges", "said"), WRONG)
def test_what_cannot_be_said_of_edges_is_refused(tmp_path, edges, said):
    dag = ds.Dag(["a", "b"], [("a", "b")])
    with pytest.raises(ds.ParameterError, match=said):
        ds.write_graph(dag, tmp_path / "g.dot", edges=edges)
    assert list(tmp_path.iterdir()) == []


def test_other_wrong_calls_get_a_sentence(tmp_path):
    dag = ds.Dag(["a", "b"], [("a", "b")])
    with pytest.raises(ds.ParameterError, match=r"has no ending of a graph file; choose \.graphml"):
        ds.write_graph(dag, tmp_path / "g.png")
    with pytest.raises(ds.ParameterError, match="got DiGraph; of networkx graphs"):
        ds.write_graph(dag.to_networkx(), tmp_path / "g.dot")
    with pytest.raises(ds.ParameterError, match=r"no place for what edges says; use \.graphml"):
        ds.write_graph(dag, tmp_path / "g.csv", edges={("a", "b"): {"p": 1}})
    with pytest.raises(ds.ParameterError, match=r'there is no file ".*h\.dot"'):
        ds.read_graph(tmp_path / "h.dot")
    lines = ds.Cpdag(["a", "b"], undirected=[("a", "b")])
    with pytest.raises(ds.ParameterError, match="from both ends"):
        ds.write_graph(lines, tmp_path / "g.dot", edges={("a", "b"): {}, ("b", "a"): {}})


@pytest.mark.parametrize("ending", ENDINGS)
def test_directions_from_knowledge_come_back(tmp_path, ending):
    chain = ds.Dag(["a", "b", "c", "d"], [("a", "b"), ("b", "c"), ("c", "d")]).to_cpdag()
    for graph in (chain.orient([("b", "c")]), chain.orient([("a", "b")])):
        ds.write_graph(graph, tmp_path / f"g{ending}")
        back = ds.read_graph(tmp_path / f"g{ending}")
        assert type(back) is ds.Mpdag
        assert back == graph
