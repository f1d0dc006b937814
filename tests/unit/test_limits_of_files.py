"""Files that ask for more than they hold, or hold what is no number, get a sentence."""

import gzip
import json
import tracemalloc

import pytest

import dagscape as ds
from dagscape.cli.folder import Folder
from dagscape.files import compression
from dagscape.files import text as textfiles
from dagscape.graph_files import read_edges

NETWORK = {
    "format": "dagscape-network",
    "version": 1,
    "variables": [{"name": "A", "states": ["a", "b"], "parents": [], "table": [0.5, 0.5]}],
}
DEPTH = 100_000


def network_with(table: str) -> str:
    return json.dumps(NETWORK).replace("[0.5, 0.5]", table)


class TestNumbers:
    @pytest.mark.parametrize(
        ("table", "said"),
        [
            (f"[{10**400}, 0]", "a number that is too large"),
            (f"[{'9' * 5000}, 0]", "a whole number has thousands of digits"),
            ("[1e999, 0]", "must hold probabilities"),
            ("[NaN, 0]", "NaN is not a JSON number"),
            ("[" * DEPTH, "nested too deeply for a network"),
        ],
    )
    def test_in_a_network(self, tmp_path, table, said):
        path = tmp_path / "net.json"
        path.write_text(network_with(table))
        with pytest.raises(ds.FileFormatError, match=said):
            ds.read_network(path)

    def test_half_characters(self, tmp_path):
        path = tmp_path / "net.json"
        path.write_text(json.dumps(NETWORK).replace('"a"', '"\\ud83d"'))
        with pytest.raises(ds.FileFormatError, match="half a character"):
            ds.read_network(path)
        path.write_text(json.dumps(NETWORK).replace('"a"', '"\\ud83d\\ude42"'))
        assert ds.read_network(path).states["A"] == ("🙂", "b")
        path = tmp_path / "net.bif"
        ds.load_network("asia").write_bif(path)
        path.write_text(path.read_text().replace("yes", '"\\ud83d"'))
        with pytest.raises(ds.FileFormatError, match="half a character"):
            ds.read_network(path)

    @pytest.mark.parametrize("value", [10**400, 10**5000, -(10**300)], ids=["400", "5000", "-300"])
    def test_said_of_an_edge(self, tmp_path, value):
        dag = ds.Dag("ABC", [("A", "B"), ("B", "C")])
        said = {("A", "B"): {"w": value}, ("B", "C"): {"w": 0.5}}
        with pytest.raises(ds.ParameterError, match="more than 300 digits"):
            ds.write_graph(dag, tmp_path / "g.graphml", edges=said)

    def test_said_of_an_edge_in_a_file(self, tmp_path):
        path = tmp_path / "g.graphml"
        dag = ds.Dag("ABC", [("A", "B"), ("B", "C")])
        said = {("A", "B"): {"w": 10**299}, ("B", "C"): {"w": 0.5}}
        ds.write_graph(dag, path, edges=said)
        assert read_edges(path) == {("A", "B"): {"w": 1e299}, ("B", "C"): {"w": 0.5}}


class TestResults:
    @pytest.mark.parametrize("depth", [900, DEPTH])
    def test_nested_too_deeply(self, tmp_path, depth):
        path = tmp_path / "r.json"
        ds.exact(ds.load_network("asia").sample(50, seed=1)).save(path)
        content = json.loads(path.read_text()) | {"asked": {"x": "@"}}
        path.write_text(json.dumps(content).replace('"@"', "[" * depth + "]" * depth))
        with pytest.raises(ds.FileFormatError, match="nested too deeply for a result"):
            ds.load_result(path)


IDENTITY = {"data": "0", "k": 0.8, "knowledge": None}
GOOD = {
    "kind": "run",
    "state": "done",
    "identity": IDENTITY,
    "source": {},
    "seconds_used": 1.5,
}


class TestRunJson:
    @pytest.mark.parametrize(
        "text",
        [
            "",
            "[]",
            "null",
            "[" * DEPTH,
            json.dumps(GOOD | {"seconds_used": "a while"}),
            json.dumps(GOOD | {"seconds_used": [1]}),
            json.dumps(GOOD | {"seconds_used": True}),
            json.dumps(GOOD | {"seconds_used": -1}),
            json.dumps(GOOD | {"seconds_used": float("inf")}),
            json.dumps(GOOD | {"seconds_used": float("nan")}),
            json.dumps(GOOD | {"seconds_used": 10**400}),
            json.dumps(GOOD).replace("1.5", "9" * 5000),
            json.dumps(GOOD | {"identity": []}),
            json.dumps(GOOD | {"source": []}),
            json.dumps({name: GOOD[name] for name in GOOD if name != "source"}),
            json.dumps(GOOD | {"state": "exploring"}),
            json.dumps(GOOD | {"identity": {"k": "@"}}).replace('"@"', "[" * 980 + "]" * 980),
            json.dumps(GOOD | {"state": []}),
            json.dumps(GOOD | {"state": "asleep"}),
            json.dumps(GOOD | {"kind": 1}),
        ],
        ids=lambda text: text[-60:],
    )
    def test_what_is_not_ours(self, tmp_path, text):
        (tmp_path / "run.json").write_text(text)
        with pytest.raises(ds.FileFormatError, match="damaged or no file of dagscape learn"):
            Folder(tmp_path, IDENTITY)

    def test_what_is_ours(self, tmp_path):
        (tmp_path / "run.json").write_text(json.dumps(GOOD))
        assert Folder(tmp_path, IDENTITY).state == "done"


def packed(unit: bytes, size: int) -> bytes:
    """Return something over and over, packed; in pieces, each as good as the whole."""
    piece = unit * (1_000_000 // len(unit))
    return gzip.compress(piece) * -(-size // len(piece))


class TestPackedFiles:
    @pytest.mark.parametrize("ending", ["bif", "xmlbif", "json", "graphml", "gml", "dot", "jkl"])
    def test_a_small_file_that_unpacks_to_a_large_one(self, tmp_path, ending):
        path = tmp_path / f"blanks.{ending}.gz"
        path.write_bytes(packed(b" ", 2 * textfiles.LEAST_UNPACKED))
        read = {"bif": ds.read_network, "xmlbif": ds.read_network, "json": ds.read_network}
        reader = ds.read_parents if ending == "jkl" else read.get(ending, ds.read_graph)
        tracemalloc.start()
        try:
            with pytest.raises(ds.FileFormatError, match=r"unpacks to more than 32 MB; if that is"):
                reader(path)
            assert tracemalloc.get_traced_memory()[1] < 3 * textfiles.LEAST_UNPACKED
        finally:
            tracemalloc.stop()

    def test_what_is_meant_is_read(self, tmp_path, monkeypatch):
        monkeypatch.setattr(textfiles, "LEAST_UNPACKED", 100)
        path = tmp_path / "alarm.bif.gz"
        net = ds.load_network("alarm")
        net.write_bif(path)
        assert ds.read_network(path) == net

    @pytest.mark.slow
    @pytest.mark.parametrize("ending", [".gz", ".zst"])
    def test_a_table(self, tmp_path, monkeypatch, ending):
        monkeypatch.setattr(compression, "LEAST_UNPACKED", 1_000_000)
        path = tmp_path / f"zeros.csv{ending}"
        with compression.open_binary(path, "xb") as file:
            file.write(b"a\n" + b"0\n1\n" * 2_000_000)
        with pytest.raises(ds.DataError, match="unpacks to more than 1 MB; if that is meant"):
            ds.read_data(path)
        monkeypatch.setattr(compression, "LEAST_UNPACKED", 10_000_000)
        assert ds.read_data(path).n_rows == 4_000_000

    @pytest.mark.slow
    @pytest.mark.parametrize("unit", [b" ", b"\n", b"a,b"])
    def test_a_table_of_one_row_that_does_not_end(self, tmp_path, unit):
        path = tmp_path / "blanks.csv.gz"
        path.write_bytes(packed(unit, 100_000_000))
        with pytest.raises(
            ds.DataError, match="line 1: a row, or blank lines, go on for more than"
        ):
            ds.read_data(path)


class TestSizes:
    @pytest.mark.slow
    def test_more_variables_than_a_graph_may_have(self, tmp_path):
        count = textfiles.MAX_VARIABLES + 1
        arcs = tmp_path / "arcs.csv"
        arcs.write_text("from,to\n" + "".join(f"v{i},\n" for i in range(count)))
        network = tmp_path / "net.json"
        variable = '{"name": "%d", "states": ["a"], "parents": [], "table": [1]}'
        listed = ",".join(variable % i for i in range(count))
        network.write_text(json.dumps(NETWORK | {"variables": "@"}).replace('"@"', f"[{listed}]"))
        knowledge = tmp_path / "known.toml"
        knowledge.write_text(f"required = {[[str(i), str(i + 1)] for i in range(count - 1)]}")
        result = tmp_path / "result.json"
        ds.exact(ds.load_network("asia").sample(50, seed=1)).save(result)
        content = json.loads(result.read_text()) | {"variables": [str(i) for i in range(count)]}
        result.write_text(json.dumps(content | {"arcs": []}))
        for read, path in (
            (ds.read_graph, arcs),
            (ds.read_network, network),
            (ds.read_knowledge, knowledge),
            (ds.load_result, result),
        ):
            with pytest.raises(
                ds.FileFormatError, match="50,001 variables; a file may name 50,000"
            ):
                read(path)

    @pytest.mark.parametrize("ending", ["json", "bif", "xml"])
    def test_more_parents_than_a_table_has_axes(self, tmp_path, ending):
        names = [f"v{i}" for i in range(70)]
        path = tmp_path / f"net.{ending}"
        path.write_text(
            {"json": parents_in_json, "bif": parents_in_bif, "xml": parents_in_xml}[ending](names)
        )
        with pytest.raises(
            ds.FileFormatError, match='"x" has 70 parents; a table is for 31 at most'
        ):
            ds.read_network(path)

    def test_a_default_that_stands_for_millions_of_rows(self, tmp_path):
        names = [f"v{i}" for i in range(24)]
        blocks = "".join(f"variable {name} {{ type discrete [2] {{ a, b }}; }}\n" for name in names)
        path = tmp_path / "net.bif"
        given = ", ".join(names[1:])
        path.write_text(f"network {{}}\n{blocks}probability (v0 | {given}) {{ default .5 .5; }}")
        tracemalloc.start()
        try:
            with pytest.raises(ds.FileFormatError, match="far larger than what the file lists"):
                ds.read_network(path)
            assert tracemalloc.get_traced_memory()[1] < 20_000_000
        finally:
            tracemalloc.stop()


def parents_in_json(names: list[str]) -> str:
    roots = [{"name": n, "states": ["a"], "parents": [], "table": [1]} for n in names]
    child = {"name": "x", "states": ["a", "b"], "parents": names, "table": [0.5, 0.5]}
    return json.dumps(NETWORK | {"variables": [*roots, child]})


def parents_in_bif(names: list[str]) -> str:
    roots = "".join(f"variable {name} {{ type discrete [1] {{ a }}; }}\n" for name in names)
    tables = "".join(f"probability ({name}) {{ table 1; }}\n" for name in names)
    return (
        f"network x {{}}\n{roots}variable x {{ type discrete [2] {{ a, b }}; }}\n{tables}"
        f"probability (x | {', '.join(names)}) {{ table .5 .5; }}\n"
    )


def parents_in_xml(names: list[str]) -> str:
    outcome = "<OUTCOME>a</OUTCOME>"
    roots = "".join(f"<VARIABLE><NAME>{n}</NAME>{outcome}</VARIABLE>" for n in names)
    tables = "".join(f"<DEFINITION><FOR>{n}</FOR><TABLE>1</TABLE></DEFINITION>" for n in names)
    child = f"<VARIABLE><NAME>x</NAME>{outcome}<OUTCOME>b</OUTCOME></VARIABLE>"
    given = "".join(f"<GIVEN>{name}</GIVEN>" for name in names)
    own = f"<DEFINITION><FOR>x</FOR>{given}<TABLE>.5 .5</TABLE></DEFINITION>"
    return f"<BIF><NETWORK>{roots}{child}{tables}{own}</NETWORK></BIF>"
