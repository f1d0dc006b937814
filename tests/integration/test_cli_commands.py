"""What each command gives, read back and compared with the package."""

from __future__ import annotations

import itertools
import json
import re
from pathlib import Path

import pytest

import dagscape as ds
from dagscape.cli import demo_command
from dagscape.cli.convert_command import convert
from dagscape.cli.file_kinds import ARCS, ENDINGS, GRAPH, NETWORK, SCORES, TABLE
from dagscape.graph_files import read_edges

NOT_A_WORD = re.compile(r"[^a-z_]")


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "asia.csv"
    ds.load_network("asia").sample(500, seed=3).write(path)
    return path


def arcs_file(path: Path, dag: ds.Dag, header: str = "from,to") -> Path:
    lines = [f"{a},{b}" if header == "from,to" else f"{b},{a}" for a, b in dag.arcs]
    path.write_text("\n".join([header, *lines, ""]))
    return path


def keys(content: object) -> set[str]:
    if isinstance(content, dict):
        return set(content).union(*(keys(value) for value in content.values()))
    if isinstance(content, list):
        return set().union(*(keys(value) for value in content))
    return set()


# score


OF_NUMBERS = ("gaussian_bic", "bic_g", "bge")  # the table has states


@pytest.mark.parametrize("name", [name for name in ds.SCORES if name not in OF_NUMBERS])
def test_score_is_the_number_the_package_gives(run, table, name):
    result = run("score", table, "asia", "--score", name)
    expected = ds.score(ds.read_data(table), ds.load_network("asia").dag, score=name)
    assert float(result.stdout) == expected
    assert (result.exit_code, result.stderr) == (0, "")


def test_score_takes_the_equivalent_sample_size(run, table):
    result = run("score", table, "asia", "--score", "BDeu", "--ess", "10")
    data, dag = ds.read_data(table), ds.load_network("asia").dag
    assert float(result.stdout) == ds.score(data, dag, score=ds.BDeu(ess=10))
    assert float(result.stdout) != ds.score(data, dag, score=ds.BDeu(ess=1))


def test_score_of_a_network_of_its_file_and_of_its_arcs(run, table, tmp_path):
    net = ds.load_network("asia")
    net.write(tmp_path / "net.xmlbif")
    graphs = [
        "asia",
        tmp_path / "net.xmlbif",
        arcs_file(tmp_path / "arcs.csv", net.dag),
        arcs_file(tmp_path / "turned.csv", net.dag, "to,from"),
    ]
    outputs = {run("score", table, graph).stdout for graph in graphs}
    assert len(outputs) == 1


def test_arcs_with_quotes_tabs_and_a_byte_order_mark(run, tmp_path):
    ds.Data({"a,b": [0, 1, 0, 1], "c": [0, 1, 1, 1]}).write(tmp_path / "data.csv")
    (tmp_path / "comma.csv").write_text('\ufefffrom,to\r\n"a,b",c\r\n\r\n', encoding="utf-8")
    (tmp_path / "tab.tsv").write_text("from\tto\na,b\tc\n")
    expected = ds.score(ds.read_data(tmp_path / "data.csv"), [("a,b", "c")])
    for name in ("comma.csv", "tab.tsv"):
        assert float(run("score", "data.csv", name).stdout) == expected


def test_score_by_variable_adds_up(run, table):
    header, *rows = run("score", table, "asia", "--by-variable").stdout.splitlines()
    assert header == "variable\tparents\tscore"
    shares = {
        name: (parents, float(share)) for name, parents, share in (r.split("\t") for r in rows)
    }
    total = float(run("score", table, "asia").stdout)
    assert sum(share for _, share in shares.values()) == pytest.approx(total)
    assert shares["dysp"][0] == "bronc, either"
    assert list(shares) == list(ds.load_network("asia").names)


def test_score_as_json(run, table):
    content = json.loads(run("score", table, "asia", "--json", "--by-variable").stdout)
    shares = content.pop("by_variable")
    total = float(run("score", table, "asia").stdout)
    about = {"rows": 500, "variables": 8, "arcs": 8, "notes": []}
    kind = str(ds.default_score(ds.read_data(table)))
    assert content == {"score": kind, "total": total, **about}
    dysp = next(share for share in shares if share["variable"] == "dysp")
    assert dysp["parents"] == ["bronc", "either"]
    assert sum(share["score"] for share in shares) == pytest.approx(total)
    assert not any(NOT_A_WORD.search(key) for key in keys([content, shares]))


@pytest.mark.filterwarnings("ignore::dagscape.DataWarning")
def test_score_passes_the_options_of_the_table_on(run, tmp_path):
    path = tmp_path / "odd.txt"
    path.write_text("a;b\n1;0.5\n2;\n1;1.5\n2;4.5\n1;0.7\n2;9.5\n")
    (tmp_path / "arcs.csv").write_text("from,to\na,b\n")
    options = ("--separator", ";", "--missing", "random", "--discretize", "width:3", "--seed", 5)
    data = ds.read_data(path, separator=";", missing="random", discretize=("width", 3), seed=5)
    result = run("score", path, "arcs.csv", *options)
    assert float(result.stdout) == ds.score(data, [("a", "b")])


@pytest.mark.parametrize("written", ["tab", r"\t", "\t"])
def test_a_tab_can_be_written_in_a_shell(run, tmp_path, written):
    (tmp_path / "data.txt").write_text("a\tb\n1\tx\n2\ty\n2\tx\n")
    (tmp_path / "arcs.csv").write_text("from,to\na,b\n")
    assert run("score", "data.txt", "arcs.csv", "--separator", written).exit_code == 0


def test_warnings_of_the_table_go_to_stderr(run, tmp_path):
    (tmp_path / "one.csv").write_text("a,b\n" + "1,x\n1,y\n" * 5)
    (tmp_path / "arcs.csv").write_text("from,to\na,b\n")
    result = run("score", "one.csv", "arcs.csv")
    assert result.stderr.startswith('dagscape: column "a" has only one state')
    assert float(result.stdout) < 0


# sample


def test_sample_writes_the_same_to_stdout_and_to_a_file(run, tmp_path):
    shown = run("sample", "asia", "-n", 50, "--seed", 7)
    stored = run("sample", "asia", "--rows", 50, "--seed", 7, "-o", "out.csv")
    assert shown.stdout_bytes == (tmp_path / "out.csv").read_bytes()
    assert (shown.stderr, stored.stdout) == ("", "")
    assert stored.stderr == "dagscape: 50 rows of 8 variables in out.csv\n"
    assert shown.stdout != run("sample", "asia", "-n", 50).stdout


def test_sample_is_what_the_package_draws(run, tmp_path):
    ds.load_network("cancer").write(tmp_path / "net.json")
    for network in ("cancer", "net.json"):
        run("sample", network, "-n", 200, "--seed", 1, "-o", "out.parquet")
        assert ds.read_data(tmp_path / "out.parquet") == ds.load_network("cancer").sample(200, 1)


def test_sample_keeps_names_beyond_ascii(run, tmp_path):
    data = ds.Data({"Größe, m": ["große", "kleine", "große"], "日本": ["一", "二", "二"]})
    ds.fit(ds.Dag(data.names), data).write(tmp_path / "net.json")
    text = run("sample", "net.json", "-n", 3).stdout_bytes.decode("utf-8")
    assert text.splitlines()[0] == '"Größe, m",日本'


# compare


def damaged() -> tuple[ds.Dag, ds.Dag]:
    truth = ds.load_network("asia").dag
    lost = ("either", "xray")
    return ds.Dag(truth.names, {*truth.arcs, ("smoke", "xray")} - {lost}), truth


def test_compare_as_json_is_the_package_s_comparison(run, tmp_path):
    found, truth = damaged()
    arcs_file(tmp_path / "found.csv", found)
    content = json.loads(run("compare", "found.csv", "asia", "--json").stdout)
    expected = ds.compare(found, truth)
    assert content["structural_hamming_distance"] == expected.shd > 0
    assert content["skeleton_recall"] == expected.skeleton_recall == 7 / 8
    assert content["arrow_precision"] == expected.arrow_precision
    for name in ("missing", "extra", "misdirected"):
        assert [tuple(edge) for edge in content[name]] == list(getattr(expected, name))
    assert not any(NOT_A_WORD.search(key) for key in keys(content))


def test_compare_in_words(run, tmp_path):
    arcs_file(tmp_path / "found.csv", damaged()[0])
    lines = run("compare", "found.csv", "asia").stdout.splitlines()
    assert re.fullmatch(r"structural Hamming distance +[1-9]\d*", lines[0])
    assert re.fullmatch(r"skeleton +precision 0\.875 +recall 0\.875", lines[1])
    missing = lines.index("missing      1")
    assert lines[missing + 1 : missing + 4] == [
        "    either - xray",
        "extra        1",
        "    smoke - xray",
    ]


def test_compare_two_lists_of_arcs(run, tmp_path):
    (tmp_path / "one.csv").write_text("from,to\na,b\nb,c\n")
    (tmp_path / "other.csv").write_text("from,to\nc,d\nb,a\n")
    content = json.loads(run("compare", "one.csv", "other.csv", "--json").stdout)
    assert (content["missing"], content["extra"]) == ([["c", "d"]], [["b", "c"]])
    assert content["structural_hamming_distance"] == 2


# convert


@pytest.mark.parametrize("ending", [".bif", ".xmlbif", ".json", ".bif.gz", ".JSON"])
def test_convert_keeps_a_network(run, tmp_path, ending):
    assert run("convert", "sachs", f"first{ending}").exit_code == 0
    result = run("convert", f"first{ending}", "second.json")
    assert ds.read_network(tmp_path / "second.json") == ds.load_network("sachs")
    assert result.stdout == ""
    assert result.stderr == "dagscape: 11 variables and 17 arcs in second.json\n"


@pytest.mark.parametrize("ending", [".tsv", ".parquet", ".arrow", ".csv.gz"])
def test_convert_keeps_a_table(run, table, tmp_path, ending):
    assert run("convert", table, f"first{ending}").exit_code == 0
    result = run("convert", f"first{ending}", "second.csv")
    assert ds.read_data(tmp_path / "second.csv") == ds.read_data(table)
    assert result.stderr == "dagscape: 500 rows of 8 variables in second.csv\n"


@pytest.mark.parametrize("ending", [*ENDINGS[GRAPH], *ENDINGS[ARCS], ".dot.gz"])
def test_convert_gives_the_graph_of_a_network_and_says_what_is_lost(run, tmp_path, ending):
    result = run("convert", "asia", f"first{ending}")
    assert ds.read_graph(tmp_path / f"first{ending}") == ds.load_network("asia").dag
    first, second = result.stderr.splitlines()
    assert first == f"dagscape: 8 variables and 8 arcs in first{ending}"
    assert "states and probabilities have no place in it" in second
    result = run("convert", f"first{ending}", "second.gml")
    assert ds.read_graph(tmp_path / "second.gml") == ds.load_network("asia").dag
    assert result.stderr == "dagscape: 8 variables and 8 arcs in second.gml\n"


def test_convert_keeps_essential_graphs_and_what_is_said_of_edges(run, tmp_path):
    graph = ds.load_network("asia").dag.to_cpdag()
    said = {pair: {"confidence": i / 10} for i, pair in enumerate(graph.directed)}
    ds.write_graph(graph, tmp_path / "first.graphml", edges=said)
    result = run("convert", "first.graphml", "second.dot")
    counts = f"{len(graph.directed)} directed and {len(graph.undirected)} undirected edges"
    assert result.stderr == f"dagscape: 8 variables and {counts} in second.dot\n"
    assert ds.read_graph(tmp_path / "second.dot") == graph
    assert read_edges(tmp_path / "second.dot") == said
    result = run("convert", "second.dot", "third.csv")
    assert result.stderr.splitlines()[1].endswith("no place in third.csv: confidence")
    assert ds.read_graph(tmp_path / "third.csv") == graph


def test_convert_takes_the_graph_of_a_saved_result(run, tmp_path):
    net = ds.load_network("asia")
    ds.Result(dag=net.dag, score=0.0, score_name="none", method="none").save(tmp_path / "r.json")
    assert run("convert", "r.json", "g.graphml").exit_code == 0
    assert ds.read_graph(tmp_path / "g.graphml") == net.dag
    assert '"r.json" is a graph' in run("convert", "r.json", "net.bif").stderr


def test_help_of_convert_names_every_ending_of_a_graph():
    assert {*ENDINGS[GRAPH], *ENDINGS[ARCS]} <= set(re.findall(r"\.\w+", str(convert.__doc__)))


def test_convert_keeps_scores(run, table, tmp_path):
    run("parents", table, "--max-parents", 2, "-q", "-o", "first.jkl")
    result = run("convert", "first.jkl", "second.pss")
    assert re.fullmatch(r"dagscape: \d+ parent sets of 8 variables in second\.pss\n", result.stderr)
    said = run("convert", "second.pss", "third.jkl.gz").stderr.splitlines()[1]
    assert said == "dagscape: META lines about single variables have no place in third.jkl.gz"
    run("convert", "third.jkl.gz", "fourth.jkl")
    assert (tmp_path / "fourth.jkl").read_bytes() == (tmp_path / "first.jkl").read_bytes()


@pytest.mark.parametrize("ending", [".graphml", ".gml", ".dot", ".csv", ".tsv.gz"])
def test_score_and_compare_take_graph_files(run, table, tmp_path, ending):
    dag = ds.load_network("asia").dag
    for name, graph in (("dag", dag), ("class", dag.to_cpdag())):
        ds.write_graph(graph, tmp_path / f"{name}{ending}")
        result = run("score", table, f"{name}{ending}")
        assert float(result.stdout) == pytest.approx(ds.score(ds.read_data(table), dag), rel=1e-12)
        content = json.loads(run("compare", f"{name}{ending}", "asia", "--json").stdout)
        assert content["structural_hamming_distance"] == 0
    said = run("score", table, f"class{ending}", "--score", "k2").stderr
    assert "an essential graph has none" in said


def test_endings_are_those_of_the_package(tmp_path):
    """The command line lists endings; the package must know each, and no other."""
    dag, data = ds.load_network("cancer").dag, ds.load_network("cancer").sample(20, 0)
    for ending in ENDINGS[GRAPH] + ENDINGS[ARCS]:
        ds.write_graph(dag, tmp_path / f"g{ending}")
    for ending in ENDINGS[TABLE] + ENDINGS[ARCS]:
        data.write(tmp_path / f"d{ending}")
    scored = ds.candidate_parents(data, max_parents=1)
    for ending in ENDINGS[SCORES]:
        scored.write(tmp_path / f"s{ending}")
    with pytest.raises(ds.ParameterError, match=f"choose {', '.join(ENDINGS[NETWORK])} "):
        ds.load_network("cancer").write(tmp_path / "n.png")
    own = ", ".join(ENDINGS[GRAPH] + ENDINGS[ARCS])  # in Python .txt is a graph, too
    with pytest.raises(ds.ParameterError, match=f"{own}, .txt "):
        ds.write_graph(dag, tmp_path / "g.png")


def test_convert_cuts_and_fills_as_told(run, tmp_path):
    (tmp_path / "in.csv").write_text("a,b\n1.5,x\n2.5,\n9.0,y\n0.5,x\n")
    run("convert", "in.csv", "out.parquet", "--discretize", "median", "--missing", "state")
    expected = ds.read_data(tmp_path / "in.csv", discretize="median", missing="state")
    assert ds.read_data(tmp_path / "out.parquet") == expected


# demo


COMMANDS = [
    "learn",
    "report",
    "blanket",
    "score",
    "sample",
    "compare",
    "convert",
    "parents",
    "exact",
    "order",
    "optima",
    "features",
    "posterior",
    "experiments",
    "query",
    "predict",
    "effect",
    "mcp",
    "demo",
]


@pytest.mark.parametrize(
    ("rows", "most_lines"), [(1000, 45), pytest.param(5000, 38, marks=pytest.mark.long)]
)
def test_demo_learns_shows_and_says_true_numbers(run, tmp_path, monkeypatch, rows, most_lines):
    if rows < demo_command.ROWS:
        for name, few in {"ROWS": rows, "RUNS": 20, "RESAMPLES": 2}.items():
            monkeypatch.setattr(demo_command, name, few)
    result = run("demo", "--out", "shown")
    folder = tmp_path / "shown"
    assert result.exit_code == 0
    assert (folder / "summary.txt").read_text("utf-8") == result.stdout
    assert {"alarm.csv", "report.html", "network.bif", "edges.csv", "run.json"} <= {
        file.name for file in folder.iterdir()
    }
    lines = result.stdout.splitlines()
    assert len(lines) <= most_lines
    assert max(map(len, lines)) <= 100
    best = ds.load_result(folder / "result.json")
    truth = ds.load_network("alarm")
    data = truth.sample(rows, seed=0)
    assert ds.read_network(folder / "network.bif").dag == best.dag
    assert best.optimal
    assert best.claim in " ".join(result.stdout.split())
    for graph in (best.dag, truth.dag):
        assert f"{ds.score(data, graph, score=best.score_kind):,.1f}" in result.stdout
    for pair in ds.compare(best.dag, truth.dag).missing:
        assert " - ".join(pair) in " ".join(result.stdout.split())
    # The folder knows its table, so that it can be asked further.
    asked = run("effect", "shown", "HISTORY", "CVP", "--networks", 20)
    assert asked.exit_code == 0, asked.stderr
    assert len(asked.stdout.splitlines()) > 4


@pytest.mark.parametrize("command", COMMANDS)
def test_help_shows_an_example(run, command):
    result = run(command, "--help")
    assert f"Example: dagscape {command} " in " ".join(result.stdout.split())
    assert result.exit_code == 0


@pytest.mark.parametrize("command", ["blanket", "convert", "learn"])
def test_help_fills_its_lines(run, command):
    said, _, _ = run(command, "--help").stdout.partition("╭")
    lines = [line.strip() for line in said.splitlines()]
    width = max(map(len, lines))
    assert len(lines) > 8
    for line, following in itertools.pairwise(lines):
        if line and following:
            assert len(f"{line} {following.split()[0]}") > width


def test_help_lists_the_commands_with_and_without_being_asked(run):
    asked = run("--help")
    assert asked.exit_code == 0
    for command in COMMANDS:
        assert command in asked.stdout
    assert run().stdout == asked.stdout


def test_convert_makes_names_safe_and_says_so(run, tmp_path):
    net = ds.Network(
        ds.Dag(["body mass"]), {"body mass": ["<=25", ">25"]}, {"body mass": [0.25, 0.75]}
    )
    net.write(tmp_path / "n.json")
    done = run("convert", "n.json", "n.bif")
    assert '3 names made safe for other readers, such as "body mass" (body_mass)' in done.stderr
    assert ds.read_network(tmp_path / "n.bif").states == {"body_mass": ("up_to_25", "above_25")}
    assert (tmp_path / "n-names.csv").read_text("utf-8").splitlines() == [
        "variable,state,became",
        "body mass,,body_mass",
        "body mass,<=25,up_to_25",
        "body mass,>25,above_25",
    ]
    assert "made safe" not in run("convert", "n.json", "kept.bif", "--keep-names").stderr
    assert ds.read_network(tmp_path / "kept.bif") == net
    assert run("convert", "n.json", "n.R").exit_code == 0
    assert '"body mass" = c("<=25", ">25")' in (tmp_path / "n.R").read_text("utf-8")
    assert "made safe" not in run("convert", "n.json", "n2.json").stderr


def test_one_of_a_kind_is_named_as_one(run, tmp_path):
    (tmp_path / "t.csv").write_text("a,b\n" + "x,u\ny,v\n" * 20)
    assert "; 1 arc of 2 variables in g.gml (" in run("exact", "t.csv", "-o", "g.gml").stderr
    assert run("convert", "g.gml", "h.dot").stderr == "dagscape: 2 variables and 1 arc in h.dot\n"
    ds.write_graph(ds.read_graph(tmp_path / "g.gml").to_cpdag(), tmp_path / "c.gml")
    said = run("convert", "c.gml", "d.gml").stderr
    assert said == "dagscape: 2 variables and 0 directed and 1 undirected edge in d.gml\n"
    sampled = run("sample", "asia", "-n", "1", "-o", "one.csv").stderr
    assert sampled.startswith("dagscape: 1 row of 8 variables in one.csv\n")
