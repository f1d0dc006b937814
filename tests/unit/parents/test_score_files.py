"""Score files: what is written comes back."""

import gzip
import os
import random
from pathlib import Path

import pytest
from hypothesis import example
from hypothesis import strategies as st

import dagscape as ds
from dagscape import _core
from dagscape.errors import ParameterError
from dagscape.parents.score_files import read_score_file, write_score_file
from data_sets import data_set
from drawn import drawn
from unit.parents.score_file_cases import SMALL, Lists, from_pss, put

ENDINGS = [".jkl", ".pss", ".jkl.gz", ".PSS.gz"]


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


def content(path: Path) -> str:
    raw = path.read_bytes()
    return (gzip.decompress(raw) if path.suffix == ".gz" else raw).decode()


def parsed(path: Path) -> Lists:
    return (from_jkl if ".jkl" in path.name else from_pss)(content(path))


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


@pytest.mark.slow
@drawn(lists=drawn_lists(), ending=st.sampled_from(ENDINGS), usual=50, long=150)
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


def test_a_hash_begins_no_comment_after_var(tmp_path):
    lists = read_score_file(put(tmp_path / "a.jkl", SMALL)).lists
    write_score_file(lists, ["#A", "#B", "#C"], tmp_path / "a.pss")
    assert read_score_file(tmp_path / "a.pss").names == ("#A", "#B", "#C")


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


@pytest.mark.slow
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
