"""What people get wrong at first: each gets a sentence that says what to do, in every command.

The sentences speak of options of the command line, and options they name do help.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import dagscape as ds
from limits import AMPLE

ROWS = 60
COMMANDS = {
    "learn": ["learn", "--strict", "--runs", "0", "--time-limit", AMPLE],
    "exact": ["exact"],
    "blanket": ["blanket", "--all"],
    "optima": ["optima", "--runs", "5"],
    "parents": ["parents", "-o", "out.jkl"],
    "score": ["score"],
    "features": ["features", "--runs", "5"],
    "convert": ["convert"],
}


def words_for(command: str, table: str, *options: str) -> list[str]:
    """Return a whole command about a table, whose graph has no arcs."""
    name, *fixed = COMMANDS[command]
    last = {"score": ["graph.csv"], "convert": ["out.parquet"]}.get(command, [])
    return [name, table, *last, *fixed, *options]


def text(names: str, rows: list[list[object]], separator: str = ",") -> str:
    lines = [names.split(), *rows]
    return "".join(separator.join(map(str, cells)) + "\n" for cells in lines)


def table(names: str, *columns: object, rows: int = ROWS, separator: str = ",") -> str:
    """Return a table; a column is a function of a row's number, or a list to draw from."""
    rng = random.Random(1)
    cells = [[c(i) if callable(c) else rng.choice(c) for c in columns] for i in range(rows)]
    return text(names, cells, separator)


XY, LO = ["x", "y"], ["lo", "hi"]
FILES = {
    "graph.csv": "from,to\n",
    "good.csv": table("a b c", XY, LO, ["p", "q"]),
    "semicolons.csv": table("a b c", XY, LO, ["p", "q"], separator=";"),
    "tabs.csv": table("a b c", XY, LO, ["p", "q"], separator="\t"),
    "blanks.csv": table("a b c", XY, LO, ["p", "q"], separator=" "),
    "commas.tsv": table("a b c", XY, LO, ["p", "q"]),
    "numbered.csv": table("id a b", lambda i: 1000 + i, XY, LO),
    "patients.csv": table("patient a b", lambda i: f"P{i:03}", XY, LO),
    "spaced.csv": text("who a", [[f"P {i}", "x"] for i in range(9)]).replace("who", "who is it"),
    "height.csv": table("a b height", XY, LO, lambda i: 150.5 + i),
    "commas.csv": table("a b income", XY, LO, lambda i: f"{1000 + i},50", separator=";"),
    "age.csv": table("a b age", XY, LO, lambda i: 20 + i % 25, rows=200),
    "days.csv": table("a b day", XY, LO, lambda i: f"2024-{1 + i % 9}-{1 + i % 28}"),
    "hours.csv": table("a b at", XY, LO, lambda i: f"{9 + i % 3}:30"),
    "holes.csv": table("a b c", XY, LO, ["p", "q", "", "NA"]),
    "question.csv": table("a b c", XY, LO, ["p", "q", "?"]),
    "same.csv": table("a b c", XY, LO, ["same"]),
    "two.csv": "a,b\nx,lo\ny,hi\n",
    "none.csv": "a,b\n",
    "single.csv": table("a", XY),
    "nameless.csv": table("x lo", XY, LO),
    "rownames.csv": table("- a b", lambda i: i, XY, LO).replace("-", "", 1),
    "sheet.sas": "PK",
    "table.txt": table("a b c", XY, LO, ["p", "q"]),
    "net.bif": "network x {}\n",
}

REFUSED = [
    # table, what is said, options that help
    ("semicolons.csv", "separated by semicolons: give --separator ';' (or", "--separator ;"),
    ("tabs.csv", "separated by tabs: give --separator tab (or", "--separator tab"),
    ("commas.tsv", "separated by commas: give --separator , (or", "--separator ,"),
    ("numbered.csv", "an identifier; leave it out (--leave-out id); if it", "--leave-out id"),
    ("numbered.csv", "cut it: --discretize id=quantile:3", "--discretize id=quantile:3"),
    ("patients.csv", "leave it out (--leave-out patient)", "--leave-out patient"),
    ("spaced.csv", "leave it out (--leave-out 'who is it')", None),
    ("days.csv", 'holds dates or times, such as "2024-1-1"', "--leave-out day"),
    ("holes.csv", "missing values; choose --missing drop, mode, random or", "--missing random"),
    ("none.csv", "the table has no rows", None),
    ("rownames.csv", "column 1 has no name; name it or leave it out (R writes such", None),
    ("nowhere.csv", 'there is no file "nowhere.csv"', None),
    ("god.csv", 'there is no file "god.csv"; did you mean "good.csv"?', None),
    ("no/where.csv", 'there is no folder "no"', None),
]
NUMBERS = [
    ("height.csv", 'column "height" holds numbers, and', "--discretize median"),
    ("height.csv", "scores states; ", "--discretize height=quantile:3"),
    ("age.csv", "cut the column: --discretize age=quantile:3", "--discretize age=quantile:3"),
]
REFUSED_AS_TABLES = [
    ("blanks.csv", "separated by blanks: give --separator ' ' (or"),
    ("sheet.sas", '"sheet.sas" has an unknown ending; use .csv'),
    ("table.txt", "if it is text, give --separator ,"),
    ("net.bif", '"net.bif" is a network by its ending, not a table'),
    ("asia", '"asia" is a network, not a table; dagscape sample asia -n 1000 -o asia.csv draws'),
]
WARNED = [
    ("same.csv", 'column "c" has only one state, "same"; it cannot depend on anything'),
    ("two.csv", "the table has 2 rows; what is learned from so few cannot be trusted"),
    ("single.csv", 'the table has one column, "a"; a network needs several'),
    ("nameless.csv", 'every name is also a value of its column ("x", ...)'),
    ("hours.csv", 'column "at" holds dates or times, such as "9:30"; each is a state'),
    (
        "question.csv",
        'has a state "?" (20 cells); if it means that the value is missing, leave the cells empty',
    ),
]


@pytest.fixture
def files(tmp_path: Path) -> Path:
    for name, content in FILES.items():
        (tmp_path / name).write_text(content)
    return tmp_path


def one_line(result) -> str:
    assert (result.exit_code, result.stdout) == (2, "")
    (line,) = result.stderr.splitlines()
    assert not [word for word in ("missing=", "separator=", "states=", "leave_out") if word in line]
    return line


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(("name", "said", "helps"), REFUSED)
@pytest.mark.usefixtures("files")
def test_a_table_that_cannot_be_used_gets_a_sentence_and_a_way_out(run, command, name, said, helps):
    if (command, name) == ("learn", "holes.csv"):
        assert run(*words_for(command, name)).exit_code == 0  # it completes the cells by itself
        return
    assert said in one_line(run(*words_for(command, name)))
    if helps is not None:
        assert run(*words_for(command, name, *helps.split(" ", 1))).exit_code == 0


@pytest.mark.parametrize("command", [c for c in COMMANDS if c != "convert"])
@pytest.mark.parametrize(("name", "said", "helps"), NUMBERS)
@pytest.mark.usefixtures("files")
def test_a_score_of_states_refuses_numbers(run, command, name, said, helps):
    assert said in one_line(run(*words_for(command, name, "--score", "bic")))
    helped = words_for(command, name, "--score", "bic", *helps.split(" ", 1))
    assert run(*helped).exit_code == 0


@pytest.mark.parametrize("command", [c for c in COMMANDS if c != "convert"])
@pytest.mark.parametrize(("name", "said"), REFUSED_AS_TABLES)
@pytest.mark.usefixtures("files")
def test_what_is_no_table_is_called_by_its_name(run, command, name, said):
    assert said in one_line(run(*words_for(command, name)))


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize(("name", "said"), WARNED)
@pytest.mark.usefixtures("files")
def test_a_table_that_is_odd_is_used_and_spoken_of(run, command, name, said):
    result = run(*words_for(command, name))
    assert result.exit_code == 0
    assert said in result.stderr
    assert "missing_values" not in result.stderr
    assert "discretize=" not in result.stderr


@pytest.mark.usefixtures("files")
def test_a_good_table_is_not_spoken_ill_of(run):
    for command in ("exact", "optima", "parents", "score"):
        assert "column" not in run(*words_for(command, "good.csv")).stderr


NAMES_AND_OPTIONS = [
    (["score", "good.csv", "arcs.csv"], 'unknown variable "aa"; did you mean "a"?'),
    (["score", "good.csv", "arcs.dot"], 'the graph has a variable "aa"'),
    (["score", "good.csv", "alram"], 'no network is called "alram"'),
    (["exact", "good.csv", "--knowledge", "know.toml"], 'unknown variable "aa"; did you mean "a"?'),
    (["parents", "good.csv", "--knowledge", "know.toml"], 'unknown variable "aa"'),
    (["learn", "good.csv", "--knowledge", "know.toml"], 'unknown variable "aa"; did you mean "a"?'),
    (["learn", "good.csv", "--max-parents", "3"], "--max-parents must be between 0 and 2"),
    (["learn", "good.csv", "--truth", "arcs.csv"], 'unknown variable "aa"; did you mean "a"?'),
    (["exact", "good.csv", "--knowledge", "knw.toml"], 'did you mean "know.toml"?'),
    (["optima", "good.csv", "--knowledge", "tier.toml"], "cannot obey knowledge (tiers)"),
    (["features", "good.csv", "--knowledge", "tier.toml"], "cannot obey knowledge (tiers)"),
    (
        ["features", "good.csv", "--method", "bootstrap", "--knowledge", "tier.toml"],
        "cannot obey knowledge (tiers)",
    ),
    (
        ["exact", "good.csv", "--leave-out", "aa"],
        '--leave-out names "aa", which is not a column; did',
    ),
    (["exact", "two.csv", "--leave-out", "a", "--leave-out", "b"], "--leave-out names every"),
    (["exact", "good.csv", "--discretize", "aa=mean"], '--discretize names "aa", which is no'),
    (["exact", "good.csv", "--discretize", "a=mean"], '--discretize names column "a", which does'),
    (
        ["exact", "good.csv", "--discretize", "a=mode"],
        'bmi=18.5,25,30), got "a=mode"',
    ),
    (["exact", "good.csv", "--discretize", "=mean"], 'got "=mean"'),
    (["exact", "holes.csv", "--missing", "dropp"], "--missing must be one of error, drop, mode"),
    (["exact", "good.csv", "--separator", "::"], "--separator must be one ASCII character"),
    (["exact", "good.csv", "--score", "bick"], 'unknown score "bick"; did you mean "bic"?'),
    (["exact", "good.csv", "--max-parents", "3"], "--max-parents must be between 0 and 2"),
    (["parents", "good.csv", "--max-parents", "3"], "--max-parents must be between 0 and 2"),
    (["parents", "good.csv", "--threads", "0"], "--threads must be a positive whole number"),
    (["exact", "good.csv", "--time-limit", "-1"], "--time-limit must be a positive number"),
    (["exact", "good.csv", "--max-memory", "0"], "--max-memory must be a positive number"),
    (["exact", "good.csv", "--algorithm", "asta"], 'unknown algorithm "asta"; did you mean "astar'),
    (["exact", "commas.csv", "--separator", ";"], "give --decimal , to have numbers"),
    (["exact", "good.csv", "-o", "net.biff"], '"net.biff" has no ending of a network file'),
]


@pytest.mark.parametrize(("words", "said"), NAMES_AND_OPTIONS, ids=lambda value: str(value)[:60])
def test_a_wrong_name_or_option_gets_a_sentence(run, files, words, said):
    (files / "arcs.csv").write_text("from,to\naa,b\n")
    (files / "arcs.dot").write_text("digraph { aa -> b; c }")
    (files / "know.toml").write_text('forbidden = [["aa", "b"]]')
    (files / "tier.toml").write_text('tiers = [["a"], ["b"]]')
    assert said in one_line(run(*words))


@pytest.mark.usefixtures("files")
def test_knowledge_is_obeyed_by_parents(run, tmp_path):
    data = ds.load_network("asia").sample(500, seed=3)
    data.write(tmp_path / "asia.csv")
    (tmp_path / "know.toml").write_text('tiers = [["dysp"], ["bronc", "either"]]')
    assert run("parents", "asia.csv", "--knowledge", "know.toml", "-o", "p.jkl").exit_code == 0
    sets = [parents for _, parents in ds.read_parents(tmp_path / "p.jkl")["dysp"]]
    assert not any({"bronc", "either"} & set(parents) for parents in sets)
    free = ds.candidate_parents(data)["dysp"]
    assert any({"bronc", "either"} & set(parents) for _, parents in free)


def test_tables_whose_labels_text_cannot_keep_are_spoken_of(run, tmp_path):
    labels = {"a": ["NA", "b"], "n": ["0.5", "1.5"], "ok": ["yes", "no"]}
    data = ds.Data({name: two * 10 for name, two in labels.items()})
    ds.fit(ds.Dag(data.names), data).write(tmp_path / "net.json")
    for words in (["-o", "out.csv"], ["-o", "out.tsv.gz"], []):
        said = run("sample", "net.json", "-n", 20, *words).stderr
        assert 'column "a" has a state "NA", which a text file gives back as a missing' in said
        assert 'column "n" has states such as "0.5", which a text file gives back as num' in said
        assert "missing_values" not in said
        assert '"ok"' not in said
    result = run("sample", "net.json", "-n", 20, "-o", "out.parquet")
    assert result.stderr == "dagscape: 20 rows of 3 variables in out.parquet\n"
    assert 'state "NA"' in run("convert", "out.parquet", "out.csv").stderr
