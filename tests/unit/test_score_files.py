import gzip
import os
import random
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import dagscape as ds
from dagscape import _core
from dagscape.errors import FileFormatError, ParameterError
from dagscape.parents.score_files import read_score_file, write_score_file
from data_sets import data_set

ENDINGS = [".jkl", ".pss", ".jkl.gz", ".PSS.gz"]

# Lists by child: each set (a tuple of names in their order) with its score.
Lists = dict[str, dict[tuple[str, ...], float]]


def as_jkl(lists: Lists) -> str:
    lines = [str(len(lists))]
    for child, sets in lists.items():
        lines.append(f"{child} {len(sets)}")
        lines += [" ".join([repr(s), str(len(p)), *reversed(p)]) for p, s in sets.items()]
    return "\n".join(lines) + "\n"


def as_pss(lists: Lists) -> str:
    lines = ["META pss_version = 0.1", ""]
    for child, sets in lists.items():
        lines += [f"VAR {child}", *(" ".join([repr(s), *reversed(p)]) for p, s in sets.items()), ""]
    return "\n".join(lines)


def from_jkl(text: str) -> Lists:
    rows = iter([line.split(" ") for line in text.removesuffix("\n").split("\n")])
    lists: Lists = {}
    (variables,) = next(rows)
    for _ in range(int(variables)):
        child, sets = next(rows)
        found = [next(rows) for _ in range(int(sets))]
        assert all(int(row[1]) == len(row) - 2 for row in found)
        lists[child] = {tuple(row[2:]): float(row[0]) for row in found}
    assert next(rows, None) is None
    return lists


def from_pss(text: str) -> Lists:
    lists: Lists = {}
    child = ""
    for line in text.split("\n"):
        word, *words = line.split(" ")
        if word == "VAR":
            (child,) = words
            lists[child] = {}
        elif word not in ("META", ""):
            lists[child][tuple(words)] = float(word)
    return lists


def content(path: Path) -> str:
    raw = path.read_bytes()
    return (gzip.decompress(raw) if path.suffix == ".gz" else raw).decode()


def parsed(path: Path) -> Lists:
    return (from_jkl if ".jkl" in path.name else from_pss)(content(path))


def put(path: Path, lists: Lists) -> Path:
    text = (as_jkl if ".jkl" in path.name else as_pss)(lists).encode()
    path.write_bytes(gzip.compress(text) if path.suffix == ".gz" else text)
    return path


def best_first(lists: Lists) -> list[tuple[str, list[tuple[tuple[str, ...], float]]]]:
    """Return the same with each list in the order it must come back in."""
    return [
        (child, sorted(sets.items(), key=lambda s: (-s[1], len(s[0]), s[0])))
        for child, sets in lists.items()
    ]


def in_order(lists: Lists) -> list[tuple[str, list[tuple[tuple[str, ...], float]]]]:
    return [(child, list(sets.items())) for child, sets in lists.items()]


WORDS = st.text(
    st.one_of(
        st.sampled_from("ab019.-=#é"),
        st.characters(exclude_categories=["Cs"], min_codepoint=33),
    ),
    min_size=1,
    max_size=4,
).filter(lambda word: not word.startswith("#"))


@st.composite
def drawn_lists(draw: st.DrawFn) -> Lists:
    names = draw(st.lists(WORDS, min_size=1, max_size=5, unique=True))
    scores = st.one_of(
        st.sampled_from([-1.5, -1.0, 0.0]),  # ties
        st.floats(allow_nan=False, allow_infinity=False),
    )
    lists: Lists = {}
    for child in names:
        others = sorted(set(names) - {child})
        sets = st.sets(st.sampled_from(others)) if others else st.just(set())
        keys = sets.map(lambda found: tuple(sorted(found)))
        lists[child] = draw(st.dictionaries(keys, scores, max_size=6))
    return lists


SMALL: Lists = {
    "B": {("A", "C"): -3.25, (): -4.0, ("A",): -3.25},
    "A": {},
    "C": {("B",): -1e-300},
}


@settings(derandomize=True, deadline=None, max_examples=150)
@given(lists=drawn_lists(), ending=st.sampled_from(ENDINGS))
@example(lists=SMALL, ending=".jkl")
@example(
    lists={"0": {("1",): 5e-324, (): 0.1 + 0.2}, "1": {(): -1.7976931348623157e308}}, ending=".pss"
)
def test_what_is_written_comes_back(tmp_path_factory, lists, ending):
    folder = tmp_path_factory.mktemp("scores")
    found = read_score_file(put(folder / f"a{ending}", lists))
    assert found.names == tuple(lists)
    for other in (".jkl", ".pss"):
        path = folder / f"b{other}"
        write_score_file(found.lists, found.names, path)
        assert in_order(parsed(path)) == best_first(lists)
        again = read_score_file(path)
        assert again.names == found.names
        write_score_file(again.lists, again.names, folder / f"c{other}")
        assert content(folder / f"c{other}") == content(path)


def test_the_text_itself(tmp_path):
    found = read_score_file(put(tmp_path / "a.jkl", SMALL))
    write_score_file(found.lists, found.names, tmp_path / "b.jkl")
    assert content(tmp_path / "b.jkl") == (
        "3\nB 3\n-3.25 1 A\n-3.25 2 A C\n-4 0\nA 0\nC 1\n-1e-300 1 B\n"
    )
    facts = {
        "": {"num_records": "100", "pss_version": "9"},
        "A": {"values": "no yes", "arity": "2"},
    }
    write_score_file(found.lists, found.names, str(tmp_path / "b.pss"), facts)
    assert content(tmp_path / "b.pss") == (
        "META pss_version=0.1\nMETA num_records=100\n"
        "\nVAR B\n-3.25 A\n-3.25 A C\n-4\n"
        "\nVAR A\nMETA arity=2\nMETA values=no yes\n"
        "\nVAR C\n-1e-300 B\n"
    )


def test_the_order_of_the_names_is_for_display_only(tmp_path):
    found = read_score_file(put(tmp_path / "a.jkl", SMALL))
    write_score_file(found.lists, ["A", "B", "C"], tmp_path / "b.jkl")
    assert parsed(tmp_path / "b.jkl") == SMALL
    assert list(parsed(tmp_path / "b.jkl")) == ["A", "B", "C"]


def test_facts(tmp_path):
    # As URLearning's program `score` writes it: blanks at line ends, and about the equality sign.
    text = (
        "META pss_version = 0.1\nMETA input_file=my = data.csv\nMETA num_records=150\n\n"
        "VAR A\nMETA arity=2\nMETA values=no yes \n-3.500000 \n-2.250000 B \n\n"
        "var B\nmeta arity=3\n-1.0 \n\n"
    )
    (tmp_path / "a.pss").write_text(text, "utf-8")
    names, lists, facts = read_score_file(tmp_path / "a.pss")
    assert names == ("A", "B")
    assert facts == {
        "": {"pss_version": "0.1", "input_file": "my = data.csv", "num_records": "150"},
        "A": {"arity": "2", "values": "no yes"},
        "B": {"arity": "3"},
    }
    write_score_file(lists, names, tmp_path / "b.pss", facts)
    assert read_score_file(tmp_path / "b.pss").facts == facts
    assert parsed(tmp_path / "b.pss") == {"A": {("B",): -2.25, (): -3.5}, "B": {(): -1.0}}
    write_score_file(lists, names, tmp_path / "b.jkl", facts)
    kept = read_score_file(tmp_path / "b.jkl").facts
    assert kept == {"": {"input_file": "my = data.csv", "num_records": "150"}}
    assert (tmp_path / "b.jkl").read_text("utf-8").splitlines()[-1] == "# META num_records=150"


@pytest.mark.parametrize("ending", [".jkl", ".pss"])
def test_line_ends_comments_and_blanks(tmp_path, ending):
    path = put(tmp_path / f"a{ending}", SMALL)
    plain = path.read_text("utf-8")
    first, *rest = plain.splitlines()
    loose = [
        first,
        "# Method: none ",
        "",
        *(f"  {line.replace(' ', chr(9) + ' ')} " for line in rest),
    ]
    for text in (
        plain.replace("\n", "\r\n"),
        "\ufeff" + plain,
        plain.rstrip(),
        "\n".join(loose),
        "# Größe\n" + plain,
    ):
        path.write_bytes(text.encode())
        found = read_score_file(path)
        write_score_file(found.lists, found.names, tmp_path / f"b{ending}")
        assert found.names == tuple(SMALL)
        assert parsed(tmp_path / f"b{ending}") == SMALL


LONG = "é" * 40

JKL_ERRORS = {
    "": "1: expected the number of variables, from 1 to 65535, got an empty file",
    "\n# nothing\n": "2: expected the number of variables, from 1 to 65535, got an empty file",
    "x\n": '1: expected the number of variables, from 1 to 65535, got "x"',
    "0\n": '1: expected the number of variables, from 1 to 65535, got "0"',
    "-2\n": '1: expected the number of variables, from 1 to 65535, got "-2"',
    "65536\n": '1: expected the number of variables, from 1 to 65535, got "65536"',
    "99999999999999999999\n": (
        '1: expected the number of variables, from 1 to 65535, got "99999999999999999999"'
    ),
    "2 2\n": '1: expected the number of variables, from 1 to 65535, got "2 2"',
    "2\nA 0\n\n": "3: the file ends after 1 of the 2 variables that line 1 announces",
    "1\nA\n": '2: expected a variable\'s name and the number of its parent sets, got "A"',
    "1\nA 1.5\n": '2: expected a variable\'s name and the number of its parent sets, got "A 1.5"',
    "1\nA 1 2\n": '2: expected a variable\'s name and the number of its parent sets, got "A 1 2"',
    f"1\n{LONG} x\n": (
        f'2: expected a variable\'s name and the number of its parent sets, got "{"é" * 30}..."'
    ),
    # Too large a number of sets: the file ends, or a variable stands where a set should.
    "1\nA 2\n-1 0\n": (
        '3: the file ends after 1 of the 2 parent sets that line 2 announces for "A"'
    ),
    "2\nA 2\n-1 0\nB 1\n-1 0\n": (
        '4: expected a score (a finite number), the number of parents and their names, got "B 1"; '
        'this is number 2 of the 2 parent sets that line 2 announces for "A"'
    ),
    "2\n0 2\n-1 0\n1 1\n-1 0\n": (
        "4: expected 1 parents after the score, got 0; "
        'this is number 2 of the 2 parent sets that line 2 announces for "0"'
    ),
    # Too small a number.
    "2\nA 1\n-1 0\n-2 1 B\nB 1\n-1 0\n": (
        '4: expected a variable\'s name and the number of its parent sets, got "-2 1 B"'
    ),
    "2\nA 1\n-2 1 B\n-1 0\nB 1\n-1 0\n": (
        "5: expected the end of the file after the 2 variables that line 1 announces, "
        'got "B 1"; is a number before it too small?'
    ),
    "1\nA 1\n-1 0\nmore\n": (
        "4: expected the end of the file after the 1 variables that line 1 announces, "
        'got "more"; is a number before it too small?'
    ),
    "2\nA 1\n-1 2 B\nB 0\n": (
        "3: expected 2 parents after the score, got 1; "
        'this is number 1 of the 1 parent sets that line 2 announces for "A"'
    ),
    "2\nA 1\n-1 0 B\nB 0\n": (
        "3: expected 0 parents after the score, got 1; "
        'this is number 1 of the 1 parent sets that line 2 announces for "A"'
    ),
    "2\nA 1\n-1 1 A\nB 0\n": '3: variable "A" is among its own parents',
    "2\nA 1\n-1 1 C\nB 0\n": ('3: unknown parent "C"; the file has no variable of that name'),
    "2\nA 0\nA 0\n": '3: variable "A" was given its parent sets before',
    "2\nB 0\nA 1\n-1 2 B B\n": "4: a parent is listed twice",
    "3\nA 3\n-1 2 B C\n-1 0\n-2 2 C B\nB 0\nC 0\n": (
        "5: this parent set was given in line 3 already"
    ),
    "1\nA 2\n-1 0\n# again\n-1 0\n": "5: this parent set was given in line 3 already",
}
for _bad in ("nan", "-NaN", "inf", "-inf", "1e999", "0x1p3", "1,5", "+-1", "1..2"):
    JKL_ERRORS[f"1\nA 1\n{_bad} 0\n"] = (
        "3: expected a score (a finite number), the number of parents and their names, "
        f'got "{_bad} 0"; this is number 1 of the 1 parent sets that line 2 announces for "A"'
    )

PSS_ERRORS = {
    "": "1: expected VAR and a variable's name, got no more lines",
    "META a=1\n# VAR A\n": "2: expected VAR and a variable's name, got no more lines",
    "-1 A\nVAR A\n": '1: expected META key=value or VAR name, got "-1 A"',
    "META a\n": '1: expected META key=value, got "META a"',
    "META = 1\n": '1: expected META key=value, got "META = 1"',
    "META\n": '1: expected META key=value, got "META"',
    "VAR\n": '1: expected VAR and a variable\'s name, got "VAR"',
    "VAR A B\n": '1: expected VAR and a variable\'s name, got "VAR A B"',
    "VAR A\n-1\nVARIABLE B\n": (
        '3: expected a score (a finite number) of variable "A", META or VAR, got "VARIABLE"'
    ),
    "VAR A\nnan\n": '2: expected a score (a finite number) of variable "A", META or VAR, got "nan"',
    "VAR A\n-1 A\n": '2: variable "A" is among its own parents',
    "VAR A\n-1 C\nVAR B\n": '2: unknown parent "C"; the file has no variable of that name',
    "VAR A\n\nVAR A\n": '3: variable "A" was given its parent sets before',
    "VAR A\n-1 B B\nVAR B\n": "2: a parent is listed twice",
    "VAR A\n-1 B\n-2 B\nVAR B\n": "3: this parent set was given in line 2 already",
}


@pytest.mark.parametrize(
    ("ending", "text", "message"),
    [
        (ending, text, message)
        for ending, errors in ((".jkl", JKL_ERRORS), (".pss", PSS_ERRORS))
        for text, message in errors.items()
    ],
)
def test_a_bad_file_names_its_line(tmp_path, ending, text, message):
    path = tmp_path / f"bad{ending}"
    path.write_bytes(text.encode())
    with pytest.raises(FileFormatError) as error:
        read_score_file(path)
    assert str(error.value) == f"{path}, line {message}"


@settings(derandomize=True, deadline=None, max_examples=300)
@given(
    st.sampled_from([".jkl", ".pss"]),
    st.lists(
        st.sampled_from(
            [
                "1",
                "2",
                "A",
                "B",
                "0",
                "-1.5",
                "VAR",
                "META",
                "x=1",
                "#",
                " ",
                " ",
                "\n",
                "\n",
                "\r",
                "\0",
            ]
        ),
        max_size=30,
    ),
)
def test_any_text_is_read_or_refused(ending, pieces):
    read = {".jkl": _core.read_jkl, ".pss": _core.read_pss}[ending]
    try:
        names, lists, _ = read("".join(pieces).encode())
    except FileFormatError as error:
        found = str(error).startswith("line ")
    else:
        written: list[bytes] = []
        _core.write_pss(lists, names, {}, written.append)
        found = list(from_pss(b"".join(written).decode())) == names
    assert found


def test_a_repeat_among_many(tmp_path):
    rng = random.Random(5)
    names = [f"v{i}" for i in range(20)]
    sets = list({tuple(sorted(rng.sample(names[1:], 5))) for _ in range(5000)})
    lines = [f"-1.5 {len(s)} {' '.join(s)}" for s in sets]
    head, others = f"20\nv0 {len(lines) + 1}", [f"{name} 0" for name in names[1:]]
    again = f"-2.5 5 {' '.join(reversed(sets[100]))}"
    path = tmp_path / "a.jkl"
    path.write_text("\n".join([head, *lines, again, *others]), "utf-8")
    with pytest.raises(
        FileFormatError, match=rf"line {len(lines) + 3}: .* given in line 103 already"
    ):
        read_score_file(path)
    path.write_text("\n".join([head, *lines, "-1.5 0", *others]), "utf-8")
    assert len(read_score_file(path).names) == 20


def test_more_variables_than_there_may_be(tmp_path):
    lines = [f"VAR v{i}" for i in range(65536)]
    path = tmp_path / "a.pss"
    path.write_text("\n".join(lines[:-1]), "utf-8")
    assert len(read_score_file(path).names) == 65535
    path.write_text("\n".join(lines), "utf-8")
    with pytest.raises(FileFormatError, match="line 65536: there are more than 65535 variables"):
        read_score_file(path)


def test_text_that_is_not_utf8(tmp_path):
    path = tmp_path / "a.jkl"
    path.write_bytes("1\nÄrger 0\n".encode("latin-1"))
    with pytest.raises(FileFormatError) as error:
        read_score_file(path)
    assert str(error.value) == f"{path}, line 2: not UTF-8 text; save it as UTF-8"


@pytest.mark.parametrize("name", ["a", "a.txt", "a.gz", "a.txt.gz", "a.jkl.zip", ".jkl"])
def test_an_unknown_ending(tmp_path, name):
    lists = read_score_file(put(tmp_path / "good.jkl", SMALL)).lists
    for use in (read_score_file, lambda path: write_score_file(lists, list(SMALL), path)):
        with pytest.raises(ParameterError) as error:
            use(tmp_path / name)
        assert str(error.value) == (
            f'"{tmp_path / name}" has no ending of a score file; choose .jkl, .pss (.gz may follow)'
        )


def test_files_that_cannot_be_read(tmp_path):
    put(tmp_path / "asia.jkl", SMALL)
    with pytest.raises(ParameterError, match=r'no file ".*aisa\.jkl"; did you mean "asia\.jkl"\?'):
        read_score_file(tmp_path / "aisa.jkl")
    (tmp_path / "x.pss.gz").write_bytes(b"plain text")
    with pytest.raises(FileFormatError, match=r"ends in \.gz but is no whole gzip file"):
        read_score_file(tmp_path / "x.pss.gz")


ONE_WORD = "names in score files must be words without blanks; rename it"


@pytest.mark.parametrize(
    ("ending", "names", "message"),
    [
        (".jkl", ["A", "my B", "C"], f'variable "my B" cannot be written: {ONE_WORD}'),
        (".pss", ["A", "B\n", "C"], f'variable "B\n" cannot be written: {ONE_WORD}'),
        (".pss", ["A", "", "C"], f'variable "" cannot be written: {ONE_WORD}'),
        (
            ".jkl",
            ["A", "#B", "C"],
            'variable "#B" cannot be written: # begins a comment; rename it',
        ),
        (".jkl", ["A", "B"], "there must be one name for each of the 3 variables, got 2"),
        (".jkl", [], "a score file must have at least one variable"),
        (".jkl", ["A", "B", "A"], 'the name "A" is given to more than one variable'),
        (".jkl", ["A", "B", 3], "variable names must be strings, got 3"),
        (
            ".pss",
            ["A", "B", "\ud800"],
            '"{path}" cannot be written: a name or label holds half a character (a lone surrogate)',
        ),
    ],
)
def test_names_that_cannot_be_written(tmp_path, ending, names, message):
    lists = read_score_file(put(tmp_path / "good.jkl", SMALL)).lists
    path = tmp_path / f"a{ending}"
    path.write_text("old", "utf-8")
    with pytest.raises(ParameterError) as error:
        write_score_file(lists, names, path)
    assert str(error.value) == message.format(path=path)
    assert path.read_text("utf-8") == "old"
    assert sorted(p.name for p in tmp_path.iterdir()) == [path.name, "good.jkl"]


def test_a_hash_begins_no_comment_after_var(tmp_path):
    lists = read_score_file(put(tmp_path / "a.jkl", SMALL)).lists
    write_score_file(lists, ["#A", "#B", "#C"], tmp_path / "a.pss")
    assert read_score_file(tmp_path / "a.pss").names == ("#A", "#B", "#C")


@pytest.mark.parametrize(
    ("facts", "message"),
    [
        ({"D": {"arity": "2"}}, 'facts are given about "D", which is no variable'),
        ({"": {"a=b": "1"}}, 'fact "a=b" cannot be written: a fact must fit in a line key=value'),
        ({"A": {" ": "1"}}, 'fact " " cannot be written: a fact must fit in a line key=value'),
        ({"A": {"a": "1\n2"}}, 'fact "a" cannot be written: a fact must fit in a line key=value'),
        ({"A": {"a\r": "1"}}, 'fact "a\r" cannot be written: a fact must fit in a line key=value'),
    ],
)
def test_facts_that_cannot_be_written(tmp_path, facts, message):
    lists = read_score_file(put(tmp_path / "good.jkl", SMALL)).lists
    with pytest.raises(ParameterError) as error:
        write_score_file(lists, list(SMALL), tmp_path / "a.pss", facts)
    assert str(error.value) == message


def test_a_failed_write_leaves_the_old_file(tmp_path, monkeypatch):
    path = put(tmp_path / "a.jkl", SMALL)
    found = read_score_file(path)

    def fail(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(ParameterError, match=r'a\.jkl" cannot be written: No space left on device'):
        write_score_file(found.lists, found.names, path)
    assert [p.name for p in tmp_path.iterdir()] == ["a.jkl"]
    with pytest.raises(OSError, match="No space"):  # one that comes up through the engine
        _core.write_pss(found.lists, found.names, {}, fail)


def test_large_files_are_written_in_pieces(tmp_path):
    rng = random.Random(3)
    names = [f"a_rather_long_name_of_a_variable_{i}" for i in range(30)]
    sets = {tuple(sorted(rng.sample(names[1:], 6))): rng.random() for _ in range(12000)}
    found = read_score_file(put(tmp_path / "a.jkl", {names[0]: sets, **{x: {} for x in names[1:]}}))
    for write in (
        lambda sink: _core.write_jkl(found.lists, found.names, {}, sink),
        lambda sink: _core.write_pss(found.lists, found.names, {}, sink),
    ):
        pieces: list[bytes] = []
        write(pieces.append)
        assert len(pieces) > 2
        assert max(map(len, pieces)) < 1.1 * 2**20
        text = b"".join(pieces).decode()
        assert (from_jkl if text.startswith("30") else from_pss)(text)[names[0]] == sets


def test_equal_lists_make_equal_files(tmp_path):
    found = read_score_file(put(tmp_path / "a.jkl", SMALL))
    for name in ("b.jkl.gz", "c.jkl.gz"):
        write_score_file(found.lists, found.names, tmp_path / name)
    assert (tmp_path / "b.jkl.gz").read_bytes() == (tmp_path / "c.jkl.gz").read_bytes()


# File, its lines that begin with a score, table, score, what the digits given allow.
BY_OTHERS = [
    ("asia_10000.3.jkl", 512, "scores/asia_10000.csv.gz", ds.BDeu(ess=1.0), 1e-6),
    ("child-5000.jkl", 627, "scores/child-5000.csv.gz", ds.BDeu(ess=1.0), 6e-5),
    ("wine.BIC.3.jkl", 592, "ebnsl/wine.csv.gz", ds.BIC(), 1e-6),
]


@pytest.mark.parametrize(("name", "sets", "table", "score", "tolerance"), BY_OTHERS)
def test_files_of_other_programs(tmp_path, name, sets, table, score, tolerance):
    found = read_score_file(data_set(f"scores/{name}"))
    write_score_file(found.lists, found.names, tmp_path / name)
    lists = parsed(tmp_path / name)
    assert sum(map(len, lists.values())) == sets

    data = ds.read_data(data_set(table))
    columns = dict(zip(found.names, data.names, strict=True))  # they may go by number
    families = [(child, p, s) for child, of_child in lists.items() for p, s in of_child.items()]
    for child, parents, value in families:
        ours = ds.local_score(data, columns[child], [columns[p] for p in parents], score=score)
        assert ours == pytest.approx(value, rel=0, abs=tolerance), (child, parents)
