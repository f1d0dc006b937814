"""Every table that cannot be used gets a sentence that says why and what to do."""

from __future__ import annotations

import datetime
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from dagscape.data import Data
from dagscape.errors import DataError, ParameterError

MANY = [f"id{number}" for number in range(100)]


@pytest.mark.parametrize(
    ("frame", "message"),
    [
        (pd.DataFrame({"x": [1.0, None]}), r'column "x" has 1 missing value'),
        ({"x": [0.5, None]}, r'column "x" has 1 missing value'),
        ({"k": MANY}, r'column "k" has 100 states in 100 rows.*identifier; leave it out.*declare'),
        ({"k": [f"{i}." for i in MANY[:51]] + ["0"] * 49}, r'"k" has 52 states in 100 rows'),
        ({"k": list(range(100))}, r'column "k" has 100 states in 100 rows.*an identifier'),
        (pl.DataFrame({"k": MANY}).cast(pl.Categorical), r"identifier"),
        ({"k": [f"{i}" for i in range(65_537)]}, r'column "k" has at least 65,537 states'),
        ({"k": list(range(65_537))}, r'column "k" has at least 65,537 states'),
        ({"k": np.arange(70_000)}, r'column "k" has at least 65,537 states, and at most 65,536'),
        (pd.DataFrame([[1, 2]], columns=["a", "a"]), r'columns 1 and 2 are both named "a"; rename'),
        (
            pa.table([[1], [2]], names=["a", "a"]),
            r'columns 1 and 2 are both named "a"; rename one$',
        ),
        ({"": [1, 2]}, r"column 1 has no name; name it or leave it out$"),
        ({"a": [1, 2], " ": [1, 2]}, r"column 2 has no name"),
        (
            pd.DataFrame([[1]], columns=[0.5]),
            r"column 1 is named 0.5; rename it: names must be str",
        ),
        ({None: [1, 2]}, r"column 1 is named None"),
        ({}, r"the table has no columns"),
        (pd.DataFrame(), r"the table has no columns"),
        (pl.DataFrame(), r"the table has no columns"),
        (np.zeros((3, 0), dtype=int), r"the table has no columns"),
        ({"x": []}, r"the table has no rows"),
        (pl.DataFrame({"x": []}, schema={"x": pl.String}), r"the table has no rows"),
        (np.zeros((0, 3), dtype=int), r"the table has no rows"),
        ({"x": [1, 2], "y": [1, 2], "z": [1]}, r'column "z" has 1 values and others have 2'),
        (
            {"x": ["a", 1]},
            r"""column "x" mixes values of different types, such as 'a' and 1; conv""",
        ),
        ({"x": [True, 1]}, r'column "x" mixes values of different types, such as True and 1'),
        (pd.DataFrame({"x": ["a", 1]}, dtype=object), r'column "x" mixes'),
        (
            {"x": [datetime.date(2020, 1, 1)] * 2},
            r'"x" holds dates or times, such as "2020-',
        ),
        (pl.DataFrame({"x": [datetime.date(2020, 1, 1)]}), r"holds dates.*have its parts: dates="),
        (pd.DataFrame({"x": pd.to_datetime(["2020-01-01"])}), r'"x" holds dates or times'),
        (pl.DataFrame({"x": [datetime.time(1)]}), r'column "x" holds dates or times'),
        (pl.DataFrame({"x": [[1], [2]]}), r'column "x" holds values of type List'),
        (pl.DataFrame({"x": [{"a": 1}]}), r'column "x" holds values of type Struct'),
        ({"x": np.array(["2020-01-01"], dtype="datetime64[D]")}, r"holds dates or times"),
        ({"x": np.array([1j])}, r"type complex128"),
        ([[1, 2]], r"cannot read a table from list; give a pandas, polars or pyarrow frame"),
        ("alarm.csv", r"cannot read a table from str"),
        (None, r"cannot read a table from NoneType"),
        (np.array([1, 2]), r"the array has 1 dimension; it must have two"),
        (np.zeros((2, 2, 2), dtype=int), r"the array has 3 dimensions"),
        ({"x": np.zeros((2, 2), dtype=int)}, r'column "x" has 2 dimensions; it must have one'),
        ({"x": 5}, r'column "x" is of type int; give a list, an array or a series'),
        ({"x": "abc"}, r'column "x" is of type str'),
        (pd.DataFrame({"x": pd.Categorical([1, "1"])}), r'"x" has two categories that read "1"'),
    ],
)
def test_unusable_tables(frame: Any, message: str) -> None:
    with pytest.raises(DataError, match=message):
        Data(frame)


def test_infinite_values() -> None:
    for frame in ({"x": [1.5, -np.inf]}, pl.DataFrame({"x": [1.5, -np.inf]})):
        with pytest.raises(DataError, match=r'"x" has the infinite value -inf in row 2; replace'):
            Data(frame, discretize="mean")


def test_half_as_many_states_as_rows_is_the_limit() -> None:
    fine = Data({"x": MANY[:50] * 2})
    assert fine.arities == {"x": 50}
    assert Data({"x": ["a", "b"]}).arities == {"x": 2}  # two states are never too many
    assert Data({"x": ["a", "b", "c"]}, states={"x": ["a", "b", "c"]}).arities == {"x": 3}
    assert Data(pd.DataFrame({"x": pd.Categorical(MANY)})).arities == {"x": 100}


def test_values_outside_declared_states() -> None:
    message = (
        r'column "x" has the value "c" in row 3, which is not among its declared states "a", "b"'
    )
    with pytest.raises(DataError, match=message):
        Data({"x": ["a", None, "c", "d"]}, states={"x": ["a", "b"]}, missing="drop")
    assert Data({"x": [0.0, 1.0]}, states={"x": [1, 0]}).codes.tolist() == [[1], [0]]
    # A level that does not occur is no value.
    unused = pd.DataFrame({"x": pd.Categorical(["a"], ["a", "c"])})
    assert Data(unused, states={"x": ["b", "a"]}).states == {"x": ("b", "a")}


def test_declared_states() -> None:
    data = Data({"x": [1, 0, 1], "y": list("aab")}, states={"x": [1, 0, 2]})
    assert data.states == {"x": ("1", "0", "2"), "y": ("a", "b")}
    assert data.codes.tolist() == [[0, 0], [1, 0], [0, 1]]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"states": {"z": ["a"]}}, r'states names "z", which is not a column'),
        ({"states": {"longname": ["a"]}}, r'not a column; did you mean "long_name"\?'),
        ({"discretize": {"longname": "mean"}}, r'discretize names "longname".*"long_name"'),
        ({"states": {"x": ["a", "a"]}}, r'the state "a" of "x" is declared twice'),
        ({"states": {"x": []}}, r'"x" must have between 1 and 65,536 states, got 0'),
        ({"states": {"x": "ab"}}, r"states of \"x\" must be a list of labels, got 'ab'"),
        ({"states": {"x": [0.5]}}, r'states of "x" must be strings, integers or booleans, got 0.5'),
        ({"states": {"x": ["a"]}, "discretize": {"x": "mean"}}, r'"x" is in both states and'),
        (
            {"discretize": "average"},
            r'discretize must be None, "mean", "median", \("quantile", k\)',
        ),
        ({"discretize": ("mean", 3)}, r"discretize must be None"),
        ({"discretize": {"x": None}}, r"discretize must be None"),
        ({"discretize": ("width", 1)}, r"between 2 and 65,536, got 1"),
        ({"discretize": ("width", 2.5)}, r"between 2 and 65,536, got 2.5"),
        ({"missing": "ignore"}, r"missing must be one of \"error\", .*, got 'ignore'"),
        ({"seed": -1}, r"seed must be an integer of 0 or more, got -1"),
        ({"names": ["x"]}, r"names= goes with a NumPy array"),
    ],
)
def test_wrong_options(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        Data({"x": ["a", "b"], "long_name": ["a", "b"]}, **options)


def test_wrong_names_of_arrays() -> None:
    with pytest.raises(ParameterError, match=r"names must be a list of 2 names, got 3"):
        Data(np.zeros((2, 2), dtype=int), names=["a", "b", "c"])
    with pytest.raises(ParameterError, match=r"names must be a list of 2 names, got 1"):
        Data(np.zeros((2, 2), dtype=int), names="ab")
    with pytest.raises(DataError, match=r'both named "a"'):
        Data(np.zeros((2, 2), dtype=int), names=["a", "a"])


def test_options_for_data() -> None:
    with pytest.raises(ParameterError, match="Data already"):
        Data(Data({"x": [0, 1]}), discretize="mean")


def test_half_a_character_is_refused_wherever_it_is():
    half, whole = "a\ud800", {"b": ["u", "v"] * 3}
    for table in (
        {half: ["x", "y"] * 3, **whole},
        {"a": [half, "y"] * 3, **whole},
        pd.DataFrame({"a": pd.Series([half, "y"] * 3, dtype=object), **whole}),
    ):
        with pytest.raises(DataError, match=r"half a character \(a lone surrogate\)"):
            Data(table)
    with pytest.raises(ParameterError, match='states of "b" hold half a character'):
        Data(whole, states={"b": ["u", "v", half]})
    with pytest.raises(DataError, match="half a character"):
        Data(np.array([[half, "x"], ["y", "u"]]), names=["a", "b"])
