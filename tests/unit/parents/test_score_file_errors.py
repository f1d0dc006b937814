"""Score files that cannot be read, and lists that cannot be written, get a sentence."""

import random

import pytest
from hypothesis import strategies as st

from dagscape import _core
from dagscape.errors import FileFormatError, ParameterError
from dagscape.parents.score_files import read_score_file, write_score_file
from drawn import drawn
from unit.parents.score_file_cases import SMALL, from_pss, put

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


@pytest.mark.slow
@drawn(
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
    usual=100,
    long=300,
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
    with pytest.raises(FileFormatError, match=r"ends in \.gz but is not a complete gzip file"):
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
