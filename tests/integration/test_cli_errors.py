"""Bad input: exit code 2, one line on stderr that names the thing, nothing on stdout."""

from __future__ import annotations

from pathlib import Path

import pytest

import dagscape as ds


@pytest.fixture
def files(tmp_path: Path) -> Path:
    texts = {
        "good.csv": "a,b\n1,x\n2,y\n1,y\n2,x\n",
        "missing.csv": "a,b\n1,x\n2,\n1,y\n2,x\n",
        "floats.csv": "a,b\n1,0.5\n2,1.5\n1,2.5\n2,3.5\n",
        "constant.csv": "a,b\n1,x\n1,y\n1,x\n",
        "ragged.csv": "a,b\n1,x\n2\n1,y\n",
        "empty.csv": "",
        "arcs.csv": "from,to\na,b\n",
        "cycle.csv": "from,to\na,b\nb,a\n",
        "strange.csv": "from,to\na,c\n",
        "noheader.csv": "a,b\n",
        "strength.csv": "from,to,strength\na,b,0.5\n",
        "threecells.csv": "from,to\na,b\na,b,c\n",
        "quote.csv": 'from,to\na,"b"c\n',
        "broken.bif": "network x {\n}\nvariable a {\n",
        "broken.json": "{}",
        "graph.dot": "digraph { a -> b }",
        "broken.dot": "digraph {\n ] }",
    }
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "latin.csv").write_bytes("from,to\nä,b\n".encode("latin-1"))
    (tmp_path / "folder.csv").mkdir()
    (tmp_path / "folder.bif").mkdir()
    return tmp_path


CASES = [
    # tables
    (["score", "missing.csv", "arcs.csv"], 'column "b" has 1 missing value'),
    (["score", "floats.csv", "arcs.csv", "--score", "bic"], 'column "b"'),
    (["score", "ragged.csv", "arcs.csv"], "line 3"),
    (["score", "empty.csv", "arcs.csv"], "the file is empty"),
    (["score", "nowhere.csv", "arcs.csv"], 'there is no file "nowhere.csv"'),
    (["score", "folder.csv", "arcs.csv"], '"folder.csv" is a folder'),
    (["score", "broken.bif", "arcs.csv"], '"broken.bif" is a network by its'),
    # graphs
    (["score", "good.csv", "cycle.csv"], "the arcs form a cycle: "),
    (["score", "good.csv", "strange.csv"], 'unknown variable "c"'),
    (["score", "good.csv", "noheader.csv"], 'the columns "from" and "to", got a,b'),
    (["score", "good.csv", "strength.csv"], "got from,to,strength"),
    (["score", "good.csv", "empty.csv"], "got nothing"),
    (["score", "good.csv", "threecells.csv"], "threecells.csv, line 3: an arc has two ends, got 3"),
    (["score", "good.csv", "quote.csv"], "quote.csv, line 2"),
    (["score", "good.csv", "latin.csv"], "latin.csv, line 2: not UTF-8 text"),
    (["score", "good.csv", "nowhere.csv"], 'there is no file "nowhere.csv"'),
    (["score", "good.csv", "folder.csv"], '"folder.csv" is a folder'),
    (["score", "good.csv", "broken.bif"], "broken.bif, line"),
    (["score", "good.csv", "broken.json"], "broken.json"),
    (["score", "good.csv", "folder.bif"], '"folder.bif" is a folder'),
    (["score", "good.csv", "alrm"], 'no network is called "alrm"; give a file such as alrm.bif'),
    (["score", "good.csv", "asia"], 'the graph has a variable "asia"'),
    (["score", "constant.csv", "asia"], 'the graph has a variable "asia"'),  # no warning besides
    (["compare", "asia", "cancer"], "the graphs have different variables"),
    (["compare", "strange.csv", "asia"], 'unknown variable "a"'),
    # values of options
    (["score", "good.csv", "arcs.csv", "--score", "bdue"], 'unknown score "bdue"'),
    (
        ["score", "good.csv", "arcs.csv", "--score", "bic", "--ess", "2"],
        "--ess is a parameter of bdeu",
    ),
    (["score", "good.csv", "arcs.csv", "--score", "bdeu", "--ess", "0"], "ess must be a positive"),
    (
        ["score", "good.csv", "arcs.csv", "--score", "bdeu", "--ess", "nan"],
        "ess must be a positive",
    ),
    (["score", "good.csv", "arcs.csv", "--score", "bdeu", "--ess", "x"], "'--ess'"),
    (["score", "good.csv", "arcs.csv", "--missing", "guess"], "missing must be one of"),
    (["score", "good.csv", "arcs.csv", "--discretize", "mode"], '25,30), got "mode"'),
    (["score", "good.csv", "arcs.csv", "--discretize", "width:x"], '25,30), got "width:x"'),
    (["score", "good.csv", "arcs.csv", "--discretize", "width:1"], "between 2 and"),
    (["score", "good.csv", "arcs.csv", "--separator", "::"], "separator must be one"),
    (["score", "good.csv", "arcs.csv", "--seed", "-1"], "'--seed'"),
    (["sample", "asia", "-n", "0"], "'-n'"),
    (["sample", "asia", "-n", "many"], "'-n'"),
    (["sample", "asia", "-n", str(10**30)], "'-n'"),
    (["convert", "asia", "out.bif", "--missing", "drop"], 'for tables; "asia" is a network'),
    # outputs
    (["sample", "asia", "-n", "3", "-o", "folder.csv"], '"folder.csv"'),
    (["sample", "asia", "-n", "3", "-o", "out.xyz"], '"out.xyz" has an unknown ending'),
    (["sample", "asia", "-n", "3", "-o", "no/where.csv"], 'no/where.csv": No such file'),
    (["convert", "asia", "no/where.bif"], 'no/where.bif" cannot be written'),
    (["convert", "asia", "folder.bif"], '"folder.bif" cannot be written'),
    (["convert", "asia", "out.png"], '"out.png" has an unknown ending; choose .bif'),
    (["convert", "good.csv", "out.bif"], "dagscape exact good.csv -o out.bif learns one"),
    (["convert", "my good.csv", "out.bif"], "dagscape exact 'my good.csv' -o out.bif learns one"),
    (["convert", "arcs.csv", "out.bif"], '"arcs.csv" is a table and "out.bif" would be a network'),
    (["convert", "graph.dot", "out.json"], "dagscape exact DATA -o out.json learns one"),
    (["convert", "graph.dot", "out.pss"], "dagscape parents DATA -o out.pss makes them"),
    (["convert", "graph.dot", "out.parquet"], '"graph.dot" is a graph'),
    (["convert", "asia", "out.parquet"], "dagscape sample asia -n 1000 -o out.parquet draws"),
    (["convert", "asia", "out.jkl"], '"asia" is a network and "out.jkl" would be a file of scores'),
    (["convert", "good.parquet", "out.dot"], "dagscape exact good.parquet -o out.dot does"),
    (["convert", "good.csv", "out.dot"], 'the columns "from" and "to", got a,b'),
    (["convert", "aisa", "out.dot"], 'no network is called "aisa"'),
    (["convert", "broken.dot", "out.gml"], "broken.dot, line 2: expected"),
    (["convert", "graph.dot", "no/where.gml"], 'there is no folder "no"'),
    (["convert", "graph.dot", "out.gml", "--missing", "drop"], '"graph.dot" is a graph'),
    (["demo", "--out", "good.csv"], '--out names a folder, and "good.csv" is a file'),
    (["demo", "--out", "good.csv/deeper"], '"good.csv/deeper" cannot be written: Not a directory'),
    # usage
    (["score", "good.csv"], "'GRAPH' (see dagscape score --help)"),
    (["score", "good.csv", "arcs.csv", "--qqqq"], "--qqqq (see dagscape score --help)"),
    (["sample", "asia"], "'-n' (see dagscape sample --help)"),
    (["scoer"], "'scoer'"),
]


@pytest.mark.parametrize(("words", "said"), CASES, ids=lambda value: str(value)[:60])
def test_bad_input_is_one_line_and_exit_code_2(run, files, words, said):
    before = {path.name for path in files.iterdir()}
    result = run(*words)
    assert result.exit_code == 2
    assert result.stdout == ""
    (line,) = result.stderr.splitlines()
    assert line.startswith("dagscape: ")
    assert said in line
    assert {path.name for path in files.iterdir()} == before  # nothing half-made is left behind


def test_a_name_with_a_line_end_stays_on_the_line(run, tmp_path):
    (tmp_path / "data.csv").write_text('"a\n\x1b[31mb",c\n,x\n2,x\n1,y\n2,x\n')
    (tmp_path / "arcs.csv").write_text("from,to\n")
    result = run("score", "data.csv", "arcs.csv")
    (line,) = result.stderr.splitlines()
    assert r'column "a\n\x1b[31mb" has 1 missing value' in line


def test_every_kind_of_error_of_the_package_is_one_line(run, monkeypatch):
    for kind in (ds.DataError, ds.ParameterError, ds.GraphError, ds.FileFormatError):

        def fail(*_, kind=kind, **__):
            raise kind("the thing\nis wrong")

        monkeypatch.setattr(ds, "load_network", fail)
        result = run("sample", "asia", "-n", "3")
        assert (result.exit_code, result.stderr) == (2, "dagscape: the thing\\nis wrong\n")


def test_too_little_memory_is_one_line(run, monkeypatch):
    def fail(*_):
        raise MemoryError("Unable to allocate 7 TiB")

    monkeypatch.setattr(ds.Network, "sample", fail)
    result = run("sample", "asia", "-n", "3")
    assert result.exit_code == 2
    assert result.stderr == "dagscape: not enough memory: Unable to allocate 7 TiB\n"


def test_a_bug_is_not_hidden(run, monkeypatch):
    def fail(*_):
        raise ZeroDivisionError

    monkeypatch.setattr(ds.Network, "sample", fail)
    with pytest.raises(ZeroDivisionError):
        run("sample", "asia", "-n", "3")
