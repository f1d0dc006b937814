"""How cells are spelled, and cut points of one's own: the same words for files and frames."""

from __future__ import annotations

import pandas as pd
import pytest

import dagscape as ds
from dagscape.data import MISSING_VALUES

MESSY = """bmi;sex;asked
22,5; m;n/a
31,0;f;yes
18,1;m ;.
27,5;f;no
"""


@pytest.fixture
def messy(tmp_path):
    path = tmp_path / "messy.csv"
    path.write_text(MESSY * 1 + MESSY.split("\n", 1)[1] * 4, "utf-8")
    return path


def test_commas_blanks_and_words_for_missing_values(messy):
    words = (*MISSING_VALUES, "n/a", ".")
    data = ds.read_data(
        messy, separator=";", decimal=",", trim=True, missing_values=words, missing="keep",
        discretize={"bmi": "median"},
    )  # fmt: skip
    assert data.states == {"bmi": ("<=25", ">25"), "sex": ("f", "m"), "asked": ("no", "yes")}
    assert data.missing.cells == 10
    frame = pd.read_csv(messy, sep=";", keep_default_na=False)
    assert data == ds.Data(
        frame, decimal=",", trim=True, missing_values=words, missing="keep",
        discretize={"bmi": "median"},
    )  # fmt: skip


def test_without_them_everything_stays_as_it_is(messy):
    data = ds.read_data(messy, separator=";")
    assert " m" in data.states["sex"]
    assert "." in data.states["asked"]
    assert "22,5" in data.states["bmi"]


def test_a_comma_is_a_decimal_mark_only_among_numbers(tmp_path):
    (tmp_path / "t.tsv").write_text("a\tb\n" + "1,5\tx,y\n2,0\tz\n" * 4, "utf-8")
    data = ds.read_data(tmp_path / "t.tsv", decimal=",")
    assert data.kinds == {"a": "continuous", "b": "discrete"}
    assert data.states["b"] == ("x,y", "z")


def test_more_numbers_than_there_can_be_states(tmp_path):
    rows = "".join(f"{n},5\n" for n in range(70_000))
    (tmp_path / "t.tsv").write_text("a\tb\n" + rows.replace("\n", "\tx\n"), "utf-8")
    data = ds.read_data(tmp_path / "t.tsv", decimal=",", discretize={"a": [9.5]})
    assert data.states["a"] == ("<=9.5", ">9.5")
    assert data.head(11).codes[:, 0].tolist() == [0] * 10 + [1]


def test_own_cut_points_are_declared_states():
    data = ds.Data({"bmi": [17.0, 18.5, 22.0, None], "n": [1, 2, 2, 1]}, missing="keep",
                   discretize={"bmi": [18.5, 25, 30]})  # fmt: skip
    assert data.states["bmi"] == ("<=18.5", "(18.5,25]", "(25,30]", ">30")
    assert data.codes[:, 0].tolist() == [0, 0, 1, 4]
    (note,) = [note for note in data.notes if note.kind == "cut"]
    assert (note.how, note.counts["asked"], note.counts["states"]) == ("points", 4, 4)


def test_own_names_for_the_intervals():
    named = ([18.5, 25], ["thin", "normal", "heavy"])
    data = ds.Data({"bmi": [17.0, 22.5, 40.25, 20.5]}, discretize={"bmi": named})
    assert data.states["bmi"] == ("thin", "normal", "heavy")
    assert data.codes[:, 0].tolist() == [0, 1, 2, 1]


def test_whole_numbers_are_cut_where_points_are_given():
    data = ds.Data({"age": [20, 40, 60, 80] * 3}, discretize={"age": (30, 65)})
    assert data.states["age"] == ("<=30", "(30,65]", ">65")


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        ([25, 18.5], "cut points in discretize must grow"),
        ([1, "x"], "cut points in discretize must be numbers"),
        ([float("nan")], "must be"),
        (([1, 2], ["a", "b"]), "2 cut points in discretize make 3 intervals"),
        (([1, 2], ["a", "b", "b"]), "each needs a name of its own"),
        ([], r"cut points such as \[18.5, 25, 30\]"),
    ],
)
def test_points_that_cannot_be(rule, said):
    with pytest.raises(ds.ParameterError, match=said):
        ds.Data({"a": [1.5, 2.5]}, discretize={"a": rule})


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"decimal": ";"}, 'decimal must be one of ".", ","'),
        ({"trim": "yes"}, "trim must be True or False"),
        ({"missing_values": "NA"}, "missing_values must be a list of strings"),
    ],
)
def test_spellings_that_cannot_be(options, said):
    with pytest.raises(ds.ParameterError, match=said):
        ds.Data({"a": ["x", "y"]}, **options)


ADULT = "39, State-gov, 77516\n50, Private, 83311\n38, Private, 83311\n39, Private, 215646\n"


def test_a_file_without_names(tmp_path):
    (tmp_path / "adult.csv").write_text(ADULT * 2, "utf-8")
    data = ds.read_data(tmp_path / "adult.csv", header=False, trim=True)
    assert data.names == ("X1", "X2", "X3")
    assert data.n_rows == 8
    assert data.states["X2"] == ("Private", "State-gov")


def test_an_error_that_comes_of_missing_names_says_so(tmp_path):
    (tmp_path / "adult.csv").write_text(ADULT, "utf-8")
    with pytest.raises(ds.DataError, match=r'looks like values.*"39".*give header=False$'):
        ds.read_data(tmp_path / "adult.csv")
    (tmp_path / "twice.csv").write_text("1,1\n2,3\n", "utf-8")
    with pytest.raises(ds.DataError, match=r"give header=False$"):
        ds.read_data(tmp_path / "twice.csv")


def test_names_that_count_the_columns_are_names(tmp_path):
    (tmp_path / "t.csv").write_text("0,1\na,\nb,x\n", "utf-8")
    with pytest.raises(ds.DataError, match="missing value"):
        ds.read_data(tmp_path / "t.csv")
